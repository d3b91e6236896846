// The parts of the page that need no browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runnerImport } from 'vite'

const load = async (name) => (await runnerImport(new URL(`../src/${name}`, import.meta.url).pathname)).module

test('colours are those of draw.MapColor', async () => {
  const { mapColor } = await load('colormap.ts')
  // Printed by draw.MapColor.
  const want = { 0: [64, 5, 104], 0.25: [41, 86, 143], 0.5: [19, 145, 158], 0.75: [96, 198, 142], 1: [235, 230, 31] }
  for (const [t, color] of Object.entries(want)) assert.deepEqual(mapColor(Number(t)), color)
  assert.deepEqual(mapColor(-1), mapColor(0))
  assert.deepEqual(mapColor(2), mapColor(1))
})

test('settings survive the address', async () => {
  const { parseFragment, writeFragment, defaultSettings } = await load('settings.ts')
  assert.equal(writeFragment(defaultSettings()), '')
  assert.deepEqual(parseFragment(''), defaultSettings())
  const settings = {
    frame: 12, color: '_STATE', low: -0.5, high: 1e-3, edges: true, arrows: true, cut: 'z', at: 0.25, plots: ['energy', 'time'], hidden: ['a,b & c', 'd=ü%'], panel: false,
  }
  assert.deepEqual(parseFragment(writeFragment(settings)), settings)
  assert.deepEqual(parseFragment('#plots='), { ...defaultSettings(), plots: [] })
  assert.equal(parseFragment('#frame=12&color=_STATE&edges=1').frame, 12)
  for (const bad of ['#frame=x', '#frame=1e999', '#hide=%E0%A4%A', '#low=NaN&&==']) {
    assert.deepEqual({ ...parseFragment(bad), hidden: [] }, defaultSettings(), bad)
  }
})

// frameBytes builds an answer of the server with one array.
function frameBytes(head, array, { magic = 'TOIL', version = 1 } = {}) {
  const text = new TextEncoder().encode(JSON.stringify(head))
  const room = Math.ceil(text.length / 8) * 8
  const data = new Uint8Array(16 + room + array.byteLength).fill(32, 16, 16 + room)
  data.set(new TextEncoder().encode(magic))
  new DataView(data.buffer).setUint32(4, version, true)
  new DataView(data.buffer).setUint32(8, room, true)
  data.set(text, 16)
  data.set(new Uint8Array(array.buffer), 16 + room)
  return data.buffer
}

const headWith = (offset, count) => ({
  frame: 3, time: 0.1, step: 50, hash: 'ab',
  bodies: [{ name: 'sheet', kind: 'cloth', topology: 't', arrays: { position: { offset, count, components: 3, type: 'f32' } } }],
})

test('frames are decoded without a copy', async () => {
  const { decodeFrame } = await load('frame.ts')
  const values = new Float32Array([1, 2, 3, 4, 5, 6])
  let offset = 0
  for (let i = 0; i < 3; i++) offset = 16 + Math.ceil(JSON.stringify(headWith(offset, 2)).length / 8) * 8
  const data = frameBytes(headWith(offset, 2), values)
  const frame = decodeFrame(data)
  assert.equal(frame.number, 3)
  assert.deepEqual([...frame.bodies[0].arrays.get('position')], [...values])
  assert.equal(frame.bodies[0].arrays.get('position').buffer, data)
})

test('what is not a frame is told apart', async () => {
  const { decodeFrame } = await load('frame.ts')
  const values = new Float32Array(6)
  assert.throws(() => decodeFrame(new ArrayBuffer(8)), /ends before/)
  assert.throws(() => decodeFrame(frameBytes(headWith(0, 2), values, { magic: 'GLTF' })), /not a frame/)
  assert.throws(() => decodeFrame(frameBytes(headWith(0, 2), values, { version: 2 })), /reload/)
  assert.throws(() => decodeFrame(frameBytes(headWith(400, 1000), values)), /position/)
})

test('ticks are round and inside', async () => {
  const { linearTicks, logTicks } = await load('ticks.ts')
  assert.deepEqual(linearTicks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(linearTicks(-3, 11, 3), [0, 5, 10])
  assert.deepEqual(logTicks(5e-4, 20, 10), [1e-3, 1e-2, 0.1, 1, 10].map((x) => 10 ** Math.round(Math.log10(x))))
  assert.equal(logTicks(1e-12, 1, 4).length, 4)
})

test('each edge is found once', async () => {
  const { uniqueEdges, edgeSizes } = await load('stage/edges.ts')
  const square = new Uint32Array([0, 1, 2, 2, 1, 3])
  assert.deepEqual([...uniqueEdges(square)], [0, 1, 0, 2, 1, 2, 1, 3, 2, 3])
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0])
  assert.equal(edgeSizes(positions, square)[0], 1)
})

test('numbers are short', async () => {
  const { number, withUnit, plural } = await load('format.ts')
  assert.deepEqual([0, 1.23456, 1e-8, 123456, -0.01, NaN].map((x) => number(x)), ['0', '1.23', '1e-8', '1.23e5', '-0.01', '–'])
  assert.equal(withUnit(0.0123, 'm'), '12.3 mm')
  assert.equal(plural(1, 'triangle'), '1 triangle')
})

test('playback loops, stops and waits', async () => {
  const { Playback } = await load('playback.ts')
  const playback = new Playback()
  const seen = []
  playback.onSeek = (frame) => seen.push(frame)
  playback.setRange(0, 9, 10, 10)
  playback.seek(8)
  playback.play()
  const start = performance.now()
  playback.tick(start - 50, false)
  assert.equal(playback.frame, 8, 'a refresh from before it began to play does not move it back')
  assert.equal(playback.tick(start + 100, true), true)
  assert.equal(playback.frame, 8, 'it waits for a frame that is not here')
  playback.tick(start + 250, false)
  assert.equal(playback.frame, 9)
  playback.tick(start + 400, false)
  assert.equal(playback.frame, 0, 'it begins again')
  playback.loop = false
  playback.seek(9)
  playback.tick(start + 550, false)
  assert.equal(playback.playing, false)
  assert.deepEqual(seen, [8, 9, 0, 9, 9])
})

test('yarns are found in pairs, and directions across them do not twist', async () => {
  const { across, layoutOf, pad } = await load('stage/strand.ts')
  const n = 12 // points of a closed yarn in space, after an open one of two
  const pairs = Uint32Array.from([0, 1, ...Array.from({ length: n }, (_, i) => [2 + i, 2 + ((i + 1) % n)]).flat()])
  const layout = layoutOf(pairs)
  assert.deepEqual(layout.yarns, [{ first: 0, count: 2, closed: false, entry: 1 }, { first: 2, count: n, closed: true, entry: 5 }])
  assert.deepEqual([...layout.source], [0, 0, 1, 1, n + 1, ...Array.from({ length: n }, (_, i) => i + 2), 2, 3])
  assert.deepEqual([...layout.alive], [0, 1, 0, 0, 0, ...Array(n).fill(1), 0, 0])
  const points = Float32Array.from([0, 0, 0, 1, 0, 0, ...Array.from({ length: n }, (_, i) => {
    const t = (2 * Math.PI * i) / n
    return [Math.cos(t), Math.sin(t), 0.4 * Math.sin(2 * t + 1)]
  }).flat()])
  const padded = new Float32Array(4 * layout.source.length)
  const out = new Float32Array(padded.length)
  pad(layout, points, 3, padded, 0)
  across(layout, padded, out)
  const dot = (a, i, b, j) => a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]
  let least = 1
  for (let e = 5; e < 5 + n; e++) {
    const tangent = [0, 1, 2].map((k) => padded[4 * e + 4 + k] - padded[4 * e - 4 + k])
    assert.ok(Math.abs(dot(out, 4 * e, out, 4 * e) - 1) < 1e-5 && Math.abs(dot(out, 4 * e, tangent, 0)) < 1e-5, `entry ${e}`)
    least = Math.min(least, dot(out, 4 * e, out, 4 * e + 4)) // the last to the first again, too
  }
  assert.ok(least > 0.7, `neighbours are ${least} apart`)
  assert.deepEqual(layoutOf(Uint32Array.from([3, 1])).yarns, [])
})
