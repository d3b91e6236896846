package toile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/r3"
)

// The words for models in scene files.
var (
	membraneNames = []string{Chord: "chord", Arc: "arc"}
	bendingNames  = []string{Plate: "plate", Hinge: "hinge", Isometric: "isometric"}
)

// String returns the word for the model.
func (m MembraneModel) String() string { return wordOf(membraneNames, "MembraneModel", int(m)) }

// String returns the word for the model.
func (b BendingModel) String() string { return wordOf(bendingNames, "BendingModel", int(b)) }

func wordOf(words []string, kind string, i int) string {
	if i < 0 || i >= len(words) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return words[i]
}

// ParseMembrane returns the model of that name: chord or arc.
func ParseMembrane(name string) (MembraneModel, error) {
	i, err := indexOf(membraneNames, "membrane", name)
	return MembraneModel(i), err
}

// ParseBending returns the model of that name: plate, hinge or isometric.
func ParseBending(name string) (BendingModel, error) {
	i, err := indexOf(bendingNames, "bending", name)
	return BendingModel(i), err
}

func indexOf(words []string, kind, name string) (int, error) {
	i := slices.Index(words, name)
	if i < 0 {
		return 0, fmt.Errorf("%s %q is not one of %s", kind, name, strings.Join(words, ", "))
	}
	return i, nil
}

// makeElements makes the elements of the sheet.
func (c *cloth) makeElements() error {
	f := &c.spec.Fabric
	var law elastic.MembraneLaw = f.Membrane
	if c.spec.Tabulated {
		if f.Table == nil {
			return fmt.Errorf("fabric %q has no table of measured stiffness", f.Name)
		}
		law = f.Table
	}
	switch c.spec.Membrane {
	case Chord:
		c.membrane = elastic.NewMembrane(c.spec.Mesh, law)
		c.varyStretch()
	case Arc:
		if c.spec.Bending != Plate {
			return fmt.Errorf("stretch along arcs needs plate bending, not %v", c.spec.Bending)
		}
	default:
		return fmt.Errorf("membrane model %d does not exist", c.spec.Membrane)
	}
	c.air = body.NewAir(c.spec.Mesh, c.spec.Drag)
	c.clampHolder = make([]int, len(c.spec.Clamps))
	for i := range c.clampHolder {
		c.clampHolder[i] = -1
	}
	if len(c.spec.Clamps) > 0 && c.spec.Bending != Plate {
		return fmt.Errorf("clamps need plate bending, not %v", c.spec.Bending)
	}
	if c.spec.RestCurvature == InitialRest && c.spec.Bending == Isometric {
		return errors.New("isometric bending is flat at rest; use plate or hinge for a curved rest shape")
	}
	switch c.spec.Bending {
	case Plate:
		return c.makePlate(law)
	case Hinge:
		hinge, err := elastic.NewHinge(
			c.spec.Mesh,
			func(t int32) elastic.HingeLaw { g := c.bendAt(t); return g.Hinge() },
		)
		if err != nil {
			return err
		}
		if c.spec.RestCurvature == InitialRest {
			hinge.RestFrom(c.spec.Positions)
		}
		c.bending = hinge
		return nil
	case Isometric:
		bend, err := elastic.NewIsometric(c.spec.Mesh, f.MeanRigidity())
		if err == nil && c.spec.Maps.Bend != nil {
			byTriangle := make([]float64, len(c.spec.Mesh.Tri))
			for t := range byTriangle {
				g := c.bendAt(int32(t))
				byTriangle[t] = g.MeanRigidity()
			}
			bend.Vary(atVertices(c.spec.Mesh, byTriangle))
		}
		c.bending = bend
		return err
	}
	return fmt.Errorf("bending model %d does not exist", c.spec.Bending)
}

// varyStretch gives the membrane what the maps say of it.
func (c *cloth) varyStretch() {
	switch m := c.membrane.(type) {
	case *elastic.Membrane:
		m.Scale = c.spec.Maps.Factor
	case *elastic.Curved:
		m.Scale = c.spec.Maps.Factor
	}
	if laws := c.spec.Maps.Stretch; laws != nil {
		c.membrane.Vary(laws)
	}
}

// makePlate makes the plate and, for stretch along arcs, the membrane.
func (c *cloth) makePlate(law elastic.MembraneLaw) error {
	var clamps []elastic.Clamp
	var faults []error
	for i, k := range c.spec.Clamps {
		e, ok := c.spec.Mesh.FindEdge(k.Edge[0], k.Edge[1])
		if !ok {
			faults = append(faults, fmt.Errorf("clamp %d: there is no edge %d-%d", i, k.Edge[0], k.Edge[1]))
			continue
		}
		along := c.spec.Positions[k.Edge[1]].Sub(c.spec.Positions[k.Edge[0]]).Unit()
		if !(k.Dir.Cross(along).Norm() > 0.1*k.Dir.Norm()) {
			faults = append(faults, fmt.Errorf("clamp %d: its direction %v runs along its edge", i, k.Dir))
		}
		clamps = append(clamps, elastic.Clamp{Edge: e, Dir: k.Dir})
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	plate, err := elastic.NewPlate(
		c.spec.Mesh,
		func(t int32) elastic.PlateLaw { g := c.bendAt(t); return g.Plate() },
		nil,
		clamps,
	)
	if err != nil {
		return err
	}
	if c.spec.Membrane == Arc {
		curved := elastic.NewCurved(c.spec.Mesh, law, plate)
		if c.spec.RestCurvature == InitialRest {
			curved.RestFrom(c.spec.Positions)
		}
		c.membrane = curved
		c.varyStretch()
	}
	if c.spec.RestCurvature == InitialRest {
		plate.RestFrom(c.spec.Positions)
	}
	c.bending = plate
	return nil
}

// findClampHolders finds, for every clamp, the handle that holds its edge or, if none does, the one that did last.
func (c *cloth) findClampHolders(handles []holder) {
	for i, k := range c.spec.Clamps {
		c.clampHolder[i] = -1
		node := int32(c.first) + k.Edge[0]
		for h := range handles {
			if slices.Contains(handles[h].nodes, node) {
				c.clampHolder[i] = h
			}
		}
	}
}

// turnClamps turns the clamps of all sheets with the handles that hold them, when these are turned by the given
// rotations. Whoever evaluates elements calls it first, so that clamps are no state of their own.
func (w *World) turnClamps(turn func(*holder) r3.Quat) {
	for i := range w.cloths {
		c := &w.cloths[i]
		plate, ok := c.bending.(*elastic.Plate)
		if !ok {
			continue
		}
		for k, clamp := range c.spec.Clamps {
			if h := c.clampHolder[k]; h >= 0 {
				plate.SetClamp(k, turn(&w.handles[h]).Mul(w.handles[h].added.R.Conj()).Rotate(clamp.Dir))
			}
		}
	}
}
