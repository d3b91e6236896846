package runfolder

import (
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Kind is what a body of a frame is.
type Kind string

// The kinds of bodies that move by the laws of motion.
const (
	KindCloth Kind = "cloth"
	KindSolid Kind = "solid" // soft; Mesh is its skin
	KindRigid Kind = "rigid"
	KindYarn  Kind = "yarn" // Curves, and no Mesh
)

// The kinds of obstacles. Those of analytic shapes have triangles for the eye only: contact is with the shape itself.
const (
	KindPlane     Kind = "plane" // Mesh is a part of it
	KindSphere    Kind = "sphere"
	KindCapsule   Kind = "capsule"
	KindBox       Kind = "box"
	KindCylinder  Kind = "cylinder"
	KindCone      Kind = "cone"
	KindField     Kind = "field" // another analytic shape; it has no Mesh
	KindMesh      Kind = "mesh"
	KindDeforming Kind = "deforming"
)

// Obstacle tells what is moved by others, if at all, from what moves by the laws of motion.
func (k Kind) Obstacle() bool {
	return k != KindCloth && k != KindSolid && k != KindRigid && k != KindYarn
}

// Rigid tells whether meshes of the kind keep their shape, and are placed by a pose.
func (k Kind) Rigid() bool {
	return k != KindCloth && k != KindSolid && k != KindYarn && k != KindDeforming
}

// Body is what a frame shows of a body.
type Body struct {
	Name string
	Kind Kind
	Pose r3.Pose      // from the axes of Mesh to those of the scene
	Mesh *meshio.Mesh // triangles, with normals or to be shaded flat; nil if it cannot be shown
	// Curves are the control points of yarns, with their radius and what is told of them; nil for others.
	Curves *meshio.Curves
	// Input is, for a cloth that is remeshed, the mesh that it was added with, carried along by material points; nil
	// for others.
	Input *meshio.Mesh

	apart bool // Mesh is in obstacles.glb
	shape int  // the number of its mesh there
}

// BodyOf returns a body whose mesh, which has its name, is in the scene's axes.
func BodyOf(kind Kind, m *meshio.Mesh) Body {
	return Body{Name: m.Name, Kind: kind, Pose: r3.Still(), Mesh: m}
}

// YarnsOf returns a body of yarns, which have its name.
func YarnsOf(c *meshio.Curves) Body {
	return Body{Name: c.Name, Kind: KindYarn, Pose: r3.Still(), Curves: c}
}
