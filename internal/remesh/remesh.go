package remesh

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Remesher remeshes sheets. It holds scratch memory only: what a call does depends on its arguments, not on the calls
// before. The zero Remesher is ready. It belongs to one goroutine at a time and must not be copied.
type Remesher struct {
	change change
	sizer  sizer
	loop   loop
	own    *geom.Tree // of the sheet, for sizes
	boxes  []r3.Box
	trees  []*geom.Tree // of the surfaces around

	sizeBody func(lo, hi int)
}

// Remesh brings the sheet to its sizing field, and returns what was done. The sheet is left with the same bits for any
// number of workers. Total mass and linear momentum are kept but for rounding, the connectivity stays valid, and
// nothing crosses that did not before. New vertices that would be inside of shapes, where a sheet that starts in one
// may have edges, are put outside if that crosses nothing. Vertices that stay come first, in the order that they had,
// then the new ones.
//
// It panics if the options are not valid or the sheet's slices do not fit its mesh.
func (r *Remesher) Remesh(team *par.Team, s *Sheet, around *Surroundings, opt *Options) Counts {
	if err := opt.Validate(); err != nil {
		panic("remesh: " + err.Error())
	}
	s.check()
	team.Enter()
	defer team.Leave()
	r.change.edit.Reset(s.Mesh)
	flanks := r.flanks(s, around, opt)
	r.size(team, s, around, opt, flanks)
	r.begin(s, around, opt, flanks)
	r.loop.change, r.loop.team = &r.change, team
	r.loop.run()
	r.change.lift(s.NextUID)
	counts := r.change.counts
	if counts.Operations() == 0 {
		s.Size = slices.Clone(r.change.size)
		return counts
	}
	r.finish(s)
	return counts
}

// check panics if a slice has not the length that the mesh asks for.
func (s *Sheet) check() {
	want := func(what string, got, n int) {
		if got != n {
			panic(fmt.Sprintf("remesh: %d values of %s for %d", got, what, n))
		}
	}
	n := s.Mesh.Verts
	want("X", len(s.X), n)
	want("V", len(s.V), n)
	want("Mass", len(s.Mass), n)
	want("UID", len(s.UID), n)
	want("Keep", len(s.Keep), n)
	for _, f := range s.Vertex {
		want("Vertex", len(f), n)
	}
	for _, f := range s.Triangle {
		want("Triangle", len(f), len(s.Mesh.Tri))
	}
	if s.Size != nil {
		want("Size", len(s.Size), len(s.Mesh.Material))
	}
	if s.DensityByTriangle {
		want("Triangle attributes", min(len(s.Triangle), 1), 1)
	}
}

// flanks returns the meshes around, with trees.
func (r *Remesher) flanks(s *Sheet, around *Surroundings, opt *Options) []flank {
	r.boxes = triangleBoxes(r.boxes, s.X, s.Mesh.Tri, opt.Reach/2)
	if r.own == nil {
		r.own = geom.NewTree(r.boxes)
	} else {
		r.own.Rebuild(r.boxes)
	}
	list := make([]flank, 0, len(around.Surfaces))
	for i, o := range around.Surfaces {
		r.boxes = triangleBoxes(r.boxes, o.X, o.Tri, opt.Reach/2)
		if i == len(r.trees) {
			r.trees = append(r.trees, geom.NewTree(r.boxes))
		} else {
			r.trees[i].Rebuild(r.boxes)
		}
		list = append(list, flank{x: o.X, tri: o.Tri, tree: r.trees[i]})
	}
	return list
}

func triangleBoxes(dst []r3.Box, x []r3.Vec, tri [][3]int32, grow float64) []r3.Box {
	dst = resize(dst, len(tri))
	for t, v := range tri {
		dst[t] = grown(boxOf(&[3]r3.Vec{x[v[0]], x[v[1]], x[v[2]]}), grow)
	}
	return dst
}

// size computes the sizing field.
func (r *Remesher) size(team *par.Team, s *Sheet, around *Surroundings, opt *Options, flanks []flank) {
	z := &r.sizer
	if r.sizeBody == nil {
		r.sizeBody = z.sizeFaces
	}
	// normals and angles of the sheet
	z.opt, z.mesh, z.x, z.v = opt, s.Mesh, s.X, s.V
	z.prepare()
	// what distances are looked for with
	n := &z.near
	n.opt, n.sheet, n.edit, n.pos, n.fields = opt, s.Mesh, &r.change.edit, s.X, around.Fields
	n.floor2 = around.Thickness * around.Thickness / 4
	n.chart = charts(n.chart, &r.change.edit)
	n.measureSeams(opt.Reach / opt.Ratio)
	// surfaces whose nearness counts
	n.flanks = n.flanks[:0]
	if opt.Contact == Proximity {
		n.flanks = append(n.flanks, flank{x: s.X, tri: s.Mesh.Tri, tree: r.own, own: true})
	}
	for i, f := range flanks {
		if opt.Contact == Proximity || !around.Surfaces[i].Cloth {
			n.flanks = append(n.flanks, f)
		}
	}
	// pairs within reach, and room to look at them
	faces := len(s.Mesh.Tri)
	for len(n.looks)*faceGrain < faces {
		n.looks = append(n.looks, look{})
	}
	for i := range n.flanks {
		if opt.Contact == Proximity {
			n.findPairs(team, i, r.own)
		}
	}
	// tensors of faces, then sizes of material points
	z.face = resize(z.face, faces)
	team.For(faces, faceGrain, r.sizeBody)
	r.change.size = z.sizes(r.change.size, s.Size)
}

// charts gives triangles of one piece of the material the same number.
func charts(dst []int32, e *mesh.Editor) []int32 {
	dst = resize(dst, len(e.Tri))
	for t := range dst {
		dst[t] = mesh.None
	}
	var stack []int32
	for t := range dst {
		if dst[t] != mesh.None {
			continue
		}
		dst[t] = int32(t)
		stack = append(stack[:0], int32(t))
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for k := range int32(3) {
				side := 3*u + k
				if twin := e.Twin(side); twin != mesh.None && dst[twin/3] == mesh.None && !e.Seam(side) {
					dst[twin/3] = int32(t)
					stack = append(stack, twin/3)
				}
			}
		}
	}
	return dst
}

// begin copies the sheet's state to where it is changed.
func (r *Remesher) begin(s *Sheet, around *Surroundings, opt *Options, flanks []flank) {
	c := &r.change
	c.opt, c.counts = opt, Counts{}
	c.sizer, c.look.finder = &r.sizer, &r.sizer.near
	c.x, c.v = append(c.x[:0], s.X...), append(c.v[:0], s.V...)
	c.mass, c.keep = append(c.mass[:0], s.Mass...), append(c.keep[:0], s.Keep...)
	c.uid, c.nextUID = append(c.uid[:0], s.UID...), s.NextUID
	c.vertex, c.triangle = copies(c.vertex, s.Vertex), copies(c.triangle, s.Triangle)
	c.density, c.mapped = s.Density, s.DensityByTriangle
	g := &c.guard
	g.edit, g.x, g.thickness, g.around, g.fields = &c.edit, &c.x, around.Thickness, flanks, around.Fields
	g.findCores()
	g.built = false
}

func copies(dst, src [][]float64) [][]float64 {
	for len(dst) < len(src) {
		dst = append(dst, nil)
	}
	dst = dst[:len(src)]
	for i, f := range src {
		dst[i] = append(dst[i][:0], f...)
	}
	return dst
}

// finish builds the new mesh and gives the sheet its state.
func (r *Remesher) finish(s *Sheet) {
	c := &r.change
	// mesh of what is left
	m, kept, err := c.edit.Mesh()
	if err != nil {
		panic("remesh: operations have broken the mesh: " + err.Error())
	}
	s.Mesh = m
	// positions, velocities and all else that vertices and triangles carry
	s.X, s.V = pick(c.x, kept.Vert), pick(c.v, kept.Vert)
	s.UID, s.NextUID, s.Keep = pick(c.uid, kept.Vert), c.nextUID, pick(c.keep, kept.Vert)
	s.Size = pick(c.size, kept.Point)
	s.Vertex, s.Triangle = make([][]float64, len(c.vertex)), make([][]float64, len(c.triangle))
	for i, f := range c.vertex {
		s.Vertex[i] = pick(f, kept.Vert)
	}
	for i, f := range c.triangle {
		s.Triangle[i] = pick(f, kept.Tri)
	}
	// mass, from areas at rest
	s.Mass = make([]float64, m.Verts)
	for t, v := range m.Tri {
		density := s.Density
		if s.DensityByTriangle {
			density = s.Triangle[0][t]
		}
		third := density * m.RestArea(int32(t)) / 3
		for _, i := range v {
			s.Mass[i] += third
		}
	}
}

// pick returns the values at some places.
func pick[T any](from []T, at []int32) []T {
	list := make([]T, len(at))
	for i, j := range at {
		list[i] = from[j]
	}
	return list
}
