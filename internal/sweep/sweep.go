// Package sweep plays many runs of one scene that differ in some values, and tells what came of them.
//
// A sweep file, docs/sweeps.md is its reference, names a scene, axes of values, outcomes to collect, and what ends a
// run early. Runs are every combination of the values, in an order that depends on the file alone. Each run is played
// by a process of its own, by the program toile, into a folder named after its key, the hash of everything that decides
// its result: runs with the same key are played once, and a sweep that was killed goes on with what is not complete.
package sweep

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// Sweep is a sweep file that was read.
type Sweep struct {
	// Path is the file.
	Path string
	// Build is the build of the program that plays the runs, for the report: this one, unless another is set.
	Build runfolder.Build
	// Keys asks the program that plays the runs for their keys, given the arguments of each as Args has them. Nil: this
	// program plays them.
	Keys func(args [][]string) ([]string, error)
	// Workers is how many cores a run uses. Results do not depend on it.
	Workers int

	file   File
	dir    string // of the file
	axes   []axis // the outermost, whose values change last, first
	keep   runfolder.Keep
	stop   []runfolder.Condition
	probes []runfolder.Probe

	mu      sync.Mutex
	checked map[string]bool // scenes, by what decides which columns their statistics have
}

// maxBytes is the size of the largest sweep file.
const maxBytes = 4 << 20

// Load reads a sweep file. What is wrong with it is returned as scenefile.Faults, with places.
func Load(path string) (*Sweep, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; name the sweep file in it", path)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads a sweep from data. Faults name it by path, and the scene is looked for beside that.
func Parse(path string, data []byte) (*Sweep, error) {
	s := &Sweep{Path: path, Build: runfolder.ThisBuild(), Workers: 1, dir: filepath.Dir(path)}
	if err := scenefile.Decode("the sweep", path, data, &s.file); err != nil {
		return nil, err
	}
	var faults scenefile.Faults
	add := func(f *scenefile.Fault) {
		if f != nil {
			faults = append(faults, f)
		}
	}
	add(s.file.checkScene())
	s.axes = s.file.expand(add)
	s.file.checkOutcomes(add)
	s.readRules(add)
	if len(faults) > 0 {
		return nil, faults
	}
	return s, nil
}

// readRules reads what is kept, probed and ends a run.
func (s *Sweep) readRules(add func(*scenefile.Fault)) {
	f := &s.file
	s.keep = runfolder.KeepLast
	if f.Keep != "" {
		var err error
		if s.keep, err = runfolder.ParseKeep(f.Keep); err != nil {
			add(f.Fault("keep", "keep: %v", err))
		}
	}
	for _, text := range f.Stop {
		c, err := runfolder.ParseCondition(text)
		if err != nil {
			add(f.Fault("stop", "stop: %v", err))
			continue
		}
		s.stop = append(s.stop, c)
		s.probe(c.Column)
	}
	for i := range f.Outcomes {
		s.probe(f.Outcomes[i].column())
	}
}

// probe has a column probed, if it is one of a probe.
func (s *Sweep) probe(column string) {
	if p, ok := runfolder.ProbeOf(column); ok && !slices.Contains(s.probes, p) {
		s.probes = append(s.probes, p)
	}
}

// Name returns what the sweep calls itself, or the name of its file.
func (s *Sweep) Name() string {
	if s.file.Name != "" {
		return s.file.Name
	}
	return strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
}

// ScenePath returns where the scene is.
func (s *Sweep) ScenePath() string { return filepath.Join(s.dir, filepath.FromSlash(s.file.Scene)) }

// Keep returns which frames the runs keep.
func (s *Sweep) Keep() runfolder.Keep { return s.keep }

// Axes returns the names of the axes, in the order of Run.Values.
func (s *Sweep) Axes() []string {
	var names []string
	for i := range s.axes {
		for _, p := range s.axes[i].parts {
			names = append(names, p.name)
		}
	}
	return names
}

// Outcomes returns the names of the outcomes, in the order of Row.Outcomes.
func (s *Sweep) Outcomes() []string {
	names := make([]string, len(s.file.Outcomes))
	for i := range names {
		names[i] = s.file.Outcomes[i].label()
	}
	return names
}

// Count returns how many runs there are.
func (s *Sweep) Count() int {
	n := 1
	for i := range s.axes {
		n *= s.axes[i].count
	}
	return n
}

// Run is one of the runs of a sweep.
type Run struct {
	Index  int            // from 0, in the order of the sweep
	Key    string         // hash of all that decides the result, see runfolder.Manifest.RunKey
	Same   int            // the index of the first run with this key, which is the one that is played
	Values []Value        // one for each axis
	Set    []string       // assignments, as of toile run --set
	Cost   scenefile.Cost // a guess
}

// FolderName returns the name of the folder of a run, which is the same for runs with the same key.
func (r *Run) FolderName() string { return r.Key[:folderDigits] }

// folderDigits is how much of a key names a folder: among a million runs, two are given the same name once in 10^7
// sweeps, and Outcome would tell.
const folderDigits = 16

// Value is what a run has for an axis.
type Value struct {
	Axis   string
	Text   string  // as in an assignment
	Number float64 // if Numeric
	Unit   string  // if Numeric; may be empty
	// Numeric tells whether the value is a number, maybe with a unit.
	Numeric bool
}

// Runs returns all runs in order. The scene is read once for each, so that a value that the scene cannot have is
// reported before any run begins, as scenefile.Faults.
func (s *Sweep) Runs() ([]Run, error) {
	// prepare all runs, as many at a time as there are cores
	runs := make([]Run, s.Count())
	errs := make([]error, len(runs))
	var next atomic.Int64
	var failed atomic.Bool
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(runs) {
					return
				}
				if runs[i], errs[i] = s.run(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	// the first fault
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	// their keys
	if err := s.askKeys(runs); err != nil {
		return nil, err
	}
	// runs with the same key are the same
	first := map[string]int{}
	for i := range runs {
		same, known := first[runs[i].Key]
		if !known {
			same = i
			first[runs[i].Key] = i
		}
		runs[i].Same = same
	}
	return runs, nil
}

// Run returns one run, without looking for others with the same key: Same is its Index.
func (s *Sweep) Run(index int) (Run, error) {
	if n := s.Count(); index < 0 || index >= n {
		return Run{}, fmt.Errorf("there is no run %d; %s has runs 0 to %d", index, s.Path, n-1)
	}
	r, err := s.run(index)
	if err != nil {
		return r, err
	}
	one := []Run{r}
	err = s.askKeys(one)
	return one[0], err
}

// askKeys has another program say the keys of runs, if another one plays them.
func (s *Sweep) askKeys(runs []Run) error {
	if s.Keys == nil {
		return nil
	}
	args := make([][]string, len(runs))
	for i := range runs {
		args[i] = s.Args(runs[i], "")
	}
	keys, err := s.Keys(args)
	if err != nil {
		return err
	}
	if len(keys) != len(runs) {
		return fmt.Errorf("there are %d keys for %d runs", len(keys), len(runs))
	}
	for i, key := range keys {
		if len(key) < folderDigits {
			return fmt.Errorf("%q is no key of a run", key)
		}
		runs[i].Key = key
	}
	return nil
}

// run makes run number index: the last axis changes first. It has no key if another program is asked for that.
func (s *Sweep) run(index int) (Run, error) {
	r := Run{Index: index, Same: index, Set: slices.Clone(s.file.Set)}
	at := make([]int, len(s.axes))
	rest := index
	for i := len(s.axes) - 1; i >= 0; i-- {
		at[i] = rest % s.axes[i].count
		rest /= s.axes[i].count
	}
	var from []*part // of the assignments after the fixed ones
	for i := range s.axes {
		for p := range s.axes[i].parts {
			part := &s.axes[i].parts[p]
			v := part.values[at[i]]
			r.Values = append(r.Values, v.Value)
			for _, path := range part.paths {
				r.Set, from = append(r.Set, path+"="+v.Text), append(from, part)
			}
		}
	}
	built, err := scenefile.Load(s.ScenePath(), r.Set)
	if err != nil {
		return r, s.blame(&r, from, at, err)
	}
	r.Cost = built.Cost()
	if err := s.checkTold(index, built); err != nil {
		return r, err
	}
	if s.Keys == nil {
		r.Key, err = player.SceneKey(built, s.keep, s.stop, s.probes)
	}
	return r, err
}

// setFile is what faults of assignments name as their file.
const setFile = "--set"

// blame moves faults of assignments to where the sweep file makes them.
func (s *Sweep) blame(r *Run, from []*part, at []int, err error) error {
	var faults scenefile.Faults
	if !errors.As(err, &faults) {
		return fmt.Errorf("run %d of %s: %w", r.Index, s.Path, err)
	}
	var out scenefile.Faults
	for _, f := range faults {
		if f.File != setFile || f.Line < 1 || f.Line > len(r.Set) {
			out = append(out, f)
			continue
		}
		msg := fmt.Sprintf("run %d: %s: %s", r.Index, r.Set[f.Line-1], f.Msg)
		if f.Line <= len(s.file.Set) {
			out = append(out, s.file.Fault("set", "%s", msg))
			continue
		}
		p := from[f.Line-1-len(s.file.Set)]
		out = append(out, p.values[at[p.axis]].fault(msg))
	}
	return out
}

// Args returns the arguments of toile that play a run into a folder. A folder that holds an unfinished run of the same
// key goes on, one that holds a complete one is left as it is.
func (s *Sweep) Args(r Run, folder string) []string {
	args := []string{
		"run", s.ScenePath(), "--output", folder, "--report=false", "--keep", s.keep.String(),
		"--workers", fmt.Sprint(s.Workers),
	}
	for _, set := range r.Set {
		args = append(args, "--set", set)
	}
	for _, c := range s.stop {
		args = append(args, "--stop", c.String())
	}
	for _, p := range s.probes {
		args = append(args, "--probe", p.String())
	}
	return args
}
