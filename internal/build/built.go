package build

import (
	"errors"
	"io"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Body is a rigid or soft body of a scene in its world.
type Body struct {
	ID    engine.BodyID
	Name  string
	Rigid *body.Rigid // nil for a soft one
	Solid *body.Solid // nil for a rigid one
}

// Built is a scene made into a world.
type Built struct {
	World     *engine.World
	Cloths    []Cloth    // in the order of the file
	Bodies    []Body     // rigid ones, then soft ones, each in the order of the file
	Obstacles []Obstacle // in the order of the file
	Scene     *scenefile.Scene

	dressing bool        // the clock has not started
	open     []io.Closer // files of sequences
}

// Close closes the files that obstacles are read from while the world advances. The world can be looked at afterwards,
// but not advanced.
func (b *Built) Close() error {
	var errs []error
	for _, f := range b.open {
		errs = append(errs, f.Close())
	}
	b.open = nil
	return errors.Join(errs...)
}

// Cloth is a cloth of a scene in its world.
type Cloth struct {
	ID     engine.ClothID
	Name   string
	UV     []r3.Vec2      // one for each material point of the mesh, in metres
	Pins   []Pin          // in the order of the file
	Groups []meshio.Group // of the mesh file

	spec     *scenefile.Cloth
	attached [][]int32 // vertices of each attachment
}

// Pin is a pin of a scene in its world.
type Pin struct {
	ID       engine.HandleID
	Name     string
	Vertices []int32 // ascending

	spec  int // its number in the file
	limit *engine.ForceLimit
}

// Obstacle is an obstacle of a scene in its world.
type Obstacle struct {
	ID   engine.ObstacleID
	Name string
	Film *mannequin.Film // of a mannequin, in axes of its own; nil for other shapes
}

// surfaces returns the surfaces of bodies and obstacles by name.
func (b *Built) surfaces() map[string]engine.SurfaceID {
	surface := map[string]engine.SurfaceID{}
	for _, c := range b.Cloths {
		surface[c.Name] = b.World.ClothSurface(c.ID)
	}
	for _, o := range b.Bodies {
		surface[o.Name] = b.World.BodySurface(o.ID)
	}
	for _, o := range b.Obstacles {
		surface[o.Name] = b.World.ObstacleSurface(o.ID)
	}
	return surface
}
