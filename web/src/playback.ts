// The playhead: which frame is wanted, and how it moves by itself.

export const speeds = [0.1, 0.25, 0.5, 1, 2, 4] as const

export class Playback {
  onSeek: (frame: number) => void = () => {}
  onChange: () => void = () => {}

  frame = 0
  first = 0
  last = 0
  count = 0 // frames there are
  fps = 30
  playing = false
  loop = true
  speed = 1
  direction: 1 | -1 = 1

  private clock = 0 // position between frames while playing
  private before = 0

  setRange(first: number, last: number, count: number, fps: number): void {
    this.first = first
    this.last = Math.max(first, last)
    this.count = count
    this.fps = fps
  }

  // seek goes to a frame, or the nearest there is.
  seek(frame: number): void {
    const target = Math.min(Math.max(Math.round(frame), this.first), this.last)
    if (target !== this.frame) this.direction = target > this.frame ? 1 : -1
    this.frame = target
    this.clock = target
    this.onSeek(target)
    this.onChange()
  }

  // step stops and moves by n frames.
  step(n: number): void {
    this.pause()
    this.seek(this.frame + n)
  }

  toggle(): void {
    if (this.playing) this.pause()
    else this.play()
  }

  play(): void {
    if (this.count < 2 || this.playing) return
    if (this.frame >= this.last) this.seek(this.first)
    this.playing = true
    this.direction = 1
    this.clock = this.frame
    this.before = performance.now()
    this.onChange()
  }

  pause(): void {
    if (!this.playing) return
    this.playing = false
    this.onChange()
  }

  setSpeed(speed: number): void {
    this.speed = speed
    this.onChange()
  }

  faster(): void {
    this.setSpeed(speeds.find((s) => s > this.speed) ?? this.speed)
  }

  slower(): void {
    this.setSpeed(speeds.findLast((s) => s < this.speed) ?? this.speed)
  }

  // tick moves the playhead to where it is at a moment of performance.now(), and says whether it plays on. waiting
  // tells that the frame asked for is not here yet: the playhead then stays, and no frame is skipped.
  tick(now: number, waiting: boolean): boolean {
    if (!this.playing) return false
    // The time of a refresh of the screen may lie before the moment at which play was asked for.
    const passed = Math.min(Math.max((now - this.before) / 1000, 0), 0.25)
    this.before = Math.max(now, this.before)
    if (waiting) return true
    this.clock += passed * this.fps * this.speed
    let target = Math.floor(this.clock)
    if (target > this.last) {
      if (!this.loop) {
        this.seek(this.last)
        this.pause()
        return false
      }
      target = this.first
      this.clock = target
    }
    if (target !== this.frame) {
      this.frame = target
      this.direction = 1
      this.onSeek(target)
      this.onChange()
    }
    return true
  }
}
