package engine_test

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/whirl"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

var spinTable = flag.Bool("spin", false, "measure what steps keep of spin and energy, for docs/bench.md")

// measured is a scene with one number that tells how much of its motion is kept.
type measured struct {
	name    string
	h, time float64
	from    float64 // the number is a mean from this time on, or that at the end
	build   func(t testing.TB, theta float64, newton int) (*engine.World, func() float64)
}

// share is the angular momentum of a body over that at the start, or its energy over the kinetic energy at the start.
func share(b *whirl.Body, energy bool) (*engine.World, func() float64) {
	l0, k0 := b.Momentum()
	return b.World, func() float64 {
		l, _ := b.Momentum()
		if energy {
			return b.World.Energy().Total() / k0
		}
		return l.Norm() / l0.Norm()
	}
}

func spinScenes() []measured {
	along := func(axis r3.Vec) func(r3.Vec) r3.Vec { return func(r3.Vec) r3.Vec { return axis.Scale(10) } }
	free := func(name string, time float64, energy bool, add func(w *engine.World) (*whirl.Body, error)) measured {
		return measured{name, 2e-3, time, time, func(t testing.TB, theta float64, newton int) (*engine.World, func() float64) {
			return share(must(add(freeWorld(t, newton, theta))), energy)
		}}
	}
	return []measured{
		free("soft block, 1 MPa, 10 rad/s: angular momentum", 0.5, false, func(w *engine.World) (*whirl.Body, error) {
			return whirl.Brick(w, elastic.CorotationalLaw, 1e6, r3.V(2, 9.4, 2), r3.Vec{})
		}),
		free("the same, `law: stable`", 0.5, false, func(w *engine.World) (*whirl.Body, error) {
			return whirl.Brick(w, elastic.StableLaw, 1e6, r3.V(2, 9.4, 2), r3.Vec{})
		}),
		free("soft ring, open by 10°, 10 rad/s about its axis: angular momentum", 0.5, false, func(w *engine.World) (*whirl.Body, error) {
			return whirl.Ring(w, 1e6, r3.V(0, 0, 10))
		}),
		free("denim, 10 rad/s about an axis in its plane: angular momentum", 0.5, false, func(w *engine.World) (*whirl.Body, error) {
			return whirl.Sheet(w, "denim", 0, along(r3.V(1, 0, 0)))
		}),
		free("denim bent to 8 cm, 10 rad/s: angular momentum", 0.5, false, func(w *engine.World) (*whirl.Body, error) {
			return whirl.Sheet(w, "denim", 0.08, along(r3.V(1, 0, 0)))
		}),
		free("two halves of silk against each other, up to 6 rad/s: energy", 0.2, true, func(w *engine.World) (*whirl.Body, error) {
			return whirl.Sheet(w, "silk", 0, func(x r3.Vec) r3.Vec { return r3.V(60*x.X, 0, 0) })
		}),
		{"skirt of silk, its waist turns by ±45° at 1 Hz: mean kinetic energy [mJ]", 5e-3, 1.5, 0.5, skirt},
		{"flag of silk in 6 m/s: mean kinetic energy [mJ]", 5e-3, 1.5, 0.5, flagInWind},
	}
}

// skirt is a flat ring of cloth whose inner edge a waist turns to and fro.
func skirt(t testing.TB, theta float64, newton int) (*engine.World, func() float64) {
	opt := whirl.Options(theta, newton)
	opt.Gravity, opt.Workers = r3.V(0, 0, -9.81), 1
	w := must(engine.New(opt))
	m, x := shape.Grid(1, 0.4, 30, 6)
	for i, p := range x {
		s, c := math.Sincos(2 * math.Pi * 350 / 360 * p.X)
		r := 0.12 + 0.5*p.Y
		x[i] = r3.V(c*r, s*r, -0.85*p.Y)
	}
	var waist []int32
	for i, p := range x {
		if p.Z > -1e-9 {
			waist = append(waist, int32(i))
		}
	}
	id := must(w.AddCloth(engine.DefaultCloth("skirt", m, x, fabric(t, "silk"))))
	must(w.AddHandle(engine.Handle{Name: "waist", Cloth: id, Vertices: waist, Guide: func(t float64) r3.Pose {
		return r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), math.Pi/4*(1-math.Cos(2*math.Pi*t)))}
	}}))
	return w, func() float64 { return 1e3 * w.Energy().Of(mech.KineticEnergy) }
}

func flagInWind(t testing.TB, theta float64, newton int) (*engine.World, func() float64) {
	opt := whirl.Options(theta, newton)
	opt.Gravity, opt.Workers = r3.V(0, 0, -9.81), 1
	opt.Air.Density, opt.Air.Wind = 1.2, r3.V(6, 0.6, 0)
	w := must(engine.New(opt))
	m, x := shape.Grid(0.45, 0.3, 12, 8)
	var pole []int32
	for i, p := range x {
		x[i] = r3.V(p.X, 0, p.Y)
		if p.X < 1e-9 {
			pole = append(pole, int32(i))
		}
	}
	id := must(w.AddCloth(engine.DefaultCloth("flag", m, x, fabric(t, "silk"))))
	must(w.AddHandle(engine.Handle{Name: "pole", Cloth: id, Vertices: pole}))
	return w, func() float64 { return 1e3 * w.Energy().Of(mech.KineticEnergy) }
}

// play returns the number of a scene in steps of h.
func (m *measured) play(t testing.TB, theta float64, newton int, h float64, before bool) float64 {
	w, number := m.build(t, theta, newton)
	if before {
		w.LeaveSpin()
	}
	steps, sum, count := int(math.Round(m.time/h)), 0.0, 0
	for k := range steps {
		must(w.Step(h))
		if k == steps-1 || float64(k+1)*h > m.from {
			sum, count = sum+number(), count+1
		}
	}
	return sum / float64(count)
}

// What steps keep of spin: before it was given back, now, and by the midpoint rule in steps of an eighth. It takes some
// minutes, and is what the tables in docs/bench.md are made of:
//
//	go test -run TestSpinTable -spin -v ./internal/engine
func TestSpinTable(t *testing.T) {
	if !*spinTable {
		t.Skip("with -spin")
	}
	for _, m := range spinScenes() {
		t.Run(m.name, func(t *testing.T) {
			before, now := m.play(t, 1, 1, m.h, true), m.play(t, 1, 1, m.h, false)
			t.Logf("| %s | %g | %.4g | %.4g | %.4g |", m.name, 1e3*m.h, before, now, m.play(t, 0.5, 20, m.h/8, false))
		})
	}
}

// dropped is a sheet that falls onto a ball.
func dropped(t testing.TB) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers = 1
	w := must(engine.New(opt))
	m, x := shape.Grid(0.4, 0.4, 10, 10)
	for i := range x {
		x[i] = x[i].Sub(r3.V(0.2, 0.2, -0.13))
	}
	must(w.AddCloth(engine.DefaultCloth("sheet", m, x, fabric(t, "denim"))))
	must(w.AddObstacle(engine.Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.1}, Place: r3.Still()}))
	return w
}

// hung is a sheet that hangs by two corners, and starts level.
func hung(t testing.TB) *engine.World { return hungWith(t, 1, 1) }

func hungWith(t testing.TB, theta float64, newton int) *engine.World {
	opt := whirl.Options(theta, newton)
	opt.Gravity, opt.Workers, opt.Air.Density = r3.V(0, 0, -9.81), 1, 0
	w := must(engine.New(opt))
	m, x := shape.Grid(0.2, 0.2, 8, 8)
	id := must(w.AddCloth(engine.DefaultCloth("sheet", m, x, fabric(t, "denim"))))
	must(w.AddHandle(engine.Handle{Name: "corners", Cloth: id, Vertices: []int32{0, 8}}))
	return w
}

// Energy in tenths of a run: its largest value after the first tenth must not exceed that in it by more than 1e-4 of
// the range of its energy.
func TestEnergyTable(t *testing.T) {
	if !*spinTable {
		t.Skip("with -spin")
	}
	for _, c := range []struct {
		name    string
		build   func(t testing.TB) *engine.World
		seconds [3]float64
	}{
		{"free block, 10 rad/s", func(t testing.TB) *engine.World {
			return must(whirl.Brick(freeWorld(t, 1, 1), elastic.CorotationalLaw, 1e6, r3.V(2, 9.4, 2), r3.Vec{})).World
		}, [3]float64{10, 10, 10}},
		{"free denim, 10 rad/s", func(t testing.TB) *engine.World {
			return must(whirl.Sheet(freeWorld(t, 1, 1), "denim", 0, func(r3.Vec) r3.Vec { return r3.V(10, 0, 0) })).World
		}, [3]float64{10, 10, 10}},
		{"hanging denim", hung, [3]float64{10, 10, 10}},
		{"denim dropped on a ball", dropped, [3]float64{1, 5, 10}},
	} {
		for i, h := range []float64{20e-3, 5e-3, 1e-3} {
			seconds := c.seconds[2-i]
			t.Run(fmt.Sprintf("%s, %g ms", c.name, 1e3*h), func(t *testing.T) {
				w := c.build(t)
				var top [10]float64
				least, start, took := math.Inf(1), w.Energy().Total(), 0.0
				for k := range top {
					top[k] = math.Inf(-1)
				}
				steps := int(math.Round(seconds / h))
				for k := range steps {
					s := must(w.Step(h))
					e := s.Energy.Total()
					top[k*10/steps], least = max(top[k*10/steps], e), min(least, e)
					took += s.Loss.EnergyLost
				}
				rise, at := math.Inf(-1), 0
				for k := 1; k < 10; k++ {
					if top[k] > rise {
						rise, at = top[k], k+1
					}
				}
				scale := max(math.Abs(start), start-least)
				t.Logf("| %s | %g | %g | %.4g | %.4g | %.4g in tenth %d | %.2g | %.3g |", c.name, 1e3*h, seconds, start, top[0], rise, at, (rise-top[0])/scale, took)
			})
		}
	}
}

// What settings of a step keep: of denim that turns and of denim that hangs, for a second at 2 ms.
func TestSettingsTable(t *testing.T) {
	if !*spinTable {
		t.Skip("with -spin")
	}
	for _, c := range []struct {
		theta  float64
		newton int
	}{{1, 1}, {1, 6}, {0.5, 1}, {0.5, 6}} {
		b := must(whirl.Sheet(freeWorld(t, c.newton, c.theta), "denim", 0, func(r3.Vec) r3.Vec { return r3.V(10, 0, 0) }))
		before, _ := b.Momentum()
		count, top := 0, 0.0
		first := b.World.Energy().Total()
		for range 500 {
			s := must(b.World.Step(2e-3))
			count, top = count+s.Newton, max(top, s.Energy.Total())
		}
		after, _ := b.Momentum()
		swing := hungWith(t, c.theta, c.newton)
		lost, damped, kinetic, linear := 0.0, 0.0, 0.0, 0
		for range 500 {
			s := must(swing.Step(2e-3))
			lost, damped, linear = lost+s.Loss.EnergyLost, damped+s.Loss.Damped, linear+s.Newton
			kinetic = max(kinetic, s.Energy.Of(mech.KineticEnergy))
		}
		t.Logf("| %g | %d | %.3g | %.3g | %.1f | %.3g | %.3g | %.3g | %.1f |", c.theta, c.newton,
			1-after.Norm()/before.Norm(), top/first, float64(count)/500, 1e3*lost, 1e3*damped, 1e3*kinetic, float64(linear)/500)
	}
}
