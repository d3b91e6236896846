// Package polygon fills polygons with triangles of about the same size.
package polygon

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Filling a polygon: points of an equilateral lattice inside the outline that keep a distance from it, a constrained
// Delaunay triangulation of them and the outline, and a few rounds of moving points to the middle of their
// neighbours where that makes the worst triangle around them better.

const (
	// keep is how far lattice points stay from the outline, relative to the mesh size. Less makes flat triangles
	// at the outline, more makes holes that are filled by long ones.
	keep = 0.62
	// rounds of smoothing; the worst angle settles after three or four.
	rounds = 6
)

// Fill returns triangles, counter-clockwise and with sides of about size, that fill the polygon of the first loop,
// which is counter-clockwise, without the holes of the others. The first points are those of the loops, in order. It
// reports false if loops touch or cross themselves or each other, or if a hole is not inside.
func Fill(loops [][]r3.Vec2, size float64) (at []r3.Vec2, tri [][3]int32, ok bool) {
	var border []r3.Vec2
	var segments []segment
	lengths := make([]int, len(loops))
	for i, loop := range loops {
		for k, a := range loop {
			segments = append(segments, segment{a, loop[(k+1)%len(loop)]})
		}
		border = append(border, loop...)
		lengths[i] = len(loop)
	}
	at = append(border[:len(border):len(border)], lattice(segments, size)...)
	d, ok := triangulate(at, lengths)
	if !ok {
		return nil, nil, false
	}
	used := make([]bool, len(d.at))
	for _, t := range d.tri {
		for _, v := range t {
			used[v] = true
		}
	}
	if slices.Contains(used[:len(at)], false) { // it is outside or in a hole
		return nil, nil, false
	}
	for range rounds {
		d.smooth(len(border), len(at))
	}
	return d.at[:len(at)], d.tri, true
}

type segment struct{ a, b r3.Vec2 }

// lattice returns the points of an equilateral lattice, with rows along x and symmetric about the middle of the
// outline, that lie inside it and keep their distance.
func lattice(border []segment, size float64) []r3.Vec2 {
	low, high := border[0].a, border[0].a
	for _, s := range border {
		low = r3.Vec2{X: min(low.X, s.a.X), Y: min(low.Y, s.a.Y)}
		high = r3.Vec2{X: max(high.X, s.a.X), Y: max(high.Y, s.a.Y)}
	}
	near := newBuckets(border, low, size)
	middle := low.Add(high).Scale(0.5)
	height := size * math.Sqrt(3) / 2
	rows, columns := int((high.Y-low.Y)/2/height)+1, int((high.X-low.X)/2/size)+1
	var out []r3.Vec2
	for row := -rows; row <= rows; row++ {
		y := middle.Y + float64(row)*height
		shift := 0.5 * float64(row&1)
		first := len(out)
		for column := -columns - 1; column <= columns; column++ {
			q := r3.Vec2{X: middle.X + (float64(column)+shift)*size, Y: y}
			if near.distant(q, keep*size) {
				out = append(out, q)
			}
		}
		out = append(out[:first], inside(border, out[first:], y)...)
	}
	return out
}

// inside keeps those of the points, all at height y, that lie in the polygon.
func inside(border []segment, points []r3.Vec2, y float64) []r3.Vec2 {
	if len(points) == 0 {
		return points
	}
	var cross []float64
	for _, s := range border {
		a, b := s.a, s.b
		if (a.Y <= y) != (b.Y <= y) {
			cross = append(cross, a.X+(b.X-a.X)*(y-a.Y)/(b.Y-a.Y))
		}
	}
	kept := points[:0]
	for _, q := range points {
		odd := false
		for _, x := range cross {
			if x < q.X {
				odd = !odd
			}
		}
		if odd {
			kept = append(kept, q)
		}
	}
	return kept
}

// buckets finds the segments of an outline that are near a point.
type buckets struct {
	border []segment
	low    r3.Vec2
	cell   float64
	of     map[[2]int32][]int32 // segments that reach into a cell; never ranged over
}

func newBuckets(border []segment, low r3.Vec2, cell float64) *buckets {
	b := &buckets{border, low, cell, make(map[[2]int32][]int32)}
	for i, s := range border {
		p, q := s.a, s.b
		c0, c1 := b.cellOf(
			r3.Vec2{X: min(p.X, q.X), Y: min(p.Y, q.Y)},
		), b.cellOf(
			r3.Vec2{X: max(p.X, q.X), Y: max(p.Y, q.Y)},
		)
		for x := c0[0]; x <= c1[0]; x++ {
			for y := c0[1]; y <= c1[1]; y++ {
				b.of[[2]int32{x, y}] = append(b.of[[2]int32{x, y}], int32(i))
			}
		}
	}
	return b
}

func (b *buckets) cellOf(q r3.Vec2) [2]int32 {
	return [2]int32{int32(math.Floor((q.X - b.low.X) / b.cell)), int32(math.Floor((q.Y - b.low.Y) / b.cell))}
}

// distant reports whether q is at least r, not more than a cell, away from all segments.
func (b *buckets) distant(q r3.Vec2, r float64) bool {
	c := b.cellOf(q)
	for x := c[0] - 1; x <= c[0]+1; x++ {
		for y := c[1] - 1; y <= c[1]+1; y++ {
			for _, i := range b.of[[2]int32{x, y}] {
				if b.border[i].distance(q) < r {
					return false
				}
			}
		}
	}
	return true
}

func (s segment) distance(q r3.Vec2) float64 {
	e := s.b.Sub(s.a)
	t := min(max(q.Sub(s.a).Dot(e)/e.Dot(e), 0), 1)
	return s.a.Add(e.Scale(t)).Sub(q).Norm()
}

// smooth moves each vertex from first to last to the middle of its neighbours if the worst triangle around it gets
// better, then makes the triangulation Delaunay again.
func (d *triangulation) smooth(first, last int) {
	for v := int32(first); v < int32(last); v++ {
		// round a vertex: its neighbours, and the worst triangle
		start := d.of[v]
		var sum r3.Vec2
		n, before := 0, math.Inf(1)
		for t := start; ; {
			i := d.cornerOf(t, v)
			a, b := d.at[d.tri[t][(i+1)%3]], d.at[d.tri[t][(i+2)%3]]
			before = min(before, quality(d.at[v], a, b))
			sum = sum.Add(a)
			n++
			if t = d.next[t][(i+1)%3]; t == start {
				break
			}
		}
		// to their middle if that is better
		if moved := sum.Scale(1 / float64(n)); d.worst(v, moved) > before {
			d.at[v] = moved
		}
	}
	// all sides may have to be flipped
	for t := range d.tri {
		for k := range int32(3) {
			if d.next[t][k] > int32(t) {
				d.todo = append(d.todo, side{int32(t), k})
			}
		}
	}
	d.flip()
}

// worst returns the least quality of the triangles around v if it were at q.
func (d *triangulation) worst(v int32, q r3.Vec2) float64 {
	least := math.Inf(1)
	start := d.of[v]
	for t := start; ; {
		i := d.cornerOf(t, v)
		least = min(least, quality(q, d.at[d.tri[t][(i+1)%3]], d.at[d.tri[t][(i+2)%3]]))
		if t = d.next[t][(i+1)%3]; t == start {
			return least
		}
	}
}

// quality is 1 for an equilateral triangle, 0 for a flat one, and negative for one turned over: 4√3 area over the
// sum of the squared sides.
func quality(a, b, c r3.Vec2) float64 {
	u, v, w := b.Sub(a), c.Sub(a), c.Sub(b)
	return 2 * math.Sqrt(3) * u.Cross(v) / (u.Dot(u) + v.Dot(v) + w.Dot(w))
}
