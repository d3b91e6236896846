// Package pattern makes garments from flat panels: outlines with named edges, seams between the edges, darts
// and pleats, and where each panel hangs before it is sewn. A pattern is meshed at a given size; what comes out
// is the panels as cut, the stitches that draw them together, and the mesh they become when sewn.
package pattern

import (
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Pattern is a garment as flat pieces of cloth and the seams that join them.
type Pattern struct {
	Name   string
	Panels []Panel
	Seams  []Seam
}

// Panel is one flat piece of cloth.
type Panel struct {
	Name   string  // each panel its own; letters, digits, - and _
	Edges  []Edge  // the outline, counter-clockwise seen from the outside of the garment; each ends where the next begins
	Grain  float64 // angle of the warp to the panel's x axis, counter-clockwise [rad]; π/2, along y, is usual
	Darts  []Dart
	Pleats []Pleat
	Place  Place
}

// Edge is one stretch of an outline, from its own point to that of the next edge: a straight line, or with one
// or two control points a quadratic or cubic Bézier curve. An edge that is drawn in several arcs goes on with Then.
type Edge struct {
	Name string // each edge of a panel its own; may be empty for an edge that nothing refers to
	From r3.Vec2
	Via  []r3.Vec2 // control points, at most two
	Then []Arc
}

// Arc is a further part of an edge. It ends where the next begins.
type Arc struct {
	From r3.Vec2
	Via  []r3.Vec2 // control points, at most two
}

// Dart is a wedge cut out of a panel: its mouth on an edge, its tip inside. The two sides of the wedge are as
// long as each other and are sewn together; the mouth vanishes from the edge.
type Dart struct {
	Name  string  // for messages; may be empty
	Edge  string  // with the mouth
	At    float64 // distance of the middle of the mouth from the start of the edge, along the edge [m]
	Width float64 // of the mouth, along the edge [m]
	Tip   r3.Vec2
}

// Pleat is one or several equal folds along an edge. A fold takes up twice its depth of the edge: that stretch is
// laid double, its two halves are stitched to each other from the open end to the crease, and only what is left
// of the edge is sewn to something else. So an edge of 1 m with 5 pleats of depth 4 cm is sewn as if it were
// 60 cm long. Which side a fold lies on once it is sewn is left to gravity and contact.
type Pleat struct {
	Name  string  // for messages; may be empty
	Edge  string  // that is folded
	At    float64 // distance of the start of the first fold from the start of the edge, along the edge [m]
	Depth float64 // of a fold [m]
	Count int     // number of folds
	Every float64 // distance from the start of a fold to that of the next, along the edge [m]; not needed for one
}

// EdgeRef names an edge of a panel.
type EdgeRef struct{ Panel, Edge string }

// String returns panel.edge.
func (r EdgeRef) String() string { return r.Panel + "." + r.Edge }

// Seam joins two chains of edges. Every chain lists edges in the direction of its outlines, end to end. Since
// all outlines are counter-clockwise seen from outside, the chains run against each other: the start of A
// meets the end of B.
type Seam struct {
	Name string // each seam its own
	A, B []EdgeRef
	Ease float64 // the longer chain may exceed the shorter by this fraction; DefaultEase is usual, 0 allows rounding errors only
	// Reversed makes the start of A meet the start of B, for a panel whose outline is drawn as seen from the
	// inside of the garment: the panel is turned over.
	Reversed bool
}

// DefaultEase is the fraction by which the two sides of a seam may usually differ in length: what a sewer
// holds in without gathers.
const DefaultEase = 0.02

// Place is where a panel hangs before it is sewn: the point (x, y) of the panel lies at At + x Right + y Up.
// The zero Place has Right = +X and Up = +Z, a panel seen from -Y. With Wrap, the panel is rolled about an
// axis parallel to Up at distance 1/|Wrap| from At, so that x runs along circles: behind the panel, on the inside
// of the garment, for positive Wrap, and before it for negative.
type Place struct {
	At        r3.Vec  // [m]
	Right, Up r3.Vec  // unit vectors at right angles; Right x Up points to the outside of the garment
	Wrap      float64 // curvature [1/m]; 0 is flat
}

// Garment is a meshed pattern, before and after sewing.
type Garment struct {
	Flat      *mesh.Mesh // the panels, not sewn yet; material x runs along the warp
	Positions []r3.Vec   // of Flat's vertices, as placed [m]
	Panel     []int32    // of each vertex of Flat, its panel
	Stitches  [][2]int32 // pairs of Flat's vertices that become one
	Seam      []int32    // of each stitch, its seam; -1 for darts and pleats
	Sewn      *mesh.Mesh // the same triangles and material points, joined vertices merged
	Merge     []int32    // for each vertex of Flat its vertex in Sewn
	Groups    []Group    // vertices of Sewn by name: "front", "front.hem", "seam.side-left", ...
	MinAngle  []float64  // of each panel, the smallest angle of a triangle [rad]
}

// Group is a named set of vertices, in increasing order.
type Group struct {
	Name     string
	Vertices []int32
}

// Group returns the vertices of Sewn with a name, and false if there is no such group.
func (g *Garment) Group(name string) ([]int32, bool) {
	for i := range g.Groups {
		if g.Groups[i].Name == name {
			return g.Groups[i].Vertices, true
		}
	}
	return nil, false
}

// arcs returns the arcs of an edge.
func (e *Edge) arcs() []Arc { return append([]Arc{{e.From, e.Via}}, e.Then...) }

// axes returns Right and Up, or what they are by default.
func (p *Place) axes() (right, up r3.Vec) {
	if p.Right == (r3.Vec{}) && p.Up == (r3.Vec{}) {
		return r3.V(1, 0, 0), r3.V(0, 0, 1)
	}
	return p.Right, p.Up
}

// Point returns where the point q of a panel lies.
func (p *Place) Point(q r3.Vec2) r3.Vec {
	right, up := p.axes()
	x, depth := q.X, 0.0
	if k := p.Wrap; k != 0 {
		s, c := math.Sincos(k * q.X)
		x, depth = s/k, (1-c)/k
	}
	return p.At.AddScaled(x, right).AddScaled(q.Y, up).AddScaled(-depth, right.Cross(up))
}
