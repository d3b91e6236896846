package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every fault still has its place: code that changes takes its faults along.
func TestFaultsHaveTheirPlaces(t *testing.T) {
	for _, f := range faults {
		data, err := os.ReadFile(filepath.Join("..", "..", f.file))
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		if n := strings.Count(string(data), f.from); n != 1 {
			t.Errorf("%s: %q is %d times in %s, not once", f.name, f.from, n, f.file)
		}
	}
}
