package mannequin

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// mannequinOf returns a mannequin that several tests look at.
var mannequinOf = func() func(t testing.TB, size string, vertices int) *Mannequin {
	type entry struct {
		size     string
		vertices int
	}
	var lock sync.Mutex
	made := map[entry]*Mannequin{}
	return func(t testing.TB, size string, vertices int) *Mannequin {
		t.Helper()
		lock.Lock()
		defer lock.Unlock()
		k := entry{size, vertices}
		if made[k] == nil {
			m, err := MeasuresOf(size)
			if err != nil {
				t.Fatal(err)
			}
			if made[k], err = NewMannequin(m, vertices); err != nil {
				t.Fatal(err)
			}
		}
		return made[k]
	}
}()

func ExampleNewMannequin() {
	m, err := MeasuresOf("M")
	if err != nil {
		panic(err)
	}
	m.Waist = 0.72 // [m]
	b, err := NewMannequin(m, 3000)
	if err != nil {
		panic(err)
	}
	pose := StandingPose()
	x, err := b.Positions(&pose)
	if err != nil {
		panic(err)
	}
	box := r3.BoxOf(x)
	fmt.Printf("a body of %.2f m with its feet at %.2f m\n", box.Size().Z, box.Min.Z)
	// Output: a body of 1.70 m with its feet at 0.00 m
}

func TestMannequinIsAClosedSymmetricSurface(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	if n := b.Vertices(); math.Abs(float64(n)-3000) > 0.05*3000 {
		t.Errorf("%d vertices instead of about 3000", n)
	}
	seen := map[[2]int32]bool{}
	for _, c := range b.Tri {
		for k := range 3 {
			e := [2]int32{c[k], c[(k+1)%3]}
			if seen[e] {
				t.Fatalf("edge %v twice in the same direction", e)
			}
			seen[e] = true
		}
	}
	for e := range seen {
		if !seen[[2]int32{e[1], e[0]}] {
			t.Fatalf("edge %v has one side", e)
		}
	}
	if euler := b.Vertices() - len(seen)/2 + len(b.Tri); euler != 2 {
		t.Errorf("Euler's characteristic is %d; a sphere has 2", euler)
	}
	p := DressingPose()
	x, err := b.Positions(&p)
	if err != nil {
		t.Fatal(err)
	}
	volume := 0.0
	for _, c := range b.Tri {
		volume += x[c[0]].Cross(x[c[1]]).Dot(x[c[2]]) / 6
	}
	if !(volume > 0.04 && volume < 0.12) {
		t.Errorf("a volume of %g m³; a body of this size has some 0.07", volume)
	}
	for v := range x {
		if d := x[b.Mirror(int32(v))].Sub(mirrored(x[v])).Norm(); d > 1e-12 {
			t.Fatalf("vertex %d and its mirror image differ by %g m", v, d)
		}
	}
}

// The dressing pose is what the mesh is made in: skinning into it moves nothing.
func TestDressingPoseIsWhereTheMeshIsMade(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	p := DressingPose()
	x, err := b.Positions(&p)
	if err != nil {
		t.Fatal(err)
	}
	for v := range x {
		if d := x[v].Sub(b.rest[v]).Norm(); d > 1e-9 {
			t.Fatalf("vertex %d moves by %g m", v, d)
		}
	}
}

func TestMannequinHasItsMeasures(t *testing.T) {
	sizes, vertices := []string{"M"}, 3000
	if !testing.Short() {
		sizes, vertices = Sizes(), DefaultVertices
	}
	for _, size := range sizes {
		b := mannequinOf(t, size, vertices)
		for _, x := range b.Tapes() {
			t.Logf(
				"%s %-9s %.4f m, wanted %.4f m: %+.2f %%",
				size,
				x.Name,
				x.Actual,
				x.Wanted,
				100*(x.Actual/x.Wanted-1),
			)
			// A polygon with n sides in a circle is shorter by π²/6n²: with edges of 26 mm around a wrist of 16 cm, 4
			// %; of 13 mm, 1 %.
			tolerance := 0.01
			if vertices < DefaultVertices {
				tolerance = 0.04
			}
			if math.Abs(x.Actual/x.Wanted-1) > tolerance {
				t.Errorf("%s: %s is %.4f m instead of %.4f m", size, x.Name, x.Actual, x.Wanted)
			}
		}
	}
}

func TestMeasuresOutOfRange(t *testing.T) {
	if _, err := MeasuresOf("XXS"); err == nil || !strings.Contains(err.Error(), "write S, M or L") {
		t.Errorf("an unknown size: %v", err)
	}
	m, _ := MeasuresOf("M")
	m.Waist, m.Chest, m.Neck = 76, math.NaN(), -1
	err := m.Validate()
	for _, want := range []string{"waist is 76 m; it must be from", "chest is not a finite", "neck is -1 m"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

func TestPoseBeyondLimits(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	p := StandingPose()
	p.Angle[LeftElbow].Flex = -0.5
	p.Angle[Head].Turn = 2
	_, err := b.Positions(&p)
	for _, want := range []string{"left-elbow: flex of -28.65 degrees is beyond its limits, 0 to 125 degrees", "head: turn of 114.6 degrees"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	for _, q := range []Pose{DressingPose(), StandingPose(), SittingPose()} {
		if err := q.Validate(); err != nil {
			t.Error(err)
		}
	}
}
