package scenefile

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	timeLine  = "time: {end: 1 s, fps: 50, step: 2 ms}"
	forceLine = "forces: [{select: {near: [0.5, 0.5, 1]}, force: [0, 0, 1]}]"
	liftLine  = "lift: [{at: 0 s, translate: [0, 0, 0]}, {at: 1 s, translate: [0, 0, 0.5]}]"
	stretches = "stretch: {warp: 100, weft: 100, shear: 30, poisson: 0.3}"
)

// clothsPart is the whole key cloths of base.
var clothsPart = base[strings.Index(base, "cloths:"):strings.Index(base, "motions:")]

// badScenes replace a piece of base; § in the replacement marks where the one fault must be reported,
// with a message that contains the phrase.
var badScenes = []struct{ old, new, phrase string }{
	// Unknown keys.
	{"gravity:", "§gravty:", `did you mean "gravity"?`},
	{"toile: 1", "toile: 1\n§Name: x", `did you mean "name"?`},
	{"drag: 1", "drag: 1\n    remesh: {size: §1}", "size must be a list of 2 numbers"},
	{
		"drag: 1",
		"drag: 1\n    remesh: {size: §[2 cm, 1 cm]}",
		"the shortest edge and then the longest, not 0.02 m and 0.01 m",
	},
	{"drag: 1", "drag: 1\n    remesh: §{angle: 0.3}", "remesh needs the key \"size\""},
	{"drag: 1", "drag: 1\n    remesh: {size: [1 cm, 2 cm], contact: §near}", "proximity"},
	{"toile: 1", "toile: 1\ncontact: {staggered: §{metric: mass}}", "goes with solver: staggered"},
	{"toile: 1", "toile: 1\ncontact: {solver: staggered, staggered: {metric: §weight}}", "full or mass"},
	{"drag: 1", "drag: 1\n    layer: §101", "must be at most 100"},
	{"drag: 1", "drag: 1\n    layer: §-1", "must be at least 0"},
	{"drag: 1", "drag: 1\n    layer: §1.5", "whole number"},
	{"drag: 1", "drag: 1\n    §layers: 2", "not supported by this version"},
	{"drag: 1", "drag: 1\n    §seams: []", "not supported by this version"},
	{"toile: 1", "toile: 1\n§fps: 30", "belongs to time"},
	{"fps: 50", "§fsp: 50", `did you mean "fps"?`},
	{"theta: 1", "§thetta: 1", `did you mean "theta"?`},
	{"wind: [", "§wnd: [", `did you mean "wind"?`},
	{"cells:", "cells: [4, 4], §cell:", `did you mean "cells"?`},
	{"drag: 1", "§drog: 1", `did you mean "drag"?`},
	{"drag: 1", "§xyzzyplugh: 1", `unknown key "xyzzyplugh" in cloth 0`},
	{"translate: [0, 0, 1]", "§move: [0, 0, 1]", "unknown key"},
	{"density: 0.2", "density: 0.2, §densty: 1", `did you mean "density"?`},
	{"shear: 30", "shear: 30, §sheer: 30", `did you mean "shear"?`},
	{"bias: 1e-5", "bias: 1e-5, §bais: 4e-6", `did you mean "bias"?`},
	{"motion: lift", "§moton: lift", `did you mean "motion"?`},
	{"near:", "§naer:", `did you mean "near"?`},
	{"{at: 1 s, translate: [0, 0, 0.5]}", "{at: 1 s, §translat: [0, 0, 0.5]}", `did you mean "translate"?`},
	{
		liftLine,
		"lift: [{at: 0, rotate: {axis: [0, 0, 1], angle: 1, §about: [0, 0, 0]}}]",
		"belongs to the whole motion",
	},
	{"drag: 1", "drag: 1\n    §mass: 1", "density"},

	// Wrong kinds of values.
	{timeLine, "time: §3", "must be a mapping"},
	{timeLine, "time: §[1, 2]", "must be a mapping"},
	{timeLine, "§time:", "has no value"},
	{"gravity: [0, 0, -9.81]", "gravity: §-9.81", "must be a list of 3 numbers"},
	{"gravity: [0, 0, -9.81]", "gravity: §[0, -9.81]", "must be a list of 3 numbers, not 2"},
	{"gravity: [0, 0, -9.81]", "gravity: §{z: -9.81}", "must be a list of 3 numbers, or change over time"},
	{"gravity: [0, 0, -9.81]", "gravity: [0, 0, §down]", "must be a number"},
	{"gravity: [0, 0, -9.81]", "gravity: [0, 0, §[1]]", "must be a number, or {keys:"},
	{"name: test", "name: §[a]", "must be a single value"},
	{"name: test", `name: §""`, "is empty"},
	{"name: square", "name: §{a: 1}", "must be a single value"},
	{"cells: [4, 4]", "cells: §4", "must be a list of 2 numbers"},
	{"cells: [4, 4]", "cells: [4, §4.5]", "must be a whole number"},
	{"cells: [4, 4]", "cells: [§four, 4]", "must be a number"},
	{pinLine, "pins: §{select: corners}", "must be a list"},
	{pinLine, "pins: [§corners]", "must be a mapping"},
	{"motions:\n  " + liftLine, "motions: §[1]", "must be a mapping from names"},
	{liftLine, "lift: §3", "must be a mapping"},
	{"theta: 1", "theta: 1, newton: {exact: §maybe}", "must be true or false"},
	{"theta: 1", "theta: 1, linear: §cg", "must be auto, pcg or direct"},
	{"theta: 1", "theta: 1, newton: §many", "must be a number"},
	{"drag: 1", "bending: §plates", `did you mean "plate"?`},
	{"drag: 1", "rest-curvature: §curly", "must be flat or initial"},
	{"cells: [4, 4]", "cells: [4, 4], pattern: §left", "must be right"},

	// Units.
	{"end: 1 s", "end: §1 sec", "unknown unit"},
	{"end: 1 s", "end: §1 m", "a time is given in s, ms, us or min"},
	{"step: 2 ms", "step: §2 mm", "unknown unit"},
	{"size: [1, 1]", "size: [§1 s, 1]", "a length is given in"},
	{"size: [1, 1]", "size: [1, §1 parsec]", "unknown unit"},
	{"density: 0.2", "density: §0.2 kg", "an areal density is given in"},
	{"warp: 100,", "warp: §100 N,", "a stiffness is given in"},
	{"warp: 1e-5", "warp: §1e-5 N", "a rigidity is given in"},
	{"theta: 1", "theta: §1 m", "plain number without a unit"},
	{"poisson: 0.3}, bend", "poisson: §0.3 m}, bend", "plain number without a unit"},
	{"end: 1 s", `end: §"1,5 s"`, "the decimal sign is a point"},
	{"translate: [0, 0, 1]", "rotate: {axis: [0, 0, 1], angle: §90 degrees}", "an angle is given in"},
	{"force: [0, 0, 1]", "force: [0, 0, §1 kg]", "a force is given in"},

	// Ranges.
	{"toile: 1", "toile: §2", "must be at most 1"},
	{"toile: 1", "toile: §0", "must be at least 1"},
	{"end: 1 s", "end: §-1 s", "must be above 0 s, not -1"},
	{"end: 1 s", "end: §0", "must be above 0 s"},
	{"end: 1 s", "end: §.inf", "must be a finite number"},
	{"end: 1 s", "end: §.nan", "must be a finite number"},
	{"end: 1 s", "end: §NaN", "must be a finite number"},
	{"end: 1 s", "end: §1e999", "out of the range of numbers"},
	{"end: 1 s", "end: §1e300 min", "must be at most"},
	{"end: 1 s", "end: §900000", "at most 1000000 are allowed"},
	{"step: 2 ms", "step: §0", "must be at least"},
	{"step: 2 ms", "step: §5 s", "must be at most 1 s, not 5"},
	{"fps: 50", "fps: §0", "must be above 0"},
	{"fps: 50", "fps: §-30", "must be above 0"},
	{"fps: 50", "fps: 50, settle: §0", "must be above 0"},
	{"theta: 1", "theta: §0.4", "must be at least 0.5"},
	{"theta: 1", "theta: §1.1", "must be at most 1"},
	{"theta: 1", "newton: §0", "must be at least 1"},
	{"theta: 1", "newton: {tolerance: §-1e-6}", "must be above 0 m/s"},
	{"theta: 1", "halvings: §31", "must be at most 30"},
	{"density: 1.2", "density: §-1", "must be at least 0 kg/m3"},
	{"wind: [0, 0, 0]", "wind: [§.inf, 0, 0]", "finite"},
	{"size: [1, 1]", "size: [1, §0]", "must be at least"},
	{"size: [1, 1]", "size: [§-1, 1]", "must be at least"},
	{"cells: [4, 4]", "cells: [4, §0]", "must be at least 1"},
	{"cells: [4, 4]", "cells: §[3000, 3000]", "at most 2000000 are allowed"},
	{"cells: [4, 4]", "cells: [§4000000000, 1]", "must be at most"},
	{"cells: [4, 4]", "cells: §[1, 100000]", "too long for their width"},
	{"cells: [4, 4]", "cells: §[500, 500], pattern: random", "at most 400 cells along a side"},
	{"cells: [4, 4]", "cells: [4, 4], seed: §3", "seed is for pattern: random"},
	{"density: 0.2", "density: §-0.2", "must be at least"},
	{"density: 0.2", "density: §0", "must be at least"},
	{"warp: 100,", "warp: §-100,", "must be at least"},
	{"poisson: 0.3}, bend", "poisson: §1}, bend", "must be below 1"},
	{"warp: 1e-5", "warp: §0", "must be above 0 N m"},
	{"damping: 1 ms", "damping: §-1 ms", "must be at least 0 s"},
	{"drag: 1", "drag: §-1", "must be at least 0"},
	{"translate: [0, 0, 1]", "scale: §0", "must be at least"},
	{"motion: lift", "strength: {force: §0, stiffness: 1}", "must be above 0 N"},
	{"motion: lift", "strength: {force: 1, stiffness: §-2}", "must be above 0 N/m"},
	{"select: corners, motion: lift", "select: {sphere: {center: [0, 0, 0], radius: §-1}}", "must be at least 0 m"},
	{"select: corners, motion: lift", "select: {ids: [0, §-1]}", "must be at least 0"},

	// Missing keys.
	{"toile: 1\n", "§", `needs the key "toile"`},
	{timeLine + "\n", "", "§1:1 needs the key \"time\""},
	{"end: 1 s, ", "§", "§3:7 needs the key \"end\""},
	{"name: square\n    ", "§", `needs the key "name"`},
	{gridShape + "\n    ", "", "§8:5 needs the key \"shape\""},
	{gridShape, "shape: §{}", "needs a grid, a file, a garment or a pattern"},
	{"size: [1, 1], ", "", "§9:19 needs the key \"size\""},
	{"select: corners, ", "", "§13:12 needs the key \"select\""},
	{"motion: lift", "strength: §{force: 1}", `needs the key "stiffness"`},
	{"force: [0, 0, 1]", "", "§14:14 needs the key \"force\""},
	{"{at: 1 s, translate", "§{translate", `needs the key "at"`},
	{"translate: [0, 0, 1]", "rotate: §{axis: [1, 0, 0]}", `needs the key "angle"`},

	// Rules between values.
	{"name: test", "§toile: 1", `key "toile" is given twice`},
	{"drag: 1", "drag: 1\n    §drag: 2", `key "drag" is given twice`},
	{"motion: lift", "motion: §left", `did you mean "lift"?`},
	{"motions:\n  " + liftLine + "\n", "", "§13:38 this scene has no motions"},
	{"{at: 1 s, translate", "{at: §0 s, translate", "must be later than the key before it"},
	{"{at: 1 s, translate", "{at: §-1 s, translate", "must be later than the key before it"},
	{liftLine, "lift: §[]", "must have 1 to"},
	{liftLine, "§a.b: [{at: 0}]\n  " + liftLine, "is not a name"},
	{
		"motions:",
		"  - name: §square\n    " + gridShape + "\n    material: {density: 0.2, " + stretches + ", bend: {warp: 1e-5, weft: 1e-5, bias: 1e-5}}\nmotions:",
		"is used by an earlier cloth",
	},
	{"name: square", "name: §a/b", "is not a name"},
	{"name: square", "name: §../x", "is not a name"},
	{"translate: [0, 0, 1]", "rotate: {axis: §[0, 0, 0], angle: 1}", "axis must not be zero"},
	{"select: corners, motion: lift", "select: {box: {min: §[1, 0, 0], max: [0, 1, 1]}}", "min must not be above max"},
	{
		"select: corners, motion: lift",
		"select: §{box: {min: [5, 5, 5], max: [6, 6, 6]}}",
		"it starts between [0, 0, 1] and [1, 1, 1]",
	},
	{"select: corners, motion: lift", "select: §{sphere: {center: [5, 5, 5], radius: 1}}", "select finds no vertex"},
	{"select: corners, motion: lift", "select: {group: §collar}", "the mesh has no groups"},
	{"select: corners, motion: lift", "select: {ids: §[25]}", "numbered from 0 to 24"},
	{"select: corners, motion: lift", "select: {ids: §[]}", "must have 1 to"},
	{"select: corners, motion: lift", "select: §{}", "exactly one of"},
	{"select: corners, motion: lift", "select: §{near: [0, 0, 0], ids: [1]}", "exactly one of"},
	{"select: corners, motion: lift", "select: §corner", `did you mean "corners"?`},
	{"select: corners, motion: lift", "select: §[corners]", "must be a mapping"},
	{pinLine, "pins: [{select: corners}, {select: §boundary}]", "which pin 0 of the cloth holds already"},
	{pinLine, "pins: [{select: {ids: [0]}, name: a}, {select: {ids: [1]}, name: §a}]", "is used by an earlier pin"},
	{"cells: [4, 4]}}", "cells: [4, 4]}, file: §sheet.obj}", "write one of them"},
	{"cells: [4, 4]}}", "cells: [4, 4]}, unit: §1 mm}", "unit is for mesh files"},

	// Materials.
	{"material: {density: 0.2, ", "material: {preset: §no-such-fabric-at-all, density: 0.2, ", "unknown preset"},
	{"material: {density: 0.2, ", "material: {preset: §coton, density: 0.2, ", `did you mean "cotton"?`},
	{"damping: 1 ms", "thickness: §-1 mm", "must be at least"},

	// Files.
	{gridShape, "shape: {file: §missing.obj}", "does not exist in the folder of the scene"},
	{gridShape, "shape: {file: §../secret.obj}", "leads out of the folder"},
	{gridShape, "shape: {file: §a/../../secret.obj}", "leads out of the folder"},
	{gridShape, "shape: {file: §/etc/passwd}", "relative to the folder of the scene"},
	{gridShape, `shape: {file: §'C:\secret.obj'}`, "forward slashes"},
	{gridShape, "shape: {file: §C:/secret.obj}", "relative to the folder"},
	{gridShape, "shape: {file: §folder}", "not a regular file"},
	{gridShape, "shape: {file: §notes.txt}", "unknown mesh format"},
	{gridShape, "shape: {file: §broken.obj}", "broken.obj:2"},
	{gridShape, "shape: {file: §empty.obj}", "no faces"},
	{gridShape, "shape: §{file: flat.obj}", "has no area"},
	{gridShape, "shape: {file: sheet.obj, rest: §uv}", "has no UVs"},
	{gridShape, "shape: {file: sheet.obj, uv-scale: §2}", "needs rest: uv"},
	{gridShape, "shape: {file: pattern.obj, rest: uv, warp: §[1, 0, 0]}", "warp is for rest: shape"},
	{gridShape, "shape: {file: sheet.obj, warp: §[0, 0, 0]}", "must be a direction"},
	{gridShape, "shape: {file: sheet.obj, up: §x}", "must be y or z"},
	{gridShape, "shape: {file: sheet.obj, unit: §0}", "must be at least"},

	// Not YAML, or more of it than a scene has.
	{"gravity: [0, 0, -9.81]\n", "gravity: [0, 0, -9.81\n§", "not valid YAML"},
	{gridShape, "shape: {file: partly.obj, rest: §uv}", "triangle 1 of partly.obj has no UVs"},
	{gridShape, "shape: {file: twoshirts.obj}\n    velocity: [0, §fast, 0]", "must be a number"},
	{
		"material: {density: 0.2, ",
		"material: {preset: denim, law: measured, density: 0.2, ",
		"§11:69 stretch is for law: linear",
	},
	{"density: 0.2, " + stretches, "preset: silk, law: §measured", "nobody measured"},
	{"drag: 1", "bending: hinge\n    membrane: §arc", "needs bending: plate"},
	{"drag: 1", "bending: isometric\n    rest-curvature: §initial", "needs bending: plate or hinge"},
	{
		"drag: 1\n    pins: [{select: corners, ",
		"bending: hinge\n    pins: [{select: boundary, clamp: §[1, 0, 0], ",
		"clamp needs bending: plate",
	},
	{"select: corners, ", "select: boundary, clamp: §[0, 0, 0], ", "must be a direction"},
	{"select: corners, ", "select: corners, clamp: §[1, 0, 0], ", "finds no boundary edge"},
	{"name: test", "name: §a: b", "not valid YAML"},
	{"name: test", "name: §!!str test", "tags such as"},
	{"name: test", "§<<: {name: test}", "merge keys"},
	{"name: test", "name: §*nothing", "nothing before it is marked"},
	{"name: test", "name: te\x00§st", "not a text file"},
	{"name: test", "name: te\xff§st", "not a text file"},
}

// allBadScenes are the tables of all files.
var allBadScenes = slices.Concat(badScenes, badContacts, badKeys, badMaps, badPatterns, badGarments, badBodies, badYarns)

func TestBadScenes(t *testing.T) {
	if len(allBadScenes) < 170 {
		t.Fatalf("only %d bad scenes", len(allBadScenes))
	}
	for _, c := range allBadScenes {
		t.Run(c.new+" "+c.phrase, func(t *testing.T) {
			if strings.Count(base, c.old) == 0 {
				t.Fatalf("base has no %q", c.old)
			}
			text := strings.Replace(base, c.old, c.new, 1)
			text, line, col, phrase := expected(t, text, c.phrase)
			faults := faultsOf(t, text)
			if len(faults) != 1 {
				t.Fatalf("want one fault, got %d:\n%v", len(faults), faults)
			}
			f := faults[0]
			if f.File != "bad.yaml" || f.Line != line || f.Col != col {
				t.Errorf("want bad.yaml:%d:%d, got %v", line, col, f)
			}
			if !strings.Contains(f.Msg, phrase) {
				t.Errorf("want %q in\n%v", phrase, f)
			}
			checkCaret(t, f)
		})
	}
}

// expected takes the mark out of a text and returns the place it stood at; a phrase that begins with
// §line:col gives the place instead.
func expected(t *testing.T, text, phrase string) (clean string, line, col int, rest string) {
	t.Helper()
	before, after, marked := strings.Cut(text, "§")
	clean = before + after
	if place, ok := strings.CutPrefix(phrase, "§"); ok {
		place, phrase, _ = strings.Cut(place, " ")
		for i, r := range place {
			if r == ':' {
				line, col = atoi(place[:i]), atoi(place[i+1:])
			}
		}
		return clean, line, col, phrase
	}
	if !marked {
		t.Fatal("no place is marked")
	}
	// A mark behind a byte that is not text stands for that byte.
	start := before[strings.LastIndexByte(before, '\n')+1:]
	line, col = strings.Count(before, "\n")+1, utf8.RuneCountInString(start)+1
	if strings.HasSuffix(before, "\x00") || strings.HasSuffix(before, "\xff") {
		col--
	}
	return clean, line, col, phrase
}

func atoi(s string) int {
	n := 0
	for _, r := range s {
		n = 10*n + int(r-'0')
	}
	return n
}

// faultsOf reads and builds a scene and returns what is wrong with it.
func faultsOf(t *testing.T, text string) Faults {
	t.Helper()
	s, err := Parse("bad.yaml", []byte(text), badFiles, nil)
	if err == nil {
		err = BuildInTests(s)
	}
	if err == nil {
		t.Fatalf("accepted:\n%s", text)
	}
	var faults Faults
	if !errors.As(err, &faults) {
		t.Fatalf("not a list of faults: %v", err)
	}
	return faults
}

// BuildInTests makes the world of a scene, of whichever kind. build_hook_test.go sets it, since what builds worlds
// imports this package.
var BuildInTests func(*Scene) error

// checkCaret checks that the caret of a printed fault stands below its column.
func checkCaret(t *testing.T, f *Fault) {
	t.Helper()
	lines := strings.Split(f.Error(), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[2], "^") {
		t.Errorf("no excerpt in:\n%v", f)
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	text := strings.NewReplacer("gravity:", "gravty:", "end: 1 s", "end: -1", "drag: 1", "drag: x", "motion: lift", "motion: lif").
		Replace(base)
	faults := faultsOf(t, text)
	if len(faults) != 4 {
		t.Fatalf("want 4 faults, got\n%v", faults)
	}
	for i := 1; i < len(faults); i++ {
		if faults[i].Line < faults[i-1].Line {
			t.Errorf("faults are not in the order of the file:\n%v", faults)
		}
	}
}
