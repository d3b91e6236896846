package build

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toile-sim/toile/internal/samples"
)

// patches is a mesh file of n separate squares of 10 cm in a row along y, in the plane, with UVs over all of them.
func patches(n, cells int) []byte {
	var out strings.Builder
	const side, gap = 0.1, 0.02
	height := float64(n)*side + float64(n-1)*gap
	for k := range n {
		for j := range cells + 1 {
			for i := range cells + 1 {
				x, y := side*float64(i)/float64(cells), float64(k)*(side+gap)+side*float64(j)/float64(cells)
				fmt.Fprintf(&out, "v %g %g 0\nvt %g %g\n", x, y, y/height, x/side)
			}
		}
		at := func(i, j int) string {
			v := 1 + k*(cells+1)*(cells+1) + j*(cells+1) + i
			return fmt.Sprintf("%d/%d", v, v)
		}
		for j := range cells {
			for i := range cells {
				fmt.Fprintf(
					&out,
					"f %s %s %s\nf %s %s %s\n",
					at(i, j),
					at(i+1, j),
					at(i+1, j+1),
					at(i, j),
					at(i+1, j+1),
					at(i, j+1),
				)
			}
		}
	}
	return []byte(out.String())
}

// Five patches of one cloth lie on a ramp of 10 degrees, with an image over all of them that has a slippery stripe: the
// patch on the stripe slides by ½ a t² with a = g (sin 10° - μ cos 10°), the others stay where they are.
func TestFrictionMapSlidesOnTheStripeOnly(t *testing.T) {
	files := fstest.MapFS{"patches.obj": {Data: patches(5, 4)}, "stripe.png": mapFiles["stripe.png"]}
	b := builtWith(t, `
toile: 1
time: {end: 1 s}
contact: {self: false}
friction: 0.5
cloths:
  - name: sheet
    shape: {file: patches.obj}
    place: {rotate: {axis: [0, 1, 0], angle: 10 deg}}
    material: cotton
    friction: {map: stripe.png, from: 0.1, to: 0.18}
obstacles:
  - {name: ramp, shape: {plane: {point: [0, 0, -1 mm]}}, place: {rotate: {axis: [0, 1, 0], angle: 10 deg}}}
`, files)
	start := clone(b.World.Positions(0))
	const h, end = 5e-3, 1.0
	advance(t, b, end, h)
	sin, cos := math.Sincos(10 * math.Pi / 180)
	slid := 0.5 * 9.81 * (sin - 0.1*cos) * end * (end + h) // backward Euler adds ½ a h t
	x := b.World.Positions(0)
	for i := range x {
		want, tolerance := 0.0, 1e-6
		if i/25 == 2 {
			want, tolerance = slid, 1e-3*slid
		}
		near(t, fmt.Sprintf("the way of vertex %d", i), x[i].Sub(start[i]).Norm(), want, tolerance)
	}
}

// rampMesh is a mesh file of a plane from y = -0.1 to 0.7, cut into strips of 2 cm, with u across them.
func rampMesh() []byte {
	var out strings.Builder
	const strips, columns = 40, 8
	for j := range strips + 1 {
		for i := range columns + 1 {
			fmt.Fprintf(
				&out,
				"v %g %g 0\nvt %g 0.5\n",
				-0.2+1.2*float64(i)/columns,
				-0.1+0.02*float64(j),
				float64(j)/strips,
			)
		}
	}
	at := func(i, j int) string { v := 1 + j*(columns+1) + i; return fmt.Sprintf("%d/%d", v, v) }
	for j := range strips {
		for i := range columns {
			fmt.Fprintf(
				&out,
				"f %s %s %s\nf %s %s %s\n",
				at(i, j),
				at(i+1, j),
				at(i+1, j+1),
				at(i, j),
				at(i+1, j+1),
				at(i, j+1),
			)
		}
	}
	return []byte(out.String())
}

// The same with the stripe painted on the ramp, a mesh; the cloth has a number of its own that is larger everywhere, so
// that the ramp's holds.
func TestFrictionMapOfAnObstacle(t *testing.T) {
	files := fstest.MapFS{
		"patches.obj": {Data: patches(5, 4)}, "ramp.obj": {Data: rampMesh()},
		"stripe.png": {Data: samples.PNG(80, 1, func(x, _ int) uint8 {
			if x >= 33 && x < 45 {
				return 0
			}
			return 255
		})},
	}
	b := builtWith(t, `
toile: 1
time: {end: 1 s}
contact: {self: false}
friction: 0
cloths:
  - name: sheet
    shape: {file: patches.obj}
    place: {rotate: {axis: [0, 1, 0], angle: 10 deg}}
    material: cotton
    friction: 0.5
obstacles:
  - name: ramp
    shape: {file: ramp.obj}
    place: {rotate: {axis: [0, 1, 0], angle: 10 deg}, translate: [-0.17365 mm, 0, -0.98481 mm]}
    friction: {map: stripe.png, from: 0.1, to: 0.18}
`, files)
	start := clone(b.World.Positions(0))
	const h, end = 5e-3, 0.5
	advance(t, b, end, h)
	sin, cos := math.Sincos(10 * math.Pi / 180)
	slid := 0.5 * 9.81 * (sin - 0.1*cos) * end * (end + h)
	x := b.World.Positions(0)
	for i := range x {
		want, tolerance := 0.0, 1e-6
		if i/25 == 2 {
			want, tolerance = slid, 1e-3*slid
		}
		near(t, fmt.Sprintf("the way of vertex %d", i), x[i].Sub(start[i]).Norm(), want, tolerance)
	}
}

// An analytic obstacle has one number; a listed pair keeps its own.
func TestFrictionOfAnObstacle(t *testing.T) {
	text := `
toile: 1
time: {end: 1 s}
contact: {self: false}
friction: {default: 0.9%s}
cloths: [{name: sheet, shape: {grid: {size: [0.1, 0.1], cells: [2, 2]}}%s}]
obstacles: [{name: floor, shape: {plane: {point: [0, 0, -1 mm]}}%s}]
`
	for _, c := range []struct {
		pairs, cloth, floor string
		want                float64
	}{
		{"", "", "", 0.9},
		{"", "", ", friction: 0.2", 0.2},
		{"", ", friction: 0.1", ", friction: 0.2", 0.1},
		{"", ", friction: 0.3", ", friction: 0", 0},
		{", pairs: [{between: [sheet, floor], mu: 0.7}]", ", friction: 0.1", ", friction: 0.2", 0.7},
	} {
		b := builtWith(t, fmt.Sprintf(text, c.pairs, c.cloth, c.floor), nil)
		advance(t, b, 2e-3, 2e-3)
		all := b.World.Contacts(nil)
		if len(all) != 9 {
			t.Fatalf("%d contacts", len(all))
		}
		for _, k := range all {
			near(t, "the coefficient", k.Mu, c.want, 1e-15)
		}
	}
}

// One sheet on a ramp, its lower half without friction: it hangs from the upper half. The pull q = ρ g sin α stretches
// the lower half, of length l, by u = q l²/(2k) at its end, and is taken up by what friction has left above, c = ρ g (μ
// cos α - sin α), within b = q l/c of it: there the sheet slips by c b²/(2k), and beyond it does not move.
func TestFrictionMapHoldsTheUpperHalf(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rho, k, l, mu, h = 0.2, 20.0, 0.3, 2.0, 5e-3
	b := builtWith(t, fmt.Sprintf(`
toile: 1
time: {end: 1 s}
contact: {self: false}
cloths:
  - name: sheet
    shape: {grid: {size: [%g, 0.02], cells: [60, 2]}}
    place: {rotate: {axis: [0, 1, 0], angle: 20 deg}}
    material: {density: %g, damping: 0.2 s, stretch: {warp: %g, weft: 20, shear: 8, poisson: 0}}
    friction: {map: half.png, from: %g, to: 0}
obstacles:
  - {name: ramp, shape: {plane: {point: [0, 0, -1 mm]}}, place: {rotate: {axis: [0, 1, 0], angle: 20 deg}}}
`, 2*l, rho, k, mu), mapFiles)
	start := clone(b.World.Positions(0))
	advance(t, b, 4, h)
	sin, cos := math.Sincos(20 * math.Pi / 180)
	q, c := rho*9.81*sin, rho*9.81*(mu*cos-sin)
	zone := q * l / c
	x := b.World.Positions(0)
	moved := func(i int) float64 { return x[i].Sub(start[i]).Norm() }
	foot := c * zone * zone / (2 * k)
	near(t, "the slip at the edge of the grip", moved(30), foot, 0.05*q*l*l/(2*k))
	near(t, "the slip at the lower end", moved(60), foot+q*l*l/(2*k), 0.04*q*l*l/(2*k))
	last := int(30 - math.Ceil(zone/(l/30)) - 2)
	if last < 5 {
		t.Fatalf("all of it slips: %g m", zone)
	}
	for i := range last {
		near(t, fmt.Sprintf("the way of vertex %d", i), moved(i), 0, 1e-6)
	}
}
