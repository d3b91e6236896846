//go:build blender

// Exports in real programs: `go test -tags blender ./internal/export`. Blender plays point caches and animated glTF; readers
// that share no code with ours read USD and Parquet; the Khronos validator looks at glTF.

package export_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// ask is one thing to do for testdata/blender.py.
type ask struct {
	Name   string    `json:"name"`
	FPS    int       `json:"fps"`
	Frames []float64 `json:"frames"` // of the scene
	Mesh   string    `json:"mesh,omitempty"`
	Cache  string    `json:"cache,omitempty"`
	Up     string    `json:"up,omitempty"`
	Unit   float64   `json:"unit,omitempty"` // scale of the object
	Start  int       `json:"start"`          // frame of the scene at which the cache begins
	GLB    string    `json:"glb,omitempty"`
	Python string    `json:"python,omitempty"`

	cloth string
	first int // frame of the run at which the cache begins
}

// blenderScript is found before a test changes the folder.
var blenderScript, _ = filepath.Abs("testdata/blender.py")

// inBlender asks Blender and returns world positions by name, object, frame and vertex.
func inBlender(t *testing.T, dir string, asks []ask) map[string]map[string][][][3]float64 {
	t.Helper()
	program, err := exec.LookPath("blender")
	if err != nil {
		t.Fatalf("this test needs Blender (Debian: apt-get install blender): %v", err)
	}
	text, err := json.Marshal(asks)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ask.json"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "-b", "--factory-startup", "--python-exit-code", "1", "--python", blenderScript, "--", dir).
		CombinedOutput()
	if err != nil {
		t.Fatalf("blender: %v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var report map[string]map[string][][][3]float64
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	return report
}

func vectors(x [][3]float64) []r3.Vec {
	out := make([]r3.Vec, len(x))
	for i, p := range x {
		out[i] = r3.V(p[0], p[1], p[2])
	}
	return out
}

// between returns positions at a frame that may lie between two.
func between(t *testing.T, f *runfolder.Folder, cloth string, at float64) []r3.Vec {
	t.Helper()
	n := int(at)
	a := slices.Clone(expected(t, f, cloth, n))
	if s := at - float64(n); s > 0 {
		for v, q := range expected(t, f, cloth, n+1) {
			a[v] = a[v].Lerp(q, s)
		}
	}
	return a
}

// positionTolerance is what is asked of other programs [m].
const positionTolerance = 1e-6

// The caches play on the very files that the scene was made from, and on the mesh that is written beside them.
func TestBlenderPlaysPointCaches(t *testing.T) {
	f := sharedRun(t)
	dir := t.TempDir()
	for _, name := range []string{"meshes/sheet.obj", "strip.obj"} {
		data, err := os.ReadFile(filepath.Join(shared, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var asks []ask
	add := func(cloth, mesh, up string, unit float64, change func(*export.Options)) {
		for _, ending := range []string{"pc2", "mdd"} {
			opt := export.DefaultOptions()
			opt.Bodies = []string{cloth}
			if change != nil {
				change(&opt)
			}
			name := fmt.Sprintf("cache%d.%s", len(asks), ending)
			r := write(t, f, filepath.Join(dir, name), opt)
			beside := mesh
			if beside == "" {
				beside = filepath.Base(r.Files[1].Path)
			}
			asks = append(asks, ask{
				Name: name, FPS: fps, Mesh: beside, Cache: name, Up: up, Unit: unit, Start: 1,
				Frames: []float64{1, 2, 4, 4.5, 7.25}, cloth: cloth, first: r.Frames[0],
			})
		}
	}
	add("sheet", "sheet.obj", "z", 1, nil)
	add("strip", "strip.obj", "y", 0.01, nil)
	add("square", "", "z", 1, func(o *export.Options) { o.Mesh, o.Frames.From = true, 1 })
	add("sheet", "", "y", 0.001, func(o *export.Options) { o.Mesh, o.Up, o.Unit = true, meshio.UpY, 0.001 })
	report := inBlender(t, dir, asks)
	worst := 0.0
	for _, a := range asks {
		for i, frame := range a.Frames {
			got := vectors(report[a.Name]["mesh"][i])
			want := between(t, f, a.cloth, frame-float64(a.Start)+float64(a.first))
			near(
				t,
				fmt.Sprintf("%s of %s on %s, frame %v", a.Name, a.cloth, a.Mesh, frame),
				got,
				want,
				positionTolerance,
			)
			for v := range min(len(got), len(want)) {
				worst = max(worst, got[v].Sub(want[v]).MaxAbs())
			}
		}
	}
	t.Logf("largest difference %.2g m", worst)
}

func TestBlenderPlaysAnimatedGLB(t *testing.T) {
	f := sharedRun(t)
	dir := t.TempDir()
	write(t, f, filepath.Join(dir, "run.glb"), export.DefaultOptions())
	frames := []float64{0, 1, 4, 6.5, 9}
	report := inBlender(t, dir, []ask{{Name: "glb", FPS: fps, GLB: "run.glb", Frames: frames}})["glb"]
	worst := 0.0
	for i, frame := range frames {
		for _, cloth := range []string{"square", "sheet", "strip"} {
			want := between(t, f, cloth, frame)
			if len(report[cloth]) != len(frames) || len(report[cloth][i]) < len(want) {
				t.Fatalf("Blender has objects %v", slices.Collect(maps.Keys(report)))
			}
			// Vertices that were split at seams of the UVs come last.
			got := vectors(report[cloth][i])[:len(want)]
			near(t, fmt.Sprintf("%s, frame %v", cloth, frame), got, want, positionTolerance)
			for v := range got {
				worst = max(worst, got[v].Sub(want[v]).MaxAbs())
			}
		}
		if frame != math.Trunc(frame) {
			continue // Blender turns linearly in other terms between frames
		}
		ball := obstacleOf(frameOf(t, f, int(frame)))
		var want []r3.Vec
		for _, p := range ball.Mesh.Positions {
			want = append(want, ball.Pose.Apply(p))
		}
		near(t, fmt.Sprintf("ball, frame %v", frame), vectors(report["ball"][i]), want, positionTolerance)
	}
	t.Logf("largest difference %.2g m", worst)
	node(t, "gltf-validate.mjs", filepath.Join(dir, "run.glb"))
}

// documented matches the Python of docs/export.md.
var documented = regexp.MustCompile("(?s)```python\n(.*?)```")

// The lines that docs/export.md gives for Blender do what it says, in a folder with the files that it names.
func TestBlenderTakesTheDocumentedLines(t *testing.T) {
	f := sharedRun(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sheet.obj"), []byte(sheetOBJ), 0o666); err != nil {
		t.Fatal(err)
	}
	opt := export.DefaultOptions()
	write(t, f, filepath.Join(dir, "run.glb"), opt)
	opt.Bodies = []string{"sheet"}
	write(t, f, filepath.Join(dir, "sheet.pc2"), opt)
	series := filepath.Join(dir, "series")
	write(t, f, filepath.Join(series, "sheet.obj"), opt)
	if err := os.Rename(filepath.Join(series, "sheet_0009.obj"), filepath.Join(dir, "sheet_0009.obj")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/export.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := documented.FindAllStringSubmatch(string(text), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d pieces of Python, want 3", len(blocks))
	}
	frames := []float64{0, 4, 9}
	var asks []ask
	for i, b := range blocks {
		asks = append(asks, ask{Name: fmt.Sprint(i), FPS: 24, Frames: frames, Python: b[1]})
	}
	t.Chdir(dir)
	report := inBlender(t, dir, asks)
	for i := range asks {
		for k, frame := range frames {
			n := int(frame)
			if i == 2 {
				n = 9 // one frame, that does not move
			}
			want := expected(t, f, "sheet", n)
			var got []r3.Vec
			for name, x := range report[fmt.Sprint(i)] {
				if strings.HasPrefix(name, "sheet") {
					got = vectors(x[k])[:len(want)]
				}
			}
			near(t, fmt.Sprintf("piece %d, frame %v", i, frame), got, want, positionTolerance)
		}
	}
}

// node runs a script of .ci and returns what it prints.
func node(t *testing.T, script string, files ...string) []byte {
	t.Helper()
	cmd := exec.Command("node", append([]string{filepath.Join("..", "..", ".ci", script)}, files...)...)
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node %s: %v\n%s%s", script, err, out, log.String())
	}
	return out
}

// usdFound is what .ci/usd-read.mjs prints.
type usdFound struct {
	Stage  map[string]any
	Prims  map[string]map[string]json.RawMessage
	Meshes []struct {
		Path    string
		Points  []float64
		Indices []int32
	}
}

func (u *usdFound) get(t *testing.T, prim, attribute string, into any) {
	t.Helper()
	if err := json.Unmarshal(u.Prims[prim][attribute], into); err != nil {
		t.Fatalf("%s.%s: %v", prim, attribute, err)
	}
}

func TestUSDInAnotherReader(t *testing.T) {
	f := sharedRun(t)
	dir := t.TempDir()
	axes := map[string]meshio.Axis{"Y": meshio.UpY, "Z": meshio.UpZ}
	paths := []string{filepath.Join(dir, "Y.usda"), filepath.Join(dir, "Z.usda")}
	for i, up := range []string{"Y", "Z"} {
		opt := export.DefaultOptions()
		opt.Up, opt.Unit = axes[up], 0.01
		write(t, f, paths[i], opt)
	}
	all := json.NewDecoder(bytes.NewReader(node(t, "usd-read.mjs", paths...)))
	for _, up := range []string{"Y", "Z"} {
		var found usdFound
		if err := all.Decode(&found); err != nil {
			t.Fatal(err)
		}
		s := found.Stage
		if s["upAxis"] != up || s["metersPerUnit"] != 0.01 || s["timeCodesPerSecond"] != 30.0 ||
			s["startTimeCode"] != 0.0 ||
			s["endTimeCode"] != 9.0 ||
			s["defaultPrim"] != "run" {
			t.Errorf("stage %v", s)
		}
		if len(found.Meshes) != 5 {
			t.Errorf("%d meshes, want 5", len(found.Meshes))
		}
		inMetres := func(p r3.Vec) r3.Vec {
			if up == "Y" {
				p = r3.V(p.X, -p.Z, p.Y)
			}
			return p.Scale(0.01)
		}
		for _, cloth := range []string{"square", "sheet", "strip"} {
			var points map[string][][3]float64
			found.get(t, "/run/"+cloth, "points", &points)
			for n := range frameCount {
				got := vectors(points[fmt.Sprint(n)])
				for v := range got {
					got[v] = inMetres(got[v])
				}
				near(
					t,
					fmt.Sprintf("%s-up: %s, frame %d", up, cloth, n),
					got,
					expected(t, f, cloth, n),
					positionTolerance,
				)
			}
		}
		checkUSDStrip(t, &found)
		checkUSDBall(t, f, &found, inMetres)
	}
}

// checkUSDStrip compares corners and UVs with those of strip.obj.
func checkUSDStrip(t *testing.T, found *usdFound) {
	t.Helper()
	var corners, st []int32
	var uv [][2]float64
	found.get(t, "/run/strip", "faceVertexIndices", &corners)
	found.get(t, "/run/strip", "primvars:st:indices", &st)
	found.get(t, "/run/strip", "primvars:st", &uv)
	if want := []int32{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}; !slices.Equal(corners, want) {
		t.Errorf("corners %v, want %v", corners, want)
	}
	if want := []int32{
		0,
		1,
		2,
		0,
		2,
		3,
		4,
		5,
		2,
		4,
		2,
		2,
	}; !slices.Equal(st, want) || len(uv) != 6 ||
		math.Abs(uv[5][0]-0.9) > 1e-7 {
		t.Errorf("UVs %v of %v, want %v", st, uv, want)
	}
}

// checkUSDBall places the mesh of the ball by its pose in the file.
func checkUSDBall(t *testing.T, f *runfolder.Folder, found *usdFound, inMetres func(r3.Vec) r3.Vec) {
	t.Helper()
	var shape [][3]float64
	var translate map[string][3]float64
	var orient map[string][4]float64
	found.get(t, "/run/ball/mesh", "points", &shape)
	found.get(t, "/run/ball", "xformOp:translate", &translate)
	found.get(t, "/run/ball", "xformOp:orient", &orient)
	for _, n := range []int{0, 5, 9} {
		at, q := translate[fmt.Sprint(n)], orient[fmt.Sprint(n)]
		pose := r3.Pose{R: r3.Quat{W: q[0], X: q[1], Y: q[2], Z: q[3]}, T: r3.V(at[0], at[1], at[2])}
		ball := obstacleOf(frameOf(t, f, n))
		var got, want []r3.Vec
		for v, p := range vectors(shape) {
			got = append(got, inMetres(pose.Apply(p)))
			want = append(want, ball.Pose.Apply(ball.Mesh.Positions[v]))
		}
		near(t, fmt.Sprintf("ball, frame %d", n), got, want, positionTolerance)
	}
}

func TestParquetInAnotherReader(t *testing.T) {
	f := sharedRun(t)
	path := filepath.Join(t.TempDir(), "stats.parquet")
	write(t, f, path, export.DefaultOptions())
	var found struct {
		Metadata map[string]string
		Columns  []struct{ Name, Type string }
		Codecs   []string
		Rows     []map[string]*float64
	}
	if err := json.Unmarshal(node(t, "parquet-read.mjs", path), &found); err != nil {
		t.Fatal(err)
	}
	want, err := f.Stats()
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Rows) != want.Rows() || len(found.Columns) != len(want.Columns) ||
		!slices.Equal(found.Codecs, []string{"GZIP"}) {
		t.Fatalf("%d rows of %d columns, compressed by %v", len(found.Rows), len(found.Columns), found.Codecs)
	}
	var units map[string]string
	if err := json.Unmarshal([]byte(found.Metadata["units"]), &units); err != nil {
		t.Fatal(err)
	}
	for c, column := range found.Columns {
		bare, unit, _ := strings.Cut(strings.TrimSuffix(want.Columns[c], "]"), " [")
		if column.Name != strings.ReplaceAll(bare, " ", "_") || units[column.Name] != unit ||
			(column.Type == "INT64") != (unit == "") {
			t.Errorf("column %d is %+v in %q, want %s", c, column, units[column.Name], want.Columns[c])
		}
		for row, x := range want.Values[c] {
			got := found.Rows[row][column.Name]
			if math.IsNaN(x) != (got == nil) || got != nil && *got != x {
				t.Fatalf("row %d, %s: %v, want %v", row, column.Name, got, x)
			}
		}
	}
}

// Yarns in Blender: lines of an animated glTF, and a point cache on the line elements of an OBJ.
func TestBlenderPlaysYarns(t *testing.T) {
	f := yarnRun(t)
	dir := t.TempDir()
	opt := export.DefaultOptions()
	opt.Bodies = []string{"knit"}
	write(t, f, filepath.Join(dir, "knit.glb"), opt)
	opt.Mesh = true
	write(t, f, filepath.Join(dir, "knit.pc2"), opt)
	report := inBlender(t, dir, []ask{
		{Name: "glb", FPS: 25, Frames: []float64{0, 1, 2, 1.5}, GLB: "knit.glb"},
		{Name: "cache", FPS: 25, Frames: []float64{0, 1, 2, 1.5}, Mesh: "knit.obj", Cache: "knit.pc2", Up: "z", Unit: 1},
	})
	for name, objects := range report {
		if len(objects) != 1 {
			t.Fatalf("%s: %d objects", name, len(objects))
		}
		for _, frames := range objects {
			for k, frame := range []float64{0, 1, 2, 1.5} {
				near(t, fmt.Sprintf("%s, frame %v", name, frame), vectors(frames[k]), yarnsAt(0.5*frame).Points, positionTolerance)
			}
		}
	}
}

// USD curves in a reader that shares no code with ours.
func TestUSDCurvesInAnotherReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "knit.usda")
	write(t, yarnRun(t), path, export.DefaultOptions())
	var found usdFound
	if err := json.Unmarshal(node(t, "usd-read.mjs", path), &found); err != nil {
		t.Fatal(err)
	}
	var counts []int
	var widths []float64
	var points map[string][][3]float64
	found.get(t, "/run/knit", "curveVertexCounts", &counts)
	found.get(t, "/run/knit", "widths", &widths)
	found.get(t, "/run/knit", "points", &points)
	if !slices.Equal(counts, []int{16, 16}) || len(widths) != 1 || math.Abs(widths[0]-0.02) > 1e-9 {
		t.Errorf("counts %v, widths %v", counts, widths)
	}
	for n := range yarnFrames {
		near(t, fmt.Sprint(n), vectors(points[fmt.Sprint(n)]), yarnsAt(0.5 * float64(n)).Points[:32], positionTolerance)
	}
}
