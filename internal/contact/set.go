// Package contact says what a contact is, as a solver sees it, and what detection (package detect) sees of bodies.
//
// A Set is one flat list of contacts, sorted by the ids of the features that meet, so that the order, and
// with it every result, does not depend on how the contacts were found.
//
// Sign conventions. With the row J_c of contact c, its terms (block, 3x3) added up,
//
//	u = J_c v + u_f [m/s],   impulse on the blocks: J_cᵀ r [N s],
//
// where u and r have the components (normal, first tangent, second tangent). The normal points from side B to side A;
// u_N < 0 approaches. Rows are not scaled: a contact of two nodes has the terms E and -E, and r is the impulse that
// side A feels. The factor 1/√2 of the nodal form [Li18] eq. (9) makes its G orthogonal. The law does not feel a
// positive factor that u, with all of its u_f, is multiplied by and r divided by, so that it stays inside the solver
// that wants it.
//
// Each row has a law. Coulomb's is that of surfaces that touch:
//
//	(r, u) ∈ C(μ): take-off, stick or slide.
//
// A row that is NormalOnly pushes and has no friction, such as the stop of a press; one that is Bilateral ties, such
// as a joint or a stitch:
//
//	NormalOnly  0 ≤ u_N ⟂ r_N ≥ 0,  r_T = 0
//	Bilateral   u = 0 in the components that the row has,  r = 0 in the others.
//
// A row has a component if one of its terms does: a bilateral one may tie one, two or three.
package contact

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Kind is what sort of feature of a surface touches.
type Kind uint8

// The kinds of features. Whole stands for an obstacle that is one smooth shape, and for a smooth skin.
const (
	Vertex Kind = iota
	Edge
	Face
	Whole
)

// Feature names a part of a surface by ids that outlive the step.
type Feature struct {
	Surface int32
	Kind    Kind
	ID      int64 // of the vertex, edge or face in its surface; of Whole 0, and 1 for its triangles (rule_smooth.go)
}

// Again is set in the ID of side B of a second contact of one pair of features: near at the start of a step, and met
// elsewhere on the way.
const Again = int64(1) << 62

// Compare orders features by surface, kind and id.
func (f Feature) Compare(g Feature) int {
	return cmp.Or(cmp.Compare(f.Surface, g.Surface), cmp.Compare(f.Kind, g.Kind), cmp.Compare(f.ID, g.ID))
}

// ID names a contact by the features that meet. It is the key of warm starts.
type ID struct{ A, B Feature }

// Compare orders ids by side A, then by side B.
func (a ID) Compare(b ID) int { return cmp.Or(a.A.Compare(b.A), a.B.Compare(b.B)) }

// None is the block of a side that does not belong to the unknowns, such as an obstacle.
const None int32 = -1

// Law is what binds the velocity and the impulse of a contact.
type Law uint8

// The laws.
const (
	Coulomb    Law = iota // surfaces that touch, with friction
	NormalOnly            // a stop: it pushes, and lets all else pass
	Bilateral             // a tie: it holds all components that its row has
	laws                  // how many
)

// String returns the word for l.
func (l Law) String() string {
	switch l {
	case Coulomb:
		return "Coulomb"
	case NormalOnly:
		return "normal only"
	case Bilateral:
		return "bilateral"
	}
	return "unknown"
}

// Valid tells whether there is such a law.
func (l Law) Valid() bool { return l < laws }

// Contact is a place where two surfaces touch or are about to, or what else binds blocks by a law.
type Contact struct {
	ID    ID
	Law   Law
	A, B  int32   // the blocks that it stands at, on either side; B is None against an obstacle. Its row may have more
	Frame r3.Mat  // E; rows: the normal, which points from B to A, and two tangents
	Mu    float64 // coefficient of friction; 0 unless the law is Coulomb's
	Uf    r3.Vec  // u at v = 0, in the frame: minus the obstacle's velocity, and the gap over the time step [m/s]
	Gap   float64 // distance of the surfaces at the start of the step [m]
	Push  float64 // the part of Uf that pushes a violation of the thickness out [m/s]; 0 if there is none
	Point r3.Vec  // where they meet [m]
}

// Normal returns the normal of the contact, from B to A.
func (c *Contact) Normal() r3.Vec { return r3.V(c.Frame.XX, c.Frame.XY, c.Frame.XZ) }

// Rubs tells whether the contact may stick to what it touches.
func (c *Contact) Rubs() bool { return c.Mu > 0 || c.Law == Bilateral }

// Term is one block of a contact's row.
type Term struct {
	Block int32
	W     float64 // its share in the velocity of the contact, for those that ask; no physics
	M     r3.Mat  // what its velocity adds to u: W E where it is that of a point, anything for other freedoms
}

// Set is a list of contacts, each with its row. The zero Set is empty.
type Set struct {
	Contacts []Contact
	start    []int32 // terms of contact i are start[i] to start[i+1]
	terms    []Term

	order  []int32 // scratch of Sort
	sorted []Contact
	moved  []Term
}

// Reset empties the set and keeps its memory.
func (s *Set) Reset() {
	s.Contacts, s.start, s.terms = s.Contacts[:0], s.start[:0], s.terms[:0]
}

// Len returns the number of contacts.
func (s *Set) Len() int { return len(s.Contacts) }

// Add appends a nodal contact: its row is E at block A and, unless that is None, -E at block B.
func (s *Set) Add(c Contact) {
	s.terms = append(s.terms, Term{c.A, 1, c.Frame})
	if c.B != None {
		s.terms = append(s.terms, Term{c.B, -1, c.Frame.Scale(-1)})
	}
	s.end(c)
}

// Weight is the share of a block in the velocity of a contact: positive on side A, where they add up to 1, negative on
// side B, to −1.
type Weight struct {
	Block int32
	W     float64
}

// AddWeighted appends a contact of points within edges and faces: its row is w E at each block.
func (s *Set) AddWeighted(c Contact, weights ...Weight) {
	for _, w := range weights {
		s.terms = append(s.terms, Term{w.Block, w.W, c.Frame.Scale(w.W)})
	}
	s.end(c)
}

// AddRow appends a contact with any row, such as that of a body's velocity and spin. Its blocks must differ.
func (s *Set) AddRow(c Contact, terms ...Term) {
	s.terms = append(s.terms, terms...)
	s.end(c)
}

func (s *Set) end(c Contact) {
	if len(s.start) == 0 {
		s.start = append(s.start, 0)
	}
	s.start = append(s.start, int32(len(s.terms)))
	s.Contacts = append(s.Contacts, c)
}

// Rewrite replaces the contact that has the id of c, and its row by one of as many terms, in a set that is sorted. It
// does nothing if there is none.
func (s *Set) Rewrite(c Contact, terms ...Term) {
	if i, found := s.Find(c.ID, s.Len()); found {
		s.Contacts[i] = c
		copy(s.Row(i), terms)
	}
}

// Row returns the terms of contact i.
func (s *Set) Row(i int) []Term { return s.terms[s.start[i]:s.start[i+1]] }

// Has tells which components the row of contact i has: those that are not zero in all of its terms.
func (s *Set) Has(i int) (has [3]bool) {
	for _, t := range s.Row(i) {
		m := &t.M
		has[0] = has[0] || m.XX != 0 || m.XY != 0 || m.XZ != 0
		has[1] = has[1] || m.YX != 0 || m.YY != 0 || m.YZ != 0
		has[2] = has[2] || m.ZX != 0 || m.ZY != 0 || m.ZZ != 0
	}
	return has
}

// Find returns where the contact with the given id is among the first n, which must be sorted.
func (s *Set) Find(id ID, n int) (at int, found bool) {
	return slices.BinarySearchFunc(s.Contacts[:n], id, func(c Contact, id ID) int { return c.ID.Compare(id) })
}

// Nodal reports whether the row of contact i is that of Add: one block, or two that move against each other.
func (s *Set) Nodal(i int) bool {
	row, c := s.Row(i), &s.Contacts[i]
	if row[0].Block != c.A || row[0].M != c.Frame {
		return false
	}
	if c.B == None {
		return len(row) == 1
	}
	return len(row) == 2 && row[1].Block == c.B && row[1].M == c.Frame.Scale(-1)
}

// Weighted reports whether all terms of contact i are shares of its frame, as those of points that are blocks.
func (s *Set) Weighted(i int) bool {
	for _, t := range s.Row(i) {
		if t.M != s.Contacts[i].Frame.Scale(t.W) {
			return false
		}
	}
	return true
}

// Sort brings the contacts into the order of their ids. Equal ids keep their order, for Validate to find.
func (s *Set) Sort() {
	n := len(s.Contacts)
	if slices.IsSortedFunc(s.Contacts, func(a, b Contact) int { return a.ID.Compare(b.ID) }) {
		return
	}
	s.order = s.order[:0]
	for i := range n {
		s.order = append(s.order, int32(i))
	}
	slices.SortStableFunc(s.order, func(i, j int32) int { return s.Contacts[i].ID.Compare(s.Contacts[j].ID) })
	s.sorted, s.moved = s.sorted[:0], s.moved[:0]
	for _, i := range s.order {
		s.sorted = append(s.sorted, s.Contacts[i])
		s.moved = append(s.moved, s.Row(int(i))...)
	}
	end := int32(0)
	for k, i := range s.order {
		s.order[k] = s.start[i+1] - s.start[i]
	}
	for k, length := range s.order {
		end += length
		s.start[k+1] = end
	}
	s.Contacts, s.sorted = s.sorted, s.Contacts
	s.terms, s.moved = s.moved, s.terms
}

// maxFaults is how many faults Validate lists before it stops.
const maxFaults = 10

// Validate checks the set for n blocks and lists what is wrong with it: order, repeated ids, blocks that do not
// exist, frames that are not rotations, numbers that are not finite, negative friction, rows without what their law is
// about.
func (s *Set) Validate(n int) error {
	var faults []error
	for i := range s.Contacts {
		if i > 0 {
			switch s.Contacts[i-1].ID.Compare(s.Contacts[i].ID) {
			case 0:
				faults = append(faults, fmt.Errorf("contact %d has the id of the one before: %+v", i, s.Contacts[i].ID))
			case 1:
				faults = append(faults, fmt.Errorf("contact %d is not in the order of ids; call Sort", i))
			}
		}
		if err := s.Check(i, n); err != nil {
			faults = append(faults, fmt.Errorf("contact %d, %+v: %w", i, s.Contacts[i].ID, err))
		}
		if len(faults) >= maxFaults {
			break
		}
	}
	return errors.Join(faults...)
}

// Check says what is wrong with contact i, for n blocks.
func (s *Set) Check(i, n int) error {
	c := &s.Contacts[i]
	row := s.Row(i)
	if len(row) == 0 {
		return errors.New("the row is empty")
	}
	for _, t := range row {
		if t.Block < 0 || int(t.Block) >= n {
			return fmt.Errorf("block %d is not one of the %d blocks", t.Block, n)
		}
		if !t.M.Finite() {
			return fmt.Errorf("the row is not finite at block %d", t.Block)
		}
	}
	if has := func(block int32) bool {
		return slices.ContainsFunc(row, func(t Term) bool { return t.Block == block })
	}; !has(c.A) || c.B != None && !has(c.B) {
		return fmt.Errorf("it stands at blocks %d and %d, which are not both in its row", c.A, c.B)
	}
	for k, t := range row {
		for _, other := range row[:k] {
			if other.Block == t.Block {
				return fmt.Errorf("block %d appears twice", t.Block)
			}
		}
	}
	const slack = 1e-9 // a frame is built with a handful of roundings
	transposed := c.Frame.T()
	gram := c.Frame.Mul(&transposed)
	gram.AddDiagonal(-1)
	if !(gram.MaxAbs() <= slack) || !(math.Abs(c.Frame.Det()-1) <= slack) {
		return errors.New("the frame is not a rotation")
	}
	if !(c.Mu >= 0) || math.IsInf(c.Mu, 1) {
		return fmt.Errorf("friction coefficient %g; it must be finite and not negative", c.Mu)
	}
	if !c.Uf.Finite() || !c.Point.Finite() || c.Gap-c.Gap != 0 {
		return errors.New("velocity, point or gap is not finite")
	}
	return s.checkLaw(i)
}

func (s *Set) checkLaw(i int) error {
	c := &s.Contacts[i]
	has := s.Has(i)
	if c.Law == Coulomb && has[0] {
		return nil
	}
	switch {
	case c.Law == Coulomb:
		return errors.New("a row that pushes has no normal component")
	case !c.Law.Valid():
		return fmt.Errorf("there is no law %d", c.Law)
	case c.Mu != 0:
		return fmt.Errorf("friction coefficient %g of a law without friction, %v", c.Mu, c.Law)
	case c.Law == NormalOnly && !has[0]:
		return errors.New("a row that pushes has no normal component")
	case c.Law == Bilateral && has == [3]bool{}:
		return errors.New("a row that ties has no component")
	case c.Law == Bilateral && (!has[0] && c.Uf.X != 0 || !has[1] && c.Uf.Y != 0 || !has[2] && c.Uf.Z != 0):
		return fmt.Errorf("a velocity of %v m/s in a component that the row does not have", c.Uf)
	}
	return nil
}

// FrameOf returns a frame with the given unit normal. The tangents are a fixed function of it.
func FrameOf(normal r3.Vec) r3.Mat {
	t := normal.Orthogonal()
	return r3.Rows(normal, t, normal.Cross(t))
}
