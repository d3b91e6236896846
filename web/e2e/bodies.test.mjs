// A run with bodies of every kind: cloth, soft, rigid, and an obstacle that moves none of them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bodies, launch, open, serve, shoot, shown, still } from './harness.mjs'
import { difference, statistics } from './png.mjs'

let browser, server

before(async () => {
  server = await serve(bodies)
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('lists and moves bodies of every kind', async () => {
  const { page, record, close } = await open(browser, `${server.url}#frame=0`)
  await shown(page, 0)
  const names = await page.$$eval('#bodies button', (buttons) => buttons.map((button) => button.title))
  assert.deepEqual(names, [
    'Select bag: cloth', 'Select ball: rigid', 'Select cube: rigid', 'Select rod: rigid', 'Select letter: solid',
  ])
  const facts = await page.textContent('#facts')
  assert.match(facts, /Rigid3 bodies/)
  assert.match(facts, /Soft28 vertices/)
  const first = await shoot(page, 'bodies-first')
  const { apart, deviation } = statistics(first)
  assert.ok(apart > 0.02 && deviation > 8, 'the first picture is blank')
  const last = Number(await page.getAttribute('#timeline', 'max'))
  for (let frame = 1; frame <= last; frame++) {
    await page.keyboard.press('ArrowRight')
    await shown(page, frame)
  }
  assert.ok(difference(first, await shoot(page, 'bodies-last')) > 0.01, 'nothing moved')
  assert.deepEqual([record.messages, record.outside, record.violations], [[], [], []])
  await close()
})

test('cuts a half away, and goes back to the whole', async () => {
  const { page, record, close } = await open(browser, `${server.url}#frame=0`)
  await shown(page, 0)
  const whole = await still(page, 'bodies-whole')
  const seen = [whole]
  for (const axis of ['y', 'x', 'z']) {
    await page.keyboard.press('x')
    await page.waitForFunction((axis) => location.hash.includes(`cut=${axis}`), axis)
    await shown(page, 0)
    const half = await still(page, `bodies-cut-${axis}`)
    for (const other of seen) assert.ok(difference(other, half) > 0.002, `cut across ${axis} shows nothing new`)
    seen.push(half)
  }
  await page.keyboard.press(']')
  await page.waitForFunction(() => location.hash.includes('at='))
  await page.keyboard.press('x')
  await page.waitForFunction(() => !location.hash.includes('cut='))
  await shown(page, 0)
  assert.ok(difference(whole, await still(page, 'bodies-whole-again')) < 0.001, 'something stays cut away')
  assert.deepEqual([record.messages, record.outside, record.violations], [[], [], []])
  await close()
})
