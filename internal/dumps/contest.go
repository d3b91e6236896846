package dumps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/solve"
)

// Outcome is how a trial ended.
type Outcome string

// The outcomes.
const (
	Solved   Outcome = "solved"   // to the tolerance, in the residual that all share
	Unsolved Outcome = "unsolved" // the solver ended above it
	TooLong  Outcome = "too long" // it was stopped
	Refused  Outcome = "refused"  // it did not attempt the problem, or failed
)

// Result is what became of a problem in the hands of a method.
type Result struct {
	Problem string  `json:"problem"`
	Method  string  `json:"method"`
	Outcome Outcome `json:"outcome"`
	Why     string  `json:"why,omitempty"` // of a refusal
	Trial
	Dynamics float64 `json:"dynamics"` // parts of the residual [m/s]
	Law      float64 `json:"law"`
	Blocks   int     `json:"blocks_off"`   // above the tolerance
	Contacts int     `json:"contacts_off"` // above the tolerance
	// Of the contact that is furthest from its law: velocities, and impulses as velocities [m/s].
	Normal float64 `json:"worst_normal"`
	Slip   float64 `json:"worst_slip"`
	Push   float64 `json:"worst_push"`
	Rub    float64 `json:"worst_rub"`
	// Apart is how far the answer is from that of the first method, if both are solved.
	Apart *Apart `json:"apart,omitempty"`
}

// Residual returns the larger of the parts.
func (r *Result) Residual() float64 { return max(r.Dynamics, r.Law) }

// Contest has methods solve the problems of a set, one after the other, each in a process of its own. What is known
// already is not asked for again.
type Contest struct {
	Set     *Set
	Program string        // this one
	Workers int           // cores
	Limit   time.Duration // for a trial
	Siconos []string      // the command that runs tools/with_siconos.py; nil: it does not take part
}

// Methods returns who takes part, the method of the steps first.
func (c *Contest) Methods() []string {
	if c.Siconos == nil {
		return Methods()
	}
	return append(Methods(), siconosMethods...)
}

func (c *Contest) file(folder, problem, method string) string {
	return filepath.Join(c.Set.Dir, folder, problem+"."+method)
}

// Result returns what became of a problem, and has it solved if that is not known.
func (c *Contest) Result(ctx context.Context, problem, method string) (*Result, error) {
	// result of an earlier try
	known := c.file("results", problem, method+".json")
	data, err := os.ReadFile(known)
	if err == nil {
		var r Result
		return &r, json.Unmarshal(data, &r)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// problem
	p, err := c.Set.Read(problem)
	if err != nil {
		return nil, err
	}
	// folders for results and answers
	for _, folder := range []string{"results", "answers"} {
		if err := os.MkdirAll(filepath.Join(c.Set.Dir, folder), 0o777); err != nil {
			return nil, err
		}
	}
	// result, which is kept
	r, err := c.try(ctx, p, problem, method)
	if err != nil {
		return nil, err
	}
	if data, err = json.MarshalIndent(r, "", "  "); err == nil {
		err = write(known, append(data, '\n'))
	}
	return r, err
}

// Read reads a problem of the set.
func (s *Set) Read(name string) (*solve.ContactProblem, error) {
	file, err := os.Open(s.Path(name))
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // read only
	return solve.ReadProblem(file)
}

// try has a method solve a problem and judges its answer.
func (c *Contest) try(ctx context.Context, p *solve.ContactProblem, problem, method string) (*Result, error) {
	r := &Result{Problem: problem, Method: method}
	ask := c.askOurs
	if strings.HasPrefix(method, siconosPrefix) {
		ask = c.askSiconos
	}
	answer, err := ask(ctx, p, r)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		r.Outcome, r.Trial = TooLong, Trial{}
		return r, nil
	case err != nil:
		r.Outcome, r.Why = Refused, err.Error()
		return r, nil
	}
	r.judge(p, answer)
	if first := Methods()[0]; method != first && r.Outcome == Solved {
		if best, err := ReadAnswer(c.file("answers", problem, first), p); err == nil && c.solvedBy(problem, first) {
			apart := Compare(p, answer, best)
			r.Apart = &apart
		}
	}
	return r, nil
}

// solvedBy tells whether a problem is known to be solved by a method.
func (c *Contest) solvedBy(problem, method string) bool {
	data, err := os.ReadFile(c.file("results", problem, method+".json"))
	var r Result
	return err == nil && json.Unmarshal(data, &r) == nil && r.Outcome == Solved
}

// judge writes the verdict on an answer into the result.
func (r *Result) judge(p *solve.ContactProblem, a *Answer) {
	v := Judge(p, a, Tolerance)
	r.Dynamics, r.Law, r.Blocks, r.Contacts = v.Residual.Dynamics, v.Residual.Law, v.Blocks, v.Contacts
	r.Normal, r.Slip, r.Push, r.Rub = v.Normal, v.Slip, v.Push, v.Rub
	if worst := v.Residual.Max(); worst <= Tolerance {
		r.Outcome = Solved
	} else if r.Outcome = Unsolved; math.IsNaN(worst) {
		*r = Result{Problem: r.Problem, Method: r.Method, Outcome: Refused, Why: "its answer is not finite"}
	}
}

// askOurs runs one of the solvers of this program.
func (c *Contest) askOurs(ctx context.Context, p *solve.ContactProblem, r *Result) (*Answer, error) {
	path := c.file("answers", r.Problem, r.Method)
	args := []string{
		"toile", "bench", "problems", c.Set.Dir, "--json", "--one", r.Problem, "--solvers", r.Method, "--answer", path,
		"--workers", fmt.Sprint(c.Workers),
	}
	if err := c.child(ctx, c.Program, args, &r.Trial); err != nil {
		return nil, err
	}
	return ReadAnswer(path, p)
}

// child runs a program, with its name among the arguments, that prints a JSON object, within the limit.
func (c *Contest) child(ctx context.Context, program string, args []string, out any) error {
	limited, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	cmd := exec.CommandContext(limited, program)
	cmd.Args = args
	var text, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &log
	err := cmd.Run()
	if limited.Err() != nil {
		return limited.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(log.String()))
	}
	line := text.Bytes() // libraries may say something before
	if at := bytes.LastIndexByte(bytes.TrimSpace(line), '\n'); at >= 0 {
		line = line[at:]
	}
	return json.Unmarshal(line, out)
}
