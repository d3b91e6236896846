package build

import (
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/samples"
)

// Bones take their vertices from the dressing pose to the motion, and the flesh comes along.
func TestFleshFollowsItsBones(t *testing.T) {
	b := builtScene(t, samples.Flesh)
	s := b.Scene
	f := s.Solids[0].Shape.Flesh
	id := b.Bodies[0].ID
	start := slices.Clone(b.World.BodyPositions(id))
	place := s.Solids[0].Place.Pose()
	for v, x := range f.Made().Tets.X {
		if d := place.Apply(x.Scale(0.5)).Sub(start[v]).Norm(); d > 1e-12 {
			t.Fatalf("vertex %d starts %g m from the dressing pose", v, d)
		}
	}
	for range 8 {
		stats, err := b.World.Step(s.Time.Step)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Crossings > 0 || !stats.Converged {
			t.Errorf("%d crossings, residual %g m/s", stats.Crossings, stats.Residual)
		}
	}
	film := f.Mannequin.Made()
	moved := 0.0
	for j, vertices := range f.Made().Held {
		bone := film.Bone(mannequin.Joint(j), b.World.Time()-film.Lead-film.Hold)
		for _, v := range vertices {
			x := place.Apply(bone.Apply(f.Made().Tets.X[v]).Scale(0.5))
			if d := x.Sub(b.World.BodyPositions(id)[v]).Norm(); d > 1e-12 {
				t.Fatalf("vertex %d of the %v is off by %g m", v, mannequin.Joint(j), d)
			}
			moved = max(moved, x.Sub(start[v]).Norm())
		}
	}
	if moved < 0.1 {
		t.Errorf("no bone has moved further than %g m", moved)
	}
}
