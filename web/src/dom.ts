// The page's own elements.

// el returns the element with an id, which index.html has.
export function el<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id)
  if (!found) throw new Error(`index.html has no #${id}`)
  return found as T
}

// make creates an element with properties and children.
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

// announce tells a change to those who cannot see it.
export function announce(text: string): void {
  const live = el('announce')
  if (live.textContent !== text) live.textContent = text
}

// copyButton makes a button copy a text, and say that it did.
export function copyButton(button: HTMLButtonElement, text: () => string): void {
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(text()).then(
      () => flash(button, 'Copied'),
      () => flash(button, 'Not allowed'),
    )
  })
}

function flash(button: HTMLButtonElement, word: string): void {
  const before = button.dataset.label ?? button.textContent ?? ''
  button.dataset.label = before
  button.textContent = word
  announce(word)
  setTimeout(() => {
    button.textContent = before
  }, 1500)
}

// pressed sets the state of a toggle button.
export function setPressed(button: HTMLElement, on: boolean): void {
  button.setAttribute('aria-pressed', String(on))
}
