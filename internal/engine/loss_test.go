package engine

import (
	"math"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// lossy is a world with a soft block that turns and a sheet that hangs by one corner, is held by a weak handle at
// another and blown at.
func lossy(t testing.TB, theta float64, newton int, air bool, law elastic.TetLaw) *World {
	t.Helper()
	opt := DefaultOptions()
	opt.Theta, opt.Workers, opt.Contact.Self = theta, 1, false
	if newton > 1 {
		opt.Newton = NewtonOptions{Iterations: newton, Tolerance: 1e-11}
	}
	if opt.Air.Density = 0; air {
		opt.Air.Density, opt.Air.Wind = 1.2, r3.V(3, 1, 0)
	}
	w := must(New(opt))
	m, x := shape.Grid(0.2, 0.2, 5, 5)
	c := DefaultCloth("sheet", m, x, must(material.LookupFabric("denim")))
	c.Velocities = make([]r3.Vec, len(x))
	for i := range x {
		c.Velocities[i] = r3.V(0, 5, 3).Cross(x[i])
	}
	id := must(w.AddCloth(c))
	must(w.AddHandle(Handle{Name: "pin", Cloth: id, Vertices: []int32{0}}))
	if air {
		must(w.AddHandle(Handle{Name: "weak", Cloth: id, Vertices: []int32{5, 11}, Limit: &ForceLimit{Stiffness: 50, Force: 0.4}}))
	}
	b, _, _ := shape.Block(r3.V(0.05, 0.1, 0.02), 2, 4, 1).SkinFirst()
	solid := must(body.NewSolid(body.SolidSpec{
		Mesh: b, Law: law, Material: material.Isotropic{Young: 1e6, Poisson: 0.3}, Density: 1000, Damping: 1e-3,
	}))
	v := make([]r3.Vec, len(b.X))
	for i := range b.X {
		b.X[i].X += 30
		v[i] = r3.V(2, 9, 3).Cross(b.X[i].Sub(r3.V(30, 0, 0))).Add(r3.V(1, 2, 3))
	}
	must(w.AddBody("block", solid, b.X, v))
	return w
}

// spinAt returns the angular momentum of blocks about their centre of mass.
func (w *World) spinAt(first, count int) (l r3.Vec) {
	var c, u r3.Vec
	total := 0.0
	for i := first; i < first+count; i++ {
		c, u, total = c.AddScaled(w.mass[i], w.pos[i]), u.AddScaled(w.mass[i], w.vel[i]), total+w.mass[i]
	}
	c, u = c.Scale(1/total), u.Scale(1/total)
	for i := first; i < first+count; i++ {
		l = l.Add(w.pos[i].Sub(c).Cross(w.vel[i].Sub(u)).Scale(w.mass[i]))
	}
	return l
}

// What is lost of the spin of a free body is what is no longer there, for any θ and any number of linearizations, and
// what is lost of the energy of all is what is missing, where nothing outside moves.
func TestLossIsWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		theta  float64
		newton int
		law    elastic.TetLaw
	}{{1, 1, elastic.CorotationalLaw}, {1, 1, elastic.NeoHookeanLaw}, {0.7, 1, elastic.CorotationalLaw}, {1, 8, elastic.CorotationalLaw}, {0.5, 8, elastic.CorotationalLaw}} {
		w := lossy(t, c.theta, c.newton, false, c.law)
		must(w.Step(1e-3)) // energies of the start are not told of
		block := &w.bodies[w.others[0]]
		lost, damped, was := 0.0, 0.0, w.Energy()
		for range 20 {
			before, fall := w.spinAt(block.first, block.count), w.falling()
			s := must(w.Step(2e-3))
			all := w.Losses(nil)
			if len(all) != 2 || !all[1].Known || !s.Loss.Known || w.SurfaceName(all[1].Surface) != "block" {
				t.Fatalf("%+v of %+v", all, s.Loss)
			}
			after := w.spinAt(block.first, block.count)
			missing := before.Norm() - after.Dot(before)/before.Norm()
			if d := math.Abs(all[1].SpinLost - missing); d > 1e-12*before.Norm() || math.Abs(all[1].Spin-before.Norm()) > 1e-12*before.Norm() {
				t.Fatalf("θ %g, %d linearizations: lost %.17g of %.17g, missing %.17g of %.17g", c.theta, c.newton, all[1].SpinLost, all[1].Spin, missing, before.Norm())
			}
			// Heights are those of v_θ, work that of ½ (v₀ + v₁).
			gone := was.Total() - s.Energy.Total() - 2e-3*(c.theta-0.5)*(w.falling()-fall)
			if d := math.Abs(s.Loss.EnergyLost + s.Loss.Damped - gone); d > 1e-11*was.Of(mech.KineticEnergy) {
				t.Fatalf("θ %g, %d linearizations: %.12g J lost and %.12g J damped, %.12g J missing", c.theta, c.newton, s.Loss.EnergyLost, s.Loss.Damped, gone)
			}
			was, lost, damped = s.Energy, lost+s.Loss.EnergyLost, damped+s.Loss.Damped
		}
		t.Logf("θ %g, %d linearizations: %g J of %g J, damping takes %g J", c.theta, c.newton, lost, was.Of(mech.KineticEnergy), damped)
		if !(damped > 0) {
			t.Errorf("θ %g, %d linearizations: damping takes %g J", c.theta, c.newton, damped)
		}
	}
}

// falling returns the momentum along gravity times it.
func (w *World) falling() (sum float64) {
	for i, v := range w.vel {
		sum += w.mass[i] * v.Dot(w.opt.Gravity)
	}
	return sum
}

// Forces inside of a body have no sum, so that no force from outside is taken for one of them.
func TestLossKnowsAllForcesFromOutside(t *testing.T) {
	for _, theta := range []float64{1, 0.5} {
		w := lossy(t, theta, 1, true, elastic.CorotationalLaw)
		w.SetForce(0, 7, r3.V(1, 2, 3))
		w.fault = func(s *step, p phase) {
			if p != integrating || s.stats.Step < 3 {
				return
			}
			for k := range s.loss.of {
				all := s.impulses(k)
				if sum := all.internal.Sum.Norm(); sum > 1e-8*all.mass {
					t.Errorf("θ %g, step %d: impulses inside of body %d have the sum %g Ns", theta, s.stats.Step, k, sum)
				}
			}
		}
		for range 10 {
			must(w.Step(2e-3))
		}
	}
}

// A clamp turns what it holds, and steps that the fail-safe has changed are not those that were solved.
func TestLossThatCannotBeKnown(t *testing.T) {
	w := lossy(t, 1, 1, false, elastic.CorotationalLaw)
	w.fault = func(s *step, p phase) {
		if p == integrating {
			s.stats.Failsafe.Rounds = 1
		}
	}
	if s := must(w.Step(1e-3)); s.Loss != (Loss{}) {
		t.Errorf("%+v of a step that the fail-safe has changed", s.Loss)
	}
	for _, of := range w.Losses(nil) {
		if of.Loss != (Loss{}) {
			t.Errorf("%+v of it", of)
		}
	}
	w.fault = nil
	sheet := &w.bodies[w.sheets[0]]
	sheet.clampHolder = []int{-1}
	if sheet.isWhole() {
		t.Error("a clamp is not seen")
	}
}

// Steady steps allocate nothing for it, and any number of workers finds the same bits.
func TestLossWorkers(t *testing.T) {
	var first []BodyLoss
	for _, workers := range []int{1, 3} {
		w := lossy(t, 1, 1, true, elastic.CorotationalLaw)
		w.SetWorkers(workers)
		for range 5 {
			must(w.Step(2e-3))
		}
		all := w.Losses(nil)
		if first == nil {
			first = all
		}
		for k := range all {
			if all[k] != first[k] || !all[k].Known {
				t.Errorf("%d workers: %+v, one: %+v", workers, all[k], first[k])
			}
		}
		if n := testing.AllocsPerRun(5, func() { w.scratch.weighLosses() }); n > 0 {
			t.Errorf("%g allocations with %d workers", n, workers)
		}
	}
}

// What it costs, as a share of steps: of a sheet that swings without contacts, whose steps are the cheapest there are,
// and of one that lies on a ball.
func BenchmarkLosses(b *testing.B) {
	for _, on := range []string{"nothing", "a ball"} {
		b.Run("on "+on, func(b *testing.B) {
			opt := DefaultOptions()
			opt.Workers = 1
			w := must(New(opt))
			m, x := shape.Grid(0.5, 0.5, 40, 40)
			for i := range x {
				x[i] = x[i].Add(r3.V(-0.25, -0.25, 0.1215))
			}
			id := must(w.AddCloth(DefaultCloth("sheet", m, x, must(material.LookupFabric("denim")))))
			if on == "nothing" {
				must(w.AddHandle(Handle{Name: "pins", Cloth: id, Vertices: []int32{0, 40}}))
			} else {
				must(w.AddObstacle(Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.12}, Place: r3.Still()}))
			}
			var steps, losses time.Duration
			for range b.N {
				begin := time.Now()
				must(w.Step(2e-3))
				steps += time.Since(begin)
				begin = time.Now()
				w.assembly.NoteEnergies()
				w.scratch.weighLosses()
				w.scratch.settleLosses()
				losses += time.Since(begin)
			}
			b.ReportMetric(100*float64(losses)/float64(steps), "%")
		})
	}
}
