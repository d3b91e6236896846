package detect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// rounded is a ball, or with a half length a capsule along z: a block for the velocity of its middle and the next for
// its spin, with ρ = 0.03 m.
type rounded struct {
	middle       r3.Vec
	turn         r3.Quat
	radius, half float64
	block        int32 // of the velocity
	first        int32 // of its points
}

const roundRho = 0.03

// levers returns where its points are, from the middle.
func (r *rounded) levers() []r3.Vec {
	if r.half == 0 {
		return make([]r3.Vec, 1)
	}
	end := r.turn.Rotate(r3.V(0, 0, r.half))
	return []r3.Vec{end.Neg(), end}
}

// points returns where its points are.
func (r *rounded) points() []r3.Vec {
	x := r.levers()
	for i := range x {
		x[i] = x[i].Add(r.middle)
	}
	return x
}

func (r *rounded) skin(surface int32) contact.Skin {
	s := contact.Skin{Surface: surface, First: r.first, Points: 1, Rigid: true, Radius: r.radius}
	if r.half > 0 {
		s.Points, s.Edges = 2, [][2]int32{{0, 1}}
	} else {
		s.Dots = []int32{0}
	}
	for _, p := range r.levers() {
		s.Carriers.Start = append(s.Carriers.Start, int32(len(s.Carriers.By)))
		spin := r3.Cross(p.Neg())
		s.Carriers.By = append(
			s.Carriers.By,
			contact.Carrier{Block: r.block, M: r3.Identity()},
			contact.Carrier{Block: r.block + 1, M: spin.Scale(1 / roundRho), PerLength: 1 / roundRho},
		)
	}
	s.Carriers.Start = append(s.Carriers.Start, int32(len(s.Carriers.By)))
	return s
}

// distance returns the distance from the core to that of another.
func (r *rounded) distance(o *rounded) float64 {
	p, q := r.points(), o.points()
	_, _, d2 := geom.EdgeEdge(p[0], p[len(p)-1], q[0], q[len(q)-1])
	return math.Sqrt(d2)
}

// checkRow compares the row of a contact with the motion of the matter of the body at a place, which a side is of the
// sign of.
func (r *rounded) checkRow(t *testing.T, k *contact.Contact, row []contact.Term, place r3.Vec, sign float64) {
	t.Helper()
	for _, term := range row {
		want := r3.Mat{}
		switch term.Block {
		case r.block:
			want = k.Frame.Scale(sign)
		case r.block + 1:
			arm := r3.Cross(r.middle.Sub(place)) // ω × p = −p × ω
			want = k.Frame.Mul(&arm)
			want = want.Scale(sign / roundRho)
		default:
			continue
		}
		want.AddScaled(-1, &term.M)
		if want.MaxAbs() > 1e-12 {
			t.Errorf("%+v: term of block %d is off by %v", k.ID, term.Block, want)
		}
	}
}

// around are places of all kinds that a round body may touch, with their distance from a core, and a body to put there.
func around() map[string]struct {
	skin contact.Skin
	body rounded
	gap  func(*rounded) float64
} {
	type place = struct {
		skin contact.Skin
		body rounded
		gap  func(*rounded) float64
	}
	const radius = 0.03
	lying := r3.Rotation(r3.V(0, 1, 0), math.Pi/2)
	box, cylinder := shape.Box{Half: r3.V(0.1, 0.1, 0.1)}, shape.Cylinder{Radius: 0.02, Half: 0.1}
	shape := func(field geom.Field) contact.Skin {
		return contact.Skin{Surface: 1, Block: contact.None, Field: field, From: r3.Still(), To: r3.Still()}
	}
	lowest := func(field geom.Field) func(*rounded) float64 {
		return func(r *rounded) float64 {
			p := r.points()
			a, b := p[0], p[len(p)-1]
			return geom.LowestOnTriangle(field, a, b, b, math.Inf(1), 1e-12).D - r.radius
		}
	}
	overFloor := func(r *rounded) float64 { return r.middle.Z - r.radius }
	x, tri := boxMesh(box.Half)
	mesh := contact.Skin{Surface: 1, Block: contact.None, Tri: tri, X0: x, X1: x, From: r3.Still(), To: r3.Still()}
	at := func(x, y, z, half float64) rounded {
		return rounded{middle: r3.V(x, y, z), turn: lying, radius: radius, half: half}
	}
	slant := 0.1 + (radius+1e-3)/math.Sqrt2
	corner := 0.1 + (radius+1e-3)/math.Sqrt(3)
	over := at(slant+0.02, 0.01, slant-0.02, 0.06)
	over.turn = r3.Rotation(r3.V(0, 1, 0), 3*math.Pi/4)
	return map[string]place{
		"ball on a plane":           {floor(1), at(0, 0, radius+1e-3, 0), overFloor},
		"ball on a box":             {shape(box), at(0.02, 0.01, 0.1+radius+1e-3, 0), lowest(box)},
		"ball at an edge of a box":  {shape(box), at(slant, 0.01, slant, 0), lowest(box)},
		"ball on a mesh":            {mesh, at(0.02, 0.01, 0.1+radius+1e-3, 0), lowest(box)},
		"ball at an edge of a mesh": {mesh, at(slant, 0.01, slant, 0), lowest(box)},
		"ball at a corner":          {mesh, at(corner, corner, corner, 0), lowest(box)},
		"capsule on a cylinder":     {shape(cylinder), at(0.021, 0.02+radius+1e-3, 0.003, 0.06), lowest(cylinder)},
		"capsule over an edge":      {shape(box), over, lowest(box)},
		"capsule over a mesh":       {mesh, over, lowest(box)},
	}
}

// The gap of a round body at rest beside something is that of its surface, along the normal; its row is the motion of
// that surface.
func TestRoundGaps(t *testing.T) {
	for name, c := range around() {
		c.body.first = 2
		want := c.gap(&c.body)
		f := DefaultFinder()
		f.Begin([]contact.Skin{c.body.skin(0), c.skin})
		var set contact.Set
		f.Find(still(slices.Concat([]r3.Vec{c.body.middle, {}}, c.body.points())...), nil, &set)
		if err := set.Validate(2); err != nil || set.Len() != 1 {
			t.Errorf("%s: %v, %d contacts, gap %g m", name, err, set.Len(), want)
			continue
		}
		k := &set.Contacts[0]
		if math.Abs(k.Gap-want) > 1e-9 {
			t.Errorf("%s: gap %g m, not %g", name, k.Gap, want)
		}
		c.body.checkRow(t, k, set.Row(0), k.Point.AddScaled(k.Gap/2, k.Normal()), 1)
	}
}

// Oracle: the distance of cores. Balls and capsules at random touch where, and only where, they are near.
func TestRoundPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(14, 1))
	any := func(size float64) r3.Vec {
		return r3.V(random.Float64()-0.5, random.Float64()-0.5, random.Float64()-0.5).Scale(2 * size)
	}
	touched := 0
	for i := range 2000 {
		a := rounded{radius: 0.03, half: 0.05 * float64(i%2), first: 4, turn: r3.Rotation(any(1), 3)}
		b := rounded{radius: 0.02, half: 0.07 * float64(i/2%2), block: 2, turn: r3.Rotation(any(1), 3)}
		b.first = 4 + int32(len(a.points()))
		// To where the gap is about a thickness.
		toward := any(1).Unit()
		b.middle = toward.Scale(0.3)
		for range 50 {
			b.middle = b.middle.AddScaled(0.051-a.distance(&b)+0.4e-3*math.Sin(float64(i)), toward)
		}
		want := a.distance(&b) - 0.05
		f := DefaultFinder()
		f.Begin([]contact.Skin{a.skin(0), b.skin(1)})
		m := still(slices.Concat([]r3.Vec{a.middle, {}, b.middle, {}}, a.points(), b.points())...)
		var set contact.Set
		f.Find(m, nil, &set)
		if near := want < f.Reach*f.Thickness; near != (set.Len() > 0) {
			t.Fatalf("%d: %d contacts at a gap of %g m", i, set.Len(), want)
		}
		least := math.Inf(1)
		for c := range set.Contacts {
			k := &set.Contacts[c]
			least = min(least, k.Gap)
			a.checkRow(t, k, set.Row(c), k.Point, 1)
			b.checkRow(t, k, set.Row(c), k.Point, -1)
		}
		if set.Len() > 0 && math.Abs(least-want) > 1e-12 {
			t.Fatalf("%d: the gap is %g m, not %g", i, least, want)
		}
		touched += set.Len()
		// On the way through each other they are met, and the certificate does not let them.
		m.X1 = slices.Clone(m.X0)
		for p := range b.points() {
			m.X1[int(b.first)+p] = m.X1[int(b.first)+p].Sub(toward.Scale(0.01))
		}
		if impacts := f.Impacts(m.X1, 1e-6, nil); len(impacts) == 0 {
			t.Fatalf("%d: no impact from %g m", i, want)
		}
	}
	if touched < 1000 {
		t.Errorf("%d contacts", touched)
	}
}

// What moves a ball across the mean velocity of a step is its surface, at any θ.
func TestRoundVelocityAtStart(t *testing.T) {
	const theta, radius = 0.5, 0.03
	b := rounded{middle: r3.V(0, 0, radius+1e-3), turn: r3.NoRotation(), radius: radius, first: 2}
	f := DefaultFinder()
	f.Begin([]contact.Skin{b.skin(0), floor(1)})
	m := still(b.middle, r3.Vec{}, b.middle)
	m.Theta = theta
	v, spin := r3.V(0.3, 0, 0), r3.V(0, 0.3/radius, 0)
	m.V0 = []r3.Vec{v, spin.Scale(roundRho), v}
	var set contact.Set
	f.Find(m, nil, &set)
	if set.Len() != 1 || set.Contacts[0].Uf.Norm() > 1e-12 {
		t.Errorf("a ball that rolls slips by %+v", set.Contacts)
	}
}
