package house

import (
	"maps"
	"slices"
	"testing"
)

// circles are the ceilings on the largest circle of files of each package; of others it is 1. They may only fall.
var circles = map[string]int{
	".":              2,
	"body":           5,
	"cache":          20,
	"cmd/toile":      54,
	"contact":        36,
	"draw":           7,
	"elastic":        3,
	"export":         3,
	"geom":           2,
	"internal/bench": 4,
	"internal/disk":  2,
	"internal/dumps": 2,
	"internal/mech":  2,
	"internal/storm": 3,
	"knit":           6,
	"meshio":         15,
	"pattern":        15,
	"remesh":         6,
	"report":         7,
	"run":            8,
	"scene":          33,
	"shape":          6,
	"smooth":         3,
	"solve":          2,
	"sparse":         3,
	"sweep":          6,
	"untangle":       2,
	"verify":         101,
	"view":           8,
	"yarn":           6,
}

// TestCirclesOfFiles fails where more files of a package lead to each other than before: none of them can then be read,
// tested or moved by itself.
func TestCirclesOfFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and checks all packages")
	}
	found, err := Circles("../..", "github.com/toile-sim/toile")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		switch n, most := len(found[name]), max(1, circles[name]); {
		case n > most:
			t.Errorf("%s: %d files lead to each other, and %d may: %v", name, n, most, found[name])
		case n < most:
			t.Errorf("%s: %d files lead to each other now: lower its ceiling of %d", name, n, most)
		}
	}
	for name := range circles {
		if found[name] == nil {
			t.Errorf("there is no package %s", name)
		}
	}
}

func TestLargestCircle(t *testing.T) {
	uses := map[string][]string{
		"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a", "d"},
	}
	if got, want := largest(uses), []string{"a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	delete(uses, "b")
	uses["c"] = []string{"d"}
	if got, want := largest(uses), []string{"d", "e"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
