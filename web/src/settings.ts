// What the user has chosen, kept in the fragment of the address so that a view can be linked to and reloaded:
// #frame=12&color=_STATE&edges=1. The theme belongs to the reader, not to the link, and lives in localStorage.

export type Axis = 'x' | 'y' | 'z'
export const axes: readonly Axis[] = ['x', 'y', 'z']

export interface Settings {
  frame: number | null
  color: string // name of a field, empty for plain cloth
  low: number | null // range of the colours; null for the one that fits
  high: number | null
  edges: boolean
  arrows: boolean
  cut: Axis | '' // along which a half of everything is cut away
  at: number | null // where [m]; null for the middle
  plots: string[]
  hidden: string[] // bodies not shown
  panel: boolean
}

export function defaultSettings(): Settings {
  return { frame: null, color: '', low: null, high: null, edges: false, arrows: false, cut: '', at: null, plots: ['residual'], hidden: [], panel: true }
}

// parseFragment reads a fragment; what it does not understand keeps its default.
export function parseFragment(fragment: string): Settings {
  const settings = defaultSettings()
  const query = new URLSearchParams(fragment.replace(/^#/, ''))
  const real = (name: string): number | null => {
    const text = query.get(name)
    const value = text ? Number(text) : NaN
    return Number.isFinite(value) ? value : null
  }
  const list = (name: string): string[] => query.getAll(name).flatMap((text) => (text ? text.split(',') : [])).map(unescape)
  const frame = real('frame')
  settings.frame = frame === null ? null : Math.round(frame)
  settings.color = query.get('color') ?? ''
  settings.low = real('low')
  settings.high = real('high')
  settings.edges = query.get('edges') === '1'
  settings.arrows = query.get('arrows') === '1'
  settings.cut = axes.find((axis) => axis === query.get('cut')) ?? ''
  settings.at = real('at')
  settings.panel = query.get('panel') !== '0'
  if (query.has('plots')) settings.plots = list('plots')
  settings.hidden = list('hide')
  return settings
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// writeFragment is the inverse of parseFragment; defaults are left out.
export function writeFragment(settings: Settings): string {
  const parts: string[] = []
  if (settings.frame !== null) parts.push(`frame=${settings.frame}`)
  if (settings.color) parts.push(`color=${encodeURIComponent(settings.color)}`)
  if (settings.low !== null) parts.push(`low=${settings.low}`)
  if (settings.high !== null) parts.push(`high=${settings.high}`)
  if (settings.edges) parts.push('edges=1')
  if (settings.arrows) parts.push('arrows=1')
  if (settings.cut) parts.push(`cut=${settings.cut}`)
  if (settings.at !== null) parts.push(`at=${settings.at}`)
  if (settings.plots.join() !== 'residual') parts.push(`plots=${settings.plots.join(',')}`)
  if (settings.hidden.length) parts.push(`hide=${settings.hidden.map((name) => encodeURIComponent(encodeURIComponent(name))).join(',')}`)
  if (!settings.panel) parts.push('panel=0')
  return parts.length ? `#${parts.join('&')}` : ''
}

// FragmentWriter puts settings into the address, not oftener than browsers like.
export class FragmentWriter {
  private timer = 0

  constructor(private readonly current: () => Settings) {}

  schedule(): void {
    if (this.timer) return
    this.timer = window.setTimeout(() => {
      this.timer = 0
      const fragment = writeFragment(this.current())
      if (fragment !== location.hash) history.replaceState(null, '', location.pathname + location.search + fragment)
    }, 400)
  }
}

export type Theme = 'light' | 'dark'

const themeKey = 'toile-theme'

// loadTheme returns the theme chosen before, or that of the system.
export function loadTheme(): Theme {
  try {
    const kept = localStorage.getItem(themeKey)
    if (kept === 'light' || kept === 'dark') return kept
  } catch {
    // Storage may be forbidden; the system's theme will do.
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

export function keepTheme(theme: Theme): void {
  try {
    localStorage.setItem(themeKey, theme)
  } catch {
    // It then lasts until the page is closed.
  }
}
