package pattern

import (
	"cmp"
	"math"
	"slices"
)

// Cutting: each outline becomes a ring of pieces. A piece is a stretch of an edge that is sewn or free as a
// whole, half of a pleat, or one side of a dart.

// feature is a dart or pleat on an edge, as the stretch of the edge that it takes.
type feature struct {
	from, to float64
	name     string
	dart     *Dart // or nil
	depth    float64
}

// cut makes the pieces of all panels.
func (m *maker) cut() {
	for i, r := range m.panels {
		for e := range r.panel.Edges {
			m.cutEdge(i, e)
		}
	}
}

// cutEdge appends the pieces of an edge to its ring.
func (m *maker) cutEdge(i, e int) {
	// where darts and pleats are on the edge
	r := m.panels[i]
	c := r.curves[e]
	features := m.features(r, e)
	at := 0.0
	// pieces in the order of the edge
	add := func(role role, owner string, c *curve, from, to float64) *piece {
		p := &piece{panel: i, edge: e, role: role, owner: owner, curve: c, from: from, to: to}
		r.pieces = append(r.pieces, p)
		return p
	}
	// what is plain before each, and its two sides, which are sewn together
	for _, f := range features {
		if f.from-at > sliver*m.size {
			add(plain, edgeName(r.panel, e), c, at, f.from)
		}
		var a, b *piece
		if f.dart != nil {
			left, right := straight(c.at(f.from), f.dart.Tip), straight(f.dart.Tip, c.at(f.to))
			a = add(leg, f.name, left, 0, left.length())
			b = add(leg, f.name, right, 0, right.length())
		} else {
			a = add(folded, f.name, c, f.from, f.from+f.depth)
			b = add(folded, f.name, c, f.from+f.depth, f.to)
		}
		m.pairs = append(m.pairs, pair{a, b, true, -1})
		at = f.to
	}
	// the rest of the edge
	if c.length()-at > sliver*m.size || len(features) == 0 {
		add(plain, edgeName(r.panel, e), c, at, c.length())
	}
}

// sliver is the part of the mesh size below which a stretch between features is left out.
const sliver = 1e-6

// features returns the darts and pleats on an edge in order, after checking that they fit.
func (m *maker) features(r *ring, e int) []feature {
	// an edge without a name has none
	name, l := r.panel.Edges[e].Name, r.curves[e].length()
	if name == "" {
		return nil
	}
	// darts on this edge
	var out []feature
	for i := range r.panel.Darts {
		d := &r.panel.Darts[i]
		if d.Edge == name {
			out = append(
				out,
				feature{from: d.At - d.Width/2, to: d.At + d.Width/2, name: dartName(r.panel, i), dart: d},
			)
		}
	}
	// folds of pleats on it
	for i := range r.panel.Pleats {
		p := &r.panel.Pleats[i]
		if p.Edge != name {
			continue
		}
		for k := range p.Count {
			from := p.At + float64(k)*p.Every
			out = append(out, feature{from: from, to: from + 2*p.Depth, name: pleatName(r.panel, i), depth: p.Depth})
		}
	}
	// each fits on the edge, beside the one before
	slices.SortStableFunc(out, func(a, b feature) int { return cmp.Compare(a.from, b.from) })
	tol := 1e-9 * l
	for k := range out {
		f := &out[k]
		switch {
		case f.from < -tol || f.to > l+tol:
			m.fault(
				Fault{Panel: r.panel.Name, Edge: f.name},
				"takes the stretch from %s to %s of edge %s, which is only %s long; move it or make it smaller",
				millimetres(f.from),
				millimetres(f.to),
				name,
				millimetres(l),
			)
			return nil
		case k > 0 && f.from < out[k-1].to-tol:
			m.fault(
				Fault{Panel: r.panel.Name, Edge: f.name},
				"overlaps %s: one ends at %s, the other begins at %s; move them apart",
				out[k-1].name,
				millimetres(out[k-1].to),
				millimetres(f.from),
			)
			return nil
		}
		f.from, f.to = max(f.from, 0), min(f.to, l)
		if f.dart != nil {
			m.checkDart(r, e, f)
		}
	}
	return out
}

// unevenDart is how much the legs of a dart may differ in length, as a fraction.
const unevenDart = 0.1

func (m *maker) checkDart(r *ring, e int, f *feature) {
	c := r.curves[e]
	a, b := c.at(f.from), c.at(f.to)
	la, lb := a.Sub(f.dart.Tip).Norm(), b.Sub(f.dart.Tip).Norm()
	if short, long := min(la, lb), max(la, lb); long > short*(1+unevenDart) {
		m.fault(
			Fault{Panel: r.panel.Name, Edge: f.name},
			"has sides of %s and %s, which cannot be sewn together; put its tip opposite to the middle of its mouth",
			millimetres(la),
			millimetres(lb),
		)
		return
	}
	if b.Sub(a).Cross(f.dart.Tip.Sub(a)) <= 0 {
		m.fault(
			Fault{Panel: r.panel.Name, Edge: f.name},
			"has its tip outside the panel; the tip must lie to the left of edge %s",
			r.panel.Edges[e].Name,
		)
	}
}

// divide gives every piece its number of segments: seams first, whose two sides must agree, then the rest.
func (m *maker) divide() {
	for i := range m.seams {
		m.divideSeam(i)
	}
	for _, p := range m.pairs {
		n := max(1, int(math.Round((p.a.length()+p.b.length())/2/m.size)))
		p.a.segments, p.b.segments = n, n
	}
	for _, r := range m.panels {
		first := 0
		for _, p := range r.pieces {
			if p.segments == 0 {
				// Two at least: a single segment could fall together with that of another panel whose corners are
				// sewn to this one's.
				p.segments = max(2, int(math.Round(p.length()/m.size)))
			}
			p.first = first
			first += p.segments
		}
	}
}
