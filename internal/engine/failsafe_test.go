package engine

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// blind has the steps of a world solved without contacts, so that the fail-safe alone keeps things apart.
func blind(w *World) {
	w.fault = func(s *step, p phase) {
		if p == detecting {
			s.found.set.Reset()
		}
	}
}

// bare returns a world whose steps find contacts once and are not halved.
func bare(workers int) *World {
	opt := DefaultOptions()
	opt.Contact.Rounds, opt.Contact.Halvings, opt.Workers = 0, 0, workers
	return must(New(opt))
}

// flat adds a sheet of the given size and cells a side, centred, moved by place.
func (w *World) flat(size float64, cells int, place r3.Pose, v r3.Vec) ClothID {
	m, x := shape.Grid(size, size, cells, cells)
	c := DefaultCloth("sheet", m, x, testFabric())
	c.Velocities = make([]r3.Vec, len(x))
	for i := range x {
		x[i], c.Velocities[i] = place.Apply(x[i].Sub(r3.V(size/2, size/2, 0))), v
	}
	return must(w.AddCloth(c))
}

func (w *World) block(half r3.Vec, place r3.Pose, path *Path) {
	pos, tri := shape.Box{Half: half}.Mesh()
	must(w.AddObstacle(Obstacle{Name: "block", Positions: pos, Tri: tri, Place: place, Path: path}))
}

func lifted(z float64) r3.Pose { return r3.Translation(r3.V(0, 0, z)) }

// blindScenes are scenes for the fail-safe alone.
var blindScenes = map[string]struct {
	steps int
	build func(w *World)
}{
	"ball": {60, func(w *World) {
		w.flat(0.3, 12, lifted(0.06), r3.V(0, 0, -2))
		must(w.AddObstacle(Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.05}, Place: r3.Still()}))
	}},
	"box": {60, func(w *World) {
		w.flat(0.3, 12, lifted(0.06), r3.V(0, 0, -2))
		w.block(r3.V(0.05, 0.05, 0.05), r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.4)}, nil)
	}},
	"floor": {25, func(w *World) {
		w.flat(0.2, 10, r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), 1.4), T: r3.V(0, 0, 0.11)}, r3.V(0, 0, -3))
		must(w.AddObstacle(Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	}},
	"bat": {20, func(w *World) { // turns by 17 degrees a step
		w.flat(0.2, 10, r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), 1.5), T: r3.V(0.1, 0.1, 0)}, r3.Vec{})
		w.block(
			r3.V(0.3, 0.01, 0.02),
			r3.Still(),
			&Path{Keys: []Key{{Axis: r3.V(0, 0, 1)}, {At: 0.16, Axis: r3.V(0, 0, 1), Angle: 12}}},
		)
	}},
	"clap": {40, func(w *World) {
		turn := func(a float64) r3.Quat { return r3.Rotation(r3.V(1, 0.3, 0), a) }
		w.flat(0.2, 8, r3.Pose{R: turn(0.1), T: r3.V(0, 0, 0.03)}, r3.V(0, 0, -5))
		w.flat(0.2, 9, r3.Pose{R: turn(-0.1), T: r3.V(0.01, 0, -0.03)}, r3.V(0, 0, 5))
	}},
	"press": {40, func(w *World) { // 20 N on a sheet on a block; nothing else stops it
		w.flat(0.15, 6, lifted(0.021), r3.Vec{})
		w.block(r3.V(0.05, 0.05, 0.02), r3.Still(), nil)
		pos, tri := shape.Box{Half: r3.V(0.04, 0.04, 0.01)}.Mesh()
		must(w.AddObstacle(Obstacle{
			Name:      "press",
			Positions: pos,
			Tri:       tri,
			Place:     r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.3), T: r3.V(0, 0, 0.05)},
			Press:     &Press{Axis: r3.V(0, 0, -1), Force: 20, Mass: 0.5, Stop: 1},
		}))
	}},
	"plates": {60, func(w *World) { // close to 0.3 mm around a sheet that is not flat
		id := w.flat(0.2, 8, r3.Still(), r3.Vec{})
		for i, x := range w.Positions(id) {
			w.pos[i].Z = 0.003 * math.Sin(60*x.X)
		}
		for _, side := range []float64{-1, 1} {
			w.block(
				r3.V(0.07, 0.07, 0.01),
				lifted(0.03*side),
				&Path{Keys: []Key{{}, {At: 0.12, Translate: r3.V(0, 0, -side*0.01985)}}},
			)
		}
	}},
}

// TestFailsafeAlone: with nothing else to keep them apart, things do not cross.
func TestFailsafeAlone(t *testing.T) {
	for name, scene := range blindScenes {
		t.Run(name, func(t *testing.T) {
			w := bare(0)
			scene.build(w)
			blind(w)
			var sum Failsafe
			needed := 0
			if testing.Short() {
				scene.steps = min(scene.steps, 15)
			}
			for range scene.steps {
				s := must(w.Step(4e-3))
				if s.Crossings > 0 || s.Failsafe.Left > 0 {
					t.Fatalf("step %d: %d crossings, first %+v; %+v", s.Step, s.Crossings, s.Crossed, s.Failsafe)
				}
				if f := s.Failsafe; f.Rounds > 0 {
					needed++
					sum.Rounds += f.Rounds
					sum.Rigid += f.Rigid
					sum.Blocks += f.Blocks
				}
			}
			t.Logf("needed in %d of %d steps: %+v", needed, scene.steps, sum)
			if needed == 0 {
				t.Error("it was not needed")
			}
		})
	}
}

// TestBlindStepsCountWhatTheyCross: with neither contacts nor fail-safe steps go on, and say what crosses.
func TestBlindStepsCountWhatTheyCross(t *testing.T) {
	for name, scene := range blindScenes {
		t.Run(name, func(t *testing.T) {
			w := bare(0)
			scene.build(w)
			w.Blind()
			most := 0
			for range scene.steps {
				s := must(w.Step(4e-3))
				most = max(most, s.Crossings)
				if s.Contacts > 0 || s.Failsafe.Rounds > 0 {
					t.Fatalf("step %d: %d contacts, %+v", s.Step, s.Contacts, s.Failsafe)
				}
			}
			if most == 0 {
				t.Error("nothing was seen to cross")
			}
		})
	}
}

// TestFailsafeChangesVelocitiesToo: where a step ends and with which velocity belong together, for every θ.
func TestFailsafeChangesVelocitiesToo(t *testing.T) {
	for _, theta := range []float64{0.5, 0.8, 1} {
		w := bare(0)
		w.opt.Theta = theta
		blindScenes["ball"].build(w)
		blind(w)
		needed := 0
		for range 8 {
			x0, v0 := append([]r3.Vec(nil), w.pos...), append([]r3.Vec(nil), w.vel...)
			s := must(w.Step(4e-3))
			needed += min(1, s.Failsafe.Rounds)
			for i := range x0 {
				want := x0[i].AddScaled(s.H*theta, w.vel[i]).AddScaled(s.H*(1-theta), v0[i])
				if d := w.pos[i].Sub(want).Norm(); d > 1e-12 {
					t.Fatalf("θ = %g, step %d: vertex %d is %g m from where its velocity leads", theta, s.Step, i, d)
				}
			}
		}
		if needed == 0 {
			t.Error("the fail-safe was not needed")
		}
	}
}

// TestFailsafeDoesNotDependOnWorkers: the same bits with 1, 2 and 8.
func TestFailsafeDoesNotDependOnWorkers(t *testing.T) {
	for _, name := range []string{"box", "clap"} {
		var want Hash
		for _, workers := range []int{1, 2, 8} {
			w := bare(workers)
			blindScenes[name].build(w)
			blind(w)
			needed := 0
			for range 12 {
				needed += min(1, must(w.Step(4e-3)).Failsafe.Rounds)
			}
			got := w.Snapshot().Hash()
			if workers == 1 {
				want = got
			}
			if got != want || needed == 0 {
				t.Errorf("%s: %v with %d workers, %v with one; needed in %d steps", name, got, workers, want, needed)
			}
		}
	}
}

// TestCrossingStepsAreRefusedAndHalved: TryStep refuses what would cross and changes nothing; Advance halves it, and
// leaves only quarters to the fail-safe.
func TestCrossingStepsAreRefusedAndHalved(t *testing.T) {
	w := bare(0)
	w.opt.Contact.Halvings = 2
	blindScenes["ball"].build(w)
	blind(w)
	var err error
	for err == nil {
		before := w.Snapshot().Hash()
		if _, err = w.TryStep(4e-3); err != nil && w.Snapshot().Hash() != before {
			t.Error("the step was refused and left another state")
		}
	}
	if !errors.Is(err, ErrCrossing) {
		t.Fatal(err)
	}
	begin, halves, quarters := w.Time(), 0, 0
	must(0, w.Advance(4e-3, 4e-3, func(s Stats) {
		switch s.Halvings {
		case 1:
			halves++
		case 2:
			quarters++
		}
		if s.Crossings > 0 || s.Failsafe.Rounds > 0 && s.Halvings != 2 {
			t.Errorf("%d crossings, halved %d times: %+v", s.Crossings, s.Halvings, s.Failsafe)
		}
	}))
	if quarters == 0 || 2*halves+quarters != 4 || math.Abs(w.Time()-begin-4e-3) > 1e-12 {
		t.Errorf("%d halves and %d quarters, %g s", halves, quarters, w.Time()-begin)
	}
}

// TestCrossedStartIsCarried: sheets that start through each other and through a block go on, with the fail-safe for
// what else they meet.
func TestCrossedStartIsCarried(t *testing.T) {
	w := must(New(DefaultOptions()))
	w.flat(0.2, 8, lifted(0.021), r3.Vec{})
	w.flat(0.1, 5, r3.Pose{R: r3.Rotation(r3.V(1, 0.2, 0), 1.3), T: r3.V(0.01, 0.003, 0.06)}, r3.Vec{})
	w.block(r3.V(0.03, 0.03, 0.02), lifted(0.01), nil)
	first, most := 0, 0
	for i := range 15 {
		must(0, w.Advance(4e-3, 4e-3, func(s Stats) {
			if first == 0 {
				first = s.Crossings
			}
			most = max(most, s.Crossings)
			if s.Failsafe.Left > 0 {
				t.Errorf("step %d: %+v", i, s.Failsafe)
			}
		}))
	}
	t.Logf("%d crossings at first, %d at most", first, most)
	if first == 0 || most > 3*first {
		t.Errorf("%d crossings at first, %d at most", first, most)
	}
}

// TestUnsolvedStepsAreHalved: with exact Hessians the matrix of a sheet that is compressed is indefinite, and the
// solver leads nowhere. TryStep says so and changes nothing; Advance takes shorter steps.
func TestUnsolvedStepsAreHalved(t *testing.T) {
	opt := DefaultOptions()
	opt.Newton.Exact, opt.Contact.Halvings = true, 4
	w := must(New(opt))
	rng := rand.New(rand.NewPCG(3, 1))
	w.patch(
		"sheet",
		0.2,
		0.2,
		4,
		4,
		func(p r3.Vec) r3.Vec { return p.Scale(0.65).Add(r3.V(0, 0, 1e-3+2e-3*rng.Float64())) },
	)
	must(w.AddObstacle(Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
	before := w.Snapshot().Hash()
	if _, err := w.TryStep(4e-3); !errors.Is(err, ErrUnsolved) {
		t.Fatalf("the step was not refused: %v", err)
	}
	if w.Snapshot().Hash() != before {
		t.Error("a refused step changed the world")
	}
	must(0, w.Advance(4e-3, 4e-3, func(s Stats) {
		if !s.Converged || s.Halvings == 0 {
			t.Errorf("step %d, halved %d times: residual %g m/s", s.Step, s.Halvings, s.Residual)
		}
	}))
}

// TestTakenIsNotHidden: what the fail-safe takes from a body counts, though contacts of another contradict each other.
func TestTakenIsNotHidden(t *testing.T) {
	w := bare(1)
	squeezed := w.flat(0.1, 1, r3.Still(), r3.Vec{})
	frozen := w.flat(0.1, 1, lifted(1), r3.Vec{})
	w.build()
	s := &w.scratch
	s.h = 1e-3
	s.found.set.Add(contact.Contact{A: int32(w.bodies[w.sheets[squeezed]].first), B: contact.None, Frame: r3.Identity()})
	s.found.answer.Resize(len(w.pos), 1)
	s.found.answer.Infeasible[0], s.stats.Infeasible = true, 1
	aim := slices.Clone(w.pos)
	for i := range aim {
		aim[i].Z -= onEarth * s.h * s.h // where gravity takes it, of which the fail-safe leaves nothing
	}
	copy(s.x1, w.pos)
	c := &w.bodies[w.sheets[squeezed]]
	for i := c.first; i < c.first+c.count; i++ {
		s.x1[i].Z += 1
	}
	s.account(aim)
	if f := s.stats.Failsafe; f.From != w.bodies[w.sheets[frozen]].surface || math.Abs(f.Taken*w.opt.Theta-1) > 1e-9 {
		t.Errorf("it took %g of the weight of surface %d, not all of that of the cloth that is frozen", f.Taken, f.From)
	}
}
