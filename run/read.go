package run

import (
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Folder is a run folder. It may be read while the run is played.
type Folder struct{ folder *runfolder.Folder }

// Open opens a run folder.
func Open(dir string) (*Folder, error) {
	f, err := runfolder.Open(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{f}, nil
}

// Name returns what the scene calls itself.
func (f *Folder) Name() string { return f.folder.Manifest.Name }

// FPS returns the number of frames a second of the scene [1/s].
func (f *Folder) FPS() float64 { return f.folder.Manifest.Time.FPS }

// Frames returns the numbers of the frames present, ascending from 0, which shows the start.
func (f *Folder) Frames() ([]int, error) { return f.folder.Frames() }

// Complete reports whether the run has reached its last frame.
func (f *Folder) Complete() (bool, error) { return f.folder.Complete() }

// Frame is the state of a run at one moment, in single precision.
type Frame struct {
	Number int
	Time   float64 // [s]
	Step   int     // steps taken so far
	Hash   string  // of the state in double precision
	Bodies []Body  // cloths or yarns first, then other bodies that move by the laws of motion, then obstacles
}

// Body is what a frame shows of a body.
type Body struct {
	Name   string
	Kind   string         // cloth, solid, rigid or yarn; of obstacles their shape
	Pose   r3.Pose        // from the axes of Mesh to those of the scene
	Mesh   *meshio.Mesh   // with quantities at its vertices, such as the stretch; nil of yarns
	Curves *meshio.Curves // of yarns; nil of others
}

// Frame reads a frame, and checks that every byte is as it was written.
func (f *Folder) Frame(number int) (*Frame, error) {
	stored, err := f.folder.Frame(number)
	if err != nil {
		return nil, err
	}
	frame := &Frame{Number: stored.Number, Time: stored.Time, Step: stored.Step, Hash: stored.Hash}
	for i := range stored.Bodies {
		b := &stored.Bodies[i]
		frame.Bodies = append(frame.Bodies, Body{b.Name, string(b.Kind), b.Pose, b.Mesh, b.Curves})
	}
	return frame, nil
}

// Stats are the statistics of a run, one row for each step.
type Stats struct {
	Columns []string    // names with units, such as "residual [m/s]"
	Values  [][]float64 // by column, then by row; NaN where there is nothing to say
}

// Stats reads the statistics written so far.
func (f *Folder) Stats() (Stats, error) {
	t, err := f.folder.Stats()
	if err != nil {
		return Stats{}, err
	}
	return Stats{Columns: t.Columns, Values: t.Values}, nil
}

// Column returns a column by its name without the unit, or nil.
func (s *Stats) Column(name string) []float64 {
	return (&runfolder.Table{Columns: s.Columns, Values: s.Values}).Column(name)
}

// Diff compares two run folders, but for their clocks. It reports whether they are the same, and if not the first
// difference, in a few lines for people.
func Diff(a, b string) (same bool, difference string, err error) {
	d, err := player.Diff(a, b)
	if err != nil {
		return false, "", err
	}
	return d.Same, d.String(), nil
}
