// Looking for the proof of a contradiction (contradiction.go).
//
// Of the rows a_k of what may contradict itself, u_k = a_k · v + q_k, the violation in the least squares
//
//	f(v) = ½ Σ w_k²,   w_k = max(0, -u_k) (a contact),   w_k = -u_k (a component of a tie)
//
// is a proof where its minimum is not zero: ∇f = -Σ a_k w_k = 0 and w · q = w · u - (Σ a_k w_k) · v = -Σ w_k² < 0. All
// that belongs to some smallest contradiction that is violated there is in it, and what is not in it can hold: at that
// v it does. If the minimum is zero, everything can hold.
//
// f is convex and made of parabolas. Its minimum is found by Newton steps on the rows that are violated, with a line
// search, which end after finitely many; to make them unique, ½ ε ‖v - c‖² is added, and c is moved to where they end
// [Rockafellar76]. What this leaves of Σ a_k w_k is then taken from w, over the rows with w_k > 0, the same way.

package solve

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

const (
	// ε begins with refuteSlack and falls by slackFalls for each centre, down to leastSlack; rows have lengths of about
	// 1.
	refuteSlack, slackFalls, leastSlack = 1e-6, 0.1, 1e-11
	// mostCentres, mostRefuting and mostPolishing bound the moves of c, the Newton steps for each, and the corrections
	// of w.
	mostCentres, mostRefuting, mostPolishing = 12, 60, 12
	// noViolation is the share of the largest violation below which one is none.
	noViolation = 1e-8
	// feltShare is the share of what a proof may leave that is left here.
	feltShare = 0.1
)

// refuter looks for proofs that contacts contradict each other.
type refuter struct {
	*system
	asked []bool // by contact: it was looked at

	rows   []normalRow
	terms  []normalTerm
	parts  int32   // sets of rows that share no block
	blocks []int32 // by index: the block
	partOf []int32 // by index: the part
	index  []int32 // by block: its index, or -1

	slack  float64 // ε
	matrix *sparse.BSR
	factor sparse.Cholesky
	v, at  []r3.Vec  // by index: where f is looked at, and where it was
	centre []r3.Vec  // by index: c
	slope  []r3.Vec  // by index: of f; then the step
	w      []float64 // by row
	found  []float64 // by row: w where f is least
	most   []float64 // by part: the largest of w
	sum    []r3.Vec  // by index: Σ a_k w_k
	sizes  []float64 // by index: Σ |a_k w_k|
}

// normalRow is one component of a contact.
type normalRow struct {
	contact  int32
	part     int32
	axis     int
	from, to int32 // its terms
	tied     bool
	offset   float64 // q [m/s]
}

// normalTerm is what a row feels of a block, by its index.
type normalTerm struct {
	block int32
	n     r3.Vec
}

// begin forgets what was looked at in another problem.
func (s *refuter) begin() {
	s.asked = resized(s.asked, s.set.Len())
	clear(s.asked)
}

// refute looks for proofs that contacts contradict each other, among those given and all that is joined to them, and
// adds them to that of the answer. It reports whether some contact is in one. Feasibility does not change while a
// problem is solved, so that no contact is looked at twice.
func (s *refuter) refute(suspects []int32) bool {
	s.gather(suspects)
	if len(s.rows) == 0 || !s.minimise() || !s.contradictsContact() {
		return false
	}
	for k := range s.rows {
		addAlong(&s.out.Proof[s.rows[k].contact], s.rows[k].axis, s.w[k])
	}
	return true
}

// contradictsContact reports whether a contact is in the proof, and not ties alone.
func (s *refuter) contradictsContact() bool {
	for k := range s.rows {
		if s.w[k] != 0 && !s.rows[k].tied {
			return true
		}
	}
	return false
}

// addAlong adds to a component of x.
func addAlong(x *r3.Vec, axis int, by float64) {
	switch axis {
	case 0:
		x.X += by
	case 1:
		x.Y += by
	default:
		x.Z += by
	}
}

// gather lists the rows of the suspects and of all that is joined to them by blocks that can move, part by part.
func (s *refuter) gather(suspects []int32) {
	s.rows, s.terms, s.blocks, s.partOf, s.parts = s.rows[:0], s.terms[:0], s.blocks[:0], s.partOf[:0], 0
	s.index = resized(s.index, s.a.N)
	for i := range s.index {
		s.index[i] = -1
	}
	var queue []int32
	for _, first := range suspects {
		if s.asked[first] {
			continue
		}
		s.asked[first] = true
		queue = append(queue[:0], first)
		for at := 0; at < len(queue); at++ {
			s.addRows(queue[at])
			for _, t := range s.set.Row(int(queue[at])) {
				if s.isFixed(t.Block) {
					continue
				}
				for _, d := range s.contactsOf(t.Block) {
					if !s.asked[d] && s.measure.scale[d] > 0 && !s.inProof(int(d)) {
						s.asked[d] = true
						queue = append(queue, d)
					}
				}
			}
		}
		s.parts++
	}
	pattern := sparse.NewPattern(len(s.blocks))
	var nodes []int32
	for _, r := range s.rows {
		nodes = nodes[:0]
		for _, t := range s.terms[r.from:r.to] {
			nodes = append(nodes, t.block)
		}
		pattern.Add(nodes...)
	}
	s.matrix = pattern.Build()
	n := len(s.blocks)
	s.v, s.at, s.centre, s.slope = resized(s.v, n), resized(s.at, n), resized(s.centre, n), resized(s.slope, n)
	s.sum, s.sizes, s.most = resized(s.sum, n), resized(s.sizes, n), resized(s.most, int(s.parts))
	s.w, s.found = resized(s.w, len(s.rows)), resized(s.found, len(s.rows))
}

// addRows adds what contact c asks for.
func (s *refuter) addRows(c int32) {
	tied, has := s.laws[c].tied, [3]bool{true}
	if tied {
		has = s.set.Has(int(c))
	}
	uf := s.set.Contacts[c].Uf
	for axis, offset := range [3]float64{uf.X, uf.Y, uf.Z} {
		if !has[axis] {
			continue
		}
		row := normalRow{contact: c, part: s.parts, axis: axis, from: int32(len(s.terms)), tied: tied}
		for _, t := range s.set.Row(int(c)) {
			n := [3]r3.Vec{{X: t.M.XX, Y: t.M.XY, Z: t.M.XZ}, {X: t.M.YX, Y: t.M.YY, Z: t.M.YZ}, {X: t.M.ZX, Y: t.M.ZY, Z: t.M.ZZ}}[axis]
			moves := n
			if s.isFixed(t.Block) {
				moves = r3.Vec{}
			} else if k := s.partly(t.Block); k >= 0 {
				moves = s.partials.along(k, n)
			}
			offset += n.Sub(moves).Dot(s.out.V[t.Block])
			if moves != (r3.Vec{}) {
				s.terms = append(s.terms, normalTerm{s.indexOf(t.Block), moves})
			}
		}
		row.to, row.offset = int32(len(s.terms)), offset
		s.rows = append(s.rows, row)
	}
}

func (s *refuter) indexOf(block int32) int32 {
	if s.index[block] < 0 {
		s.index[block] = int32(len(s.blocks))
		s.blocks, s.partOf = append(s.blocks, block), append(s.partOf, s.parts)
	}
	return s.index[block]
}

// minimise minimises f, and reports whether w is a proof then, of what it is not zero at.
func (s *refuter) minimise() bool {
	for i, block := range s.blocks {
		s.v[i] = s.out.V[block]
	}
	s.slack = refuteSlack
	for k := range mostCentres {
		if s.measure.Team.Stopped() {
			return false
		}
		copy(s.centre, s.v)
		s.descend()
		copy(s.found, s.w)
		if !s.dropSmall(s.given.target()) { // the speed of a proof is no larger than its violations
			return false
		}
		if s.polish() || k == mostCentres-1 {
			return s.proven()
		}
		copy(s.w, s.found)
		s.slack = max(slackFalls*s.slack, leastSlack)
	}
	return false
}

// dropSmall has w be zero in parts in which it is nowhere above a bound, and reports whether one is left.
func (s *refuter) dropSmall(than float64) bool {
	s.findMost()
	some := false
	for k := range s.w {
		if most := s.most[s.rows[k].part]; most <= than || math.Abs(s.w[k]) < noViolation*most {
			s.w[k] = 0
		} else {
			some = true
		}
	}
	return some
}

// findMost finds the largest of w by part.
func (s *refuter) findMost() {
	clear(s.most)
	for k, w := range s.w {
		part := s.rows[k].part
		s.most[part] = max(s.most[part], math.Abs(w))
	}
}

// descend takes Newton steps until a whole one leaves the rows that are violated the same.
func (s *refuter) descend() {
	value := s.value()
	for range mostRefuting {
		if s.measure.Team.Stopped() {
			return
		}
		s.differentiate()
		if s.factor.Factor(nil, s.matrix, nil) != nil {
			return
		}
		s.factor.Solve(nil, s.slope, s.slope)
		copy(s.at, s.v)
		before := append([]float64(nil), s.w...)
		lower, tries := false, 0
		for t := 1.0; tries < pathHalvings && !lower; t, tries = t/2, tries+1 {
			for i := range s.v {
				s.v[i] = s.at[i].AddScaled(-t, s.slope[i])
			}
			next := s.value()
			if lower = next < value; lower {
				value = next
			}
		}
		if !lower {
			copy(s.v, s.at)
			s.value()
			return
		}
		if tries == 1 && sameRows(before, s.w) {
			return
		}
	}
}

// sameRows reports whether the same rows are violated.
func sameRows(a, b []float64) bool {
	for k := range a {
		if (a[k] != 0) != (b[k] != 0) {
			return false
		}
	}
	return true
}

// value finds w and returns f, with what keeps v near the centre.
func (s *refuter) value() float64 {
	sum := 0.0
	for i := range s.v {
		sum += s.slack * s.v[i].Sub(s.centre[i]).Norm2()
	}
	for k := range s.rows {
		r := &s.rows[k]
		u := r.offset
		for _, t := range s.terms[r.from:r.to] {
			u += t.n.Dot(s.v[t.block])
		}
		s.w[k] = max(0, -u)
		if r.tied {
			s.w[k] = -u
		}
		sum += s.w[k] * s.w[k]
	}
	return sum / 2
}

// differentiate finds the slope of f, and its second derivative where the same rows stay violated.
func (s *refuter) differentiate() {
	for i := range s.slope {
		s.slope[i] = s.v[i].Sub(s.centre[i]).Scale(s.slack)
	}
	s.square(func(k int) bool { return s.w[k] != 0 || s.rows[k].tied })
	s.balance()
	for i := range s.slope {
		s.slope[i] = s.slope[i].Sub(s.sum[i])
	}
}

// square has the matrix be ε I + Σ a_k a_kᵀ over the rows for which on is true.
func (s *refuter) square(on func(k int) bool) {
	s.matrix.Zero()
	for i := range s.blocks {
		s.matrix.Val[s.matrix.Diag[i]] = r3.Diagonal(s.slack)
	}
	for k := range s.rows {
		if !on(k) {
			continue
		}
		row := s.terms[s.rows[k].from:s.rows[k].to]
		for _, t := range row {
			for _, o := range row {
				s.matrix.Val[s.matrix.Index(t.block, o.block)].AddOuter(1, t.n, o.n)
			}
		}
	}
}

// balance finds what blocks feel of w.
func (s *refuter) balance() {
	clear(s.sum)
	clear(s.sizes)
	for k, w := range s.w {
		if w == 0 {
			continue
		}
		for _, t := range s.terms[s.rows[k].from:s.rows[k].to] {
			s.sum[t.block] = s.sum[t.block].AddScaled(w, t.n)
			s.sizes[t.block] += math.Abs(w) * t.n.Norm()
		}
	}
}

// polish takes from w what blocks feel of it, and reports whether that is done and leaves something of it. Else w is
// zero in the parts in which blocks feel it still.
func (s *refuter) polish() bool {
	for range mostPolishing {
		s.square(func(k int) bool { return s.w[k] != 0 })
		if s.factor.Factor(nil, s.matrix, nil) != nil {
			break
		}
		s.findMost()
		turned := false // some row would pull
		for k := 0; k < mostPolishing && !turned; k++ {
			s.balance()
			s.factor.Solve(nil, s.sum, s.slope)
			for k := range s.rows {
				r := &s.rows[k]
				if s.w[k] == 0 {
					continue
				}
				for _, t := range s.terms[r.from:r.to] {
					s.w[k] -= t.n.Dot(s.slope[t.block])
				}
				if !r.tied && s.w[k] < noViolation*s.most[r.part] {
					s.w[k], turned = 0, true
				}
			}
			if !turned && s.dropFelt(false) {
				return slices.ContainsFunc(s.w, func(w float64) bool { return w != 0 })
			}
		}
		if !turned {
			break
		}
	}
	s.dropFelt(true)
	return false
}

// dropFelt reports whether blocks feel nothing of w. Where asked to, it has w be zero in parts in which they do.
func (s *refuter) dropFelt(drop bool) bool {
	s.balance()
	felt := make([]bool, s.parts)
	none := true
	for i := range s.sum {
		if !(s.sum[i].Norm() <= feltShare*provenTo*s.sizes[i]) {
			felt[s.partOf[i]], none = true, false
		}
	}
	for k := range s.w {
		if drop && felt[s.rows[k].part] {
			s.w[k] = 0
		}
	}
	return none
}

// proven reports whether w is a proof.
func (s *refuter) proven() bool {
	proof := make([]r3.Vec, s.set.Len())
	for k := range s.rows {
		addAlong(&proof[s.rows[k].contact], s.rows[k].axis, s.w[k])
	}
	_, err := CheckProof(s.given, s.out.V, proof)
	return err == nil
}
