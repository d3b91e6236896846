// Blocks that are prescribed in part: a press that a force drives along one axis, a bead that slides in a plane.
//
// Of the velocity of such a block the part P v is unknown, P a projector of rank one or two, and the rest is
// prescribed. It has D = (P A_ii P)⁺, the pseudo-inverse, in place of A_ii⁻¹, and its balance counts in the range of
// P only:
//
//	v_i = w + D (f - A_ii w),   w = v_i - P v_i as prescribed.
//
// In A it has its diagonal alone; contacts couple it to the rest, mostly very many of them. So its row is solved apart
// from A's, its contacts are relaxed one after another after all colours, and the preconditioner of a Newton step sees
// it as held: that leaves one or two directions a block to GMRES.

package solve

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Partial is a block that is prescribed in part: what is not in the range of Free of its velocity stays as it is given.
// The block may touch others through contacts, but must have no entry of A besides its diagonal.
type Partial struct {
	Block int32
	Free  r3.Mat // a symmetric projector of rank 1 or 2
}

// Along returns the block that is free along one axis, of unit length.
func Along(block int32, axis r3.Vec) Partial { return Partial{block, r3.Outer(axis, axis)} }

// Within returns the block that is free in the plane with the given unit normal.
func Within(block int32, normal r3.Vec) Partial {
	free := r3.Identity()
	free.AddOuter(-1, normal, normal)
	return Partial{block, free}
}

// Validate says what is wrong with the block, of those of A.
func (p *Partial) Validate(a *sparse.BSR) error {
	if p.Block < 0 || int(p.Block) >= a.N {
		return fmt.Errorf("block %d is prescribed in part, but is not one of the %d blocks", p.Block, a.N)
	}
	const rounding = 1e-9
	off := p.Free.Mul(&p.Free)
	off.AddScaled(-1, &p.Free)
	rank := p.Free.Trace()
	switch {
	case p.Free != p.Free.T() || !(off.MaxAbs() <= rounding) ||
		!(math.Abs(rank-1) <= rounding || math.Abs(rank-2) <= rounding):
		return fmt.Errorf("what is free of block %d is no symmetric projector of rank 1 or 2: %v", p.Block, p.Free)
	case a.Start[p.Block+1]-a.Start[p.Block] != 1:
		return errors.New("a block that is prescribed in part has entries besides its diagonal")
	}
	return nil
}

// partials are the blocks of a problem that are prescribed in part.
type partials struct {
	list     []Partial
	of       []int32  // by block: the index in list plus one, or 0; empty if there are none
	mobility []r3.Mat // by index: D [1/kg]
}

func (g *partials) begin(list []Partial, a *sparse.BSR, fixed []bool) {
	g.list = list
	g.of = g.of[:0]
	if len(list) == 0 {
		return
	}
	g.of, g.mobility = resized(g.of, a.N), resized(g.mobility, len(list))
	clear(g.of)
	for k := range list {
		if err := list[k].Validate(a); err != nil {
			panic("solve: " + err.Error())
		}
		i := list[k].Block
		if g.of[i] != 0 {
			panic(fmt.Sprintf("solve: block %d is prescribed in part twice", i))
		}
		if fixed == nil || !fixed[i] {
			g.of[i] = int32(k) + 1
			g.mobility[k] = list[k].inverse(&a.Val[a.Diag[i]])
		}
	}
}

// within returns P m P, with its mean size where P is not, so that it has an inverse.
func (p *Partial) within(m *r3.Mat) r3.Mat {
	cut := p.Free.Mul(m)
	cut = cut.Mul(&p.Free)
	size := cut.Trace() / math.Round(p.Free.Trace())
	cut.AddDiagonal(size)
	cut.AddScaled(-size, &p.Free)
	return cut
}

// inverse returns the pseudo-inverse of P m P.
func (p *Partial) inverse(m *r3.Mat) r3.Mat {
	cut := p.within(m)
	cut = safeInverse(&cut)
	cut = p.Free.Mul(&cut)
	return cut.Mul(&p.Free)
}

// partly returns the index of block i among those that are prescribed in part, or -1.
func (g *partials) partly(i int32) int32 {
	if len(g.of) == 0 {
		return -1
	}
	return g.of[i] - 1
}

// prescribed returns what is prescribed of the velocity v of block k.
func (g *partials) prescribed(k int32, v r3.Vec) r3.Vec { return v.Sub(g.list[k].Free.MulVec(v)) }

// along returns the part of v that is free of block k.
func (g *partials) along(k int32, v r3.Vec) r3.Vec { return g.list[k].Free.MulVec(v) }

// free tells whether block i has no prescribed component.
func (s *Nodal) free(i int32) bool { return !s.isFixed(i) && s.partly(i) < 0 }

// under returns the velocity of block i that balances f, what is prescribed of it kept.
func (s *Nodal) under(i int32, f r3.Vec) r3.Vec {
	if s.isFixed(i) {
		return s.out.V[i]
	}
	if k := s.partly(i); k >= 0 {
		w := s.rest[k]
		return w.Add(s.inverse[i].MulVec(f.Sub(s.a.Val[s.a.Diag[i]].MulVec(w))))
	}
	return s.inverse[i].MulVec(f)
}

// prescribe remembers what is prescribed of blocks that are prescribed in part.
func (s *Nodal) prescribe() {
	s.rest, s.load = resized(s.rest, len(s.list)), resized(s.load, len(s.list))
	for k, part := range s.list {
		if s.partly(part.Block) >= 0 {
			s.rest[k] = s.prescribed(int32(k), s.out.V[part.Block])
		}
	}
}

// sweepPartly relaxes the contacts of blocks that are prescribed in part in index order.
func (s *Nodal) sweepPartly() {
	if len(s.partlyTasks) == 0 {
		return
	}
	for k, part := range s.list {
		s.load[k] = r3.Vec{}
		for n, c := range s.touching(part.Block) {
			s.load[k] = s.load[k].Add(s.term(part.Block, n).M.MulVecT(s.out.R[c]))
		}
	}
	for _, c := range s.partlyTasks {
		if s.splitting {
			s.relaxCopies(c)
		} else {
			s.relaxContact(c)
		}
	}
}

// wanderShare is the share of all normal impulses by which one may change before the division of a press's force is
// looked at again.
const wanderShare = 0.02

// stayNear keeps the force of a press divided as it was. A press divides it among its contacts in many ways that all
// balance; sets that had to be looked for may end in another one than the last step's, such as one contact that carries
// most, and sheets slip where nothing presses any more. The proximal method goes to a solution near where it starts. Of
// the two, the one that changes the impulses less is taken.
func (s *Nodal) stayNear(team *par.Team) {
	change := s.wandered()
	if len(s.list) == 0 || !s.out.Converged || change <= wanderShare || slices.Contains(s.out.Infeasible, true) {
		return
	}
	s.keep()
	steps := s.out.Newton + s.MaxNewton
	if !s.proximal(team, steps) || s.wandered() >= change {
		clear(s.out.Infeasible)
		s.restore()
		s.assess(team)
	}
}

// wandered returns the largest change of a normal impulse since the solve began, over the sum of all; 0 if there were
// none.
func (s *Nodal) wandered() float64 {
	most, sum := 0.0, 0.0
	for c := range s.begun {
		most, sum = max(most, math.Abs(s.out.R[c].X-s.begun[c].X)), sum+math.Abs(s.begun[c].X)
	}
	if sum == 0 {
		return 0
	}
	return most / sum
}

// pushOn returns the impulse of contact c on block i.
func (s *Nodal) pushOn(i, c int32) r3.Vec { return s.termOf(i, c).M.MulVecT(s.out.R[c]) }

// termOf returns the term of block i in the row of contact c.
func (s *Nodal) termOf(i, c int32) *contact.Term {
	row := s.set.Row(int(c))
	for k := range row {
		if row[k].Block == i {
			return &row[k]
		}
	}
	panic("solve: a contact is listed at a block that it does not touch")
}

// pullPartly is pull for a block that is prescribed in part, of which sweepPartly keeps the sum of its impulses.
func (s *Nodal) pullPartly(k, without int32) r3.Vec {
	i := s.list[k].Block
	f := s.load[k].Sub(s.b[i])
	if without >= 0 {
		f = f.Sub(s.pushOn(i, without))
	}
	return f
}

// shift adds a change of a contact's impulse to the sums on blocks that are prescribed in part.
func (s *Nodal) shift(c int32, change r3.Vec) {
	if len(s.of) == 0 {
		return
	}
	for _, t := range s.set.Row(int(c)) {
		if k := s.partly(t.Block); k >= 0 {
			s.load[k] = s.load[k].Add(t.M.MulVecT(change))
		}
	}
}
