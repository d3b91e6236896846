package scenefile

// pin returns an edit of base that replaces its pins, in a scene with three obstacles.
func pin(text string) string {
	return "pins: [{select: corners, " + text + "}]\n" + forceLineIndented +
		"obstacles: [{name: body, shape: {sphere: {radius: 0.1}}}, {name: jaw, shape: {sphere: {radius: 0.1}}, press: {axis: [0, 0, 1], force: 1}}]\nmotions:"
}

const (
	forceLineIndented = "    " + forceLine + "\n"
	pinsToMotions     = pinLine + "\n" + forceLineIndented + "motions:"
)

// badKeys are like badScenes, about what changes over time and pins that follow.
var badKeys = []struct{ old, new, phrase string }{
	// Keyframes.
	{"toile: 1", "toile: 1\nfriction: {keys: §[]}", "must have 1 to 100000 items"},
	{"toile: 1", "toile: 1\nfriction: {keys: [{at: 0, value: 1}], §betwen: hold}", "did you mean \"between\"?"},
	{"toile: 1", "toile: 1\nfriction: {default: {keys: [{at: 0, value: §-1}]}}", "value must be at least 0"},
	{
		"toile: 1",
		"toile: 1\nfriction: {default: {keys: [{at: 0, value: §1 m}]}}",
		"must be a plain number without a unit",
	},
	{"toile: 1", "toile: 1\nfriction: {default: {keys: [{at: §0 m, value: 1}]}}", "unknown unit"},
	{"toile: 1", "toile: 1\nfriction: {default: {keys: [§{at: 0 s}]}}", `needs the key "value"`},
	{"toile: 1", "toile: 1\nfriction: {default: {keys: [§{value: 1}]}}", `needs the key "at"`},
	{"toile: 1", "toile: 1\nfriction: {default: §{between: hold}}", `default needs the key "keys"`},
	{
		"toile: 1",
		"toile: 1\nfriction: {default: {keys: [{at: 0, value: 1}], between: §cubic}}",
		"must be linear, hold or smooth",
	},
	{
		"toile: 1",
		"toile: 1\nfriction: {default: {keys: [{at: 1 s, value: 1}, {at: §0.5 s, value: 1}]}}",
		"must not be before the key before it",
	},
	{
		"toile: 1",
		"toile: 1\nfriction: {default: {keys: [{at: 1, value: 1}, {at: 1, value: 2}, {at: §1, value: 3}]}}",
		"third key at 1 s",
	},
	{"toile: 1", "toile: 1\nfriction: {default: §[0.1, 0.2]}", "must be a number, or {keys"},
	{"toile: 1", "toile: 1\ncontact: {thickness: {keys: [{at: 0, value: §0 mm}]}}", "at least 1e-06 m"},
	{"gravity: [0, 0, -9.81]", "gravity: §{keys: [{at: 0, value: 9.81}]}", "lists as values"},
	{"gravity: [0, 0, -9.81]", "gravity: {keys: [{at: §0 kg, value: [0, 0, 9.81]}]}", "unknown unit"},
	{"gravity: [0, 0, -9.81]", "gravity: {keys: [{at: 0, value: [0, 0, §fast]}]}", "must be a number"},
	{"gravity: [0, 0, -9.81]", "gravity: [0, 0, {keys: [{at: 0, value: §1e9}]}]", "must be at most 10000 m/s2"},
	{"damping: 1 ms", "damping: {keys: [{at: 0, value: §1 N}]}", "unknown unit"},
	{"poisson: 0.3}, bend", "poisson: 0.3, factor: §0}, bend", "must be at least 1e-06"},
	{"drag: 1", "drag: {keys: [{at: 0, value: §-1}]}", "must be at least 0"},
	{"theta: 1", "theta: §{keys: [{at: 0, value: 1}]}", "theta cannot change over time"},
	{"force: [0, 0, 1]", "force: [0, 0, {keys: [{at: 0, value: §1 m}]}]", "unknown unit"},
	{"motion: lift", "strength: {force: {keys: [{at: 0, value: §0 N}]}, stiffness: 1}", "must be above 0 N"},

	{"toile: 1", "toile: 1\nfriction: {default: {keys: [{at: 0, value: 1, §vale: 2}]}}", `did you mean "value"?`},
	{"toile: 1", "toile: 1\nfriction: {default: {keys: §{at: 0, value: 1}}}", "must be a list"},
	{"toile: 1", "toile: 1\nfriction: {default: {keys: [{at: 0, value: §{x: 1}}]}}", "must be a single value"},
	{"wind: [0, 0, 0]", "wind: [0, 0, {keys: [{at: 0, value: §[1]}]}]", "must be a single value"},

	// Pins that let go, and that follow.
	{"motion: lift", "until: §1 m", "unknown unit"},
	{"motion: lift", "until: §never", "must be a number"},
	{"motion: lift", "follow: §[body]", "must be a single value"},
	{"motion: lift", "from: 2 s, until: §1 s", "until must be later than from"},
	{"motion: lift", "follow: §body", "this scene has no obstacles"},
	{pinsToMotions, pin("follow: §boddy"), `did you mean "body"?`},
	{pinsToMotions, pin("follow: §square"), "that is a cloth"},
	{pinsToMotions, pin("follow: body, gap: §1 mm"), "gap needs strength"},
	{"motion: lift", "gap: §1 mm", "it goes with follow"},
	{pinsToMotions, pin("follow: body, gap: §-1 mm, strength: {force: 1, stiffness: 1}"), "at least 0 m"},
	{pinsToMotions, pin("follow: §jaw"), "is a press"},
	{pinsToMotions, pin("motion: lift, follow: §body"), "leave out follow or motion"},
}
