package cloth

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// C7: a moment at the end of a cantilever bends it to an arc of curvature M/EI, so that its tip turns by M L/EI: half a
// circle for π EI/L, and for 2π EI/L a full one, with the tip back at the root.
//
// There is no load that is a moment. But a strip whose tip is turned by φ, and free to go anywhere, is in the same
// state as one under the moment that this takes, which is M(φ) = dE/dφ for the energy E(φ) of equilibria. So the tip is
// clamped to a direction and not to a place, and φ is sought where the slope of the energy is the moment asked for.
//
// Over a length l at curvature κ a chord is shorter than its arc by a share of (κl)²/24. That counts in lengths and in
// curvatures, and slopes across edges are taken as far away again: the bar of the turn is (κl)²/6, with l the longest
// side of a triangle.
var rolled = verify.Case{
	ID: "C7", Title: "end moment rolls a cantilever to a circle", Source: "arc of constant curvature",
	Body: func(t *verify.Trial) {
		patterns, elements := []string{"right", "random"}, []int{40}
		if t.Options.Full {
			patterns, elements = append(setup.StripPatterns, setup.BiasPatterns...), []int{40, 80}
		}
		plot := draw.Plot{Title: "C7: a cantilever under end moments", X: "x [m]", Y: "z [m]", Equal: true}
		for _, n := range elements {
			for _, p := range patterns {
				r := newRoll(t, setup.Strip{Pattern: p, Length: 0.2, Width: 0.025, Elements: n})
				for _, circle := range []float64{0.5, 1} {
					rollRows(t, r, circle)
					if p == patterns[0] && n == elements[0] {
						plot.Series = append(plot.Series, r.outline(circle)...)
					}
				}
			}
		}
		t.Plot("c7-rolled", plot)
	},
}

// rollRows rolls a strip to a share of a circle.
func rollRows(t *verify.Trial, r *roll, circle float64) {
	moment := 2 * math.Pi * circle
	turn := r.under(t, moment)
	what := fmt.Sprintf("M L/EI = %g π, %v: ", 2*circle, r.Strip)
	bent := moment / r.Length * r.longestSide()
	t.Row(verify.Row{
		Quantity: what + "turn of the tip", Unit: "rad",
		Expected: moment, Measured: turn, Bar: verify.Relative, Limit: bent * bent / 6,
		From: "an element bends by a chord for its arc; ends make up for it",
	})
	want := arc(r.Length, moment, r.Length)
	t.Row(verify.Row{
		Quantity: what + "tip from where it should be, over the length",
		Measured: r.tip().Sub(want).Norm() / r.Length, Bar: verify.AtMost, Limit: 0.01,
		From: "biased meshes are off by eight times as much as random ones",
	})
}

// arc returns the point at s of an arc of the given length that leaves the origin along x and turns towards z.
func arc(length, turn, s float64) r3.Vec {
	radius := length / turn
	sin, cos := math.Sincos(s / radius)
	return r3.V(radius*sin, 0, radius*(1-cos))
}

// roll is a strip of which the root is clamped and the direction of the tip is given.
type roll struct {
	setup.Strip
	m  *mesh.Mesh
	at []r3.Vec2
	x  []r3.Vec
}

const rollBend = 1e-3 // [N m]

func newRoll(t *verify.Trial, s setup.Strip) *roll {
	m, at := s.Mesh(t)
	return &roll{Strip: s, m: m, at: at, x: make([]r3.Vec, len(at))}
}

func (r *roll) longestSide() float64 {
	longest := 0.0
	for i := range r.m.Edges {
		v := r.m.Edges[i].V
		longest = max(longest, r.at[v[0]].Sub(r.at[v[1]]).Norm())
	}
	return longest
}

// energy settles the strip with its tip turned, and returns E L/EI. It starts from an arc, because the same direction
// belongs to every number of full turns.
func (r *roll) energy(t *verify.Trial, turn float64) float64 {
	for i, p := range r.at {
		r.x[i] = arc(r.Length, turn, p.X).Add(r3.V(0, p.Y, 0))
	}
	root, edges := setup.Ends(r.m, r.at, 0)
	var clamps []body.Clamp
	for _, e := range edges {
		clamps = append(clamps, body.Clamp{Edge: e, Dir: r3.V(1, 0, 0)})
	}
	_, edges = setup.Ends(r.m, r.at, r.Length)
	sin, cos := math.Sincos(turn)
	for _, e := range edges {
		clamps = append(clamps, body.Clamp{Edge: e, Dir: r3.V(-cos, 0, -sin)})
	}
	opt := engine.DefaultOptions()
	opt.Gravity = r3.Vec{}
	// Curvature is by length at rest, so that a bent sheet likes to be shorter by a strain of B κ²/k, here 1e-5.
	curvature := 2 * math.Pi / r.Length
	stretch := rollBend * curvature * curvature / 1e-5
	f := setup.SheetFabric{Density: 0.2, Stretch: stretch, Bend: rollBend, Membrane: body.Arc}
	w, id := setup.ClampedSheet(t, opt, r.m, r.x, f, clamps)
	_, err := w.AddHandle(engine.Handle{Name: "wall", Cloth: id, Vertices: root})
	t.Must(err)
	stats, err := t.Settle(w, engine.DefaultSettleOptions())
	t.Must(err)
	if !stats.Converged || stats.Unstable != 0 {
		t.Must(fmt.Errorf("strip (%v) turned by %g did not settle: it would move %g m", r.Strip, turn, stats.Move))
	}
	copy(r.x, w.Positions(id))
	return stats.Energy.Total() * r.Length / (rollBend * r.Width)
}

// under returns the turn of the tip under the moment M L/EI, and leaves the strip there. The moment is nearly
// proportional to the turn.
func (r *roll) under(t *verify.Trial, moment float64) float64 {
	const d = 0.02 // rad
	turn := moment
	for range 3 {
		turn *= moment / ((r.energy(t, turn+d) - r.energy(t, turn-d)) / (2 * d))
	}
	r.energy(t, turn)
	return turn
}

// tip returns where the middle of the tip is, in the plane of bending.
func (r *roll) tip() (x r3.Vec) {
	tip, _ := setup.Ends(r.m, r.at, r.Length)
	for _, v := range tip {
		x = x.AddScaled(1/float64(len(tip)), r3.V(r.x[v].X, 0, r.x[v].Z))
	}
	return x
}

// outline returns the strip from the side, and the arc that it should be.
func (r *roll) outline(circle float64) []draw.Series {
	exact := draw.Series{Name: fmt.Sprintf("%g circle, closed form", circle), Style: draw.Line}
	for k := range 101 {
		p := arc(r.Length, 2*math.Pi*circle, r.Length*float64(k)/100)
		exact.X, exact.Y = append(exact.X, p.X), append(exact.Y, p.Z)
	}
	measured := draw.Series{Name: fmt.Sprintf("%g circle, measured", circle), Style: draw.Points, Same: true}
	for i, p := range r.at {
		if p.Y == 0 {
			measured.X, measured.Y = append(measured.X, r.x[i].X), append(measured.Y, r.x[i].Z)
		}
	}
	return []draw.Series{exact, measured}
}
