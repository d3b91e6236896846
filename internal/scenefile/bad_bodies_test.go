package scenefile

// rigid and solid return edits of base that add a body.
func rigid(text string) string { return "rigids: [{name: brick, " + text + "}]\nmotions:" }

func solid(text string) string {
	return "solids: [{name: foam, material: {young: 1 kPa, density: 100}, " + text + "}]\nmotions:"
}

const (
	aBox   = "shape: {box: {size: [0.1, 0.1, 0.1]}}"
	aBlock = "shape: {block: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}}"
)

// badBodies are like badScenes, about rigid and soft bodies.
var badBodies = []struct{ old, new, phrase string }{
	// Lists and names.
	{"motions:", "§rigid: []\nmotions:", `did you mean "rigids"?`},
	{"motions:", "§solid: []\nmotions:", `did you mean "solids"?`},
	{"motions:", "rigids: §{name: brick}\nmotions:", "must be a list"},
	{"motions:", "solids: §brick\nmotions:", "must be a list"},
	{"motions:", "rigids: [§{" + aBox + "}]\nmotions:", `needs the key "name"`},
	{"motions:", "rigids: [§{name: brick}]\nmotions:", `needs the key "shape"`},
	{"motions:", "rigids: [{name: §square, " + aBox + "}]\nmotions:", "used by an earlier cloth"},
	{"motions:", "rigids: [{name: a, " + aBox + "}, {name: §a, " + aBox + "}]\nmotions:", "used by an earlier rigid body"},
	{"motions:", "rigids: [{name: §a b, " + aBox + "}]\nmotions:", "is not a name"},
	{
		"motions:",
		"rigids: [{name: a, " + aBox + "}]\nobstacles: [{name: §a, shape: {plane: {}}}]\nmotions:",
		"used by an earlier rigid body",
	},
	{
		"motions:",
		"rigids: [{name: a, " + aBox + "}]\nsolids: [{name: §a, material: {young: 1, density: 1}, " + aBlock + "}]\nmotions:",
		"used by an earlier rigid body",
	},
	{clothsPart, "cloths: []\n", "§1:1 the scene has nothing that moves"},

	{
		"motions:",
		solid("shape: §{block: {size: [0.5, 0.5, 0.01], cells: [5, 5, 1]}}, contact: {surface: smooth}"),
		"too thin or too sharp for a smooth surface",
	},

	// Shapes of rigid bodies.
	{"motions:", rigid("shape: §{}"), "shape needs one of box, sphere, capsule, cylinder, cone or file"},
	{"motions:", rigid("shape: {box: {size: [1, 1, 1]}, sphere: §{radius: 1}}"), "write one of them"},
	{"motions:", rigid("shape: {§plane: {}}"), "unknown key"},
	{"motions:", rigid("shape: {box: {size: §[1, 1]}}"), "a list of 3 numbers"},
	{"motions:", rigid("shape: {box: {size: [1, §0, 1]}}"), "must be at least 1e-06 m"},
	{"motions:", rigid("shape: {box: {size: [1, §-1, 1]}}"), "must be at least 1e-06 m"},
	{"motions:", rigid("shape: {box: {size: [1, 1, §1 kg]}}"), "unknown unit"},
	{"motions:", rigid("shape: {sphere: §{}}"), `needs the key "radius"`},
	{"motions:", rigid("shape: {capsule: §{radius: 1}}"), "needs the points from and to, or a length"},
	{"motions:", rigid("shape: {cone: {radius: 1, height: §0}}"), "must be at least 1e-06 m"},
	{"motions:", rigid("shape: {sphere: {radius: 1}, unit: §1 cm}"), "unit is for files, but this shape is a sphere"},
	{"motions:", rigid("shape: {file: §none.obj}"), "does not exist"},
	{"motions:", rigid("shape: {file: §../a.obj}"), "leads out of the folder"},
	{"motions:", rigid("shape: §{file: twoshirts.obj}"), "twoshirts.obj: "},

	// Mass and motion of rigid bodies.
	{"motions:", rigid(aBox + ", density: §0"), "must be at least 0.001 kg/m3"},
	{"motions:", rigid(aBox + ", density: §heavy"), "must be a number"},
	{"motions:", rigid(aBox + ", density: 1, mass: §2"), "mass follows from density"},
	{"motions:", rigid(aBox + ", mass: §-1"), "must be at least 1e-09 kg"},
	{"motions:", rigid(aBox + ", mass: §.nan"), "finite"},
	{"motions:", rigid(aBox + ", inertia: §1"), "a list of 3 numbers"},
	{"motions:", rigid(aBox + ", inertia: [1, 1, §0]"), "must be at least"},
	{"motions:", rigid(aBox + ", inertia: §[1, 1, 3]"), "none can be larger than the sum of the others"},
	{"motions:", rigid(aBox + ", restitution: §0.5"), "nothing bounces"},
	{"motions:", rigid(aBox + ", restitution: §2"), "must be at most 1"},
	{"motions:", rigid(aBox + ", velocity: §1 m/s"), "a list of 3 numbers"},
	{"motions:", rigid(aBox + ", spin: [0, 0, §1 m/s]"), "a spin is given in rad/s"},
	{"motions:", rigid(aBox + ", torque: [0, 0, §1 N]"), "a torque is given in N m"},
	{"motions:", rigid(aBox + ", force: [0, 0, §1 N m]"), "a force is given in N"},
	{"motions:", rigid(aBox + ", friction: §-1"), "must be at least 0"},
	{"motions:", rigid(aBox + ", motion: §lif"), `did you mean "lift"?`},
	{"motions:", rigid(aBox + ", hold: §none"), "must be x, y, z, turn-x"},
	{"motions:", rigid(aBox + ", hold: [x, §w]"), "must be x, y, z, turn-x"},
	{"motions:", rigid(aBox + ", hold: §[x, x]"), "twice"},
	{"motions:", rigid(aBox + ", hold: §[]"), "must have 1 to 6 items"},
	{"motions:", rigid(aBox + ", hold: all, velocity: §[1, 0, 0]"), "held in all freedoms"},
	{"motions:", rigid(aBox + ", §pins: []"), "unknown key"},
	{"motions:", rigid(aBox + ", §material: foam"), "unknown key"},

	// Soft bodies.
	{"motions:", "solids: [§{name: foam, " + aBlock + "}]\nmotions:", `needs the key "material"`},
	{"motions:", "solids: [{name: foam, " + aBlock + ", material: §{young: 1}}]\nmotions:", `needs the key "density"`},
	{"motions:", "solids: [{name: foam, " + aBlock + ", material: §{density: 1}}]\nmotions:", `needs the key "young", or mu and lambda`},
	{"motions:", "solids: [{name: foam, " + aBlock + ", material: §ruber}]\nmotions:", `did you mean "rubber"`},
	{"motions:", "solids: [{name: foam, " + aBlock + ", material: §{density: 1, mu: 1 kPa}}]\nmotions:", "mu and lambda go together"},
	{
		"motions:",
		"solids: [{name: foam, " + aBlock + ", material: {density: 1, young: 1 kPa, lambda: 1 kPa, mu: §1 kPa}}]\nmotions:",
		"write one pair of them",
	},
	{
		"motions:",
		"solids: [{name: foam, " + aBlock + ", material: {density: 1, lambda: §1 MPa, mu: 1 kPa}}]\nmotions:",
		"a ratio of Poisson of 0.4995",
	},
	{
		"motions:",
		"solids: [{name: foam, " + aBlock + ", material: {density: 1, young: 1 kPa, law: §linear}}]\nmotions:",
		"must be corotational, neohookean or stable",
	},
	{
		"motions:",
		"solids: [{name: foam, " + aBlock + ", material: {young: §0, density: 1}}]\nmotions:",
		"must be at least 1 Pa",
	},
	{
		"motions:",
		"solids: [{name: foam, " + aBlock + ", material: {young: §1 N/m, density: 1}}]\nmotions:",
		"a pressure is given in Pa",
	},
	{
		"motions:",
		"solids: [{name: foam, " + aBlock + ", material: {young: 1, density: 1, poisson: §0.5}}]\nmotions:",
		"must be at most 0.49",
	},
	{
		"motions:",
		"solids: [{name: foam, " + aBlock + ", material: {young: 1, density: 1, damping: §-1}}]\nmotions:",
		"must be at least 0 s",
	},
	{"motions:", solid("shape: §{}"), "shape needs one of block, ball, shell, half-ball, ring, boxes, letter, fill, flesh or file"},
	{"motions:", solid("shape: {block: {size: [1, 1, 1], cells: [§0, 1, 1]}}"), "must be at least 1"},
	{"motions:", solid("shape: {flesh: §{bones: 2 cm}}"), `needs the key "size"`},
	{"motions:", solid("shape: {flesh: {size: 4 cm, mannequin: {motion: §fly}}}"), "must be dressing, stand"},
	{"motions:", solid("shape: {flesh: §{size: 10 cm, bones: 1 mm}}"), "no vertex is in a bone"},
	{"motions:", solid("shape: {block: {size: [1, 1, 1], cells: [1, 1, §1.5]}}"), "must be a whole number"},
	{"motions:", solid("shape: §{block: {size: [1, 1, 1], cells: [1000, 1000, 1000]}}"), "at most 5000000 are allowed"},
	{"motions:", solid("shape: {ball: {radius: 1, rings: §0}}"), "must be at least 1"},
	{"motions:", solid("shape: {ball: §{radius: 1}}"), `needs the key "rings"`},
	{"motions:", solid("shape: {shell: {inner: 1, outer: §1, rings: 2}}"), "outer must be above inner"},
	{"motions:", solid("shape: {half-ball: {radius: 1, fine: §1, rings: 2}}"), "fine must be below the radius"},
	{"motions:", solid("shape: {half-ball: {radius: 1, fine: 0.1, rings: §0}}"), "must be at least 1"},
	{"motions:", solid("shape: {ring: §{inner: 1, outer: 2, length: 1}}"), `needs the key "cells"`},
	{"motions:", solid("shape: {boxes: {cell: 1, boxes: §[]}}"), "must have 1 to 1000 items"},
	{"motions:", solid("shape: {ring: {inner: 2, outer: §1, length: 1, cells: [4, 1, 1]}}"), "outer must be above inner"},
	{"motions:", solid("shape: {ring: {inner: 1, outer: 2, length: 1, cells: §[5, 1, 1]}}"), "an even number of cells"},
	{"motions:", solid("shape: {boxes: §{cell: 1, boxes: [{min: [0, 0, 0], max: [0, 0, 0]}]}}"), "no box is as large"},
	{"motions:", solid("shape: {boxes: {cell: 1, boxes: [{min: [0, 0, 0], max: §[0.1, 1, 1]}]}}"), "max of box 0 is 0.1 cells in x"},
	{"motions:", solid("shape: {boxes: {cell: 5 cm, boxes: [{min: [0, 0, 0], max: [0.1, 0.1, 0.1]}, {min: §[0.1, 0, 0.02], max: [0.2, 0.1, 0.1]}]}}"), "min of box 1 is 0.4 cells in z"},
	{"motions:", solid("shape: §{boxes: {cell: 1 mm, boxes: [{min: [0, 0, 0], max: [9, 9, 9]}]}}"), "at most 5000000 are allowed"},
	{"motions:", solid("shape: {letter: §{letter: AB, height: 1, depth: 1, size: 1}}"), "must be one letter"},
	{"motions:", solid("shape: {letter: §{letter: ä, height: 1, depth: 1, size: 1}}"), "is not drawn"},
	{"motions:", solid("shape: {letter: §{letter: A, height: 1, depth: 1, size: 1e-6}}"), "more than"},
	{"motions:", solid("shape: {fill: {file: §none.obj, size: 1}}"), "does not exist"},
	{"motions:", solid("shape: {fill: §{file: twoshirts.obj, size: 0.1}}"), "edge"},
	{"motions:", solid("shape: {file: §none.msh}"), "does not exist"},
	{"motions:", solid("shape: {file: §square.obj}"), "unknown format of tets"},
	{"motions:", solid(aBlock[:len(aBlock)-1] + ", up: §y}"), "up is for files"},
	{"motions:", solid(aBlock + ", §mass: 1 kg"), "unknown key"},
	{"motions:", solid(aBlock + ", friction: §many"), "must be a number"},

	// Joints, bones and attachments.
	{"motions:", "joints: [§{kind: weld, at: [0, 0, 0]}]\n" + rigid(aBox), `needs the key "body"`},
	{"motions:", "joints: [{kind: §glue, body: brick, at: [0, 0, 0]}]\n" + rigid(aBox), "weld, ball or hinge"},
	{"motions:", "joints: [§{kind: weld, body: brick}]\n" + rigid(aBox), `needs the key "at"`},
	{"motions:", "joints: [{kind: weld, body: §brik, at: [0, 0, 0]}]\n" + rigid(aBox), `did you mean "brick"?`},
	{"motions:", "joints: [{kind: weld, body: brick, to: §square, at: [0, 0, 0]}]\n" + rigid(aBox), "no rigid body has the name"},
	{"motions:", "joints: [{kind: ball, body: brick, to: §brick, at: [0, 0, 0]}]\n" + rigid(aBox), "the same body"},
	{"motions:", "joints: [§{kind: hinge, body: brick, at: [0, 0, 0]}]\n" + rigid(aBox), `needs the key "axis"`},
	{
		"motions:",
		"joints: [{kind: hinge, body: brick, at: [0, 0, 0], axis: §[0, 0, 0]}]\n" + rigid(aBox),
		"axis must not be zero",
	},
	{
		"motions:",
		"joints: [{kind: weld, body: brick, at: [0, 0, 0], axis: §[0, 0, 1]}]\n" + rigid(aBox),
		"axis is for a hinge",
	},
	{"drag: 1", "drag: 1\n    attach: [{select: corners, to: §brick}]", "this scene has none"},
	{"drag: 1", "drag: 1\n    attach: [§{select: corners}]", `needs the key "to"`},
	{"motions:", solid(aBlock + ", pins: [{select: §corners}]"), "select of a soft body is"},
	{"motions:", solid(aBlock + ", pins: [{select: {ids: §[99]}}]"), "numbered from 0 to 26"},
	{"motions:", solid(aBlock + ", pins: [{select: §{sphere: {center: [9, 9, 9], radius: 1}}}]"), "finds no vertex"},
	{"motions:", solid(aBlock + ", pins: [{select: all, motion: §lif}]"), `did you mean "lift"?`},
	{"motions:", solid(aBlock + ", attach: [{select: all, to: §foam}]"), "to is the body itself"},

	// Friction between bodies.
	{
		"motions:",
		"friction: {pairs: [{between: §[brick, tile], mu: 0.4}]}\n" + rigid(aBox),
		"no body or obstacle has the name",
	},
}
