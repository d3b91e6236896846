// The legend: what the colours mean, with a range that can be changed.

import { contactStates, mapColor } from '../colormap'
import { el, make, setPressed } from '../dom'
import { number } from '../format'
import type { Quantity } from '../quantity'
import { Mode } from '../stage/surface'

export class Legend {
  onRange: (low: number | null, high: number | null) => void = () => {}

  private readonly box = el('legend')
  private readonly low = el<HTMLInputElement>('legend-low')
  private readonly high = el<HTMLInputElement>('legend-high')
  private scale = 1 // the number shown for 1 in SI

  constructor() {
    this.paintBar()
    for (const state of contactStates) {
      const swatch = make('span', { className: 'swatch' })
      swatch.style.background = state.color
      el('legend-states').append(make('li', {}, swatch, state.label))
    }
    const change = (): void => this.readRange()
    this.low.addEventListener('change', change)
    this.high.addEventListener('change', change)
    el('legend-auto').addEventListener('click', () => this.onRange(null, null))
  }

  show(quantity: Quantity | null, low: number, high: number, fitted: boolean, clips: boolean): void {
    this.box.hidden = quantity === null
    if (!quantity) return
    const small = quantity.unit === 'm' && Math.max(Math.abs(low), Math.abs(high)) < 0.2
    this.scale = small ? 1000 : 1
    const unit = small ? 'mm' : quantity.unit
    el('legend-title').textContent = (unit ? `${quantity.label} [${unit}]` : quantity.label) + (clips ? ', 99 % of it' : '')
    const states = quantity.mode === Mode.State
    el('legend-scale').hidden = states
    el('legend-states').hidden = !states
    el('legend-none').hidden = quantity.mode !== Mode.Gap && quantity.mode !== Mode.Impulse
    if (document.activeElement !== this.low) this.low.value = number(this.scale * low, 4)
    if (document.activeElement !== this.high) this.high.value = number(this.scale * high, 4)
    setPressed(el('legend-auto'), fitted)
  }

  private readRange(): void {
    const [low, high] = [this.low, this.high].map((input) => Number(input.value.trim().replace(',', '.')) / this.scale) as [number, number]
    const good = Number.isFinite(low) && Number.isFinite(high) && low < high
    this.low.setAttribute('aria-invalid', String(!good))
    this.high.setAttribute('aria-invalid', String(!good))
    if (good) this.onRange(low, high)
  }

  private paintBar(): void {
    const bar = el<HTMLCanvasElement>('legend-bar')
    const context = bar.getContext('2d')!
    for (let x = 0; x < bar.width; x++) {
      context.fillStyle = `rgb(${mapColor(x / (bar.width - 1)).join(' ')})`
      context.fillRect(x, 0, 1, bar.height)
    }
  }
}
