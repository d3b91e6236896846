package verify

import (
	"context"
	"os"
	"testing"
)

// TestVerifications runs every case quickly: the same that the command line runs.
func TestVerifications(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes")
	}
	for _, c := range All() {
		t.Run(c.ID, func(t *testing.T) {
			r := c.Run(context.Background(), Options{Full: os.Getenv("TOILE_FULL") != ""})
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
