package pattern

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// separate divides every edge inside a panel that would fall together with another once sewn: an edge between
// two vertices that become one, or edges that get the same ends. The new vertex in its middle is joined to
// nothing, so what comes to be is different from everything else, but for rare cases that the next round sees.
func (m *maker) separate() {
	const most = 8
	for range most {
		f := &m.flat
		flat, err := mesh.New(len(f.at), f.tri, f.at, nil)
		if err != nil {
			m.fault(Fault{}, "the panels cannot be meshed at a size of %s: %v", millimetres(m.size), err)
			return
		}
		middle, found := m.doubled(flat)
		if !found {
			return
		}
		tri := make([][3]int32, 0, len(f.tri)+16)
		for t, v := range f.tri {
			e := flat.TriEdge[t]
			tri = divided(tri, v, [3]int32{middle[e[0]], middle[e[1]], middle[e[2]]})
		}
		f.tri = tri
	}
}

// doubled gives a new vertex to each inner edge that must be divided; -1 stands for the others.
func (m *maker) doubled(flat *mesh.Mesh) (middle []int32, found bool) {
	key := func(e *mesh.Edge) [2]int32 {
		a, b := m.merge[e.V[0]], m.merge[e.V[1]]
		return [2]int32{min(a, b), max(a, b)}
	}
	count := make(map[[2]int32]int32, len(flat.Edges))
	for i := range flat.Edges {
		count[key(&flat.Edges[i])]++
	}
	f := &m.flat
	fresh := slices.Max(m.merge)
	middle = make([]int32, len(flat.Edges))
	for i := range flat.Edges {
		e := &flat.Edges[i]
		middle[i] = -1
		if k := key(e); !e.Boundary() && (k[0] == k[1] || count[k] > 1) {
			fresh++
			middle[i], found = int32(len(f.at)), true
			f.at = append(f.at, f.at[e.V[0]].Add(f.at[e.V[1]]).Scale(0.5))
			f.panel = append(f.panel, f.panel[e.V[0]])
			m.merge = append(m.merge, fresh)
		}
	}
	return middle, found
}

// divided appends the parts of triangle p to tri; middle is the vertex to put on the side opposite to each corner,
// or -1.
func divided(tri [][3]int32, p, middle [3]int32) [][3]int32 {
	for k, v := range middle {
		if v < 0 {
			continue
		}
		a, b := (k+1)%3, (k+2)%3
		tri = divided(tri, [3]int32{p[k], p[a], v}, [3]int32{-1, -1, middle[b]})
		return divided(tri, [3]int32{p[k], v, p[b]}, [3]int32{-1, middle[a], -1})
	}
	return append(tri, p)
}

// finish builds the meshes, places the vertices and names the groups.
func (m *maker) finish() {
	// room for what becomes of the panels
	f, g := &m.flat, &m.out
	g.Panel, g.Merge = f.panel, m.merge
	g.MinAngle = make([]float64, len(m.panels))
	for i := range g.MinAngle {
		g.MinAngle[i] = math.Pi
	}
	// places in space, and in the cloth, where the warp is X; panels turned over are mirrored
	material := make([]r3.Vec2, len(f.at))
	g.Positions = make([]r3.Vec, len(f.at))
	for v, q := range f.at {
		p := m.panels[f.panel[v]].panel
		g.Positions[v] = p.Place.Point(q)
		s, c := math.Sincos(p.Grain)
		material[v] = r3.Vec2{X: c*q.X + s*q.Y, Y: c*q.Y - s*q.X}
		if m.flip[f.panel[v]] {
			material[v].Y = -material[v].Y
		}
	}
	// triangles of the panels, and the same of the garment
	sewn := make([][3]int32, len(f.tri))
	for t := range f.tri {
		v := &f.tri[t]
		i := f.panel[v[0]]
		g.MinAngle[i] = min(g.MinAngle[i], minAngle(f.at[v[0]], f.at[v[1]], f.at[v[2]]))
		if m.flip[i] {
			v[1], v[2] = v[2], v[1]
		}
		sewn[t] = [3]int32{m.merge[v[0]], m.merge[v[1]], m.merge[v[2]]}
	}
	// both meshes
	var err error
	if g.Flat, err = mesh.New(len(f.at), f.tri, material, nil); err == nil {
		g.Sewn, err = mesh.New(int(slices.Max(m.merge))+1, sewn, material, f.tri)
	}
	if err != nil {
		m.fault(
			Fault{},
			"the panels cannot be sewn at a mesh size of %s: %v; choose a smaller size",
			millimetres(m.size),
			err,
		)
		return
	}
	// names of panels, edges and seams
	m.group()
}

// group names sets of sewn vertices after panels, edges and seams.
func (m *maker) group() {
	g := &m.out
	// flat vertices are known by what they are sewn into
	add := func(name string, flat []int32) {
		v := make([]int32, len(flat))
		for i, u := range flat {
			v[i] = m.merge[u]
		}
		slices.Sort(v)
		g.Groups = append(g.Groups, Group{name, slices.Compact(v)})
	}
	// panels
	for i, r := range m.panels {
		var all []int32
		for v, p := range m.flat.panel {
			if int(p) == i {
				all = append(all, int32(v))
			}
		}
		add(r.panel.Name, all)
		// named edges, without legs of darts
		for e := range r.panel.Edges {
			if r.panel.Edges[e].Name == "" {
				continue
			}
			var on []int32
			for _, p := range r.pieces {
				if p.edge == e && p.role != leg {
					for k := range p.segments + 1 {
						on = append(on, m.vertex(p, k))
					}
				}
			}
			add(r.panel.Name+"."+r.panel.Edges[e].Name, on)
		}
	}
	// seams
	for i := range m.seams {
		var on []int32
		for k, s := range g.Stitches {
			if g.Seam[k] == int32(i) {
				on = append(on, s[0])
			}
		}
		add("seam."+m.seams[i].seam.Name, on)
	}
}

func minAngle(a, b, c r3.Vec2) float64 {
	angle := func(p, q, r r3.Vec2) float64 {
		u, v := q.Sub(p), r.Sub(p)
		return math.Atan2(math.Abs(u.Cross(v)), u.Dot(v))
	}
	return min(angle(a, b, c), angle(b, c, a), angle(c, a, b))
}
