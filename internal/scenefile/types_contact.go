package scenefile

// The types of a scene file that are about touching: contact, friction and obstacles. Tags as in types.go.

// Contact is when surfaces touch, and how well contact is solved.
type Contact struct {
	Thickness Scalar  `json:"thickness" dim:"length" range:"[1e-6,1]" doc:"distance that surfaces keep from each other"`
	Self      bool    `json:"self" doc:"bodies touch themselves and each other"`
	Solver    string  `json:"solver" one:"nodal dual relaxation staggered" doc:"by velocities of nodes; by impulses: slowly, and up to 2048 contacts; by nested relaxation; by projections on normals and friction in turn"`
	Tolerance float64 `json:"tolerance" dim:"speed" range:"(0,1]" doc:"largest residual of the contact problem"`
	Sweeps    int     `json:"sweeps" range:"[1,1e6]" doc:"sweeps of the solver over the contacts in a step, at most"`
	Budget    int     `json:"budget" range:"[0,1e9]" doc:"Newton steps of the solver nodal in a step with all its rounds, linearizations and halvings, at most; 0: no bound"`
	Rounds    int     `json:"rounds" range:"[0,100]" doc:"how often a step that met something new on its way is solved again"`
	Halvings  int     `json:"halvings" range:"[0,30]" doc:"how often a step in which something would cross, or that could not be solved, is halved before the fail-safe brings it apart"`
	Repair    bool    `json:"repair" doc:"bring apart before the first frame what starts crossed"`
	Push      Push    `json:"push" doc:"how surfaces that are closer than thickness are brought apart"`

	Relaxation *Relaxation `json:"relaxation,omitempty" doc:"the form of that solver"`
	Staggered  *Staggered  `json:"staggered,omitempty" doc:"how the staggered solver works"`
}

// Relaxation is a form of nested relaxation.
type Relaxation struct {
	Friction string `json:"friction" one:"disk pyramid" doc:"Coulomb's law, or the pyramid of the paper"`
	Stop     string `json:"stop" one:"residual change" doc:"at the tolerance, or by the rule of the paper"`
	Form     string `json:"form" one:"mixed printed" doc:"accelerated, or as the paper prints it"`

	placed
}

// Staggered says how staggered projections work.
type Staggered struct {
	Metric  string `json:"metric" one:"full mass" doc:"what impulses are weighed by: inertia and stiffness, or inertia alone"`
	Disks   string `json:"disks" one:"exact polar" doc:"how friction is projected on what its normal force allows"`
	Forward bool   `json:"forward" doc:"the friction of a step begins the next"`

	placed
}

// Push limits how fast surfaces that are too close are brought apart.
type Push struct {
	Fraction float64 `json:"fraction" range:"[0,1]" doc:"part of what is missing that is made up in a step"`
	Speed    float64 `json:"speed" dim:"speed" range:"[0,1e3]" doc:"at most so fast"`
}

// Friction holds coefficients of friction: a number for all surfaces, or a mapping.
type Friction struct {
	Default Scalar         `json:"default" range:"[0,100]" doc:"coefficient of all pairs that are not listed"`
	Pairs   []FrictionPair `json:"pairs,omitempty" len:"[0,10000]" doc:"coefficients of single pairs"`

	placed
}

// FrictionPair is the coefficient of friction of two surfaces, or of one with itself.
type FrictionPair struct {
	Between [2]string `json:"between" need:"yes" pattern:"name" doc:"names of two bodies, of a body and an obstacle, or twice that of a body"`
	Mu      Scalar    `json:"mu" need:"yes" range:"[0,100]" doc:"coefficient of friction"`

	placed
}

// Obstacle is what cloth touches and what does not feel it, but for a press.
type Obstacle struct {
	Name   string        `json:"name" need:"yes" pattern:"name" doc:"letters, digits, - and _; each body and obstacle its own"`
	Shape  ObstacleShape `json:"shape" need:"yes" doc:"an analytic shape, a mesh file, a sequence or a mannequin"`
	Place  Place         `json:"place" doc:"where it starts"`
	Motion string        `json:"motion,omitempty" doc:"name of a motion; without one it stays"`
	Press  *Press        `json:"press,omitempty" doc:"makes it slide along one axis, driven by a force, and feel what it touches"`
	Space  *SpaceRules   `json:"space,omitempty" doc:"opens up a mesh that goes through itself or comes too near to itself"`

	Contact  *Touched `json:"contact,omitempty" doc:"what of a mesh is touched: its triangles, or a smooth surface"`
	Friction *Scalar  `json:"friction,omitempty" varies:"place" range:"[0,100]" doc:"its coefficient of friction, where the friction of the scene does not list the pair; of two surfaces that have one the smaller"`

	placed
}

// Touched is what of a mesh others touch.
type Touched struct {
	Surface   string  `json:"surface" need:"yes" one:"polygons smooth" doc:"polygons: its triangles; smooth: the surface that blends their planes, which vertices of others touch"`
	Kernel    string  `json:"kernel,omitempty" one:"cubic interpolating" doc:"how planes are blended: cubic, the default, is rounder; interpolating comes nearer to the triangles"`
	Epsilon   float64 `json:"epsilon,omitempty" range:"(0,1]" doc:"how near the interpolating kernel comes, 0.1 by default; less is nearer and bumpier"`
	Radius    float64 `json:"radius,omitempty" range:"[1,10]" doc:"how far planes are blended, as a multiple of the largest distance of a corner from the middle of its triangle; 1.5 by default"`
	Transport bool    `json:"transport,omitempty" doc:"friction as in the paper, which slips a little where bodies move together"`

	placed
}

// ObstacleShape is one shape.
type ObstacleShape struct {
	Sphere    *SphereShape    `json:"sphere,omitempty" doc:"a ball around the origin"`
	Plane     *PlaneShape     `json:"plane,omitempty" doc:"everything behind a plane"`
	Capsule   *RodShape       `json:"capsule,omitempty" doc:"a rod with round ends"`
	Box       *BoxShape       `json:"box,omitempty" doc:"a box around the origin with sides along the axes"`
	Cylinder  *RodShape       `json:"cylinder,omitempty" doc:"a rod with flat ends"`
	Cone      *ConeShape      `json:"cone,omitempty" doc:"a cone with the middle of its base at the origin"`
	Sequence  *Sequence       `json:"sequence,omitempty" doc:"a mesh that changes over time"`
	Mannequin *MannequinShape `json:"mannequin,omitempty" doc:"a body that moves, by its measures"`
	File      string          `json:"file,omitempty" doc:"a mesh file (.obj, .ply, .glb) in the folder of the scene, its triangles counter-clockwise seen from outside"`
	Up        string          `json:"up,omitempty" one:"y z" doc:"the axis that is up in the file; by default y in .glb, z in others"`
	Unit      float64         `json:"unit,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one unit of the file, 1 m by default"`
	Weld      bool            `json:"weld,omitempty" doc:"join vertices of the file that are at the same place"`

	placed
	mesh *fileMesh
}

// SphereShape is a ball.
type SphereShape struct {
	Radius float64 `json:"radius" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius"`
}

// PlaneShape is a half-space.
type PlaneShape struct {
	Point  Vec `json:"point" dim:"length" range:"[-1e6,1e6]" doc:"a point of the plane"`
	Normal Vec `json:"normal" range:"[-1e6,1e6]" doc:"direction away from what is solid, of any length but zero"`

	placed
}

// RodShape is a capsule or a cylinder: between two points, or around the origin along an axis.
type RodShape struct {
	Radius float64 `json:"radius" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius"`
	From   *Vec    `json:"from,omitempty" dim:"length" range:"[-1e6,1e6]" doc:"middle of one end; of a capsule, of the ball there"`
	To     *Vec    `json:"to,omitempty" dim:"length" range:"[-1e6,1e6]" doc:"middle of the other end"`
	Length float64 `json:"length,omitempty" dim:"length" range:"[1e-6,1e5]" doc:"from one end to the other, instead of from and to; of a capsule, without the round ends"`
	Axis   *Vec    `json:"axis,omitempty" range:"[-1e6,1e6]" doc:"direction with length; [0, 0, 1] by default"`

	placed
}

// BoxShape is a box.
type BoxShape struct {
	Size Vec `json:"size" need:"yes" dim:"length" range:"[1e-6,1e5]" doc:"lengths of its sides along x, y and z"`
}

// ConeShape is a cone.
type ConeShape struct {
	Radius float64 `json:"radius" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"radius of the base"`
	Height float64 `json:"height" need:"yes" dim:"length" range:"[1e-6,1e5]" doc:"from the base to the tip"`
	Axis   Vec     `json:"axis" range:"[-1e6,1e6]" doc:"direction from the base to the tip, of any length but zero"`

	placed
}

// Sequence is a mesh with the same triangles in every frame: numbered files, or a point cache and a file with its
// triangles.
type Sequence struct {
	Files string  `json:"files,omitempty" doc:"numbered mesh files such as body.####.obj, where each # is a digit of the number"`
	First int     `json:"first,omitempty" range:"[0,1e9]" doc:"number of the first file, 0 by default"`
	Last  *int    `json:"last,omitempty" range:"[0,1e9]" doc:"number of the last file"`
	Cache string  `json:"cache,omitempty" doc:"a point cache (.pc2, .mdd), instead of files"`
	Base  string  `json:"base,omitempty" doc:"the mesh file that the cache belongs to; only its triangles are used"`
	FPS   float64 `json:"fps,omitempty" dim:"rate" range:"(0,1e5]" doc:"frames of the sequence in each second; of an .mdd cache by default as the file says"`
	Start float64 `json:"start" dim:"time" range:"[-1e6,1e6]" doc:"when its first frame is"`
	Up    string  `json:"up,omitempty" one:"y z" doc:"the axis that is up in the files; by default y in .glb, z in others"`
	Unit  float64 `json:"unit,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one unit of the files, 1 m by default"`
	Weld  bool    `json:"weld,omitempty" doc:"join vertices of each file that are at the same place"`

	placed
	sound bool // nothing is wrong with it so far
}

// Press drives an obstacle along one axis.
type Press struct {
	Axis  Vec      `json:"axis" need:"yes" range:"[-1e6,1e6]" doc:"the way it pushes, of any length but zero; a motion of the obstacle turns it"`
	Force Scalar   `json:"force" need:"yes" dim:"force" range:"[-1e9,1e9]" doc:"along the axis; its own weight plays no part"`
	Mass  float64  `json:"mass" dim:"mass" range:"[1e-6,1e9]" doc:"how hard it is to speed up"`
	Stop  *float64 `json:"stop,omitempty" dim:"length" range:"[0,1e6]" doc:"how far it may go along the axis from where it starts; without it as far as it can"`

	placed
}

// SpaceRules open up a body that goes through itself.
type SpaceRules struct {
	Margin float64 `json:"margin" dim:"length" range:"[0,1]" doc:"gap to make between surfaces of the body that overlap or are nearer"`
	Every  float64 `json:"every" dim:"time" range:"[1e-3,10]" doc:"time between the corrections of a body that deforms; in between they are blended"`

	placed
}
