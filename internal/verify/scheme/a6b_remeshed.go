package scheme

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/cloth"
	"github.com/toile-sim/toile/internal/verify/friction"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/shape"
)

// A6b: answers that are known in closed form stay what they are with meshes that change: the drop of a heavy strip over
// its run, as in C1, and the friction at which a strip over a cylinder slips, as in L3.
var remeshedAnswers = verify.Case{
	ID: "A6b", Title: "known answers with meshes that change", Source: "[Romero21] cantilever; [Larionov21] app. C",
	Body: func(t *verify.Trial) {
		gammas := []int{6}
		if t.Options.Full {
			gammas = []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
		}
		for _, i := range gammas {
			e := setup.HeavyElastica[i]
			ratio, vertices := remeshedTip(t, e.Gamma)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("drop/run at Γ = %g, remeshed to %d vertices", e.Gamma, vertices),
					Expected: e.Ratio,
					Measured: ratio,
					Bar:      verify.Relative,
					Limit:    0.02,
				},
			)
		}
		size := remesh.DefaultOptions()
		size.Min, size.Max, size.Angle = 0.04, 0.4, 0.1
		c := friction.NewRemeshedCapstan(t, 80, 0.4, 0.01, 0, &size)
		got := setup.Bisect(0.13, 0.15, 1e-3, c.Slips)
		t.Row(verify.Row{
			Quantity: fmt.Sprintf(
				"critical μ of the capstan, remeshed to %d vertices", cloths.Spec(c.W, c.ID).Mesh.Verts,
			),
			Expected: friction.CapstanFriction(0.4), Measured: got, Bar: verify.Relative, Limit: 0.02,
		})
		t.StepsRow()
	},
}

// remeshedTip returns the drop of a heavy strip's tip over its run, and how many vertices it has, when its mesh is
// brought to its shape and its shape to equilibrium in turns.
func remeshedTip(t *verify.Trial, gamma float64) (ratio float64, vertices int) {
	s := setup.Strip{Pattern: "right", Length: 0.2, Width: 0.025, Elements: 20}
	weight := cloth.HeavyDensity * cloth.HeavyGravity
	size := remesh.DefaultOptions()
	size.Min, size.Max, size.Angle = s.Length/80, s.Length/10, 0.1
	f := setup.SheetFabric{
		Density:  cloth.HeavyDensity,
		Stretch:  weight * s.Length / cloth.HeavyStrain,
		Bend:     weight * s.Length * s.Length * s.Length / gamma,
		Membrane: body.Arc,
		Remesh:   &size,
	}
	m, at := s.Mesh(t)
	w, id, tip := s.Clamped(t, m, at, shape.InPlane(at), f)
	const rounds, brief = 5, 1e-5
	for k := range rounds {
		if k > 0 {
			_, err := w.Step(brief) // begins by remeshing
			t.Must(err)
		}
		stats, err := t.Settle(w, engine.DefaultSettleOptions())
		t.Must(err)
		if !stats.Converged {
			t.Must(fmt.Errorf("strip at Γ = %g did not settle: it would still move %g m", gamma, stats.Move))
		}
	}
	drop, run := 0.0, 0.0
	x := cloths.InputPositions(w, id, nil)
	for _, v := range tip {
		drop, run = drop-x[v].Z, run+x[v].X
	}
	return drop / run, cloths.Spec(w, id).Mesh.Verts
}
