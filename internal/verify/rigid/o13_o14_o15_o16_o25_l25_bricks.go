package rigid

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// O13: a free box of 0.1 x 0.2 x 0.3 m spins about its middle axis and turns over again and again. Nothing changes its
// angular momentum; its energy stays within bounds that fall with the square of the step; and it turns over as often
// as Euler's equations say, which are integrated here with steps of 0.1 ms and a method of fourth order.
var freeSpin = verify.Case{
	ID: "O13", Title: "a free box turns over", Source: "Euler's equations",
	Body: func(t *verify.Trial) {
		half, spin, end := r3.V(0.05, 0.1, 0.15), r3.V(0, 10, 0.1), 20.0
		if t.Options.Full {
			end = 100
		}
		want := referee.Flips(half, spin, end)
		drift, wrong := 0.0, 0
		var spread [2]float64
		for i, h := range []float64{1e-3, 10e-3} {
			opt := engine.DefaultOptions()
			opt.Gravity, opt.Workers = r3.Vec{}, t.Workers
			w := t.World(opt)
			b, _ := setup.AddBrick(t, w, "box", half, 1000, r3.Vec{}, r3.NoRotation(), spin)
			start, up := b.Momentum(), true
			energy := func() float64 { return 0.5 * b.Momentum().Dot(b.Spin()) }
			least, most, flips := energy(), energy(), 0
			for range int(math.Round(end / h)) {
				_, err := w.Step(h)
				t.Must(err)
				least, most = min(least, energy()), max(most, energy())
				if now := b.Turn().Conj().Rotate(b.Spin()).Y > 0; now != up {
					flips, up = flips+1, now
				}
			}
			drift = max(drift, b.Momentum().Sub(start).Norm()/start.Norm())
			if flips != want {
				wrong++
			}
			spread[i] = (most - least) / least
		}
		t.Row(verify.Row{
			Quantity: "angular momentum lost or gained, relative", Measured: drift, Bar: verify.AtMost, Limit: 1e-12,
		})
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("steps of 1 and 10 ms with other than %d flips in %g s", want, end),
			Measured: float64(wrong), Bar: verify.AtMost,
		})
		t.Row(verify.Row{
			Quantity: "order of the bounds of energy in the step", Expected: 2,
			Measured: math.Log10(spread[1] / spread[0]),
			Bar:      verify.Absolute, Limit: 0.002,
		})
	},
}

// O14: a cube on a plane at 10 degrees, whose tangent is 0.176327, slides at μ 0.176 with g (sin - μ cos) and stays at
// 0.177. It starts turned about the normal by a random angle.
var cubeOnSlope = verify.Case{
	ID: "O14", Title: "a rigid cube on a slope", Source: "Coulomb's law",
	Body: func(t *verify.Trial) {
		starts, steps := 3, []float64{2e-3}
		if t.Options.Full {
			starts, steps = 10, []float64{1e-3, 2e-3, 5e-3}
		}
		const slope, half, end = 10 * math.Pi / 180, 0.05, 1.0
		worst, creep, unsolved := 0.0, 0.0, 0
		for _, h := range steps {
			for seed := range uint64(starts) {
				for _, mu := range []float64{0.176, 0.177} {
					w := setup.RigidWorld(t, mu, slope)
					normal := r3.V(math.Sin(slope), 0, math.Cos(slope))
					yaw := r3.Rotation(normal, rand.New(rand.NewPCG(seed, 14)).Float64())
					turn := yaw.Mul(r3.Rotation(r3.V(0, 1, 0), slope))
					from := normal.Scale(half + engine.DefaultOptions().Contact.Thickness)
					_, id := setup.AddBrick(t, w, "cube", r3.V(half, half, half), 1000, from, turn, r3.Vec{})
					n := math.Round(end / h)
					for range int(n) {
						stats, err := w.Step(h)
						t.Must(err)
						if !t.Reached(w, &stats, 1e-8) {
							unsolved++
						}
					}
					way := w.BodyPositions(id)[0].Sub(from).Norm()
					if mu == 0.177 {
						creep = max(creep, way/end*60)
						continue
					}
					a := 2 * way / (h * h * n * (n + 1)) // of backward Euler
					if want := 9.81 * (math.Sin(slope) - mu*math.Cos(slope)); math.Abs(a/want-1) > worst {
						worst = math.Abs(a/want - 1)
					}
				}
			}
		}
		t.Row(verify.Row{
			Quantity: "μ 0.176: error of the acceleration, relative", Measured: worst, Bar: verify.AtMost, Limit: 1e-5,
			From: "what every step may leave, 1e-8 m/s, over what it gains",
		})
		t.Row(verify.Row{
			Quantity: "μ 0.177: creep in a minute", Unit: "m", Measured: creep, Bar: verify.AtMost, Limit: 1e-6,
			From: "a step's tolerance of 1e-8 m/s, for a minute",
		})
		t.Row(verify.Row{
			Quantity: "steps above 1e-8 m/s or with a crossing", Measured: float64(unsolved), Bar: verify.AtMost,
		})
	},
}

// O15: a block of 0.1 x 0.1 x 0.3 m at μ = 1 topples where the tangent of the slope is 1/3.
var blockTopples = verify.Case{
	ID: "O15", Title: "a rigid block topples", Source: "statics",
	Body: func(t *verify.Trial) {
		lo, hi := 17.0, 20.0
		for hi-lo > 0.01 {
			t.At(fmt.Sprintf("%.2f degrees", (lo+hi)/2), 0, 0)
			if mid := (lo + hi) / 2; topples(t, mid*math.Pi/180) {
				hi = mid
			} else {
				lo = mid
			}
		}
		t.Row(verify.Row{
			Quantity: "slope", Unit: "°", Expected: math.Atan(1.0/3) * 180 / math.Pi, Measured: (lo + hi) / 2,
			Bar: verify.Absolute, Limit: 0.03,
		})
	},
}

func topples(t *verify.Trial, slope float64) bool {
	w := setup.RigidWorld(t, 1, slope)
	normal := r3.V(math.Sin(slope), 0, math.Cos(slope))
	from := normal.Scale(0.15 + engine.DefaultOptions().Contact.Thickness)
	b, _ := setup.AddBrick(
		t, w, "block", r3.V(0.05, 0.05, 0.15), 1000, from, r3.Rotation(r3.V(0, 1, 0), slope), r3.Vec{},
	)
	for range 1000 {
		_, err := w.Step(2e-3)
		t.Must(err)
		if b.Turn().Rotate(r3.V(0, 0, 1)).Dot(normal) < 0.99 {
			return true
		}
	}
	return false
}

// O16 and O17: cubes stand on each other, also if the topmost is a thousand times heavier or lighter. What is below
// each carries the weight of all above.
var stacks = verify.Case{
	ID: "O16", Title: "stacks of rigid cubes, also with a heavy top (O17)", Source: "statics",
	Body: func(t *verify.Trial) {
		end, sizes := 1.0, []int{10}
		if t.Options.Full {
			end, sizes = 60, []int{10, 50}
		}
		for _, n := range sizes {
			for _, top := range []float64{1, 1000, 1e-3} {
				t.At(fmt.Sprintf("%d cubes, top %g times as heavy", n, top), 0, 0)
				stack(t, n, top, end)
			}
		}
	},
}

func stack(t *verify.Trial, n int, top, end float64) {
	const half, h, g = 0.05, 2e-3, 9.81
	w := setup.RigidWorldTo(t, 0.5, 0, 1e-11)
	thick := engine.DefaultOptions().Contact.Thickness
	weights := make([]float64, n)
	ids := make([]engine.BodyID, n)
	for i := range n {
		density := 1000.0
		if i == n-1 {
			density *= top
		}
		x := r3.V(0, 0, half+thick+float64(i)*(2*half+thick))
		_, ids[i] = setup.AddBrick(
			t, w, fmt.Sprint("cube ", i), r3.V(half, half, half), density, x, r3.NoRotation(), r3.Vec{},
		)
		weights[i] = 8 * half * half * half * density * g
	}
	start := w.BodyPositions(ids[n-1])[0]
	unsolved := 0
	steps := int(math.Round(end / h))
	for range steps {
		stats, err := w.Step(h)
		t.Must(err)
		if !t.Reached(w, &stats, 1e-11) {
			unsolved++
		}
	}
	name := fmt.Sprintf("%d cubes, top %g times as heavy: ", n, top)
	t.Row(verify.Row{
		Quantity: name + fmt.Sprintf("way of the top in %g s, for a minute", end), Unit: "m",
		Measured: w.BodyPositions(ids[n-1])[0].Sub(start).Norm() * 60 / end, Bar: verify.AtMost, Limit: 1e-8,
		From: "a tolerance of 1e-11 m/s, for a minute, and how the stack settles",
	})
	above, worst := 0.0, 0.0
	impulses := make([]r3.Vec, 2)
	for i := n - 1; i >= 0; i-- {
		// The net force on a cube at rest is its weight; what comes from below is what is above, too.
		above += w.BodyImpulses(ids[i], impulses)[0].Z / h
		want := 0.0
		for _, m := range weights[i:] {
			want += m
		}
		worst = max(worst, math.Abs(above/want-1))
	}
	t.Row(verify.Row{
		Quantity: name + "error of a force below a cube, relative", Measured: worst, Bar: verify.AtMost, Limit: 5e-9,
		From: "a tolerance of 1e-11 m/s over g h: 5e-10 of the weight of a cube, ten of them",
	})
	t.Row(verify.Row{
		Quantity: name + "steps above 1e-11 m/s or with a crossing", Measured: float64(unsolved), Bar: verify.AtMost,
	})
}

// L25: a rigid plate of 10 kg on a soft column of 0.1 x 0.1 x 0.2 m, E = 1 MPa and ν = 0, sinks by m g L/(E A). By the
// neo-Hookean law, P = E/2 (s - 1/s), it sinks by 0.5 % less.
var plateOnColumn = verify.Case{
	ID: "L25", Title: "a rigid plate on a soft column", Source: "Hooke's law",
	Body: func(t *verify.Trial) {
		const pressure = columnPlate * 9.81 / (0.1 * 0.1 * columnYoung) // over E
		loadColumn(t, "", elastic.CorotationalLaw, pressure)
		loadColumn(t, "neo-Hookean: ", elastic.NeoHookeanLaw, 1+pressure-math.Sqrt(1+pressure*pressure))
	},
}

const (
	columnYoung = 1e6  // [Pa]
	columnPlate = 10.0 // [kg]
)

// loadColumn lays the plate on the column, which it should press by a share of its height.
func loadColumn(t *verify.Trial, name string, law elastic.TetLaw, share float64) {
	const thick = 1e-3
	cells := 2
	if t.Options.Full {
		cells = 4
	}
	w := setup.RigidWorld(t, 0.5, 0)
	m := shape.TetBox(r3.V(0.1, 0.1, 0.2), cells, cells, 2*cells)
	for i := range m.X {
		m.X[i] = m.X[i].Add(r3.V(-0.05, -0.05, thick))
	}
	column, err := body.NewSolid(body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: columnYoung}, Law: law, Density: 1, Damping: 0.02,
	})
	t.Must(err)
	_, err = w.AddBody("column", column, m.X, make([]r3.Vec, len(m.X)))
	t.Must(err)
	half := r3.V(0.06, 0.06, 0.01)
	start := r3.V(0, 0, 0.2+2*thick+half.Z)
	_, plate := setup.AddBrick(
		t, w, "plate", half, columnPlate/(8*half.X*half.Y*half.Z), start, r3.NoRotation(), r3.Vec{},
	)
	crossings := 0
	for range 400 {
		stats, err := w.Step(5e-3)
		t.Must(err)
		crossings += stats.Crossings
	}
	t.Row(verify.Row{
		Quantity: name + "sinking", Unit: "mm", Expected: 1e3 * 0.2 * share,
		Measured: 1e3 * (start.Z - w.BodyPositions(plate)[0].Z), Bar: verify.Relative,
		Limit: 0.001, // 0.5 % would not tell the laws apart
	})
	t.Row(verify.Row{Quantity: name + "crossings", Measured: float64(crossings), Bar: verify.AtMost})
}

// O25, its bin: rigid cubes of 0.1 m fall on each other between four walls and come to rest.
var binOfCubes = verify.Case{
	ID: "O25", Title: "a bin of rigid cubes", Source: "never crossed",
	Body: func(t *verify.Trial) {
		cubes, end := 96, 0.8
		if t.Options.Full {
			cubes, end = 164, 2
		}
		w := setup.RigidWorld(t, 0.5, 0)
		for i, n := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			_, err := w.AddObstacle(engine.Obstacle{
				Name: fmt.Sprint("wall ", i), Shape: shape.Plane{Point: n.Scale(-layouts.BinHalf), Normal: n},
				Place: r3.Still(),
			})
			t.Must(err)
		}
		for k := range cubes {
			half := r3.V(0.05, 0.05, 0.05)
			setup.AddBrick(t, w, fmt.Sprint("cube ", k), half, 1000, layouts.InBin(k), r3.NoRotation(), r3.Vec{})
		}
		const h = 2e-3
		steps := int(math.Round(end / h))
		crossings, unsolved, fastest := 0, 0, 0.0
		for k := range steps {
			t.At("", float64(k)*h, end)
			stats, err := w.Step(h)
			t.Must(err)
			crossings = max(crossings, stats.Crossings)
			if !t.Reached(w, &stats, 1e-8) {
				unsolved++
			}
			fastest = stats.MaxSpeed
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("%d cubes: crossings at the end of a step, at most", cubes),
			Measured: float64(crossings), Bar: verify.AtMost,
		})
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("share of %d steps with a residual of at most 1e-8 m/s", steps),
			Measured: 1 - float64(unsolved)/float64(steps), Bar: verify.AtLeast, Limit: 0.99,
		})
		t.Row(verify.Row{
			Quantity: "speed in the end", Unit: "m/s", Measured: fastest, Bar: verify.AtMost, Limit: 1e-6,
			From: "a hundred times a step's tolerance: cubes in a corner settle slowly",
		})
	},
}
