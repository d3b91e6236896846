// A run whose cloth is remeshed: every frame may have triangles of its own.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { adaptive, launch, open, serve, shoot, shown, still } from './harness.mjs'
import { difference, statistics } from './png.mjs'

let browser, server

before(async () => {
  server = await serve(adaptive)
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('shows each frame with its own triangles, forwards and back', async () => {
  const { page, record, close } = await open(browser, `${server.url}#frame=0&edges=1`)
  await shown(page, 0)
  const last = Number(await page.getAttribute('#timeline', 'max'))
  const first = await still(page, 'adaptive-first')
  for (let frame = 1; frame <= last; frame++) {
    await page.keyboard.press('ArrowRight')
    await shown(page, frame)
  }
  const meshes = record.requests.filter((url) => url.includes('/api/frames/') && url.includes('topology')).length
  assert.ok(meshes > 5, `triangles were asked for ${meshes} times in ${last + 1} frames`)
  const end = await shoot(page, 'adaptive-last')
  const { apart, deviation } = statistics(end)
  assert.ok(apart > 0.02 && deviation > 8, 'the last picture is blank')
  assert.ok(difference(first, end) > 0.02, 'the first frame looks like the last')
  await page.click('#first')
  await shown(page, 0)
  assert.ok(difference(first, await still(page, 'adaptive-again')) < 0.005, 'the first frame looks different after the others')
  assert.deepEqual([record.messages, record.outside, record.violations], [[], [], []])
  await close()
})
