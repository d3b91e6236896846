// Package play runs one simulation on a worker: it brings the newest checkpoint from the store, runs toile in a sandbox
// in a folder of its own, uploads checkpoints by the clock and, at the end, the files and the manifest.
package play

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/toile-sim/toile/farm/sandbox"
	"github.com/toile-sim/toile/farm/store"
)

// Player runs simulations. It may be used by many goroutines.
type Player struct {
	Store      *store.Store
	Toile      string // the program
	Stamp      string // of its build
	Work       *Folder
	Limits     Limits
	Checkpoint time.Duration // longest time between uploads of checkpoints
	Untrusted  bool          // refuse to run outside a whole sandbox
	Log        *slog.Logger
}

// Limits of each run. Zero is no limit.
type Limits struct {
	sandbox.Limits
	Time time.Duration // by the clock
	Disk int64         // of its folder [bytes]
}

// Job is a run to play.
type Job struct {
	Key  string
	Read []string                     // files and folders that it reads
	Args func(folder string) []string // of toile, for a run into that folder
}

// FailedError is a run that failed by itself: trying again on another machine may help, though not often.
type FailedError struct{ Messages string }

func (e *FailedError) Error() string { return "the run failed: " + e.Messages }

// InputError is a run whose input is bad: trying again does not help.
type InputError struct{ Messages string }

func (e *InputError) Error() string { return "the input is bad: " + e.Messages }

// ErrStopped is a run that was asked to stop, and left a checkpoint.
var ErrStopped = errors.New("stopped")

// Play plays a run until it ends or stop is closed or ctx ends, and returns the hash of its manifest. Errors other than
// FailedError, InputError and ErrStopped are of the machine or the store, and say nothing about the run.
func (p *Player) Play(ctx context.Context, stop <-chan struct{}, job Job) (string, error) {
	folder, err := p.Work.Make(job.Key)
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	p.Log.Info("playing", "run", job.Key)
	r := &playing{Player: p, job: job, folder: folder, up: p.Store.NewUploader(), said: &tail{}}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := r.restore(ctx); err != nil {
		return "", stoppedOr(ctx, err)
	}
	// What an ending run leaves goes up even if it was asked to stop, but not for ever.
	if err := r.run(ctx); err != nil {
		return "", err
	}
	if err := r.checkKey(); err != nil {
		return "", err
	}
	late, done := context.WithTimeout(context.WithoutCancel(ctx), keepTrying)
	defer done()
	return r.finish(late)
}

func stoppedOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ErrStopped
	}
	return err
}

// playing is one run under way.
type playing struct {
	*Player
	job    Job
	folder string
	up     *store.Uploader
	said   *tail
	step   int // of the newest checkpoint that is in the store
}

// restore brings the folder to the newest checkpoint that is whole, or leaves it empty.
func (r *playing) restore(ctx context.Context) error {
	var found []*store.Manifest
	err := Persist(ctx, func() (err error) {
		var notes []string
		found, notes, err = r.Store.Checkpoints(ctx, r.job.Key, r.Stamp)
		for _, n := range notes {
			r.Log.Warn("checkpoint not used", "run", r.job.Key, "why", n)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, m := range found {
		err := r.fetch(ctx, m)
		if err == nil {
			r.step = m.Step
			r.Log.Info("resumed", "run", r.job.Key, "step", m.Step)
			return nil
		}
		if !store.Lasting(err) {
			return err
		}
		r.Log.Warn("checkpoint not used", "run", r.job.Key, "step", m.Step, "why", err)
		if err := empty(r.folder); err != nil {
			return err
		}
	}
	return nil
}

func (r *playing) fetch(ctx context.Context, m *store.Manifest) error {
	for _, f := range m.Files {
		if err := Persist(ctx, func() error { return r.up.Get(ctx, r.folder, f) }); err != nil {
			return err
		}
	}
	return nil
}

// run runs toile until it ends, and uploads checkpoints meanwhile.
func (r *playing) run(ctx context.Context) error {
	if ctx.Err() != nil {
		return ErrStopped
	}
	ended, process, err := r.start()
	if err != nil {
		return err
	}
	began := time.Now()
	tick := time.NewTicker(min(time.Second, r.Checkpoint))
	defer tick.Stop()
	saved := began
	for {
		select {
		case err := <-ended:
			return r.explain(err)
		case <-ctx.Done():
			return r.stop(process, ended)
		case <-tick.C:
		}
		if why := r.exceeded(began); why != "" {
			_ = process.Kill() // it may have ended just now
			<-ended
			return &FailedError{why}
		}
		if time.Since(saved) >= r.Checkpoint {
			saved = time.Now()
			if err := r.save(ctx); err != nil && ctx.Err() == nil {
				r.Log.Warn("checkpoint not uploaded", "run", r.job.Key, "why", err)
			}
		}
	}
}

// start starts toile. It dies with the thread that started it, which therefore waits for it, and so with the worker.
func (r *playing) start() (<-chan error, *os.Process, error) {
	fence := sandbox.Fence{Limits: r.Limits.Limits, Read: r.job.Read, Write: r.folder, Strict: r.Untrusted}
	cmd, err := sandbox.Command(fence, r.Toile, r.job.Args(r.folder)...)
	if err != nil {
		return nil, nil, err
	}
	cmd.Stderr = r.said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return nil, nil, err
	}
	return ended, cmd.Process, nil
}

// grace is how long a simulation has to finish its step and write a checkpoint.
const grace = 3 * time.Second

// stop asks toile to stop, and uploads the checkpoint that it leaves.
func (r *playing) stop(process *os.Process, ended <-chan error) error {
	_ = process.Signal(syscall.SIGTERM) // it may have ended just now
	var err error
	select {
	case err = <-ended:
	case <-time.After(grace):
		_ = process.Kill()
		err = <-ended
	}
	if err == nil {
		return nil // it had reached its end
	}
	ctx, cancel := context.WithTimeout(context.Background(), keepTrying)
	defer cancel()
	if err := Persist(ctx, func() error { return r.save(ctx) }); err != nil {
		r.Log.Warn("checkpoint not uploaded", "run", r.job.Key, "why", err)
	}
	return ErrStopped
}

// exceeded says which limit, of those that the kernel does not watch, the run went over.
func (r *playing) exceeded(began time.Time) string {
	if r.Limits.Time > 0 && time.Since(began) > r.Limits.Time {
		return fmt.Sprintf("it took longer than %v", r.Limits.Time)
	}
	if r.Limits.Disk > 0 && folderSize(r.folder) > r.Limits.Disk {
		return fmt.Sprintf("its folder grew over %d bytes", r.Limits.Disk)
	}
	return ""
}

// crash matches what the Go runtime says before it ends a program. Its exit code is then that of bad input.
var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |SIG[A-Z]+: )`)

// Exit codes of toile.
const (
	exitInput       = 2
	exitDoubted     = 3 // the run is complete
	exitInterrupted = 130
)

func (r *playing) explain(err error) error {
	if err == nil {
		return nil
	}
	messages := strings.ReplaceAll(strings.ReplaceAll(r.said.String(), r.folder, "DIR"), r.Work.path, "WORK")
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	switch {
	case exit.ExitCode() == sandbox.Refused:
		return errors.New(messages) // the machine's fault
	case exit.ExitCode() == exitInterrupted:
		return ErrStopped // by somebody else
	case exit.ExitCode() == exitDoubted:
		r.Log.Warn("played, and not what the scene says", "run", r.job.Key, "why", strings.TrimSpace(messages))
		return nil
	case exit.ExitCode() == exitInput && !crash.MatchString(messages):
		return &InputError{messages}
	}
	return &FailedError{fmt.Sprintf("%s (%v)", strings.TrimSpace(messages), exit)}
}

// save uploads the newest checkpoint, if there is a new one, and all that belongs to it. A checkpoint counts on files
// that were written before it, so it is chosen first; what has been written since does no harm.
func (r *playing) save(ctx context.Context) error {
	name, step := newestCheckpoint(r.folder)
	if name == "" || step <= r.step {
		return nil
	}
	m, err := r.upload(ctx, name)
	if err != nil {
		return err
	}
	m.Step = step
	if err := r.Store.PutCheckpoint(ctx, m); err != nil {
		return err
	}
	r.step = step
	r.Log.Info("checkpoint", "run", r.job.Key, "step", step)
	return nil
}

// upload uploads the files of the folder, the checkpoint called name first and no other.
func (r *playing) upload(ctx context.Context, name string) (*store.Manifest, error) {
	names, err := files(r.folder)
	if err != nil {
		return nil, err
	}
	m := &store.Manifest{Key: r.job.Key, Stamp: r.Stamp}
	if name != "" {
		names = append([]string{name}, names...)
	}
	for _, name := range names {
		f, err := r.up.Put(ctx, r.folder, name)
		if err != nil {
			return nil, err
		}
		m.Files = append(m.Files, f)
	}
	return m, nil
}

// checkKey makes sure that what was played is what was asked for.
func (r *playing) checkKey() error {
	data, err := os.ReadFile(filepath.Join(r.folder, "run.json"))
	if err != nil {
		return &FailedError{"it left no run.json"}
	}
	var run struct {
		Key string `json:"key"`
	}
	if err := json.Unmarshal(data, &run); err != nil || run.Key != r.job.Key {
		return &InputError{fmt.Sprintf("it has the key %.16q and was submitted as %.16q", run.Key, r.job.Key)}
	}
	return nil
}

// finish uploads the files of a run that has ended and then its manifest.
func (r *playing) finish(ctx context.Context) (string, error) {
	var hash string
	err := Persist(ctx, func() error {
		name, _ := newestCheckpoint(r.folder) // tells that the run is complete
		m, err := r.upload(ctx, name)
		if err != nil {
			return err
		}
		hash, err = r.Store.PutRun(ctx, m)
		return err
	})
	if err != nil {
		return "", err
	}
	if r.step > 0 {
		if err := r.Store.RemoveCheckpoints(ctx, r.job.Key); err != nil {
			r.Log.Warn("checkpoints of a finished run stay until gc", "run", r.job.Key, "why", err)
		}
	}
	r.Log.Info("played", "run", r.job.Key)
	return hash, nil
}

// keepTrying is how long an operation on the store is tried again before somebody else is left to try.
const keepTrying = 5 * time.Minute

// Persist repeats an operation on the store while it fails for a reason that may pass.
func Persist(ctx context.Context, operation func() error) error {
	ctx, cancel := context.WithTimeout(ctx, keepTrying)
	defer cancel()
	wait := 200 * time.Millisecond
	for {
		err := operation()
		if err == nil || store.Lasting(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
		wait = min(2*wait, 5*time.Second)
	}
}

// Names in a run folder, as docs/run-folder.md has them.
const (
	checkpointFolder = "checkpoints"
	checkpointEnding = ".ckpt"
)

// newestCheckpoint returns the name of the newest checkpoint of a run folder and its step, "" if there is none.
func newestCheckpoint(folder string) (string, int) {
	entries, err := os.ReadDir(filepath.Join(folder, checkpointFolder))
	if err != nil {
		return "", 0
	}
	for i := len(entries) - 1; i >= 0; i-- { // by name, and so by step
		name, isCheckpoint := strings.CutSuffix(entries[i].Name(), checkpointEnding)
		var step int
		if _, err := fmt.Sscanf(name, "%d", &step); isCheckpoint && err == nil {
			return checkpointFolder + "/" + entries[i].Name(), step
		}
	}
	return "", 0
}

// files lists the files of a run folder that are worth keeping, without checkpoints, locks and what is half written.
func files(folder string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && d.Name() == checkpointFolder:
			return fs.SkipDir
		case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), "."):
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	return names, err
}

func folderSize(folder string) int64 {
	var size int64
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil // what vanishes meanwhile does not count
	})
	return size
}

func empty(folder string) error {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(folder, e.Name())))
	}
	return err
}
