package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
)

// Store is a folder of states. Each scene has a folder in it, named by the scene and a key of what it says and of the
// format of states: the scene, the files it names, dressed.state if it has garments, step-N.state for every step that
// is asked for, and making.state while one is made.
type Store struct {
	Dir string
	// Every is the longest time between checkpoints [wall clock].
	Every time.Duration
	// Dressing, if not nil, is called now and then while garments are sewn and put on, which has no checkpoints.
	Dressing func(dress.Dressing)

	folders map[string]string // of scenes that were asked for
}

const (
	dressedFile    = "dressed.state"
	checkpointFile = "making.state"
)

func stateFile(step int) string { return fmt.Sprintf("step-%d.state", step) }

// Folder returns where the scene of a case is kept, and makes it with what the scene says.
func (s *Store) Folder(c *Case) (string, error) {
	if folder, known := s.folders[c.Scene]; known {
		return folder, nil
	}
	all := c.files()
	format, err := stateFormat(all)
	if err != nil {
		return "", fmt.Errorf("case %s: %w", c.Name, err)
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(sum, "%s %d\n%s", name, len(all[name]), all[name])
	}
	_, _ = io.WriteString(sum, format) // a hash takes all
	folder := filepath.Join(s.Dir, c.Scene+"-"+hex.EncodeToString(sum.Sum(nil))[:12])
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	for name, text := range all {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.Size() == int64(len(text)) {
			continue
		}
		if err := write(path, []byte(text)); err != nil {
			return "", err
		}
	}
	if s.folders == nil {
		s.folders = map[string]string{}
	}
	s.folders[c.Scene] = folder
	return folder, nil
}

// stateFormat returns the line that states of a scene begin with. Those of meshes that change have another.
func stateFormat(all files) (string, error) {
	remesh := ""
	if strings.Contains(all[sceneFile], "remesh:") {
		remesh = "remesh: {size: [1 cm, 20 cm]}"
	}
	small := `toile: 1
time: {end: 1 s}
cloths:
  - {name: sheet, shape: {grid: {size: [1, 1], cells: [2, 2]}}, ` + remesh + `}
`
	parsed, err := scenefile.Parse(sceneFile, []byte(small), nil, nil)
	if err != nil {
		return "", err
	}
	built, err := build.World(parsed)
	if err != nil {
		return "", err
	}
	data, err := built.World.Snapshot().MarshalBinary()
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(line), err
}

func write(path string, data []byte) error {
	return disk.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeState writes a snapshot with a checksum behind it.
func writeState(path string, s *engine.Snapshot) error {
	data, err := s.MarshalBinary()
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	return write(path, append(data, sum[:]...))
}

// readState reads what writeState wrote.
func readState(path string) (*engine.Snapshot, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	size := len(data) - sha256.Size
	if size < 0 || sha256.Sum256(data[:size]) != [sha256.Size]byte(data[size:]) {
		return nil, fmt.Errorf("%s is cut short or damaged; delete it to have it made again", path)
	}
	var s engine.Snapshot
	if err := s.UnmarshalBinary(data[:size]); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &s, nil
}

// State returns the path of a case's state, and whether it is there.
func (s *Store) State(c *Case) (path string, made bool, err error) {
	folder, err := s.Folder(c)
	if err != nil {
		return "", false, err
	}
	path = filepath.Join(folder, stateFile(c.Step))
	if body := filepath.Join(folder, bodyFile); exists(body) {
		return body, true, nil
	}
	_, err = os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, false, nil
	}
	return path, err == nil, err
}

// Make makes the state of a case, and of those of its scene on the way there. It goes on from the furthest state or
// checkpoint that there is. When ctx is cancelled it writes a checkpoint and returns the error of ctx. Before every
// step it calls tell with the number of steps done.
func (s *Store) Make(ctx context.Context, c *Case, workers int, tell func(done int)) error {
	// the scene, open in its folder
	folder, err := s.Folder(c)
	if err != nil {
		return err
	}
	p, err := open(ctx, folder, workers, s.Dressing)
	if err != nil {
		return err
	}
	defer p.close()
	// steps to keep states of
	stops := map[int]bool{}
	for _, other := range Cases() {
		if other.Scene == c.Scene && other.Step <= c.Step {
			stops[other.Step] = true
		}
	}
	stops[c.Step] = true
	// on from what is there already
	checkpoint := filepath.Join(folder, checkpointFile)
	if err := p.resume(folder, stops, c.Step); err != nil {
		return err
	}
	saved := time.Now()
	for {
		// state of a step to keep
		done := p.done()
		tell(done)
		if path := filepath.Join(folder, stateFile(done)); stops[done] && !exists(path) {
			if err := writeState(path, p.world.Snapshot()); err != nil {
				return err
			}
		}
		// there: the checkpoint is of no more use
		if done >= c.Step {
			if err := os.Remove(checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
		// checkpoint now and then, and when stopped
		if ctx.Err() != nil || time.Since(saved) > s.Every {
			if err := writeState(checkpoint, p.world.Snapshot()); err != nil {
				return err
			}
			saved = time.Now()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// next step
		if err := p.world.Advance(p.h, p.h, nil); err != nil {
			return fmt.Errorf("case %s, step %d: %w", c.Name, done+1, err)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// play is a world that is played in steps of h.
type play struct {
	world *engine.World
	h     float64 // [s]
	files io.Closer
}

func (p *play) close() { _ = p.files.Close() } // read only

// done returns the number of steps of h since the start, however often one of them was halved.
func (p *play) done() int { return int(math.Round(p.world.Time() / p.h)) }

// open builds the world of a folder. Garments are put on first, unless that is done already.
func open(ctx context.Context, folder string, workers int, tell func(dress.Dressing)) (*play, error) {
	s, err := scenefile.Load(filepath.Join(folder, sceneFile), nil)
	if err != nil {
		return nil, err
	}
	var built *build.Built
	if s.Dresses() {
		built, err = wear(ctx, s, filepath.Join(folder, dressedFile), workers, tell)
	} else {
		built, err = build.World(s)
	}
	if err != nil {
		return nil, err
	}
	built.World.SetWorkers(workers)
	return &play{built.World, 1 / (s.Time.FPS * float64(s.Time.StepsPerFrame())), built}, nil
}

func wear(
	ctx context.Context, s *scenefile.Scene, path string, workers int, tell func(dress.Dressing),
) (*build.Built, error) {
	dressed := &dress.Dressed{}
	data, err := os.ReadFile(path)
	switch {
	case err == nil:
		err = dressed.UnmarshalBinary(data)
	case errors.Is(err, fs.ErrNotExist):
		if dressed, err = dress.Scene(ctx, s, dress.Options{Workers: workers, Tell: tell}); err != nil {
			return nil, err
		}
		if data, err = dressed.MarshalBinary(); err == nil {
			err = write(path, data)
		}
	}
	if err != nil {
		return nil, err
	}
	return dress.World(s, dressed)
}

// resume brings the world to the furthest state of the folder that is not beyond the given step.
func (p *play) resume(folder string, stops map[int]bool, last int) error {
	paths := []string{filepath.Join(folder, checkpointFile)}
	for stop := range stops {
		paths = append(paths, filepath.Join(folder, stateFile(stop)))
	}
	var furthest *engine.Snapshot
	for _, path := range paths {
		s, err := readState(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if int(math.Round(s.Time()/p.h)) <= last && (furthest == nil || s.Time() > furthest.Time()) {
			furthest = s
		}
	}
	if furthest == nil {
		return nil
	}
	return p.world.Restore(furthest)
}
