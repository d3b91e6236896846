package yarn

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// penalty returns f = 1/s + s - 2 with s = d²/D² for d < D, and its first two derivatives by s ([Kaldor08]). Below
// leastRatio it goes on as a straight line in s, so that force and stiffness stay finite when centre lines meet.
func penalty(s float64) (f, df, ddf float64) {
	switch {
	case s >= 1:
		return 0, 0, 0
	case s < leastRatio:
		const slope = 1 - 1/(leastRatio*leastRatio)
		return 1/leastRatio + leastRatio - 2 + slope*(s-leastRatio), slope, 0
	}
	return 1/s + s - 2, 1 - 1/(s*s), 2 / (s * s * s)
}

// leastRatio is the s at a tenth of the diameter: nothing in a knit ever comes near.
const leastRatio = 0.01

// material says which pairs of quadrature points can touch: those on different segments, and on one yarn only those at
// least twice the diameter apart along it.
type material struct {
	b       int
	exclude float64   // least distance along one yarn [m]
	yarn    []int32   // of a segment
	arc     []float64 // of a segment: where it begins [m]
	rest    []float64 // its length
	total   []float64 // of a closed yarn: its length; of an open one infinity
}

// newMaterial copies the lengths, because what counts as near along a yarn must not change when rest lengths do.
func newMaterial(lay *layout, b int, radius float64) *material {
	m := &material{b: b, exclude: 4 * radius, yarn: lay.yarn}
	m.arc = append(m.arc, lay.arc...)
	m.rest = append(m.rest, lay.rest...)
	for y := range lay.spans {
		total := math.Inf(1)
		if lay.spans[y].closed {
			total = lay.length(y)
		}
		m.total = append(m.total, total)
	}
	return m
}

// near reports whether some points of segments a < b are too near along a yarn to touch.
func (m *material) near(a, b int) bool {
	if m.yarn[a] != m.yarn[b] {
		return false
	}
	return m.arc[b]-m.arc[a]-m.rest[a] < m.exclude ||
		m.total[m.yarn[a]]-(m.arc[b]+m.rest[b]-m.arc[a]) < m.exclude
}

// window returns the range of points of segment b that point k of segment a < b can touch.
func (m *material) window(a, k, b int) (lo, hi int) {
	along := m.arc[b] - m.arc[a] - m.rest[a]*(float64(k)+0.5)/float64(m.b)
	perPoint := float64(m.b) / m.rest[b]
	first := math.Ceil((m.exclude-along)*perPoint - 0.5)
	last := math.Floor((m.total[m.yarn[a]]-m.exclude-along)*perPoint - 0.5)
	lo = int(min(max(first, 0), float64(m.b)))
	hi = int(min(max(last+1, 0), float64(m.b)))
	return lo, max(lo, hi)
}

// patch is a rectangle in the plane of quadrature points, and what is found there.
type patch struct {
	box          box
	near         bool     // some points are too near along the yarn; the patch is then within one pair of segments
	onA, onB     []r3.Vec // forces on control points are added here,
	a, b         int      // which are those of segments from these on
	rowsA, rowsB []r3.Vec // if not nil, forces without damping are added here, for points of the same segments
	least        float64  // square of the least distance
	touched      box      // the points that touch; empty if none do
	push         r3.Vec   // net force on the first yarn without damping
}

// stripWidth is how many points of the second yarn are held at a time.
const stripWidth = 32

// strip is some points of the second yarn of a patch.
type strip struct {
	first      int // the number of the first one
	points     []r3.Vec
	length     [stripWidth]float64 // of yarn that a point stands for [m]
	force      [stripWidth]r3.Vec  // on it,
	drag       [stripWidth]r3.Vec  // and by damping
	jMin, jMax int                 // of the strip: points that touch
}

// force adds the exact force of the patch on control points, and widens what is known of it.
func (c *contacts) force(p *patch) {
	for lo := int(p.box.jLo); lo < int(p.box.jHi); lo += stripWidth {
		c.forceStrip(p, lo, min(lo+stripWidth, int(p.box.jHi)))
	}
}

func (c *contacts) forceStrip(p *patch, jLo, jHi int) {
	s := strip{first: jLo, points: c.spline.at[jLo:jHi], jMin: stripWidth, jMax: -1}
	segment, k := jLo/c.b, jLo%c.b
	for j := range s.points {
		s.length[j] = c.lay.rest[segment] / float64(c.b)
		segment, k = c.following(segment, k)
	}
	segment, k = int(p.box.iLo)/c.b, int(p.box.iLo)%c.b
	for i := int(p.box.iLo); i < int(p.box.iHi); i++ {
		c.forceRow(p, &s, segment, k)
		segment, k = c.following(segment, k)
	}
	if s.jMax < s.jMin {
		return
	}
	segment, k = (jLo+s.jMin)/c.b, (jLo+s.jMin)%c.b
	for j := s.jMin; j <= s.jMax; j++ {
		if p.rowsB != nil {
			row := &p.rowsB[jLo+j-p.b*c.b]
			*row = row.Add(s.force[j])
		}
		spread(p.onB[segment-p.b:], &c.spline.basis[k], s.force[j].Add(s.drag[j]))
		segment, k = c.following(segment, k)
	}
}

// following returns segment and place of the next quadrature point.
func (c *contacts) following(segment, k int) (int, int) {
	if k+1 < c.b {
		return segment, k + 1
	}
	return segment + 1, 0
}

// forceRow computes the forces between point k of a segment and the points of a strip. That of two points at offset d,
// which stand for lengths l and m of yarn, is 2 k l m / D² (1/s² - 1) d.
func (c *contacts) forceRow(p *patch, s *strip, segment, k int) {
	i := segment*c.b + k
	lo, hi := 0, len(s.points)
	if p.near {
		first, end := c.material.window(segment, k, p.b)
		lo, hi = max(lo, p.b*c.b+first-s.first), min(hi, p.b*c.b+end-s.first)
	}
	diameter2, least := c.diameter2, p.least
	bar := larger(least, diameter2) // pairs at least this far apart tell nothing new
	q := c.spline.at[i]
	length := c.lay.rest[segment] / float64(c.b)
	scale := 2 * c.opt.Stiffness / diameter2 * length
	var sum, drag r3.Vec
	touched := false
	for j := lo; j < hi; j++ {
		r := &s.points[j]
		x, y, z := q.X-r.X, q.Y-r.Y, q.Z-r.Z
		d2 := x*x + y*y + z*z
		if d2 >= bar {
			continue
		}
		if d2 < least {
			least, bar = d2, larger(d2, diameter2)
		}
		if d2 >= diameter2 {
			continue
		}
		inverse := diameter2 / d2
		if inverse > 1/leastRatio {
			inverse = 1 / leastRatio
		}
		g := scale * s.length[j] * (inverse*inverse - 1)
		x, y, z = g*x, g*y, g*z
		sum.X += x
		sum.Y += y
		sum.Z += z
		on := &s.force[j]
		on.X -= x
		on.Y -= y
		on.Z -= z
		if c.damped {
			f := c.damping(i, s.first+j, 2*length*s.length[j])
			drag = drag.Add(f)
			s.drag[j] = s.drag[j].Sub(f)
		}
		touched = true
		s.jMin, s.jMax = min(s.jMin, j), max(s.jMax, j)
	}
	p.least = least
	if !touched {
		return
	}
	p.touch(box{int32(i), int32(i + 1), int32(s.first + s.jMin), int32(s.first + s.jMax + 1)})
	p.push = p.push.Add(sum)
	if p.rowsA != nil {
		row := &p.rowsA[i-p.a*c.b]
		*row = row.Add(sum)
	}
	spread(p.onA[segment-p.a:], &c.spline.basis[k], sum.Add(drag))
}

// touch adds points to those that touch.
func (p *patch) touch(b box) {
	if p.touched != (box{}) {
		b = b.union(&p.touched)
	}
	p.touched = b
}

// spread divides the force on a quadrature point among the control points of its segment, which come first.
func spread(on []r3.Vec, w *[4]float64, f r3.Vec) {
	on = on[:4]
	for m := range on {
		on[m] = on[m].AddScaled(w[m], f)
	}
}

// damping returns the damping force on point i by point j: minus the derivative by its velocity of
// kt |v|² - (kt - kn) (n·v)², v being the relative velocity, times half the weight.
func (c *contacts) damping(i, j int, weight float64) r3.Vec {
	v := c.spline.moving[i].Sub(c.spline.moving[j])
	n := c.spline.at[i].Sub(c.spline.at[j]).Unit()
	kt, kn := c.opt.DampTangent, c.opt.DampNormal
	return v.Scale(-weight*kt).AddScaled(weight*(kt-kn)*n.Dot(v), n)
}
