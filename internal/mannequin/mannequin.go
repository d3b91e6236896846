// Package mannequin makes bodies of people for cloth to hang on: a closed mesh by measures, a skeleton that bends it,
// motions, and flesh of tets.
package mannequin

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/portable"
	"github.com/toile-sim/toile/r3"
)

// Mannequin is a body as one closed mesh with a skeleton in it. Its triangles are the same in all poses. It stands on z
// = 0 around the z axis, faces -y, and its left arm points to +x. It does not change and may be used by several
// goroutines.
type Mannequin struct {
	Measures Measures
	Tri      [][3]int32 // counter-clockwise seen from outside

	rest     []r3.Vec // vertices in the dressing pose
	other    []int32  // for each vertex its mirror image
	grip     []grip
	skeleton skeleton
	body     *body
}

// MinVertices and MaxVertices bound the number of vertices that a mannequin can be made of.
const (
	MinVertices = 2000
	MaxVertices = 100_000
	// DefaultVertices is enough for cloth with edges of 1 cm.
	DefaultVertices = 12_000
)

// NewMannequin makes a mannequin of about so many vertices (MinVertices to MaxVertices, within 5 %). The same measures
// and number give the same mesh, bit for bit.
func NewMannequin(m Measures, vertices int) (*Mannequin, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if vertices < MinVertices || vertices > MaxVertices {
		return nil, fmt.Errorf("a mannequin of %d vertices; it can have %d to %d", vertices, MinVertices, MaxVertices)
	}
	b := newBody(m, vertices)
	pos, tri, other, edge := b.mesh(vertices)
	return &Mannequin{
		Measures: m, Tri: tri, rest: pos, other: other, grip: b.gripsOf(pos, tri, edge), skeleton: b.skeleton, body: b,
	}, nil
}

// coarsest is the largest cell that the surface is found with [m]. It is below the thickness of hands.
const coarsest = 0.013

// mesh returns the body as triangles with about so many vertices, for each vertex its mirror image, and the length of
// edges.
func (b *body) mesh(vertices int) (pos []r3.Vec, tri [][3]int32, other []int32, edge float64) {
	start, faces := halfSurface(&b.field, coarsest)
	area := 0.0
	for _, c := range faces {
		area += start[c[1]].Sub(start[c[0]]).Cross(start[c[2]].Sub(start[c[0]])).Norm()
	}
	// A vertex of an even mesh has the area √3/2 e², and edges come out shorter than asked for by a tenth or so.
	edge = 1.06 * math.Sqrt(area/float64(vertices)*2/math.Sqrt(3))
	r := newRemesher(&b.field, edge, start, faces)
	tried := edge
	slope := -2.0 // of the logarithm of the number of vertices over that of the edge; less where edges are short because the body is thin
	for range 6 {
		before, _ := r.count()
		last := r.edge
		r.run(4)
		all, rim := r.count()
		ratio := float64(2*all-rim) / float64(vertices)
		if math.Abs(ratio-1) < 0.03 {
			break
		}
		if last != tried {
			slope = max(-2.5, min(-0.7, math.Log(float64(all)/float64(before))/math.Log(last/tried)))
		}
		tried = last
		edge *= portable.Pow(ratio, -1/slope)
		r.resize(edge)
	}
	r.polish()
	pos, tri, other = r.whole()
	return pos, tri, other, edge
}

// Vertices returns the number of vertices.
func (b *Mannequin) Vertices() int { return len(b.rest) }

// Mirror returns the vertex at the mirror image of v in the dressing pose, v itself on the middle of the body.
func (b *Mannequin) Mirror(v int32) int32 { return b.other[v] }

// Positions returns the vertices in a pose, or an error that lists all angles beyond the limits of their joints.
func (b *Mannequin) Positions(p *Pose) ([]r3.Vec, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	out := make([]r3.Vec, len(b.rest))
	b.Skin(p, out)
	return out, nil
}

// Bone returns the bone that a vertex follows most.
func (b *Mannequin) Bone(v int32) Joint { return Joint(b.grip[v].bone[0]) }

// At returns where a joint is in the dressing pose.
func (b *Mannequin) At(j Joint) r3.Vec { return b.skeleton.at[j] }

// Landmarks returns the names that Landmark knows.
func Landmarks() []string {
	return []string{
		"top",
		"neck",
		"shoulder",
		"armpit",
		"chest",
		"waist",
		"hip",
		"crotch",
		"knee",
		"ankle",
		"elbow",
		"wrist",
	}
}

// Landmark returns a point of the body in the dressing pose, on the left side; the right is its mirror image. "neck" is
// the side of the neck's base, "shoulder" the shoulder point on top of the arm's beginning, "armpit" the highest point
// under the arm; "chest", "waist" and "hip" are the sides of the trunk at the height of their tapes; "elbow", "wrist",
// "knee" and "ankle" are inside, where the joints are.
func (b *Mannequin) Landmark(name string) (r3.Vec, bool) {
	x, ok := b.body.mark[name]
	return x, ok
}

// Depth returns how far the trunk, neck and head reach to the front and to the back at height z in the dressing pose,
// without arms and legs: all of it lies in front ≤ y ≤ back. Both are 0 above and below.
func (b *Mannequin) Depth(z float64) (front, back float64) {
	for _, x := range b.body.section(z) {
		front, back = min(front, x.Y), max(back, x.Y)
	}
	return front, back
}

// Width returns how far the trunk, neck and head reach to each side at height z in the dressing pose, without arms:
// half of what a ruler would show. Where the shoulders are it is the distance to the shoulder line.
func (b *Mannequin) Width(z float64) float64 {
	wide := 0.0
	for _, x := range b.body.section(z) {
		wide = max(wide, x.X)
	}
	return wide
}

// section returns the outline of the trunk at a height, as far as it is seen from its middle. It ends at the shoulder
// point.
func (b *body) section(z float64) []r3.Vec {
	t := tape{at: r3.V(0, 0.004, z), normal: r3.V(0, 0, 1)}
	if v, _ := b.field.value(t.at); v >= 0 {
		return nil
	}
	points := b.field.around(&t)
	for i, x := range points {
		points[i].X = max(-b.m.Shoulder/2, min(b.m.Shoulder/2, x.X))
	}
	return points
}

// Tape is a circumference of a body.
type Tape struct {
	Name           string
	Wanted, Actual float64 // as the measures say and as the mesh has it [m]
}

// Tapes measures the mesh in the dressing pose, as a tape pulled taut would.
func (b *Mannequin) Tapes() []Tape {
	var out []Tape
	for i := range b.body.tapes {
		t := &b.body.tapes[i]
		out = append(out, Tape{t.name, t.want, b.measure(t)})
	}
	return out
}

// measure returns the length of a tape around the mesh.
func (b *Mannequin) measure(t *tape) float64 {
	far := 0.0 // what belongs to the section is as near to its middle as the section of the field
	for _, x := range b.body.field.around(t) {
		far = max(far, x.Sub(t.at).Norm())
	}
	var cut []r3.Vec
	for _, c := range b.Tri {
		for k := range 3 {
			p, q := b.rest[c[k]], b.rest[c[(k+1)%3]]
			u, v := p.Sub(t.at).Dot(t.normal), q.Sub(t.at).Dot(t.normal)
			if u <= 0 && v > 0 || u > 0 && v <= 0 {
				if x := p.Lerp(q, u/(u-v)); x.Sub(t.at).Norm() < 1.05*far {
					cut = append(cut, x)
				}
			}
		}
	}
	return taut(cut, t.normal)
}
