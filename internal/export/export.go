// Package export turns a run into other programs' files: OBJ, PLY and BCC series, animated glTF, PC2 and MDD
// point caches, USD, and statistics as Parquet or CSV.
//
// A cloth that a scene takes from a mesh file leaves with the vertices of that file in their order and with its UVs,
// whatever was welded in between: what is exported fits the file that the user has. The run keeps neither UVs that do
// not matter to the simulation nor vertices that were welded, so the file is looked for again, and known by its
// hash. Without it a note says what is missing.
//
// Frames are read one after another and only one is in memory. Every file appears complete or not at all.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
)

// Options say what to write and how.
type Options struct {
	// Frames are the frames to write; DefaultOptions has all.
	Frames Range
	// Bodies are the names of the cloths, yarns, solids and rigid bodies to write; none means all.
	Bodies []string
	// Up is the axis that is up in the file. UpByFormat means Y in .glb, Z in .usda, and in the others what the
	// mesh files of the cloths have, or Z.
	Up meshio.Axis
	// Unit is the length of one unit of the file [m]. 0 leaves it to the format: metres in .glb and .usda, and in the
	// others what the mesh files of the cloths have, or metres.
	Unit float64
	// Obstacles says whether obstacles are written too. ByFormat means yes in .glb and .usda, no in .obj and .ply;
	// point caches and .bcc cannot have them.
	Obstacles Choice
	// Normals says whether normals are written. ByFormat means yes in .glb and .usda, which are looked at as they are,
	// and no in .obj and .ply.
	Normals Choice
	// Adaptive writes cloths that are remeshed with the meshes that they have, which differ from frame to frame: OBJ
	// and PLY can have that. Without it they leave with the mesh that they were added with, carried along by material
	// points.
	Adaptive bool
	// Mesh writes the mesh that a point cache belongs to beside it, as .obj.
	Mesh bool
	// Inputs is the folder of the scene, in which the mesh files of cloths are looked for. Empty means the folder that
	// the run is in, and then the working directory.
	Inputs string
	// Progress, if not nil, is called after each frame.
	Progress func(done, total int)
}

// DefaultOptions returns all frames of everything that a format has, in its own axes and unit.
func DefaultOptions() Options { return Options{Frames: AllFrames()} }

// Choice is yes, no, or what suits the format.
type Choice uint8

// The choices.
const (
	ByFormat Choice = iota
	Yes
	No
)

func (c Choice) or(byFormat bool) bool { return c == Yes || c == ByFormat && byFormat }

// Range is a range of frames.
type Range struct {
	From int // the first; may be First or Last
	To   int // the last, included; may be First or Last
	Step int // from one to the next, positive
}

// First and Last stand for the first and the last frame that the run has.
const (
	First = -1
	Last  = -2
)

// AllFrames returns the range of all frames.
func AllFrames() Range { return Range{From: First, To: Last, Step: 1} }

// Result is what was written.
type Result struct {
	Files  []File
	Frames []int    // numbers, ascending; none for statistics
	Rows   int      // of statistics
	Up     string   // "Y" or "Z"; empty for statistics
	Unit   float64  // [m]
	Notes  []string // for people
}

// File is a file that was written.
type File struct {
	Path  string
	Body  string // the cloth or obstacle; empty if it holds several, or statistics
	Bytes int64
}

// Usage is an error in what was asked for.
type Usage struct{ Msg string }

func (u *Usage) Error() string { return u.Msg }

func usage(format string, args ...any) error { return &Usage{fmt.Sprintf(format, args...)} }

// Endings are the endings of file names that Run knows: also of formats of meshes that nothing else is said of here,
// whose files are series.
var Endings = endings()

func endings() []string {
	out := []string{".obj", ".ply", ".bcc", ".glb", ".pc2", ".mdd", ".usda", ".parquet", ".csv"}
	for _, e := range meshio.Formats() {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// Run writes the run in a folder to path, whose ending says the format. What is wrong with path or options is a *Usage,
// a frame that is not as it was written a *runfolder.Damage.
//
// OBJ, PLY and BCC are series: path has a place for the number of the frame, as in sheet_####.obj or sheet_%04d.obj;
// without one _0001 is put before the ending, and if there is just one frame nothing. OBJ, PLY, BCC, PC2 and MDD
// hold one body each: if there are several, the name of the body is put into the name of the file. BCC holds yarns
// alone, and other bodies are left out.
func Run(ctx context.Context, folder *runfolder.Folder, path string, opt Options) (*Result, error) {
	// what can be written there
	ending := strings.ToLower(filepath.Ext(path))
	if err := checkPath(folder, path, ending); err != nil {
		return nil, err
	}
	// statistics
	if ending == ".parquet" || ending == ".csv" {
		return writeStats(folder, path, ending, &opt)
	}
	// frames and bodies to write, and a folder for them
	j, err := prepare(ctx, folder, ending, &opt)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	// a film, a point cache a body, or a file a frame
	switch ending {
	case ".glb", ".usda":
		err = j.film(path, ending)
	case ".pc2", ".mdd":
		err = j.pointCaches(path)
	default:
		err = j.series(path)
	}
	if err != nil {
		return nil, err
	}
	return &j.result, nil
}

// checkPath refuses names that say no format and files of the run itself.
func checkPath(folder *runfolder.Folder, path, ending string) error {
	// a file, of a format that is known
	if info, err := os.Stat(path); err == nil && info.IsDir() || strings.HasSuffix(path, "/") {
		return usage(
			"%s is a folder; write the name of a file in it, such as %s",
			path,
			filepath.Join(path, "cloth.obj"),
		)
	}
	if !slices.Contains(Endings, ending) {
		return usage(
			"%s: the ending says the format; write %s or %s",
			path,
			strings.Join(Endings[:len(Endings)-1], ", "),
			Endings[len(Endings)-1],
		)
	}
	// files of the run are not replaced
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(folder.Dir)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(dir, abs); err == nil && filepath.IsLocal(rel) {
		switch first, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); first {
		case runfolder.StatsName, runfolder.ObstaclesName, runfolder.FramesName, runfolder.CheckpointName,
			runfolder.ProblemsName:
			return usage("%s belongs to the run; write somewhere else", path)
		}
	}
	return nil
}

// writeStats writes the statistics.
func writeStats(folder *runfolder.Folder, path, ending string, opt *Options) (*Result, error) {
	// what does not apply to statistics
	plain := DefaultOptions()
	if opt.Frames != plain.Frames || len(opt.Bodies) > 0 || opt.Up != plain.Up || opt.Unit != 0 ||
		opt.Obstacles != ByFormat ||
		opt.Normals != ByFormat ||
		opt.Mesh ||
		opt.Adaptive {
		return nil, usage(
			"%s: statistics have a row for every step of the whole run; frames, cloths, axes and units do not apply",
			path,
		)
	}
	// write all rows
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	r := &Result{}
	err := disk.WriteFile(path, func(w io.Writer) (err error) {
		if ending == ".csv" {
			r.Rows, err = folder.WriteStatsCSV(w)
		} else {
			r.Rows, err = folder.WriteStatsParquet(w)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	// a run that is not finished
	done, err := folder.Complete()
	if err != nil {
		return nil, err
	}
	if !done {
		r.Notes = append(r.Notes, "the run is not finished; these are its steps so far")
	}
	return r, r.wrote(path, "")
}

// wrote adds a file to the result.
func (r *Result) wrote(path, body string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	r.Files = append(r.Files, File{path, body, info.Size()})
	return nil
}

// allOrNothing opens files that are to appear complete or not at all, and calls write with all of them.
func allOrNothing(paths []string, write func([]io.Writer) error) error {
	if len(paths) == 0 {
		return write(nil)
	}
	return disk.WriteFile(paths[0], func(w io.Writer) error {
		return allOrNothing(paths[1:], func(rest []io.Writer) error { return write(append([]io.Writer{w}, rest...)) })
	})
}

// ErrInterrupted says that the export was cancelled.
var ErrInterrupted = errors.New("interrupted")
