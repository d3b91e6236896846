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
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C30: strips of orthotropic cloth are pulled at angles to the warp, and squares are sheared. Triangles of constant
// strain hold a homogeneous state exactly, so that only the solver is left: places are found to 1e-12 m, strains to
// that over the 4 cm of a width, and forces, relative to those of strains of 5 %, to 5e-10. The bar is 1e-8.
var pulled = verify.Case{
	ID: "C30", Title: "strips pulled along warp, weft and bias, and sheared", Source: "closed form",
	Body: func(t *verify.Trial) {
		cuts := []pullCut{{shape.Right, body.Chord}, {shape.Random, body.Arc}}
		if t.Options.Full {
			cuts = nil
			for _, p := range shape.Patterns() {
				cuts = append(cuts, pullCut{p, body.Chord}, pullCut{p, body.Arc})
			}
		}
		for _, cut := range cuts {
			for _, degrees := range []float64{0, 90, 45, 30} {
				pullStrip(t, cut, degrees, 0.05)
			}
			shearSquare(t, cut, 0, 0.1)
			shearSquare(t, cut, 90, 0.1)
		}
		pullCurve(t)
	},
}

// pullCut is a way to cut a piece into triangles and to measure their stretch.
type pullCut struct {
	pattern  shape.Pattern
	membrane body.MembraneModel
}

func (c pullCut) String() string { return fmt.Sprintf("%v, %v", c.pattern, c.membrane) }

// The cloth of these tests: stiffness of strips along the warp and the weft, of shear, and √(ν_wf ν_fw).
const PullWarp, PullWeft, PullShear, PullPoisson = 800.0, 500.0, 60.0, 0.25 // [N/m], and one without a unit

// pullTolerance is that of places [m], pullExact that of what follows from them.
const pullTolerance, pullExact = 1e-12, 2e-10

const pullFrom = "places to 1e-12 m, over what they change by; the last Newton step is far below that"

// pulledState is a strip in tension along its length x, with nothing across it. Of the second Piola-Kirchhoff tension
// only S = S_xx is there, and with the Green strains (l² - 1)/2 = S/E, G_yy = a S and 2 G_xy = b S the deformation is
//
//	x → l x + s y,   y → w y,   l s = 2 G_xy,   s² + w² = 1 + 2 G_yy.
//
// It takes the force l S a unit of width, and S²/(2E) of energy a unit of area. For cloth with the warp at the angle φ
// to the length the compliances are those of an orthotropic plate, with n = ν/√(E₁E₂), c = cos φ, d = sin φ:
//
//	1/E = c⁴/E₁ + d⁴/E₂ + (1/G - 2n) c²d²
//	a   = (1/E₁ + 1/E₂ - 1/G) c²d² - n (c⁴ + d⁴)
//	b   = (2/E₁ + 2n - 1/G) c³d - (2/E₂ + 2n - 1/G) c d³
type pulledState struct {
	along, shift, across float64 // l, s and w
	force                float64 // a unit of width [N/m]
	energy               float64 // a unit of area [J/m²]
}

func pulledClosedForm(grain, stretch float64) pulledState {
	d, c := math.Sincos(grain)
	n := PullPoisson / math.Sqrt(PullWarp*PullWeft)
	const e1, e2, g = PullWarp, PullWeft, PullShear
	compliance := c*c*c*c/e1 + d*d*d*d/e2 + (1/g-2*n)*c*c*d*d
	a := (1/e1+1/e2-1/g)*c*c*d*d - n*(c*c*c*c+d*d*d*d)
	b := (2/e1+2*n-1/g)*c*c*c*d - (2/e2+2*n-1/g)*c*d*d*d
	p := pulledState{along: 1 + stretch}
	strain := (p.along*p.along - 1) / 2
	tension := strain / compliance
	p.shift = b * tension / p.along
	p.across = math.Sqrt(1 + 2*a*tension - p.shift*p.shift)
	p.force, p.energy = p.along*tension, tension*strain/2
	return p
}

// homogeneous is a piece of cloth of which some vertices are held where deform puts them. The others start where from
// puts them, and must get to where deform does.
type homogeneous struct {
	membrane     body.MembraneModel
	m            *mesh.Mesh
	at           []r3.Vec2
	from, deform func(p r3.Vec2) r3.Vec
	holds        [][]int32 // vertices, by handle
}

// settled is what became of such a piece.
type settled struct {
	force  r3.Vec  // of the last handle [N]
	energy float64 // [J]
	far    float64 // the furthest from where deform puts it [m]
}

func (s *homogeneous) settle(t *verify.Trial) settled {
	x := make([]r3.Vec, len(s.at))
	for i, p := range s.at {
		x[i] = s.from(p)
	}
	for _, hold := range s.holds {
		for _, v := range hold {
			x[v] = s.deform(s.at[v])
		}
	}
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Self, opt.Workers = r3.Vec{}, false, t.Workers
	opt.Linear.Method = engine.Direct
	w := t.World(opt)
	// Stiff enough to stay flat under the compression that comes with shear.
	piece := body.DefaultCloth("piece", s.m, x, Orthotropic(1e-2))
	piece.Membrane = s.membrane
	id, err := cloths.Add(w, piece)
	t.Must(err)
	var hand engine.HandleID
	for _, hold := range s.holds {
		hand, err = w.AddHandle(engine.Handle{Name: "jaw", Cloth: id, Vertices: hold})
		t.Must(err)
	}
	settle := engine.DefaultSettleOptions()
	settle.Tolerance = pullTolerance
	stats, err := t.Settle(w, settle)
	t.Must(err)
	if !stats.Converged || stats.Unstable != 0 {
		t.Must(fmt.Errorf("did not settle: it would still move %g m, in %d modes", stats.Move, stats.Unstable))
	}
	_, err = w.Step(1e-3) // from rest to rest; it tells the forces of handles
	t.Must(err)
	out := settled{force: w.HandleForce(hand), energy: stats.Energy.Total()}
	for i, p := range s.at {
		out.far = max(out.far, w.Positions(id)[i].Sub(s.deform(p)).Norm())
	}
	return out
}

const pullLength, pullWidth, pullSize = 0.12, 0.04, 0.01 // [m]

// pullOf returns a strip with the warp at the angle grain, stretched, and its closed form. Its ends are held where
// they would be without jaws: a jaw that keeps its width would make the state differ from place to place.
func pullOf(cut pullCut, grain, stretch float64) (*homogeneous, pulledState) {
	m, at := shape.Strip(cut.pattern, pullLength, pullWidth, pullSize, grain, 30)
	want := pulledClosedForm(grain, stretch)
	left, _ := setup.Ends(m, at, 0)
	right, _ := setup.Ends(m, at, pullLength)
	return &homogeneous{
		membrane: cut.membrane, m: m, at: at, holds: [][]int32{left, right},
		from:   func(q r3.Vec2) r3.Vec { return r3.V(want.along*q.X, q.Y, 0) },
		deform: func(q r3.Vec2) r3.Vec { return r3.V(want.along*q.X+want.shift*q.Y, want.across*q.Y, 0) },
	}, want
}

func pullStrip(t *verify.Trial, cut pullCut, degrees, stretch float64) {
	piece, want := pullOf(cut, degrees*math.Pi/180, stretch)
	got := piece.settle(t)
	what := fmt.Sprintf("%v, warp at %g°, longer by %g %%: ", cut, degrees, 100*stretch)
	t.Row(verify.Row{
		Quantity: what + "force", Unit: "N",
		Expected: pullWidth * want.force, Measured: got.force.X, Bar: verify.Relative, Limit: pullExact, From: pullFrom,
	})
	t.Row(verify.Row{
		Quantity: what + "energy", Unit: "J",
		Expected: pullLength * pullWidth * want.energy, Measured: got.energy, Bar: verify.Relative, Limit: pullExact,
		From: pullFrom,
	})
	t.Row(verify.Row{
		Quantity: what + "places, off by, over the length",
		Measured: got.far / pullLength, Bar: verify.AtMost, Limit: pullExact, From: pullFrom,
	})
}

// shearSquare shears a square by prescribing its border: x → x + γ y. Then G_xx = 0, G_yy = γ²/2, 2 G_xy = γ, and with
// the weft across and k = E₂/(1 - ν²), or E₁ with the warp across, the upper side takes a force a unit of length of
//
//	(G γ + k γ³/2, k γ²/2)
//
// and a unit of area has the energy (G γ² + k γ⁴/4)/2. The forces of the other two sides on the upper corners cancel.
func shearSquare(t *verify.Trial, cut pullCut, degrees, gamma float64) {
	const size = 0.08
	// square whose border is held, the upper side apart from the rest
	m, at := shape.Strip(cut.pattern, size, size, pullSize, degrees*math.Pi/180, 30)
	var upper, rest []int32
	for _, v := range shape.Boundary(m) {
		if at[v].Y == size {
			upper = append(upper, v)
		} else {
			rest = append(rest, v)
		}
	}
	piece := homogeneous{
		membrane: cut.membrane, m: m, at: at, holds: [][]int32{rest, upper},
		from:   func(q r3.Vec2) r3.Vec { return r3.V(q.X, q.Y, 0) },
		deform: func(q r3.Vec2) r3.Vec { return r3.V(q.X+gamma*q.Y, q.Y, 0) },
	}
	// stiffness across
	across := PullWeft / (1 - PullPoisson*PullPoisson)
	if degrees == 90 {
		across = PullWarp / (1 - PullPoisson*PullPoisson)
	}
	// forces and energy at rest against the closed form
	got := piece.settle(t)
	what := fmt.Sprintf("%v, warp at %g°, sheared by %g: ", cut, degrees, gamma)
	g2 := gamma * gamma
	along, energy := size*gamma*(PullShear+across*g2/2), size*size*g2*(PullShear+across*g2/4)/2
	for _, r := range []verify.Row{
		{Quantity: "force along the side", Unit: "N", Expected: along, Measured: got.force.X},
		{Quantity: "force across the side", Unit: "N", Expected: size * across * g2 / 2, Measured: got.force.Y},
		{Quantity: "energy", Unit: "J", Expected: energy, Measured: got.energy},
	} {
		r.Quantity, r.Bar, r.Limit = what+r.Quantity, verify.Relative, pullExact
		r.From = pullFrom
		t.Row(r)
	}
}

// pullCurve draws the force over the stretch.
func pullCurve(t *verify.Trial) {
	plot := draw.Plot{Title: "C30: strips pulled at angles to the warp", X: "stretch", Y: "force / width [N/m]"}
	for _, degrees := range []float64{0, 90, 45} {
		exact := draw.Series{Name: fmt.Sprintf("%g°, closed form", degrees), Style: draw.Line}
		measured := draw.Series{Name: fmt.Sprintf("%g°, measured", degrees), Style: draw.Points, Same: true}
		for k := 1; k <= 5; k++ {
			stretch := 0.04 * float64(k)
			piece, want := pullOf(pullCut{shape.Right, body.Chord}, degrees*math.Pi/180, stretch)
			exact.X, exact.Y = append(exact.X, stretch), append(exact.Y, want.force)
			measured.X, measured.Y = append(measured.X, stretch), append(measured.Y, piece.settle(t).force.X/pullWidth)
		}
		plot.Series = append(plot.Series, exact, measured)
	}
	t.Plot("c30-pulled", plot)
}

// Orthotropic returns the cloth that is pulled, with a bending stiffness [N m].
func Orthotropic(bend float64) material.Fabric {
	return material.Fabric{
		Name: "orthotropic", Source: "closed form", Density: 0.2, Thickness: 1e-3,
		Membrane: material.NewStretch(PullWarp, PullWeft, PullShear, PullPoisson),
		BendWarp: bend, BendWeft: bend, BendBias: bend,
	}
}
