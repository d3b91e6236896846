package solver

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// letterStep is the step of [Otaduy09] for letters [s].
const letterStep = 30e-3

// letters is soft letters of 0.1 m that lie on a floor in two layers, those of the upper one on up to four below.
type letters struct {
	count    int
	tet      float64 // length of the edges of tets [m]
	mu       float64
	material material.Isotropic
}

// letterSkin is the length of the edges of what can be touched of a letter, whatever its tets are [m].
const letterSkin = 0.03

// problem returns the contact problem of the step in which they land at 0.3 m/s, with the guess of a rough solution
// that the step has, and the number of tets of a letter.
func (l letters) problem(t *verify.Trial) (p *solve.ContactProblem, tets float64) {
	// world with a floor
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = t.Workers, l.mu
	w := t.World(opt)
	setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	// two layers of letters
	const height, depth = 0.1, 0.03
	across := int(math.Ceil(math.Sqrt(float64(l.count) / 2)))
	high := depth + opt.Contact.Thickness
	for k := range l.count {
		// coarse tets in a fine skin
		outline, err := shape.Letter(rune("TOILE"[k%5]), height)
		t.Must(err)
		inner, err := shape.Extrude(outline, depth, l.tet)
		t.Must(err)
		outer, err := shape.Extrude(outline, depth, letterSkin)
		t.Must(err)
		skin, _, points := outer.SkinFirst()
		layer, i := k%2, k/2
		// letter at its place, falling
		place := r3.Translation(r3.V(
			0.08*float64(i%across)+0.03*float64(layer), 0.12*float64(i/across)+0.04*float64(layer),
			high*(float64(layer)+0.5),
		))
		tets += float64(len(inner.Tet)) / float64(l.count)
		setup.AddSolid(t, w, body.SolidSpec{
			Mesh: inner, Material: l.material, Density: 500, Damping: 5e-3,
			Skin: body.SkinIn(inner, skin.X[:points], skin.Skin()),
		}, place, r3.V(0, 0, -0.3))
	}
	// the problem of the step
	var file bytes.Buffer
	w.DumpNext(&file)
	_, err := w.Step(letterStep)
	t.Must(err)
	p, err = solve.ReadProblem(&file)
	t.Must(err)
	p.H = letterStep
	return p, tets
}

// rubber is what letters are made of.
var rubber = material.Isotropic{Young: 2e5, Poisson: 0.3}

// printed is nested relaxation as in [Otaduy09], with its rule for when to stop.
func printed() solve.Relaxation {
	s := solve.DefaultRelaxation()
	s.RelaxationForm = solve.RelaxationForm{Pyramid: true, ByChange: true, Printed: true}
	s.Thickness, s.Alone = engine.DefaultOptions().Contact.Thickness, true
	return s
}

// seconds returns how long cores work for a solve: the least of some times, which others on the machine disturb least.
func seconds(t *verify.Trial, s solve.Solver, p *solve.ContactProblem, times int) (least float64, out *solve.Contacts) {
	least = math.Inf(1)
	for range times {
		took := setup.Worked(func() {
			var err error
			out, _, err = t.SolveBy(p, s)
			t.Must(err)
		})
		least = min(least, t.Value(took.Seconds()))
	}
	return least, out
}

// exponent returns b of the least squares fit y = a x^b.
func exponent(x, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range x {
		lx, ly := math.Log(x[i]), math.Log(y[i])
		sx, sy, sxx, sxy = sx+lx, sy+ly, sxx+lx*lx, sxy+lx*ly
	}
	n := float64(len(x))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// noisy is why exponents of time have room.
const noisy = "Milliseconds on a machine that others use: exponents vary by a tenth."

// O2: the time of nested relaxation, as printed and by the paper's rule, grows with contacts as these do, that of full
// constraint anticipation, which needs a solve for each contact and a dense matrix of them, with their square or more.
// Letters have no friction, with which the latter does not converge in the paper. It is Gauss-Seidel on impulses
// here, ended at the residual that relaxation leaves.
var anticipated = verify.Case{
	ID: "O2", Title: "nested relaxation against full constraint anticipation", Source: "[Otaduy09] fig. 6, left",
	Body: func(t *verify.Trial) {
		counts := []int{8, 16, 32}
		if t.Options.Full {
			counts = []int{8, 16, 32, 64, 128, 256}
		}
		var contacts, nested, dense, denseContacts []float64
		for _, count := range counts {
			p, _ := letters{count: count, tet: letterSkin, material: rubber}.problem(t)
			s := printed()
			took, out := seconds(t, &s, p, 20)
			contacts, nested = append(contacts, float64(p.Set.Len())), append(nested, took)
			if p.Set.Len() > 2048 {
				continue
			}
			p.Tolerance = 2 * out.Residual.Max()
			slow, full := seconds(t, &solve.Dual{MaxSweeps: 5000}, p, 3)
			denseContacts, dense = append(denseContacts, float64(p.Set.Len())), append(dense, slow)
			t.Note("%d contacts: %d iterations in %.3g s, residual %.1e m/s; full anticipation %d sweeps in %.3g s",
				p.Set.Len(), out.Sweeps, took, out.Residual.Max(), full.Sweeps, slow)
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf(
				"nested relaxation, %.0f to %.0f contacts: time ~ contacts to the power", contacts[0],
				contacts[len(contacts)-1],
			),
			Measured: exponent(contacts, nested), Bar: verify.AtMost, Limit: 1.6, Asked: "at most 1.2", Why: noisy,
		})
		t.Row(verify.Row{
			Quantity: fmt.Sprintf(
				"full anticipation, %.0f to %.0f contacts: time ~ contacts to the power", denseContacts[0],
				denseContacts[len(dense)-1],
			),
			Measured: exponent(denseContacts, dense), Bar: verify.AtLeast, Limit: 1.6, Asked: "at least 1.8",
			Why: noisy,
		})
		t.Row(verify.Row{
			Quantity: "full anticipation over relaxation, most contacts against fewest",
			Measured: dense[len(dense)-1] / nested[len(dense)-1] * nested[0] / dense[0], Bar: verify.AtLeast, Limit: 1,
		})
		t.Plot("o2-time", draw.Plot{
			Title: "O2: time to solve letters without friction", X: "contacts", Y: "time [s]", LogX: true, LogY: true,
			Series: []draw.Series{
				{Name: "full anticipation", X: denseContacts, Y: dense, Style: draw.Points},
				{Name: "nested relaxation", X: contacts, Y: nested, Style: draw.Points},
			},
		})
	},
}

// O3: letters with the same skin, and so the same contacts, in finer and finer tets. As long as the inner loop over
// contacts is most of the work the time stays. It is that of an iteration, in the mean of a hundred: how many there are
// depends on the guess that each of the problems happens to have.
var resolutions = verify.Case{
	ID: "O3", Title: "nested relaxation and the number of tets", Source: "[Otaduy09] fig. 6, right",
	Body: func(t *verify.Trial) {
		count := 16
		if t.Options.Full {
			count = 64
		}
		var tets, times []float64
		var problems []*solve.ContactProblem
		for _, size := range []float64{0.06, 0.04, 0.03, 0.02} {
			p, n := letters{count: count, tet: size, mu: 0.5, material: rubber}.problem(t)
			p.Tolerance = 1e-300
			problems, tets, times = append(problems, p), append(tets, n), append(times, math.Inf(1))
		}
		const turns, iterations = 30, 100
		for range turns { // so that what else the machine does disturbs all
			for i, p := range problems {
				s := printed()
				// The pyramid would lie along v*, found in a solve of all tets. However good the guess is, iterations
				// are the same.
				s.Pyramid, s.ByChange, s.MaxSweeps = false, false, iterations
				took, _ := seconds(t, &s, p, 1)
				times[i] = min(times[i], took/float64(p.Set.Len()*iterations))
			}
		}
		for i, p := range problems {
			t.Note(
				"%.0f tets a letter, %d contacts: %.3g µs for a contact and an iteration", tets[i], p.Set.Len(),
				1e6*times[i],
			)
		}
		t.Plot("o3-time", draw.Plot{
			Title: "O3: time of an iteration for each contact", X: "tets of a letter", Y: "time [s]", LogX: true,
			Series: []draw.Series{{Name: "measured", X: tets, Y: times, Style: draw.Points}},
		})
		coarse := times[:0:0]
		for i, n := range tets {
			if n <= 140 {
				coarse = append(coarse, times[i])
			}
		}
		mean := 0.0
		for _, x := range coarse {
			mean += x / float64(len(coarse))
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf(
				"up to 140 tets a letter, %d resolutions: time of an iteration for a contact over its mean, farthest "+
					"from 1",
				len(coarse),
			),
			Expected: 1, Measured: farthestFrom(1, setup.ScaledBy(coarse, 1/mean)), Bar: verify.Absolute, Limit: 0.5,
			Asked: "±0.25", Why: "The sweep over all tets is a part of every iteration, and grows with them.",
		})
	},
}

func farthestFrom(x float64, values []float64) float64 {
	return slices.MaxFunc(values, func(a, b float64) int {
		if math.Abs(a-x) < math.Abs(b-x) {
			return -1
		}
		return 1
	})
}

// O4: with a warm start the inner loop of the printed form takes less than ten passes in nine loops of ten.
var innerPasses = verify.Case{
	ID: "O4", Title: "passes of the inner loop", Source: "[Otaduy09] section 5.3",
	Body: func(t *verify.Trial) {
		few, all := 0, 0
		each := func(passes int) {
			all++
			if t.Value(float64(passes)) < 10 {
				few++
			}
		}
		for _, mu := range []float64{0, 0.2, 0.5} {
			p, _ := letters{count: 16, tet: letterSkin, mu: mu, material: rubber}.problem(t)
			s := printed()
			s.Each = each
			_, _, err := t.SolveBy(p, &s)
			t.Must(err)
		}
		for _, p := range []*problems.Problem{problems.OnBall(30, 400, 0.3), problems.InLayers(16, 3, 400, 0.3, true)} {
			q := setup.Given(p, 1e-8)
			q.H = 2e-3
			s := printed()
			s.Each = each
			_, _, err := t.SolveBy(q, &s)
			t.Must(err)
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("share of %d inner loops with less than 10 passes", all),
			Measured: float64(few) / float64(all), Bar: verify.AtLeast, Limit: 0.9,
		})
	},
}

// O21: a mass that is harder to move along one tangent than along the other is pushed in 360 directions until it
// slides. By the disk friction is μ r_N in each. The pyramid lies along the slip without contact, which is another
// direction than that of the push but along the axes: there friction is μ r_N, and on its diagonal √2 times that.
var frictionRound = verify.Case{
	ID: "O21", Title: "friction by direction, disk and pyramid", Source: "[Otaduy09] section 3.4; Coulomb's law",
	Body: func(t *verify.Trial) {
		const mu, directions = 0.5, 360
		for _, pyramid := range []bool{false, true} {
			var least, most, onAxes float64 = math.Inf(1), 0, 0
			var series draw.Series
			for k := range directions {
				p := pushedAlong(2*math.Pi*float64(k)/directions, mu)
				s := solve.DefaultRelaxation()
				s.Pyramid, s.Alone = pyramid, true
				out, report, err := t.SolveBy(p, &s)
				t.Must(err)
				if !report.Converged {
					t.Must(fmt.Errorf("direction %d ends at %+v", k, report.Residual))
				}
				ratio := math.Hypot(out.R[0].Y, out.R[0].Z) / out.R[0].X / mu
				least, most = min(least, ratio), max(most, ratio)
				if k%(directions/4) == 0 {
					onAxes = max(onAxes, math.Abs(ratio-1))
				}
				series.X, series.Y = append(series.X, float64(k)), append(series.Y, ratio)
			}
			if !pyramid {
				t.Row(verify.Row{
					Quantity: "disk: least friction over μ r_N", Expected: 1, Measured: least, Bar: verify.Absolute,
					Limit: 16 * verify.Rounding, From: "16 roundings",
				})
				t.Row(verify.Row{
					Quantity: "disk: most friction over μ r_N", Expected: 1, Measured: most, Bar: verify.Absolute,
					Limit: 16 * verify.Rounding, From: "16 roundings",
				})
				continue
			}
			t.Row(verify.Row{
				Quantity: "pyramid: friction along it over μ r_N, off 1", Measured: onAxes, Bar: verify.AtMost,
				Limit: 16 * verify.Rounding, From: "16 roundings",
			})
			t.Row(verify.Row{
				Quantity: "pyramid: least friction over μ r_N", Expected: 1, Measured: least, Bar: verify.Absolute,
				Limit: 16 * verify.Rounding, From: "16 roundings",
			})
			t.Row(verify.Row{
				Quantity: "pyramid: most friction over μ r_N", Expected: math.Sqrt2, Measured: most,
				Bar: verify.Absolute, Limit: 16 * verify.Rounding, From: "16 roundings",
			})
			series.Name, series.Style = "pyramid", draw.Points
			t.Plot("o21-friction", draw.Plot{
				Title: "O21: friction by direction", X: "direction of the push [°]", Y: "friction over μ r_N",
				Series: []draw.Series{
					{Name: "disk", X: []float64{0, 360}, Y: []float64{1, 1}, Style: draw.Line}, series,
				},
			})
		}
	},
}

// pushedAlong is a mass on a plane that slides where it is pushed; along y it takes six times the impulse that it takes
// along x.
func pushedAlong(angle, mu float64) *solve.ContactProblem {
	a := sparse.NewBSR(1, nil)
	a.Val[0] = r3.Diagonal(1)
	a.Val[0].YY = 6
	sin, cos := math.Sincos(angle)
	p := &solve.ContactProblem{
		A: a, B: []r3.Vec{r3.V(-10*cos, -10*sin, 1)}, Mass: []float64{1}, Set: &contact.Set{}, Tolerance: 1e-10,
	}
	p.Set.Add(contact.Contact{A: 0, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0, 1)), Mu: mu})
	return p
}

// O22: what nested relaxation solves with the disk has the velocities of nodal and dual, where these are unique.
// Problems are sheets at rest, sliding, over balls and on each other. toile bench problems does that with problems of
// worlds (docs/solvers.md).
var relaxedAgainstOthers = verify.Case{
	ID: "O22", Title: "nested relaxation against nodal and dual", Source: "uniqueness",
	Body: func(t *verify.Trial) {
		sizes := []int{5, 7}
		if t.Options.Full {
			sizes = []int{5, 7, 10, 14}
		}
		count, solved, apart, compared := 0, 0, 0.0, 0
		for _, n := range sizes {
			for _, mu := range []float64{0, 0.05, 0.3, 0.6} {
				for _, stretch := range []float64{50, 400} {
					for _, p := range []*problems.Problem{
						problems.OnPlane(n, stretch, mu, r3.Vec{}, 0.002),
						problems.OnPlane(n, stretch, mu, r3.V(0.5, 0.2, 0), 0.01),
						problems.OnBall(n, stretch, mu),
						problems.InLayers(n, 2, stretch, mu, false),
					} {
						count++
						q := setup.Given(p, 1e-9)
						s := solve.DefaultRelaxation()
						s.Alone = true
						out, _, err := t.SolveBy(q, &s)
						t.Must(err)
						if !out.Converged {
							continue
						}
						solved++
						nodal := solve.DefaultNodal()
						dual := solve.DefaultDual()
						for _, other := range []solve.Solver{&nodal, &dual} {
							answer, report, err := t.SolveBy(q, other)
							t.Must(err)
							if report.Converged {
								compared++
								apart = max(apart, farthest(out, answer))
							}
						}
					}
				}
			}
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("share of %d problems solved to 1e-9 m/s", count),
			Measured: float64(solved) / float64(count), Bar: verify.AtLeast, Limit: 1,
		})
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("relative velocities in %d comparisons, most apart", compared), Unit: "m/s",
			Measured: apart, Bar: verify.AtMost, Limit: 2e-8, From: "residuals of 1e-9 m/s of both solvers",
		})
	},
}

// O24: letters of tets with ν = 0.45, stiff for their mass and step, for which 2 D - A is not positive: the largest
// eigenvalue of D⁻¹ A is above 2. Relaxation converges, or halves ω and ends no worse than it began; Nodal does the
// rest. Whole bodies need no ω. So it is for nets in which far more is tied to all else.
var omegaHalved = verify.Case{
	ID: "O24", Title: "anticipation that does not converge", Source: "[Otaduy09] section 5.6; eigenvalues of D⁻¹ A",
	Body: func(t *verify.Trial) {
		worst, grown, unsolved, count := math.Inf(1), 0, 0, 0
		for _, young := range []float64{2e5, 2e6, 2e7} {
			p, _ := letters{
				count: 4, tet: letterSkin, mu: 0.3, material: material.Isotropic{Young: young, Poisson: 0.45},
			}.problem(t)
			worst = min(worst, largestOfJacobi(p.A))
			for _, form := range []string{"printed", "by vertex", "by body"} {
				count++
				start := p.Start()
				var m solve.Measure
				begun := m.Of(p, start.V, start.R, nil).Max()
				s := solve.DefaultRelaxation()
				s.Printed, s.ByVertex, s.Alone = form == "printed", form == "by vertex", true
				out, report, err := t.SolveBy(p, &s)
				t.Must(err)
				if !(report.Residual.Max() <= begun) {
					grown++
				}
				t.Note(
					"E = %.0e Pa, %s: from %.1e to %.1e m/s in %d iterations", young, form, begun,
					report.Residual.Max(), out.Sweeps,
				)
				s.Alone = false
				if _, report, err = t.SolveBy(p, &s); err != nil || !report.Converged {
					unsolved++
				}
			}
		}
		t.Row(verify.Row{
			Quantity: "largest eigenvalue of D⁻¹ A, the least of all letters", Measured: worst, Bar: verify.AtLeast,
			Limit: 2,
		})
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("of %d solves, ended above where they began", count), Measured: float64(grown),
			Bar: verify.AtMost, Limit: 0,
		})
		t.Row(verify.Row{
			Quantity: "not solved to 1e-8 m/s, with Nodal after relaxation", Measured: float64(unsolved),
			Bar: verify.AtMost, Limit: 0,
		})
	},
}

// largestOfJacobi returns the largest eigenvalue of D⁻¹ A, by the power method.
func largestOfJacobi(a *sparse.BSR) float64 {
	rng := rand.New(rand.NewPCG(24, 1))
	x, y := make([]r3.Vec, a.N), make([]r3.Vec, a.N)
	for i := range x {
		x[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	size := 0.0
	for range 300 {
		a.Mul(nil, x, y)
		sum := 0.0
		for i := range y {
			inverse, _ := a.Val[a.Diag[i]].Inverse()
			y[i] = inverse.MulVec(y[i])
			sum += y[i].Norm2()
		}
		size = math.Sqrt(sum)
		for i := range x {
			x[i] = y[i].Scale(1 / size)
		}
	}
	return size
}
