package build

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// half is white in the right half, gradient goes from black to white.
func half(x, _ int) uint8 {
	if x >= 32 {
		return 255
	}
	return 0
}

func gradient(x, _ int) uint8 { return uint8(x) }

var mapFiles = fstest.MapFS{
	"half.png":     {Data: samples.PNG(64, 1, half)},
	"gradient.png": {Data: samples.PNG(256, 1, gradient)},
	"top.png":      {Data: samples.PNG(1, 64, func(_, y int) uint8 { return half(63-y, 0) })},
	"stripe.png": {Data: samples.PNG(50, 1, func(x, _ int) uint8 {
		if x >= 20 && x < 30 {
			return 0
		}
		return 255
	})},
}

func builtWith(t *testing.T, text string, files fstest.MapFS) *Built {
	t.Helper()
	s, err := scenefile.Parse("map.yaml", []byte(text), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func advance(t *testing.T, b *Built, end, step float64) {
	t.Helper()
	if err := b.World.Advance(end, step, nil); err != nil {
		t.Fatal(err)
	}
}

const strip = `
toile: 1
time: {end: 1 s, settle: {tolerance: 1e-12}}
gravity: [0, 0, 0]
cloths:
  - name: strip
    shape: {grid: {size: [0.4, 0.05], cells: [8, 1]}}
    bending: hinge # a plate would feel the change of strain between the halves
    material: {density: 0.2, stretch: {%s}}
    pins: [{select: {box: {min: [0, 0, 0], max: [0, 1, 0]}}}]
    forces: [{select: {box: {min: [0.4, 0, 0], max: [0.4, 1, 0]}}, force: [%g, 0, 0]}]
`

// A strip whose right half is ten times as stiff is pulled: each half stretches by its own λ with λ k (λ² - 1)/2 = F/w,
// the law of St. Venant and Kirchhoff for a strip that may contract; the map is laid exactly between two rows of
// triangles.
func TestStretchMapStretchesHalves(t *testing.T) {
	const force, width = 0.5, 0.05
	stretched := func(k float64) float64 {
		lo, hi := 1.0, 3.0
		for range 100 {
			mid := (lo + hi) / 2
			if mid*k*(mid*mid-1)/2 < force/width {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo
	}
	for _, stretch := range []string{
		"warp: 10, weft: 10, shear: 5, poisson: 0, factor: {map: half.png, from: 10, to: 100}",
		"warp: {map: half.png, from: 100, to: 1000}, weft: 100, shear: 50, poisson: 0",
	} {
		b := builtWith(t, fmt.Sprintf(strip, stretch, force), mapFiles)
		opt := engine.DefaultSettleOptions()
		opt.Tolerance = 1e-12
		settled, err := b.World.Settle(opt)
		if err != nil || !settled.Converged {
			t.Fatal(settled, err)
		}
		x := b.World.Positions(0)
		near(t, "the soft half with "+stretch, x[4].X, 0.2*stretched(100), 1e-11)
		near(t, "the stiff half with "+stretch, x[8].X-x[4].X, 0.2*stretched(1000), 1e-11)
	}
}

// The mass is the integral of the density: of a gradient from 0.1 to 0.5 kg/m² its mean 0.3, of a step half of each; v
// runs upwards.
func TestDensityMapIsIntegrated(t *testing.T) {
	sheet := `
toile: 1
time: {end: 1 s}
cloths:
  - name: sheet
    shape: {grid: {size: [2, 0.5], cells: [10, 6], pattern: %s}}
    material: {density: {map: %s, from: 100 g/m2, to: 500 g/m2}}
`
	for _, pattern := range []string{"right", "crossed"} {
		for _, file := range []string{"gradient.png", "half.png", "top.png"} {
			b := builtWith(t, fmt.Sprintf(sheet, pattern, file), mapFiles)
			total, heavy := 0.0, 0.0
			x := b.World.Positions(0)
			for i, m := range b.World.Masses(0) {
				total += m
				switch {
				case file == "top.png" && x[i].Y > 0.25+1e-9, file != "top.png" && x[i].X > 1+1e-9:
					heavy += m
				}
			}
			near(t, "the mass with "+file, total, 0.3, 1e-7)
			if heavy < 0.5*0.3 {
				t.Errorf("%s: the white side weighs %g of %g kg", file, heavy, total)
			}
		}
	}
}

// An image lies over the panels of a drawing too: half of a rectangle is heavy, whichever way its warp runs.
func TestMapOfAPattern(t *testing.T) {
	files := fstest.MapFS{
		"half.png": mapFiles["half.png"],
		"panel.svg": {
			Data: []byte(
				`<svg xmlns="http://www.w3.org/2000/svg" width="400mm" height="200mm" viewBox="0 0 400 200"><path id="panel" d="M 0 0 H 400 V 200 H 0 Z"/></svg>`,
			),
		},
	}
	b := builtWith(t, `
toile: 1
time: {end: 1 s}
cloths:
  - name: sheet
    shape: {pattern: {file: panel.svg, size: 10 mm}}
    material: {density: {map: half.png, from: 100 g/m2, to: 500 g/m2}}
    friction: {map: half.png, from: 0.1, to: 0.5}
`, files)
	total := 0.0
	for _, m := range b.World.Masses(0) {
		total += m
	}
	// Triangles across the border of the halves are not quite symmetric.
	near(t, "the mass", total, 0.3*0.4*0.2, 0.01*0.3*0.4*0.2)
	c := cloths.Spec(b.World, 0)
	near(t, "the lowest friction", slices.Min(c.Maps.Friction), 0.1, 1e-12)
	near(t, "the highest friction", slices.Max(c.Maps.Friction), 0.5, 1e-12)
}

// A sheet on the floor rests at the distance that its map says.
func TestThicknessMapIsTheGap(t *testing.T) {
	b := builtWith(t, `
toile: 1
time: {end: 1 s}
contact: {self: false}
cloths:
  - name: sheet
    shape: {grid: {size: [0.2, 0.2], cells: [8, 8]}}
    place: {translate: [0, 0, 6 mm]}
    material: {preset: cotton, damping: 50 ms}
    thickness: {map: gradient.png, from: 1 mm, to: 5 mm}
obstacles: [{name: floor, shape: {plane: {}}}]
`, mapFiles)
	advance(t, b, 0.6, 4e-3)
	for i, p := range b.World.Positions(0) {
		// The gradient begins and ends at the middles of pixels.
		u := min(max((p.X/0.2*256-0.5)/255, 0), 1)
		if want := 1e-3 + 4e-3*u; math.Abs(p.Z-want) > 2e-5 {
			t.Fatalf("vertex %d is at %g m, not at %g", i, p.Z, want)
		}
	}
}

// A sheet hangs from a weak pin along its upper edge, whose map gives the right half a twentieth of the force: that
// half lets go, and the rest holds.
func TestStrengthMapLetsGoWhereItIsWeak(t *testing.T) {
	text := `
toile: 1
time: {end: 1 s}
contact: {self: false}
cloths:
  - name: sheet
    shape: {grid: {size: [0.4, 0.4], cells: [8, 8]}}
    place: {rotate: {axis: [1, 0, 0], angle: 90 deg}}
    material: {preset: cotton, density: 0.2}
    pins: [{select: {box: {min: [0, -1, 0.4], max: [1, 1, 0.4]}}, strength: {force: %s, stiffness: 2 kN/m}}]
`
	// It weighs 0.314 N; nine vertices of 0.04 N could carry it together.
	even := builtWith(t, fmt.Sprintf(text, "2 N"), mapFiles)
	advance(t, even, 1, 4e-3)
	weak := builtWith(t, fmt.Sprintf(text, "{map: half.png, from: 2 N, to: 0.1 N}"), mapFiles)
	start := clone(weak.World.Positions(0))
	advance(t, weak, 1, 4e-3)
	top := 8 * 9
	near(t, "the drop of an even pin", farthest(even.World.Positions(0)[top:], start[top:]), 0, 5e-3)
	x := weak.World.Positions(0)
	near(t, "the drop of the strong side", farthest(x[top:top+3], start[top:top+3]), 0, 5e-3)
	if drop := start[top+8].Z - x[top+8].Z; drop < 0.03 {
		t.Errorf("the weak corner fell by %g m only", drop)
	}
	if f, most := weak.World.HandleForce(weak.Cloths[0].Pins[0].ID).Norm(), (4.5*2+4.5*0.1)/9; f > most {
		t.Errorf("the pin pulls with %g N; its strength is %g N", f, most)
	}
}

// Attributes of PLY and GLB files, with and without underscore, as map and as selection; vertices keep their values.
func TestAttributesAreMaps(t *testing.T) {
	m := &meshio.Mesh{
		Positions: []r3.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}},
		Attributes: []meshio.Attribute{
			{Name: "_GRIP", Width: 1, Data: []float32{0, 0.25, 1, 2}},
			{Name: "COLOR_0", Width: 3, Data: []float32{1, 1, 1, 0, 0, 0, 0, 0.5, 0, 1, 0, 0}},
		},
	}
	for _, c := range []struct {
		file   string
		format meshio.Format
	}{{"m.ply", meshio.PLYASCII}, {"m.glb", meshio.GLB}} {
		var data bytes.Buffer
		if err := meshio.Write(&data, c.format, m, meshio.DefaultWriteOptions()); err != nil {
			t.Fatal(err)
		}
		files := fstest.MapFS{c.file: {Data: data.Bytes()}}
		b := builtWith(t, fmt.Sprintf(`
toile: 1
time: {end: 1 s}
cloths:
  - name: sheet
    shape: {file: %s}
    friction: {map: grip, from: 1, to: 3}
    thickness: {map: COLOR_0, channel: green, from: 1 mm, to: 2 mm}
    material: {bend: {factor: {map: _GRIP, from: 1, to: 2}}}
    pins: [{select: {map: COLOR_0, above: 0.2}}]
`, c.file), files)
		maps := cloths.Spec(b.World, 0).Maps
		for i, want := range []float64{1, 1.5, 3, 3} {
			near(t, c.file+" friction", maps.Friction[i], want, 1e-6)
		}
		for i, want := range []float64{2e-3, 1e-3, 1.5e-3, 1e-3} {
			near(t, c.file+" thickness", maps.Thickness[i], want, 1e-9)
		}
		rigidity := cloths.Spec(b.World, 0).Fabric.BendWarp
		near(t, c.file+" bend", maps.Bend[0].Warp/rigidity, 1+(0+0.25+1)/3., 1e-6)
		near(t, c.file+" bend", maps.Bend[1].Bias/cloths.Spec(b.World, 0).Fabric.BendBias, 1+(0+1+1)/3., 1e-6)
		if got := b.Cloths[0].Pins[0].Vertices; !reflect.DeepEqual(got, []int32{0, 2, 3}) {
			t.Errorf("%s: pinned are %v", c.file, got)
		}
	}
}

// A resolved scene with maps is a scene that means the same, and its images are among its inputs once.
func TestMapsAreResolved(t *testing.T) {
	text := fmt.Sprintf(strip, "warp: {map: half.png, from: 100, to: 1 kN/m}, weft: 100", 1.0)
	text = strings.Replace(text, "density: 0.2", "density: {map: half.png, channel: green, from: 0.1, to: 0.2}", 1)
	s, err := scenefile.Parse("map.yaml", []byte(text), mapFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := scenefile.Parse("map.json", s.Resolved(), mapFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(s.Resolved(), again.Resolved()) {
		t.Error("the resolved scene resolves to another one")
	}
	if in := s.Inputs(); len(in) != 2 || in[1].Path != "half.png" || len(in[1].SHA256) != 64 {
		t.Errorf("inputs %v", in)
	}
	var tree map[string]any
	if err := json.Unmarshal(s.Resolved(), &tree); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(s.Resolved()), `"channel": "green"`) {
		t.Error("the channel is lost")
	}
}
