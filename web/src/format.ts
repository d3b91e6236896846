// Numbers and times as people read them.

// number writes x with three significant digits, with a power of ten where plain digits would be long.
export function number(x: number, digits = 3): string {
  if (!Number.isFinite(x)) return '–'
  if (x === 0) return '0'
  const size = Math.abs(x)
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split('e') as [string, string]
    return `${Number(mantissa)}e${Number(exponent)}`
  }
  return String(Number(x.toPrecision(digits)))
}

// withUnit writes x with its unit; a length below 10 cm in millimetres.
export function withUnit(x: number, unit: string): string {
  if (unit === 'm' && x !== 0 && Math.abs(x) < 0.1) return `${number(1000 * x)} mm`
  return unit ? `${number(x)} ${unit}` : number(x)
}

// roundLength writes a power of ten of metres.
export function roundLength(x: number): string {
  if (x >= 1) return `${number(x)} m`
  return x >= 0.01 ? `${number(100 * x)} cm` : `${number(1000 * x)} mm`
}

// count writes an integer with thin groups of three.
export function count(n: number): string {
  return n.toLocaleString('en-GB')
}

// seconds writes a time of the world.
export function seconds(t: number): string {
  return `${t.toFixed(3)} s`
}

// plural writes a count with its noun.
export function plural(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`
}
