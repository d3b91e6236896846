// Package space has the command toile space, which opens up bodies that go through themselves.
package space

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// spaceFlags are the flags of toile space.
type spaceFlags struct {
	out, margin, depth, maxChange, base, frames, picture string
	anchors, region                                      string
	untilClear                                           bool
	iterations, workers                                  int
	anchor, push, fps                                    float64
	mesh                                                 cli.MeshFlags
}

// Command returns toile space.
func Command(t *cli.Term) *cobra.Command {
	var f spaceFlags
	o := untangle.DefaultSpaceOptions()
	cmd := &cobra.Command{
		Use:   "space BODY",
		Short: "Open up a body that goes through itself, so that cloth has room",
		Long: `Open up a body that goes through itself in armpits, elbows, knees or anywhere else, or
comes too near to itself: its surfaces are moved apart until there is a gap of the
margin between them, and nothing else moves. BODY and the output are each one of

  .obj .ply .glb        a mesh; .ply and .glb get _MOVED, how far each vertex went [m]
  body_####.obj         a file for each frame; --frames says which, if not from 0 or 1 on
  .pc2 .mdd             a point cache; --base names its mesh
  .glb .usda            of a sequence, to write only: an animation

Vertices and triangles stay the same. Each frame begins with what the frame before
needed, and the largest change of the correction from frame to frame is told.

After four iterations a little may be left, above all with a small margin.
--until-clear goes on until no triangle crosses another, by an exact test, and
fails if that cannot be reached: a part that is too deep in another, such as a hand
in a chest, is then left as it was.
Holes are closed for the test of what is inside. A file that exists is replaced.

` + cli.ExitCodes,
		Example: `  toile space body.obj -o opened.obj --margin 5mm
  toile space body.glb -o opened.ply --until-clear --picture moved.png
  toile space walk/body_####.obj -o open/body_####.obj --margin 1cm --until-clear
  toile space dance.pc2 --base dance.obj -o opened.pc2
  toile space dance.pc2 --base dance.obj -o opened.usda --until-clear
  toile space body.ply -o opened.ply --anchor-map hold.png --region arms`,
		Args: cli.NeedArgs("BODY"),
		RunE: func(_ *cobra.Command, args []string) error { return runSpace(t, &f, args[0]) },

		ValidArgsFunction: cli.Complete(
			cobra.ShellCompDirectiveFilterFileExt,
			append(append([]string{}, cli.MeshEndings...), "pc2", "mdd")...),
	}
	f.addTo(cmd, &o)
	cli.AddJSON(cmd, t)
	return cmd
}

func (f *spaceFlags) addTo(cmd *cobra.Command, o *untangle.SpaceOptions) {
	flags := cmd.Flags()
	text, number := flags.StringVar, flags.Float64Var
	// what to make, and how strongly
	flags.StringVarP(&f.out, "output", "o", "", "the `file` to write; its ending says the format (needed)")
	text(&f.margin, "margin", fmt.Sprintf("%gmm", 1e3*o.Margin), "`length` of the gap to make")
	flags.BoolVar(&f.untilClear, "until-clear", false, "go on until no triangle crosses another")
	flags.IntVar(&f.iterations, "iterations", o.Iterations, "how `often` to look for what interferes and to minimize")
	number(&f.anchor, "anchor", o.Anchor, "how strongly vertices are held where they are [`1/cm²`]")
	number(&f.push, "push", o.Push, "how strongly surfaces are driven apart [`1/cm²`]")
	// where
	text(&f.anchors, "anchor-map", "", "`attribute` of the mesh that --anchor is multiplied with, 1000 and more pin; "+
		"a group, which is pinned; or an image over the UVs: white pins")
	text(&f.region, "region", "", "`name` of a group of the mesh, an attribute that is not 0, or an image that is "+
		"bright: only what is in it is looked at")
	text(&f.depth, "depth", fmt.Sprintf("%gcm", 100*o.Depth),
		"`length` to look back for a way out; about as thick as a limb")
	// of sequences
	text(&f.base, "base", "", "`mesh` of a point cache")
	text(&f.frames, "frames", "", "numbers of the first and last `file` of a series, such as 1:240")
	number(&f.fps, "fps", 24, "`frames` a second, for the times in .mdd")
	text(&f.maxChange, "max-change", "",
		"`length` by which a vertex's correction may change from frame to frame (default: as it comes)")
	// besides
	text(&f.picture, "picture", "", "write a `PNG` of how far vertices moved, where that is most")
	cli.AddMeshFlags(cmd, &f.mesh)
	cli.AddWorkers(cmd, &f.workers)
}

// spaceEvent tells of a frame.
type spaceEvent struct {
	Event           string  `json:"event"`
	Frame           int     `json:"frame"`
	CrossingsBefore int     `json:"crossings_before"`
	CrossingsAfter  int     `json:"crossings_after"`
	InsideBefore    int     `json:"inside_before"`
	InsideAfter     int     `json:"inside_after"`
	NearBefore      int     `json:"near_before"`
	NearAfter       int     `json:"near_after"`
	Lost            int     `json:"lost"`
	Hidden          int     `json:"hidden"`   // vertices of pieces inside others as a whole
	Relented        int     `json:"relented"` // places left as they were
	Active          int     `json:"active"`
	Rounds          int     `json:"rounds"`
	Move            float64 `json:"move"`    // [m]
	Change          float64 `json:"change"`  // largest change of a correction since the frame before [m]
	Motion          float64 `json:"motion"`  // largest motion of a vertex of the body since then [m]
	Seconds         float64 `json:"seconds"` // on the wall
}

// spaceJob is one run of toile space.
type spaceJob struct {
	t        *cli.Term
	flags    *spaceFlags
	opt      untangle.SpaceOptions
	limit    float64
	space    *untangle.Space
	x, u     []r3.Vec
	body     []r3.Vec // of the frame before
	before   []r3.Vec // corrections of the frame before
	moved    []float64
	event    spaceEvent // of the worst frame
	left     int        // frames that are not clear
	relented int        // the most places in a frame that were left as they were
	pops     int        // frames whose correction changed more than the body can account for
	total    time.Duration

	tri               [][3]int32
	worst, worstMoved []r3.Vec // positions and corrections of the frame with the largest one
}

func runSpace(t *cli.Term, f *spaceFlags, path string) error {
	if f.out == "" {
		return cli.BadUsage("-o FILE is missing; its ending says the format: .obj .ply .glb .pc2 .mdd")
	}
	// options, lengths in metres
	j := &spaceJob{t: t, flags: f, opt: untangle.DefaultSpaceOptions(), limit: math.Inf(1)}
	var err error
	if j.opt.Margin, err = cli.ParseLength("--margin", f.margin); err != nil {
		return err
	}
	if j.opt.Depth, err = cli.ParseLength("--depth", f.depth); err != nil {
		return err
	}
	if f.maxChange != "" {
		if j.limit, err = cli.ParseLength("--max-change", f.maxChange); err != nil {
			return err
		}
	}
	j.opt.Anchor, j.opt.Push, j.opt.Iterations, j.opt.UntilClear = f.anchor, f.push, f.iterations, f.untilClear
	if err := j.opt.Validate(); err != nil {
		return cli.BadUsage("%s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	// workers, and a folder for the output
	j.opt.Team = par.New(f.workers)
	if dir := filepath.Dir(f.out); dir != "." {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	// a sequence, or one mesh
	if isSeries(path) || isPointCache(path) {
		err = j.sequence(path)
	} else {
		err = j.single(path)
	}
	if err != nil {
		return err
	}
	// a picture of how far vertices moved
	if f.picture != "" {
		if err := j.draw(f.picture); err != nil {
			return err
		}
		j.wrote(f.picture)
	}
	return j.conclude()
}

// isSeries and isPointCache tell kinds of sequences by their names.
func isSeries(path string) bool { return strings.ContainsAny(filepath.Base(path), "#%") }

func isPointCache(path string) bool {
	ending := strings.ToLower(filepath.Ext(path))
	return ending == ".pc2" || ending == ".mdd"
}

// prepare takes the mesh, with its maps if it has any.
func (j *spaceJob) prepare(path string, vertices int, tri [][3]int32, maps *meshio.Mesh) error {
	// the surface, and room for a frame
	var err error
	if j.space, err = untangle.NewSpace(vertices, tri); err != nil {
		return cli.BadInput(fmt.Errorf("%s: %w", path, err))
	}
	j.tri = tri
	j.x, j.u = make([]r3.Vec, vertices), make([]r3.Vec, vertices)
	j.body, j.before, j.moved = make([]r3.Vec, vertices), make([]r3.Vec, vertices), make([]float64, vertices)
	// holes
	if h := j.space.Holes(); h > 0 {
		j.t.Note("%s has %s; closed for the test of what is inside.", path, words.Count(h, "hole"))
	}
	// how strongly each vertex is held; 1000 and more pin
	if f := j.flags; f.anchors != "" {
		scale, err := vertexMap(path, maps, "--anchor-map", f.anchors, vertices, 1, holdInk)
		if err != nil {
			return err
		}
		for i, k := range scale {
			if k < 0 {
				return cli.BadInput(
					fmt.Errorf("%s: %s is %g at vertex %d; it must be 0 or more", path, f.anchors, k, i),
				)
			}
			if k >= 1000 {
				scale[i] = math.Inf(1)
			}
		}
		j.space.SetAnchors(scale)
	}
	// the part that is looked at
	if f := j.flags; f.region != "" {
		value, err := vertexMap(path, maps, "--region", f.region, vertices, 0, math.Round)
		if err != nil {
			return err
		}
		in := make([]bool, vertices)
		for i, k := range value {
			in[i] = k != 0
		}
		j.space.SetRegion(in)
	}
	return nil
}

// vertexMap returns an attribute of a mesh, or, of a group, infinity inside and the given value outside. Of an image it
// returns what ink makes of its luminance.
func vertexMap(
	path string,
	m *meshio.Mesh,
	flag, name string,
	vertices int,
	outside float64,
	ink func(luminance float64) float64,
) ([]float64, error) {
	// an image over the UVs
	if scenefile.IsImage(name) {
		return imageMap(path, m, flag, name, vertices, ink)
	}
	// an attribute
	value := make([]float64, vertices)
	var known []string
	if m != nil && len(m.Positions) == vertices {
		for _, a := range m.Attributes {
			if a.Name == name {
				for i := range value {
					value[i] = float64(a.Data[i*a.Width])
				}
				return value, nil
			}
			known = append(known, a.Name)
		}
		// a group
		for _, g := range m.Groups {
			if g.Name == name {
				for i := range value {
					value[i] = outside
				}
				for _, v := range g.Vertices {
					value[v] = math.Inf(1)
				}
				return value, nil
			}
			known = append(known, g.Name)
		}
	}
	// no map has this name
	if len(known) == 0 {
		return nil, cli.BadUsage("%s %s: %s has neither attributes nor groups", flag, name, path)
	}
	return nil, cli.BadUsage(
		"%s %s: %s has no such attribute or group; it has %s",
		flag,
		name,
		path,
		strings.Join(known, ", "),
	)
}

func imageMap(
	path string,
	m *meshio.Mesh,
	flag, name string,
	vertices int,
	ink func(luminance float64) float64,
) ([]float64, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, cli.BadInput(err)
	}
	if m == nil || len(m.Positions) != vertices {
		return nil, cli.BadUsage("%s %s: %s has other vertices than the body", flag, name, path)
	}
	value, err := scenefile.PaintVertices(name, data, m)
	if err != nil {
		return nil, cli.BadInput(fmt.Errorf("%s: %w", path, err))
	}
	for i, v := range value {
		value[i] = ink(v)
	}
	return value, nil
}

// holdInk is by how much a vertex is held where a map has a luminance: as much as anywhere in black, fully in white,
// twice in the grey between.
func holdInk(luminance float64) float64 { return 1 / max(0, 1-luminance) }

// single opens up one mesh.
func (j *spaceJob) single(path string) error {
	if isSeries(j.flags.out) || isPointCache(j.flags.out) {
		return cli.BadUsage("-o %s: one mesh is written as .obj, .ply or .glb", j.flags.out)
	}
	m, err := j.flags.mesh.Read(path)
	if err != nil {
		return err
	}
	if err := j.prepare(path, len(m.Positions), m.Triangles, m); err != nil {
		return err
	}
	if n := j.space.Hollow(m.Positions); n > 0 {
		j.t.Note(
			"%s: %d of %s are inside out, or hollows; what is in them counts as outside.",
			path,
			n,
			words.Count(j.space.Shells(), "piece"),
		)
	}
	copy(j.x, m.Positions)
	j.frame(0)
	read, _ := j.flags.mesh.Options() // they were good enough to read
	data := make([]float32, len(j.moved))
	for i := range m.Positions {
		m.Positions[i] = m.Positions[i].Add(j.u[i])
		data[i] = float32(j.moved[i])
	}
	m.Normals = nil
	m.Attributes = append(m.Attributes, meshio.Attribute{Name: "_MOVED", Width: 1, Data: data})
	if err := meshio.WriteFile(j.flags.out, m, meshio.WriteOptions{Up: read.Up, Unit: read.Unit}); err != nil {
		return cli.BadOutput(err)
	}
	j.wrote(j.flags.out)
	return nil
}

// frame opens up the body at j.x and leaves the correction in j.u.
func (j *spaceJob) frame(n int) {
	// open it up
	begin := time.Now()
	st := j.space.Open(j.x, j.u, j.opt)
	e := spaceEvent{
		"space",
		n,
		st.CrossingsBefore,
		st.CrossingsAfter,
		st.InsideBefore,
		st.InsideAfter,
		st.NearBefore,
		st.NearAfter,
		st.Lost,
		st.Hidden,
		st.Relented,
		st.Active,
		st.Rounds,
		st.Move,
		0,
		0,
		0,
	}
	// how the correction changed; it jumps if it changes by much more than the body
	if n > 0 {
		e.Change, _ = untangle.LimitChange(j.before, j.u, j.limit)
		for i := range j.x {
			e.Motion = max(e.Motion, j.x[i].Sub(j.body[i]).Norm())
		}
		if e.Change > 2*e.Motion+popAllowance {
			j.pops++
		}
	}
	// the frame is the one before the next
	copy(j.before, j.u)
	copy(j.body, j.x)
	took := time.Since(begin)
	j.total += took
	e.Seconds = took.Seconds()
	j.t.Emit(e)
	// what is left, and how far vertices moved
	if st.CrossingsAfter > 0 || st.InsideAfter > 0 {
		j.left++
	}
	j.relented = max(j.relented, st.Relented)
	for i := range j.moved {
		j.moved[i] = j.u[i].Norm()
	}
	// the frame with the largest move is told at the end, with the largest change of all
	change, motion := max(e.Change, j.event.Change), j.event.Motion
	if e.Change > j.event.Change {
		motion = e.Motion
	}
	if n == 0 || e.Move > j.event.Move {
		j.event = e
		j.worst, j.worstMoved = append(j.worst[:0], j.x...), append(j.worstMoved[:0], j.u...)
	}
	j.event.Change, j.event.Motion = change, motion
}

// popAllowance is by how much a correction may change beyond twice the body's own motion and not be called a jump [m].
// Both sides of a gap may come at each other with that motion.
const popAllowance = 1e-3

func (j *spaceJob) wrote(path string) {
	j.t.Wrote(path)
	j.t.Say("Wrote %s.", path)
}

// conclude says how it went.
func (j *spaceJob) conclude() error {
	e := &j.event
	// before and after
	j.t.Say(
		"%s crossed, %s were inside, %s too near; the furthest moved by %s.",
		words.Count(
			e.CrossingsBefore,
			"triangle pair",
		),
		words.Count(e.InsideBefore, "vertex"),
		words.Thousands(e.NearBefore),
		words.Length(e.Move),
	)
	j.t.Say(
		"Left: %s, %s inside, %s nearer than 80 %% of the margin. It took %s.",
		words.Count(
			e.CrossingsAfter,
			"crossing",
		),
		words.Thousands(e.InsideAfter),
		words.Thousands(e.NearAfter),
		words.Duration(j.total),
	)
	// how many vertices moved far
	var beyond [3]int
	for _, u := range j.worstMoved {
		for k, limit := range []float64{1e-3, 5e-3, 1e-2} {
			if u.Norm() > limit {
				beyond[k]++
			}
		}
	}
	j.t.Say("%s moved by more than 1 mm, %s by more than 5 mm, %s by more than 1 cm.",
		words.Count(beyond[0], "vertex"), words.Thousands(beyond[1]), words.Thousands(beyond[2]))
	// from frame to frame
	if e.Change > 0 {
		j.t.Say(
			"From frame to frame the correction changed by %s at most, while the body moved by %s.",
			words.Length(e.Change),
			words.Length(e.Motion),
		)
	}
	if j.pops > 0 {
		j.t.Note("In %s the correction jumped; --max-change holds it back.", words.Count(j.pops, "frame"))
	}
	// what was left alone
	if e.Hidden > 0 {
		j.t.Note("%s of pieces that are inside others as a whole were left alone.", words.Count(e.Hidden, "vertex"))
	}
	if j.left == 0 {
		return nil
	}
	// why something is left
	if j.relented > 0 {
		j.t.Note(
			"In %s a part is too deep in another to be pushed out; what is there was left as it was.",
			words.Count(j.relented, "place"),
		)
	}
	if e.Lost > 0 {
		j.t.Note(
			"%s inside found no way out: a part may be in another as a whole, or --depth be too small.",
			words.Count(e.Lost, "vertex"),
		)
	}
	if j.opt.UntilClear {
		j.t.Say("Not clear: something still crosses in %s.", words.Count(j.left, "frame"))
		return cli.ErrSaid
	}
	j.t.Note("Something still crosses; --until-clear goes on, and a larger --margin helps.")
	return nil
}
