package main

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// spoil is a way to falsify what cases get.
type spoil struct {
	name string
	make func(rng *rand.Rand) *verify.Spoil
}

// change falsifies a velocity v in a step of h.
type change func(rng *rand.Rand, v r3.Vec, h float64) r3.Vec

// spoils begin with those that most rows notice.
var spoils = []spoil{
	{"off by 0.1 m/s or 10 %", wrong(0.1, true, true, func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(0.1, anywhere(rng)) })},
	{"no contacts, crossings let through", blind},
	{"slower by 2 %", wrong(-0.02, false, false, func(_ *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.Scale(0.98) })},
	{"faster by 5 %", wrong(0.05, false, true, func(_ *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.Scale(1.05) })},
	{"at rest", wrong(-1, false, true, func(*rand.Rand, r3.Vec, float64) r3.Vec { return r3.Vec{} })},
	{"off by 3 m/s or 100 %", wrong(1, true, true, func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(3, anywhere(rng)) })},
	{"off by 30 m/s or 1000 %", wrong(10, true, true, func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(30, anywhere(rng)) })},
	{"backward", wrong(-2, false, false, func(_ *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.Neg() })},
	{"no impulses, not solved", noImpulses},
	{"impulses doubled and turned", doubled},
	{"stiffer and heavier", world(1.3, 1.5, 2, 1.3)},
	{"slack and light", world(0.5, 0.3, 0.2, 0.8)},
	{"without friction and weight", world(0, 1, 1, 1)},
	{"a fifth more gravity", wrong(0.2, false, false, push(r3.V(0, 0, -2)))},
	{"pushed along x by g", wrong(0.01, false, false, push(r3.V(9.81, 0, 0)))},
	{"pushed along y by g", wrong(-0.01, false, false, push(r3.V(0, 9.81, 0)))},
	{"pushed up by 2 g", wrong(-0.5, false, true, push(r3.V(0, 0, 19.62)))},
	{"off by 1 mm/s or 0.1 %", wrong(1e-3, true, false, func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(1e-3, anywhere(rng)) })},
	{"off by 10 tolerances", wrong(1e-7, true, false, func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(1e-7, anywhere(rng)) })},
}

// anywhere returns a vector that is one long.
func anywhere(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
}

// push accelerates by a.
func push(a r3.Vec) change {
	return func(_ *rand.Rand, v r3.Vec, h float64) r3.Vec { return v.AddScaled(h, a) }
}

// wrong changes velocities, of what is held as well if held is set, and all else by a part of it, in random directions
// or along itself.
func wrong(part float64, random, held bool, change change) func(rng *rand.Rand) *verify.Spoil {
	return func(rng *rand.Rand) *verify.Spoil {
		other := func(v r3.Vec) r3.Vec {
			if random {
				return v.AddScaled(part*v.Norm(), anywhere(rng))
			}
			return v.Scale(1 + part)
		}
		const h = 1e-3 // of what has no step
		return &verify.Spoil{
			Step: func(p *solve.ContactProblem) {
				for i := range p.V {
					if held || p.Fixed == nil || !p.Fixed[i] {
						p.V[i] = change(rng, p.V[i], p.H)
					}
				}
			},
			Settled: func(x []r3.Vec, s *engine.SettleStats) {
				for i := range x {
					x[i] = other(x[i])
				}
				for k := range s.Energy {
					s.Energy[k] *= 1 + part
				}
				s.Move, s.Force = s.Move+math.Abs(part), s.Force+math.Abs(part)
			},
			Answer: func(out *solve.Contacts) {
				for i := range out.V {
					out.V[i] = change(rng, out.V[i], h)
				}
				for c := range out.R {
					out.R[c] = other(out.R[c])
				}
				for c := range out.U {
					out.U[c] = change(rng, out.U[c], h)
				}
			},
			Value: func(x float64) float64 {
				if random {
					return x + part*x*rng.NormFloat64()
				}
				return x + part*x
			},
			Yarn: func(x, v, force []r3.Vec, h float64) {
				for i := range v {
					to := change(rng, v[i], h)
					x[i], v[i], force[i] = x[i].AddScaled(h, to.Sub(v[i])), to, other(force[i])
				}
			},
		}
	}
}

// blind lets everything pass through everything.
func blind(*rand.Rand) *verify.Spoil {
	return &verify.Spoil{Blind: true, Yarns: func(o *yarn.Options) { o.Material.Contact = 0 }}
}

// noImpulses leaves out what contacts do, and says of answers that they are none.
func noImpulses(*rand.Rand) *verify.Spoil {
	return &verify.Spoil{
		Step: func(p *solve.ContactProblem) { clear(p.R) },
		Says: func(yes bool) bool { return !yes },
		Answer: func(out *solve.Contacts) {
			clear(out.R)
			out.Converged, out.Contradicted = false, false
			for c := range out.State {
				out.State[c] = (out.State[c] + 1) % 3
			}
		},
	}
}

// doubled doubles normal impulses and turns friction round, and claims contradictions.
func doubled(*rand.Rand) *verify.Spoil {
	turn := func(r []r3.Vec) {
		for c := range r {
			r[c] = r3.V(2*r[c].X, -r[c].Y, -r[c].Z)
		}
	}
	return &verify.Spoil{
		Step: func(p *solve.ContactProblem) { turn(p.R) },
		Answer: func(out *solve.Contacts) {
			turn(out.R)
			out.Converged = true
			for c := range out.State {
				out.State[c] = (out.State[c] + 2) % 3
			}
			for c := range out.Infeasible {
				out.Infeasible[c] = c%2 == 0
			}
		},
	}
}

// world makes other worlds: gravity, friction and loads, stiffness in the plane, bending, and mass by these factors.
func world(load, stretch, bend, mass float64) func(rng *rand.Rand) *verify.Spoil {
	return func(*rand.Rand) *verify.Spoil {
		return &verify.Spoil{
			World: func(o *engine.Options) {
				o.Gravity = o.Gravity.Scale(load)
				o.Contact.Friction *= load
				o.Contact.Thickness *= bend
			},
			Fabric: func(s, b, m *float64) { *s, *b, *m = *s*stretch, *b*bend, *m*mass },
			Yarns: func(o *yarn.Options) {
				o.Gravity = o.Gravity.Scale(load)
				m := &o.Material
				m.Friction *= load
				m.Contact *= stretch
				m.Bend, m.Twist, m.Density = m.Bend*bend, m.Twist*bend*bend, m.Density*mass
			},
		}
	}
}
