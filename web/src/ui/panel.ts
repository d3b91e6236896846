// The side panel: bodies, facts of the run, its worst steps, the text of its scene.

import type { BodyInfo, RunInfo, WorstStep } from '../api'
import { copyButton, el, make, setPressed } from '../dom'
import { count, number, plural, seconds, withUnit } from '../format'
import type { Frame } from '../frame'
import { Places, sidesOf } from '../stage/palette'

export class Panel {
  onHide: (name: string, hidden: boolean) => void = () => {}
  onSelect: (name: string) => void = () => {}
  onFrame: (frame: number) => void = () => {}
  onWorstOpened: () => void = () => {}

  private readonly rows = new Map<string, { box: HTMLInputElement; name: HTMLButtonElement }>()
  private listed = ''
  private hash = ''
  private readonly hashCode = make('code')
  private readonly hashCopy = make('button', { type: 'button', textContent: 'Copy', ariaLabel: 'Copy the hash' })

  constructor() {
    copyButton(el<HTMLButtonElement>('scene-copy'), () => el('scene').textContent ?? '')
    copyButton(this.hashCopy, () => this.hash)
    const worst = el<HTMLDetailsElement>('worst-details')
    worst.addEventListener('toggle', () => {
      if (worst.open) this.onWorstOpened()
    })
  }

  get worstOpen(): boolean {
    return el<HTMLDetailsElement>('worst-details').open
  }

  showRun(run: RunInfo): void {
    this.listBodies(run.bodies ?? [])
    const facts: [string, string | Node, string?][] = [['Folder', run.folder]]
    if (run.fps > 0) facts.push(['Frames', this.framesOf(run)], ['Steps', `${count(run.steps)} of ${number(1000 * run.step)} ms`])
    if (run.message && run.frameCount > 0) facts.unshift(['Says', run.message, run.state === 'failed' ? 'warn' : ''])
    for (const [kind, word] of [['cloth', 'Cloth'], ['solid', 'Soft']] as const) {
      const vertices = (run.bodies ?? []).filter((body) => body.kind === kind).reduce((sum, body) => sum + body.vertices, 0)
      if (vertices) facts.push([word, plural(vertices, 'vertex').replace('vertexs', 'vertices')])
    }
    const segments = (run.bodies ?? []).reduce((sum, body) => sum + (body.segments ?? 0), 0)
    if (segments) facts.push(['Yarn', plural(segments, 'segment')])
    const rigid = (run.bodies ?? []).filter((body) => body.kind === 'rigid').length
    if (rigid) facts.push(['Rigid', plural(rigid, 'body').replace('bodys', 'bodies')])
    if (run.tolerance > 0) facts.push(['Tolerance', `${number(run.tolerance)} m/s`])
    if (run.ahead) facts.push(['One more linearization', `moves points by ${withUnit(run.ahead.mean, 'm')} in the mean, ${withUnit(run.ahead.worst, 'm')} at worst`])
    if (run.loss) facts.push(['Lost to steps', `${number(100 * run.loss.rate)} % of angular momentum a second, ${withUnit(run.loss.energy, 'J')}`])
    if (run.version) facts.push(['Toile', run.version], ['Build', buildWords(run.build)])
    this.hash = run.hash
    this.hashCode.textContent = run.hash
    if (run.hash) facts.push(['Last hash', hashCell(this.hashCode, this.hashCopy), 'hash'])
    fill(el('facts'), facts)
    const scene = el('scene')
    if (scene.textContent !== run.scene) scene.textContent = run.scene
  }

  showFrame(frame: Frame): void {
    this.hashCode.title = `Hash of the last frame. Frame ${frame.number} has ${frame.hash}.`
  }

  showHidden(names: string[]): void {
    for (const [name, { box }] of this.rows) box.checked = !names.includes(name)
  }

  showSelected(name: string): void {
    for (const [body, row] of this.rows) setPressed(row.name, body === name)
  }

  showProbe(text: string): void {
    el('probe').textContent = text
  }

  showWorst(steps: WorstStep[]): void {
    el('worst').replaceChildren(...steps.map((worst) => {
      const button = make(
        'button', { type: 'button' },
        make('span', {}, `step ${count(worst.step)}`),
        make('span', { className: 'soft' }, `${seconds(worst.time)} · ${number(worst.value)} m/s`),
      )
      button.addEventListener('click', () => this.onFrame(worst.frame))
      return make('li', {}, button)
    }))
    if (steps.length === 0) el('worst').replaceChildren(make('li', { className: 'soft' }, 'No steps yet.'))
  }

  private framesOf(run: RunInfo): string {
    const had = run.frameTotal > run.frameCount ? `${count(run.frameCount)} of ${count(run.frameTotal)}` : count(run.frameCount)
    const gone = run.missing > 0 ? `, ${count(run.missing)} missing` : ''
    return `${had}, ${number(run.fps)} a second${gone}`
  }

  private listBodies(bodies: BodyInfo[]): void {
    const key = JSON.stringify(bodies.map(({ name, kind }) => [name, kind]))
    if (key === this.listed) return
    this.listed = key
    this.rows.clear()
    const places = new Places()
    el('bodies').replaceChildren(...bodies.map((body) => this.bodyRow(body, places.next(body.kind))))
  }

  private bodyRow(body: BodyInfo, n: number): HTMLLIElement {
    const box = make('input', { type: 'checkbox', checked: true, ariaLabel: `Show ${body.name}`, title: 'Shown' })
    box.addEventListener('change', () => this.onHide(body.name, !box.checked))
    const name = make('button', { type: 'button', textContent: body.name, title: `Select ${body.name}: ${body.kind}` })
    setPressed(name, false)
    name.addEventListener('click', () => this.onSelect(body.name))
    this.rows.set(body.name, { box, name })
    const chip = make('span', { className: 'chip' })
    chip.style.background = sidesOf(body.kind, n).front.getStyle()
    return make('li', {}, box, chip, name, make('span', { className: 'count' }, body.segments ? plural(body.segments, 'segment') : plural(body.triangles, 'triangle')))
  }
}

function hashCell(code: Node, button: Node): DocumentFragment {
  const cell = document.createDocumentFragment()
  cell.append(code, button)
  return cell
}

// fill writes facts into a list, touching only what has changed, so that the focus stays where it is.
function fill(list: HTMLElement, facts: [string, string | Node, string?][]): void {
  const same = list.children.length === 2 * facts.length
  if (!same) list.replaceChildren(...facts.flatMap(([term]) => [make('dt', {}, term), make('dd')]))
  facts.forEach(([term, value, kind], i) => {
    const [dt, dd] = [list.children[2 * i] as HTMLElement, list.children[2 * i + 1] as HTMLElement]
    if (dt.textContent !== term) dt.textContent = term
    dd.className = kind ?? ''
    if (typeof value === 'string') {
      if (dd.textContent !== value || dd.childElementCount > 0) dd.textContent = value
    } else if (dd.childElementCount === 0) dd.replaceChildren(value)
  })
}

function buildWords(build: Record<string, unknown> = {}): string {
  return Object.entries(build).flatMap(([name, value]) => (name === 'version' ? [] : value)).filter((value) => typeof value === 'string' && value).join(', ') || 'unknown'
}
