package meshio

// Deforming meshes.
//
// A sequence is one mesh in many frames. Frame i is at the time
//
//	t_i = Start + i Step/FPS      files (Step = 1) and PC2
//	t_i = Start + i/FPS           MDD, if FPS is given
//	t_i = Start + τ_i − τ_0       MDD otherwise, τ being the times in the file
//
// and between frames every vertex moves on a straight line at constant speed. Before the first and after
// the last frame the mesh stands still.
//
// Frames are read when they are asked for, in any order; the last four are kept, which is enough for
// both ends of a time step wherever it lies. What At gives depends on the time and on the files only,
// never on what was asked before: this is what lets a resumed run go on bit for bit. Every file must
// therefore stay as it was when the sequence was opened, and one that has changed is an error.
//
// Vertices keep the order of the file, and nothing is welded, because which vertices are at the same
// position may differ from frame to frame. Exporters that split vertices at hard edges, by normals that
// differ from frame to frame, make this useless: their vertices change in number and in order. For these
// there is Weld. Each frame is then welded for itself and its vertices numbered in the order in which
// triangles use them, which is the same in all frames if the triangles are. Where two vertices meet in
// one frame and not in another, the triangles differ, and that is an error, as without Weld.

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sort"

	"github.com/toile-sim/toile/internal/format/caches"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/r3"
)

// SequenceSpec says where the frames of a deforming mesh are. Either Files or Cache is set.
type SequenceSpec struct {
	// Files is the path of a series of OBJ, PLY or GLB files with a place for the number of the frame in
	// its last part: body.####.obj has four digits or more, body_%04d.ply as well, body%d.glb any number.
	Files string
	// First and Last are the numbers of the first and the last file, not negative.
	First, Last int
	// Cache is the path of a PC2 or MDD file.
	Cache string
	// Base is the path of a mesh file with the triangles of Cache. Its vertices are those of the cache
	// in the same order; where they are does not matter.
	Base string
	// FPS is the number of frames in a second, positive. For an MDD file 0 means the times in the file.
	FPS float64
	// Start is the time of the first frame [s].
	Start float64
	// Up is the upward axis of the frames. UpByFormat is Z for caches.
	Up Axis
	// Unit is the length of one unit of the frames [m], positive.
	Unit float64
	// Weld joins vertices at exactly the same position in each of Files, leaves out those without a
	// triangle, and numbers the rest in the order in which triangles use them.
	Weld bool
}

// DefaultSequenceSpec returns a spec in metres that starts at time 0 and has no files yet.
func DefaultSequenceSpec() SequenceSpec { return SequenceSpec{Unit: 1} }

// validate lists everything wrong with the spec. It looks at no file.
func (s *SequenceSpec) validate() error {
	// axes and unit
	faults := frameFaults(s.Up, s.Unit)
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	ownTimes := false
	// either numbered files, or a cache with its mesh
	switch {
	case (s.Files == "") == (s.Cache == ""):
		add("either Files or Cache must be set")
	case s.Files != "":
		if _, err := NumberedFile(s.Files, 0); err != nil {
			add("%v", err)
		} else if _, err := FormatOf(s.Files); err != nil {
			add("%v", err)
		}
		if s.First < 0 || s.Last < s.First {
			add("frames %d to %d; the first must not be negative nor beyond the last", s.First, s.Last)
		}
		if s.Base != "" {
			add("Base is for a Cache; Files have their own triangles")
		}
	default:
		layout, err := caches.LayoutOf(s.Cache)
		if err != nil {
			add("%v", err)
		}
		// some caches have times of their own
		ownTimes = err == nil && layout.TimesAt > 0
		if s.Weld {
			add("Weld is for Files; the points of a Cache are those of its Base")
		}
		if s.Base == "" {
			add("a Cache needs a Base, a mesh file with its triangles")
		}
	}
	// times of frames
	if !(s.FPS > 0 || ownTimes && s.FPS == 0) || math.IsInf(s.FPS, 1) {
		add("FPS is %v, it must be a positive number of frames in a second", s.FPS)
	}
	if !model.Finite64(s.Start) {
		add("Start is %v, it must be a time in seconds", s.Start)
	}
	return model.JoinFaults("sequence", faults)
}

// frameSource reads any frame of a sequence.
type frameSource interface {
	Frame(i int, out []r3.Vec) error
	Close() error
}

// keptFrames is how many frames are in memory: two for each end of a time step.
const keptFrames = 4

// farthest bounds the coordinates of a sequence [m], so that differences of them are finite.
const farthest = 1e100

// Sequence is a deforming mesh, read frame by frame: the memory it takes does not grow with the number of
// frames, but for a few bytes for each. It is for one goroutine at a time.
type Sequence struct {
	source    frameSource
	name      string // file or pattern, for errors
	triangles [][3]int32
	vertices  int
	frames    int
	start     float64   // time of the first frame [s]
	rate      float64   // frames in a second
	times     []float64 // of each frame [s], instead of rate

	kept [keptFrames]struct {
		frame int // -1 if there is none
		pos   []r3.Vec
	}
}

// OpenSequence opens a deforming mesh and reads its triangles. Of a series all files must be there; what
// is in them is looked at when they are read. Close it after use.
func OpenSequence(spec SequenceSpec) (*Sequence, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	var s *Sequence
	var err error
	if spec.Files != "" {
		s, err = openSeries(&spec)
	} else {
		s, err = openCached(&spec)
	}
	if err != nil {
		return nil, err
	}
	s.start = spec.Start
	for i := range s.kept {
		s.kept[i].frame = -1
	}
	return s, nil
}

// openCached opens a cache and its base.
func openCached(spec *SequenceSpec) (*Sequence, error) {
	// base and cache
	base, err := ReadFile(spec.Base, DefaultReadOptions())
	if err != nil {
		return nil, err
	}
	opt := DefaultReadOptions()
	opt.Up, opt.Unit = spec.Up, spec.Unit
	c, err := OpenPointCache(spec.Cache, opt)
	if err != nil {
		return nil, err
	}
	// triangles of the one, positions of the other
	s := &Sequence{
		source:    c,
		name:      spec.Cache,
		triangles: base.Triangles,
		vertices:  c.Points,
		frames:    c.Frames,
		rate:      spec.FPS,
	}
	// same number of points, and times of frames
	switch {
	case c.Points != len(base.Positions):
		err = c.reader.Fail(
			-1,
			"the cache has %d points, but its base %s has %d vertices; they must be the same, in the same order",
			c.Points,
			spec.Base,
			len(base.Positions),
		)
	case c.reader.Layout.TimesAt == 0:
		s.rate = spec.FPS / c.Step
	case spec.FPS == 0:
		err = s.takeTimes(c, spec.Start)
	}
	if err != nil {
		_ = c.Close() // nothing was written
		return nil, err
	}
	return s, nil
}

// takeTimes takes the times of an MDD file, which must ascend.
func (s *Sequence) takeTimes(c *PointCache, start float64) error {
	s.times = make([]float64, c.Frames)
	for i, t := range c.Times {
		s.times[i] = start + (t - c.Times[0])
		if !model.Finite64(t) || i > 0 && !(s.times[i] > s.times[i-1]) {
			return c.reader.Fail(
				c.reader.Layout.TimesAt+4*int64(i),
				"frame %d is at %v s, which is not after the frame before it; "+
					"give the frames in a second to do without the times in the file",
				i,
				t,
			)
		}
	}
	return nil
}

// Triangles returns the triangles of all frames, indices of vertices. They are not to be changed.
func (s *Sequence) Triangles() [][3]int32 { return s.triangles }

// Vertices returns the number of vertices.
func (s *Sequence) Vertices() int { return s.vertices }

// Frames returns the number of frames.
func (s *Sequence) Frames() int { return s.frames }

// Duration returns the time from the first to the last frame [s].
func (s *Sequence) Duration() float64 {
	if s.times != nil {
		return s.times[s.frames-1] - s.times[0]
	}
	return float64(s.frames-1) / s.rate
}

// Close closes what is open.
func (s *Sequence) Close() error { return s.source.Close() }

// Check reads every frame, and says what is wrong with the first that cannot be read or has other triangles.
func (s *Sequence) Check() error {
	out := make([]r3.Vec, s.vertices)
	for i := range s.frames {
		if err := s.source.Frame(i, out); err != nil {
			return err
		}
	}
	return nil
}

// At puts the positions of all vertices at time t [s] into out [m]. It panics if out is not as long as
// there are vertices. After an error out is of no use, but the sequence is.
func (s *Sequence) At(t float64, out []r3.Vec) error {
	if len(out) != s.vertices {
		panic(fmt.Sprintf("meshio: %d vertices of a sequence into %d", s.vertices, len(out)))
	}
	if !model.Finite64(t) {
		return &Error{File: s.name, Offset: -1, Msg: fmt.Sprintf("there is no frame at time %v", t)}
	}
	i, w := s.locate(t)
	a, err := s.frame(i)
	if err != nil {
		return err
	}
	if w == 0 {
		copy(out, a)
		return nil
	}
	b, err := s.frame(i + 1)
	if err != nil {
		return err
	}
	for k, p := range a {
		out[k] = p.AddScaled(w, b[k].Sub(p)) // exact where a vertex stands still
	}
	return nil
}

// locate returns the frame at or before t and how far t is on the way to the next, in [0, 1).
func (s *Sequence) locate(t float64) (int, float64) {
	last := s.frames - 1
	if s.times != nil {
		i := sort.Search(s.frames, func(i int) bool { return s.times[i] > t }) - 1
		if i < 0 {
			return 0, 0
		}
		if i >= last {
			return last, 0
		}
		return i, (t - s.times[i]) / (s.times[i+1] - s.times[i])
	}
	at := (t - s.start) * s.rate
	if !(at > 0) {
		return 0, 0
	}
	if at >= float64(last) {
		return last, 0
	}
	i := math.Floor(at)
	return int(i), at - i
}

// frame returns the positions of frame i, which are valid until keptFrames others have been asked for.
func (s *Sequence) frame(i int) ([]r3.Vec, error) {
	k := &s.kept[i%keptFrames]
	if k.frame == i {
		return k.pos, nil
	}
	if k.pos == nil {
		k.pos = make([]r3.Vec, s.vertices)
	}
	k.frame = -1
	if err := s.source.Frame(i, k.pos); err != nil {
		return nil, err
	}
	for v, p := range k.pos {
		if !(p.MaxAbs() <= farthest) {
			return nil, &Error{
				File:   s.name,
				Offset: -1,
				Msg:    fmt.Sprintf("vertex %d of frame %d is at %v, too far away", v, i, p),
			}
		}
	}
	k.frame = i
	return k.pos, nil
}

// series is a numbered series of mesh files.
type series struct {
	spec      *SequenceSpec
	opt       ReadOptions
	stamps    []stamp // by frame
	triangles [][3]int32
	vertices  int
}

func openSeries(spec *SequenceSpec) (*Sequence, error) {
	r := &series{spec: spec, opt: DefaultReadOptions()}
	r.opt.Up, r.opt.Unit = spec.Up, spec.Unit
	for n := spec.First; n <= spec.Last; n++ {
		info, err := os.Stat(r.path(n - spec.First))
		if err != nil {
			return nil, fmt.Errorf("frame %d of %d to %d: %w", n, spec.First, spec.Last, err)
		}
		r.stamps = append(r.stamps, stampOf(info))
	}
	m, err := r.read(0)
	if err != nil {
		return nil, err
	}
	r.triangles, r.vertices = m.Triangles, len(m.Positions)
	return &Sequence{
		source: r, name: spec.Files, triangles: r.triangles, vertices: r.vertices,
		frames: len(r.stamps), rate: spec.FPS,
	}, nil
}

// path returns the file of frame i, counted from 0.
func (r *series) path(i int) string {
	path, err := NumberedFile(r.spec.Files, r.spec.First+i)
	if err != nil {
		panic(err) // the spec has been validated
	}
	return path
}

// read reads a file that must be as it was when the sequence was opened.
func (r *series) read(i int) (*Mesh, error) {
	path := r.path(i)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := r.stamps[i].same(path, info); err != nil {
		return nil, err
	}
	m, err := ReadFile(path, r.opt)
	if err == nil && r.spec.Weld {
		m.Positions = weldByUse(m.Positions, m.Triangles)
	}
	return m, err
}

// weldByUse joins vertices at the same position and numbers them in the order in which triangles use
// them. It changes the triangles and returns the positions.
func weldByUse(pos []r3.Vec, tri [][3]int32) []r3.Vec {
	to, n := model.Weld(pos, 0, nil)
	number := make([]int32, n) // from 1
	var out []r3.Vec
	for i := range tri {
		for k, v := range tri[i] {
			at := &number[to[v]]
			if *at == 0 {
				out = append(out, pos[v])
				*at = int32(len(out))
			}
			tri[i][k] = *at - 1
		}
	}
	return out
}

// Frame implements frameSource.
func (r *series) Frame(i int, out []r3.Vec) error {
	m, err := r.read(i)
	if err != nil {
		return err
	}
	what := ""
	switch {
	case len(m.Positions) != r.vertices:
		what = fmt.Sprintf("%d vertices instead of the %d", len(m.Positions), r.vertices)
	case len(m.Triangles) != len(r.triangles):
		what = fmt.Sprintf("%d triangles instead of the %d", len(m.Triangles), len(r.triangles))
	case !slices.Equal(m.Triangles, r.triangles):
		what = "other triangles than those"
	}
	if what != "" {
		return &Error{
			File:   r.path(i),
			Offset: -1,
			Msg: fmt.Sprintf("%s of %s; all frames must have the same triangles and the order of vertices kept. "+
				"Exporters that split vertices at normals or cut polygons anew in each frame break this: "+
				"export triangles without normals, or weld the frames", what, r.path(0)),
		}
	}
	copy(out, m.Positions)
	return nil
}

// Close implements frameSource: nothing is kept open.
func (r *series) Close() error { return nil }
