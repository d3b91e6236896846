// Package dumps makes a set of contact problems from worlds of its own, has solvers try them, and compares what these
// answer. Worlds are the same on every machine up to rounding, and so are the problems.
package dumps

import (
	"fmt"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// stage is a world that is being furnished. Its first fault stays, and nothing is added after it.
type stage struct {
	world  *engine.World
	thick  float64 // of contacts [m]
	random *rand.Rand
	count  int // of things that were added
	err    error
}

// newStage returns a world with a floor.
func newStage(friction float64, workers int) *stage {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = workers, friction
	s := &stage{thick: opt.Contact.Thickness, random: rand.New(rand.NewPCG(1, 29))}
	s.world, s.err = engine.New(opt)
	s.plane(shape.Plane{Normal: r3.V(0, 0, 1)})
	return s
}

// with adds what the builder adds, and returns the world.
func (s *stage) with(build builder) (*engine.World, error) {
	build(s)
	return s.world, s.err
}

// builder adds things to a stage.
type builder func(s *stage)

func (s *stage) name(kind string) string {
	s.count++
	return fmt.Sprintf("%s %d", kind, s.count)
}

func (s *stage) obstacle(kind string, shape geom.Field, place r3.Pose) {
	if s.err == nil {
		_, s.err = s.world.AddObstacle(engine.Obstacle{Name: s.name(kind), Shape: shape, Place: place})
	}
}

func (s *stage) plane(p shape.Plane) { s.obstacle("plane", p, r3.Still()) }

// bin adds four walls at a distance from the middle [m].
func (s *stage) bin(half float64) {
	for _, n := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		s.plane(shape.Plane{Point: n.Scale(-half), Normal: n})
	}
}

// brick adds a rigid box.
func (s *stage) brick(half r3.Vec, density float64, place r3.Pose) {
	if s.err != nil {
		return
	}
	b, err := body.NewRigid(body.Brick(half, density), place.R, r3.Vec{})
	if err == nil {
		_, err = s.world.AddBody(s.name("brick"), b, []r3.Vec{place.T, {}}, make([]r3.Vec, 2))
	}
	s.err = err
}

// rubber is what soft bodies are made of.
var rubber = material.Isotropic{Young: 2e5, Poisson: 0.3}

// soft adds a soft body that is at rest at the given place.
func (s *stage) soft(tets *mesh.Tets, place r3.Pose) {
	if s.err != nil {
		return
	}
	sorted, _, _ := tets.SkinFirst()
	b, err := body.NewSolid(body.SolidSpec{Mesh: sorted, Material: rubber, Density: 500, Damping: 5e-3})
	if err == nil {
		x := make([]r3.Vec, len(sorted.X))
		for i, p := range sorted.X {
			x[i] = place.Apply(p)
		}
		_, err = s.world.AddBody(s.name("soft"), b, x, make([]r3.Vec, len(x)))
	}
	s.err = err
}

// cloth adds a sheet of cotton with its vertices at x, all at the velocity v.
func (s *stage) cloth(m *mesh.Mesh, x []r3.Vec, v r3.Vec) {
	if s.err != nil {
		return
	}
	fabric, err := material.LookupFabric("cotton-interlock")
	if err == nil {
		spec := body.DefaultCloth(s.name("cloth"), m, x, fabric)
		spec.Velocities = make([]r3.Vec, len(x))
		for i := range spec.Velocities {
			spec.Velocities[i] = v
		}
		_, err = cloths.Add(s.world, spec)
	}
	s.err = err
}

// turned returns a rotation by at most so much about any axis.
func (s *stage) turned(most float64) r3.Quat {
	axis := r3.V(s.random.NormFloat64(), s.random.NormFloat64(), s.random.NormFloat64())
	return r3.Rotation(axis, most*s.random.Float64())
}
