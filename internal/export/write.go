package export

import (
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/format/caches"
	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/internal/format/glb"
	"github.com/toile-sim/toile/internal/format/pointcache"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Limits of animated glTF, where every frame is a morph target that programs keep in memory, most of them on the
// graphics card, as layers of a texture, of which common cards have 2,048.
const (
	maxTargets  = 2000
	maxGLBBytes = 1_000_000_000
)

// film writes .glb or .usda.
func (j *job) film(path, ending string) error {
	f := &film.Film{Name: j.folder.Manifest.Name, FPS: j.folder.Manifest.Time.FPS, Frames: j.frames}
	if _, err := j.show(0); err != nil {
		return err
	}
	for i := range j.bodies {
		b := &j.bodies[i]
		if b.curves != nil {
			first := *b.curves // the points of b.curves change
			first.Points = append([]r3.Vec(nil), b.curves.Points...)
			f.Actors = append(f.Actors, film.Actor{Curves: &first})
			continue
		}
		first := *b.mesh // positions and normals of b.mesh change
		first.Positions = append([]r3.Vec(nil), b.mesh.Positions...)
		first.Normals = append([]r3.Vec(nil), b.mesh.Normals...)
		f.Actors = append(f.Actors, film.Actor{Mesh: &first, Rigid: b.kind.Rigid()})
	}
	if ending == ".glb" {
		if err := fitsGLB(f); err != nil {
			return err
		}
	}
	shots := make([]film.Shot, len(j.bodies))
	shoot := func(i int) ([]film.Shot, error) {
		frame, err := j.show(i)
		if err != nil {
			return nil, err
		}
		for k := range j.bodies {
			b := &j.bodies[k]
			shots[k] = film.Shot{
				Positions: b.mesh.Positions, Normals: b.mesh.Normals, Pose: frame.Bodies[b.at].Pose,
			}
		}
		j.progress(i)
		return shots, nil
	}
	if err := WriteFilm(path, f, j.write, shoot); err != nil {
		return err
	}
	return j.result.wrote(path, "")
}

// fitsGLB refuses films that other programs could not open as animated glTF.
func fitsGLB(f *film.Film) error {
	size := glb.FilmSize(f)
	if len(f.Frames) <= maxTargets && size <= maxGLBBytes {
		return nil
	}
	return usage(
		"%d frames would make about %.3g GB. A .glb holds every frame as a morph target, and programs keep all of them in memory: at most %d frames and %.3g GB are written. "+
			"Take fewer frames with --frames, leave out normals with --normals=false, or write .usda, .pc2 or .mdd, which have no limit",
		len(f.Frames),
		size/1e9,
		maxTargets,
		float64(maxGLBBytes)/1e9,
	)
}

// pointCaches writes a point cache for each body.
func (j *job) pointCaches(path string) error {
	// format and options
	layout, err := caches.LayoutOf(path)
	if err != nil {
		return usage("%v", err)
	}
	if err := j.write.Validate(); err != nil {
		return err
	}
	// a file for each body
	paths := make([]string, len(j.bodies))
	for i := range j.bodies {
		paths[i] = j.named(path, &j.bodies[i])
	}
	// frames and their times
	h := meshio.CacheHeader{Frames: len(j.frames), First: float64(j.frames[0]), Step: float64(j.opt.Frames.Step)}
	for _, n := range j.frames {
		h.Times = append(h.Times, float64(n)/j.folder.Manifest.Time.FPS)
	}
	// all files grow frame by frame; if one fails, none is left
	err = allOrNothing(paths, func(files []io.Writer) error {
		writers := make([]*pointcache.Writer, len(files))
		for i, w := range files {
			h.Points = len(j.bodies[i].mesh.Positions)
			if writers[i], err = pointcache.NewWriter(w, layout, h, frameOf(j.write)); err != nil {
				return err
			}
		}
		for i := range j.frames {
			frame, err := j.show(i)
			if err != nil {
				return err
			}
			for k := range j.bodies {
				j.bodies[k].move(frame.Bodies[j.bodies[k].at].Pose)
				if err := writers[k].Write(j.bodies[k].mesh.Positions); err != nil {
					return err
				}
			}
			j.progress(i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// what was written
	for i, p := range paths {
		if err := j.result.wrote(p, j.bodies[i].name); err != nil {
			return err
		}
	}
	// meshes of the first frame beside them
	if !j.opt.Mesh {
		return nil
	}
	frame, err := j.show(0)
	if err != nil {
		return err
	}
	for i, p := range paths {
		j.bodies[i].move(frame.Bodies[j.bodies[i].at].Pose)
		base := strings.TrimSuffix(p, filepath.Ext(p)) + ".obj"
		if err := j.bodies[i].file(base, j.write); err != nil {
			return err
		}
		if err := j.result.wrote(base, j.bodies[i].name); err != nil {
			return err
		}
	}
	return nil
}

// series writes a file for each frame and body.
func (j *job) series(path string) error {
	// names of the files of each body
	patterns := make([]string, len(j.bodies))
	for i := range j.bodies {
		patterns[i] = j.named(j.numbered(path), &j.bodies[i])
	}
	// each frame
	for i, n := range j.frames {
		frame, err := j.show(i)
		if err != nil {
			return err
		}
		// each body, moved to where it is
		for k := range j.bodies {
			b := &j.bodies[k]
			b.move(frame.Bodies[b.at].Pose)
			file := patterns[k]
			if numberPlace.MatchString(filepath.Base(file)) {
				if file, err = meshio.NumberedFile(file, n); err != nil {
					return usage("%v", err)
				}
			}
			if err := b.file(file, j.write); err != nil {
				return err
			}
			if err := j.result.wrote(file, b.name); err != nil {
				return err
			}
		}
		j.progress(i)
	}
	return nil
}

// tubePieces and tubeSides are how finely yarns are cut where a format has no curves.
const (
	tubePieces = 4
	tubeSides  = 8
)

// file writes the body as it is, to a file of its own.
func (b *body) file(path string, opt meshio.WriteOptions) error {
	if b.curves == nil {
		return meshio.WriteFile(path, b.mesh, opt)
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".obj":
		return writeLines(path, b.curves, opt)
	case ".bcc":
		return disk.WriteFile(path, func(w io.Writer) error { return meshio.WriteBCC(w, b.curves, opt) })
	}
	return meshio.WriteFile(path, b.curves.Tubes(tubePieces, tubeSides), opt)
}

// move brings a mesh that is in axes of its own to its place.
func (b *body) move(pose r3.Pose) {
	if pose == r3.Still() {
		return
	}
	for v, p := range b.mesh.Positions {
		b.mesh.Positions[v] = pose.Apply(p)
	}
	for v, n := range b.mesh.Normals {
		b.mesh.Normals[v] = pose.R.Rotate(n)
	}
}

// numberPlace matches the place of a number in the name of a file of a series.
var numberPlace = regexp.MustCompile(`#+|%0?[0-9]*d`)

// minDigits is how many digits numbers of files have at least.
const minDigits = 4

// numbered gives a name a place for the number of the frame, unless it has one or there is only one frame.
func (j *job) numbered(path string) string {
	if len(j.frames) == 1 || numberPlace.MatchString(filepath.Base(path)) {
		return path
	}
	digits := max(minDigits, len(strconv.Itoa(j.folder.Manifest.Time.Frames-1)))
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "_" + strings.Repeat("#", digits) + ext
}

// named puts the name of a body into that of a file, before the place for a number, if there are several bodies.
func (j *job) named(path string, b *body) string {
	if len(j.bodies) == 1 {
		return path
	}
	dir, base := filepath.Split(path)
	at := len(base) - len(filepath.Ext(base))
	if place := numberPlace.FindStringIndex(base); place != nil {
		at = place[0]
	}
	before, after := strings.TrimRight(base[:at], "_-."), base[at:]
	if before != "" {
		before += "_"
	}
	if !strings.HasPrefix(after, ".") {
		after = "_" + after
	}
	return dir + before + b.name + after
}
