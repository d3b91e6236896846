// Package selfcheck has the command toile self-check, which says whether a build gives the bits on record.
package selfcheck

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/portable"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// near is how far mean places may be off the known ones if only rounding differs [m]. Builds that fuse a*b+c were off
// by less than 1e-12 m in these scenes, which are short and without ties; a fault of arithmetic is not so small.
const near = 1e-6

// Command returns toile self-check.
func Command(t *cli.Term) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "self-check",
		Short: "Ask whether this build gives the bits on record",
		Long: `Play three small scenes, in a second or two, and compare where they end with the hashes
on record: cloth, a rigid and a soft body with friction; cloth on a mannequin; yarns.
Hashes are the same for all processors and systems.

A build with other bits is told apart from one that is wrong: the same physics, rounded
otherwise, ends within a micrometre of the same places.

Exit codes: 0 the same bits, 1 other bits or wrong, 2 bad usage.`,
		Example: `  toile self-check
  toile self-check --json`,
		Args: cli.NeedArgs(),
		RunE: func(*cobra.Command, []string) error {
			all, err := readKnown(knownFile)
			if err != nil {
				return err
			}
			return check(t, all)
		},
	}
	cli.AddJSON(cmd, t)
	return cmd
}

// sceneEvent is the answer about one scene for programs.
type sceneEvent struct {
	Event    string  `json:"event"`
	Scene    string  `json:"scene"`
	Same     bool    `json:"same"`
	Expected string  `json:"expected"` // hash
	Got      string  `json:"got"`
	Off      float64 `json:"off"` // of the mean place from the known one [m]; -1: it is no number
	Seconds  float64 `json:"seconds"`
}

// checkEvent is the answer about the build for programs.
type checkEvent struct {
	Event string          `json:"event"`
	Same  bool            `json:"same"`
	Near  bool            `json:"near"`  // all places are the known ones but for rounding
	Fuses bool            `json:"fuses"` // the program was compiled to round a*b+c once
	Build runfolder.Build `json:"build"`
}

// check plays the scenes and says how they compare.
func check(t *cli.Term, all []known) error {
	build := runfolder.ThisBuild()
	answer := checkEvent{Event: "self-check", Same: true, Near: true, Fuses: portable.Fuses(), Build: build}
	for _, want := range all {
		// play
		begin := time.Now()
		got, err := play(want.Scene)
		if err != nil {
			return fmt.Errorf("%s: %w", want.Scene, err)
		}
		took := time.Since(begin)
		// compare, and tell of this scene
		off := got.Place.Sub(want.Place).Norm()
		if !(off >= 0) {
			off = -1
		}
		same, close := got.Hash == want.Hash, off >= 0 && off <= near
		answer.Same, answer.Near = answer.Same && same, answer.Near && close
		t.Emit(sceneEvent{"scene", want.Scene, same, want.Hash, got.Hash, off, took.Seconds()})
		if same {
			t.Say("%-8s %s  the same bits, %s", want.Scene, got.Hash, words.Duration(took))
			continue
		}
		t.Say("%-8s %s  other bits, expected %s; places are off by %s", want.Scene, got.Hash, want.Hash, offText(off))
	}
	// the verdict
	t.Emit(answer)
	if answer.Same {
		t.Say("%s: this build gives the bits on record, %s", t.Paint(cli.Green, "right"), buildText(build))
		return nil
	}
	explain(t, answer)
	return cli.ErrSaid
}

// What other bits mean and what to do.
const (
	wrongText = `Build it again from a clean copy, with the compiler that go.mod names. If it is still
wrong, report it with what toile self-check --json prints.`
	otherText = `Results are as valid as those of other builds, but their hashes differ: a run cannot be
compared with one of another build bit by bit.`
	fusedText = `The compiler fused a*b+c, as it does for %s. For the bits on record take a released
program, or build with
  go build -gcflags=all=-d=fmahash=qn ./cmd/toile`
	changedText = "The compiler did not fuse a*b+c: source or compiler are others than those of the record."
)

// explain says what other bits mean and what to do.
func explain(t *cli.Term, a checkEvent) {
	build := buildText(a.Build)
	if !a.Near {
		t.Say("%s: places are off by more than rounding; do not trust this build, %s", t.Paint(cli.Red, "wrong"), build)
		t.Say("%s", wrongText)
		return
	}
	t.Say("%s: the same physics, rounded otherwise, %s", t.Paint(cli.Yellow, "other bits"), build)
	t.Say("%s", otherText)
	if a.Fuses {
		t.Say(fusedText, strings.TrimSpace(a.Build.Arch+" "+a.Build.Level))
		return
	}
	t.Say("%s", changedText)
}

// buildText says what results of a build depend on.
func buildText(b runfolder.Build) string {
	fused := "a*b+c rounded twice"
	if portable.Fuses() {
		fused = "a*b+c fused"
	}
	level := ""
	if b.Level != "" {
		level = " " + b.Level
	}
	return fmt.Sprintf("toile %s, %s, %s%s, %s", b.Version, b.Go, b.Arch, level, fused)
}

func offText(off float64) string {
	if off < 0 {
		return "no number"
	}
	return words.Length(off)
}
