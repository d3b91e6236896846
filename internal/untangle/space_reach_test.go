package untangle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// shaken is an elbow whose vertices are moved by up to so many metres, so that edges are of many lengths.
func shaken(rng *rand.Rand, by float64) ([]r3.Vec, [][3]int32) {
	x, tri := elbow(130)
	for i := range x {
		x[i] = x[i].AddScaled(by, r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5))
	}
	return x, tri
}

// waysFrom returns the least lengths of ways along all edges of a mesh from some vertices, found by going over all of
// them until nothing gets shorter.
func waysFrom(m *spaceMesh, x []r3.Vec, sources ...int32) []float64 {
	dist := slices.Repeat([]float64{math.Inf(1)}, m.real)
	for _, v := range sources {
		dist[v] = 0
	}
	for shorter := true; shorter; {
		shorter = false
		for i := range int32(m.real) {
			for _, j := range m.around.Of(i) {
				if d := dist[i] + x[j].Sub(x[i]).Norm(); d < dist[j] {
					dist[j], shorter = d, true
				}
			}
		}
	}
	return dist
}

// TestSpaceReach: ways in buckets of any width are those of the plain search to the bit, also when the limit moves on
// and sources come later.
func TestSpaceReach(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	for _, edge := range []float64{0, 1e-5, 0.01, 10} {
		x, tri := shaken(rng, 0.02)
		m, err := newSpaceMesh(len(x), tri)
		if err != nil {
			t.Fatal(err)
		}
		reach := newSpaceReach(len(x))
		for range 5 {
			reach.forget(edge)
			var sources []int32
			for _, limit := range []float64{0.05, 0.1, 0.1, math.Inf(1)} {
				sources = append(sources, rng.Int32N(int32(len(x))))
				reach.from(sources[len(sources)-1])
				reach.spread(m, x, limit, nil)
				for v, want := range waysFrom(m, x, sources...) {
					if got := reach.dist[v]; got != want && min(got, want) < limit {
						t.Fatalf("edge %g: vertex %d is %g from %v within %g, not %g", edge, v, got, sources, limit, want)
					}
				}
			}
		}
	}
}

// TestSpaceBall: of the vertices of a ball, those nearer than the limit along edges are known, with the distances of
// the plain search to the bit, and no other is.
func TestSpaceBall(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 2))
	x, tri := shaken(rng, 0.01)
	f := beginSpace(t, x, tri).finder
	reach := newSpaceReach(len(x))
	known, visited, all := 0, 0, 0
	for range 300 {
		v := rng.Int32N(int32(len(x)))
		limit := 0.02 + 0.1*rng.Float64()
		ball := spaceBall{at: x[rng.IntN(len(x))], radius: 0.03 * rng.Float64()}
		if rng.IntN(2) == 0 { // near the vertex
			ball.at = x[v].AddScaled(0.5*limit, r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5))
		}
		f.explore(v, limit, &ball, reach)
		visited += len(reach.mark)
		known += len(ball.vertices)
		for j, want := range waysFrom(f.spaceMesh, x, v) {
			if want < limit {
				all++
			}
			i := slices.Index(ball.vertices, int32(j))
			if is := want < limit && x[j].Sub(ball.at).Norm() <= ball.radius; is != (i >= 0) {
				t.Fatalf("from %d to %d within %g there are %g, in the ball: %v", v, j, limit, want, i >= 0)
			}
			if i >= 0 && ball.dist[i] != float32(want) {
				t.Fatalf("from %d to %d there are %g, not %g", v, j, ball.dist[i], want)
			}
		}
	}
	if known == 0 || visited > all/2 {
		t.Errorf("%d vertices are known; %d were visited where %d are within the limits", known, visited, all)
	}
}

// TestSpaceApart: whether a triangle is far along the surface is told as by the plain search, in whichever order it is
// asked.
func TestSpaceApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 3))
	x, tri := shaken(rng, 0.01)
	f := beginSpace(t, x, tri).finder
	reach := newSpaceReach(len(x))
	count := map[bool]int{}
	for range 50 {
		v := rng.Int32N(int32(len(x)))
		q := spaceQuery{v: v, reach: reach}
		ways := waysFrom(f.spaceMesh, x, v)
		for range 20 {
			c := tri[rng.IntN(len(tri))]
			way := min(ways[c[0]], ways[c[1]], ways[c[2]])
			dist := way / 2 * []float64{0.5, 1 - 1e-12, 1, 1 + 1e-12, 1.5}[rng.IntN(5)]
			want := way >= 2*math.Sqrt(dist*dist)
			if got := f.apart(&q, c, dist*dist); got != want {
				t.Fatalf("vertex %d, triangle %v: apart %v at %g, but the way is %g", v, c, got, dist, way)
			}
			count[want]++
		}
	}
	if count[true] == 0 || count[false] == 0 {
		t.Errorf("%v", count)
	}
}

// TestSpaceNearest: the triangle that a vertex is pushed from is the nearest of all that it can be pushed from.
func TestSpaceNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 4))
	x, tri := shaken(rng, 0.003)
	f := beginSpace(t, x, tri).finder
	reach := newSpaceReach(len(x))
	rows := map[bool]int{}
	for v := range int32(len(x)) {
		row := &f.row[v]
		if row.v[0] == None {
			continue
		}
		rows[row.inside]++
		best, least := None, math.Inf(1)
		for c := range int32(len(tri)) {
			q := spaceQuery{
				v: v, inside: row.inside, x: x[v], n: f.normal[v], within2: f.depth * f.depth, reach: reach,
			}
			if d := f.distance2(&q, c); d < least {
				best, least = c, d
			}
		}
		if row.face != best {
			t.Errorf("vertex %d (inside: %v) is pushed from %d, but %d is nearest", v, row.inside, row.face, best)
		}
	}
	if rows[true] == 0 || rows[false] == 0 {
		t.Errorf("rows by whether inside: %v", rows)
	}
}
