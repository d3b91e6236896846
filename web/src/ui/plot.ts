// One plot: curves of statistics over time, in line with the timeline above it, with the same cursor.

import type { Series, Stats } from '../api'
import { number, seconds } from '../format'
import { linearTicks, logTicks } from '../ticks'
import { make } from '../dom'
import type { PlotKind } from './plotkinds'

// Curves keep apart for every kind of colour blindness; on dark paper they are lighter.
const inks = {
  light: ['#0072b2', '#d55e00', '#00795a', '#a8508a', '#8a6200', '#333b46', '#a2342e'],
  dark: ['#56b4e9', '#ff9248', '#3fd0a3', '#e3a3c8', '#f0c04a', '#c9d1da', '#ff8f86'],
}

// The plotted area lies below the middle of the slider's thumb at both ends.
export const plotLeft = 67
export const plotRight = 17
const top = 17
const bottom = 15

export interface Span {
  from: number // times of the first and the last frame [s]
  to: number
}

export class Plot {
  readonly root = make('div', { className: 'plot' })
  onStep: (step: number) => void = () => {}
  onHover: (time: number | null) => void = () => {}

  private readonly canvas = make('canvas', { tabIndex: 0 })
  private readonly tip = make('div', { className: 'tip', hidden: true })
  private stats: Stats | null = null
  private span: Span = { from: 0, to: 1 }
  private cursor = 0
  private hover: number | null = null // bucket
  private tolerance = 0

  constructor(readonly kind: PlotKind) {
    this.canvas.setAttribute('role', 'img')
    this.root.append(this.canvas, this.tip)
    this.canvas.addEventListener('pointermove', (event) => this.point(this.bucketAt(event.offsetX)))
    this.canvas.addEventListener('pointerleave', () => this.point(null))
    this.canvas.addEventListener('click', () => this.jump())
    this.canvas.addEventListener('blur', () => this.point(null))
    this.canvas.addEventListener('keydown', (event) => this.key(event))
  }

  setStats(stats: Stats | null, tolerance: number): void {
    this.stats = stats
    this.tolerance = this.kind.tolerance ? tolerance : 0
    this.draw()
  }

  setSpan(span: Span): void {
    this.span = span
    this.draw()
  }

  setCursor(time: number): void {
    this.cursor = time
    this.draw()
  }

  draw(): void {
    const width = this.root.clientWidth
    const height = this.root.clientHeight
    if (width <= plotLeft + plotRight || height === 0) return
    const ratio = devicePixelRatio
    this.canvas.width = Math.round(width * ratio)
    this.canvas.height = Math.round(height * ratio)
    const context = this.canvas.getContext('2d')!
    context.scale(ratio, ratio)
    context.font = '11px system-ui, sans-serif'
    const style = getComputedStyle(document.documentElement)
    const color = (name: string): string => style.getPropertyValue(name).trim()
    if (!this.stats?.time.length) {
      this.drawTitle(context, color)
      context.fillStyle = color('--soft')
      context.fillText('No steps yet.', plotLeft, top + 12)
      this.describe()
      return
    }
    const [low, high] = this.range()
    this.drawAxes(context, width, height, low, high, color)
    this.drawCurves(context, width, height, low, high)
    this.drawCursor(context, height, color)
    this.drawTitle(context, color)
    this.describe()
  }

  private series(): Series[] {
    return this.kind.curves.map((curve) => this.stats?.series[curve.column] ?? { min: [], max: [] })
  }

  // range is that of all curves, opened to round values and for the tolerance.
  private range(): [number, number] {
    let low = Infinity
    let high = -Infinity
    const take = (value: number | null | undefined): void => {
      if (value === null || value === undefined || !Number.isFinite(value) || (this.kind.log && value <= 0)) return
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
    for (const { min, max } of this.series()) {
      min.forEach(take)
      max.forEach(take)
    }
    if (this.tolerance > 0) take(this.tolerance)
    if (!(low <= high)) return this.kind.log ? [1e-10, 1] : [0, 1]
    if (this.kind.log) return [Math.max(low, (this.tolerance || high) * 1e-4) / 2, high * 2]
    if (low > 0 && low < 0.6 * high) low = 0
    if (low === high) return low === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)]
    const room = 0.06 * (high - low)
    return [low === 0 ? 0 : low - room, high + room]
  }

  private x(time: number): number {
    const inside = this.root.clientWidth - plotLeft - plotRight
    const length = this.span.to - this.span.from
    return plotLeft + (length > 0 ? (inside * (time - this.span.from)) / length : 0)
  }

  private y(value: number, low: number, high: number, height: number): number {
    const inside = height - top - bottom
    const t = this.kind.log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low)
    return top + inside * (1 - t)
  }

  private drawAxes(c: CanvasRenderingContext2D, width: number, height: number, low: number, high: number, color: (name: string) => string): void {
    c.lineWidth = 1
    c.textBaseline = 'middle'
    c.textAlign = 'right'
    const values = this.kind.log ? logTicks(low, high, 4) : linearTicks(low, high, 3)
    for (const value of values) {
      const y = Math.round(this.y(value, low, high, height)) + 0.5
      c.strokeStyle = color('--line')
      line(c, plotLeft, y, width - plotRight, y)
      c.fillStyle = color('--soft')
      c.fillText(number(value), plotLeft - 7, y)
    }
    c.textAlign = 'center'
    c.textBaseline = 'bottom'
    for (const time of linearTicks(this.span.from, this.span.to, Math.max(2, Math.floor(width / 130)))) {
      const x = Math.round(this.x(time)) + 0.5
      c.strokeStyle = color('--line')
      line(c, x, height - bottom, x, height - bottom + 3)
      c.fillStyle = color('--soft')
      if (x < width - 24) c.fillText(`${number(time)} s`, x, height)
    }
    if (this.tolerance > 0) {
      const y = Math.round(this.y(this.tolerance, low, high, height)) + 0.5
      c.strokeStyle = color('--bad')
      c.setLineDash([5, 4])
      line(c, plotLeft, y, width - plotRight, y)
      c.setLineDash([])
    }
  }

  private drawCurves(c: CanvasRenderingContext2D, width: number, height: number, low: number, high: number): void {
    if (!this.stats) return
    c.save()
    c.beginPath()
    c.rect(plotLeft - 1, 0, width - plotLeft - plotRight + 2, height)
    c.clip()
    this.series().forEach((series, i) => {
      c.strokeStyle = this.inkOf(i)
      c.lineWidth = 1.4
      c.lineJoin = 'round'
      c.beginPath()
      let drawing = false
      this.stats!.time.forEach((time, k) => {
        const min = series.min[k]
        const max = series.max[k]
        if (min === null || max === null || min === undefined || max === undefined || (this.kind.log && max <= 0)) {
          drawing = false
          return
        }
        const x = this.x(time)
        if (drawing) c.lineTo(x, this.y(max, low, high, height))
        else c.moveTo(x, this.y(max, low, high, height))
        if (min !== max) c.lineTo(x, this.y(min, low, high, height))
        drawing = true
      })
      c.stroke()
    })
    c.restore()
  }

  private drawCursor(c: CanvasRenderingContext2D, height: number, color: (name: string) => string): void {
    c.strokeStyle = color('--accent')
    c.lineWidth = 1.5
    line(c, this.x(this.cursor), top - 3, this.x(this.cursor), height - bottom)
    const hovered = this.hover === null ? undefined : this.stats?.time[this.hover]
    if (hovered === undefined) return
    c.strokeStyle = color('--soft')
    c.lineWidth = 1
    line(c, this.x(hovered), top, this.x(hovered), height - bottom)
  }

  // drawTitle writes the name of the plot and of its curves above it.
  private drawTitle(c: CanvasRenderingContext2D, color: (name: string) => string): void {
    c.textAlign = 'left'
    c.textBaseline = 'top'
    c.fillStyle = color('--ink')
    const unit = this.kind.unit ? ` [${this.kind.unit}]` : ''
    const title = `${this.kind.label}${unit}`
    c.fillText(title, plotLeft, 2)
    let x = plotLeft + c.measureText(title).width + 16
    if (this.kind.curves.length > 1) {
      const series = this.series()
      this.kind.curves.forEach((curve, i) => {
        if (series[i]!.max.length === 0) return // the run does not have it
        c.fillStyle = this.inkOf(i)
        c.fillRect(x, 6, 12, 3)
        c.fillText(curve.label, x + 16, 2)
        x += 16 + c.measureText(curve.label).width + 14
      })
    } else if (this.tolerance > 0) {
      c.fillStyle = color('--bad')
      c.fillText(`– – tolerance ${number(this.tolerance)}`, x, 2)
    }
  }

  private inkOf(i: number): string {
    const list = document.documentElement.dataset.theme === 'dark' ? inks.dark : inks.light
    return list[(this.kind.curves[i]?.ink ?? i) % list.length]!
  }

  private bucketAt(x: number): number | null {
    const times = this.stats?.time
    if (!times?.length) return null
    const inside = this.root.clientWidth - plotLeft - plotRight
    const time = this.span.from + ((x - plotLeft) / inside) * (this.span.to - this.span.from)
    return nearest(times, time)
  }

  private point(bucket: number | null): void {
    if (bucket === this.hover) return
    this.hover = bucket
    this.draw()
    this.tip.hidden = bucket === null || !this.stats
    if (bucket === null || !this.stats) return
    const text = this.textOf(bucket)
    this.tip.textContent = text
    const x = this.x(this.stats.time[bucket]!)
    const room = this.root.clientWidth - this.tip.offsetWidth - 8
    this.tip.style.left = `${Math.min(Math.max(x + 10, 4), room)}px`
    this.canvas.setAttribute('aria-description', text)
  }

  private textOf(bucket: number): string {
    const parts = this.kind.curves.map((curve, i) => {
      const value = this.series()[i]!.max[bucket]
      return `${this.kind.curves.length > 1 ? `${curve.label} ` : ''}${value === null || value === undefined ? 'none' : number(value)}`
    })
    return `step ${this.stats!.step[bucket]} · ${seconds(this.stats!.time[bucket]!)} · ${parts.join(', ')}`
  }

  private jump(): void {
    if (this.hover !== null && this.stats) this.onStep(this.stats.step[this.hover]!)
  }

  private key(event: KeyboardEvent): void {
    const times = this.stats?.time
    if (!times?.length || event.ctrlKey || event.metaKey || event.altKey) return
    const here = this.hover ?? nearest(times, this.cursor)
    const stride = event.shiftKey ? 10 : 1
    const targets: Record<string, number> = {
      ArrowLeft: here - stride, ArrowRight: here + stride, Home: 0, End: times.length - 1,
    }
    const target = targets[event.key]
    if (target !== undefined) this.point(Math.min(Math.max(target, 0), times.length - 1))
    else if (event.key === 'Enter') this.jump()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  private describe(): void {
    const unit = this.kind.unit ? ` in ${this.kind.unit}` : ''
    this.canvas.setAttribute('aria-label', `${this.kind.label}${unit} over time. Left and right move along it, Enter shows the frame.`)
  }
}

function line(c: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  c.beginPath()
  c.moveTo(x0, y0)
  c.lineTo(x1, y1)
  c.stroke()
}

// nearest returns the index of the value nearest to x in a rising list.
export function nearest(list: number[], x: number): number {
  let low = 0
  let high = list.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! < x) low = middle + 1
    else high = middle
  }
  return low > 0 && x - list[low - 1]! < list[low]! - x ? low - 1 : low
}
