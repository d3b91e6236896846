package smooth

import "github.com/toile-sim/toile/r3"

// Place is the surface as it is seen from a point. It holds scratch: keep it. The zero Place is ready.
type Place struct {
	X        r3.Vec
	Value    float64 // Ψ [m]
	Gradient r3.Vec  // ∇Ψ
	Sum      float64 // of w̃; one sample alone has 1 at its centroid

	time   float64
	near   []sample
	around []int32
}

// sample is a triangle near the point.
type sample struct {
	tri           int32
	w             float64 // w̃
	first, second float64 // of its derivatives
	d             r3.Vec  // x − s
	n             r3.Vec
	area          float64 // twice that of the triangle [m²]
	phi           float64 // n·d
}

// flattest bounds |∇Ψ| from below where Ψ/|∇Ψ| is taken for a gap. Near the middle of a body samples of all sides
// cancel.
const flattest = 0.2

// Look sees the surface from x at time t of the step, in [0, 1], and tells whether it is known there.
func (s *Surface) Look(p *Place, x r3.Vec, t float64) bool {
	p.gather(s, x, t)
	if len(p.near) == 0 {
		return false
	}
	return p.blend()
}

// gather finds the samples that have a say at x.
func (p *Place) gather(s *Surface, x r3.Vec, t float64) {
	p.X, p.time, p.near = x, t, p.near[:0]
	by := r3.V(s.Radius, s.Radius, s.Radius)
	p.around = s.tree.Overlapping(r3.Box{Min: x.Sub(by), Max: x.Add(by)}, p.around)
	for _, i := range p.around {
		c := s.corners(i, t)
		d := x.Sub(centroid(c[0], c[1], c[2]))
		if d.Norm2() >= s.Radius*s.Radius {
			continue
		}
		n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0]))
		area := n.Norm()
		if !(area > 0) {
			continue // it has no normal
		}
		n = n.Scale(1 / area)
		k := sample{tri: i, d: d, n: n, area: area, phi: n.Dot(d)}
		k.w, k.first, k.second = s.weight(d.Norm2())
		p.near = append(p.near, k)
	}
}

// blend finds Ψ = Σ w̃ φ / Σ w̃ and its gradient, Σ (∇w̃ (φ − Ψ) + w̃ n) / Σ w̃. It tells whether they are of use.
func (p *Place) blend() bool {
	p.Sum, p.Value, p.Gradient = 0, 0, r3.Vec{}
	for i := range p.near {
		k := &p.near[i]
		p.Sum += k.w
		p.Value += k.w * k.phi
	}
	if !(p.Sum > 0) {
		return false
	}
	p.Value /= p.Sum
	for i := range p.near {
		k := &p.near[i]
		p.Gradient = p.Gradient.AddScaled(k.first*(k.phi-p.Value), k.d).AddScaled(k.w, k.n)
	}
	p.Gradient = p.Gradient.Scale(1 / p.Sum)
	return p.Gradient.Norm2() > flattest*flattest
}

// Samples returns how many samples have a say.
func (p *Place) Samples() int { return len(p.near) }

// Nearest returns the triangle with the greatest weight, the first of several.
func (p *Place) Nearest() int32 {
	best := &p.near[0]
	for i := range p.near {
		if k := &p.near[i]; k.w > best.w {
			best = k
		}
	}
	return best.tri
}

// Gap returns Ψ/|∇Ψ|, the distance to the surface to first order, negative inside [m].
func (p *Place) Gap() float64 { return p.Value / p.Gradient.Norm() }

// Normal returns the direction in which Ψ grows.
func (p *Place) Normal() r3.Vec { return p.Gradient.Scale(1 / p.Gradient.Norm()) }

// Hessian returns the second derivatives of Ψ by the point [1/m]:
//
//	(Σ (∇∇w̃ (φ − Ψ) + ∇w̃ nᵀ + n ∇w̃ᵀ) − ∇Ψ Σ∇w̃ᵀ − Σ∇w̃ ∇Ψᵀ) / Σ w̃.
func (p *Place) Hessian() r3.Mat {
	var h r3.Mat
	var slope r3.Vec
	for i := range p.near {
		k := &p.near[i]
		h.AddDiagonal(k.first * (k.phi - p.Value))
		h.AddOuter(k.second*(k.phi-p.Value), k.d, k.d)
		h.AddOuter(k.first, k.d, k.n)
		h.AddOuter(k.first, k.n, k.d)
		slope = slope.AddScaled(k.first, k.d)
	}
	h.AddOuter(-1, p.Gradient, slope)
	h.AddOuter(-1, slope, p.Gradient)
	return h.Scale(1 / p.Sum)
}
