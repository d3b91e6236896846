package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/dumps"
	"github.com/toile-sim/toile/internal/words"
)

// problemsFlags are the flags of toile bench problems.
type problemsFlags struct {
	quick   bool
	make    bool
	cases   []string
	solvers []string
	workers int
	limit   time.Duration
	siconos string

	one, answer string // of a process that solves one problem: its name and where the answer goes
}

func (f *problemsFlags) choice() dumps.Choice { return dumps.Choice{Quick: f.quick, Words: f.cases} }

func newProblemsCommand(t *cli.Term) *cobra.Command {
	var f problemsFlags
	cmd := &cobra.Command{
		Use:   "problems FOLDER",
		Short: "Compare contact solvers on a set of problems from worlds of all sorts",
		Long: `Make contact problems from worlds of rigid, soft and woven things, once, and have every
solver try each of them: towers, piles, letters, mixed stacks, drapes and folds, from 60
to 20,000 contacts, while things land and when they lie. Problems are kept in FOLDER, and
so is what solvers make of them; the same command goes on after an interrupt, and results
that are deleted are measured again.

A solver has solved a problem if the residual of docs/symbols.md, which is the same for
all, is at most 1e-8 m/s. With --siconos, the solvers of Siconos take part, by way of
tools/with_siconos.py. results.md and results.json in FOLDER have the tables.`,
		Example: `  toile bench problems out/problems --quick
  toile bench problems out/problems --make
  toile bench problems out/problems --cases pile,tower --solvers nodal,interior
  toile bench problems out/problems --siconos "/usr/bin/python3 tools/with_siconos.py"`,
		Args: cli.NeedArgs("FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error { return benchProblems(cmd.Context(), t, args[0], &f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.quick, "quick", false, "only a few small problems")
	flags.BoolVar(&f.make, "make", false, "make the problems and solve nothing")
	flags.StringSliceVar(&f.cases, "cases", nil, "only problems whose `names` begin with one of these")
	flags.StringSliceVar(&f.solvers, "solvers", nil, "only these `solvers`")
	flags.DurationVar(&f.limit, "limit", time.Minute, "the longest `time` for a solver and a problem")
	flags.StringVar(&f.siconos, "siconos", "", "the `command` that runs tools/with_siconos.py")
	flags.StringVar(&f.one, "one", "", "")
	flags.StringVar(&f.answer, "answer", "", "")
	for _, name := range []string{"one", "answer"} {
		if err := flags.MarkHidden(name); err != nil {
			panic(err) // there is no such flag
		}
	}
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

func benchProblems(ctx context.Context, t *cli.Term, dir string, f *problemsFlags) error {
	// workers and the set of problems
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	set, err := dumps.Open(dir)
	if err != nil {
		return cli.BadInput(err)
	}
	// one problem alone
	if f.one != "" {
		return solveOne(t, set, f)
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	// problems that were asked for, made where they are missing
	if len(dumps.Names(f.choice())) == 0 {
		return cli.BadUsage("--cases: no problem begins with %s", strings.Join(f.cases, " or "))
	}
	if err := makeProblems(ctx, t, set, f); err != nil || f.make {
		return err
	}
	// solvers that take part: those of this program, and Siconos if asked
	program, err := os.Executable()
	if err != nil {
		return err
	}
	contest := &dumps.Contest{Set: set, Program: program, Workers: f.workers, Limit: f.limit}
	if f.siconos != "" {
		contest.Siconos = strings.Fields(f.siconos)
	}
	methods := contest.Methods()
	// solvers that the user named
	for _, name := range f.solvers {
		if !slices.Contains(methods, name) {
			return cli.BadUsage("--solvers: there is no %q; there are %s", name, strings.Join(methods, ", "))
		}
	}
	if len(f.solvers) > 0 {
		methods = slices.DeleteFunc(methods, func(m string) bool { return !slices.Contains(f.solvers, m) })
	}
	// all problems with all solvers
	results, err := tryAll(ctx, t, contest, f, methods)
	if err != nil {
		return err
	}
	return reportProblems(t, set, methods, results)
}

// solveOne solves one problem in this process, for the one that started it.
func solveOne(t *cli.Term, set *dumps.Set, f *problemsFlags) error {
	p, err := set.Read(f.one)
	if err != nil {
		return cli.BadInput(err)
	}
	trial, answer, err := dumps.Try(p, strings.Join(f.solvers, ","), f.workers)
	if err != nil {
		return cli.BadInput(err)
	}
	if err := dumps.WriteAnswer(f.answer, answer); err != nil {
		return err
	}
	t.Emit(trial)
	return nil
}

func makeProblems(ctx context.Context, t *cli.Term, set *dumps.Set, f *problemsFlags) error {
	begun := time.Now()
	said := begun
	err := set.Make(ctx, f.choice(), f.workers, func(name string, left int) {
		if !t.JSON && time.Since(said) >= cli.LineEvery {
			said = time.Now()
			t.Complain("making %s, %s to go\n", name, words.Count(left, "step"))
		}
	})
	if ctx.Err() != nil {
		return cli.Interrupted(errors.New("stopped while making problems; the same command goes on"))
	}
	if err == nil {
		t.Say(
			"%s in %s, made in %s", words.Count(len(set.Select(f.choice())), "problem"), set.Dir,
			words.Duration(time.Since(begun)),
		)
	}
	return err
}

// tryAll has all methods solve all problems.
func tryAll(
	ctx context.Context, t *cli.Term, contest *dumps.Contest, f *problemsFlags, methods []string,
) ([]*dumps.Result, error) {
	var results []*dumps.Result
	problems := contest.Set.Select(f.choice())
	shown := cli.NewCounter(t, "trial", len(problems)*len(methods))
	defer shown.Close()
	for _, p := range problems {
		for _, method := range methods {
			shown.Next()
			r, err := contest.Result(ctx, p.Name, method)
			if ctx.Err() != nil {
				return nil, cli.Interrupted(errors.New("stopped; what is done is kept, and the same command goes on"))
			}
			if err != nil {
				return nil, err
			}
			t.Emit(r)
			results = append(results, r)
		}
	}
	return results, nil
}

// reportProblems prints how methods did and writes the tables.
func reportProblems(t *cli.Term, set *dumps.Set, methods []string, results []*dumps.Result) error {
	summary := dumps.Summarize(methods, results)
	for _, line := range summary.Lines() {
		t.Say("%s", line)
	}
	md, js := filepath.Join(set.Dir, "results.md"), filepath.Join(set.Dir, "results.json")
	err := disk.WriteFile(md, func(w io.Writer) error {
		_, err := fmt.Fprint(w, summary.Markdown(set, results))
		return err
	})
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		return err
	}
	if err := disk.WriteFile(js, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	}); err != nil {
		return err
	}
	t.Wrote(md)
	t.Wrote(js)
	return nil
}
