package geom

import (
	"math"
	"os"
	"strconv"
	"testing"
)

// Conservative and tight, C23: no impact missed or dated late, by exact arithmetic; every early report within
// ImpactTolerance, and counted.
func TestImpactAgainstExactReferee(t *testing.T) {
	cases := 100_000
	if testing.Short() {
		cases = 5_000
	}
	if n, err := strconv.Atoi(os.Getenv("TOILE_CCD")); err == nil && os.Getenv("TOILE_FULL") != "" {
		cases = n
	}
	type tally struct{ cases, hits, early int }
	counts := make([]tally, len(caseKinds))
	worst := 0.0
	for i := range cases {
		r := source(uint64(i) + 1000)
		kind := i / 2 % len(caseKinds)
		c := movingPair(r, kind, i%2 == 1)
		at, hit := c.impact(0)
		counts[kind].cases++
		if !hit {
			if c.meets(1, false) {
				t.Fatalf("case %d (%s): missed impact of %+v", i, caseKinds[kind], c)
			}
			continue
		}
		counts[kind].hits++
		if c.meets(at, true) {
			t.Fatalf("case %d (%s): impact before the time %v reported for %+v", i, caseKinds[kind], at, c)
		}
		if !c.meets(1, false) {
			counts[kind].early++
		}
		if reach := c.reach(); reach > 0 {
			gap := math.Sqrt(c.dist2(at)) / reach
			worst = max(worst, gap)
			if gap > ImpactTolerance {
				t.Errorf("case %d (%s): reported at %v with a gap of %.3g of the reach: %+v", i, caseKinds[kind], at, gap, c)
			}
		}
	}
	for k, n := range counts {
		t.Logf("%-17s %7d cases %7d hits %6d of them without impact", caseKinds[k], n.cases, n.hits, n.early)
	}
	t.Logf("largest gap at a reported time: %.3g of the reach", worst)
}
