package player

import (
	"errors"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
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

func unknownBody(name string, names []string) error {
	return fmt.Errorf("there is no %q that can be probed; there is %q", name, names)
}
