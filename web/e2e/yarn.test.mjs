// A run of knitting: yarns are drawn as tubes, coloured by what is told of them, and picked.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, open, serve, settled, shoot, shown, yarn } from './harness.mjs'
import { difference, statistics } from './png.mjs'

let browser, server

before(async () => {
  server = await serve(yarn)
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

test('draws yarns as tubes and colours them', async () => {
  const { page, record, close } = await open(browser, `${server.url}#frame=0`)
  await shown(page, 0)
  const names = await page.$$eval('#bodies button', (buttons) => buttons.map((button) => button.title))
  assert.deepEqual(names, ['Select swatch: yarn', 'Select floor: obstacle'])
  assert.match(await page.textContent('#bodies'), /974 segments/)
  assert.match(await page.textContent('#facts'), /Yarn974 segments/)
  await page.keyboard.press('4')
  const plain = await shoot(page, 'yarn-plain')
  const { apart, deviation } = statistics(plain)
  assert.ok(apart > 0.02 && deviation > 8, 'the picture is blank')

  const choices = await page.$$eval('#color option', (options) => options.map((option) => option.textContent))
  assert.deepEqual(choices, ['Plain', 'Speed', 'Tension', 'Contact force'])
  await page.selectOption('#color', '_TENSION')
  assert.match(await page.textContent('#legend-title'), /Tension.*N/)
  const tension = await shoot(page, 'yarn-tension')
  assert.ok(difference(plain, tension) > 0.01, 'tension does not show')
  await page.selectOption('#color', '_FORCE')
  assert.ok(await page.isVisible('#legend-none'), 'points without contact have no swatch')
  assert.ok(difference(tension, await shoot(page, 'yarn-force')) > 0.01, 'the contact force does not show')

  await page.selectOption('#color', '')
  await page.keyboard.press('ArrowRight')
  await shown(page, 1)
  assert.ok(difference(plain, await shoot(page, 'yarn-moved')) > 0.005, 'nothing moved')
  // Statistics of cloth are not offered.
  const plots = await page.$$eval('#plot-choice label:not([hidden])', (labels) => labels.map((label) => label.textContent))
  assert.deepEqual(plots, ['Contacts', 'Energy', 'Step time', 'Updates', 'Closest'])
  assert.ok(await page.isHidden('#worst-details'))
  assert.deepEqual([record.messages, record.outside, record.violations], [[], [], []])
  await close()
})

test('picks a point of a yarn', async () => {
  const { page, close } = await open(browser, `${server.url}#frame=0&color=_TENSION`)
  await shown(page, 0)
  await page.keyboard.press('4')
  await page.waitForTimeout(400)
  await settled(page)
  const box = await page.locator('#canvas').boundingBox()
  for (let i = 0; i < 40 && !(await page.textContent('#probe')).startsWith('swatch'); i++) {
    await page.mouse.click(box.x + box.width / 2 + 2 * i, box.y + box.height / 2 - i)
  }
  assert.match(await page.textContent('#probe'), /^swatch, vertex \d+: tension .* N$/)
  await close()
})
