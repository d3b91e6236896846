// The page as a whole: what the user has chosen, what the server says, and what is on the screen.

import { Failure, fetchFrameAt, fetchRun, fetchWorst, type RunInfo } from './api'
import { announce, el, make, setPressed } from './dom'
import { number, roundLength, withUnit } from './format'
import type { BodyFrame, Frame } from './frame'
import { FrameStore } from './framestore'
import { Playback } from './playback'
import { hasValue, quantitiesOf, RangeFinder, valuesOf, type Quantity } from './quantity'
import { FragmentWriter, keepTheme, loadTheme, parseFragment, writeFragment, type Settings, type Theme } from './settings'
import type { Impulses } from './stage/arrows'
import type { View } from './stage/camera'
import { Stage, type Pick } from './stage/stage'
import { Legend } from './ui/legend'
import { Notices } from './ui/notices'
import { Panel } from './ui/panel'
import { Plots } from './ui/plots'
import { Timeline } from './ui/timeline'

const pollLive = 1000 // how often a run under way is asked about [ms]
const pollIdle = 3000
const pollLost = 1500
const worstSteps = 10

export class App {
  readonly playback = new Playback()
  readonly stage: Stage | null
  settings: Settings = parseFragment(location.hash)

  private readonly store = new FrameStore()
  private readonly legend = new Legend()
  private readonly notices = new Notices()
  private readonly panel = new Panel()
  private readonly plots = new Plots()
  private readonly timeline = new Timeline(this.playback)
  private readonly ranges = new RangeFinder()
  private readonly address = new FragmentWriter(() => this.settings)
  private run: RunInfo | null = null
  private quantities: Quantity[] = []
  private shown: Frame | null = null
  private theme: Theme = loadTheme()
  private selected = ''
  private picked: Pick | null = null
  private following = this.settings.frame === null
  private placed = false // the playhead has its first place
  private ticking = false
  private polling = 0
  private statsSteps = -1

  constructor() {
    this.applyTheme()
    this.stage = this.openStage()
    this.connectParts()
    this.applySettings()
    this.notices.showEmpty('Opening the run…')
    void this.poll()
  }

  // --- what the user does

  setColor(field: string): void {
    this.settings.color = field
    this.settings.low = this.settings.high = null
    this.changed()
  }

  // nextColor goes through the quantities and plain cloth.
  nextColor(): void {
    const names = ['', ...this.quantities.map((quantity) => quantity.field)]
    const next = names[(names.indexOf(this.settings.color) + 1) % names.length]!
    this.setColor(next)
    announce(`Colour: ${this.quantity()?.label ?? 'plain'}`)
  }

  toggleEdges(): void {
    this.settings.edges = !this.settings.edges
    this.changed()
  }

  toggleArrows(): void {
    this.settings.arrows = !this.settings.arrows
    this.changed()
  }

  // nextCut goes from the whole to what is left without a half, from the front, the right and above.
  nextCut(): void {
    const order = ['', 'y', 'x', 'z'] as const
    this.settings.cut = order[(order.indexOf(this.settings.cut) + 1) % order.length]!
    this.settings.at = null
    this.changed()
    announce(this.settings.cut ? `Cut across ${this.settings.cut}` : 'Nothing is cut away')
  }

  // moveCut shifts the cut by a part of the size of the scene.
  moveCut(part: number): void {
    const at = this.stage?.cutBeside(part)
    if (at === undefined) return
    this.settings.at = at
    this.changed()
  }

  togglePanel(): void {
    this.settings.panel = !this.settings.panel
    this.changed()
  }

  toggleTheme(): void {
    this.theme = this.theme === 'dark' ? 'light' : 'dark'
    keepTheme(this.theme)
    this.applyTheme()
  }

  toggleLoop(): void {
    this.timeline.toggleLoop()
  }

  toggleFollow(on = !this.following): void {
    this.following = on
    if (on) this.goLast()
    this.showLive()
  }

  setHidden(name: string, hidden: boolean): void {
    this.settings.hidden = this.settings.hidden.filter((other) => other !== name)
    if (hidden) this.settings.hidden.push(name)
    this.changed()
  }

  // toggleSelectedBody hides or shows the body selected.
  toggleSelectedBody(): void {
    if (this.selected) this.setHidden(this.selected, !this.settings.hidden.includes(this.selected))
  }

  select(name: string): void {
    this.selected = name === this.selected ? '' : name
    this.picked = null
    this.showSelection()
  }

  deselect(): void {
    this.selected = ''
    this.picked = null
    this.showSelection()
  }

  view(view: View): void {
    this.stage?.view(view)
  }

  fit(): void {
    this.stage?.fit()
  }

  // --- wiring

  private openStage(): Stage | null {
    const canvas = el<HTMLCanvasElement>('canvas')
    try {
      const stage = new Stage(canvas, this.theme)
      const viewport = el('viewport')
      new ResizeObserver(() => stage.resize(viewport.clientWidth, viewport.clientHeight)).observe(viewport)
      canvas.addEventListener('webglcontextlost', () => this.notices.showEmpty('The graphics card was taken away.', 'The picture comes back as soon as it does.'))
      canvas.addEventListener('webglcontextrestored', () => this.notices.showEmpty(''))
      return stage
    } catch {
      canvas.hidden = true
      return null
    }
  }

  private connectParts(): void {
    const { playback, store, stage } = this
    store.onFrame = (frame) => this.show(frame)
    store.onError = (error) => this.frameFailed(error)
    playback.onSeek = (frame) => this.seek(frame)
    playback.onChange = () => this.playbackChanged()
    this.notices.onRetry = () => void this.poll()
    this.legend.onRange = (low, high) => {
      this.settings.low = low
      this.settings.high = high
      this.changed()
    }
    this.timeline.onFollow = (on) => this.toggleFollow(on)
    this.plots.onChoice = (ids) => {
      this.settings.plots = ids
      this.changed()
    }
    this.plots.onStep = (step) => void this.jumpToStep(step)
    this.plots.onError = (error) => this.failed(error)
    this.plots.onColumns = (has) => (el('worst-details').hidden = !has('residual'))
    this.panel.onHide = (name, hidden) => this.setHidden(name, hidden)
    this.panel.onSelect = (name) => this.select(name)
    this.panel.onFrame = (frame) => this.jump(frame)
    this.panel.onWorstOpened = () => void this.loadWorst()
    if (stage) stage.onPick = (pick) => this.pick(pick)
    el<HTMLSelectElement>('color').addEventListener('change', (event) => this.setColor((event.target as HTMLSelectElement).value))
    window.addEventListener('hashchange', () => {
      if (location.hash === writeFragment(this.settings)) return
      this.settings = parseFragment(location.hash)
      this.applySettings()
      if (this.settings.frame !== null && this.run) this.jump(this.settings.frame)
    })
  }

  // changed applies the settings and puts them into the address.
  private changed(): void {
    this.applySettings()
    this.address.schedule()
  }

  private applySettings(): void {
    const { settings, stage } = this
    setPressed(el('edges'), settings.edges)
    setPressed(el('arrows'), settings.arrows)
    setPressed(el('cut'), settings.cut !== '')
    setPressed(el('panel-toggle'), settings.panel)
    document.querySelector('main')!.classList.toggle('wide', !settings.panel)
    this.panel.showHidden(settings.hidden)
    this.plots.choose(settings.plots)
    stage?.setEdges(settings.edges)
    stage?.setArrows(settings.arrows)
    stage?.setCut(settings.cut, settings.at)
    stage?.setHidden(settings.hidden)
    this.applyColor()
    this.askFields()
  }

  private applyTheme(): void {
    document.documentElement.dataset.theme = this.theme
    const button = el('theme')
    button.textContent = this.theme === 'dark' ? 'Light' : 'Dark'
    button.setAttribute('aria-label', this.theme === 'dark' ? 'Change to light colours' : 'Change to dark colours')
    this.stage?.setTheme(this.theme)
    this.plots.redraw()
  }

  // --- colours

  private quantity(): Quantity | null {
    return this.quantities.find((quantity) => quantity.field === this.settings.color) ?? null
  }

  private values(quantity: Quantity): (body: BodyFrame) => Float32Array | null {
    return (body) => valuesOf(quantity, body, this.store.triangles(body.topology))
  }

  private applyColor(): void {
    const quantity = this.quantity()
    el<HTMLSelectElement>('color').value = quantity?.field ?? ''
    if (!quantity) {
      this.legend.show(null, 0, 1, true, false)
      this.stage?.setColoring(null)
      return
    }
    if (this.shown) this.ranges.look(quantity, this.shown, this.values(quantity))
    const [fitLow, fitHigh] = this.ranges.range(quantity)
    const low = this.settings.low ?? fitLow
    const high = this.settings.high ?? fitHigh
    this.legend.show(quantity, low, high, this.settings.low === null && this.settings.high === null, this.settings.high === null && this.ranges.clips(quantity))
    this.stage?.setColoring({ mode: quantity.mode, low, high, values: this.values(quantity) })
  }

  // askFields tells the store what the picture needs, and shows the frame again once it has it.
  private askFields(): void {
    const quantity = this.quantity()
    const fields = ['position', 'normal']
    if (quantity && !quantity.computed) fields.push(quantity.field)
    if (this.settings.arrows) fields.push('contacts')
    this.store.setFields(fields)
    if (this.placed) this.store.show(this.playback.frame)
  }

  private listQuantities(run: RunInfo): void {
    const triangles = (run.bodies ?? []).some((body) => body.kind !== 'yarn' && body.kind !== 'obstacle')
    this.quantities = quantitiesOf(run.fields ?? [], triangles)
    const select = el<HTMLSelectElement>('color')
    const names = ['', ...this.quantities.map((quantity) => quantity.field)]
    if ([...select.options].map((option) => option.value).join() === names.join()) return
    select.replaceChildren(
      make('option', { value: '', textContent: 'Plain' }),
      ...this.quantities.map((quantity) => make('option', { value: quantity.field, textContent: quantity.label })),
    )
    this.askFields()
  }

  // --- the run

  private async poll(): Promise<void> {
    clearTimeout(this.polling)
    let pause = pollLost
    try {
      const run = await fetchRun()
      this.notices.connected()
      this.takeRun(run)
      pause = run.state === 'running' || run.state === 'stopped' || run.frameCount === 0 ? pollLive : pollIdle
    } catch (error) {
      this.failed(error)
    }
    clearTimeout(this.polling)
    this.polling = window.setTimeout(() => void this.poll(), pause)
  }

  private takeRun(run: RunInfo): void {
    if (this.store.reset(run.id) && this.run?.id) this.startOver()
    this.run = run
    this.notices.showState(run)
    this.panel.showRun(run)
    this.panel.showHidden(this.settings.hidden)
    this.panel.showSelected(this.selected)
    this.listQuantities(run)
    if (run.bounds) this.stage?.setSpace(run.bounds)
    this.playback.setRange(run.firstFrame, run.lastFrame, run.frameCount, run.fps)
    this.plots.setSpan({ from: run.firstFrame * this.interval(), to: this.playback.last * this.interval() })
    this.showLive()
    if (run.frameCount === 0) {
      this.notices.showEmpty(
        run.state === 'running' ? 'Waiting for the first frame…' : 'There is no frame yet.',
        run.message || 'The picture appears as soon as the run has written one.',
      )
    } else {
      this.place()
      this.store.retry()
    }
    this.timeline.update()
    if (run.steps !== this.statsSteps && run.steps > 0) {
      this.statsSteps = run.steps
      void this.plots.load(run.tolerance)
      if (this.panel.worstOpen) void this.loadWorst()
    }
  }

  // place puts the playhead where it belongs: as linked to, or at the newest frame.
  private place(): void {
    if (!this.placed) {
      this.placed = true
      if (!this.stage) {
        this.notices.showEmpty('This browser shows no 3D pictures.', 'WebGL is missing or switched off; the statistics work all the same. Switch on hardware acceleration in the settings of the browser, or use another one.')
      }
      this.playback.seek(this.settings.frame ?? this.playback.last)
    } else if (this.following && this.run?.state === 'running' && !this.playback.playing && this.playback.frame !== this.playback.last) {
      this.goLast()
    } else if (this.playback.frame > this.playback.last) {
      this.playback.seek(this.playback.last)
    }
  }

  private startOver(): void {
    this.playback.pause()
    this.placed = false
    this.shown = null
    this.settings.frame = null
    this.ranges.forget()
    this.plots.forget()
    this.statsSteps = -1
    this.stage?.forget()
    announce('The folder holds another run now.')
  }

  private interval(): number {
    const run = this.run!
    return run.frameInterval > 0 ? run.frameInterval : 1 / (run.fps || 30)
  }

  private showLive(): void {
    this.timeline.showLive(this.run?.state === 'running', this.following)
  }

  private goLast(): void {
    this.playback.pause()
    const before = this.following
    this.playback.seek(this.playback.last)
    this.following = before
  }

  private async loadWorst(): Promise<void> {
    try {
      this.panel.showWorst(await fetchWorst('residual', worstSteps))
    } catch (error) {
      this.failed(error)
    }
  }

  // --- frames

  private seek(frame: number): void {
    if (this.run?.state === 'running' && frame !== this.playback.last) {
      this.following = false
      this.showLive()
    }
    this.settings.frame = this.following && this.run?.state === 'running' ? null : frame
    this.address.schedule()
    const { direction, first, last, loop, playing } = this.playback
    this.store.setNeighbourhood({ direction, ahead: playing ? 8 : 2, first, last, loop: playing && loop })
    this.store.show(frame)
  }

  private jump(frame: number): void {
    this.playback.pause()
    this.playback.seek(frame)
    announce(`Frame ${this.playback.frame}`)
  }

  private async jumpToStep(step: number): Promise<void> {
    try {
      this.jump(await fetchFrameAt(step))
    } catch (error) {
      this.failed(error)
    }
  }

  private playbackChanged(): void {
    this.timeline.update()
    if (this.run) this.plots.setCursor(this.playback.frame * this.interval())
    if (this.playback.playing && !this.ticking) {
      this.ticking = true
      const tick = (now: number): void => {
        const waiting = this.shown?.number !== this.playback.frame
        this.ticking = this.playback.tick(now, waiting)
        if (this.ticking) requestAnimationFrame(tick)
      }
      requestAnimationFrame(tick)
    }
  }

  private show(frame: Frame): void {
    const first = this.shown === null
    this.shown = frame
    this.stage?.setFrame(frame, (topology) => this.store.triangles(topology), this.impulsesOf(frame))
    this.applyColor()
    if (first) {
      if (this.stage) this.notices.showEmpty('')
      performance.mark('first-picture')
    }
    this.notices.fail('')
    this.timeline.showPlace(frame.number, this.playback.last, frame.time, frame.step)
    this.panel.showFrame(frame)
    this.showNotes()
    if (this.picked) this.showSelection()
    document.documentElement.dataset.shown = String(frame.number)
  }

  private impulsesOf(frame: Frame): Impulses[] {
    if (!this.settings.arrows) return []
    return frame.bodies.flatMap((body) => {
      const points = body.arrays.get('contactPosition')
      const vectors = body.arrays.get('contactImpulse')
      const visible = !this.settings.hidden.includes(body.name)
      return visible && points instanceof Float32Array && vectors instanceof Float32Array ? [{ points, vectors }] : []
    })
  }

  private showNotes(): void {
    if (!this.stage) return
    el('corner-note').textContent = `Grid ${roundLength(this.stage.gridCell)}`
    const note = el('arrow-note')
    note.hidden = !this.settings.arrows
    const strongest = this.stage.strongestImpulse
    note.textContent = strongest > 0
      ? `Impulses of contacts, ${this.shown?.bodies.some((body) => body.alongNormals) ? 'along the normal' : 'with friction'}; the longest has ${number(strongest)} N s`
      : 'No contact in the frames seen so far'
  }

  // --- selection

  private pick(pick: Pick | null): void {
    this.selected = pick?.body ?? ''
    this.picked = pick
    this.showSelection()
  }

  private showSelection(): void {
    this.stage?.select(this.selected)
    this.panel.showSelected(this.selected)
    this.panel.showProbe(this.probeText())
  }

  // probeText tells what was clicked on, and its value in the frame shown.
  private probeText(): string {
    if (!this.picked) return this.selected ? `${this.selected} is selected.` : ''
    const { body, vertex } = this.picked
    const quantity = this.quantity()
    const values = quantity && this.shown?.bodies.filter((other) => other.name === body).map(this.values(quantity))[0]
    const value = values?.[vertex]
    const has = quantity && value !== undefined && hasValue(quantity.mode, value)
    return `${body}, vertex ${vertex}${has ? `: ${quantity.label.toLowerCase()} ${withUnit(value, quantity.unit)}` : ''}`
  }

  // --- trouble

  private frameFailed(error: unknown): void {
    this.playback.pause()
    this.failed(error)
  }

  // failed tells apart a server that is gone from one that says no.
  private failed(error: unknown): void {
    if (error instanceof Failure) this.notices.fail(error.message)
    else if (error instanceof TypeError) this.notices.disconnected()
    else this.notices.fail(error instanceof Error ? error.message : String(error))
  }
}
