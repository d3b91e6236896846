// Runs under way, and what goes wrong: no frame yet, a server that is gone, a browser without 3D.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { finished, frameShown, launch, open, play, serve, settled, shoot, shown } from './harness.mjs'
import { statistics } from './png.mjs'

let browser
const work = mkdtempSync(join(tmpdir(), 'toile-e2e-'))

before(async () => {
  browser = await launch()
})
after(async () => {
  await browser?.close()
  rmSync(work, { recursive: true, force: true })
})

test('a run under way grows on the screen', async () => {
  const dir = join(work, 'live')
  const server = await serve(dir, '--wait')
  const { page, record, close } = await open(browser, server.url, { ready: false })
  await page.waitForFunction(() => /Waiting/.test(document.getElementById('empty').textContent))
  await shoot(page, 'waiting')
  const run = play(dir)
  try {
    await shown(page)
    await page.waitForFunction(() => document.getElementById('state').textContent === 'running')
    assert.equal(await page.isVisible('#empty'), false)
    const before = await frameShown(page)
    await page.waitForFunction((n) => Number(document.documentElement.dataset.shown) >= n + 2, before, { timeout: 30000 })
    const { apart } = statistics(await shoot(page, 'live'))
    assert.ok(apart > 0.02)
    // Stepping back leaves the newest frame; the timeline goes on growing.
    await page.keyboard.press('Home')
    await shown(page, 0)
    assert.equal(await page.getAttribute('#follow', 'aria-pressed'), 'false')
    const grown = Number(await page.getAttribute('#timeline', 'max'))
    await page.waitForFunction((n) => Number(document.getElementById('timeline').max) > n, grown, { timeout: 30000 })
    assert.equal(await frameShown(page), 0)
    await page.click('#follow')
    await page.waitForFunction(() => Number(document.documentElement.dataset.shown) > 1)
    await run.stop()
    await page.waitForFunction(() => document.getElementById('state').textContent === 'stopped')
    assert.equal(await page.isVisible('#follow'), false)
    assert.deepEqual([...record.messages, ...record.outside, ...record.violations], [])
  } finally {
    await run.stop()
    await close()
    await server.stop()
  }
})

test('a server that is gone is told of, and found again', async () => {
  let server = await serve(finished)
  const { page, record, close } = await open(browser, server.url)
  try {
    const { port } = server
    await server.stop()
    await page.waitForFunction(() => /does not answer/.test(document.getElementById('banner').textContent), undefined, { timeout: 8000 })
    assert.ok(await page.isVisible('#banner'))
    await page.keyboard.press('Home')
    await shoot(page, 'gone')
    server = await serve(finished, '--port', port)
    await page.click('#banner-retry')
    await page.waitForFunction(() => document.getElementById('banner').hidden)
    await shown(page, 0)
    assert.deepEqual(record.messages.filter((text) => !/ERR_CONNECTION_REFUSED|Failed to load resource/.test(text)), [])
    assert.deepEqual([...record.outside, ...record.violations], [])
  } finally {
    await close()
    await server.stop()
  }
})

test('a browser without 3D is told so, and has the statistics', async () => {
  const plain = await launch(['--disable-gpu', '--disable-3d-apis'])
  const server = await serve(finished)
  try {
    const { page } = await open(plain, server.url)
    await settled(page)
    assert.match(await page.textContent('#empty'), /no 3D pictures/)
    assert.equal(await page.locator('.plot').count(), 1)
    await shoot(page, 'no-webgl')
  } finally {
    await plain.close()
    await server.stop()
  }
})
