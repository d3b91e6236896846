package build

import (
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

const (
	// waterDensity is that of a rigid body that does not say [kg/m³].
	waterDensity = 1000
	// roundness is how far the sides of a round rigid body may be from the shape, as a share of its size.
	roundness = 5e-3
)

func addRigid(s *scenefile.Scene, b *Built, r *scenefile.Rigid, faults *scenefile.Found) {
	// shape, mass and inertia
	spec, centre, err := rigidOf(&r.Shape, r.Place.Scale)
	if err != nil {
		faults.Add(r.Shape.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	weigh(r, &spec)
	// body at its place, and what moves it
	place := r.Place.Pose()
	start := r3.Pose{R: place.R, T: place.Apply(centre)}
	rigid, err := body.NewRigid(spec, start.R, r.Spin.R3())
	if err == nil {
		err = steer(s, rigid, r, start)
	}
	if err != nil {
		faults.Add(r.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	// into the world, with its velocity and spin
	spin := r.Spin.R3().Scale(rigid.Length())
	id, err := b.World.AddBody(r.Name, rigid, []r3.Vec{start.T, {}}, []r3.Vec{r.Velocity.R3(), spin})
	if err != nil {
		faults.Add(r.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	// friction of its own
	if r.Friction != nil {
		b.World.SetBodyFriction(id, *r.Friction)
	}
	b.Bodies = append(b.Bodies, Body{ID: id, Name: r.Name, Rigid: rigid})
}

// weigh gives a body of unit density its mass and inertia.
func weigh(r *scenefile.Rigid, spec *body.RigidSpec) {
	factor := float64(waterDensity)
	switch {
	case r.Density != nil:
		factor = *r.Density
	case r.Mass != nil:
		factor = *r.Mass / spec.Mass
	}
	spec.Mass *= factor
	spec.Inertia = spec.Inertia.Scale(factor)
	if m := r.Inertia; m != nil {
		spec.Inertia = r3.Mat{XX: m[0], YY: m[1], ZZ: m[2]}
	}
}

// steer tells a rigid body what holds, moves and pulls it.
func steer(s *scenefile.Scene, rigid *body.Rigid, r *scenefile.Rigid, start r3.Pose) error {
	held := r.Hold
	if held == nil && r.Motion != "" {
		held = &scenefile.Hold{Freedoms: scenefile.Freedoms}
	}
	if held != nil {
		hold := body.Hold{Axes: r3.Identity()}
		for k := range 3 {
			hold.Move[k], hold.Turn[k] = held.Has(scenefile.Freedoms[k]), held.Has(scenefile.Freedoms[3+k])
		}
		if err := rigid.SetHold(hold); err != nil {
			return err
		}
		guide := func(float64) r3.Pose { return start }
		if m, ok := s.Motions[r.Motion]; ok {
			path := m.Path()
			guide = func(t float64) r3.Pose { return path.At(t).Mul(start) }
		}
		rigid.SetGuide(guide)
	}
	return rigid.SetLoad(r.Force.R3(), r.Torque.R3())
}

// rigidOf returns the body of unit density that has the shape, scaled, and where its centre is.
func rigidOf(s *scenefile.RigidShape, scale float64) (spec body.RigidSpec, centre r3.Vec, err error) {
	// boxes, balls and capsules
	if s.Box != nil {
		return body.Brick(s.Box.Size.R3().Scale(scale/2), 1), r3.Vec{}, nil
	}
	if s.Sphere != nil {
		return body.Ball(s.Sphere.Radius*scale, 1), r3.Vec{}, nil
	}
	if r := s.Capsule; r != nil {
		spec, centre = capsule(r, scale)
		return spec, centre, nil
	}
	// closed meshes
	var x []r3.Vec
	var tri [][3]int32
	if in := s.Read(); in != nil {
		tri = in.Triangles
		for _, p := range in.Positions {
			x = append(x, p.Scale(scale))
		}
		if spec, centre, err = body.RigidOf(x, tri, 1); err != nil {
			err = fmt.Errorf("%s: %w", s.File, err)
		}
		return spec, centre, err
	}
	// surface of other shapes
	pose, f := fieldOf(s, scale)
	x, tri = shape.Surface(f, roundness*f.Bounds().Size().MaxAbs(), 0)
	for i := range x {
		x[i] = pose.Apply(x[i])
	}
	return body.RigidOf(x, tri, 1)
}

// capsule returns a capsule of unit density between the ends of a rod, scaled, and where its centre is.
func capsule(r *scenefile.RodShape, scale float64) (body.RigidSpec, r3.Vec) {
	p, q := r.Ends()
	p, q = p.Scale(scale), q.Scale(scale)
	spec := body.Capsule(r.Radius*scale, q.Sub(p).Norm()/2, 1)
	turn := shape.Along(p, q).R
	for i := range spec.Points {
		spec.Points[i] = turn.Rotate(spec.Points[i])
	}
	m := turn.Mat()
	back := m.T()
	m = m.Mul(&spec.Inertia)
	m = m.Mul(&back)
	across := m.T()
	m.Add(&across) // symmetric in spite of rounding
	spec.Inertia = m.Scale(0.5)
	return spec, p.Lerp(q, 0.5)
}

// fieldOf returns a shape with flat sides, scaled, in axes of its own, and where these are.
func fieldOf(s *scenefile.RigidShape, scale float64) (r3.Pose, geom.Field) {
	if r := s.Cylinder; r != nil {
		p, q := r.Ends()
		return shape.Along(p.Scale(scale), q.Scale(scale)),
			shape.Cylinder{Radius: r.Radius * scale, Half: q.Sub(p).Norm() / 2 * scale}
	}
	return r3.Pose{R: shape.Along(r3.Vec{}, s.Cone.Axis.R3()).R},
		shape.Cone{Radius: s.Cone.Radius * scale, Height: s.Cone.Height * scale}
}

func addSolid(s *scenefile.Scene, b *Built, o *scenefile.Solid, faults *scenefile.Found) {
	// mesh at its place
	at := o.Shape.Tets()
	pose := o.Place.Pose()
	placed := &mesh.Tets{Tet: at.Tet, X: make([]r3.Vec, len(at.X))}
	for i, x := range at.X {
		placed.X[i] = pose.Apply(x.Scale(o.Place.Scale))
	}
	// body of that mesh
	m := &o.Material
	solid, err := body.NewSolid(body.SolidSpec{
		Mesh: placed, Material: material.Isotropic{Young: m.Young, Poisson: m.Poisson}, Law: scenefile.TetLaws[m.Law],
		Density: m.Density, Damping: m.Damping, Smooth: o.Contact.Options(),
	})
	if err != nil {
		faults.Add(o.Shape.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	// velocity of its vertices: it spins around its centre of mass
	v := make([]r3.Vec, len(placed.X))
	centre := centreOf(solid.Mass, placed.X)
	for i, x := range placed.X {
		v[i] = o.Velocity.R3().Add(o.Spin.R3().Cross(x.Sub(centre)))
	}
	// into the world, with friction of its own
	id, err := b.World.AddBody(o.Name, solid, placed.X, v)
	if err != nil {
		faults.Add(o.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	if o.Friction != nil {
		b.World.SetBodyFriction(id, *o.Friction)
	}
	b.Bodies = append(b.Bodies, Body{ID: id, Name: o.Name, Solid: solid})
}

// centreOf returns the centre of masses at points.
func centreOf(mass []float64, x []r3.Vec) (centre r3.Vec) {
	total := 0.0
	for i, m := range mass {
		centre, total = centre.AddScaled(m, x[i]), total+m
	}
	return centre.Scale(1 / total)
}

// jointKinds are the words for joints.
var jointKinds = map[string]engine.JointKind{
	"weld": engine.WeldJoint, "ball": engine.BallJoint, "hinge": engine.HingeJoint,
}

// tie adds what ties bodies to each other: joints, attachments and bones.
func tie(s *scenefile.Scene, b *Built, faults *scenefile.Found) {
	ids := map[string]engine.BodyID{}
	for _, o := range b.Bodies {
		ids[o.Name] = o.ID
	}
	for i := range s.Joints {
		j := &s.Joints[i]
		spec := engine.Joint{Name: j.Name, Kind: jointKinds[j.Kind], Place: j.At.R3(), Touch: j.Touch}
		if spec.Name == "" {
			spec.Name = strings.TrimSuffix(j.Body+"."+j.To, ".")
		}
		a, known := ids[j.Body]
		if to, both := ids[j.To]; both {
			spec.B = &to
		}
		if !known || j.To != "" && spec.B == nil {
			continue // it is faulty itself
		}
		spec.A = a
		if j.Axis != nil {
			spec.Axis = j.Axis.R3()
		}
		if _, err := b.World.Join(spec); err != nil {
			faults.Add(j.Fault("", "%s", scenefile.OneLine(err)))
		}
	}
	attach := func(a *scenefile.Attach, spec engine.Attachment) {
		to, known := ids[a.To]
		if !known || len(spec.Vertices) == 0 {
			return // it is faulty itself
		}
		spec.To = to
		if _, err := b.World.Attach(spec); err != nil {
			faults.Add(a.Fault("", "%s", scenefile.OneLine(err)))
		}
	}
	for i := range b.Cloths {
		c := &b.Cloths[i]
		for k, vertices := range c.attached {
			attach(&c.spec.Attach[k], engine.Attachment{
				Name: fmt.Sprintf("%s.attach.%d", c.Name, k), Cloth: c.ID, Vertices: vertices,
			})
		}
	}
	for i := range s.Solids {
		o := &s.Solids[i]
		id, known := ids[o.Name]
		if !known {
			continue
		}
		at := &scenefile.Sheet{X: b.World.BodyPositions(id)}
		if o.Shape.Flesh != nil {
			addSkeleton(s, b, o, id, faults)
		}
		for k := range o.Pins {
			addBone(s, b, o, k, id, at, faults)
		}
		for k := range o.Attach {
			attach(&o.Attach[k], engine.Attachment{
				Name: fmt.Sprintf("%s.attach.%d", o.Name, k), Body: &id, Vertices: o.Attach[k].Select.Pick(at, faults),
			})
		}
	}
}

// addBone makes a pin of a soft body a handle.
func addBone(
	s *scenefile.Scene, b *Built, o *scenefile.Solid, k int, id engine.BodyID, at *scenefile.Sheet,
	faults *scenefile.Found,
) {
	p := &o.Pins[k]
	h := engine.Handle{Name: fmt.Sprintf("%s.pins.%d", o.Name, k), Body: &id, Vertices: p.Select.Pick(at, faults)}
	if m, ok := s.Motions[p.Motion]; ok {
		h.Path = m.Path()
	}
	if len(h.Vertices) == 0 {
		return // it is faulty itself
	}
	if _, err := b.World.AddHandle(h); err != nil {
		faults.Add(p.Fault("", "%s", scenefile.OneLine(err)))
	}
}
