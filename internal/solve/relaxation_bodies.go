// Nested relaxation of small bodies; symbols as in relaxation.go.
//
// With A of many small bodies, such as letters, D may be A itself: its blocks are those of bodies instead of those of
// vertices, and L = U = 0. Anticipation then is exact, the outer step goes to where was anticipated, and what is left
// to iterate is the inner loop over contacts, which moves whole bodies. That matters where bodies are stiff for their
// step: what a vertex anticipates alone is far from what it does with its body.
//
// A is factored, and of A⁻¹ the columns of those vertices are found that a contact pushes.

package solve

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// mostKept bounds what may be kept of how bodies move, in matrices of 72 bytes.
const mostKept = 1 << 22

// wholes are the bodies of a problem, and how they give way.
type wholes struct {
	*system
	on     bool
	known  *sparse.BSR // the A that what follows is of
	factor sparse.Cholesky
	parts  []sparse.Part
	part   []int32  // by block: its part
	place  []int32  // by block: its place there
	column []int32  // by block: where its columns are in stored, plus one; 0: not found yet
	stored []r3.Mat // columns of A⁻¹

	reached []reach  // those of one contact follow each other
	moves   []r3.Mat // by reach and block of its body: how the block moves under unit impulses of the contact
	first   []int32  // by contact: where its reaches begin, plus one; 0: not found yet
	change  []r3.Vec
}

// reach is a body that a contact touches.
type reach struct {
	part  int32
	moves int32 // where they begin
	last  bool  // of the contact
}

// begin factors A if it is of small bodies only.
func (s *wholes) begin(team *par.Team, allowed bool) {
	s.on = allowed && len(s.list) == 0 && s.a.LargestPart() <= directLimit
	if !s.on {
		s.known = nil
		return
	}
	if !s.given.Again || s.known != s.a {
		s.known = nil
		if s.on = s.factor.Factor(team, s.a, s.fixed) == nil; !s.on {
			return
		}
		s.known = s.a
		s.lay()
	}
	size := 2 * s.a.LargestPart() * s.set.Len()
	for i, p := range s.part {
		if len(s.contactsOf(int32(i))) > 0 {
			size += len(s.parts[p].Blocks)
		}
	}
	s.on = size <= mostKept
	s.first = resized(s.first, s.set.Len())
	clear(s.first)
	s.reached, s.moves = s.reached[:0], s.moves[:0]
}

// lay lists the bodies.
func (s *wholes) lay() {
	n := s.a.N
	s.parts = s.factor.Parts()
	s.part, s.place, s.column, s.change = resized(s.part, n), resized(s.place, n), resized(s.column, n), resized(s.change, n)
	for k := range s.parts {
		for at, i := range s.parts[k].Blocks {
			s.part[i], s.place[i] = int32(k), int32(at)
		}
	}
	clear(s.column)
	s.stored = s.stored[:0]
}

// columnOf returns how the body of block i moves under unit impulses on it.
func (s *wholes) columnOf(i int32) []r3.Mat {
	p := &s.parts[s.part[i]]
	size := len(p.Blocks)
	if s.column[i] == 0 {
		at := len(s.stored)
		s.stored = append(s.stored, make([]r3.Mat, size)...)
		s.factor.Column(p, int(s.place[i]), s.stored[at:])
		s.column[i] = int32(at + 1)
	}
	return s.stored[s.column[i]-1:][:size]
}

// knows tells whether contact c gives way as whole bodies do.
func (s *wholes) knows(c int) bool { return s.first[c] > 0 }

// know has contact c give way as whole bodies do.
func (s *wholes) know(c int) {
	s.first[c] = int32(len(s.reached) + 1)
	row := s.set.Row(c)
	var sum r3.Mat
	for k := range row {
		if part := s.part[row[k].Block]; !s.touchedBefore(row[:k], part) {
			s.reachBody(row, part, &sum)
		}
	}
	s.reached[len(s.reached)-1].last = true
	s.give[c] = sum
	s.resist(c, inverseOf(&sum, s.set, c))
}

// touchedBefore tells whether one of the terms is of a body.
func (s *wholes) touchedBefore(row []contact.Term, part int32) bool {
	return slices.ContainsFunc(row, func(t contact.Term) bool { return s.part[t.Block] == part })
}

// reachBody finds how a body moves under the impulses of a contact with that row, and adds to sum what that gives way.
func (s *wholes) reachBody(row []contact.Term, part int32, sum *r3.Mat) {
	at, size := len(s.moves), len(s.parts[part].Blocks)
	s.moves = append(s.moves, make([]r3.Mat, size)...)
	s.reached = append(s.reached, reach{part: part, moves: int32(at)})
	moves := s.moves[at:]
	for k := range row {
		if s.part[row[k].Block] != part || s.isFixed(row[k].Block) {
			continue
		}
		transposed := row[k].M.T()
		for j, c := range s.columnOf(row[k].Block) {
			d := c.Mul(&transposed)
			moves[j].Add(&d)
		}
	}
	for k := range row {
		if s.part[row[k].Block] == part {
			d := row[k].M.Mul(&moves[s.place[row[k].Block]])
			sum.Add(&d)
		}
	}
}

// move adds to w what a change of the impulse of contact c does.
func (s *wholes) move(c int, change r3.Vec, w []r3.Vec) {
	for k := s.first[c] - 1; ; k++ {
		r := &s.reached[k]
		blocks := s.parts[r.part].Blocks
		moves := s.moves[r.moves:][:len(blocks)]
		for j, i := range blocks {
			w[i] = w[i].Add(moves[j].MulVec(change))
		}
		if r.last {
			return
		}
	}
}

// settle writes the velocities that balance the impulses to w.
func (s *wholes) settle(w []r3.Vec) {
	s.factor.Solve(s.fixed, s.measure.balance, s.change)
	for i := range w {
		w[i] = s.out.V[i].Sub(s.change[i])
	}
}
