package shape

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

func ExampleExtrude() {
	outline, err := Letter('T', 0.1)
	if err != nil {
		panic(err)
	}
	s, err := Extrude(outline, 0.02, 0.01)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d vertices, %d tets, %.1f cm³\n", len(s.X), len(s.Tet), 1e6*s.Volume())
	// Output: 135 vertices, 324 tets, 60.0 cm³
}

// checkTets fails unless s is sound and its angles, in degrees, are in the given range.
func checkTets(t *testing.T, name string, s *mesh.Tets, least, most float64) {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if lo, hi := s.Dihedral(); lo < least*(math.Pi/180) || hi > most*(math.Pi/180) {
		t.Errorf("%s: dihedral angles from %.3f to %.3f, want %g to %g", name, lo/(math.Pi/180), hi/(math.Pi/180), least, most)
	}
}

// euler2 returns vertices - edges + triangles of a closed surface.
func euler2(tri [][3]int32) int {
	used := map[int32]bool{}
	for _, t := range tri {
		used[t[0]], used[t[1]], used[t[2]] = true, true, true
	}
	return len(used) - len(tri)/2
}

func TestBlock(t *testing.T) {
	for _, n := range [][3]int{{1, 1, 1}, {2, 1, 1}, {2, 3, 4}, {1, 6, 2}} {
		half := r3.V(float64(n[0]), float64(n[1]), float64(n[2])).Scale(0.1)
		s := Block(half, n[0], n[1], n[2])
		// A regular tet in the middle (70.53 degrees), and right angles at the corners.
		checkTets(t, fmt.Sprint("block ", n), s, 54.735, 90.0001)
		if len(s.Tet) != 5*n[0]*n[1]*n[2] {
			t.Errorf("block %v has %d tets", n, len(s.Tet))
		}
		if want := 8 * half.X * half.Y * half.Z; math.Abs(s.Volume()-want) > 1e-14 {
			t.Errorf("block %v: volume %v, want %v", n, s.Volume(), want)
		}
		if s.X[0] != half.Neg() || s.X[len(s.X)-1] != half {
			t.Errorf("block %v goes from %v to %v, not from %v to %v", n, s.X[0], s.X[len(s.X)-1], half.Neg(), half)
		}
	}
}

// tetSet returns the tets of s, moved, by the places of their corners, sorted.
func tetSet(s *mesh.Tets, to func(x r3.Vec) r3.Vec) []string {
	var out []string
	for _, v := range s.Tet {
		var corners []string
		for _, k := range v {
			x := to(s.X[k])
			corners = append(corners, fmt.Sprintf("%+.3f%+.3f%+.3f", x.X+0, x.Y+0, x.Z+0))
		}
		slices.Sort(corners)
		out = append(out, strings.Join(corners, " "))
	}
	slices.Sort(out)
	return out
}

func stay(x r3.Vec) r3.Vec { return x }

// With even numbers of cells a block is its own mirror image and turns into itself, so that no direction is preferred.
func TestBlockHasNoDirection(t *testing.T) {
	s := Block(r3.V(1, 1, 1), 2, 2, 2)
	want := tetSet(s, stay)
	for name, to := range map[string]func(x r3.Vec) r3.Vec{
		"mirrored": func(x r3.Vec) r3.Vec { return r3.V(-x.X, x.Y, x.Z) },
		"turned":   func(x r3.Vec) r3.Vec { return r3.V(x.Y, x.Z, x.X) },
		"swapped":  func(x r3.Vec) r3.Vec { return r3.V(x.Y, x.X, x.Z) },
	} {
		if !slices.Equal(tetSet(s, to), want) {
			t.Errorf("the block %s has other tets", name)
		}
	}
}

func TestBall(t *testing.T) {
	const radius = 0.3
	deficit := map[int]float64{}
	for _, n := range []int{1, 2, 3, 5, 10} {
		s := Ball(radius, n)
		checkTets(t, fmt.Sprint("ball ", n), s, 38, 118)
		if skin := s.Skin(); len(s.Tet) != 20*n*n*n || len(skin) != 20*n*n || euler2(skin) != 2 {
			t.Errorf("ball %d: %d tets, %d triangles outside, Euler characteristic %d", n, len(s.Tet), len(skin), euler2(skin))
		}
		for _, v := range s.Skin() {
			for _, k := range v {
				if r := s.X[k].Norm(); math.Abs(r-radius) > 1e-15 {
					t.Fatalf("ball %d: a vertex of its skin at %v from the centre", n, r)
				}
			}
		}
		deficit[n] = 4*math.Pi/3*radius*radius*radius - s.Volume()
	}
	if rate := deficit[5] / deficit[10]; math.Abs(rate-4) > 0.05 {
		t.Errorf("twice as many layers bring the volume %v times closer, want 4", rate)
	}
}

func TestShell(t *testing.T) {
	const inner, outer = 0.2, 0.25
	deficit := func(n, layers int) float64 {
		s := Shell(inner, outer, n, layers)
		checkTets(t, "shell", s, 25, 130)
		solid, err := mesh.SolidOf(s.X, s.Skin(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(solid.Volume-s.Volume()) > 1e-15 {
			t.Errorf("the skin encloses %v, the tets %v", solid.Volume, s.Volume())
		}
		if len(s.Tet) != 3*20*n*n*layers || euler2(s.Skin()) != 4 {
			t.Errorf("%d tets, Euler characteristic %d", len(s.Tet), euler2(s.Skin()))
		}
		return 8*math.Pi/15*(math.Pow(outer, 5)-math.Pow(inner, 5)) - solid.Inertia.XX
	}
	if rate := deficit(6, 1) / deficit(12, 2); math.Abs(rate-4) > 0.1 {
		t.Errorf("twice as fine brings the inertia %v times closer, want 4", rate)
	}
}

// The layers of an extrusion are mirror images, so that diagonals lean no way along it.
func TestExtrusionDoesNotLean(t *testing.T) {
	o, err := Letter('L', 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Extrude(o, 0.2, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	mirrored := func(x r3.Vec) r3.Vec { return r3.V(x.X, x.Y, -x.Z) }
	if !slices.Equal(tetSet(s, mirrored), tetSet(s, stay)) {
		t.Error("the upper layer is not the mirror image of the lower one")
	}
}

const drawn = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func TestLettersAreExtruded(t *testing.T) {
	const height, depth = 0.5, 0.1
	if len(letters) != len(drawn) {
		t.Errorf("%d letters, want %d", len(letters), len(drawn))
	}
	for _, letter := range drawn {
		o, err := Letter(letter, height)
		if err != nil {
			t.Fatal(err)
		}
		box := r3.EmptyBox()
		area := enclosed(o.Outer)
		for _, p := range o.Outer {
			box = box.With(r3.V(p.X, p.Y, 0))
		}
		for _, hole := range o.Holes {
			area -= enclosed(hole)
		}
		if letter != 'Q' && (box.Min.Y != 0 || box.Max.Y != height) || box.Max.Y != height {
			t.Errorf("%c is between %v and %v high", letter, box.Min.Y, box.Max.Y)
		}
		s, err := Extrude(o, depth, height/10)
		if err != nil {
			t.Fatalf("%c: %v", letter, err)
		}
		checkTets(t, string(letter), s, 20, 145)
		if math.Abs(s.Volume()-area*depth) > 1e-14 {
			t.Errorf("%c has a volume of %v, want %v", letter, s.Volume(), area*depth)
		}
		if e := euler2(s.Skin()); e != 2-2*len(o.Holes) {
			t.Errorf("%c has %d holes and the Euler characteristic %d", letter, len(o.Holes), e)
		}
		if _, err := mesh.SolidOf(s.X, s.Skin(), 1); err != nil {
			t.Errorf("%c: %v", letter, err)
		}
	}
	if _, err := Letter('a', 1); err == nil {
		t.Error("a small letter was drawn")
	}
	if _, err := Letter('A', math.NaN()); err == nil {
		t.Error("a letter of no height was drawn")
	}
}

func TestExtrudeRefuses(t *testing.T) {
	square := []r3.Vec2{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}
	moved := func(by float64) []r3.Vec2 {
		out := slices.Clone(square)
		for i := range out {
			out[i] = out[i].Scale(0.5).Add(r3.Vec2{X: by, Y: 0.25})
		}
		return out
	}
	if _, err := Extrude(Outline{Outer: square, Holes: [][]r3.Vec2{moved(0.25)}}, 1, 0.3); err != nil {
		t.Errorf("a square frame: %v", err)
	}
	for _, c := range []struct {
		name        string
		outline     Outline
		depth, size float64
		phrase      string
	}{
		{"no depth", Outline{Outer: square}, 0, 1, "depth of 0 m"},
		{"no size", Outline{Outer: square}, 1, math.NaN(), "tets of NaN m"},
		{"too fine", Outline{Outer: square}, 1, 1e-4, "more than"},
		{"much too fine", Outline{Outer: square}, 1, 1e-300, "more than"},
		{"two corners", Outline{Outer: square[:2]}, 1, 1, "the outline has 2 corners"},
		{"repeated", Outline{Outer: append(slices.Clone(square), square[0])}, 1, 1, "corner 4 of the outline"},
		{"not finite", Outline{Outer: square, Holes: [][]r3.Vec2{{{X: math.Inf(1)}, {}, {X: 1}}}}, 1, 1, "corner 0 of hole 0"},
		{"bow", Outline{Outer: []r3.Vec2{square[0], square[2], square[1], square[3]}}, 1, 0.1, "touches or crosses"},
		{"hole outside", Outline{Outer: square, Holes: [][]r3.Vec2{moved(2)}}, 1, 0.1, "a hole is not inside"},
		{"hole across", Outline{Outer: square, Holes: [][]r3.Vec2{moved(0.7)}}, 1, 0.1, "a hole is not inside"},
	} {
		if _, err := Extrude(c.outline, c.depth, c.size); err == nil || !strings.Contains(err.Error(), c.phrase) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.phrase)
		}
	}
}

func TestTetShapesRefuseNonsense(t *testing.T) {
	for name, f := range map[string]func(){
		"block of no cells":   func() { Block(r3.V(1, 1, 1), 1, 0, 1) },
		"flat block":          func() { Block(r3.V(1, 0, 1), 1, 1, 1) },
		"ball of no radius":   func() { Ball(0, 3) },
		"ball of no layers":   func() { Ball(1, 0) },
		"half ball all fine":  func() { HalfBall(1, 1, 3) },
		"ring of no hollow":   func() { Ring(0, 1, 1, 4, 1, 1) },
		"ring of five cells":  func() { Ring(1, 2, 1, 5, 1, 1) },
		"shell turned round":  func() { Shell(2, 1, 3, 3) },
		"shell of no layers":  func() { Shell(1, 2, 3, 0) },
		"shell without faces": func() { Shell(1, 2, 0, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was made", name)
				}
			}()
			f()
		}()
	}
}

// A half ball is round below, flat above, and as fine as it should be at its lowest point. Angles are those of the
// layers, which the inversion keeps but for what is as large as the ball.
func TestHalfBall(t *testing.T) {
	const radius, fine = 0.5, 0.02
	deficit := func(n int) float64 {
		s := HalfBall(radius, fine, n)
		checkTets(t, fmt.Sprint("half ball ", n), s, 9, 150)
		skin := s.Skin()
		if euler2(skin) != 2 {
			t.Errorf("Euler characteristic %d", euler2(skin))
		}
		for _, v := range skin {
			for _, k := range v {
				if x := s.X[k]; math.Abs(x.Norm()-radius) > 1e-14 && math.Abs(x.Z) > 1e-14 {
					t.Fatalf("a vertex of its skin at %v", x)
				}
			}
		}
		within, longest := 0, 0.0
		for _, v := range skin {
			if low := r3.V(0, 0, -radius); s.X[v[0]].Sub(low).Norm() < 0.8*fine {
				within++
				longest = max(longest, s.X[v[0]].Sub(s.X[v[1]]).Norm())
			}
		}
		if within < 3*n*n || longest > 1.4*fine/float64(n) {
			t.Errorf("%d triangles near the lowest point, the longest edge %g m", within, longest)
		}
		return 2*math.Pi/3*radius*radius*radius - s.Volume()
	}
	if rate := deficit(6) / deficit(12); math.Abs(rate-4) > 0.4 {
		t.Errorf("twice as fine brings the volume %v times closer, want 4", rate)
	}
}

// A ring closes, and has the volume of the prism that it is.
func TestRing(t *testing.T) {
	const around, inner, outer, length = 12, 0.2, 0.3, 0.1
	s := Ring(inner, outer, length, around, 2, 3)
	checkTets(t, "ring", s, 12, 110)
	want := around * math.Sin(2*math.Pi/around) / 2 * (outer*outer - inner*inner) * length
	if math.Abs(s.Volume()/want-1) > 1e-12 || euler2(s.Skin()) != 0 || len(s.Tet) != 6*around*2*3 {
		t.Errorf("volume %g, want %g; Euler characteristic %d; %d tets", s.Volume(), want, euler2(s.Skin()), len(s.Tet))
	}
}

// A table is a top and four legs.
func TestBoxes(t *testing.T) {
	box := func(x0, y0, z0, x1, y1, z1 float64) r3.Box {
		return r3.Box{Min: r3.V(x0, y0, z0), Max: r3.V(x1, y1, z1)}
	}
	s := Boxes([]r3.Box{
		box(0, 0, 3, 4, 4, 4), box(0, 0, 0, 1, 1, 3), box(3, 0, 0, 4, 1, 3), box(0, 3, 0, 1, 4, 3), box(3, 3, 0, 4, 4, 3),
	}, 1)
	checkTets(t, "table", s, 50, 100)
	if math.Abs(s.Volume()-28) > 1e-12 || euler2(s.Skin()) != 2 {
		t.Errorf("volume %g, Euler characteristic %d", s.Volume(), euler2(s.Skin()))
	}
	if Boxes([]r3.Box{box(0, 0, 0, 1, 1, 1)}, 3) != nil {
		t.Error("a box that is smaller than a cell is something")
	}
}
