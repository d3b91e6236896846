package main

import (
	"slices"
	"testing"
)

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
