// Package report has the command toile report, which makes the report of a run again.
package report

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/report"
)

// Command returns toile report.
func Command(t *cli.Term) *cobra.Command {
	var workers int
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Make the report.html of a run again",
		Long: `Make report.html in a run folder: pictures, residuals, contacts, crossings, energy, where
the time went and the ten worst steps, in one file that opens in any browser and loads
nothing from elsewhere. toile run makes it at the end; this makes it again, also while a
run is still going on.`,
		Example: `  toile report scene.run`,
		Args:    cli.NeedArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			// workers and the run
			if err := cli.CheckWorkers(workers); err != nil {
				return err
			}
			folder, err := cli.OpenRun(args[0])
			if err != nil {
				return err
			}
			// make it
			busy := cli.NewSpinner(t, "drawing the report")
			path, err := report.Write(folder, report.Options{Workers: workers})
			busy.Close()
			if err != nil {
				return fmt.Errorf("the report could not be written: %w", err)
			}
			t.Wrote(path)
			t.Say("Wrote %s.", path)
			return nil
		},
	}
	cli.AddWorkers(cmd, &workers)
	cli.AddJSON(cmd, t)
	return cmd
}
