package detect

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func boxMesh(half r3.Vec) ([]r3.Vec, [][3]int32) {
	var x []r3.Vec
	for i := range 8 {
		x = append(x, r3.V(float64(2*(i&1)-1)*half.X, float64(i&2-1)*half.Y, float64((i&4)/2-1)*half.Z))
	}
	return x, [][3]int32{
		{0, 2, 3},
		{0, 3, 1},
		{4, 5, 7},
		{4, 7, 6},
		{0, 1, 5},
		{0, 5, 4},
		{2, 6, 7},
		{2, 7, 3},
		{0, 4, 6},
		{0, 6, 2},
		{1, 3, 7},
		{1, 7, 5},
	}
}

func moved(o contact.Skin, by r3.Pose) contact.Skin {
	o.To = by.Mul(o.From)
	o.X1 = nil
	for _, x := range o.X0 {
		o.X1 = append(o.X1, by.Apply(x))
	}
	return o
}

// A cloth that turns with an obstacle does not slip on it, whatever the obstacle is made of and how fast it turns: the
// chord carries every node to where the rigid motion does.
func TestChordVelocityIsExact(t *testing.T) {
	half := r3.V(0.1, 0.2, 0.05)
	x, tri := boxMesh(half)
	by := r3.Pose{R: r3.Rotation(r3.V(1, 2, -1), 0.7), T: r3.V(0.3, -0.1, 0.2)}
	shape := contact.Skin{Surface: 1, Block: contact.None, Field: shape.Box{Half: half}, From: r3.Still()}
	rigid := contact.Skin{Surface: 1, Block: contact.None, Tri: tri, X0: x, From: r3.Still()}
	deforming := rigid
	deforming.Deforms = true
	m, y := grid(t, 6, 0.02)
	for i := range y {
		y[i] = y[i].Add(r3.V(-0.05, -0.05, half.Z+1e-3))
	}
	for name, o := range map[string]contact.Skin{"shape": shape, "mesh": rigid, "deforming": deforming} {
		o = moved(o, by)
		if o.Deforms {
			o.To = o.From
		}
		f := DefaultFinder()
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), o})
		motion := still(y...)
		motion.X1 = nil
		for _, p := range y {
			motion.X1 = append(motion.X1, by.Apply(p))
		}
		var set contact.Set
		f.Find(motion, nil, &set)
		if set.Len() < len(y)/2 {
			t.Errorf("%s: %d contacts", name, set.Len())
		}
		for i := range set.Contacts {
			c := &set.Contacts[i]
			v := by.Apply(y[c.A]).Sub(y[c.A]).Scale(1 / motion.H)
			if u := c.Frame.MulVec(v).Add(c.Uf); u.Norm() > 1e-11*v.Norm() {
				t.Errorf("%s: node %d slips by %v", name, c.A, u)
			}
			if n := normalOf(c); n.Sub(r3.V(0, 0, 1)).Norm() > 1e-12 {
				t.Errorf("%s: normal %v", name, n)
			}
		}
	}
}

// A vertex that comes within the thickness of a shape at any time of the step is met. Oracle: samples of both motions.
func TestSweepMissesNoShape(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	random := func(s float64) r3.Vec {
		return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(s)
	}
	shapes := []geom.Field{
		shape.Sphere{Radius: 0.1},
		shape.Box{Half: r3.V(0.1, 0.05, 0.2)},
		shape.Cylinder{Radius: 0.1, Half: 0.05},
		shape.Cone{Radius: 0.1, Height: 0.3},
		shape.Capsule{Radius: 0.02, Half: 0.2},
		shape.Plane{Normal: r3.V(0, 0, 1)},
	}
	f := DefaultFinder()
	met, missed := 0, 0
	rounds := 3000
	if testing.Short() {
		rounds = 600
	}
	for round := range rounds {
		o := contact.Skin{
			Surface: 1,
			Block:   3,
			Field:   shapes[round%len(shapes)],
			From:    r3.Pose{R: r3.Rotation(random(1), rng.Float64()), T: random(0.1)},
		}
		o.To = r3.Pose{R: r3.Rotation(random(1), 0.5*rng.Float64()).Mul(o.From.R), T: o.From.T.Add(random(0.1))}
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), o})
		m := still(random(0.3), random(0.3), random(0.3), r3.Vec{})
		m.X1 = []r3.Vec{m.X0[0].Add(random(0.2)), m.X0[1].Add(random(0.2)), m.X0[2].Add(random(0.2)), random(0.05)}
		var set contact.Set
		f.Find(m, nil, &set)
		near := [3]bool{}
		for i := range f.rules.found {
			if c := &f.rules.found[i]; c.id.A.Kind == contact.Vertex && c.id.B.Kind == contact.Whole {
				near[c.a] = true
			}
		}
		for v := range 3 {
			least := math.Inf(1)
			for s := range 501 {
				time := float64(s) / 500
				pose := o.From.Lerp(o.To, time)
				d, _ := o.Field.Distance(pose.Inverse().Apply(m.X0[v].Lerp(m.X1[v], time).AddScaled(-time, m.X1[3])))
				least = min(least, d)
			}
			if least < f.Thickness && !near[v] {
				missed++
			}
			if near[v] {
				met++
			}
		}
	}
	if missed > 0 || met < rounds/6 {
		t.Errorf("%d met, %d missed", met, missed)
	}
}

// The inside of a closed mesh pushes out, along the nearest way; what is too deep is left alone.
func TestInsideOfAClosedMesh(t *testing.T) {
	f := DefaultFinder()
	o := ballMesh(0.2, 24)
	m := one(t)
	for _, c := range []struct {
		depth float64
		some  bool
	}{{0.5e-3, true}, {5e-3, true}, {45e-3, true}, {60e-3, false}} {
		x := r3.V(0.3, 0.4, 0.5).Unit().Scale(0.2 - c.depth)
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), o})
		var set contact.Set
		f.Find(still(x, x.Add(x.Scale(3)), x.Add(x.Scale(3)).Add(r3.V(0, 0.3, 0))), nil, &set)
		own := 0
		for i := range set.Contacts {
			k := &set.Contacts[i]
			if k.ID.A.Kind != contact.Vertex {
				continue
			}
			own++
			if k.Gap > -0.8*c.depth+2e-3 || normalOf(k).Dot(x.Unit()) < 0.95 {
				t.Errorf("depth %v: gap %v, normal %v", c.depth, k.Gap, normalOf(k))
			}
		}
		if (own == 1) != c.some || own > 1 {
			t.Errorf("depth %v: %d contacts of the vertex", c.depth, own)
		}
	}
}

// The answer about the inside must not depend on what was asked before: a finder that has seen all steps and one
// that has seen only the last agree.
func TestHistoryDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	m, x := draped(t, 16, 2e-3)
	old := DefaultFinder()
	pose := r3.Still()
	base := ballMesh(0.25, 12)
	for step := range 12 {
		for i := range x {
			x[i] = x[i].Add(r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()-0.5).Scale(3e-3))
		}
		by := r3.Pose{R: r3.Rotation(r3.V(0, 1, 1), 0.02), T: r3.V(2e-3, 0, 0)}
		o := base
		o.From = pose
		o.X0 = nil
		for _, p := range base.X0 {
			o.X0 = append(o.X0, pose.Apply(p))
		}
		o = moved(o, by)
		pose = o.To
		fresh := DefaultFinder()
		var a, b contact.Set
		for f, set := range map[*Finder]*contact.Set{&old: &a, &fresh: &b} {
			f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), o})
			f.Find(falling(x, 5e-3), nil, set)
		}
		if !equal(&a, &b) {
			t.Fatalf("step %d: %d contacts, a fresh finder has %d", step, a.Len(), b.Len())
		}
	}
}

// A vertex over a flat mesh has the flat mesh's normal only, wherever it is over it: edges inside of the mesh do
// not catch.
func TestFlatMeshHasOneNormal(t *testing.T) {
	plate, x := grid(t, 10, 0.01)
	half := r3.V(0.05, 0.05, 0.01)
	boxX, boxTri := boxMesh(half)
	rng := rand.New(rand.NewPCG(5, 5))
	m, y := grid(t, 12, 0.006)
	for name, o := range map[string]contact.Skin{
		"plate": {Surface: 1, Block: contact.None, Tri: plate.Tri, X0: x, X1: x, From: r3.Still(), To: r3.Still()},
		"box":   {Surface: 1, Block: contact.None, Tri: boxTri, X0: boxX, X1: boxX, From: r3.Still(), To: r3.Still()},
	} {
		top, shift := 0.0, r3.V(0.01, 0.01, 0)
		if name == "box" {
			top, shift = half.Z, r3.V(-0.04, -0.04, 0)
		}
		f := DefaultFinder()
		f.Self = false
		for range 10 {
			z := make([]r3.Vec, len(y))
			height := top + 1e-3*(1+0.4*rng.Float64())
			for i, p := range y {
				z[i] = p.Add(shift).Add(r3.V(0.003*rng.Float64(), 0.003*rng.Float64(), height))
			}
			motion := still(z...)
			motion.X1 = nil
			for _, p := range z {
				motion.X1 = append(motion.X1, p.Add(r3.V(1e-3, 5e-4, -1e-4)))
			}
			f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), o})
			var set contact.Set
			f.Find(motion, nil, &set)
			if set.Len() != len(z) {
				t.Errorf("%s: %d contacts of %d vertices", name, set.Len(), len(z))
			}
			for i := range set.Contacts {
				if n := normalOf(&set.Contacts[i]); n.Sub(r3.V(0, 0, 1)).Norm() > 1e-6 {
					t.Fatalf("%s: normal %v of %+v", name, n, set.Contacts[i].ID)
				}
			}
		}
	}
}

// A mesh that shears takes a node on its surface along by the displacement of the point under it; one above it
// turns with the face.
func TestDeformingMesh(t *testing.T) {
	tri := [][3]int32{{0, 1, 2}}
	x0 := []r3.Vec{{X: -1, Y: -1}, {X: 2, Y: -1}, {X: -1, Y: 2}}
	turn := r3.Rotation(r3.V(1, 0, 0), 0.3)
	for name, deform := range map[string]func(r3.Vec) r3.Vec{
		"shear": func(x r3.Vec) r3.Vec { return r3.V(x.X+0.1*x.Y, 1.2*x.Y, 0.05) },
		"turn":  turn.Rotate,
	} {
		o := contact.Skin{
			Surface: 1, Block: contact.None, Tri: tri, X0: x0, From: r3.Still(), To: r3.Still(), Deforms: true,
		}
		for _, x := range x0 {
			o.X1 = append(o.X1, deform(x))
		}
		x := []r3.Vec{{X: 0.1, Y: 0.2, Z: 1e-3}, {X: 0.1, Y: 0.2, Z: 0.5}, {X: 0.2, Y: 0.2, Z: 0.5}}
		f := DefaultFinder()
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), o})
		var set contact.Set
		f.Find(still(x...), nil, &set)
		if set.Len() == 0 || set.Contacts[0].ID.A != (contact.Feature{Surface: 0, Kind: contact.Vertex, ID: 0}) {
			t.Fatalf("%s: %+v", name, set.Contacts)
		}
		c := &set.Contacts[0]
		foot := x[0]
		foot.Z = 0
		offset := r3.V(0, 0, 1e-3)
		if name == "turn" {
			offset = turn.Rotate(offset)
		}
		want := deform(foot).Add(offset).Sub(x[0]).Scale(1 / 0.01)
		got := c.Frame.MulVecT(c.Uf).Neg() // z is the thickness, so that all of u_f is the obstacle's velocity
		if got.Sub(want).Norm() > 1e-12*want.Norm() {
			t.Errorf("%s: velocity %v, want %v", name, got, want)
		}
	}
}
