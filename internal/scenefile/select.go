package scenefile

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Pick returns the vertices of a selection, ascending. A selection of nothing is a fault.
func (s *Select) Pick(sh *Sheet, faults *Found) []int32 {
	var out []int32
	// words
	switch {
	case s.Word == "corners":
		out = shape.Corners(sh.Mesh)
	case s.Word == "boundary":
		out = shape.Boundary(sh.Mesh)
	case s.Word == "all":
		out = where(sh.X, func(r3.Vec) bool { return true })
	// vertices in a box or a sphere
	case s.Box != nil:
		box := r3.Box{Min: s.Box.Min.R3(), Max: s.Box.Max.R3()}
		out = where(sh.X, box.Contains)
	case s.Sphere != nil:
		center, r2 := s.Sphere.Center.R3(), s.Sphere.Radius*s.Sphere.Radius
		out = where(sh.X, func(x r3.Vec) bool { return x.Sub(center).Norm2() <= r2 })
	// vertices where the paint is strong enough
	case s.Map != "":
		values := s.source.paint(sh).vertices()
		for v, value := range values {
			if value > s.above() {
				out = append(out, int32(v))
			}
		}
	// named, nearest or numbered vertices
	case s.Group != "":
		return s.pickGroup(sh, faults)
	case s.Near != nil:
		out = []int32{Closest(sh.X, s.Near.R3())}
	default:
		return s.pickIDs(sh, faults)
	}
	// nothing found is most likely a mistake
	if len(out) == 0 {
		faults.Add(s.Fault("", "select finds no vertex%s", s.hint(sh)))
	}
	return out
}

// above returns the value of the map beyond which vertices are selected.
func (s *Select) above() float64 {
	if s.Above == nil {
		return 0.5
	}
	return *s.Above
}

// hint says what would have been found.
func (s *Select) hint(sh *Sheet) string {
	switch {
	case s.Word != "":
		return ": the mesh has no " + s.Word
	case s.Map != "":
		values := s.source.paint(sh).vertices()
		return fmt.Sprintf(
			": the map is %.3g at most at a vertex, which is not above %g",
			slices.Max(values),
			s.above(),
		)
	case s.Box != nil || s.Sphere != nil:
		b := r3.BoxOf(sh.X)
		return ": it starts between " + ShowVec(b.Min) + " and " + ShowVec(b.Max)
	}
	return ""
}

func (s *Select) pickGroup(sh *Sheet, faults *Found) []int32 {
	var names []string
	for _, g := range sh.Groups {
		if g.Name == s.Group && len(g.Vertices) > 0 {
			return g.Vertices
		}
		names = append(names, g.Name)
	}
	hint := suggestion(s.Group, names)
	if len(names) == 0 {
		hint = "; the mesh has no groups"
	}
	faults.Add(s.Fault("group", "unknown group %s%s", shown(s.Group), hint))
	return nil
}

func (s *Select) pickIDs(sh *Sheet, faults *Found) []int32 {
	out := make([]int32, 0, len(s.IDs))
	for _, id := range s.IDs {
		if id >= len(sh.X) {
			faults.Add(s.Fault("ids", "ids has %d, but the vertices are numbered from 0 to %d", id, len(sh.X)-1))
			return nil
		}
		out = append(out, int32(id))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func where(x []r3.Vec, in func(r3.Vec) bool) []int32 {
	var out []int32
	for i, p := range x {
		if in(p) {
			out = append(out, int32(i))
		}
	}
	return out
}

// Closest returns the first of the points nearest to p.
func Closest(x []r3.Vec, p r3.Vec) int32 {
	best := 0
	for i := range x {
		if x[i].Sub(p).Norm2() < x[best].Sub(p).Norm2() {
			best = i
		}
	}
	return int32(best)
}
