// Frames near the playhead, and how they get here.
//
// At most one frame that the user waits for is under way. A newer wish waits for it for a moment, so that scrubbing
// shows what lies on the way, and aborts it after that; wishes in between are dropped. Only when nobody waits are the
// frames ahead fetched, in the direction of play; they are aborted as soon as somebody waits for another one.
// Triangles are asked for once for each topology, and obstacles that do not move once.

import { fetchFrame } from './api'
import { decodeFrame, merge, type FieldArray, type Frame } from './frame'

const patience = 120 // time that a frame under way is granted once another is wanted [ms]
const aheadAtOnce = 2
const geometriesKept = 16
const fewestKept = 12

interface Flight {
  frame: number
  abort: AbortController
  since: number
}

export interface Neighbourhood {
  direction: 1 | -1
  ahead: number // frames to fetch in the direction of play
  first: number
  last: number
  loop: boolean
}

export class FrameStore {
  onFrame: (frame: Frame) => void = () => {}
  onError: (error: unknown, frame: number) => void = () => {}

  private run = ''
  private here = 0 // the frame shown last
  private fields: string[] = []
  private readonly frames = new Map<number, Frame>() // in the order of use
  private bytes = 0
  private readonly topologies = new Map<string, Uint32Array>()
  private readonly geometries = new Map<string, Map<string, FieldArray>>() // of obstacles, in the order of use
  private wanted: number | null = null
  private waiting: Flight | null = null
  private readonly ahead = new Map<number, Flight>()
  private near: Neighbourhood = { direction: 1, ahead: 2, first: 0, last: 0, loop: false }

  // budget is how many bytes of frames are kept, if that is enough for those being played.
  constructor(private readonly budget = 64 * 2 ** 20) {}

  // reset forgets everything if the run is another one, and says whether it was.
  reset(run: string): boolean {
    if (run === this.run) return false
    this.abortAll()
    this.frames.clear()
    this.bytes = 0
    this.run = run
    return true
  }

  // setFields says which quantities the frames shown from now on need.
  setFields(fields: string[]): void {
    this.fields = fields
    this.abortAhead()
  }

  setNeighbourhood(near: Neighbourhood): void {
    this.near = near
  }

  // triangles returns the indices of a topology that some frame shown had: of triangles, or pairs of yarns.
  triangles(topology: string): Uint32Array | undefined {
    return this.topologies.get(topology)
  }

  get cached(): { frames: number; bytes: number } {
    return { frames: this.frames.size, bytes: this.bytes }
  }

  // ready says whether a frame could be shown at once.
  ready(frame: number): boolean {
    const have = this.frames.get(frame)
    return have !== undefined && this.missing(have).length === 0
  }

  // show hands the frame to onFrame, at once if it is here, else as soon as it is and if it is still wanted.
  show(frame: number): void {
    const have = this.frames.get(frame)
    if (have && this.missing(have).length === 0) {
      this.wanted = null
      this.touch(frame, have)
      this.here = frame
      this.onFrame(have)
      this.fetchAhead()
      return
    }
    this.wanted = frame
    this.fly()
  }

  // retry asks again for what failed.
  retry(): void {
    this.fly()
  }

  private fly(): void {
    if (this.wanted === null || this.waiting?.frame === this.wanted) return
    if (this.waiting) {
      const flight = this.waiting
      const left = patience - (performance.now() - flight.since)
      if (left > 0) {
        setTimeout(() => {
          if (this.waiting === flight) this.fly()
        }, left)
        return
      }
      flight.abort.abort()
      this.waiting = null
    }
    const frame = this.wanted
    const coming = this.ahead.get(frame)
    this.abortAhead(coming)
    if (coming) {
      this.waiting = coming
      return
    }
    void this.fetch(frame, false)
  }

  private async fetch(frame: number, ahead: boolean): Promise<void> {
    const flight: Flight = { frame, abort: new AbortController(), since: performance.now() }
    if (ahead) this.ahead.set(frame, flight)
    else this.waiting = flight
    try {
      const have = await this.load(frame, flight.abort.signal)
      this.land(flight)
      this.arrived(have, ahead && this.wanted !== frame)
    } catch (error) {
      const mine = this.land(flight)
      if (flight.abort.signal.aborted) return
      if (mine || this.wanted === frame) this.onError(error, frame)
    }
  }

  // land takes a flight off the lists and says whether somebody waited for it.
  private land(flight: Flight): boolean {
    if (this.ahead.get(flight.frame) === flight) this.ahead.delete(flight.frame)
    if (this.waiting !== flight) return false
    this.waiting = null
    return true
  }

  private arrived(frame: Frame, silent: boolean): void {
    if (silent) {
      if (this.wanted === null) this.fetchAhead()
      return
    }
    if (this.wanted === frame.number) this.wanted = null
    this.here = frame.number
    this.onFrame(frame)
    if (this.wanted === null) this.fetchAhead()
    else this.fly()
  }

  private async load(number: number, signal: AbortSignal): Promise<Frame> {
    let frame = this.frames.get(number)
    let missing = frame ? this.missing(frame) : this.firstFields()
    for (let round = 0; missing.length > 0; round++) {
      if (round === 3) throw new Error(`Frame ${number} came without ${missing.join(', ')}.`)
      const answer = decodeFrame(await fetchFrame(this.run, number, missing, [...this.geometries.keys()], signal))
      this.keepTopologies(answer)
      this.keepGeometries(answer)
      // Another request may have brought the frame meanwhile.
      frame = this.frames.get(number) ?? frame
      if (frame && frame.hash === answer.hash) {
        this.bytes += answer.bytes
        merge(frame, answer)
      } else {
        this.drop(number)
        frame = answer
        this.bytes += answer.bytes
        asked.set(frame, new Set())
      }
      const known = asked.get(frame)!
      for (const field of missing) known.add(field)
      this.touch(number, frame)
      missing = this.missing(frame)
    }
    this.trim(number)
    return frame!
  }

  private firstFields(): string[] {
    return this.topologies.size === 0 ? ['topology', ...this.fields] : this.fields
  }

  // missing lists what was never asked for; a body may lack a quantity, and asking again would not help.
  private missing(frame: Frame): string[] {
    const known = asked.get(frame)!
    const missing = this.fields.filter((field) => !known.has(field))
    if (!known.has('topology') && frame.bodies.some((body) => body.topology && !this.topologies.has(body.topology))) {
      missing.unshift('topology')
    }
    return missing
  }

  private keepTopologies(frame: Frame): void {
    for (const body of frame.bodies) {
      const indices = body.arrays.get('topology')
      if (indices && body.topology && !this.topologies.has(body.topology)) {
        // A copy, so that the frame around it can be forgotten.
        this.topologies.set(body.topology, new Uint32Array(indices))
      }
      body.arrays.delete('topology')
    }
  }

  // keepGeometries remembers where obstacles are, and fills in what the answer left out because it is known.
  private keepGeometries(frame: Frame): void {
    for (const body of frame.bodies) {
      if (!body.geometry) continue
      const known = this.geometries.get(body.geometry) ?? new Map<string, FieldArray>()
      for (const name of ['position', 'normal']) {
        const array = body.arrays.get(name)
        const copy = known.get(name) ?? array?.slice()
        if (!copy) continue
        known.set(name, copy)
        body.arrays.set(name, copy)
      }
      this.geometries.delete(body.geometry)
      if (known.size > 0) this.geometries.set(body.geometry, known)
    }
    for (const name of this.geometries.keys()) {
      if (this.geometries.size <= geometriesKept) break
      this.geometries.delete(name)
    }
  }

  private touch(number: number, frame: Frame): void {
    this.frames.delete(number)
    this.frames.set(number, frame)
  }

  private drop(number: number): void {
    const frame = this.frames.get(number)
    if (!frame) return
    this.bytes -= frame.bytes
    this.frames.delete(number)
  }

  private trim(keep: number): void {
    const before = this.frames.size
    for (const number of this.frames.keys()) {
      if (this.bytes <= this.budget || this.frames.size <= fewestKept) break
      if (number !== keep && number !== this.here) this.drop(number)
    }
    if (this.frames.size < before) this.trimTopologies()
  }

  // trimTopologies forgets triangles that no frame has any more: those of a remeshed cloth are new in nearly every frame.
  private trimTopologies(): void {
    const used = new Set<string>()
    for (const frame of this.frames.values()) for (const body of frame.bodies) used.add(body.topology)
    for (const topology of this.topologies.keys()) if (!used.has(topology)) this.topologies.delete(topology)
  }

  private fetchAhead(): void {
    const { direction, ahead, first, last, loop } = this.near
    for (let i = 1; i <= ahead && this.ahead.size < aheadAtOnce; i++) {
      let frame = this.here + direction * i
      if (frame < first || frame > last) {
        if (!loop) return
        frame = direction > 0 ? first + (frame - last - 1) : last - (first - frame - 1)
        if (frame < first || frame > last) return
      }
      if (!this.ready(frame) && !this.ahead.has(frame)) void this.fetch(frame, true)
    }
  }

  private abortAhead(but?: Flight): void {
    for (const [frame, flight] of this.ahead) {
      if (flight === but || flight === this.waiting) continue
      this.ahead.delete(frame)
      flight.abort.abort()
    }
  }

  private abortAll(): void {
    this.abortAhead()
    this.waiting?.abort.abort()
    this.waiting = null
    this.wanted = null
  }
}

// asked holds for each frame which quantities it was asked for.
const asked = new WeakMap<Frame, Set<string>>()
