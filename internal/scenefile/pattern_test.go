package scenefile

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toile-sim/toile/r3"
)

func TestDocumentedPattern(t *testing.T) {
	text, files := documented(t)
	s, err := Parse("scene.yaml", []byte(text), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := s.Cloths[0].Shape.garment
	if g == nil || len(g.Stitches) == 0 {
		t.Fatal("there is nothing to sew")
	}
	// A tube, its dart sewn shut.
	if e := g.Sewn.Verts - len(g.Sewn.Edges) + len(g.Sewn.Tri); e != 0 {
		t.Errorf("Euler number %d, want 0", e)
	}
	if !s.Dresses() {
		t.Error("the scene does not dress")
	}
	box := r3.BoxOf(g.Positions)
	want := r3.Box{Min: r3.V(-0.25, -0.25, 0.5), Max: r3.V(0.25, 0.25, 1.1)}
	if box.Min.Sub(want.Min).Norm() > 1e-6 || box.Max.Sub(want.Max).Norm() > 1e-6 {
		t.Errorf("hangs in %v, want %v", box, want)
	}
	if n := len(s.Inputs()); n != 3 {
		t.Errorf("%d inputs, want the scene, the drawing and the seams", n)
	}
	again, err := Parse("scene.yaml", s.Resolved(), files, nil)
	if err != nil || string(again.Resolved()) != string(s.Resolved()) {
		t.Errorf("the resolved scene does not say the same: %v", err)
	}
}

// Ways of writing that mean the same.
func TestSeamFileWays(t *testing.T) {
	text, files := documented(t)
	seams := string(files["skirt.yaml"].Data)
	first, err := Parse("scene.yaml", []byte(text), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{
		{"edges: [hem, left, waist, right]", "edges: [{name: left, number: 2}, {name: waist, from: [46 cm, 60 cm]}, {name: right, near: [0, 30 cm]}]"},
		{"facing: front", "right: [2, 0, 0], up: [0, 0, 1]"},
		{"at: [0, -25 cm, 50 cm]", "anchor: [25 cm, 10 cm], at: [0, -25 cm, 60 cm]"},
		{"a: front.left, b: back.left", "a: [front.left], b: [back.left]"},
	} {
		changed := strings.Replace(seams, edit[0], edit[1], 1)
		if changed == seams {
			t.Fatalf("no %q", edit[0])
		}
		s, err := Parse(
			"scene.yaml",
			[]byte(text),
			fstest.MapFS{"skirt.svg": files["skirt.svg"], "skirt.yaml": {Data: []byte(changed)}},
			nil,
		)
		if err != nil {
			t.Errorf("%s: %v", edit[1], err)
			continue
		}
		a, b := first.Cloths[0].Shape.garment, s.Cloths[0].Shape.garment
		for i := range a.Positions {
			if a.Positions[i].Sub(b.Positions[i]).Norm() > 1e-9 {
				t.Errorf("%s: vertex %d lies somewhere else", edit[1], i)
				break
			}
		}
	}
}

// Faults of a file of seams name it, and the line and column.
func TestBadSeamFiles(t *testing.T) {
	text, files := documented(t)
	for _, c := range []struct{ old, new, want string }{
		{"panels:", "panel:", `skirt.yaml:1:1: the file of seams needs the key "panels"`},
		{"edges: [hem, left", "edgs: [hem, left", `skirt.yaml:3:5: unknown key "edgs" in panel 0; did you mean "edges"?`},
		{"name: back", "name: bakc", `skirt.yaml:5:11: skirt.svg has no outline "bakc"; did you mean "back"?`},
		{"name: front\n", "name: front\n    outline: grain\n", `skirt.yaml:3:14: skirt.svg has no outline "grain"`},
		{"    place: {at: [0, -25 cm, 50 cm], facing: front}\n", "", "panel front needs the key place"},
		{"facing: front", "facing: frnt", `must be front, back, left, right, up or down`},
		{"facing: front", "right: [1, 0, 0]", "place needs both right and up"},
		{"facing: front", "facing: front, right: [1, 0, 0], up: [0, 0, 1]", "facing does not go with right and up"},
		{"facing: front", "right: [1, 0, 0], up: [0, 0, 0]", "must be directions, not zero"},
		{"facing: front", "right: [1, 0, 0], up: [1, 0, 1]", "skirt.yaml:2:5: panel front: is placed with right"},
		{"facing: front", "wrap: 5 cm", "skirt.yaml:2:5: panel front: is wrapped"},
		{"waist, right]", "waist, right, more]", "skirt.yaml:3:12: panel front, edge more: there is no edge number 5; the outline has 4"},
		{"edges: [hem, left, waist, right]", "edges: [hem, {name: left, near: [25 cm, 0]}]", "skirt.yaml:3:12: panel front, edge left: is the same edge as hem"},
		{"edges: [hem, left, waist, right]", "edges: [{name: left, number: 2, from: [0, 0]}]", "must have one of number, from and near, not 2"},
		{"edges: [hem, left, waist, right]", "edges: [hem, left, waist, right]\n    corners: [[3 m, 0]]", "panel front: the corner (3000, 0) mm"},
		{"edges: [hem, left, waist, right]", "edges: [hem, left, waist, right]\n    fold: [25 cm, 60 cm]", "skirt.yaml:2:5: panel front: the edge near (250, 600) mm, at which it is cut on the fold, is not straight"},
		{"a: front.left,", "a: front,", `skirt.yaml:10:26: "front" is not an edge; write panel.edge`},
		{"a: front.left,", "a: front.lef,", `skirt.yaml:10:5: seam side-left, panel front, edge lef: the panel has no edge "lef"; did you mean "left"?`},
		{"a: front.left,", "a: [],", "must have 1 to 1000 items"},
		{"a: front.right,", "a: front.left,", "skirt.yaml:11:5: seam side-right, panel front, edge left: is in seam side-left already"},
		{"b: back.left}", "b: back.left, ease: -1}", "ease must be at least 0"},
		{"b: back.left}", "b: back.waist, ease: 0.01}", "skirt.yaml:10:5: seam side-left: front.left is 601.3 mm long but back.waist is 420 mm"},
		{"facing: back", "facing: front", "skirt.yaml:5:5: panel back: is placed inside out"},
		{"b: back.left}", "b: back.left, reversed: true}", "one-sided"},
		{"edge: waist, at: 22 cm", "edge: wast, at: 22 cm", `skirt.yaml:7:12: panel back, dart middle on edge wast: is on edge "wast"`},
		{"width: 2 cm", "width: 2 kg", "skirt.yaml:7:"},
		{"tip: [25 cm, 46 cm]", "tip: [25 cm, 70 cm]", "skirt.yaml:7:12: panel back, dart middle on edge waist: has its tip outside"},
		{"darts: [{name: middle, edge: waist, at: 22 cm, width: 2 cm, tip: [25 cm, 46 cm]}]", "pleats: [{edge: waist, at: 1 cm, depth: 30 cm}]", "skirt.yaml:7:13: panel back, pleat number 1 on edge waist: takes the stretch"},
		{"seams:", "seams: [", "skirt.yaml:"},
	} {
		seams := string(files["skirt.yaml"].Data)
		changed := strings.Replace(seams, c.old, c.new, 1)
		if changed == seams {
			t.Fatalf("no %q", c.old)
		}
		_, err := Parse(
			"scene.yaml",
			[]byte(text),
			fstest.MapFS{"skirt.svg": files["skirt.svg"], "skirt.yaml": {Data: []byte(changed)}},
			nil,
		)
		if err == nil {
			t.Errorf("%s was taken", c.new)
			continue
		}
		t.Log(err)
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the message lacks %q", c.new, c.want)
		}
	}
	if _, err := Parse(
		"scene.yaml",
		[]byte(text),
		fstest.MapFS{"skirt.svg": files["skirt.svg"], "skirt.yaml": {}},
		nil,
	); err == nil ||
		!strings.Contains(err.Error(), "skirt.yaml:1:1: the file is empty") {
		t.Errorf("an empty file of seams: %v", err)
	}
}

// badPatterns are like badScenes, about patterns.
var badPatterns = []struct{ old, new, phrase string }{
	{gridShape, "shape: {pattern: §{}}", `needs the key "file"`},
	{gridShape, "shape: {pattern: {file: §gone.svg}}", "does not exist"},
	{gridShape, "shape: {pattern: {file: disk.svg, size: §0}}", "size must be at least 0.0001 m"},
	{gridShape, "shape: {pattern: {file: disk.svg, size: §2 kg}}", "size"},
	{gridShape, "shape: {pattern: {file: disk.svg, unit: §-1}}", "unit must be at least"},
	{gridShape, "shape: {pattern: {file: disk.svg, size: §[1, 2]}}", "size must be a single value"},
	{gridShape, "shape: {pattern: {file: disk.svg, §sise: 1 cm}}", `did you mean "size"?`},
	{gridShape, "shape: {pattern: {file: disk.svg, §up: y}}", "unknown key"},
	{gridShape, "shape: {pattern: {file: disk.svg, §seam: 3}}", "unknown key"},
	{gridShape, "shape: {pattern: {file: disk.svg}, rest: §uv}", "rest is for mesh files, but this shape is a pattern"},
	{gridShape, "shape: {pattern: §disk.svg}", "pattern must be a mapping"},
	{gridShape, "shape: {pattern: §[disk.svg]}", "pattern must be a mapping"},
	{gridShape, "shape: {pattern: {file: §[disk.svg]}}", "file must be a single value"},
	{gridShape, "shape: {pattern: §{file: disk.svg}, grid: {size: [1, 1], cells: [2, 2]}}", "write one of them"},
}

// Faults of drawings stand where the scene names them.
func TestBadDrawings(t *testing.T) {
	files := fstest.MapFS{
		"broken.svg":   {Data: []byte("<svg>\n<g></svg>")},
		"line.svg":     {Data: []byte(`<svg><path d="M0 0 L 10 10"/></svg>`)},
		"nothing.svg":  {Data: []byte(`<svg/>`)},
		"bow.svg":      {Data: []byte(`<svg><path id="bow" d="M0 0 H 1000 L 0 1100 H 1000 Z"/></svg>`)},
		"twice.svg":    {Data: []byte(`<svg><circle id="a" r="1000"/><circle id="a" r="900"/></svg>`)},
		"twice.yaml":   {Data: []byte("panels: [{name: a}]")},
		"disk.svg":     {Data: []byte(`<svg><circle id="disk" r="1000"/></svg>`)},
		"unitless.dxf": {Data: []byte("0\nCIRCLE\n40\n3\n0\nEOF\n")},
		"notes.txt":    {},
	}
	for _, c := range []struct{ shape, want string }{
		{"file: ../a.svg", "scene.yaml:5:29: file \"../a.svg\" leads out of the folder"},
		{"file: notes.txt", "outlines are read from .svg and .dxf files"},
		{"file: broken.svg", "scene.yaml:5:29: broken.svg, line 2: not valid XML"},
		{"file: line.svg", "line.svg has no closed outline"},
		{"file: nothing.svg", "nothing.svg has no outlines"},
		{"file: bow.svg", "panel bow, edge 2: crosses or touches edge 4"},
		{"file: unitless.dxf", "does not say its unit"},
		{"file: twice.svg", "panel a: panels 1 and 2 have the same name"},
		{"file: twice.svg, seams: twice.yaml", `twice.yaml:1:17: twice.svg has several outlines "a"`},
		{"file: disk.svg, seams: gone.yaml", `scene.yaml:5:46: file "gone.yaml" does not exist`},
		{"file: disk.svg, size: 1}\n    place: {scale: 2", "a pattern is not scaled"},
	} {
		text := "toile: 1\ntime: {end: 1 s}\ncloths:\n  - name: cloth\n    shape: {pattern: {" + c.shape + "}}\n"
		if strings.Contains(c.shape, "\n") {
			text = strings.Replace(strings.Replace(text, "\n    place", "}\n    place", 1), "2}}", "2}", 1)
		}
		if _, err := Parse(
			"scene.yaml",
			[]byte(text),
			files,
			nil,
		); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.shape, err, c.want)
		}
	}
}
