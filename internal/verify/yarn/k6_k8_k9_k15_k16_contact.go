package yarn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// contactModes are the ways to compute contact that must agree.
var contactModes = []struct {
	mode yarn.ContactMode
	name string
}{
	{yarn.ContactSets, "contact sets"},
	{yarn.ContactLinear, "linear models of tolerance 0"},
	{yarn.ContactPairs, "scheduled pairs"},
	{yarn.ContactHierarchy, "hierarchy of boxes"},
}

// K6: linear models without tolerance are the exact force, and so are all other ways to find what touches. A small knit
// sways, with damping of contact.
var exactModels = verify.Case{
	ID: "K6", Title: "all ways to compute contact agree", Source: "section 4 of [Kaldor10]: no error at τ = 0",
	Body: func(t *verify.Trial) {
		loops, steps := 6, 100
		if t.Options.Full {
			loops, steps = 14, 1000
		}
		f, err := knit.Make(knit.Stockinette(), knit.Options{Wales: loops, Courses: loops, Radius: 1.19e-3})
		t.Must(err)
		m := touchOnly() // thicker than what the knit was laid for, so that all loops touch
		m.DampNormal, m.DampTangent = 0.3, 0.03
		laid := f.Points()
		var puppets []*puppet
		for _, c := range contactModes {
			puppets = append(puppets, newPuppet(t, yarn.Options{Material: m, Mode: c.mode}, asLaid(f)))
		}
		worst := make([]float64, len(puppets))
		for step := range steps {
			t.Must(nil)
			for _, p := range puppets {
				sway(laid, p.at, float64(step)*5e-4)
				p.step()
			}
			for k, p := range puppets {
				worst[k] = max(worst[k], differ(p.force, puppets[len(puppets)-1].force))
			}
		}
		for k, c := range contactModes[:3] {
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("%s against the hierarchy, over the largest force, %d steps", c.name, steps),
				Measured: worst[k], Bar: verify.AtMost, Limit: 64 * verify.Rounding,
				From: "64 roundings of sums in another order",
			})
		}
	},
}

// asLaid returns the yarns of a knit.
func asLaid(f *knit.Fabric) []yarn.Yarn {
	var all []yarn.Yarn
	for _, y := range f.Yarns {
		all = append(all, yarn.Yarn{Points: y.Points, Closed: y.Closed})
	}
	return all
}

// sway moves points gently: a slow wave over the whole, and a small one of short length.
func sway(laid, at []r3.Vec, time float64) {
	for i, p := range laid {
		wave := 2e-3*math.Sin(20*time+30*p.X) + 1e-4*math.Sin(90*time+900*p.Y+700*p.X)
		at[i] = p.Add(r3.V(1e-3*math.Sin(15*time+40*p.Y), 0.5*wave, wave))
	}
}

// K8: the schedule looks at a pair of segments only when it may touch. Over random motion, sudden at times, forces are
// those of all pairs of quadrature points in every step.
var scheduled = verify.Case{
	ID: "K8", Title: "the schedule misses no contact", Source: "section 5.2 of [Kaldor10]",
	Body: func(t *verify.Trial) {
		steps := 1500
		if t.Options.Full {
			steps = 10_000
		}
		r := rand.New(rand.NewPCG(8, 1))
		m := touchOnly()
		yarns := tangledYarns(r, 4, 12, m.Radius)
		exact := newEveryPair(m, yarns, 11)
		modes := []yarn.ContactMode{yarn.ContactPairs, yarn.ContactSets}
		var puppets []*puppet
		for _, mode := range modes {
			puppets = append(puppets, newPuppet(t, yarn.Options{Material: m, Mode: mode}, yarns))
		}
		motion := newErratic(r, puppets[0].at)
		want := make([]r3.Vec, len(motion.at))
		worst, missed, touched := [2]float64{}, [2]float64{}, 0
		tracked, processed, sets, slowest := 0.0, 0.0, 0.0, 0.0
		largest := math.SmallestNonzeroFloat64
		for range steps {
			motion.move()
			for _, p := range puppets {
				copy(p.at, motion.at)
			}
			for k, p := range puppets {
				s := p.step()
				if k == 0 {
					clear(want)
					_, touching, _ := exact.evaluate(p.was, want)
					touched += touching
					tracked, processed = tracked+float64(s.Contact.Tracked), processed+float64(s.Contact.Processed)
				} else {
					cost := s.Contact.Time.Sets.Seconds()
					sets, slowest = sets+cost, max(slowest, cost)
				}
				off := 0.0
				for i, f := range p.force {
					largest = max(largest, want[i].Norm())
					off = max(off, f.Sub(want[i]).Norm()/largest)
				}
				worst[k] = max(worst[k], off)
				if !(off <= 1e-12) {
					missed[k]++
				}
			}
		}
		for k, name := range []string{"scheduled pairs", "contact sets"} {
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("%s: steps of %d with a force that is not that of all pairs", name, steps),
				Measured: missed[k], Bar: verify.AtMost,
			})
			t.Row(verify.Row{
				Quantity: name + ": largest difference over the largest force", Measured: worst[k], Bar: verify.AtMost,
				Limit: 1e-12,
			})
		}
		n := float64(steps)
		t.Row(verify.Row{
			Quantity: "pairs of quadrature points that touch, in the mean: the motion tries the schedule",
			Measured: t.Value(float64(touched)) / n, Bar: verify.AtLeast, Limit: 50,
		})
		t.Row(verify.Row{
			Quantity: "pairs of segments looked at, of those tracked", Measured: t.Value(processed) / tracked,
			Bar: verify.AtMost, Limit: 0.5,
		})
		t.Note("merging and indexing contact sets took %.3g ms a step, %.3g ms at the most", 1e3*sets/n, 1e3*slowest)
	},
}

// erratic moves points at velocities that change slowly, and now and then at once. All of them fall together, too.
type erratic struct {
	r                  *rand.Rand
	at, home, velocity []r3.Vec
}

func newErratic(r *rand.Rand, at []r3.Vec) *erratic {
	return &erratic{r, append([]r3.Vec(nil), at...), append([]r3.Vec(nil), at...), make([]r3.Vec, len(at))}
}

func (m *erratic) move() {
	kick := 3e-7
	if m.r.IntN(100) == 0 {
		kick = 2e-4
	}
	fall := r3.V(0, 0, -1e-5)
	for i := range m.at {
		m.home[i] = m.home[i].Add(fall)
		m.velocity[i] = m.velocity[i].Scale(0.97).AddScaled(kick, gaussian(m.r)).AddScaled(1e-4, m.home[i].Sub(m.at[i]))
		m.at[i] = m.at[i].Add(m.velocity[i]).Add(fall)
	}
}

// K9: the force is minus the derivative of the energy, the matrix of a model that of the force, and both energy and
// force begin at the diameter with nothing. The second derivative jumps there: differences are taken where no pair of
// points is within a thousandth of the radius of it.
var contactDerivatives = verify.Case{
	ID: "K9", Title: "energy of contact and its derivatives", Source: "differences; f(2r) = f'(2r) = 0",
	Body: func(t *verify.Trial) {
		trials := 20
		if t.Options.Full {
			trials = 200
		}
		m := touchOnly()
		touch := func(s float64) float64 { return crossingForce(t, yarn.Options{Material: m}, math.Pi/2, s, 0, 0) }
		t.Row(verify.Row{
			Quantity: "force at a diameter and 1e-12 of it, over that at 0.8", Measured: touch(1+1e-12) / touch(0.8),
			Bar: verify.AtMost,
		})
		// A pair of points has 1/s² - 1, s = d²/D²: 4e-9 at a distance of (1 - 1e-9) D, and 1.44 at 0.8 D.
		t.Row(verify.Row{
			Quantity: "force at a diameter less 1e-9, over that at 0.8",
			Measured: touch(1-1e-9) / touch(0.8), Bar: verify.AtMost, Limit: 4e-9 / 1.44,
		})
		r := rand.New(rand.NewPCG(9, 1))
		gradient, hessian := 0.0, 0.0
		for range trials {
			yarns, exact := clearOfTheEdge(t, r, m)
			gradient = max(gradient, gradientOff(t, r, m, yarns, exact))
			hessian = max(hessian, hessianOff(t, r, m, yarns, exact))
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("slope of the energy off the force, relative, at most of %d", trials),
			Measured: gradient, Bar: verify.AtMost, Limit: 3e-8,
			From: "differences of energies, to the third root of a rounding",
		})
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("change of the force off the matrix, over its largest, at most of %d", trials),
			Measured: hessian, Bar: verify.AtMost, Limit: 1e-6,
		})
	},
}

// clearOfTheEdge lays two crossed yarns with no pair of points within a thousandth of the radius of touching.
func clearOfTheEdge(t *verify.Trial, r *rand.Rand, m yarn.Material) ([]yarn.Yarn, *everyPair) {
	for {
		t.Must(nil)
		yarns := crossedYarns(r)
		exact := newEveryPair(m, yarns, 11)
		if _, _, edge := exact.evaluate(joined(yarns), nil); edge > 1e-3*m.Radius {
			return yarns, exact
		}
	}
}

// joined returns the points of all yarns.
func joined(yarns []yarn.Yarn) []r3.Vec {
	var x []r3.Vec
	for _, y := range yarns {
		x = append(x, y.Points...)
	}
	return x
}

// gradientOff compares the force with the difference of energies in a random direction, relative.
func gradientOff(t *verify.Trial, r *rand.Rand, m yarn.Material, yarns []yarn.Yarn, exact *everyPair) float64 {
	p := newPuppet(t, yarn.Options{Material: m}, yarns)
	p.step()
	way := make([]r3.Vec, len(p.was))
	slope, size := 0.0, 0.0
	for i, f := range p.force {
		way[i] = gaussian(r)
		slope -= f.Dot(way[i])
		size += f.Norm2()
	}
	const h = 1e-8
	moved := make([]r3.Vec, len(way))
	energy := func(by float64) float64 {
		for i, x := range p.was {
			moved[i] = x.AddScaled(by, way[i])
		}
		e, _, _ := exact.evaluate(moved, nil)
		return e
	}
	return math.Abs((energy(h)-energy(-h))/(2*h)-slope) / math.Sqrt(size)
}

// hessianOff compares the change of the force of a linear model in a random direction with that of the exact force.
func hessianOff(t *verify.Trial, r *rand.Rand, m yarn.Material, yarns []yarn.Yarn, exact *everyPair) float64 {
	p := newPuppet(t, yarn.Options{Material: m, Mode: yarn.ContactLinear, Tolerance: 0.1}, yarns)
	for range 4 { // until sets have their size and models are built
		p.step()
	}
	laid := append([]r3.Vec(nil), p.was...)
	way := make([]r3.Vec, len(laid))
	for i := range way {
		way[i] = gaussian(r)
	}
	const h = 1e-8 // so little that no pair leaves or enters contact: h |way| < 1e-3 r
	var model, force [2][]r3.Vec
	for k, by := range [2]float64{h, -h} {
		for i := range laid {
			p.at[i] = laid[i].AddScaled(by, way[i])
		}
		p.step()
		if s := p.step(); s.Contact.Updates > 0 {
			t.Note("a model was built anew at a deformation of %g m", h)
		}
		model[k] = append([]r3.Vec(nil), p.force...)
		force[k] = make([]r3.Vec, len(laid))
		exact.evaluate(p.was, force[k])
	}
	for i := range laid {
		model[0][i] = model[0][i].Sub(model[1][i])
		force[0][i] = force[0][i].Sub(force[1][i])
	}
	return differ(model[0], force[0])
}

// K16: two straight yarns that cross at an angle push each other apart with 2π k d f(d)/sin(angle), the integral of the
// energy over both lines.
var crossingYarns = verify.Case{
	ID: "K16", Title: "two yarns cross", Source: "the integral of k ∫∫ f ds ds'",
	Body: func(t *verify.Trial) {
		stride := 0.31
		if t.Options.Full {
			stride = 0.09
		}
		m := touchOnly()
		for _, c := range []struct {
			points int
			limit  float64
		}{{11, 0.015}, {44, 1e-3}} {
			for _, degrees := range []float64{90, 60, 45} {
				angle := degrees * math.Pi / 180
				exact := func(s float64) float64 {
					return 2 * math.Pi * m.Contact * 2 * m.Radius * s * (1/(s*s) + s*s - 2) / math.Sin(angle)
				}
				worst := 0.0
				for _, s := range []float64{0.6, 0.7, 0.8, 0.85, 0.9, 0.95} {
					for a := 0.0; a < 1; a += stride {
						for b := 0.0; b < 1; b += stride {
							got := crossingForce(t, yarn.Options{Material: m, Points: c.points}, angle, s, a, b)
							worst = max(worst, math.Abs(got-exact(s))/exact(0.8))
						}
					}
				}
				t.Row(verify.Row{
					Quantity: fmt.Sprintf(
						"force at %g°, 0.6 to 0.95 D, %d points a segment: off, over that at 0.8 D", degrees, c.points,
					),
					Measured: worst, Bar: verify.AtMost, Limit: c.limit,
				})
			}
		}
	},
}

// crossingForce returns the force that pushes two straight yarns apart that cross at a distance of s diameters, each
// shifted along itself by a share of the distance of its quadrature points.
func crossingForce(t *verify.Trial, o yarn.Options, angle, s, shift, other float64) float64 {
	const n = 12
	points := o.Points
	if points == 0 {
		points = 11
	}
	line := func(way r3.Vec, z, shift float64) yarn.Yarn {
		var x []r3.Vec
		for i := range n {
			x = append(x, r3.V(0, 0, z).AddScaled((float64(i)-n/2+0.5+shift/float64(points))*4*o.Material.Radius, way))
		}
		return yarn.Yarn{Points: x}
	}
	p := newPuppet(t, o, []yarn.Yarn{
		line(r3.V(1, 0, 0), 0, shift), line(r3.V(math.Cos(angle), math.Sin(angle), 0), 2*s*o.Material.Radius, other),
	})
	p.step()
	net, _ := moments(p.was[n:], p.force[n:])
	return net.Z
}

// K15: whatever a contact set does until its model is renewed, its net force is nothing. Its torque is not: the model
// knows rotations of the whole only.
var modelMomentum = verify.Case{
	ID: "K15", Title: "linear models keep momentum", Source: "action and reaction",
	Body: func(t *verify.Trial) {
		trials := 20
		if t.Options.Full {
			trials = 400
		}
		torque := draw.Series{Name: "torque / (force · r)", Style: draw.Points}
		for _, tau := range []float64{0.004, 0.01, 0.04, 0.1, 0.3} {
			r := rand.New(rand.NewPCG(15, 1))
			worst, turning := 0.0, 0.0
			for range trials {
				net, moment := deformModel(t, r, tau)
				worst, turning = max(worst, net), max(turning, moment)
			}
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("net force over force at τ = %g, at most of %d sets", tau, trials),
				Measured: worst, Bar: verify.AtMost, Limit: 64 * verify.Rounding,
				From: "64 roundings of sums over quadrature points",
			})
			t.Note("τ = %g: net torque over force times radius is at most %.3g", tau, turning)
			torque.X, torque.Y = append(torque.X, tau), append(torque.Y, turning)
		}
		t.Plot("k15-torque", draw.Plot{
			Title: "K15: torque of deformed models", X: "τ", Y: "torque / (force · r)", LogX: true, LogY: true,
			Series: []draw.Series{torque},
		})
	},
}

// deformModel deforms two yarns in contact in a random way until their model is renewed. It returns the largest net
// force and torque by then, over the force between the yarns at the start, and that times the radius.
func deformModel(t *verify.Trial, r *rand.Rand, tau float64) (force, torque float64) {
	m := touchOnly()
	p := newPuppet(t, yarn.Options{Material: m, Mode: yarn.ContactLinear, Tolerance: tau}, crossedYarns(r))
	var between float64
	for range 4 {
		between = p.step().Contact.Force
	}
	laid := append([]r3.Vec(nil), p.was...)
	way := make([]r3.Vec, len(laid))
	for i := range way {
		way[i] = gaussian(r)
	}
	for size := 0.01 * tau * m.Radius; ; size *= 1.2 {
		for i := range laid {
			p.at[i] = laid[i].AddScaled(size, way[i])
		}
		p.step()
		if p.step().Contact.Updates > 0 {
			return force, torque
		}
		net, moment := moments(p.was, p.force)
		force, torque = max(force, net.Norm()/between), max(torque, moment.Norm()/(between*m.Radius))
	}
}
