package storm

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Finding is what the referee saw of two things in a frame, or of one and itself.
type Finding struct {
	Frame int     `json:"frame"`
	A     string  `json:"a"`
	B     string  `json:"b"`
	What  string  `json:"what"`  // in words
	Count int     `json:"count"` // triangles or vertices
	Depth float64 `json:"depth"` // the largest [m]
	Told  bool    `json:"told"`  // the run reports crossings in that frame
}

func (f *Finding) String() string {
	told := "unreported"
	if f.Told {
		told = "reported"
	}
	return fmt.Sprintf("frame %d: %s, %s: %d %s, up to %.3g mm deep, %s", f.Frame, f.A, f.B, f.Count, f.What, 1e3*f.Depth, told)
}

// judge collects what it finds in one frame, a finding for each pair of things and kind.
type judge struct {
	c     *scenery
	found []Finding
}

// judge returns what crosses, and what is inside something else.
func (c *scenery) judge(frame int) []Finding {
	j := judge{c: c}
	j.triangles()
	for a := range c.things {
		for b := range c.things {
			if a != b && c.meet(a, b) {
				j.pair(a, b)
			}
		}
	}
	for i := range j.found {
		j.found[i].Frame = frame
	}
	return j.found
}

// meet reports whether two things, or one and itself, must not cross.
func (c *scenery) meet(a, b int) bool {
	s, t := &c.things[a], &c.things[b]
	if a == b {
		return s.soft
	}
	return !(s.fixed && t.fixed) && !c.apart[[2]string{s.name, t.name}]
}

// add counts what things a and b do.
func (j *judge) add(a, b int, what string, depth float64) {
	s, t := j.c.things[a].name, j.c.things[b].name
	for i := range j.found {
		if f := &j.found[i]; f.What == what && (f.A == s && f.B == t || f.A == t && f.B == s) {
			f.Count, f.Depth = f.Count+1, max(f.Depth, depth)
			return
		}
	}
	j.found = append(j.found, Finding{A: s, B: t, What: what, Count: 1, Depth: depth})
}

// crossed reports whether triangles of a and b were found to cross.
func (j *judge) crossed(a, b int) bool {
	s, t := j.c.things[a].name, j.c.things[b].name
	return slices.ContainsFunc(j.found, func(f Finding) bool { return f.A == s && f.B == t || f.A == t && f.B == s })
}

// pair judges what is not about two triangles. It is called for a, b and for b, a.
func (j *judge) pair(a, b int) {
	s, t := &j.c.things[a], &j.c.things[b]
	switch {
	case s.tri != nil && t.tri != nil:
		if !s.loose && !t.loose {
			j.within(a, b)
		}
	case s.tri != nil && t.rod != nil:
		j.aroundRod(a, b)
	case s.tri != nil && t.convex != nil:
		j.intoConvex(a, b)
	case s.rod != nil && t.rod != nil && a < b:
		if d := s.rod.radius + t.rod.radius - segments(s.rod.ends[0], s.rod.ends[1], t.rod.ends[0], t.rod.ends[1]); d > Depth {
			j.add(a, b, "rods cross", d)
		}
	case s.rod != nil && t.convex != nil:
		if d := s.rod.radius - t.convex.toSegment(s.rod.ends[0], s.rod.ends[1]); d > Depth {
			j.add(a, b, "rods inside", d)
		}
	}
}

// within finds parts of a that are wholly inside b. What is inside in part has triangles that cross.
func (j *judge) within(a, b int) {
	s, t := &j.c.things[a], &j.c.things[b]
	if !t.closed || j.crossed(a, b) {
		return
	}
	box := r3.BoxOf(t.x)
	for _, part := range parts(len(s.x), s.tri) {
		for _, v := range part {
			p := s.x[v]
			if !box.Contains(p) {
				break // this one is outside, and with it the part
			}
			if fromSurface(p, t.x, t.tri) <= Depth {
				continue // it touches; another one knows
			}
			if math.Abs(winding(p, t.x, t.tri)) > 0.5 {
				depth := 0.0
				for _, v := range part {
					depth = max(depth, fromSurface(s.x[v], t.x, t.tri))
				}
				j.add(a, b, "parts inside", depth)
			}
			break
		}
	}
}

// aroundRod finds triangles of a in the rod b, and the rod in what a encloses.
func (j *judge) aroundRod(a, b int) {
	s, r := &j.c.things[a], j.c.things[b].rod
	box, near := r.box(), false
	for _, t := range s.tri {
		c := corners(s.x, t)
		if around := r3.BoxOf(c[:]); !around.Overlaps(&box) {
			continue
		}
		if d := r.radius - segmentTriangle(r.ends[0], r.ends[1], c); d > Depth {
			j.add(a, b, "triangles inside", d)
			near = true
		}
	}
	if s.closed && !near && r3.BoxOf(s.x).Contains(r.ends[0]) && math.Abs(winding(r.ends[0], s.x, s.tri)) > 0.5 {
		j.add(b, a, "rods inside", r.radius+fromSurface(r.ends[0], s.x, s.tri))
	}
}

// intoConvex finds triangles of a in the shape b.
func (j *judge) intoConvex(a, b int) {
	s, k := &j.c.things[a], j.c.things[b].convex
	centre, radius := k.sphere()
	for _, t := range s.tri {
		c := corners(s.x, t)
		if around := r3.BoxOf(c[:]); centre.Sub(around.Center()).Norm() > radius+around.Size().Norm() {
			continue
		}
		if d := -k.toTriangle(c); d > Depth {
			j.add(a, b, "triangles inside", d)
		}
	}
}

// leaf is a triangle on its way through the sweep.
type leaf struct {
	box   r3.Box
	thing int
	tri   [3]int32
}

// triangles finds those that cross, by a sweep along x.
func (j *judge) triangles() {
	var all []leaf
	for i := range j.c.things {
		t := &j.c.things[i]
		for _, v := range t.tri {
			c := corners(t.x, v)
			all = append(all, leaf{r3.BoxOf(c[:]), i, v})
		}
	}
	slices.SortStableFunc(all, func(a, b leaf) int { return cmp.Compare(a.box.Min.X, b.box.Min.X) })
	// Those that the sweep has reached and not left, of bodies and of obstacles.
	var open [2][]*leaf
	for i := range all {
		l := &all[i]
		kind := 0
		if j.c.things[l.thing].fixed {
			kind = 1
		}
		for k := range open {
			if k == 1 && kind == 1 {
				continue
			}
			open[k] = slices.DeleteFunc(open[k], func(m *leaf) bool { return m.box.Max.X < l.box.Min.X })
			for _, m := range open[k] {
				if l.box.Overlaps(&m.box) {
					j.two(l, m)
				}
			}
		}
		open[kind] = append(open[kind], l)
	}
}

// two judges two triangles.
func (j *judge) two(l, m *leaf) {
	s, t := &j.c.things[l.thing], &j.c.things[m.thing]
	if !j.c.meet(l.thing, m.thing) || l.thing != m.thing && (s.loose || t.loose) {
		return
	}
	if l.thing == m.thing && shared(l.tri, m.tri) > 1 {
		return // neighbours meet in their edge
	}
	if depth, crossed := cross(corners(s.x, l.tri), corners(t.x, m.tri)); crossed && depth > Depth {
		j.add(l.thing, m.thing, "triangles cross", depth)
	}
}

// shared returns how many vertices two triangles of one mesh share.
func shared(a, b [3]int32) (n int) {
	for _, v := range a {
		if slices.Contains(b[:], v) {
			n++
		}
	}
	return n
}

// parts returns the vertices of each connected part of a mesh.
func parts(vertices int, tri [][3]int32) [][]int32 {
	root := make([]int32, vertices)
	for i := range root {
		root[i] = int32(i)
	}
	find := func(v int32) int32 {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	for _, t := range tri {
		root[find(t[1])], root[find(t[2])] = find(t[0]), find(t[0])
	}
	number := map[int32]int{}
	var out [][]int32
	for v := range int32(vertices) {
		r := find(v)
		if _, ok := number[r]; !ok {
			number[r] = len(out)
			out = append(out, nil)
		}
		out[number[r]] = append(out[number[r]], v)
	}
	return out
}
