package contact

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// candidate is a contact that has been found, before pruning. Against obstacles it has been moved to a node, but for
// faces against round shapes.
type candidate struct {
	id       ID
	a, b     int32   // points; b may be None
	obstacle int32   // index, or None
	z        float64 // gap at the start [m]
	end      float64 // gap predicted for the end, where the sides meet [m]
	normal   r3.Vec  // from side B to side A
	velocity r3.Vec  // of the obstacle at the node, without its Block [m/s]
	point    r3.Vec  // where the sides meet [m]
	moved    bool    // from there to a node, which may hold while that place does not
	extra    float64 // h_c of this contact, beyond Finder.Thickness [m]
	mapped   bool    // it has a coefficient of friction of its own:
	mu       float64

	row   [4]Share // of points: those of both sides, or of one and the block that an obstacle rides on
	terms int      // how many; 0 for one that was moved to a node
}

// push returns the direction in which the contact pushes a point of its row.
func (c *candidate) push(w Share) r3.Vec {
	if w.W < 0 {
		return c.normal.Neg()
	}
	return c.normal
}

// weigh gives a candidate of two sheets the row of the points of both; sign is −1 if its side A is the second of the
// pair.
func (c *candidate) weigh(k *pair, h *touch, sign float64) {
	one, two := k.shares(h)
	c.addTerms(one, sign)
	c.addTerms(two, -sign)
}

// weighAgainst gives a candidate the row of a point of a sheet against its obstacle.
func (c *candidate) weighAgainst(point [3]Share) {
	c.addTerms(point, 1)
	if c.b != None {
		c.row[c.terms] = Share{c.b, -1}
		c.terms++
	}
}

func (c *candidate) addTerms(point [3]Share, sign float64) {
	for _, n := range point {
		if n.W > 0 {
			c.row[c.terms] = Share{n.Point, sign * n.W}
			c.terms++
		}
	}
}

// weighted tells whether the row is not one of nodes.
func (c *candidate) weighted() bool { return c.terms > 2 || c.terms > 0 && c.obstacle != None }

// predict fills the gap at the end of the step, as the nodes move.
func (f *Finder) predict(c *candidate) {
	m := &f.motion
	d := m.X1[c.a].Sub(m.X0[c.a]).AddScaled(-m.H, c.velocity)
	if c.b != None {
		d = d.Sub(m.X1[c.b].Sub(m.X0[c.b]))
	}
	c.end = c.z + c.normal.Dot(d)
}

// sheetsApart is how much faster sheets are pushed apart than sheets from obstacles. Both sides give way, and what is
// too near in a fold will be across in a few steps.
const sheetsApart = 3

// closed is the difference of a gap from the thickness, in thicknesses, below which the surfaces count as touching
// exactly. Gaps of vertices that rest between two plates differ by roundings and what the solver leaves. Taken at their
// word, the tightest vertex alone would carry the whole force of the plates.
const closed = 1e-4

// gapSpeed returns the gap term g of u_N [m/s], and the speed of the push-out within it.
func (f *Finder) gapSpeed(c *candidate) (g, push float64) {
	h, z, thickness := f.motion.H, c.z, f.Thickness+c.extra
	if math.Abs(z-thickness) <= closed*thickness {
		return 0, 0
	}
	if z > thickness {
		return (z - thickness) / h, 0
	}
	fraction, speed := f.PushFraction, f.PushSpeed
	if c.obstacle == None {
		fraction, speed = min(1, sheetsApart*fraction), sheetsApart*speed
	}
	push = min(fraction*(thickness-z)/h, speed)
	return -push, push
}

// write adds a candidate to the set as the solver sees it.
func (f *Finder) write(c *candidate, set *Set) {
	m := &f.motion
	gap, push := f.gapSpeed(c)
	v0 := m.V0[c.a]
	switch {
	case c.weighted():
		v0 = r3.Vec{}
		for _, w := range c.row[:c.terms] {
			v0 = v0.AddScaled(w.W, m.V0[w.Point])
		}
	case c.b != None:
		v0 = v0.Sub(m.V0[c.b])
	}
	frame := FrameOf(c.normal)
	uf := frame.MulVec(v0.Scale(1 - m.Theta).Sub(c.velocity))
	uf.X += gap
	out := Contact{
		ID:    c.id,
		A:     c.a,
		B:     c.b,
		Frame: frame,
		Mu:    f.muOf(c),
		Uf:    uf.Scale(1 / m.Theta),
		Gap:   c.z,
		Push:  push,
		Point: c.point,
	}
	switch {
	case f.carried && f.carries(c):
		f.writeCarried(c, &out, set)
	case c.weighted():
		f.weights = f.weights[:0]
		for _, w := range c.row[:c.terms] {
			f.weights = append(f.weights, Weight{w.Point, w.W})
		}
		set.AddWeighted(out, f.weights...)
	default:
		set.Add(out)
	}
}

// Carriers returns the blocks that carry a point; none if it is a block itself.
func (f *Finder) Carriers(point int32) []Carrier {
	if int(point) >= len(f.skinOf) || f.skinOf[point] == None {
		return nil
	}
	s := &f.skins[f.skinOf[point]]
	if len(s.Carriers.By) == 0 {
		return nil
	}
	i := point - s.First
	return s.Carriers.By[s.Carriers.Start[i]:s.Carriers.Start[i+1]]
}

// carries tells whether some point of a candidate is no block.
func (f *Finder) carries(c *candidate) bool {
	return f.Carriers(c.a) != nil || c.b != None && f.Carriers(c.b) != nil
}

// writeCarried adds a contact with carried points to the set: W E M at each block that carries a point of weight W.
func (f *Finder) writeCarried(c *candidate, out *Contact, set *Set) {
	f.terms = f.terms[:0]
	row := c.row[:c.terms]
	if len(row) == 0 {
		nodes := [2]Share{{c.a, 1}, {c.b, -1}}
		row = nodes[:]
		if c.b == None {
			row = nodes[:1]
		}
	}
	for _, w := range row {
		carriers := f.Carriers(w.Point)
		if carriers == nil {
			f.addTerm(w.Point, w.W, out.Frame.Scale(w.W))
		}
		for i := range carriers {
			by := &carriers[i]
			m := out.Frame.Mul(&by.M)
			f.addTerm(by.Block, w.W*by.share(), m.Scale(w.W))
		}
	}
	out.A = f.foremost(c.a)
	if c.b != None {
		out.B = f.foremost(c.b)
	}
	set.AddRow(*out, f.terms...)
}

// addTerm adds what a block adds to the velocity of a contact, to what it adds already if it does.
func (f *Finder) addTerm(block int32, w float64, m r3.Mat) {
	for i := range f.terms {
		if t := &f.terms[i]; t.Block == block {
			t.W += w
			t.M.Add(&m)
			return
		}
	}
	f.terms = append(f.terms, Term{block, w, m})
}

// foremost returns the block that stands for a point: itself, or the one that carries most of it.
func (f *Finder) foremost(point int32) int32 {
	carriers := f.Carriers(point)
	if carriers == nil {
		return point
	}
	best := &carriers[0]
	for i := range carriers[1:] {
		if by := &carriers[1+i]; by.share() > best.share() {
			best = by
		}
	}
	return best.Block
}

// degenerate is the distance, in thicknesses, below which the difference of two points is not a direction.
const degenerate = 1e-3

// unitOr returns v as a unit vector, or fallback where v is no longer than least.
func unitOr(v r3.Vec, least float64, fallback r3.Vec) r3.Vec {
	l := v.Norm()
	if !(l > least) || math.IsInf(l, 1) {
		return fallback
	}
	return v.Scale(1 / l)
}
