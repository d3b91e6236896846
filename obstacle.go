package toile

import (
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// ObstacleSpec is a surface that others touch and that does not feel them, but for a press: a shape or a mesh.
type ObstacleSpec struct {
	Name  string
	Shape shape.Field // an analytic shape in axes of its own; nil for a mesh
	// Triangles of a mesh, counter-clockwise seen from outside, and its vertices in axes of its own [m].
	Triangles [][3]int32
	Positions []r3.Vec

	Pose     r3.Pose     // where its axes are before Path moves them; the zero pose stands for r3.Still
	Path     *Path       // how it moves; nil: it stays until MoveTo
	Deform   Deformation // where the vertices of a mesh are over time, in world axes; Pose and Path then play no part
	Press    *Press      // lets it slide along one axis, driven by a force
	Smooth   bool        // others touch the smooth surface of a closed mesh; else they touch its triangles
	Friction []float64   // its own coefficient: of a mesh by vertex, of a shape one number; nil: none
}

// Deformation is a shape that changes over time.
type Deformation interface {
	// At writes where the vertices are at time t [s] to out.
	At(t float64, out []r3.Vec) error
}

// Press makes an obstacle a plate that is free along one axis, in the frame that its path moves, and driven by a force.
type Press struct {
	Axis  r3.Vec  // the way it pushes; any length but zero
	Force float64 // along the axis [N]
	Mass  float64 // [kg]
	Stop  float64 // how far it may go along the axis from where it starts [m]; +Inf: as far as it can
}

// Obstacle is an obstacle in a world.
type Obstacle struct {
	w    *World
	name string
	id   engine.ObstacleID
}

// AddObstacle adds an obstacle.
func (w *World) AddObstacle(spec ObstacleSpec) (*Obstacle, error) {
	o := engine.Obstacle{
		Name: spec.Name, Shape: spec.Shape, Place: placed(spec.Pose), Tri: spec.Triangles, Positions: spec.Positions,
		Path: spec.Path.engine(), Deform: spec.Deform, Friction: spec.Friction,
	}
	if p := spec.Press; p != nil {
		o.Press = &engine.Press{Axis: p.Axis, Force: p.Force, Mass: p.Mass, Stop: p.Stop}
	}
	if spec.Smooth {
		o.Smooth = &smooth.Options{}
	}
	id, err := w.e.AddObstacle(o)
	if err != nil {
		return nil, err
	}
	k := &Obstacle{w: w, name: spec.Name, id: id}
	w.surfaces = append(w.surfaces, k)
	return k, nil
}

// Name returns the name that it was added with.
func (o *Obstacle) Name() string { return o.name }

func (o *Obstacle) world() *World               { return o.w }
func (o *Obstacle) surfaceID() engine.SurfaceID { return o.w.e.ObstacleSurface(o.id) }

// Pose returns where its axes are now.
func (o *Obstacle) Pose() r3.Pose { return o.w.e.ObstaclePose(o.id) }

// Positions fills dst with where the vertices of a mesh are now [m].
func (o *Obstacle) Positions(dst []r3.Vec) []r3.Vec { return fill(dst, o.w.e.ObstaclePositions(o.id)) }

// MoveTo says where it is to be at the end of the next step or Advance: pose moves it from where its specification puts
// it. It ends a path that it was on.
func (o *Obstacle) MoveTo(pose r3.Pose) { o.w.e.MoveObstacle(o.id, pose) }

// PressTravel returns how far a press has gone along its axis [m]; 0 for other obstacles.
func (o *Obstacle) PressTravel() float64 { return o.w.e.PressTravel(o.id) }
