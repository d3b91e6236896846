package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toile-sim/toile/internal/runfolder"
)

// Manifest says which files a run has: finished, under runs/KEY, or after some steps, under checkpoints/KEY/STEP.
type Manifest struct {
	Key   string `json:"key"`
	Stamp string `json:"stamp"` // of the build that ran it
	Step  int    `json:"step,omitempty"`
	Files []File `json:"files"`
}

// Failure says why a run was given up.
type Failure struct {
	Key      string `json:"key"`
	Stamp    string `json:"stamp"`
	Tries    int    `json:"tries"`
	Input    bool   `json:"input,omitempty"` // its input is bad, and it was not tried again
	Messages string `json:"messages"`        // the end of what the last try said
}

// largestRecord is the largest manifest or batch that is believed [bytes]. A run of 100,000 frames has one of 15 MB.
const largestRecord = 64 << 20

var keyPattern = regexp.MustCompile(`^[0-9a-z]{8,128}$`)

// CheckKey refuses a run key that would not be a proper name in the store.
func CheckKey(key string) error {
	if !keyPattern.MatchString(key) {
		return fmt.Errorf("%q is not a run key", key)
	}
	return nil
}

// readRecord reads JSON into out and returns its hash.
func (s *Store) readRecord(ctx context.Context, name string, out any) (string, error) {
	data, err := s.read(ctx, name, largestRecord)
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(data, out); err != nil {
		return "", fmt.Errorf("%s: %w: %w", name, ErrPoisoned, err)
	}
	return hashOf(data), nil
}

func hashOf(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

func (s *Store) readManifest(ctx context.Context, name, key string) (*Manifest, string, error) {
	var m Manifest
	hash, err := s.readRecord(ctx, name, &m)
	if err != nil {
		return nil, "", err
	}
	if m.Key != key {
		return nil, "", fmt.Errorf("%s: %w: it is of run %.12s", name, ErrPoisoned, m.Key)
	}
	for i := range m.Files {
		if err := m.Files[i].check(); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
	}
	return &m, hash, nil
}

// PutRun writes the manifest of a finished run unless there is one, and returns the hash of the one that stays.
func (s *Store) PutRun(ctx context.Context, m *Manifest) (string, error) {
	if err := CheckKey(m.Key); err != nil {
		return "", err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	won, err := s.writeOnce(ctx, "runs/"+m.Key, data)
	if err != nil || won {
		return hashOf(data), err
	}
	_, hash, err := s.Run(ctx, m.Key)
	return hash, err
}

// Run returns the manifest of a finished run, and its hash.
func (s *Store) Run(ctx context.Context, key string) (*Manifest, string, error) {
	if err := CheckKey(key); err != nil {
		return nil, "", err
	}
	return s.readManifest(ctx, "runs/"+key, key)
}

// PutFailure records that a run was given up.
func (s *Store) PutFailure(ctx context.Context, f *Failure) error {
	if err := CheckKey(f.Key); err != nil {
		return err
	}
	data, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return s.write(ctx, "failed/"+f.Key, data)
}

// Failure returns why a run was given up.
func (s *Store) Failure(ctx context.Context, key string) (*Failure, error) {
	var f Failure
	_, err := s.readRecord(ctx, "failed/"+key, &f)
	return &f, err
}

// Forgive forgets that a run was given up, so that it is tried again.
func (s *Store) Forgive(ctx context.Context, key string) error { return s.remove(ctx, "failed/"+key) }

// State is what the store knows of a run.
type State byte

// States of a run.
const (
	Unknown State = iota
	Done
	Failed
)

// lookups is how many questions a batch asks at a time.
const lookups = 16

// States looks up many runs at once. While gc removes things it waits: a run that is there now may be gone then.
func (s *Store) States(ctx context.Context, keys []string) ([]State, error) {
	if err := s.waitForCollector(ctx); err != nil {
		return nil, err
	}
	states := make([]State, len(keys))
	errs := make([]error, lookups)
	var group sync.WaitGroup
	for worker := range lookups {
		group.Go(func() {
			for i := worker; i < len(keys) && errs[worker] == nil; i += lookups {
				states[i], errs[worker] = s.state(ctx, keys[i])
			}
		})
	}
	group.Wait()
	return states, errors.Join(errs...)
}

func (s *Store) state(ctx context.Context, key string) (State, error) {
	if err := CheckKey(key); err != nil {
		return Unknown, err
	}
	if size, err := s.size(ctx, "runs/"+key); err != nil || size >= 0 {
		return Done, err
	}
	if size, err := s.size(ctx, "failed/"+key); err != nil || size >= 0 {
		return Failed, err
	}
	return Unknown, nil
}

// kept is how many checkpoints of a run are kept.
const kept = 2

func checkpointName(key string, step int) string {
	return fmt.Sprintf("checkpoints/%s/%012d", key, step)
}

// PutCheckpoint records an unfinished run and removes all but the newest two checkpoints of it.
func (s *Store) PutCheckpoint(ctx context.Context, m *Manifest) error {
	if err := CheckKey(m.Key); err != nil {
		return err
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := s.write(ctx, checkpointName(m.Key, m.Step), data); err != nil {
		return err
	}
	names, err := s.checkpoints(ctx, m.Key)
	if err != nil || len(names) <= kept {
		return err
	}
	for _, name := range names[kept:] {
		err = errors.Join(err, s.remove(ctx, name))
	}
	return err
}

// checkpoints returns the names of the checkpoints of a run, the newest first.
func (s *Store) checkpoints(ctx context.Context, key string) ([]string, error) {
	var names []string
	err := s.list(ctx, "checkpoints/"+key+"/", func(o object) error {
		if !strings.HasSuffix(o.name, unfinished) {
			names = append(names, o.name)
		}
		return nil
	})
	slices.Reverse(names)
	return names, err
}

// Checkpoints returns the checkpoints of a run that the given build wrote, the newest first. Damaged ones are left out
// and named.
func (s *Store) Checkpoints(ctx context.Context, key, stamp string) (found []*Manifest, notes []string, err error) {
	names, err := s.checkpoints(ctx, key)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		m, _, err := s.readManifest(ctx, name, key)
		switch {
		case Lasting(err):
			notes = append(notes, err.Error())
		case err != nil:
			return nil, nil, err
		case m.Stamp == stamp:
			found = append(found, m)
		}
	}
	return found, notes, nil
}

// RemoveCheckpoints removes what a finished run no longer needs.
func (s *Store) RemoveCheckpoints(ctx context.Context, key string) error {
	names, err := s.checkpoints(ctx, key)
	for _, name := range names {
		err = errors.Join(err, s.remove(ctx, name))
	}
	return err
}

// Sweep is what was submitted. Its runs are in batches beside it.
type Sweep struct {
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Stamp   string          `json:"stamp"` // of the build that plays it
	Build   runfolder.Build `json:"build"`
	Main    string          `json:"main"` // the sweep file, among Files
	Files   []File          `json:"files"`
	Runs    int             `json:"runs"`
	Batches int             `json:"batches"`
	Made    time.Time       `json:"made"`
}

// Entry is a run of a batch.
type Entry struct {
	Index int      `json:"index"`          // in the sweep
	Same  []int    `json:"same,omitempty"` // other runs of the sweep with this key
	Key   string   `json:"key"`
	Size  string   `json:"size"` // of the job, a word that queues are named by
	Args  []string `json:"args"` // of toile
}

var idPattern = regexp.MustCompile(`^[0-9a-z-]{1,100}$`)

func checkID(id string) error {
	if !idPattern.MatchString(id) {
		return fmt.Errorf("%q is not the name of a sweep", id)
	}
	return nil
}

func batchName(id string, batch int) string { return fmt.Sprintf("sweeps/%s.%05d", id, batch) }

// PutSweep records a sweep, its batches first, so that one that is listed is whole.
func (s *Store) PutSweep(ctx context.Context, sweep *Sweep, batches [][]Entry) error {
	if err := checkID(sweep.ID); err != nil {
		return err
	}
	sweep.Batches = len(batches)
	for i, batch := range batches {
		data, err := json.Marshal(batch)
		if err != nil {
			return err
		}
		if err := s.write(ctx, batchName(sweep.ID, i), data); err != nil {
			return err
		}
	}
	data, err := json.Marshal(sweep)
	if err != nil {
		return err
	}
	return s.write(ctx, "sweeps/"+sweep.ID, data)
}

// Sweep returns what was submitted under a name.
func (s *Store) Sweep(ctx context.Context, id string) (*Sweep, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	var sweep Sweep
	if _, err := s.readRecord(ctx, "sweeps/"+id, &sweep); err != nil {
		return nil, err
	}
	if sweep.ID != id {
		return nil, fmt.Errorf("sweeps/%s: %w: it is of %q", id, ErrPoisoned, sweep.ID)
	}
	for i := range sweep.Files {
		if err := sweep.Files[i].check(); err != nil {
			return nil, err
		}
	}
	return &sweep, nil
}

// Batch returns the runs of one batch of a sweep.
func (s *Store) Batch(ctx context.Context, id string, batch int) ([]Entry, error) {
	var entries []Entry
	_, err := s.readRecord(ctx, batchName(id, batch), &entries)
	return entries, err
}

// Sweeps returns the names of all sweeps.
func (s *Store) Sweeps(ctx context.Context) ([]string, error) {
	var ids []string
	err := s.list(ctx, "sweeps/", func(o object) error {
		if id := strings.TrimPrefix(o.name, "sweeps/"); checkID(id) == nil {
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}

// Forget removes a sweep; what only it named is then collected by gc.
func (s *Store) Forget(ctx context.Context, id string) error {
	sweep, err := s.Sweep(ctx, id)
	if err != nil {
		return err
	}
	err = s.remove(ctx, "sweeps/"+id)
	for i := range sweep.Batches {
		err = errors.Join(err, s.remove(ctx, batchName(id, i)))
	}
	return err
}
