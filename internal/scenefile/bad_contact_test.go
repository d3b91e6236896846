package scenefile

// obstacle returns an edit of base that adds an obstacle.
func obstacle(text string) string {
	return "obstacles: [{name: ball, " + text + "}]\nmotions:"
}

// badContacts are like badScenes, about contact, friction and obstacles.
var badContacts = []struct{ old, new, phrase string }{
	// Keys.
	{"toile: 1", "toile: 1\ncontact: {§thicknes: 1 mm}", `did you mean "thickness"?`},
	{"toile: 1", "toile: 1\ncontact: §1 mm", "must be a mapping with keys such as thickness"},
	{"toile: 1", "toile: 1\ncontact: {thickness: §0}", "must be at least 1e-06 m"},
	{"toile: 1", "toile: 1\ncontact: {thickness: §1 kg}", "unknown unit"},
	{"toile: 1", "toile: 1\ncontact: {solver: §nodl}", `did you mean "nodal"?`},
	{"toile: 1", "toile: 1\ncontact: {tolerance: §0}", "must be above 0 m/s"},
	{"toile: 1", "toile: 1\ncontact: {self: §yes}", "must be true or false"},
	{"toile: 1", "toile: 1\ncontact: {rounds: §-1}", "must be at least 0"},
	{"toile: 1", "toile: 1\ncontact: {rounds: §1.5}", "must be a whole number"},
	{"toile: 1", "toile: 1\ncontact: {sweeps: §0}", "must be at least 1"},
	{"toile: 1", "toile: 1\ncontact: {solver: §pgs}", "nodal"},
	{"toile: 1", "toile: 1\ncontact: {push: {fraction: §2}}", "must be at most 1"},
	{"toile: 1", "toile: 1\ncontact: {push: {speed: §-1}}", "must be at least 0 m/s"},
	{"toile: 1", "toile: 1\ncontact: {§friction: 0.3}", "it belongs to the scene"},
	{"drag: 1", "drag: 1\n    §mu: 0.3", "friction of the scene"},
	{"drag: 1", "drag: 1\n    §self-contact: true", "the key self of the scene's contact"},
	{"drag: 1", "drag: 1\n    §press: {force: 1}", "it belongs to an obstacle"},

	// Friction.
	{"toile: 1", "toile: 1\nfriction: §-0.1", "default must be at least 0"},
	{"toile: 1", "toile: 1\nfriction: §slippery", "must be a number"},
	{"toile: 1", "toile: 1\nfriction: §[0.3]", "must be a mapping"},
	{"toile: 1", "toile: 1\nfriction: §.inf", "finite"},
	{"toile: 1", "toile: 1\nfriction: {default: 0.3, §pair: []}", `did you mean "pairs"?`},
	{"toile: 1", "toile: 1\nfriction: {pairs: [{between: [square, square], mu: §-0.4}]}", "mu must be at least 0"},
	{"toile: 1", "toile: 1\nfriction: {pairs: [§{between: [square, square]}]}", `needs the key "mu"`},
	{"toile: 1", "toile: 1\nfriction: {pairs: [§{mu: 0.4}]}", `needs the key "between"`},
	{"toile: 1", "toile: 1\nfriction: {pairs: [{between: §[square], mu: 0.4}]}", "a list of 2 names, not 1"},
	{"toile: 1", "toile: 1\nfriction: {pairs: [{between: §square, mu: 0.4}]}", "a list of 2 names, not a single value"},
	{
		"toile: 1",
		"toile: 1\nfriction: {pairs: [{between: §[square, sqare], mu: 0.4}]}",
		`no body or obstacle has the name "sqare"; did you mean "square"?`,
	},
	{"toile: 1", "toile: 1\nfriction: {pairs: [{between: §[square, xyzzyplugh], mu: 0.4}]}", "there is square"},
	{"toile: 1", "toile: 1\nfriction: {pairs: [{between: [square, §a b], mu: 0.4}]}", "is not a name"},
	{
		"toile: 1",
		"toile: 1\nfriction: {pairs: [{between: [square, square], mu: 0.4}, {between: §[square, square], mu: 0.5}]}",
		"given twice",
	},
	{
		"motions:",
		"friction: {pairs: [{between: [square, ball], mu: 0.4}, {between: §[ball, square], mu: 0.5}]}\n" + obstacle(
			"shape: {sphere: {radius: 1}}",
		),
		"given twice",
	},
	{
		"motions:",
		"friction: {pairs: [{between: §[ball, ball], mu: 0.4}]}\n" + obstacle("shape: {sphere: {radius: 1}}"),
		"do not rub on each other",
	},
	{
		"motions:",
		"friction: {pairs: [{between: §[square, bal], mu: 0.4}]}\n" + obstacle("shape: {sphere: {radius: 1}}"),
		`did you mean "ball"?`,
	},

	// Names and places.
	{"motions:", "obstacles: §{sphere: 1}\nmotions:", "must be a list"},
	{"motions:", "obstacles: [§{shape: {sphere: {radius: 1}}}]\nmotions:", `obstacle 0 needs the key "name"`},
	{"motions:", "obstacles: [§{name: ball}]\nmotions:", `needs the key "shape"`},
	{"motions:", "obstacles: [{name: §square, shape: {sphere: {radius: 1}}}]\nmotions:", "used by an earlier cloth"},
	{
		"motions:",
		"obstacles: [{name: a, shape: {sphere: {radius: 1}}}, {name: §a, shape: {sphere: {radius: 1}}}]\nmotions:",
		"used by an earlier obstacle",
	},
	{"motions:", obstacle("shape: {sphere: {radius: 1}}, motion: §lft"), `did you mean "lift"?`},
	{"motions:", obstacle("shape: {sphere: {radius: 1}}, place: {scale: §0}"), "must be at least"},
	{"motions:", obstacle("shape: {sphere: {radius: 1}}, §translate: [0, 0, 1]"), "place: {translate"},
	{"motions:", obstacle("shape: {sphere: {radius: 1, §center: [0, 0, 1]}}"), "place: {translate"},
	{"motions:", obstacle("shape: {sphere: {radius: 1}}, §material: silk"), "unknown key"},

	// Shapes.
	{"motions:", obstacle("shape: §{}"), "shape needs one of sphere, plane"},
	{"motions:", obstacle("shape: §sphere"), "must be a mapping"},
	{"motions:", obstacle("shape: {§spere: {radius: 1}}"), `did you mean "sphere"?`},
	{"motions:", obstacle("shape: {§torus: {radius: 1}}"), "unknown key"},
	{
		"motions:",
		obstacle("shape: {sphere: {radius: 1}, box: §{size: [1, 1, 1]}}"),
		"shape has sphere and box; write one of them",
	},
	{"motions:", obstacle("shape: {sphere: §{}}"), `needs the key "radius"`},
	{"motions:", obstacle("shape: {sphere: {radius: §-1}}"), "radius must be at least"},
	{"motions:", obstacle("shape: {sphere: {radius: §0}}"), "radius must be at least"},
	{
		"motions:",
		obstacle("shape: {sphere: {radius: 1}, unit: §1 mm}"),
		"unit is for mesh files, but this shape is a sphere",
	},
	{"motions:", obstacle("shape: {plane: {normal: §[0, 0, 0]}}"), "normal must not be zero"},
	{"motions:", obstacle("shape: {plane: {normal: §up}}"), "must be a list of 3 numbers"},
	{"motions:", obstacle("shape: {box: {size: §1}}"), "must be a list of 3 numbers"},
	{"motions:", obstacle("shape: {box: {size: [1, 1, §0]}}"), "must be at least"},
	{"motions:", obstacle("shape: {capsule: §{radius: 1}}"), "needs the points from and to, or a length"},
	{"motions:", obstacle("shape: {capsule: {radius: 1, §half: 1}}"), "as length"},
	{"motions:", obstacle("shape: {capsule: §{radius: 1, from: [0, 0, 0]}}"), "from and to belong together"},
	{
		"motions:",
		obstacle("shape: {capsule: {radius: 1, from: [0, 0, 1], to: §[0, 0, 1]}}"),
		"to is the same point as from",
	},
	{
		"motions:",
		obstacle("shape: {cylinder: {radius: 1, from: [0, 0, 0], to: [0, 0, 1], length: §1}}"),
		"length follows from",
	},
	{
		"motions:",
		obstacle("shape: {cylinder: {radius: 1, from: [0, 0, 0], to: [0, 0, 1], axis: §[1, 0, 0]}}"),
		"axis follows from",
	},
	{"motions:", obstacle("shape: {cylinder: {radius: 1, length: 1, axis: §[0, 0, 0]}}"), "axis must not be zero"},
	{"motions:", obstacle("shape: {cylinder: {radius: 1, length: §-1}}"), "length must be at least"},
	{"motions:", obstacle("shape: {cone: §{radius: 1}}"), `needs the key "height"`},
	{"motions:", obstacle("shape: {cone: {radius: 1, height: 1, axis: §[0, 0, 0]}}"), "axis must not be zero"},

	// A press.
	{"motions:", obstacle("shape: {box: {size: [1, 1, 1]}}, press: §{force: 1 N}"), `press needs the key "axis"`},
	{"motions:", obstacle("shape: {box: {size: [1, 1, 1]}}, press: §{axis: [0, 0, 1]}"), `press needs the key "force"`},
	{
		"motions:",
		obstacle("shape: {box: {size: [1, 1, 1]}}, press: {axis: §[0, 0, 0], force: 1 N}"),
		"axis must not be zero",
	},
	{
		"motions:",
		obstacle("shape: {box: {size: [1, 1, 1]}}, press: {axis: [0, 0, 1], force: 1 N, mass: §0}"),
		"mass must be at least",
	},
	{
		"motions:",
		obstacle("shape: {box: {size: [1, 1, 1]}}, press: {axis: [0, 0, 1], force: 1 N, stop: §-1}"),
		"stop must be at least 0 m",
	},

	// Files.
	{"motions:", obstacle("shape: {file: §missing.obj}"), "does not exist in the folder of the scene"},
	{"motions:", obstacle("shape: {file: §../secret.obj}"), "leads out of the folder"},
	{"motions:", obstacle("shape: {file: §broken.obj}"), "broken.obj:2"},
	{"motions:", obstacle("shape: {file: §body.pc2}"), "unknown mesh format"},
	{"motions:", obstacle("shape: {file: sheet.obj, up: §x}"), "must be y or z"},
	{"motions:", obstacle("shape: {file: sheet.obj}, contact: §{kernel: cubic}"), `needs the key "surface"`},
	{"motions:", obstacle("shape: {file: sheet.obj}, contact: {surface: §round}"), "must be polygons or smooth"},
	{"motions:", obstacle("shape: {file: sheet.obj}, contact: {surface: polygons, kernel: §cubic}"), "is for surface: smooth"},
	{"motions:", obstacle("shape: {file: sheet.obj}, contact: {surface: smooth, epsilon: §0.1}"), "is for kernel: interpolating"},
	{"motions:", obstacle("shape: {plane: {}}, contact: §{surface: smooth}"), "smooth already"},
	{"motions:", obstacle("shape: §{file: sheet.obj}, contact: {surface: smooth}"), "needs a closed mesh"},
	{"motions:", obstacle("shape: {file: sheet.obj, §rest: uv}"), "unknown key"},

	// Sequences.
	{"motions:", obstacle("shape: {sequence: §{fps: 24}}"), "sequence needs files or a cache"},
	{"motions:", obstacle("shape: {sequence: {files: s.#.obj, last: 1, fps: 24, cache: §a.pc2}}"), "write one of them"},
	{"motions:", obstacle("shape: {sequence: {files: §sheet.obj, last: 1, fps: 24}}"), "one group of #"},
	{"motions:", obstacle("shape: {sequence: {files: §a#b#.obj, last: 1, fps: 24}}"), "one group of #"},
	{"motions:", obstacle("shape: {sequence: §{files: s.#.obj, fps: 24}}"), `needs the key "last"`},
	{"motions:", obstacle("shape: {sequence: §{files: s.#.obj, last: 1}}"), `needs the key "fps"`},
	{
		"motions:",
		obstacle("shape: {sequence: {files: s.#.obj, first: 3, last: §1, fps: 24}}"),
		"last must not be below first",
	},
	{
		"motions:",
		obstacle("shape: {sequence: {files: s.#.obj, last: §999999999, fps: 24}}"),
		"at most 1000000 are allowed",
	},
	{
		"motions:",
		obstacle("shape: {sequence: {files: s.#.obj, last: 1, fps: 24, base: §sheet.obj}}"),
		"base is for a cache",
	},
	{
		"motions:",
		obstacle("shape: {sequence: {files: §s.#.obj, first: 1, last: 4, fps: 24}}"),
		`frame 3 of 4: file "s.3.obj" does not exist`,
	},
	{"motions:", obstacle("shape: {sequence: {files: §../s.#.obj, last: 1, fps: 24}}"), "leads out of the folder"},
	{"motions:", obstacle("shape: {sequence: {files: s.#.obj, first: 1, last: 2, fps: §0}}"), "must be above 0 Hz"},
	{
		"motions:",
		obstacle("shape: {sequence: {files: s.#.obj, first: 1, last: 2, fps: 24}, up: §y}"),
		"is written inside it",
	},
	{
		"motions:",
		obstacle("shape: {sequence: {files: s.#.obj, first: 1, last: 2, fps: 24}, weld: §true}"),
		"weld of a sequence is written inside it",
	},
	{
		"motions:",
		obstacle("shape: {sequence: {files: s.#.obj, first: 1, last: 2, fps: 24}}, motion: §lift"),
		"has its motion in itself",
	},
	{
		"motions:",
		obstacle(
			"shape: {sequence: {files: s.#.obj, first: 1, last: 2, fps: 24}}, press: §{axis: [0, 0, 1], force: 1}",
		),
		"cannot be a press",
	},
	{
		"motions:",
		obstacle("shape: {sequence: §{files: s.#.obj, first: 1, last: 2, fps: 24}}"),
		"the scene must be a file",
	},
	{"motions:", obstacle("shape: {mannequin: {size: §XL}}"), "must be S, M or L"},
	{"motions:", obstacle("shape: {mannequin: {motion: §walking}}"), `did you mean "walk"?`},
	{
		"motions:",
		obstacle("shape: {mannequin: {measures: {waist: §72 mm}}}"),
		"waist is 0.072 m; it must be from 0.578 to 1.12 m for a height of 1.7 m",
	},
	{"motions:", obstacle("shape: {mannequin: {measures: {§wasit: 72 cm}}}"), `did you mean "waist"?`},
	{"motions:", obstacle("shape: {mannequin: {vertices: §10}}"), "must be at least 2000"},
	{
		"motions:",
		obstacle("shape: {mannequin: {depth: §0.03}}"),
		"depth is for motion: arm-through-chest, but the motion is stand",
	},
	{"motions:", obstacle("shape: {mannequin: {motion: arm-through-chest, depth: §0.06}}"), "must be at most 0.05 m"},
	{"motions:", obstacle("shape: {mannequin: {lead: §-1}}"), "must be at least 0 s"},
	{"motions:", obstacle("shape: {mannequin: {tempo: §0}}"), "must be at least 0.01"},
	{"motions:", obstacle("shape: {mannequin: §3}"), "mannequin must be a mapping"},
	{
		"motions:",
		obstacle("shape: {mannequin: {}}, motion: §lift"),
		"write it there: shape: {mannequin: {motion: twist}}",
	},
	{
		"motions:",
		obstacle("shape: {mannequin: {}}, press: §{axis: [0, 0, 1], force: 1}"),
		"a mannequin has its motion in itself and cannot be a press",
	},
	{"motions:", obstacle("shape: {mannequin: {}, unit: §2}"), "is for mesh files, but this shape is a mannequin"},
	{"motions:", obstacle("shape: {sequence: §{cache: body.pc2, fps: 24}}"), "base: body.obj"},
	{"motions:", obstacle("shape: {sequence: {cache: body.pc2, base: §missing.obj, fps: 24}}"), "does not exist"},
	{"motions:", obstacle("shape: {sequence: {cache: §missing.pc2, base: sheet.obj, fps: 24}}"), "does not exist"},
	{
		"motions:",
		obstacle("shape: {sequence: {cache: body.pc2, base: sheet.obj, fps: 24, last: §3}}"),
		"is for numbered files",
	},
	{
		"motions:",
		obstacle("shape: {sequence: {cache: body.pc2, base: sheet.obj, fps: 24, weld: §true}}"),
		"is for numbered files",
	},
}
