// Package solve has the command toile solve, which solves contact problems that were written to files.
package solve

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/dumps"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/words"
)

// solveFlags are the flags of toile solve.
type solveFlags struct {
	workers   int
	tolerance float64
	siconos   string
	answer    string
	proof     string
}

// Command returns toile solve.
func Command(t *cli.Term) *cobra.Command {
	var f solveFlags
	cmd := &cobra.Command{
		Use:   "solve FILE",
		Short: "Solve a contact problem that was written by a run, alone",
		Long: `Solve a contact problem alone: find velocities v and impulses r with A v + b = Jᵀ r
that follow Coulomb's law at every contact. toile run --dump-step writes such files;
docs/problem-file.md describes them, so that other solvers can be tried on them.

With --to-siconos, write it as text for tools/with_siconos.py, which has Siconos solve
it, and solve nothing. With --answer, solve nothing either, and tell the residual of the
answer of another solver: velocities by block and impulses by contact, in eight bytes
each. With --proof, write the multipliers by contact that prove which contacts contradict
each other, in eight bytes each.

Exit codes: 0 solved to the tolerance, 1 not, 2 bad usage or input.`,
		Example: `  toile run scene.yaml --dump-step 120,121
  toile solve scene.run/problems/000000120.problem
  toile solve 000000120.problem --tolerance 1e-10 --workers 1
  toile solve 000000120.problem --to-siconos 120.txt
  toile solve 000000120.problem --answer 120.answer`,
		Args: cli.NeedArgs("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return solveFile(t, args[0], &f) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterFileExt, "problem"),
	}
	// how exactly it is solved, and what else is read or written
	cmd.Flags().Float64Var(&f.tolerance, "tolerance", 0, "largest `residual` [m/s] (default: that of the file)")
	cmd.Flags().StringVar(&f.siconos, "to-siconos", "", "write the problem to a `file` for tools/with_siconos.py")
	cmd.Flags().StringVar(&f.answer, "answer", "", "a `file` with the answer of another solver")
	cmd.Flags().StringVar(&f.proof, "proof", "", "write the proof of what contradicts others to a `file`")
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// solveEvent is a solution for programs. Residuals are in m/s.
type solveEvent struct {
	Event           string   `json:"event"`
	File            string   `json:"file"`
	Blocks          int      `json:"blocks"`
	Fixed           int      `json:"fixed"`
	Partly          int      `json:"partly"`
	Entries         int      `json:"entries"`
	Contacts        int      `json:"contacts"`
	Pairs           int      `json:"pairs"`
	Sticking        int      `json:"sticking"`
	Sliding         int      `json:"sliding"`
	Free            int      `json:"free"`
	Idle            int      `json:"idle"`
	Infeasible      int      `json:"infeasible"`
	Jammed          int      `json:"jammed"` // bounded, and not proven to contradict others
	Sweeps          int      `json:"sweeps"`
	Newton          int      `json:"newton"`
	Linear          int      `json:"linear"`
	Tolerance       cli.Real `json:"tolerance"`
	Floor           cli.Real `json:"floor"`     // what rounding leaves of the residual
	OldScale        bool     `json:"old_scale"` // the file has no masses; momentum is over the diagonal of A
	Residual        cli.Real `json:"residual"`
	Dynamics        cli.Real `json:"dynamics"`
	Law             cli.Real `json:"law"`
	Cone            cli.Real `json:"cone"`
	Complementarity cli.Real `json:"complementarity"`
	Misalignment    cli.Real `json:"misalignment"`
	Converged       bool     `json:"converged"`
	Elapsed         float64  `json:"elapsed"` // [s]
	Workers         int      `json:"workers"`
}

func solveFile(t *cli.Term, path string, f *solveFlags) error {
	// what the user wrote wrongly
	if err := cli.CheckWorkers(f.workers); err != nil {
		return err
	}
	if f.tolerance < 0 {
		return cli.BadUsage("--tolerance %g: write a positive speed in m/s, such as 1e-8", f.tolerance)
	}
	// the problem, with its tolerance or the user's
	p, err := readProblem(path)
	if err != nil {
		return err
	}
	if f.tolerance > 0 {
		p.Tolerance = f.tolerance
	}
	// written or judged instead of solved
	switch {
	case f.siconos != "":
		if err := disk.WriteFile(f.siconos, func(w io.Writer) error { return dumps.WriteSiconos(w, p) }); err != nil {
			return cli.BadInput(err)
		}
		t.Wrote(f.siconos)
		return nil
	case f.answer != "":
		return judgeAnswer(t, p, f.answer)
	}
	// solution, and proof of what contradicts others
	out, r, took, err := solveProblem(t, p, f.workers)
	if err != nil {
		return err
	}
	if f.proof != "" {
		if err := dumps.WriteAnswer(f.proof, &dumps.Answer{R: out.Proof}); err != nil {
			return cli.BadInput(err)
		}
	}
	// what came of it
	t.Emit(eventOf(p, &r, path, took, f.workers))
	sayProblem(t, path, &r)
	t.Say(
		"Solved     in %s with %s: %s, %s, %s",
		words.Duration(took),
		words.Count(cli.WorkersUsed(f.workers), "core"),
		words.Count(r.Sweeps, "sweep"),
		words.Count(r.Newton, "Newton step"),
		words.Count(r.Linear, "linear iteration"),
	)
	// older files have no masses
	if p.OldScale {
		t.Say(
			"%s",
			t.Paint(
				cli.Yellow,
				"Scale      the file is of version 2 and has no masses: momentum is over the diagonal of A, "+
					"which hides errors of stiff bodies",
			),
		)
	}
	return sayVerdict(t, p, &r)
}

// solveProblem solves a problem and tells how long that took.
func solveProblem(
	t *cli.Term, p *solve.ContactProblem, workers int,
) (out *solve.Contacts, r solve.ProblemReport, took time.Duration, err error) {
	busy := cli.NewSpinner(t, "solving "+words.Count(p.Set.Len(), "contact"))
	team := par.New(workers)
	solver, err := solve.SolverByName("", solve.Settings{Team: team})
	if err != nil {
		return nil, r, 0, err
	}
	team.Enter()
	start := time.Now()
	out, r, err = p.SolveBy(solver)
	took = time.Since(start)
	team.Leave()
	busy.Close()
	return out, r, took, err
}

// eventOf returns a solution for programs.
func eventOf(p *solve.ContactProblem, r *solve.ProblemReport, path string, took time.Duration, workers int) solveEvent {
	return solveEvent{
		"solve", path, r.Blocks, r.Fixed, r.Partly, r.Entries, r.Contacts, r.Pairs, r.Stick, r.Slide, r.TakeOff, r.Idle,
		r.Infeasible, r.Jammed, r.Sweeps, r.Newton, r.Linear, cli.Real(p.Tolerance), cli.Real(p.Floor), p.OldScale,
		cli.Real(r.Residual.Max()), cli.Real(r.Residual.Dynamics), cli.Real(r.Residual.Law), cli.Real(r.Residual.Cone),
		cli.Real(r.Residual.Complementarity), cli.Real(r.Residual.Misalignment), r.Converged, took.Seconds(),
		cli.WorkersUsed(workers),
	}
}

// sayVerdict says whether the residual is as small as it should be, and fails if it is not.
func sayVerdict(t *cli.Term, p *solve.ContactProblem, r *solve.ProblemReport) error {
	residual := fmt.Sprintf(
		"Residual   %.2e m/s (momentum %.1e, law %.1e), tolerance %.1e m/s",
		r.Residual.Max(),
		r.Residual.Dynamics,
		r.Residual.Law,
		p.Tolerance,
	)
	switch {
	case r.Converged:
	case r.Contradicted:
		t.Say("%s", t.Paint(cli.Yellow, residual+": reached but for what contradicts others, as is proven"))
		return cli.ErrSaid
	case r.Residual.Worst() <= p.Floor:
		t.Say("%s", t.Paint(cli.Yellow, fmt.Sprintf("%s: not reached; rounding leaves %.1e m/s", residual, p.Floor)))
		return cli.ErrSaid
	default:
		t.Say("%s", t.Paint(cli.Red, residual+": not reached"))
		return cli.ErrSaid
	}
	t.Say("%s: reached", residual)
	return nil
}

// answerEvent is the verdict on an answer for programs. Residuals are in m/s.
type answerEvent struct {
	Event     string   `json:"event"`
	File      string   `json:"file"`
	Dynamics  cli.Real `json:"dynamics"`
	Law       cli.Real `json:"law"`
	Tolerance cli.Real `json:"tolerance"`
	Blocks    int      `json:"blocks"` // above the tolerance
	Contacts  int      `json:"contacts"`
}

// judgeAnswer tells the residual of the answer of another solver.
func judgeAnswer(t *cli.Term, p *solve.ContactProblem, path string) error {
	answer, err := dumps.ReadAnswer(path, p)
	if err != nil {
		return cli.BadInput(err)
	}
	v := dumps.Judge(p, answer, p.Tolerance)
	t.Emit(answerEvent{
		"answer", path, cli.Real(v.Residual.Dynamics), cli.Real(v.Residual.Law), cli.Real(p.Tolerance), v.Blocks,
		v.Contacts,
	})
	t.Say("Residual   %.2e m/s (momentum %.1e, law %.1e), tolerance %.1e m/s", v.Residual.Max(), v.Residual.Dynamics,
		v.Residual.Law, p.Tolerance)
	if v.Residual.Max() <= p.Tolerance {
		return nil
	}
	t.Say("Off        %s and %s", words.Count(v.Blocks, "block"), words.Count(v.Contacts, "contact"))
	return cli.ErrSaid
}

func readProblem(path string) (*solve.ContactProblem, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, cli.BadInput(err)
	}
	defer func() { _ = file.Close() }() // read only
	p, err := solve.ReadProblem(file)
	if err != nil {
		return nil, cli.BadInput(fmt.Errorf("%s: %w", path, err))
	}
	return p, nil
}

// sayProblem tells what is to be solved and what its contacts do.
func sayProblem(t *cli.Term, path string, r *solve.ProblemReport) {
	// blocks, and how many are held
	parts := []string{words.Count(r.Blocks, "block")}
	if r.Fixed > 0 {
		parts = append(parts, words.Thousands(r.Fixed)+" of them fixed")
	}
	if r.Partly > 0 {
		parts = append(parts, words.Thousands(r.Partly)+" held in part")
	}
	t.Say(
		"%s: %s; %s, %s between two blocks",
		t.Paint(cli.Bold, path),
		strings.Join(parts, ", "),
		words.Count(r.Contacts, "contact"),
		words.Thousands(r.Pairs),
	)
	// what contacts do
	state := fmt.Sprintf(
		"Contacts   %s stick, %s slide, %s are free",
		words.Thousands(r.Stick),
		words.Thousands(r.Slide),
		words.Thousands(r.TakeOff),
	)
	if r.Idle > 0 {
		state += fmt.Sprintf(", %s between fixed blocks", words.Thousands(r.Idle))
	}
	// contacts that cannot be as they should
	if r.Infeasible > 0 {
		state += t.Paint(cli.Yellow, fmt.Sprintf(", %s contradict others", words.Thousands(r.Infeasible)))
	}
	if r.Jammed > 0 {
		state += t.Paint(cli.Yellow, fmt.Sprintf(", %s are bounded, which proves nothing", words.Thousands(r.Jammed)))
	}
	t.Say("%s", state)
}
