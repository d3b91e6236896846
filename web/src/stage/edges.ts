// Edges of triangles, each once.

// uniqueEdges returns pairs of vertices. Pairs are made comparable as one number: exact up to 94 million vertices.
export function uniqueEdges(triangles: Uint32Array): Uint32Array {
  let vertices = 0
  for (const v of triangles) if (v >= vertices) vertices = v + 1
  const keys = new Float64Array(triangles.length)
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[i + k]!
      const b = triangles[i + ((k + 1) % 3)]!
      keys[i + k] = a < b ? a * vertices + b : b * vertices + a
    }
  }
  keys.sort()
  const edges = new Uint32Array(2 * keys.length)
  let n = 0
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    if (i > 0 && key === keys[i - 1]) continue
    edges[n++] = Math.floor(key / vertices)
    edges[n++] = key % vertices
  }
  return edges.slice(0, n)
}

// edgeSizes returns for each vertex the mean length of the edges of its triangles, as _SIZE has it at rest [m].
export function edgeSizes(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const sizes = new Float32Array(positions.length / 3)
  const counts = new Uint16Array(sizes.length)
  for (let i = 0; i < triangles.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const a = triangles[i + k]!
      const b = triangles[i + ((k + 1) % 3)]!
      const length = Math.hypot(
        positions[3 * a]! - positions[3 * b]!,
        positions[3 * a + 1]! - positions[3 * b + 1]!,
        positions[3 * a + 2]! - positions[3 * b + 2]!,
      )
      sizes[a]! += length
      sizes[b]! += length
      counts[a]!++
      counts[b]!++
    }
  }
  for (let v = 0; v < sizes.length; v++) if (counts[v]) sizes[v]! /= counts[v]!
  return sizes
}
