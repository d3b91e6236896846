package stress

import (
	"flag"
	"os"
	"testing"
)

// The long version:
//
//	go test ./internal/verify/stress -run TestStressScenes/ring -timeout 0 -v -args -stress.fine 14 -stress.starts 10
var (
	stressFine = flag.Int(
		"stress.fine",
		1,
		"cells along each side, in those of the coarse stress scenes; 12 to 14 make 20,000 vertices",
	)
	stressStarts = flag.Int("stress.starts", 1, "starts of each stress scene, each with other jitter")
	stressSteps  = flag.Int("stress.steps", 1000, "steps of each stress scene, at most")
)

// TestStressScenes asks for no crossing after any step. O1 counts rounds.
func TestStressScenes(t *testing.T) {
	for _, s := range Scenes() {
		t.Run(s.Name, func(t *testing.T) {
			if s.Slow && os.Getenv("TOILE_FULL") == "" && *stressFine == 1 && *stressStarts == 1 ||
				testing.Short() && s.Steps > 60 {
				t.Skip("takes long")
			}
			s.Steps = min(s.Steps, *stressSteps)
			for seed := range uint64(*stressStarts) {
				tally, err := s.Run(Options{Fine: *stressFine, Jitter: 1e-6, Seed: seed + 1})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf(
					"%d vertices, %d steps, up to %d contacts; rounds %v; halved %d, fail-safe %d, as one %d, left "+
						"%d; unconverged %d; guard %.1f %%, refinement %.1f %%, refused %.1f %% of %.2f s",
					tally.Vertices,
					tally.Steps,
					tally.MostContacts,
					tally.Rounds,
					tally.Halved,
					tally.Failsafe,
					tally.Rigid,
					tally.Left,
					tally.Unconverged,
					100*tally.Guard.Seconds()/tally.Total.Seconds(),
					100*tally.Refine.Seconds()/tally.Total.Seconds(),
					100*tally.Refused.Seconds()/tally.Total.Seconds(),
					tally.Total.Seconds(),
				)
				if tally.MostCrossings > 0 && !s.Forced {
					t.Errorf("up to %d crossings at the end of a step", tally.MostCrossings)
				}
			}
		})
	}
}
