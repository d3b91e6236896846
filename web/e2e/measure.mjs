// Measures the page on a run: node e2e/measure.mjs DIR [COUNT]
// Time until the first picture, latency of scrubbing to frames at random, memory of the tab. TOILE names the binary.
import { readFileSync } from 'node:fs'
import { launch, open, serve, settled } from './harness.mjs'

const [dir, count = '200'] = process.argv.slice(2)
const server = await serve(dir)
const browser = await launch()

const quantile = (list, q) => list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))]
const ms = (x) => `${x.toFixed(0)} ms`

async function memory(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize').value
  const { processInfo } = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo')
  const resident = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => readFileSync(`/proc/${id}/status`, 'utf8'))
    .map((status) => ['RssAnon', 'RssFile', 'RssShmem'].map((name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]) / 1024))
    .reduce((a, b) => (a[0] > b[0] ? a : b))
  const [own, file, shared] = resident.map((size) => size.toFixed(0))
  return `JavaScript heap ${(heap / 2 ** 20).toFixed(0)} MB; resident in the tab: ${own} MB of its own, ${shared} MB shared, ${file} MB program`
}

// scrub goes to frames at random and measures until each is handed to the graphics card, and until it is drawn.
function scrub(page, count) {
  return page.evaluate(async (count) => {
    const slider = document.getElementById('timeline')
    const root = document.documentElement
    let seed = 1
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
    const laps = []
    for (let i = 0; i < count; i++) {
      const frame = String(Math.floor(random() * (Number(slider.max) + 1)))
      if (frame === root.dataset.shown) continue
      const start = performance.now()
      slider.value = frame
      slider.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => {
        const watch = new MutationObserver(() => {
          if (root.dataset.shown !== frame) return
          watch.disconnect()
          resolve()
        })
        watch.observe(root, { attributes: true })
        if (root.dataset.shown === frame) {
          watch.disconnect()
          resolve()
        }
      })
      const handed = performance.now() - start
      const canvas = document.getElementById('canvas')
      while (canvas.dataset.drawn !== frame) await new Promise((resolve) => setTimeout(resolve, 2))
      laps.push([handed, performance.now() - start])
    }
    return laps
  }, count)
}

for (const fragment of ['', '#color=_STRETCH']) {
  const start = performance.now()
  const { page, close } = await open(browser, server.url + fragment, { width: 1280, height: 720 })
  const seen = performance.now() - start
  const first = await page.evaluate(() => performance.getEntriesByName('first-picture')[0].startTime)
  await settled(page)
  console.log(`${fragment || 'plain'}: first picture ${ms(first)} after the page was asked for (${ms(seen)} with the start of the tab); ${await memory(page)}`)
  const laps = await scrub(page, Number(count))
  const [handed, drawn] = [0, 1].map((k) => laps.map((lap) => lap[k]))
  console.log(`${fragment || 'plain'}: scrubbing to ${laps.length} frames at random: there after ${ms(quantile(handed, 0.5))} (median), ${ms(quantile(handed, 0.95))} (95 %); drawn after ${ms(quantile(drawn, 0.5))}, ${ms(quantile(drawn, 0.95))}; ${await memory(page)}`)
  await close()
}
await browser.close()
await server.stop()
