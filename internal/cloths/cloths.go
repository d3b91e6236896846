// Package cloths adds cloths to the engine, which knows sheets by what they offer, and reads what is only theirs.
package cloths

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// Add adds a sheet.
func Add(w *engine.World, c body.ClothSpec) (engine.ClothID, error) {
	b, err := body.NewCloth(c, w.Time())
	if err != nil {
		return 0, fmt.Errorf("cloth %q: %w", c.Name, err)
	}
	return w.AddSheet(c.Name, b, c.Positions, c.Velocities, b.Mass), nil
}

func of(w *engine.World, id engine.ClothID) *body.Cloth { return w.Sheet(id).(*body.Cloth) }

// Spec returns a cloth as it was added. If it is remeshed, its mesh and everything that belongs to vertices and
// triangles is as it is now, and what is returned holds until the next step; Input then returns it as it was added.
func Spec(w *engine.World, id engine.ClothID) body.ClothSpec { return of(w, id).Spec }

// Input returns a cloth as it was added. It differs from Spec where the cloth is remeshed.
func Input(w *engine.World, id engine.ClothID) body.ClothSpec { return of(w, id).Original() }

// VertexIDs returns the ids of a cloth's vertices, by which they are known from mesh to mesh, as a view that holds
// until the next step; nil where the mesh does not change. Those of the mesh that the cloth was added with have their
// indices in it as ids.
func VertexIDs(w *engine.World, id engine.ClothID) []int64 { return of(w, id).IDs() }

// InputPositions writes where the vertices of the mesh that a cloth was added with are now [m] to out, which is made if
// it is too short, and returns it. If the cloth is remeshed, they are looked up in its present mesh by their material
// points.
func InputPositions(w *engine.World, id engine.ClothID, out []r3.Vec) []r3.Vec {
	return of(w, id).InputPositions(w.Positions(id), out)
}

// WidestStitch returns the largest distance between two vertices of a cloth that its seams join [m], and which pair
// that is; zero and -1 without seams.
func WidestStitch(w *engine.World, id engine.ClothID) (gap float64, pair int) {
	return of(w, id).WidestStitch(w.Positions(id))
}
