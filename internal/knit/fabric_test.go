package knit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

const radius = 0.00125 // [m]

var swatches = []string{"stockinette", "garter", "rib 2x2", "seed", "basket 3x3"}

func mustParse(t testing.TB, text string) *Chart {
	t.Helper()
	c, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustMake(t testing.TB, chart *Chart, opt Options) *Fabric {
	t.Helper()
	opt.Radius = radius
	f, err := Make(chart, opt)
	if err != nil {
		t.Fatalf("%d x %d %v: %v", opt.Wales, opt.Courses, opt.Form, err)
	}
	return f
}

// leastClearance is the bar of K23.
const leastClearance = 0.65

// TestPatternsInAllForms is K23: in every form each loop has its four crossings with the loop above, with the signs of
// the chart, counted in a projection that knows nothing of the recorded ones, and no more; and yarns keep apart.
func TestPatternsInAllForms(t *testing.T) {
	for _, pattern := range swatches {
		chart := mustParse(t, pattern)
		for form := Flat; form <= Helix; form++ {
			for _, size := range [][2]int{{10, 10}, {23, 17}} {
				f := mustMake(t, chart, Options{Wales: size[0], Courses: size[1], Form: form})
				if c := f.Clearance(f.Points()); c < leastClearance {
					t.Errorf("%s %v %v: yarns come within %.3f D", pattern, form, size, c)
				}
				comparesToProjection(t, chart, f)
				segmentsALoop(t, f)
			}
		}
	}
}

// segmentsALoop is K5: 8.06 to 8.10 segments a loop within 10 %.
func segmentsALoop(t *testing.T, f *Fabric) {
	t.Helper()
	if n := float64(f.Segments()) / float64(f.Wales*f.Courses); n < 0.9*8.06 || n > 1.1*8.10 {
		t.Errorf("%v %d x %d: %.3f segments a loop, want 8.06 to 8.10 within 10 %%", f.Form, f.Wales, f.Courses, n)
	}
}

func TestLargeFabrics(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	for _, c := range []struct {
		pattern string
		opt     Options
	}{
		{"rib 2x2", Options{Wales: 27, Courses: 120, Form: Flat}},
		{"garter", Options{Wales: 90, Courses: 105, Form: Tube}},
		{"basket 4x5", Options{Wales: 220, Courses: 110, Form: Helix}},
		{"seed", Options{Wales: 247, Courses: 220, Form: Flat}},
	} {
		f := mustMake(t, mustParse(t, c.pattern), c.opt)
		loops := f.Wales * f.Courses
		if n, want := len(f.Crossings), 4*f.Wales*(f.Courses-1)+4*f.Wales; n != want {
			t.Errorf("%s: %d crossings, want %d", c.pattern, n, want)
		}
		segmentsALoop(t, f)
		if c := f.Clearance(f.Points()); c < leastClearance {
			t.Errorf("%d loops: yarns come within %.3f D", loops, c)
		}
	}
}

// TestAnyChart says that charts without any order have the crossings they ask for, and that their yarns keep apart.
func TestAnyChart(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		chart := stitches(12, 12, func(int, int) Stitch { return Stitch(2*rng.IntN(2) - 1) })
		for form := Flat; form <= Helix; form++ {
			f := mustMake(t, chart, Options{Wales: 12, Courses: 12, Form: form})
			if c := f.Clearance(f.Points()); c < leastClearance {
				t.Errorf("%v: yarns come within %.3f D in\n%v", form, c, chart)
			}
			comparesToProjection(t, chart, f)
		}
	}
}

// TestCables says the same of cables: next to each other, above each other, of all sizes.
func TestCables(t *testing.T) {
	for _, text := range []string{
		"k8\nk8\np2 c2f c2b p2\nk8",
		"p2 k4 p2\np2 k4 p2\np2 k4 p2\np2 c4f p2",
		"k10\nk10\np2 c6b p2\nk10",
		"k p c4f c4b\np k c4b c4f",
		"k c2f c2b k\nc6f",
	} {
		chart := mustParse(t, text)
		for _, form := range []Form{Flat, Courses, Tube} {
			f := mustMake(t, chart, Options{Wales: 20, Courses: 9, Form: form, LoopLength: 18 * 2 * radius})
			if c := f.Clearance(f.Points()); c < leastClearance {
				t.Errorf("%q %v: yarns come within %.3f D", text, form, c)
			}
			comparesToProjection(t, chart, f)
		}
	}
}

// comparesToProjection counts the crossings of loops in the fabric laid flat, looked at from the front. Every crossing
// must be of a loop with the one above it, or with a life line, and have the side that the chart asks for.
func comparesToProjection(t *testing.T, chart *Chart, f *Fabric) {
	t.Helper()
	m := &maker{Fabric: f, chart: plainEnds(chart.Repeat(f.Wales, f.Courses))}
	if err := m.stack(); err != nil {
		t.Fatal(err)
	}
	lines := flattened(f, m.base)
	crossed := map[[2][2]int]int{} // of two loops of a cable: their crossings
	count := map[[2]int]int{}      // of a loop: crossings with the loop above
	held := map[[2]int]int{}       // of a loop: crossings with a life line
	eachProjectedCrossing(lines, f, func(a, b *flatPiece, over bool) {
		if b.line { // a life line is before one leg and behind the other
			held[a.loop]++
			return
		}
		if a.loop[1] > b.loop[1] {
			a, b, over = b, a, !over
		}
		move, front := m.move(a.loop[0], a.loop[1])
		if back, _ := m.move(b.loop[0], b.loop[1]); a.loop[1] == b.loop[1] && move*back < 0 {
			if crossed[[2][2]int{a.loop, b.loop}]++; over != front {
				t.Errorf("%v: loop %v is on the wrong side of loop %v in its cable", f.Form, a.loop, b.loop)
			}
			return
		}
		if a.loop[1]+1 != b.loop[1] || a.loop[0]+move != b.loop[0] {
			t.Fatalf("%v: loop %v crosses loop %v", f.Form, a.loop, b.loop)
		}
		count[a.loop]++
		// The lower loop is before the upper one at its flanks and behind it at its head, if the upper is knit.
		atFlank := b.height < -loopHeight/2
		if want := atFlank == (chart.At(b.loop[0], b.loop[1]) == Knit); over != want {
			t.Errorf("%v: loop %v is on the wrong side of the loop above", f.Form, a.loop)
		}
	})
	for pair, n := range crossed {
		if n+crossed[[2][2]int{pair[1], pair[0]}] != 4 {
			t.Errorf("%v: loops %v of a cable cross %d times, want 4", f.Form, pair, n)
		}
	}
	for j := range f.Courses {
		for i := range f.Wales {
			loop := [2]int{i, j}
			want, lineWant := 4, 0
			if j == f.Courses-1 {
				want, lineWant = 0, 2
			}
			if j == 0 {
				lineWant += 2
			}
			if count[loop] != want || held[loop] != lineWant {
				t.Errorf("%v %d x %d: loop %v has %d crossings with the loop above and %d with life lines, want %d and %d",
					f.Form, f.Wales, f.Courses, loop, count[loop], held[loop], want, lineWant)
			}
		}
	}
}

// flatPiece is a piece of a yarn in fabric coordinates [D].
type flatPiece struct {
	a, b   r3.Vec
	loop   [2]int
	height float64 // above the middle of its course [D]
	line   bool    // it is of a life line
}

// flattened returns the pieces of all yarns, tubes unrolled. Ends and what joins courses is left out, because it is
// beside the loops.
func flattened(f *Fabric, base []float64) []flatPiece {
	points, size := f.Points(), 2*f.Radius
	around := WaleSpacing * float64(f.Wales)
	inner := around / (2 * math.Pi)
	flatten := func(p r3.Vec) r3.Vec {
		p = p.Scale(1 / size)
		if f.Form.round() {
			turn := math.Atan2(p.Y, p.X)
			if turn < 0 {
				turn += 2 * math.Pi
			}
			p = r3.V(turn*inner, p.Z, math.Hypot(p.X, p.Y)-inner-tubeEase)
		}
		if f.Form == Helix {
			p.Y -= CourseSpacing * p.X / around
		}
		return p
	}
	var pieces []flatPiece
	for y := range f.Yarns {
		c := &f.curves[y]
		const n = 12
		for s := range c.segments() * n {
			p, _, _ := c.eval(points, float64(s)/n)
			q, _, _ := c.eval(points, float64(s+1)/n)
			a, b := flatten(p), flatten(q)
			if math.Abs(a.X-b.X) > 2 { // across the seam of the unrolled tube
				continue
			}
			piece := flatPiece{a: a, b: b, line: y >= len(f.Yarns)-2}
			near := s / n
			if s%n >= n/2 {
				near++
			}
			piece.loop[0], piece.loop[1] = f.LoopOf(c.index(near))
			piece.height = a.Y - base[piece.loop[1]]
			if a.X < 0 || a.X > around {
				continue
			}
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// eachProjectedCrossing calls do for pieces that cross when looked at along z, with whether the first is before the
// second. A life line is always the second.
func eachProjectedCrossing(pieces []flatPiece, f *Fabric, do func(a, b *flatPiece, over bool)) {
	const cell = 1.0
	grid := map[[2]int][]int{}
	key := func(p r3.Vec) [2]int { return [2]int{int(math.Floor(p.X / cell)), int(math.Floor(p.Y / cell))} }
	for i := range pieces {
		k := key(pieces[i].a)
		grid[k] = append(grid[k], i)
	}
	for i := range pieces {
		k := key(pieces[i].a)
		for n := range 9 {
			for _, j := range grid[[2]int{k[0] + n%3 - 1, k[1] + n/3 - 1}] {
				p, q := &pieces[i], &pieces[j]
				if j <= i || p.line && q.line {
					continue
				}
				if p.line {
					p, q = q, p
				}
				if s, u, ok := crossingOf(p, q); ok {
					do(p, q, p.a.Lerp(p.b, s).Z > q.a.Lerp(q.b, u).Z)
				}
			}
		}
	}
}

// crossingOf returns where two pieces cross in x and y.
func crossingOf(p, q *flatPiece) (s, u float64, ok bool) {
	d, e, w := p.b.Sub(p.a), q.b.Sub(q.a), q.a.Sub(p.a)
	det := d.X*e.Y - d.Y*e.X
	s, u = (w.X*e.Y-w.Y*e.X)/det, (w.X*d.Y-w.Y*d.X)/det
	return s, u, s >= 0 && s < 1 && u >= 0 && u < 1
}

// TestLoopLengths compares the yarn in a loop in the middle of a swatch with the lengths of the curve, computed apart.
func TestLoopLengths(t *testing.T) {
	for pattern, want := range map[string]float64{"stockinette": 17.6, "garter": 19.0, "rib 2x2": 18.0, "seed": 19.7} {
		m := &maker{Fabric: &Fabric{Wales: 8, Courses: 8}, chart: mustParse(t, pattern), surface: Plane, scale: 1}
		if err := m.stack(); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i := 2; i < 6; i++ {
			m.layLoop(i, 3)
			sum += m.along[samples] / 4
		}
		if math.Abs(sum-want) > 0.1 {
			t.Errorf("%s: %.2f D of yarn in a loop, want %.1f", pattern, sum, want)
		}
	}
}

func TestLoopLengthIsReached(t *testing.T) {
	const want = 18 * 2 * radius
	for form := Flat; form <= Helix; form++ {
		f := mustMake(t, mustParse(t, "basket 4x4"), Options{Wales: 16, Courses: 12, Form: form, LoopLength: want})
		points := f.Points()
		for j := 1; j < 11; j++ {
			length := 0.0
			for i := range 16 {
				_, first, count := f.Loop(i, j)
				c := f.curveOf(first)
				for k := range count {
					n := c.index(first - c.first + k)
					next := c.index(n - c.first + 1)
					length += f.Ratio[n] * points[next].Sub(points[n]).Norm()
				}
			}
			// One of sixteen loops may end in a joint, which keeps its length.
			if math.Abs(length/16/want-1) > 0.01 {
				t.Errorf("%v, course %d: %.5g m a loop, want %.5g", form, j, length/16, want)
			}
		}
	}
}

func TestLoopsAndBlocks(t *testing.T) {
	for form := Flat; form <= Helix; form++ {
		f := mustMake(t, Stockinette(), Options{Wales: 10, Courses: 9, Form: form})
		points := f.Points()
		seen := map[int]bool{}
		for j := range 9 {
			for i := range 10 {
				yarn, first, count := f.Loop(i, j)
				if count != pointsOfLoop {
					t.Errorf("%v: a loop of %d points", form, count)
				}
				for k := first; k < first+count; k++ {
					wale, course := f.LoopOf(k)
					if seen[k] || wale != i || course != j || f.curveOf(k) != &f.curves[yarn] {
						t.Fatalf("%v: point %d is of loop %d, %d", form, k, wale, course)
					}
					seen[k] = true
				}
			}
		}
		of, count := f.Blocks(4)
		if count != 9 || len(of) != len(points) {
			t.Errorf("%v: %d blocks of %d points", form, count, len(of))
		}
		middle, size := make([]r3.Vec, count), make([]float64, count)
		for i, b := range of {
			middle[b] = middle[b].Add(points[i])
			size[b]++
		}
		for i, b := range of {
			// A block is about 16 D wide, and ends reach out of it by at most 5 D.
			if d := points[i].Sub(middle[b].Scale(1 / size[b])).Norm(); d > 18*2*radius {
				t.Errorf("%v: point %d is %.1f D from the middle of its block", form, i, d/(2*radius))
			}
		}
	}
}

func TestEveryEndIsGlued(t *testing.T) {
	for form := Flat; form <= Helix; form++ {
		for _, courses := range []int{1, 2, 7} {
			f := mustMake(t, Stockinette(), Options{Wales: 9, Courses: courses, Form: form})
			points, times := f.Points(), make([]int, len(f.loop))
			for _, g := range f.Glue {
				times[g.A]++
				times[g.B]++
				d := points[g.A].Sub(points[g.B]).Norm()
				if d != g.Length || d < 2*radius || d > 20*radius {
					t.Errorf("%v: glue %+v at a distance of %.2f D", form, g, d/(2*radius))
				}
			}
			for _, end := range endsOf(f.curves) {
				if times[end] != 1 {
					t.Errorf("%v, %d courses: end %d is glued %d times", form, courses, end, times[end])
				}
			}
			for i, n := range times {
				if n > 1 {
					t.Errorf("%v: point %d is glued %d times", form, i, n)
				}
			}
		}
	}
}

func TestSurfaces(t *testing.T) {
	const across = 40
	f := mustMake(t, mustParse(t, "rib 2x2"), Options{
		Wales: across, Courses: 6, Form: Tube,
		Surface: Sphere(WaleSpacing * across * 2 * radius / (2 * math.Pi)),
	})
	// Where the fabric ends, lengths along the courses are shorter by the cosine of the latitude.
	shrunk := math.Cos((5*CourseSpacing + loopHeight) / (WaleSpacing * across / (2 * math.Pi)))
	if c := f.Clearance(f.Points()); c < leastClearance*shrunk {
		t.Errorf("yarns on a sphere come within %.3f D", c)
	}
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{Wales: 20, Courses: 4, Form: Tube, Surface: Plane}, "return to itself"},
		{Options{Wales: 20, Courses: 4, Surface: Cylinder(radius)}, "bends too sharply"},
		{Options{Wales: 20, Courses: 4, Surface: func(x, y float64) (p, n r3.Vec) {
			return r3.V(math.Log(x), y, 0), r3.V(0, 0, 1)
		}}, "no place"},
	} {
		c.opt.Radius = radius
		if _, err := Make(Stockinette(), c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for text, want := range map[string]string{"k2\nc2f": "", "k p\nc2f": "wale 1 is purl in course 3, above a cable"} {
		_, err := Make(mustParse(t, text), Options{Wales: 8, Courses: 8, Radius: 1})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
		if _, err := Make(mustParse(t, text), Options{Wales: 8, Courses: 8, Radius: 1, Form: Helix}); err == nil {
			t.Errorf("%q was knit as a helix", text)
		}
	}
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{Wales: 1, Courses: 4, Radius: 1}, "at least 2"},
		{Options{Wales: 4, Courses: 0, Radius: 1}, "at least 2"},
		{Options{Wales: 1 << 20, Courses: 1 << 20, Radius: 1}, "more than"},
		{Options{Wales: 4, Courses: 4}, "positive"},
		{Options{Wales: 4, Courses: 4, Radius: math.NaN()}, "positive"},
		{Options{Wales: 4, Courses: 4, Radius: 1, Form: 7}, "no form"},
		{Options{Wales: 4, Courses: 4, Radius: 1, Form: Tube}, "at least 6"},
		{Options{Wales: 4, Courses: 4, Radius: 1, LoopLength: -1}, "loop length"},
	} {
		if _, err := Make(Stockinette(), c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.opt, err, c.want)
		}
	}
}

// Ends are glued to what is beside them, also where an edge is open: not to the life line at the other one.
func TestGlueIsShort(t *testing.T) {
	for _, form := range []Form{Flat, Courses, Tube, Helix} {
		for _, open := range [][2]bool{{}, {true, false}, {false, true}, {true, true}} {
			f := mustMake(t, mustParse(t, "rib 2x2"), Options{Wales: 12, Courses: 9, Form: form, OpenBottom: open[0], OpenTop: open[1]})
			lines := 0
			for point := range f.Points() {
				if _, line := f.LifeLine(point); line {
					lines++
				}
			}
			if none := open[0] && open[1]; none != (lines == 0) {
				t.Errorf("%v, open %v: %d points of life lines", form, open, lines)
			}
			for _, g := range f.Glue {
				if d := g.Length / (2 * f.Radius); d > beside {
					t.Errorf("%v, open %v: points %d and %d are glued at %.3g D", form, open, g.A, g.B, d)
				}
			}
		}
	}
}
