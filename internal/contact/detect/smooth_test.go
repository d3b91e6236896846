package detect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
)

// smoothBall is a moving skin of a ball with a radius of 1/4 and its middle at the origin.
func smoothBall(o smooth.Options) (contact.Skin, []r3.Vec) {
	mesh := ballMesh(0.25, 12)
	skin := contact.Skin{Surface: 3, Tri: mesh.Tri, Points: len(mesh.X0), Rest: constantRest(0.05), Smooth: &o}
	return skin, mesh.X0
}

// aroundBall returns free points at a height above the ball.
func aroundBall(count int, height float64) (skin contact.Skin, x []r3.Vec) {
	rng := rand.New(rand.NewPCG(8, 1))
	for i := range count {
		x = append(x, r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit().Scale(0.25+height))
		skin.Dots = append(skin.Dots, int32(i))
	}
	skin.Points, skin.Rest = count, constantRest(1)
	return skin, x
}

// Rows of points on a smooth ball do not feel a common rigid motion, and what they push with has neither a sum nor a
// torque: exactly, while rows that are transported let a common translation slip.
func TestSmoothRowsAreExact(t *testing.T) {
	for _, transport := range []bool{false, true} {
		ball, y := smoothBall(smooth.Options{Transport: transport})
		points, x := aroundBall(40, -2e-3)
		ball.First = int32(len(x))
		all := append(x, y...)
		f := DefaultFinder()
		f.Begin([]contact.Skin{points, ball})
		var set contact.Set
		f.Find(still(all...), nil, &set)
		if err := set.Validate(len(all)); err != nil {
			t.Fatal(err)
		}
		if set.Len() < 30 {
			t.Fatalf("%d contacts", set.Len())
		}
		v, spin := r3.V(1, -2, 3), r3.V(0.5, 4, -1)
		normal, slip, force, torque := 0.0, 0.0, 0.0, 0.0
		for i := range set.Len() {
			var u r3.Vec
			var sum, turn [3]r3.Vec
			for _, term := range set.Row(i) {
				p := all[term.Block]
				u = u.Add(term.M.MulVec(v.Add(spin.Cross(p))))
				for k, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
					push := term.M.MulVecT(axis)
					sum[k], turn[k] = sum[k].Add(push), turn[k].Add(p.Cross(push))
				}
			}
			normal, slip = max(normal, math.Abs(u.X)), max(slip, math.Hypot(u.Y, u.Z))
			for k := range 3 {
				force, torque = max(force, sum[k].Norm()), max(torque, turn[k].Norm())
			}
		}
		if !transport && (normal > 1e-13 || slip > 1e-13 || force > 1e-13 || torque > 1e-13) {
			t.Errorf("common motion: %g along normals and %g across; sum %g, torque %g", normal, slip, force, torque)
		}
		if transport && (normal > 1e-13 || slip < 1e-3) {
			t.Errorf("transported rows: %g along normals, and a false slip of only %g", normal, slip)
		}
	}
}

// Points meet a smooth ball in the same way whether it is a body or an obstacle, still, moved or deformed.
func TestSmoothObstacles(t *testing.T) {
	o := smooth.Options{}
	points, x := aroundBall(30, -2e-3)
	ball, y := smoothBall(o)
	ball.First = int32(len(x))
	f := DefaultFinder()
	f.Begin([]contact.Skin{points, ball})
	var free contact.Set
	f.Find(still(append(slices.Clone(x), y...)...), nil, &free)

	turn := r3.Pose{R: r3.Rotation(r3.V(1, 2, 3), 1e-3), T: r3.V(1e-3, 0, 2e-3)}
	obstacle := ballMesh(0.25, 12)
	obstacle.Surface, obstacle.Smooth = 3, &o
	still0 := atRest([]contact.Skin{obstacle})[0]
	for _, k := range []struct {
		name string
		skin contact.Skin
	}{{"still", still0}, {"moved", moved(obstacle, turn)}, {"deformed", moved(obstacle, turn)}} {
		k.skin.Deforms = k.name == "deformed"
		g := DefaultFinder()
		g.Begin([]contact.Skin{points, k.skin})
		var set contact.Set
		m := still(x...)
		g.Find(m, nil, &set)
		if set.Len() != free.Len() || set.Len() < 20 {
			t.Fatalf("%s: %d contacts, and %d with a body", k.name, set.Len(), free.Len())
		}
		for i := range set.Contacts {
			a, b := &set.Contacts[i], &free.Contacts[i]
			if a.ID != b.ID || math.Abs(a.Gap-b.Gap) > 1e-15 || a.Normal().Sub(b.Normal()).Norm() > 1e-13 {
				t.Fatalf("%s: %+v, with a body %+v", k.name, a, b)
			}
			// The chord of a turn by φ is off the rigid velocity by φ²/2.
			at := x[a.A]
			carried := turn.Apply(at).Sub(at).Scale(-1 / m.H)
			got, want := a.Uf, b.Uf
			got.X, want.X = got.X+a.Push, want.X+b.Push // skins are pushed apart faster
			if k.name != "still" {
				want = want.Add(a.Frame.MulVec(carried))
			}
			if got.Sub(want).Norm() > 1e-6*0.25/m.H {
				t.Errorf("%s: velocity %v, want %v", k.name, got, want)
			}
		}
	}
}

// A point that flies at a smooth ball from afar in one step is stopped at the thickness, however fast.
func TestSmoothImpact(t *testing.T) {
	ball, y := smoothBall(smooth.Options{})
	ball.First = 1
	point := contact.Skin{Points: 1, Dots: []int32{0}, Rest: constantRest(1)}
	for _, far := range []float64{0.26, 0.3, 0.5, 2, 20} {
		all := append([]r3.Vec{r3.V(0.02, 0.03, far)}, y...)
		m := still(all...)
		m.X1 = slices.Clone(m.X0)
		m.X1[0].Z = -far
		f := DefaultFinder()
		f.Begin([]contact.Skin{point, ball})
		var set contact.Set
		f.Find(m, nil, &set)
		if set.Len() != 1 {
			t.Fatalf("from %g m: %d contacts", far, set.Len())
		}
		c := &set.Contacts[0]
		n := c.Normal()
		// Along the way, the row lets it go as far as the thickness above the surface.
		way := m.X1[0].Sub(m.X0[0])
		stop := m.X0[0].AddScaled((c.Gap-f.Thickness)/-n.Dot(way), way)
		s := smooth.New(ball.Tri, y, restBase(&ball), *ball.Smooth, f.Reach*f.Thickness)
		var p smooth.Place
		if !s.Look(&p, stop, 0) || math.Abs(p.Gap()-f.Thickness) > 1e-4*f.Thickness {
			t.Errorf("from %g m: stopped at %v, %g m above", far, stop, p.Gap())
		}
		if impacts := f.Impacts(m.X1, 1e-6, nil); len(impacts) > 0 {
			t.Errorf("the guard pushes against a smooth surface: %+v", impacts)
		}
	}
}

// A point in the middle of a smooth ball, farther inside than the surface is known, is pushed out by its triangles. One
// that is as far outside is left alone.
func TestDeepInSmoothBall(t *testing.T) {
	ball, y := smoothBall(smooth.Options{})
	ball.First = 2
	point := contact.Skin{Points: 2, Dots: []int32{0, 1}, Rest: constantRest(1)}
	all := append([]r3.Vec{r3.V(0.01, 0.02, 0.03), r3.V(0.23, 0.23, 0.23)}, y...)
	f := DefaultFinder()
	f.Begin([]contact.Skin{point, ball})
	var set contact.Set
	f.Find(still(all...), nil, &set)
	if err := set.Validate(len(all)); err != nil || set.Len() != 1 || !(set.Contacts[0].Gap < -0.2) {
		t.Fatalf("%v: %+v", err, set.Contacts)
	}
	if told := f.Smoothed(&set); told.Deep != 1 || told.Contacts != 1 {
		t.Errorf("%+v", told)
	}
	if c := &set.Contacts[0]; c.Normal().Dot(r3.V(1, 2, 3).Unit()) < 0.9 {
		t.Errorf("pushed along %v", c.Normal())
	}
}

// Triangles that cross a smooth skin are counted apart, and neither marked nor guarded.
func TestSmoothCrossingsAreCountedApart(t *testing.T) {
	ball, y := smoothBall(smooth.Options{})
	m, x := grid(t, 10, 0.1)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.5, -0.5, 0.1))
	}
	ball.First = int32(len(x))
	all := append(x, y...)
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), ball})
	var set contact.Set
	f.Find(still(all...), nil, &set)
	got := f.Crossings(all)
	if got.Count != 0 || got.Smooth == 0 || f.Tangled() != 0 || len(f.Fresh(all, nil)) != 0 {
		t.Errorf("%+v, tangled %d", got, f.Tangled())
	}
	again := f.Crossings(all)
	if again != got {
		t.Errorf("%+v, then %+v", got, again)
	}
}

// Smooth contacts do not depend on workers, and a step that repeats allocates nothing.
func TestSmoothIsSteady(t *testing.T) {
	ball, y := smoothBall(smooth.Options{})
	points, x := aroundBall(600, -2e-3)
	ball.First = int32(len(x))
	m := still(append(x, y...)...)
	var one, many contact.Set
	f := DefaultFinder()
	step := func() {
		f.Begin([]contact.Skin{points, ball})
		f.Find(m, nil, &one)
	}
	step()
	g := DefaultFinder()
	g.Team = par.New(8)
	g.Begin([]contact.Skin{points, ball})
	g.Find(m, nil, &many)
	if !equal(&one, &many) || one.Len() < 400 {
		t.Errorf("%d and %d contacts", one.Len(), many.Len())
	}
	skins := []contact.Skin{points, ball}
	if n := testing.AllocsPerRun(5, func() { f.Begin(skins); f.Find(m, nil, &one) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
