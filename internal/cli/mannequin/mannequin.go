// Package mannequin has the command toile mannequin, which writes bodies and their motions.
package mannequin

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/mannequin"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// mannequinFlags are the flags of toile mannequin.
type mannequinFlags struct {
	out, size, pose, motion, depth, unit, up string
	measures                                 []string
	vertices                                 int
	fps, time, lead, tempo                   float64
	mesh                                     bool
}

// mannequinPoses are the poses that a mannequin can be written in.
var mannequinPoses = map[string]func() mannequin.Pose{
	"dressing": mannequin.DressingPose, "standing": mannequin.StandingPose, "sitting": mannequin.SittingPose,
}

// Command returns toile mannequin.
func Command(t *cli.Term) *cobra.Command {
	var f mannequinFlags
	o := mannequin.DefaultMotionOptions()
	cmd := &cobra.Command{
		Use:   "mannequin",
		Short: "Write a body to try garments on, still or moving",
		Long: `Write a body to try garments on: one closed mesh with the measures of a size, or with
measures of its own. The ending of FILE says the format:

  .obj .ply .glb   the body in a pose
  with --motion:
  .obj .ply        one file a frame: body_####.obj says where the number goes;
                   body.obj becomes body_0000.obj and so on
  .glb .usda       one file with an animation
  .pc2 .mdd        a point cache; --mesh writes the mesh that it belongs to, as .obj

A FILE without an ending is a folder: the files are called body.obj, or body_0000.obj and
so on. In a scene the same body needs no file:
  shape: {mannequin: {size: M, motion: twist}}

The body stands on z = 0, faces -y, and its left arm points to +x.
Measures: ` + folded(mannequin.MeasureNames()) + `.
Motions: ` + folded(mannequin.Motions()) + `.
A file that exists is replaced.

` + cli.ExitCodes,
		Example: `  toile mannequin -o body.obj
  toile mannequin -o seated.glb --size L --pose sitting
  toile mannequin -o body.ply --measure waist=70cm --measure hip=95cm
  toile mannequin -o walk/body_####.obj --motion walk --fps 30 --time 3
  toile mannequin -o dance.pc2 --mesh --motion fast-dance`,
		Args: cli.NeedArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return writeMannequin(cmd, t, &f) },

		ValidArgsFunction: cobra.NoFileCompletions,
	}
	// file, size and measures
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "", "the `file` to write; its ending says the format (needed)")
	flags.StringVar(&f.size, "size", "M", "the `size`: "+strings.Join(mannequin.Sizes(), ", "))
	flags.StringArrayVar(
		&f.measures,
		"measure",
		nil,
		"a `measure` other than that of the size, such as waist=72cm; may be given several times",
	)
	flags.IntVar(&f.vertices, "vertices", mannequin.DefaultVertices, "about how many `vertices`")
	// pose, or motion and its frames
	flags.StringVar(&f.pose, "pose", "dressing", "the `pose` without a motion: dressing, standing or sitting")
	flags.StringVar(&f.motion, "motion", "", "the `motion`")
	flags.Float64Var(&f.fps, "fps", 24, "`frames` a second")
	flags.Float64Var(
		&f.time,
		"time",
		0,
		"`seconds` from t = 0 to the last frame (default: as long as the motion, or its period)",
	)
	flags.Float64Var(&f.lead, "lead", 0, "`seconds` before t = 0, in which the body comes from the dressing pose")
	flags.Float64Var(&f.tempo, "tempo", o.Tempo, "how `fast` the motion is; 2 is twice as fast")
	flags.StringVar(
		&f.depth,
		"depth",
		fmt.Sprintf("%gcm", 100*o.Depth),
		"`length` by which arm-through-chest goes into the chest",
	)
	// how the file is written
	flags.BoolVar(&f.mesh, "mesh", false, "with .pc2 and .mdd, write the mesh of the first frame beside it, as .obj")
	flags.StringVar(&f.unit, "unit", "m", "`length` of one unit of the file: m, cm, mm, in, ft or a number of metres")
	flags.StringVar(&f.up, "up", "", "`axis` that is up in the file, y or z (default y in .glb, z in others)")
	// words that a shell completes
	cli.CompleteFlag(cmd, "size", mannequin.Sizes()...)
	cli.CompleteFlag(cmd, "pose", "dressing", "standing", "sitting")
	cli.CompleteFlag(cmd, "motion", mannequin.Motions()...)
	cli.CompleteFlag(cmd, "unit", "m", "cm", "mm", "in", "ft")
	cli.CompleteFlag(cmd, "up", "y", "z")
	cli.AddJSON(cmd, t)
	return cmd
}

// mannequinEvent says what body was made.
type mannequinEvent struct {
	Event     string             `json:"event"`
	Vertices  int                `json:"vertices"`
	Triangles int                `json:"triangles"`
	Measured  map[string]float64 `json:"measured"` // circumferences of the mesh [m]
}

// mannequinFile writes a body to where the user wants it.
type mannequinFile struct {
	t    *cli.Term
	path string
	opt  meshio.WriteOptions
	body *mannequin.Mannequin
	mesh *meshio.Mesh
}

func writeMannequin(cmd *cobra.Command, t *cli.Term, f *mannequinFlags) error {
	// what the user named wrongly
	if f.out == "" {
		return cli.BadUsage(
			"-o FILE is missing; its ending says the format: .obj .ply .glb, and with --motion .usda .pc2 .mdd",
		)
	}
	for _, flag := range []string{"fps", "time", "lead", "tempo", "depth", "mesh"} {
		if f.motion == "" && cmd.Flags().Changed(flag) {
			return cli.BadUsage("--%s goes with --motion", flag)
		}
	}
	if f.motion != "" && cmd.Flags().Changed("pose") {
		return cli.BadUsage("--pose is without --motion; a motion has poses of its own")
	}
	pose, known := mannequinPoses[f.pose]
	if !known {
		return cli.BadUsage("--pose %s: write dressing, standing or sitting", f.pose)
	}
	// lengths, units and the body
	depth, err := cli.ParseLength("--depth", f.depth)
	if err != nil {
		return err
	}
	read, err := (&cli.MeshFlags{Unit: f.unit, Up: f.up}).Options()
	if err != nil {
		return err
	}
	body, err := f.body()
	if err != nil {
		return err
	}
	// the file, in a folder that is there
	w := &mannequinFile{t: t, path: f.out, opt: meshio.WriteOptions{Up: read.Up, Unit: read.Unit}, body: body}
	w.mesh = &meshio.Mesh{Name: "mannequin", Triangles: body.Tri, Positions: make([]r3.Vec, body.Vertices())}
	if filepath.Ext(w.path) == "" {
		w.path = filepath.Join(w.path, "body.obj")
	}
	if err := os.MkdirAll(filepath.Dir(w.path), 0o755); err != nil {
		return err
	}
	w.tell()
	// still in a pose, or moving
	if f.motion == "" {
		p := pose()
		body.Skin(&p, w.mesh.Positions)
		return w.still(w.path)
	}
	motion, err := mannequin.MotionOf(f.motion, mannequin.MotionOptions{Tempo: f.tempo, Depth: depth, Body: body})
	if err != nil {
		return cli.BadUsage("--motion %s: %w", f.motion, err)
	}
	return w.moving(f, &mannequin.Film{Body: body, Motion: motion, Lead: f.lead})
}

// body makes the body.
func (f *mannequinFlags) body() (*mannequin.Mannequin, error) {
	// measures of the size
	m, err := mannequin.MeasuresOf(f.size)
	if err != nil {
		return nil, cli.BadUsage("--size: %w", err)
	}
	// measures of one's own
	for _, text := range f.measures {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, cli.BadUsage("--measure %s: write a name and a length, such as waist=72cm", text)
		}
		at := m.Named(name)
		if at == nil {
			return nil, cli.BadUsage(
				"--measure %s: there is no such measure; there are %s",
				name,
				strings.Join(mannequin.MeasureNames(), ", "),
			)
		}
		if *at, err = cli.ParseLength("--measure "+name, value); err != nil {
			return nil, err
		}
	}
	// the body that has them
	b, err := mannequin.NewMannequin(m, f.vertices)
	if err != nil {
		return nil, cli.BadUsage("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return b, nil
}

// tell says what the body is like.
func (w *mannequinFile) tell() {
	event := mannequinEvent{"mannequin", w.body.Vertices(), len(w.body.Tri), map[string]float64{}}
	var parts []string
	for _, x := range w.body.Tapes() {
		event.Measured[x.Name] = x.Actual
		if slices.Contains([]string{"chest", "waist", "hip"}, x.Name) {
			parts = append(parts, fmt.Sprintf("%s %.1f cm", x.Name, 100*x.Actual))
		}
	}
	w.t.Emit(event)
	w.t.Say("A body of %s with %s.", words.Count(w.body.Vertices(), "vertex"), strings.Join(parts, ", "))
}

// still writes the mesh as it is.
func (w *mannequinFile) still(path string) error {
	if err := meshio.WriteFile(path, w.mesh, w.opt); err != nil {
		return cli.BadOutput(err)
	}
	w.wrote(path)
	return nil
}

func (w *mannequinFile) wrote(path string) {
	w.t.Wrote(path)
	w.t.Say("Wrote %s.", path)
}

// maxMannequinFrames keeps a slip of the pen from filling a disk: 12,000 vertices take 140 kB a frame at least.
const maxMannequinFrames = 100_000

// moving writes a film.
func (w *mannequinFile) moving(f *mannequinFlags, film *mannequin.Film) error {
	// how many frames there are
	if err := film.Validate(); err != nil {
		return cli.BadUsage("%w", err)
	}
	time := f.time
	if time == 0 {
		time = film.Motion.Length()
	}
	if !(f.fps > 0) || math.IsInf(f.fps, 0) || !(time >= 0) {
		return cli.BadUsage(
			"--fps %g --time %g: frames a second must be positive, and the time not negative",
			f.fps,
			f.time,
		)
	}
	count := math.Floor((time+film.Lead)*f.fps+1e-9) + 1
	if !(count <= maxMannequinFrames) {
		return cli.BadUsage("%g frames are too many; at most %d are written", count, maxMannequinFrames)
	}
	frames := int(count)
	// the body in a frame; the first tells whether there is one
	at := func(i int) error { return film.At(float64(i)/f.fps-film.Lead, w.mesh.Positions) }
	if err := at(0); err != nil {
		return err
	}
	// format by ending
	switch ending := strings.ToLower(filepath.Ext(w.path)); ending {
	case ".pc2", ".mdd":
		return w.pointCache(f, frames, at)
	case ".glb", ".usda":
		return w.animation(f.fps, frames, at)
	default:
		if f.mesh {
			return cli.BadUsage("--mesh goes with .pc2 and .mdd")
		}
		return w.series(frames, at)
	}
}

func (w *mannequinFile) pointCache(f *mannequinFlags, frames int, at func(int) error) error {
	header := meshio.CacheHeader{Points: w.body.Vertices(), Frames: frames, Step: 1}
	for i := range frames {
		header.Times = append(header.Times, float64(i)/f.fps)
	}
	if f.mesh {
		base := strings.TrimSuffix(w.path, filepath.Ext(w.path)) + ".obj"
		if err := w.still(base); err != nil {
			return err
		}
	}
	err := meshio.WritePointCacheFile(w.path, header, w.opt, func(i int, out []r3.Vec) error {
		if err := at(i); err != nil {
			return err
		}
		copy(out, w.mesh.Positions)
		return nil
	})
	if err != nil {
		return cli.BadOutput(err)
	}
	w.wrote(w.path)
	return nil
}

func (w *mannequinFile) animation(fps float64, frames int, at func(int) error) error {
	first := *w.mesh
	first.Positions = slices.Clone(w.mesh.Positions)
	f := &film.Film{Name: "mannequin", FPS: fps, Actors: []film.Actor{{Mesh: &first}}}
	for i := range frames {
		f.Frames = append(f.Frames, i)
	}
	shoot := func(i int) ([]film.Shot, error) {
		if err := at(i); err != nil {
			return nil, err
		}
		return []film.Shot{{Positions: w.mesh.Positions}}, nil
	}
	if err := export.WriteFilm(w.path, f, w.opt, shoot); err != nil {
		return cli.BadOutput(err)
	}
	w.wrote(w.path)
	return nil
}

// series writes a file for each frame.
func (w *mannequinFile) series(frames int, at func(int) error) error {
	pattern := w.path
	if !strings.ContainsAny(filepath.Base(pattern), "#%") {
		ending := filepath.Ext(pattern)
		pattern = strings.TrimSuffix(pattern, ending) + "_####" + ending
	}
	var last string
	for i := range frames {
		path, err := meshio.NumberedFile(pattern, i)
		if err != nil {
			return cli.BadUsage("-o %s: %w", w.path, err)
		}
		if err := at(i); err != nil {
			return err
		}
		if err := meshio.WriteFile(path, w.mesh, w.opt); err != nil {
			return cli.BadOutput(err)
		}
		w.t.Wrote(path)
		last = path
	}
	w.t.Say("Wrote %s, up to %s.", words.Count(frames, "file"), last)
	return nil
}

// folded lists words in lines that are not too long for a help text.
func folded(words []string) string {
	var out strings.Builder
	width := 12 // of what comes before
	for i, w := range words {
		if i > 0 {
			out.WriteByte(',')
		}
		if width += len(w) + 2; width > 86 {
			out.WriteString("\n ")
			width = len(w) + 3
		}
		out.WriteString(" " + w)
	}
	return strings.TrimPrefix(out.String(), " ")
}
