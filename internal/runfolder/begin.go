package runfolder

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Begin takes the folder dir for a run of m: a new one, or one of the same manifest to go on with.
// Resume must come next. If dir holds another run, the error wraps ErrOtherRun and says what differs;
// with force, that run is removed and a new one begun.
func Begin(dir string, m Manifest, force bool) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, explain(err)
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	w := &Writer{Folder: Folder{Dir: dir}, lock: lock}
	if err := w.begin(m, force); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func lockFolder(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockName)
	f, held, err := takeLock(path)
	if held {
		who := ""
		if text, _, err := readWhole(path, maxLock); err == nil && len(text) > 0 {
			who = " (" + strings.TrimSpace(string(text)) + ")"
		}
		return nil, fmt.Errorf("%s: %w%s; wait for it, stop it, or give another folder with -o", dir, ErrLocked, who)
	}
	if err != nil {
		return nil, explain(err)
	}
	// Who has the lock is a courtesy to the one who does not get it. A disk too full for it will
	// be met again by the first file that matters.
	host, _ := os.Hostname()
	_ = f.Truncate(0)
	_, _ = f.WriteAt(fmt.Appendf(nil, "process %d on %s\n", os.Getpid(), host), 0)
	return f, nil
}

func (w *Writer) begin(m Manifest, force bool) error {
	data, err := m.encode()
	if err != nil {
		return err
	}
	// what interrupted writes have left and, if asked for, the old run
	if err := w.removeTemps(); err != nil {
		return err
	}
	if force {
		if err := w.clear(); err != nil {
			return err
		}
	}
	// the run that is there
	old, err := Open(w.Dir)
	switch {
	case errors.Is(err, ErrNoRun):
		// none: a new one begins
		if !force {
			if err := w.refuseStray(); err != nil {
				return err
			}
		}
		if err := writeAtomic(filepath.Join(w.Dir, ManifestName), data); err != nil {
			return err
		}
	case err != nil:
		return fmt.Errorf("%w; give another folder with -o, or start over with --force", err)
	default:
		// it must be this run, or one that this run makes longer
		differences := old.Manifest.Differences(&m, "there", "here")
		if old.Manifest.Program != m.Program {
			differences = append(differences, fmt.Sprintf("program: %.16s there, %.16s here (SHA-256 of the executable): "+
				"the other one may compute something else", cmp.Or(old.Manifest.Program, "unknown"), cmp.Or(m.Program, "unknown")))
		}
		switch {
		case differences == nil:
			m.Digest = old.Manifest.Digest
		case m.extends(&old.Manifest):
			if err := w.extend(old, &m, data); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s: %w:\n  %s\ngive another folder with -o, or replace that run with --force",
				w.Dir, ErrOtherRun, strings.Join(differences, "\n  "))
		}
	}
	// manifest, identity and folders of the run
	w.Manifest = m
	if w.run, err = m.identity(); err != nil {
		return err
	}
	for _, sub := range []string{FramesName, CheckpointName} {
		if err := os.MkdirAll(filepath.Join(w.Dir, sub), 0o755); err != nil {
			return explain(err)
		}
	}
	return nil
}

// extend makes the run in the folder, which is one of old, a longer one, whose run.json is given.
func (w *Writer) extend(old *Folder, m *Manifest, data []byte) error {
	if err := writeAtomic(filepath.Join(w.Dir, ManifestName), data); err != nil {
		return err
	}
	w.note("the run goes on to frame %d, after %d", m.Time.Frames-1, old.Manifest.Time.Frames-1)
	return nil
}

// refuseStray protects files that only look like a run's.
func (w *Writer) refuseStray() error {
	for _, name := range []string{FramesName, CheckpointName, StatsName, ObstaclesName} {
		if _, err := os.Lstat(filepath.Join(w.Dir, name)); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf(
				"%s: it has %s but no %s, so it is not a run folder; give another folder with -o, or --force to use it all the same",
				w.Dir,
				name,
				ManifestName,
			)
		}
	}
	return nil
}

func (w *Writer) removeTemps() error {
	for _, sub := range []string{"", FramesName, CheckpointName, ProblemsName} {
		names, err := removeTemps(filepath.Join(w.Dir, sub))
		if err != nil {
			return err
		}
		for _, n := range names {
			w.note("removed %s, left half written", filepath.Join(sub, n))
		}
	}
	return nil
}

// clear removes what this package writes, and nothing else. The manifest goes last, so that a clear
// that was cut short can be told from a folder that was never a run's.
func (w *Writer) clear() error {
	if err := errors.Join(w.cutFrames(-1), w.cutCheckpoints(-1), w.cutProblems()); err != nil {
		return err
	}
	for _, name := range []string{DressingName, DressedName, ObstaclesName, StatsName, ManifestName} {
		if err := os.Remove(filepath.Join(w.Dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, name := range []string{FramesName, CheckpointName, ProblemsName} {
		_ = os.Remove(filepath.Join(w.Dir, name)) // a directory with something else in it stays
	}
	return nil
}

// cutProblems removes all contact problems.
func (w *Writer) cutProblems() error {
	steps, err := numbered(filepath.Join(w.Dir, ProblemsName), problemExt, 9)
	if err != nil {
		return err
	}
	for _, n := range steps {
		if err := os.Remove(w.ProblemPath(n)); err != nil {
			return err
		}
	}
	return nil
}
