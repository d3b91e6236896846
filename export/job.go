package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// job is an export that is under way.
type job struct {
	ctx    context.Context
	folder *cache.Folder
	opt    *Options
	ending string
	frames []int
	bodies []body
	first  *cache.Frame
	write  meshio.WriteOptions // axes and unit of the file
	result Result
}

// body is a cloth or an obstacle that is written.
type body struct {
	name     string
	obstacle bool
	at       int          // its place among the cloths or obstacles of a frame
	entries  int          // vertices in a frame
	mesh     *meshio.Mesh // as it is written, with positions and normals of the current frame
	to       []int32      // the vertex in a frame of each vertex of mesh; nil if they are the same
}

// prepare finds out what is to be written.
func prepare(ctx context.Context, folder *cache.Folder, ending string, opt *Options) (*job, error) {
	j := &job{ctx: ctx, folder: folder, opt: opt, ending: ending}
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
		return nil, usage("a point cache holds one cloth; write .glb or .usda for obstacles, or .obj or .ply")
	case pointCache && opt.Normals == Yes:
		return nil, usage("a point cache holds positions only")
	case ending == ".glb" && (opt.Up == meshio.UpZ || opt.Unit != 0 && opt.Unit != 1):
		return nil, usage(
			"glTF is Y-up and in metres by its standard, and programs that read it turn and scale it; leave out the axis and the unit",
		)
	}
	if err := j.choose(); err != nil {
		return nil, err
	}
	var err error
	if j.first, err = j.read(0); err != nil {
		return nil, err
	}
	if err := j.cast(); err != nil {
		return nil, err
	}
	j.result.Frames, j.result.Up, j.result.Unit = j.frames, "Z", j.write.Unit
	if j.write.Up == meshio.UpY || ending == ".glb" {
		j.result.Up = "Y"
	}
	return j, nil
}

// choose finds the frames.
func (j *job) choose() error {
	present, err := j.folder.Frames()
	if err != nil {
		return err
	}
	if len(present) == 0 {
		return fmt.Errorf("%s has no frames yet", j.folder.Dir)
	}
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
	for n := r.From; n <= r.To; n += r.Step {
		if _, ok := slices.BinarySearch(present, n); !ok {
			return fmt.Errorf("frame %d is missing in %s; leave it out, or run the scene again", n, j.folder.Dir)
		}
		j.frames = append(j.frames, n)
	}
	if total := j.folder.Manifest.Time.Frames; len(present) < total && j.opt.Frames.To == Last {
		j.note("the run is not finished: it has frames %d to %d of %d so far", first, last, total-1)
	}
	return nil
}

func (j *job) note(format string, args ...any) {
	j.result.Notes = append(j.result.Notes, fmt.Sprintf(format, args...))
}

// read reads the frame with place i among the chosen ones.
func (j *job) read(i int) (*cache.Frame, error) {
	if j.ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	f, err := j.folder.Frame(j.frames[i])
	if err == nil && !j.opt.Adaptive {
		f.ShowInputs()
	}
	return f, err
}

// show reads frame i and puts its positions and normals into the meshes of the bodies. Those of rigid obstacles stay in
// their own axes.
func (j *job) show(i int) (*cache.Frame, error) {
	f := j.first
	if i > 0 {
		var err error
		if f, err = j.read(i); err != nil {
			return nil, err
		}
	}
	for k := range j.bodies {
		b := &j.bodies[k]
		if j.opt.Adaptive && !b.obstacle {
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
func (b *body) follow(f *cache.Frame) {
	if b.at >= len(f.Inputs) || f.Inputs[b.at] == nil {
		return
	}
	m := f.Cloths[b.at]
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
func (b *body) in(f *cache.Frame) (*meshio.Mesh, error) {
	var m *meshio.Mesh
	switch {
	case b.obstacle && b.at < len(f.Obstacles) && f.Obstacles[b.at].Name == b.name:
		m = f.Obstacles[b.at].Mesh
	case !b.obstacle && b.at < len(f.Cloths) && f.Cloths[b.at].Name == b.name:
		m = f.Cloths[b.at]
	}
	if m == nil || len(m.Positions) != b.entries || len(b.mesh.Normals) > 0 && len(m.Normals) != b.entries {
		return nil, fmt.Errorf(
			"%s is not as it was in the first frame; export the frames from here on by themselves",
			b.name,
		)
	}
	return m, nil
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
	film := j.ending == ".glb" || j.ending == ".usda"
	var names []string
	for _, c := range j.first.Cloths {
		names = append(names, c.Name)
	}
	for _, name := range j.opt.Cloths {
		if !slices.Contains(names, name) {
			return usage("there is no cloth %q; the run has %s", name, strings.Join(names, ", "))
		}
	}
	inputs, err := readInputs(j.folder, j.opt.Inputs)
	if err != nil {
		return err
	}
	normals := j.opt.Normals.or(film)
	for i, c := range j.first.Cloths {
		if len(j.opt.Cloths) > 0 && !slices.Contains(j.opt.Cloths, c.Name) {
			continue
		}
		b := body{name: c.Name, at: i, entries: len(c.Positions)}
		var note string
		if i < len(j.first.Inputs) &&
			j.first.Inputs[i] != nil { // with Adaptive: the file of the cloth has another mesh
			b.mesh = &meshio.Mesh{Name: c.Name, Positions: c.Positions}
		} else {
			b.mesh, b.to, note = inputs.original(c)
		}
		if note != "" {
			j.note("%s", note)
		}
		b.prepare(normals && len(c.Normals) > 0)
		j.bodies = append(j.bodies, b)
	}
	if j.opt.Obstacles.or(film) {
		for i := range j.first.Obstacles {
			o := &j.first.Obstacles[i]
			if o.Mesh == nil {
				j.note("obstacle %s has no mesh and is left out", o.Name)
				continue
			}
			b := body{name: o.Name, obstacle: true, at: i, entries: len(o.Mesh.Positions)}
			b.mesh = &meshio.Mesh{Name: o.Name, Triangles: o.Mesh.Triangles}
			b.mesh.Positions = make([]r3.Vec, b.entries)
			b.prepare(normals && len(o.Mesh.Normals) > 0)
			j.bodies = append(j.bodies, b)
		}
	}
	if len(j.bodies) == 0 {
		return fmt.Errorf("%s has no cloths to export", j.folder.Dir)
	}
	return j.axes(inputs)
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
		if c == nil || j.bodies[i].obstacle {
			continue
		}
		if from != nil && (from.up() != c.up() || from.Shape.Unit != c.Shape.Unit) &&
			(j.opt.Up == meshio.UpByFormat || j.opt.Unit == 0) {
			return usage(
				"the mesh files of %s and %s have other axes or units; say which you want with --up and --unit, or export one cloth at a time with --cloth",
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
