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
  const pixels = new Uint8Array(height * stride)
  for (let y = 0; y < height; y++) unfilter(raw, y * (stride + 1), pixels, y * stride, stride, channels)
  if (channels === 3) return { width, height, rgb: Buffer.from(pixels.buffer) }
  const rgb = Buffer.alloc(width * height * 3)
  for (let i = 0, j = 0; i < rgb.length; i += 3, j += 4) {
    rgb[i] = pixels[j]
    rgb[i + 1] = pixels[j + 1]
    rgb[i + 2] = pixels[j + 2]
  }
  return { width, height, rgb }
}

// unfilter writes a row of pixels to out at to; the row above is before it.
function unfilter(raw, at, out, to, stride, channels) {
  const filter = raw[at]
  for (let i = 0; i < stride; i++) {
    const left = i >= channels ? out[to + i - channels] : 0
    const up = to > 0 ? out[to + i - stride] : 0
    let guess = 0
    if (filter === 1) guess = left
    else if (filter === 2) guess = up
    else if (filter === 3) guess = (left + up) >> 1
    else if (filter === 4) guess = paeth(left, up, to > 0 && i >= channels ? out[to + i - stride - channels] : 0)
    out[to + i] = raw[at + 1 + i] + guess
  }
}

function paeth(a, b, c) {
  const pa = Math.abs(b - c)
  const pb = Math.abs(a - c)
  const pc = Math.abs(a + b - 2 * c)
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

// statistics of a picture: the share of pixels that are far from the colour that is commonest in their row, and the
// standard deviation of the colours.
export function statistics({ width, height, rgb }) {
  let apart = 0
  const sum = [0, 0, 0]
  const squares = [0, 0, 0]
  const counts = new Uint32Array(1 << 12) // of colours with 4 bits each
  for (let y = 0; y < height; y++) {
    counts.fill(0)
    let commonest = 0
    for (let x = 0; x < width; x++) {
      const i = 3 * (y * width + x)
      const key = ((rgb[i] >> 4) << 8) | (rgb[i + 1] & 0xf0) | (rgb[i + 2] >> 4)
      if (++counts[key] > counts[commonest]) commonest = key
    }
    const [r, g, b] = [(commonest >> 8) << 4, commonest & 0xf0, (commonest & 15) << 4]
    for (let x = 0; x < width; x++) {
      const i = 3 * (y * width + x)
      const far = Math.abs(rgb[i] - r) + Math.abs(rgb[i + 1] - g) + Math.abs(rgb[i + 2] - b)
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
