// The quantities that bodies can be coloured by, and the range of their colours.

import type { FieldInfo } from './api'
import type { BodyFrame, Frame } from './frame'
import { edgeSizes } from './stage/edges'
import { Mode } from './stage/surface'

export const sizeField = '_SIZE'
export const stateField = '_STATE'
export const gapField = '_GAP'
export const impulseField = '_IMPULSE'
export const forceField = '_FORCE'

export interface Quantity {
  field: string
  label: string
  unit: string
  mode: Mode
  computed: boolean // from the positions, because frames do not have it
  range: [number, number] | null // as the server knows it
  top: number // where the server would end the colours
}

const modes: Record<string, Mode> = {
  [stateField]: Mode.State, [gapField]: Mode.Gap, [impulseField]: Mode.Impulse, [forceField]: Mode.Impulse,
}

// quantitiesOf lists what a run can be coloured by; the size of triangles always can, if there are any.
export function quantitiesOf(fields: FieldInfo[], triangles = true): Quantity[] {
  const list = fields.map((field): Quantity => ({
    field: field.name,
    label: capital(field.label || field.name.replace(/^_/, '').toLowerCase()),
    unit: field.unit,
    mode: modes[field.name] ?? Mode.Scalar,
    computed: false,
    range: field.range,
    top: field.top ?? field.range?.[1] ?? 0,
  }))
  if (triangles && !list.some((quantity) => quantity.field === sizeField)) {
    list.push({ field: sizeField, label: 'Size of triangles', unit: 'm', mode: Mode.Scalar, computed: true, range: null, top: 0 })
  }
  return list
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

// hasValue says whether a number is a value of the quantity: gaps and impulses are there only where something touches.
export function hasValue(mode: Mode, value: number): boolean {
  if (!Number.isFinite(value)) return false
  if (mode === Mode.Gap) return value < 999
  if (mode === Mode.Impulse) return value > 0
  return true
}

// valuesOf returns the quantity at the vertices of a cloth, yarns or a soft body, or null where there is none.
export function valuesOf(quantity: Quantity, body: BodyFrame, triangles: Uint32Array | undefined): Float32Array | null {
  if (body.kind === 'obstacle' || body.kind === 'rigid') return null
  if (!quantity.computed) {
    const values = body.arrays.get(quantity.field)
    return values instanceof Float32Array ? values : null
  }
  if (body.kind === 'yarn') return null
  const known = body.arrays.get(quantity.field)
  if (known instanceof Float32Array) return known
  const positions = body.arrays.get('position')
  if (!(positions instanceof Float32Array) || !triangles) return null
  const sizes = edgeSizes(positions, triangles)
  body.arrays.set(quantity.field, sizes)
  return sizes
}

// Tally counts values in bins of 1/16 octave, as the server does: the upper bits of a float32 are its exponent and four
// bits of its mantissa.
class Tally {
  low = Infinity
  high = -Infinity
  count = 0
  private readonly bins = new Uint32Array(4096)

  add(values: Float32Array, mode: Mode): void {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
    values.forEach((value, i) => {
      if (!hasValue(mode, value)) return
      this.count++
      if (value < this.low) this.low = value
      if (value > this.high) this.high = value
      if (value > 0) this.bins[bits[i]! >>> 19]!++
    })
  }

  // top is a value that 99 of 100 do not exceed if all others are far above it, else the largest.
  top(): number {
    let above = Math.floor(this.count / 100)
    for (let i = this.bins.length - 1; i >= 0; i--) {
      above -= this.bins[i]!
      if (above >= 0) continue
      const edge = new Float32Array(new Uint32Array([(i + 1) << 19]).buffer)[0]!
      return edge > this.low && edge - this.low < (this.high - this.low) / 2 ? edge : this.high
    }
    return this.high
  }
}

const enough = 100 // values of which one in a hundred can be told

// RangeFinder knows the range of each quantity over the frames seen so far, here and by the server, so that colours do
// not jump from frame to frame. It ends where 99 of 100 values do, so that a few large ones do not take all colours.
export class RangeFinder {
  private readonly seen = new Map<string, Tally>()
  private readonly looked = new Set<string>()

  forget(): void {
    this.seen.clear()
    this.looked.clear()
  }

  // look takes a frame into account.
  look(quantity: Quantity, frame: Frame, values: (body: BodyFrame) => Float32Array | null): void {
    const key = `${quantity.field} ${frame.number}`
    if (this.looked.has(key)) return
    const lists = frame.bodies.map(values).filter((list) => list !== null)
    if (lists.length === 0) return
    this.looked.add(key)
    const tally = this.seen.get(quantity.field) ?? new Tally()
    this.seen.set(quantity.field, tally)
    for (const list of lists) tally.add(list, quantity.mode)
  }

  // range is that of the colours.
  range(quantity: Quantity): [number, number] {
    const tally = this.seen.get(quantity.field)
    const lows: number[] = []
    const highs: number[] = []
    if (quantity.range) {
      lows.push(quantity.range[0])
      highs.push(quantity.top)
    }
    if (tally && tally.count > 0) {
      lows.push(tally.low)
      if (!quantity.range || tally.count >= enough) highs.push(tally.top())
    }
    if (lows.length === 0) return [0, 1]
    if (quantity.mode === Mode.Gap || quantity.mode === Mode.Impulse) lows.push(0)
    const low = Math.min(...lows)
    const high = Math.max(...highs)
    return high > low ? [low, high] : [low, low + (Math.abs(low) || 1) * 1e-3]
  }

  // clips says whether there are values above the range.
  clips(quantity: Quantity): boolean {
    const most = Math.max(quantity.range?.[1] ?? -Infinity, this.seen.get(quantity.field)?.high ?? -Infinity)
    return most > this.range(quantity)[1] && quantity.mode !== Mode.State
  }
}
