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

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// checkPartial says what is wrong with a block that is prescribed in part, of those of A.
func checkPartial(p *contact.Partial, a *sparse.BSR) error {
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

// CheckPartly says what is wrong with blocks that are prescribed in part, of those of A. They must ascend.
func CheckPartly(list []contact.Partial, a *sparse.BSR) error {
	for k := range list {
		if err := checkPartial(&list[k], a); err != nil {
			return err
		}
		if k > 0 && list[k].Block <= list[k-1].Block {
			return fmt.Errorf("block %d is prescribed in part after block %d", list[k].Block, list[k-1].Block)
		}
	}
	return nil
}

// Guide gives blocks that are prescribed in part their velocities where nothing touches: with their diagonal alone in A
// they know of no others. What is not free of them is as in given.
func Guide(a *sparse.BSR, b []r3.Vec, list []contact.Partial, given, v []r3.Vec) {
	for k := range list {
		i, free := list[k].Block, &list[k].Free
		diagonal := &a.Val[a.Diag[i]]
		w := given[i].Sub(free.MulVec(given[i]))
		mobility := inverseWithin(free, diagonal)
		v[i] = balanced(&mobility, diagonal, w, b[i].Neg())
	}
}

// balanced returns w + D (f - A_ii w), the velocity at which a block of which w is prescribed balances f.
func balanced(mobility, diagonal *r3.Mat, w, f r3.Vec) r3.Vec {
	return w.Add(mobility.MulVec(f.Sub(diagonal.MulVec(w))))
}

// partials are the blocks of a problem that are prescribed in part.
type partials struct {
	list     []contact.Partial
	of       []int32  // by block: the index in list plus one, or 0; empty if there are none
	mobility []r3.Mat // by index: D [1/kg]
}

func (g *partials) begin(list []contact.Partial, a *sparse.BSR, fixed []bool) {
	g.list = list
	g.of = g.of[:0]
	if len(list) == 0 {
		return
	}
	if err := CheckPartly(list, a); err != nil {
		panic("solve: " + err.Error())
	}
	g.of, g.mobility = resized(g.of, a.N), resized(g.mobility, len(list))
	clear(g.of)
	for k := range list {
		i := list[k].Block
		if fixed == nil || !fixed[i] {
			g.of[i] = int32(k) + 1
			g.mobility[k] = inverseWithin(&list[k].Free, &a.Val[a.Diag[i]])
		}
	}
}

// within returns P m P, with its mean size where P is not, so that it has an inverse.
func within(free, m *r3.Mat) r3.Mat {
	cut := free.Mul(m)
	cut = cut.Mul(free)
	size := cut.Trace() / math.Round(free.Trace())
	cut.AddDiagonal(size)
	cut.AddScaled(-size, free)
	return cut
}

// inverseWithin returns the pseudo-inverse of P m P.
func inverseWithin(free, m *r3.Mat) r3.Mat {
	cut := within(free, m)
	cut = safeInverse(&cut)
	cut = free.Mul(&cut)
	return cut.Mul(free)
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
