package film_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/internal/format/glb"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/usd"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// flapping returns frame i of a mesh of two triangles, in numbers that single precision holds.
func flapping(i int) *meshio.Mesh {
	m := &meshio.Mesh{Positions: make([]r3.Vec, 4), Triangles: [][3]int32{{0, 1, 2}, {2, 1, 3}}}
	for k := range m.Positions {
		m.Positions[k] = r3.V(float64(k), float64(i)/4, float64(k*i)/8)
	}
	return m
}

// someFilm is a flapping sheet with a seam in its UVs and a corner without one, and a die that turns.
func someFilm() (*film.Film, film.Shoot) {
	cloth := flapping(0)
	cloth.Name = "a \"sheet\"\\"
	cloth.UV = []r3.Vec2{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0.5, Y: 0.25}}
	cloth.CornerUV = slices.Clone(cloth.Triangles)
	for i := range cloth.CornerUV {
		cloth.CornerUV[i] = [3]int32{int32(i) % 4, 1, 2}
	}
	cloth.CornerUV[0][2] = -1
	cloth.Normals = make([]r3.Vec, len(cloth.Positions))
	for v := range cloth.Normals {
		cloth.Normals[v] = r3.V(0, 0, 1)
	}
	die := &meshio.Mesh{
		Name:      "1 die",
		Positions: []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}},
		Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
	}
	f := &film.Film{
		Name:   "flap",
		FPS:    25,
		Frames: []int{3, 5, 7, 9},
		Actors: []film.Actor{{Mesh: cloth}, {Mesh: die, Rigid: true}},
	}
	return f, func(i int) ([]film.Shot, error) {
		m := flapping(i)
		normals := make([]r3.Vec, len(m.Positions))
		for v := range normals {
			normals[v] = r3.V(math.Sin(float64(i)), 0, math.Cos(float64(i)))
		}
		return []film.Shot{{Positions: m.Positions, Normals: normals}, {Pose: dieAt(i)}}, nil
	}
}

// dieAt turns by more than half a turn a frame, so that the quaternion has to change its sign.
func dieAt(i int) r3.Pose {
	return r3.Pose{R: r3.Rotation(r3.V(1, 2, 3), 3.3*float64(i)), T: r3.V(float64(i), 2, 3)}
}

func TestFilmGLB(t *testing.T) {
	f, shoot := someFilm()
	path := filepath.Join(t.TempDir(), "film.glb")
	if err := glb.WriteFilm(path, f, shoot); err != nil {
		t.Fatal(err)
	}
	// Our own reader takes the first frame, and joins what was split at the seam.
	first, err := meshio.ReadFile(path, meshio.DefaultReadOptions())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Actors[0].Mesh.Positions) + 4; len(first.Positions) != n || len(first.Groups) != 2 {
		t.Errorf("%d vertices in groups %v, want %d", len(first.Positions), first.Groups, n)
	}
	doc, err := gltf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	floats := func(accessor int) any {
		x, err := modeler.ReadAccessor(doc, doc.Accessors[accessor], nil)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	p := doc.Meshes[0].Primitives[0]
	base := floats(p.Attributes[gltf.NORMAL]).([][3]float32)
	for i := 1; i < len(f.Frames); i++ {
		d := floats(p.Targets[i-1][gltf.NORMAL]).([][3]float32)
		if got, want := float64(base[0][0]+d[0][0]), math.Sin(float64(i)); math.Abs(got-want) > 1e-6 {
			t.Errorf("frame %d: x of the normal is %v, want %v", i, got, want)
		}
	}
	if names := doc.Meshes[0].Extras.(map[string]any)["targetNames"].([]any); len(names) != 3 || names[0] != "frame 5" {
		t.Errorf("targets are named %v", names)
	}
	channels := doc.Animations[0].Channels
	if len(channels) != 3 || channels[1].Target.Path != gltf.TRSTranslation ||
		channels[2].Target.Path != gltf.TRSRotation {
		t.Fatalf("channels %+v", channels)
	}
	times := floats(doc.Animations[0].Samplers[0].Input).([]float32)
	if want := []float32{0, 2.0 / 25, 4.0 / 25, 6.0 / 25}; !slices.Equal(times, want) {
		t.Errorf("times %v, want %v", times, want)
	}
	at := floats(doc.Animations[0].Samplers[channels[1].Sampler].Output).([][3]float32)
	turn := floats(doc.Animations[0].Samplers[channels[2].Sampler].Output).([][4]float32)
	for i := range f.Frames {
		q := r3.Quat{W: float64(turn[i][3]), X: float64(turn[i][0]), Y: -float64(turn[i][2]), Z: float64(turn[i][1])}
		pose := r3.Pose{R: q, T: r3.V(float64(at[i][0]), -float64(at[i][2]), float64(at[i][1]))}
		if got, want := pose.Apply(r3.V(1, 1, 1)), dieAt(i).Apply(r3.V(1, 1, 1)); got.Sub(want).MaxAbs() > 1e-5 {
			t.Errorf("frame %d: the die is at %v, want %v", i, got, want)
		}
		if i > 0 &&
			turn[i][0]*turn[i-1][0]+turn[i][1]*turn[i-1][1]+turn[i][2]*turn[i-1][2]+turn[i][3]*turn[i-1][3] < 0 {
			t.Errorf("frame %d: the die turns the long way", i)
		}
	}
	if info, err := os.Stat(path); err != nil || glb.FilmSize(f) > 4*float64(info.Size()) {
		t.Errorf("%v bytes expected, written %v", glb.FilmSize(f), info.Size())
	}
}

func TestFilmOfOneFrameHasNoAnimation(t *testing.T) {
	f, shoot := someFilm()
	f.Frames = f.Frames[:1]
	path := filepath.Join(t.TempDir(), "film.glb")
	if err := glb.WriteFilm(path, f, shoot); err != nil {
		t.Fatal(err)
	}
	doc, err := gltf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Animations) != 0 || len(doc.Meshes[0].Primitives[0].Targets) != 0 {
		t.Errorf("animations %v", doc.Animations)
	}
}

func TestFilmUSDA(t *testing.T) {
	f, shoot := someFilm()
	path := filepath.Join(t.TempDir(), "film.usda")
	if err := usd.WriteFilm(path, f, model.Frame{YUp: true, Unit: 0.5}, shoot); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{
		"startTimeCode = 3\n", "endTimeCode = 9\n", "timeCodesPerSecond = 25\n", "metersPerUnit = 0.5\n", `upAxis = "Y"`,
		`def Mesh "a__sheet__"`, `userProperties:name = "a \"sheet\"\\"`, `def Xform "_1_die"`, `interpolation = "faceVarying"`,
		"primvars:st = [(0, 0), (1, 0), (1, 1), (0.5, 0.25), (0, 0)] (",
		"primvars:st:indices = [0, 1, 4, ",
		"point3f[] points = [(0, 0, 0), (2, 0, 0), (0, 0, -2), (0, 2, 0)]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q", want)
		}
	}
	points := regexp.MustCompile(`(?s)points.timeSamples = \{\n(.*?)\}`).FindStringSubmatch(text)[1]
	for i, line := range strings.Split(strings.TrimSpace(points), "\n") {
		var frame int
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "%d:", &frame); err != nil || frame != f.Frames[i] {
			t.Fatalf("sample %d is of frame %d, %v", i, frame, err)
		}
		_, array, _ := strings.Cut(strings.TrimSuffix(line, ","), ": ")
		var got [][3]float64
		if err := json.Unmarshal([]byte(strings.NewReplacer("(", "[", ")", "]").Replace(array)), &got); err != nil {
			t.Fatal(err)
		}
		for v, p := range flapping(i).Positions {
			if q := r3.V(got[v][0]/2, -got[v][2]/2, got[v][1]/2); q.Sub(p).MaxAbs() > 1e-6 {
				t.Errorf("frame %d: vertex %d is at %v, want %v", frame, v, q, p)
			}
		}
	}
}

func TestFilmRefuses(t *testing.T) {
	stop := errors.New("stop")
	for want, change := range map[string]func(*film.Film, *film.Shoot){
		"FPS is 0":                    func(f *film.Film, _ *film.Shoot) { f.FPS = 0 },
		"no frames":                   func(f *film.Film, _ *film.Shoot) { f.Frames = nil },
		"numbers ascend":              func(f *film.Film, _ *film.Shoot) { f.Frames[1] = 3 },
		"no actors":                   func(f *film.Film, _ *film.Shoot) { f.Actors = nil },
		"no triangles":                func(f *film.Film, _ *film.Shoot) { f.Actors[1].Mesh.Triangles = nil },
		"stop":                        func(_ *film.Film, s *film.Shoot) { *s = func(int) ([]film.Shot, error) { return nil, stop } },
		"frame 3 shows 0 of 2 actors": func(_ *film.Film, s *film.Shoot) { *s = func(int) ([]film.Shot, error) { return nil, nil } },
		"has 0 positions": func(_ *film.Film, s *film.Shoot) {
			*s = func(int) ([]film.Shot, error) { return make([]film.Shot, 2), nil }
		},
		"cannot be written in single":  later(func(s []film.Shot) { s[0].Positions[1].X = 1e300 }),
		"frame 5: normal 0":            later(func(s []film.Shot) { s[0].Normals[0].X = math.NaN() }),
		"frame 5: the pose of \"1 die": later(func(s []film.Shot) { s[1].Pose.T.X = math.Inf(1) }),
	} {
		dir := t.TempDir()
		for _, usda := range []bool{false, true} {
			f, shoot := someFilm()
			change(f, &shoot)
			var err error
			if usda {
				err = usd.WriteFilm(filepath.Join(dir, "x.usda"), f, model.Frame{Unit: 1}, shoot)
			} else {
				err = glb.WriteFilm(filepath.Join(dir, "x.glb"), f, shoot)
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s left behind: %v", want, left)
		}
	}
}

// later changes the shots of the second frame.
func later(change func([]film.Shot)) func(*film.Film, *film.Shoot) {
	return func(_ *film.Film, s *film.Shoot) {
		was := *s
		*s = func(i int) ([]film.Shot, error) {
			shots, err := was(i)
			if i == 1 {
				change(shots)
			}
			return shots, err
		}
	}
}
