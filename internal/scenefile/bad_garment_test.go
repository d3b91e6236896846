package scenefile

// wearing returns the cloths and obstacles of a scene with one garment, whose shape and other keys are given, beside a
// ball and a body.
func wearing(shape, more string) string {
	return "cloths:\n  - name: shirt\n    shape: " + shape + "\n" + more +
		"obstacles: [{name: ball, shape: {sphere: {radius: 1}}}, {name: body, shape: {mannequin: {vertices: 2000}}}]\n"
}

// badGarments are those of badScenes that are about garments and dressing.
var badGarments = []struct{ old, new, phrase string }{
	{clothsPart, wearing("{garment: {kind: §shirt, on: body}}", ""), "must be tunic, tank-top, skirt"},
	{clothsPart, wearing("{garment: {kind: §tunc, on: body}}", ""), `did you mean "tunic"?`},
	{clothsPart, wearing("{garment: §{on: body}}", ""), `needs the key "kind"`},
	{clothsPart, wearing("{garment: §{kind: tunic}}", ""), `needs the key "on"`},
	{clothsPart, wearing("{garment: §tunic}", ""), "must be a mapping"},
	{clothsPart, wearing("{garment: {kind: tunic, on: §bdy}}", ""), `did you mean "body"?`},
	{
		clothsPart,
		wearing("{garment: {kind: tunic, on: §ball}}", ""),
		"garments are made for mannequins, and ball is none",
	},
	{clothsPart, wearing("{garment: {kind: tunic, on: body, size: §0.5}}", ""), "must be at most 0.2"},
	{clothsPart, wearing("{garment: {kind: tunic, on: body, neck: §2}}", ""), "must be at most 1.3"},
	{clothsPart, wearing("{garment: {kind: tunic, on: body, sleeve: §0}}", ""), "must be at least 0.5"},
	{clothsPart, wearing("{garment: {kind: tunic, on: body, §colour: red}}", ""), "unknown key"},
	{
		clothsPart,
		wearing("{garment: {kind: tunic, on: body}, rest: §uv}", ""),
		"rest is for mesh files, but this shape is a garment",
	},
	{
		clothsPart,
		wearing("{garment: {kind: tunic, on: body}}", "    place: §{translate: [0, 0, 1]}\n"),
		"a garment hangs where its body stands",
	},
	{clothsPart, wearing("{garment: {kind: tunic, on: body, size: 50 mm}}", "    layer: §7\n"), "up to layer 6"},
	{"gravity:", "dressing: {close: §0}\ngravity:", "must be at least 0.01"},
	{"gravity:", "dressing: {step: §1 m}\ngravity:", "time"},
	{"gravity:", "dressing: {§speed: 1}\ngravity:", "unknown key"},
}
