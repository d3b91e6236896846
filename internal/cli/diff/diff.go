// Package diff has the command toile diff, which compares two runs.
package diff

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/player"
)

// Command returns toile diff.
func Command(t *cli.Term) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Name the first frame and quantity in which two runs differ",
		Long: `Name the first frame and quantity in which the runs in folders A and B differ.
Frames carry a hash of the full float64 state, so that runs which are called the
same are the same bit for bit. Clocks are not compared.

Exit codes: 0 the same, 1 different, 2 bad usage or input.`,
		Example: `  toile run scene.yaml -o a --workers 1
  toile run scene.yaml -o b --workers 8
  toile diff a b`,
		Args: cli.NeedArgs("run folder A", "run folder B"),
		RunE: func(_ *cobra.Command, args []string) error { return diff(t, args[0], args[1]) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterDirs),
	}
	cli.AddJSON(cmd, t)
	return cmd
}

// diffEvent is the answer for programs.
type diffEvent struct {
	Event    string   `json:"event"`
	Same     bool     `json:"same"`
	Frames   int      `json:"frames"` // that are the same
	Frame    *int     `json:"frame,omitempty"`
	Quantity string   `json:"quantity,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Body     string   `json:"body,omitempty"`
	Vertex   *int     `json:"vertex,omitempty"`
	A        string   `json:"a,omitempty"`
	B        string   `json:"b,omitempty"`
	Column   string   `json:"column,omitempty"` // of the statistics
	Step     int      `json:"step,omitempty"`
	Runs     []string `json:"runs,omitempty"` // where what was run differs
}

func diff(t *cli.Term, dirA, dirB string) error {
	for _, dir := range []string{dirA, dirB} {
		if _, err := cli.OpenRun(dir); err != nil {
			return err
		}
	}
	d, err := player.Diff(dirA, dirB)
	if err != nil {
		return cli.BadInput(err)
	}
	event := diffEvent{
		Event: "diff", Same: d.Same, Frames: d.Frames, Quantity: d.Quantity, Kind: string(d.Kind), Body: d.Body,
		A: d.A, B: d.B, Column: d.Column, Step: d.Step, Runs: d.Scenes,
	}
	if d.Quantity != "" {
		event.Frame = &d.Frame
	}
	if d.Vertex >= 0 {
		event.Vertex = &d.Vertex
	}
	t.Emit(event)
	t.Say("%s", strings.TrimRight(d.String(), "\n"))
	if d.Same {
		return nil
	}
	return cli.ErrSaid
}
