package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/storm"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/words"
)

// stormJournal is the file in the folder of a report in which finished seeds of storm are kept.
const stormJournal = "storm.jsonl"

// parseSeeds reads --seeds, which is for storm alone; 0 and 0 without it.
func parseSeeds(f *verifyFlags, cases []verify.Case) (seeds [2]int, err error) {
	if f.seeds == "" {
		if f.write != "" || f.outcome > 0 {
			return seeds, cli.BadUsage("--write needs --seeds, such as --seeds 7")
		}
		return seeds, nil
	}
	if !slices.ContainsFunc(cases, func(c verify.Case) bool { return c.ID == verify.StormID }) {
		return seeds, cli.BadUsage("--seeds is for the verification %s; name it", verify.StormID)
	}
	first, last, isRange := strings.Cut(f.seeds, "-")
	if !isRange {
		last = first
	}
	a, errA := strconv.Atoi(first)
	b, errB := strconv.Atoi(last)
	if errA != nil || errB != nil || a < 1 || b < a {
		return seeds, cli.BadUsage(
			"--seeds %s: write a seed from 1 on, or the first and the last, such as 1001-1300", f.seeds,
		)
	}
	return [2]int{a, b}, nil
}

// playStorm plays one seed and prints its outcome, for the process that plays many.
func playStorm(ctx context.Context, t *cli.Term, f *verifyFlags) error {
	o, err := storm.Play(ctx, f.storm[0], f.outcome)
	if err != nil {
		return err
	}
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	t.Say("%s", line)
	return nil
}

// writeStorm writes the scenes of seeds to a folder each.
func writeStorm(t *cli.Term, f *verifyFlags) error {
	for seed := f.storm[0]; seed <= f.storm[1]; seed++ {
		s := storm.Make(seed)
		path, err := s.Write(filepath.Join(f.write, fmt.Sprintf("storm-%d", seed)))
		if err != nil {
			return cli.BadInput(err)
		}
		t.Emit(struct {
			Event  string `json:"event"`
			Seed   int    `json:"seed"`
			Family string `json:"family"`
			Scene  string `json:"scene"`
		}{"scene", seed, s.Family, path})
		t.Say("%s: %s", path, s.Family)
	}
	t.Say("%s written; toile run plays one.", words.Count(f.storm[1]-f.storm[0]+1, "scene"))
	return nil
}
