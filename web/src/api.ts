// What the server says, and how to ask it. See docs/viewer.md; all lengths in metres, times in seconds, Z up.

export type RunState = 'running' | 'finished' | 'stopped' | 'failed'

export type BodyKind = 'cloth' | 'yarn' | 'solid' | 'rigid' | 'obstacle'

export interface BodyInfo {
  name: string
  kind: BodyKind
  vertices: number
  triangles: number
  segments?: number // of yarns
}

export interface FieldInfo {
  name: string // as in the frames: _STRETCH, _STATE, ...
  label: string
  unit: string
  range: [number, number] | null
  top?: number // where colours end: 99 of 100 values are not above it
}

export interface RunInfo {
  id: string
  name: string
  folder: string
  state: RunState
  message: string
  version: string
  build?: Record<string, unknown>
  fps: number
  step: number
  end: number
  scene: string
  firstFrame: number
  lastFrame: number // -1 without one
  frameCount: number
  frameTotal: number // when it is finished
  missing: number // frames between the first and the last that are not there
  frameInterval: number
  steps: number
  hash: string
  tolerance: number
  ahead: { mean: number; worst: number } | null
  loss: { rate: number; energy: number; damped: number; kinetic: number } | null
  bodies: BodyInfo[] | null
  bounds: { min: [number, number, number]; max: [number, number, number] } | null
  fields: FieldInfo[] | null
}

// A series of statistics, decimated: the smallest and the largest value of each bucket; null where there is none.
export interface Series {
  min: (number | null)[]
  max: (number | null)[]
}

export interface Stats {
  rows: number
  columns: Record<string, { unit: string }>
  step: number[]
  time: number[]
  series: Record<string, Series>
}

export interface ColumnInfo {
  name: string
  label: string
  unit: string
  clock: boolean
}

export interface WorstStep {
  step: number
  time: number
  value: number
  frame: number
}

// Failure is an answer of the server that is not a success, in its own words.
export class Failure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

async function get(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, { signal: signal ?? null, credentials: 'omit' })
  if (response.ok) return response
  let message = `The server answered ${response.status} ${response.statusText}.`
  try {
    const body = (await response.json()) as { error?: string }
    if (body.error) message = body.error
  } catch {
    // Not JSON: the status has to do.
  }
  throw new Failure(response.status, message)
}

export async function fetchRun(signal?: AbortSignal): Promise<RunInfo> {
  return (await (await get('api/run', signal)).json()) as RunInfo
}

// fetchFrame asks for fields of a frame; what has a name in have is left out of the answer.
export async function fetchFrame(run: string, frame: number, fields: string[], have: string[], signal: AbortSignal): Promise<ArrayBuffer> {
  const known = have.length ? `&have=${have.map(encodeURIComponent).join(',')}` : ''
  const query = `fields=${fields.map(encodeURIComponent).join(',')}${known}&run=${encodeURIComponent(run)}`
  return (await get(`api/frames/${frame}?${query}`, signal)).arrayBuffer()
}

export async function fetchColumns(): Promise<ColumnInfo[]> {
  return ((await (await get('api/stats/columns')).json()) as { columns: ColumnInfo[] }).columns
}

export async function fetchStats(columns: string[], max: number, signal?: AbortSignal): Promise<Stats> {
  const query = `columns=${columns.map(encodeURIComponent).join(',')}&max=${max}`
  return (await (await get(`api/stats?${query}`, signal)).json()) as Stats
}

export async function fetchFrameAt(step: number): Promise<number> {
  return ((await (await get(`api/frames/at?step=${step}`)).json()) as { frame: number }).frame
}

export async function fetchWorst(column: string, count: number): Promise<WorstStep[]> {
  const query = `column=${encodeURIComponent(column)}&count=${count}`
  return (await (await get(`api/worst?${query}`)).json()) as WorstStep[]
}
