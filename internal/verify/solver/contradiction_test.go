package solver

import (
	"bytes"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/solve"
)

// playDumped builds a scene, takes so many steps of it, and hands each over with its contact problem and the answer
// that nodal has to that.
func playDumped(
	t *testing.T, yaml string, h float64, steps int,
	each func(s engine.Stats, p *solve.ContactProblem, out *solve.Contacts),
) {
	t.Helper()
	s, err := scenefile.Parse("scene.yaml", []byte(yaml), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := build.World(s)
	if err != nil {
		t.Fatal(err)
	}
	for range steps {
		var dump bytes.Buffer
		b.World.DumpNext(&dump)
		stats, err := b.World.Step(h)
		if err != nil {
			t.Fatal(err)
		}
		if dump.Len() == 0 {
			continue
		}
		p, err := solve.ReadProblem(&dump)
		if err != nil {
			t.Fatal(err)
		}
		solver := solve.DefaultNodal()
		out, _, err := p.SolveBy(&solver)
		if err != nil {
			t.Fatal(err)
		}
		each(stats, p, out)
	}
}

// proven reports whether the referee accepts that what an answer leaves out contradicts itself.
func proven(p *solve.ContactProblem, out *solve.Contacts) bool {
	found := referee.Contradict(problems.Plain(p.A, p.B, p.Mass, p.Fixed, p.Set, nil), out.V, out.Proof)
	for c, left := range out.Infeasible {
		if left && out.Proof[c].X <= 0 {
			return false
		}
	}
	return found.Wrong == 0 && found.Felt <= 1e-10 && found.Speed > p.Tolerance
}

// TestNapkinsContradictNothing: three napkins of different cloth fall on a floor and on each other. In the tenth step
// four contacts were called contradictory, though the problem has a solution, and a residual of 2.4e-6 m/s was left.
// All steps are solved, nothing is left out, and the referee finds no more wrong than ten times what is said.
func TestNapkinsContradictNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	const napkins = `
toile: 1
friction: 0.3
time: {end: 0.12 s, step: 4 ms}
cloths:
  - {name: a, shape: {grid: {size: [0.3, 0.3], cells: [8, 8]}}, place: {translate: [0, 0, 3 mm]}, material: cotton}
  - {name: b, shape: {grid: {size: [0.3, 0.3], cells: [8, 8]}}, place: {translate: [1 cm, 1.3 cm, 7 mm]}, material: silk}
  - {name: c, shape: {grid: {size: [0.3, 0.3], cells: [8, 8]}}, place: {translate: [2 cm, 2.6 cm, 11 mm]}, material: denim}
obstacles:
  - {name: floor, shape: {plane: {}}}
`
	playDumped(t, napkins, 4e-3, 12, func(s engine.Stats, p *solve.ContactProblem, out *solve.Contacts) {
		if !s.Converged || s.Infeasible > 0 || s.Jammed > 0 {
			t.Errorf("step %d: converged %v, residual %.2g m/s, %d contacts infeasible, %d jammed",
				s.Step, s.Converged, s.Residual, s.Infeasible, s.Jammed)
		}
		said := out.Residual.Worst()
		found := referee.Judge(problems.Plain(p.A, p.B, p.Mass, p.Fixed, p.Set, nil), out.V, out.R).Worst()
		if !out.Converged || !(said <= p.Tolerance) || !(found <= 10*said) {
			t.Errorf(
				"problem of step %d: converged %v, %.2g m/s is said, the referee finds %.2g", s.Step, out.Converged,
				said, found,
			)
		}
	})
}

// TestClosingPlatesAreProven: two plates close on a sheet to less than two thicknesses. The steps have not converged,
// they are counted apart, and the referee accepts the proof of each.
func TestClosingPlatesAreProven(t *testing.T) {
	const plates = `
toile: 1
friction: 0.3
time: {end: 0.1 s, step: 4 ms}
contact: {thickness: 1 mm}
cloths:
  - {name: sheet, shape: {grid: {size: [0.1, 0.1], cells: [5, 5]}}, place: {translate: [0, 0, 1 mm]}, material: cotton}
obstacles:
  - {name: floor, shape: {plane: {}}}
  - name: lid
    shape: {box: {size: [0.4, 0.4, 0.02]}}
    place: {translate: [0, 0, 14 mm]}
    motion: down
motions:
  down: {keys: [{at: 0 s}, {at: 0.1 s, translate: [0, 0, -2.4 mm]}]}
`
	contradicted := 0
	playDumped(t, plates, 4e-3, 25, func(s engine.Stats, p *solve.ContactProblem, out *solve.Contacts) {
		left := slices.Contains(out.Infeasible, true)
		if left && (!proven(p, out) || out.Converged) || (s.Infeasible > 0) != s.Contradicted || s.Contradicted &&
			s.Converged {
			t.Errorf("step %d: %d contacts infeasible, proven %v, converged %v and %v, contradicted %v",
				s.Step, s.Infeasible, left && proven(p, out), s.Converged, out.Converged, s.Contradicted)
		}
		if s.Contradicted {
			contradicted++
		} else if !s.Converged {
			t.Errorf("step %d: residual %.2g m/s, %d contacts jammed", s.Step, s.Residual, s.Jammed)
		}
	})
	t.Logf("%d of 25 steps contradict themselves", contradicted)
	if contradicted < 4 || contradicted > 6 { // the lid is at two thicknesses after 21 steps
		t.Errorf("%d of 25 steps contradict themselves", contradicted)
	}
}
