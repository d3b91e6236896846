package detect

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

func normalOf(c *contact.Contact) r3.Vec { return c.Frame.MulVecT(r3.V(1, 0, 0)) }

// vertexOnFace returns the id of a vertex of surface 0 on a face of surface 1.
func vertexOnFace(vertex, face int64) contact.ID {
	return contact.ID{
		A: contact.Feature{Surface: 0, Kind: contact.Vertex, ID: vertex},
		B: contact.Feature{Surface: 1, Kind: contact.Face, ID: face},
	}
}

// faceOnVertex returns the id of face 0 of surface 0 on a vertex of surface 1.
func faceOnVertex(vertex int64) contact.ID {
	return contact.ID{
		A: contact.Feature{Surface: 0, Kind: contact.Face, ID: 0},
		B: contact.Feature{Surface: 1, Kind: contact.Vertex, ID: vertex},
	}
}

// A10: contacts of the same nodes with normals closer than 10 degrees are one, the deepest; ties go to the lower id.
func TestPruning(t *testing.T) {
	const angle, none = 10 * math.Pi / 180, contact.None
	tilted := func(degrees float64) r3.Vec {
		s, c := math.Sincos(degrees * math.Pi / 180)
		return r3.V(s, 0, c)
	}
	at := func(id int64, a, b, obstacle int32, n r3.Vec, end float64) candidate {
		return candidate{
			id:       vertexOnFace(id, id),
			a:        a,
			b:        b,
			obstacle: obstacle,
			normal:   n,
			end:      end,
		}
	}
	for name, c := range map[string]struct {
		found []candidate
		kept  []int64
	}{
		"within":           {[]candidate{at(1, 4, none, 0, tilted(0), 2), at(2, 4, none, 0, tilted(9.999), 1)}, []int64{2}},
		"beyond":           {[]candidate{at(1, 4, none, 0, tilted(0), 2), at(2, 4, none, 0, tilted(10.001), 1)}, []int64{2, 1}},
		"tie":              {[]candidate{at(2, 4, none, 0, tilted(0), 1), at(1, 4, none, 0, tilted(5), 1)}, []int64{1}},
		"other node":       {[]candidate{at(1, 4, none, 0, tilted(0), 2), at(2, 5, none, 0, tilted(0), 1)}, []int64{1, 2}},
		"other obstacle":   {[]candidate{at(1, 4, none, 1, tilted(0), 2), at(2, 4, none, 0, tilted(0), 3)}, []int64{1, 2}},
		"other pair":       {[]candidate{at(1, 4, 6, none, tilted(0), 2), at(2, 4, 7, none, tilted(0), 1)}, []int64{1, 2}},
		"the pair swapped": {[]candidate{at(1, 4, 6, none, tilted(0), 2), at(2, 6, 4, none, tilted(2).Neg(), 1)}, []int64{2}},
		"from both sides":  {[]candidate{at(1, 4, 6, none, tilted(0), 2), at(2, 6, 4, none, tilted(2), 1)}, []int64{2, 1}},
		"a chain": {[]candidate{
			at(1, 4, none, 0, tilted(-8), 2), at(2, 4, none, 0, tilted(0), 1), at(3, 4, none, 0, tilted(8), 3),
		}, []int64{2}},
		"a chain by ends": {[]candidate{
			at(1, 4, none, 0, tilted(-8), 1), at(2, 4, none, 0, tilted(0), 3), at(3, 4, none, 0, tilted(8), 2),
		}, []int64{1, 3}},
	} {
		var p pruner
		kept := p.prune(c.found, 10, angle, 1e-3)
		ok := len(kept) == len(c.kept)
		for i := range min(len(kept), len(c.kept)) {
			ok = ok && c.found[kept[i]].id.A.ID == c.kept[i]
		}
		if !ok {
			t.Errorf("%s: kept %v, want ids %v", name, kept, c.kept)
		}
	}
}

// A10: a contact point moves to the nearest vertex of its own primitive; the gap and the normal are those of the pair.
func TestRelocation(t *testing.T) {
	f := DefaultFinder()
	m := one(t)
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m), contact.ClothSkin(1, 3, m)})
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		u, v := rng.Float64(), rng.Float64()
		if u+v > 0.99 || u < 0.01 || v < 0.01 {
			continue
		}
		gap := 1.4e-3 * rng.Float64()
		corners := []r3.Vec{{X: 0, Y: 0, Z: 0.01}, {X: 1, Y: 0, Z: 0.02}, {X: 0, Y: 1, Z: -0.01}}
		n := corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0])).Unit()
		w := r3.V(1-u-v, u, v)
		x := blend(w, corners[0], corners[1], corners[2]).AddScaled(gap, n)
		var set contact.Set
		f.Find(still(x, x.Add(r3.V(0, 0, 1)), x.Add(r3.V(0, 0.1, 1)), corners[0], corners[1], corners[2]), nil, &set)
		if set.Len() != 1 {
			t.Fatalf("%d contacts", set.Len())
		}
		c := &set.Contacts[0]
		want := int32(3)
		if w.Y > w.X && w.Y > w.Z {
			want = 4
		} else if w.Z > w.X && w.Z > w.Y {
			want = 5
		}
		if c.A != 0 || c.B != want || math.Abs(c.Gap-gap) > 1e-15 || normalOf(c).Sub(n).Norm() > 1e-14 {
			t.Fatalf("weights %v, gap %v: %+v", w, gap, c)
		}
	}
}

// A contact of an obstacle's corner with the inside of a face stays on the node of the last step while that has a
// quarter of the weight, also if another corner of the obstacle is what touches now; otherwise it moves to the nearest.
func TestContactsStayOnTheirNode(t *testing.T) {
	f := DefaultFinder()
	corners := []r3.Vec{{}, {X: 1}, {Y: 1}}
	for _, c := range []struct {
		w    r3.Vec // weights of the point
		past int32  // node of the last step
		want int32
	}{
		{r3.V(0.5, 0.4, 0.1), contact.None, 0},
		{r3.V(0.5, 0.4, 0.1), 1, 1},
		{r3.V(0.5, 0.4, 0.1), 2, 0},
		{r3.V(0.7, 0.24, 0.06), 1, 0},
		{r3.V(0.7, 0.26, 0.04), 1, 1},
	} {
		spike := spikeAt(blend(c.w, corners[0], corners[1], corners[2]).Add(r3.V(0, 0, 1e-3)))
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), spike})
		var set contact.Set
		f.Find(still(corners...), []contact.Past{{ID: faceOnVertex(2), Node: c.past}}, &set)
		if set.Len() != 1 || set.Contacts[0].A != c.want {
			t.Errorf("weights %v after node %d: %+v, want node %d", c.w, c.past, set.Contacts, c.want)
		}
	}
}

// spikeAt returns an obstacle with a sharp corner that points down.
func spikeAt(tip r3.Vec) contact.Skin {
	spike := contact.Skin{
		Surface: 1,
		Block:   contact.None,
		From:    r3.Still(),
		To:      r3.Still(),
		Tri:     [][3]int32{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}},
		X0:      []r3.Vec{tip.Add(r3.V(-0.1, -0.1, 1)), tip.Add(r3.V(0.1, -0.1, 1)), tip.Add(r3.V(0, 0.1, 1)), tip},
	}
	spike.X1 = spike.X0
	return spike
}

// At its place, a contact of an obstacle's corner with the inside of a face is one of all vertices of the face, by
// their weights, whatever node the last step had.
func TestContactsAtPlace(t *testing.T) {
	f := DefaultFinder()
	f.PointContacts = true
	corners := []r3.Vec{{}, {X: 1}, {Y: 1}}
	weights := []float64{0.5, 0.4, 0.1}
	tip := blend(r3.V(weights[0], weights[1], weights[2]), corners[0], corners[1], corners[2]).Add(r3.V(0, 0, 1e-3))
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), spikeAt(tip)})
	var set contact.Set
	f.Find(still(corners...), []contact.Past{{ID: faceOnVertex(3), Node: 1}}, &set)
	if set.Len() != 1 || len(set.Row(0)) != len(weights) {
		t.Fatalf("%+v", set.Contacts)
	}
	for _, term := range set.Row(0) {
		along := term.M.MulVec(set.Contacts[0].Normal())
		if math.Abs(along.X-weights[term.Block]) > 1e-12 {
			t.Errorf("vertex %d counts %g, want %g", term.Block, along.X, weights[term.Block])
		}
	}
}

// A10: the rest distance is that along edges and legs, and the rule is exact.
func TestRestDistance(t *testing.T) {
	f := DefaultFinder()
	m, _ := grid(t, 8, 0.25) // lengths that are exact in binary
	f.Begin([]contact.Skin{contact.ClothSkin(0, 5, m)})
	at := func(i, j int) restPoint { return atVertex(int32(5 + 9*j + i)) }
	var r restSearch
	p, q := at(0, 0), at(3, 0)
	if !f.scene.rest.beyond(&r, &p, &q, math.Nextafter(0.75, 0)) || f.scene.rest.beyond(&r, &p, &q, 0.75) {
		t.Error("three edges of 0.25 are not 0.75 long")
	}
	e, ok := m.FindEdge(3, 4)
	if !ok {
		t.Fatal("no edge")
	}
	q = f.scene.rest.onEdge(e, 0.5)
	if !f.scene.rest.beyond(&r, &p, &q, math.Nextafter(0.875, 0)) || f.scene.rest.beyond(&r, &p, &q, 0.875) {
		t.Error("three and a half edges of 0.25 are not 0.875 long")
	}
	// A point in triangle (0, 1, 10), at (0.15, 0.05) of the material: legs by Pythagoras.
	q = f.scene.rest.onFace(0, [3]float64{0.4, 0.4, 0.2})
	for k, want := range []float64{math.Hypot(0.15, 0.05), math.Hypot(0.1, 0.05), math.Hypot(0.1, 0.2)} {
		if math.Abs(q.leg[k]-want) > 1e-15 {
			t.Errorf("leg %d is %v, want %v", k, q.leg[k], want)
		}
	}
}

// A10: a pair of one cloth is near only below 0.1 of its rest distance: a mesh finer than the thickness does not
// repel its neighbours at rest, and not when it is folded like a fan to a fifth of its length, but does at a
// fiftieth.
func TestSelfRatio(t *testing.T) {
	const edge = 4e-4
	m, x := grid(t, 12, edge)
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, m)})
	count := func(scale float64) int {
		y := make([]r3.Vec, len(x))
		for i, p := range x {
			y[i] = r3.V(scale*p.X, p.Y, float64(i%13%2)*edge*math.Sqrt(1-scale*scale))
		}
		var set contact.Set
		f.Find(still(y...), nil, &set)
		return set.Len()
	}
	for scale, some := range map[float64]bool{1: false, 0.2: false, 0.02: true} {
		if n := count(scale); (n > 0) != some {
			t.Errorf("folded to %v: %d contacts", scale, n)
		}
	}
	f.SelfRatio = 1e9
	if count(0.2) == 0 {
		t.Error("without the rule nothing is near: the test says nothing")
	}
}

// u_N = 0 must mean that the gap at the end is the thickness, and u_T = 0 that nothing slips, for any θ.
func TestConstraintForAnyTheta(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	random := func() r3.Vec { return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()) }
	f := DefaultFinder()
	f.Friction = func(a, b int32) float64 { return float64(a + 10*b) }
	for range 100 {
		o := floor(7)
		o.To = r3.Pose{R: r3.Rotation(random(), 0.1*rng.Float64()), T: random().Scale(1e-3)}
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), o})
		z := 1e-3 * (1 + 0.49*rng.Float64())
		m := still(r3.V(0.3, -0.2, z), r3.V(1, 0, 1), r3.V(0, 1, 1))
		m.Theta, m.H = 0.5+0.5*rng.Float64(), 0.01*rng.Float64()
		for i := range m.V0 {
			m.V0[i] = random()
		}
		var set contact.Set
		f.Find(m, nil, &set)
		if set.Len() == 0 || set.Contacts[0].A != 0 {
			t.Fatalf("%+v", set.Contacts)
		}
		c := &set.Contacts[0]
		if c.Mu != 70 || c.Push != 0 {
			t.Errorf("friction %v, push %v", c.Mu, c.Push)
		}
		// The velocity that carries the node with the obstacle and closes the gap to the thickness.
		end := o.To.Apply(m.X0[0]).AddScaled(f.Thickness-z, normalOf(c))
		v := end.Sub(m.X0[0]).Scale(1/m.H).AddScaled(-(1 - m.Theta), m.V0[0]).Scale(1 / m.Theta)
		if u := c.Frame.MulVec(v).Add(c.Uf); u.Norm() > 1e-12*(1+v.Norm()) {
			t.Errorf("u = %v, want 0", u)
		}
	}
}

func TestPushOutIsLimited(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), floor(1)})
	for _, c := range []struct{ z, h, push float64 }{
		{1e-3, 0.01, 0},                     // no violation
		{0.5e-3, 0.01, 0.1 * 0.5e-3 / 0.01}, // a tenth of it a step
		{-1, 0.01, 0.1},                     // the greatest speed
		{0.5e-3, 1e-5, 0.1},
	} {
		m := still(r3.V(0, 0, c.z), r3.V(1, 0, 1), r3.V(0, 1, 1))
		m.H = c.h
		var set contact.Set
		f.Find(m, nil, &set)
		if set.Len() != 1 {
			t.Fatalf("%d contacts", set.Len())
		}
		k := &set.Contacts[0]
		if math.Abs(k.Push-c.push) > 1e-15 || k.Gap != c.z || k.Uf.X != -k.Push {
			t.Errorf("gap %v, step %v: push %v, want %v; %+v", c.z, c.h, k.Push, c.push, k)
		}
	}
}

// Contacts of fixed nodes with what moves as it likes are not wanted, but those with a press are.
func TestFixedNodes(t *testing.T) {
	f := DefaultFinder()
	o := floor(1)
	m := still(r3.V(0, 0, 1e-3), r3.V(1, 0, 1e-3), r3.V(0, 1, 1), r3.Vec{})
	m.Fixed = []bool{true, false, false, false}
	var set contact.Set
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), o})
	f.Find(m, nil, &set)
	if set.Len() != 1 || set.Contacts[0].A != 1 || set.Contacts[0].B != contact.None {
		t.Errorf("%+v", set.Contacts)
	}
	o.Block = 3
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), o})
	f.Find(m, nil, &set)
	if set.Len() != 2 || set.Contacts[0].B != 3 {
		t.Errorf("%+v", set.Contacts)
	}
}

// Between cloths the row of a contact gives the relative velocity of the points that meet, to rounding.
func TestRowsBetweenSkinsAreWeighted(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), contact.ClothSkin(1, 3, one(t))})
	// The vertex 3 is above a point of the lower triangle, with the weights 0.5, 0.3 and 0.2.
	x := []r3.Vec{{}, {X: 1}, {Y: 1}, {X: 0.3, Y: 0.2, Z: 1e-3}, {X: 2, Y: 0.2, Z: 2}, {X: 0.3, Y: 2, Z: 2}}
	v := make([]r3.Vec, len(x))
	for i := range v {
		v[i] = r3.V(float64(i), 1, float64(i*i))
	}
	var set contact.Set
	f.Find(still(x...), nil, &set)
	if err := set.Validate(len(x)); err != nil || set.Len() != 1 {
		t.Fatalf("%v; %+v", err, set.Contacts)
	}
	c := &set.Contacts[0]
	want := v[3].AddScaled(-0.5, v[0]).AddScaled(-0.3, v[1]).AddScaled(-0.2, v[2])
	if c.ID.A.Surface == 0 {
		want = want.Neg() // side A is the lower cloth
	}
	var got r3.Vec
	for _, term := range set.Row(0) {
		got = got.Add(term.M.MulVec(v[term.Block]))
	}
	if d := got.Sub(c.Frame.MulVec(want)).Norm(); set.Nodal(0) || d > 1e-13 {
		t.Errorf("row %+v gives %v, want %v", set.Row(0), got, c.Frame.MulVec(want))
	}
}
