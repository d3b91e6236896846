package all_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/all"
)

// TestVerifications runs every case quickly: the same that the command line runs.
func TestVerifications(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	for _, c := range all.All() {
		t.Run(c.ID, func(t *testing.T) {
			r := c.Run(context.Background(), verify.Options{Full: os.Getenv("TOILE_FULL") != ""})
			if r.Err != "" {
				t.Fatal(r.Err)
			}
			for _, row := range r.Rows {
				if !row.Pass() {
					t.Errorf(
						"%s: %s: measured %.6g %s, expected %.6g (%s)",
						r.ID,
						row.Quantity,
						row.Measured,
						row.Unit,
						row.Expected,
						row.Allowed(),
					)
				} else {
					t.Logf(
						"%s: %s: measured %.6g %s, expected %.6g (%s)",
						r.ID,
						row.Quantity,
						row.Measured,
						row.Unit,
						row.Expected,
						row.Allowed(),
					)
				}
			}
			for _, n := range r.Notes {
				t.Log(n)
			}
			t.Logf("%.1f s", r.Seconds)
		})
	}
}

// TestCasesAreInFilesOfTheirNames: a case is found by its id in the name of a file of its family, and only there.
func TestCasesAreInFilesOfTheirNames(t *testing.T) {
	listed := 0
	for _, f := range all.Families() {
		files, err := filepath.Glob(filepath.Join("..", f.Name, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Cases {
			listed++
			named := slices.DeleteFunc(slices.Clone(files), func(file string) bool {
				parts := strings.Split(strings.TrimSuffix(filepath.Base(file), ".go"), "_")
				return !slices.Contains(parts, strings.ToLower(c.ID))
			})
			if len(named) != 1 {
				t.Errorf("%s of %s is in the names of %q", c.ID, f.Name, named)
				continue
			}
			if text, err := os.ReadFile(named[0]); err != nil {
				t.Error(err)
			} else if c.ID != verify.StormID && !strings.Contains(string(text), `"`+c.ID+`"`) {
				t.Errorf("%s is not in %s", c.ID, named[0])
			}
		}
	}
	if found := len(all.All()); found != listed {
		t.Errorf("%d cases in the families, %d in the table", listed, found)
	}
}
