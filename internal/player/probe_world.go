package player

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/r3"
)

func (p *worldSim) probe(want runfolder.Probe) (func() r3.Vec, error) {
	switch want.Kind {
	case runfolder.ProbeForce:
		return p.forceProbe(want.A, want.B)
	case runfolder.ProbePin:
		return nil, errOnlyYarns
	}
	points, err := p.pointsOf(want.A)
	if err != nil {
		return nil, err
	}
	if want.Kind == runfolder.ProbeCentroid {
		return func() r3.Vec { return centroid(points()) }, nil
	}
	if n := len(points()); want.Vertex >= n {
		return nil, fmt.Errorf("%s has vertices 0 to %d", want.A, n-1)
	}
	return func() r3.Vec { return points()[want.Vertex] }, nil
}

// pointsOf returns what gives the vertices of a cloth, as it was added, or of a soft body, or the centre of mass of a
// rigid one.
func (p *worldSim) pointsOf(name string) (func() []r3.Vec, error) {
	w := p.job.World
	var names []string
	// cloths; what is remeshed is shown by the vertices that it was added with
	for i := range w.Cloths() {
		id := engine.ClothID(i)
		if cloths.Spec(w, id).Name != name {
			names = append(names, cloths.Spec(w, id).Name)
			continue
		}
		if cloths.Input(w, id).Remesh == nil {
			return func() []r3.Vec { return w.Positions(id) }, nil
		}
		var x []r3.Vec
		return func() []r3.Vec { x = cloths.InputPositions(w, id, x); return x }, nil
	}
	// bodies; of rigid ones the centre of mass
	for i := range w.Bodies() {
		id := engine.BodyID(i)
		if found := w.SurfaceName(w.BodySurface(id)); found != name {
			names = append(names, found)
			continue
		}
		if rigid, ok := w.Body(id).(*body.Rigid); ok {
			return func() []r3.Vec { return []r3.Vec{rigid.Pose(w.BodyPositions(id)).T} }, nil
		}
		return func() []r3.Vec { return w.BodyPositions(id) }, nil
	}
	return nil, unknownBody(name, names)
}

// forceProbe returns what gives the net force on the first body by the second [N], mean over the step.
func (p *worldSim) forceProbe(a, b string) (func() r3.Vec, error) {
	w := p.job.World
	// names of all that may touch
	var names []string
	for i := range w.Cloths() {
		names = append(names, w.SurfaceName(w.ClothSurface(engine.ClothID(i))))
	}
	for i := range w.Bodies() {
		names = append(names, w.SurfaceName(w.BodySurface(engine.BodyID(i))))
	}
	for i := range w.Obstacles() {
		names = append(names, w.SurfaceName(w.ObstacleSurface(engine.ObstacleID(i))))
	}
	// both must be there
	for _, name := range []string{a, b} {
		if !slices.Contains(names, name) {
			return nil, unknownBody(name, names)
		}
	}
	// sum over pairs, with the sign that it has for the first body
	var pairs []engine.PairForce
	return func() r3.Vec {
		pairs = w.PairForces(pairs[:0])
		var sum r3.Vec
		for _, f := range pairs {
			switch x, y := w.SurfaceName(f.A), w.SurfaceName(f.B); {
			case x == a && y == b:
				sum = sum.Add(f.Force)
			case x == b && y == a:
				sum = sum.Sub(f.Force)
			}
		}
		return sum
	}, nil
}
