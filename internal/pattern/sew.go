package pattern

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/polygon"
	"github.com/toile-sim/toile/r3"
)

// turn finds out which panels are turned over: those reached through an odd number of reversed seams.
func (m *maker) turn() {
	n := len(m.panels)
	// panels that seams join, and whether these are reversed
	m.flip = make([]bool, n)
	type joint struct {
		to   int
		odd  bool
		seam int
	}
	joints := make([][]joint, n)
	for i := range m.seams {
		w := &m.seams[i]
		for _, p := range m.pairs {
			if p.seam != i {
				continue
			}
			joints[p.a.panel] = append(joints[p.a.panel], joint{p.b.panel, w.seam.Reversed, i})
			joints[p.b.panel] = append(joints[p.b.panel], joint{p.a.panel, w.seam.Reversed, i})
		}
	}
	// from each panel that is not reached yet, along seams to its neighbours
	seen := make([]bool, n)
	for root := range n {
		if seen[root] {
			continue
		}
		seen[root] = true
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			i := queue[0]
			for _, j := range joints[i] {
				turned := m.flip[i] != j.odd
				if !seen[j.to] {
					seen[j.to], m.flip[j.to] = true, turned
					queue = append(queue, j.to)
				} else if m.flip[j.to] != turned && i <= j.to {
					// a panel that is reached in both ways is on both sides
					s := m.seams[j.seam].seam
					m.fault(
						Fault{Seam: s.Name},
						"sewing %s to %s makes the garment one-sided, like a twisted ring; change reversed of this seam or of another between these panels",
						chainName(s.A),
						chainName(s.B),
					)
				}
			}
		}
	}
}

// place checks the direction of seams against where the panels hang. The sides of a seam run the wrong way if the other
// way round they are nearer to each other and much more alike, apart from a shift.
func (m *maker) place() {
	// seams between panels that are placed
	for i := range m.seams {
		w := &m.seams[i]
		if !m.hung(w) {
			continue
		}
		// how far their sides are apart, and how unlike, as they are and the other way round
		a, b := m.seamPoints(w, 0), m.seamPoints(w, 1)
		apart, unlike := compare(a, b)
		slices.Reverse(b)
		apartOther, unlikeOther := compare(a, b)
		if apart > nearer*apartOther && unlike > alike*unlikeOther && unlike > m.size {
			s := w.seam
			m.fault(
				Fault{Seam: s.Name},
				"%s and %s run the wrong way along each other: as placed they are %s apart on average, but %s the other way round; one panel is placed inside out, or else its outline is drawn from the inside: set reversed",
				chainName(s.A),
				chainName(s.B),
				millimetres(apart),
				millimetres(apartOther),
			)
		}
	}
	// without such faults, panels that are inside out
	if len(m.faults) == 0 {
		for i := range m.panels {
			m.checkSides(i)
		}
	}
}

// checkSides looks for a panel that hangs inside out: its seams would be much shorter if left and right of it were
// turned round.
func (m *maker) checkSides(panel int) {
	// a panel that is not placed
	p := m.panels[panel].panel
	if p.Place == (Place{}) {
		return
	}
	// the panel turned round about its middle
	box := p.Box()
	right, _ := p.Place.axes()
	middle := p.Place.Point(box[0].Add(box[1]).Scale(0.5))
	// seams between single edges, as they are and turned round
	here, mirrored, n := 0.0, 0.0, 0
	for i := range m.seams {
		w := &m.seams[i]
		if !m.hung(w) || len(w.side[0].edges) > 1 || len(w.side[1].edges) > 1 {
			continue
		}
		for side := range w.side {
			if w.side[side].edges[0].panel != panel {
				continue
			}
			a, b := m.seamPoints(w, side), m.seamPoints(w, 1-side)
			for k, q := range a {
				here += q.Sub(b[k]).Norm()
				mirrored += q.AddScaled(-2*q.Sub(middle).Dot(right), right).Sub(b[k]).Norm()
			}
			n += len(a)
		}
	}
	// much nearer if turned round
	if n > 0 && here > insideOut*mirrored && here-mirrored > m.size*float64(n) {
		m.fault(
			Fault{Panel: p.Name},
			"is placed inside out: its seams are %s apart on average, and would be %s with left and right turned round; let its outside look the other way",
			millimetres(here/float64(n)),
			millimetres(mirrored/float64(n)),
		)
	}
}

// insideOut is how much longer the seams of a panel are than with left and right turned round when that is no accident.
const insideOut = 1.25

const (
	nearer = 1.1 // how much further apart the sides of a seam are than the other way round when that is no accident
	alike  = 2.0 // how much more they differ
)

// hung reports whether the seam joins different panels, all with places of their own.
func (m *maker) hung(w *sewing) bool {
	several := false
	for k := range w.side {
		for _, e := range w.side[k].edges {
			if m.panels[e.panel].panel.Place == (Place{}) {
				return false
			}
			several = several || e.panel != w.side[0].edges[0].panel
		}
	}
	return several
}

// compare returns the mean distance of points, and how much they differ when the mean shift is taken off.
func compare(a, b []r3.Vec) (apart, unlike float64) {
	var shift r3.Vec
	n := float64(len(a))
	for k := range a {
		d := a[k].Sub(b[k])
		apart += d.Norm() / n
		shift = shift.AddScaled(1/n, d)
	}
	for k := range a {
		unlike += a[k].Sub(b[k]).Sub(shift).Norm2() / n
	}
	return apart, math.Sqrt(unlike)
}

// seamPoints returns places along one side of a seam, in the order in which side A runs.
func (m *maker) seamPoints(w *sewing, side int) []r3.Vec {
	const n = 16
	c := &w.side[side]
	backwards := side == 1 && !w.seam.Reversed
	out := make([]r3.Vec, 0, n+1)
	for k := range n + 1 {
		s := c.length * float64(k) / n
		i := 0
		for i < len(c.pieces)-1 && s > c.pieces[i].length() {
			s -= c.pieces[i].length()
			i++
		}
		p := c.pieces[i]
		at := p.from + s
		if backwards {
			at = p.to - s
		}
		out = append(out, m.panels[p.panel].panel.Place.Point(p.curve.at(at)))
	}
	return out
}

// meshPanels meshes the panels one after the other.
func (m *maker) meshPanels() {
	f := &m.flat
	for i, r := range m.panels {
		border, _ := r.border()
		at, tri, ok := polygon.Fill([][]r3.Vec2{border}, m.size)
		if !ok {
			m.fault(
				Fault{Panel: r.panel.Name},
				"cannot be meshed at a size of %s: points of its outline, from %s on, are too near to each other; choose a smaller size",
				millimetres(m.size),
				edgeName(r.panel, 0),
			)
			continue
		}
		first := int32(len(f.at))
		f.first = append(f.first, first)
		f.border = append(f.border, int32(len(border)))
		f.at = append(f.at, at...)
		for range at {
			f.panel = append(f.panel, int32(i))
		}
		for _, t := range tri {
			f.tri = append(f.tri, [3]int32{t[0] + first, t[1] + first, t[2] + first})
		}
	}
}

// vertex returns the flat vertex at point k of a piece.
func (m *maker) vertex(p *piece, k int) int32 {
	return m.flat.first[p.panel] + int32((p.first+k)%int(m.flat.border[p.panel]))
}

// sew makes the stitches, merges what they join and builds the meshes.
func (m *maker) sew() {
	g := &m.out
	for _, p := range m.pairs {
		for k := range p.a.segments + 1 {
			j := k
			if p.opposed {
				j = p.b.segments - k
			}
			if a, b := m.vertex(p.a, k), m.vertex(p.b, j); a != b {
				g.Stitches = append(g.Stitches, [2]int32{a, b})
				g.Seam = append(g.Seam, int32(p.seam))
			}
		}
	}
	m.merge = merged(len(m.flat.at), g.Stitches)
	m.checkJoints()
}

// merged numbers the vertices that stitches leave, in the order of their first.
func merged(n int, stitches [][2]int32) []int32 {
	groups := lists.NewGroups(n)
	for _, s := range stitches {
		groups.Join(s[:]...)
	}
	out, count := make([]int32, n), int32(0)
	for v := range out {
		if r := groups.Of(int32(v)); r == int32(v) {
			out[v] = count
			count++
		} else {
			out[v] = out[r]
		}
	}
	return out
}

// checkJoints looks for outlines that sewing brings together without a seam.
func (m *maker) checkJoints() {
	type segment struct {
		p     *piece
		panel int
	}
	// segments of outlines by their ends in the garment, and pieces that are sewn together
	seen := make(map[[2]int32][]segment)
	partner := make(map[[2]*piece]bool)
	for _, p := range m.pairs {
		partner[[2]*piece{p.a, p.b}], partner[[2]*piece{p.b, p.a}] = true, true
	}
	for i, r := range m.panels {
		for _, p := range r.pieces {
			for k := range p.segments {
				a, b := m.merge[m.vertex(p, k)], m.merge[m.vertex(p, k+1)]
				at := Fault{Panel: r.panel.Name, Edge: p.owner}
				// a segment that sewing closes
				if a == b {
					m.fault(
						at,
						"is closed by the seams at both of its ends and has only one segment; choose a smaller mesh size",
					)
					return
				}
				// segments with the same ends need a seam between them
				key := [2]int32{min(a, b), max(a, b)}
				for _, s := range seen[key] {
					if !partner[[2]*piece{p, s.p}] || len(seen[key]) > 1 {
						m.fault(
							at,
							"comes to lie on %s of panel %s when their ends are sewn, without a seam between them; choose a smaller mesh size, or check the seams at their ends",
							s.p.owner,
							m.panels[s.panel].panel.Name,
						)
						return
					}
				}
				seen[key] = append(seen[key], segment{p, i})
			}
		}
	}
}
