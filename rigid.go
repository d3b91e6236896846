package toile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// RigidSpec is a rigid body in its own axes, whose origin is its centre of mass, and how it starts. Brick, Ball,
// HollowBall, Rod and RigidMesh make it.
type RigidSpec struct {
	Name      string
	Mass      float64    // [kg]
	Inertia   r3.Mat     // about the centre [kg m²]
	Points    []r3.Vec   // [m]
	Triangles [][3]int32 // its skin; each of its points is one of Points
	Edges     [][2]int32 // free edges
	Dots      []int32    // free points
	Radius    float64    // makes edges capsules and dots balls [m]; such a body has no triangles

	Pose     r3.Pose // where it starts; the zero pose stands for r3.Still
	Velocity r3.Vec  // of its centre [m/s]
	Spin     r3.Vec  // [rad/s]
}

// Brick returns a brick of the given density [kg/m³] with sides of twice half [m].
func Brick(half r3.Vec, density float64) RigidSpec { return rigidSpec(body.Brick(half, density)) }

// Ball returns a ball of the given radius [m] and density [kg/m³].
func Ball(radius, density float64) RigidSpec { return rigidSpec(body.Ball(radius, density)) }

// HollowBall returns a thin shell of the given radius [m] and density by area [kg/m²].
func HollowBall(radius, areal float64) RigidSpec { return rigidSpec(body.HollowBall(radius, areal)) }

// Rod returns a cylinder with round ends: all within radius [m] of the segment from -half to half on its Z axis.
func Rod(radius, half, density float64) RigidSpec {
	return rigidSpec(body.Capsule(radius, half, density))
}

// RigidMesh returns the body of a closed mesh [m] and a density [kg/m³]. Its pose has it where the mesh is.
func RigidMesh(positions []r3.Vec, triangles [][3]int32, density float64) (RigidSpec, error) {
	spec, centre, err := body.RigidOf(positions, triangles, density)
	s := rigidSpec(spec)
	s.Pose = r3.Translation(centre)
	return s, err
}

func rigidSpec(b body.RigidSpec) RigidSpec {
	return RigidSpec{
		Mass: b.Mass, Inertia: b.Inertia, Points: b.Points, Triangles: b.Tri, Edges: b.Edges, Dots: b.Dots,
		Radius: b.Radius, Pose: r3.Still(),
	}
}

// Rigid is a rigid body in a world.
type Rigid struct {
	w    *World
	name string
	id   engine.BodyID
	b    *body.Rigid

	impulses []r3.Vec
}

// AddRigid adds a rigid body.
func (w *World) AddRigid(spec RigidSpec) (*Rigid, error) {
	pose := placed(spec.Pose)
	b, err := body.NewRigid(body.RigidSpec{
		Mass: spec.Mass, Inertia: spec.Inertia, Points: spec.Points, Tri: spec.Triangles, Edges: spec.Edges,
		Dots: spec.Dots, Radius: spec.Radius,
	}, pose.R, spec.Spin)
	if err != nil {
		return nil, fmt.Errorf("body %q: %w", spec.Name, err)
	}
	// The blocks of a rigid body: its centre, and its turn in the step times a length.
	x, v := []r3.Vec{pose.T, {}}, []r3.Vec{spec.Velocity, spec.Spin.Scale(b.Length())}
	id, err := w.e.AddBody(spec.Name, b, x, v)
	if err != nil {
		return nil, err
	}
	r := &Rigid{w: w, name: spec.Name, id: id, b: b}
	w.surfaces = append(w.surfaces, r)
	return r, nil
}

// Name returns the name that it was added with.
func (b *Rigid) Name() string { return b.name }

func (b *Rigid) world() *World               { return b.w }
func (b *Rigid) surfaceID() engine.SurfaceID { return b.w.e.BodySurface(b.id) }
func (b *Rigid) bodyID() engine.BodyID       { return b.id }

// Mass returns its mass [kg].
func (b *Rigid) Mass() float64 { return b.b.Mass() }

// Pose returns where its axes are.
func (b *Rigid) Pose() r3.Pose { return b.b.Pose(b.w.e.BodyPositions(b.id)) }

// Velocity returns the velocity of its centre, in m/s.
func (b *Rigid) Velocity() r3.Vec { return b.w.e.BodyVelocities(b.id)[0] }

// Spin returns how fast it turns, about which axis, in rad/s.
func (b *Rigid) Spin() r3.Vec { return b.w.e.BodyVelocities(b.id)[1].Scale(1 / b.b.Length()) }

// SetVelocity gives it a new velocity, in m/s, and a new spin, in rad/s.
func (b *Rigid) SetVelocity(velocity, spin r3.Vec) error {
	if !velocity.Finite() || !spin.Finite() {
		return fmt.Errorf("body %q: a velocity of %v m/s with a spin of %v rad/s is not finite", b.name, velocity, spin)
	}
	v := b.w.e.BodyVelocities(b.id)
	v[0], v[1] = velocity, spin.Scale(b.b.Length())
	b.b.SetSpin(spin)
	return nil
}

// Apply has a force act at its centre [N], and a torque [N m], until it is called again.
func (b *Rigid) Apply(force, torque r3.Vec) error { return b.b.SetLoad(force, torque) }

// SetFriction gives it a coefficient of friction with whatever it touches, where World.SetFriction was not called for
// the pair; of two surfaces that have one the smaller holds.
func (b *Rigid) SetFriction(mu float64) { b.w.e.SetBodyFriction(b.id, mu) }

// Hold prescribes some of the six freedoms of a rigid body. What is not prescribed is free: a finger that a force
// closes along x is held along y and z and about all three.
type Hold struct {
	Axes     r3.Mat  // rows: three directions at right angles, in the world
	Move     [3]bool // along which the velocity of the centre is prescribed
	Turn     [3]bool // about which the spin is prescribed
	Velocity r3.Vec  // along these directions [m/s]
	Spin     r3.Vec  // about these directions [rad/s]
}

// HoldAll returns the hold of all six freedoms, at rest.
func HoldAll() Hold {
	all := [3]bool{true, true, true}
	return Hold{Axes: r3.Identity(), Move: all, Turn: all}
}

// Hold prescribes freedoms from the next step on. The zero Hold lets go of all.
func (b *Rigid) Hold(h Hold) error { return b.b.SetHold(body.Hold(h)) }

// Guide leads the freedoms that its hold prescribes to where at says that its axes are at the end of each step; nil
// lets the hold prescribe velocities.
func (b *Rigid) Guide(at func(t float64) r3.Pose) { b.b.SetGuide(at) }

// ContactImpulse returns what contacts did to it in the last step: the impulse [N s], and the angular impulse about its
// centre [N m s].
func (b *Rigid) ContactImpulse() (impulse, angular r3.Vec) {
	b.impulses = b.w.e.BodyImpulses(b.id, b.impulses)
	return b.impulses[0], b.impulses[1].Scale(b.b.Length())
}
