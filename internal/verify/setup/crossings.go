package setup

import (
	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// CountCrossings counts what crosses in a world, by the exact test. Round bodies have no triangles, and are not looked
// at.
func CountCrossings(w *engine.World) int {
	var sheets []untangle.Surface
	for i := range w.Cloths() {
		id := engine.ClothID(i)
		sheets = append(sheets, untangle.Surface{Tri: cloths.Spec(w, id).Mesh.Tri, X: w.Positions(id), Thickness: 1})
	}
	for i := range w.Bodies() {
		id := engine.BodyID(i)
		b, skin := w.Body(id), w.Body(id).Skin()
		if skin == nil || len(skin.Tri) == 0 {
			continue // a press, or something round
		}
		x := w.BodyPositions(id)
		if carrying, ok := b.(body.Carrying); ok {
			points := make([]r3.Vec, skin.Points)
			carrying.Carry(x, points)
			x = points
		}
		sheets = append(sheets, untangle.Surface{Tri: skin.Tri, X: x[:skin.Points], Thickness: 1})
	}
	var bodies []untangle.Body
	for i := range w.Obstacles() {
		id := engine.ObstacleID(i)
		o := w.Obstacle(id)
		obstacle := untangle.Body{Tri: o.Tri, X: w.ObstaclePositions(id)}
		if o.Shape != nil {
			obstacle.Field = placed(o.Shape, w.ObstaclePose(id))
		}
		bodies = append(bodies, obstacle)
	}
	return CountPairs(sheets, bodies)
}

// CountPairs counts what crosses, all surfaces together.
func CountPairs(sheets []untangle.Surface, bodies []untangle.Body) (count int) {
	for _, t := range untangle.Count(sheets, bodies, nil) {
		count += t.Count
	}
	return count
}

func placed(f geom.Field, pose r3.Pose) geom.Field { return shape.Placed{Shape: f, Pose: pose} }
