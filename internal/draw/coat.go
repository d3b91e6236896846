package draw

import (
	"image"
	"image/color"
	"image/draw"
	"math"
)

// coat is how much of each pixel something covers, before it is painted. How much follows from how deep the middle of
// the pixel is inside, which is smooth and leaves no seams between pieces of a line. Products are rounded before they
// are added, so that all machines get the same.
type coat struct{ mask *image.Alpha }

func newCoat(r image.Rectangle) coat { return coat{image.NewAlpha(r)} }

// paint puts a colour on a picture where the coat covers it.
func (c coat) paint(img *image.RGBA, ink color.Color) {
	draw.DrawMask(img, c.mask.Rect, image.NewUniform(ink), image.Point{}, c.mask, c.mask.Rect.Min, draw.Over)
}

// line covers what is within half a width of a line through the given points; one point is a dot.
func (c coat) line(points [][2]float64, width float64) {
	if len(points) == 1 {
		c.segment(points[0], points[0], width/2)
	}
	for i := 1; i < len(points); i++ {
		c.segment(points[i-1], points[i], width/2)
	}
}

// segment covers what is within a distance of the segment from a to b.
func (c coat) segment(a, b [2]float64, reach float64) {
	dx, dy := b[0]-a[0], b[1]-a[1]
	length2 := float64(dx*dx) + float64(dy*dy)
	c.cover(
		min(a[0], b[0])-reach, min(a[1], b[1])-reach, max(a[0], b[0])+reach, max(a[1], b[1])+reach,
		func(x, y float64) float64 {
			px, py := x-a[0], y-a[1]
			if length2 > 0 {
				t := min(max((float64(px*dx)+float64(py*dy))/length2, 0), 1)
				px, py = px-float64(t*dx), py-float64(t*dy)
			}
			return reach - math.Sqrt(float64(px*px)+float64(py*py))
		},
	)
}

// stamp covers a circle, or a polygon of nearly its area.
func (c coat) stamp(f form, at [2]float64, radius float64) {
	// circle
	if f.sides == 0 {
		c.segment(at, at, radius)
		return
	}
	// directions of its sides
	inner := radius * []float64{3: 0.68, 4: 0.9}[f.sides]
	sides := make([][2]float64, f.sides)
	for i := range sides {
		sin, cos := math.Sincos(f.turn + (float64(i)+0.5)*2*math.Pi/float64(f.sides))
		sides[i] = [2]float64{cos, sin}
	}
	c.cover(at[0]-2*radius, at[1]-2*radius, at[0]+2*radius, at[1]+2*radius, func(x, y float64) float64 {
		depth := math.Inf(1)
		for _, n := range sides {
			depth = min(depth, inner-float64((x-at[0])*n[0])-float64((y-at[1])*n[1]))
		}
		return depth
	})
}

// cover goes over the pixels of a box, to each of which belongs how deep its middle is inside of what is drawn.
func (c coat) cover(x0, y0, x1, y1 float64, depth func(x, y float64) float64) {
	r := image.Rect(int(math.Floor(x0))-1, int(math.Floor(y0))-1, int(math.Ceil(x1))+1, int(math.Ceil(y1))+1)
	r = r.Intersect(c.mask.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if d := depth(float64(x)+0.5, float64(y)+0.5) + 0.5; d > 0 {
				at := &c.mask.Pix[c.mask.PixOffset(x, y)]
				*at = max(*at, uint8(math.Round(255*min(d, 1))))
			}
		}
	}
}

// band covers what is between two edges that have the same x, column by column.
func (c coat) band(upper, lower [][2]float64) {
	r := c.mask.Rect
	for i := 1; i < len(upper); i++ {
		a, b := i-1, i
		if upper[a][0] > upper[b][0] {
			a, b = b, a
		}
		x0, x1 := upper[a][0], upper[b][0]
		for x := max(int(math.Floor(x0)), r.Min.X); x < min(int(math.Ceil(x1)), r.Max.X); x++ {
			// the part of the column between both points, and the edges in its middle
			from, to := max(x0, float64(x)), min(x1, float64(x+1))
			t := ((from+to)/2 - x0) / (x1 - x0)
			y0 := upper[a][1] + float64(t*(upper[b][1]-upper[a][1]))
			y1 := lower[a][1] + float64(t*(lower[b][1]-lower[a][1]))
			c.column(x, to-from, min(y0, y1), max(y0, y1))
		}
	}
}

// column adds a part of a column of pixels, from y0 down to y1.
func (c coat) column(x int, part, y0, y1 float64) {
	r := c.mask.Rect
	for y := max(int(math.Floor(y0)), r.Min.Y); y < min(int(math.Ceil(y1)), r.Max.Y); y++ {
		share := part * (min(y1, float64(y+1)) - max(y0, float64(y)))
		at := &c.mask.Pix[c.mask.PixOffset(x, y)]
		*at = uint8(min(float64(*at)+math.Round(255*share), 255))
	}
}

// dashes cuts a line into pieces by a pattern of lengths: drawn, left out, drawn, and so on.
func dashes(points [][2]float64, pattern []float64) (out [][][2]float64) {
	if len(points) == 1 {
		return [][][2]float64{points}
	}
	piece, k, left := points[:1:1], 0, pattern[0]
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length, done := math.Hypot(b[0]-a[0], b[1]-a[1]), 0.0
		// ends of pieces on this segment
		for length-done > left {
			done += left
			t := done / length
			at := [2]float64{snap(a[0] + float64(t*(b[0]-a[0]))), snap(a[1] + float64(t*(b[1]-a[1])))}
			if k%2 == 0 {
				out = append(out, append(piece, at))
			}
			piece, k = [][2]float64{at}, k+1
			left = pattern[k%len(pattern)]
		}
		left -= length - done
		piece = append(piece, b)
	}
	if k%2 == 0 {
		out = append(out, piece)
	}
	return out
}
