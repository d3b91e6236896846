package detect

import (
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A face that is said to stay off a shape is never within reach of it, whatever both do and however often its motion
// changes, and most that are not are told.
func TestFacesThatStayOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	point := func(size float64) r3.Vec {
		return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(size)
	}
	pose := func() r3.Pose { return r3.Pose{R: r3.Rotation(point(1), rng.NormFloat64()), T: point(0.02)} }
	shapes := []geom.Field{
		shape.Sphere{Radius: 0.05},
		shape.Capsule{Radius: 0.02, Half: 0.05},
		shape.Box{Half: r3.V(0.05, 0.03, 0.02)},
		shape.Cylinder{Radius: 0.03, Half: 0.05},
		shape.Cone{Radius: 0.05, Height: 0.1},
	}
	f := DefaultFinder()
	s := &f.scene
	said, off := 0, 0
	for round := range 300 {
		x := []r3.Vec{point(0.1), {}, {}}
		x[1], x[2] = x[0].Add(point(0.02)), x[0].Add(point(0.02))
		shape := contact.Skin{Surface: 1, Block: contact.None, Field: shapes[round%len(shapes)], From: pose()}
		if shape.To = pose(); round%2 == 0 {
			shape.To.R = shape.From.R
		}
		f.Begin([]contact.Skin{contact.ClothSkin(0, 0, one(t)), shape})
		var set contact.Set
		for again := range 3 {
			m := contact.Motion{H: 1e-3, Theta: 1, X0: x, V0: make([]r3.Vec, 3)}
			for _, p := range x {
				m.X1 = append(m.X1, p.Add(point(0.02)))
			}
			if again == 0 {
				f.Find(m, nil, &set)
			} else {
				f.Extend(m, nil, &set)
			}
			p := &s.shapes[0]
			least := distanceOnTheWay(s, p)
			if least > s.reach {
				off++
			}
			if !s.staysOff(p, 0) {
				continue
			}
			said++
			if least <= s.reach {
				t.Fatalf("%T: a face that is said to stay off comes to %v m", shape.Field, least)
			}
		}
	}
	if t.Logf("%d of %d are told", said, off); 4*said < off {
		t.Error("fewer than a quarter are told")
	}
}

// distanceOnTheWay samples the distance of the only face to a shape.
func distanceOnTheWay(s *scene, p *passage) float64 {
	const samples, exact = 50, 1e-6
	d := s.faceOf(p, 0)
	d.close = exact
	least := 1e9
	for k := range samples + 1 {
		d.look(float64(k)/samples, 1e9)
		least = min(least, d.low.D)
	}
	return least
}
