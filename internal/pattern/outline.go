package pattern

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

const (
	// mostVertices bounds a garment.
	mostVertices = 2_000_000
	// leastWidth is the least mean width of a panel over the mesh size: twice its area over its perimeter.
	leastWidth = 0.5
	// leastEdge is the least length of an edge over the mesh size.
	leastEdge = 0.25
	// coarse is how many points stand for a curve when its outline is judged.
	coarse = 32
)

// checkPanels looks at the outlines as drawn.
func (m *maker) checkPanels() {
	total := 0.0
	// each panel by itself
	for _, r := range m.panels {
		p := r.panel
		if len(p.Edges) == 0 {
			m.fault(Fault{Panel: p.Name}, "has no edges; give its outline")
			continue
		}
		// curves of its edges, and their lengths
		for e := range p.Edges {
			r.curves = append(r.curves, edgeCurve(&p.Edges[e], p.Edges[(e+1)%len(p.Edges)].From))
		}
		before := len(m.faults)
		for e, c := range r.curves {
			switch l := c.length(); {
			case !finite(l):
				m.fault(Fault{Panel: p.Name, Edge: edgeName(p, e)}, "is too long to measure; check the unit of length")
			case l == 0:
				m.fault(
					Fault{Panel: p.Name, Edge: edgeName(p, e)},
					"has no length: it ends where it starts, at %s; remove it",
					showPoint(p.Edges[e].From),
				)
			}
		}
		if len(m.faults) > before {
			continue
		}
		// its shape, if every edge has a length
		total += m.checkShape(r)
	}
	// all panels together
	if total > mostVertices {
		m.fault(
			Fault{},
			"a mesh size of %s gives about %.3g vertices, more than %d; choose a larger size",
			millimetres(m.size),
			total,
			mostVertices,
		)
	}
}

// checkShape judges one outline and returns about how many vertices its panel gets.
func (m *maker) checkShape(r *ring) float64 {
	p := r.panel
	// the outline as a polygon, each point with its edge
	var at []r3.Vec2
	var owner []string
	perimeter := 0.0
	for e, c := range r.curves {
		for _, b := range c.parts {
			n := 1
			if b.cum != nil {
				n = coarse
			}
			for i := range n {
				at = append(at, b.at(b.length()*float64(i)/float64(n)))
				owner = append(owner, edgeName(p, e))
			}
		}
		perimeter += c.length()
	}
	// what crosses itself has no area to judge
	if m.crossed(p, at, owner) {
		return 0
	}
	// area, direction and width, as far as the mesh needs them
	area := signedArea(at)
	width := 2 * math.Abs(area) / perimeter
	switch {
	case width <= 1e-9*perimeter:
		m.fault(
			Fault{Panel: p.Name},
			"has no area: its %d edges lie on one line; check the points of %s",
			len(p.Edges),
			edgeName(p, 0),
		)
	case area < 0:
		m.fault(
			Fault{Panel: p.Name},
			"runs clockwise, from %s on; list its edges in the other order, counter-clockwise seen from the outside of the garment",
			edgeName(p, 0),
		)
	case width < leastWidth*m.size:
		m.fault(
			Fault{Panel: p.Name},
			"is too small for the mesh size of %s: it is about %s wide; choose a size of %s or less",
			millimetres(m.size),
			millimetres(width),
			millimetres(roundDown(width/leastWidth)),
		)
	default:
		for e, c := range r.curves {
			if l := c.length(); l < leastEdge*m.size {
				m.fault(
					Fault{Panel: p.Name, Edge: edgeName(p, e)},
					"is only %s long, too short for the mesh size of %s; join it with its neighbour or choose a size of %s or less",
					millimetres(l),
					millimetres(m.size),
					millimetres(roundDown(l/leastEdge)),
				)
			}
		}
	}
	// a panel may go around once at most
	if k := math.Abs(p.Place.Wrap); k > 0 {
		low, high := math.Inf(1), math.Inf(-1)
		for _, q := range at {
			low, high = min(low, q.X), max(high, q.X)
		}
		if turn := k * (high - low); turn > 2*math.Pi {
			m.fault(
				Fault{Panel: p.Name},
				"is wrapped %.3g times around; it is %s wide, so the radius that it is wrapped around must be at least %s",
				turn/(2*math.Pi),
				millimetres(high-low),
				millimetres((high-low)/(2*math.Pi)),
			)
		}
	}
	// vertices of a mesh of this size
	return math.Abs(area)/(m.size*m.size*math.Sqrt(3)/2) + perimeter/m.size
}

// roundDown keeps two digits, so that a size that is suggested will do.
func roundDown(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Floor(x/unit) * unit
}

func signedArea(at []r3.Vec2) float64 {
	sum := 0.0
	for i, p := range at {
		// Relative to the first point, so that a panel far from the origin loses nothing.
		sum += p.Sub(at[0]).Cross(at[(i+1)%len(at)].Sub(at[0]))
	}
	return sum / 2
}

// checkOutlines looks for crossings of the outlines as they will be meshed, darts included.
func (m *maker) checkOutlines() {
	for _, r := range m.panels {
		at, owner := r.border()
		m.crossed(r.panel, at, owner)
	}
}

// border returns the points of the ring, and what the segment from each to the next belongs to.
func (r *ring) border() (at []r3.Vec2, owner []string) {
	for _, p := range r.pieces {
		at = append(at, p.points()...)
		for range p.segments {
			owner = append(owner, p.owner)
		}
	}
	return at, owner
}

// crossed reports the first segments of a closed outline that cross or touch, with a fault.
func (m *maker) crossed(p *Panel, at []r3.Vec2, owner []string) bool {
	n := len(at)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	low := func(i int) float64 { return min(at[i].X, at[(i+1)%n].X) }
	high := func(i int) float64 { return max(at[i].X, at[(i+1)%n].X) }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(low(i), low(j)) })
	for a, i := range order {
		for _, j := range order[a+1:] {
			if low(j) > high(i) {
				break
			}
			if first, second := min(i, j), max(i, j); touch(at, first, second) {
				m.reportCrossing(p, at, owner, first, second)
				return true
			}
		}
	}
	return false
}

func (m *maker) reportCrossing(p *Panel, at []r3.Vec2, owner []string, i, j int) {
	where := at[i].Add(at[(i+1)%len(at)]).Scale(0.5)
	f := Fault{Panel: p.Name, Edge: owner[i]}
	if owner[i] == owner[j] {
		m.fault(f, "crosses or touches itself near %s; an outline may not touch itself", showPoint(where))
		return
	}
	m.fault(
		f,
		"crosses or touches %s near %s; an outline may not cross itself, and darts must stay inside and apart: move one of them",
		owner[j],
		showPoint(where),
	)
}

// touch reports whether segments i < j of a closed outline share a point, other than the one that neighbours have
// in common.
func touch(at []r3.Vec2, i, j int) bool {
	n := len(at)
	a, b, c, d := at[i], at[(i+1)%n], at[j], at[(j+1)%n]
	next := j == i+1
	before := (j+1)%n == i
	switch {
	case n == 2:
		return false
	case next || before:
		if next && before {
			return false
		}
		// Neighbours touch elsewhere only if one lies on the other.
		if before {
			a, b, d = c, d, b
		}
		return geom.Orient2(a, b, d) == 0 && b.Sub(a).Dot(d.Sub(b)) < 0
	}
	o1, o2 := geom.Orient2(a, b, c), geom.Orient2(a, b, d)
	o3, o4 := geom.Orient2(c, d, a), geom.Orient2(c, d, b)
	if o1*o2 < 0 && o3*o4 < 0 {
		return true
	}
	return o1 == 0 && onSegment(a, b, c) || o2 == 0 && onSegment(a, b, d) || o3 == 0 && onSegment(c, d, a) ||
		o4 == 0 && onSegment(c, d, b)
}

// onSegment reports whether q, on the line ab, lies between a and b.
func onSegment(a, b, q r3.Vec2) bool {
	return min(a.X, b.X) <= q.X && q.X <= max(a.X, b.X) && min(a.Y, b.Y) <= q.Y && q.Y <= max(a.Y, b.Y)
}
