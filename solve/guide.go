// Guided blocks: a press that a force drives along one axis.
//
// Of the velocity of a guided block only the part along its axis a (unit) is unknown. It has the inertia k = aᵀ A_ii a,
// D_i = a aᵀ/k in place of A_ii⁻¹, and its balance counts along a only:
//
//	v_i = w + a (a·(f - A_ii w))/k,   w = v_i - a (a·v_i) as prescribed.
//
// In A it has its diagonal alone; contacts couple it to the rest, mostly very many of them. So its row is solved apart
// from A's, its contacts are relaxed one after another after all colours, and the preconditioner of a Newton step sees
// it as held: that leaves one direction a guide to GMRES.

package solve

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// Guide lets a block move along one axis only: the other components of its velocity stay as prescribed. The block may
// touch others through contacts, but must have no entry of A besides its diagonal.
type Guide struct {
	Block int32
	Axis  r3.Vec // unit
}

// rails are the guides of a problem, by block.
type rails struct {
	list    []Guide
	of      []int32   // by block: the index in list plus one, or 0; empty if there are no guides
	inertia []float64 // by guide: aᵀ A_ii a [kg]
}

func (g *rails) begin(list []Guide, a *sparse.BSR, fixed []bool) {
	g.list = list
	g.of = g.of[:0]
	if len(list) == 0 {
		return
	}
	g.of, g.inertia = resized(g.of, a.N), resized(g.inertia, len(list))
	clear(g.of)
	for k, guide := range list {
		i := guide.Block
		if i < 0 || int(i) >= a.N || math.Abs(guide.Axis.Norm()-1) > 1e-9 {
			panic(
				fmt.Sprintf(
					"solve: guide of block %d of %d along %v, which must have the length 1",
					i,
					a.N,
					guide.Axis,
				),
			)
		}
		if a.Start[i+1]-a.Start[i] != 1 || g.of[i] != 0 {
			panic(fmt.Sprintf("solve: block %d is guided twice, or has entries besides its diagonal", i))
		}
		if fixed == nil || !fixed[i] {
			g.of[i] = int32(k) + 1
			g.inertia[k] = guide.Axis.Dot(a.Val[a.Diag[i]].MulVec(guide.Axis))
		}
	}
}

// guided returns the index of the guide of block i, or -1.
func (g *rails) guided(i int32) int32 {
	if len(g.of) == 0 {
		return -1
	}
	return g.of[i] - 1
}

// inverse returns D of guide k.
func (g *rails) inverse(k int32) r3.Mat {
	axis := g.list[k].Axis
	return r3.Outer(axis, axis.Scale(1/max(g.inertia[k], math.SmallestNonzeroFloat64)))
}

// across returns v without its part along the axis of guide k.
func (g *rails) across(k int32, v r3.Vec) r3.Vec {
	axis := g.list[k].Axis
	return v.AddScaled(-axis.Dot(v), axis)
}

// along returns the part of v along the axis of guide k.
func (g *rails) along(k int32, v r3.Vec) r3.Vec {
	axis := g.list[k].Axis
	return axis.Scale(axis.Dot(v))
}

// free tells whether block i has no prescribed component.
func (s *Nodal) free(i int32) bool { return !s.isFixed(i) && s.guided(i) < 0 }

// under returns the velocity of block i that balances f, what is prescribed of it kept.
func (s *Nodal) under(i int32, f r3.Vec) r3.Vec {
	if s.isFixed(i) {
		return s.out.V[i]
	}
	if k := s.guided(i); k >= 0 {
		w := s.offAxis[k]
		return w.Add(s.inverse[i].MulVec(f.Sub(s.a.Val[s.a.Diag[i]].MulVec(w))))
	}
	return s.inverse[i].MulVec(f)
}

// prescribe remembers what is prescribed of guided blocks.
func (s *Nodal) prescribe() {
	s.offAxis, s.load = resized(s.offAxis, len(s.list)), resized(s.load, len(s.list))
	for k, guide := range s.list {
		if s.guided(guide.Block) >= 0 {
			s.offAxis[k] = s.across(int32(k), s.out.V[guide.Block])
		}
	}
}

// sweepGuided relaxes the contacts of guided blocks in index order.
func (s *Nodal) sweepGuided() {
	if len(s.guidedTasks) == 0 {
		return
	}
	for k, guide := range s.list {
		s.load[k] = r3.Vec{}
		for n, c := range s.touching(guide.Block) {
			s.load[k] = s.load[k].Add(s.term(guide.Block, n).M.MulVecT(s.out.R[c]))
		}
	}
	for _, c := range s.guidedTasks {
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

// pullGuided is pull for a guided block, of which sweepGuided keeps the sum of its impulses.
func (s *Nodal) pullGuided(k, without int32) r3.Vec {
	i := s.list[k].Block
	f := s.load[k].Sub(s.b[i])
	if without >= 0 {
		f = f.Sub(s.pushOn(i, without))
	}
	return f
}

// shift adds a change of a contact's impulse to the sums on guided blocks.
func (s *Nodal) shift(c int32, change r3.Vec) {
	if len(s.of) == 0 {
		return
	}
	for _, t := range s.set.Row(int(c)) {
		if k := s.guided(t.Block); k >= 0 {
			s.load[k] = s.load[k].Add(t.M.MulVecT(change))
		}
	}
}
