package house

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDoors fails where there are more entries on the front page, public packages, or exported lines than doors.txt
// allows, and where a ceiling could be lower: what a newcomer meets stays small. With -update ceilings fall to what is
// measured; they are never raised, and a package that is not listed has none.
func TestDoors(t *testing.T) {
	const file = "internal/house/doors.txt"
	is := doors(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	limit := map[string]int{}
	var next []string
	for line := range strings.Lines(string(text)) {
		name, n := "", 0
		if strings.HasPrefix(line, "#") {
			next = append(next, line)
			continue
		}
		if _, err := fmt.Sscan(line, &name, &n); err != nil {
			t.Fatalf("%s: %q: %v", file, line, err)
		}
		limit[name] = n
		if is[name] < n && !*update {
			t.Errorf("%s: %d, but the ceiling is %d: lower it with go test ./internal/house -update", name, is[name], n)
		}
		if is[name] > 0 {
			next = append(next, fmt.Sprintf("%s %d\n", name, min(n, is[name])))
		}
	}
	for name, n := range is {
		if n > limit[name] {
			t.Errorf("%s: %d, at most %d are allowed", name, n, limit[name])
		}
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, []byte(strings.Join(next, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// doors counts the entries of the front page, as git lists them, the public packages, and the lines of docs/api.txt:
// of each package and of all.
func doors(t *testing.T) map[string]int {
	t.Helper()
	list, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]bool{}
	for path := range strings.Lines(string(list)) {
		first, _, _ := strings.Cut(strings.TrimSpace(path), "/")
		if _, err := os.Stat(first); err == nil {
			entries[first] = true
		}
	}
	api, err := os.ReadFile(filepath.Join("docs", "api.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{"entries": len(entries)}
	var packages []string
	for line := range strings.Lines(string(api)) {
		name, _, _ := strings.Cut(line, ":")
		out["api/"+name]++
		out["api"]++
		packages = append(packages, name)
	}
	slices.Sort(packages)
	out["packages"] = len(slices.Compact(packages))
	return out
}
