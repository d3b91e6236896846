package elastic

// Hinges: the cheap classic.
//
// For an edge from a to b with triangles (a, b, c) and (b, a, d), unit normals n₁ and n₂ and
// direction t, the angle θ = atan2((n₁ x n₂)·t, n₁·n₂) is zero when flat, and
//
//	E = k l²/(2a) (θ - θ₀)²/4                                             after [Grinspun03]
//
// with rest length l and a the rest area of both triangles. On a grid bent about one of its edge
// directions that is a plate of rigidity k/4; in other directions and on other meshes it is not, by
// factors up to three, and refinement does not help. Use Plate where that matters.
//
// Derivatives: with ∇N_k the gradients of the shape functions of a triangle, μ = t x n and
// β_k = ∇N_k·μ, a vertex moves the normal by δn = -∇N_k (n·δx_k), so
//
//	∂θ/∂x_k = β¹_k n₁ - β²_k n₂,   ∂²θ/∂x_k∂x_l = S¹_kl - S²_kl,
//	S_kl = -β_l n ∇N_kᵀ - β_k ∇N_l nᵀ - σ_k σ_l/|b-a|² n μᵀ,   σ_a = -1, σ_b = 1, else 0.
//
// (S alone is not symmetric; the difference is, because n μᵀ has the same skew part for every n.)

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// HingeLaw is hinge stiffness for bending along three directions of the cloth. In between it is
// interpolated linearly in the angle.
type HingeLaw struct {
	Warp float64 // k for bending along the warp [N m]; >= 0
	Bias float64 // k for bending at 45° to the warp [N m]; >= 0
	Weft float64 // k for bending along the weft [N m]; >= 0
}

// IsotropicHinge returns the law with the same k [N m] in all directions. Plate rigidity is k/4.
func IsotropicHinge(k float64) HingeLaw { return HingeLaw{Warp: k, Bias: k, Weft: k} }

// Validate lists the faults of the law.
func (l HingeLaw) Validate() error {
	var errs []error
	for _, k := range []struct {
		name  string
		value float64
	}{{"warp", l.Warp}, {"bias", l.Bias}, {"weft", l.Weft}} {
		if !(k.value >= 0) || math.IsInf(k.value, 1) {
			errs = append(errs, fmt.Errorf("%s stiffness is %g N m; write a number not below 0", k.name, k.value))
		}
	}
	return errors.Join(errs...)
}

// along returns k for bending along the direction d in material space.
func (l HingeLaw) along(d r3.Vec2) float64 {
	s := math.Atan2(math.Abs(d.Y), math.Abs(d.X)) * 4 / math.Pi // 0 warp, 1 bias, 2 weft
	if s < 1 {
		return l.Warp*(1-s) + l.Bias*s
	}
	return l.Bias*(2-s) + l.Weft*(s-1)
}

// Hinge is bending resistance at the edges inside a sheet, one element for each. It implements
// Elements.
type Hinge struct {
	node   [][4]int32   // a, b, c, d
	stiff  []float64    // k l²/(4a) [N m]
	rest   []float64    // θ₀ [rad]
	area   [][2]float64 // rest areas [m²]
	length []float64    // rest lengths [m]
	state  []hingeState
}

type hingeState struct {
	grad   [4]r3.Vec // ∂θ/∂x [1/m]
	torque float64   // ∂E/∂θ [N m]
	energy float64
	// second is the torque again if second derivatives of θ are wanted, else 0; at are the positions
	// they are computed from.
	second float64
	at     [4]r3.Vec
}

// NewHinge returns hinges with a flat rest shape on all edges that have two triangles; a hinge takes
// the mean of the laws of its triangles.
func NewHinge(m *mesh.Mesh, law func(t int32) HingeLaw) (*Hinge, error) {
	for t := range int32(len(m.Tri)) {
		if err := law(t).Validate(); err != nil {
			return nil, fmt.Errorf("bending law of triangle %d: %w", t, err)
		}
	}
	h := &Hinge{}
	for e := range m.Edges {
		d := &m.Edges[e]
		if d.Boundary() {
			continue
		}
		t, u, k := d.Tri[0], d.Tri[1], d.Opp[0]
		v := m.Tri[t]
		h.node = append(h.node, [4]int32{v[(k+1)%3], v[(k+2)%3], v[k], m.Tri[u][d.Opp[1]]})
		s, r := sideOf(m, t, k), sideOf(m, u, d.Opp[1])
		length, area := (s.length+r.length)/2, [2]float64{m.RestArea(t), m.RestArea(u)}
		stiffness := (law(t).along(s.out) + law(u).along(r.out)) / 2
		h.stiff = append(h.stiff, stiffness*length*length/(4*(area[0]+area[1])))
		h.area, h.length = append(h.area, area), append(h.length, length)
	}
	h.rest, h.state = make([]float64, len(h.node)), make([]hingeState, len(h.node))
	return h, nil
}

// RestFrom makes the angles of the shape x the rest angles.
func (h *Hinge) RestFrom(x []r3.Vec) {
	for e := range h.rest {
		var g hingeGeometry
		p := h.positions(x, e)
		h.measure(&p, e, &g)
		h.rest[e] = g.angle()
	}
}

// Len implements Elements.
func (h *Hinge) Len() int { return len(h.node) }

// Nodes implements Elements: the ends of the edge, then the two vertices opposite to it.
func (h *Hinge) Nodes(e int) []int32 { return h.node[e][:] }

func (h *Hinge) positions(x []r3.Vec, e int) [4]r3.Vec {
	v := &h.node[e]
	return [4]r3.Vec{x[v[0]], x[v[1]], x[v[2]], x[v[3]]}
}

// hingeGeometry holds one entry a triangle; corners are in the order of the nodes of the hinge, and
// the gradient of the node that is not in the triangle is zero.
type hingeGeometry struct {
	t      r3.Vec
	length float64
	n, mu  [2]r3.Vec
	grad   [2][4]r3.Vec
	beta   [2][4]float64
}

func (h *Hinge) measure(x *[4]r3.Vec, e int, g *hingeGeometry) {
	edge := x[1].Sub(x[0])
	g.t, g.length = edge.Unit(), max(edge.Norm(), leastArea*h.length[e])
	var p, q [3]r3.Vec
	g.n[0], p = surface(x[0], x[1], x[2], h.area[e][0])
	g.n[1], q = surface(x[1], x[0], x[3], h.area[e][1])
	g.grad[0] = [4]r3.Vec{p[0], p[1], p[2], {}}
	g.grad[1] = [4]r3.Vec{q[1], q[0], {}, q[2]}
	for i := range 2 {
		g.mu[i] = g.t.Cross(g.n[i])
		for k := range 4 {
			g.beta[i][k] = g.grad[i][k].Dot(g.mu[i])
		}
	}
}

func (g *hingeGeometry) angle() float64 {
	return math.Atan2(g.n[0].Cross(g.n[1]).Dot(g.t), g.n[0].Dot(g.n[1]))
}

// Update implements Elements.
func (h *Hinge) Update(x []r3.Vec, detail Detail, lo, hi int) {
	var g hingeGeometry
	for e := lo; e < hi; e++ {
		p, s := h.positions(x, e), &h.state[e]
		h.measure(&p, e, &g)
		// The shorter way round, so that a hinge that is folded through itself does not jump.
		turn := math.Remainder(g.angle()-h.rest[e], 2*math.Pi)
		s.torque = h.stiff[e] * turn
		s.energy = s.torque * turn / 2
		for k := range 4 {
			s.grad[k] = g.n[0].Scale(g.beta[0][k]).AddScaled(-g.beta[1][k], g.n[1])
		}
		s.second = 0
		if detail == Exact {
			s.second, s.at = s.torque, p
		}
	}
}

// Energy implements Elements.
func (h *Hinge) Energy(e int) float64 { return h.state[e].energy }

// Force implements Elements.
func (h *Hinge) Force(e, k int) r3.Vec { return h.state[e].grad[k].Scale(-h.state[e].torque) }

// AddRow implements Elements. The geometric part is indefinite and given for Exact only.
func (h *Hinge) AddRow(e, k int, at []int32, val []r3.Mat, material, geometric float64) {
	s := &h.state[e]
	for l, i := range at {
		if i >= 0 {
			val[i].AddOuter(material*h.stiff[e], s.grad[k], s.grad[l])
		}
	}
	if geometric *= s.second; geometric == 0 {
		return
	}
	sign := [4]float64{-1, 1, 0, 0}
	var g hingeGeometry
	h.measure(&s.at, e, &g)
	for l, i := range at {
		if i < 0 {
			continue
		}
		for j, w := range [2]float64{geometric, -geometric} {
			val[i].AddOuter(-w*g.beta[j][l], g.n[j], g.grad[j][k])
			val[i].AddOuter(-w*g.beta[j][k], g.grad[j][l], g.n[j])
			val[i].AddOuter(-w*sign[k]*sign[l]/(g.length*g.length), g.n[j], g.mu[j])
		}
	}
}

// Turn implements Turner.
func (h *Hinge) Turn(e, k int, spin r3.Vec) r3.Vec {
	if h.state[e].second == 0 {
		return r3.Vec{} // the Projected mode has no geometric part
	}
	return h.Force(e, k).Cross(spin)
}

// MaterialForce implements Elements.
func (h *Hinge) MaterialForce(e, k int, v []r3.Vec) r3.Vec {
	s, rate := &h.state[e], 0.0
	for l, i := range h.node[e] {
		rate += s.grad[l].Dot(v[i])
	}
	return s.grad[k].Scale(-h.stiff[e] * rate)
}
