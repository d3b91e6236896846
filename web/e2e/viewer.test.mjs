// A finished run in a real browser, with the real server.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { finished, frameShown, launch, open, serve, settled, shoot, shown } from './harness.mjs'
import { difference, statistics } from './png.mjs'

let browser, server, page, record, close, last, shared

before(async () => {
  server = await serve(finished)
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await server?.stop()
})

// visit opens the page anew. Visits of the same size share a browser context, in which shaders are compiled once.
async function visit(fragment = '', options = {}) {
  const key = JSON.stringify(options)
  if (key !== shared) {
    await close?.()
    ;({ page, record, close } = await open(browser, server.url + fragment, options))
    shared = key
  } else {
    for (const list of Object.values(record)) list.length = 0
    await page.goto('about:blank')
    await page.goto(server.url + fragment)
    await shown(page)
  }
  last = Number(await page.getAttribute('#timeline', 'max'))
}

function assertClean() {
  assert.deepEqual(record.messages, [], 'errors and warnings of the page')
  assert.deepEqual(record.outside, [], 'requests that leave the host')
  assert.deepEqual(record.violations, [], 'violations of the content security policy')
}

function assertPicture(picture, name) {
  const { apart, deviation } = statistics(picture)
  assert.ok(apart > 0.02 && deviation > 8, `${name} is blank: ${(100 * apart).toFixed(1)} % of its pixels stand out, colours deviate by ${deviation.toFixed(1)}`)
}

describe('a finished run', () => {
  afterEach(assertClean)

  test('opens at its last frame', async () => {
    const start = performance.now()
    await visit('', { width: 1280, height: 720 })
    console.log(`# first picture after ${Math.round(performance.now() - start)} ms`)
    assert.equal(await frameShown(page), last)
    assert.ok(last > 5)
    assert.equal(await page.textContent('#state'), 'finished')
    assert.match(await page.textContent('#readout'), new RegExp(`Frame ${last} / ${last}`))
    assert.match(await page.textContent('#facts'), /[0-9a-f]{32}/)
    assertPicture(await shoot(page, 'finished'), 'the picture')
  })

  test('shows the frame linked to, and links to the one shown', async () => {
    await visit('#frame=4&color=_STATE&edges=1')
    await shown(page, 4)
    assert.equal(await page.inputValue('#color'), '_STATE')
    assert.equal(await page.getAttribute('#edges', 'aria-pressed'), 'true')
    assertPicture(await shoot(page, 'linked'), 'the picture linked to')
    await page.keyboard.press('ArrowRight')
    await shown(page, 5)
    await page.waitForFunction(() => location.hash === '#frame=5&color=_STATE&edges=1')
    await page.evaluate(() => (location.hash = '#frame=2'))
    await shown(page, 2)
    assert.equal(await page.inputValue('#color'), '')
  })

  test('scrubs, and shows the frame asked for last', async () => {
    await visit()
    const track = await page.locator('#timeline').boundingBox()
    const at = (t) => track.x + 8 + t * (track.width - 16)
    const y = track.y + track.height / 2
    await page.mouse.move(at(1), y)
    await page.mouse.down()
    for (let i = 0; i <= 12; i++) await page.mouse.move(at(Math.abs(1 - i / 6)), y)
    await page.mouse.move(at(0.4), y)
    await page.mouse.up()
    const wanted = Number(await page.inputValue('#timeline'))
    assert.ok(Math.abs(wanted - 0.4 * last) <= 1, `0.4 of the track is frame ${wanted} of ${last}`)
    await shown(page, wanted)
    await page.waitForTimeout(250)
    assert.equal(await frameShown(page), wanted, 'a stale frame came after the one asked for last')
    const first = await shoot(page, 'scrubbed')
    await page.click('#first')
    await shown(page, 0)
    assert.ok(difference(first, await shoot(page, 'first')) > 0.02, 'the first frame looks like another one')
  })

  test('asks for triangles and resting obstacles once', async () => {
    await visit('#frame=0')
    for (let i = 1; i <= 5; i++) await page.keyboard.press('ArrowRight')
    await shown(page, 5)
    const frames = record.requests.filter((url) => url.includes('/api/frames/'))
    assert.equal(frames.filter((url) => url.includes('topology')).length, 1, frames.join('\n'))
    assert.ok(frames.slice(1).every((url) => url.includes('have=')), frames.join('\n'))
  })

  test('plays, loops and pauses', async () => {
    await visit(`#frame=0`)
    await page.selectOption('#speed', '2')
    await page.click('#play')
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause')
    const seen = new Set()
    for (let i = 0; i < 60 && !(seen.size > 3 && seen.has(0)); i++) {
      await page.waitForTimeout(50)
      seen.add(await frameShown(page))
    }
    assert.ok(seen.size > 3, `playing showed ${[...seen]}`)
    await page.keyboard.press(' ')
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play')
    await settled(page)
    const stopped = await page.inputValue('#timeline')
    await page.waitForTimeout(200)
    assert.equal(await page.inputValue('#timeline'), stopped)
    await page.click('#loop')
    assert.equal(await page.getAttribute('#loop', 'aria-pressed'), 'false')
  })

  test('colours by every quantity', async () => {
    await visit('#frame=12')
    const plain = await shoot(page, 'plain')
    const values = await page.locator('#color option').evaluateAll((options) => options.map((option) => option.value))
    assert.deepEqual(values, ['', '_STRETCH', '_SPEED', '_STATE', '_GAP', '_IMPULSE', '_SIZE'])
    for (const value of values.slice(1)) {
      await page.selectOption('#color', value)
      await page.waitForFunction(() => !document.getElementById('legend').hidden)
      await page.waitForTimeout(150)
      const picture = await shoot(page, `color${value.toLowerCase()}`)
      assertPicture(picture, value)
      assert.ok(difference(plain, picture) > 0.03, `${value} looks like plain cloth`)
    }
    await page.selectOption('#color', '_STATE')
    assert.match(await page.textContent('#legend-states'), /free.*sticks.*slides/)
  })

  test('lets the range of the colours be changed', async () => {
    await visit('#frame=12&color=_SPEED')
    await page.waitForTimeout(200)
    const fitted = await shoot(page, 'range-fitted')
    await page.fill('#legend-high', '0.2')
    await page.press('#legend-high', 'Enter')
    await page.waitForFunction(() => location.hash.includes('high=0.2'))
    assert.ok(difference(fitted, await shoot(page, 'range')) > 0.02)
    await page.fill('#legend-high', 'x')
    await page.press('#legend-high', 'Enter')
    assert.equal(await page.getAttribute('#legend-high', 'aria-invalid'), 'true')
    await page.click('#legend-auto')
    await page.waitForFunction(() => !location.hash.includes('high='))
  })

  test('draws arrows and edges', async () => {
    await visit('#frame=12')
    const plain = await shoot(page, 'before-arrows')
    await page.click('#arrows')
    await page.waitForFunction(() => /longest has/.test(document.getElementById('arrow-note').textContent))
    const arrows = await shoot(page, 'arrows')
    assert.ok(difference(plain, arrows) > 0.001)
    await page.click('#edges')
    assert.ok(difference(arrows, await shoot(page, 'edges')) > 0.01)
  })

  test('jumps from a plot to the frame of the step', async () => {
    await visit()
    for (const id of ['contacts', 'energy', 'time', 'crossings']) await page.check(`#plot-${id}`)
    assert.equal(await page.locator('.plot').count(), 5)
    await page.locator('.plot').nth(4).scrollIntoViewIfNeeded()
    await shoot(page, 'plots')
    for (const id of ['contacts', 'energy', 'time', 'crossings']) await page.uncheck(`#plot-${id}`)
    const plot = await page.locator('.plot canvas').boundingBox()
    const inside = plot.width - 67 - 17
    await page.mouse.move(plot.x + 67 + inside / 2, plot.y + 50)
    assert.match(await page.textContent('.plot .tip'), /^step \d+/)
    await page.mouse.down()
    await page.mouse.up()
    await page.waitForFunction((n) => Math.abs(Number(document.documentElement.dataset.shown) - n) <= 1, last / 2)
    await page.click('#worst-details summary')
    await page.locator('#worst button').first().click()
    await settled(page)
    assert.equal(await page.locator('#worst button').count(), 10)
  })

  test('selects, hides and frames bodies', async () => {
    await visit('#frame=12')
    const area = await page.locator('#viewport').boundingBox()
    await page.mouse.click(area.x + area.width / 2, area.y + area.height / 2)
    await page.waitForFunction(() => /vertex \d+/.test(document.getElementById('probe').textContent))
    assert.equal(await page.locator('#bodies button[aria-pressed=true]').textContent(), 'sheet')
    const selected = await shoot(page, 'selected')
    await page.keyboard.press('h')
    assert.ok(difference(selected, await shoot(page, 'hidden')) > 0.03)
    await page.getByLabel('Show sheet').check()
    let before
    for (const view of ['front', 'right', 'top', 'corner']) {
      await page.click(`#view-${view}`)
      await page.waitForTimeout(300)
      before = await shoot(page, `view-${view}`)
      assertPicture(before, view)
    }
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2)
    await page.mouse.down()
    await page.mouse.move(area.x + area.width / 2 + 120, area.y + area.height / 2 + 20, { steps: 4 })
    await page.mouse.up()
    assert.ok(difference(before, await shoot(page, 'orbit')) > 0.05)
  })

  test('copies the hash and the scene', async () => {
    await visit()
    await page.getByLabel('Copy the hash').click()
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[0-9a-f]{32}$/)
    await page.click('#scene-details summary')
    await page.click('#scene-copy')
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /cloths/)
    await page.waitForFunction(() => document.getElementById('scene-copy').textContent === 'Copied')
  })
})

describe('for everybody', () => {
  afterEach(assertClean)

  test('the keyboard reaches every control', async () => {
    await visit('#frame=3&color=_SPEED')
    const controls = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, summary, canvas[tabindex], pre')]
        .filter((control) => control.checkVisibility() && !control.disabled && !control.closest('dialog'))
        .map((control, i) => {
          control.dataset.walk = String(i)
          return control.id || control.textContent
        }),
    )
    const reached = new Set()
    const faint = []
    for (let i = 0; i < controls.length + 5; i++) {
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => {
        const control = document.activeElement
        const style = getComputedStyle(control)
        return { walk: control.dataset.walk, outline: parseFloat(style.outlineWidth), style: style.outlineStyle, name: control.id || control.tagName }
      })
      if (at.walk === undefined) continue
      reached.add(Number(at.walk))
      if (at.style === 'none' || at.outline < 2) faint.push(at.name)
    }
    assert.deepEqual(controls.filter((_, i) => !reached.has(i)), [], 'controls that Tab does not reach')
    assert.deepEqual(faint, [], 'controls whose focus cannot be seen')
  })

  test('the keyboard does everything', async () => {
    await visit('#frame=3')
    const press = (key) => page.keyboard.press(key)
    await press('ArrowRight')
    await shown(page, 4)
    await press('ArrowLeft')
    await shown(page, 3)
    await press('Shift+ArrowRight')
    await shown(page, 13)
    await press('Home')
    await shown(page, 0)
    await press('End')
    await shown(page, last)
    await press('.')
    assert.equal(await page.inputValue('#speed'), '2')
    await press(',')
    assert.equal(await page.inputValue('#speed'), '1')
    await press('c')
    assert.equal(await page.inputValue('#color'), '_STRETCH')
    for (const [key, id] of [['e', 'edges'], ['a', 'arrows'], ['l', 'loop'], ['i', 'panel-toggle']]) {
      const before = await page.getAttribute(`#${id}`, 'aria-pressed')
      await press(key)
      assert.notEqual(await page.getAttribute(`#${id}`, 'aria-pressed'), before, key)
    }
    await press('i')
    await press('?')
    assert.ok(await page.locator('#help').isVisible())
    await shoot(page, 'help')
    await press('Escape')
    assert.ok(!(await page.locator('#help').isVisible()))
    await page.focus('#canvas')
    const before = await shoot(page, 'keys-before')
    for (let i = 0; i < 4; i++) await press('ArrowRight')
    await press('+')
    assert.ok(difference(before, await shoot(page, 'keys-after')) > 0.03, 'arrows on the picture turn it')
    await page.focus('.plot canvas')
    await press('Home')
    await press('Enter')
    await page.waitForFunction(() => Number(document.documentElement.dataset.shown) <= 1)
    await page.focus('#timeline')
    await press('ArrowRight')
    await press(' ')
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Pause')
  })

  test('every control has a name', async () => {
    await visit('#color=_SPEED')
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, canvas[tabindex]')]
        .filter((c) => !(c.getAttribute('aria-label') || c.textContent.trim() || [...(c.labels ?? [])].some((l) => l.textContent.trim())))
        .map((c) => c.outerHTML),
    )
    assert.deepEqual(nameless, [])
    assert.equal(await page.getAttribute('#announce', 'aria-live'), 'polite')
  })

  test('light and dark can be read, and the choice is kept', async () => {
    await visit('#frame=12', { colorScheme: 'dark', width: 1280, height: 720 })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    assert.equal(await theme(), 'dark')
    assertPicture(await shoot(page, 'dark'), 'the dark picture')
    assert.deepEqual(await lowContrast(), [])
    await page.keyboard.press('t')
    assert.equal(await theme(), 'light')
    assertPicture(await shoot(page, 'light'), 'the light picture')
    assert.deepEqual(await lowContrast(), [])
    await page.reload()
    await shown(page)
    assert.equal(await theme(), 'light')
  })

  for (const [width, height] of [[1280, 720], [1024, 600]]) {
    test(`fits into ${width} x ${height}`, async () => {
      await visit('#frame=12&color=_GAP&arrows=1&plots=residual,contacts', { width, height })
      await settled(page)
      const faults = await page.evaluate(() => {
        const faults = []
        const root = document.documentElement
        if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) faults.push('the page scrolls')
        const boxes = [...document.querySelectorAll('.bar button, .bar select, #deck button, #deck select, #deck input, #legend input, #legend button')]
          .filter((control) => control.checkVisibility())
          .map((control) => ({ name: control.id, box: control.getBoundingClientRect() }))
        for (const { name, box } of boxes) {
          if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) faults.push(`${name} is outside`)
        }
        for (const a of boxes) for (const b of boxes) {
          const overlap = a.name < b.name && a.box.left + 1.5 < b.box.right && b.box.left + 1.5 < a.box.right && a.box.top + 1.5 < b.box.bottom && b.box.top + 1.5 < a.box.bottom
          if (overlap) faults.push(`${a.name} and ${b.name} overlap`)
        }
        const viewport = document.getElementById('viewport').getBoundingClientRect()
        if (viewport.height < 0.35 * innerHeight) faults.push(`the picture is only ${viewport.height} high`)
        return faults
      })
      assert.deepEqual(faults, [])
      assertPicture(await shoot(page, `size-${width}`), 'the picture')
    })
  }
})

// lowContrast lists pairs of text and ground below 4.5:1, the AA of WCAG 2.
function lowContrast() {
  return page.evaluate(() => {
    const style = getComputedStyle(document.documentElement)
    const luminance = (name) => {
      const hex = style.getPropertyValue(name).trim()
      const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4))
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const pairs = [
      ['--ink', '--paper'], ['--ink', '--shade'], ['--ink', '--accent-wash'], ['--soft', '--paper'], ['--soft', '--shade'],
      ['--soft', '--sky-bottom'], ['--accent-ink', '--accent'], ['--accent', '--accent-wash'], ['--bad', '--bad-wash'], ['--bad', '--paper'], ['--good', '--shade'],
    ]
    return pairs
      .map(([text, ground]) => {
        const [a, b] = [luminance(text), luminance(ground)].sort((x, y) => y - x)
        return `${text} on ${ground}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`
      })
      .filter((line) => Number(line.split(': ')[1]) < 4.5)
  })
}
