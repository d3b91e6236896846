package runfolder

import (
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Recorder turns the state of a world into frames.
type Recorder struct {
	world   *engine.World
	bodies  []Body
	meshes  []*mesh.Mesh    // that cloths are of
	others  []engine.BodyID // that are shown beside cloths
	stretch []float64
	strains []body.Strain
	touch   []engine.VertexContact
}

// NewRecorder returns a recorder of w, which has all its bodies and obstacles and is at the start of its run: how much
// of a plane is shown depends on what is there then, and must not depend on where a run was resumed.
func NewRecorder(w *engine.World) *Recorder {
	r := &Recorder{world: w}
	// cloths; remeshed ones also with the mesh that they were added with
	for id := range w.Cloths() {
		c := cloths.Spec(w, engine.ClothID(id))
		b := Body{Name: c.Name, Kind: KindCloth, Pose: r3.Still(), Mesh: recordCloth(&c)}
		if in := cloths.Input(w, engine.ClothID(id)); in.Remesh != nil {
			b.Input = &meshio.Mesh{
				Name:      in.Name,
				Triangles: in.Mesh.Tri,
				Positions: make([]r3.Vec, in.Mesh.Verts),
				Normals:   make([]r3.Vec, in.Mesh.Verts),
			}
			b.Input.UV, b.Input.CornerUV = materialUV(in.Mesh)
		}
		r.bodies, r.meshes = append(r.bodies, b), append(r.meshes, c.Mesh)
	}
	// bodies that have something to show
	for id := range w.Bodies() {
		if b := recordBody(w, engine.BodyID(id)); b.Mesh != nil {
			r.bodies, r.others = append(r.bodies, b), append(r.others, engine.BodyID(id))
		}
	}
	// obstacles
	r.bodies = append(r.bodies, recordObstacles(w)...)
	// names, no two the same
	for i := range r.bodies {
		if b := &r.bodies[i]; b.Mesh != nil {
			b.Mesh.Name = b.Name
		}
	}
	UniqueNames(r.bodies)
	return r
}

// recordBody returns what does not change of a body that is no cloth. One without a skin cannot be shown.
func recordBody(w *engine.World, id engine.BodyID) Body {
	b := Body{Name: w.SurfaceName(w.BodySurface(id)), Kind: KindSolid, Pose: r3.Still()}
	if rigid, ok := w.Body(id).(*body.Rigid); ok {
		spec := rigid.Spec()
		b.Kind, b.Mesh = KindRigid, showRigid(&spec)
		return b
	}
	if skin := w.Body(id).Skin(); skin != nil && len(skin.Tri) > 0 {
		b.Mesh = &meshio.Mesh{Triangles: skin.Tri, Normals: make([]r3.Vec, skin.Points)}
		if len(skin.Carriers.By) > 0 { // contacts are felt by what carries the points
			b.Mesh.Positions = make([]r3.Vec, skin.Points)
			return b
		}
		b.Mesh.Attributes = touchAttributes(skin.Points)
		if _, ok := w.Body(id).(*body.Solid); ok {
			for _, name := range []string{AttrStretch, AttrStress, AttrEnergy, AttrVolume} {
				b.Mesh.Attributes = append(b.Mesh.Attributes,
					meshio.Attribute{Name: name, Width: 1, Data: make([]float32, skin.Points)})
			}
		}
	}
	return b
}

// touchAttributes are what is told of every vertex that moves, of n.
func touchAttributes(n int) []meshio.Attribute {
	return []meshio.Attribute{
		{Name: AttrGap, Width: 1, Data: make([]float32, n)},
		{Name: AttrImpulse, Width: 3, Data: make([]float32, 3*n)},
		{Name: AttrSpeed, Width: 1, Data: make([]float32, n)},
		{Name: AttrState, Width: 1, Data: make([]float32, n)},
	}
}

// recordCloth returns what does not change of a cloth while its mesh does not.
func recordCloth(c *body.ClothSpec) *meshio.Mesh {
	m := &meshio.Mesh{
		Name:      c.Name,
		Triangles: c.Mesh.Tri,
		Normals:   make([]r3.Vec, c.Mesh.Verts),
		Attributes: append(touchAttributes(c.Mesh.Verts),
			meshio.Attribute{Name: AttrSize, Width: 1, Data: vertexSizes(c.Mesh)},
			meshio.Attribute{Name: AttrStretch, Width: 1, Data: make([]float32, c.Mesh.Verts)},
		),
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

// Bodies returns the bodies as they are now. They share memory with the frames.
func (r *Recorder) Bodies() []Body { return r.bodies }

// Frame returns the state of the world as a frame with the given number. It shares memory with the
// world and with the next frame.
func (r *Recorder) Frame(number int) *Frame {
	w := r.world
	for i := range w.Cloths() {
		r.cloth(engine.ClothID(i))
	}
	for i, id := range r.others {
		r.body(id, &r.bodies[w.Cloths()+i])
	}
	for i := range w.Obstacles() {
		o, id := &r.bodies[w.Cloths()+len(r.others)+i], engine.ObstacleID(i)
		if o.Kind != KindDeforming {
			o.Pose = w.ObstaclePose(id)
			continue
		}
		o.Deform(w.ObstaclePositions(id))
	}
	return &Frame{
		Number: number, Time: w.Time(), Step: w.Steps(), Hash: w.Snapshot().Hash().String(), Bodies: r.bodies,
	}
}

// cloth fills in what changes of a cloth.
func (r *Recorder) cloth(id engine.ClothID) {
	w, b := r.world, &r.bodies[id]
	if c := cloths.Spec(w, id); c.Mesh != r.meshes[id] {
		b.Mesh, r.meshes[id] = recordCloth(&c), c.Mesh
	}
	r.stretch = w.Stretch(id, r.stretch[:0])
	stretch := dataOf(b.Mesh, AttrStretch)
	for i := range stretch {
		stretch[i] = float32(r.stretch[i])
	}
	r.touch = w.VertexContacts(id, r.touch)
	r.surface(b.Mesh, w.Positions(id), w.Velocities(id))
	if ids := cloths.VertexIDs(w, id); ids != nil {
		uid := dataOf(b.Mesh, AttrUID)
		for v, id := range ids {
			uid[v] = float32(id)
		}
		b.Input.Positions = cloths.InputPositions(w, id, b.Input.Positions)
		vertexNormals(b.Input.Normals, b.Input.Positions, b.Input.Triangles)
	}
}

// body fills in what changes of a body that is no cloth.
func (r *Recorder) body(id engine.BodyID, b *Body) {
	w := r.world
	x, v := w.BodyPositions(id), w.BodyVelocities(id)
	if rigid, ok := w.Body(id).(*body.Rigid); ok {
		b.Pose = rigid.Pose(x)
		return
	}
	if carrying, ok := w.Body(id).(body.Carrying); ok && len(b.Mesh.Attributes) == 0 {
		carrying.Carry(x, b.Mesh.Positions)
		vertexNormals(b.Mesh.Normals, b.Mesh.Positions, b.Mesh.Triangles)
		return
	}
	if solid, ok := w.Body(id).(*body.Solid); ok {
		r.strains = solid.Strains(x, r.strains)
		r.solid(b.Mesh)
	}
	r.touch = w.BodyContacts(id, r.touch)
	n := len(b.Mesh.Normals) // the skin comes first
	r.surface(b.Mesh, x[:n], v[:n])
}

// surface fills in what changes of a mesh whose vertices are at x and move by v, with the touch that was found.
func (r *Recorder) surface(m *meshio.Mesh, x, v []r3.Vec) {
	m.Positions = x
	vertexNormals(m.Normals, m.Positions, m.Triangles)
	speed := dataOf(m, AttrSpeed)
	for i, u := range v {
		speed[i] = float32(u.Norm())
	}
	state, gap, impulse := dataOf(m, AttrState), dataOf(m, AttrGap), dataOf(m, AttrImpulse)
	for i, c := range r.touch[:len(x)] {
		state[i], gap[i] = float32(c.State), float32(min(c.Gap, NoGap))
		impulse[3*i], impulse[3*i+1], impulse[3*i+2] = float32(c.Impulse.X), float32(c.Impulse.Y), float32(c.Impulse.Z)
	}
}

// solid fills in how a soft body is deformed.
func (r *Recorder) solid(m *meshio.Mesh) {
	stretch, stress := dataOf(m, AttrStretch), dataOf(m, AttrStress)
	energy, volume := dataOf(m, AttrEnergy), dataOf(m, AttrVolume)
	for i := range stretch {
		s := &r.strains[i]
		stretch[i], stress[i] = float32(s.Stretch), float32(s.Stress)
		energy[i], volume[i] = float32(s.Energy), float32(s.Volume)
	}
}

// dataOf returns the values of an attribute; none if the mesh does not have it.
func dataOf(m *meshio.Mesh, name string) []float32 {
	at := slices.IndexFunc(m.Attributes, func(a meshio.Attribute) bool { return a.Name == name })
	if at < 0 {
		return nil
	}
	return m.Attributes[at].Data
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
