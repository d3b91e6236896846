// Colours of what is on the stage, those of toile render.

import { Color } from 'three'
import type { BodyKind } from '../api'
import type { Theme } from '../settings'

const bodyColors = ['#4f86c6', '#b4ac9e', '#d98a4e', '#5fa88d', '#b56b86', '#8a79b8']
const obstacleColors = ['#bdb7ac', '#a8b2b8', '#b9aeb6']

export interface Sides {
  front: Color
  back: Color
}

// Places counts bodies that move and obstacles apart, so that each has a colour of its own.
export class Places {
  private moving = 0
  private others = 0

  next(kind: BodyKind): number {
    return kind === 'obstacle' ? this.others++ : this.moving++
  }
}

// sidesOf returns the colours of the n-th body that moves, or obstacle. The back of cloth is a little greyer and warmer.
export function sidesOf(kind: BodyKind, n: number): Sides {
  const list = kind === 'obstacle' ? obstacleColors : bodyColors
  const front = new Color(list[n % list.length])
  if (kind === 'obstacle') return { front, back: front.clone().multiplyScalar(0.8) }
  const grey = 0.2126 * front.r + 0.7152 * front.g + 0.0722 * front.b
  const back = front.clone().lerp(new Color(grey, grey, grey), 0.3).multiply(new Color(0.86, 0.8, 0.78))
  return { front, back }
}

export interface StageColors {
  floor: Color
  line: Color
  edge: Color
  select: Color
  arrow: Color
  none: Color // where a quantity has no value
  sky: number // strength of the lights
  key: number
}

export function stageColors(theme: Theme): StageColors {
  return theme === 'dark'
    ? {
        floor: new Color('#2b3037'), line: new Color('#59626e'), edge: new Color('#0b0d10'), select: new Color('#ffd166'),
        arrow: new Color('#ff9fb0'), none: new Color('#6b727c'), sky: 1.5, key: 2.0,
      }
    : {
        floor: new Color('#cfd4db'), line: new Color('#98a2af'), edge: new Color('#10161d'), select: new Color('#ffb000'),
        arrow: new Color('#b3123c'), none: new Color('#c4c9d0'), sky: 1.75, key: 2.1,
      }
}
