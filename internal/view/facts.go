package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/runfolder"
)

// runFacts is what /api/run answers.
type runFacts struct {
	ID      string           `json:"id"`
	Name    string           `json:"name"`
	Folder  string           `json:"folder"`
	State   State            `json:"state"`
	Message string           `json:"message"`
	Version string           `json:"version"`
	Build   *runfolder.Build `json:"build,omitempty"`

	FPS      float64 `json:"fps"`
	Interval float64 `json:"frameInterval"` // [s]
	Step     float64 `json:"step"`          // [s]
	End      float64 `json:"end"`           // [s]
	Total    int     `json:"frameTotal"`    // frames when it is finished

	First   int     `json:"firstFrame"`
	Last    int     `json:"lastFrame"` // -1 without one
	Count   int     `json:"frameCount"`
	Missing int     `json:"missing"`
	Time    float64 `json:"time"`  // of the newest frame looked at [s]
	Steps   int     `json:"steps"` // up to it
	Hash    string  `json:"hash"`  // of its state

	Tolerance float64      `json:"tolerance"` // of the contact solver [m/s]
	Ahead     *aheadFacts  `json:"ahead"`     // null if no step was looked at
	Loss      *lossFacts   `json:"loss"`      // null if nothing is known of it
	Bodies    []bodyFacts  `json:"bodies"`
	Bounds    *bounds      `json:"bounds"`
	Fields    []fieldFacts `json:"fields"`
	Scene     string       `json:"scene"`
}

// aheadFacts are how far one more linearization of a step would move points [m].
type aheadFacts struct {
	Mean  float64 `json:"mean"`
	Worst float64 `json:"worst"`
}

// lossFacts are what steps take by themselves.
type lossFacts struct {
	Rate    float64 `json:"rate"`    // of angular momentum [1/s]
	Energy  float64 `json:"energy"`  // [J]
	Damped  float64 `json:"damped"`  // by damping, as it should [J]
	Kinetic float64 `json:"kinetic"` // at most [J]
}

type bounds struct {
	Min [3]float64 `json:"min"` // [m]
	Max [3]float64 `json:"max"`
}

// run answers with the facts of the run.
func (s *Server) run(w http.ResponseWriter, r *http.Request) error {
	// a request without parameters
	if _, err := query(r); err != nil {
		return err
	}
	// whether there is a run, and what it holds
	facts := runFacts{Folder: folderName(s.live.dir), Last: -1, Bodies: []bodyFacts{}, Fields: []fieldFacts{}}
	current, err := s.live.look()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		facts.State, facts.Message = Running, fmt.Sprintf(
			"Waiting for a run: there is no %s in this folder yet.",
			runfolder.ManifestName,
		)
	case err != nil:
		facts.State, facts.Message = Failed, fmt.Sprintf("The run cannot be read: %s.", s.live.plain(err))
	default:
		facts.State, facts.Message = stateOf(current)
		facts.manifest(current)
		facts.frames(current, s.sample(current))
		// what its statistics tell of errors
		if t, err := s.live.table(); err == nil {
			if a := t.Ahead(); a.Steps > 0 {
				facts.Ahead = &aheadFacts{a.Mean, a.Worst}
			}
			if all := t.Losses(); len(all) > 0 {
				l := &all[0]
				facts.Loss = &lossFacts{l.Rate(), l.EnergyLost, l.Damped, l.Kinetic}
			}
		}
	}
	// whoever computes the run knows better how it stands
	if s.opt.Status != nil {
		status := s.opt.Status()
		facts.State = status.State
		if status.Message != "" {
			facts.Message = status.Message
		}
	}
	answerJSON(w, http.StatusOK, &facts)
	return nil
}

// folderName returns the last part of the folder's path.
func folderName(dir string) string {
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	return filepath.Base(dir)
}

// stateOf tells from the folder how a run is doing.
func stateOf(r *run) (State, string) {
	switch {
	case r.complete():
		return Finished, ""
	case r.busy && len(r.frames) == 0:
		return Running, "Garments are sewn, and scenes settled, before it."
	case r.busy:
		return Running, ""
	case len(r.frames) == 0:
		return Stopped, "The run has no frames; nobody is writing it."
	}
	return Stopped, fmt.Sprintf(
		"Stopped after frame %d of %d; run the same command again to go on.",
		r.frames[len(r.frames)-1],
		r.folder.Manifest.Time.Frames-1,
	)
}

// manifest fills in what does not change.
func (f *runFacts) manifest(r *run) {
	m := &r.folder.Manifest
	f.ID, f.Name, f.Version, f.Build = r.id, m.Name, m.Build.Version, &m.Build
	f.FPS, f.Step, f.Total = m.Time.FPS, m.Time.Step, m.Time.Frames
	if m.Time.FPS > 0 {
		f.Interval, f.End = 1/m.Time.FPS, float64(m.Time.Frames-1)/m.Time.FPS
	}
	var options struct {
		World struct{ Contact struct{ Tolerance float64 } }
	}
	if json.Unmarshal(m.Options, &options) == nil { // runs made otherwise have other options, or none
		f.Tolerance = options.World.Contact.Tolerance
	}
	var text bytes.Buffer
	if json.Indent(&text, m.Scene, "", "  ") == nil {
		f.Scene = text.String()
	}
}

// frames fills in what the frames tell.
func (f *runFacts) frames(r *run, s seen) {
	if n := len(r.frames); n > 0 {
		f.First, f.Last = r.frames[0], r.frames[n-1]
		f.Count = f.Last - f.First + 1
		f.Missing = f.Count - n
	}
	if s.newest == nil {
		return
	}
	f.Time, f.Steps, f.Hash, f.Bodies = s.newest.time, s.newest.step, s.newest.hash, s.newest.bodies
	if !s.box.Empty() {
		lo, hi := s.box.Min, s.box.Max
		f.Bounds = &bounds{[3]float64{lo.X, lo.Y, lo.Z}, [3]float64{hi.X, hi.Y, hi.Z}}
	}
	for _, field := range fields {
		if !slices.Contains(s.newest.fields, field.Name) {
			continue
		}
		if span, ok := s.ranges[field.Name]; ok {
			field.Range, field.Top = &[2]float32{span.lo, span.hi}, span.top()
		}
		if field.Kind == "state" {
			field.Range = &[2]float32{0, float32(len(field.Classes) - 1)}
		}
		f.Fields = append(f.Fields, field)
	}
}

// Sampling: the frames from whose sight the space and the ranges are told, beside those that were asked for.
const (
	samples    = 9
	sampleTime = 40 * time.Millisecond
)

// sample looks at the newest frame, and if it is the first time at some others, evenly spaced, while there is time. It
// returns what is known then. Frames that cannot be read are passed over: whoever asks for them is told why.
func (s *Server) sample(r *run) seen {
	n := len(r.frames)
	if n == 0 {
		return s.frames.known(r.id)
	}
	known := s.frames.known(r.id)
	last := r.frames[n-1]
	if known.newest == nil || known.newest.number != last || len(known.ranges) == 0 {
		s.measure(r, last)
	}
	if len(known.ranges) == 0 {
		began := time.Now()
		for i := 0; i < samples-1 && time.Since(began) < sampleTime; i++ {
			// 0, 1/2, 1/4, 3/4, ...: the best that can be had whenever the time is up.
			s.measure(r, r.frames[(n-1)*spread[i]/(samples-1)])
		}
	}
	return s.frames.known(r.id)
}

// measure takes in the ranges of all quantities of a frame.
func (s *Server) measure(r *run, n int) {
	f, err := s.frames.get(r, n)
	if err != nil {
		return
	}
	for i := range fields {
		s.frames.measure(r.id, fields[i].Name, f)
	}
}

// spread is an order of the eighths in which every beginning is spread well.
var spread = [samples - 1]int{0, 4, 2, 6, 1, 5, 3, 7}
