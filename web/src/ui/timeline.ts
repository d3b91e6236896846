// The timeline: slider, buttons of playback, and what is shown now in words.

import { el, make, setPressed } from '../dom'
import { count, seconds } from '../format'
import { speeds, type Playback } from '../playback'

export class Timeline {
  onFollow: (on: boolean) => void = () => {}

  private readonly slider = el<HTMLInputElement>('timeline')
  private readonly play = el<HTMLButtonElement>('play')
  private readonly loop = el<HTMLButtonElement>('loop')
  private readonly follow = el<HTMLButtonElement>('follow')
  private readonly speed = el<HTMLSelectElement>('speed')

  constructor(private readonly playback: Playback) {
    for (const speed of speeds) this.speed.append(make('option', { value: String(speed), textContent: `${speed}×` }))
    this.slider.addEventListener('input', () => {
      playback.pause()
      playback.seek(Number(this.slider.value))
    })
    this.play.addEventListener('click', () => playback.toggle())
    el('first').addEventListener('click', () => playback.seek(playback.first))
    el('last').addEventListener('click', () => playback.seek(playback.last))
    el('back').addEventListener('click', () => playback.step(-1))
    el('forward').addEventListener('click', () => playback.step(1))
    this.loop.addEventListener('click', () => this.toggleLoop())
    this.speed.addEventListener('change', () => playback.setSpeed(Number(this.speed.value)))
    this.follow.addEventListener('click', () => this.onFollow(this.follow.getAttribute('aria-pressed') !== 'true'))
  }

  toggleLoop(): void {
    this.playback.loop = !this.playback.loop
    this.update()
  }

  // showLive offers to follow a run under way.
  showLive(live: boolean, following: boolean): void {
    this.follow.hidden = !live
    setPressed(this.follow, following)
  }

  update(): void {
    const { frame, first, last, playing, loop, speed, count: frames } = this.playback
    this.slider.min = String(first)
    this.slider.max = String(last)
    this.slider.value = String(frame)
    this.slider.disabled = frames === 0
    this.slider.setAttribute('aria-valuetext', `Frame ${frame} of ${last}`)
    this.play.toggleAttribute('data-playing', playing)
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play')
    this.play.title = playing ? 'Pause (space)' : 'Play (space)'
    setPressed(this.loop, loop)
    this.speed.value = String(speed)
  }

  // showPlace tells the frame on the screen, with its time and step.
  showPlace(frame: number, last: number, time: number, step: number): void {
    el('readout').replaceChildren(
      make('span', {}, `Frame ${count(frame)} / ${count(last)}`),
      make('span', { className: 'soft' }, seconds(time)),
      make('span', { className: 'soft step' }, `step ${count(step)}`),
    )
  }
}
