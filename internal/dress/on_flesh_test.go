package dress

import (
	"context"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
)

// Garments are for bodies of flesh too, whose skin they are sewn around before it moves.
func TestGarmentOnFlesh(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const worn = samples.Flesh + `cloths:
  - {name: top, shape: {garment: {kind: tank-top, on: body, size: 60 mm}}}
`
	s, err := scenefile.Parse("scene.yaml", []byte(worn), samples.Files, []string{"solids.body.place={}"})
	if err != nil {
		t.Fatal(err)
	}
	dressed, err := Scene(context.Background(), s, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := World(s, dressed)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Obstacles) > 0 || len(b.Bodies) != 1 {
		t.Errorf("%d obstacles and %d bodies", len(b.Obstacles), len(b.Bodies))
	}
	contacts := 0
	for range 4 {
		if err := b.World.Advance(s.Time.Step, s.Time.Step, func(k engine.Stats) {
			contacts += k.Contacts
			if k.Crossings > 0 {
				t.Errorf("at %g s: %d crossings", k.Time, k.Crossings)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if contacts == 0 {
		t.Error("the top does not touch the body")
	}
}
