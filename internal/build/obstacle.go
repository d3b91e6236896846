package build

import (
	"io"
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func addObstacle(s *scenefile.Scene, b *Built, o *scenefile.Obstacle, faults *scenefile.Found) {
	spec, film, open := obstacleSpec(s, o, faults)
	if open != nil {
		b.open = append(b.open, open)
	}
	if spec == nil {
		return
	}
	id, err := b.World.AddObstacle(*spec)
	if err != nil {
		faults.Add(o.Shape.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	b.Obstacles = append(b.Obstacles, Obstacle{ID: id, Name: o.Name, Film: film})
}

// obstacleSpec makes an obstacle, with the body of a mannequin and what a sequence reads from, if it is one of them;
// nil comes with a fault.
func obstacleSpec(
	s *scenefile.Scene, o *scenefile.Obstacle, faults *scenefile.Found,
) (spec *engine.Obstacle, film *mannequin.Film, open io.Closer) {
	spec = &engine.Obstacle{Name: o.Name, Place: o.Place.Pose()}
	// meshes that move by themselves: sequences and mannequins
	if q := o.Shape.Sequence; q != nil {
		seq, err := openSequence(s, q, &o.Place)
		if err != nil {
			faults.Add(q.Fault("", "%s", scenefile.OneLine(err)))
			return nil, nil, nil
		}
		open = seq
		spec.Place, spec.Deform = r3.Still(), seq
		spec.Tri, spec.Positions = seq.Triangles(), make([]r3.Vec, seq.Vertices())
	} else if q := o.Shape.Mannequin; q != nil {
		var err error
		if film, err = q.Film(); err != nil {
			faults.Add(q.Fault("", "%s", scenefile.OneLine(err)))
			return nil, nil, nil
		}
		spec.Place, spec.Deform = r3.Still(), &placedFilm{film, o.Place.Scale, o.Place.Pose()}
		spec.Tri, spec.Positions = film.Body.Tri, make([]r3.Vec, film.Body.Vertices())
	} else {
		// all other shapes
		putShape(&o.Shape, spec, o.Place.Scale)
	}
	// mesh opened up where it goes through itself
	if o.Space != nil {
		if err := openUp(o.Space, spec); err != nil {
			faults.Add(o.Space.Fault("", "%s", scenefile.OneLine(err)))
			return nil, nil, open
		}
	}
	// what moves it: a path or a force
	if m, ok := s.Motions[o.Motion]; ok {
		spec.Path = m.Path()
	}
	if p := o.Press; p != nil {
		spec.Press = &engine.Press{Axis: p.Axis.R3(), Force: p.Force.Start(), Mass: p.Mass, Stop: math.Inf(1)}
		if p.Stop != nil {
			spec.Press.Stop = *p.Stop
		}
	}
	// friction, and how its surface is smoothed
	spec.Friction = frictionOf(o, len(spec.Positions))
	spec.Smooth = o.Contact.Options()
	return spec, film, open
}

// putShape makes the shape, scaled, that of an obstacle which has its place already.
func putShape(s *scenefile.ObstacleShape, o *engine.Obstacle, scale float64) {
	between := func(r *scenefile.RodShape) (half float64) {
		p, q := r.Ends()
		o.Place = o.Place.Mul(shape.Along(p.Scale(scale), q.Scale(scale)))
		return q.Sub(p).Norm() / 2 * scale
	}
	switch {
	case s.Sphere != nil:
		o.Shape = shape.Sphere{Radius: s.Sphere.Radius * scale}
	case s.Plane != nil:
		o.Shape = shape.Plane{Point: s.Plane.Point.R3().Scale(scale), Normal: s.Plane.Normal.R3().Unit()}
	case s.Capsule != nil:
		o.Shape = shape.Capsule{Radius: s.Capsule.Radius * scale, Half: between(s.Capsule)}
	case s.Box != nil:
		o.Shape = shape.Box{Half: s.Box.Size.R3().Scale(scale / 2)}
	case s.Cylinder != nil:
		o.Shape = shape.Cylinder{Radius: s.Cylinder.Radius * scale, Half: between(s.Cylinder)}
	case s.Cone != nil:
		o.Place = o.Place.Mul(r3.Pose{R: shape.Along(r3.Vec{}, s.Cone.Axis.R3()).R})
		o.Shape = shape.Cone{Radius: s.Cone.Radius * scale, Height: s.Cone.Height * scale}
	default:
		o.Tri = s.Read().Triangles
		for _, x := range s.Read().Positions {
			o.Positions = append(o.Positions, x.Scale(scale))
		}
	}
}

// applyFriction sets the coefficients of single pairs.
func applyFriction(s *scenefile.Scene, b *Built) {
	surface := b.surfaces()
	for _, p := range s.Friction.Pairs {
		one, ok := surface[p.Between[0]]
		other, both := surface[p.Between[1]] // a cloth may not be there yet
		if ok && both && (b.dressing || !p.Mu.Changes()) {
			b.World.SetFriction(one, other, p.Mu.Start())
		}
	}
}
