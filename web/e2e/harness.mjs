// What all tests in a browser share: the real toile binary, the browser, and a record of what the page did.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { decodePNG, difference } from './png.mjs'

export const toile = process.env.TOILE ?? 'toile'
export const finished = process.env.TOILE_FINISHED // a finished run
export const adaptive = process.env.TOILE_ADAPTIVE // a finished run with remeshing
export const bodies = process.env.TOILE_BODIES // a finished run with bodies of every kind
export const yarn = process.env.TOILE_YARN // a finished run of knitting
export const scene = process.env.TOILE_SCENE // a scene to run live
export const shots = process.env.TOILE_SHOTS ?? '' // where screenshots go; nowhere if empty

const flags = ['--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

export function launch(extra = flags.slice(2)) {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: [...flags.slice(0, 2), ...extra] })
}

// serve starts toile view on a folder and returns its address.
export async function serve(dir, ...args) {
  const server = spawn(toile, ['view', dir, '--no-open', '--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((resolve, reject) => {
    let text = ''
    server.stdout.on('data', (data) => {
      text += data
      const found = /"url":"([^"]+)"/.exec(text)
      if (found) resolve(found[1])
    })
    server.on('exit', (code) => reject(new Error(`toile view ended with ${code}: ${text}`)))
  })
  return { url, stop: () => end(server), port: new URL(url).port }
}

// play starts toile run on the scene.
export function play(dir, ...args) {
  const run = spawn(toile, ['run', scene, '-o', dir, '--workers', '1', ...args], { stdio: 'ignore' })
  return { stop: () => end(run), done: new Promise((resolve) => run.on('exit', resolve)) }
}

function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const gone = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGKILL')
  return gone
}

// open opens a page and keeps a record of everything that must not happen.
export async function open(browser, url, { width = 1024, height = 600, colorScheme = 'light', ready = true } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const record = { messages: [], outside: [], violations: [], requests: [] }
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) record.messages.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => record.messages.push(`uncaught: ${error.message}`))
  page.on('request', (request) => {
    record.requests.push(request.url())
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith('data:')) record.outside.push(request.url())
  })
  await page.exposeFunction('tellViolation', (text) => record.violations.push(text))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => window.tellViolation(`${event.violatedDirective} ${event.blockedURI}`))
  })
  await page.goto(url)
  if (ready) await shown(page)
  return { page, record, close: () => context.close() }
}

// shown waits until some frame, or the given one, is on the screen.
export function shown(page, frame) {
  return page.waitForFunction((n) => {
    const { shown } = document.documentElement.dataset
    return n === undefined ? shown !== undefined : shown === String(n)
  }, frame, { timeout: 15000 })
}

export const frameShown = (page) => page.evaluate(() => Number(document.documentElement.dataset.shown))

// settled waits for pictures that are under way.
export async function settled(page) {
  await page.waitForTimeout(30)
  await page.waitForFunction(() => document.getElementById('canvas').dataset.fine !== 'false')
}

// shoot takes a screenshot of the page, keeps it if that is asked for, and returns the pixels of the picture in it.
export async function shoot(page, name) {
  await settled(page)
  const box = await page.locator('#viewport').boundingBox()
  const area = { x: Math.round(box.x), y: Math.round(box.y), width: Math.round(box.width), height: Math.round(box.height) }
  if (!shots) return decodePNG(await page.screenshot({ clip: area }))
  const whole = await page.screenshot()
  mkdirSync(shots, { recursive: true })
  writeFileSync(join(shots, `${name}.png`), whole)
  return crop(decodePNG(whole), area)
}

// still takes screenshots until two in a row are the same: the first pictures of a page may still become finer, and on a
// busy machine the next one may take half a second to come.
export async function still(page, name) {
  let last = await shoot(page, name)
  for (let i = 0; i < 20; i++) {
    await page.waitForTimeout(700)
    const next = await shoot(page, name)
    if (difference(last, next) === 0) break
    last = next
  }
  return last
}

function crop({ width, rgb }, { x, y, width: w, height: h }) {
  const out = Buffer.alloc(3 * w * h)
  for (let row = 0; row < h; row++) rgb.copy(out, 3 * row * w, 3 * ((y + row) * width + x), 3 * ((y + row) * width + x + w))
  return { width: w, height: h, rgb: out }
}
