// Package verify has the command toile verify, which runs verifications and keeps what they found.
package verify

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/all"
	"github.com/toile-sim/toile/internal/words"
)

// verifyFlags are the flags of toile verify.
type verifyFlags struct {
	dir     string
	full    bool
	list    bool
	resume  bool
	workers int
	seeds   string
	write   string
	outcome time.Duration

	storm [2]int // seeds
}

// Command returns toile verify.
func Command(t *cli.Term) *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [ID...]",
		Short: "Run the verifications and compare with what theory says",
		Long: `Run scenes whose answer is known in closed form or follows from a conservation law,
and compare. Without an ID all are run.

With -o DIR, DIR/README.md gets a line for each, a page for each family all rows, with
plots beside it, after every finished verification, and DIR/verification.html all of it in
one file. With --resume, those that DIR holds from the same program are not run again, so
that a run that was cut goes on, and what pages have of others stays.

The verification storm plays random scenes, one for each seed. --seeds chooses them, and
--write writes their scene files to a folder each instead of playing them, for toile run.

Exit codes: 0 all pass, 1 one does not, 2 bad usage or input, 130 interrupted.`,
		Example: `  toile verify --list
  toile verify C1 C9
  toile verify --full -o report --resume
  toile verify storm --seeds 1001-1300 -o report`,
		RunE: func(cmd *cobra.Command, args []string) error { return runVerify(cmd.Context(), t, args, &f) },

		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var ids []cobra.Completion
			for _, c := range all.All() {
				ids = append(ids, cobra.CompletionWithDesc(c.ID, c.Title))
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringVarP(&f.dir, "output", "o", "", "`folder` for the table and the plots")
	cmd.Flags().BoolVar(&f.full, "full", false, "all resolutions and steps: minutes to hours, not seconds")
	cmd.Flags().BoolVarP(&f.list, "list", "l", false, "list the verifications and run none")
	cmd.Flags().BoolVarP(&f.resume, "resume", "r", false, "keep what --output holds already")
	cmd.Flags().StringVar(&f.seeds, "seeds", "", "`seeds` of storm, such as 7 or 1001-1300")
	cmd.Flags().StringVar(&f.write, "write", "", "`folder` for the scenes of --seeds, which are not played then")
	cmd.Flags().DurationVar(
		&f.outcome, "outcome", 0, "play the seed of --seeds for at most so `long`, and print what came of it",
	)
	_ = cmd.Flags().MarkHidden("outcome") // it is there
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// rowEvent is one quantity compared.
type rowEvent struct {
	Event    string   `json:"event"`
	ID       string   `json:"id"`
	Quantity string   `json:"quantity"`
	Unit     string   `json:"unit"`
	Expected cli.Real `json:"expected"`
	Measured cli.Real `json:"measured"`
	Allowed  string   `json:"allowed"`
	Asked    string   `json:"asked,omitempty"` // the bar that was asked for, where allowed is lower
	Why      string   `json:"why,omitempty"`   // it is
	Pass     bool     `json:"pass"`
}

// caseEvent is a verification that is finished.
type caseEvent struct {
	Event   string   `json:"event"`
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Pass    bool     `json:"pass"`
	Seconds cli.Real `json:"seconds"`
	Notes   []string `json:"notes,omitempty"`
	Error   string   `json:"error,omitempty"`
	Kept    bool     `json:"kept"` // from an earlier run
}

func runVerify(ctx context.Context, t *cli.Term, ids []string, f *verifyFlags) error {
	// what the user named wrongly
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	if f.resume && f.dir == "" {
		return cli.BadUsage("--resume needs -o DIR, where the finished ones are")
	}
	// verifications and seeds that were asked for
	cases, err := all.Find(ids...)
	if err != nil {
		return cli.BadInput(err)
	}
	if f.storm, err = parseSeeds(f, cases); err != nil {
		return err
	}
	// storms and lists, which verify nothing
	if f.write != "" {
		return writeStorm(t, f)
	}
	if f.outcome > 0 {
		return playStorm(ctx, t, f)
	}
	if f.list {
		listCases(t, cases)
		return nil
	}
	// results in a folder, some perhaps from before
	var report *verifyReport
	if f.dir != "" {
		if report, err = openReport(f.dir, f.full, f.resume); err != nil {
			return err
		}
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() { t.Note("stopping") })
	defer stop()
	// each verification, unless its result is kept
	failed := 0
	for _, c := range cases {
		result, kept := report.kept(c.ID)
		kept = kept && (c.ID != verify.StormID || result.Seeds == f.storm)
		if !kept {
			began, worked := time.Now(), bench.CPUTime()
			busy := cli.NewSpinner(t, c.ID+" "+c.Title)
			opt := verify.Options{
				Full: f.full, Workers: f.workers, Each: tellRow(t, f, c.ID), Tell: tellFar(t, f, c.ID),
			}
			// a storm goes on where it stopped, with seeds of its own
			if c.ID == verify.StormID {
				opt.Seeds, opt.Resume = f.storm, f.resume
				if opt.Program, err = os.Executable(); err != nil {
					return err
				}
				if f.dir != "" {
					opt.Journal = filepath.Join(f.dir, stormJournal)
				}
			}
			result = c.Run(ctx, opt)
			busy.Close()
			result.CPU, result.Commit = (bench.CPUTime() - worked).Seconds(), commitOf(runfolder.ThisBuild())
			if ctx.Err() != nil {
				return verifyInterrupted(c.ID, f, time.Since(began))
			}
			if err := report.add(&result); err != nil {
				return err
			}
		}
		// for people
		showResult(t, &result, kept)
		if !result.Pass() {
			failed++
		}
	}
	return finishVerify(t, f, len(cases), failed)
}

// tellRow returns what tells of rows as they come in a full run; quick ones need no telling.
func tellRow(t *cli.Term, f *verifyFlags, id string) func(verify.Row) {
	if !f.full || t.JSON {
		return nil
	}
	return func(r verify.Row) {
		t.Complain("%s: %s: %.6g %s, %s (%s)\n", id, r.Quantity, r.Measured, r.Unit, r.Allowed(), verdict(r.Pass()))
	}
}

// tellFar returns what tells how far a full run is, or one of given seeds.
func tellFar(t *cli.Term, f *verifyFlags, id string) func(string) {
	if !f.full && f.seeds == "" || t.JSON {
		return nil
	}
	return func(far string) { t.Complain("%s: %s\n", id, far) }
}

func listCases(t *cli.Term, cases []verify.Case) {
	var list cli.Table
	for _, c := range cases {
		t.Emit(struct {
			Event  string `json:"event"`
			ID     string `json:"id"`
			Title  string `json:"title"`
			Source string `json:"source"`
		}{"verification", c.ID, c.Title, c.Source})
		list.Add(c.ID, c.Title)
	}
	for _, line := range list.Lines() {
		t.Say("%s", line)
	}
}

func verifyInterrupted(id string, f *verifyFlags, after time.Duration) error {
	if f.dir == "" {
		return cli.Interrupted(
			fmt.Errorf(
				"stopped in %s after %s; with -o DIR finished verifications are kept", id, words.Duration(after),
			),
		)
	}
	command := cli.SameCommand()
	if !f.resume {
		command += " --resume"
	}
	return cli.Interrupted(
		fmt.Errorf("stopped in %s after %s. To go on with it:\n%s", id, words.Duration(after), command),
	)
}

// showResult prints the rows of one verification.
func showResult(t *cli.Term, r *verify.Result, kept bool) {
	// rows for programs
	for _, row := range r.Rows {
		t.Emit(
			rowEvent{
				"row",
				r.ID,
				row.Quantity,
				row.Unit,
				cli.Real(row.Expected),
				cli.Real(row.Measured),
				row.Allowed(),
				row.Asked,
				row.Why,
				row.Pass(),
			},
		)
	}
	t.Emit(caseEvent{"verification", r.ID, r.Title, r.Pass(), cli.Real(r.Seconds), r.Notes, r.Err, kept})
	// the table, with rows that fail in red
	from := ""
	if kept {
		from = ", kept from before"
	}
	t.Say("%s (%s%s)", t.Paint(cli.Bold, r.ID+" "+r.Title), words.Seconds(r.Seconds), from)
	rows := resultTable(r)
	for i, line := range rows.Lines() {
		switch {
		case i == 0:
			line = t.Paint(cli.Dim, line)
		case !r.Rows[i-1].Pass():
			line = t.Paint(cli.Red, line)
		}
		t.Say("  %s", line)
	}
	// bars that were asked to be stricter, and notes
	for _, row := range r.Rows {
		if row.Asked != "" {
			t.Say("  %s", askedText(row))
		}
	}
	for _, note := range r.Notes {
		t.Say("  %s", note)
	}
	if r.Err != "" {
		t.Say("  %s %s", t.Paint(cli.Red, "not finished:"), r.Err)
	}
}

// resultTable lays out the rows of a verification.
func resultTable(r *verify.Result) *cli.Table {
	rows := &cli.Table{Right: []bool{false, true, true, false, false}}
	rows.Add("quantity", "expected", "measured", "allowed", "")
	for _, row := range r.Rows {
		quantity := row.Quantity
		if row.Unit != "" {
			quantity += " [" + row.Unit + "]"
		}
		rows.Add(quantity, expectedText(row), fmt.Sprintf("%.6g", row.Measured), row.Allowed(), verdict(row.Pass()))
	}
	return rows
}

// askedText says what was asked for, and why the bar is lower.
func askedText(r verify.Row) string {
	return fmt.Sprintf("%s: asked %s, bar %s. %s", r.Quantity, r.Asked, r.Allowed(), r.Why)
}

// commitOf names the commit of a build, marked if it was changed.
func commitOf(b runfolder.Build) string {
	if b.Revision == "" {
		return ""
	}
	name := b.Revision[:min(7, len(b.Revision))]
	if b.Modified {
		name += "+"
	}
	return name
}

// expectedText returns the expected value; one-sided bars say it all themselves.
func expectedText(r verify.Row) string {
	if r.Bar == verify.AtMost || r.Bar == verify.AtLeast {
		return "-"
	}
	return fmt.Sprintf("%.6g", r.Expected)
}

func verdict(pass bool) string {
	if pass {
		return "pass"
	}
	return "FAIL"
}

func finishVerify(t *cli.Term, f *verifyFlags, all, failed int) error {
	file := ""
	if f.dir != "" {
		file = filepath.Join(f.dir, reportPageName)
	}
	t.Emit(struct {
		Event  string `json:"event"`
		Cases  int    `json:"cases"`
		Failed int    `json:"failed"`
		Report string `json:"report,omitempty"`
	}{"done", all, failed, file})
	if failed == 0 {
		t.Say("%s", t.Paint(cli.Green, fmt.Sprintf("%s, all pass.", words.Count(all, "verification"))))
	} else {
		t.Say("%s", t.Paint(cli.Red, fmt.Sprintf("%d of %s did not pass.", failed, words.Count(all, "verification"))))
	}
	if file != "" {
		t.Say("Table and plots are in %s.", file)
	}
	if failed > 0 {
		return cli.ErrSaid
	}
	return nil
}
