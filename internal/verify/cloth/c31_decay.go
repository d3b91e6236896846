package cloth

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C31: a strip held at both ends vibrates in one mode of frequency ω and dies away. Viscosity is stiffness times d, so
// that the amplitude falls like exp(-d ω² t/2). The scheme has its own decay beside that. For one mode, with
// v_θ = θ v + (1-θ) v₀,
//
//	v - v₀ = -h ω² (x₀ + (θh + d) v_θ),   x = x₀ + h v_θ,
//
// takes (x₀, v₀) to (x, v) by a matrix. With D = 1 + θ h ω² (θh + d) its trace and determinant are
//
//	T = 2 - (θ h² ω² + (D-1)/θ)/D,   Δ = (1 - θ h² ω²/D) (1 - (D-1)/(θD)) + h² ω²/D²,
//
// and where its eigenvalues are complex, each step multiplies the amplitude by √Δ and turns the phase by
// arccos(T/(2√Δ)). For θ = 1, Δ = 1/D; for θ = ½ and d = 0, Δ = 1: then nothing is lost.
//
// Measured are T and Δ of the projection of the motion on the mode: two steps are the images of two states.
var decay = verify.Case{
	ID: "C31", Title: "decay of a vibrating strip", Source: "eigenvalues of the scheme for one mode",
	Body: func(t *verify.Trial) {
		for _, m := range []vibration{stretching, flapping} {
			for _, theta := range []float64{1, 0.5} {
				for _, ratio := range []float64{0, 0.05} {
					decayRows(t, m, theta, ratio, false)
					decayRows(t, m, theta, ratio, true)
				}
			}
			continuousDecay(t, m)
		}
		decayPlot(t)
	},
}

// vibration is a mode of a strip of 0.2 x 0.02 m: every vertex moves in one direction, by sin(πx/L).
type vibration struct {
	name      string
	cells     int // along the strip
	fabric    setup.SheetFabric
	direction r3.Vec
	amplitude float64 // [m]
	square    float64 // ω² [1/s²]
	coarse    float64 // by what share of it the mesh lets it be off
	large     float64 // by what share the amplitude does
}

const vibrationLength, vibrationSteps = 0.2, 50

// stretching moves along the strip. Columns of vertices with lumped masses are a chain of springs, of which the sine
// is exactly a mode: with cells of size l, ω² = 4 k/(ρ l²) sin²(π/2n). A strain changes the stiffness by about its
// size. Plates resist gradients of strain too, by a share of (π/L)² B/k, here 2e-12.
var stretching = vibration{
	name: "stretching", cells: 20, direction: r3.V(1, 0, 0),
	fabric:    setup.SheetFabric{Density: 0.2, Stretch: 100, Bend: 1e-12},
	amplitude: stretchingStrain * vibrationLength / math.Pi,
	square:    4 * 100 / (0.2 * (vibrationLength / 20) * (vibrationLength / 20)) * math.Pow(math.Sin(math.Pi/40), 2),
	large:     stretchingStrain,
}

const stretchingStrain = 1e-6

// flapping moves out of the plane, ω² = (B/ρ) (π/L)⁴. Second differences of a sine of n cells let it be off by
// (π/n)²/6; the mean over triangles does as much again, and the bar is (π/n)². The amplitude a stretches the strip,
// which adds a share of about k a²/B.
var flapping = vibration{
	name: "flapping", cells: 40, direction: r3.V(0, 0, 1),
	fabric:    setup.SheetFabric{Density: 0.2, Stretch: 100, Bend: 1e-3},
	amplitude: 1e-5,
	square:    1e-3 / 0.2 * math.Pow(math.Pi/vibrationLength, 4),
	coarse:    math.Pi * math.Pi / 40 / 40,
	large:     100 * 1e-5 * 1e-5 / 1e-3,
}

// vibrate takes steps of h seconds with the damping d [s]. It returns what a step multiplies the amplitude by, in the
// geometric mean, how far the first one turns the phase [rad], and the displacement before each.
func vibrate(
	t *verify.Trial, m vibration, opt engine.Options, d, h float64, steps int,
) (factor, turn float64, x []float64) {
	mesh, at := shape.Grid(vibrationLength, 0.02, m.cells, 2)
	mode := make([]float64, len(at))
	start := make([]r3.Vec, len(at))
	for i, p := range at {
		mode[i] = math.Sin(math.Pi * p.X / vibrationLength)
		start[i] = p.AddScaled(m.amplitude*mode[i], m.direction)
	}
	opt.Gravity, opt.Contact.Self, opt.Workers = r3.Vec{}, false, t.Workers
	opt.Linear.Method = engine.Direct
	w := t.World(opt)
	cloth := body.DefaultCloth("strip", mesh, start, m.fabric.Fabric())
	cloth.Fabric.Damping = d
	id, err := cloths.Add(w, cloth)
	t.Must(err)
	left, _ := setup.Ends(mesh, mesh.Material, 0)
	right, _ := setup.Ends(mesh, mesh.Material, vibrationLength)
	_, err = w.AddHandle(engine.Handle{Name: "ends", Cloth: id, Vertices: append(left, right...)})
	t.Must(err)
	project := func() (x, v float64) {
		norm := 0.0
		for i, mass := range w.Masses(id) {
			x += mass * mode[i] * w.Positions(id)[i].Sub(at[i]).Dot(m.direction)
			v += mass * mode[i] * w.Velocities(id)[i].Dot(m.direction)
			norm += mass * mode[i] * mode[i]
		}
		return x / norm, v / norm
	}
	var v []float64
	for range steps + 2 {
		p, q := project()
		x, v = append(x, p), append(v, q)
		_, err := w.Step(h)
		t.Must(err)
	}
	// s₁ = P s₀ and s₂ = P s₁: by Cramer's rule the determinant of P is |s₁ s₂|/|s₀ s₁|, its trace |s₀ s₂|/|s₀ s₁|.
	det := func(i, j int) float64 { return x[i]*v[j] - x[j]*v[i] }
	factor = math.Pow(det(steps, steps+1)/det(0, 1), 1/(2*float64(steps)))
	turn = math.Acos(det(0, 2) / det(0, 1) / 2 / math.Sqrt(det(1, 2)/det(0, 1)))
	return factor, turn, x
}

// dampedBy returns the d that makes a mode lose a share of its critical damping, 2/ω.
func (m vibration) dampedBy(ratio float64) float64 { return 2 * ratio / math.Sqrt(m.square) }

// decayRows compares a strip in steps of about an eighteenth of a period with the scheme. With ω² off by a share, the
// logarithm of what is left is off by at most that share, and the phase by half of it. What comes from the amplitude
// may add up over the steps.
func decayRows(t *verify.Trial, m vibration, theta, ratio float64, newton bool) {
	h := 0.35 / math.Sqrt(m.square)
	opt, how := engine.DefaultOptions(), "one linearization"
	if newton {
		opt, how = setup.Exactly(theta), "Newton"
		opt.Newton.Tolerance = 1e-6 * m.amplitude * math.Sqrt(m.square)
	}
	opt.Theta = theta
	factor, turn := setup.StepOfMode(theta, m.square, m.dampedBy(ratio), h)
	gotFactor, gotTurn, _ := vibrate(t, m, opt, m.dampedBy(ratio), h, vibrationSteps)
	what := fmt.Sprintf("%s, θ = %g, damping %g of critical, %s: ", m.name, theta, ratio, how)
	t.Row(verify.Row{
		Quantity: what + fmt.Sprintf("amplitude left after %d steps", vibrationSteps),
		Expected: math.Pow(factor, vibrationSteps), Measured: math.Pow(gotFactor, vibrationSteps),
		Bar: verify.Relative, Limit: vibrationSteps * (m.coarse*-math.Log(factor) + m.large),
		From: "what the mesh and the amplitude change of the stiffness, in every step and at most",
	})
	t.Row(verify.Row{
		Quantity: what + "phase in a step", Unit: "rad", Expected: turn, Measured: gotTurn,
		Bar: verify.Relative, Limit: m.coarse/2 + m.large,
		From: "what the mesh and the amplitude change of the stiffness, at most",
	})
}

// continuousDecay compares the midpoint in small steps with the continuous law. Its rate is off by a share of (ωh)²/4.
func continuousDecay(t *verify.Trial, m vibration) {
	const ratio, phase = 0.05, 0.05 // ωh
	omega := math.Sqrt(m.square)
	opt := engine.DefaultOptions()
	opt.Theta = 0.5
	steps := int(math.Round(2 * math.Pi / phase))
	factor, _, _ := vibrate(t, m, opt, m.dampedBy(ratio), phase/omega, steps)
	rate := ratio * phase * float64(steps) // d ω² t/2
	t.Row(verify.Row{
		Quantity: m.name + ", one period in small steps: amplitude left against exp(-d ω² t/2)",
		Expected: math.Exp(-rate), Measured: math.Pow(factor, float64(steps)),
		Bar: verify.Relative, Limit: rate*(m.coarse+phase*phase/4) + float64(steps)*m.large,
	})
}

// decayPlot draws how the strip that stretches comes to rest.
func decayPlot(t *verify.Trial) {
	const ratio = 0.05
	m := stretching
	h := 0.35 / math.Sqrt(m.square)
	plot := draw.Plot{Title: "C31: a strip that stretches dies away", X: "time [s]", Y: "amplitude / first amplitude"}
	for _, theta := range []float64{1, 0.5} {
		opt := engine.DefaultOptions()
		opt.Theta = theta
		_, _, x := vibrate(t, m, opt, m.dampedBy(ratio), h, vibrationSteps)
		factor, _ := setup.StepOfMode(theta, m.square, m.dampedBy(ratio), h)
		measured := draw.Series{Name: fmt.Sprintf("measured, θ = %g", theta), Style: draw.Points, Same: true}
		bound := draw.Series{Name: fmt.Sprintf("closed form, θ = %g", theta), Style: draw.Line}
		for k, x := range x {
			measured.X, measured.Y = append(measured.X, h*float64(k)), append(measured.Y, x/m.amplitude)
			bound.X, bound.Y = append(bound.X, h*float64(k)), append(bound.Y, math.Pow(factor, float64(k)))
		}
		plot.Series = append(plot.Series, bound, measured)
	}
	t.Plot("c31-decay", plot)
}
