// The normals of contacts, and which of them are independent.
//
// The row of a contact's normal is n_c = e_Nᵀ J_c. The Gram matrix G_cd = n_c D n_dᵀ, D = diag A_ii⁻¹, has an entry
// where contacts share a free block. Over a basis B of contacts with independent normals it has a factor L Lᵀ, which is
// kept in an envelope, in an order in which contacts are near those they share blocks with [CuthillMcKee69]. With
// y = L⁻¹ G_Bc contact c is independent of B if its pivot G_cc - yᵀ y is not small against G_cc; else
//
//	n_c = Σ_k α_k n_k,   k ∈ B,   α = L⁻ᵀ y.
//
// Contacts that enter before B is factored again are told apart by what B leaves of them, G_cd - y_cᵀ y_d.

package solve

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

const (
	// independent is the share of its diagonal that the pivot of a contact must have. With less, Newton steps on the
	// basis would hardly hold it: they leave it a give of 1/ρ.
	independent = 1e-4
	// barely takes its place where contacts that depend by that much take each other's place again and again: each of
	// them has a say.
	barely = 1e-6
	// mostWork bounds the multiplications of a factor.
	mostWork = 2e8
)

// normals are the normals of contacts, and which of them are a basis.
type normals struct {
	*system

	least float64 // share of its diagonal that a pivot must have
	in    []bool  // by contact: of the basis
	known []bool  // by contact: of the basis when it was factored
	place []int32 // by contact: where it is in order; -1: it does not take part
	order []int32 // contacts that take part

	// Row k of an envelope is of contact order[k], has columns first[k] to k, and begins at start[k].
	first []int32
	start []int
	gram  []float64
	root  []float64 // L; rows outside of the basis are zero but for a diagonal of 1

	column []float64 // G_Bc, y or α by place
	low    int       // the first place where y is not zero
	// Contacts that entered since the last factor.
	entered []int32
	reduced []float64 // their y, one after another
	schur   []float64 // the factor of what the basis left of them, by rows
	trial   []float64 // the next row of it
}

// normalOf returns what a block feels of a normal impulse of 1, of its term M.
func normalOf(m *r3.Mat) r3.Vec { return r3.V(m.XX, m.XY, m.XZ) }

// begin orders the contacts that can move and fills the Gram matrix, with an empty basis. It tells whether a factor
// would not cost too much.
func (s *normals) begin() bool {
	n := s.set.Len()
	s.least = independent
	s.in, s.known, s.place = resized(s.in, n), resized(s.known, n), resized(s.place, n)
	clear(s.in)
	clear(s.known)
	s.arrange()
	if s.envelope() > mostWork {
		return false
	}
	s.gram, s.root = resized(s.gram, s.start[len(s.order)]), resized(s.root, s.start[len(s.order)])
	s.column = resized(s.column, len(s.order))
	s.fill()
	return true
}

// takesPart tells whether a contact may be in the basis or outside of it. Ties always hold.
func (s *normals) takesPart(c int) bool {
	return s.measure.scale[c] > 0 && !s.laws[c].tied
}

// arrange orders contacts by breadth from one at the rim of its group, and turns the order around.
func (s *normals) arrange() {
	for c := range s.place {
		s.place[c] = -1
	}
	s.order = s.order[:0]
	for c := range s.place {
		if s.place[c] >= 0 || !s.takesPart(c) {
			continue
		}
		start := int32(c)
		for range 2 { // the last of a search is at the rim
			from := len(s.order)
			s.search(start)
			start = s.order[len(s.order)-1]
			for _, d := range s.order[from:] {
				s.place[d] = -1
			}
			s.order = s.order[:from]
		}
		s.search(start)
	}
	slices.Reverse(s.order)
	for k, c := range s.order {
		s.place[c] = int32(k)
	}
}

// search appends the group of contact c by breadth.
func (s *normals) search(c int32) {
	at := len(s.order)
	s.order = append(s.order, c)
	s.place[c] = 0
	for ; at < len(s.order); at++ {
		s.eachNear(s.order[at], func(d int32) {
			if s.place[d] < 0 && s.takesPart(int(d)) {
				s.place[d] = 0
				s.order = append(s.order, d)
			}
		})
	}
}

// eachNear visits contacts that share a free block with c, some more than once.
func (s *normals) eachNear(c int32, visit func(d int32)) {
	for _, t := range s.set.Row(int(c)) {
		if s.isFixed(t.Block) {
			continue
		}
		for _, d := range s.contactsOf(t.Block) {
			visit(d)
		}
	}
}

// envelope finds where the rows of the matrix begin, and returns the work of a factor.
func (s *normals) envelope() (work float64) {
	n := len(s.order)
	s.first, s.start = resized(s.first, n), resized(s.start, n+1)
	size := 0
	for k, c := range s.order {
		first := int32(k)
		s.eachNear(c, func(d int32) {
			if p := s.place[d]; p >= 0 {
				first = min(first, p)
			}
		})
		s.first[k], s.start[k] = first, size
		width := k - int(first) + 1
		size += width
		work += float64(width) * float64(width) / 2
	}
	s.start[n] = size
	return work
}

// fill computes the Gram matrix.
func (s *normals) fill() {
	clear(s.gram)
	for k, c := range s.order {
		row := s.gram[s.start[k]:s.start[k+1]]
		first := s.first[k]
		for _, t := range s.set.Row(int(c)) {
			if s.isFixed(t.Block) {
				continue
			}
			felt := s.inverse[t.Block].MulVec(normalOf(&t.M))
			for at, d := range s.contactsOf(t.Block) {
				if p := s.place[d]; p >= 0 && int(p) <= k {
					row[p-first] += felt.Dot(normalOf(&s.term(t.Block, at).M))
				}
			}
		}
	}
}

// factor factors the Gram matrix over the basis. Contacts that depend on those before them leave it.
func (s *normals) factor() {
	s.entered, s.reduced, s.schur = s.entered[:0], s.reduced[:0], s.schur[:0]
	for k, c := range s.order {
		row, first := s.root[s.start[k]:s.start[k+1]], int(s.first[k])
		own := k - first
		if !s.in[c] {
			clear(row)
			row[own] = 1
			continue
		}
		copy(row, s.gram[s.start[k]:s.start[k+1]])
		pivot := row[own]
		for j := first; j < k; j++ {
			other := s.root[s.start[j]:s.start[j+1]]
			from := max(first, int(s.first[j]))
			v := row[j-first] - dot(row[from-first:j-first], other[from-int(s.first[j]):])
			if !s.in[s.order[j]] {
				v = 0
			}
			v /= other[len(other)-1]
			row[j-first] = v
			pivot -= v * v
		}
		if !(pivot > s.least*row[own]) {
			s.in[c] = false
			clear(row)
			row[own] = 1
			continue
		}
		row[own] = math.Sqrt(pivot)
	}
	copy(s.known, s.in)
}

// dot sums in four parts, which do not wait for each other.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		p, q := a[i:i+4], b[i:i+4]
		s0 += p[0] * q[0]
		s1 += p[1] * q[1]
		s2 += p[2] * q[2]
		s3 += p[3] * q[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// reduce writes y of contact c to column and returns the pivot that the factored basis leaves of it.
func (s *normals) reduce(c int32) float64 {
	clear(s.column)
	low := len(s.order)
	pivot := 0.0
	for _, t := range s.set.Row(int(c)) {
		if s.isFixed(t.Block) {
			continue
		}
		felt := s.inverse[t.Block].MulVec(normalOf(&t.M))
		for at, d := range s.contactsOf(t.Block) {
			g := felt.Dot(normalOf(&s.term(t.Block, at).M))
			if d == c {
				pivot += g
			}
			if p := s.place[d]; p >= 0 && s.known[d] {
				s.column[p] += g
				low = min(low, int(p))
			}
		}
	}
	s.low = low
	for k := low; k < len(s.order); k++ {
		if !s.known[s.order[k]] {
			continue
		}
		row := s.root[s.start[k]:s.start[k+1]]
		first := int(s.first[k])
		from := max(first, low)
		v := s.column[k]
		if from < k {
			v -= dot(row[from-first:k-first], s.column[from:])
		}
		v /= row[len(row)-1]
		s.column[k] = v
		pivot -= v * v
	}
	return pivot
}

// enter takes contact c into the basis, unless it depends on it. depends tells whether it does so on those that were
// there at the last factor, without those that entered since: y of c is in column then.
func (s *normals) enter(c int32) (entered, depends bool) {
	pivot := s.reduce(c)
	k := s.place[c]
	least := s.least * s.gram[s.start[k+1]-1]
	if !(pivot > least) {
		return false, true
	}
	n := len(s.order)
	s.trial = s.trial[:0]
	at := 0
	for i, d := range s.entered {
		v := s.between(c, d) - dot(s.column[s.low:], s.reduced[i*n+s.low:(i+1)*n]) - dot(s.trial, s.schur[at:])
		v /= s.schur[at+i]
		s.trial = append(s.trial, v)
		pivot -= v * v
		at += i + 1
	}
	if !(pivot > least) {
		return false, false
	}
	s.schur = append(append(s.schur, s.trial...), math.Sqrt(pivot))
	s.reduced = append(s.reduced, s.column...)
	s.entered = append(s.entered, c)
	s.in[c] = true
	return true, false
}

// between returns G_cd.
func (s *normals) between(c, d int32) float64 {
	j, k := s.place[d], s.place[c]
	if j > k {
		j, k = k, j
	}
	if j < s.first[k] {
		return 0
	}
	return s.gram[s.start[k]+int(j-s.first[k])]
}

// shares turns y in column into α.
func (s *normals) shares() {
	for k := len(s.order) - 1; k >= 0; k-- {
		v := s.column[k]
		if v == 0 {
			continue
		}
		row := s.root[s.start[k]:s.start[k+1]]
		first := int(s.first[k])
		v /= row[len(row)-1]
		s.column[k] = v
		for j := first; j < k; j++ {
			s.column[j] -= v * row[j-first]
		}
	}
}
