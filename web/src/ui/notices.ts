// What the page has to say when there is no picture, or something is wrong.

import type { RunInfo } from '../api'
import { announce, el } from '../dom'

const words: Record<RunInfo['state'], string> = { running: 'running', finished: 'finished', stopped: 'stopped', failed: 'failed' }

export class Notices {
  onRetry: () => void = () => {}

  private lost = false
  private trouble = ''

  constructor() {
    el('banner-retry').addEventListener('click', () => this.onRetry())
  }

  showState(run: RunInfo): void {
    document.title = `${run.name || run.folder} – Toile`
    el('name').textContent = run.name || run.folder
    el('name').title = run.name || run.folder
    const badge = el('state')
    badge.hidden = false
    if (badge.textContent !== words[run.state]) {
      if (badge.textContent) announce(`The run is ${words[run.state]}.`)
      badge.textContent = words[run.state]
    }
    badge.dataset.state = run.state
    badge.title = run.message
  }

  // showEmpty fills the place of the picture; an empty title takes it away.
  showEmpty(title: string, text = ''): void {
    el('empty').hidden = title === ''
    el('empty-title').textContent = title
    el('empty-text').textContent = text
    if (title) announce(title)
  }

  // connected and disconnected tell whether the server answers.
  connected(): void {
    if (!this.lost) return
    this.lost = false
    announce('The server answers again.')
    this.update()
  }

  disconnected(): void {
    this.lost = true
    this.update()
  }

  // fail shows what went wrong with one request; an empty text takes it away.
  fail(text: string): void {
    this.trouble = text
    this.update()
  }

  private update(): void {
    const text = this.lost
      ? 'The server does not answer. Is toile view still running? Trying again…'
      : this.trouble
    el('banner').hidden = text === ''
    el('banner-text').textContent = text
  }
}
