//go:build blender

// Both directions with a real program: `go test -tags blender -run Blender ./meshio`.

package meshio

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// blenderMesh is what Blender says of a scene.
type blenderMesh struct {
	Vertices, Triangles int
	Low, High           [3]float64
	UVs                 [][2]float64
}

// box returns the world box of the scene. Blender computes in single precision.
func (b blenderMesh) box() r3.Box {
	return r3.Box{Min: r3.V(b.Low[0], b.Low[1], b.Low[2]), Max: r3.V(b.High[0], b.High[1], b.High[2])}
}

func sameBox(a, b r3.Box) bool {
	const tolerance = 4e-6 // a few rounding errors of numbers below 4 in single precision
	return a.Min.Sub(b.Min).MaxAbs() < tolerance && a.Max.Sub(b.Max).MaxAbs() < tolerance
}

// runBlender runs a script of testdata on a folder and returns what it reports for each file.
func runBlender[T any](t *testing.T, script, dir string) map[string]T {
	t.Helper()
	program, err := exec.LookPath("blender")
	if err != nil {
		t.Fatalf("this test needs Blender (Debian: apt-get install blender): %v", err)
	}
	script, err = filepath.Abs(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "-b", "--factory-startup", "--python-exit-code", "1", "--python", script, "--", dir).
		CombinedOutput()
	if err != nil {
		t.Fatalf("blender: %v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var report map[string]T
	if err := json.Unmarshal(data, &report); err != nil {
		t.Fatal(err)
	}
	return report
}

func TestBlender(t *testing.T) {
	dir := t.TempDir()
	ours := seamed()
	// Blender's OBJ reader drops vertices without a face; ours are all used here.
	ours.Triangles = append(ours.Triangles, [3]int32{5, 3, 2})
	ours.CornerUV = append(ours.CornerUV, [3]int32{3, 3, 2})
	write := func(name string, f Format) {
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(file, f, ours, DefaultWriteOptions()); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write("ours.obj", OBJ)
	write("ours.glb", GLB)
	write("ours.ply", PLY)
	write("ours-big.ply", PLYBigEndian)
	write("ours-ascii.ply", PLYASCII)
	report := runBlender[blenderMesh](t, "blender.py", dir)
	for _, name := range []string{"ours.obj", "ours.glb", "ours.ply", "ours-big.ply", "ours-ascii.ply"} {
		got, ok := report[name]
		vertices := len(ours.Positions)
		if name == "ours.glb" {
			vertices++ // split at the seam
		}
		if !ok || got.Vertices != vertices || got.Triangles != len(ours.Triangles) ||
			!sameBox(got.box(), r3.BoxOf(ours.Positions)) {
			t.Errorf(
				"%s in Blender: %+v; want %d vertices, %d triangles in %+v",
				name,
				got,
				vertices,
				len(ours.Triangles),
				r3.BoxOf(ours.Positions),
			)
		}
		if hasUV := name == "ours.obj" || name == "ours.glb"; hasUV && !sameUVs(got.UVs, ours.UV) {
			t.Errorf("%s in Blender has UVs %v, want %v", name, got.UVs, ours.UV)
		}
	}
	theirs := report["theirs"]
	for _, name := range []string{"theirs.obj", "theirs-yup.obj", "theirs.ply", "theirs-ascii.ply", "theirs.glb"} {
		opt := DefaultReadOptions()
		opt.Weld = true // Blender splits vertices at hard edges in GLB and PLY
		if name == "theirs-yup.obj" {
			opt.Up = UpY
		}
		m, err := ReadFile(filepath.Join(dir, name), opt)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if len(m.Positions) != theirs.Vertices || len(m.Triangles) != theirs.Triangles ||
			!sameBox(r3.BoxOf(m.Positions), theirs.box()) {
			t.Errorf(
				"%s: %d vertices, %d triangles in %+v; Blender has %+v",
				name,
				len(m.Positions),
				len(m.Triangles),
				r3.BoxOf(m.Positions),
				theirs,
			)
		}
		// OBJ has objects and GLB nodes; PLY knows neither.
		if named := filepath.Ext(
			name,
		) != ".ply"; named &&
			(len(m.Groups) < 2 || len(m.Groups[0].Vertices) != 8 && len(m.Groups[1].Vertices) != 8) {
			t.Errorf("%s: groups %v", name, m.Groups)
		}
	}
}

// sameUVs reports whether every wanted UV is among those that Blender has.
func sameUVs(got [][2]float64, want []r3.Vec2) bool {
	for _, w := range want {
		found := false
		for _, g := range got {
			found = found || math.Abs(g[0]-w.X) < 1e-5 && math.Abs(g[1]-w.Y) < 1e-5
		}
		if !found {
			return false
		}
	}
	return true
}
