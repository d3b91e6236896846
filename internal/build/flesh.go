package build

import (
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// addSkeleton has the bones of a body of flesh move. Its motion begins when the clock has started, since flesh cannot
// be brought from the dressing pose to another at once.
func addSkeleton(s *scenefile.Scene, b *Built, o *scenefile.Solid, id engine.BodyID, faults *scenefile.Found) {
	f := o.Shape.Flesh
	film, place := f.Mannequin.Made(), o.Place.Pose()
	scale, back := o.Place.Scale, place.Inverse()
	before := film.Lead + film.Hold
	for j, vertices := range f.Made().Held {
		if len(vertices) == 0 {
			continue
		}
		_, err := b.World.AddHandle(engine.Handle{
			Name: fmt.Sprintf("%s.%v", o.Name, mannequin.Joint(j)), Body: &id, Vertices: vertices,
			Guide: func(t float64) r3.Pose {
				bone := film.Bone(mannequin.Joint(j), t-before)
				bone.T = bone.T.Scale(scale)
				return place.Mul(bone).Mul(back)
			},
		})
		if err != nil {
			faults.Add(f.Fault("", "%s", scenefile.OneLine(err)))
			return
		}
	}
}

// addStillFlesh adds the skins of bodies of flesh as obstacles, which stand still while garments are sewn around them.
func addStillFlesh(s *scenefile.Scene, b *Built, faults *scenefile.Found) {
	for i := range s.Solids {
		o := &s.Solids[i]
		if o.Shape.Flesh == nil {
			continue
		}
		_, _, skin := o.Shape.Tets().SkinFirst()
		spec := engine.Obstacle{Name: o.Name, Tri: o.Shape.Tets().Skin(), Place: o.Place.Pose()}
		for _, x := range o.Shape.Tets().X[:skin] {
			spec.Positions = append(spec.Positions, x.Scale(o.Place.Scale))
		}
		id, err := b.World.AddObstacle(spec)
		if err != nil {
			faults.Add(o.Shape.Fault("", "%s", scenefile.OneLine(err)))
			return
		}
		b.Obstacles = append(b.Obstacles, Obstacle{ID: id, Name: o.Name})
	}
}
