package mannequin

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// film returns the film of a motion with a lead of 1 s and a hold of 0.2 s.
func filmOf(t testing.TB, b *Mannequin, name string) *Film {
	t.Helper()
	o := DefaultMotionOptions()
	o.Body = b
	m, err := MotionOf(name, o)
	if err != nil {
		t.Fatal(err)
	}
	f := &Film{Body: b, Motion: m, Lead: 1, Hold: 0.2}
	if err := f.Validate(); err != nil {
		t.Fatal(err)
	}
	return f
}

// Velocities by central differences, over h and at times h apart, differ by the acceleration times h. In a motion that
// is continuous with its first derivative halving h halves the largest difference; a jump of a velocity stays.
func TestMotionsAreSmooth(t *testing.T) {
	b := mannequinOf(t, "M", MinVertices)
	var watched []int32
	for v := 0; v < b.Vertices(); v += 40 {
		watched = append(watched, int32(v))
	}
	for _, name := range Motions() {
		f := filmOf(t, b, name)
		end := f.Motion.Length() + 1
		step := func(h float64) (jump, speed float64) {
			n := int((end + 1.5) / h)
			x := [3][]r3.Vec{make([]r3.Vec, b.Vertices()), make([]r3.Vec, b.Vertices()), make([]r3.Vec, b.Vertices())}
			for i := range n {
				if err := f.At(-1.4+float64(i)*h, x[i%3]); err != nil {
					t.Fatal(err)
				}
				if i < 2 {
					continue
				}
				for _, v := range watched {
					a, m, z := x[(i-2)%3][v], x[(i-1)%3][v], x[i%3][v]
					before, after := m.Sub(a).Scale(1/h), z.Sub(m).Scale(1/h)
					jump, speed = max(jump, after.Sub(before).Norm()), max(speed, after.Norm())
				}
			}
			return jump, speed
		}
		coarse, _ := step(0.008)
		fine, speed := step(0.004)
		t.Logf("%-18s speed up to %.2f m/s, acceleration up to %.1f m/s²", name, speed, fine/0.004)
		if fine > 0.6*coarse+1e-6 {
			t.Errorf(
				"%s: the largest change of a velocity is %g m/s in 8 ms and %g m/s in 4 ms: it jumps",
				name,
				coarse,
				fine,
			)
		}
		if speed > 8 {
			t.Errorf("%s: %g m/s is faster than a person", name, speed)
		}
	}
}

// A film begins in the dressing pose, and rests at t = 0 in the first pose of its motion.
func TestFilmLeadsIn(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	f := filmOf(t, b, "twist")
	if p := f.Pose(-1.2); p != DressingPose() {
		t.Errorf("begins with %+v", p)
	}
	first := f.Motion.At(0)
	for _, at := range []float64{-0.2, -0.1, 0} {
		if p := f.Pose(at); p != first {
			t.Errorf("does not rest at t = %g s", at)
		}
	}
	if p := f.Pose(0.1); p == first {
		t.Error("has not begun to move at t = 0.1 s")
	}
	if err := f.At(0, make([]r3.Vec, 3)); err == nil {
		t.Error("writes to a slice of another length")
	}
	bad := Film{Lead: -1, Hold: math.NaN()}
	for _, want := range []string{"needs a body", "lead of -1 s", "hold of NaN s"} {
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

// The shoulders turn by 60 degrees to each side, and back to where they were after the period.
func TestTwistTurnsBySixtyDegrees(t *testing.T) {
	m, err := MotionOf("twist", DefaultMotionOptions())
	if err != nil {
		t.Fatal(err)
	}
	least, most := 0.0, 0.0
	for i := range 1000 {
		p := m.At(1 + m.Length()*float64(i)/1000)
		turn := p.Angle[Waist].Turn + p.Angle[Chest].Turn
		least, most = min(least, turn), max(most, turn)
	}
	if math.Abs(least+60*degree) > 1*degree || math.Abs(most-60*degree) > 1*degree {
		t.Errorf("turns from %g to %g degrees", least/degree, most/degree)
	}
	if p, q := m.At(2), m.At(2+m.Length()); math.Abs(p.Angle[Chest].Turn-q.Angle[Chest].Turn) > 1e-9 {
		t.Error("does not repeat")
	}
}

func TestBadMotions(t *testing.T) {
	for _, c := range []struct {
		name string
		o    MotionOptions
		want string
	}{
		{"jump", DefaultMotionOptions(), `no motion is called "jump"; there are dressing, stand, twist`},
		{"twist", MotionOptions{}, "a tempo of 0"},
		{"arm-through-chest", MotionOptions{Tempo: 1, Depth: 0.06}, "a depth of 0.06 m; it must be from 0 to 0.05 m"},
		{"arm-through-chest", DefaultMotionOptions(), "must know the body"},
	} {
		if _, err := MotionOf(c.name, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", c.name, c.want, err)
		}
	}
}

// Skinning does not allocate.
func TestFilmAllocatesNothing(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	f := filmOf(t, b, "fast-dance")
	out := make([]r3.Vec, b.Vertices())
	if n := testing.AllocsPerRun(10, func() {
		if err := f.At(1.234, out); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// A bend keeps the volume: of the whole body to a few parts in a hundred in all motions.
func TestPosesKeepVolume(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	volume := func(x []r3.Vec) (sum float64) {
		for _, c := range b.Tri {
			sum += x[c[0]].Cross(x[c[1]]).Dot(x[c[2]]) / 6
		}
		return sum
	}
	rest := volume(b.rest)
	out := make([]r3.Vec, b.Vertices())
	for _, name := range Motions() {
		f := filmOf(t, b, name)
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range 20 {
			if err := f.At(f.Motion.Length()*float64(i)/16, out); err != nil {
				t.Fatal(err)
			}
			v := volume(out) / rest
			lo, hi = min(lo, v), max(hi, v)
		}
		t.Logf("%-18s volume %.3f to %.3f of that in the dressing pose", name, lo, hi)
		if lo < 0.95 || hi > 1.05 {
			t.Errorf("%s changes the volume to %.3f and %.3f", name, lo, hi)
		}
	}
}

func BenchmarkFilm(b *testing.B) {
	body := mannequinOf(b, "M", DefaultVertices)
	f := filmOf(b, body, "fast-dance")
	out := make([]r3.Vec, body.Vertices())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := f.At(float64(i)*0.01, out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewMannequin(b *testing.B) {
	m, _ := MeasuresOf("M")
	for b.Loop() {
		if _, err := NewMannequin(m, DefaultVertices); err != nil {
			b.Fatal(err)
		}
	}
}
