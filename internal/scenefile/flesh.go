package scenefile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/r3"
)

// addSkeleton has the bones of a body of flesh move. Its motion begins when the clock has started, since flesh cannot
// be brought from the dressing pose to another at once.
func (s *Scene) addSkeleton(b *Built, o *Solid, id engine.BodyID, d *decoder) {
	f := o.Shape.Flesh
	film, place := f.Mannequin.made, o.Place.pose()
	scale, back := o.Place.Scale, place.Inverse()
	before := film.Lead + film.Hold
	for j, vertices := range f.made.Held {
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
			d.faults.add(f.at, "%s", oneLine(err))
			return
		}
	}
}

// addStillFlesh adds the skins of bodies of flesh as obstacles, which stand still while garments are sewn around them.
func (s *Scene) addStillFlesh(b *Built, d *decoder) {
	for i := range s.Solids {
		o := &s.Solids[i]
		if o.Shape.Flesh == nil {
			continue
		}
		_, _, skin := o.Shape.tets.SkinFirst()
		spec := engine.Obstacle{Name: o.Name, Tri: o.Shape.tets.Skin(), Place: o.Place.pose()}
		for _, x := range o.Shape.tets.X[:skin] {
			spec.Positions = append(spec.Positions, x.Scale(o.Place.Scale))
		}
		id, err := b.World.AddObstacle(spec)
		if err != nil {
			d.faults.add(o.Shape.at, "%s", oneLine(err))
			return
		}
		b.Obstacles = append(b.Obstacles, BuiltObstacle{ID: id, Name: o.Name})
	}
}
