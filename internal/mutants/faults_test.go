package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// All faults of a file can be in it at once, and no two have one number.
func TestFaultsGoTogether(t *testing.T) {
	byFile, numbers := map[string][]int{}, map[int]string{}
	for i, f := range faults {
		byFile[f.file] = append(byFile[f.file], i)
		if other := numbers[f.number()]; other != "" {
			t.Errorf("%s and %s have one number: give one of them another name", f.name, other)
		}
		numbers[f.number()] = f.name
	}
	for file, list := range byFile {
		good, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Error(err)
			continue
		}
		both, err := withTwins(good, list)
		if err == nil {
			_, err = parser.ParseFile(token.NewFileSet(), "", both, parser.SkipObjectResolution)
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// The table of what caught which fault has no line of a fault that is gone.
func TestTableKnowsItsFaults(t *testing.T) {
	_, lines, err := readTable(filepath.Join("..", "..", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		delete(lines, f.name)
	}
	for name := range lines {
		t.Errorf("%s has a line for %q, which is no fault: go run ./internal/mutants -write -only NAME leaves it out", page, name)
	}
}

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
