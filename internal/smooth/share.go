package smooth

import "github.com/toile-sim/toile/r3"

// Share is what one vertex of the mesh has to do with a place.
type Share struct {
	Vertex int32
	Weight float64 // Σ w_s/3 over its triangles: all of them add up to 1
	Slope  r3.Vec  // ∂Ψ/∂p, with weights, centroids and normals differentiated
	Carry  r3.Mat  // what its velocity adds to that of the surface at the place
}

// Shares appends what the vertices have to do with the place, in the order of the triangles that were found.
//
// Slope. With y_s = w_s (x−s) pushed into the plane of the triangle, which has the area A_s, and o the side opposite to
// a corner,
//
//	∂Ψ/∂p = Σ −(∇w̃ (φ − Ψ) + w̃ n)/(3 Σ w̃) + (y_s × o)/(2 A_s).
//
// Ψ does not change when all is moved rigidly, so that these forces and the one at x, ∇Ψ, have no sum and no torque.
//
// Carry. The velocity of the surface at x is that of the rigid motion which fits those of the corners best, in the
// sense of the weights: with s' = Σ w_s s, r = p − s' of a corner, and I_w = Σ w_s/3 (|r|² 1 − r rᵀ) over corners,
//
//	J = Σ w_s/3 (1 − [x−s']× I_w⁻¹ [r]×).
//
// It is exact for every rigid motion, and so keeps both momenta. [Larionov21] section 4.1.3 has w_s Q_s/3 with the
// rotation Q_s that takes n_s to the normal at x, which is not even exact for translations; Transport takes that. That
// corners and not centroids have the levers r makes I_w regular as soon as there is one triangle.
func (s *Surface) Shares(p *Place, out []Share) []Share {
	first := len(out)
	carried := s.carried(p)
	for i := range p.near {
		k := &p.near[i]
		c := s.corners(k.tri, p.time)
		w := k.w / p.Sum
		moved := k.d.Scale(k.first*(k.phi-p.Value)/p.Sum).AddScaled(w, k.n).Scale(-1.0 / 3)
		y := k.d.AddScaled(-k.phi, k.n).Scale(w / k.area)
		for corner, v := range s.tri[k.tri] {
			opposite := c[(corner+2)%3].Sub(c[(corner+1)%3])
			at := find(&out, first, v)
			at.Weight += w / 3
			at.Slope = at.Slope.Add(moved).Add(y.Cross(opposite))
			carry := carried.of(k.n, c[corner])
			at.Carry.AddScaled(w/3, &carry)
		}
	}
	return out
}

// find returns the share of a vertex from the first on, which it adds if there is none.
func find(out *[]Share, first int, vertex int32) *Share {
	for i := first; i < len(*out); i++ {
		if (*out)[i].Vertex == vertex {
			return &(*out)[i]
		}
	}
	*out = append(*out, Share{Vertex: vertex})
	return &(*out)[len(*out)-1]
}

// carried tells how velocities of corners make that at a place.
type carried struct {
	transport bool
	normal    r3.Vec
	middle    r3.Vec // s'
	turn      r3.Mat // [x−s']× I_w⁻¹
}

func (s *Surface) carried(p *Place) carried {
	if s.Transport {
		return carried{transport: true, normal: p.Normal()}
	}
	var out carried
	for i := range p.near {
		k := &p.near[i]
		out.middle = out.middle.AddScaled(k.w/p.Sum, p.X.Sub(k.d))
	}
	var inertia r3.Mat
	for i := range p.near {
		k := &p.near[i]
		for _, c := range s.corners(k.tri, p.time) {
			r := c.Sub(out.middle)
			w := k.w / (3 * p.Sum)
			inertia.AddDiagonal(w * r.Norm2())
			inertia.AddOuter(-w, r, r)
		}
	}
	if inverse, ok := inertia.Inverse(); ok {
		lever := r3.Cross(p.X.Sub(out.middle))
		out.turn = lever.Mul(&inverse)
	}
	return out
}

// of returns what the velocity of a corner of a triangle with the normal n adds, but for its weight.
func (c *carried) of(n, corner r3.Vec) r3.Mat {
	if c.transport {
		return transported(n, c.normal)
	}
	lever := r3.Cross(corner.Sub(c.middle))
	m := r3.Identity()
	turned := c.turn.Mul(&lever)
	m.AddScaled(-1, &turned)
	return m
}

// transported returns the least rotation that takes one unit vector to another, 1 + [z]× + [z]×²/(1 + n·m) with
// z = n × m. Of opposite ones, of which there is no least, it is none.
func transported(n, m r3.Vec) r3.Mat {
	q := r3.Identity()
	const turned = 1e-9
	if c := 1 + n.Dot(m); c > turned {
		z := r3.Cross(n.Cross(m))
		q.Add(&z)
		square := z.Mul(&z)
		q.AddScaled(1/c, &square)
	}
	return q
}
