// Handles that ride on obstacles.
//
// On a rigid obstacle a vertex keeps its place in the obstacle's axes. On a mesh that deforms it keeps its place beside
// the triangle nearest to it when it was taken hold of: with c = Σ w_i x_i the nearest point, and the frame E of the
// triangle with the rows
//
//	e₁ = (x₂ - x₁)/|x₂ - x₁|,   e₂ = n × e₁,   n = (x₂ - x₁) × (x₃ - x₁)/|...|,
//
// it is at c + Eᵀ o, where w and o stay. So it keeps its distance from the point c of the surface, however that turns,
// bends or stretches. Vertices are where the obstacle takes them at t + h, and have the velocity of the chord from
// where they were.

package engine

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/geom"
)

// canFollow says why a handle cannot follow as it is asked to.
func (w *World) canFollow(h *Handle) error {
	id := h.Follow.Obstacle
	switch {
	case id < 0 || int(id) >= len(w.obstacles):
		return fmt.Errorf("there is no obstacle %d to follow", id)
	case h.Path != nil:
		return errors.New("it follows an obstacle and has a path; only one can lead it")
	case h.Follow.Gap != nil && h.Limit == nil:
		return errors.New("it draws its vertices to a gap, which needs a limit of its force")
	case h.Follow.Gap != nil && !(math.Abs(*h.Follow.Gap) < farthest):
		return fmt.Errorf("gap %g m is not finite", *h.Follow.Gap)
	case w.obstacles[id].on != nil:
		return fmt.Errorf(
			"obstacle %q is a press, which goes where contact lets it; no handle can know that before and follow it",
			w.obstacles[id].spec.Name,
		)
	}
	return nil
}

// deforming returns the mesh that a handle's anchors are on, or nil.
func (w *World) deforming(k *holder) *obstacle {
	if k.spec.Follow == nil {
		return nil
	}
	o := &w.obstacles[k.spec.Follow.Obstacle]
	if o.spec.Deform == nil {
		return nil
	}
	return o
}

// grip takes hold of the vertices of a handle where they are.
func (w *World) grip(k *holder) {
	k.rest = k.rest[:0]
	o := w.deforming(k)
	if o == nil {
		undo := k.pose.Inverse()
		for _, node := range k.nodes {
			k.rest = append(k.rest, undo.Apply(w.pos[node]))
		}
		w.draw(k)
		return
	}
	k.anchors = k.anchors[:0]
	surface := geom.NewMeshField(o.x, o.spec.Tri)
	for _, node := range k.nodes {
		near, _ := surface.Nearest(w.pos[node], math.Inf(1)) // there is one: positions are finite
		frame, _ := frameOf(o.spec.Tri[near.Triangle], o.x)
		k.anchors = append(k.anchors, anchor{near.Triangle, near.Weights})
		offset := w.pos[node].Sub(near.Point)
		if gap := k.spec.Follow.Gap; gap != nil {
			_, out := surface.Distance(w.pos[node])
			offset = out.Scale(*gap)
		}
		k.rest = append(k.rest, frame.MulVec(offset))
	}
}

// draw moves the places of vertices that ride on a rigid obstacle to the gap that is asked for.
func (w *World) draw(k *holder) {
	if k.spec.Follow == nil || k.spec.Follow.Gap == nil {
		return
	}
	o := &w.obstacles[k.spec.Follow.Obstacle].spec
	surface := o.Shape
	if surface == nil {
		surface = geom.NewMeshField(o.Positions, o.Tri)
	}
	for j, x := range k.rest {
		distance, out := surface.Distance(x)
		k.rest[j] = x.AddScaled(*k.spec.Follow.Gap-distance, out)
	}
}

// follow finds where handles that ride on obstacles are at the end of the step.
func (s *step) follow(k *holder) error {
	w := s.w
	o := w.deforming(k)
	if o == nil {
		led := &w.obstacles[k.spec.Follow.Obstacle]
		k.next = led.place(led.next)
		return nil
	}
	for _, a := range k.anchors {
		if _, ok := frameOf(o.spec.Tri[a.tri], o.xNext); !ok && !k.free() {
			return fmt.Errorf(
				"handle %q: triangle %d of obstacle %q, which it follows, has no area at t = %.6g s",
				k.spec.Name,
				a.tri,
				o.spec.Name,
				s.end,
			)
		}
	}
	return nil
}
