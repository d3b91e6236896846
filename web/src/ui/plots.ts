// The plots under the timeline: which are shown, and their numbers.

import { fetchColumns, fetchStats, type Stats } from '../api'
import { el, make } from '../dom'
import { bareName, plotKinds } from './plotkinds'
import { Plot, type Span } from './plot'

const buckets = 1000

export class Plots {
  onStep: (step: number) => void = () => {}
  onChoice: (ids: string[]) => void = () => {}
  onError: (error: unknown) => void = () => {}
  onColumns: (has: (column: string) => boolean) => void = () => {}

  private readonly plots = new Map<string, Plot>()
  private readonly boxes = new Map<string, HTMLInputElement>()
  private readonly labels = new Map<string, HTMLLabelElement>()
  private stats: Stats | null = null
  private tolerance = 0
  private columns: Map<string, string> | null = null // full names by bare names
  private loading = false
  private again = false
  private span: Span = { from: 0, to: 1 }
  private cursor = 0

  constructor() {
    for (const kind of plotKinds) {
      const box = make('input', { type: 'checkbox', id: `plot-${kind.id}` })
      box.addEventListener('change', () => this.onChoice(plotKinds.filter(({ id }) => this.boxes.get(id)!.checked).map(({ id }) => id)))
      this.boxes.set(kind.id, box)
      const label = make('label', { htmlFor: box.id }, box, kind.label)
      this.labels.set(kind.id, label)
      el('plot-choice').append(label)
    }
    new ResizeObserver(() => this.redraw()).observe(el('plots'))
  }

  // choose shows the plots with these ids and no others.
  choose(ids: string[]): void {
    for (const kind of plotKinds) {
      const wanted = ids.includes(kind.id)
      this.boxes.get(kind.id)!.checked = wanted
      const plot = this.plots.get(kind.id)
      if (!wanted && plot) {
        plot.root.remove()
        this.plots.delete(kind.id)
      } else if (wanted && !plot) {
        const fresh = new Plot(kind)
        fresh.onStep = (step) => this.onStep(step)
        this.plots.set(kind.id, fresh)
      }
    }
    el('plots').replaceChildren(...plotKinds.flatMap(({ id }) => this.plots.get(id)?.root ?? []))
    for (const plot of this.plots.values()) {
      plot.setSpan(this.span)
      plot.setCursor(this.cursor)
      plot.setStats(this.stats, this.tolerance)
    }
    if (!this.columns) return
    this.offer()
    void this.load(this.tolerance)
  }

  // load fetches the statistics shown; a request made meanwhile is done after it.
  async load(tolerance: number): Promise<void> {
    this.tolerance = tolerance
    if (this.loading) {
      this.again = true
      return
    }
    this.loading = true
    try {
      if (!this.columns) {
        this.columns = new Map((await fetchColumns()).map((column) => [bareName(column.name), column.name]))
        this.offer()
      }
      await this.refresh(this.columns)
    } catch (error) {
      this.columns = null
      this.onError(error)
    } finally {
      this.loading = false
    }
    if (!this.again) return
    this.again = false
    await this.load(this.tolerance)
  }

  // offer leaves out the plots that the run has no numbers for.
  private offer(): void {
    const has = (column: string): boolean => this.columns?.has(column) ?? false
    for (const kind of plotKinds) {
      const there = kind.curves.some(({ column }) => has(column))
      this.labels.get(kind.id)!.hidden = !there
      const plot = this.plots.get(kind.id)
      if (plot) plot.root.hidden = !there
    }
    this.onColumns(has)
  }

  forget(): void {
    this.stats = null
    this.columns = null
  }

  setSpan(span: Span): void {
    this.span = span
    for (const plot of this.plots.values()) plot.setSpan(span)
  }

  setCursor(time: number): void {
    this.cursor = time
    for (const plot of this.plots.values()) plot.setCursor(time)
  }

  redraw(): void {
    for (const plot of this.plots.values()) plot.draw()
  }

  private async refresh(known: Map<string, string>): Promise<void> {
    const wanted = [...this.plots.values()].flatMap((plot) => plot.kind.curves.map((curve) => curve.column))
    const columns = wanted.flatMap((column) => known.get(column) ?? [])
    if (columns.length === 0) return
    const stats = await fetchStats(columns, buckets)
    stats.series = Object.fromEntries(Object.entries(stats.series).map(([name, series]) => [bareName(name), series]))
    this.stats = stats
    for (const plot of this.plots.values()) plot.setStats(stats, this.tolerance)
  }
}
