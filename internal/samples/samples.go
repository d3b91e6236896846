// Package samples has scenes and files that tests of scene files, and of what is built of them, begin with.
package samples

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Base is a good scene, which tests spoil piece by piece.
const Base = `toile: 1
name: test
time: {end: 1 s, fps: 50, step: 2 ms}
gravity: [0, 0, -9.81]
integrator: {theta: 1}
air: {density: 1.2, wind: [0, 0, 0]}
cloths:
  - name: square
    shape: {grid: {size: [1, 1], cells: [4, 4]}}
    place: {translate: [0, 0, 1]}
    material: {density: 0.2, stretch: {warp: 100, weft: 100, shear: 30, poisson: 0.3}, bend: {warp: 1e-5, weft: 1e-5, bias: 1e-5, poisson: 0.3}, damping: 1 ms}
    drag: 1
    pins: [{select: corners, motion: lift}]
    forces: [{select: {near: [0.5, 0.5, 1]}, force: [0, 0, 1]}]
motions:
  lift: [{at: 0 s, translate: [0, 0, 0]}, {at: 1 s, translate: [0, 0, 0.5]}]
`

// Pieces of Base.
const (
	GridShape = "shape: {grid: {size: [1, 1], cells: [4, 4]}}"
	PinLine   = "pins: [{select: corners, motion: lift}]"
)

// OtherPart is what Base has that a scene of yarns cannot have.
var OtherPart = Base[strings.Index(Base, "time:"):strings.Index(Base, "motions:")]

// YarnTime is the time of a scene of yarns.
const YarnTime = "time: {end: 1 s}\n"

// Rib is a small piece.
const Rib = "pattern: rib 2x2, size: [8, 6]"

// Knitted returns an edit of Base, in place of OtherPart, that makes it a scene of yarns.
func Knitted(text string) string { return YarnTime + "yarns: [{name: scarf, " + text + "}]\n" }

// Files are files that scenes name, good ones and bad ones.
var Files = fstest.MapFS{
	"notes.txt":    {Data: []byte("hello")},
	"broken.obj":   {Data: []byte("v 0 0 0\nv 1 zero 0\n")},
	"empty.obj":    {Data: []byte("v 0 0 0\n")},
	"flat.obj":     {Data: []byte("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")},
	"sheet.obj":    {Data: []byte("o left\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")},
	"s.1.obj":      {Data: []byte("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")},
	"s.2.obj":      {Data: []byte("v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3\nf 1 3 4\n")},
	"s.4.obj":      {Data: []byte("v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 1 2 3\nf 1 3 4\n")},
	"body.pc2":     {Data: []byte("POINTCACHE2")},
	"folder/x.obj": {Data: []byte("v 0 0 0\n")},
	"pattern.obj": {
		Data: []byte(
			"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",
		),
	},
	"partly.obj": {
		Data: []byte("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1 3 4\n"),
	},
	"paint.png": {Data: PNG(4, 4, func(x, y int) uint8 { return uint8(x * 40) })},
	"hello.png": {Data: []byte("hello")},
	"painted.ply": {
		Data: []byte(
			"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float stiff\nproperty float slip\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 0 1\n1 0 0 1 0\n0 1 0 0.5 0.25\n3 0 1 2\n",
		),
	},
	"disk.svg":      {Data: []byte(`<svg><circle id="disk" r="1000"/></svg>`)},
	"two.bcc":       {Data: BCC(1)},
	"mm.bcc":        {Data: BCC(1000)},
	"hello.bcc":     {Data: []byte("hello")},
	"twoshirts.obj": {Data: []byte("g collar\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\ng cuff\nf 1 3 4\n")},
}

// PNG makes a grey image; rows are counted from the top.
func PNG(w, h int, value func(x, y int) uint8) []byte {
	img := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetGray(x, y, color.Gray{Y: value(x, y)})
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// BCC returns the file of two yarns, one of them closed, in a unit [1/m].
func BCC(unit float64) []byte {
	var b bytes.Buffer
	c := &meshio.Curves{
		Name: "two", Counts: []int32{3, 4}, Closed: []bool{false, true},
		Points: []r3.Vec{
			r3.V(0, 0, 0), r3.V(0.01, 0, 0), r3.V(0.02, 0, 0),
			r3.V(0, 0.1, 0), r3.V(0.01, 0.1, 0), r3.V(0.01, 0.11, 0), r3.V(0, 0.11, 0),
		},
	}
	for i := range c.Points {
		c.Points[i] = c.Points[i].Scale(unit)
	}
	if err := meshio.WriteBCC(&b, c, meshio.DefaultWriteOptions()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Documented returns the files of the example of docs/patterns.md.
func Documented(t testing.TB) (scene string, files fstest.MapFS) {
	t.Helper()
	data, err := os.ReadFile("../../docs/patterns.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(data), "```") {
		if i%2 == 1 {
			_, text, _ := strings.Cut(part, "\n")
			blocks = append(blocks, text)
		}
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks", len(blocks))
	}
	return blocks[2], fstest.MapFS{"skirt.svg": {Data: []byte(blocks[0])}, "skirt.yaml": {Data: []byte(blocks[1])}}
}

// Keyed is a scene in which everything changes that can.
const Keyed = `toile: 1
time: {end: 20 ms, fps: 100, step: 1 ms}
gravity: {keys: [{at: 0, value: [0, 0, 0]}, {at: 10 ms, value: [1, 0, -9.81]}]}
air: {density: {keys: [{at: 0, value: 0}, {at: 1 s, value: 1.2}]}, wind: [{keys: [{at: 5 ms, value: 3.6 km/h}]}, 0, 0]}
contact: {thickness: {keys: [{at: 0, value: 1 mm}, {at: 1 s, value: 2 mm}], between: smooth}}
friction:
  default: {keys: [{at: 0 s, value: 0.5}, {at: 10 ms, value: 0.1}], between: hold}
  pairs: [{between: [square, ball], mu: {keys: [{at: 0, value: 0}, {at: 20 ms, value: 1}]}}]
cloths:
  - name: square
    shape: {grid: {size: [1, 1], cells: [4, 4]}}
    place: {translate: [0, 0, 1]}
    material:
      preset: cotton
      damping: {keys: [{at: 0, value: 1 ms}, {at: 1 s, value: 2 ms}]}
      stretch: {factor: {keys: [{at: 0, value: 1}, {at: 1 s, value: 2}]}}
      bend: {factor: 2}
    pins:
      - {select: {ids: [0]}, follow: ball}
      - {select: {ids: [4]}, until: 10 ms}
      - {name: late, select: {ids: [20]}, from: 5 ms, until: 15 ms}
      - {select: {ids: [24]}, follow: ball, strength: {force: {keys: [{at: 0, value: 1 N}, {at: 1 s, value: 2 N}]}, stiffness: {keys: [{at: 0, value: 10}]}}}
    forces: [{select: {ids: [12]}, force: [0, 0, {keys: [{at: 0, value: 0}, {at: 20 ms, value: 50 N}]}]}]
obstacles:
  - {name: ball, shape: {sphere: {radius: 10 cm}}, motion: up}
  - {name: jaw, shape: {sphere: {radius: 10 cm}}, place: {translate: [5, 0, 0]}, press: {axis: [0, 0, 1], force: {keys: [{at: 0, value: 0}, {at: 1 s, value: 1}]}}}
motions:
  up: [{at: 0}, {at: 20 ms, translate: [0, 0, 0.01]}]
`

// Flesh is a mannequin of flesh that walks.
const Flesh = `toile: 1
time: {end: 1 s, step: 20 ms}
solids:
  - name: body
    shape: {flesh: {mannequin: {motion: walk, lead: 0.1 s, hold: 0.02 s, vertices: 2000}, size: 5 cm, bones: 3 cm}}
    place: {scale: 0.5, translate: [1, 0, 0], rotate: {axis: [0, 0, 1], angle: 90 deg}}
    material: {preset: muscle, damping: 20 ms}
`
