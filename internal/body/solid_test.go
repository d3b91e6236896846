package body_test

import (
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func TestSolidBody(t *testing.T) {
	m := shape.TetBox(r3.V(1, 2, 3), 3, 3, 3)
	s, err := body.NewSolid(body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: 1e5, Poisson: 0.3}, Density: 50, Damping: 0.01,
	})
	if err != nil {
		t.Fatal(err)
	}
	sum, inertia := 0.0, make([]r3.Mat, s.Blocks())
	s.Inertia(inertia)
	for i, mass := range s.Mass {
		sum += mass
		if inertia[i] != r3.Diagonal(mass) {
			t.Errorf("inertia of vertex %d is %v", i, inertia[i])
		}
	}
	if math.Abs(sum-300) > 1e-11 {
		t.Errorf("mass %v kg, want 300", sum)
	}
	skin := s.Skin()
	if skin.Points != 4*4*4-2*2*2 || len(skin.Tri) != 6*9*2 {
		t.Errorf("skin of %d points and %d triangles", skin.Points, len(skin.Tri))
	}
	if again := s.Skin(); again.Rest != skin.Rest || &again.Tri[0] != &skin.Tri[0] {
		t.Error("the skin is another one the next time")
	}
	for i, tri := range skin.Tri {
		if got := skin.Rest.RestLength(i, 0); got != m.X[tri[2]].Sub(m.X[tri[1]]).Norm() {
			t.Fatalf("side 0 of triangle %d is %g", i, got)
		}
		// The volume of the cones to the middle is positive if the face looks outward.
		middle := r3.V(0.5, 1, 1.5)
		a, b, c := m.X[tri[0]].Sub(middle), m.X[tri[1]].Sub(middle), m.X[tri[2]].Sub(middle)
		if !(a.Dot(b.Cross(c)) > 0) {
			t.Fatalf("triangle %d looks inward", i)
		}
	}
	if p := s.Parts(); len(p) != 1 || p[0].Damping != 0.01 || p[0].Kind != mech.SolidEnergy {
		t.Errorf("parts %+v", p)
	}
}

func TestBadSolids(t *testing.T) {
	good := func() body.SolidSpec {
		return body.SolidSpec{
			Mesh: shape.TetBox(r3.V(1, 1, 1), 2, 2, 2), Material: material.Isotropic{Young: 1e5}, Density: 1,
		}
	}
	for want, spoil := range map[string]func(s *body.SolidSpec){
		"has no mesh":           func(s *body.SolidSpec) { s.Mesh = nil },
		"density is -2":         func(s *body.SolidSpec) { s.Density = -2 },
		"damping is -1 s":       func(s *body.SolidSpec) { s.Damping = -1 },
		"modulus of Young is 0": func(s *body.SolidSpec) { s.Material.Young = 0 },
		"tet 3":                 func(s *body.SolidSpec) { s.Mesh.Tet[3][0], s.Mesh.Tet[3][1] = s.Mesh.Tet[3][1], s.Mesh.Tet[3][0] },
		"vertex 0 is inside and vertex 26 on the skin": func(s *body.SolidSpec) {
			last := len(s.Mesh.X) - 1
			s.Mesh.X[0], s.Mesh.X[last] = s.Mesh.X[last], s.Mesh.X[0]
			for i := range s.Mesh.Tet {
				for k, v := range s.Mesh.Tet[i] {
					if v == 0 || int(v) == last {
						s.Mesh.Tet[i][k] = int32(last) - v
					}
				}
			}
		},
	} {
		spec := good()
		spoil(&spec)
		if _, err := body.NewSolid(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := body.NewSolid(good()); err != nil {
		t.Error(err)
	}
}

// A block that is pulled has the stress, energy and volume of a bar at every vertex, however it is turned.
func TestStrainsOfBar(t *testing.T) {
	const young, poisson, strain = 1e5, 0.25, 1e-3
	m := shape.TetBox(r3.V(0.2, 0.1, 0.1), 2, 1, 1)
	solid, err := body.NewSolid(body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: young, Poisson: poisson}, Law: elastic.StableLaw, Density: 1000,
	})
	if err != nil {
		t.Fatal(err)
	}
	turn := r3.Rotation(r3.V(1, 2, 3), 1)
	x := make([]r3.Vec, len(m.X))
	for i, p := range m.X {
		x[i] = turn.Rotate(r3.V((1+strain)*p.X, (1-poisson*strain)*p.Y, (1-poisson*strain)*p.Z))
	}
	for v, s := range solid.Strains(x, nil) {
		want := body.Strain{
			Stretch: 1 + strain, Stress: young * strain, Energy: young * strain * strain / 2, Volume: 1 + (1-2*poisson)*strain,
		}
		// The law is linear to a share of the strain.
		for _, pair := range [][2]float64{
			{s.Stretch, want.Stretch}, {s.Stress, want.Stress}, {s.Energy, want.Energy}, {s.Volume, want.Volume},
		} {
			if math.Abs(pair[0]/pair[1]-1) > 5*strain {
				t.Errorf("vertex %d: %+v, want %+v", v, s, want)
				break
			}
		}
	}
}
