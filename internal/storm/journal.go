package storm

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/toile-sim/toile/internal/runfolder"
)

// Journal keeps outcomes in a file, a line of JSON each, so that a storm that was cut resumes. A nil one keeps nothing.
type Journal struct {
	path    string
	program string // the fingerprint of the one that runs: outcomes of others do not count
	kept    map[int]*Outcome
}

type entry struct {
	Program string `json:"program"`
	Outcome
}

// OpenJournal opens a journal, with what it holds of this program if resume is set, and empty otherwise.
func OpenJournal(path string, resume bool) (*Journal, error) {
	program, err := runfolder.Program()
	if err != nil {
		return nil, err
	}
	j := &Journal{path: path, program: program, kept: map[int]*Outcome{}}
	if !resume {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return j, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return j, nil
	}
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		var e entry
		// A line that was cut short, or is of another program, is played again.
		if json.Unmarshal(line, &e) == nil && e.Program == program {
			j.kept[e.Seed] = &e.Outcome
		}
	}
	return j, nil
}

// Kept returns the outcome of a seed, or nil.
func (j *Journal) Kept(seed int) *Outcome {
	if j == nil {
		return nil
	}
	return j.kept[seed]
}

// Add appends an outcome.
func (j *Journal) Add(o *Outcome) error {
	if j == nil {
		return nil
	}
	line, err := json.Marshal(entry{Program: j.program, Outcome: *o})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	// After a line that was cut short a new one begins.
	_, err = f.Write(append([]byte{'\n'}, append(line, '\n')...))
	return errors.Join(err, f.Close())
}
