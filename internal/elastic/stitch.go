// Stitches that draw two edges of cloth together.
//
// A stitch joins two nodes at distance r by a thread of length l, which pulls and never pushes: Huber's function of the
// excess e = r - l,
//
//	E = 0                     e ≤ 0
//	E = k e²/2                k e ≤ f
//	E = f (e - f/(2k))        beyond,
//
// so that its force is at most f, and its Hessian, with u the direction between the nodes and T = E' the tension,
//
//	∂²E/∂x² = E'' u uᵀ + T/r (1 - u uᵀ),
//
// has no negative eigenvalue: E'' and T are none. Threads are shortened from outside, by SetLength.

package elastic

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
)

// Thread is what stitches are sewn with.
type Thread struct {
	Stiffness float64 // of each stitch [N/m]
	Force     float64 // of each stitch, at most [N]
}

// Stitches are elements of two nodes each.
type Stitches struct {
	nodes  [][2]int32
	length []float64 // of each thread [m]
	thread Thread

	// The state at the last Update.
	energy    []float64
	tension   []r3.Vec // on the first node [N]
	along     []r3.Vec
	material  []float64 // E'' [N/m]
	geometric []float64 // T/r [N/m]
}

var _ Elements = (*Stitches)(nil)

// NewStitches returns stitches between pairs of nodes, with threads of length zero.
func NewStitches(pairs [][2]int32, thread Thread) *Stitches {
	if !(thread.Stiffness > 0 && thread.Force > 0) {
		panic(fmt.Sprintf("elastic: a thread of %g N/m and %g N", thread.Stiffness, thread.Force))
	}
	n := len(pairs)
	return &Stitches{
		nodes: pairs, length: make([]float64, n), thread: thread,
		energy: make([]float64, n), tension: make([]r3.Vec, n), along: make([]r3.Vec, n),
		material: make([]float64, n), geometric: make([]float64, n),
	}
}

// SetLength gives the thread of stitch e a length [m].
func (s *Stitches) SetLength(e int, length float64) { s.length[e] = length }

// Len returns the number of stitches.
func (s *Stitches) Len() int { return len(s.nodes) }

// Nodes returns the two nodes of stitch e.
func (s *Stitches) Nodes(e int) []int32 { return s.nodes[e][:] }

// Update computes the state of stitches lo to hi at positions x.
func (s *Stitches) Update(x []r3.Vec, _ Detail, lo, hi int) {
	k, most := s.thread.Stiffness, s.thread.Force
	for e := lo; e < hi; e++ {
		d := x[s.nodes[e][1]].Sub(x[s.nodes[e][0]])
		r := d.Norm()
		excess := r - s.length[e]
		if excess <= 0 {
			s.energy[e], s.tension[e], s.along[e], s.material[e], s.geometric[e] = 0, r3.Vec{}, r3.Vec{}, 0, 0
			if r == 0 { // a knot: the limit of the formulas, the same in all directions
				s.material[e], s.geometric[e] = k, k
			}
			continue
		}
		u := d.Scale(1 / r)
		pull, stiff := k*excess, k
		s.energy[e] = pull * excess / 2
		if pull > most {
			pull, stiff = most, 0
			s.energy[e] = most * (excess - most/(2*k))
		}
		s.tension[e], s.along[e] = u.Scale(pull), u
		s.material[e], s.geometric[e] = stiff, pull/r
	}
}

// Energy returns the energy of stitch e [J].
func (s *Stitches) Energy(e int) float64 { return s.energy[e] }

// Force returns the force of stitch e on its k-th node [N].
func (s *Stitches) Force(e, k int) r3.Vec {
	if k == 0 {
		return s.tension[e]
	}
	return s.tension[e].Neg()
}

// AddRow adds row k of the Hessian of stitch e. The part that turns the thread is geometric.
func (s *Stitches) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	u := s.along[e]
	a, b := material*s.material[e], geometric*s.geometric[e]
	for l, p := range at {
		if p < 0 {
			continue
		}
		sign := 1.0
		if l != k {
			sign = -1
		}
		val[p].AddDiagonal(sign * b)
		val[p].AddOuter(sign*(a-b), u, u)
	}
}

// Turn implements Turner: the pull of the thread turns along.
func (s *Stitches) Turn(e, k int, spin r3.Vec) r3.Vec { return s.Force(e, k).Cross(spin) }

// MaterialForce returns minus row k of the material part of the Hessian times v.
func (s *Stitches) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	u, n := s.along[e], s.nodes[e]
	return u.Scale(-s.material[e] * u.Dot(v[n[k]].Sub(v[n[1-k]])))
}
