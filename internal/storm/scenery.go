package storm

import (
	"fmt"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// thing is a body or an obstacle as the referee sees it at one moment: triangles, a rod, or another convex shape.
type thing struct {
	name  string
	fixed bool // an obstacle: two of them may do as they like
	soft  bool // may cross itself
	loose bool // its contact is with a smooth surface, and its triangles may cross

	x      []r3.Vec
	tri    [][3]int32
	closed bool // the triangles have an inside

	rod    *rod
	convex *convex
}

// scenery follows the things of a scene from frame to frame. Round and other exact shapes are taken from the scene,
// and from there on moved as their poses move; triangles are those of the frames.
type scenery struct {
	things []thing
	start  []r3.Pose // of each in the first frame
	first  []thing   // those with exact shapes, where they start
	apart  map[[2]string]bool
}

// newScenery returns the things of a scene, as its first frame shows them.
func newScenery(s *scenefile.Scene, frame *runfolder.Frame) (*scenery, error) {
	c := &scenery{apart: map[[2]string]bool{}}
	for i := range s.Joints {
		if j := &s.Joints[i]; j.To != "" && !j.Touch { // may overlap
			c.apart[[2]string{j.Body, j.To}], c.apart[[2]string{j.To, j.Body}] = true, true
		}
	}
	exact := exactShapes(s)
	loose := map[string]bool{}
	for i := range s.Solids {
		loose[s.Solids[i].Name] = smooth(s.Solids[i].Contact)
	}
	for i := range s.Obstacles {
		loose[s.Obstacles[i].Name] = smooth(s.Obstacles[i].Contact)
	}
	for i := range frame.Bodies {
		b := &frame.Bodies[i]
		t := thing{
			name: b.Name, fixed: b.Kind.Obstacle(), soft: b.Kind == runfolder.KindCloth || b.Kind == runfolder.KindSolid,
		}
		if e, ok := exact[b.Name]; ok {
			t.x, t.tri, t.rod, t.convex = e.x, e.tri, e.rod, e.convex
		}
		if b.Mesh == nil {
			return nil, fmt.Errorf("%s has no triangles", b.Name)
		}
		t.loose = loose[b.Name]
		c.first = append(c.first, t)
		if t.rod == nil && t.convex == nil && t.x == nil {
			t.tri = b.Mesh.Triangles
			t.closed = b.Kind == runfolder.KindRigid || b.Kind == runfolder.KindSolid ||
				b.Kind != runfolder.KindCloth && closes(b.Mesh.Positions, t.tri)
		}
		t.closed = t.closed || t.x != nil
		c.things, c.start = append(c.things, t), append(c.start, b.Pose)
	}
	return c, nil
}

func smooth(t *scenefile.Touched) bool { return t != nil && t.Surface == "smooth" }

// see moves the things to where a frame has them.
func (c *scenery) see(frame *runfolder.Frame) error {
	if len(frame.Bodies) != len(c.things) {
		return fmt.Errorf("frame %d has %d bodies, and the first has %d", frame.Number, len(frame.Bodies), len(c.things))
	}
	for i := range frame.Bodies {
		b, t, first := &frame.Bodies[i], &c.things[i], &c.first[i]
		by := b.Pose.Mul(c.start[i].Inverse())
		switch {
		case first.rod != nil:
			r := first.rod.moved(by)
			t.rod = &r
		case first.convex != nil:
			k := first.convex.moved(by)
			t.convex = &k
		case first.x != nil:
			t.x = placed(t.x, first.x, by)
		case b.Kind.Rigid():
			t.x = placed(t.x, b.Mesh.Positions, b.Pose)
		default: // what deforms is where its mesh is
			t.x, t.tri = b.Mesh.Positions, b.Mesh.Triangles
		}
	}
	return nil
}

// placed returns points where a pose takes them, in the memory of dst unless that is theirs.
func placed(dst, points []r3.Vec, by r3.Pose) []r3.Vec {
	if len(dst) != len(points) || len(dst) > 0 && &dst[0] == &points[0] {
		dst = make([]r3.Vec, len(points))
	}
	for i, p := range points {
		dst[i] = by.Apply(p)
	}
	return dst
}

// exactShapes returns the shapes that are no meshes, by name, where they start.
func exactShapes(s *scenefile.Scene) map[string]thing {
	out := map[string]thing{}
	for i := range s.Rigids {
		r := &s.Rigids[i]
		at := spotOf(&r.Place)
		switch { // cylinders and cones of rigid bodies are prisms and pyramids
		case r.Shape.Sphere != nil:
			out[r.Name] = at.ball(r.Shape.Sphere.Radius)
		case r.Shape.Capsule != nil:
			out[r.Name] = at.rod(r.Shape.Capsule)
		}
	}
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		at := spotOf(&o.Place)
		switch h := &o.Shape; {
		case h.Sphere != nil:
			out[o.Name] = at.ball(h.Sphere.Radius)
		case h.Capsule != nil:
			out[o.Name] = at.rod(h.Capsule)
		case h.Plane != nil:
			out[o.Name] = thing{convex: &convex{
				kind: halfSpace, from: at.apply(h.Plane.Point.R3()), along: at.R.Rotate(h.Plane.Normal.R3().Unit()),
			}}
		case h.Cylinder != nil:
			a, b := ends(h.Cylinder)
			a, b = at.apply(a), at.apply(b)
			out[o.Name] = thing{convex: &convex{
				kind: cylinder, from: a, along: b.Sub(a).Unit(), radius: at.scale * h.Cylinder.Radius, high: b.Sub(a).Norm(),
			}}
		case h.Cone != nil:
			out[o.Name] = thing{convex: &convex{
				kind: cone, from: at.apply(r3.Vec{}), along: at.R.Rotate(h.Cone.Axis.R3().Unit()),
				radius: at.scale * h.Cone.Radius, high: at.scale * h.Cone.Height,
			}}
		case h.Box != nil:
			x, tri := brick(h.Box.Size.R3())
			for k := range x {
				x[k] = at.apply(x[k])
			}
			out[o.Name] = thing{x: x, tri: tri}
		}
	}
	return out
}

// spot is where something starts: scaled, turned, moved.
type spot struct {
	r3.Pose
	scale float64
}

func spotOf(p *scenefile.Place) spot {
	at := spot{Pose: r3.Translation(p.Translate.R3()), scale: p.Scale}
	if p.Rotate != nil {
		at.R = r3.Rotation(p.Rotate.Axis.R3(), p.Rotate.Angle)
	}
	return at
}

func (s spot) apply(x r3.Vec) r3.Vec { return s.Pose.Apply(x.Scale(s.scale)) }

func (s spot) ball(radius float64) thing {
	return thing{rod: &rod{[2]r3.Vec{s.T, s.T}, s.scale * radius}}
}

func (s spot) rod(h *scenefile.RodShape) thing {
	a, b := ends(h)
	return thing{rod: &rod{[2]r3.Vec{s.apply(a), s.apply(b)}, s.scale * h.Radius}}
}

// ends returns the middles of the ends of a capsule or cylinder.
func ends(h *scenefile.RodShape) (a, b r3.Vec) {
	if h.From != nil && h.To != nil {
		return h.From.R3(), h.To.R3()
	}
	axis := r3.V(0, 0, 1)
	if h.Axis != nil {
		axis = h.Axis.R3().Unit()
	}
	return axis.Scale(-h.Length / 2), axis.Scale(h.Length / 2)
}

// brick returns the triangles of a box around the origin, seen counter-clockwise from outside.
func brick(size r3.Vec) (x []r3.Vec, tri [][3]int32) {
	for i := range 8 {
		sign := func(bit int) float64 { return float64(i>>bit&1) - 0.5 }
		x = append(x, r3.V(sign(0)*size.X, sign(1)*size.Y, sign(2)*size.Z))
	}
	for _, q := range [6][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		tri = append(tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return x, tri
}

// closes reports whether every edge has a triangle on both sides, vertices at one place being one.
func closes(x []r3.Vec, tri [][3]int32) bool {
	count := map[[2]r3.Vec]int{}
	for _, t := range tri {
		for k := range t {
			a, b := x[t[k]], x[t[(k+1)%3]]
			count[[2]r3.Vec{a, b}]++
			count[[2]r3.Vec{b, a}]--
		}
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return len(tri) > 0
}
