package mannequin

import (
	"errors"
	"slices"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Flesh is a mannequin as a soft body: tets between its skin and rods that are its bones.
type Flesh struct {
	Tets *mesh.Tets      // in the dressing pose, vertices of the skin first
	Held [Joints][]int32 // vertices that move with each bone, ascending
}

// Flesh fills the mannequin with tets of about that size, and holds those of their vertices that are within a radius
// of a bone [m]. Bones end two radii before their joints, short ones a quarter of their length, around which the flesh
// bends. Head, hands and feet are held whole.
func (b *Mannequin) Flesh(size, radius float64) (*Flesh, error) {
	tets, err := shape.FillSurface(b.rest, b.Tri, size)
	if err != nil {
		return nil, err
	}
	tets.KeepLargest() // hands are thin, and may have come off
	f := new(Flesh)
	f.Tets, _, _ = tets.SkinFirst()
	var faces [][3]int32
	for _, t := range f.Tets.Tet {
		faces = append(faces, [3]int32{t[0], t[1], t[2]}, [3]int32{t[0], t[1], t[3]}, [3]int32{t[0], t[2], t[3]}, [3]int32{t[1], t[2], t[3]})
	}
	grips := b.body.gripsOf(f.Tets.X, faces, size)
	rods := b.skeleton.rods(2 * radius)
	held := 0
	for v, x := range f.Tets.X {
		j, ok := grips[v].stiff()
		if i := slices.IndexFunc(rods, func(r rod) bool { return r.distance(x) < radius }); i >= 0 {
			j, ok = rods[i].bone, true
		}
		if ok {
			f.Held[j] = append(f.Held[j], int32(v))
			held++
		}
	}
	if held == 0 {
		return nil, errors.New("no vertex is in a bone: tets are too large, or bones too thin")
	}
	return f, nil
}

// Bone returns the motion of a bone from the dressing pose at a time [s].
func (f *Film) Bone(j Joint, t float64) r3.Pose {
	p := f.Pose(t)
	var bones [Joints]r3.Pose
	f.Body.skeleton.pose(&p, &bones)
	return bones[j]
}

// stiff returns the bone that a vertex of the head, a hand or a foot moves with.
func (g *grip) stiff() (j Joint, ok bool) {
	switch j = Joint(g.bone[0]); j {
	case Head, LeftWrist, RightWrist, LeftAnkle, RightAnkle:
		return j, g.weight[0] > 0.99
	}
	return j, false
}

// rod is a bone as a line.
type rod struct {
	bone Joint
	a, b r3.Vec
}

// rods returns lines from each joint to those that hang on it, shorter by gap, or a quarter, at each end.
func (s *skeleton) rods(gap float64) (rods []rod) {
	for j := range Joint(Joints) {
		p := jointTable[j].parent
		if p == noParent {
			continue
		}
		along := s.at[j].Sub(s.at[p])
		part := min(0.25, gap/along.Norm())
		rods = append(rods, rod{p, s.at[p].AddScaled(part, along), s.at[j].AddScaled(-part, along)})
	}
	return rods
}

func (r rod) distance(x r3.Vec) float64 {
	along := r.b.Sub(r.a)
	t := max(0, min(1, x.Sub(r.a).Dot(along)/along.Norm2()))
	return x.Sub(r.a.AddScaled(t, along)).Norm()
}
