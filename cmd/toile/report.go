package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/report"
)

func newReportCommand(t *term) *cobra.Command {
	var workers int
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Make the report.html of a run again",
		Long: `Make report.html in a run folder: pictures, residuals, contacts, crossings, energy, where
the time went and the ten worst steps, in one file that opens in any browser and loads
nothing from elsewhere. toile run makes it at the end; this makes it again, also while a
run is still going on.`,
		Example: `  toile report scene.run`,
		Args:    needArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkWorkers(workers); err != nil {
				return err
			}
			folder, err := openRun(args[0])
			if err != nil {
				return err
			}
			busy := newSpinner(t, "drawing the report")
			path, err := report.Write(folder, report.Options{Workers: workers})
			busy.close()
			if err != nil {
				return fmt.Errorf("the report could not be written: %w", err)
			}
			t.wrote(path)
			t.say("Wrote %s.", path)
			return nil
		},
	}
	addWorkers(cmd, &workers)
	addJSON(cmd, t)
	return cmd
}
