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

// tile is a part of the plane of quadrature points within one pair of segments a < b, and what was found there.
type tile struct {
	a, b                   int
	iLo, iHi, jLo, jHi     int // points of a and of b
	forceA, forceB         [4]r3.Vec
	least                  float64 // square of the least distance
	touching               bool
	iMin, iMax, jMin, jMax int      // points that touch, if any
	push                   r3.Vec   // net force on a without damping
	rowsA, rowsB           []r3.Vec // if not nil, forces without damping on the points are added here
}

// stripWidth is how many points of the second segment are held at a time.
const stripWidth = 16

// force adds the exact force of the tile on the control points of its segments, and widens what is known of it.
func (c *contacts) force(t *tile) {
	ca, cb := c.lay.rest[t.a]/float64(c.b), c.lay.rest[t.b]/float64(c.b)
	for lo := t.jLo; lo < t.jHi; lo += stripWidth {
		c.forceStrip(t, lo, min(lo+stripWidth, t.jHi), 2*c.opt.Stiffness*ca*cb/c.diameter2, 2*ca*cb)
	}
}

// forceStrip is force on points jLo to jHi of the second segment: the force of a pair at offset d is
// scale (1/s² - 1) d, its damping weight times the damping stress.
func (c *contacts) forceStrip(t *tile, jLo, jHi int, scale, weight float64) {
	var onB, dragB [stripWidth]r3.Vec
	pb := c.spline.at[t.b*c.b+jLo : t.b*c.b+jHi]
	near := c.material.near(t.a, t.b)
	diameter2, least := c.diameter2, t.least
	bar := max(least, diameter2) // pairs at least this far apart tell nothing new
	jMin, jMax := stripWidth, -1
	for i := t.iLo; i < t.iHi; i++ {
		lo, hi := 0, len(pb)
		if near {
			wLo, wHi := c.material.window(t.a, i, t.b)
			lo, hi = max(0, wLo-jLo), min(hi, wHi-jLo)
		}
		p := c.spline.at[t.a*c.b+i]
		var sum, drag r3.Vec
		touched := false
		for j := lo; j < hi; j++ {
			q := &pb[j]
			x, y, z := p.X-q.X, p.Y-q.Y, p.Z-q.Z
			d2 := x*x + y*y + z*z
			if d2 >= bar {
				continue
			}
			if d2 < least {
				least, bar = d2, max(d2, diameter2)
			}
			if d2 >= diameter2 {
				continue
			}
			inverse := diameter2 / d2
			if inverse > 1/leastRatio {
				inverse = 1 / leastRatio
			}
			g := scale * (inverse*inverse - 1)
			x, y, z = g*x, g*y, g*z
			sum.X += x
			sum.Y += y
			sum.Z += z
			on := &onB[j]
			on.X -= x
			on.Y -= y
			on.Z -= z
			touched = true
			if j < jMin {
				jMin = j
			}
			if j > jMax {
				jMax = j
			}
			if c.damped {
				f := c.damping(t, i, jLo+j, weight)
				drag = drag.Add(f)
				dragB[j] = dragB[j].Sub(f)
			}
		}
		if !touched {
			continue
		}
		t.iMin, t.iMax = min(t.iMin, i), max(t.iMax, i)
		t.push = t.push.Add(sum)
		if t.rowsA != nil {
			t.rowsA[i] = t.rowsA[i].Add(sum)
		}
		spread(&t.forceA, &c.spline.basis[i], sum.Add(drag))
	}
	t.least = least
	if jMax < jMin {
		return
	}
	t.touching = true
	t.jMin, t.jMax = min(t.jMin, jLo+jMin), max(t.jMax, jLo+jMax)
	for j := jMin; j <= jMax; j++ {
		if t.rowsB != nil {
			t.rowsB[jLo+j] = t.rowsB[jLo+j].Add(onB[j])
		}
		f := onB[j]
		if c.damped {
			f = f.Add(dragB[j])
		}
		spread(&t.forceB, &c.spline.basis[jLo+j], f)
	}
}

// clear prepares a tile for adding to.
func (t *tile) clear() {
	t.forceA, t.forceB = [4]r3.Vec{}, [4]r3.Vec{}
	t.least, t.touching = math.Inf(1), false
	t.iMin, t.iMax, t.jMin, t.jMax = math.MaxInt, -1, math.MaxInt, -1
	t.push = r3.Vec{}
}

func spread(on *[4]r3.Vec, w *[4]float64, f r3.Vec) {
	for m := range on {
		on[m] = on[m].AddScaled(w[m], f)
	}
}

// damping returns the damping force on point i of the first segment by point j of the second: minus the derivative by
// its velocity of kt |v|² - (kt - kn) (n·v)², v being the relative velocity.
func (c *contacts) damping(t *tile, i, j int, weight float64) r3.Vec {
	a, b := t.a*c.b+i, t.b*c.b+j
	v := c.spline.moving[a].Sub(c.spline.moving[b])
	n := c.spline.at[a].Sub(c.spline.at[b]).Unit()
	kt, kn := c.opt.DampTangent, c.opt.DampNormal
	return v.Scale(-weight*kt).AddScaled(weight*(kt-kn)*n.Dot(v), n)
}
