package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

func parsed(t *testing.T, text string, sets ...string) *scenefile.Scene {
	t.Helper()
	s, err := scenefile.Parse("test.yaml", []byte(text), samples.Files, sets)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func Example() {
	text := `
toile: 1
time: {end: 10 ms, fps: 100}
cloths:
  - name: square
    shape: {grid: {size: [20 cm, 20 cm], cells: [4, 4]}}
    material: silk
    pins: [{select: corners}]
`
	s, err := scenefile.Parse("square.yaml", []byte(text), nil, []string{"cloths.square.material.density=80 g/m2"})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := World(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cloths.Spec(b.World, 0).Fabric.Density, "kg/m²,", len(b.World.Positions(0)), "vertices")

	_, err = scenefile.Parse("square.yaml", []byte("toile: 1\ntime: {ende: 1}\n"), nil, nil)
	fmt.Println(err)
	// Output:
	// 0.08 kg/m², 25 vertices
	// square.yaml:1:1: the scene has nothing that moves; write cloths, rigids, solids or yarns
	//     1 | toile: 1
	//       | ^
	// square.yaml:2:7: time needs the key "end": when the simulation ends
	//     2 | time: {ende: 1}
	//       |       ^
	// square.yaml:2:8: unknown key "ende" in time; did you mean "end"?
	//     2 | time: {ende: 1}
	//       |        ^
}

func mustBuild(t *testing.T, text string, sets ...string) *Built {
	t.Helper()
	b, err := World(parsed(t, text, sets...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBaseIsGood(t *testing.T) {
	b := mustBuild(t, samples.Base)
	if got := b.Cloths[0].Pins[0].Vertices; !slices.Equal(got, []int32{0, 4, 20, 24}) {
		t.Errorf("corners are %v", got)
	}
	if b.Cloths[0].Pins[0].Name != "square.pins.0" {
		t.Errorf("pin is called %q", b.Cloths[0].Pins[0].Name)
	}
	o := b.World.Options()
	if o.Gravity != r3.V(0, 0, -9.81) || o.Air.Density != 1.2 {
		t.Errorf("options %+v", o)
	}
	f := cloths.Spec(b.World, 0).Fabric
	if warp, weft, shear, poisson := f.Membrane.Engineering(); math.Abs(
		warp-100,
	)+math.Abs(
		weft-100,
	)+math.Abs(
		shear-30,
	)+math.Abs(
		poisson-0.3,
	) > 1e-12 {
		t.Errorf("stretch %g %g %g %g", warp, weft, shear, poisson)
	}
	if f.Density != 0.2 || f.Damping != 1e-3 || f.BendWarp != 1e-5 {
		t.Errorf("fabric %+v", f)
	}
	if s, err := b.World.Step(1e-3); err != nil || s.Vertices != 25 {
		t.Errorf("step: %+v, %v", s, err)
	}
}

func TestPlacing(t *testing.T) {
	b := mustBuild(
		t,
		samples.Base,
		"cloths.0.place={scale: 2, rotate: {axis: [0, 0, 1], angle: 90 deg}, translate: [1, 2, 3]}",
		"cloths.0.forces=[{select: all, force: [1, 0, 0]}]",
	)
	x := b.World.Positions(0)
	// The corner (1, 1, 0) becomes (2, 2, 0), turned (-2, 2, 0), moved (-1, 4, 3).
	if got := x[24]; got.Sub(r3.V(-1, 4, 3)).Norm() > 1e-14 {
		t.Errorf("corner at %v", got)
	}
	if m := cloths.Spec(b.World, 0).Mesh.Material[24]; m != (r3.Vec2{X: 2, Y: 2}) {
		t.Errorf("rest shape is not scaled: %v", m)
	}
}

func TestForcesAreTotals(t *testing.T) {
	// Without anything else, a step adds the impulse of the total force, whatever its distribution.
	text := strings.NewReplacer("    pins: [{select: corners, motion: lift}]\n", "", "near: [0.5, 0.5, 1]", "box: {min: [0, 0, 0], max: [0.6, 0.6, 2]}",
		"gravity: [0, 0, -9.81]", "gravity: [0, 0, 0]", "density: 1.2", "density: 0").
		Replace(samples.Base)
	b := mustBuild(t, text, "cloths.square.forces.0.force=[0, 0, 3]")
	const h = 1e-3
	if _, err := b.World.Step(h); err != nil {
		t.Fatal(err)
	}
	var p r3.Vec
	for i, v := range b.World.Velocities(0) {
		p = p.AddScaled(b.World.Masses(0)[i], v)
	}
	// The linear residual of 1e-8 m/s for 0.2 kg.
	if p.Sub(r3.V(0, 0, 3*h)).Norm() > 1e-8 {
		t.Errorf("momentum %v after an impulse of %g", p, 3*h)
	}
}

func TestSelections(t *testing.T) {
	for sel, want := range map[string][]int32{
		"corners":             {0, 4, 20, 24},
		"{near: [0.3, 0, 1]}": {1},
		"{ids: [3, 1, 3]}":    {1, 3},
		"{box: {min: [0, 0, 0], max: [1, 0, 1]}}":      {0, 1, 2, 3, 4},
		"{sphere: {center: [0, 0, 1], radius: 25 cm}}": {0, 1, 5},
		"boundary": {0, 1, 2, 3, 4, 5, 9, 10, 14, 15, 19, 20, 21, 22, 23, 24},
	} {
		b := mustBuild(t, samples.Base, "cloths.square.pins.0.select="+sel)
		if got := b.Cloths[0].Pins[0].Vertices; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", sel, got, want)
		}
	}
	if b := mustBuild(t, samples.Base, "cloths.square.pins.0.select=all"); len(b.Cloths[0].Pins[0].Vertices) != 25 {
		t.Error("all is not all")
	}
}

func TestMeshFiles(t *testing.T) {
	shape := func(s string) string { return "cloths.square.shape=" + s }
	pins := "cloths.square.pins=[{select: {group: collar}}]"
	forces := "cloths.square.forces=[]"
	b := mustBuild(t, samples.Base, shape("{file: twoshirts.obj, unit: 10 cm, up: y}"), pins, forces)
	if got := b.Cloths[0].Pins[0].Vertices; !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("collar is %v", got)
	}
	// (1, 1, 0) with y up is (1, 0, 1); in tenths of metres, moved up by 1 m.
	if got := b.World.Positions(0)[2]; got.Sub(r3.V(0.1, 0, 1.1)).Norm() > 1e-15 {
		t.Errorf("vertex at %v", got)
	}
	b = mustBuild(t, samples.Base, shape("{file: pattern.obj, rest: uv, uv-scale: 2}"), forces, "cloths.square.place.scale=3")
	if got := cloths.Spec(b.World, 0).Mesh.RestArea(0); got != 18 {
		t.Errorf("rest area %g, want 18", got)
	}
	sum := sha256.Sum256(samples.Files["pattern.obj"].Data)
	if got := b.Scene.Inputs(); len(got) != 2 || got[1] != (scenefile.Input{Path: "pattern.obj", SHA256: hex.EncodeToString(sum[:])}) {
		t.Errorf("inputs %v", got)
	}
	if c := b.Scene.Cost(); c.Vertices != 4 || c.Triangles != 2 {
		t.Errorf("cost %+v", c)
	}
}

func TestMotion(t *testing.T) {
	b := mustBuild(
		t,
		samples.Base,
		"motions.lift={about: [0.5, 0.5, 1], smooth: true, keys: [{at: 0}, {at: 20 ms, rotate: {axis: [0, 0, 1], angle: 180 deg}}]}",
		"gravity=[0, 0, 0]",
		"cloths.square.forces=[]",
	)
	if err := b.World.Advance(20e-3, 5e-3, nil); err != nil {
		t.Fatal(err)
	}
	if got := b.World.Positions(0)[0]; got.Sub(r3.V(1, 1, 1)).Norm() > 1e-12 {
		t.Errorf("corner is at %v, not opposite", got)
	}
}

func TestClampsOfPins(t *testing.T) {
	b := mustBuild(t, samples.Base, "cloths.square.pins=[{select: {box: {min: [0, 0, 1], max: [0, 1, 1]}}, clamp: [1, 0, 0]}]")
	if got := len(cloths.Spec(b.World, 0).Clamps); got != 4 {
		t.Errorf("%d clamps on a side of 4 edges", got)
	}
}

func TestPatterns(t *testing.T) {
	for _, p := range []string{"right", "crossed", "equilateral", "random"} {
		b := mustBuild(t, samples.Base, "cloths.square.shape.grid={size: [1, 1], cells: [12, 9], pattern: "+p+"}")
		m := cloths.Spec(b.World, 0).Mesh
		cost := b.Scene.Cost()
		exact := p == "right" || p == "crossed"
		if exact && (cost.Vertices != m.Verts || cost.Triangles != len(m.Tri)) {
			t.Errorf("%s: cost %+v, mesh %d %d", p, cost, m.Verts, len(m.Tri))
		}
		if r := float64(cost.Vertices) / float64(m.Verts); r < 0.85 || r > 1.15 {
			t.Errorf("%s: %d vertices, guessed %d", p, m.Verts, cost.Vertices)
		}
	}
}

func TestBuildIsDeterministic(t *testing.T) {
	s := parsed(t, samples.Base, "cloths.square.shape.grid={size: [1, 1], cells: [8, 8], pattern: random, seed: 3}")
	var hashes []engine.Hash
	for range 2 {
		b, err := World(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.World.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, b.World.Snapshot().Hash())
	}
	if hashes[0] != hashes[1] {
		t.Error("the same scene gave two worlds")
	}
}

func TestNewWritesARunnableScene(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "folder")
	path, err := scenefile.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenefile.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Obstacles) != 2 || b.Obstacles[1].Name != "ball" {
		t.Errorf("obstacles %v", b.Obstacles)
	}
	// The key that is commented out works.
	pinned := mustBuild(t, strings.Replace(string(scenefile.Template()), "# pins:", "pins:", 1))
	if got := pinned.Cloths[0].Pins[0].Vertices; !slices.Equal(got, []int32{0}) {
		t.Errorf("the pin holds %v", got)
	}
	if c := s.Cost(); c.Vertices < 2500 || c.Vertices > 4000 || c.Steps > 1000 {
		t.Errorf("the template costs %+v", c)
	}
	if _, err := scenefile.New(dir); err == nil {
		t.Error("New overwrote a scene")
	}
}

func TestExampleScenesBuild(t *testing.T) {
	paths, err := filepath.Glob("../../scenes/*.yaml")
	if err != nil || len(paths) < 3 {
		t.Fatalf("%v, %v", paths, err)
	}
	for _, path := range paths {
		s, err := scenefile.Load(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.HasYarns() { // TestScarf and TestSwatch have them
			continue
		}
		b, err := World(s)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// The comment at the top tells the cost.
		c := s.Cost()
		for _, cost := range []string{grouped(c.Vertices) + " vertices", grouped(c.Steps) + " steps"} {
			if c.Vertices == 0 && strings.HasPrefix(cost, "0 ") {
				continue
			}
			if !strings.Contains(string(text), cost) {
				t.Errorf("%s: the comment does not say %q", path, cost)
			}
		}
		got := 0
		for i := range b.World.Cloths() {
			got += len(b.World.Positions(engine.ClothID(i)))
		}
		for _, o := range b.Bodies {
			if o.Solid != nil {
				got += o.Solid.Blocks()
			}
		}
		if got != c.Vertices && !s.Dresses() { // panels have more before they are joined
			t.Errorf("%s: %d vertices, guessed %d", path, got, c.Vertices)
		}
	}
}

// grouped writes a number below a million with a comma between thousands.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
