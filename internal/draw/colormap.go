// The colour map of scalars.
//
// A path through Oklab [Ottosson20]: lightness rises in a straight line, so that the map also reads
// in grey and with any kind of colour blindness, while the hue turns from violet over teal to yellow.
// Oklab to linear sRGB, with l m s the cube-rooted cone responses:
//
//	l³ m³ s³ = M₂⁻¹ (L, a, b),   (r, g, b) = M₁⁻¹ (l, m, s)
//
// Invariants: every colour of the map can be shown; relative luminance strictly rises along it.

package draw

import (
	"image/color"
	"math"
)

// linear is a colour in linear sRGB light, 0 to 1.
type linear struct{ r, g, b float32 }

func (c linear) scale(s float32) linear { return linear{c.r * s, c.g * s, c.b * s} }

func (c linear) add(d linear) linear { return linear{c.r + d.r, c.g + d.g, c.b + d.b} }

func (c linear) mul(d linear) linear { return linear{c.r * d.r, c.g * d.g, c.b * d.b} }

// mix returns c for t = 0 and d for t = 1.
func (c linear) mix(d linear, t float32) linear { return c.scale(1 - t).add(d.scale(t)) }

// luminance returns the relative luminance of linear sRGB (Rec. 709 primaries).
func (c linear) luminance() float32 { return 0.2126*c.r + 0.7152*c.g + 0.0722*c.b }

// fromRGBA decodes an sRGB colour; alpha is not looked at.
func fromRGBA(c color.RGBA) linear {
	return linear{decoded[c.R], decoded[c.G], decoded[c.B]}
}

// rgba encodes a colour as sRGB, with what is too bright for the screen cut off.
func (c linear) rgba() color.RGBA {
	return color.RGBA{encode(c.r), encode(c.g), encode(c.b), 0xff}
}

// encodeSteps is fine enough that neighbouring entries of encoded differ by at most one, but for the
// darkest few.
const encodeSteps = 8192

func encode(x float32) uint8 {
	if !(x > 0) {
		return 0
	}
	return encoded[int(min(x, 1)*encodeSteps+0.5)]
}

// decoded and encoded are the sRGB transfer function (IEC 61966-2-1) and its inverse.
var decoded, encoded = transferTables()

func transferTables() (decoded [256]float32, encoded [encodeSteps + 1]uint8) {
	for i := range decoded {
		x := float64(i) / 255
		if x <= 0.04045 {
			decoded[i] = float32(x / 12.92)
		} else {
			decoded[i] = float32(math.Pow((x+0.055)/1.055, 2.4))
		}
	}
	for i := range encoded {
		x := float64(i) / encodeSteps
		if x <= 0.0031308 {
			x *= 12.92
		} else {
			x = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
		encoded[i] = uint8(math.Round(255 * x))
	}
	return decoded, encoded
}

// mapSteps is the length of the colour table; steps are below what an eye can tell apart.
const mapSteps = 512

// mapTable holds the colour map at even steps from 0 to 1.
var mapTable = colourMap()

func colourMap() (table [mapSteps]linear) {
	for i := range table {
		t := float64(i) / (mapSteps - 1)
		hue := (305 - 197*t) * math.Pi / 180
		// The chroma is least at teal, where the screen shows least, and stays inside what it can show
		// all along: the map must not clip, or lightness would no longer be straight.
		chroma := 0.098 + 0.28*(t-0.43)*(t-0.43)
		table[i] = oklab(0.30+0.60*t, chroma*math.Cos(hue), chroma*math.Sin(hue))
	}
	return table
}

// oklab returns a colour given by lightness 0 to 1 and the two opponent axes.
func oklab(light, a, b float64) linear {
	l := light + 0.3963377774*a + 0.2158037573*b
	m := light - 0.1055613458*a - 0.0638541728*b
	s := light - 0.0894841775*a - 1.2914855480*b
	l, m, s = l*l*l, m*m*m, s*s*s
	return linear{
		float32(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		float32(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		float32(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
	}
}

// mapped returns the colour of t in 0 to 1; values outside get the end colours.
func mapped(t float64) linear {
	if t != t {
		return linear{0.40, 0.40, 0.40}
	}
	return mapTable[int(min(max(t, 0), 1)*(mapSteps-1)+0.5)]
}

// MapColor returns the colour that the map gives to t, from 0 (dark violet) to 1 (light yellow); NaN
// is grey.
func MapColor(t float64) color.RGBA { return mapped(t).rgba() }
