package cache

import (
	"slices"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Recorder turns the state of a world into frames.
type Recorder struct {
	world     *toile.World
	cloths    []*meshio.Mesh
	meshes    []*mesh.Mesh   // that cloths are of
	inputs    []*meshio.Mesh // of cloths that are remeshed
	obstacles []Obstacle
	stretch   []float64
	touch     []toile.VertexContact
}

// NewRecorder returns a recorder of w, which has all its cloths and obstacles and is at the start of its
// run: how much of a plane is shown depends on what is there then, and must not depend on where a run was
// resumed.
func NewRecorder(w *toile.World) *Recorder {
	r := &Recorder{world: w, obstacles: recordObstacles(w)}
	for id := range w.Cloths() {
		c := w.Cloth(toile.ClothID(id))
		r.cloths, r.meshes = append(r.cloths, recordCloth(&c)), append(r.meshes, c.Mesh)
		var input *meshio.Mesh
		if in := w.Input(toile.ClothID(id)); in.Remesh != nil {
			input = &meshio.Mesh{
				Name:      in.Name,
				Triangles: in.Mesh.Tri,
				Positions: make([]r3.Vec, in.Mesh.Verts),
				Normals:   make([]r3.Vec, in.Mesh.Verts),
			}
			input.UV, input.CornerUV = materialUV(in.Mesh)
		}
		r.inputs = append(r.inputs, input)
	}
	return r
}

// recordCloth returns what does not change of a cloth while its mesh does not.
func recordCloth(c *toile.Cloth) *meshio.Mesh {
	m := &meshio.Mesh{
		Name:      c.Name,
		Triangles: c.Mesh.Tri,
		Normals:   make([]r3.Vec, c.Mesh.Verts),
		Attributes: []meshio.Attribute{
			{Name: AttrGap, Width: 1, Data: make([]float32, c.Mesh.Verts)},
			{Name: AttrImpulse, Width: 3, Data: make([]float32, 3*c.Mesh.Verts)},
			{Name: AttrSize, Width: 1, Data: vertexSizes(c.Mesh)},
			{Name: AttrSpeed, Width: 1, Data: make([]float32, c.Mesh.Verts)},
			{Name: AttrState, Width: 1, Data: make([]float32, c.Mesh.Verts)},
			{Name: AttrStretch, Width: 1, Data: make([]float32, c.Mesh.Verts)},
		},
	}
	if c.Remesh != nil {
		m.Attributes = append(
			m.Attributes,
			meshio.Attribute{Name: AttrUID, Width: 1, Data: make([]float32, c.Mesh.Verts)},
		)
	}
	m.UV, m.CornerUV = materialUV(c.Mesh)
	return m
}

// Obstacles returns the obstacles as they are now. They share memory with the frames.
func (r *Recorder) Obstacles() []Obstacle { return r.obstacles }

// Frame returns the state of the world as a frame with the given number. It shares memory with the
// world and with the next frame.
func (r *Recorder) Frame(number int) *Frame {
	w := r.world
	for i := range r.cloths {
		r.cloth(toile.ClothID(i))
	}
	for i := range r.obstacles {
		o, id := &r.obstacles[i], toile.ObstacleID(i)
		if o.Kind != KindDeforming {
			o.Pose = w.ObstaclePose(id)
			continue
		}
		o.Mesh.Positions = w.ObstaclePositions(id)
		vertexNormals(o.Mesh.Normals, o.Mesh.Positions, o.Mesh.Triangles)
	}
	return &Frame{
		Number: number, Time: w.Time(), Step: w.Steps(),
		Hash: w.Snapshot().Hash().String(), Cloths: r.cloths, Inputs: r.inputs, Obstacles: r.obstacles,
	}
}

// cloth fills in what changes of a cloth.
func (r *Recorder) cloth(id toile.ClothID) {
	w := r.world
	if c := w.Cloth(id); c.Mesh != r.meshes[id] {
		r.cloths[id], r.meshes[id] = recordCloth(&c), c.Mesh
	}
	m := r.cloths[id]
	m.Positions = w.Positions(id)
	vertexNormals(m.Normals, m.Positions, m.Triangles)
	data := func(name string) []float32 {
		at := slices.IndexFunc(m.Attributes, func(a meshio.Attribute) bool { return a.Name == name })
		return m.Attributes[at].Data
	}
	speed, stretch := data(AttrSpeed), data(AttrStretch)
	for v, u := range w.Velocities(id) {
		speed[v] = float32(u.Norm())
	}
	r.stretch = w.Stretch(id, r.stretch[:0])
	for v, s := range r.stretch {
		stretch[v] = float32(s)
	}
	if ids := w.VertexIDs(id); ids != nil {
		uid := data(AttrUID)
		for v, id := range ids {
			uid[v] = float32(id)
		}
		in := r.inputs[id]
		in.Positions = w.InputPositions(id, in.Positions)
		vertexNormals(in.Normals, in.Positions, in.Triangles)
	}
	state, gap, impulse := data(AttrState), data(AttrGap), data(AttrImpulse)
	r.touch = w.VertexContacts(id, r.touch)
	for v, c := range r.touch {
		state[v], gap[v] = float32(c.State), float32(min(c.Gap, NoGap))
		impulse[3*v], impulse[3*v+1], impulse[3*v+2] = float32(c.Impulse.X), float32(c.Impulse.Y), float32(c.Impulse.Z)
	}
}

// materialUV returns the material points [m] as UVs, so that a texture repeats every metre of cloth.
// Where every triangle has points of its own, as when the rest shape is the surface itself, there is
// no pattern to show and there are no UVs.
func materialUV(m *mesh.Mesh) (uv []r3.Vec2, corner [][3]int32) {
	if len(m.Tri) > 1 && len(m.Material) >= 3*len(m.Tri) {
		return nil, nil
	}
	if len(m.Material) == m.Verts && &m.Corner[0] == &m.Tri[0] {
		return m.Material, nil
	}
	return m.Material, m.Corner
}

// vertexSizes returns the mean rest length of the edges at each vertex [m].
func vertexSizes(m *mesh.Mesh) []float32 {
	sum, count := make([]float64, m.Verts), make([]int, m.Verts)
	for i := range m.Edges {
		e := &m.Edges[i]
		c, opp := m.Corner[e.Tri[0]], e.Opp[0]
		length := m.Material[c[(opp+1)%3]].Sub(m.Material[c[(opp+2)%3]]).Norm()
		for _, v := range e.V {
			sum[v] += length
			count[v]++
		}
	}
	size := make([]float32, m.Verts)
	for v := range size {
		if count[v] > 0 {
			size[v] = float32(sum[v] / float64(count[v]))
		}
	}
	return size
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
