package draw

import (
	"image/color"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Quantity is something that frames tell about each vertex and bodies can be coloured by.
type Quantity struct {
	// Name is the word for it, Attribute what frames call it, and Unit its unit; a ratio has none.
	Name, Attribute, Unit string
	// Touch says that it has no meaning without a contact.
	Touch bool
	// Skewed says that a few values may be far above all others, which would then look alike.
	Skewed bool
	// Classes are the names of its values, if these are names.
	Classes []Class
}

// Quantities are what bodies can be coloured by, in the order in which people are told of them. The colours
// of states differ in lightness too, so that they stay apart for every kind of colour blindness.
var Quantities = []Quantity{
	{Name: "stretch", Attribute: runfolder.AttrStretch},
	{Name: "speed", Attribute: runfolder.AttrSpeed, Unit: "m/s", Skewed: true},
	{Name: "state", Attribute: runfolder.AttrState, Classes: []Class{
		{Name: "free", Color: color.RGBA{0x9f, 0xb8, 0xd6, 0xff}},
		{Name: "sticks", Color: color.RGBA{0x1f, 0x6f, 0x5c, 0xff}},
		{Name: "slides", Color: color.RGBA{0xe0, 0x7b, 0x1e, 0xff}},
	}},
	{Name: "gap", Attribute: runfolder.AttrGap, Unit: "m", Touch: true, Skewed: true},
	{Name: "impulse", Attribute: runfolder.AttrImpulse, Unit: "N s", Touch: true, Skewed: true},
	{Name: "size", Attribute: runfolder.AttrSize, Unit: "m"},
	{Name: "stress", Attribute: runfolder.AttrStress, Unit: "Pa", Skewed: true},
	{Name: "energy", Attribute: runfolder.AttrEnergy, Unit: "J/m³", Skewed: true},
	{Name: "volume", Attribute: runfolder.AttrVolume},
	{Name: "tension", Attribute: runfolder.AttrTension, Unit: "N", Skewed: true},
	{Name: "force", Attribute: runfolder.AttrForce, Unit: "N", Touch: true, Skewed: true},
}

// QuantityNamed returns the quantity with a name, or nil.
func QuantityNamed(name string) *Quantity {
	if i := slices.IndexFunc(Quantities, func(q Quantity) bool { return q.Name == name }); i >= 0 {
		return &Quantities[i]
	}
	return nil
}

// Look says how frames of a run are shown.
type Look struct {
	// Quantity is what cloths are coloured by; nil gives each its own colour.
	Quantity *Quantity
	// Edges draws the edges of triangles.
	Edges bool
	// Arrows draws an arrow for the contact impulse of each vertex. Frames keep its size and not its
	// direction: arrows are along the normal of the cloth, out of the side that is seen, which is where a
	// contact on the other side pushes. A contact on the side that is seen is hidden by what touches.
	Arrows bool
	// Hide are the names of obstacles that are not shown.
	Hide []string
}

// calm are the colours of obstacles, which are not to be looked at first.
var calm = [...]color.RGBA{{0xbd, 0xb7, 0xac, 0xff}, {0xa8, 0xb2, 0xb8, 0xff}, {0xb9, 0xae, 0xb6, 0xff}}

// Shot is a frame, or a mesh, made ready for drawing.
type Shot struct {
	bodies    []Surface // that move
	obstacles []Surface
	planes    []half
	arrows    []Arrow // with the size of the impulse as their length
}

// half is a half-space, shown as its plane.
type half struct {
	name          string
	point, normal r3.Vec
	color         color.RGBA
}

// Frame makes a frame ready for drawing.
func (l *Look) Frame(f *runfolder.Frame) *Shot {
	s := &Shot{}
	obstacles := 0
	for i := range f.Bodies {
		// cloths, bodies and yarns
		b := &f.Bodies[i]
		if !b.Kind.Obstacle() {
			switch {
			case b.Curves != nil:
				s.yarns(l, b.Curves)
			case b.Mesh != nil:
				s.add(l, placed(b))
			}
			continue
		}
		// obstacles in quiet colours
		paint := calm[obstacles%len(calm)]
		obstacles++
		// those that are hidden, planes, and meshes
		switch {
		case b.Mesh == nil || slices.Contains(l.Hide, b.Name):
		case b.Kind == runfolder.KindPlane:
			s.planes = append(s.planes, half{
				b.Name, b.Pose.Apply(b.Mesh.Positions[0]), b.Pose.R.Rotate(normalOf(b.Mesh)), paint,
			})
		default:
			m := placed(b)
			s.obstacles = append(s.obstacles, Surface{
				Name: b.Name, Positions: m.Positions, Triangles: m.Triangles, Color: paint, Back: paint,
			})
		}
	}
	return s
}

// normalOf returns the normal of a plane, which a frame need not have.
func normalOf(m *meshio.Mesh) r3.Vec {
	if len(m.Normals) > 0 {
		return m.Normals[0]
	}
	t := m.Triangles[0]
	a := m.Positions[t[0]]
	return m.Positions[t[1]].Sub(a).Cross(m.Positions[t[2]].Sub(a)).Unit()
}

// placed returns the mesh of a body in the scene's axes.
func placed(b *runfolder.Body) *meshio.Mesh {
	if b.Pose == r3.Still() {
		return b.Mesh
	}
	m := *b.Mesh
	m.Positions, m.Normals = make([]r3.Vec, len(b.Mesh.Positions)), make([]r3.Vec, len(b.Mesh.Normals))
	for v, x := range b.Mesh.Positions {
		m.Positions[v] = b.Pose.Apply(x)
	}
	for v, n := range b.Mesh.Normals {
		m.Normals[v] = b.Pose.R.Rotate(n)
	}
	return &m
}

// Meshes makes meshes ready for drawing as bodies.
func (l *Look) Meshes(meshes []*meshio.Mesh) *Shot {
	s := &Shot{}
	for _, m := range meshes {
		s.add(l, m)
	}
	return s
}

// add adds a body, with its mesh in the scene's axes.
func (s *Shot) add(l *Look, m *meshio.Mesh) {
	surface := Surface{Name: m.Name, Positions: m.Positions, Triangles: m.Triangles, Edges: l.Edges}
	if l.Quantity != nil {
		surface.Scalar = scalars(m, l.Quantity)
	}
	if l.Arrows {
		s.arrows = appendArrows(s.arrows, m)
	}
	s.bodies = append(s.bodies, surface)
}

// tubeDetails are how many pieces a segment of a yarn is cut into along and around, by the number of segments up to
// which that takes no more than about a gigabyte.
var tubeDetails = [...]struct{ most, pieces, sides int }{
	{60_000, 4, 8}, {200_000, 3, 6}, {math.MaxInt, 2, 4},
}

// TubeVertices returns how many vertices the tubes of a piece of yarn with so many control points are drawn with.
func TubeVertices(points int) int {
	for _, d := range tubeDetails[:len(tubeDetails)-1] {
		if points <= d.most {
			return d.pieces * d.sides * points
		}
	}
	last := tubeDetails[len(tubeDetails)-1]
	return last.pieces * last.sides * points
}

// yarns adds yarns as tubes.
func (s *Shot) yarns(l *Look, c *meshio.Curves) {
	for _, d := range tubeDetails {
		if len(c.Points) <= d.most {
			without := *l
			without.Edges = false // of tubes, they mean nothing
			s.add(&without, c.Tubes(d.pieces, d.sides))
			return
		}
	}
}

// Colored reports whether some body has the quantity that bodies are to be coloured by. Rigid ones have none.
func (s *Shot) Colored() bool {
	return slices.ContainsFunc(s.bodies, func(c Surface) bool { return c.Scalar != nil })
}

// scalars returns the values of a quantity, NaN where it has no meaning, or nil if the mesh does not have it.
func scalars(m *meshio.Mesh, q *Quantity) []float64 {
	values, gap := sizes(m, q.Attribute), attribute(m, runfolder.AttrGap, 1)
	if values == nil {
		return nil
	}
	out := make([]float64, len(values))
	for v, x := range values {
		out[v] = float64(x)
		if q.Touch && (gap != nil && gap[v] >= runfolder.NoGap || q.Attribute == runfolder.AttrForce && x <= 0) {
			out[v] = math.NaN()
		}
	}
	return out
}

// sizes returns the values of an attribute with one number for each vertex or the sizes of its vectors, or nil.
func sizes(m *meshio.Mesh, name string) []float32 {
	vectors := attribute(m, name, 3)
	if vectors == nil {
		return attribute(m, name, 1)
	}
	out := make([]float32, len(vectors)/3)
	for v := range out {
		out[v] = float32(vectorAt(vectors, v).Norm())
	}
	return out
}

func vectorAt(xs []float32, v int) r3.Vec {
	return r3.V(float64(xs[3*v]), float64(xs[3*v+1]), float64(xs[3*v+2]))
}

// attribute returns the values of an attribute with the given count of numbers for each vertex, or nil.
func attribute(m *meshio.Mesh, name string, width int) []float32 {
	for i := range m.Attributes {
		if a := &m.Attributes[i]; a.Name == name && a.Width == width {
			return a.Data
		}
	}
	return nil
}

// maxArrows is about how many vertices of a cloth may have arrows: more could not be told apart.
const maxArrows = 4000

// appendArrows appends the impulses of a mesh. Of a fine mesh it takes a share of the vertices, spread
// evenly and the same in every frame.
func appendArrows(arrows []Arrow, m *meshio.Mesh) []Arrow {
	vectors := attribute(m, runfolder.AttrImpulse, 3)
	if vectors == nil && len(m.Normals) != len(m.Positions) {
		return arrows
	}
	every := uint32(len(m.Positions)/maxArrows + 1)
	for v, x := range sizes(m, runfolder.AttrImpulse) {
		// Multiplying by the golden ratio scatters neighbours.
		switch {
		case !(x > 0) || (uint32(v)*2654435769>>16)%every != 0:
		case vectors != nil:
			arrows = append(arrows, Arrow{At: m.Positions[v], Along: vectorAt(vectors, v)})
		default: // a frame of an older version
			arrows = append(arrows, Arrow{At: m.Positions[v], Along: m.Normals[v].Scale(float64(x)), EitherWay: true})
		}
	}
	return arrows
}

// wearerSize is how large an obstacle that a cloth is at may be, relative to the cloth, to be taken in as a whole: a
// body in a shirt is.
const wearerSize = 2.5

// look calls add with what the camera is to see: the cloths, and of the obstacles either all, or with near
// those that a cloth is at, as far as they are near it or not much larger. Planes have no end and do not count.
func (s *Shot) look(near bool, add func(r3.Vec)) {
	box := Bounds(s.bodies)
	for i := range s.bodies {
		for _, p := range s.bodies[i].Positions {
			add(p)
		}
	}
	reach := box.Size().Norm()
	touching, around := grown(box, 0.03*reach), grown(box, 0.25*reach)
	for i := range s.obstacles {
		b := Bounds(s.obstacles[i : i+1])
		all := !near || box.Empty()
		if !all && !b.Overlaps(&touching) {
			continue
		}
		// A plate may have no vertex near the cloth: what counts is the part of its box that is.
		part := r3.Box{Min: b.Min.Max(around.Min), Max: b.Max.Min(around.Max)}
		if all || part == b || b.Size().Norm() <= wearerSize*reach {
			for _, p := range s.obstacles[i].Positions {
				add(p)
			}
			continue
		}
		for k := range 8 {
			add(part.Corner(k))
		}
	}
}

// lowest returns the height of the lowest point of all obstacles but planes, +Inf if there is none.
func (s *Shot) lowest() float64 {
	low := math.Inf(1)
	for i := range s.obstacles {
		low = min(low, Bounds(s.obstacles[i:i+1]).Min.Z)
	}
	return low
}

func grown(b r3.Box, by float64) r3.Box {
	d := r3.V(by, by, by)
	return r3.Box{Min: b.Min.Sub(d), Max: b.Max.Add(d)}
}

// dress returns everything to draw, and the ground: a level plane if the frame has one. Other planes are shown as
// squares around what the camera looks at. Without any plane a ground under it, and not above low, shows where shadows
// fall.
func (s *Shot) dress(box r3.Box, low float64) ([]Surface, Ground) {
	surfaces := slices.Concat(s.bodies, s.obstacles)
	ground := GroundUnder(box)
	ground.Height = min(ground.Height, low)
	ground.Show = ground.Show && len(s.planes) == 0
	for _, p := range s.planes {
		if p.normal.Z > 0.9999 && !ground.Show {
			ground.Height, ground.Show = p.point.Z, true
			continue
		}
		surfaces = append(surfaces, p.patch(box))
	}
	return surfaces, ground
}

// patch returns the square of a plane next to the box, with sides along the slope.
func (p *half) patch(box r3.Box) Surface {
	center, reach := box.Center(), 0.7*box.Size().Norm()
	center = center.AddScaled(-center.Sub(p.point).Dot(p.normal), p.normal)
	across := p.normal.Cross(r3.V(0, 0, 1))
	if across.Norm() < 1e-9 {
		across = r3.V(1, 0, 0)
	}
	u := across.Unit().Scale(reach)
	v := p.normal.Cross(u)
	return Surface{
		Name: p.name, Color: p.color, Back: p.color, Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}},
		Positions: []r3.Vec{center.Sub(u).Sub(v), center.Add(u).Sub(v), center.Add(u).Add(v), center.Sub(u).Add(v)},
	}
}
