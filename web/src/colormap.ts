// The colours of scalars and of contact states.
//
// The map of scalars is the one of toile render (draw/colormap.go), so that pictures agree: a path through Oklab whose
// lightness rises in a straight line, from violet over teal to yellow; it reads in grey and with any colour blindness.
// Contact states have the colours of toile render too; they differ in lightness as well as in hue.

export type RGB = [number, number, number]

export const mapSteps = 512

// linearMap holds the map in linear sRGB, three numbers a step.
export const linearMap: Float32Array = buildMap()

function buildMap(): Float32Array {
  const table = new Float32Array(3 * mapSteps)
  for (let i = 0; i < mapSteps; i++) {
    const t = i / (mapSteps - 1)
    const hue = ((305 - 197 * t) * Math.PI) / 180
    const chroma = 0.098 + 0.28 * (t - 0.43) * (t - 0.43)
    table.set(oklab(0.3 + 0.6 * t, chroma * Math.cos(hue), chroma * Math.sin(hue)), 3 * i)
  }
  return table
}

// oklab returns linear sRGB for a lightness of 0 to 1 and the two opponent axes.
function oklab(light: number, a: number, b: number): RGB {
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

// encode brings one channel of linear light to 0 to 255 of sRGB (IEC 61966-2-1).
function encode(x: number): number {
  const c = Math.min(Math.max(x, 0), 1)
  return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055))
}

// mapColor returns the colour of t in 0 to 1 as sRGB bytes; values outside get the end colours.
export function mapColor(t: number): RGB {
  const i = 3 * Math.floor(Math.min(Math.max(t, 0), 1) * (mapSteps - 1) + 0.5)
  return [encode(linearMap[i]!), encode(linearMap[i + 1]!), encode(linearMap[i + 2]!)]
}

export interface ContactState {
  label: string
  color: string
}

// contactStates are the values 0, 1 and 2 of _STATE.
export const contactStates: readonly ContactState[] = [
  { label: 'free', color: '#9fb8d6' },
  { label: 'sticks', color: '#1f6f5c' },
  { label: 'slides', color: '#e07b1e' },
]
