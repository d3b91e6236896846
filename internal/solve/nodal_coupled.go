// What contacts do in a Newton step; symbols as in nodal_newton.go.

package solve

import (
	"github.com/toile-sim/toile/r3"
)

// slide is what the law of a sliding contact says about its block.
type slide struct {
	normal, tangent r3.Vec  // world axes; the tangent is zero where there is no slip
	mu, turn        float64 // turn = μ r_N/‖u_T‖, the stiffness against a change of direction [kg]
	on              bool
}

// coupled is what a contact that cannot be eliminated does in a step.
type coupled struct {
	on     bool // not eliminated
	state  State
	w      r3.Mat  // W
	give   r3.Mat  // W⁻¹
	weight float64 // tr W/3
	rho    float64 // ρ
	soft   float64 // σ; where it is ρ, GMRES solves for δ alone
	mu     float64
	t1, t2 float64 // the direction of slip in the frame
	turn   float64
	now    r3.Vec // r⁺ for x = 0 and s = 0
	asked  r3.Vec // the right-hand side of its equation, -u
}

// push returns C s: the change of the impulse with s.
func (c *coupled) push(s r3.Vec) r3.Vec {
	switch c.state {
	case Stick:
		return s
	case Slide:
		return r3.Vec{X: s.X, Y: -c.mu * s.X * c.t1, Z: -c.mu * s.X * c.t2}
	}
	return r3.Vec{}
}

// steer returns the change of the friction of a sliding contact as its direction changes with x.
func (c *coupled) steer(x r3.Vec) r3.Vec {
	if c.state != Slide {
		return r3.Vec{}
	}
	side := c.turn * (c.t1*x.Z - c.t2*x.Y)
	return r3.Vec{Y: side * c.t2, Z: -side * c.t1}
}

// held returns the part of a velocity that the contact holds: all of it, or the normal part.
func (c *coupled) held(x r3.Vec) r3.Vec {
	switch c.state {
	case Stick:
		return x
	case Slide:
		return r3.Vec{X: x.X}
	}
	return r3.Vec{}
}

// yields returns W⁻¹ s.
func (c *coupled) yields(s r3.Vec) r3.Vec {
	if c.state == Slide {
		return r3.Vec{X: s.X / c.w.XX}
	}
	return c.give.MulVec(s)
}

// resists returns σ W x.
func (c *coupled) resists(x r3.Vec) r3.Vec {
	if c.state == Slide {
		return r3.Vec{X: c.soft * c.w.XX * x.X}
	}
	return c.w.MulVec(x).Scale(c.soft)
}

// symmetric returns the symmetric part of σ C W, and what steers, as the preconditioner sees it.
func (c *coupled) symmetric() r3.Mat {
	switch c.state {
	case Stick:
		return c.w.Scale(c.soft)
	case Slide:
		var m r3.Mat
		m.XX = c.soft * c.w.XX
		m.AddOuter(c.turn, r3.Vec{Y: -c.t2, Z: c.t1}, r3.Vec{Y: -c.t2, Z: c.t1})
		return m
	}
	return r3.Mat{}
}
