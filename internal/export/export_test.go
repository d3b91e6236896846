package export_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

func write(t testing.TB, f *runfolder.Folder, path string, opt export.Options) *export.Result {
	t.Helper()
	r, err := export.Run(context.Background(), f, path, opt)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// stripTo are the vertices of the run that those of strip.obj became.
var stripTo = []int32{0, 1, 2, 3, 1, 4, 5, 2}

// expected returns where the vertices of the input of a cloth are in a frame.
func expected(t testing.TB, f *runfolder.Folder, cloth string, frame int) []r3.Vec {
	t.Helper()
	fr := frameOf(t, f, frame)
	i := slices.IndexFunc(fr.Bodies, func(b runfolder.Body) bool { return b.Name == cloth })
	x := fr.Bodies[i].Mesh.Positions
	if cloth != "strip" {
		return x
	}
	out := make([]r3.Vec, len(stripTo))
	for v, k := range stripTo {
		out[v] = x[k]
	}
	return out
}

// near compares positions; what is in a file of another unit was rounded to single precision once more.
func near(t testing.TB, what string, got, want []r3.Vec, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d vertices, want %d", what, len(got), len(want))
		return
	}
	for v := range got {
		if d := got[v].Sub(want[v]).MaxAbs(); !(d <= tolerance) {
			t.Errorf("%s: vertex %d is at %v, want %v", what, v, got[v], want[v])
			return
		}
	}
}

// one rounding to single precision of coordinates below 2 m.
const rounding = 2 * 0x1p-24

func TestSeriesKeepVerticesAndUVs(t *testing.T) {
	f := sharedRun(t)
	dir := t.TempDir()
	for _, ending := range []string{"obj", "ply"} {
		for _, c := range []struct {
			cloth string
			input string
			opt   meshio.ReadOptions
		}{
			{"sheet", "meshes/sheet.obj", meshio.ReadOptions{Unit: 1, Up: meshio.UpZ, MaxBytes: 1 << 20}},
			{"strip", "strip.obj", meshio.ReadOptions{Unit: 0.01, Up: meshio.UpY, MaxBytes: 1 << 20}},
		} {
			opt := export.DefaultOptions()
			opt.Bodies, opt.Frames = []string{c.cloth}, export.Range{From: 1, To: 9, Step: 4}
			r := write(t, f, filepath.Join(dir, "new", c.cloth+"."+ending), opt)
			if !slices.Equal(r.Frames, []int{1, 5, 9}) || len(r.Files) != 3 || len(r.Notes) > 0 ||
				r.Unit != c.opt.Unit {
				t.Fatalf("%+v", r)
			}
			input, err := meshio.ReadFile(filepath.Join(shared, c.input), c.opt)
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range r.Frames {
				if want := fmt.Sprintf("%s_%04d.%s", c.cloth, n, ending); filepath.Base(r.Files[i].Path) != want {
					t.Errorf("wrote %s, want %s", r.Files[i].Path, want)
				}
				m, err := meshio.ReadFile(r.Files[i].Path, c.opt)
				if err != nil {
					t.Fatal(err)
				}
				near(t, r.Files[i].Path, m.Positions, expected(t, f, c.cloth, n), rounding)
				if !slices.Equal(m.Triangles, input.Triangles) || m.Name != c.cloth || len(m.Normals) > 0 {
					t.Errorf("%s: %+v", r.Files[i].Path, m)
				}
				for k, tri := range input.CornerUV {
					for corner := range tri {
						want, got := input.UV[tri[corner]], m.UV[m.CornerUV[k][corner]]
						if math.Abs(got.X-want.X) > rounding || math.Abs(got.Y-want.Y) > rounding {
							t.Errorf("%s: triangle %d has UV %v, want %v", r.Files[i].Path, k, got, want)
						}
					}
				}
			}
		}
	}
}

func TestObstaclesInSeries(t *testing.T) {
	f := sharedRun(t)
	opt := export.DefaultOptions()
	opt.Obstacles, opt.Normals, opt.Bodies = export.Yes, export.Yes, []string{"square"}
	opt.Frames = export.Range{From: 4, To: 4, Step: 1}
	opt.Unit = 0.001
	r := write(t, f, filepath.Join(t.TempDir(), "all.ply"), opt)
	var names []string
	for _, file := range r.Files {
		names = append(names, filepath.Base(file.Path))
	}
	if want := []string{"all_square.ply", "all_ball.ply", "all_floor.ply"}; !slices.Equal(names, want) {
		t.Fatalf("wrote %v, want %v", names, want)
	}
	read := meshio.DefaultReadOptions()
	read.Unit = 0.001
	m, err := meshio.ReadFile(r.Files[1].Path, read)
	if err != nil {
		t.Fatal(err)
	}
	ball := obstacleOf(frameOf(t, f, 4))
	var want, normals []r3.Vec
	for v, p := range ball.Mesh.Positions {
		want = append(want, ball.Pose.Apply(p))
		normals = append(normals, ball.Pose.R.Rotate(ball.Mesh.Normals[v]))
	}
	near(t, "ball", m.Positions, want, rounding)
	near(t, "normals of the ball", m.Normals, normals, rounding)
}

func TestNamesOfFiles(t *testing.T) {
	f := sharedRun(t)
	for pattern, want := range map[string]string{
		"a.obj":        "a_strip_0003.obj",
		"####.obj":     "strip_0003.obj",
		"b.##.obj":     "b_strip_03.obj",
		"c_%06d.ply":   "c_strip_000003.ply",
		"d-%d-end.ply": "d_strip_3-end.ply",
	} {
		opt := export.DefaultOptions()
		opt.Frames.From, opt.Frames.To = 3, 4
		opt.Up, opt.Unit = meshio.UpZ, 1
		r := write(t, f, filepath.Join(t.TempDir(), pattern), opt)
		if got := filepath.Base(r.Files[2].Path); got != want || len(r.Files) != 6 {
			t.Errorf("%s: %d files, the third is %s, want %s", pattern, len(r.Files), got, want)
		}
	}
}

func TestPointCaches(t *testing.T) {
	f := sharedRun(t)
	for _, ending := range []string{"pc2", "mdd"} {
		dir := t.TempDir()
		opt := export.DefaultOptions()
		opt.Frames, opt.Mesh = export.Range{From: 1, To: export.Last, Step: 2}, true
		opt.Up, opt.Unit = meshio.UpY, 0.01
		r := write(t, f, filepath.Join(dir, "run."+ending), opt)
		if len(r.Files) != 6 || !slices.Equal(r.Frames, []int{1, 3, 5, 7, 9}) || r.Up != "Y" {
			t.Fatalf("%+v", r)
		}
		for _, cloth := range []string{"square", "sheet", "strip"} {
			c, err := meshio.OpenPointCache(
				filepath.Join(dir, "run_"+cloth+"."+ending),
				meshio.ReadOptions{Up: meshio.UpY, Unit: 0.01, MaxBytes: 1},
			)
			if err != nil {
				t.Fatal(err)
			}
			if ending == "pc2" && (c.First != 1 || c.Step != 2) ||
				ending == "mdd" && math.Abs(c.Times[2]-5.0/fps) > 1e-7 {
				t.Errorf("header %+v", c.CacheHeader)
			}
			for i, n := range r.Frames {
				x := make([]r3.Vec, c.Points)
				if err := c.Frame(i, x); err != nil {
					t.Fatal(err)
				}
				near(t, cloth, x, expected(t, f, cloth, n), rounding)
			}
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			base, err := meshio.ReadFile(
				filepath.Join(dir, "run_"+cloth+".obj"),
				meshio.ReadOptions{Up: meshio.UpY, Unit: 0.01, MaxBytes: 1 << 20},
			)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "base of "+cloth, base.Positions, expected(t, f, cloth, 1), rounding)
		}
	}
}

// A second reader plays the animation: positions are those of the base and of the targets by their weights.
func TestGLBAnimation(t *testing.T) {
	f := sharedRun(t)
	path := filepath.Join(t.TempDir(), "run.glb")
	write(t, f, path, export.DefaultOptions())
	doc, err := gltf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Meshes) != 5 || len(doc.Animations) != 1 || len(doc.Animations[0].Channels) != 5 {
		t.Fatalf("%d meshes, animations %+v", len(doc.Meshes), doc.Animations)
	}
	vectors := func(accessor int) [][3]float32 {
		x, err := modeler.ReadPosition(doc, doc.Accessors[accessor], nil)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(x)
	}
	for i, cloth := range []string{"square", "sheet", "strip"} {
		p := doc.Meshes[i].Primitives[0]
		if doc.Nodes[i].Name != cloth || len(p.Targets) != frameCount-1 {
			t.Fatalf("node %d is %s with %d targets", i, doc.Nodes[i].Name, len(p.Targets))
		}
		base := vectors(p.Attributes[gltf.POSITION])
		for n := range frameCount {
			want := expected(t, f, cloth, n)
			for v, q := range want {
				at := base[v]
				if n > 0 {
					d := vectors(p.Targets[n-1][gltf.POSITION])[v]
					at = [3]float32{at[0] + d[0], at[1] + d[1], at[2] + d[2]}
				}
				got := r3.V(float64(at[0]), -float64(at[2]), float64(at[1]))
				if got.Sub(q).MaxAbs() > 2*rounding {
					t.Fatalf("%s, frame %d: vertex %d at %v, want %v", cloth, n, v, got, q)
				}
			}
		}
	}
	sampler := doc.Animations[0].Samplers[0]
	times, err := modeler.ReadAccessor(doc, doc.Accessors[sampler.Input], nil)
	if err != nil {
		t.Fatal(err)
	}
	if x := times.([]float32); len(x) != frameCount || math.Abs(float64(x[6])-6.0/fps) > 1e-7 {
		t.Errorf("times %v", x)
	}
	weights, err := modeler.ReadAccessor(doc, doc.Accessors[sampler.Output], nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, w := range weights.([]float32) {
		frame, target := k/(frameCount-1), k%(frameCount-1)
		if (w == 1) != (frame == target+1) || w != 0 && w != 1 {
			t.Errorf("frame %d: weight %v of target %d", frame, w, target)
		}
	}
}

func TestWithoutInputs(t *testing.T) {
	f := ownRun(t)
	dir := filepath.Dir(f.Dir)
	if err := os.Rename(filepath.Join(dir, "meshes"), filepath.Join(dir, "moved")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "strip.obj"), []byte(stripOBJ+"# changed\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	opt := export.DefaultOptions()
	opt.Up, opt.Unit = meshio.UpZ, 1
	r := write(t, f, filepath.Join(t.TempDir(), "x.mdd"), opt)
	if len(r.Notes) != 2 || !strings.Contains(r.Notes[0], "meshes/sheet.obj is not found") || !strings.Contains(r.Notes[1], "strip.obj was changed") ||
		!strings.Contains(r.Notes[1], "welded") ||
		!strings.Contains(r.Notes[0], "no UVs") {
		t.Errorf("notes %q", r.Notes)
	}
	// The original scene is elsewhere.
	opt.Inputs = shared
	if r := write(t, f, filepath.Join(t.TempDir(), "x.mdd"), opt); len(r.Notes) > 0 {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestRefuses(t *testing.T) {
	f := sharedRun(t)
	dir := t.TempDir()
	for _, c := range []struct {
		path, want string
		change     func(*export.Options)
	}{
		{"x.fbx", ".obj, .ply, .bcc, .glb", nil},
		{"", "is a folder", nil},
		{"x", "ending says the format", nil},
		{"x.obj", "there is no body \"shirt\"; the run has square, sheet, strip", func(o *export.Options) { o.Bodies = []string{"shirt"} }},
		{"x.obj", "frames 3 to 70: the run has frames 0 to 9", func(o *export.Options) { o.Frames = export.Range{From: 3, To: 70, Step: 1} }},
		{"x.obj", "a step of 0", func(o *export.Options) { o.Frames.Step = 0 }},
		{"x.obj", "have other axes or units", nil},
		{"x_%d_%d.obj", "2 places for a number", func(o *export.Options) { o.Bodies = []string{"strip"} }},
		{"x.pc2", "one body", func(o *export.Options) { o.Obstacles = export.Yes }},
		{"x.mdd", "positions only", func(o *export.Options) { o.Normals = export.Yes }},
		{"x.usda", "beside a point cache", func(o *export.Options) { o.Mesh = true }},
		{"x.glb", "Y-up and in metres", func(o *export.Options) { o.Unit = 0.01 }},
		{"x.glb", "Y-up and in metres", func(o *export.Options) { o.Up = meshio.UpZ }},
		{"x.parquet", "a row for every step", func(o *export.Options) { o.Frames.Step = 2 }},
		{filepath.Join(f.Dir, "stats.csv"), "belongs to the run", nil},
		{filepath.Join(f.Dir, "frames", "x.glb"), "belongs to the run", nil},
	} {
		opt := export.DefaultOptions()
		if c.change != nil {
			c.change(&opt)
		}
		path := c.path
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		_, err := export.Run(context.Background(), f, path, opt)
		var bad *export.Usage
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A frame that was changed is named, and nothing is left behind.
func TestDamagedFrame(t *testing.T) {
	f := ownRun(t)
	data, err := os.ReadFile(f.FramePath(6))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(f.FramePath(6), data, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.glb", "x.usda", "x.pc2", "x.mdd"} {
		dir := t.TempDir()
		opt := export.DefaultOptions()
		opt.Bodies = []string{"square"}
		_, err := export.Run(context.Background(), f, filepath.Join(dir, name), opt)
		var damage *runfolder.Damage
		if !errors.As(err, &damage) || !strings.Contains(err.Error(), "000006.glb") {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s left behind: %v", name, left)
		}
		opt.Frames.To = 5
		write(t, f, filepath.Join(dir, name), opt)
	}
	if err := os.Remove(f.FramePath(6)); err != nil {
		t.Fatal(err)
	}
	if _, err := export.Run(
		context.Background(),
		f,
		filepath.Join(t.TempDir(), "x.glb"),
		export.DefaultOptions(),
	); err == nil ||
		!strings.Contains(err.Error(), "frame 6 is missing") {
		t.Error(err)
	}
}

func TestUnfinishedRun(t *testing.T) {
	f := ownRun(t)
	for n := 5; n < frameCount; n++ {
		if err := os.Remove(f.FramePath(n)); err != nil {
			t.Fatal(err)
		}
	}
	r := write(t, f, filepath.Join(t.TempDir(), "x.glb"), export.DefaultOptions())
	if len(r.Frames) != 5 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "frames 0 to 4 of 9") {
		t.Errorf("%+v", r)
	}
}

func TestCancel(t *testing.T) {
	f := sharedRun(t)
	for _, name := range []string{"x.glb", "x.usda", "x.pc2"} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		opt := export.DefaultOptions()
		opt.Bodies = []string{"square"}
		opt.Progress = func(done, total int) {
			if total != frameCount || done > 4 {
				t.Errorf("frame %d of %d", done, total)
			}
			if done == 4 {
				cancel()
			}
		}
		if _, err := export.Run(ctx, f, filepath.Join(dir, name), opt); !errors.Is(err, export.ErrInterrupted) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s left behind: %v", name, left)
		}
	}
}

// The same run gives the same bytes.
func TestSameBytes(t *testing.T) {
	f := sharedRun(t)
	for _, name := range []string{"x.glb", "x.usda", "x.parquet"} {
		var first []byte
		for range 2 {
			path := filepath.Join(t.TempDir(), name)
			write(t, f, path, export.DefaultOptions())
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if first != nil && !slices.Equal(first, data) {
				t.Errorf("%s differs", name)
			}
			first = data
		}
	}
}

// obstacleOf returns the first obstacle of a frame.
func obstacleOf(f *runfolder.Frame) *runfolder.Body {
	return &f.Bodies[slices.IndexFunc(f.Bodies, func(b runfolder.Body) bool { return b.Kind.Obstacle() })]
}
