// Package smooth makes a smooth surface of a triangle mesh that moves: the local moving-least-squares potential of
// [Larionov21] section 4.
//
// Samples are the centroids s of the triangles, with their normals n_s. With a kernel w̃ that vanishes at the radius R,
//
//	Ψ(x) = Σ w̃(|x−s|) n_s·(x−s) / Σ w̃(|x−s|),
//
// and the surface is where Ψ is zero. Ψ is no distance, since its gradient is not of unit length: to first order the
// gap of a point is Ψ/|∇Ψ|. It is known where the point has samples within R, and nowhere else.
//
// Radius. The base b is the largest distance of a corner from its centroid. Every point of the mesh is within b of a
// sample, and so is every point within a reach d of the mesh within √(b² + d²) or so. Hence
//
//	R² = (1.5 b)² + d²,
//
// with the larger b of the mesh at rest and now: there are no holes, however the mesh stretches. The paper's rule, more
// than half of the largest diameter of a triangle, leaves holes at the corners of regular ones, which are 0.577 of a
// side from their centroids.
package smooth

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Options say how a surface is smoothed. The zero Options are the defaults.
type Options struct {
	Kernel  Kernel
	Epsilon float64 // ε of the Interpolating kernel: the smaller, the nearer to the samples; 0: 0.1
	Spread  float64 // R without the reach, in bases; 0: 1.5. Below 1 there are holes
	// Transport carries velocities to a point as the paper does, by its rotations Q_s, which makes false slip where
	// bodies move together: see Surface.Moves.
	Transport bool
}

const (
	defaultSpread  = 1.5
	defaultEpsilon = 0.1
)

// Validate says what is wrong with the options.
func (o *Options) Validate() error {
	switch {
	case !o.Kernel.valid():
		return fmt.Errorf("there is no kernel %d", o.Kernel)
	case !(o.Epsilon >= 0) || o.Epsilon > 1:
		return fmt.Errorf("epsilon is %g; write a number above 0 and up to 1", o.Epsilon)
	case !(o.Spread >= 0) || math.IsInf(o.Spread, 1):
		return fmt.Errorf("a radius of %g bases; write a positive number, such as 1.5", o.Spread)
	}
	return nil
}

func (o *Options) spread() float64 {
	if o.Spread == 0 {
		return defaultSpread
	}
	return o.Spread
}

func (o *Options) epsilon() float64 {
	if o.Epsilon == 0 {
		return defaultEpsilon
	}
	return o.Epsilon
}

// Surface is the smooth surface of a mesh on its way through a step. Queries only read, so several goroutines may ask
// at once.
type Surface struct {
	Options
	Reach  float64 // d [m]; it holds from the next Move on
	Radius float64 // R [m]

	tri    [][3]int32
	rest   float64 // the base at rest [m]
	base   float64 // and the one that counts now
	x0, x1 []r3.Vec
	boxes  []r3.Box // of the ways of centroids
	tree   *geom.Tree
}

// New returns the surface of triangles with vertices at x, for points within reach of them [m]. Rest is the base of the
// mesh at rest, 0 if there is none.
func New(tri [][3]int32, x []r3.Vec, rest float64, o Options, reach float64) *Surface {
	s := &Surface{Options: o, tri: tri, rest: rest, Reach: reach, boxes: make([]r3.Box, len(tri))}
	s.Move(nil, x, x)
	return s
}

// Base returns the largest distance of a corner from the centroid in a triangle of three sides [m]: two thirds of the
// longest median.
func Base(sides [3]float64) float64 {
	a, b, c := sides[0]*sides[0], sides[1]*sides[1], sides[2]*sides[2]
	return math.Sqrt(max(2*b+2*c-a, 2*c+2*a-b, 2*a+2*b-c)) / 3
}

// base returns the largest distance of a corner from its centroid.
func base(tri [][3]int32, x []r3.Vec) float64 {
	most := 0.0
	for _, v := range tri {
		a, b, c := x[v[0]], x[v[1]], x[v[2]]
		s := centroid(a, b, c)
		most = max(most, a.Sub(s).Norm2(), b.Sub(s).Norm2(), c.Sub(s).Norm2())
	}
	return math.Sqrt(most)
}

func centroid(a, b, c r3.Vec) r3.Vec { return a.Add(b).Add(c).Scale(1.0 / 3) }

// treeDecay is the cost of the tree, as a multiple of that when it was built, at which it is built anew.
const treeDecay = 1.7

// Move takes where the vertices are at the start and at the end of a step, between which they move along straight
// lines. It keeps both slices.
func (s *Surface) Move(team *par.Team, x0, x1 []r3.Vec) {
	s.x0, s.x1 = x0, x1
	s.base = max(s.rest, base(s.tri, x0))
	s.Radius = math.Hypot(s.spread()*s.base, s.Reach)
	for i, v := range s.tri {
		from, to := centroid(x0[v[0]], x0[v[1]], x0[v[2]]), centroid(x1[v[0]], x1[v[1]], x1[v[2]])
		s.boxes[i] = r3.Box{Min: from, Max: from}.With(to)
	}
	if s.tree == nil {
		s.tree = geom.NewTree(s.boxes)
	} else {
		s.tree.Update(team, s.boxes, treeDecay)
	}
}

// Bounds returns the box around all points that have samples at some time of the step.
func (s *Surface) Bounds() r3.Box {
	b, by := s.tree.Bounds(), r3.V(s.Radius, s.Radius, s.Radius)
	return r3.Box{Min: b.Min.Sub(by), Max: b.Max.Add(by)}
}

// Blind returns how far a point is from the mesh at least that has no samples [m].
func (s *Surface) Blind() float64 { return max(0, s.Radius-s.base) }

// corners returns the corners of triangle i at time t of the step, in [0, 1].
func (s *Surface) corners(i int32, t float64) [3]r3.Vec {
	v := &s.tri[i]
	if t == 0 {
		return [3]r3.Vec{s.x0[v[0]], s.x0[v[1]], s.x0[v[2]]}
	}
	return [3]r3.Vec{
		s.x0[v[0]].Lerp(s.x1[v[0]], t), s.x0[v[1]].Lerp(s.x1[v[1]], t), s.x0[v[2]].Lerp(s.x1[v[2]], t),
	}
}

// Fits says why a mesh has no smooth surface: because it is open, too thin, or has holes.
func Fits(tri [][3]int32, x []r3.Vec, o Options) error {
	if err := o.Validate(); err != nil {
		return err
	}
	if len(tri) == 0 || !geom.NewMeshField(x, tri).Closed() {
		return errors.New("a smooth surface needs a closed mesh, which has an inside")
	}
	return New(tri, x, 0, o, 0).Check()
}

// opposed is the cosine of normals of samples within a radius of each other below which the mesh is too thin, or too
// sharp, for one surface to have both: 120 degrees.
const opposed = -0.5

// Check says where the mesh has a hole, or is too thin to be smoothed, at the start of the step.
func (s *Surface) Check() error {
	var p Place
	for i := range int32(len(s.tri)) {
		if other := s.opposite(&p, i); other >= 0 {
			return fmt.Errorf("triangles %d and %d are back to back, less than the radius of %.3g m apart: "+
				"that is too thin or too sharp for a smooth surface; refine the mesh there", min(i, other), max(i, other), s.Radius)
		}
		for k, x := range s.corners(i, 0) { // nothing of a triangle is farther from its centroid
			if !s.Look(&p, x, 0) {
				return fmt.Errorf("triangle %d has a hole at corner %d, %v m, which no sample is within the radius of %.3g m of",
					i, k, x, s.Radius)
			}
		}
	}
	return nil
}

// opposite returns a triangle near i, behind it, that faces the other way, or −1. One before it, as across a crease,
// leaves the sign of Ψ alone.
func (s *Surface) opposite(p *Place, i int32) int32 {
	c := s.corners(i, 0)
	m := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Unit()
	p.gather(s, centroid(c[0], c[1], c[2]), 0)
	at := slices.IndexFunc(p.near, func(n sample) bool { return n.n.Dot(m) < opposed && n.d.Dot(m) > 0 })
	if at < 0 {
		return -1
	}
	return p.near[at].tri
}
