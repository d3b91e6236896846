package mesh

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Mass, centre and inertia of what a closed surface encloses, by the divergence theorem: sums over the tets from a
// point o to each triangle, with signed volumes V_t. With the corners a, b, c from o and s = a + b + c,
//
//	∫ x dV = V_t s/4,    ∫ x xᵀ dV = V_t (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/20.
//
// Both are exact for any o. The middle of the box is taken first, and the centre itself for second moments, so that
// nothing large cancels for bodies far from the origin.
//
// A surface may have several parts, and parts inside others that look inwards: cavities. A part that does not fit
// into the others that way is an error; whether parts cross is not looked at.

// Solid is what a rigid body needs to know of a homogeneous solid.
type Solid struct {
	Volume  float64 // [m³]
	Mass    float64 // [kg]
	Centre  r3.Vec  // of mass [m]
	Inertia r3.Mat  // about the centre, in the axes of the positions [kg m²]
}

// SolidOf returns the mass properties of what a closed surface encloses, filled with the given density [kg/m³]. The
// error of a surface that is open, not a manifold or inside out names the edge or the triangle.
func SolidOf(x []r3.Vec, tri [][3]int32, density float64) (Solid, error) {
	// density and surface
	if !(density > 0) || math.IsInf(density, 1) {
		return Solid{}, fmt.Errorf("a density of %g kg/m³; it must be positive", density)
	}
	surface, err := closedSurface(x, tri)
	if err != nil {
		return Solid{}, err
	}
	if err := checkParts(x, surface); err != nil {
		return Solid{}, err
	}
	// origin in the middle of the surface
	box := r3.EmptyBox()
	for _, t := range tri {
		box = box.With(x[t[0]]).With(x[t[1]]).With(x[t[2]])
	}
	o := box.Center()
	// volume and centre of mass, tet by tet from the origin to the triangles
	volume, first := 0.0, r3.Vec{}
	for _, t := range tri {
		a, b, c := x[t[0]].Sub(o), x[t[1]].Sub(o), x[t[2]].Sub(o)
		v := a.Dot(b.Cross(c)) / 6
		volume += v
		first = first.AddScaled(v/4, a.Add(b).Add(c))
	}
	if !(volume > 0) || math.IsInf(volume, 1) {
		return Solid{}, fmt.Errorf("the surface encloses %g m³", volume)
	}
	s := Solid{Volume: volume, Mass: density * volume, Centre: o.AddScaled(1/volume, first)}
	// second moments about the centre
	var second r3.Mat
	for _, t := range tri {
		a, b, c := x[t[0]].Sub(s.Centre), x[t[1]].Sub(s.Centre), x[t[2]].Sub(s.Centre)
		w := density * a.Dot(b.Cross(c)) / 120
		sum := a.Add(b).Add(c)
		for _, p := range [4]r3.Vec{a, b, c, sum} {
			second.AddOuter(w, p, p)
		}
	}
	// inertia
	transposed := second.T() // the same but for rounding
	s.Inertia.AddDiagonal(second.Trace())
	s.Inertia.AddScaled(-0.5, &second)
	s.Inertia.AddScaled(-0.5, &transposed)
	return s, nil
}

// closedSurface connects triangles into a surface without boundary.
func closedSurface(x []r3.Vec, tri [][3]int32) (*Mesh, error) {
	// counts and limits
	if len(tri) == 0 {
		return nil, errors.New("a surface without triangles")
	}
	if len(x) > math.MaxInt32 || len(tri) > math.MaxInt32/3 {
		return nil, errors.New("the surface is too large")
	}
	// triangles: vertices that exist, differ and are somewhere
	var faults faultList
	for i, v := range tri {
		switch {
		case !within(v, len(x)):
			faults.add(i, "vertices %v, but there are %d", v, len(x))
		case v[0] == v[1] || v[1] == v[2] || v[2] == v[0]:
			faults.add(i, "vertices %v repeat", v)
		case !x[v[0]].Finite() || !x[v[1]].Finite() || !x[v[2]].Finite():
			faults.add(i, "a vertex of %v is not at a finite place", v)
		}
	}
	if err := faults.err(); err != nil {
		return nil, err
	}
	// edges, with two triangles each
	m := &Mesh{Verts: len(x), Tri: tri}
	if err := m.connect(); err != nil {
		return nil, err
	}
	for i := range m.Edges {
		if e := &m.Edges[i]; e.Boundary() {
			faults.add(int(e.Tri[0]), "is alone at edge %d-%d; the surface is open there", e.V[0], e.V[1])
		}
	}
	return m, faults.err()
}

// part is a connected part of a closed surface.
type part struct {
	tris   []int32
	volume float64
	box    r3.Box
}

// checkParts looks for parts that are inside out: around a part that looks outwards the others wind no times, around
// a cavity once.
func checkParts(x []r3.Vec, m *Mesh) error {
	// connected parts
	parts := m.parts(x)
	var faults faultList
	for i := range parts {
		p := &parts[i]
		// how often the others wind around it
		at := x[m.Tri[p.tris[0]][0]]
		around := 0.0
		for j := range parts {
			if q := &parts[j]; j != i && q.box.Contains(at) {
				around += m.winding(x, q.tris, at)
			}
		}
		// outwards outside, inwards inside another
		switch inside := around > 0.5; {
		case p.volume < 0 && !inside:
			faults.add(
				int(p.tris[0]),
				"its part of the surface is inside out, with a volume of %g m³; turn all %d triangles of it",
				p.volume,
				len(p.tris),
			)
		case p.volume > 0 && inside:
			faults.add(
				int(p.tris[0]),
				"its part of the surface is inside another and looks outwards, so that %g m³ would count twice",
				p.volume,
			)
		}
	}
	return faults.err()
}

// parts returns the connected parts of a closed surface.
func (m *Mesh) parts(x []r3.Vec) []part {
	var parts []part
	seen := make([]bool, len(m.Tri))
	for first := range m.Tri {
		if seen[first] {
			continue
		}
		seen[first] = true
		p := part{tris: []int32{int32(first)}, box: r3.EmptyBox()}
		o := x[m.Tri[first][0]]
		for i := 0; i < len(p.tris); i++ {
			v := m.Tri[p.tris[i]]
			p.volume += x[v[0]].Sub(o).Dot(x[v[1]].Sub(o).Cross(x[v[2]].Sub(o))) / 6
			for k := range int32(3) {
				p.box = p.box.With(x[v[k]])
				if n, _ := m.Neighbor(p.tris[i], k); !seen[n] {
					seen[n] = true
					p.tris = append(p.tris, n)
				}
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// winding returns how often the triangles go around q: their solid angles over 4π [VanOosterom83].
func (m *Mesh) winding(x []r3.Vec, tris []int32, q r3.Vec) float64 {
	sum := 0.0
	for _, t := range tris {
		a, b, c := x[m.Tri[t][0]].Sub(q), x[m.Tri[t][1]].Sub(q), x[m.Tri[t][2]].Sub(q)
		la, lb, lc := a.Norm(), b.Norm(), c.Norm()
		sum += 2 * math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
	}
	return sum / (4 * math.Pi)
}
