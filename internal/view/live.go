package view

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/toile-sim/toile/internal/runfolder"
)

// A run folder as it is at the moment.
//
// Runs write frames one after the other and rename each into its place whole. So it is enough to list them once, and
// then to look whether the next one is there. Three things undo this: the run is replaced (another run.json), resumed
// from an earlier checkpoint (its last frames go and come again, with the same bits), or removed. They are seen because
// run.json is another file or the last frame is gone; then everything is listed again.

const (
	// lookEvery is the time between looks at the disk: a run is shown that much later, at most.
	lookEvery = 150 * time.Millisecond
	// askEvery is the time between questions whether somebody writes the folder; see runfolder.Folder.Busy.
	askEvery = 2 * time.Second
	// goodSteps is how many frames are searched for ahead at one look, so that a look ends.
	goodSteps = 10_000
)

// live keeps up with a folder.
type live struct {
	dir   string
	every time.Duration

	mu     sync.Mutex
	looked time.Time
	stamp  fs.FileInfo // of run.json
	now    *run        // nil without one
	err    error       // why there is none
	tail   *runfolder.Tail

	grown time.Time // when the last frame was found
	asked time.Time // when Busy was asked
	busy  bool
}

// run is a run as it was at one look. It does not change; what is appended to frames later is not part of it.
type run struct {
	id     string
	folder *runfolder.Folder
	reader *runfolder.RawReader
	frames []int // present, ascending
	busy   bool  // somebody writes it, unless it is complete
}

func newLive(dir string) *live { return &live{dir: dir, every: lookEvery} }

// look returns the run as it is now, or why there is none: fs.ErrNotExist while it has not begun.
func (l *live) look() (*run, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); l.looked.IsZero() || now.Sub(l.looked) >= l.every {
		l.refresh(now)
		l.looked = time.Now()
	}
	if l.err != nil {
		return nil, l.err
	}
	current := *l.now
	return &current, nil
}

func (l *live) refresh(now time.Time) {
	stamp, err := os.Stat(filepath.Join(l.dir, runfolder.ManifestName))
	if err != nil {
		l.forget(err)
		return
	}
	if !stamp.Mode().IsRegular() {
		l.forget(fmt.Errorf("%s is not a file", runfolder.ManifestName))
		return
	}
	if l.now == nil || !os.SameFile(stamp, l.stamp) || stamp.ModTime() != l.stamp.ModTime() ||
		stamp.Size() != l.stamp.Size() {
		l.open(stamp)
		if l.err != nil {
			return
		}
	}
	l.follow(now)
	l.ask(now)
}

// forget drops what was known, because of err.
func (l *live) forget(err error) {
	l.now, l.stamp, l.tail, l.err = nil, nil, nil, err
}

// open begins with another run.json.
func (l *live) open(stamp fs.FileInfo) {
	folder, err := runfolder.Open(l.dir)
	if errors.Is(err, runfolder.ErrNoRun) {
		err = fs.ErrNotExist // it went since it was looked at
	}
	if err != nil {
		l.forget(err)
		return
	}
	l.stamp, l.err, l.asked, l.grown = stamp, nil, time.Time{}, time.Time{}
	l.tail = folder.Tail()
	l.now = &run{id: runID(folder), folder: folder, reader: folder.RawReader()}
	l.list()
}

// runID names a run for addresses that browsers may keep for ever: runs of equal manifests have equal frames, and the
// leading number says how frames are laid out.
func runID(f *runfolder.Folder) string {
	return fmt.Sprintf("%d-%.24s", layoutVersion, f.Manifest.Digest)
}

// list finds all frames.
func (l *live) list() {
	frames, err := l.now.folder.Frames()
	if err != nil {
		l.forget(err)
		return
	}
	l.now.frames = frames
}

// follow finds the frames that came or went since the last look.
func (l *live) follow(now time.Time) {
	r := l.now
	if n := len(r.frames); n > 0 && !there(r.folder.FramePath(r.frames[n-1])) {
		l.list()
		if l.err != nil {
			return
		}
	}
	next := 0
	if n := len(r.frames); n > 0 {
		next = r.frames[n-1] + 1
	}
	// Frames come in order; only the first may begin anywhere, when others were removed.
	for i := 0; i < goodSteps && there(r.folder.FramePath(next)); i++ {
		r.frames = append(r.frames, next)
		next++
		l.grown = now
	}
}

func there(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// ask finds out whether somebody writes the run. Frames that keep coming are proof enough.
func (l *live) ask(now time.Time) {
	switch {
	case l.err != nil:
	case now.Sub(l.grown) < askEvery:
		l.busy = true
	case l.asked.IsZero() || now.Sub(l.asked) >= askEvery:
		l.busy, l.asked = l.now.folder.Busy(), now
	}
	if l.now != nil {
		l.now.busy = l.busy
	}
}

// table returns the statistics as they are now.
func (l *live) table() (runfolder.Table, error) {
	if _, err := l.look(); err != nil {
		return runfolder.Table{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.tail == nil {
		return runfolder.Table{}, fs.ErrNotExist
	}
	if err := l.tail.Refresh(); err != nil {
		return runfolder.Table{}, err
	}
	// Rows are only ever added behind these.
	return runfolder.Table{Columns: l.tail.Columns, Values: slices.Clone(l.tail.Values)}, nil
}

// complete reports whether the run has ended: its last frame is there or, in one that may end early or keeps no frames,
// its last checkpoint.
func (r *run) complete() bool {
	m := &r.folder.Manifest
	if n := len(r.frames); n > 0 && r.frames[n-1] >= m.Time.Frames-1 {
		return true
	}
	if len(m.Stop) == 0 && m.Keep != runfolder.KeepStats {
		return false
	}
	done, err := r.folder.Complete()
	return err == nil && done
}

// has reports whether frame n is there.
func (r *run) has(n int) bool {
	_, ok := slices.BinarySearch(r.frames, n)
	return ok
}

// nearest returns the frame present that is nearest to n, the earlier of two; there must be one.
func (r *run) nearest(n int) int {
	i, ok := slices.BinarySearch(r.frames, n)
	switch {
	case ok || i == 0:
		return r.frames[i]
	case i == len(r.frames) || n-r.frames[i-1] <= r.frames[i]-n:
		return r.frames[i-1]
	}
	return r.frames[i]
}

// plain says an error without the path of the folder, which is nobody's business but the owner's.
func (l *live) plain(err error) string {
	return strings.ReplaceAll(err.Error(), l.dir+string(filepath.Separator), "")
}

// absent is the answer where there is no run to look at.
func (l *live) absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return faulty(404, "There is no run in this folder yet; it will be shown when it begins.")
	}
	return faulty(500, "The run cannot be read: %s.", l.plain(err))
}
