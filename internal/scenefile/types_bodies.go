package scenefile

import (
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/mesh"
)

// The types of a scene file that are about rigid and soft bodies. Tags as in types.go.

// Rigid is a body that keeps its shape.
type Rigid struct {
	Name        string     `json:"name" need:"yes" pattern:"name" doc:"letters, digits, - and _; each body and obstacle its own"`
	Shape       RigidShape `json:"shape" need:"yes" doc:"a shape, or a mesh file that is closed"`
	Place       Place      `json:"place" doc:"where it starts"`
	Density     *float64   `json:"density,omitempty" dim:"volume-density" range:"[1e-3,1e6]" doc:"of the whole shape; 1000 kg/m3 by default"`
	Mass        *float64   `json:"mass,omitempty" dim:"mass" range:"[1e-9,1e12]" doc:"instead of a density"`
	Inertia     *Vec       `json:"inertia,omitempty" dim:"inertia" range:"[1e-18,1e18]" doc:"moments about its own axes through the centre, before placing; by default those of a body that is equally dense everywhere"`
	Velocity    Vec        `json:"velocity" dim:"speed" range:"[-1e4,1e4]" doc:"of its centre at the start"`
	Spin        Vec        `json:"spin" dim:"spin" range:"[-1e5,1e5]" doc:"at the start, about axes of the scene through its centre"`
	Force       Vec        `json:"force" dim:"force" range:"[-1e9,1e9]" doc:"a force at its centre, beside gravity"`
	Torque      Vec        `json:"torque" dim:"torque" range:"[-1e9,1e9]" doc:"a torque about its centre"`
	Hold        *Hold      `json:"hold,omitempty" doc:"freedoms that do not give way: the word all, or a list such as [x, y, turn-z]"`
	Motion      string     `json:"motion,omitempty" doc:"name of a motion that the freedoms of hold follow, all without hold; without a motion they stay"`
	Friction    *float64   `json:"friction,omitempty" range:"[0,100]" doc:"its coefficient of friction, where the friction of the scene does not list the pair; of two surfaces that have one the smaller"`
	Restitution float64    `json:"restitution,omitempty" range:"[0,1]" doc:"0, the default: what hits does not bounce"`

	placed
}

// RigidShape is the shape of a rigid body, one of these.
type RigidShape struct {
	Box      *BoxShape    `json:"box,omitempty" doc:"a box around the origin with sides along the axes"`
	Sphere   *SphereShape `json:"sphere,omitempty" doc:"a ball around the origin"`
	Capsule  *RodShape    `json:"capsule,omitempty" doc:"a rod with round ends"`
	Cylinder *RodShape    `json:"cylinder,omitempty" doc:"a rod with flat ends, as a prism with many sides"`
	Cone     *ConeShape   `json:"cone,omitempty" doc:"a cone with the middle of its base at the origin, as a pyramid with many sides"`
	File     string       `json:"file,omitempty" doc:"a closed mesh file (.obj, .ply, .glb) in the folder of the scene, its triangles counter-clockwise seen from outside"`
	Up       string       `json:"up,omitempty" one:"y z" doc:"the axis that is up in the file; by default y in .glb, z in others"`
	Unit     float64      `json:"unit,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one unit of the file, 1 m by default"`
	Weld     bool         `json:"weld,omitempty" doc:"join vertices of the file that are at the same place"`

	placed
	mesh *fileMesh
}

// Hold lists freedoms of a rigid body.
type Hold struct {
	Freedoms []string `json:"freedoms" need:"yes" one:"x y z turn-x turn-y turn-z" len:"[1,6]" doc:"along and about axes of the scene"`

	placed
}

// Solid is a soft body.
type Solid struct {
	Name     string        `json:"name" need:"yes" pattern:"name" doc:"letters, digits, - and _; each body and obstacle its own"`
	Shape    SolidShape    `json:"shape" need:"yes" doc:"a shape, a file of tetrahedra, or a closed mesh that is filled with them"`
	Place    Place         `json:"place" doc:"where it starts"`
	Material SolidMaterial `json:"material" need:"yes" doc:"what it is made of"`
	Velocity Vec           `json:"velocity" dim:"speed" range:"[-1e4,1e4]" doc:"velocity at the start"`
	Spin     Vec           `json:"spin" dim:"spin" range:"[-1e5,1e5]" doc:"at the start, about axes of the scene through its centre"`
	Friction *float64      `json:"friction,omitempty" range:"[0,100]" doc:"its coefficient of friction, where the friction of the scene does not list the pair; of two surfaces that have one the smaller"`
	Contact  *Touched      `json:"contact,omitempty" doc:"what of it is touched: the triangles of its skin, or a smooth surface"`
	Pins     []Bone        `json:"pins,omitempty" len:"[0,10000]" doc:"vertices that are held or moved, such as those at a bone"`
	Attach   []Attach      `json:"attach,omitempty" len:"[0,10000]" doc:"vertices that are fixed to other bodies"`

	placed
}

// Bone holds vertices of a soft body.
type Bone struct {
	Select Select `json:"select" need:"yes" doc:"which vertices, also inside: all, or a box, a sphere, near or ids"`
	Motion string `json:"motion,omitempty" doc:"name of a motion; without one the vertices stay"`

	placed
}

// Attach fixes vertices to a body, where they are at the start.
type Attach struct {
	Select Select `json:"select" need:"yes" doc:"which vertices"`
	To     string `json:"to" need:"yes" doc:"name of the rigid or soft body that they are fixed to"`

	placed
}

// Joint joins a rigid body to another, or to the scene.
type Joint struct {
	Name  string `json:"name,omitempty" pattern:"name" doc:"for people; by default the names of what it joins"`
	Kind  string `json:"kind" need:"yes" one:"weld ball hinge" doc:"weld: no freedom is left; ball: all turns; hinge: turns about one axis"`
	Body  string `json:"body" need:"yes" doc:"name of a rigid body"`
	To    string `json:"to,omitempty" doc:"name of another; without it the joint is to the scene"`
	At    Vec    `json:"at" need:"yes" dim:"length" range:"[-1e6,1e6]" doc:"where it is at the start"`
	Axis  *Vec   `json:"axis,omitempty" range:"[-1e6,1e6]" doc:"of a hinge, of any length but zero"`
	Touch bool   `json:"touch,omitempty" doc:"lets the two bodies touch each other; else they may even overlap, as the leaves of a hinge do"`

	placed
}

// SolidShape is the shape of a soft body, one of these.
type SolidShape struct {
	Block    *BlockShape    `json:"block,omitempty" doc:"a box around the origin with sides along the axes"`
	Ball     *BallShape     `json:"ball,omitempty" doc:"a ball around the origin"`
	Shell    *ShellShape    `json:"shell,omitempty" doc:"a hollow ball around the origin"`
	HalfBall *HalfBallShape `json:"half-ball,omitempty" doc:"the lower half of a ball around the origin, fine at its lowest point"`
	Ring     *RingShape     `json:"ring,omitempty" doc:"what is between two cylinders around the z axis, such as a belt or a wheel"`
	Boxes    *BoxesShape    `json:"boxes,omitempty" doc:"boxes that are one body, such as a table"`
	Letter   *LetterShape   `json:"letter,omitempty" doc:"a letter that stands upright at the origin, its front towards -y"`
	Fill     *FillShape     `json:"fill,omitempty" doc:"a closed mesh file that is filled with tetrahedra"`
	Flesh    *FleshShape    `json:"flesh,omitempty" doc:"a mannequin of flesh on bones that move"`
	File     string         `json:"file,omitempty" doc:"a file of tetrahedra (.msh of Gmsh, .vtk, .node with .ele of TetGen) in the folder of the scene"`
	Up       string         `json:"up,omitempty" one:"y z" doc:"the axis that is up in the file; z by default"`
	Unit     float64        `json:"unit,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one unit of the file, 1 m by default"`

	placed
	sound bool // nothing is wrong with it so far
	tets  *mesh.Tets
}

// BlockShape is a box of tetrahedra.
type BlockShape struct {
	Size  Vec    `json:"size" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"lengths of its sides along x, y and z"`
	Cells [3]int `json:"cells" need:"yes" range:"[1,1000]" doc:"number of cells along x, y and z"`

	placed
}

// BallShape is a ball of tetrahedra.
type BallShape struct {
	Radius float64 `json:"radius" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius"`
	Rings  int     `json:"rings" need:"yes" range:"[1,200]" doc:"layers of tetrahedra from the centre to the skin; n have 20 n3 tetrahedra"`

	placed
}

// ShellShape is a hollow ball of tetrahedra.
type ShellShape struct {
	Inner  float64 `json:"inner" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius of the hollow"`
	Outer  float64 `json:"outer" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius of the whole"`
	Rings  int     `json:"rings" need:"yes" range:"[1,200]" doc:"how finely each sphere is divided: n have 20 n2 triangles"`
	Layers int     `json:"layers" range:"[1,100]" doc:"layers of tetrahedra from the inside out"`

	placed
}

// HalfBallShape is half a ball of tetrahedra.
type HalfBallShape struct {
	Radius float64 `json:"radius" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius"`
	Fine   float64 `json:"fine" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"up to this distance from the lowest point it is fine; beyond, edges grow with the distance"`
	Rings  int     `json:"rings" need:"yes" range:"[1,200]" doc:"layers of tetrahedra up to there"`

	placed
}

// RingShape is a hollow cylinder of tetrahedra.
type RingShape struct {
	Inner  float64 `json:"inner" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius of the hollow"`
	Outer  float64 `json:"outer" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius of the whole"`
	Length float64 `json:"length" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"along its axis"`
	Cells  [3]int  `json:"cells" need:"yes" range:"[1,10000]" doc:"number of cells around, an even one, from the inside out, and along"`

	placed
}

// BoxesShape is a union of boxes of tetrahedra.
type BoxesShape struct {
	Cell  float64 `json:"cell" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"side of the cells; sides of boxes are whole ones"`
	Boxes []Box   `json:"boxes" need:"yes" len:"[1,1000]" doc:"each with its opposite corners"`

	placed
}

// LetterShape is a letter of tetrahedra.
type LetterShape struct {
	Letter string  `json:"letter" need:"yes" doc:"a capital letter from A to Z, or a digit"`
	Height float64 `json:"height" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"from its foot to its top"`
	Depth  float64 `json:"depth" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"from its front to its back"`
	Size   float64 `json:"size" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"length of edges, about"`

	placed
}

// FillShape is a closed surface that is filled with tetrahedra.
type FillShape struct {
	File string  `json:"file" need:"yes" doc:"a closed mesh file (.obj, .ply, .glb) in the folder of the scene, its triangles counter-clockwise seen from outside"`
	Size float64 `json:"size" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"length of edges, about"`
	Up   string  `json:"up,omitempty" one:"y z" doc:"the axis that is up in the file; by default y in .glb, z in others"`
	Unit float64 `json:"unit,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one unit of the file, 1 m by default"`
	Weld bool    `json:"weld,omitempty" doc:"join vertices of the file that are at the same place"`

	placed
}

// FleshShape is a mannequin that is filled with tetrahedra around bones that move.
type FleshShape struct {
	Mannequin MannequinShape `json:"mannequin" doc:"the body and its motion. It starts in the dressing pose at t = 0, and takes lead to come to the first pose of its motion"`
	Size      float64        `json:"size" need:"yes" dim:"length" range:"[5e-3,0.1]" doc:"length of edges, about"`
	Bones     float64        `json:"bones" dim:"length" range:"[1e-3,0.1]" doc:"radius of its bones, whose vertices are held"`

	placed
	made *mannequin.Flesh
}

// SolidMaterial is what a soft body is made of: equally stiff in all directions.
type SolidMaterial struct {
	Preset  string  `json:"preset,omitempty" doc:"name of the material to start from; the other keys replace its figures"`
	Law     string  `json:"law" one:"corotational neohookean stable" doc:"how stress grows with large deformation: corotational, for strains up to a third; neohookean, like rubber, which is never turned inside out; stable, much like it, which comes back from that"`
	Young   float64 `json:"young" dim:"pressure" range:"[1,1e12]" doc:"modulus of Young: tension over strain of a rod"`
	Poisson float64 `json:"poisson" range:"[0,0.49]" doc:"ratio of Poisson: how much thinner the rod gets, over how much longer"`
	Mu      float64 `json:"mu,omitempty" dim:"pressure" range:"[0.1,1e12]" doc:"constant of Lamé, the stiffness against shear; with lambda in place of young and poisson"`
	Lambda  float64 `json:"lambda,omitempty" dim:"pressure" range:"[0,1e14]" doc:"the other constant of Lamé"`
	Density float64 `json:"density" dim:"volume-density" range:"[1e-3,1e6]" doc:"mass of a cubic metre"`
	Damping float64 `json:"damping" dim:"time" range:"[0,10]" doc:"viscosity as a time: its stress is that of the strain this much later"`

	placed
}
