package main

import (
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// album is what is to be drawn.
type album struct {
	cells  []cell
	title  string
	points []r3.Vec // what the camera looks at
}

// cell is one picture of a sheet.
type cell struct {
	cloths    []draw.Surface
	obstacles []draw.Surface
	planes    []half
	caption   string
}

// half is a half-space, shown as its plane.
type half struct {
	name          string
	point, normal r3.Vec
	color         color.RGBA
}

// plainColor is the word for no coloring by a quantity.
const plainColor = "plain"

// coloring is a quantity that --color takes.
type coloring struct {
	attribute, unit string
	touch           bool // has no meaning without a contact
	classes         []draw.Class
}

// colorNames are the quantities in the order in which they are told of.
var colorNames = []string{"stretch", "speed", "state", "gap", "impulse", "size"}

var colorings = map[string]coloring{
	"stretch": {attribute: cache.AttrStretch},
	"speed":   {attribute: cache.AttrSpeed, unit: "m/s"},
	"size":    {attribute: cache.AttrSize, unit: "m"},
	"gap":     {attribute: cache.AttrGap, unit: "m", touch: true},
	"impulse": {attribute: cache.AttrImpulse, unit: "N s", touch: true},
	"state": {attribute: cache.AttrState, classes: []draw.Class{
		{Name: "free", Color: color.RGBA{0x9f, 0xb8, 0xd6, 0xff}},
		{Name: "sticks", Color: color.RGBA{0x1f, 0x6f, 0x5c, 0xff}},
		{Name: "slides", Color: color.RGBA{0xe0, 0x7b, 0x1e, 0xff}},
	}},
}

// colorWords lists the quantities for people.
func colorWords() string {
	return strings.Join(colorNames, ", ") + " or " + plainColor
}

// calm are the colours of obstacles, which are not to be looked at first.
var calm = [...]color.RGBA{{0xbd, 0xb7, 0xac, 0xff}, {0xa8, 0xb2, 0xb8, 0xff}, {0xb9, 0xae, 0xb6, 0xff}}

// boxFrames is how many frames of a run are looked at to find the space it takes.
const boxFrames = 48

// runCells puts the pictures of a run into the album.
func (f *renderFlags) runCells(dir string, book *album) error {
	folder, err := openRun(dir)
	if err != nil {
		return err
	}
	book.title = folder.Manifest.Name
	present, err := folder.Frames()
	if err != nil {
		return badInput(err)
	}
	if len(present) == 0 {
		return badInput(fmt.Errorf("%s has no frames yet", dir))
	}
	chosen, err := f.choose(present)
	if err != nil {
		return err
	}
	for _, n := range chosen {
		frame, err := folder.Frame(n)
		if err != nil {
			return badInput(err)
		}
		if len(book.cells) == 0 {
			if err := f.checkHidden(frame); err != nil {
				return err
			}
		}
		c := f.cell(frame)
		book.cells = append(book.cells, c)
		book.points = c.look(book.points, f.near)
	}
	if f.near {
		return nil
	}
	for _, n := range evenly(present, boxFrames) {
		frame, err := folder.Frame(n)
		if err != nil {
			return badInput(err)
		}
		for _, c := range frame.Cloths {
			book.points = append(book.points, c.Positions...)
		}
	}
	return nil
}

// checkHidden checks that what is to be hidden exists.
func (f *renderFlags) checkHidden(frame *cache.Frame) error {
	var names []string
	for i := range frame.Obstacles {
		names = append(names, frame.Obstacles[i].Name)
	}
	for _, name := range f.hide {
		if !slices.Contains(names, name) {
			if len(names) == 0 {
				return badUsage("--hide %s: the run has no obstacles", name)
			}
			return badUsage("--hide %s: there is no such obstacle; the run has %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// cell returns the picture of a frame.
func (f *renderFlags) cell(frame *cache.Frame) cell {
	c := cell{cloths: f.surfaces(frame.Cloths), caption: fmt.Sprintf("frame %d, %.3f s", frame.Number, frame.Time)}
	for i := range frame.Obstacles {
		o := &frame.Obstacles[i]
		paint := calm[i%len(calm)]
		switch {
		case o.Mesh == nil || slices.Contains(f.hide, o.Name):
		case o.Kind == cache.KindPlane:
			c.planes = append(c.planes, half{
				o.Name, o.Pose.Apply(o.Mesh.Positions[0]), o.Pose.R.Rotate(o.Mesh.Normals[0]), paint,
			})
		default:
			s := draw.Surface{Name: o.Name, Triangles: o.Mesh.Triangles, Color: paint, Back: paint}
			for _, x := range o.Mesh.Positions {
				s.Positions = append(s.Positions, o.Pose.Apply(x))
			}
			c.obstacles = append(c.obstacles, s)
		}
	}
	return c
}

// look appends what the camera is to see: the cloths, and of the obstacles either all, or with near those
// that a cloth is at, as far as they are near it. Planes have no end and do not count.
func (c *cell) look(points []r3.Vec, near bool) []r3.Vec {
	box := draw.Bounds(c.cloths)
	for i := range c.cloths {
		points = append(points, c.cloths[i].Positions...)
	}
	reach := box.Size().Norm()
	touching, around := grown(box, 0.03*reach), grown(box, 0.25*reach)
	for i := range c.obstacles {
		o := &c.obstacles[i]
		if !near || box.Empty() {
			points = append(points, o.Positions...)
			continue
		}
		b := draw.Bounds(c.obstacles[i : i+1])
		if !overlap(b, touching) {
			continue
		}
		// A plate may have no vertex near the cloth: what counts is the part of its box that is.
		part := r3.Box{Min: b.Min.Max(around.Min), Max: b.Max.Min(around.Max)}
		if part == b {
			points = append(points, o.Positions...)
			continue
		}
		for k := range 8 {
			points = append(points, part.Corner(k))
		}
	}
	return points
}

func grown(b r3.Box, by float64) r3.Box {
	d := r3.V(by, by, by)
	return r3.Box{Min: b.Min.Sub(d), Max: b.Max.Add(d)}
}

func overlap(a, b r3.Box) bool {
	return !r3.Box{Min: a.Min.Max(b.Min), Max: a.Max.Min(b.Max)}.Empty()
}

// dress returns everything to draw, and the ground: a level plane if the frame has one. Other planes are shown as
// squares around what the camera looks at. Without any plane a ground under it shows where shadows fall.
func (c *cell) dress(box r3.Box) ([]draw.Surface, draw.Ground) {
	surfaces := slices.Concat(c.cloths, c.obstacles)
	ground := draw.GroundUnder(box)
	ground.Show = ground.Show && len(c.planes) == 0
	for _, p := range c.planes {
		if p.normal.Z > 0.9999 && !ground.Show {
			ground.Height, ground.Show = p.point.Z, true
			continue
		}
		surfaces = append(surfaces, p.patch(box))
	}
	return surfaces, ground
}

// patch returns the square of a plane next to the box, with sides along the slope.
func (p *half) patch(box r3.Box) draw.Surface {
	center, reach := box.Center(), 0.7*box.Size().Norm()
	center = center.AddScaled(-center.Sub(p.point).Dot(p.normal), p.normal)
	across := p.normal.Cross(r3.V(0, 0, 1))
	if across.Norm() < 1e-9 {
		across = r3.V(1, 0, 0)
	}
	u := across.Unit().Scale(reach)
	v := p.normal.Cross(u)
	return draw.Surface{
		Name: p.name, Color: p.color, Back: p.color, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}},
		Positions: []r3.Vec{center.Sub(u).Sub(v), center.Add(u).Sub(v), center.Add(u).Add(v), center.Sub(u).Add(v)},
	}
}

// meshCells puts the one picture of a mesh file into the album.
func (f *renderFlags) meshCells(path string, book *album) error {
	if f.frames != "" {
		return badUsage("--frames is for run folders; %s is a mesh", path)
	}
	m, err := f.mesh.read(path)
	if err != nil {
		return err
	}
	surfaces := f.surfaces([]*meshio.Mesh{m})
	if f.color != plainColor && surfaces[0].Scalar == nil {
		return badInput(fmt.Errorf("%s has no %s; frames of a run have", path, colorings[f.color].attribute))
	}
	book.cells, book.title = []cell{{cloths: surfaces}}, filepath.Base(path)
	book.points = m.Positions
	return nil
}

func (f *renderFlags) surfaces(meshes []*meshio.Mesh) []draw.Surface {
	out := make([]draw.Surface, len(meshes))
	for i, m := range meshes {
		out[i] = draw.Surface{Name: m.Name, Positions: m.Positions, Triangles: m.Triangles, Edges: f.edges}
		if f.color == plainColor {
			continue
		}
		c := colorings[f.color]
		values, gap := attribute(m, c.attribute), attribute(m, cache.AttrGap)
		if values == nil {
			continue
		}
		out[i].Scalar = make([]float64, len(values))
		for v, x := range values {
			out[i].Scalar[v] = float64(x)
			if c.touch && gap != nil && gap[v] >= cache.NoGap {
				out[i].Scalar[v] = math.NaN()
			}
		}
	}
	return out
}

// attribute returns the values of an attribute with one number for each vertex, or nil.
func attribute(m *meshio.Mesh, name string) []float32 {
	for i := range m.Attributes {
		if a := &m.Attributes[i]; a.Name == name && a.Width == 1 {
			return a.Data
		}
	}
	return nil
}

// scale returns the colour scale that all pictures share.
func (f *renderFlags) scale(cells []cell) *draw.Scale {
	if f.color == plainColor {
		return nil
	}
	c := colorings[f.color]
	if c.classes != nil {
		return &draw.Scale{Label: "contact", Classes: c.classes}
	}
	var all []draw.Surface
	for i := range cells {
		all = append(all, cells[i].cloths...)
	}
	s := draw.ScaleOf(all, f.color, c.unit)
	if c.touch {
		s.Min = min(s.Min, 0)
		cutOutliers(&s, all)
	}
	return &s
}

// cutOutliers ends a scale where all but a hundredth of the values are, if that more than halves it: a few
// contacts met at speed would make all others look alike.
func cutOutliers(s *draw.Scale, surfaces []draw.Surface) {
	var values []float64
	for i := range surfaces {
		for _, x := range surfaces[i].Scalar {
			if !math.IsNaN(x) {
				values = append(values, x)
			}
		}
	}
	slices.Sort(values)
	if len(values) == 0 {
		return
	}
	if most := values[(len(values)-1)*99/100]; most < s.Max/2 && most > s.Min {
		s.Max, s.Beyond = most, true
	}
}
