package geom

import (
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/toile-sim/toile/internal/referee"
)

// full reports whether the long checks are asked for.
func full() bool { return os.Getenv("TOILE_FULL") != "" }

// tally counts what a set of cases came to.
type tally struct{ cases, hits, early, exact int }

// examine checks one pair with both referees: C23.
func examine(t *testing.T, c *pair, n *tally) (gap float64) {
	t.Helper()
	until, hit := c.impact(0)
	n.cases++
	meets, exact := c.Meets(1, false)
	if !hit && meets {
		t.Errorf("missed impact of %+v", *c)
	}
	if hit {
		n.hits++
		before, exactly := c.Meets(until, true)
		exact = exact || exactly
		if before {
			t.Errorf("impact before the time %v reported for %+v", until, *c)
		}
		if !meets {
			n.early++
		}
		if reach := c.Reach(); reach > 0 {
			gap = math.Sqrt(c.dist2(until)) / reach
		}
		if gap > ImpactTolerance {
			t.Errorf("reported at %v with a gap of %.3g of the reach: %+v", until, gap, *c)
		}
	}
	if exact {
		n.exact++
	}
	return gap
}

// C23: no impact missed or dated late, by exact arithmetic; every early report within ImpactTolerance, and
// counted.
func TestImpactAgainstExactReferee(t *testing.T) {
	cases := 100_000
	if testing.Short() {
		cases = 2_600
	}
	if n, err := strconv.Atoi(os.Getenv("TOILE_CCD")); err == nil && full() {
		cases = n
	}
	workers := runtime.GOMAXPROCS(0)
	counts := make([][]tally, workers)
	worst := make([]float64, workers)
	var wait sync.WaitGroup
	for w := range workers {
		counts[w] = make([]tally, len(referee.PairKinds))
		wait.Go(func() {
			for i := w; i < cases && !t.Failed(); i += workers {
				kind := i / 2 % len(referee.PairKinds)
				c := movingPair(source(uint64(i)+1000), kind, i%2 == 1)
				gap := examine(t, &c, &counts[w][kind])
				worst[w] = max(worst[w], gap)
			}
		})
	}
	wait.Wait()
	var all tally
	for k, name := range referee.PairKinds {
		var n tally
		for w := range workers {
			n.add(counts[w][k])
		}
		all.add(n)
		t.Logf(
			"%-17s %8d cases %8d hits %6d without impact %6d settled exactly",
			name,
			n.cases,
			n.hits,
			n.early,
			n.exact,
		)
	}
	t.Logf("%+v, largest gap at a reported time: %.3g of the reach", all, slices.Max(worst))
}

func (n *tally) add(m tally) {
	n.cases, n.hits, n.early, n.exact = n.cases+m.cases, n.hits+m.hits, n.early+m.early, n.exact+m.exact
}

// The two referees must agree where the quick one answers.
func TestRefereesAgree(t *testing.T) {
	answers := map[referee.Verdict]int{}
	cases := 5200
	if testing.Short() {
		cases = 1300
	}
	for i := range cases {
		c := movingPair(source(uint64(i)+77), i/2%len(referee.PairKinds), i%2 == 1)
		quick := c.MeetsQuickly(1)
		answers[quick]++
		if quick != referee.Undecided && c.MeetsExactly(1, false) != (quick == referee.Meeting) {
			t.Fatalf("case %d: the quick referee says %v, the exact one does not: %+v", i, quick, c)
		}
	}
	for _, v := range []referee.Verdict{referee.Undecided, referee.Apart, referee.Meeting} {
		if answers[v] < cases/20 {
			t.Errorf("verdict %d came up only %d times", v, answers[v])
		}
	}
}
