// The colours of a film that can show 255 of them.
//
// Sample pictures are counted into cells of 6 bits a channel: wider ones would hide the steps of a soft background. A
// cell weighs the square root of its pixels, so that a large background does not take all colours from a small cloth.
// The cells are then divided into boxes in Oklab [Ottosson20], where distances are about as eyes see them: always the
// box with the largest weighted squared distance from its mean is cut, at the mean, across the axis along which it
// spreads most [Wu91]. The palette are the means, moved by a few rounds of Lloyd's algorithm.
//
// Departure: the axes of the boxes are those of Oklab, and boxes are cut at the mean instead of searching for
// the best place, which costs nothing and is as good after Lloyd's rounds.
//
// Colours are not dithered: pictures are smooth and flat, dots would be seen, would flicker from frame to frame
// and would make the file several times larger.

package draw

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
)

// paletteSize leaves one of 256 entries for "as before".
const paletteSize = 255

// lab is a colour in Oklab.
type lab [3]float64

func (a lab) distance2(b lab) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return x*x + y*y + z*z
}

// toLab returns a colour in Oklab; the inverse is oklab.
func toLab(c linear) lab {
	r, g, b := float64(c.r), float64(c.g), float64(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// swatch is a colour that occurs, and how much it counts.
type swatch struct {
	lab    lab
	weight float64
}

// census counts the colours of pictures.
type census struct {
	sum   [1 << 18][3]float64 // of linear light, by cell
	count [1 << 18]int
}

func (c *census) add(img *image.RGBA) {
	for i := 0; i+3 < len(img.Pix); i += 4 {
		r, g, b := img.Pix[i], img.Pix[i+1], img.Pix[i+2]
		cell := int(r>>2)<<12 | int(g>>2)<<6 | int(b>>2)
		c.count[cell]++
		sum := &c.sum[cell]
		sum[0] += float64(decoded[r])
		sum[1] += float64(decoded[g])
		sum[2] += float64(decoded[b])
	}
}

func (c *census) swatches() []swatch {
	var all []swatch
	for i, n := range c.count {
		if n > 0 {
			k := 1 / float64(n)
			s := c.sum[i]
			mean := linear{float32(s[0] * k), float32(s[1] * k), float32(s[2] * k)}
			all = append(all, swatch{toLab(mean), math.Sqrt(float64(n))})
		}
	}
	return all
}

// moments returns the mean of a box, its squared distance from it, and the axis along which it spreads most.
func moments(box []swatch) (mean lab, spread float64, axis int) {
	weight := 0.0
	for _, s := range box {
		weight += s.weight
		for k := range mean {
			mean[k] += s.weight * s.lab[k]
		}
	}
	for k := range mean {
		mean[k] /= weight
	}
	var along [3]float64
	for _, s := range box {
		for k := range mean {
			d := s.lab[k] - mean[k]
			along[k] += s.weight * d * d
		}
	}
	for k := range along {
		spread += along[k]
		if along[k] > along[axis] {
			axis = k
		}
	}
	return mean, spread, axis
}

// divide returns the means of at most n boxes.
func divide(all []swatch, n int) []lab {
	// colours in a box, with the axis along which they spread
	type part struct {
		box    []swatch
		mean   lab
		spread float64
		axis   int
	}
	newPart := func(box []swatch) part {
		mean, spread, axis := moments(box)
		return part{box, mean, spread, axis}
	}
	// cut the box that spreads most, until there are enough
	parts := []part{newPart(all)}
	for len(parts) < n {
		worst := 0
		for i := range parts {
			if parts[i].spread > parts[worst].spread {
				worst = i
			}
		}
		p := parts[worst]
		if len(p.box) < 2 || !(p.spread > 1e-12) {
			break
		}
		// two halves on both sides of its mean, neither of them empty
		slices.SortStableFunc(p.box, func(a, b swatch) int { return cmp.Compare(a.lab[p.axis], b.lab[p.axis]) })
		cut := 1
		for cut < len(p.box)-1 && p.box[cut].lab[p.axis] < p.mean[p.axis] {
			cut++
		}
		parts[worst] = newPart(p.box[:cut])
		parts = append(parts, newPart(p.box[cut:]))
	}
	// colours of the palette
	means := make([]lab, len(parts))
	for i := range parts {
		means[i] = parts[i].mean
	}
	return means
}

// lloydRounds is how often the colours are moved to the middle of what they stand for.
const lloydRounds = 4

// palette returns the colours for pictures like those counted.
func (c *census) palette() []lab {
	all := c.swatches()
	if len(all) == 0 {
		return []lab{{}}
	}
	means := divide(slices.Clone(all), paletteSize)
	for range lloydRounds {
		sum, weight := make([]lab, len(means)), make([]float64, len(means))
		for _, s := range all {
			i := nearestLab(means, s.lab)
			weight[i] += s.weight
			for k := range s.lab {
				sum[i][k] += s.weight * s.lab[k]
			}
		}
		for i := range means {
			if weight[i] > 0 {
				for k := range means[i] {
					means[i][k] = sum[i][k] / weight[i]
				}
			}
		}
	}
	return means
}

func nearestLab(palette []lab, c lab) int {
	best, least := 0, math.Inf(1)
	for i, p := range palette {
		if d := p.distance2(c); d < least {
			best, least = i, d
		}
	}
	return best
}

// quantizer maps colours to the nearest of a palette.
type quantizer struct {
	labs  []lab
	known []int16 // by 7 bits a channel; -1 where not asked for yet
}

func newQuantizer(palette []lab) *quantizer {
	q := &quantizer{labs: palette, known: make([]int16, 1<<21)}
	for i := range q.known {
		q.known[i] = -1
	}
	return q
}

// index returns the entry of the palette for a colour.
func (q *quantizer) index(r, g, b uint8) uint8 {
	cell := int(r>>1)<<14 | int(g>>1)<<7 | int(b>>1)
	if q.known[cell] < 0 {
		q.known[cell] = int16(nearestLab(q.labs, toLab(fromRGBA(color.RGBA{r, g, b, 0xff}))))
	}
	return uint8(q.known[cell])
}
