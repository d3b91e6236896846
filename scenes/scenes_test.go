package scenes_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/scenes"
)

// TestScenesLoad reads every scene from the binary alone.
func TestScenesLoad(t *testing.T) {
	names, err := fs.Glob(scenes.Files(), "*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d scenes, %v", len(names), err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(scenes.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenefile.Parse(name, data, scenes.Files(), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func ExampleFiles() {
	data, err := fs.ReadFile(scenes.Files(), "capstan.yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	first, _, _ := strings.Cut(string(data), "\n")
	fmt.Println(first)
	// Output:
	// # A strip of cloth, 4 m long, hangs over a cylinder: 0.8 m on one side, 1.6 m on the other, and holds.
}
