// Yarns as the graphics card wants them: control points one after the other, with those that a spline needs beyond the
// ends of each yarn, and at each point a direction across the yarn that turns with it as little as possible.

// Layout says where the points of yarns go. Entry i of the padded list is point source[i]. The segment between entries
// i+1 and i+2 has the neighbours i and i+3, and is one only if alive[i+1] is 1.
export interface Layout {
  source: Uint32Array
  alive: Float32Array
  yarns: { first: number; count: number; closed: boolean; entry: number }[] // entry: of the first point
}

// layoutOf finds yarns in pairs of points, which go along one yarn after the other; the last pair of a closed one leads
// back to its first point. At the ends of an open yarn the end point stands in for the one that is missing.
export function layoutOf(pairs: Uint32Array): Layout {
  const yarns: Layout['yarns'] = []
  const source: number[] = []
  const alive: number[] = []
  for (let at = 0; at < pairs.length; ) {
    const first = pairs[at]!
    let last = first
    while (at < pairs.length && pairs[at] === last && pairs[at + 1] === last + 1) {
      last++
      at += 2
    }
    const closed = at < pairs.length && pairs[at] === last && pairs[at + 1] === first
    if (closed) at += 2
    else if (last === first) break // no yarn at all
    yarns.push({ first, count: last - first + 1, closed, entry: source.length + 1 })
    source.push(closed ? last : first)
    alive.push(0)
    for (let point = first; point <= last; point++) {
      source.push(point)
      alive.push(point < last || closed ? 1 : 0)
    }
    source.push(closed ? first : last)
    alive.push(0)
    if (closed) {
      source.push(first + 1)
      alive.push(0)
    }
  }
  return { source: Uint32Array.from(source), alive: Float32Array.from(alive), yarns }
}

// pad gathers numbers of points, so many each, from one of the four places of an entry on.
export function pad(layout: Layout, values: Float32Array, width: number, out: Float32Array, place: number): void {
  const { source } = layout
  for (let i = 0; i < source.length; i++) {
    for (let k = 0; k < width; k++) out[4 * i + place + k] = values[width * source[i]! + k]!
  }
}

// across fills in unit vectors across the yarns at the padded entries, and whether a segment begins there. The direction is carried from point to point without turning about the yarn; around a closed one, the angle that
// is left over is spread evenly.
export function across(layout: Layout, padded: Float32Array, out: Float32Array): void {
  const tangent = new Float32Array(3)
  for (const { entry, count, closed } of layout.yarns) {
    const start = 4 * entry
    tangentAt(padded, entry, tangent)
    anyAcross(tangent, out, start)
    for (let i = entry + 1; i < entry + count; i++) {
      tangentAt(padded, i, tangent)
      carry(out, 4 * (i - 1), tangent, out, 4 * i)
    }
    if (closed) untwist(out, padded, entry, count, tangent)
    out.copyWithin(start - 4, start, start + 3)
    const end = start + 4 * count
    if (!closed) out.copyWithin(end, end - 4, end - 1)
    else {
      out.copyWithin(end, start, start + 3)
      out.copyWithin(end + 4, start + 4, start + 7)
    }
  }
  layout.alive.forEach((alive, i) => (out[4 * i + 3] = alive))
}

// tangentAt leaves the last tangent where points coincide.
function tangentAt(padded: Float32Array, entry: number, tangent: Float32Array): void {
  const [next, last] = [4 * entry + 4, 4 * entry - 4]
  const x = padded[next]! - padded[last]!
  const y = padded[next + 1]! - padded[last + 1]!
  const z = padded[next + 2]! - padded[last + 2]!
  const length = Math.hypot(x, y, z)
  if (!(length > 0)) return
  tangent[0] = x / length
  tangent[1] = y / length
  tangent[2] = z / length
}

// anyAcross finds a unit vector across t.
function anyAcross(t: Float32Array, out: Float32Array, at: number): void {
  const axis = Math.abs(t[0]!) < 0.6 ? [1, 0, 0] : [0, 1, 0]
  put(out, at, t, axis[0]!, axis[1]!, axis[2]!)
}

// carry makes the vector at one place perpendicular to t at another.
function carry(from: Float32Array, at: number, t: Float32Array, out: Float32Array, to: number): void {
  put(out, to, t, from[at]!, from[at + 1]!, from[at + 2]!)
}

function put(out: Float32Array, at: number, t: Float32Array, x: number, y: number, z: number): void {
  const along = x * t[0]! + y * t[1]! + z * t[2]!
  x -= along * t[0]!
  y -= along * t[1]!
  z -= along * t[2]!
  const length = Math.hypot(x, y, z)
  if (length < 1e-6) {
    anyAcross(t, out, at)
    return
  }
  out[at] = x / length
  out[at + 1] = y / length
  out[at + 2] = z / length
}

// untwist turns the vectors along a closed yarn so that they meet where it does.
function untwist(out: Float32Array, padded: Float32Array, entry: number, count: number, t: Float32Array): void {
  const back = new Float32Array(3)
  tangentAt(padded, entry, t)
  carry(out, 4 * (entry + count - 1), t, back, 0)
  const n = out.subarray(4 * entry, 4 * entry + 3)
  const cosine = n[0]! * back[0]! + n[1]! * back[1]! + n[2]! * back[2]!
  const sine =
    t[0]! * (back[1]! * n[2]! - back[2]! * n[1]!) + t[1]! * (back[2]! * n[0]! - back[0]! * n[2]!) + t[2]! * (back[0]! * n[1]! - back[1]! * n[0]!)
  const angle = Math.atan2(sine, cosine)
  for (let i = 1; i < count; i++) {
    tangentAt(padded, entry + i, t)
    turn(out, 4 * (entry + i), t, (angle * i) / count)
  }
}

// turn turns a vector across t about it.
function turn(out: Float32Array, at: number, t: Float32Array, angle: number): void {
  const [x, y, z] = [out[at]!, out[at + 1]!, out[at + 2]!]
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  out[at] = c * x + s * (t[1]! * z - t[2]! * y)
  out[at + 1] = c * y + s * (t[2]! * x - t[0]! * z)
  out[at + 2] = c * z + s * (t[0]! * y - t[1]! * x)
}
