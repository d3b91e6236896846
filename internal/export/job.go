package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// job is an export that is under way.
type job struct {
	ctx    context.Context
	folder *runfolder.Folder
	opt    *Options
	ending string
	frames []int
	bodies []body
	first  *runfolder.Frame
	write  meshio.WriteOptions // axes and unit of the file
	result Result
}

// body is a body that is written.
type body struct {
	name    string
	kind    runfolder.Kind
	at      int            // its place in a frame
	entries int            // vertices in a frame
	mesh    *meshio.Mesh   // as it is written, with positions and normals of the current frame; of yarns, their points
	curves  *meshio.Curves // of yarns, with the points of mesh
	to      []int32        // the vertex in a frame of each vertex of mesh; nil if they are the same
}

// prepare finds out what is to be written.
func prepare(ctx context.Context, folder *runfolder.Folder, ending string, opt *Options) (*job, error) {
	j := &job{ctx: ctx, folder: folder, opt: opt, ending: ending}
	// what the format cannot hold
	pointCache := ending == ".pc2" || ending == ".mdd"
	switch {
	case opt.Mesh && !pointCache:
		return nil, usage("the mesh is written beside a point cache, .pc2 or .mdd; %s has its own", ending)
	case opt.Adaptive && ending != ".obj" && ending != ".ply":
		return nil, usage(
			"%s has one mesh for all frames; write meshes that change as .obj or .ply, or leave out --adaptive",
			ending,
		)
	case pointCache && opt.Obstacles == Yes:
		return nil, usage("a point cache holds one body that moves; write .glb or .usda for obstacles, or .obj or .ply")
	case pointCache && opt.Normals == Yes:
		return nil, usage("a point cache holds positions only")
	case ending == ".bcc" && (opt.Obstacles == Yes || opt.Normals == Yes):
		return nil, usage("BCC holds yarns alone; leave out --obstacles and --normals, or write .glb or .usda")
	case ending == ".glb" && (opt.Up == meshio.UpZ || opt.Unit != 0 && opt.Unit != 1):
		return nil, usage(
			"glTF is Y-up and in metres by its standard, and programs that read it turn and scale it; leave out the axis and the unit",
		)
	}
	// frames
	if err := j.choose(); err != nil {
		return nil, err
	}
	// bodies, as in the first of them
	var err error
	if j.first, err = j.read(0); err != nil {
		return nil, err
	}
	if err := j.cast(); err != nil {
		return nil, err
	}
	// what the caller is told
	j.result.Frames, j.result.Up, j.result.Unit = j.frames, "Z", j.write.Unit
	if j.write.Up == meshio.UpY || ending == ".glb" {
		j.result.Up = "Y"
	}
	return j, nil
}

// choose finds the frames.
func (j *job) choose() error {
	// frames that there are
	present, err := j.folder.Frames()
	if err != nil {
		return err
	}
	if len(present) == 0 {
		return fmt.Errorf("%s has no frames yet", j.folder.Dir)
	}
	// frames that are asked for
	first, last := present[0], present[len(present)-1]
	r := j.opt.Frames
	if r.Step < 1 {
		return usage("frames: a step of %d; it is at least 1", r.Step)
	}
	for _, n := range []*int{&r.From, &r.To} {
		switch *n {
		case First:
			*n = first
		case Last:
			*n = last
		}
	}
	if r.From > r.To || r.From < first || r.To > last {
		return usage("frames %d to %d: the run has frames %d to %d", r.From, r.To, first, last)
	}
	// none of them may be missing
	for n := r.From; n <= r.To; n += r.Step {
		if _, ok := slices.BinarySearch(present, n); !ok {
			return fmt.Errorf("frame %d is missing in %s; leave it out, or run the scene again", n, j.folder.Dir)
		}
		j.frames = append(j.frames, n)
	}
	// a run that is not finished
	if total := j.folder.Manifest.Time.Frames; len(present) < total && j.opt.Frames.To == Last {
		j.note("the run is not finished: it has frames %d to %d of %d so far", first, last, total-1)
	}
	return nil
}

func (j *job) note(format string, args ...any) {
	j.result.Notes = append(j.result.Notes, fmt.Sprintf(format, args...))
}

// read reads the frame with place i among the chosen ones.
func (j *job) read(i int) (*runfolder.Frame, error) {
	if j.ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	f, err := j.folder.Frame(j.frames[i])
	if err == nil && !j.opt.Adaptive {
		f.ShowInputs()
	}
	return f, err
}

// show reads frame i and puts its positions and normals into the meshes of the bodies. Those that have a pose stay in
// their own axes.
func (j *job) show(i int) (*runfolder.Frame, error) {
	f := j.first
	if i > 0 {
		var err error
		if f, err = j.read(i); err != nil {
			return nil, err
		}
	}
	for k := range j.bodies {
		b := &j.bodies[k]
		if j.opt.Adaptive && b.kind == runfolder.KindCloth {
			b.follow(f)
		}
		in, err := b.in(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", j.folder.FramePath(j.frames[i]), err)
		}
		gather(b.mesh.Positions, in.Positions, b.to)
		if len(b.mesh.Normals) > 0 {
			gather(b.mesh.Normals, in.Normals, b.to)
		}
	}
	return f, nil
}

// follow gives a cloth that is remeshed the mesh that it has in a frame.
func (b *body) follow(f *runfolder.Frame) {
	if b.at >= len(f.Bodies) || f.Bodies[b.at].Input == nil {
		return
	}
	m := f.Bodies[b.at].Mesh
	b.entries, b.to = len(m.Positions), nil
	normals := len(b.mesh.Normals) > 0
	b.mesh = &meshio.Mesh{Name: m.Name, Triangles: m.Triangles, UV: m.UV, CornerUV: m.CornerUV, Positions: m.Positions}
	b.prepare(normals)
}

// progress tells that the frame with place i has been taken.
func (j *job) progress(i int) {
	if j.opt.Progress != nil {
		j.opt.Progress(i+1, len(j.frames))
	}
}

// in finds the body in a frame.
func (b *body) in(f *runfolder.Frame) (*meshio.Mesh, error) {
	var m *meshio.Mesh
	if b.at < len(f.Bodies) && f.Bodies[b.at].Name == b.name && f.Bodies[b.at].Kind == b.kind {
		m = pointsOf(&f.Bodies[b.at])
	}
	if m == nil || len(m.Positions) != b.entries || len(b.mesh.Normals) > 0 && len(m.Normals) != b.entries {
		return nil, fmt.Errorf(
			"%s is not as it was in the first frame; export the frames from here on by themselves",
			b.name,
		)
	}
	return m, nil
}

// pointsOf returns the mesh of a body, and of yarns one of their points alone.
func pointsOf(b *runfolder.Body) *meshio.Mesh {
	if b.Curves != nil {
		return &meshio.Mesh{Name: b.Name, Positions: b.Curves.Points}
	}
	return b.Mesh
}

func gather(out, in []r3.Vec, to []int32) {
	if to == nil {
		copy(out, in)
		return
	}
	for v, k := range to {
		out[v] = in[k]
	}
}

// cast chooses the bodies, and settles axes and unit.
func (j *job) cast() error {
	// bodies that there are, and names that there are not
	film := j.ending == ".glb" || j.ending == ".usda"
	var names []string
	for i := range j.first.Bodies {
		if b := &j.first.Bodies[i]; !b.Kind.Obstacle() {
			names = append(names, b.Name)
		}
	}
	for _, name := range j.opt.Bodies {
		if !slices.Contains(names, name) {
			return usage("there is no body %q; the run has %s", name, strings.Join(names, ", "))
		}
	}
	// what the format needs
	if j.ending == ".bcc" {
		if err := j.needYarns(); err != nil {
			return err
		}
	}
	// mesh files of the scene
	inputs, err := readInputs(j.folder, j.opt.Inputs)
	if err != nil {
		return err
	}
	normals := j.opt.Normals.or(film)
	// bodies and obstacles to write, as far as the format holds them
	for i := range j.first.Bodies {
		from := &j.first.Bodies[i]
		switch {
		case from.Kind.Obstacle() && !j.opt.Obstacles.or(film):
			continue
		case from.Mesh == nil && from.Curves == nil:
			j.note("%s %s has no mesh and is left out", from.Kind, from.Name)
			continue
		case !from.Kind.Obstacle() && len(j.opt.Bodies) > 0 && !slices.Contains(j.opt.Bodies, from.Name):
			continue
		case j.ending == ".bcc" && from.Curves == nil:
			j.note("%s %s is left out: BCC holds yarns alone", from.Kind, from.Name)
			continue
		}
		j.add(i, inputs, normals)
	}
	// something to write, in which axes and units
	if len(j.bodies) == 0 {
		return fmt.Errorf("%s has no bodies to export", j.folder.Dir)
	}
	return j.axes(inputs)
}

// needYarns refuses what a file of yarns alone cannot hold.
func (j *job) needYarns() error {
	found := false
	for i := range j.first.Bodies {
		b := &j.first.Bodies[i]
		if b.Curves == nil && slices.Contains(j.opt.Bodies, b.Name) {
			return usage("BCC holds yarns alone, and %s is none; write .obj or .ply", b.Name)
		}
		found = found || b.Curves != nil
	}
	if !found {
		return usage("BCC holds yarns alone, and the run has none; write .obj, .ply, .glb or .usda")
	}
	return nil
}

// add adds body i of a frame to those that are written.
func (j *job) add(i int, inputs *inputs, normals bool) {
	from := &j.first.Bodies[i]
	if from.Curves != nil {
		j.addYarns(i)
		return
	}
	m := from.Mesh
	b := body{name: from.Name, kind: from.Kind, at: i, entries: len(m.Positions)}
	switch {
	case from.Input != nil: // with Adaptive: the file of the cloth has another mesh
		b.mesh = &meshio.Mesh{Name: m.Name, Positions: m.Positions}
	case from.Kind == runfolder.KindCloth:
		var note string
		if b.mesh, b.to, note = inputs.original(m); note != "" {
			j.note("%s", note)
		}
	default:
		b.mesh = &meshio.Mesh{Name: from.Name, Triangles: m.Triangles, Positions: m.Positions}
	}
	b.prepare(normals && len(m.Normals) > 0)
	j.bodies = append(j.bodies, b)
}

// addYarns adds yarns to what is written. Curves of USD are all open or all closed: where a body has both, it becomes
// two.
func (j *job) addYarns(i int) {
	// a body of the curves that are to be kept
	from := &j.first.Bodies[i]
	all := from.Curves
	add := func(name string, keep func(closed bool) bool) {
		b := body{name: from.Name, kind: from.Kind, at: i, entries: len(all.Points)}
		b.curves = &meshio.Curves{Name: name, Radius: all.Radius}
		curve := 0
		all.Each(func(first, end int, closed bool) {
			if keep(closed) {
				b.curves.Counts, b.curves.Closed = append(b.curves.Counts, all.Counts[curve]), append(b.curves.Closed, closed)
				for v := first; v < end; v++ {
					b.to = append(b.to, int32(v))
				}
			}
			curve++
		})
		b.mesh = &meshio.Mesh{Name: name, Positions: make([]r3.Vec, len(b.to))}
		b.curves.Points = b.mesh.Positions
		j.bodies = append(j.bodies, b)
	}
	// USD has either open or closed curves in one object
	if j.ending == ".usda" && slices.Contains(all.Closed, !all.Closed[0]) {
		add(from.Name, func(closed bool) bool { return !closed })
		add(from.Name+" closed", func(closed bool) bool { return closed })
		return
	}
	// others hold both
	add(from.Name, func(bool) bool { return true })
	if j.ending == ".ply" {
		j.note("%s: PLY has no curves, and yarns are written as tubes", from.Name)
	}
}

// prepare makes room for what changes from frame to frame.
func (b *body) prepare(normals bool) {
	b.mesh.Positions = make([]r3.Vec, len(b.mesh.Positions))
	b.mesh.Normals = nil
	if normals {
		b.mesh.Normals = make([]r3.Vec, len(b.mesh.Positions))
	}
}

// axes settles axes and unit of the file.
func (j *job) axes(inputs *inputs) error {
	j.write = meshio.WriteOptions{Up: j.opt.Up, Unit: j.opt.Unit, Short: true}
	if j.ending == ".glb" || j.ending == ".usda" {
		if j.write.Unit == 0 {
			j.write.Unit = 1
		}
		return nil
	}
	// What is exported lies on the mesh files that the cloths came from, unless told otherwise.
	var from *clothInput
	for i := range j.bodies {
		c := inputs.of(j.bodies[i].name)
		if c == nil || j.bodies[i].kind != runfolder.KindCloth {
			continue
		}
		if from != nil && (from.up() != c.up() || from.Shape.Unit != c.Shape.Unit) &&
			(j.opt.Up == meshio.UpByFormat || j.opt.Unit == 0) {
			return usage(
				"the mesh files of %s and %s have other axes or units; say which you want with --up and --unit, or export one cloth at a time with --body",
				from.Name,
				c.Name,
			)
		}
		from = c
	}
	if j.write.Up == meshio.UpByFormat {
		j.write.Up = meshio.UpZ
		if from != nil {
			j.write.Up = from.up()
		}
	}
	if j.write.Unit == 0 {
		j.write.Unit = 1
		if from != nil {
			j.write.Unit = from.Shape.Unit
		}
	}
	return nil
}
