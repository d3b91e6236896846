package mannequin

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// selfCrossings returns the number of pairs of triangles that cross, by the exact test, and a vertex of one of them.
func selfCrossings(pos []r3.Vec, tri [][3]int32) (n int, at int32) {
	boxes := make([]r3.Box, len(tri))
	for t, c := range tri {
		boxes[t] = r3.EmptyBox().With(pos[c[0]]).With(pos[c[1]]).With(pos[c[2]])
	}
	var finder geom.PairFinder
	for _, p := range finder.Self(par.New(1), geom.NewTree(boxes), nil, nil) {
		if geom.MeshTriangles(pos, tri[p[0]], tri[p[1]]) {
			n++
			at = tri[p[0]][0]
		}
	}
	return n, at
}

// No motion makes the body cross itself, nor does the way from the dressing pose, but arm-through-chest, which is made
// for that.
func TestMotionsDoNotCross(t *testing.T) {
	sizes, vertices, samples := []string{"M"}, 3000, 7
	if !testing.Short() {
		sizes, vertices, samples = Sizes(), 6000, 16
	}
	for _, size := range sizes {
		b := mannequinOf(t, size, vertices)
		pos := make([]r3.Vec, b.Vertices())
		for _, name := range Motions() {
			o := DefaultMotionOptions()
			o.Body, o.Depth = b, 0.03
			m, err := MotionOf(name, o)
			if err != nil {
				t.Fatal(err)
			}
			f := Film{Body: b, Motion: m, Lead: 1}
			worst := 0
			for i := range samples + 5 {
				at := -1 + float64(i)/5
				if i >= 5 {
					at = (m.Length() + startRamp) * float64(i-5) / float64(samples)
				}
				if err := f.At(at, pos); err != nil {
					t.Fatal(err)
				}
				n, v := selfCrossings(pos, b.Tri)
				worst = max(worst, n)
				if n > 0 && (name != "arm-through-chest" || at < 0.5) {
					t.Errorf("%s: %s at t = %.3f s has %d crossings, one at %v", size, name, at, n, pos[v])
				}
			}
			if name == "arm-through-chest" && worst == 0 {
				t.Errorf("%s: the arm goes 3 cm into the chest without a crossing", size)
			}
		}
	}
}

// Elbows, knees, hips and shoulders bend as far as their limits, one at a time, without a crossing.
func TestLimitsDoNotCross(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	if !testing.Short() {
		b = mannequinOf(t, "L", 6000)
	}
	pos := make([]r3.Vec, b.Vertices())
	for _, c := range []struct {
		name string
		bend func(p *Pose)
	}{
		{"elbow", func(p *Pose) { p.set(LeftElbow, elbowLimits.flex[1], 0, 0) }},
		{"knee", func(p *Pose) { p.set(LeftKnee, kneeLimits.flex[1], 0, 0); p.set(LeftHip, 55, 10, 0) }},
		{"hip", func(p *Pose) {
			p.set(LeftHip, hipLimits.flex[1], 10, 0)
			p.set(LeftKnee, 90, 0, 0)
			p.set(LeftShoulder, 0, 40, 0)
		}},
		{"arm forward", func(p *Pose) { p.set(LeftShoulder, shoulderLimits.flex[1], 20, 0) }},
		{"arm sideways", func(p *Pose) { p.set(LeftShoulder, 0, shoulderLimits.side[1], 0) }},
	} {
		p := standing(c.bend)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		b.Skin(&p, pos)
		if n, v := selfCrossings(pos, b.Tri); n > 0 {
			t.Errorf("%s: %d crossings, one at %v", c.name, n, pos[v])
		}
	}
}

// The shoulders slope by 20 to 22 degrees, the crotch is where the inseam says, and the body is as high as it should
// be, in all sizes.
func TestMannequinHasItsProportions(t *testing.T) {
	for _, size := range Sizes() {
		b := mannequinOf(t, size, 3000)
		neck, _ := b.Landmark("neck")
		point, _ := b.Landmark("shoulder")
		if slope := math.Atan2(neck.Z-point.Z, point.X-neck.X) / degree; slope < 20 || slope > 22 {
			t.Errorf("%s: shoulders slope by %g degrees", size, slope)
		}
		if d := 2*point.X - b.Measures.Shoulder; math.Abs(d) > 1e-6 {
			t.Errorf("%s: shoulders are %g m too wide", size, d)
		}
		crotch, _ := b.Landmark("crotch")
		if in := crotch.Z / math.Cos(legSpread); math.Abs(in/b.Measures.Inseam-1) > 0.02 {
			t.Errorf("%s: an inseam of %.3f m instead of %.3f m", size, in, b.Measures.Inseam)
		}
		p := StandingPose()
		x, err := b.Positions(&p)
		if err != nil {
			t.Fatal(err)
		}
		box := r3.BoxOf(x)
		if math.Abs(box.Min.Z) > 0.004 || math.Abs(box.Max.Z/b.Measures.Height-1) > 0.005 {
			t.Errorf("%s: stands from %.4f to %.4f m", size, box.Min.Z, box.Max.Z)
		}
		for _, c := range b.Tri {
			if a := math.Asin(leastSine(b.rest[c[0]], b.rest[c[1]], b.rest[c[2]])) / degree; a < 28 {
				t.Errorf("%s: a triangle with an angle of %.1f degrees", size, a)
			}
		}
		for _, name := range Landmarks() {
			if _, ok := b.Landmark(name); !ok {
				t.Errorf("there is no landmark %s", name)
			}
		}
		front, back := b.Depth(b.body.chestZ)
		if wide := b.Width(b.body.chestZ); !(front < -0.08 && back > 0.08 && wide > back) {
			t.Errorf("%s: the chest reaches from %g to %g, and %g to the side", size, front, back, wide)
		}
	}
}

func TestArmGoesAsDeepAsItShould(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	depths := []float64{0, 0.02, 0.05}
	if !testing.Short() {
		b = mannequinOf(t, "M", 6000)
		depths = []float64{0, 0.01, 0.02, 0.03, 0.04, 0.05}
	}
	pos := make([]r3.Vec, b.Vertices())
	for _, depth := range depths {
		m, err := MotionOf("arm-through-chest", MotionOptions{Tempo: 1, Depth: depth, Body: b})
		if err != nil {
			t.Fatal(err)
		}
		f := Film{Body: b, Motion: m}
		deepest := -1.0
		for i := range 9 {
			if err := f.At(startRamp/2+1.5+float64(i)/8, pos); err != nil {
				t.Fatal(err)
			}
			deepest = max(deepest, b.ArmDepth(pos))
		}
		// An oracle by other means: how far the arm must be moved forward, away from the chest, is at least as much.
		back := make([]r3.Vec, len(pos))
		clear := 0.0
		for ; clear < 0.2; clear += 0.002 {
			for v, x := range pos {
				if j := b.Bone(int32(v)); j == LeftElbow || j == LeftWrist {
					x.Y -= clear
				}
				back[v] = x
			}
			if armCrossings(b, back) == 0 {
				break
			}
		}
		t.Logf("depth %.3f m: measured %.4f m; free after %.3f m forward", depth, deepest, clear)
		if d := deepest - depth; d > 0.1*depth+1e-3 || d < -0.1*depth-1e-3 {
			t.Errorf("the arm is %.4f m deep instead of %.4f m", deepest, depth)
		}
		if clear < 0.8*depth-0.004 {
			t.Errorf("%g m deep, but free after %g m", depth, clear)
		}
	}
}

// armCrossings counts crossings between triangles of the left forearm or hand and of the trunk.
func armCrossings(b *Mannequin, pos []r3.Vec) int {
	var tri [][3]int32
	arms := 0
	for pass := range 2 {
		for _, c := range b.Tri {
			arm, trunk := true, true
			for _, v := range c {
				j := b.Bone(v)
				arm = arm && (j == LeftElbow || j == LeftWrist)
				trunk = trunk && j <= Chest
			}
			if pass == 0 && arm || pass == 1 && trunk {
				tri = append(tri, c)
			}
		}
		if pass == 0 {
			arms = len(tri)
		}
	}
	boxes := make([]r3.Box, len(tri))
	for t, c := range tri {
		boxes[t] = r3.EmptyBox().With(pos[c[0]]).With(pos[c[1]]).With(pos[c[2]])
	}
	var finder geom.PairFinder
	n := 0
	for _, p := range finder.Self(par.New(1), geom.NewTree(boxes), nil, nil) {
		if int(p[0]) < arms && int(p[1]) >= arms && geom.MeshTriangles(pos, tri[p[0]], tri[p[1]]) {
			n++
		}
	}
	return n
}
