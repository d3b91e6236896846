package dress_test

import (
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/scenefile"
)

// The scenes of the page on garments are scenes: they are read, cut for their bodies, and hang free of crossings.
func TestScenesOfTheGarmentsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/garments.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```yaml\n")[1:]
	if len(blocks) < 2 {
		t.Fatalf("the page has %d scenes", len(blocks))
	}
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		s, err := scenefile.Parse(
			"garments.yaml",
			[]byte(text),
			nil,
			[]string{"obstacles.body.shape.mannequin.vertices=3000"},
		)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if !s.Dresses() {
			t.Errorf("nothing is sewn in\n%s", text)
		}
		b, err := build.World(s)
		if err != nil {
			t.Fatal(err)
		}
		// Layers hang through each other until it is their turn; one garment hangs free.
		if n, _ := b.World.Crossings(); len(s.Cloths) == 1 && n > 0 {
			t.Errorf("%s: %d crossings as it hangs", s.Title(), n)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
