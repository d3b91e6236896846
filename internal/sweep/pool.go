package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/runfolder"
)

// The names in the folder of a sweep.
const (
	RunsName     = "runs"     // a run folder for each key
	FailuresName = "failures" // a file for each run that failed
)

// Pool plays the runs of a sweep on this machine, each in a process of its own, so that whatever happens to one of them
// happens to one run only. Several pools may work in one folder.
type Pool struct {
	Sweep    *Sweep
	Dir      string         // the folder of the sweep
	Program  string         // toile
	Children int            // processes at a time
	More     []string       // arguments for every child
	Retry    bool           // play runs that failed before again
	Look     bool           // play nothing; only see what is there
	Progress func(Progress) // if not nil, called when a run begins or ends, by one goroutine at a time

	mu    sync.Mutex
	rows  []Row
	next  int
	state Progress
	began time.Time
}

// Progress is how far a sweep is.
type Progress struct {
	Runs     int           // with different keys
	Done     int           // complete
	Before   int           // of them, complete before this session
	Failed   int           // of all
	Running  int           // now
	Left     time.Duration // estimate; negative while unknown
	Simulate float64       // seconds that steps took in runs of this session, of all processes
	Failure  *Failure      // that was just found; nil if none was
}

// Failure is why a run failed.
type Failure struct {
	Index int    `json:"run"`
	Key   string `json:"key"`
	Text  string `json:"text"`
}

// FolderOf returns the folder of a run in the folder of a sweep.
func FolderOf(dir string, r *Run) string { return filepath.Join(dir, RunsName, r.FolderName()) }

// failurePath is where the failure of a run is recorded.
func (p *Pool) failurePath(r *Run) string {
	return filepath.Join(p.Dir, FailuresName, r.FolderName()+".json")
}

// Play plays runs that are not complete and returns a row for each of runs. When ctx ends, all processes write a
// checkpoint and the error wraps ErrInterrupted; rows are valid then, too.
func (p *Pool) Play(ctx context.Context, runs []Run) ([]Row, error) {
	for _, name := range []string{RunsName, FailuresName} {
		if err := os.MkdirAll(filepath.Join(p.Dir, name), 0o755); err != nil {
			return nil, err
		}
	}
	same, first := make([]int, len(runs)), map[string]int{} // places of the first run with the same key
	p.rows, p.next, p.state, p.began = make([]Row, len(runs)), 0, Progress{Left: -1}, time.Now()
	var todo []int
	for i := range runs {
		p.rows[i] = p.Sweep.Unfinished(runs[i], Missing)
		k, known := first[runs[i].Key]
		if !known {
			k = i
			first[runs[i].Key] = i
			todo = append(todo, i)
		}
		same[i] = k
	}
	p.state.Runs = len(todo)
	var wait sync.WaitGroup
	for range max(1, min(p.Children, len(todo))) {
		wait.Go(func() {
			for i, ok := p.take(ctx, todo); ok; i, ok = p.take(ctx, todo) {
				p.one(ctx, i)
			}
		})
	}
	wait.Wait()
	for i := range runs {
		if same[i] != i {
			p.rows[i] = p.rows[same[i]]
			p.rows[i].Run = runs[i]
		}
	}
	if ctx.Err() != nil {
		return p.rows, ErrInterrupted
	}
	return p.rows, nil
}

// take returns the next run.
func (p *Pool) take(ctx context.Context, todo []int) (int, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == len(todo) || ctx.Err() != nil {
		return 0, false
	}
	p.next++
	return todo[p.next-1], true
}

// tell changes the state and reports it.
func (p *Pool) tell(change func(*Progress)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Failure = nil
	change(&p.state)
	s := &p.state
	if played := s.Done + s.Failed - s.Before; played > 0 {
		each := float64(time.Since(p.began)) / float64(played)
		s.Left = time.Duration(each * float64(s.Runs-s.Done-s.Failed))
	}
	if p.Progress != nil {
		p.Progress(*s)
	}
}

// one brings one run to its end, as far as it can be.
func (p *Pool) one(ctx context.Context, i int) {
	r := &p.rows[i].Run
	folder := FolderOf(p.Dir, r)
	row, err := p.Sweep.Outcome(*r, folder)
	if err == nil {
		p.rows[i] = row
		p.tell(func(s *Progress) { s.Done++; s.Before++ })
		return
	}
	if failure := p.failed(r); failure != nil && (!p.Retry || p.Look) {
		p.rows[i].Status = Failed
		p.tell(func(s *Progress) { s.Failed++; s.Before++; s.Failure = failure })
		return
	}
	if p.Look && playable(err) {
		return
	}
	p.tell(func(s *Progress) { s.Running++ })
	if playable(err) {
		err = p.play(ctx, r, folder)
	}
	if err == nil {
		row, err = p.Sweep.Outcome(*r, folder)
	}
	switch {
	case err == nil:
		p.rows[i] = row
		_ = os.Remove(p.failurePath(r)) // of an earlier session; without a failure there is none
		p.tell(func(s *Progress) { s.Running--; s.Done++; s.Simulate += row.Seconds })
	case errors.Is(err, ErrInterrupted):
		p.tell(func(s *Progress) { s.Running-- })
	default:
		p.rows[i].Status = Failed
		failure := &Failure{r.Index, r.Key, err.Error()}
		if err := p.record(r, failure); err != nil {
			failure.Text += fmt.Sprintf("\n(and that could not be recorded: %v)", err)
		}
		p.tell(func(s *Progress) { s.Running--; s.Failed++; s.Failure = failure })
	}
}

// playable tells whether a run can be played on, as what is in its folder has it.
func playable(err error) bool {
	return errors.Is(err, runfolder.ErrNoRun) || errors.Is(err, ErrUnfinished)
}

const (
	// mostDeaths is how often in a row a child may be killed without getting any further.
	mostDeaths = 5
	// busyWait is the time between looks at a folder that another process writes.
	busyWait = 100 * time.Millisecond
)

// play has children play a run until it is complete. A child that is killed is replaced by another, which goes on from
// the last checkpoint, unless that leads nowhere.
func (p *Pool) play(ctx context.Context, r *Run, folder string) error {
	deaths, reached := 0, -1
	for {
		if ctx.Err() != nil {
			return ErrInterrupted
		}
		err := p.Sweep.Play(ctx, p.Program, *r, folder, p.More...)
		switch {
		case errors.Is(err, ErrInterrupted) && ctx.Err() == nil: // by somebody else
		case errors.Is(err, ErrKilled):
			if now := newestStep(folder); now > reached {
				deaths, reached = 0, now
			}
			if deaths++; deaths == mostDeaths {
				return fmt.Errorf("%w %d times without getting any further; is there enough memory?", err, deaths)
			}
		case errors.Is(err, ErrBusy):
			select {
			case <-ctx.Done():
			case <-time.After(busyWait):
			}
		default:
			return err
		}
		if _, err := p.Sweep.Outcome(*r, folder); err == nil {
			return nil // another process, or the one that was killed, has completed it
		}
	}
}

// newestStep returns the step of the newest checkpoint; -1 without any.
func newestStep(folder string) int {
	f, err := runfolder.Open(folder)
	if err != nil {
		return -1
	}
	c, _, err := f.Newest(nil)
	if err != nil || c == nil {
		return -1
	}
	return c.Step
}

// failed returns the recorded failure of a run, or nil.
func (p *Pool) failed(r *Run) *Failure {
	data, err := os.ReadFile(p.failurePath(r))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f := &Failure{}
	if err != nil || json.Unmarshal(data, f) != nil || f.Key != r.Key {
		return nil // it is found out again
	}
	f.Index = r.Index
	return f
}

// record writes down why a run failed.
func (p *Pool) record(r *Run, f *Failure) error {
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteFile(p.failurePath(r), func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}
