package detect

import (
	"math"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// pointMass is a skin of one free point, which is a block.
func pointMass(surface, block int32) contact.Skin {
	return contact.Skin{Surface: surface, First: block, Points: 1, Dots: []int32{0}}
}

// brick is a rigid box: a block for the velocity of its middle, the next for ρ times its spin, and eight points.
type brick struct {
	middle r3.Vec
	turn   r3.Quat
	half   r3.Vec
	rho    float64
	block  int32 // of the velocity
	first  int32 // of its points
}

// levers returns where its points are, from the middle.
func (b *brick) levers() []r3.Vec {
	x, _ := boxMesh(b.half)
	for i := range x {
		x[i] = b.turn.Rotate(x[i])
	}
	return x
}

// points returns where its points are.
func (b *brick) points() []r3.Vec {
	x := b.levers()
	for i := range x {
		x[i] = x[i].Add(b.middle)
	}
	return x
}

func (b *brick) skin(surface int32) contact.Skin {
	_, tri := boxMesh(b.half)
	s := contact.Skin{Surface: surface, First: b.first, Points: 8, Tri: tri, Rigid: true}
	for _, p := range b.levers() {
		s.Carriers.Start = append(s.Carriers.Start, int32(len(s.Carriers.By)))
		spin := r3.Cross(p.Neg())
		s.Carriers.By = append(
			s.Carriers.By,
			contact.Carrier{Block: b.block, M: r3.Identity()},
			contact.Carrier{Block: b.block + 1, M: spin.Scale(1 / b.rho)},
		)
	}
	s.Carriers.Start = append(s.Carriers.Start, int32(len(s.Carriers.By)))
	return s
}

// moved returns the brick after a unit of time at which its freedom, of 0 to 5, has the speed s.
func (b *brick) moved(freedom int, s float64) brick {
	d := [3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[freedom%3]
	to := *b
	if freedom < 3 {
		to.middle = b.middle.AddScaled(s, d)
	} else {
		to.turn = r3.Rotation(d, s/b.rho).Mul(b.turn)
	}
	return to
}

// sharesOf returns the points of the candidate that became a contact.
func sharesOf(t *testing.T, f *Finder, id contact.ID) []contact.Share {
	for i := range f.rules.found {
		if c := &f.rules.found[i]; c.id == id {
			switch {
			case c.terms > 0:
				return c.row[:c.terms]
			case c.b == contact.None:
				return []contact.Share{{Point: c.a, W: 1}}
			}
			return []contact.Share{{Point: c.a, W: 1}, {Point: c.b, W: -1}}
		}
	}
	t.Fatalf("no candidate %+v", id)
	return nil
}

// checkRows compares rows with differences of where the points of the brick go, and those of blocks with W E.
func (b *brick) checkRows(t *testing.T, f *Finder, set *contact.Set) {
	t.Helper()
	const step = 1e-6
	for c := range set.Contacts {
		k := &set.Contacts[c]
		shares := sharesOf(t, f, k.ID)
		for freedom := range 6 {
			ahead, back := b.moved(freedom, step), b.moved(freedom, -step)
			to, from := ahead.points(), back.points()
			var way r3.Vec
			for _, s := range shares {
				if i := s.Point - b.first; i >= 0 {
					way = way.AddScaled(s.W/(2*step), to[i].Sub(from[i]))
				}
			}
			want := k.Frame.MulVec(way)
			var got r3.Vec
			for _, term := range set.Row(c) {
				if term.Block == b.block+int32(freedom/3) {
					got = term.M.MulVec([3]r3.Vec{{X: 1}, {Y: 1}, {Z: 1}}[freedom%3])
				}
			}
			if got.Sub(want).Norm() > 1e-8 {
				t.Errorf("%+v: freedom %d adds %v, differences say %v", k.ID, freedom, got, want)
			}
		}
		for _, s := range shares {
			if s.Point >= b.first {
				continue
			}
			row := set.Row(c)
			at := slices.IndexFunc(row, func(term contact.Term) bool { return term.Block == s.Point })
			if at < 0 || row[at].M != k.Frame.Scale(s.W) || row[at].W != s.W {
				t.Errorf("%+v: block %d of weight %v has %+v", k.ID, s.Point, s.W, row)
			}
		}
	}
}

// below returns what a body over the origin may lie on: a plane, a mesh, and a cloth, of which the last has 49 blocks.
func below(t *testing.T) map[string]struct {
	skin contact.Skin
	x    []r3.Vec
} {
	m, x := grid(t, 6, 0.05)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.15, -0.15, 0))
	}
	plate := contact.Skin{Surface: 1, Block: contact.None, From: r3.Still(), To: r3.Still(), Tri: m.Tri, X0: x, X1: x}
	return map[string]struct {
		skin contact.Skin
		x    []r3.Vec
	}{"plane": {skin: floor(1)}, "mesh": {skin: plate}, "cloth": {contact.ClothSkin(1, 0, m), x}}
}

// A point mass meets a plane, a mesh and a cloth, near and on the way, and an impact is reported where it would pass.
func TestPointMass(t *testing.T) {
	for name, on := range below(t) {
		block := int32(len(on.x))
		skins := []contact.Skin{on.skin, pointMass(7, block)}
		for _, c := range []struct {
			from, to float64
			met      bool
		}{{1.2e-3, 1.2e-3, true}, {0.1, -0.1, true}, {0.1, 0.05, false}} {
			f := DefaultFinder()
			f.Begin(skins)
			at := r3.V(0.013, 0.007, 0)
			m := still(append(slices.Clone(on.x), at.Add(r3.V(0, 0, c.from)))...)
			m.X1 = slices.Clone(m.X0)
			m.X1[block].Z = c.to
			var set contact.Set
			f.Find(m, nil, &set)
			if !c.met {
				if set.Len() != 0 || len(f.Impacts(m.X1, 1e-5, nil)) != 0 {
					t.Errorf("%s: %+v for a point that stays away", name, set.Contacts)
				}
				continue
			}
			if err := set.Validate(len(m.X0)); err != nil || set.Len() != 1 {
				t.Fatalf("%s: %v, %+v", name, err, set.Contacts)
			}
			k, row := &set.Contacts[0], set.Row(0)
			sum := 0.0
			for _, term := range row {
				sign := 1.0
				if k.ID.B.Surface == 7 {
					sign = -1
				}
				if term.Block == block && term.M != k.Frame.Scale(sign) {
					t.Errorf("%s: the row of the point is %+v", name, term)
				}
				sum += math.Abs(term.W)
			}
			wide := 1.0
			if name == "cloth" {
				wide = 2
			}
			upright := math.Abs(math.Abs(k.Normal().Z)-1) < 1e-9
			if math.Abs(k.Gap-c.from) > 1e-9 || !upright || math.Abs(sum-wide) > 1e-12 {
				t.Errorf("%s: gap %v along %v, weights %v", name, k.Gap, k.Normal(), sum)
			}
			impacts := f.Impacts(m.X1, 1e-5, nil)
			if passes := c.to < 0; (len(impacts) == 1) != passes {
				t.Errorf("%s: %d impacts on the way from %v to %v", name, len(impacts), c.from, c.to)
			} else if passes && !(impacts[0].Gap(m.X0) > 0 && impacts[0].Gap(m.X1) < 0) {
				t.Errorf("%s: gaps %v and %v", name, impacts[0].Gap(m.X0), impacts[0].Gap(m.X1))
			}
		}
	}
}

// A point mass inside a ball is counted and named, and so is one that gets there.
func TestPointMassInsideAShape(t *testing.T) {
	f := DefaultFinder()
	f.Begin([]contact.Skin{pointMass(7, 0), ball(0.1)})
	m := still(r3.V(0, 0, 0.2))
	m.X1 = []r3.Vec{{Z: 0.05}}
	var set contact.Set
	f.Find(m, nil, &set)
	want := Tangle{Count: 1, First: Crossing{7, 1, contact.None, contact.None, 0}, Depth: 0.05}
	if got := f.Crossings(m.X1); got.Count != 1 || got.First != want.First || math.Abs(got.Depth-want.Depth) > 1e-12 {
		t.Errorf("%+v", got)
	}
	if fresh := f.Fresh(m.X1, nil); len(fresh) != 1 || fresh[0].Count != 1 || fresh[0].Obstacle != 1 {
		t.Errorf("%+v", fresh)
	}
}

// A rigid box lies on a plane, a mesh and a cloth: rows are those of its two blocks, it does not touch itself though it
// is thin, and it does not pass.
func TestRigidBox(t *testing.T) {
	for name, on := range below(t) {
		n := int32(len(on.x))
		b := brick{half: r3.V(0.06, 0.04, 0.4e-3), rho: 0.03, block: n, first: n + 2, turn: r3.NoRotation()}
		b.turn = r3.Rotation(r3.V(0, 0, 1), 0.3)
		b.middle = r3.V(0.003, 0.004, b.half.Z+1.2e-3)
		f := DefaultFinder()
		f.Begin([]contact.Skin{on.skin, b.skin(7)})
		m := still(slices.Concat(on.x, []r3.Vec{b.middle, {}}, b.points())...)
		var set contact.Set
		f.Find(m, nil, &set)
		if err := set.Validate(int(n) + 2); err != nil || set.Len() < 4 {
			t.Fatalf("%s: %v, %d contacts", name, err, set.Len())
		}
		for i := range set.Contacts {
			k := &set.Contacts[i]
			if k.ID.A.Surface == k.ID.B.Surface || math.Abs(k.Gap-1.2e-3) > 1e-9 {
				t.Errorf("%s: %+v, gap %v", name, k.ID, k.Gap)
			}
		}
		b.checkRows(t, &f, &set)

		through := b
		through.middle.Z = -0.02
		through.turn = r3.Rotation(r3.V(1, 0, 0), 0.5).Mul(b.turn)
		m.X1 = slices.Concat(on.x, []r3.Vec{through.middle, {}}, through.points())
		f.Find(m, nil, &set)
		b.checkRows(t, &f, &set)
		impacts, fresh := f.Impacts(m.X1, 1e-5, nil), f.Fresh(m.X1, nil)
		if len(impacts) == 0 || len(fresh) == 0 || f.Crossings(m.X1).Count == 0 {
			t.Errorf("%s: %d impacts, %d fresh crossings", name, len(impacts), len(fresh))
		}
		if carriers := f.Carriers(b.first); len(carriers) != 2 || carriers[1].Block != b.block+1 {
			t.Errorf("%s: carriers %+v", name, carriers)
		}
	}
}

// Faces of a rigid box keep the place at which a spike meets them: to move the contact to a corner would turn the box.
func TestRigidFacesKeepTheirPlaces(t *testing.T) {
	spike := []r3.Vec{{X: 0.01, Y: 0.005}, {X: 0.01, Y: 0.005, Z: -1}, {X: 0.1, Y: 0.005, Z: -1}}
	b := brick{half: r3.V(0.06, 0.04, 0.02), rho: 0.03, first: 2, turn: r3.NoRotation(), middle: r3.V(0, 0, 0.0212)}
	for name, o := range map[string]contact.Skin{
		"mesh": {Tri: [][3]int32{{0, 1, 2}}, X0: spike, X1: spike, From: r3.Still(), To: r3.Still()},
		"cone": {Field: shape.Cone{Radius: 0.02, Height: 0.1}, From: r3.Translation(r3.V(0.01, 0.005, -0.1))},
		"ball": {Field: shape.Sphere{Radius: 5e-3}, From: r3.Translation(r3.V(0.01, 0.005, -3.9e-3))},
	} {
		o.Surface, o.Block = 1, contact.None
		if o.Field != nil {
			o.To = o.From
		}
		f := DefaultFinder()
		f.Begin([]contact.Skin{b.skin(0), o})
		var set contact.Set
		f.Find(still(slices.Concat([]r3.Vec{b.middle, {}}, b.points())...), nil, &set)
		if set.Len() == 0 {
			t.Fatalf("%s: nothing is met", name)
		}
		b.checkRows(t, &f, &set)
		least := 0 // a ball next to a diagonal also meets the other triangle
		for i := range set.Contacts {
			if set.Contacts[i].Gap < set.Contacts[least].Gap {
				least = i
			}
		}
		// The torque of a force up at the place: −[p]×ᵀ of it over ρ, at p = (0.01, 0.005).
		row := set.Row(least)
		torque := row[1].M.MulVecT(r3.V(1, 0, 0))
		if want := r3.V(0.005, -0.01, 0).Scale(1 / b.rho); torque.Sub(want).Norm() > 1e-3 {
			t.Errorf("%s: torque %v, want %v", name, torque, want)
		}
	}
}

// A point in a tetrahedron has w E at its corners, and what two points of one contact have of a block is added up.
func TestPointInATetrahedron(t *testing.T) {
	corners := []r3.Vec{{Z: 0.1}, {X: 1, Z: 0.2}, {Y: 1, Z: 0.3}, {X: 0.2, Y: 0.1, Z: -0.5}}
	weights := [4]float64{0.1, 0.2, 0.3, 0.4}
	var carriers contact.Carriers
	var x r3.Vec
	for i, w := range weights {
		carriers.By = append(carriers.By, contact.Carrier{Block: int32(i), M: r3.Diagonal(w)})
		x = x.AddScaled(w, corners[i])
	}
	carriers.Start = []int32{0, 4}
	plane := floor(1)
	plane.From = r3.Translation(r3.V(0, 0, x.Z-1.1e-3))
	plane.To = plane.From
	f := DefaultFinder()
	f.Begin([]contact.Skin{{Surface: 0, First: 4, Points: 1, Dots: []int32{0}, Carriers: carriers}, plane})
	var set contact.Set
	f.Find(still(append(slices.Clone(corners), x)...), nil, &set)
	if err := set.Validate(4); err != nil || set.Len() != 1 || set.Contacts[0].A != 3 {
		t.Fatalf("%v, %+v", err, set.Contacts)
	}
	for i, term := range set.Row(0) {
		want := contact.Term{Block: int32(i), W: term.W, M: set.Contacts[0].Frame.Scale(weights[i])}
		if term != want || math.Abs(term.W-weights[i]) > 1e-15 {
			t.Errorf("term %d: %+v", i, term)
		}
	}

	c := candidate{
		a: 4, b: 2, obstacle: contact.None, normal: r3.V(0, 0, 1),
		row: [4]contact.Share{{Point: 4, W: 1}, {Point: 2, W: -1}}, terms: 2,
	}
	set.Reset()
	f.writer.write(&c, &set)
	if err := set.Validate(4); err != nil || len(set.Row(0)) != 4 || math.Abs(set.Row(0)[2].W+0.7) > 1e-15 {
		t.Errorf("%v, %+v", err, set.Row(0))
	}
}

// Free edges, such as the axis of a capsule, meet edges of cloths and meshes, the sharp edges of shapes, and round
// shapes between their ends; their impacts and crossings are found.
func TestFreeEdge(t *testing.T) {
	bar := func(z float64) []r3.Vec { return []r3.Vec{{X: -0.4, Y: -0.39, Z: z}, {X: 0.4, Y: 0.41, Z: z}} }
	ridge := []r3.Vec{{X: -1, Y: 0.5}, {X: 1, Y: -0.5}, {Z: -1}}
	unmoved := func(o contact.Skin) contact.Skin {
		o.Surface, o.Block, o.To = 1, contact.None, o.From
		return o
	}
	cloth, lowered := one(t), r3.Translation(r3.V(0, 0, -0.1))
	for name, c := range map[string]struct {
		other contact.Skin
		x     []r3.Vec
	}{
		"mesh": {other: unmoved(contact.Skin{Tri: [][3]int32{{0, 1, 2}}, X0: ridge, X1: ridge, From: r3.Still()})},
		"wire": {other: unmoved(
			contact.Skin{Edges: [][2]int32{{0, 1}}, X0: ridge[:2], X1: ridge[:2], From: r3.Still()},
		)},
		"box": {other: unmoved(contact.Skin{Field: shape.Box{Half: r3.V(0.01, 0.5, 0.1)}, From: lowered})},
		"ball": {other: unmoved(
			contact.Skin{Field: shape.Sphere{Radius: 0.1}, From: r3.Translation(r3.V(0, 0.01, -0.0991))},
		)},
		"cloth": {contact.ClothSkin(1, 0, cloth), ridge},
	} {
		n := int32(len(c.x))
		axis := contact.Skin{Surface: 0, First: n, Points: 2, Edges: [][2]int32{{0, 1}}, Rigid: true}
		for _, way := range [][2]float64{{1.1e-3, 1.1e-3}, {0.1, -0.05}} {
			f := DefaultFinder()
			f.Begin([]contact.Skin{axis, c.other})
			m := still(append(slices.Clone(c.x), bar(way[0])...)...)
			m.X1 = append(slices.Clone(c.x), bar(way[1])...)
			var set contact.Set
			f.Find(m, nil, &set)
			if err := set.Validate(len(m.X0)); err != nil || set.Len() == 0 {
				t.Errorf("%s: %v, %d contacts on the way to %v", name, err, set.Len(), way[1])
				continue
			}
			if k := &set.Contacts[0]; math.Abs(k.Normal().Z) < 0.99 || math.Abs(k.Gap-way[0]) > 1e-3 {
				t.Errorf("%s: gap %v along %v, want %v", name, k.Gap, k.Normal(), way[0])
			}
			impacts := f.Impacts(m.X1, 1e-5, nil)
			if passes := way[1] < 0; (len(impacts) > 0) != passes {
				t.Errorf("%s: %d impacts on the way to %v", name, len(impacts), way[1])
			}
			crossed := way[1] < 0 && name != "wire" // edges do not cross edges
			if got := f.Crossings(m.X1); (got.Count > 0) != crossed {
				t.Errorf("%s: %+v at %v", name, got, way[1])
			}
		}
	}
}

// jumble is a scene of all kinds of skins: cloths, rigid boxes, point masses, a bar, balls and capsules, over a mesh, a
// box and a press.
func jumble(t testing.TB) ([]contact.Skin, contact.Motion) {
	skins, m := busy(t)
	n := int32(len(m.X0))
	x, v := slices.Clone(m.X0), []r3.Vec{}
	for i := range int32(20) {
		x = append(x, r3.V(0.02*float64(i), 0.033*float64(i), 2.4e-3+1e-4*float64(i%5)))
		skins = append(skins, pointMass(20+i, n+i))
	}
	n = int32(len(x))
	x = append(x, r3.V(0.02, 0.1, 2.7e-3), r3.V(0.4, 0.9, 2.3e-3))
	skins = append(skins, contact.Skin{Surface: 50, First: n, Points: 2, Edges: [][2]int32{{0, 1}}, Rigid: true})
	var bricks []brick
	for i := range 6 {
		b := brick{half: r3.V(0.05, 0.04, 0.03), rho: 0.03, turn: r3.Rotation(r3.V(1, 2, 3), 0.5*float64(i))}
		b.middle = r3.V(0.07*float64(i), 0.14*float64(i), 0.035)
		b.block = int32(len(x))
		x = append(x, b.middle, r3.Vec{})
		bricks = append(bricks, b)
	}
	rounds := make([]rounded, 8)
	for i := range rounds {
		r := &rounds[i]
		r.radius, r.half = 0.01+0.002*float64(i), 0.02*float64(i%2)
		r.middle = r3.V(0.1*float64(i), 0.1*float64(i), 2.2e-3+r.radius)
		r.turn = r3.Rotation(r3.V(1, 0.3*float64(i), 0), math.Pi/2)
		r.block = int32(len(x))
		x = append(x, r.middle, r3.Vec{})
	}
	for i := range rounds {
		rounds[i].first = int32(len(x))
		x = append(x, rounds[i].points()...)
		skins = append(skins, rounds[i].skin(80+int32(i)))
	}
	for i := range bricks {
		b := &bricks[i]
		b.first = int32(len(x))
		x = append(x, b.points()...)
		skins = append(skins, b.skin(60+int32(i)))
	}
	for i := range x {
		v = append(v, r3.V(0.1*math.Sin(float64(i)), 0, -0.3))
	}
	m.X0, m.V0, m.X1 = x, v, nil
	for i := range x {
		m.X1 = append(m.X1, x[i].AddScaled(m.H, v[i]))
	}
	return skins, m
}

// With all kinds of skins, the same bits for any number of workers, and nothing is allocated in a steady step.
func TestAllSkinsTogether(t *testing.T) {
	skins, m := jumble(t)
	var want contact.Set
	var wantImpacts []contact.Impact
	for _, workers := range []int{1, 2, 8} {
		f := DefaultFinder()
		f.Team = par.New(workers)
		var set contact.Set
		f.Begin(skins)
		f.Find(m, nil, &set)
		if err := set.Validate(len(m.X0)); err != nil {
			t.Fatal(err)
		}
		impacts := f.Impacts(m.X1, 1e-5, nil)
		if workers == 1 {
			want, wantImpacts = set, impacts
			t.Logf("%d contacts, %d impacts", set.Len(), len(impacts))
		}
		if !equal(&set, &want) || !slices.Equal(impacts, wantImpacts) {
			t.Errorf("%d workers give other contacts", workers)
		}
	}
	f := DefaultFinder()
	f.Team = par.New(2)
	var set contact.Set
	var impacts []contact.Impact
	step := func() {
		f.Begin(skins)
		f.Find(m, nil, &set)
		f.Extend(m, nil, &set)
		f.Crossings(m.X1)
		impacts = f.Impacts(m.X1, 1e-5, impacts[:0])
	}
	step()
	step()
	if n := testing.AllocsPerRun(5, step); n > 0 {
		t.Errorf("%v allocations a step", n)
	}
}

// Oracle: all pairs. The trees find the same candidates among cloths, free edges, free points and rigid skins.
func TestTreesFindAllPairsOfSkins(t *testing.T) {
	skins, m := jumble(t)
	f := DefaultFinder()
	f.Begin(slices.DeleteFunc(skins, func(s contact.Skin) bool { return s.Prescribed() }))
	var set contact.Set
	f.Find(m, nil, &set)
	others := 0
	for i := range f.rules.found {
		if id := f.rules.found[i].id; id.A.Surface >= 20 || id.B.Surface >= 20 {
			others++
		}
	}
	if got, want := byID(f.rules.found), byID(bruteForce(&f)); !slices.Equal(got, want) || others < 20 {
		t.Errorf("%d candidates, all pairs have %d; %d are not between cloths", len(got), len(want), others)
	}
}
