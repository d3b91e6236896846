package runfolder

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/r3"
)

// Bodies in frames.
//
// Each body is a node of every frame. The mesh of a cloth or a soft solid is in the scene's axes, and so are yarns and
// an obstacle that deforms. All others have a mesh in axes of their own, and the pose as translation and rotation of
// their node. A node says as extras.obstacle which kind of obstacle it is, and as extras.body which kind of other body;
// one that says nothing is a cloth.
//
// Rigid meshes would fill the disk if every frame had them: they are written once, to obstacles.glb, and their nodes
// have extras.shape, the number of the mesh there, and no mesh of their own. A frame therefore opens anywhere, with or
// without the other file. Before format 9 that was so only of those with more than 20,000 triangles.

// body adds a node, and its mesh unless that is kept apart.
func (b *builder) body(o *Body) error {
	// a pose that can be read back
	if math.Abs(o.Pose.R.Dot(o.Pose.R)-1) > 1e-6 {
		return fmt.Errorf("its rotation %v has no unit length", o.Pose.R)
	}
	n := frameNode{Node: gltf.Node{Name: o.Name}}
	// what it is; a cloth has no word for it
	switch {
	case o.Kind.Obstacle():
		n.Extras = &nodeFacts{Obstacle: o.Kind}
	case o.Kind != KindCloth:
		n.Extras = &nodeFacts{Body: o.Kind}
	}
	// where it is, with y up
	if t := o.Pose.T; t != (r3.Vec{}) {
		n.Translation = []float64{t.X, t.Z, 0 - t.Y}
	}
	if q := o.Pose.R; q != r3.NoRotation() {
		n.Rotation = []float64{q.X, q.Z, 0 - q.Y, q.W}
	}
	var err error
	var mesh int
	// its mesh, in the form of its kind
	switch {
	case o.apart:
		n.Extras.Shape = &o.shape
	case o.Kind == KindYarn:
		mesh, err = b.curves(o.Curves)
		n.Mesh = &mesh
		if err == nil {
			n.Extras.Radius = o.Curves.Radius
		}
	case o.Mesh == nil && !o.Kind.Obstacle():
		err = fmt.Errorf("it has no mesh")
	case o.Mesh == nil:
	case o.Kind == KindCloth || o.Kind == KindSolid:
		mesh, err = b.detailed(o.Mesh)
		n.Mesh = &mesh
	default:
		mesh, err = b.plain(o.Mesh)
		n.Mesh = &mesh
	}
	// the mesh that it was added with
	if err == nil && o.Input != nil {
		var input int
		input, err = b.detailed(o.Input)
		b.doc.Meshes[mesh].Extras.Input = &input
	}
	if err == nil {
		b.node(n)
	}
	return err
}

// body reads a node back.
func (d *glbData) body(n *frameNode) (Body, error) {
	o, err := n.head()
	if err != nil || o.apart {
		return o, err
	}
	// only obstacles may be without a mesh
	if n.Mesh == nil {
		if !o.Kind.Obstacle() {
			return o, fmt.Errorf("it has no mesh")
		}
		return o, nil
	}
	if *n.Mesh < 0 || *n.Mesh >= len(d.doc.Meshes) {
		return o, fmt.Errorf("mesh %d does not exist", *n.Mesh)
	}
	// the mesh, in the form of its kind
	if o.Kind == KindYarn {
		o.Curves, err = d.curves(&d.doc.Meshes[*n.Mesh], n.Extras.Radius)
		return o, err
	}
	if o.Kind != KindCloth && o.Kind != KindSolid {
		o.Mesh, err = d.plain(&d.doc.Meshes[*n.Mesh])
		return o, err
	}
	if o.Mesh, err = d.detailed(*n.Mesh); err != nil {
		return o, err
	}
	if err := o.Mesh.Validate(); err != nil {
		return o, err
	}
	// the mesh that it was added with
	if input := d.doc.Meshes[*n.Mesh].Extras.Input; input != nil {
		if *input < 0 || *input >= len(d.doc.Meshes) {
			return o, fmt.Errorf("mesh %d does not exist", *input)
		}
		o.Input, err = d.detailed(*input)
	}
	return o, err
}

// head reads what a node says about itself: all of its body but the meshes.
func (n *frameNode) head() (Body, error) {
	o := Body{Name: n.Name, Kind: KindCloth, Pose: r3.Still()}
	// what it is, and whether its mesh is kept apart
	if e := n.Extras; e != nil {
		o.Kind = e.Obstacle
		if e.Body != "" {
			o.Kind = e.Body
		}
		if e.Shape != nil {
			o.apart, o.shape = true, *e.Shape
		}
		if (e.Body != "") == o.Kind.Obstacle() {
			return o, fmt.Errorf("it is neither a body nor an obstacle: %q", o.Kind)
		}
	}
	// where it is, with z up
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
	// poses that no body has
	if !(math.Abs(o.Pose.R.Dot(o.Pose.R)-1) <= 1e-6) {
		return o, fmt.Errorf("its rotation has no unit length")
	}
	if o.Kind == KindYarn && (o.apart || o.Pose != r3.Still()) {
		return o, fmt.Errorf("yarns are where their points are, and nowhere else")
	}
	return o, nil
}
