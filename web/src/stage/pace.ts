// When to draw. With a graphics card: before the next refresh of the screen. Without one a picture takes longer than the
// screen waits, so the next one is begun when the last is finished, coarsely as long as things move, and finely once
// nothing has changed for a moment.

const rest = 180 // [ms]

export class Pace {
  private pending = 0
  private refining = 0
  private fence: WebGLSync | null = null
  private stale = false

  // draw draws, finely or not. finished is called when the picture is on the screen.
  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly software: boolean,
    private readonly draw: (fine: boolean) => void,
    private readonly finished: (fine: boolean) => void,
  ) {}

  // request has a picture drawn soon.
  request(): void {
    clearTimeout(this.refining)
    if (this.fence) this.stale = true
    else if (!this.pending) this.pending = requestAnimationFrame(() => this.run(!this.software))
  }

  // run draws at once.
  run(fine: boolean): void {
    cancelAnimationFrame(this.pending)
    clearTimeout(this.refining)
    this.pending = 0
    this.stale = false
    this.draw(fine)
    if (!this.software) {
      this.finished(fine)
      return
    }
    if (this.fence) this.gl.deleteSync(this.fence)
    this.fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
    this.gl.flush()
    this.wait(this.fence, fine)
  }

  private wait(fence: WebGLSync | null, fine: boolean): void {
    setTimeout(() => {
      if (this.fence !== fence) return
      if (fence && !this.gl.isContextLost() && this.gl.getSyncParameter(fence, this.gl.SYNC_STATUS) !== this.gl.SIGNALED) {
        this.wait(fence, fine)
        return
      }
      this.gl.deleteSync(fence)
      this.fence = null
      this.finished(fine)
      if (this.stale) this.request()
      else if (!fine) this.refining = window.setTimeout(() => this.run(true), rest)
    }, 5)
  }
}
