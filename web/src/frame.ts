// One frame as the server sends it: a header, JSON that says where the arrays are, then the arrays. Little endian.
// The arrays are views of the answer: nothing is copied.

import type { BodyKind } from './api'

export type FieldArray = Float32Array | Uint32Array

export interface BodyFrame {
  name: string
  kind: BodyKind
  topology: string // names the triangles, or the segments of yarns; equal names, equal triangles
  geometry: string // names the positions and normals of obstacles and rigid bodies; empty for others
  shape: string // of an obstacle, such as "plane"; empty for others
  radius: number // of yarns [m]; 0 for others
  alongNormals: boolean // of impulses whose direction the frame does not have
  arrays: Map<string, FieldArray>
}

export interface Frame {
  number: number
  time: number
  step: number
  hash: string
  bodies: BodyFrame[]
  bytes: number
}

interface ArrayHeader {
  offset: number
  count: number
  components: number
  type: 'f32' | 'u32'
}

interface FrameHeader {
  frame: number
  time: number
  step: number
  hash: string
  bodies: {
    name: string
    kind: BodyKind
    topology?: string
    geometry?: string
    shape?: string
    radius?: number
    contactDirection?: string
    arrays?: Record<string, ArrayHeader>
  }[]
}

const magic = 0x4c494f54 // "TOIL"
const version = 1

// decodeFrame reads an answer of api/frames, or throws an Error that says what is wrong with it.
export function decodeFrame(data: ArrayBuffer): Frame {
  if (data.byteLength < 16) throw new Error('The frame ends before its header does.')
  const head = new DataView(data)
  if (head.getUint32(0, true) !== magic) throw new Error('What the server sent is not a frame.')
  if (head.getUint32(4, true) !== version) throw new Error('The server is of another version than this page: reload the page.')
  const length = head.getUint32(8, true)
  if (16 + length > data.byteLength) throw new Error('The frame ends before its description does.')
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 16, length))) as FrameHeader
  return {
    number: header.frame,
    time: header.time,
    step: header.step,
    hash: header.hash,
    bytes: data.byteLength,
    bodies: header.bodies.map((body) => ({
      name: body.name,
      kind: body.kind,
      topology: body.topology ?? '',
      geometry: body.geometry ?? '',
      shape: body.shape ?? '',
      radius: body.radius ?? 0,
      alongNormals: body.contactDirection === 'normal',
      arrays: new Map(Object.entries(body.arrays ?? {}).map(([name, array]) => [name, view(data, name, array)])),
    })),
  }
}

function view(data: ArrayBuffer, name: string, array: ArrayHeader): FieldArray {
  const length = array.count * array.components
  if (array.offset % 4 !== 0 || array.offset + 4 * length > data.byteLength) {
    throw new Error(`The frame ends before its ${name} does.`)
  }
  return array.type === 'u32' ? new Uint32Array(data, array.offset, length) : new Float32Array(data, array.offset, length)
}

// merge adds the arrays of extra, another answer about the same frame, to frame.
export function merge(frame: Frame, extra: Frame): void {
  extra.bodies.forEach((body, i) => {
    const own = frame.bodies[i]
    if (own?.name !== body.name) return
    for (const [name, array] of body.arrays) own.arrays.set(name, array)
    own.alongNormals ||= body.alongNormals
  })
  frame.bytes += extra.bytes
}
