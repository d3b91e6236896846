package pattern

import (
	"math"
	"slices"
)

// Seams: the two chains of a seam are brought to the same number of pieces, and the pieces that meet to the same
// number of segments.
//
//	u ∈ [0, 1] is the length along a chain over its whole length, counted on B from its other end unless
//	the seam is reversed.
//
// Ends of pieces at about the same u of both chains meet; an end without a partner is carried over: the other
// chain is divided there, too. Between ends that meet, u of one chain is a linear function of u of the other,
// so the order of points is never changed.
//
// A chain may go on from one panel to another: at the end of the one and the start of the other it has a vertex of
// its partner in common. Every stitch is at the end of a segment that is sewn, so the triangles around a sewn vertex
// always hang together.

// meet is how far apart ends of pieces may be to be brought together, as a fraction of the mesh size.
const meet = 0.3

func (m *maker) checkSeams() {
	for i := range m.pattern.Seams {
		s := &m.pattern.Seams[i]
		var w sewing
		w.seam = s
		for k, refs := range [2][]EdgeRef{s.A, s.B} {
			w.side[k] = m.chainOf(refs)
		}
		if !s.Reversed {
			slices.Reverse(w.side[1].pieces)
		}
		m.seams = append(m.seams, w)
		m.checkLengths(&w)
		m.checkChain(s, &w.side[0])
		m.checkChain(s, &w.side[1])
	}
}

func (m *maker) chainOf(refs []EdgeRef) chain {
	var c chain
	for _, ref := range refs {
		at := m.find(ref)
		c.edges = append(c.edges, at)
		for _, p := range m.panels[at.panel].pieces {
			if p.edge == at.edge && p.role == plain {
				c.pieces = append(c.pieces, p)
				c.length += p.length()
			}
		}
	}
	return c
}

func (m *maker) find(ref EdgeRef) edgeAt {
	i := m.index[ref.Panel]
	return edgeAt{i, m.panels[i].edge[ref.Edge]}
}

func (m *maker) checkLengths(w *sewing) {
	a, b := &w.side[0], &w.side[1]
	for k, c := range []*chain{a, b} {
		if len(c.pieces) == 0 {
			r := [2][]EdgeRef{w.seam.A, w.seam.B}[k]
			m.fault(
				Fault{Seam: w.seam.Name, Panel: r[0].Panel, Edge: "edge " + r[0].Edge},
				"nothing is left to sew once darts and pleats are taken; make them smaller",
			)
			return
		}
	}
	short, long := min(a.length, b.length), max(a.length, b.length)
	// Sides that were drawn as long as each other differ by rounding and by the measuring of curves.
	const measured = 1e-4
	if excess := long/short - 1; excess > w.seam.Ease+measured {
		m.fault(
			Fault{Seam: w.seam.Name},
			"%s is %s long but %s is %s, %.3g %% more than the other where the ease allows %.3g %%; change an edge, add a pleat or dart, or allow ease: %.2g",
			chainName(
				w.seam.A,
			),
			millimetres(a.length),
			chainName(w.seam.B),
			millimetres(b.length),
			100*excess,
			100*w.seam.Ease,
			math.Ceil(excess*1000)/1000,
		)
	}
}

// checkChain looks for gaps between edges of one panel.
func (m *maker) checkChain(s *Seam, c *chain) {
	for k := 1; k < len(c.edges); k++ {
		p, q := c.edges[k-1], c.edges[k]
		if p.panel != q.panel {
			continue
		}
		r := m.panels[p.panel]
		if n := len(r.panel.Edges); (p.edge+1)%n != q.edge {
			f := Fault{Seam: s.Name, Panel: r.panel.Name, Edge: edgeName(r.panel, q.edge)}
			if (q.edge+1)%n == p.edge {
				m.fault(
					f,
					"comes before %s on the outline; list the edges of a chain in the direction of the outline, counter-clockwise",
					edgeName(r.panel, p.edge),
				)
			} else {
				m.fault(
					f,
					"does not begin where %s ends; a chain is edges one after the other: make two seams, or list the edge in between",
					edgeName(r.panel, p.edge),
				)
			}
		}
	}
}

// divideSeam brings both sides of a seam to the same pieces and pairs them.
func (m *maker) divideSeam(i int) {
	w := &m.seams[i]
	a, b := w.side[0].ends(), w.side[1].ends()
	tol := meet * m.size / max(w.side[0].length, w.side[1].length)
	ua, ub := partners(a, b, tol)
	m.split(&w.side[0], ua, false)
	m.split(&w.side[1], ub, !w.seam.Reversed)
	for k, p := range w.side[0].pieces {
		m.pairs = append(m.pairs, pair{p, w.side[1].pieces[k], !w.seam.Reversed, i})
	}
}

// ends returns u of the ends of the pieces of a chain, without 0 and 1.
func (c *chain) ends() []float64 {
	var out []float64
	at := 0.0
	for _, p := range c.pieces[:len(c.pieces)-1] {
		at += p.length()
		out = append(out, at/c.length)
	}
	return out
}

// partners returns the common ends of both chains, as u of a and as u of b.
func partners(a, b []float64, tol float64) (ua, ub []float64) {
	type end struct {
		u    [2]float64
		have [2]bool
	}
	ends := []end{{have: [2]bool{true, true}}}
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && math.Abs(a[0]-b[0]) <= tol:
			ends = append(ends, end{[2]float64{a[0], b[0]}, [2]bool{true, true}})
			a, b = a[1:], b[1:]
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			ends = append(ends, end{u: [2]float64{0: a[0]}, have: [2]bool{0: true}})
			a = a[1:]
		default:
			ends = append(ends, end{u: [2]float64{1: b[0]}, have: [2]bool{1: true}})
			b = b[1:]
		}
	}
	ends = append(ends, end{[2]float64{1, 1}, [2]bool{true, true}})
	last := 0
	for k := 1; k < len(ends)-1; k++ {
		e := &ends[k]
		if e.have[0] && e.have[1] {
			last = k
			continue
		}
		next := k + 1
		for !ends[next].have[0] || !ends[next].have[1] {
			next++
		}
		from, to := 0, 1 // carried from side to side
		if e.have[1] {
			from, to = 1, 0
		}
		p, q := &ends[last], &ends[next]
		f := (e.u[from] - p.u[from]) / (q.u[from] - p.u[from])
		e.u[to] = p.u[to] + f*(q.u[to]-p.u[to])
	}
	for _, e := range ends[1 : len(ends)-1] {
		ua, ub = append(ua, e.u[0]), append(ub, e.u[1])
	}
	return ua, ub
}

// split divides the pieces of a chain so that they end at each u. A chain that is walked backwards, against its
// outline, meets its pieces from their far ends.
func (m *maker) split(c *chain, u []float64, backwards bool) {
	var out []*piece
	before := 0.0
	eps := 1e-9 * c.length
	for _, p := range c.pieces {
		l := p.length()
		var cuts []float64 // arc lengths on the curve, in the order of the walk
		for ; len(u) > 0 && u[0]*c.length < before+l+eps; u = u[1:] {
			d := u[0]*c.length - before
			if d <= eps || d >= l-eps {
				continue // the end of a piece is there already
			}
			if backwards {
				cuts = append(cuts, p.to-d)
			} else {
				cuts = append(cuts, p.from+d)
			}
		}
		out = append(out, m.splitPiece(p, cuts, backwards)...)
		before += l
	}
	c.pieces = out
}

// splitPiece cuts a piece and returns its parts in the order of the walk.
func (m *maker) splitPiece(p *piece, cuts []float64, backwards bool) []*piece {
	parts := make([]*piece, 0, len(cuts)+1)
	rest := *p
	for _, s := range cuts {
		part := rest
		if backwards {
			part.from, rest.to = s, s
		} else {
			part.to, rest.from = s, s
		}
		parts = append(parts, &part)
	}
	parts = append(parts, &rest)
	outline := slices.Clone(parts)
	if backwards {
		slices.Reverse(outline)
	}
	r := m.panels[p.panel]
	at := slices.Index(r.pieces, p)
	r.pieces = slices.Replace(r.pieces, at, at+1, outline...)
	return parts
}
