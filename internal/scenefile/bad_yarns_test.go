package scenefile

import "strings"

// rows returns an edit of base that makes it a scene of yarns with a chart, whose lines follow on what begins it.
func rows(begin string, lines ...string) string {
	text := yarnTime + "yarns:\n  - name: scarf\n    chart: " + begin + "\n"
	for _, line := range lines {
		text += "      " + line + "\n"
	}
	return text + "    size: [8, 6]\n"
}

// badYarns are like badScenes, about yarns.
var badYarns = []struct{ old, new, phrase string }{
	// Lists and names.
	{"motions:", "§yarn: []\nmotions:", `did you mean "yarns"?`},
	{otherPart, yarnTime + "yarns: §{name: scarf}\n", "must be a list"},
	{otherPart, yarnTime + "yarns: [§{" + aRib + "}]\n", `needs the key "name"`},
	{otherPart, yarnTime + "yarns: [{name: a, " + aRib + "}, {name: §a, " + aRib + "}]\n", "used by an earlier piece of yarn"},
	{otherPart, knitted(aRib) + "obstacles: [{name: §scarf, shape: {plane: {}}}]\n", "used by an earlier piece of yarn"},
	{otherPart, knitted(aRib + ", §material: wool"), "unknown key"},

	// What is knitted.
	{otherPart, yarnTime + "yarns: [§{name: scarf, size: [8, 6]}]\n", "needs one of pattern, chart or file"},
	{otherPart, knitted("pattern: rib 2x2, chart: §k p, size: [8, 6]"), "has pattern and chart"},
	{otherPart, knitted("pattern: §stockinete, size: [8, 6]"), "did you mean stockinette?"},
	{otherPart, knitted("pattern: §lace, size: [8, 6]"), "no pattern is called lace"},
	{otherPart, knitted("pattern: §rib, size: [8, 6]"), "rib needs two numbers"},
	{otherPart, knitted("pattern: §rib 2x, size: [8, 6]"), `"rib 2x" is no pattern; there are stockinette`},
	{otherPart, knitted("pattern: §rib 2x2 k, size: [8, 6]"), "is no pattern"},
	{
		otherPart,
		yarnTime + "yarns: [{name: a, " + aRib + "}, {name: b, " + aRib + "}]\nobstacles: [{name: floor, shape: {plane: {}}}]\n" +
			"friction: {pairs: [{between: §[a, floor], mu: 0.9}]}\n",
		`write a pair of "b" with it, too`,
	},
	{
		otherPart,
		knitted(aRib) + "obstacles: [{name: box, shape: {file: sheet.obj}, contact: §{surface: polygons}}]\n",
		"yarns touch its triangles as they are",
	},
	{otherPart, knitted("pattern: §garter 2x2, size: [8, 6]"), "garter takes no numbers"},
	{otherPart, knitted("pattern: §basket 0x2, size: [8, 6]"), "from 1 to 256"},
	{otherPart, knitted("pattern: §k2 p2, size: [8, 6]"), "under the key chart"},
	{otherPart, yarnTime + "yarns: [§{name: scarf, pattern: seed}]\n", `needs the key "size"`},
	{otherPart, knitted("chart: k §x, size: [8, 6]"), "'x' is no stitch"},
	{otherPart, knitted(`chart: §"kkpp\nkkp"`), "chart, line 2, column 4: this row has 3 stitches"},
	{otherPart, yarnTime + "yarns: [{name: écharpé, chart: k §x, size: [8, 6]}]\n", "'x' is no stitch"},
	{otherPart, rows("|", "k2 p2", "k2 §q2", "k4"), "'q' is no stitch"},
	{otherPart, rows("|", "", "k2 p2 # the last", "k3§"), "this row has 3 stitches and the one on top has 4"},
	{otherPart, rows("|2-", "k2 p2 k2", "k2 2(p2)§) k2"), "closed that was not opened"},
	{otherPart, rows("§k2 p2", "k2 p2"), `write "chart: |"`},
	{otherPart, rows("§>", "k2 p2", "k2 p2"), `write "chart: |"`},
	{otherPart, rows("§'k2 p2", "k2 p2'"), `write "chart: |"`},
	{otherPart, knitted("chart: §k1000000000"), "more than 1048576 stitches"},
	{otherPart, knitted("chart: §k"), "1 wales and 1 courses; at least 2 and 1"},
	{otherPart, knitted("chart: §'#'"), "no stitches"},
	{otherPart, knitted("pattern: seed, size: §8"), "must be a list of 2 numbers"},
	{otherPart, knitted("pattern: seed, size: §[8, 6, 1]"), "must be a list of 2 numbers"},
	{otherPart, knitted("pattern: seed, size: [8, §0]"), "must be at least 1"},
	{otherPart, knitted("pattern: seed, size: [§30 cm, 8]"), "it is a number of things, not a length"},
	{otherPart, knitted("pattern: seed, size: §[1, 6]"), "at least 2 and 1 are needed"},
	{otherPart, knitted("pattern: seed, size: [8, §6.5]"), "whole number"},
	{otherPart, knitted("pattern: seed, size: §[1000, 1000]"), "8000000 control points; at most 2000000"},
	{otherPart, knitted(aRib + ", form: §square"), "flat, courses, tube or helix"},
	{otherPart, knitted("pattern: seed, form: tube, size: §[5, 6]"), "at least 6 are needed"},
	{otherPart, knitted(aRib + ", open: [§left]"), "bottom or top"},
	{otherPart, knitted(aRib + ", open: §[top, top]"), "top twice"},
	{otherPart, knitted(aRib + ", place: §{scale: 2}"), "scale is not for knitted pieces"},
	{otherPart, knitted(aRib + ", up: §y"), "up is for files"},
	{otherPart, knitted(aRib + ", rest: §bent"), "straight or laid"},
	{otherPart, knitted(aRib + ", loop-length: §2 mm"), "loop-length is 0.8 diameters of the yarn"},
	{otherPart, knitted(aRib + ", loop-length: §50 cm"), "loops of 10 to 60 are possible"},
	{otherPart, knitted(aRib + ", ease: §1 s"), "it goes with loop-length"},
	{otherPart, knitted(aRib + ", loop-length: 44 mm, ease: §-1 s"), "must be at least 0 s"},

	// Files.
	{otherPart, knitted("file: §none.bcc"), "does not exist"},
	{otherPart, knitted("file: §../two.bcc"), "leads out of the folder"},
	{otherPart, knitted("file: §sheet.obj"), "is not one of yarns (.bcc)"},
	{otherPart, knitted("file: §hello.bcc"), "BCC"},
	{otherPart, knitted("file: two.bcc, size: §[2, 2]"), "size is for patterns and charts"},
	{otherPart, knitted("file: two.bcc, form: §tube"), "form is for patterns and charts"},
	{otherPart, knitted("file: two.bcc, loop-length: §44 mm"), "loop-length is for patterns and charts"},
	{otherPart, knitted("file: two.bcc, pins: [{select: §top}]"), "the yarns of a file have ends"},
	{otherPart, knitted("file: two.bcc, pins: [{select: {ids: §[7]}}]"), "numbered from 0 to 6"},

	// The yarn.
	{otherPart, knitted(aRib + ", yarn: §silk"), "kaldor or worsted"},
	{otherPart, knitted(aRib + ", yarn: {radius: §0}"), "must be at least 1e-05 m"},
	{otherPart, knitted(aRib + ", yarn: {radius: §1 g}"), "unknown unit"},
	{otherPart, knitted(aRib + ", yarn: {radius: §1.25}"), "is 1.25 mm meant?"},
	{otherPart, knitted(aRib + ", yarn: {radius: §1250}"), "must be at most 0.1 m, not 1250"},
	{otherPart, knitted(aRib + ", yarn: {§diameter: 2.5 mm}"), "write radius, which is half of it"},
	{otherPart, knitted(aRib + ", yarn: {density: §1 g/m2}"), "a linear density is given in kg/m"},
	{otherPart, knitted(aRib + ", yarn: {bend: §1 N m}"), "a flexural rigidity is given in N m2"},
	{otherPart, knitted(aRib + ", yarn: {bend: §-1}"), "must be at least 0"},
	{otherPart, knitted(aRib + ", yarn: {twist: §nan}"), "must be a finite number"},
	{otherPart, knitted(aRib + ", yarn: {contact: §0}"), "must be above 0"},
	{otherPart, knitted(aRib + ", yarn: {friction: §-0.1}"), "must be at least 0"},
	{otherPart, knitted(aRib + ", yarn: {plastic: §no}"), "must be none, or a mapping"},
	{otherPart, knitted(aRib + ", yarn: {plastic: §{yield: 0.1}}"), `needs the key "most"`},
	{otherPart, knitted(aRib + ", yarn: {plastic: {yield: 2, most: §1}}"), "most must not be below yield"},
	{otherPart, knitted(aRib + ", yarn: {damping: §1}"), "damping must be a mapping"},
	{otherPart, knitted(aRib + ", yarn: {damping: {rate: §1 m}}"), "a rate is given in Hz, kHz or 1/s"},
	{otherPart, knitted(aRib + ", yarn: {model: §exact}"), "sets, linear or pairs"},
	{otherPart, knitted(aRib + ", yarn: {tolerance: §0.1}"), "tolerance goes with model: linear"},
	{otherPart, knitted(aRib + ", yarn: {model: §pairs, friction: 0.2}"), "knows no friction"},
	{
		otherPart,
		yarnTime + "yarns: [{name: a, " + aRib + "}, {name: b, " + aRib + ", yarn: §worsted}]\n",
		`the yarn is not that of "a"`,
	},
	{
		otherPart,
		yarnTime + "yarns: [{name: a, " + aRib + ", loop-length: 44 mm}, {name: b, " + aRib + ", loop-length: 44 mm, ease: §1 s}]\n",
		`ease is not that of "a", 0.2 s`,
	},

	// Pins.
	{otherPart, knitted(aRib + ", pins: [§{motion: lift}]"), `needs the key "select"`},
	{otherPart, knitted(aRib + ", pins: [{select: §corners}]"), "top, bottom, left, right, ends or all"},
	{otherPart, knitted(aRib + ", pins: [{select: §tops}]"), `did you mean "top"?`},
	{otherPart, knitted(aRib + ", pins: [{select: §{}}]"), "exactly one of box, sphere, near and ids, not 0"},
	{otherPart, knitted(aRib + ", pins: [{select: top, motion: §lif}]"), `did you mean "lift"?`},
	{otherPart, knitted(aRib + ", pins: [{select: top, §strength: 1}]"), "unknown key"},
	{otherPart, knitted(aRib + ", pins: [{select: §{sphere: {center: [9, 9, 9], radius: 1}}}]"), "select finds no point"},
	{otherPart, knitted(aRib + ", pins: [{select: top}, {select: §left, motion: lift}]"), "pin 0 holds already"},
	{otherPart, knitted(aRib + ", form: tube, pins: [{select: §left}]"), "a tube has no edge on the left"},
	{otherPart, knitted("pattern: seed, form: tube, open: [top, bottom], size: [8, 6], pins: [{select: §ends}]"), "all its yarns are closed"},

	// Yarns beside others.
	{timeLine + "\n", knitted(aRib), "§9:3 yarns and cloths cannot be in one scene yet"},
	{otherPart, knitted(aRib) + "rigids: [{name: brick, shape: §{box: {size: [0.1, 0.1, 0.1]}}}]\n", "only if the rigids are balls"},
	{otherPart, knitted(aRib) + "rigids: [{name: a, shape: {sphere: {radius: 1}}, motion: §lift}]\n", "leave out motion"},
	{otherPart, knitted(aRib) + "rigids: [{name: a, shape: {sphere: {radius: 1}}, force: §[0, 0, 1]}]\n", "leave out force"},
	{
		otherPart,
		knitted(aRib) + "rigids: [{name: a, shape: {sphere: {radius: 1}}}]\njoints: §[{kind: ball, body: a, at: [0, 0, 0]}]\n",
		"yarns and joints cannot be in one scene yet",
	},
	{
		otherPart,
		knitted(aRib) + "solids: §[{name: foam, material: {young: 1 kPa, density: 100}, " + aBlock + "}]\n",
		"yarns and solids cannot be in one scene yet",
	},
	{
		otherPart,
		knitted(aRib) + "obstacles: [{name: plate, shape: {plane: {}}, press: §{axis: [0, 0, 1], force: 1}}]\n",
		"a press and yarns cannot be in one scene yet",
	},
	{otherPart, knitted(aRib) + "air: §{density: 1.2}\n", "air is about cloths"},
	{otherPart, knitted(aRib) + "contact: §{thickness: 2 mm}\n", "contact is about cloths"},
	{otherPart, knitted(aRib) + "integrator: §{theta: 0.5}\n", "integrator is about cloths"},
	{otherPart, strings.Replace(knitted(aRib), "1 s", "1 s, settle: §1 um", 1), "yarns come to rest by their damping"},
	{
		otherPart,
		"gravity: §{keys: [{at: 0, value: [0, 0, -1]}, {at: 1, value: [0, 0, -2]}]}\n" + knitted(aRib),
		"gravity must be the same at all times",
	},
	{otherPart, strings.Replace(knitted(aRib), "{end: 1 s", "§{end: 1e6, fps: 1", 1), "makes 4e+09 steps"},
	{otherPart, strings.Replace(knitted(aRib), "1 s", "1 s, step: §2 ms", 1), "at most 0.5 ms"},

	// Friction.
	{otherPart, knitted(aRib) + "friction: §{keys: [{at: 0, value: 0.1}, {at: 1, value: 0.2}]}\n", "friction must be the same at all times"},
	{otherPart, knitted(aRib) + "friction: {pairs: [{between: §[scarf, scarf], mu: 0.3}]}\n", "friction of yarn on yarn is the key friction"},
	{
		otherPart,
		knitted(aRib) + "rigids: [{name: a, shape: {sphere: {radius: 1}}}]\nobstacles: [{name: floor, shape: {plane: {}}}]\n" +
			"friction: {pairs: [{between: §[a, floor], mu: 0.3}]}\n",
		"one of a pair must be a piece of yarn",
	},
	{otherPart, knitted(aRib) + "friction: {pairs: [{between: §[scarf, flor], mu: 0.3}]}\nobstacles: [{name: floor, shape: {plane: {}}}]\n", `did you mean "floor"?`},
	{
		otherPart,
		yarnTime + "yarns: [{name: a, " + aRib + "}, {name: b, " + aRib + ", place: {translate: [0, 0, 1]}}]\n" +
			"friction: {pairs: [{between: [a, floor], mu: 0.3}, {between: [b, floor], mu: §0.4}]}\nobstacles: [{name: floor, shape: {plane: {}}}]\n",
		`"floor" has 0.3 with another piece`,
	},
}
