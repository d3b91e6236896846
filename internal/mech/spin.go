package mech

import (
	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/r3"
)

// Stresses turn with the motion of a step, and the balance of momentum has its levers at the start x₀. So a step takes
// spin from whatever is under stress: without it, x₀ x M (v - v₀) would be the impulse of torque, and with K_g, the
// geometric part of K, and θ,
//
//	L₁ - L₀ = -(2θ-1) h² Σ x₀ x (K_g v) + torque from outside.
//
// K_g cannot go: it is what holds taut cloth sideways. But most of its v is known before, and goes to the other side:
//
//	M (v - v₀) = h [ ... ] + (2θ-1) h² Σ_e K_g,e (ω_e x r)
//
// with the spin ω_e of each element at the start of the step: the mean over its nodes of the spin of the patch around
// each, which is the ω that is nearest to v₀ there,
//
//	Σ_j |v₀_j - v₀_i - ω_i x r_ij|² → min,   r_ij = x₀_j - x₀_i,   j the neighbours of i.
//
// A rigid rotation then keeps its angular momentum, and terms of an element sum to zero, so that momentum is kept as it
// was. Means over patches leave out short waves: with the spin of each element by itself taut cloth at 5 ms explodes.
// Of waves on a taut string with nodes at distance d, a share cos²(kd/2) of the damping is taken away, and the step is
// stable for any h; were it all of it for all waves, any error of the material part would make them grow.
//
// Symbols: K_g,e is what Assembly.Matrix has at x₀.

const (
	// leastTurn is the angle [rad] that something turns in a step below which it is left as it is, so that what rests
	// or moves without turning has the same bits with or without all this.
	leastTurn = 1e-7
	// Chords stretch what turns by an angle φ in a step by φ²/2, and where that is more than elasticity bears, the
	// stress of it drives the turn. From wideTurn to widestTurn [rad] less and less is given back, so that such turns
	// lose energy.
	wideTurn, widestTurn = 0.1, 0.3
)

// spins are those of an assembly, and what they are computed from.
type spins struct {
	x, v []r3.Vec
	h    float64
	node []r3.Vec // of the patch around each node [rad/s]
	y    []r3.Vec
	any  bool // some family turns its stresses along

	nodeFunc    func(lo, hi int) float64
	elementFunc func(lo, hi int)
	turnFunc    func(lo, hi int)
}

func (a *Assembly) makeSpins() {
	a.spin.node = make([]r3.Vec, len(a.Force))
	a.spin.nodeFunc, a.spin.elementFunc, a.spin.turnFunc = a.patchSpins, a.elementSpins, a.turnRange
	for i := range a.families {
		f := &a.families[i]
		if turner, ok := f.Elements.(element.Turner); ok && !f.OfVelocity {
			f.turner, f.spin, a.spin.any = turner, make([]r3.Vec, f.Elements.Len()), true
		}
	}
}

// Turn writes h² Σ_e K_g,e (ω_e x r) to y, of elements that turn with velocities v from x in h seconds, by the
// geometric parts at the last Update, and reports whether any does; if not, y stays as it is.
func (a *Assembly) Turn(x, v []r3.Vec, h float64, y []r3.Vec) bool {
	s := &a.spin
	if !s.any {
		return false
	}
	s.x, s.v, s.h, s.y = x, v, h, y
	defer func() { s.x, s.v, s.y = nil, nil, nil }()
	if a.team.Max(len(x), s.nodeFunc)*h < leastTurn {
		return false
	}
	for i := range a.families {
		if f := &a.families[i]; f.turner != nil {
			a.active = f
			a.team.For(len(f.spin), updateGrain, s.elementFunc)
		}
	}
	a.active = nil
	a.team.For(len(x), rowGrain, s.turnFunc)
	return true
}

// patchSpins finds the spins of patches, and returns the largest.
func (a *Assembly) patchSpins(lo, hi int) float64 {
	s, most := &a.spin, 0.0
	for i := lo; i < hi; i++ {
		var inertia r3.Mat // Σ |r|² 1 - r rᵀ
		var moment r3.Vec
		for _, j := range a.A.Col[a.A.Start[i]:a.A.Start[i+1]] {
			r := s.x[j].Sub(s.x[i])
			inertia.AddDiagonal(r.Norm2())
			inertia.AddOuter(-1, r, r)
			moment = moment.Add(r.Cross(s.v[j].Sub(s.v[i])))
		}
		s.node[i] = spinOf(&inertia, moment)
		most = max(most, s.node[i].Norm())
	}
	return most
}

// spinOf returns the spin of what has a moment of momentum. About a line on which all lies there is none.
func spinOf(inertia *r3.Mat, moment r3.Vec) r3.Vec {
	if moment == (r3.Vec{}) {
		return moment
	}
	inertia.AddDiagonal(1e-9 * inertia.Trace())
	inverse, ok := inertia.Inverse()
	if !ok {
		return r3.Vec{}
	}
	return inverse.MulVec(moment)
}

func (a *Assembly) elementSpins(lo, hi int) {
	f, s := a.active, &a.spin
	for e := lo; e < hi; e++ {
		nodes := f.Elements.Nodes(e)
		var sum r3.Vec
		for _, i := range nodes {
			sum = sum.Add(s.node[f.first+i])
		}
		mean := sum.Scale(1 / float64(len(nodes)))
		f.spin[e] = mean.Scale(keptOfTurn(mean.Norm() * s.h))
	}
}

// keptOfTurn returns the share of a turn by an angle [rad] that is given back.
func keptOfTurn(angle float64) float64 {
	switch {
	case !(angle >= leastTurn && angle < widestTurn):
		return 0
	case angle <= wideTurn:
		return 1
	}
	t := (widestTurn - angle) / (widestTurn - wideTurn)
	return t * t * (3 - 2*t)
}

func (a *Assembly) turnRange(lo, hi int) {
	s := &a.spin
	hh := s.h * s.h
	for i := lo; i < hi; i++ {
		var sum r3.Vec
		for _, e := range a.entries[a.rows[i][0]:a.rows[i][1]] {
			f := &a.families[e.family]
			if f.turner == nil {
				continue
			}
			if spin := f.spin[e.element]; spin != (r3.Vec{}) {
				sum = sum.Add(f.turner.Turn(int(e.element), int(e.local), spin))
			}
		}
		s.y[i] = sum.Scale(hh)
	}
}
