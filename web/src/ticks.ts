// Where the axes of plots have their ticks.

// linearTicks returns round values from lo to hi, about n of them.
export function linearTicks(lo: number, hi: number, n: number): number[] {
  if (!(hi > lo) || n < 1) return [lo]
  const raw = (hi - lo) / n
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw * 0.999) ?? 10)
  const ticks: number[] = []
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9 * step; i++) {
    ticks.push(Number((i * step).toPrecision(12)))
  }
  return ticks
}

// logTicks returns powers of ten from lo to hi, at most n of them.
export function logTicks(lo: number, hi: number, n: number): number[] {
  const first = Math.ceil(Math.log10(lo) - 1e-9)
  const last = Math.floor(Math.log10(hi) + 1e-9)
  const stride = Math.max(1, Math.ceil((last - first + 1) / n))
  const ticks: number[] = []
  for (let e = first; e <= last; e += stride) ticks.push(10 ** e)
  return ticks
}
