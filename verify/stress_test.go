package verify

import (
	"os"
	"testing"
)

// TestStressScenes asks for no crossing after any step. O1 counts rounds.
func TestStressScenes(t *testing.T) {
	for _, s := range StressScenes() {
		t.Run(s.Name, func(t *testing.T) {
			if s.Slow && os.Getenv("TOILE_FULL") == "" || testing.Short() && s.Steps > 60 {
				t.Skip("takes long")
			}
			tally, err := s.Run(StressOptions{Fine: 1, Jitter: 1e-6, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d vertices, %d steps, up to %d contacts; rounds %v; halved %d, fail-safe %d, as one %d, left %d; unconverged %d; guard %.1f %%, refused %.1f %% of %.2f s",
				tally.Vertices, tally.Steps, tally.MostContacts, tally.Rounds, tally.Halved, tally.Failsafe, tally.Rigid, tally.Left, tally.Unconverged,
				100*tally.Guard.Seconds()/tally.Total.Seconds(), 100*tally.Refused.Seconds()/tally.Total.Seconds(), tally.Total.Seconds())
			if tally.MostCrossings > 0 && !s.Forced {
				t.Errorf("up to %d crossings at the end of a step", tally.MostCrossings)
			}
		})
	}
}
