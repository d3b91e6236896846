package build

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// withObstacles is base with obstacles in flow style.
func withObstacles(list string) string {
	return strings.Replace(samples.Base, "motions:", "obstacles: ["+list+"]\nmotions:", 1)
}

func TestContactAndFriction(t *testing.T) {
	text := strings.Replace(
		withObstacles("{name: ball, shape: {sphere: {radius: 1}}, place: {translate: [0, 0, -5]}}"),
		"gravity:",
		`contact: {thickness: 2 mm, self: false, tolerance: 1e-9, sweeps: 77, rounds: 1, halvings: 3, push: {fraction: 0.5, speed: 2 mm/s}}
friction: {default: 0.1, pairs: [{between: [square, square], mu: 0.2}, {between: [ball, square], mu: 0.7}]}
gravity:`,
		1,
	)
	b := mustBuild(t, text)
	want := engine.ContactOptions{
		Thickness:     2e-3,
		Friction:      0.1,
		Self:          false,
		Tolerance:     1e-9,
		Solver:        "nodal",
		MaxSweeps:     77,
		Budget:        10_000,
		Prune:         10 * math.Pi / 180,
		Rounds:        1,
		Rough:         0.005,
		Halvings:      3,
		PushFraction:  0.5,
		PushSpeed:     2e-3,
		UntangleSpeed: 1,
	}
	if got := b.World.Options().Contact; got != want {
		t.Errorf("contact %+v, want %+v", got, want)
	}
	square, ball := b.World.ClothSurface(b.Cloths[0].ID), b.World.ObstacleSurface(b.Obstacles[0].ID)
	for _, c := range []struct {
		a, b engine.SurfaceID
		mu   float64
	}{{square, square, 0.2}, {square, ball, 0.7}, {ball, square, 0.7}, {ball, ball, 0.1}} {
		if got := b.World.Friction(c.a, c.b); got != c.mu {
			t.Errorf(
				"friction of %s and %s is %g, not %g",
				b.World.SurfaceName(c.a),
				b.World.SurfaceName(c.b),
				got,
				c.mu,
			)
		}
	}
	if again := parsed(t, string(b.Scene.Resolved())); string(again.Resolved()) != string(b.Scene.Resolved()) {
		t.Errorf("resolved differs:\n%s", b.Scene.Resolved())
	}
	if s := parsed(
		t,
		strings.Replace(samples.Base, "gravity:", "friction: 0.8\ngravity:", 1),
	); s.Options().Contact.Friction != 0.8 {
		t.Errorf("a bare number gives %+v", s.Friction)
	}
}

// TestObstacleShapes checks the distance of a point of the world to each shape after placing.
func TestObstacleShapes(t *testing.T) {
	at := r3.V(0.3, -0.2, 2.5)
	turned := "place: {scale: 2, rotate: {axis: [0, 1, 0], angle: 90 deg}, translate: [0, 0, 2.5]}"
	for _, c := range []struct {
		text string
		want float64
	}{
		{"shape: {sphere: {radius: 0.1}}", at.Norm() - 0.1},
		{"shape: {sphere: {radius: 0.1}}, " + turned, math.Hypot(0.3, 0.2) - 0.2},
		{"shape: {plane: {}}", 2.5},
		{"shape: {plane: {point: [0.1, 0, 0], normal: [2, 0, 0]}}", 0.2},
		{"shape: {plane: {point: [0, 0, 0.1]}}, " + turned, 0.3 - 0.2}, // z became x
		{"shape: {box: {size: [0.2, 0.2, 0.2]}}, " + turned, 0.1},
		{"shape: {box: {size: [4, 4, 6]}}", -0.5},
		{"shape: {capsule: {radius: 0.1, from: [0.3, 0, 2.5], to: [0.3, 1, 2.5]}}", 0.1},
		{"shape: {capsule: {radius: 0.1, length: 2}}", r3.V(0.3, -0.2, 1.5).Norm() - 0.1},
		{"shape: {cylinder: {radius: 0.1, length: 10}}", math.Hypot(0.3, 0.2) - 0.1},
		{"shape: {cylinder: {radius: 0.1, length: 10, axis: [-3, 0, 0]}}, place: {translate: [0, 0, 2.5]}", 0.1},
		{"shape: {cylinder: {radius: 0.05, length: 10}}, " + turned, 0.1},
		{"shape: {cylinder: {radius: 9, from: [0, 0, 0], to: [0, 0, 2]}}", 0.5},
		{"shape: {cone: {radius: 5, height: 2}}, place: {translate: [0.3, -0.2, 1]}", 0.5 * -5 / math.Hypot(5, 2)},
		{"shape: {cone: {radius: 5, height: 2, axis: [0, 0, -1]}}, place: {translate: [0.3, -0.2, 2]}", 0.5},
	} {
		b := mustBuild(t, withObstacles("{name: it, "+c.text+"}"))
		id := b.Obstacles[0].ID
		f := shape.Placed{Shape: b.World.Obstacle(id).Shape, Pose: b.World.ObstaclePose(id)}
		if d, _ := f.Distance(at); math.Abs(d-c.want) > 1e-12 {
			t.Errorf("%s: distance %.15g, want %.15g", c.text, d, c.want)
		}
	}
}

func TestObstacleMeshesMove(t *testing.T) {
	b := mustBuild(
		t,
		withObstacles(
			"{name: it, shape: {file: sheet.obj, unit: 10 cm, up: y}, place: {scale: 2, translate: [0, 0, -3]}, motion: lift}",
		),
	)
	id := b.Obstacles[0].ID
	// In the file, y is up.
	want := []r3.Vec{r3.V(0, 0, -3), r3.V(0.2, 0, -3), r3.V(0.2, 0, -2.8), r3.V(0, 0, -2.8)}
	check := func(shift r3.Vec) {
		t.Helper()
		for i, x := range b.World.ObstaclePositions(id) {
			if x.Sub(want[i].Add(shift)).Norm() > 1e-12 {
				t.Errorf("vertex %d is at %v", i, x)
			}
		}
	}
	check(r3.Vec{})
	if err := b.World.Advance(0.1, 0.05, nil); err != nil {
		t.Fatal(err)
	}
	check(r3.V(0, 0, 0.05))
	if got := b.Scene.Inputs(); len(got) != 2 || got[1].Path != "sheet.obj" {
		t.Errorf("inputs %v", got)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestPress(t *testing.T) {
	b := mustBuild(
		t,
		withObstacles(
			"{name: jaw, shape: {box: {size: [1, 1, 1]}}, place: {translate: [0, 0, -9]}, press: {axis: [0, 0, -2], force: 3 N, mass: 500 g, stop: 1 cm}}, "+
				"{name: free, shape: {box: {size: [1, 1, 1]}}, place: {translate: [0, 9, 0]}, press: {axis: [0, 1, 0], force: -1 N}}",
		),
	)
	if p := b.World.Obstacle(0).Press; *p != (engine.Press{Axis: r3.V(0, 0, -2), Force: 3, Mass: 0.5, Stop: 0.01}) {
		t.Errorf("press %+v", *p)
	}
	want := engine.Press{Axis: r3.V(0, 1, 0), Force: -1, Mass: 1, Stop: math.Inf(1)}
	if p := b.World.Obstacle(1).Press; *p != want {
		t.Errorf("press %+v", *p)
	}
}

// sequenceFolder writes a square that rises from 0 to 1 to 3 m in numbered files, in a cache, and a scene.
func sequenceFolder(t *testing.T, shape string) string {
	t.Helper()
	dir := t.TempDir()
	heights := []float64{-9, -8, -6}
	square := func(z float64) []r3.Vec { return []r3.Vec{r3.V(0, 0, z), r3.V(1, 0, z), r3.V(1, 1, z), r3.V(0, 1, z)} }
	m := &meshio.Mesh{Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}}}
	for i, z := range heights {
		m.Positions = square(z)
		if err := meshio.WriteFile(
			filepath.Join(dir, fmt.Sprintf("body.%03d.obj", i+5)),
			m,
			meshio.DefaultWriteOptions(),
		); err != nil {
			t.Fatal(err)
		}
	}
	header := meshio.CacheHeader{Points: 4, Frames: 3, Step: 1}
	err := meshio.WritePointCacheFile(
		filepath.Join(dir, "body.pc2"),
		header,
		meshio.DefaultWriteOptions(),
		func(i int, out []r3.Vec) error {
			copy(out, square(heights[i]))
			return nil
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "scene.yaml")
	text := withObstacles("{name: body, shape: {sequence: " + shape + "}, place: {scale: 2, translate: [0, 0, 1]}}")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSequences(t *testing.T) {
	for _, shape := range []string{
		"{files: body.###.obj, first: 5, last: 7, fps: 10, start: 0.1 s}",
		"{cache: body.pc2, base: body.005.obj, fps: 10, start: 0.1 s}",
	} {
		path := sequenceFolder(t, shape)
		s, err := scenefile.Load(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := World(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ t, z float64 }{{0.15, -8.5}, {0.25, -7}, {0.5, -6}} {
			if err := b.World.Advance(c.t-b.World.Time(), 0.05, nil); err != nil {
				t.Fatal(err)
			}
			for i, x := range b.World.ObstaclePositions(b.Obstacles[0].ID) {
				if math.Abs(x.Z-(2*c.z+1)) > 1e-9 {
					t.Errorf("%s: vertex %d is at %v at %g s", shape, i, x, c.t)
				}
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		// Another frame in the middle, of the same size, is another input.
		before := s.Inputs()
		last := before[len(before)-1]
		if !strings.HasPrefix(last.Path, "body.") || len(last.SHA256) != 64 {
			t.Errorf("input %v", last)
		}
		name := filepath.Join(filepath.Dir(path), "body.006.obj")
		if strings.Contains(shape, "cache") {
			name = filepath.Join(filepath.Dir(path), "body.pc2")
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)*2/3]++
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		again, err := scenefile.Load(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if inputs := again.Inputs(); inputs[len(inputs)-1].SHA256 == last.SHA256 {
			t.Error("a changed frame has the same hash")
		}
	}
}

// A mannequin stands where it is placed and is as large as its measures say; its motions are those of package shape.
func TestMannequins(t *testing.T) {
	b := mustBuild(
		t,
		withObstacles(
			"{name: body, shape: {mannequin: {size: S, measures: {height: 1.6 m}, vertices: 2000}}, place: {scale: 2, translate: [0, 0, -9]}}",
		),
	)
	box := r3.BoxOf(b.World.ObstaclePositions(b.Obstacles[0].ID))
	if math.Abs(box.Min.Z+9) > 0.02 || math.Abs(box.Size().Z-3.2) > 0.04 {
		t.Errorf("a body of 1.6 m, twice as large and 9 m down, is at %v", box)
	}
	if f := b.Obstacles[0].Film; f == nil || f.Lead != 1 {
		t.Errorf("film %+v", f)
	}
	f, _ := reflect.TypeFor[scenefile.Contact]().FieldByName("Solver")
	if words := strings.Fields(f.Tag.Get("one")); !slices.Equal(words, engine.ContactSolvers()) {
		t.Errorf("solvers of scenes are %v, those there are %v", words, engine.ContactSolvers())
	}
	f, _ = reflect.TypeFor[scenefile.MannequinShape]().FieldByName("Motion")
	if words := strings.Fields(f.Tag.Get("one")); !slices.Equal(words, mannequin.Motions()) {
		t.Errorf("motions of scenes are %v, those of shape %v", words, mannequin.Motions())
	}
}

func TestBadSequenceFiles(t *testing.T) {
	for shape, phrase := range map[string]string{
		"{files: body.###.obj, first: 5, last: 8, fps: 10}":     `frame 4 of 4: file "body.008.obj" does not exist`,
		"{files: body.###.stl, first: 5, last: 5, fps: 10}":     "does not exist",
		"{files: scene.yaml, last: 0, fps: 10}":                 "one group of #",
		"{cache: body.005.obj, base: body.005.obj, fps: 10}":    "write .pc2 or .mdd",
		"{cache: body.pc2, base: body.pc2, fps: 10}":            "unknown mesh format",
		"{cache: scene.yaml, base: body.005.obj, fps: 10}":      "write .pc2 or .mdd",
		"{files: body.###.obj, first: 5, last: 7, fps: 10 kg}":  "unknown unit",
		"{files: /body.###.obj, first: 5, last: 7, fps: 10}":    "relative to the folder",
		"{files: ../x/body.###.obj, first: 5, last: 7, fps: 1}": "leads out of the folder",
	} {
		s, err := scenefile.Load(sequenceFolder(t, shape), nil)
		if err == nil {
			_, err = World(s)
		}
		var faults scenefile.Faults
		if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Line != 15 ||
			!strings.Contains(faults[0].Msg, phrase) {
			t.Errorf("%s: want %q on line 15, got %v", shape, phrase, err)
		}
	}
}

// TestReferenceExamples reads the pieces of scenes in docs/scene.md. Files that they name do not exist.
func TestReferenceExamples(t *testing.T) {
	text, err := os.ReadFile("../../docs/scene.md")
	if err != nil {
		t.Fatal(err)
	}
	pieces := strings.Split(string(text), "```yaml\n")[1:]
	if len(pieces) < 4 {
		t.Fatalf("only %d examples", len(pieces))
	}
	for _, piece := range pieces {
		piece, _, _ = strings.Cut(piece, "```")
		switch {
		case strings.HasPrefix(piece, "friction:"):
			rest := withObstacles("{name: floor, shape: {plane: {}}}")
			if strings.Contains(piece, "gravity:") { // it gives these keys itself
				rest = strings.NewReplacer("gravity: [0, 0, -9.81]\n", "", "air: {density: 1.2, wind: [0, 0, 0]}\n", "").
					Replace(rest)
			}
			piece = rest + piece
		case strings.HasPrefix(piece, "pins:"):
			piece = strings.ReplaceAll(strings.TrimSpace(piece), "\n", "\n    ")
			piece = strings.Replace(
				withObstacles("{name: dancer, shape: {plane: {}}}, {name: hand, shape: {plane: {}}}"),
				samples.PinLine,
				piece,
				1,
			)
		case strings.HasPrefix(piece, "cloths:"), strings.HasPrefix(piece, "yarns:"):
			piece = "toile: 1\ntime: {end: 1 s}\n" + piece
		case strings.HasPrefix(piece, "joints:"):
			const leaf = "shape: {box: {size: [1, 1, 1]}}"
			piece = samples.Base + "rigids: [{name: door, " + leaf + "}, {name: lamp, " + leaf + "}]\n" + piece
		case strings.HasPrefix(piece, "rigids:"), strings.HasPrefix(piece, "solids:"):
			piece = samples.Base + piece
		case strings.HasPrefix(piece, "obstacles:"):
			piece = strings.Replace(samples.Base, "lift:", "turn: [{at: 0}]\n  lift:", 1) + piece
		}
		_, err := scenefile.Parse("example.yaml", []byte(piece), samples.Files, nil)
		var faults scenefile.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Fatal(err)
		}
		for _, f := range faults {
			if !strings.Contains(f.Msg, "does not exist in the folder") {
				t.Error(f)
			}
		}
	}
}
