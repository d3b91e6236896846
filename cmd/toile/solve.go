package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

func newSolveCommand(t *term) *cobra.Command {
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
		Args: needArgs("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return solveFile(t, args[0], &f) },

		ValidArgsFunction: complete(cobra.ShellCompDirectiveFilterFileExt, "problem"),
	}
	cmd.Flags().Float64Var(&f.tolerance, "tolerance", 0, "largest `residual` [m/s] (default: that of the file)")
	cmd.Flags().StringVar(&f.siconos, "to-siconos", "", "write the problem to a `file` for tools/with_siconos.py")
	cmd.Flags().StringVar(&f.answer, "answer", "", "a `file` with the answer of another solver")
	cmd.Flags().StringVar(&f.proof, "proof", "", "write the proof of what contradicts others to a `file`")
	addWorkers(cmd, &f.workers)
	addJSON(cmd, t)
	return cmd
}

// solveEvent is a solution for programs. Residuals are in m/s.
type solveEvent struct {
	Event           string  `json:"event"`
	File            string  `json:"file"`
	Blocks          int     `json:"blocks"`
	Fixed           int     `json:"fixed"`
	Partly          int     `json:"partly"`
	Entries         int     `json:"entries"`
	Contacts        int     `json:"contacts"`
	Pairs           int     `json:"pairs"`
	Sticking        int     `json:"sticking"`
	Sliding         int     `json:"sliding"`
	Free            int     `json:"free"`
	Idle            int     `json:"idle"`
	Infeasible      int     `json:"infeasible"`
	Jammed          int     `json:"jammed"` // bounded, and not proven to contradict others
	Sweeps          int     `json:"sweeps"`
	Newton          int     `json:"newton"`
	Linear          int     `json:"linear"`
	Tolerance       real    `json:"tolerance"`
	Floor           real    `json:"floor"`     // what rounding leaves of the residual
	OldScale        bool    `json:"old_scale"` // the file has no masses; momentum is over the diagonal of A
	Residual        real    `json:"residual"`
	Dynamics        real    `json:"dynamics"`
	Law             real    `json:"law"`
	Cone            real    `json:"cone"`
	Complementarity real    `json:"complementarity"`
	Misalignment    real    `json:"misalignment"`
	Converged       bool    `json:"converged"`
	Elapsed         float64 `json:"elapsed"` // [s]
	Workers         int     `json:"workers"`
}

func solveFile(t *term, path string, f *solveFlags) error {
	if err := checkWorkers(f.workers); err != nil {
		return err
	}
	if f.tolerance < 0 {
		return badUsage("--tolerance %g: write a positive speed in m/s, such as 1e-8", f.tolerance)
	}
	p, err := readProblem(path)
	if err != nil {
		return err
	}
	if f.tolerance > 0 {
		p.Tolerance = f.tolerance
	}
	switch {
	case f.siconos != "":
		if err := disk.WriteFile(f.siconos, func(w io.Writer) error { return dumps.WriteSiconos(w, p) }); err != nil {
			return badInput(err)
		}
		t.wrote(f.siconos)
		return nil
	case f.answer != "":
		return judgeAnswer(t, p, f.answer)
	}
	out, r, took, err := solveProblem(t, p, f.workers)
	if err != nil {
		return err
	}
	if f.proof != "" {
		if err := dumps.WriteAnswer(f.proof, &dumps.Answer{R: out.Proof}); err != nil {
			return badInput(err)
		}
	}
	t.emit(eventOf(p, &r, path, took, f.workers))
	sayProblem(t, path, &r)
	t.say(
		"Solved     in %s with %s: %s, %s, %s",
		words.Duration(took),
		words.Count(workersUsed(f.workers), "core"),
		words.Count(r.Sweeps, "sweep"),
		words.Count(r.Newton, "Newton step"),
		words.Count(r.Linear, "linear iteration"),
	)
	if p.OldScale {
		t.say(
			"%s",
			t.paint(
				yellow,
				"Scale      the file is of version 2 and has no masses: momentum is over the diagonal of A, which "+
					"hides errors of stiff bodies",
			),
		)
	}
	return sayVerdict(t, p, &r)
}

// solveProblem solves a problem and tells how long that took.
func solveProblem(
	t *term, p *solve.ContactProblem, workers int,
) (out *solve.Contacts, r solve.ProblemReport, took time.Duration, err error) {
	busy := newSpinner(t, "solving "+words.Count(p.Set.Len(), "contact"))
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
	busy.close()
	return out, r, took, err
}

// eventOf returns a solution for programs.
func eventOf(p *solve.ContactProblem, r *solve.ProblemReport, path string, took time.Duration, workers int) solveEvent {
	return solveEvent{
		"solve", path, r.Blocks, r.Fixed, r.Partly, r.Entries, r.Contacts, r.Pairs, r.Stick, r.Slide, r.TakeOff, r.Idle,
		r.Infeasible, r.Jammed, r.Sweeps, r.Newton, r.Linear, real(p.Tolerance), real(p.Floor), p.OldScale,
		real(r.Residual.Max()), real(r.Residual.Dynamics), real(r.Residual.Law), real(r.Residual.Cone),
		real(r.Residual.Complementarity), real(r.Residual.Misalignment), r.Converged, took.Seconds(),
		workersUsed(workers),
	}
}

// sayVerdict says whether the residual is as small as it should be, and fails if it is not.
func sayVerdict(t *term, p *solve.ContactProblem, r *solve.ProblemReport) error {
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
		t.say("%s", t.paint(yellow, residual+": reached but for what contradicts others, as is proven"))
		return errSaid
	case r.Residual.Worst() <= p.Floor:
		t.say("%s", t.paint(yellow, fmt.Sprintf("%s: not reached; rounding leaves %.1e m/s", residual, p.Floor)))
		return errSaid
	default:
		t.say("%s", t.paint(red, residual+": not reached"))
		return errSaid
	}
	t.say("%s: reached", residual)
	return nil
}

// answerEvent is the verdict on an answer for programs. Residuals are in m/s.
type answerEvent struct {
	Event     string `json:"event"`
	File      string `json:"file"`
	Dynamics  real   `json:"dynamics"`
	Law       real   `json:"law"`
	Tolerance real   `json:"tolerance"`
	Blocks    int    `json:"blocks"` // above the tolerance
	Contacts  int    `json:"contacts"`
}

// judgeAnswer tells the residual of the answer of another solver.
func judgeAnswer(t *term, p *solve.ContactProblem, path string) error {
	answer, err := dumps.ReadAnswer(path, p)
	if err != nil {
		return badInput(err)
	}
	v := dumps.Judge(p, answer, p.Tolerance)
	t.emit(answerEvent{
		"answer", path, real(v.Residual.Dynamics), real(v.Residual.Law), real(p.Tolerance), v.Blocks, v.Contacts,
	})
	t.say("Residual   %.2e m/s (momentum %.1e, law %.1e), tolerance %.1e m/s", v.Residual.Max(), v.Residual.Dynamics,
		v.Residual.Law, p.Tolerance)
	if v.Residual.Max() <= p.Tolerance {
		return nil
	}
	t.say("Off        %s and %s", words.Count(v.Blocks, "block"), words.Count(v.Contacts, "contact"))
	return errSaid
}

func readProblem(path string) (*solve.ContactProblem, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, badInput(err)
	}
	defer func() { _ = file.Close() }() // read only
	p, err := solve.ReadProblem(file)
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %w", path, err))
	}
	return p, nil
}

// sayProblem tells what is to be solved and what its contacts do.
func sayProblem(t *term, path string, r *solve.ProblemReport) {
	parts := []string{words.Count(r.Blocks, "block")}
	if r.Fixed > 0 {
		parts = append(parts, words.Thousands(r.Fixed)+" of them fixed")
	}
	if r.Partly > 0 {
		parts = append(parts, words.Thousands(r.Partly)+" held in part")
	}
	t.say(
		"%s: %s; %s, %s between two blocks",
		t.paint(bold, path),
		strings.Join(parts, ", "),
		words.Count(r.Contacts, "contact"),
		words.Thousands(r.Pairs),
	)
	state := fmt.Sprintf(
		"Contacts   %s stick, %s slide, %s are free",
		words.Thousands(r.Stick),
		words.Thousands(r.Slide),
		words.Thousands(r.TakeOff),
	)
	if r.Idle > 0 {
		state += fmt.Sprintf(", %s between fixed blocks", words.Thousands(r.Idle))
	}
	if r.Infeasible > 0 {
		state += t.paint(yellow, fmt.Sprintf(", %s contradict others", words.Thousands(r.Infeasible)))
	}
	if r.Jammed > 0 {
		state += t.paint(yellow, fmt.Sprintf(", %s are bounded, which proves nothing", words.Thousands(r.Jammed)))
	}
	t.say("%s", state)
}
