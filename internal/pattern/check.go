package pattern

import (
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/toile-sim/toile/internal/words"
)

// nameRule is what names of panels, edges and seams look like: groups are named after them.
var nameRule = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]*$`)

const nameHelp = "use letters, digits, - and _"

// checkNames looks at everything that can be judged without geometry.
func (m *maker) checkNames() {
	if !(m.size > 0) || math.IsInf(m.size, 1) {
		m.fault(Fault{}, "mesh size %g m: give a positive length", m.size)
	}
	if len(m.pattern.Panels) == 0 {
		m.fault(Fault{}, "the pattern has no panels")
	}
	m.index = make(map[string]int)
	for i := range m.pattern.Panels {
		p := &m.pattern.Panels[i]
		m.panels = append(m.panels, &ring{panel: p, edge: make(map[string]int)})
		switch j, taken := m.index[p.Name]; {
		case p.Name == "":
			m.fault(Fault{}, "panel %d of %d has no name; give it one", i+1, len(m.pattern.Panels))
		case !nameRule.MatchString(p.Name):
			m.fault(Fault{}, "panel name %q: %s", p.Name, nameHelp)
		case taken:
			m.fault(Fault{Panel: p.Name}, "panels %d and %d have the same name; give each its own", j+1, i+1)
		default:
			m.index[p.Name] = i
		}
		m.checkEdges(m.panels[i])
	}
	m.checkSeamNames()
}

func (m *maker) checkEdges(r *ring) {
	p := r.panel
	// edges: names and curves
	for e := range p.Edges {
		name := p.Edges[e].Name
		at := Fault{Panel: p.Name, Edge: edgeName(p, e)}
		if name != "" {
			if j, taken := r.edge[name]; taken {
				m.fault(at, "edges %d and %d of the panel have this name; give each its own", j+1, e+1)
			} else if !nameRule.MatchString(name) {
				m.fault(Fault{Panel: p.Name}, "edge name %q: %s", name, nameHelp)
			}
			r.edge[name] = e
		}
		for _, a := range p.Edges[e].arcs() {
			m.checkArc(at, a)
		}
	}
	// grain and place
	if !finite(p.Grain) {
		m.fault(Fault{Panel: p.Name}, "grain %g: give a finite angle", p.Grain)
	}
	m.checkPlace(p)
	// darts
	for i, d := range p.Darts {
		at := Fault{Panel: p.Name, Edge: dartName(p, i)}
		m.checkFeature(r, at, d.Edge, d.At, d.Width)
		if !d.Tip.Finite() {
			m.fault(at, "has its tip at %s; give finite numbers", showPoint(d.Tip))
		}
	}
	// pleats
	for i, f := range p.Pleats {
		at := Fault{Panel: p.Name, Edge: pleatName(p, i)}
		m.checkFeature(r, at, f.Edge, f.At, f.Depth)
		switch {
		case f.Count < 1 || f.Count > mostPleats:
			m.fault(at, "has %d folds; give a number from 1 to %d", f.Count, mostPleats)
		case f.Count > 1 && !(f.Every >= 2*f.Depth && finite(f.Every)):
			m.fault(
				at,
				"has a fold every %s, but a fold takes %s, twice its depth; put them further apart",
				millimetres(f.Every),
				millimetres(2*f.Depth),
			)
		}
	}
}

func (m *maker) checkArc(at Fault, a Arc) {
	if n := len(a.Via); n > 2 {
		m.fault(
			at,
			"has %d control points; a straight edge has none, a curved one 1 or 2: divide it into several arcs",
			n,
		)
	}
	if !a.From.Finite() {
		m.fault(at, "has the point %s; give finite numbers", showPoint(a.From))
	}
	for _, v := range a.Via {
		if !v.Finite() {
			m.fault(at, "has the control point %s; give finite numbers", showPoint(v))
		}
	}
}

// mostPleats bounds the number of folds of one pleat.
const mostPleats = 10000

// checkFeature looks at a dart or pleat.
func (m *maker) checkFeature(r *ring, at Fault, edge string, where, width float64) {
	if _, ok := r.edge[edge]; !ok || edge == "" {
		m.fault(at, "is on edge %q, which the panel does not have%s", edge, suggest(edge, edgeNames(r.panel)))
	}
	if !finite(where) || where < 0 {
		m.fault(
			at,
			"is at %s along its edge; give a distance from the start of the edge, not negative",
			millimetres(where),
		)
	}
	if !(width > 0) || !finite(width) {
		m.fault(at, "has the width or depth %s; give a positive length", millimetres(width))
	}
}

func (m *maker) checkPlace(p *Panel) {
	q := p.Place
	at := Fault{Panel: p.Name}
	if !q.At.Finite() || !q.Right.Finite() || !q.Up.Finite() || !finite(q.Wrap) {
		m.fault(
			at,
			"is placed at %s, right %s, up %s, wrap %g; give finite numbers",
			showVec(q.At),
			showVec(q.Right),
			showVec(q.Up),
			q.Wrap,
		)
		return
	}
	const tol = 1e-6
	right, up := q.axes()
	if math.Abs(right.Norm()-1) > tol || math.Abs(up.Norm()-1) > tol || math.Abs(right.Dot(up)) > tol {
		m.fault(
			at,
			"is placed with right %s and up %s; give unit vectors at right angles to each other",
			showVec(q.Right),
			showVec(q.Up),
		)
	}
}

func (m *maker) checkSeamNames() {
	names := make(map[string]int)
	used := make(map[EdgeRef]string)
	for i := range m.pattern.Seams {
		s := &m.pattern.Seams[i]
		switch j, taken := names[s.Name]; {
		case s.Name == "":
			m.fault(Fault{}, "seam %d, of %s and %s, has no name; give it one", i+1, chainName(s.A), chainName(s.B))
		case !nameRule.MatchString(s.Name):
			m.fault(Fault{}, "seam name %q: %s", s.Name, nameHelp)
		case taken:
			m.fault(Fault{Seam: s.Name}, "seams %d and %d have the same name; give each its own", j+1, i+1)
		default:
			names[s.Name] = i
		}
		if !(s.Ease >= 0) || !(s.Ease <= 10) {
			m.fault(Fault{Seam: s.Name}, "ease %g: give a fraction from 0 to 10; %g is usual", s.Ease, DefaultEase)
		}
		if len(s.A) == 0 || len(s.B) == 0 {
			m.fault(Fault{Seam: s.Name}, "has an empty side; list at least one edge for each")
		}
		for _, ref := range append(s.A[:len(s.A):len(s.A)], s.B...) {
			m.checkRef(s, ref, used)
		}
	}
}

func (m *maker) checkRef(s *Seam, ref EdgeRef, used map[EdgeRef]string) {
	at := Fault{Seam: s.Name, Panel: ref.Panel, Edge: "edge " + ref.Edge}
	i, ok := m.index[ref.Panel]
	if !ok {
		m.fault(at, "there is no panel %q%s", ref.Panel, suggest(ref.Panel, m.panelNames()))
		return
	}
	if _, ok := m.panels[i].edge[ref.Edge]; !ok {
		m.fault(at, "the panel has no edge %q%s", ref.Edge, suggest(ref.Edge, edgeNames(m.panels[i].panel)))
		return
	}
	switch other, taken := used[ref]; {
	case taken && other == s.Name:
		m.fault(
			at,
			"is sewn to itself or listed twice; to fold an edge onto itself, divide it in the middle into two edges",
		)
	case taken:
		m.fault(
			at,
			"is in seam %s already, and an edge can be sewn once only; divide the edge, or remove it from one of them",
			other,
		)
	}
	used[ref] = s.Name
}

func (m *maker) panelNames() []string {
	var out []string
	for i := range m.pattern.Panels {
		if name := m.pattern.Panels[i].Name; m.panels[i].panel.Name != "" && m.index[name] == i {
			out = append(out, name)
		}
	}
	return out
}

// suggest ends a message about an unknown name.
func suggest(word string, names []string) string {
	best, least := "", max(2, len(word)/2)+1
	for _, n := range names {
		if d := words.Distance(strings.ToLower(word), strings.ToLower(n)); d < least {
			best, least = n, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("; did you mean %q?", best)
	case len(names) == 0:
		return "; none has a name"
	case len(names) <= 24:
		return "; there is " + strings.Join(names, ", ")
	}
	return ""
}

func finite(x float64) bool { return x-x == 0 }
