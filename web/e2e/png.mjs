// Just enough of PNG to look at screenshots: 8 bits, RGB or RGBA, not interlaced.
import { inflateSync } from 'node:zlib'

// decodePNG returns width, height and RGB bytes.
export function decodePNG(file) {
  const width = file.readUInt32BE(16)
  const height = file.readUInt32BE(20)
  const channels = { 2: 3, 6: 4 }[file[25]]
  if (file[24] !== 8 || !channels || file[28] !== 0) throw new Error('a PNG of another kind than screenshots are')
  const parts = []
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const rgb = Buffer.alloc(width * height * 3)
  let above = Buffer.alloc(stride)
  for (let y = 0; y < height; y++) {
    const row = unfilter(raw, y * (stride + 1), stride, channels, above)
    for (let x = 0; x < width; x++) row.copy(rgb, 3 * (y * width + x), x * channels, x * channels + 3)
    above = row
  }
  return { width, height, rgb }
}

function unfilter(raw, at, stride, channels, above) {
  const filter = raw[at]
  const row = Buffer.from(raw.subarray(at + 1, at + 1 + stride))
  for (let i = 0; i < stride; i++) {
    const left = i >= channels ? row[i - channels] : 0
    const up = above[i]
    const corner = i >= channels ? above[i - channels] : 0
    row[i] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
  }
  return row
}

function paeth(a, b, c) {
  const p = a + b - c
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

// statistics of a picture: the share of pixels that are far from the colour that is commonest in their row, and the
// standard deviation of the colours.
export function statistics({ width, height, rgb }) {
  let apart = 0
  const sum = [0, 0, 0]
  const squares = [0, 0, 0]
  for (let y = 0; y < height; y++) {
    const counts = new Map()
    const keyAt = (x) => rgb.readUIntBE(3 * (y * width + x), 3) & 0xf0f0f0
    for (let x = 0; x < width; x++) counts.set(keyAt(x), (counts.get(keyAt(x)) ?? 0) + 1)
    const common = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
    for (let x = 0; x < width; x++) {
      const i = 3 * (y * width + x)
      const far = Math.abs(rgb[i] - (common >> 16)) + Math.abs(rgb[i + 1] - ((common >> 8) & 255)) + Math.abs(rgb[i + 2] - (common & 255))
      if (far > 72) apart++
      for (let k = 0; k < 3; k++) {
        sum[k] += rgb[i + k]
        squares[k] += rgb[i + k] ** 2
      }
    }
  }
  const n = width * height
  const deviation = Math.sqrt(sum.reduce((total, s, k) => total + squares[k] / n - (s / n) ** 2, 0))
  return { apart: apart / n, deviation }
}

// difference returns the share of pixels in which two pictures differ.
export function difference(a, b) {
  let n = 0
  for (let i = 0; i < a.rgb.length; i += 3) {
    if (Math.abs(a.rgb[i] - b.rgb[i]) + Math.abs(a.rgb[i + 1] - b.rgb[i + 1]) + Math.abs(a.rgb[i + 2] - b.rgb[i + 2]) > 24) n++
  }
  return (3 * n) / a.rgb.length
}
