package start

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// docs/status.md says how many demos there are, and docs/viewer.md which.
func TestDocsKnowTheDemos(t *testing.T) {
	numbers := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	for file, want := range map[string]string{
		"../../../docs/status.md": "| `toile demo` | works | " + numbers[len(demos)] + " scenes;",
		"../../../docs/viewer.md": "which there are: " + strings.Join(demoNames(), ", ") + "\n",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q", file, want)
		}
	}
}

// TestDemoMeshes keeps the sheets of demos fine enough for smooth folds.
func TestDemoMeshes(t *testing.T) {
	for _, name := range []string{"ball", "flag", "towel"} {
		i := slices.Index(demoNames(), name)
		if i < 0 {
			t.Errorf("there is no demo %s", name)
			continue
		}
		s, err := demos[i].load()
		if err != nil {
			t.Fatal(err)
		}
		if n := s.Cost().Vertices; n < 2500 {
			t.Errorf("%s has %d vertices", name, n)
		}
	}
}

// TestDemosLoad reads every bundled scene with its changes.
func TestDemosLoad(t *testing.T) {
	for i := range demos {
		s, err := demos[i].load()
		if err != nil {
			t.Errorf("%s: %v", demos[i].name, err)
			continue
		}
		if c := s.Cost(); c.Vertices > 4000 {
			t.Errorf("%s has %d vertices; a demo is to be quick", demos[i].name, c.Vertices)
		}
	}
}
