package toile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/bridge"
	"github.com/toile-sim/toile/internal/engine"
)

func init() {
	bridge.Adopt = func(e *engine.World) any { return adopt(e) }
}

// adopt returns the world that an engine already has, such as that of a scene, with handles for what can touch in it.
func adopt(e *engine.World) *World {
	w := &World{e: e}
	bySurface := map[engine.SurfaceID]Surface{}
	for id := range engine.ClothID(e.Cloths()) {
		s := e.ClothSurface(id)
		bySurface[s] = &Cloth{w: w, name: e.SurfaceName(s), id: id}
	}
	for id := range engine.ObstacleID(e.Obstacles()) {
		s := e.ObstacleSurface(id)
		bySurface[s] = &Obstacle{w: w, name: e.SurfaceName(s), id: id}
	}
	for id := range engine.BodyID(e.Bodies()) {
		s := e.BodySurface(id)
		switch b := e.Body(id).(type) {
		case *body.Rigid:
			bySurface[s] = &Rigid{w: w, name: e.SurfaceName(s), id: id, b: b}
		case *body.Solid:
			bySurface[s] = &Solid{w: w, name: e.SurfaceName(s), id: id, b: b}
		default:
			if bySurface[s] == nil { // a press has the surface of its obstacle
				panic(fmt.Sprintf("toile: no handle for %T", b))
			}
		}
	}
	w.surfaces = make([]Surface, len(bySurface))
	for s, of := range bySurface {
		w.surfaces[s] = of
	}
	return w
}
