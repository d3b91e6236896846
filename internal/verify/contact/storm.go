package contact

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/toile-sim/toile/internal/storm"
	"github.com/toile-sim/toile/internal/verify"
)

// Random scenes of 14 families, every frame of which is judged by a referee that shares no code with contact but the
// exact sign of four points.
var randomScenes = verify.Case{
	ID: verify.StormID, Title: "random scenes, judged frame by frame",
	Source: "exact tests of crossing and winding numbers, by a referee of its own",
	Body:   func(t *verify.Trial) { playSeeds(t) },
}

// Seeds that are played unless others are asked for, and the time that each may take on its core.
var (
	quickSeeds, fullSeeds = [2]int{1, 40}, [2]int{1001, 1300}
	quickLimit, longLimit = 15 * time.Second, 2 * time.Minute
)

func playSeeds(t *verify.Trial) {
	seeds, limit := t.Options.Seeds, longLimit
	switch {
	case seeds != [2]int{}:
	case t.Options.Full:
		seeds = fullSeeds
	default:
		seeds, limit = quickSeeds, quickLimit
	}
	t.Result.Seeds = t.Options.Seeds
	var journal *storm.Journal
	if t.Journal != "" {
		var err error
		journal, err = storm.OpenJournal(t.Journal, t.Resume)
		t.Must(err)
	}
	var mutex sync.Mutex
	var all []*storm.Outcome
	var failed error
	t.Parallel(seeds[1]-seeds[0]+1, func(i int) {
		seed := seeds[0] + i
		mutex.Lock()
		o, stop := journal.Kept(seed), failed != nil
		mutex.Unlock()
		if stop || t.Context().Err() != nil {
			return
		}
		var err error
		played := o == nil
		if played {
			o, err = playSeed(t, seed, limit)
		}
		mutex.Lock()
		defer mutex.Unlock()
		if err == nil && played {
			err = journal.Add(o)
		}
		if err != nil {
			failed = cmp.Or(failed, err)
			return
		}
		all = append(all, o)
		if t.Tell != nil && played {
			t.Tell(o.String())
		}
	})
	t.Must(nil) // interrupted
	t.Must(failed)
	slices.SortFunc(all, func(a, b *storm.Outcome) int { return a.Seed - b.Seed })
	stormRows(t, seeds, all)
}

// playSeed plays a seed, in a process of its own if there is a program for it.
func playSeed(t *verify.Trial, seed int, limit time.Duration) (*storm.Outcome, error) {
	if t.Program != "" {
		return storm.PlayApart(t.Context(), t.Program, seed, limit)
	}
	return storm.Play(t.Context(), seed, limit)
}

// stormRows compares what came of the seeds with nothing unreported, and says how they went.
func stormRows(t *verify.Trial, seeds [2]int, all []*storm.Outcome) {
	tallies := storm.Tallies(all)
	sum := tallies[len(tallies)-1]
	for _, r := range []struct {
		what  string
		count int
	}{
		{fmt.Sprintf(
			"seeds %d to %d: crossings that the referee saw and the run does not report", seeds[0], seeds[1],
		), sum.Unreported},
		{"flush bodies that do not move as theory says", sum.Frozen},
		{"panics", sum.Panics},
		{"frames with something that is not a number", sum.NaN},
		{"frames of run folders that are not what was judged", sum.Differ},
	} {
		t.Row(verify.Row{Quantity: r.what, Measured: float64(r.count), Bar: verify.AtMost, Limit: 0})
	}
	for _, o := range all {
		if !o.Pass() {
			t.Note("%s", o)
		}
	}
	for _, line := range storm.Table(tallies) {
		t.Note("%s", line)
	}
}
