package runfolder

import (
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

const (
	// shapeTolerance is how far triangles may be from an analytic shape [m], and relativeTolerance the same
	// as a share of its size: less than the thickness of cloth, and less than a pixel of a common picture.
	shapeTolerance    = 1e-3
	relativeTolerance = 2e-3

	// patchReach is half the side of the square that shows a plane, in diagonals of the scene.
	patchReach = 1.5

	// crease is the angle between triangles from which on an edge is sharp [rad].
	crease = 40 * math.Pi / 180
)

// recordObstacles returns the obstacles of a world at its start.
func recordObstacles(w *engine.World) []Body {
	var out []Body
	box := startBox(w)
	for i := range w.Obstacles() {
		id := engine.ObstacleID(i)
		spec := w.Obstacle(id)
		o := ObstacleBody(&spec, w.ObstaclePose(id), box)
		if spec.Deform != nil {
			o.Deform(w.ObstaclePositions(id))
		}
		out = append(out, o)
	}
	return out
}

// ObstacleBody returns what is shown of an obstacle at a pose; of a plane, the part near a box. One that deforms is to
// be given its shape with Deform.
func ObstacleBody(spec *engine.Obstacle, pose r3.Pose, near r3.Box) Body {
	o := Body{Name: spec.Name, Pose: pose}
	switch {
	case spec.Deform != nil:
		o.Kind, o.Pose = KindDeforming, r3.Still()
		o.Mesh = &meshio.Mesh{Triangles: spec.Tri, Normals: make([]r3.Vec, len(spec.Positions))}
	case spec.Shape == nil:
		o.Kind, o.Mesh = KindMesh, creased(spec.Positions, spec.Tri)
	default:
		o.Kind, o.Mesh = showField(spec.Shape, pose, near)
	}
	if o.Mesh != nil {
		o.Mesh.Name = o.Name
	}
	return o
}

// Deform shows an obstacle that deforms with its vertices at x, which it keeps.
func (b *Body) Deform(x []r3.Vec) {
	b.Mesh.Positions = x
	vertexNormals(b.Mesh.Normals, x, b.Mesh.Triangles)
}

// UniqueNames has meshes that do not deform written once for all frames. It is called once, with all bodies that
// there will be.
func UniqueNames(bodies []Body) {
	shapes := 0
	for i := range bodies {
		if b := &bodies[i]; b.Mesh != nil && b.Kind.Rigid() {
			b.apart, b.shape = true, shapes
			shapes++
		}
	}
}

// startBox returns the box of all bodies and of the obstacles that end somewhere.
func startBox(w *engine.World) r3.Box {
	box := r3.EmptyBox()
	// cloths
	for i := range w.Cloths() {
		box = box.Union(r3.BoxOf(w.Positions(engine.ClothID(i))))
	}
	// bodies; rigid ones with the radius about their points
	for i := range w.Bodies() {
		id := engine.BodyID(i)
		if rigid, ok := w.Body(id).(*body.Rigid); ok {
			pose := rigid.Pose(w.BodyPositions(id))
			around := r3.V(1, 1, 1).Scale(rigid.Spec().Radius)
			for _, p := range rigid.Spec().Points {
				x := pose.Apply(p)
				box = box.With(x.Sub(around)).With(x.Add(around))
			}
			continue
		}
		if skin := w.Body(id).Skin(); skin != nil {
			box = box.Union(r3.BoxOf(w.BodyPositions(id)))
		}
	}
	// obstacles that end somewhere
	for i := range w.Obstacles() {
		id := engine.ObstacleID(i)
		if f := w.Obstacle(id).Shape; f == nil {
			box = box.Union(r3.BoxOf(w.ObstaclePositions(id)))
		} else if b := (shape.Placed{Shape: f, Pose: w.ObstaclePose(id)}).Bounds(); b.Min.Finite() && b.Max.Finite() {
			box = box.Union(b)
		}
	}
	// nothing at all: about the origin
	if box.Empty() {
		return r3.Box{Min: r3.V(-1, -1, -1), Max: r3.V(1, 1, 1)}
	}
	return box
}

// showField returns the kind of an analytic shape and its triangles, in the shape's own axes. Of a plane
// it shows the part near the box.
func showField(f geom.Field, pose r3.Pose, box r3.Box) (kind Kind, m *meshio.Mesh) {
	switch g := f.(type) {
	case shape.Placed:
		// a shape that is placed is shown in its own axes, then moved
		kind, m = showField(g.Shape, pose.Mul(g.Pose), box)
		if m != nil {
			for i := range m.Positions {
				m.Positions[i] = g.Pose.Apply(m.Positions[i])
			}
			for i := range m.Normals {
				m.Normals[i] = g.Pose.R.Rotate(m.Normals[i])
			}
		}
		return kind, m
	case shape.Plane:
		// the part of the plane near the box
		g.Point = geom.ClosestOn(g, pose.Inverse().Apply(box.Center()))
		kind, f = KindPlane, g
	case shape.Sphere:
		kind = KindSphere
	case shape.Capsule:
		kind = KindCapsule
	case shape.Box:
		kind = KindBox
	case shape.Cylinder:
		kind = KindCylinder
	case shape.Cone:
		kind = KindCone
	default:
		return KindField, nil
	}
	// triangles; a plane ends in proportion to the box
	return kind, trianglesOf(f, patchReach*box.Size().Norm())
}

// trianglesOf returns the triangles of an analytic shape; of a plane, so far around its point.
func trianglesOf(f geom.Field, reach float64) *meshio.Mesh {
	tolerance := shapeTolerance
	if size := f.Bounds().Size().MaxAbs(); size < shapeTolerance/relativeTolerance {
		tolerance = relativeTolerance * size
	}
	return creased(shape.Surface(f, tolerance, reach))
}

// showRigid returns the triangles of a rigid body, in its own axes.
func showRigid(spec *body.RigidSpec) *meshio.Mesh {
	if spec.Radius == 0 {
		return creased(spec.Points, spec.Tri)
	}
	all := &meshio.Mesh{}
	add := func(at r3.Pose, f geom.Field) {
		m, first := trianglesOf(f, 0), int32(len(all.Positions))
		for i := range m.Positions {
			all.Positions = append(all.Positions, at.Apply(m.Positions[i]))
			all.Normals = append(all.Normals, at.R.Rotate(m.Normals[i]))
		}
		for _, t := range m.Triangles {
			all.Triangles = append(all.Triangles, [3]int32{first + t[0], first + t[1], first + t[2]})
		}
	}
	for _, p := range spec.Dots {
		add(r3.Translation(spec.Points[p]), shape.Sphere{Radius: spec.Radius})
	}
	for _, e := range spec.Edges {
		a, b := spec.Points[e[0]], spec.Points[e[1]]
		add(shape.Along(a, b), shape.Capsule{Radius: spec.Radius, Half: b.Sub(a).Norm() / 2})
	}
	return all
}

// creased returns a mesh with normals that are smooth but for sharp edges, where vertices are repeated: the
// triangles at a vertex that are within the crease angle of the first share a normal, the first of the
// others begins the next one.
func creased(pos []r3.Vec, tri [][3]int32) *meshio.Mesh {
	faces := make([]r3.Vec, len(tri)) // twice the area, along the normal
	for t, c := range tri {
		faces[t] = pos[c[1]].Sub(pos[c[0]]).Cross(pos[c[2]].Sub(pos[c[0]]))
	}
	var at lists.Lists // by vertex: its triangles
	at.Fill(len(pos), func(put func(index, item int32)) {
		for t, c := range tri {
			for _, v := range c {
				put(v, int32(t))
			}
		}
	})
	start, around := at.Start, at.Items
	m := &meshio.Mesh{Triangles: make([][3]int32, len(tri))}
	copy(m.Triangles, tri)
	least := math.Cos(crease)
	done := make([]bool, len(around))
	for v := range pos {
		for a := start[v]; a < start[v+1]; a++ {
			if done[a] {
				continue
			}
			first, sum := faces[around[a]].Unit(), r3.Vec{}
			for b := a; b < start[v+1]; b++ {
				t := around[b]
				if done[b] || b != a && first.Dot(faces[t].Unit()) < least {
					continue
				}
				done[b] = true
				sum = sum.Add(faces[t])
				for k := range 3 {
					if tri[t][k] == int32(v) {
						m.Triangles[t][k] = int32(len(m.Positions))
					}
				}
			}
			if sum = sum.Unit(); sum == (r3.Vec{}) || !sum.Finite() {
				sum = r3.V(0, 0, 1)
			}
			m.Positions, m.Normals = append(m.Positions, pos[v]), append(m.Normals, sum)
		}
	}
	return m
}

// vertexNormals fills in unit normals, the mean of those of the triangles around by their areas.
// A vertex where that is nothing looks up: glTF wants a unit vector.
func vertexNormals(normals, pos []r3.Vec, tri [][3]int32) {
	clear(normals)
	for _, t := range tri {
		a, b, c := pos[t[0]], pos[t[1]], pos[t[2]]
		n := b.Sub(a).Cross(c.Sub(a))
		for _, v := range t {
			normals[v] = normals[v].Add(n)
		}
	}
	for v, n := range normals {
		if n = n.Unit(); n == (r3.Vec{}) || !n.Finite() {
			n = r3.V(0, 0, 1)
		}
		normals[v] = n
	}
}
