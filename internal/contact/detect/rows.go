package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// From candidates to rows.

// skinsApart is how much faster skins are pushed apart than skins from obstacles. Both sides give way, and what is
// too near in a fold will be across in a few steps.
const skinsApart = 3

// exactly is the difference of a gap from the thickness, in thicknesses, below which it counts as none. Gaps of
// vertices that rest between two plates differ by roundings and what the solver leaves. Taken at their word, the
// tightest vertex alone would carry the whole force of the plates.
const exactly = 1e-4

// fading is how fast the push-out from rigid and soft bodies may fade [m/s²]: by fraction times speed a step. It is a
// tenth of what holds things together on earth. A push that fades faster than they fall makes them hop, and what hops
// slides, though friction would hold it.
const fading = 1.0

// writer writes candidates into a set, as the solver sees them.
type writer struct {
	*scene
	rules   *rules
	weights []contact.Weight
	terms   []contact.Term
}

// gapSpeed returns the gap term g of u_N [m/s], and the speed of the push-out within it.
func (wr *writer) gapSpeed(c *candidate) (g, push float64) {
	h, z, thickness := wr.motion.H, c.z, wr.Thickness+c.extra
	if math.Abs(z-thickness) <= exactly*thickness {
		return 0, 0
	}
	if z > thickness {
		return (z - thickness) / h, 0
	}
	fraction, speed := wr.PushFraction, wr.PushSpeed
	if c.obstacle == contact.None {
		fraction, speed = min(1, skinsApart*fraction), skinsApart*speed
	}
	if wr.hasBulk(c.a) || wr.hasBulk(c.b) {
		speed = min(speed, fading*h/fraction)
	}
	push = min(fraction*(thickness-z)/h, speed)
	return -push, push
}

// write adds a candidate to the set as the solver sees it.
func (wr *writer) write(c *candidate, set *contact.Set) {
	m := &wr.motion
	// gap term and frame of the contact, and whether its points are carried
	gap, push := wr.gapSpeed(c)
	frame := contact.FrameOf(c.normal)
	patch := wr.rules.shares[c.patch[0]:c.patch[1]]
	carried := len(patch) > 0 || wr.carried && wr.carries(c)
	// velocity at the start, of what moves
	var v0 r3.Vec
	if carried {
		if len(patch) > 0 {
			wr.gatherSmooth(c, patch, &frame)
		} else {
			wr.gather(c, &frame)
		}
		v0 = frame.MulVecT(wr.gatheredVelocity())
	} else {
		v0 = wr.nodeVelocity(c)
	}
	// u at v = 0, in the frame
	uf := frame.MulVec(v0.Scale(1 - m.Theta).Sub(c.velocity))
	uf.X += gap
	out := contact.Contact{
		ID:    c.id,
		A:     c.a,
		B:     c.b,
		Frame: frame,
		Mu:    wr.muOf(c),
		Uf:    uf.Scale(1 / m.Theta),
		Gap:   c.z,
		Push:  push,
		Point: c.point,
	}
	// as a row of carriers, of several nodes, or of one node at either side
	switch {
	case carried:
		out.A = wr.foremost(c.a)
		if c.b != contact.None {
			out.B = wr.foremost(c.b)
		}
		set.AddRow(out, wr.terms...)
	case c.weighted():
		wr.weights = wr.weights[:0]
		for _, w := range c.row[:c.terms] {
			wr.weights = append(wr.weights, contact.Weight{Block: w.Point, W: w.W})
		}
		set.AddWeighted(out, wr.weights...)
	default:
		set.Add(out)
	}
}

// nodeVelocity returns the velocity of a candidate at the start, if all of its points are blocks.
func (wr *writer) nodeVelocity(c *candidate) r3.Vec {
	v := wr.motion.V0
	switch {
	case c.weighted():
		var sum r3.Vec
		for _, w := range c.row[:c.terms] {
			sum = sum.AddScaled(w.W, v[w.Point])
		}
		return sum
	case c.b != contact.None:
		return v[c.a].Sub(v[c.b])
	}
	return v[c.a]
}

// gatheredVelocity returns what the gathered terms make of the velocities of blocks at the start, in their frame.
func (wr *writer) gatheredVelocity() r3.Vec {
	var sum r3.Vec
	for i := range wr.terms {
		t := &wr.terms[i]
		sum = sum.Add(t.M.MulVec(wr.motion.V0[t.Block]))
	}
	return sum
}

// carries tells whether some point of a candidate is no block.
func (wr *writer) carries(c *candidate) bool {
	return wr.carriers(c.a) != nil || c.b != contact.None && wr.carriers(c.b) != nil
}

// gather makes the terms of a contact with carried points: W E M at each block that carries a point of weight W.
func (wr *writer) gather(c *candidate, frame *r3.Mat) {
	wr.terms = wr.terms[:0]
	// points and their weights; without a row they are the nodes themselves
	row := c.row[:c.terms]
	if len(row) == 0 {
		nodes := [2]contact.Share{{Point: c.a, W: 1}, {Point: c.b, W: -1}}
		row = nodes[:]
		if c.b == contact.None {
			row = nodes[:1]
		}
	}
	// arms from the points of either side to where friction acts
	arms := wr.arms(c, row)
	for _, w := range row {
		// a point that nothing carries is a block itself
		carriers := wr.carriers(w.Point)
		if carriers == nil {
			wr.addTerm(w.Point, w.W, frame.Scale(w.W))
		}
		arm := arms[0]
		if w.W < 0 {
			arm = arms[1]
		}
		// how each carrier moves the point, and the place beside it if it is a spin
		for i := range carriers {
			by := &carriers[i]
			m := by.M
			if by.PerLength > 0 {
				further := r3.Cross(arm.Neg())
				m.AddScaled(by.PerLength, &further)
			}
			m = frame.Mul(&m)
			wr.addTerm(by.Block, w.W*by.Share(), m.Scale(w.W))
		}
	}
}

// arms returns how far from the points of either side of a contact the place is at which friction acts on it. Points of
// bodies that turn are a thickness from what they touch; if each were pushed at its own, friction would make a torque.
// So both are pushed at one place: that of the other side if it cannot turn, and half way if it can. Against obstacles
// a point is pushed where it is. What is round is pushed at its surface.
func (wr *writer) arms(c *candidate, row []contact.Share) (arms [2]r3.Vec) {
	if c.obstacle != contact.None {
		return [2]r3.Vec{c.normal.Scale(-c.radii[0])}
	}
	var at [2]r3.Vec
	var turns [2]bool
	for _, w := range row {
		side := 0
		if w.W < 0 {
			side = 1
		}
		at[side] = at[side].AddScaled(math.Abs(w.W), wr.motion.X0[w.Point])
		for _, by := range wr.carriers(w.Point) {
			turns[side] = turns[side] || by.PerLength > 0
		}
	}
	surface := [2]r3.Vec{c.surface(at[0]), at[1].AddScaled(c.radii[1], c.normal)}
	place := surface[0].Lerp(surface[1], 0.5)
	switch {
	case !turns[0]:
		place = surface[0]
	case !turns[1]:
		place = surface[1]
	}
	return [2]r3.Vec{place.Sub(at[0]), place.Sub(at[1])}
}

// addTerm adds what a block adds to the velocity of a contact, to what it adds already if it does.
func (wr *writer) addTerm(block int32, w float64, m r3.Mat) {
	for i := range wr.terms {
		if t := &wr.terms[i]; t.Block == block {
			t.W += w
			t.M.Add(&m)
			return
		}
	}
	wr.terms = append(wr.terms, contact.Term{Block: block, W: w, M: m})
}

// foremost returns the block that stands for a point: itself, or the one that carries most of it.
func (wr *writer) foremost(point int32) int32 {
	carriers := wr.carriers(point)
	if carriers == nil {
		return point
	}
	best := &carriers[0]
	for i := range carriers[1:] {
		if by := &carriers[1+i]; by.Share() > best.Share() {
			best = by
		}
	}
	return best.Block
}
