package solve

import (
	"errors"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

func TestSolversByName(t *testing.T) {
	if names := Names(); names[0] != "nodal" {
		t.Errorf("the default is the first of %v", names)
	}
	p := given(problems.OnPlane(5, 400, 0.3, r3.V(0.3, 0, 0), 0.01), 1e-8)
	var first *Contacts
	for _, name := range append(Names(), "") {
		s, err := SolverByName(name, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		out, report, err := p.SolveBy(s)
		if err != nil || !report.Converged || report.Contacts != 25 {
			t.Fatalf("%q: %v, %+v", name, err, report)
		}
		if first == nil {
			first = out
		}
		if far := farthest(first, out); far > 1e-7 {
			t.Errorf("%q: velocities are %g m/s off", name, far)
		}
		wrong := *p
		wrong.Mass = wrong.Mass[1:]
		if err := s.Solve(&wrong, wrong.Start()); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "mass 24") {
			t.Errorf("%q: a mass too few gives %v", name, err)
		}
	}
	if _, err := SolverByName("pgs", Settings{}); err == nil || !strings.Contains(err.Error(), "nodal, dual") {
		t.Errorf("an unknown solver gives %v", err)
	}
}

// A matrix that is not definite has no dual problem, and more contacts than fit are too many.
func TestDualSaysWhyNot(t *testing.T) {
	d := DefaultDual()
	p := given(masses([]float64{1}, []r3.Vec{{}}), 1e-8)
	p.A.Val[0].XX = -1
	if err := d.Solve(p, p.Start()); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "inverse of A") {
		t.Errorf("an indefinite matrix gives %v", err)
	}
	many := given(problems.OnPlane(46, 400, 0.3, r3.Vec{}, 0), 1e-8)
	if err := d.Supports(many); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "2116 contacts") {
		t.Errorf("2116 contacts give %v", err)
	}
}
