// Bite shows which rows of verifications can fail: it runs quick cases as they are, and again with what they get from
// the engine falsified, one way after another until every row has failed once. Cases that call formulas without an
// engine in between have faults of internal/mutants put into them. Rows that never failed are listed.
//
//	go run ./internal/bite L2 A3                    these
//	go run ./internal/bite -all -o docs/rows.md     all cases, hours; then the table
//	go run ./internal/bite -o docs/rows.md          the table of what was tried so far
//
// Every trial is a process of its own, and its outcome a line of a journal, so that a run that was cut goes on.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/all"
)

// settings are the flags.
type settings struct {
	all, faults        bool
	out, journal, from string
	limit              time.Duration
	first, one         int
}

func main() {
	var s settings
	flag.BoolVar(&s.all, "all", false, "try all cases")
	flag.StringVar(&s.out, "o", "", "write the table to `file`, instead of printing it")
	flag.StringVar(&s.journal, "journal", "out/bite.jsonl", "`file` in which trials are kept; remove it to begin again")
	flag.StringVar(&s.from, "from", "", "take the rows of cases from a `folder` of toile verify -o, instead of running these as they are")
	flag.DurationVar(&s.limit, "limit", time.Minute, "how `long` a trial may take of a core")
	flag.BoolVar(&s.faults, "faults", false, "put faults into what has rows that never failed")
	flag.IntVar(&s.first, "first", 0, "try the first `n` ways only; 0: all")
	flag.IntVar(&s.one, "one", noTrial, "run a case in this `way`, for the process that tries many")
	flag.Parse()
	if err := run(&s, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(s *settings, ids []string) error {
	// cases that are asked for
	var cases []verify.Case
	if s.all || len(ids) > 0 {
		var err error
		if cases, err = all.Find(ids...); err != nil {
			return err
		}
	}
	// a single trial, for the process that asked for it
	if s.one != noTrial {
		return json.NewEncoder(os.Stdout).Encode(tried(&cases[0], s.one, s.limit))
	}
	// trials of the cases, and faults
	j, err := openJournal(s.journal)
	if err != nil {
		return err
	}
	for i := range cases {
		if err := j.bite(s, cases[i].ID); err != nil {
			return err
		}
	}
	if s.faults {
		if err := j.tryFaults(s); err != nil {
			return err
		}
	}
	// the table
	if s.out == "" {
		_, err = os.Stdout.Write(j.table())
		return err
	}
	return os.WriteFile(s.out, j.table(), 0o666)
}

const (
	noTrial = -2
	asItIs  = -1 // the number of the trial without a spoil
)

// trial is what came of a case in one way.
type trial struct {
	Case    string
	Way     string
	Rows    []row
	Err     string `json:",omitempty"`
	Seconds float64
}

// row is one of a case, by what it is about.
type row struct {
	Name   string
	Failed bool
}

// tried runs a case with a spoil.
func tried(c *verify.Case, way int, limit time.Duration) *trial {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for bench.CPUTime() < limit {
			time.Sleep(100 * time.Millisecond)
		}
		cancel()
	}()
	t, opt := &trial{Case: c.ID, Way: wayName(way)}, verify.Options{Workers: 1}
	if way != asItIs {
		opt.Spoil = spoils[way].make(rand.New(rand.NewPCG(40, uint64(way))))
	}
	var got verify.Result
	opt.Each = func(r verify.Row) { got.Rows = append(got.Rows, r) }
	defer func() { t.Rows, t.Seconds = rowsOf(&got), bench.CPUTime().Seconds() }()
	defer func() {
		if p := recover(); p != nil { // as worlds of nonsense may
			t.Err = fmt.Sprint("panic: ", p)
		}
	}()
	t.Err = c.Run(ctx, opt).Err
	return t
}

func wayName(way int) string {
	if way == asItIs {
		return ""
	}
	return spoils[way].name
}

var figures = regexp.MustCompile(`[0-9][-+.0-9e]*`)

// rowsOf returns rows without figures, which a spoil may change, and with a number where the rest is the same.
func rowsOf(r *verify.Result) []row {
	seen := map[string]int{}
	var out []row
	for i := range r.Rows {
		out = append(out, row{unlike(seen, r.Rows[i].Quantity), !r.Rows[i].Pass()})
	}
	return out
}

func unlike(seen map[string]int, quantity string) string {
	name := figures.ReplaceAllString(quantity, "#")
	if seen[name]++; seen[name] > 1 {
		name = fmt.Sprintf("%s (%d)", name, seen[name])
	}
	return name
}

// bite tries a case until all of its rows have failed.
func (j *journal) bite(s *settings, id string) error {
	for way := asItIs; way < len(spoils); way++ {
		if way == s.first && s.first > 0 {
			break
		}
		if j.has(id, wayName(way)) {
			continue
		}
		if way != asItIs && (j.bites(id).done() || j.cut(id) >= patience) {
			break
		}
		t, err := inProcess(s, id, way)
		if err != nil {
			return err
		}
		if err := j.add(t); err != nil {
			return err
		}
	}
	b := j.bites(id)
	fmt.Fprintf(os.Stderr, "%s: %d of %d rows were seen to fail\n", id, len(b.by), len(b.rows))
	return nil
}

// patience is how many trials of a case may be cut before the others are not made.
const patience = 2

// cut returns how many trials of a case ended before they compared anything.
func (j *journal) cut(id string) (n int) {
	for i := range j.trials {
		if t := &j.trials[i]; t.Case == id && t.Err != "" && len(t.Rows) == 0 {
			n++
		}
	}
	return n
}

// inProcess runs a trial in a process of its own, which may die or hang.
func inProcess(s *settings, id string, way int) (*trial, error) {
	if way == asItIs && s.from != "" {
		if t := recorded(s.from, id); t != nil {
			return t, nil
		}
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	limit := s.limit
	if way == asItIs {
		limit *= 10
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*limit+10*time.Second) // beside other work
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, program, "-one", fmt.Sprint(way), "-limit", limit.String(), id)
	cmd.Stdout = &out
	t := &trial{}
	if err := cmd.Run(); err != nil {
		return &trial{Case: id, Way: wayName(way), Err: err.Error()}, nil
	}
	return t, json.Unmarshal(out.Bytes(), t)
}

// recorded returns the rows of a case that toile verify has run, nil if it has not.
func recorded(folder, id string) *trial {
	for _, path := range []string{folder + "/" + id + ".result.json", folder + "/" + id + "/" + id + ".result.json"} {
		data, err := os.ReadFile(path)
		var kept struct{ Result verify.Result }
		if err == nil && json.Unmarshal(data, &kept) == nil {
			return &trial{Case: id, Rows: rowsOf(&kept.Result)}
		}
	}
	return nil
}

// journal is all trials so far.
type journal struct {
	path   string
	trials []trial
}

func openJournal(path string) (*journal, error) {
	j := &journal{path: path}
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		var t trial
		if json.Unmarshal(line, &t) == nil { // the last may have been cut
			j.trials = append(j.trials, t)
		}
	}
	return j, nil
}

func (j *journal) add(t *trial) error {
	j.trials = append(j.trials, *t)
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

func (j *journal) has(id, way string) bool {
	return slices.ContainsFunc(j.trials, func(t trial) bool { return t.Case == id && t.Way == way })
}
