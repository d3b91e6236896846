package engine

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
)

// AddObstacle adds an obstacle.
func (w *World) AddObstacle(o Obstacle) (ObstacleID, error) {
	if err := o.validate(); err != nil {
		return 0, fmt.Errorf("obstacle %q: %w", o.Name, err)
	}
	// where it is now
	k := obstacle{spec: o, mover: moverOn(o.Path.way(), w.time), rides: alone}
	if n := len(o.Positions); n > 0 {
		k.x, k.xNext = make([]r3.Vec, n), make([]r3.Vec, n)
		if err := k.shapeAt(w.time, k.place(k.pose), k.x); err != nil {
			return 0, fmt.Errorf("obstacle %q: %w", o.Name, err)
		}
		copy(k.xNext, k.x)
		k.made = slices.Clone(k.x)
	}
	// a smooth surface must fit the mesh
	if o.Smooth != nil {
		if err := smooth.Fits(o.Tri, k.x, *o.Smooth); err != nil {
			return 0, fmt.Errorf("obstacle %q: %w", o.Name, err)
		}
	}
	// a press rides on a body of its own, which has a block
	k.surface = w.newSurface(o.Name)
	if o.Press != nil {
		k.on = o.Press.carrier()
		k.on.Frame(k.pose, k.pose)
		k.rides = w.addMember(k.on, k.surface)
	}
	// another obstacle is another layout
	w.obstacles = append(w.obstacles, k)
	w.assembly, w.print = nil, nil
	return ObstacleID(len(w.obstacles) - 1), nil
}

// Obstacles returns the number of obstacles.
func (w *World) Obstacles() int { return len(w.obstacles) }

// Obstacle returns an obstacle as it was added.
func (w *World) Obstacle(id ObstacleID) Obstacle { return w.obstacles[id].spec }

// ObstaclePose returns where the axes of a rigid obstacle are now.
func (w *World) ObstaclePose(id ObstacleID) r3.Pose {
	k := &w.obstacles[id]
	return k.place(k.pose)
}

// ObstaclePositions returns where the vertices of a mesh are now [m], as a view; nil for an analytic shape.
func (w *World) ObstaclePositions(id ObstacleID) []r3.Vec { return w.obstacles[id].x }

// MoveObstacle says where a rigid obstacle is to be at the end of the next Step or Advance: pose moves it from where
// Place puts it. It ends a path that the obstacle was on.
func (w *World) MoveObstacle(id ObstacleID, pose r3.Pose) { w.obstacles[id].moveTo(pose) }

// blockOf returns the block that an obstacle rides on, or contact.None.
func (w *World) blockOf(k *obstacle) int32 {
	if k.rides == alone {
		return contact.None
	}
	return int32(w.bodies[k.rides].first)
}

// poseObstacles finds where obstacles are at the end of the step.
func (s *step) poseObstacles() error {
	w := s.w
	for i := range w.obstacles {
		k := &w.obstacles[i]
		k.advance(w.time, s.end, w.moveTime)
		if !rigid(k.next) {
			return fmt.Errorf(
				"obstacle %q: where it is to be at t = %.6g s is not a rigid motion; start from r3.Still()",
				k.spec.Name,
				s.end,
			)
		}
		if k.x != nil {
			if err := k.shapeAt(s.end, k.place(k.next), k.xNext); err != nil {
				return fmt.Errorf("obstacle %q: %w", k.spec.Name, err)
			}
		}
		if k.on != nil {
			k.on.Frame(k.pose, k.next)
		}
	}
	return nil
}

// commitObstacles makes where obstacles are at the end of the step where they are.
func (w *World) commitObstacles(s *step) {
	for i := range w.obstacles {
		k := &w.obstacles[i]
		k.pose = k.next
		if k.x == nil {
			continue
		}
		if k.on != nil {
			// Cannot fail: it does not deform.
			_ = k.shapeAt(w.time, k.place(k.pose), k.xNext)
		}
		copy(k.x, k.xNext)
	}
}
