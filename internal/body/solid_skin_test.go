package body_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// carriedSpec returns a block of tets with a skin of random points in and around it.
func carriedSpec(points int) (body.SolidSpec, []r3.Vec) {
	rng := rand.New(rand.NewPCG(23, 1))
	m := shape.TetBox(r3.V(1, 2, 1), 2, 3, 2)
	x := make([]r3.Vec, points)
	var tri [][3]int32
	for i := range x {
		x[i] = r3.V(1.4*rng.Float64()-0.2, 2.4*rng.Float64()-0.2, 1.4*rng.Float64()-0.2)
		if i >= 2 {
			tri = append(tri, [3]int32{int32(i - 2), int32(i - 1), int32(i)})
		}
	}
	spec := body.SolidSpec{Mesh: m, Material: material.Isotropic{Young: 1e4}, Density: 100, Skin: body.SkinIn(m, x, tri)}
	return spec, x
}

// A skin in tets at rest is where it was given, goes with every affine motion of the tets, also outside of them, and is
// carried by the tet that it is in. Its carriers are the derivative of that.
func TestCarriedSkin(t *testing.T) {
	spec, x := carriedSpec(300)
	s, err := body.NewSolid(spec)
	if err != nil {
		t.Fatal(err)
	}
	motion := r3.Mat{XX: 1.1, XY: 0.3, XZ: -0.2, YX: 0.1, YY: 0.9, YZ: 0.4, ZX: -0.5, ZY: 0.2, ZZ: 1.2}
	moved := make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		moved[i] = motion.MulVec(p).Add(r3.V(1, 2, 3))
	}
	rest, got := make([]r3.Vec, len(x)), make([]r3.Vec, len(x))
	s.Carry(spec.Mesh.X, rest)
	s.Carry(moved, got)
	outside := 0
	skin := s.Skin()
	for i, p := range x {
		if d := rest[i].Sub(p).Norm(); d > 1e-13 {
			t.Errorf("point %d is off by %g m at rest", i, d)
		}
		if d := got[i].Sub(motion.MulVec(p).Add(r3.V(1, 2, 3))).Norm(); d > 1e-12 {
			t.Errorf("point %d is off by %g m", i, d)
		}
		w := spec.Skin.Weight[i]
		in := min(p.X, p.Y, p.Z) >= 0 && max(p.X, p.Y/2, p.Z) <= 1
		if inside := min(w[0], w[1], w[2], w[3]) > -1e-12; inside != in {
			t.Errorf("point %d at %v has weights %v", i, p, w)
		}
		if !in {
			outside++
		}
		var sum r3.Vec
		for _, by := range skin.Carriers.By[skin.Carriers.Start[i]:skin.Carriers.Start[i+1]] {
			sum = sum.Add(by.M.MulVec(moved[by.Block]))
		}
		if d := sum.Sub(got[i]).Norm(); d > 1e-12 {
			t.Errorf("the carriers of point %d move it by %g m elsewhere", i, d)
		}
	}
	if outside < 50 {
		t.Errorf("only %d points are outside", outside)
	}
	last := len(skin.Tri) - 1
	want := x[skin.Tri[last][0]].Sub(x[skin.Tri[last][1]]).Norm()
	if length := skin.Rest.RestLength(last, 2); math.Abs(length-want) > 1e-12 {
		t.Errorf("an edge is %g m long at rest, not %g", length, want)
	}
}

func TestBadCarriedSkins(t *testing.T) {
	for _, c := range []struct {
		says   string
		change func(*body.CarriedSkin)
	}{
		{"2 have weights", func(s *body.CarriedSkin) { s.Weight = s.Weight[:2] }},
		{"tet 1000, which carries point 3", func(s *body.CarriedSkin) { s.Tet[3] = 1000 }},
		{"weights of point 4 add up to", func(s *body.CarriedSkin) { s.Weight[4][1] += 0.5 }},
		{"weights of point 4 add up to NaN", func(s *body.CarriedSkin) { s.Weight[4][1] = math.NaN() }},
	} {
		spec, _ := carriedSpec(10)
		c.change(spec.Skin)
		if _, err := body.NewSolid(spec); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v does not say %q", err, c.says)
		}
	}
}
