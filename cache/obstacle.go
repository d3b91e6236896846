package cache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Obstacles in frames.
//
// Each obstacle is a node of every frame, with its pose as translation and rotation and its kind as
// extras.obstacle. Its mesh is in its own axes; where it deforms, the pose is the identity and the mesh is
// in the scene's. A rigid mesh with more than apartTriangles would fill the disk if every frame had it:
// it is written once, to obstacles.glb, the node has extras.shape, the number of the mesh there, and no
// mesh of its own. A frame therefore opens anywhere, with or without the other file.

// The kinds of obstacles. Those of analytic shapes have triangles for the eye only: contact is with the
// shape itself.
const (
	KindPlane     = "plane" // Mesh is a part of it
	KindSphere    = "sphere"
	KindCapsule   = "capsule"
	KindBox       = "box"
	KindCylinder  = "cylinder"
	KindCone      = "cone"
	KindField     = "field" // another analytic shape; it has no Mesh
	KindMesh      = "mesh"
	KindDeforming = "deforming"
)

// apartTriangles is the largest number of triangles of a rigid obstacle that are repeated in every frame:
// about 0.5 MB, as much as a cloth of 6,500 vertices.
const apartTriangles = 20_000

// Obstacle is what a frame shows of an obstacle.
type Obstacle struct {
	Name string
	Kind string       // one of the constants above
	Pose r3.Pose      // from the axes of Mesh to those of the scene
	Mesh *meshio.Mesh // triangles, with normals or to be shaded flat; nil if it cannot be shown

	apart bool // Mesh is in obstacles.glb
	shape int  // the number of its mesh there
}

// obstacle adds a node, and its mesh unless that is kept apart.
func (b *builder) obstacle(o *Obstacle) error {
	if math.Abs(o.Pose.R.Dot(o.Pose.R)-1) > 1e-6 {
		return fmt.Errorf("its rotation %v has no unit length", o.Pose.R)
	}
	n := gltfNode{Name: o.Name, Extras: &nodeFacts{Obstacle: o.Kind}}
	if t := o.Pose.T; t != (r3.Vec{}) {
		n.Translation = []float64{t.X, t.Z, 0 - t.Y}
	}
	if q := o.Pose.R; q != r3.NoRotation() {
		n.Rotation = []float64{q.X, q.Z, 0 - q.Y, q.W}
	}
	switch {
	case o.apart:
		n.Extras.Shape = &o.shape
	case o.Mesh != nil:
		mesh, err := b.solid(o.Mesh)
		if err != nil {
			return err
		}
		n.Mesh = &mesh
	}
	b.node(n)
	return nil
}

// solid adds positions, normals and triangles and returns the number of the mesh.
func (b *builder) solid(m *meshio.Mesh) (int, error) {
	if err := m.Validate(); err != nil {
		return 0, err
	}
	p := gltfPrimitive{Attributes: map[string]int{}}
	var err error
	if p.Attributes["POSITION"], err = b.vectors(m.Positions, nil, true); err != nil {
		return 0, fmt.Errorf("position of %w", err)
	}
	if len(m.Normals) > 0 {
		if p.Attributes["NORMAL"], err = b.vectors(m.Normals, nil, false); err != nil {
			return 0, fmt.Errorf("normal of %w", err)
		}
	}
	p.Indices = b.indices(m.Triangles)
	return b.mesh(gltfMesh{Name: m.Name, Primitives: []gltfPrimitive{p}}), nil
}

// obstacle reads a node back.
func (d *glbData) obstacle(n *gltfNode) (Obstacle, error) {
	o := Obstacle{Name: n.Name, Kind: n.Extras.Obstacle, Pose: r3.Still()}
	if t := n.Translation; len(t) == 3 {
		o.Pose.T = r3.V(t[0], 0-t[2], t[1])
	} else if len(t) != 0 {
		return o, fmt.Errorf("its translation has %d numbers", len(t))
	}
	if q := n.Rotation; len(q) == 4 {
		o.Pose.R = r3.Quat{W: q[3], X: q[0], Y: 0 - q[2], Z: q[1]}
	} else if len(q) != 0 {
		return o, fmt.Errorf("its rotation has %d numbers", len(q))
	}
	if !(math.Abs(o.Pose.R.Dot(o.Pose.R)-1) <= 1e-6) {
		return o, fmt.Errorf("its rotation has no unit length")
	}
	if n.Extras.Shape != nil {
		o.apart, o.shape = true, *n.Extras.Shape
		return o, nil
	}
	if n.Mesh == nil {
		return o, nil
	}
	var err error
	o.Mesh, err = d.solid(&d.doc.Meshes[*n.Mesh])
	return o, err
}

func (d *glbData) solid(g *gltfMesh) (*meshio.Mesh, error) {
	if len(g.Primitives) != 1 {
		return nil, fmt.Errorf("mesh %q is not of one primitive", g.Name)
	}
	p := &g.Primitives[0]
	m := &meshio.Mesh{Name: g.Name}
	at, ok := p.Attributes["POSITION"]
	if !ok {
		return nil, fmt.Errorf("mesh %q has no positions", g.Name)
	}
	var err error
	if m.Positions, err = d.vectors(at); err != nil {
		return nil, err
	}
	if at, ok := p.Attributes["NORMAL"]; ok {
		if m.Normals, err = d.vectors(at); err != nil {
			return nil, err
		}
	}
	if m.Triangles, err = d.indices(p.Indices); err != nil {
		return nil, err
	}
	return m, m.Validate()
}

// shapeFile is obstacles.glb, read when it is first needed.
type shapeFile struct {
	mu     sync.Mutex // readers may ask for frames at the same time
	read   bool
	digest string
	meshes []*meshio.Mesh
}

// fillIn gives obstacles that are kept apart their meshes.
func (f *Folder) fillIn(frame *Frame) error {
	for i := range frame.Obstacles {
		o := &frame.Obstacles[i]
		if !o.apart {
			continue
		}
		meshes, err := f.shapesOf(frame.shapes)
		if err != nil {
			return err
		}
		if o.shape < 0 || o.shape >= len(meshes) {
			return damaged(f.ObstaclesPath(), "it lacks the mesh of obstacle %q", o.Name)
		}
		o.Mesh = meshes[o.shape]
	}
	return nil
}

// shapesOf returns the meshes of the obstacles.glb with the given digest.
func (f *Folder) shapesOf(digest string) ([]*meshio.Mesh, error) {
	s := &f.shapes
	s.mu.Lock()
	defer s.mu.Unlock()
	path := f.ObstaclesPath()
	if !s.read {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, damaged(path, "it is missing; run the same command again to have it made")
		}
		if err != nil {
			return nil, err
		}
		all, err := parseFrame(path, data)
		if err != nil {
			return nil, err
		}
		at, _ := findSeal(data)
		s.read, s.digest, s.meshes = true, string(data[at:at+len(noDigest)]), nil
		for i := range all.Obstacles {
			s.meshes = append(s.meshes, all.Obstacles[i].Mesh)
		}
	}
	if s.digest != digest {
		return nil, damaged(path, "it is not the one that this frame was written with")
	}
	return s.meshes, nil
}

// WriteObstacles writes the meshes that frames do not repeat to obstacles.glb, if there are any and the file
// is not there already. It comes before the first frame, on resuming too.
func (w *Writer) WriteObstacles(obstacles []Obstacle) error {
	var kept Frame
	for _, o := range obstacles {
		if o.apart {
			o.apart = false
			kept.Obstacles = append(kept.Obstacles, o)
		}
	}
	if len(kept.Obstacles) == 0 {
		return nil
	}
	path := w.ObstaclesPath()
	data, err := kept.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	at, _ := findSeal(data)
	w.shapes.digest = string(data[at : at+len(noDigest)])
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, data) {
		return nil
	}
	return writeAtomic(path, data)
}
