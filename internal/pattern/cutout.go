package pattern

import (
	"strconv"

	"github.com/toile-sim/toile/r3"
)

// Cutting says how an outline becomes a panel.
type Cutting struct {
	Corner  float64   // directions that differ by more make a corner [rad]; 0 means DefaultCorner
	Corners []r3.Vec2 // further corners: the points of the outline nearest to these [m], measured as in the panel
	Mirror  bool      // turn left and right round
	Fold    *r3.Vec2  // near the straight edge that is laid on a fold of the cloth, so that the panel is twice the outline [m], measured as in the outline alone
	Edges   []EdgeName
}

// Panel cuts a panel out: its outline divided into edges at corners. Coordinates of the panel are measured from the
// lower left of the smallest box around it; shift is where that lies in the drawing. Edges without a name are
// called by their numbers. Faults come all at once, as Faults.
func (o *Outline) Panel(name string, c Cutting) (p Panel, shift r3.Vec2, err error) {
	// an outline that cannot be cut out
	m := &maker{}
	if o.Fault != "" {
		m.fault(Fault{Panel: name}, "outline %s %s", o.Name, o.Fault)
		return Panel{}, r3.Vec2{}, m.faults
	}
	// mirrored, with its lower left at zero
	arcs, turns := o.Arcs, o.Turns
	if c.Mirror {
		arcs, turns = mirrored(arcs, turns)
	}
	low, high := extent(arcs)
	arcs, turns = shifted(arcs, low), shiftedPoints(turns, low)
	// cut on the fold: both halves
	if c.Fold != nil {
		var ok bool
		if arcs, turns, ok = unfolded(arcs, turns, *c.Fold, c.Corner); !ok {
			m.fault(
				Fault{Panel: name},
				"the edge near %s, at which it is cut on the fold, is not straight; give a point near a straight edge",
				showPoint(*c.Fold),
			)
			return Panel{}, r3.Vec2{}, m.faults
		}
		var shift r3.Vec2
		shift, high = extent(arcs)
		arcs, turns = shifted(arcs, shift), shiftedPoints(turns, shift)
		low, high = low.Add(shift), low.Add(high)
	}
	// corners that the user adds, which must be near the outline
	size := max(high.X-low.X, high.Y-low.Y)
	for _, q := range c.Corners {
		var at r3.Vec2
		if arcs, at = divideAt(arcs, q); at.Sub(q).Norm() > 0.1*size {
			m.fault(
				Fault{Panel: name},
				"the corner %s is %s away from the outline; give points in the panel's own coordinates, from the lower left of the piece",
				showPoint(q),
				millimetres(at.Sub(q).Norm()),
			)
		}
		turns = append(turns, at)
	}
	// edges between corners, and the names they are given
	p = Panel{Name: name, Edges: cornered(arcs, turns, c.Corner)}
	named := make([]string, len(p.Edges))
	for _, e := range c.Edges {
		at := Fault{Panel: name, Edge: "edge " + e.Name}
		i := e.find(p.Edges)
		switch {
		case i < 0:
			m.fault(at, "there is no edge number %d; the outline has %d, divided at corners", e.Number, len(p.Edges))
		case named[i] != "":
			m.fault(
				at,
				"is the same edge as %s, number %d; the outline has %d edges, divided at corners: give further corners if there should be more",
				named[i],
				i+1,
				len(p.Edges),
			)
		default:
			named[i] = e.Name
		}
	}
	// numbers for the others
	for i := range p.Edges {
		if p.Edges[i].Name = named[i]; named[i] == "" {
			p.Edges[i].Name = strconv.Itoa(i + 1)
		}
	}
	// a panel, or all faults
	if len(m.faults) > 0 {
		return Panel{}, r3.Vec2{}, m.faults
	}
	return p, low, nil
}

// divideAt makes an arc start at the point of the outline nearest to q, and returns that point.
func divideAt(arcs []Arc, q r3.Vec2) ([]Arc, r3.Vec2) {
	e := Edge{From: arcs[0].From, Via: arcs[0].Via, Then: arcs[1:]}
	c := edgeCurve(&e, arcs[0].From)
	i, t, _ := c.nearest(q)
	// An end that is near already is taken as it is.
	const close = 1e-6
	switch {
	case t < close:
		return arcs, arcs[i].From
	case t > 1-close:
		return arcs, arcs[(i+1)%len(arcs)].From
	}
	left, right := c.parts[i].divide(t)
	out := append([]Arc{}, arcs[:i]...)
	out = append(out, left, right)
	return append(out, arcs[i+1:]...), right.From
}
