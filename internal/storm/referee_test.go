package storm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func vecs(rng *rand.Rand) r3.Vec {
	return r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5)
}

// TestTrianglesThatOnlyTouch has pairs in exact touch, and the same a little further.
func TestTrianglesThatOnlyTouch(t *testing.T) {
	flat := [3]r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0)}
	for _, c := range []struct {
		what  string
		b     [3]r3.Vec
		depth float64 // 0: only touches
	}{
		{"corner on face", [3]r3.Vec{r3.V(0.25, 0.25, 0), r3.V(0.25, 0.5, 1), r3.V(0.5, 0.25, 1)}, 0},
		{"corner below face", [3]r3.Vec{r3.V(0.25, 0.25, -0.125), r3.V(0.25, 0.5, 1), r3.V(0.5, 0.25, 1)}, 0.125},
		{"edge on face", [3]r3.Vec{r3.V(0.1, 0.1, 0), r3.V(0.3, 0.1, 0), r3.V(0.2, 0.1, 1)}, 0},
		{"edge on edge", [3]r3.Vec{r3.V(0.5, 0, -1), r3.V(0.5, 0, 1), r3.V(0.5, -1, 0)}, 0},
		{"edge past edge", [3]r3.Vec{r3.V(0.5, 0.0625, -1), r3.V(0.5, 0.0625, 1), r3.V(0.5, -1, 0)}, 0.0625},
		{"corner on corner", [3]r3.Vec{r3.V(0, 0, 0), r3.V(-1, 0, 1), r3.V(-1, 0, -1)}, 0},
		{"in one plane", [3]r3.Vec{r3.V(0.1, 0.1, 0), r3.V(2, 0, 0), r3.V(0, 2, 0)}, 0},
		{"the same", flat, 0},
		{"apart", [3]r3.Vec{r3.V(0.1, 0.1, 0.1), r3.V(0.3, 0.1, 0.2), r3.V(0.2, 0.1, 1)}, 0},
	} {
		for range 2 {
			depth, crossed := cross(flat, c.b)
			if crossed != (c.depth > 0) || math.Abs(depth-c.depth) > 1e-15 {
				t.Errorf("%s: crossed %v by %v, want %v", c.what, crossed, depth, c.depth)
			}
			c.b[0], c.b[1], c.b[2] = c.b[1], c.b[2], c.b[0]
		}
	}
}

// TestCrossingAgreesWithShadows: triangles go through each other where no axis parts their shadows, which is another
// way to decide it, and moving one by the depth along some axis parts them.
func TestCrossingAgreesWithShadows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	crossings := 0
	for range 20000 {
		a, b := [3]r3.Vec{vecs(rng), vecs(rng), vecs(rng)}, [3]r3.Vec{vecs(rng), vecs(rng), vecs(rng)}
		shadows := overlap(a, b)
		if math.Abs(shadows) < 1e-12 {
			continue
		}
		_, crossed := cross(a, b)
		if crossed != (shadows > 0) {
			t.Fatalf("%v and %v: crossed %v, shadows overlap by %v", a, b, crossed, shadows)
		}
		if geom.Triangles(a, b) != crossed {
			t.Fatalf("%v and %v: crossed %v, geom says otherwise", a, b, crossed)
		}
		if crossed {
			crossings++
		}
	}
	if crossings < 1000 {
		t.Errorf("only %d crossings", crossings)
	}
}

// TestDistancesAgainstSamples: no sample is nearer than the distance, and some nearly as near.
func TestDistancesAgainstSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		a, b, c, d := vecs(rng), vecs(rng), vecs(rng), vecs(rng)
		tri := [3]r3.Vec{vecs(rng), vecs(rng), vecs(rng)}
		apart, through := math.Inf(1), math.Inf(1)
		const n = 40
		for i := range n + 1 {
			p := a.Lerp(b, float64(i)/n)
			for k := range n + 1 {
				apart = min(apart, p.Sub(c.Lerp(d, float64(k)/n)).Norm())
				for l := range n + 1 - k {
					q := tri[0].Scale(float64(n-k-l)/n).AddScaled(float64(k)/n, tri[1]).AddScaled(float64(l)/n, tri[2])
					through = min(through, p.Sub(q).Norm())
				}
			}
		}
		if got := segments(a, b, c, d); got > apart+1e-12 || got < apart-0.05 {
			t.Errorf("segments: %v, sampled %v", got, apart)
		}
		if got := segmentTriangle(a, b, tri); got > through+1e-12 || got < through-0.05 {
			t.Errorf("segment and triangle: %v, sampled %v", got, through)
		}
	}
}

// TestConvexAgainstFields: signed distances are those of the fields that contact uses, which are written otherwise.
func TestConvexAgainstFields(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	shapes := []struct {
		convex convex
		field  geom.Field
	}{
		{convex{kind: cone, along: r3.V(0, 0, 1), radius: 0.3, high: 0.5}, shape.Cone{Radius: 0.3, Height: 0.5}},
		{
			convex{kind: cylinder, from: r3.V(0, 0, -0.2), along: r3.V(0, 0, 1), radius: 0.3, high: 0.4},
			shape.Cylinder{Radius: 0.3, Half: 0.2},
		},
		{
			convex{kind: halfSpace, from: r3.V(0, 0, 0.1), along: r3.V(0.6, 0, 0.8)},
			shape.Plane{Point: r3.V(0, 0, 0.1), Normal: r3.V(0.6, 0, 0.8)},
		},
	}
	for _, s := range shapes {
		for range 1000 {
			tri := [3]r3.Vec{vecs(rng).Scale(2), vecs(rng).Scale(2), vecs(rng).Scale(2)}
			want, _ := s.field.Distance(tri[0])
			if got := s.convex.distance(tri[0]); math.Abs(got-want) > 1e-14 {
				t.Fatalf("%+v at %v: %v, want %v", s.convex, tri[0], got, want)
			}
			// No corner and no sample of the triangle is deeper than the deepest point.
			least := s.convex.toTriangle(tri)
			for range 20 {
				p := tri[0].Lerp(tri[1], rng.Float64()).Lerp(tri[2], rng.Float64())
				if d := s.convex.distance(p); least < 0 && d < least-1e-9 || least > 0 && d < 0 {
					t.Fatalf("%+v: a sample at %v, the least is %v", s.convex, d, least)
				}
			}
		}
	}
	// A face goes into the tip of a cone between its corners.
	tip := convex{kind: cone, along: r3.V(0, 0, 1), radius: 0.3, high: 0.5}
	face := [3]r3.Vec{r3.V(-1, -1, 0.49), r3.V(1, -1, 0.49), r3.V(0, 1, 0.49)}
	if d := tip.toTriangle(face); math.Abs(d+0.01*0.3/math.Hypot(0.3, 0.5)) > 1e-8 {
		t.Errorf("the tip is %v deep", d)
	}
}

// ofBrick is a closed box.
func ofBrick(name string, size, at r3.Vec) thing {
	x, tri := brick(size)
	for i := range x {
		x[i] = x[i].Add(at)
	}
	return thing{name: name, x: x, tri: tri, closed: true}
}

func ofRod(name string, a, b r3.Vec, radius float64) thing {
	return thing{name: name, rod: &rod{[2]r3.Vec{a, b}, radius}}
}

// TestJudge has pairs of things with what is to be found of them.
func TestJudge(t *testing.T) {
	one, origin := r3.V(1, 1, 1), r3.Vec{}
	cube := ofBrick("cube", one, origin)
	shell := ofBrick("shell", one.Scale(4), origin) // and a hollow, which looks inwards
	hollow := ofBrick("", one.Scale(3), origin)
	for _, f := range hollow.tri {
		shell.tri = append(shell.tri, [3]int32{f[0] + 8, f[2] + 8, f[1] + 8})
	}
	shell.x = append(shell.x, hollow.x...)
	sheet := thing{
		name: "sheet", soft: true,
		x:   []r3.Vec{r3.V(-9, -9, 0), r3.V(9, -9, 0), r3.V(9, 9, 0), r3.V(-9, 9, 0)},
		tri: [][3]int32{{0, 1, 2}, {0, 2, 3}},
	}
	small := thing{name: "small", soft: true, x: []r3.Vec{origin, r3.V(0.1, 0, 0), r3.V(0, 0.1, 0)}, tri: [][3]int32{{0, 1, 2}}}
	floor := thing{name: "floor", fixed: true, convex: &convex{kind: halfSpace, from: r3.V(0, 0, -0.5), along: r3.V(0, 0, 1)}}
	for _, c := range []struct {
		what  string
		a, b  thing
		found string
		depth float64
	}{
		{"flush", cube, ofBrick("b", one, r3.V(1, 0, 0)), "", 0},
		{"flush and shifted", cube, ofBrick("b", one, r3.V(1, 0.25, 0.5)), "", 0},
		{"overlap of rounding", cube, ofBrick("b", one, r3.V(1-1e-10, 0.25, 0.5)), "", 0},
		{"overlap", cube, ofBrick("b", one, r3.V(1-1e-8, 0.25, 0.5)), "triangles cross", 1e-8},
		{"wholly inside", cube, ofBrick("b", one.Scale(0.5), r3.V(0.125, 0, 0)), "parts inside", 0.25},
		{"in the hollow", shell, cube, "", 0},
		{"in the wall", shell, ofBrick("b", one.Scale(0.25), r3.V(1.75, 0, 0)), "parts inside", 0.125},
		{"a sheet inside", small, cube, "parts inside", 0.5},
		{"a sheet through", sheet, ofBrick("b", one, r3.V(0, 0, 0.25)), "triangles cross", 0.25},
		{"on the floor", cube, floor, "", 0},
		{"in the floor", ofBrick("b", one, r3.V(0, 0, -1e-8)), floor, "triangles inside", 1e-8},
		{"a ball touches a sheet", sheet, ofRod("ball", r3.V(0, 0, 0.25), r3.V(0, 0, 0.25), 0.25), "", 0},
		{"a ball in a sheet", sheet, ofRod("ball", r3.V(0, 0, 0.2), r3.V(0, 0, 0.2), 0.25), "triangles inside", 0.05},
		{"a rod through a sheet", sheet, ofRod("rod", r3.V(0, 0, -1), r3.V(0, 0, 1), 0.25), "triangles inside", 0.25},
		{"a ball wholly inside", cube, ofRod("ball", origin, origin, 0.25), "rods inside", 0.75},
		{"balls touch", ofRod("a", origin, origin, 1), ofRod("b", r3.V(0, 0, 2), r3.V(0, 0, 2), 1), "", 0},
		{"ball in rod", ofRod("a", origin, r3.V(4, 0, 0), 1), ofRod("b", r3.V(2, 0, 1.5), r3.V(2, 0, 1.5), 1), "rods cross", 0.5},
		{"ball in the floor", ofRod("a", origin, origin, 0.75), floor, "rods inside", 0.25},
	} {
		for range 2 {
			s := scenery{things: []thing{c.a, c.b}}
			found := s.judge(7)
			switch {
			case c.found == "" && len(found) > 0:
				t.Errorf("%s: %v", c.what, &found[0])
			case c.found == "":
			case len(found) != 1 || found[0].What != c.found || math.Abs(found[0].Depth-c.depth) > 1e-9 || found[0].Frame != 7:
				t.Errorf("%s: found %+v, want %s by %v", c.what, found, c.found, c.depth)
			}
			c.a, c.b = c.b, c.a
		}
	}
	// Joined bodies may overlap, obstacles too, and of a smooth surface triangles may.
	over := ofBrick("b", one, r3.V(0.5, 0.25, 0.5))
	for what, s := range map[string]*scenery{
		"joined": {things: []thing{cube, over}, apart: map[[2]string]bool{{"cube", "b"}: true, {"b", "cube"}: true}},
		"fixed":  {things: []thing{{name: "a", fixed: true, x: cube.x, tri: cube.tri, closed: true}, {name: "b", fixed: true, x: over.x, tri: over.tri}}},
		"smooth": {things: []thing{{name: "a", loose: true, x: cube.x, tri: cube.tri, closed: true}, over}},
	} {
		if found := s.judge(0); len(found) > 0 {
			t.Errorf("%s: %v", what, &found[0])
		}
	}
}

// TestJudgeSeesSheetsThroughThemselves folds a sheet of four triangles through itself.
func TestJudgeSeesSheetsThroughThemselves(t *testing.T) {
	strip := thing{
		name: "strip", soft: true,
		x:   []r3.Vec{r3.V(0, 0, 0), r3.V(0, 1, 0), r3.V(1, 0, 0), r3.V(1, 1, 0), r3.V(1, 0, 1), r3.V(1, 1, 1), r3.V(0.25, 0.25, 0.5)},
		tri: [][3]int32{{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}, {4, 6, 5}},
	}
	s := scenery{things: []thing{strip}}
	if found := s.judge(0); len(found) != 0 {
		t.Errorf("open: %v", &found[0])
	}
	strip.x[6].Z = -0.125
	found := s.judge(0)
	if len(found) != 1 || found[0].Count < 1 || found[0].A != found[0].B {
		t.Errorf("folded: %+v", found)
	}
}
