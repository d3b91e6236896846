package dumps

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/solve"
)

// Problem is an entry of the index of a set.
type Problem struct {
	Name     string  `json:"name"`
	Step     int     `json:"step"` // of its world
	Friction float64 `json:"friction"`
	Blocks   int     `json:"blocks"`
	Contacts int     `json:"contacts"`
	// Redundancy is how many contacts there are for each block that a contact moves. Each has three components: above
	// 1 some of them depend on others.
	Redundancy float64 `json:"redundancy"`
	Hash       string  `json:"sha256"` // of its file
}

// Set is a folder of problems with an index.
type Set struct {
	Dir      string
	Problems []Problem // that were made
}

const indexFile = "index.json"

// Open reads the index of a folder; without one there are no problems yet.
func Open(dir string) (*Set, error) {
	s := &Set{Dir: dir}
	data, err := os.ReadFile(filepath.Join(dir, indexFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s.Problems)
	}
	if err != nil {
		return nil, fmt.Errorf("index of %s: %w", dir, err)
	}
	return s, nil
}

// Path returns the file of a problem.
func (s *Set) Path(name string) string { return filepath.Join(s.Dir, name+".problem") }

// has tells whether a problem was made.
func (s *Set) has(name string) bool {
	_, err := os.Stat(s.Path(name))
	return err == nil && slices.ContainsFunc(s.Problems, func(p Problem) bool { return p.Name == name })
}

// Choice says which problems are wanted.
type Choice struct {
	Quick bool     // only small ones that are soon there
	Words []string // only those whose names begin with one of them; empty: all
}

// Make makes the problems that are missing. Before every step it calls tell with the name of the problem that is next
// and the number of steps to it. After an interrupt it goes on with the world that was played.
func (s *Set) Make(ctx context.Context, of Choice, workers int, tell func(name string, left int)) error {
	if err := os.MkdirAll(s.Dir, 0o777); err != nil {
		return err
	}
	for _, r := range recipes(of) {
		if !slices.ContainsFunc(r.moments, func(m moment) bool { return !s.has(r.problem(m)) }) {
			continue
		}
		if err := s.play(ctx, &r, workers, tell); err != nil {
			return err
		}
	}
	return nil
}

// play plays a world and keeps its problems.
func (s *Set) play(ctx context.Context, r *recipe, workers int, tell func(name string, left int)) error {
	w, err := newStage(r.friction, workers).with(r.build)
	if err != nil {
		return fmt.Errorf("world of %s: %w", r.name, err)
	}
	step := 0
	for _, m := range r.moments {
		var file bytes.Buffer
		for step < m.step {
			tell(r.problem(m), m.step-step)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if step++; step == m.step {
				w.DumpNext(&file)
			}
			if err := w.Advance(r.h, r.h, nil); err != nil {
				return fmt.Errorf("%s, step %d: %w", r.name, step, err)
			}
		}
		if err := s.keep(r, m, file.Bytes()); err != nil {
			return fmt.Errorf("%s: %w", r.problem(m), err)
		}
	}
	return nil
}

// keep writes a problem and its entry.
func (s *Set) keep(r *recipe, m moment, data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("step %d has no contacts", m.step)
	}
	p, err := solve.ReadProblem(bytes.NewReader(data))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	entry := Problem{
		Name: r.problem(m), Step: m.step, Friction: r.friction, Blocks: p.A.N, Contacts: p.Set.Len(),
		Redundancy: redundancy(p), Hash: hex.EncodeToString(sum[:]),
	}
	if err := write(s.Path(entry.Name), data); err != nil {
		return err
	}
	s.Problems = slices.DeleteFunc(s.Problems, func(p Problem) bool { return p.Name == entry.Name })
	s.Problems = append(s.Problems, entry)
	index, err := json.MarshalIndent(s.Problems, "", "  ")
	if err != nil {
		return err
	}
	return write(filepath.Join(s.Dir, indexFile), append(index, '\n'))
}

func write(path string, data []byte) error {
	return disk.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// redundancy returns how many contacts there are for each block that one of them moves.
func redundancy(p *solve.ContactProblem) float64 {
	touched := map[int32]bool{}
	for c := range p.Set.Contacts {
		for _, t := range p.Set.Row(c) {
			if p.Fixed == nil || !p.Fixed[t.Block] {
				touched[t.Block] = true
			}
		}
	}
	return float64(p.Set.Len()) / float64(max(1, len(touched)))
}

// Select returns the problems that were made of those that are wanted, in the order in which they are made.
func (s *Set) Select(of Choice) []Problem {
	var out []Problem
	for _, name := range Names(of) {
		if i := slices.IndexFunc(s.Problems, func(p Problem) bool { return p.Name == name }); i >= 0 {
			out = append(out, s.Problems[i])
		}
	}
	return out
}
