package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A1: a sheet falls flat onto an inclined plane and slides down. The impact is inelastic, with a friction impulse of μ
// times the normal one: with the normal n, v = (0, 0, -w) at the hit has v_n = w n_z and v_t = w √(1 - n_z²), of which
// v_t - μ v_n is left. Then it gains g (sin - μ cos) along the slope.
var incline = verify.Case{
	ID: "A1", Title: "fall onto an inclined plane", Source: "closed form for the scene of [Li18] fig. 5",
	Body: func(t *verify.Trial) {
		lengths := []float64{1e-3}
		if t.Options.Full {
			lengths = []float64{0.25e-3, 0.5e-3, 0.75e-3, 1e-3, 1.5e-3, 2e-3, 3e-3, 4e-3}
		} else {
			lengths = append(lengths, 2e-3, 4e-3)
		}
		var hs, heights, speeds []float64
		worstH, worstV := 0.0, 0.0 // of the height over the step, of the speed over what solvers left
		for _, h := range lengths {
			r := inclinedFall(t, h)
			hs, heights, speeds = append(
				hs,
				h,
			), append(
				heights,
				math.Abs(r.height-r.wantHeight),
			), append(
				speeds,
				math.Abs(r.speed-r.wantSpeed),
			)
			worstH, worstV = max(worstH, heights[len(hs)-1]/h), max(worstV, speeds[len(hs)-1]/r.left)
			if h == 1e-3 {
				t.Row(
					verify.Row{
						Quantity: "speed after 1 s",
						Unit:     "m/s",
						Expected: r.wantSpeed,
						Measured: r.speed,
						Bar:      verify.Relative,
						Limit:    r.left / r.wantSpeed,
						From:     "the sum of what steps may leave",
					},
				)
				t.Row(
					verify.Row{
						Quantity: "height after 1 s",
						Unit:     "m",
						Expected: r.wantHeight,
						Measured: r.height,
						Bar:      verify.Absolute,
						Limit:    2e-3,
					},
				)
				t.Row(
					verify.Row{
						Quantity: "largest difference of velocities within the sheet",
						Unit:     "m/s",
						Measured: r.spread,
						Bar:      verify.AtMost,
						Limit:    1e-10,
						From:     "a hundredth of a step's tolerance",
					},
				)
			}
		}
		// Of the height, backward Euler is ahead by h/2 times what the speed gains, 3.0 m/s in the fall and 1.6 m/s
		// after, and dates the hit, which takes 2.4 m/s, up to a step off: 4.8 m/s times h bounds it. The speed has no
		// such error: while it slides friction takes μ times what the normal direction loses, so that in the end it is
		// v_t - μ v_n of the whole fall, whenever the hit was. What is left is what solvers leave, step by step.
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("error of the height over the step, largest of %d steps", len(hs)),
				Unit:     "m/s",
				Measured: worstH,
				Bar:      verify.AtMost,
				Limit:    4.8,
			},
		)
		t.Row(
			verify.Row{
				Quantity: "error of the speed over the sum of residuals and floors",
				Measured: worstV,
				Bar:      verify.AtMost,
				Limit:    1,
				From:     "what steps leave has any direction",
			},
		)
		t.StepsRow()
		t.Plot("a1-error", draw.Plot{
			Title: "A1: error after 1 s", X: "step [s]", Y: "error", LogX: true, LogY: true,
			Series: []draw.Series{
				{Name: "first order", X: hs, Y: setup.Scaled(hs, 1, 5*hs[len(hs)-1]), Style: draw.Dashed},
				{Name: "height [m]", X: hs, Y: setup.AtLeast(1e-9, heights...), Style: draw.Points},
				{Name: "speed [m/s]", X: hs, Y: setup.AtLeast(1e-9, speeds...), Style: draw.Points},
			},
		})
	},
}

type fallResult struct {
	speed, height, spread float64
	left                  float64 // residuals and floors of all steps [m/s]
	wantSpeed, wantHeight float64
}

// inclinedFall runs A1 with steps of h.
func inclinedFall(t *verify.Trial, h float64) (r fallResult) {
	const g, mu, drop, first, start = 9.8, 0.2, 0.521562, -0.2, -0.2108
	steps := int(math.Round(1 / h))
	end := float64(steps) * h
	n := r3.V(0.422592, 0.0010409, 0.906319).Unit()
	opt := engine.DefaultOptions()
	opt.Gravity = r3.V(0, 0, -g)
	opt.Contact.Tolerance, opt.Linear.Tolerance = 1e-12, 1e-12
	m, x := shape.Grid(1, 1, 10, 10)
	turn := setup.Tilted(n)
	for i := range x {
		x[i] = turn.Rotate(x[i].Sub(r3.V(0.5, 0.5, 0))).Add(r3.V(0, 0, start))
	}
	w, id := setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: 0.187, Stretch: 100, Bend: 1e-5})
	v := make([]r3.Vec, len(x))
	for i := range v {
		v[i] = r3.V(0, 0, first)
	}
	w.SetVelocities(id, v)
	// The plane lies the thickness below what the sheet comes to lie on.
	point := r3.V(0, 0, start-drop).AddScaled(-opt.Contact.Thickness, n)
	setup.Obstacle(t, w, "plane", shape.Plane{Point: point, Normal: n}, r3.Still())
	setup.SetFriction(w, id, mu)
	for range steps {
		s := t.Step(w, h)
		r.left += s.Residual + s.Floor
	}
	at, mean := setup.Centroid(w, id)
	r.speed, r.height = mean.Norm(), at.Z
	for _, u := range w.Velocities(id) {
		r.spread = max(r.spread, u.Sub(mean).Norm())
	}
	hit := (first + math.Sqrt(first*first+2*g*drop)) / g
	fall := -first + g*hit
	sin := math.Sqrt(1 - n.Z*n.Z)
	left := fall * (sin - mu*n.Z)
	a := g * (sin - mu*n.Z)
	rest := end - hit
	r.wantSpeed = left + a*rest
	r.wantHeight = start - drop - sin*(left*rest+a*rest*rest/2)
	return r
}

// OnSlope returns a flat square sheet of n by n cells that lies on a plane tilted by angle about the y axis, and the
// direction of its fall line.
func OnSlope(
	t *verify.Trial,
	n int,
	size, angle, tolerance float64,
	seed uint64,
) (w *engine.World, id engine.ClothID, down r3.Vec) {
	w, id, down = aboveSlope(t, n, size, angle, tolerance, seed)
	setup.Obstacle(t, w, "plane", shape.Plane{Normal: down.Cross(r3.V(0, 1, 0))}, r3.Still())
	return w, id, down
}

// aboveSlope is OnSlope without the plane.
func aboveSlope(
	t *verify.Trial,
	n int,
	size, angle, tolerance float64,
	seed uint64,
) (w *engine.World, id engine.ClothID, down r3.Vec) {
	opt := engine.DefaultOptions()
	opt.Contact.Tolerance = tolerance
	sin, cos := math.Sincos(angle)
	normal := r3.V(sin, 0, cos)
	down = r3.V(cos, 0, -sin)
	m, x := shape.Grid(size, size, n, n)
	for i, p := range x {
		x[i] = down.Scale(p.X).Add(r3.V(0, p.Y, 0)).AddScaled(opt.Contact.Thickness, normal)
	}
	setup.Jitter(x, size, seed)
	w, id = setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: 0.2, Stretch: 400, Bend: 1e-5})
	return w, id, down
}

// C13: a sheet slides to rest on a level plane. In time, v0²/(2 μ g); backward Euler takes v_k = v0 - k μ g h until it
// stops, a sum of v0²/(2 μ g) - v0 h/2 + O(h²).
var stopping = verify.Case{
	ID: "C13", Title: "stopping distance", Source: "closed form; sum of the scheme",
	Body: func(t *verify.Trial) {
		const g, v0 = 9.81, 2.0
		lengths := []float64{2e-3, 0.5e-3}
		if t.Options.Full {
			lengths = []float64{4e-3, 2e-3, 1e-3, 0.5e-3, 0.25e-3}
		}
		var series []draw.Series
		for _, mu := range []float64{0.2, 0.4, 0.7} {
			exact := v0 * v0 / (2 * mu * g)
			var hs, errs []float64
			for _, h := range lengths {
				w, id, _ := OnSlope(t, 6, 0.3, 0, 1e-11, 0)
				setup.SetFriction(w, id, mu)
				setup.SetSpeed(w, id, 0, r3.V(v0, 0, 0))
				before, _ := setup.Centroid(w, id)
				steps := int(math.Ceil(v0/(mu*g*h))) + 20
				sum := 0.0
				for k := range steps {
					t.Step(w, h)
					sum += h * max(0, v0-float64(k+1)*mu*g*h)
				}
				after, rest := setup.Centroid(w, id)
				travel := after.Sub(before).X
				hs, errs = append(hs, h), append(errs, exact-travel)
				t.Row(
					verify.Row{
						Quantity: fmt.Sprintf("distance against the sum, μ = %g, h = %g ms", mu, 1e3*h),
						Unit:     "m",
						Expected: sum,
						Measured: travel,
						Bar:      verify.Absolute,
						Limit:    1e-8,
						From:     "what 1e-8 m/s in each step adds up to in a second; most steps leave rounding",
					},
				)
				if h == 0.5e-3 {
					t.Row(
						verify.Row{
							Quantity: fmt.Sprintf("distance, μ = %g, h = %g ms", mu, 1e3*h),
							Unit:     "m",
							Expected: exact,
							Measured: travel,
							Bar:      verify.Relative,
							Limit:    0.002,
						},
					)
					t.Row(
						verify.Row{
							Quantity: fmt.Sprintf("speed at rest, μ = %g", mu),
							Unit:     "m/s",
							Measured: rest.Norm(),
							Bar:      verify.AtMost,
							Limit:    64 * verify.Rounding,
							From:     "64 roundings of a speed of 1 m/s",
						},
					)
					t.Row(
						verify.Row{
							Quantity: fmt.Sprintf(
								"force of the plane on the sheet at rest against its weight, μ = %g, relative",
								mu,
							),
							Measured: weightError(w, id, g),
							Bar:      verify.AtMost,
							Limit:    1e-12,
							From:     "rounding of impulses against those of the first steps",
						},
					)
				}
			}
			series = append(series, draw.Series{Name: fmt.Sprintf("μ = %g", mu), X: hs, Y: errs, Style: draw.Points})
		}
		t.StepsRow()
		ends := []float64{lengths[len(lengths)-1], lengths[0]}
		t.Plot("c13-stopping", draw.Plot{
			Title: "C13: how much shorter than v0²/(2 μ g)",
			X:     "step [s]",
			Y:     "difference [m]",
			LogX:  true,
			LogY:  true,
			Series: append(
				[]draw.Series{{Name: "v0 h/2", X: ends, Y: []float64{ends[0], ends[1]}, Style: draw.Dashed}},
				series...),
		})
	},
}

// weightError returns how far the contact forces on a sheet at rest are from its weight, relative to it.
func weightError(w *engine.World, id engine.ClothID, g float64) float64 {
	weight := r3.Vec{}
	for _, m := range w.Masses(id) {
		weight = weight.Add(r3.V(0, 0, m*g))
	}
	sum := r3.Vec{}
	for _, f := range w.PairForces(nil) {
		sum = sum.Add(f.Force)
	}
	return sum.Sub(weight).Norm() / weight.Norm()
}

// L2: a square of cloth on a ramp of 10°, tan 10° = 0.176327. With μ = 0.176 it slides from rest with a = g (sin - μ
// cos) = 0.0031589 m/s², 39.49 mm in 5 s; with 0.177 it stops from 0.1 m/s after v0²/(2 g (μ cos - sin)) = 0.76899 m;
// the same whatever the mesh and the step. Backward Euler is ahead by ½ a h t and behind by v0 h/2, which the sum of
// the scheme contains.
var ramp = verify.Case{
	ID: "L2", Title: "cloth on a ramp near its threshold", Source: "closed form for the scene of [Larionov21] §6",
	Body: func(t *verify.Trial) {
		cells, lengths, least := []int{8, 16}, []float64{0.02, 0.01}, 8
		if t.Options.Full {
			cells, lengths, least = []int{8, 16, 32}, []float64{0.02, 0.01, 0.005}, 16
		}
		var slides, stops []float64
		var series []draw.Series
		for _, n := range cells {
			for _, h := range lengths {
				if n > least && h < 0.02 {
					continue // finer sheets with the longest steps alone, for the time it takes
				}
				slid, trace := RampRun(t, n, h, 0.176, 0, 5, 0)
				stopped, _ := RampRun(t, n, h, 0.177, 0.1, 17, 0)
				slides, stops = append(slides, slid), append(stops, stopped)
				name := fmt.Sprintf("%d² cells, h = %g ms", n, 1e3*h)
				t.Row(
					verify.Row{
						Quantity: "μ 0.176, slid in 5 s, " + name,
						Unit:     "m",
						Expected: 0.03949,
						Measured: slid,
						Bar:      verify.Relative,
						Limit:    2 * h / 5, // ½ a h t ahead of ½ a t²
					},
				)
				t.Row(
					verify.Row{
						Quantity: "μ 0.177 from 0.1 m/s, stops after, " + name,
						Unit:     "m",
						Expected: 0.76899,
						Measured: stopped,
						Bar:      verify.Relative,
						Limit:    0.1 * h / 0.76899, // v0 h/2 behind
					},
				)
				trace.Name, trace.Style = name, draw.Points
				series = append(series, trace)
			}
		}
		for _, seed := range setup.Seeds(t)[1:] {
			slid, _ := RampRun(t, 8, 0.02, 0.176, 0, 5, seed)
			stopped, _ := RampRun(t, 8, 0.02, 0.177, 0.1, 17, seed)
			slides, stops = append(slides, slid), append(stops, stopped)
		}
		t.Row(
			verify.Row{
				Quantity: "spread of the distances slid, relative",
				Measured: relativeSpread(slides),
				Bar:      verify.AtMost,
				Limit:    0.01,
			},
		)
		t.Row(
			verify.Row{
				Quantity: "spread of the distances to rest, relative",
				Measured: relativeSpread(stops),
				Bar:      verify.AtMost,
				Limit:    0.01,
			},
		)
		t.StepsRow()
		exact := draw.Series{Name: "½ a t²", Style: draw.Line}
		for k := range 51 {
			s := float64(k) / 10
			exact.X, exact.Y = append(exact.X, s), append(exact.Y, 0.0031589*s*s/2*1e3)
		}
		if len(series) > 4 {
			series = series[:4]
		}
		t.Plot(
			"l2-ramp",
			draw.Plot{
				Title:  "L2: cloth on a ramp of 10°, μ = 0.176",
				X:      "time [s]",
				Y:      "slid [mm]",
				Series: append([]draw.Series{exact}, series...),
			},
		)
	},
}

func relativeSpread(values []float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return (high - low) / math.Abs(high)
}

// RampRun settles a sheet on the ramp, lets it go with v0 down the slope and friction mu, and returns how far it goes
// in the given time, and its travel [mm] over time. A sheet that still moves at the end of a run that must stop has
// gone infinitely far.
func RampRun(t *verify.Trial, n int, h, mu, v0, end float64, seed uint64) (travel float64, trace draw.Series) {
	w, id, down := OnSlope(t, n, 0.3, 10*math.Pi/180, 1e-9, seed)
	setup.SettleInContact(t, w, h)
	setup.SetFriction(w, id, mu)
	setup.SetSpeed(w, id, 0, down.Scale(v0))
	before, _ := setup.Centroid(w, id)
	steps := int(math.Round(end / h))
	for k := range steps {
		t.Step(w, h)
		if at, _ := setup.Centroid(w, id); (k+1)%max(1, steps/25) == 0 {
			trace.X, trace.Y = append(trace.X, float64(k+1)*h), append(trace.Y, 1e3*at.Sub(before).Dot(down))
		}
	}
	after, v := setup.Centroid(w, id)
	if v0 > 0 && v.Norm() > 1e-8 {
		return math.Inf(1), trace
	}
	return after.Sub(before).Dot(down), trace
}
