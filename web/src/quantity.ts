// The quantities that cloth can be coloured by, and the range of their colours.

import type { FieldInfo } from './api'
import type { BodyFrame, Frame } from './frame'
import { edgeSizes } from './stage/edges'
import { Mode } from './stage/surface'

export const sizeField = '_SIZE'
export const stateField = '_STATE'
export const gapField = '_GAP'
export const impulseField = '_IMPULSE'

export interface Quantity {
  field: string
  label: string
  unit: string
  mode: Mode
  computed: boolean // from the positions, because frames do not have it
  range: [number, number] | null // as the server knows it
}

const modes: Record<string, Mode> = { [stateField]: Mode.State, [gapField]: Mode.Gap, [impulseField]: Mode.Impulse }

// quantitiesOf lists what a run can be coloured by; the size of triangles always can.
export function quantitiesOf(fields: FieldInfo[]): Quantity[] {
  const list = fields.map((field): Quantity => ({
    field: field.name,
    label: capital(field.label || field.name.replace(/^_/, '').toLowerCase()),
    unit: field.unit,
    mode: modes[field.name] ?? Mode.Scalar,
    computed: false,
    range: field.range,
  }))
  if (!list.some((quantity) => quantity.field === sizeField)) {
    list.push({ field: sizeField, label: 'Size of triangles', unit: 'm', mode: Mode.Scalar, computed: true, range: null })
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

// valuesOf returns the quantity at the vertices of a cloth, or null where there is none.
export function valuesOf(quantity: Quantity, body: BodyFrame, triangles: Uint32Array | undefined): Float32Array | null {
  if (body.kind !== 'cloth') return null
  if (!quantity.computed) {
    const values = body.arrays.get(quantity.field)
    return values instanceof Float32Array ? values : null
  }
  const known = body.arrays.get(quantity.field)
  if (known instanceof Float32Array) return known
  const positions = body.arrays.get('position')
  if (!(positions instanceof Float32Array) || !triangles) return null
  const sizes = edgeSizes(positions, triangles)
  body.arrays.set(quantity.field, sizes)
  return sizes
}

// RangeFinder knows the range of each quantity over the frames seen so far, here and by the server, so that colours do
// not jump from frame to frame.
export class RangeFinder {
  private readonly seen = new Map<string, [number, number]>()
  private readonly looked = new Set<string>()

  forget(): void {
    this.seen.clear()
    this.looked.clear()
  }

  // look takes a frame into account, and says whether the range has grown.
  look(quantity: Quantity, frame: Frame, values: (body: BodyFrame) => Float32Array | null): boolean {
    const key = `${quantity.field} ${frame.number}`
    if (this.looked.has(key)) return false
    this.looked.add(key)
    let [low, high] = this.seen.get(quantity.field) ?? [Infinity, -Infinity]
    const before = high - low
    for (const body of frame.bodies) {
      for (const value of values(body) ?? []) {
        if (!hasValue(quantity.mode, value)) continue
        if (value < low) low = value
        if (value > high) high = value
      }
    }
    if (!(low <= high)) return false
    this.seen.set(quantity.field, [low, high])
    return high - low !== before
  }

  range(quantity: Quantity): [number, number] {
    const known = [quantity.range, this.seen.get(quantity.field)].filter((range) => range !== null && range !== undefined)
    if (known.length === 0) return [0, 1]
    const low = Math.min(...known.map((range) => range[0]))
    const high = Math.max(...known.map((range) => range[1]))
    return high > low ? [low, high] : [low, low + (Math.abs(low) || 1) * 1e-3]
  }
}
