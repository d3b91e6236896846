package body

import (
	"math"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// airGrain is the chunk of loops over its elements.
const airGrain = 64

// Air is the drag of air on the faces of a sheet, as an element family whose positions are velocities.
//
// A face of area a and unit normal n that moves at v through wind w feels the pressure of a flat plate,
//
//	f = -½ ρ C a |n·(v - w)| (n·(v - w)) n,
//
// shared evenly by its vertices. The factor ρ C a |n·(v - w)|/2 and the normal are kept as they are at the start of
// the step (Begin), so that the force is linear in v and its matrix positive: faster than full Newton
// iterations and as stable. Flow along the face is not felt.
type Air struct {
	tri  [][3]int32
	rest []float64 // area in the rest shape [m²]; stretch changes it by a few percent at most
	drag float64
	wind r3.Vec

	normal []r3.Vec
	factor []float64 // [kg/s]
	along  []float64 // n·(v - w) at the last Update [m/s]

	// The call of Begin under way.
	x, v      []r3.Vec
	density   float64
	beginFunc func(lo, hi int)
}

// NewAir returns the air around a sheet whose faces have the drag coefficient drag.
func NewAir(m *mesh.Mesh, drag float64) *Air {
	n := len(m.Tri)
	a := &Air{tri: m.Tri, drag: drag, rest: make([]float64, n)}
	for t := range n {
		a.rest[t] = m.RestArea(int32(t))
	}
	a.normal, a.factor, a.along = make([]r3.Vec, n), make([]float64, n), make([]float64, n)
	a.beginFunc = a.beginRange
	return a
}

var _ elastic.Elements = (*Air)(nil)

// SetDrag changes the drag coefficient, from the next Begin on.
func (a *Air) SetDrag(drag float64) { a.drag = drag }

// Begin fixes normals and factors for a step from positions x and velocities v in air of the given
// density [kg/m³] and wind [m/s].
func (a *Air) Begin(team *par.Team, x, v []r3.Vec, density float64, wind r3.Vec) {
	a.x, a.v, a.density, a.wind = x, v, density, wind
	team.For(len(a.tri), airGrain, a.beginFunc)
	a.x, a.v = nil, nil
}

func (a *Air) beginRange(lo, hi int) {
	for t := lo; t < hi; t++ {
		i := a.tri[t]
		n := a.x[i[1]].Sub(a.x[i[0]]).Cross(a.x[i[2]].Sub(a.x[i[0]])).Unit()
		a.normal[t] = n
		a.factor[t] = 0.5 * a.density * a.drag * a.rest[t] * math.Abs(n.Dot(mean(a.v, i).Sub(a.wind)))
	}
}

func mean(v []r3.Vec, i [3]int32) r3.Vec { return v[i[0]].Add(v[i[1]]).Add(v[i[2]]).Scale(1.0 / 3) }

// Len returns the number of faces.
func (a *Air) Len() int { return len(a.tri) }

// Nodes returns the vertices of face e.
func (a *Air) Nodes(e int) []int32 { return a.tri[e][:] }

// Update takes the velocities v at which Force is asked for.
func (a *Air) Update(v []r3.Vec, _ elastic.Detail, lo, hi int) {
	for t := lo; t < hi; t++ {
		a.along[t] = a.normal[t].Dot(mean(v, a.tri[t]).Sub(a.wind))
	}
}

// Energy returns 0: drag has none.
func (a *Air) Energy(int) float64 { return 0 }

// Force returns the drag on the k-th vertex of face e [N].
func (a *Air) Force(e, _ int) r3.Vec {
	return a.normal[e].Scale(-a.factor[e] * a.along[e] / 3)
}

// AddRow adds -∂f_k/∂v_l times material [kg/s].
func (a *Air) AddRow(e, _ int, at []int32, val []r3.Mat, material, _ float64) {
	s := material * a.factor[e] / 9
	if s == 0 {
		return
	}
	for _, p := range at {
		if p >= 0 {
			val[p].AddOuter(s, a.normal[e], a.normal[e])
		}
	}
}

// MaterialForce returns -∂f_k/∂v times v: drag has no part that only turns.
func (a *Air) MaterialForce(e, _ int, v []r3.Vec) r3.Vec {
	n := a.normal[e]
	return n.Scale(-a.factor[e] * n.Dot(mean(v, a.tri[e])) / 3)
}

// LumpedMass returns a third of the mass of every triangle at each of its corners [kg], for a mass per
// area of density [kg/m²].
func LumpedMass(m *mesh.Mesh, density float64) []float64 {
	return lumped(m, func(int) float64 { return density })
}

// MappedMass is LumpedMass for a density of each triangle.
func MappedMass(m *mesh.Mesh, density []float64) []float64 {
	return lumped(m, func(t int) float64 { return density[t] })
}

func lumped(m *mesh.Mesh, density func(t int) float64) []float64 {
	mass := make([]float64, m.Verts)
	for t, v := range m.Tri {
		third := density(t) * m.RestArea(int32(t)) / 3
		for _, i := range v {
			mass[i] += third
		}
	}
	return mass
}
