package untangle_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

// suit returns a garment with sleeves and legs: the skin of a mannequin in a pose between two heights and to the
// wrists, off it by a distance that goes up and down between low and high.
func suit(t *testing.T, layer, vertices int, pose mannequin.Pose, low, high, phase float64) untangle.Surface {
	t.Helper()
	body, x := mannequinIn(t, vertices, pose)
	normal := make([]r3.Vec, len(x))
	for _, v := range body.Tri {
		n := x[v[1]].Sub(x[v[0]]).Cross(x[v[2]].Sub(x[v[0]]))
		for _, i := range v {
			normal[i] = normal[i].Add(n)
		}
	}
	rest := mannequin.DressingPose()
	_, at := mannequinIn(t, vertices, rest)
	worn := func(i int32) bool { return at[i].Z > 0.35 && at[i].Z < 1.4 && math.Abs(at[i].X) < 0.55 }
	number := make([]int32, len(x))
	s := untangle.Surface{Layer: layer, Thickness: thickness}
	for i := range x {
		number[i] = -1
	}
	for _, v := range body.Tri {
		if !worn(v[0]) || !worn(v[1]) || !worn(v[2]) {
			continue
		}
		var corner [3]int32
		for k, i := range v {
			if number[i] < 0 {
				number[i] = int32(len(s.X))
				wave := math.Sin(23*at[i].X+31*at[i].Z+17*at[i].Y+phase) * math.Cos(27*at[i].Z-19*at[i].X+2*phase)
				s.X = append(s.X, x[i].AddScaled(low+(high-low)*(1+wave)/2, normal[i].Unit()))
			}
			corner[k] = number[i]
		}
		s.Tri = append(s.Tri, corner)
	}
	return s
}

func mannequinIn(t *testing.T, vertices int, pose mannequin.Pose) (*mannequin.Mannequin, []r3.Vec) {
	t.Helper()
	m, err := mannequin.MeasuresOf("M")
	if err != nil {
		t.Fatal(err)
	}
	body, err := mannequin.NewMannequin(m, vertices)
	if err != nil {
		t.Fatal(err)
	}
	x, err := body.Positions(&pose)
	if err != nil {
		t.Fatal(err)
	}
	return body, x
}

func TestSuitsOnAMannequinComeApart(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	pose := mannequin.DressingPose()
	body, x := mannequinIn(t, 3000, pose)
	bodies := []untangle.Body{{Tri: body.Tri, X: x}}
	mustSeparate(
		t,
		[]untangle.Surface{suit(t, 1, 2500, pose, -0.015, 0.02, 0), suit(t, 2, 2000, pose, -0.015, 0.02, 2)},
		bodies,
	)
}

// With the arms hanging down there is no room for four layers of cloth in the armpits. What crosses there stays; the
// rest comes apart, and no sleeve goes through its own trunk.
func TestTightArmpitsDoNotSpoilTheRest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	pose := mannequin.StandingPose()
	body, x := mannequinIn(t, 3000, pose)
	bodies := []untangle.Body{{Tri: body.Tri, X: x}}
	sheets := []untangle.Surface{suit(t, 1, 2500, pose, -0.01, 0.006, 0), suit(t, 2, 2000, pose, -0.01, 0.006, 2)}
	stats := untangle.Separate(sheets, bodies, untangle.DefaultOptions())
	t.Logf("%+v", stats)
	if stats.After > stats.Before/20 || stats.OtherAfter > stats.OtherBefore {
		t.Errorf("%+v", stats)
	}
	if n := crossings(sheets, bodies); n != stats.After+stats.OtherAfter {
		t.Errorf("%d crossings, but %+v", n, stats)
	}
}
