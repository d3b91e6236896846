package bench

import (
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/scenes"
	"github.com/toile-sim/toile/shape"
)

// sceneFile is the name of the scene among the files of a case.
const sceneFile = "scene.yaml"

// files are those that a case is played from, by name.
type files map[string]string

func onlyScene(text string) files { return files{sceneFile: text} }

// exampleScene returns a scene that comes with Toile, and needs no other file, with lines changed.
func exampleScene(name string, changes ...string) files {
	data, err := fs.ReadFile(scenes.Files(), name)
	if err != nil {
		panic("bench: " + err.Error())
	}
	text := string(data)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			panic("bench: " + name + " has no " + changes[i])
		}
		text = strings.ReplaceAll(text, changes[i], changes[i+1])
	}
	return onlyScene(text)
}

const (
	// drapeMaterial is a plate of 0.318 mm with E = 0.821 MPa and Poisson's ratio 0.243, of 472.64 kg/m³.
	drapeMaterial = `{density: 0.150, thickness: 0.318 mm, ` +
		`stretch: {warp: 261.08, weft: 261.08, shear: 105.02, poisson: 0.243}, ` +
		`bend: {warp: 2.338e-6, weft: 2.338e-6, bias: 2.338e-6, poisson: 0.243}}`

	// lightCotton is the sheet of the verifications: 150 g/m², 500 N/m, 1e-5 N m.
	lightCotton = `{density: 0.15, thickness: 1 mm, damping: 0, ` +
		`stretch: {warp: 500, weft: 500, shear: 250, poisson: 0}, ` +
		`bend: {warp: 1e-5, weft: 1e-5, bias: 1e-5, poisson: 0}}`

	// cardMaterial is that of the house of cards of the verifications: paper that hardly bends.
	cardMaterial = `{density: 0.1, thickness: 1 mm, damping: 0, ` +
		`stretch: {warp: 5e3, weft: 5e3, shear: 2.5e3, poisson: 0}, ` +
		`bend: {warp: 0.04, weft: 0.04, bias: 0.04, poisson: 0}}`

	ballRadius = 0.152 // [m]
	drapeDrop  = 0.008 // from the sheet to the ball [m]
	contactGap = 0.001 // the contact thickness [m]
	tileNodes  = 50    // along each side of a patch
	tileEdge   = 1.0 / tileNodes
)

// BallDrape returns the scene of a square sheet above a ball.
func BallDrape() string {
	return fmt.Sprintf(`toile: 1
name: a sheet of 6,561 vertices drapes over a ball
time: {end: 2 s, fps: 50, step: 2 ms}
friction: 0.4
contact: {thickness: 1 mm}
cloths:
  - name: sheet
    shape: {grid: {size: [1, 1], cells: [80, 80]}}
    place: {translate: [-0.5, -0.5, %g]}
    material: %s
obstacles:
  - {name: ball, shape: {sphere: {radius: %g}}}
`, ballRadius+drapeDrop, drapeMaterial, ballRadius)
}

// overCylinder is a cloth of 2,048 triangles that falls over a cylinder and slides on it, as those of [Larionov21]
// fig. 6 and table 1 do, in steps of 10 ms.
func overCylinder() files {
	return onlyScene(fmt.Sprintf(`toile: 1
name: a cloth of 2,048 triangles slides on a cylinder
time: {end: 2 s, fps: 25, step: 10 ms}
friction: 0.13
contact: {thickness: 1 mm}
cloths:
  - name: cloth
    shape: {grid: {size: [1, 1], cells: [32, 32]}}
    place: {translate: [-0.4, -0.5, %g]}
    material: %s
obstacles:
  - {name: cylinder, shape: {cylinder: {length: 2, radius: %g, axis: [0, 1, 0]}}}
`, ballRadius+drapeDrop, drapeMaterial, ballRadius))
}

// TiledDrape returns the scene of a sheet of n x n patches of 50 x 50 vertices that starts on as many balls, one under
// the middle of each patch: the four vertices around the middle are at the contact thickness from the ball.
func TiledDrape(n int) string {
	cells := n*tileNodes - 1
	height := math.Sqrt((ballRadius+contactGap)*(ballRadius+contactGap) - tileEdge*tileEdge/2)
	side := float64(cells) * tileEdge
	var b strings.Builder
	fmt.Fprintf(&b, `toile: 1
name: a sheet of %s vertices on %s
time: {end: 1 s, fps: 50, step: 2 ms}
friction: 0.4
contact: {thickness: 1 mm}
cloths:
  - name: sheet
    shape: {grid: {size: [%g, %g], cells: [%d, %d]}}
    place: {translate: [0, 0, %g]}
    material: %s
obstacles:
`, words.Thousands((cells+1)*(cells+1)), words.Count(n*n, "ball"), side, side, cells, cells, height, drapeMaterial)
	middle := func(i int) float64 { return (float64(i*tileNodes) + float64(tileNodes-1)/2) * tileEdge }
	for i := range n {
		for j := range n {
			fmt.Fprintf(&b, "  - {name: ball-%d-%d, shape: {sphere: {radius: %g}}, place: {translate: [%g, %g, 0]}}\n",
				i, j, ballRadius, middle(i), middle(j))
		}
	}
	return b.String()
}

// napkins are three square napkins that fall on each other and on a table, each turned a little further. Where they lie
// flat on each other, far more contacts hold than there are ways to move.
func napkins() files {
	var b strings.Builder
	b.WriteString(`toile: 1
name: three napkins fall on each other
time: {end: 1 s, fps: 50, step: 4 ms}
friction: 0.5
contact: {thickness: 1 mm}
obstacles:
  - {name: table, shape: {plane: {}}}
cloths:
`)
	for i := range 3 {
		fmt.Fprintf(&b, `  - name: napkin-%d
    shape: {grid: {size: [0.3, 0.3], cells: [12, 12]}}
    place: {rotate: {axis: [0, 0, 1], angle: %d deg}, translate: [%g, %g, %g]}
    velocity: [0, 0, -0.5]
    material: cotton
`, i+1, 15*i, 0.03*float64(i), -0.02*float64(i), 0.004*float64(i+1))
	}
	return onlyScene(b.String())
}

// folds is a cloth that stands just above the floor and falls into folds, as in verification O5.
func folds() files {
	m, x := shape.Grid(1, 1, 49, 49)
	for i, p := range x {
		// A slight wave says to which side the folds go first.
		x[i] = r3.V(p.X, 0.01*math.Sin(9*p.Y+2*p.X), 0.01+p.Y)
	}
	return files{
		sceneFile: `toile: 1
name: a cloth falls into folds
time: {end: 4 s, fps: 50, step: 4 ms}
friction: 0.6
cloths:
  - {name: sheet, shape: {file: sheet.obj, rest: uv}, material: ` + lightCotton + `}
obstacles:
  - {name: floor, shape: {plane: {}}}
`,
		"sheet.obj": objText(m, x),
	}
}

// cards is the house of 15 cards that stands, as in verification A2.
func cards() files {
	const size, width = layouts.CardLength, 0.1
	out := files{}
	var list strings.Builder
	card := func(from, to r3.Vec) {
		m, x := shape.Grid(size, width, 4, 2)
		for i, p := range x {
			x[i] = from.Lerp(to, p.X/size).Add(r3.V(0, p.Y, 0))
		}
		name := fmt.Sprintf("card-%d", len(out)+1)
		out[name+".obj"] = objText(m, x)
		fmt.Fprintf(&list, "  - {name: %s, shape: {file: %s.obj, rest: uv}, material: %s}\n", name, name, cardMaterial)
	}
	layouts.HouseOfCards(contactGap, card)
	out[sceneFile] = `toile: 1
name: a house of cards
time: {end: 10 s, fps: 50, step: 2 ms}
friction: 0.6
contact: {tolerance: 1e-11}
obstacles:
  - {name: floor, shape: {plane: {}}}
cloths:
` + list.String()
	return out
}

// stack is 20 sheets that lie on each other, each turned a little further than the one below.
func stack() files {
	var b strings.Builder
	b.WriteString(`toile: 1
name: a stack of 20 sheets
time: {end: 1 s, fps: 50, step: 4 ms}
friction: 0.4
contact: {thickness: 1 mm}
obstacles:
  - {name: ground, shape: {plane: {}}}
cloths:
`)
	for i := range 20 {
		fmt.Fprintf(&b, `  - name: sheet-%d
    shape: {grid: {size: [0.15, 0.15], cells: [6, 6]}}
    place: {rotate: {axis: [0, 0, 1], angle: %d deg}, translate: [%g, %g, %g]}
    material: cotton
`, i+1, 7*i, 0.004*float64(i%3), 0.003*float64(i%4), 0.0012*float64(i+1))
	}
	return onlyScene(b.String())
}

// softBlock is a cloth that falls on a soft block and hangs over its edges.
func softBlock() files {
	return onlyScene(`toile: 1
name: a cloth falls on a soft block
time: {end: 0.6 s, fps: 50, step: 4 ms}
friction: 0.4
contact: {thickness: 1 mm}
obstacles:
  - {name: floor, shape: {plane: {}}}
solids:
  - name: block
    shape: {block: {size: [0.12, 0.12, 0.06], cells: [12, 12, 6]}}
    place: {translate: [0, 0, 0.0315]}
    material: {young: 30 kPa, density: 500 kg/m3, damping: 5 ms}
cloths:
  - name: cloth
    shape: {grid: {size: [0.2, 0.2], cells: [20, 20]}}
    place: {translate: [-0.1, -0.1, 0.068]}
    material: cotton
`)
}

// napkin lies on a table and is folded by a corner.
func napkin() files {
	return onlyScene(`toile: 1
name: a napkin is folded by its corner
time: {end: 1 s, fps: 50, step: 5 ms}
friction: 0.5
contact: {thickness: 1 mm}
obstacles:
  - {name: table, shape: {plane: {}}}
cloths:
  - name: napkin
    shape: {grid: {size: [0.4, 0.4], cells: [20, 20]}}
    place: {translate: [0, 0, 0.0011]}
    material: cotton
    pins: [{select: {near: [0, 0, 0.0011]}, motion: fold}]
motions:
  fold:
    smooth: true
    keys: [{at: 0.1}, {at: 0.5, translate: [0.15, 0.15, 0.1]}, {at: 0.9, translate: [0.3, 0.3, 0.01]}]
`)
}

// cube stands on the floor, so that a step has little to do.
func cube() files {
	return onlyScene(`toile: 1
name: a rigid cube stands
time: {end: 4 s, fps: 50, step: 5 ms}
friction: 0.5
rigids:
  - {name: cube, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0, 0, 0.0515]}, density: 800}
obstacles:
  - {name: floor, shape: {plane: {}}}
`)
}

// press is a heap of three bodies, some of large deformation, on which a plate presses with twice the weight of all.
func press() files {
	return onlyScene(`toile: 1
name: a press closes on two soft bodies and a brick
time: {end: 0.2 s, fps: 50, step: 5 ms}
friction: 0.3
rigids:
  - {name: brick, shape: {box: {size: [0.05, 0.05, 0.035]}}, density: 880, friction: 0,
     place: {rotate: {axis: [0.6, 0.5, 1], angle: 22 deg}, translate: [0.01, -0.035, 0.145]}}
solids:
  - {name: letter, shape: {letter: {letter: X, height: 0.075, depth: 0.026, size: 0.019}}, material: muscle,
     place: {rotate: {axis: [0.45, -1, 0.83], angle: 56 deg}, translate: [0, -0.03, 0.06]}}
  - {name: ring, shape: {ring: {inner: 0.022, outer: 0.037, length: 0.022, cells: [12, 2, 2]}},
     place: {rotate: {axis: [0.55, -0.52, 0.6], angle: 46 deg}, translate: [0, -0.035, 0.215]}, velocity: [0, 0, -0.5],
     material: {young: 7.3 kPa, density: 300, poisson: 0.4, law: neohookean}}
obstacles:
  - {name: floor, shape: {plane: {normal: [0.043, 0, 1]}}}
  - {name: plate, shape: {box: {size: [0.3, 0.3, 0.02]}}, place: {translate: [0, 0, 0.27]},
     press: {axis: [0, 0, -1], force: 38, mass: 0.1}}
`)
}

// clap is two wavy sheets of 20,000 vertices each that fly at each other and meet in the fourth step.
func clap() files {
	const length, width = 0.6, 0.3
	out := files{sceneFile: `toile: 1
name: two sheets clap together
time: {end: 0.2 s, fps: 50, step: 4 ms}
gravity: [0, 0, 0]
friction: 0.3
cloths:
  - {name: left, shape: {file: left.obj, rest: uv}, velocity: [0, 2, 0], material: ` + lightCotton + `}
  - {name: right, shape: {file: right.obj, rest: uv}, velocity: [0, -2, 0], material: ` + lightCotton + `}
`}
	for _, side := range []float64{-1, 1} {
		m, x := shape.Grid(length, width, 199, 99)
		turn := r3.Rotation(r3.V(0, 1, 0), 0.2*side)
		for i, p := range x {
			x[i] = turn.Rotate(r3.V(p.X-length/2, 0.03*side+0.02*math.Sin(10*p.X), p.Y-width/2))
		}
		out[map[float64]string{-1: "left.obj", 1: "right.obj"}[side]] = objText(m, x)
	}
	return out
}

// belt is the belt around three cylinders of verification A4: the one in the middle is lifted, then the others turn
// once and back.
func belt() files {
	const left, middle, right, rest, radius = -0.55, 0.5, 1.5, 2 * math.Pi * 0.55, 0.2
	const around, across = 124, 3
	width := rest / around * across
	m, x := shape.Tube(rest/(2*around*math.Sin(math.Pi/around)), width, around, across)
	// At the start it runs straight between half circles about the outer cylinders, with the middles of its edges a
	// thickness outside of these.
	reach := radius + contactGap
	length := 2*(right-left) + 2*math.Pi*reach
	reach = math.Hypot(reach, length/(2*around))
	length = 2*(right-left) + 2*math.Pi*reach
	for i, p := range x {
		s := math.Atan2(p.Y, p.X) / (2 * math.Pi) * length
		x[i] = layouts.OnStadium(s, left, right, reach).Add(r3.V(0, p.Z, 0))
	}
	cylinder := func(name string, at float64) string {
		return fmt.Sprintf("  - {name: %s, shape: {cylinder: {radius: %g, length: %g, axis: [0, 1, 0]}}, place: {translate: [%g, 0, 0]}, motion: %s}\n",
			name, radius, 2*width, at, name)
	}
	turns := func(name string, at float64) string {
		return fmt.Sprintf("  %s: {about: [%g, 0, 0], smooth: true, keys: [{at: 0.5}, {at: 0.9, rotate: {axis: [0, 1, 0], angle: 360 deg}}, {at: 1.4}]}\n",
			name, at)
	}
	return files{
		sceneFile: `toile: 1
name: a belt on three cylinders
time: {end: 1.4 s, fps: 50, step: 2 ms}
friction: 0.4
cloths:
  - {name: belt, shape: {file: belt.obj, rest: uv}, material: ponte-roma-knit}
obstacles:
` + cylinder("middle", middle) + cylinder("left", left) + cylinder("right", right) + `motions:
  middle: {smooth: true, keys: [{at: 0.2}, {at: 0.4, translate: [0, 0, 1]}]}
` + turns("left", left) + turns("right", right),
		"belt.obj": objText(m, x),
	}
}

// foldedTiles is n x n patches of 50 x 50 vertices side by side, each folded to and fro into four layers, that fall on
// a floor and on themselves.
func foldedTiles(n int) files {
	const layers, straight, turn, gap = 4, 0.04, 3e-3, 0.08
	const stretch = straight + math.Pi*turn // of one layer
	const side = layers * stretch
	folds := layouts.Folds{Layers: layers, Straight: straight, Turn: turn, Stretch: stretch}
	patch, flat := shape.Grid(side, side, tileNodes-1, tileNodes-1)
	var x []r3.Vec
	all := &mesh.Mesh{}
	for tile := range n * n {
		at := r3.V(float64(tile%n)*(side+gap), float64(tile/n)*gap, 0)
		first := int32(len(x))
		for _, p := range flat {
			layer, y, z := folds.At(p.Y)
			// A slight wave across keeps layers from being parallel.
			z += 3e-4*math.Sin(60*p.X+layer) + 2*turn*layer + 3e-3
			x = append(x, at.Add(r3.V(p.X, y, z)))
			all.Material = append(all.Material, r3.Vec2{
				X: p.X + float64(tile%n)*(side+gap), Y: p.Y + float64(tile/n)*(side+gap),
			})
		}
		for _, t := range patch.Tri {
			t = [3]int32{t[0] + first, t[1] + first, t[2] + first}
			all.Tri, all.Corner = append(all.Tri, t), append(all.Corner, t)
		}
	}
	return files{
		sceneFile: `toile: 1
name: folded patches of 2,500 vertices
time: {end: 1 s, fps: 50, step: 4 ms}
friction: 0.4
cloths:
  - {name: sheet, shape: {file: sheet.obj, rest: uv}, velocity: [0, 0, -1], material: ` + lightCotton + `}
obstacles:
  - {name: floor, shape: {plane: {}}}
`,
		"sheet.obj": objText(all, x),
	}
}

// objText writes a mesh as an OBJ file, with its material points, if it has any, as UVs in metres, and all digits of
// its places.
func objText(m *mesh.Mesh, x []r3.Vec) string {
	var b []byte
	number := func(v float64) { b = strconv.AppendFloat(append(b, ' '), v, 'g', -1, 64) }
	for _, p := range x {
		b = append(b, 'v')
		number(p.X)
		number(p.Y)
		number(p.Z)
		b = append(b, '\n')
	}
	for _, p := range m.Material {
		b = append(b, "vt"...)
		number(p.X)
		number(p.Y)
		b = append(b, '\n')
	}
	for i, t := range m.Tri {
		b = append(b, 'f')
		for k := range 3 {
			if b = fmt.Appendf(b, " %d", t[k]+1); m.Corner != nil {
				b = fmt.Appendf(b, "/%d", m.Corner[i][k]+1)
			}
		}
		b = append(b, '\n')
	}
	return string(b)
}
