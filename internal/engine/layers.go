package engine

import (
	"errors"
	"slices"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// SeparateOptions are the settings of SeparateLayers.
type SeparateOptions struct {
	// Depth is how far a surface may be on the wrong side of another and still be brought back [m]. More than the
	// distance of parts that belong apart, such as an arm and the chest, should not be asked for.
	Depth float64
	// MaxIterations bounds the rounds of finding what overlaps and moving it.
	MaxIterations int
}

// DefaultSeparateOptions returns the settings for garments.
func DefaultSeparateOptions() SeparateOptions {
	o := untangle.DefaultOptions()
	return SeparateOptions{Depth: o.Depth, MaxIterations: o.Iterations}
}

// Validate lists everything that is wrong with the options.
func (o SeparateOptions) Validate() error { return o.options().Validate() }

func (o SeparateOptions) options() untangle.Options {
	return untangle.Options{Depth: o.Depth, Iterations: o.MaxIterations}
}

// SeparateStats tells how SeparateLayers went.
type SeparateStats = untangle.Stats

// Layered reports whether a cloth has a layer, so that SeparateLayers has something to do.
func (w *World) Layered() bool {
	return slices.ContainsFunc(w.bodies, func(b placedBody) bool { return b.sheet != nil && b.sheet.Layer() > 0 })
}

// SeparateLayers moves the vertices of cloths that have a layer, as little as it finds to be enough, so that no cloth
// crosses another layer or an obstacle, a higher layer is outside a lower one, and all keep the thickness of contact.
// Outside is where the triangles are counter-clockwise. It is for a start that overlaps: velocities become zero and
// contacts are forgotten. Vertices that handles hold stay. What could not be separated is in the statistics and is no
// error; it never gets worse.
func (w *World) SeparateLayers(opt SeparateOptions) (SeparateStats, error) {
	if err := opt.Validate(); err != nil {
		return SeparateStats{}, err
	}
	if !w.Layered() {
		return SeparateStats{}, errors.New("nothing to separate: no cloth has a layer")
	}
	sheets, bodies := w.outlines()
	options := opt.options()
	options.Team = w.team
	stats := untangle.Separate(sheets, bodies, options)
	if err := w.canceler.err(); err != nil {
		return stats, err
	}
	for i, at := range w.sheets {
		copy(w.bodies[at].of(w.pos), sheets[i].X)
	}
	clear(w.vel)
	w.last = solvedContacts{}
	w.crossed = unknown
	return stats, nil
}

// PairCrossings is how often two surfaces cross.
type PairCrossings struct {
	A, B  SurfaceID
	Count int      // pairs of triangles that cross, or triangles of A with a point inside the analytic shape B
	First Crossing // the first of them
	Where r3.Box   // around all of them [m]
	Depth float64  // of the deepest point of A inside the analytic shape B [m]
}

// CrossingPairs returns which surfaces cross now, by the exact test: cloths with themselves, with each other and
// with obstacles.
func (w *World) CrossingPairs() []PairCrossings {
	sheets, bodies := w.outlines()
	surface := func(i int32) SurfaceID {
		if int(i) < len(w.sheets) {
			return w.bodies[w.sheets[i]].surface
		}
		return w.obstacles[int(i)-len(w.sheets)].surface
	}
	var out []PairCrossings
	for _, t := range untangle.Count(sheets, bodies, w.team) {
		a, b := surface(t.A), surface(t.B)
		out = append(out, PairCrossings{a, b, t.Count, Crossing{
			SurfaceA: int32(a), SurfaceB: int32(b), TriangleA: t.TriangleA, TriangleB: t.TriangleB, Vertex: t.Vertex,
		}, t.Where, t.Depth})
	}
	return out
}

// outlines returns cloths and obstacles as they are now.
func (w *World) outlines() ([]untangle.Surface, []untangle.Body) {
	sheets := make([]untangle.Surface, len(w.sheets))
	for i, at := range w.sheets {
		c := &w.bodies[at]
		thickness := w.opt.Contact.Thickness
		if m := c.mapOf(mech.Thickness); len(m) > 0 {
			thickness = slices.Max(m)
		}
		sheets[i] = untangle.Surface{
			Tri: c.sheet.Triangles(), X: slices.Clone(c.of(w.pos)), Fixed: w.held[c.first : c.first+c.count],
			Layer: c.sheet.Layer(), Thickness: thickness,
		}
	}
	bodies := make([]untangle.Body, len(w.obstacles))
	for i := range w.obstacles {
		k := &w.obstacles[i]
		if k.spec.Shape != nil {
			bodies[i].Field = shape.Placed{Shape: k.spec.Shape, Pose: k.place(k.pose)}
		} else {
			bodies[i] = untangle.Body{Tri: k.spec.Tri, X: k.x}
		}
	}
	return sheets, bodies
}
