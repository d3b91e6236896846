package knits

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/yarn"
)

// Store is a folder of states that scenes have come to. Each scene has a folder in it, named by the scene and a key of
// all that it begins with: t-T.state for times T [ms], and making.state, from which making one goes on.
type Store struct {
	Dir  string
	CPU  func() time.Duration // that this process has used
	Tell func(*State)         // of each piece of time; may be nil
}

// State says how a scene came to its state, in steps as long as its yarns allowed. It is the first line of a file, and
// the snapshot follows.
type State struct {
	Time    float64 `json:"time"`  // simulated [s]
	Steps   int     `json:"steps"` // since the start, as all that follows
	Retries int     `json:"retries"`
	Slips   int     `json:"slips"`
	Closest float64 `json:"closest"` // distance of yarns over their diameter
	Speed   float64 `json:"speed"`   // of their points now, rms [m/s]
	CPU     float64 `json:"cpu"`     // [s]

	Snapshot []byte `json:"-"`
}

const (
	makingFile      = "making.state"
	checkpointEvery = time.Minute
)

// Folder returns where states of a scene that was just built are kept.
func (s *Store) Folder(w *World) string {
	sum := sha256.New()
	_, _ = sum.Write(w.Snapshot()) // a hash takes all
	for _, o := range w.Obstacles {
		fmt.Fprintf(sum, "%+v", o)
		if o.Motion != nil {
			fmt.Fprint(sum, o.Motion.At(0.1), o.Motion.At(1), o.Motion.At(w.Settle+0.1))
		}
	}
	return filepath.Join(s.Dir, w.Name+"-"+hex.EncodeToString(sum.Sum(nil))[:12])
}

// Reach brings a scene that was just built to a time [s], a multiple of 2.5 ms, or as near as that comes. What was made
// before is not made again.
func (s *Store) Reach(ctx context.Context, w *World, to float64) (*State, error) {
	// folder, and the file of that time
	folder := s.Folder(w)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	want := int(math.Round(to * piecesPerSecond))
	path := filepath.Join(folder, fmt.Sprintf("t-%g.state", 1000*float64(want)/piecesPerSecond))
	// latest state that is kept
	now, err := latest(folder, want)
	if err != nil {
		return nil, err
	}
	if now.Snapshot != nil {
		if err := w.Restore(now.Snapshot); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
	}
	if _, err := os.Stat(path); err == nil && now.piece() == want {
		return now, nil
	}
	// on from there, with a checkpoint now and then
	saved := time.Now()
	for now.piece() < want {
		if err := s.advance(w, now); err != nil {
			return nil, err
		}
		if stop := ctx.Err(); stop != nil || time.Since(saved) > checkpointEvery {
			if err := now.write(filepath.Join(folder, makingFile), w); err != nil || stop != nil {
				return nil, errors.Join(stop, err)
			}
			saved = time.Now()
		}
	}
	return now, now.write(path, w)
}

// latest returns the latest state in a folder that is not later than wanted, or the beginning, without a snapshot.
func latest(folder string, want int) (*State, error) {
	now := &State{Closest: 1}
	files, err := filepath.Glob(filepath.Join(folder, "*.state"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		s, err := readState(file)
		if err != nil {
			return nil, err
		}
		if s.piece() <= want && s.piece() >= now.piece() {
			now = s
		}
	}
	return now, nil
}

// piece returns how many pieces of time have passed.
func (s *State) piece() int { return int(math.Round(s.Time * piecesPerSecond)) }

// advance takes the steps of one piece of time.
func (s *Store) advance(w *World, now *State) error {
	began := s.CPU()
	err := w.Piece(func(step *yarn.Stats) {
		now.Steps++
		now.Retries += step.Retries
		now.Slips += len(step.Slips)
		now.Closest = min(now.Closest, step.Contact.Closest)
	})
	now.Time, now.Speed = w.Time(), w.speed()
	now.CPU += (s.CPU() - began).Seconds()
	if s.Tell != nil {
		s.Tell(now)
	}
	return err
}

func (w *World) speed() float64 {
	sum := 0.0
	for _, v := range w.Velocities() {
		sum += v.Norm2()
	}
	return math.Sqrt(sum / float64(len(w.Velocities())))
}

// write saves where a scene is.
func (s *State) write(path string, w *World) error {
	s.Snapshot = w.Snapshot()
	head, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return disk.WriteFile(path, func(out io.Writer) error {
		if _, err := out.Write(append(head, '\n')); err != nil {
			return err
		}
		_, err := out.Write(s.Snapshot)
		return err
	})
}

func readState(path string) (*State, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	head, snapshot, _ := bytes.Cut(data, []byte("\n"))
	s := &State{Snapshot: snapshot}
	if err := json.Unmarshal(head, s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
