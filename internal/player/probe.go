package player

import (
	"errors"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

// prober is a simulation that can be probed.
type prober interface {
	// probe returns what reads a probe after a step.
	probe(p runfolder.Probe) (func() r3.Vec, error)
}

// probes are the probes of a run, and their numbers after the last step.
type probes struct {
	readers []func() r3.Vec
	cells   []float64
}

func newProbes(sim Simulation, list []runfolder.Probe) (*probes, error) {
	out := &probes{}
	if len(list) == 0 {
		return out, nil
	}
	from, ok := sim.(prober)
	if !ok {
		return nil, fmt.Errorf("this simulation cannot be probed for %q", list[0])
	}
	for _, p := range list {
		read, err := from.probe(p)
		if err != nil {
			return nil, fmt.Errorf("probe %q: %w", p, err)
		}
		out.readers = append(out.readers, read)
	}
	return out, nil
}

// read returns the numbers of all probes, three for each, valid until it is called again.
func (p *probes) read() []float64 {
	p.cells = p.cells[:0]
	for _, read := range p.readers {
		x := read()
		p.cells = append(p.cells, x.X, x.Y, x.Z)
	}
	return p.cells
}

// centroid returns the mean of points.
func centroid(x []r3.Vec) r3.Vec {
	var sum r3.Vec
	for _, p := range x {
		sum = sum.Add(p)
	}
	return sum.Scale(1 / float64(len(x)))
}

func (p *worldPlay) probe(want runfolder.Probe) (func() r3.Vec, error) {
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
func (p *worldPlay) pointsOf(name string) (func() []r3.Vec, error) {
	w := p.job.World
	var names []string
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

// probedNames reports which body of a probe there is not. more are bodies that w will have later.
func probedNames(w *engine.World, more []string, p runfolder.Probe) error {
	names := slices.Clone(more)
	for i := range w.Cloths() {
		names = append(names, cloths.Spec(w, engine.ClothID(i)).Name)
	}
	asked := []string{p.A}
	switch p.Kind {
	case runfolder.ProbePin:
		return errOnlyYarns
	case runfolder.ProbeForce:
		asked = append(asked, p.B)
		for i := range w.Obstacles() {
			names = append(names, w.SurfaceName(w.ObstacleSurface(engine.ObstacleID(i))))
		}
	}
	for _, name := range asked {
		if !slices.Contains(names, name) {
			return unknownBody(name, names)
		}
	}
	return nil
}

var errOnlyYarns = errors.New("only pins of yarns can be probed")

// forceProbe returns what gives the net force on the first body by the second [N], mean over the step.
func (p *worldPlay) forceProbe(a, b string) (func() r3.Vec, error) {
	w := p.job.World
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
	for _, name := range []string{a, b} {
		if !slices.Contains(names, name) {
			return nil, unknownBody(name, names)
		}
	}
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

func (p *yarnPlay) probe(want runfolder.Probe) (func() r3.Vec, error) {
	if want.Kind == runfolder.ProbeForce {
		return nil, errors.New("there are no forces between pairs in a scene of yarns; there are those on pins: pin BODY NUMBER")
	}
	var names []string
	for _, piece := range p.built.Pieces {
		if piece.Name != want.A {
			names = append(names, piece.Name)
			continue
		}
		if want.Kind == runfolder.ProbePin {
			return p.pinProbe(&piece, want.Vertex)
		}
		points := func() []r3.Vec { return p.built.World.Positions()[piece.First:piece.End] }
		if want.Kind == runfolder.ProbeCentroid {
			return func() r3.Vec { return centroid(points()) }, nil
		}
		if n := piece.End - piece.First; want.Vertex >= n {
			return nil, fmt.Errorf("%s has control points 0 to %d", want.A, n-1)
		}
		return func() r3.Vec { return points()[want.Vertex] }, nil
	}
	for i, ball := range p.built.Balls {
		if ball.Name != want.A {
			names = append(names, ball.Name)
			continue
		}
		if want.Kind != runfolder.ProbeCentroid {
			return nil, fmt.Errorf("%s is a ball; write centroid %s", want.A, want.A)
		}
		return func() r3.Vec { return p.built.World.ObstaclePose(len(p.built.Obstacles) + i).T }, nil
	}
	return nil, unknownBody(want.A, names)
}

// pinProbe returns what gives the net force of yarns on one of their pins in the last step [N].
func (p *yarnPlay) pinProbe(piece *scenefile.BuiltPiece, pin int) (func() r3.Vec, error) {
	if pin >= len(piece.Pins) {
		return nil, fmt.Errorf("%s has %s; they are numbered from 0", piece.Name, words.Count(len(piece.Pins), "pin"))
	}
	points := piece.Pins[pin]
	if len(points) == 0 {
		return nil, fmt.Errorf("pin %d of %s has no points of its own; earlier pins hold all of them", pin, piece.Name)
	}
	return func() r3.Vec {
		var sum r3.Vec
		for _, i := range points {
			sum = sum.Add(p.built.World.Reaction(i))
		}
		return sum
	}, nil
}

func unknownBody(name string, names []string) error {
	return fmt.Errorf("there is no %q that can be probed; there is %q", name, names)
}
