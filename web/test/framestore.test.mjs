// How frames get to the page, with a server made up here.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { runnerImport } from 'vite'

const { FrameStore } = (await runnerImport(new URL('../src/framestore.ts', import.meta.url).pathname)).module
const tick = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms))

// until waits for something to become true, at most a few seconds on a busy machine.
async function until(holds) {
  for (let i = 0; i < 1000 && !holds(); i++) await tick(3)
}

let asked // requests in order: { frame, fields, have, aborted }
let delay // of an answer [ms]
let topologyOf // name of the triangles of a frame
let fail

beforeEach(() => {
  asked = []
  delay = () => 0
  topologyOf = () => 't0'
  fail = () => false
  globalThis.fetch = async (address, { signal }) => {
    const url = new URL(address, 'http://host/')
    const frame = Number(url.pathname.split('/').at(-1))
    const list = (name) => url.searchParams.get(name)?.split(',') ?? []
    const request = { frame, fields: list('fields'), have: list('have'), aborted: false }
    asked.push(request)
    await new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, delay(frame))
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        request.aborted = true
        reject(new DOMException('aborted', 'AbortError'))
      })
    })
    if (fail(frame)) throw new TypeError('network')
    return new Response(answer(frame, request))
  }
})

function answer(frame, { fields, have }) {
  const body = (name, kind, extra, left) => ({
    name, kind, ...extra,
    arrays: Object.fromEntries(fields.filter((field) => !left.includes(field)).map((field) => [
      field, { offset: 1024, count: 1, components: 3, type: field === 'topology' ? 'u32' : 'f32' },
    ])),
  })
  const resting = have.includes('g0') ? ['position', 'normal'] : []
  const head = JSON.stringify({
    frame, time: frame / 10, step: frame, hash: `h${frame}`,
    bodies: [body('sheet', 'cloth', { topology: topologyOf(frame) }, []), body('ball', 'obstacle', { topology: 'tb', geometry: 'g0' }, resting)],
  })
  const data = Buffer.alloc(1024 + 16, ' ')
  data.write('TOIL')
  data.writeUInt32LE(1, 4)
  data.writeUInt32LE(1008, 8)
  data.writeUInt32LE(0, 12)
  data.write(head, 16)
  data.fill(0, 1024)
  return data
}

function newStore(ahead = 0, budget = undefined) {
  const store = new FrameStore(budget)
  const shown = []
  const errors = []
  store.onFrame = (frame) => shown.push(frame.number)
  store.onError = (error, frame) => errors.push([error.constructor.name, frame])
  store.reset('run')
  store.setFields(['position', 'normal'])
  store.setNeighbourhood({ direction: 1, ahead, first: 0, last: 99, loop: false })
  return { store, shown, errors }
}

test('triangles are asked for once, and again when they change', async () => {
  const { store, shown } = newStore()
  topologyOf = (frame) => (frame < 2 ? 't0' : 't1')
  for (const frame of [0, 1, 2, 3]) {
    store.show(frame)
    await until(() => shown.at(-1) === frame)
  }
  assert.deepEqual(shown, [0, 1, 2, 3])
  assert.deepEqual(asked.map(({ frame, fields }) => `${frame} ${fields.join('+')}`), [
    '0 topology+position+normal', '1 position+normal', '2 position+normal', '2 topology', '3 position+normal',
  ])
  assert.ok(store.triangles('t1'))
})

test('triangles that no frame has any more are forgotten', async () => {
  const { store, shown } = newStore(0, 1)
  topologyOf = (frame) => `t${frame}`
  for (let frame = 0; frame < 20; frame++) {
    store.show(frame)
    await until(() => shown.at(-1) === frame)
  }
  const kept = [...Array(20).keys()].filter((frame) => store.triangles(`t${frame}`))
  assert.deepEqual(kept, [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  assert.ok(store.triangles('tb'), 'those of the ball are still there')
  store.show(0)
  await until(() => shown.at(-1) === 0)
  assert.ok(store.triangles('t0'))
})

test('an obstacle that rests is asked for once', async () => {
  const { store } = newStore()
  let frame
  store.onFrame = (got) => (frame = got)
  store.show(0)
  await until(() => frame?.number === 0)
  store.show(1)
  await until(() => frame.number === 1)
  assert.deepEqual(asked.map(({ have }) => have), [[], ['g0']])
  assert.equal(frame.bodies[1].arrays.get('position').length, 3)
})

test('the frame asked for last is shown last, and those in between are not asked for', async () => {
  const { store, shown } = newStore()
  delay = () => 20
  for (let frame = 10; frame <= 30; frame++) store.show(frame)
  await until(() => shown.at(-1) === 30)
  assert.equal(shown.at(-1), 30)
  assert.ok(asked.length <= 3, `${asked.length} requests`)
})

test('a slow request is aborted for a newer wish', async () => {
  const { store, shown } = newStore()
  delay = (frame) => (frame === 5 ? 5000 : 1)
  store.show(5)
  await tick(10)
  store.show(6)
  await until(() => shown.length > 0)
  assert.deepEqual(shown, [6])
  assert.equal(asked[0].aborted, true)
})

test('scrubbing without an end shows something on the way', async () => {
  const { store, shown } = newStore()
  delay = () => 40
  for (let frame = 0; frame < 40; frame++) {
    store.show(frame)
    await tick(8)
  }
  assert.ok(shown.length >= 3, `showed ${shown}`)
  await until(() => shown.at(-1) === 39) // so that nothing is under way when the next test begins
})

test('frames ahead come when nobody waits, and at once when asked for', async () => {
  const { store, shown } = newStore(4)
  store.show(0)
  await until(() => store.ready(3) && store.ready(4))
  await tick(30)
  assert.deepEqual(asked.map(({ frame }) => frame), [0, 1, 2, 3, 4])
  assert.deepEqual(shown, [0])
  store.show(3)
  assert.deepEqual(shown, [0, 3])
})

test('a colour asks for its field alone', async () => {
  const { store, shown } = newStore()
  store.show(0)
  await until(() => shown.length === 1)
  store.setFields(['position', 'normal', '_STATE'])
  store.show(0)
  await until(() => shown.length === 2)
  assert.deepEqual(asked.filter(({ frame }) => frame === 0).map(({ fields }) => fields.join()), ['topology,position,normal', '_STATE'])
  assert.deepEqual(shown, [0, 0])
})

test('failures are told, and mended by asking again', async () => {
  const { store, shown, errors } = newStore()
  fail = () => true
  store.show(7)
  await until(() => errors.length > 0)
  assert.deepEqual(errors, [['TypeError', 7]])
  fail = () => false
  store.retry()
  await until(() => shown.length > 0)
  assert.deepEqual(shown, [7])
})

test('what is kept has an end', async () => {
  const { store, shown } = newStore(0, 16000)
  for (let frame = 0; frame < 20; frame++) {
    store.show(frame)
    await until(() => shown.at(-1) === frame)
  }
  assert.equal(shown.length, 20)
  assert.ok(store.cached.frames >= 12 && store.cached.bytes <= 16000, JSON.stringify(store.cached))
  assert.ok(store.ready(19) && !store.ready(0))
})
