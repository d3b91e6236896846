package scenefile

import "github.com/toile-sim/toile/internal/pattern"

// The types of a scene file. Tags say how a field is read, and the schema and the errors are made from the same tags:
// json the key, need that it must be given, dim the kind of quantity (a bare number is in SI), range the values
// allowed, one the words allowed, len the number of items at least and at most, varies that a Scalar may be a map
// (place) and whether it may also change over time (time), doc what it means.

// Version is the number that a scene file gives under the key toile.
const Version = 1

// Scene is a scene file after defaults and overrides: everything in SI units.
type Scene struct {
	Toile      int               `json:"toile" need:"yes" range:"[1,1]" doc:"version of the scene format"`
	Name       string            `json:"name,omitempty" doc:"title of the scene, for people"`
	Time       Time              `json:"time" need:"yes" doc:"how long to simulate and in what steps"`
	Gravity    Vector            `json:"gravity" dim:"acceleration" range:"[-1e4,1e4]" doc:"acceleration of free fall; Z is up"`
	Integrator Integrator        `json:"integrator" doc:"how a step is solved"`
	Air        Air               `json:"air" doc:"what the cloth moves in"`
	Contact    Contact           `json:"contact" doc:"when surfaces touch, and how well contact is solved"`
	Friction   Friction          `json:"friction" doc:"coefficients of friction: one number for all, or a mapping"`
	Cloths     []Cloth           `json:"cloths,omitempty" len:"[0,1000]" doc:"the cloths"`
	Rigids     []Rigid           `json:"rigids,omitempty" len:"[0,10000]" doc:"bodies that keep their shape and move by the forces on them"`
	Solids     []Solid           `json:"solids,omitempty" len:"[0,1000]" doc:"soft bodies, of tetrahedra"`
	Yarns      []YarnPiece       `json:"yarns,omitempty" len:"[0,1000]" doc:"knitted pieces, yarn by yarn; not together with cloths and solids, and of rigids with balls only"`
	Joints     []Joint           `json:"joints,omitempty" len:"[0,100000]" doc:"what joins rigid bodies to each other or to the scene"`
	Obstacles  []Obstacle        `json:"obstacles,omitempty" len:"[0,1000]" doc:"what bodies touch, and what moves them by that"`
	Dressing   DressingRules     `json:"dressing" doc:"how garments are sewn before the first frame"`
	Motions    map[string]Motion `json:"motions,omitempty" doc:"keyframed motions by name, for pins and obstacles"`

	placed
	inputs []Input
	folder string // that files are in; empty for a scene that is not in a file
}

// Time is how long a scene lasts and in what steps it is computed.
type Time struct {
	End    float64 `json:"end" need:"yes" dim:"time" range:"(0,1e6]" doc:"when the simulation ends"`
	FPS    float64 `json:"fps" dim:"rate" range:"(0,1e5]" doc:"frames stored for each second"`
	Step   float64 `json:"step" dim:"time" range:"[1e-7,1]" doc:"longest time step; a frame is divided into equal steps no longer than this"`
	Settle *Settle `json:"settle,omitempty" doc:"find equilibrium before the first frame: a tolerance, or a mapping; without it the scene starts as placed"`

	placed
}

// Settle is how equilibrium is found before the first frame.
type Settle struct {
	Tolerance  float64 `json:"tolerance" dim:"length" range:"(0,1]" doc:"ends when no vertex would move further in one more iteration"`
	Iterations int     `json:"iterations" range:"[1,1e6]" doc:"iterations for each load, at most"`
	Loads      int     `json:"loads" range:"[1,1e4]" doc:"gravity and forces are applied in that many parts, one after the other; not with obstacles"`
	Step       float64 `json:"step" dim:"time" range:"[1e-6,1]" doc:"time step of an iteration with obstacles, where the cloth moves until it rests"`
}

// Integrator is how a step is solved.
type Integrator struct {
	Theta    float64 `json:"theta" range:"[0.5,1]" doc:"1 is backward Euler, which damps vibrations; 0.5 the implicit midpoint, which keeps energy"`
	Newton   Newton  `json:"newton" doc:"the nonlinear solve"`
	Linear   Linear  `json:"linear" doc:"the linear solve"`
	Halvings int     `json:"halvings" range:"[0,30]" doc:"how often a failed step is halved before giving up"`
}

// Newton is how the nonlinear equations of a step are solved.
type Newton struct {
	Iterations int     `json:"iterations" range:"[1,1000]" doc:"linearizations a step, at most; 1 is the linearly implicit scheme"`
	Tolerance  float64 `json:"tolerance" dim:"speed" range:"(0,1]" doc:"largest nonlinear residual; not looked at with one iteration"`
	Exact      bool    `json:"exact" doc:"use Hessians as they are instead of projecting them to positive ones"`

	placed
}

// Linear is how linear systems are solved.
type Linear struct {
	Method     string  `json:"method" one:"auto pcg direct" doc:"by size, conjugate gradients, or sparse Cholesky"`
	Tolerance  float64 `json:"tolerance" dim:"speed" range:"(0,1]" doc:"largest residual of conjugate gradients"`
	Iterations int     `json:"iterations" range:"[1,1e6]" doc:"iterations of conjugate gradients, at most"`
}

// Air is still or moving air.
type Air struct {
	Density Scalar `json:"density" dim:"volume-density" range:"[0,1e4]" doc:"density of the air; 0 is vacuum, 1.2 air at room temperature"`
	Wind    Vector `json:"wind" dim:"speed" range:"[-1e3,1e3]" doc:"velocity of the air"`
}

// Cloth is a sheet of fabric.
type Cloth struct {
	Name          string   `json:"name" need:"yes" pattern:"name" doc:"letters, digits, - and _; each body and obstacle its own"`
	Shape         Shape    `json:"shape" need:"yes" doc:"its mesh and rest shape"`
	Place         Place    `json:"place" doc:"where it starts"`
	Material      Material `json:"material" doc:"its fabric: the name of a preset, or a mapping"`
	Membrane      string   `json:"membrane" one:"chord arc" doc:"how stretch is measured"`
	Bending       string   `json:"bending" one:"plate hinge isometric" doc:"how bending is measured"`
	RestCurvature string   `json:"rest-curvature" one:"flat initial" doc:"the curvature without bending forces: none, or that of the start"`
	Drag          Scalar   `json:"drag" range:"[0,100]" doc:"drag coefficient of the air against the sheet"`
	Layer         int      `json:"layer,omitempty" range:"[0,100]" doc:"its place among cloths that start overlapped, 1 the innermost: they are pulled apart, and off obstacles, before the first frame; 0: left as it is"`
	Remesh        *Remesh  `json:"remesh,omitempty" doc:"let the mesh change: small triangles where the cloth bends, moves, is compressed or touches something, large ones elsewhere; without it the mesh stays as it is"`
	Friction      *Scalar  `json:"friction,omitempty" varies:"place" range:"[0,100]" doc:"its coefficient of friction with whatever it touches, where the friction of the scene does not list the pair; of two that have one the smaller"`
	Thickness     *Scalar  `json:"thickness,omitempty" varies:"place" dim:"length" range:"[1e-6,1]" doc:"distance that it keeps from obstacles; two cloths keep the mean of theirs"`
	Velocity      Vec      `json:"velocity" dim:"speed" range:"[-1e4,1e4]" doc:"velocity at the start"`
	Pins          []Pin    `json:"pins,omitempty" len:"[0,10000]" doc:"vertices that are held or moved"`
	Attach        []Attach `json:"attach,omitempty" len:"[0,10000]" doc:"vertices that are fixed to rigid or soft bodies: buttons, hooks, seams"`
	Forces        []Force  `json:"forces,omitempty" len:"[0,10000]" doc:"forces on vertices"`

	placed
}

// Remesh is what a mesh that changes is brought to at the beginning of every step.
type Remesh struct {
	Size        [2]float64 `json:"size" need:"yes" dim:"length" range:"[1e-5,100]" doc:"shortest and longest edge, at rest"`
	Angle       float64    `json:"angle" dim:"angle" range:"(0,6.3]" doc:"by how much the surface may turn along an edge"`
	Velocity    float64    `json:"velocity" dim:"speed" range:"(0,1e4]" doc:"by how much the velocity may change along an edge"`
	Compression float64    `json:"compression" dim:"length" range:"(0,100]" doc:"an edge that is compressed by a small share e may be this over the root of e long"`
	Aspect      float64    `json:"aspect" range:"(0,1]" doc:"least ratio of the sizes across and along at one place; 1: the same in all directions"`
	Contact     string     `json:"contact" one:"proximity obstacle none" doc:"how sizes follow what the cloth may touch: where faces on the other side are not flush, by the distance of obstacles alone, or not at all"`
	Reach       *float64   `json:"reach,omitempty" dim:"length" range:"[0,1]" doc:"how near that is; by default 4 mm, or twice the contact thickness if that is more"`
	Fade        float64    `json:"fade" range:"[0,1)" doc:"share of a size that is left a step after it is no longer wanted: meshes refine at once and coarsen by and by"`

	placed
}

// Shape is a grid, a mesh file, a garment of the wardrobe, or a pattern.
type Shape struct {
	Grid    *Grid         `json:"grid,omitempty" doc:"a rectangle in the xy plane with a corner at the origin; the warp runs along x"`
	Garment *GarmentShape `json:"garment,omitempty" doc:"a garment of the wardrobe, made to measure for a mannequin and sewn before the first frame"`
	Pattern *PatternShape `json:"pattern,omitempty" doc:"panels from a drawing, sewn before the first frame"`
	File    string        `json:"file,omitempty" doc:"a mesh file (.obj, .ply, .glb) in the folder of the scene"`
	Up      string        `json:"up,omitempty" one:"y z" doc:"the axis that is up in the file; by default y in .glb, z in others"`
	Unit    float64       `json:"unit,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one unit of the file, 1 m by default"`
	Weld    bool          `json:"weld,omitempty" doc:"join vertices of the file that are at the same place"`
	Rest    string        `json:"rest,omitempty" one:"shape uv" doc:"where the rest shape comes from: the file's shape (the default), or its UVs"`
	UVScale float64       `json:"uv-scale,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one UV unit with rest: uv"`
	Warp    *Vec          `json:"warp,omitempty" range:"[-1e6,1e6]" doc:"direction of the warp in space with rest: shape, before placing; [1, 0, 0] by default"`

	placed
	mesh    *fileMesh
	cut     *pattern.Pattern // of a garment
	garment *pattern.Garment // meshed
}

// Grid is a rectangle divided into cells.
type Grid struct {
	Size    [2]float64 `json:"size" need:"yes" dim:"length" range:"[1e-6,1e4]" doc:"along x (warp) and y (weft)"`
	Cells   [2]int     `json:"cells" need:"yes" range:"[1,2000000]" doc:"number of cells along x and y"`
	Pattern string     `json:"pattern" one:"right crossed equilateral random" doc:"how cells are cut into triangles"`
	Seed    int        `json:"seed,omitempty" range:"[0,1e9]" doc:"for the random pattern"`

	placed
}

// Material is a fabric: a preset, changed where wanted.
type Material struct {
	Preset    string   `json:"preset" doc:"name of the fabric to start from; the other keys replace its figures"`
	Law       string   `json:"law" one:"linear measured" doc:"stiffness in the plane: constant, or the preset's table of measured stiffness by strain"`
	Density   *Scalar  `json:"density,omitempty" varies:"place" dim:"areal-density" range:"[1e-4,100]" doc:"mass of a square metre"`
	Stretch   *Stretch `json:"stretch,omitempty" doc:"constant stiffness in the plane"`
	Bend      *Bend    `json:"bend,omitempty" doc:"stiffness against bending"`
	Damping   *Scalar  `json:"damping,omitempty" varies:"place time" dim:"time" range:"[0,10]" doc:"viscosity of the fabric as a time: its stress is that of the strain this much later"`
	Thickness *float64 `json:"thickness,omitempty" dim:"length" range:"[1e-6,0.1]" doc:"thickness of the fabric"`

	placed
}

// Stretch is the stiffness of a fabric in its plane.
type Stretch struct {
	Warp    *Scalar `json:"warp,omitempty" varies:"place" dim:"stiffness" range:"[1e-3,1e8]" doc:"tension for each strain of a strip along the warp"`
	Weft    *Scalar `json:"weft,omitempty" varies:"place" dim:"stiffness" range:"[1e-3,1e8]" doc:"the same along the weft"`
	Shear   *Scalar `json:"shear,omitempty" varies:"place" dim:"stiffness" range:"[1e-3,1e8]" doc:"shear tension for each radian of shear angle"`
	Poisson *Scalar `json:"poisson,omitempty" varies:"place" range:"(-1,1)" doc:"geometric mean of the two Poisson ratios"`
	Factor  *Scalar `json:"factor,omitempty" varies:"place time" range:"[1e-6,1e6]" doc:"multiplies all of that, also of a measured law"`

	placed
}

// Bend is the stiffness of a fabric against bending.
type Bend struct {
	Warp    *Scalar `json:"warp,omitempty" varies:"place" dim:"rigidity" range:"(0,1e3]" doc:"moment per width over curvature when bent along the warp"`
	Weft    *Scalar `json:"weft,omitempty" varies:"place" dim:"rigidity" range:"(0,1e3]" doc:"the same along the weft"`
	Bias    *Scalar `json:"bias,omitempty" varies:"place" dim:"rigidity" range:"(0,1e3]" doc:"the same at 45 degrees to both"`
	Poisson *Scalar `json:"poisson,omitempty" varies:"place" range:"(-1,1)" doc:"how much bending along one axis makes the other want to bend"`
	Factor  *Scalar `json:"factor,omitempty" varies:"place time" range:"[1e-6,1e6]" doc:"multiplies all of that"`

	placed
}

// Pin holds vertices.
type Pin struct {
	Name     string    `json:"name,omitempty" pattern:"name" doc:"by default the cloth's name and the number of the pin"`
	Select   Select    `json:"select" need:"yes" doc:"which vertices"`
	Motion   string    `json:"motion,omitempty" doc:"name of a motion; without one the pin stays"`
	Follow   string    `json:"follow,omitempty" doc:"name of an obstacle that the pin rides on"`
	Gap      *float64  `json:"gap,omitempty" dim:"length" range:"[0,1e4]" doc:"with follow and strength: distance from the surface that the vertices are drawn to; by default the one they have"`
	From     *float64  `json:"from,omitempty" dim:"time" range:"[-1e6,1e6]" doc:"when it takes hold of its vertices, where they are then; from the start by default"`
	Until    *float64  `json:"until,omitempty" dim:"time" range:"[-1e6,1e6]" doc:"when it lets them go; never by default"`
	Clamp    *Vec      `json:"clamp,omitempty" range:"[-1e6,1e6]" doc:"the sheet leaves the held boundary edges in this direction of the start; needs plate bending; without it the sheet may turn about a held edge"`
	Strength *Strength `json:"strength,omitempty" doc:"makes the pin give way; without it the pin is exact"`

	placed
}

// Strength is what a weak pin can do.
type Strength struct {
	Force     Scalar `json:"force" need:"yes" varies:"place time" dim:"force" range:"(0,1e9]" doc:"largest force of the whole pin"`
	Stiffness Scalar `json:"stiffness" need:"yes" varies:"place time" dim:"stiffness" range:"(0,1e9]" doc:"spring of the whole pin"`
}

// Force is a force on vertices.
type Force struct {
	Select Select `json:"select" need:"yes" doc:"which vertices"`
	Force  Vector `json:"force" need:"yes" dim:"force" range:"[-1e6,1e6]" doc:"total force, shared equally by the vertices"`

	placed
}
