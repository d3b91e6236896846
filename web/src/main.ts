import './style.css'
import { App } from './app'
import { el } from './dom'
import { listen, type Key } from './ui/keys'

const app = new App()
const { playback } = app

const help = el<HTMLDialogElement>('help')
const openHelp = (): void => help.showModal()

const keys: Key[] = [
  { keys: [' '], shown: ['Space'], label: 'play or pause', run: () => playback.toggle() },
  { keys: ['ArrowLeft', 'ArrowRight'], shown: ['←', '→'], label: 'one frame; ten with Shift', run: (event) => playback.step((event.key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1)) },
  { keys: ['Home', 'End'], shown: ['Home', 'End'], label: 'first, last frame', run: (event) => playback.step(event.key === 'Home' ? -Infinity : Infinity) },
  { keys: [',', '.'], shown: [',', '.'], label: 'slower, faster', run: (event) => (event.key === ',' ? playback.slower() : playback.faster()) },
  { keys: ['l'], shown: ['L'], label: 'loop', run: () => app.toggleLoop() },
  { keys: ['g'], shown: ['G'], label: 'follow a run under way', run: () => app.toggleFollow() },
  { keys: ['c'], shown: ['C'], label: 'next colouring', run: () => app.nextColor() },
  { keys: ['e'], shown: ['E'], label: 'edges', run: () => app.toggleEdges() },
  { keys: ['a'], shown: ['A'], label: 'arrows of impulses', run: () => app.toggleArrows() },
  { keys: ['x'], shown: ['X'], label: 'cut a half away: front, right, above, none', run: () => app.nextCut() },
  { keys: ['[', ']'], shown: ['[', ']'], label: 'move the cut', run: (event) => app.moveCut(event.key === '[' ? -0.02 : 0.02) },
  { keys: ['f'], shown: ['F'], label: 'frame the selection or everything', run: () => app.fit() },
  { keys: ['1', '2', '3', '4'], shown: ['1', '…', '4'], label: 'from the corner, front, right, top', run: (event) => app.view((['corner', 'front', 'right', 'top'] as const)[Number(event.key) - 1]!) },
  { keys: ['h'], shown: ['H'], label: 'hide or show the body selected', run: () => app.toggleSelectedBody() },
  { keys: ['Escape'], shown: ['Esc'], label: 'select nothing', run: () => app.deselect() },
  { keys: ['i'], shown: ['I'], label: 'bodies, facts and scene', run: () => app.togglePanel() },
  { keys: ['t'], shown: ['T'], label: 'light or dark', run: () => app.toggleTheme() },
  { keys: ['?'], shown: ['?'], label: 'this sheet', run: openHelp },
]
listen(keys)

el('help-open').addEventListener('click', openHelp)
el('help-close').addEventListener('click', () => help.close())
el('edges').addEventListener('click', () => app.toggleEdges())
el('arrows').addEventListener('click', () => app.toggleArrows())
el('cut').addEventListener('click', () => app.nextCut())
el('panel-toggle').addEventListener('click', () => app.togglePanel())
el('theme').addEventListener('click', () => app.toggleTheme())
el('fit').addEventListener('click', () => app.fit())
for (const view of ['corner', 'front', 'right', 'top'] as const) {
  el(`view-${view}`).addEventListener('click', () => app.view(view))
}

// With the focus on the picture, arrows turn it.
el('canvas').addEventListener('keydown', (event) => {
  const rig = app.stage?.rig
  if (!rig || event.ctrlKey || event.metaKey || event.altKey) return
  const moves: Record<string, () => void> = {
    ArrowLeft: () => rig.orbit(-6, 0),
    ArrowRight: () => rig.orbit(6, 0),
    ArrowUp: () => rig.orbit(0, 6),
    ArrowDown: () => rig.orbit(0, -6),
    '+': () => rig.zoom(0.9),
    '=': () => rig.zoom(0.9),
    '-': () => rig.zoom(1 / 0.9),
  }
  const move = moves[event.key]
  if (!move) return
  event.preventDefault()
  move()
})

// A click with the mouse leaves the focus where keys play and step, not on the button.
el('canvas').addEventListener('mousedown', (event) => event.preventDefault())
let byPointer = false
document.addEventListener('pointerdown', () => (byPointer = true), true)
document.addEventListener('keydown', () => (byPointer = false), true)
document.addEventListener('click', (event) => {
  if (event.detail > 0 && event.target instanceof Element) event.target.closest('button')?.blur()
})
document.addEventListener('change', (event) => {
  if (byPointer && event.target instanceof HTMLSelectElement) event.target.blur()
})
