package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// twoPanels returns two rectangles that stand before and behind the z axis, at y = -away and away, and the pairs of
// vertices of their upright edges. Both face outwards.
func twoPanels(width, height, away float64, across, up int) (*mesh.Mesh, []r3.Vec, [][2]int32) {
	m, x := shape.Grid(width, height, across, up)
	n := int32(m.Verts)
	tri := append([][3]int32{}, m.Tri...)
	material := append([]r3.Vec2{}, m.Material...)
	pos := make([]r3.Vec, 0, 2*n)
	for _, p := range x {
		pos = append(pos, r3.V(p.X-width/2, -away, p.Y))
	}
	for _, p := range x {
		pos = append(pos, r3.V(width/2-p.X, away, p.Y))
		material = append(material, r3.Vec2{X: p.X + 2*width, Y: p.Y})
	}
	for _, t := range m.Tri {
		tri = append(tri, [3]int32{t[0] + n, t[1] + n, t[2] + n})
	}
	var pairs [][2]int32
	for j := range int32(up + 1) {
		left, right := j*int32(across+1), j*int32(across+1)+int32(across)
		pairs = append(pairs, [2]int32{right, n + left}, [2]int32{left, n + right})
	}
	out, err := mesh.New(int(2*n), tri, material, nil)
	if err != nil {
		panic(err)
	}
	return out, pos, pairs
}

// Two panels are drawn together around a post. No thread pulls with more than its force, so that what hinders a seam is
// not torn through; in the end edges are as near as the thickness of contact lets them.
func TestSeamsClose(t *testing.T) {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Start = r3.Vec{}, -2
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	m, x, pairs := twoPanels(0.4, 0.1, 0.13, 12, 3)
	c := engine.DefaultCloth("sleeve", m, x, fabric(t, "default"))
	c.Seams = &engine.Seams{Pairs: pairs, Close: 0.5, Thread: engine.Thread{Stiffness: 100, Force: 1}}
	id, err := w.AddCloth(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddObstacle(
		engine.Obstacle{Name: "post", Shape: shape.Cylinder{Radius: 0.1, Half: 1}, Place: r3.Still()},
	); err != nil {
		t.Fatal(err)
	}
	before, _ := w.WidestStitch(id)
	if want := 0.26; math.Abs(before-want) > 1e-15 {
		t.Fatalf("seams start %g m wide, want %g", before, want)
	}
	for range 200 {
		s, err := w.Step(5e-3)
		if err != nil {
			t.Fatal(err)
		}
		if s.Crossings > 0 {
			t.Fatalf("step %d: %d crossings", s.Step, s.Crossings)
		}
		v := w.Velocities(id)
		for i := range v {
			v[i] = v[i].Scale(0.9)
		}
	}
	if w.Time() > -1+1e-9 || w.Time() < -1-1e-9 {
		t.Errorf("the time is %g s, want -1", w.Time())
	}
	after, pair := w.WidestStitch(id)
	if most := 2 * opt.Contact.Thickness; after > most {
		t.Errorf("stitch %d is still %.2g m wide, want at most %g", pair, after, most)
	}
	// A hoop of 0.8 m around a post of 0.63 m does not touch it everywhere, but it is outside of it.
	for i, p := range w.Positions(id) {
		if r := math.Hypot(p.X, p.Y); r < 0.1 {
			t.Fatalf("vertex %d is in the post, at %g m from its axis", i, r)
		}
	}
}

// With obstacles, Settle lets the cloth come to rest on them: time does not pass, velocities are zero, and a step from
// there moves nothing by more than the tolerance asked for.
func TestSettleOnObstacles(t *testing.T) {
	for _, mu := range []float64{0.2, 0.4} {
		opt := engine.DefaultOptions()
		opt.Contact.Friction = mu
		w, err := engine.New(opt)
		if err != nil {
			t.Fatal(err)
		}
		m, x := shape.Grid(0.3, 0.3, 8, 8)
		for i := range x {
			x[i] = x[i].Add(r3.V(-0.15, -0.15, 0.105))
		}
		id, err := w.AddCloth(engine.DefaultCloth("napkin", m, x, fabric(t, "default")))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.AddObstacle(
			engine.Obstacle{Name: "ball", Shape: shape.Sphere{Radius: 0.1}, Place: r3.Still()},
		); err != nil {
			t.Fatal(err)
		}
		s := engine.DefaultSettleOptions()
		s.Tolerance, s.MaxIterations = 1e-6, 5000
		stats, err := w.Settle(s)
		if err != nil {
			t.Fatal(err)
		}
		if !stats.Converged || stats.Crossings > 0 {
			t.Fatalf("μ = %g: %+v", mu, stats)
		}
		t.Logf("μ = %g: at rest after %d steps", mu, stats.Iterations)
		if w.Time() != 0 || w.Steps() != 0 {
			t.Errorf("μ = %g: %g s and %d steps have passed", mu, w.Time(), w.Steps())
		}
		step, err := w.Step(s.Step)
		if err != nil {
			t.Fatal(err)
		}
		if move := step.MaxSpeed * step.H; move > 1.01*s.Tolerance {
			t.Errorf("μ = %g: a step moves by %g m", mu, move)
		}
		low := math.Inf(1)
		for _, p := range w.Positions(id) {
			low = min(low, p.Z)
		}
		if low > 0.09 {
			t.Errorf("μ = %g: the corners hang no lower than %g m", mu, low)
		}
	}
}
