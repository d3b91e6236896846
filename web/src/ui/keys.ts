// Keys, and the sheet that lists them.

import { el, make } from '../dom'

export interface Key {
  keys: string[] // as KeyboardEvent.key; the first ones are told of
  shown: string[] // as people know them
  label: string
  run: (event: KeyboardEvent) => void
}

// listen runs the keys unless something with the focus needs them itself.
export function listen(keys: Key[]): void {
  const byKey = new Map(keys.flatMap((key) => key.keys.map((name) => [name, key] as const)))
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (el<HTMLDialogElement>('help').open) return
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const key = byKey.get(name)
    if (!key || isTaken(event.target, event.key)) return
    event.preventDefault()
    key.run(event)
  })
  el('help-keys').replaceChildren(
    ...keys.map((key) =>
      make('p', {}, make('span', {}, ...key.shown.flatMap((name, i) => [...(i ? [' '] : []), make('kbd', {}, name)])), make('span', {}, key.label)),
    ),
  )
}

// isTaken says whether a control uses a key itself.
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement && target.type === 'text') return true
  if (target instanceof HTMLSelectElement) return true
  const presses = target instanceof HTMLButtonElement || target.tagName === 'SUMMARY' || target instanceof HTMLInputElement
  if (presses && target.id !== 'timeline' && (key === ' ' || key === 'Enter')) return true
  if (target.id === 'scene' && (key.startsWith('Arrow') || key === 'Home' || key === 'End')) return true
  return false
}
