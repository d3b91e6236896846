package build

import (
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

// TestSpaceInAScene: a body whose arm goes into its chest does not where the scene asks for space, half way between
// corrections neither, and the answer does not depend on what was asked before.
func TestSpaceInAScene(t *testing.T) {
	m, err := mannequin.MeasuresOf("M")
	if err != nil {
		t.Fatal(err)
	}
	b, err := mannequin.NewMannequin(m, 2000)
	if err != nil {
		t.Fatal(err)
	}
	motion, err := mannequin.MotionOf("arm-through-chest", mannequin.MotionOptions{Tempo: 1, Depth: 0.02, Body: b})
	if err != nil {
		t.Fatal(err)
	}
	rules := &scenefile.SpaceRules{Margin: untangle.DefaultSpaceOptions().Margin, Every: 0.02}
	n := b.Vertices()
	body := func() engine.Deformation {
		o := engine.Obstacle{Tri: b.Tri, Positions: make([]r3.Vec, n), Deform: &mannequin.Film{Body: b, Motion: motion}}
		if err := openUp(rules, &o); err != nil {
			t.Fatal(err)
		}
		return o.Deform
	}
	count, err := untangle.NewSpace(n, b.Tri)
	if err != nil {
		t.Fatal(err)
	}
	at := motion.Length()/2 + 0.25*rules.Every
	given, got, again := make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
	if err := (&mannequin.Film{Body: b, Motion: motion}).At(at, given); err != nil {
		t.Fatal(err)
	}
	opened := body()
	for _, s := range []float64{at - 0.5, at} {
		if err := opened.At(s, got); err != nil {
			t.Fatal(err)
		}
	}
	if err := body().At(at, again); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if got[i] != again[i] {
			t.Fatalf("vertex %d is at %v, and at %v if asked for at once", i, got[i], again[i])
		}
	}
	if before, after := count.Crossings(given, nil), count.Crossings(got, nil); before == 0 || after != 0 {
		t.Errorf("%d crossings before, %d after", before, after)
	}
}

func TestSpaceNeedsAMesh(t *testing.T) {
	_, err := scenefile.Parse("scene.yaml", []byte(`toile: 1
time: {end: 0.1, fps: 10, step: 5 ms}
cloths:
  - {name: sheet, shape: {grid: {size: [0.2, 0.2], cells: [4, 4]}}, material: cotton}
obstacles:
  - {name: ball, shape: {sphere: {radius: 10 cm}}, space: {margin: 5 mm}}
`), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "space is for meshes") {
		t.Errorf("%v", err)
	}
}
