package shape

import (
	"testing"

	"github.com/toile-sim/toile/geom"
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

// No motion makes the body cross itself, nor does the way from the dressing pose, but arm-through-chest, which is made for that.
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

func TestArmGoesAsDeepAsItShould(t *testing.T) {
	b := mannequinOf(t, "M", 3000)
	depths := []float64{0, 0.02, 0.05}
	if !testing.Short() {
		b = mannequinOf(t, "M", DefaultVertices)
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
