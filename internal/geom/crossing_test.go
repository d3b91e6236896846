package geom

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// ratVec and the functions on it are the oracle: the points in which triangles cut planes, in rationals.
type ratVec [3]*big.Rat

func rational(a r3.Vec) ratVec {
	return ratVec{new(big.Rat).SetFloat64(a.X), new(big.Rat).SetFloat64(a.Y), new(big.Rat).SetFloat64(a.Z)}
}

func (a ratVec) plus(s *big.Rat, b ratVec) ratVec {
	var out ratVec
	for i := range out {
		out[i] = new(big.Rat).Mul(s, b[i])
		out[i].Add(out[i], a[i])
	}
	return out
}

func (a ratVec) minus(b ratVec) ratVec { return a.plus(big.NewRat(-1, 1), b) }

func (a ratVec) dot(b ratVec) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
	}
	return sum
}

func (a ratVec) cross(b ratVec) ratVec {
	var out ratVec
	for i := range out {
		j, k := (i+1)%3, (i+2)%3
		out[i] = new(big.Rat).Sub(new(big.Rat).Mul(a[j], b[k]), new(big.Rat).Mul(a[k], b[j]))
	}
	return out
}

func ratNormal(v [3]ratVec) ratVec { return v[1].minus(v[0]).cross(v[2].minus(v[0])) }

// cut returns the extent along a direction of the section of triangle v with the plane of w, and whether v
// lies on both sides of it.
func cut(v, w [3]ratVec, along ratVec) (lo, hi *big.Rat, both bool) {
	n := ratNormal(w)
	var h [3]*big.Rat
	var below, above bool
	for i := range v {
		h[i] = n.dot(v[i].minus(w[0]))
		below, above = below || h[i].Sign() < 0, above || h[i].Sign() > 0
	}
	var places []*big.Rat
	for i := range v {
		j := (i + 1) % 3
		if h[i].Sign() == 0 {
			places = append(places, along.dot(v[i]))
		}
		if h[i].Sign()*h[j].Sign() < 0 {
			s := new(big.Rat).Quo(h[i], new(big.Rat).Sub(h[i], h[j]))
			places = append(places, along.dot(v[i].plus(s, v[j].minus(v[i]))))
		}
	}
	if !below || !above {
		return nil, nil, false
	}
	compare := func(a, b *big.Rat) int { return a.Cmp(b) }
	return slices.MinFunc(places, compare), slices.MaxFunc(places, compare), true
}

func trianglesRat(a, b [3]r3.Vec) bool {
	v := [3]ratVec{rational(a[0]), rational(a[1]), rational(a[2])}
	w := [3]ratVec{rational(b[0]), rational(b[1]), rational(b[2])}
	along := ratNormal(v).cross(ratNormal(w))
	lo, hi, both := cut(v, w, along)
	if !both {
		return false
	}
	from, to, both := cut(w, v, along)
	return both && lo.Cmp(to) < 0 && from.Cmp(hi) < 0
}

func segmentTriangleRat(p, q, a, b, c r3.Vec) bool {
	v := [3]ratVec{rational(a), rational(b), rational(c)}
	n := ratNormal(v)
	from, to := rational(p), rational(q)
	h0, h1 := n.dot(from.minus(v[0])), n.dot(to.minus(v[0]))
	if h0.Sign()*h1.Sign() >= 0 {
		return false
	}
	x := from.plus(new(big.Rat).Quo(h0, new(big.Rat).Sub(h0, h1)), to.minus(from))
	for i := range v {
		j := (i + 1) % 3
		if v[j].minus(v[i]).cross(x.minus(v[i])).dot(n).Sign() < 0 {
			return false
		}
	}
	return true
}

// sixPoints returns points of two triangles, random, on a grid, or on a grid and then nudged; some share one
// corner.
func sixPoints(r *rand.Rand, kind int) (a, b [3]r3.Vec) {
	point := func() r3.Vec { // few digits, for the sake of the rationals
		p := randomPoint(r).Scale(1 << 12)
		return r3.V(math.Round(p.X), math.Round(p.Y), math.Round(p.Z)).Scale(1.0 / (1 << 12))
	}
	if kind > 0 {
		point = func() r3.Vec { return gridPoint(r, 0.5) }
	}
	for i := range a {
		a[i], b[i] = point(), point()
	}
	if kind == 2 {
		for i := range a {
			a[i], b[i] = nudge(r, a[i]), nudge(r, b[i])
		}
	}
	if r.IntN(4) == 0 {
		b[0] = a[0]
	}
	return a, b
}

func TestCrossingsAgainstRationals(t *testing.T) {
	r := source(11)
	cases := 20_000
	if testing.Short() {
		cases = 4_000
	}
	crossings, through, atCorner := 0, 0, 0
	for i := range cases {
		a, b := sixPoints(r, []int{0, 1, 0, 1, 1, 0, 1, 2}[i%8])
		want := trianglesRat(a, b)
		if got := Triangles(a, b); got != want {
			t.Fatalf("case %d: Triangles(%v, %v) = %v, rationals say %v", i, a, b, got, want)
		}
		turned := [3]r3.Vec{b[1], b[0], b[2]}
		if Triangles(turned, a) != want || Triangles([3]r3.Vec{a[2], a[0], a[1]}, turned) != want {
			t.Fatalf("case %d: the answer for %v and %v depends on the order of the corners", i, a, b)
		}
		if b[0] == a[0] {
			if TrianglesAtCorner(a[0], a[1], a[2], b[1], b[2]) != want {
				t.Fatalf("case %d: TrianglesAtCorner differs from Triangles for %v and %v", i, a, b)
			}
			if want {
				atCorner++
			}
		}
		if want {
			crossings++
		}
		pierced := segmentTriangleRat(a[0], a[1], b[0], b[1], b[2])
		if got := SegmentTriangle(
			a[0],
			a[1],
			b[0],
			b[1],
			b[2],
		); got != pierced ||
			SegmentTriangle(a[1], a[0], b[2], b[1], b[0]) != pierced {
			t.Fatalf("case %d: SegmentTriangle(%v %v, %v) = %v, rationals say %v", i, a[0], a[1], b, got, pierced)
		}
		if pierced {
			through++
		}
	}
	if crossings < cases/20 || through < cases/50 || atCorner < cases/200 {
		t.Errorf(
			"too few of %d cross: %d pairs, %d segments, %d pairs at a corner",
			cases,
			crossings,
			through,
			atCorner,
		)
	}
}

// The rule for touching, case by case.
func TestTouchingIsNotCrossing(t *testing.T) {
	flat := [3]r3.Vec{r3.V(0, 0, 0), r3.V(4, 0, 0), r3.V(0, 4, 0)}
	for _, c := range []struct {
		name  string
		other [3]r3.Vec
		want  bool
	}{
		{"through the inside", [3]r3.Vec{r3.V(1, 1, -1), r3.V(1, 1, 1), r3.V(2, 1, 1)}, true},
		{"corner on the face", [3]r3.Vec{r3.V(1, 1, 0), r3.V(1, 1, 1), r3.V(2, 1, 1)}, false},
		{"edge on the face", [3]r3.Vec{r3.V(1, 1, 0), r3.V(2, 1, 0), r3.V(2, 1, 1)}, false},
		{"edge across an edge", [3]r3.Vec{r3.V(1, 0, -1), r3.V(1, 0, 1), r3.V(1, -1, 0)}, false},
		{"through an edge", [3]r3.Vec{r3.V(1, -1, 0), r3.V(1, 1, -1), r3.V(1, 1, 1)}, true},
		{"corner in each other", [3]r3.Vec{r3.V(1, 1, 0), r3.V(-9, -9, 3), r3.V(-9, -9, -3)}, true},
		{"same plane, overlapping", [3]r3.Vec{r3.V(1, 1, 0), r3.V(5, 1, 0), r3.V(1, 5, 0)}, false},
		{"the same", flat, false},
		{"without area", [3]r3.Vec{r3.V(1, 1, -1), r3.V(1, 1, 1), r3.V(1, 1, 3)}, false},
		{"one unit in the last place through", [3]r3.Vec{r3.V(1, 1, -5e-324), r3.V(1, 1, 1), r3.V(2, 1, 1)}, true},
	} {
		if got := Triangles(flat, c.other); got != c.want {
			t.Errorf("%s: Triangles = %v, want %v", c.name, got, c.want)
		}
	}
	for _, c := range []struct {
		name string
		p, q r3.Vec
		want bool
	}{
		{"inside", r3.V(1, 1, -1), r3.V(1, 1, 1), true},
		{"through an edge", r3.V(1, 0, -1), r3.V(1, 0, 1), true},
		{"through a corner", r3.V(0, 0, -1), r3.V(0, 0, 1), true},
		{"ends on it", r3.V(1, 1, 0), r3.V(1, 1, 1), false},
		{"in the plane", r3.V(-1, 1, 0), r3.V(5, 1, 0), false},
		{"beside", r3.V(3, 3, -1), r3.V(3, 3, 1), false},
	} {
		if got := SegmentTriangle(c.p, c.q, flat[0], flat[1], flat[2]); got != c.want {
			t.Errorf("segment %s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNeighboursInAMesh(t *testing.T) {
	pos := []r3.Vec{
		r3.V(0, 0, 0), r3.V(2, 0, 0), r3.V(0, 2, 0), // a triangle
		r3.V(1, 1, -1), r3.V(0.5, 0.5, 1), // an edge through its inside, and one corner in common
		r3.V(2, 2, 0.1), r3.V(0.5, 0.5, 0), // across an edge, and folded flat onto it
	}
	for _, c := range []struct {
		name string
		a, b [3]int32
		want bool
	}{
		{"corner, crossing", [3]int32{0, 1, 2}, [3]int32{4, 3, 0}, true},
		{"corner, beside", [3]int32{0, 1, 2}, [3]int32{4, 5, 0}, false},
		{"edge", [3]int32{0, 1, 2}, [3]int32{2, 1, 5}, false},
		{"edge, folded flat", [3]int32{0, 1, 2}, [3]int32{2, 1, 6}, false},
		{"itself", [3]int32{0, 1, 2}, [3]int32{0, 1, 2}, false},
	} {
		if got := MeshTriangles(pos, c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if !FoldedFlat(pos[1], pos[2], pos[0], pos[6]) || FoldedFlat(pos[1], pos[2], pos[0], pos[5]) ||
		FoldedFlat(pos[1], pos[2], pos[0], r3.V(2, 2, 0)) {
		t.Error("FoldedFlat is wrong about the fold along an edge")
	}
}

func ExampleTriangles() {
	floor := [3]r3.Vec{r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0)}
	standing := [3]r3.Vec{r3.V(0.2, 0.2, 0), r3.V(0.3, 0.2, 1), r3.V(0.2, 0.3, 1)}
	sunk := standing
	sunk[0].Z = -1e-12
	fmt.Println(Triangles(floor, standing), Triangles(floor, sunk))
	// Output: false true
}

func BenchmarkTriangles(b *testing.B) {
	r := source(12)
	var sets [1024][2][3]r3.Vec
	for i := range sets {
		sets[i][0], sets[i][1] = sixPoints(r, 0)
	}
	b.ReportAllocs()
	n := 0
	for i := 0; b.Loop(); i++ {
		if s := &sets[i&1023]; Triangles(s[0], s[1]) {
			n++
		}
	}
	if n == 0 {
		b.Fatal("none cross")
	}
}
