package space

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// sequence opens up every frame of a body that moves.
func (j *spaceJob) sequence(path string) error {
	// formats that hold a sequence
	f := j.flags
	if !isSeries(f.out) && !isPointCache(f.out) && !isAnimation(f.out) {
		return cli.BadUsage(
			"-o %s: a sequence is written as body_####.obj, body_####.ply, .pc2, .mdd, .glb or .usda",
			f.out,
		)
	}
	// the sequence and its maps
	spec, maps, err := j.spec(path)
	if err != nil {
		return err
	}
	seq, err := meshio.OpenSequence(spec)
	if err != nil {
		return cli.BadInput(err)
	}
	defer func() { _ = seq.Close() }()
	if err := j.prepare(path, seq.Vertices(), seq.Triangles(), maps); err != nil {
		return err
	}
	// the body in a frame, opened up
	j.opt.Gap = 0
	next := func(i int) error {
		if err := seq.At(float64(i)/spec.FPS, j.x); err != nil {
			return cli.BadInput(err)
		}
		j.frame(i)
		for k := range j.x {
			j.x[k] = j.x[k].Add(j.u[k])
		}
		return nil
	}
	// a point cache
	write := meshio.WriteOptions{Up: spec.Up, Unit: spec.Unit}
	if isPointCache(f.out) {
		header := meshio.CacheHeader{Points: seq.Vertices(), Frames: seq.Frames(), Step: 1}
		for i := range header.Frames {
			header.Times = append(header.Times, float64(i)/spec.FPS)
		}
		err := meshio.WritePointCacheFile(f.out, header, write, func(i int, out []r3.Vec) error {
			if err := next(i); err != nil {
				return err
			}
			copy(out, j.x)
			return nil
		})
		if err != nil {
			return cli.BadOutput(err)
		}
		j.wrote(f.out)
		return nil
	}
	// an animation
	mesh := &meshio.Mesh{Name: "body", Triangles: seq.Triangles(), Positions: j.x}
	if !isSeries(f.out) {
		return j.animation(mesh, spec.FPS, seq.Frames(), write, next)
	}
	// a file for each frame
	for i := range seq.Frames() {
		if err := next(i); err != nil {
			return err
		}
		name, err := meshio.NumberedFile(f.out, spec.First+i)
		if err != nil {
			return cli.BadUsage("-o %s: %w", f.out, err)
		}
		if err := meshio.WriteFile(name, mesh, write); err != nil {
			return cli.BadOutput(err)
		}
		j.t.Wrote(name)
	}
	j.t.Say("Wrote %d files, %s.", seq.Frames(), f.out)
	return nil
}

// isAnimation tells files that hold a mesh and how it moves.
func isAnimation(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending == ".glb" || ending == ".usda"
}

// animation writes a mesh whose positions next sets for frame after frame.
func (j *spaceJob) animation(
	mesh *meshio.Mesh,
	fps float64,
	frames int,
	opt meshio.WriteOptions,
	next func(i int) error,
) error {
	if err := next(0); err != nil {
		return err
	}
	first := *mesh
	first.Positions = slices.Clone(mesh.Positions)
	f := &film.Film{Name: "body", FPS: fps, Actors: []film.Actor{{Mesh: &first}}}
	for i := range frames {
		f.Frames = append(f.Frames, i)
	}
	shoot := func(i int) ([]film.Shot, error) {
		if i > 0 {
			if err := next(i); err != nil {
				return nil, err
			}
		}
		return []film.Shot{{Positions: mesh.Positions}}, nil
	}
	if err := export.WriteFilm(j.flags.out, f, opt, shoot); err != nil {
		return cli.BadOutput(err)
	}
	j.wrote(j.flags.out)
	return nil
}

// spec says where the frames are, and reads the mesh that has the maps, if there is one.
func (j *spaceJob) spec(path string) (meshio.SequenceSpec, *meshio.Mesh, error) {
	// units and frames a second
	f, spec := j.flags, meshio.DefaultSequenceSpec()
	read, err := f.mesh.Options()
	if err != nil {
		return spec, nil, err
	}
	if !(f.fps > 0) {
		return spec, nil, cli.BadUsage("--fps %g: it must be positive", f.fps)
	}
	spec.FPS, spec.Up, spec.Unit, spec.Weld = f.fps, read.Up, read.Unit, read.Weld
	// a point cache with its mesh, or a series of files
	maps := f.base
	if isPointCache(path) {
		if f.base == "" {
			return spec, nil, cli.BadUsage("--base MESH is missing: a point cache has no triangles")
		}
		spec.Cache, spec.Base = path, f.base
	} else {
		spec.Files = path
		if spec.First, spec.Last, err = seriesRange(path, f.frames); err != nil {
			return spec, nil, err
		}
		if maps, err = meshio.NumberedFile(path, spec.First); err != nil {
			return spec, nil, cli.BadUsage("%s: %w", path, err)
		}
	}
	// the mesh that has maps, if any is asked for
	if f.anchors == "" && f.region == "" {
		return spec, nil, nil
	}
	m, err := f.mesh.Read(maps)
	return spec, m, err
}

// seriesRange returns the numbers of the first and the last file of a series: as they are given, or all from 0 or 1 on.
func seriesRange(pattern, given string) (first, last int, err error) {
	// numbers as given
	if given != "" {
		if n, err := fmt.Sscanf(given, "%d:%d", &first, &last); n != 2 || err != nil || first < 0 || last < first {
			return 0, 0, cli.BadUsage("--frames %s: write the first and the last number, such as 1:240", given)
		}
		return first, last, nil
	}
	// from 0 or 1 on, as far as there are files
	there := func(n int) bool {
		name, err := meshio.NumberedFile(pattern, n)
		if err != nil {
			return false
		}
		_, err = os.Stat(name)
		return err == nil
	}
	if !there(0) {
		first = 1
	}
	if !there(first) {
		return 0, 0, cli.BadUsage(
			"%s: there is no file 0 or 1; --frames says which there are, such as --frames 1001:1240",
			pattern,
		)
	}
	for last = first; there(last + 1); {
		last++
	}
	return first, last, nil
}

// draw writes a picture of the frame with the largest correction, before and after, where it moved.
func (j *spaceJob) draw(path string) error {
	around := r3.EmptyBox()
	after, moved := make([]r3.Vec, len(j.worst)), make([]float64, len(j.worst))
	for i, x := range j.worst {
		after[i], moved[i] = x.Add(j.worstMoved[i]), 1e3*j.worstMoved[i].Norm()
		if moved[i] > 50*j.event.Move { // a twentieth of the largest
			around = around.With(x)
		}
	}
	if around.Empty() {
		around = r3.BoxOf(j.worst)
	}
	opt := draw.DefaultOptions()
	opt.Width, opt.Height = 640, 640
	cam := draw.Fit(around, r3.V(0.3, -1, 0.25), 1)
	shot := func(x []r3.Vec, scalar []float64) *image.RGBA {
		return draw.Render(
			[]draw.Surface{{Name: "body", Positions: x, Triangles: j.tri, Scalar: scalar, Edges: true}},
			cam,
			opt,
		)
	}
	captions := []string{"before", "after: yellow moved by " + words.Length(j.event.Move)}
	sheet := draw.Sheet([]*image.RGBA{shot(j.worst, nil), shot(after, moved)}, captions, 2, "")
	return disk.WriteFile(path, func(w io.Writer) error { return png.Encode(w, sheet) })
}
