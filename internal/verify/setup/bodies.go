package setup

import (
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/whirl"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// AddRigid adds a rigid body whose centre is at x and moves at v.
func AddRigid(
	t *verify.Trial,
	w *engine.World,
	name string,
	spec body.RigidSpec,
	x, v r3.Vec,
	turn r3.Quat,
) (*body.Rigid, engine.BodyID) {
	b, err := body.NewRigid(spec, turn, r3.Vec{})
	t.Must(err)
	id, err := w.AddBody(name, b, []r3.Vec{x, {}}, []r3.Vec{v, {}})
	t.Must(err)
	return b, id
}

// LooseWorld returns a world without a floor.
func LooseWorld(t *verify.Trial, theta float64, gravity r3.Vec) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Theta, opt.Gravity = t.Workers, theta, gravity
	w := t.World(opt)
	return w
}

// RigidWorld returns a world with friction and a floor that is tilted about the y axis, down along x.
func RigidWorld(t *verify.Trial, mu, slope float64) *engine.World {
	return RigidWorldTo(t, mu, slope, engine.DefaultOptions().Contact.Tolerance)
}

// RigidWorldTo is RigidWorld with a tolerance of its own [m/s].
func RigidWorldTo(t *verify.Trial, mu, slope, tolerance float64) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction, opt.Contact.Tolerance = t.Workers, mu, tolerance
	w := t.World(opt)
	_, err := w.AddObstacle(engine.Obstacle{
		Name: "floor", Shape: shape.Plane{Normal: r3.V(math.Sin(slope), 0, math.Cos(slope))}, Place: r3.Still(),
	})
	t.Must(err)
	return w
}

// AddBrick adds a rigid box whose centre is at x.
func AddBrick(
	t *verify.Trial,
	w *engine.World,
	name string,
	half r3.Vec,
	density float64,
	x r3.Vec,
	turn r3.Quat,
	spin r3.Vec,
) (*body.Rigid, engine.BodyID) {
	b, err := body.NewRigid(body.Brick(half, density), turn, spin)
	t.Must(err)
	id, err := w.AddBody(name, b, []r3.Vec{x, {}}, make([]r3.Vec, 2))
	t.Must(err)
	return b, id
}

// AddSolid adds a solid that moves at v.
func AddSolid(t *verify.Trial, w *engine.World, spec body.SolidSpec, place r3.Pose, v r3.Vec) engine.BodyID {
	solid, err := body.NewSolid(spec)
	t.Must(err)
	x, speed := make([]r3.Vec, len(spec.Mesh.X)), make([]r3.Vec, len(spec.Mesh.X))
	for i, p := range spec.Mesh.X {
		x[i], speed[i] = place.Apply(p), v
	}
	id, err := w.AddBody("solid", solid, x, speed)
	t.Must(err)
	return id
}

func FreeWorld(t *verify.Trial, theta float64, newton int) *engine.World {
	opt := whirl.Options(theta, newton)
	opt.Workers = t.Workers
	return t.World(opt)
}
