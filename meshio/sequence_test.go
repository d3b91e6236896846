package meshio

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toile-sim/toile/r3"
)

// flapping returns frame i of a mesh of two triangles.
func flapping(i int) *Mesh {
	m := &Mesh{Positions: make([]r3.Vec, 4), Triangles: [][3]int32{{0, 1, 2}, {2, 1, 3}}}
	_ = wave(i, m.Positions)
	return m
}

// writeSeries writes frames of flapping and returns the spec of their sequence.
func writeSeries(t testing.TB, pattern string, first, last int) SequenceSpec {
	t.Helper()
	spec := DefaultSequenceSpec()
	spec.Files, spec.First, spec.Last, spec.FPS = filepath.Join(t.TempDir(), pattern), first, last, 4
	for n := first; n <= last; n++ {
		writeFrame(t, &spec, n, flapping(n-first))
	}
	return spec
}

func writeFrame(t testing.TB, spec *SequenceSpec, n int, m *Mesh) {
	t.Helper()
	path, err := NumberedFile(spec.Files, n)
	if err != nil {
		t.Fatal(err)
	}
	w := DefaultWriteOptions()
	w.Up, w.Unit = spec.Up, spec.Unit
	if err := WriteFile(path, m, w); err != nil {
		t.Fatal(err)
	}
}

// writeCached writes a cache of flapping with its base and returns the spec of their sequence.
func writeCached(t testing.TB, name string, h CacheHeader) SequenceSpec {
	t.Helper()
	dir := t.TempDir()
	spec := DefaultSequenceSpec()
	spec.Cache, spec.Base, spec.FPS = filepath.Join(dir, name), filepath.Join(dir, "base.obj"), 4
	if err := WriteFile(spec.Base, flapping(0), DefaultWriteOptions()); err != nil {
		t.Fatal(err)
	}
	if err := WritePointCacheFile(spec.Cache, h, DefaultWriteOptions(), wave); err != nil {
		t.Fatal(err)
	}
	return spec
}

func open(t testing.TB, spec SequenceSpec) *Sequence {
	t.Helper()
	s, err := OpenSequence(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// checkFrameAt says that a sequence of flapping is at frame `at`, between two if it is not whole.
func checkFrameAt(t *testing.T, s *Sequence, time, at float64) {
	t.Helper()
	got := make([]r3.Vec, s.Vertices())
	if err := s.At(time, got); err != nil {
		t.Fatal(err)
	}
	for k, p := range got {
		// The points of flapping move at constant speed.
		if want := r3.V(float64(k), at/4, float64(k)*at/8); p.Sub(want).MaxAbs() > 1e-14 {
			t.Errorf("vertex %d at %g s is at %v, want %v", k, time, p, want)
		}
	}
}

func TestSequenceInTime(t *testing.T) {
	specs := map[string]SequenceSpec{}
	for _, pattern := range []string{"a.####.obj", "a_%02d.ply", "a%d.glb", "a#.obj"} {
		specs[pattern] = writeSeries(t, pattern, 8, 12)
	}
	for _, name := range []string{"a.pc2", "a.MDD"} {
		specs[name] = writeCached(t, name, waveHeader(4, 5))
	}
	for name, spec := range specs {
		for _, start := range []float64{0, -1, 10} {
			spec.Start = start
			s := open(t, spec)
			if s.Vertices() != 4 || s.Frames() != 5 || s.Duration() != 1 ||
				!slices.Equal(s.Triangles(), flapping(0).Triangles) {
				t.Fatalf(
					"%s: %d vertices, %d frames, %g s, triangles %v",
					name,
					s.Vertices(),
					s.Frames(),
					s.Duration(),
					s.Triangles(),
				)
			}
			for _, c := range [][2]float64{{0, 0}, {-5, 0}, {math.Copysign(0, -1), 0}, {0.25, 1}, {0.375, 1.5}, {0.99, 3.96}, {1, 4}, {1.01, 4}, {1e300, 4}, {-1e300, 0}, {0.5, 2}, {0.01, 0.04}} {
				checkFrameAt(t, s, start+c[0], c[1])
			}
		}
	}
}

func TestSequenceTimesOfCaches(t *testing.T) {
	h := waveHeader(4, 5)
	h.First, h.Step = 101, 0.5
	s := open(t, writeCached(t, "a.pc2", h)) // 4 frames in a second, 8 samples
	if s.Duration() != 0.5 {
		t.Errorf("PC2 of half frames takes %g s", s.Duration())
	}
	checkFrameAt(t, s, 0.1875, 1.5)

	h.Times = []float64{5, 5.5, 5.75, 7, 9}
	spec := writeCached(t, "a.mdd", h)
	spec.FPS, spec.Start = 0, 2
	s = open(t, spec)
	if s.Duration() != 4 {
		t.Errorf("MDD takes %g s", s.Duration())
	}
	for _, c := range [][2]float64{{0, 0}, {2, 0}, {2.25, 0.5}, {2.5, 1}, {2.75, 2}, {3.375, 2.5}, {5, 3.5}, {6, 4}, {7, 4}} {
		checkFrameAt(t, s, c[0], c[1])
	}
	for i, bad := range [][]float64{{0, 0, 1, 2, 3}, {0, 2, 1, 3, 4}, {0, math.SmallestNonzeroFloat32, 1, 2, 3}} {
		h.Times = bad
		spec := writeCached(t, "bad.mdd", h)
		spec.FPS, spec.Start = 0, 1
		_, err := OpenSequence(spec)
		var e *Error
		if !errors.As(err, &e) || e.Offset != int64(12+4*(i%2)) || !strings.Contains(e.Msg, "frames in a second") {
			t.Errorf("times %v: %v", bad, err)
		}
		spec.FPS = 4
		checkFrameAt(t, open(t, spec), 1.375, 1.5)
	}
}

func TestSequenceAxesAndUnit(t *testing.T) {
	spec := DefaultSequenceSpec()
	spec.Up, spec.Unit = UpY, 0.125
	spec.Files, spec.First, spec.Last, spec.FPS = filepath.Join(t.TempDir(), "a#.obj"), 0, 1, 4
	writeFrame(t, &spec, 0, flapping(0))
	writeFrame(t, &spec, 1, flapping(1))
	checkFrameAt(t, open(t, spec), 0.125, 0.5)

	cached := writeCached(t, "a.pc2", waveHeader(4, 2))
	w := DefaultWriteOptions()
	w.Up, w.Unit = UpY, 0.125
	if err := WritePointCacheFile(cached.Cache, waveHeader(4, 2), w, wave); err != nil {
		t.Fatal(err)
	}
	cached.Up, cached.Unit = UpY, 0.125
	checkFrameAt(t, open(t, cached), 0.125, 0.5)
}

// What At gives must not depend on what was asked before: a resumed run asks for other times first.
func TestSequenceHasNoMemory(t *testing.T) {
	for _, spec := range []SequenceSpec{writeSeries(t, "a.####.ply", 0, 20), writeCached(t, "a.mdd", waveHeader(4, 21))} {
		one := open(t, spec)
		a, b := make([]r3.Vec, 4), make([]r3.Vec, 4)
		for i := range 200 {
			time := math.Mod(float64(i)*0.7368, 6) - 0.5
			if err := one.At(time, a); err != nil {
				t.Fatal(err)
			}
			if err := open(t, spec).At(time, b); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(a, b) {
				t.Fatalf("at %g s %v, but %v in a sequence just opened", time, a, b)
			}
		}
	}
}

func TestSequenceWithFaults(t *testing.T) {
	out := make([]r3.Vec, 4)
	check := func(name string, err error, want ...string) {
		t.Helper()
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v; want %q", name, err, w)
			}
		}
	}
	// Frame 2 is at 0.5 s. Each of these files is wrong from the beginning.
	bad := map[string]func(*Mesh){
		"5 vertices instead of the 4": func(m *Mesh) { m.Positions = append(m.Positions, r3.Vec{}) },
		"1 triangles instead of":      func(m *Mesh) { m.Triangles = m.Triangles[:1] },
		"other triangles":             func(m *Mesh) { m.Triangles[1] = [3]int32{1, 3, 2} },
		"too far away":                func(m *Mesh) { m.Positions[0].X = 1e200 },
	}
	for want, change := range bad {
		spec := writeSeries(t, "a.####.obj", 0, 3)
		m := flapping(2)
		change(m)
		writeFrame(t, &spec, 2, m)
		s := open(t, spec)
		check(want, s.At(0.45, out), want)
		if want != "too far away" {
			check(want, s.At(0.5, out), "a.0002.obj", "a.0000.obj")
		}
		checkFrameAt(t, s, 0.25, 1) // the other frames still work
		checkFrameAt(t, s, 0.75, 3)
	}
	// These become wrong while the sequence is open.
	spec := writeSeries(t, "a.####.obj", 0, 3)
	s := open(t, spec)
	path, _ := NumberedFile(spec.Files, 2)
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	check("touched", s.At(0.5, out), "a.0002.obj", "changed")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := s.At(0.5, out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("removed: %v", err)
	} else {
		check("removed", err, "a.0002.obj")
	}
	check("NaN", s.At(math.NaN(), out), "no frame at time NaN")
	if _, err := OpenSequence(spec); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	} else {
		check("missing", err, "frame 2 of 0 to 3", "a.0002.obj")
	}
	if err := os.WriteFile(path, []byte("v 1 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("unreadable", open(t, spec).At(0.5, out), "a.0002.obj:1:6")

	cached := writeCached(t, "a.pc2", waveHeader(5, 2))
	_, err := OpenSequence(cached)
	check("base", err, "a.pc2", "5 points", "base.obj has 4 vertices")
	cached.Base += "x"
	_, err = OpenSequence(cached)
	check("no base", err, "base.objx")
	cached.Cache = filepath.Join(t.TempDir(), "none.mdd")
	cached.Base = cached.Base[:len(cached.Base)-1]
	_, err = OpenSequence(cached)
	check("no cache", err, "none.mdd")
}

// Frames whose vertices are split and numbered differently are one mesh when they are welded.
func TestSequenceWelded(t *testing.T) {
	split := func(m *Mesh, order ...int) *Mesh {
		// Each corner gets a vertex of its own, in the given order.
		out := &Mesh{Positions: make([]r3.Vec, 7)}
		for i, c := range m.Triangles {
			var corner [3]int32
			for k, v := range c {
				corner[k] = int32(order[3*i+k])
				out.Positions[corner[k]] = m.Positions[v]
			}
			out.Triangles = append(out.Triangles, corner)
		}
		return out
	}
	spec := writeSeries(t, "a#.ply", 0, 3)
	writeFrame(t, &spec, 1, split(flapping(1), 0, 1, 2, 3, 4, 5))
	writeFrame(t, &spec, 2, split(flapping(2), 6, 0, 4, 4, 1, 2))
	if err := open(
		t,
		spec,
	).At(0.25, make([]r3.Vec, 4)); err == nil ||
		!strings.Contains(err.Error(), "7 vertices instead of the 4") {
		t.Errorf("not welded: %v", err)
	}
	spec.Weld = true
	s := open(t, spec)
	for i := range 4 {
		checkFrameAt(t, s, float64(i)/4, float64(i))
	}
	// Two vertices that meet in one frame alone.
	m := flapping(3)
	m.Positions[3] = m.Positions[0]
	writeFrame(t, &spec, 3, m)
	if err := open(
		t,
		spec,
	).At(0.75, make([]r3.Vec, 4)); err == nil ||
		!strings.Contains(err.Error(), "a3.ply: 3 vertices instead of the 4") {
		t.Errorf("vertices that meet: %v", err)
	}
}

func TestSequenceSpecFaultsAreListed(t *testing.T) {
	for _, c := range []struct {
		change func(*SequenceSpec)
		want   []string
	}{
		{func(s *SequenceSpec) { *s = SequenceSpec{} }, []string{"Files or Cache", "FPS is 0", "Unit is 0"}},
		{func(s *SequenceSpec) { s.Cache = "a.pc2" }, []string{"either Files or Cache"}},
		{func(s *SequenceSpec) { s.Base = "a.obj" }, []string{"Base is for a Cache"}},
		{func(s *SequenceSpec) { s.First, s.Last = 3, 2 }, []string{"frames 3 to 2"}},
		{func(s *SequenceSpec) { s.First = -1 }, []string{"frames -1 to 5"}},
		{func(s *SequenceSpec) { s.Files = "a.obj" }, []string{`"a.obj" has 0 places`, "body.####.obj", "body_%04d.ply"}},
		{func(s *SequenceSpec) { s.Files = "a#b#.obj" }, []string{"2 places"}},
		{func(s *SequenceSpec) { s.Files = "a%099999999999999999999999d.obj" }, []string{"18 digits"}},
		{func(s *SequenceSpec) { s.Files = "a##.abc" }, []string{"unknown mesh format"}},
		{func(s *SequenceSpec) { s.Files, s.Cache = "", "a.abc" }, []string{".pc2 or .mdd", "needs a Base"}},
		{func(s *SequenceSpec) { s.Files, s.Cache, s.Base, s.FPS = "", "a.pc2", "a.obj", 0 }, []string{"FPS is 0"}},
		{func(s *SequenceSpec) { s.Files, s.Cache, s.Base, s.Weld = "", "a.pc2", "a.obj", true }, []string{"Weld is for Files"}},
		{func(s *SequenceSpec) { s.FPS = math.Inf(1) }, []string{"FPS is +Inf"}},
		{func(s *SequenceSpec) { s.Start = math.NaN() }, []string{"Start is NaN"}},
		{func(s *SequenceSpec) { s.Up = 9 }, []string{"Up is 9"}},
	} {
		s := DefaultSequenceSpec()
		s.Files, s.Last, s.FPS = "dir#1/a.####.obj", 5, 24
		if err := s.validate(); err != nil {
			t.Fatal(err)
		}
		c.change(&s)
		err := s.validate()
		for _, w := range c.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%+v: %v; want %q", s, err, w)
			}
		}
	}
}

// Ten thousand frames, played through, take no more memory than ten.
func TestSequenceInConstantMemory(t *testing.T) {
	const points, frames = 4, 10_000
	s := open(t, writeCached(t, "long.pc2", waveHeader(points, frames)))
	out := make([]r3.Vec, points)
	play := func(from, to int) {
		for i := from; i < to; i++ {
			if err := s.At((float64(i)+0.5)/4, out); err != nil {
				t.Fatal(err)
			}
		}
	}
	play(0, 10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	play(10, frames)
	runtime.ReadMemStats(&after)
	// Each frame asks for the state of the file, some hundred bytes that are free again at once.
	spent := (after.TotalAlloc - before.TotalAlloc) / (frames - 10)
	if spent > 1024 {
		t.Errorf("%d bytes allocated for each frame", spent)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+1<<16 {
		t.Errorf("%d bytes held after 10 frames, %d after %d", before.HeapAlloc, after.HeapAlloc, frames)
	}
	checkFrameAt(t, s, 1234.125, 4936.5)
}

func ExampleOpenSequence() {
	dir, err := os.MkdirTemp("", "sequence")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for i, height := range []string{"0", "0.5"} {
		obj := "v 0 0 " + height + "\nv 1 0 " + height + "\nv 0 1 " + height + "\nf 1 2 3\n"
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("lift.%04d.obj", i)), []byte(obj), 0o600); err != nil {
			fmt.Println(err)
			return
		}
	}
	spec := DefaultSequenceSpec()
	spec.Files, spec.First, spec.Last, spec.FPS = filepath.Join(dir, "lift.####.obj"), 0, 1, 25
	s, err := OpenSequence(spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = s.Close() }()
	out := make([]r3.Vec, s.Vertices())
	for _, t := range []float64{0, 0.01, 0.04, 1} {
		err := s.At(t, out)
		fmt.Println(out[0].Z, err)
	}
	// Output:
	// 0 <nil>
	// 0.125 <nil>
	// 0.5 <nil>
	// 0.5 <nil>
}
