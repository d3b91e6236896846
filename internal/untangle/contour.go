package untangle

// Undoing crossings whose order is not known, by shrinking the lines along which surfaces cross [Volino06].
//
// Surfaces cross along contours: polygons whose corners are the points P where an edge of one surface, of direction E,
// meets a face of the other, of normal N. A corner joins two segments, in the faces on both sides of the edge, or one
// at the border; with R the unit vectors along them away from P, a move x of the surfaces changes the length L of all
// contours by
//
//	dP = dx_e − E N·(dx_e − dx_f)/(N·E),   dL = −S·dP,   S = Σ R
//
// with x_e the point of the edge and x_f that of the face at P. So the forces −∂L/∂x that shorten contours are
//
//	on the edge  S − c N,   on the face  c N,   c = S·E/(N·E),
//
// shared by their corners with the weights of P. Vertices follow these forces smoothed by the first two terms of
// smooth.go, so that sheets keep their shape, as far as the length goes down. Before that, what contours cut off is
// pushed back (cutoff.go).
//
// Departures from the paper: its forces are of equal size and opposite on edge and face, and an elastic model
// keeps the shape; here they are the gradient of the length, so that a step that is short enough always shortens, and
// the smoothing takes the place of elasticity.
//
// Invariants: fixed vertices and bodies do not move; contours are not longer at the end than at the start; the same
// bits for any number of workers.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// ContourOptions are the settings of Contours.
type ContourOptions struct {
	// Step is how far a vertex moves at most in one iteration [m].
	Step float64
	// Iterations bounds the work.
	Iterations int
	// Team does the work; nil: the caller alone. It does not change results.
	Team *par.Team
}

// DefaultContourOptions returns the settings for garments.
func DefaultContourOptions() ContourOptions { return ContourOptions{Step: 0.005, Iterations: 200} }

// Validate lists everything that is wrong with the options.
func (o ContourOptions) Validate() error {
	var faults []error
	if !(o.Step > 0) || math.IsInf(o.Step, 1) {
		faults = append(faults, fmt.Errorf("step %g m is not positive", o.Step))
	}
	if o.Iterations < 1 {
		faults = append(faults, fmt.Errorf("iterations %d are fewer than 1", o.Iterations))
	}
	return errors.Join(faults...)
}

// ContourStats tells how Contours went.
type ContourStats struct {
	Before, After             int     // pairs of triangles that cross
	LengthBefore, LengthAfter float64 // of the lines along which they do [m]
	Move                      float64 // the furthest that a vertex has moved [m]
	Iterations                int
}

// Contours moves the vertices of sheets that are not fixed so that lines along which triangles of sheets cross each
// other and those of bodies become shorter and vanish. Layers and bodies that are shapes play no part. It may end at
// lines that cannot become shorter little by little, such as of a sheet that cuts another from side to side.
func Contours(sheets []Surface, bodies []Body, opt ContourOptions) ContourStats {
	return NewTangle(sheets, bodies, opt.Team).Undo(opt)
}

// Tangle is what crosses in sheets and bodies.
type Tangle struct{ c *contours }

// NewTangle finds the contours of sheets and bodies, as Contours does. The sheets stay in use.
func NewTangle(sheets []Surface, bodies []Body, team *par.Team) *Tangle {
	alike := slices.Clone(sheets)
	for i := range alike {
		alike[i].Layer = 1
	}
	s := newScene(alike, bodies, team)
	team.Enter()
	defer team.Leave()
	c := newContours(s)
	c.trace()
	return &Tangle{c}
}

// Count returns how many pairs of triangles cross.
func (t *Tangle) Count() int { return t.c.count }

// Undo does what Contours says, with the team that the tangle was made with.
func (t *Tangle) Undo(opt ContourOptions) ContourStats {
	if err := opt.Validate(); err != nil {
		panic("untangle: " + err.Error())
	}
	c := t.c
	c.team.Enter()
	defer c.team.Leave()
	stats := c.undo(opt)
	for i := range c.sheets {
		to := c.sheets[i].X
		for v, x := range c.x[c.first[i]:][:len(to)] {
			stats.Move = max(stats.Move, x.Sub(to[v]).Norm())
			to[v] = x
		}
	}
	return stats
}

// Share is how much a vertex counts at a point.
type Share struct {
	Surface, Vertex int32 // sheets are numbered first, then bodies
	Weight          float64
}

// Tips returns the corners of the contours: of each, the point of the edge by the shares of its two ends and, with
// negative weights, that of the face it goes through.
func (t *Tangle) Tips() [][5]Share {
	c := t.c
	out := make([][5]Share, len(c.tips))
	for i, k := range c.tips {
		at, ends, v := c.along(k.edge, k.tri), c.edges[k.edge], c.tri[k.tri]
		w, _, _ := geom.PointTriangle(c.meeting(k.edge, k.tri), c.x[v[0]], c.x[v[1]], c.x[v[2]])
		out[i] = [5]Share{
			c.shareOf(ends[0], 1-at),
			c.shareOf(ends[1], at),
			c.shareOf(v[0], -w.X),
			c.shareOf(v[1], -w.Y),
			c.shareOf(v[2], -w.Z),
		}
	}
	return out
}

func (c *contours) shareOf(v int32, weight float64) Share {
	i, found := slices.BinarySearch(c.first, v)
	if !found {
		i--
	}
	for i+1 < len(c.first) && c.first[i+1] == v {
		i++ // surfaces without vertices
	}
	return Share{int32(i), v - c.first[i], weight}
}

// contours are the lines along which triangles cross.
type contours struct {
	*scene
	triEdge [][3]int32 // by triangle: the edge opposite to its corner 0, 1 and 2
	faces   [][2]int32 // by edge: its triangles, None where there is none
	tips    []piercing // the corners of contours
	length  float64
	count   int
	force   []r3.Vec
	from    []r3.Vec
	smooth  *smoother
}

// piercing is an edge that goes through a triangle.
type piercing struct{ edge, tri int32 }

func newContours(s *scene) *contours {
	c := &contours{
		scene: s, triEdge: make([][3]int32, len(s.tri)), faces: make([][2]int32, len(s.edges)),
		force: make([]r3.Vec, s.moving), smooth: newSmoother(s),
	}
	for e := range c.faces {
		c.faces[e] = [2]int32{None, None}
	}
	for t, v := range s.tri {
		for k := range 3 {
			a, b := v[(k+1)%3], v[(k+2)%3]
			e, _ := slices.BinarySearchFunc(s.edges, [2]int32{min(a, b), max(a, b)}, comparePairs)
			c.triEdge[t][k] = int32(e)
			if c.faces[e][0] == None {
				c.faces[e][0] = int32(t)
			} else {
				c.faces[e][1] = int32(t)
			}
		}
	}
	return c
}

// undo moves vertices until nothing crosses, or neither way makes contours shorter.
func (c *contours) undo(opt ContourOptions) ContourStats {
	stats := ContourStats{Before: c.count, LengthBefore: c.length}
	cut := &cutoff{contours: c}
	for c.count > 0 && stats.Iterations < opt.Iterations && !c.team.Stopped() {
		was := c.length
		cut.pushParts(opt, &stats)
		c.shrink(opt, &stats)
		if !(c.length < longEnough*was) {
			break
		}
	}
	stats.After, stats.LengthAfter = c.count, c.length
	return stats
}

const (
	// longEnough is the part of its length that a contour may keep in a round that was worth it.
	longEnough = 0.95
	// leastStep is the fraction of the longest step below which contours do not become shorter.
	leastStep = 1e-2
)

// shrink makes contours shorter for as long as they do.
func (c *contours) shrink(opt ContourOptions, stats *ContourStats) {
	for step := opt.Step; c.count > 0 && stats.Iterations < opt.Iterations; step = min(opt.Step, 1.5*step) {
		stats.Iterations++
		c.pull()
		d, largest := c.follow()
		if largest == 0 {
			return
		}
		was := c.length
		c.from = append(c.from[:0], c.x[:c.moving]...)
		for c.move(d, step/largest); !(c.length < was); c.move(d, step/largest) {
			if step /= 2; step < opt.Step*leastStep {
				c.move(d, 0)
				return
			}
		}
	}
}

// follow returns displacements along the forces, of any length, and the largest.
func (c *contours) follow() ([]r3.Vec, float64) {
	d, largest := c.smooth.follow(c.force), 0.0
	for _, u := range d {
		largest = max(largest, u.Norm())
	}
	return d, largest
}

// move moves vertices from where the step began and traces the contours there.
func (c *contours) move(d []r3.Vec, scale float64) {
	for v, u := range d {
		c.x[v] = c.from[v].AddScaled(scale, u)
	}
	c.trace()
}

// trace finds the corners of contours and their length.
func (c *contours) trace() {
	// pairs of triangles that cross
	c.cross()
	c.tips, c.length, c.count = c.tips[:0], 0, 0
	for k, ij := range c.pairs {
		if !c.crossing[k] {
			continue
		}
		c.count++
		// corners: where edges of one triangle pierce the other
		var ends [6]r3.Vec
		n := 0
		for side := range 2 {
			t, other := ij[side], ij[1-side]
			for _, e := range c.triEdge[t] {
				if c.pierces(e, other) {
					c.tips = append(c.tips, piercing{e, other})
					ends[n] = c.meeting(e, other)
					n++
				}
			}
		}
		// length of the segment in which the two cross
		longest := 0.0
		for i := range n {
			if shared, ok := c.shared(ij); ok {
				longest = max(longest, ends[i].Sub(c.x[shared]).Norm())
			}
			for j := range i {
				longest = max(longest, ends[i].Sub(ends[j]).Norm())
			}
		}
		c.length += longest
	}
	// each corner once
	slices.SortFunc(
		c.tips,
		func(p, q piercing) int { return cmp.Or(cmp.Compare(p.edge, q.edge), cmp.Compare(p.tri, q.tri)) },
	)
	c.tips = slices.Compact(c.tips)
}

// shared returns the vertex that two triangles share.
func (c *contours) shared(ij [2]int32) (int32, bool) {
	for _, v := range c.tri[ij[0]] {
		if slices.Contains(c.tri[ij[1]][:], v) {
			return v, true
		}
	}
	return None, false
}

// pierces reports whether an edge goes through a triangle that does not contain an end of it.
func (c *contours) pierces(e, t int32) bool {
	v, ends := &c.tri[t], c.edges[e]
	if slices.Contains(v[:], ends[0]) || slices.Contains(v[:], ends[1]) {
		return false
	}
	return geom.SegmentTriangle(c.x[ends[0]], c.x[ends[1]], c.x[v[0]], c.x[v[1]], c.x[v[2]])
}

// along returns where on an edge the plane of a triangle is, in [0, 1].
func (c *contours) along(e, t int32) float64 {
	p, q, r := c.corners(t)
	n := q.Sub(p).Cross(r.Sub(p))
	a, b := n.Dot(c.x[c.edges[e][0]].Sub(p)), n.Dot(c.x[c.edges[e][1]].Sub(p))
	return min(max(a/(a-b), 0), 1)
}

// meeting returns the point where an edge goes through a triangle.
func (c *contours) meeting(e, t int32) r3.Vec {
	return c.x[c.edges[e][0]].Lerp(c.x[c.edges[e][1]], c.along(e, t))
}

// grazing is the least sine of the angle between an edge and a face that is reckoned with.
const grazing = 0.05

// pull sets force to -∂L/∂x.
func (c *contours) pull() {
	clear(c.force)
	for _, k := range c.tips {
		ends := c.edges[k.edge]
		p, q, r := c.corners(k.tri)
		n := q.Sub(p).Cross(r.Sub(p)).Unit()
		e := c.x[ends[1]].Sub(c.x[ends[0]]).Unit()
		var s r3.Vec
		for _, f := range c.faces[k.edge] {
			if f != None {
				s = s.Add(c.inward(f, k.edge, n))
			}
		}
		slope := n.Dot(e)
		if math.Abs(slope) < grazing {
			slope = math.Copysign(grazing, slope)
		}
		across := n.Scale(s.Dot(e) / slope)
		c.share(k, s.Sub(across), across)
	}
}

// share pushes the edge and the face of a corner.
func (c *contours) share(k piercing, edge, face r3.Vec) {
	at := c.along(k.edge, k.tri)
	ends, v := c.edges[k.edge], c.tri[k.tri]
	c.push(ends[0], 1-at, edge)
	c.push(ends[1], at, edge)
	w, _, _ := geom.PointTriangle(c.x[ends[0]].Lerp(c.x[ends[1]], at), c.x[v[0]], c.x[v[1]], c.x[v[2]])
	c.push(v[0], w.X, face)
	c.push(v[1], w.Y, face)
	c.push(v[2], w.Z, face)
}

func (c *contours) push(v int32, weight float64, f r3.Vec) {
	if int(v) < c.moving && !c.fixed[v] {
		c.force[v] = c.force[v].AddScaled(weight, f)
	}
}

// inward returns the unit vector along the line in which triangle f meets a plane of normal n, from its edge into it.
func (c *contours) inward(f, edge int32, n r3.Vec) r3.Vec {
	a, b, d := c.corners(f)
	r := b.Sub(a).Cross(d.Sub(a)).Cross(n).Unit()
	opposite := c.x[c.tri[f][slices.Index(c.triEdge[f][:], edge)]]
	p, q := c.x[c.edges[edge][0]], c.x[c.edges[edge][1]]
	e := q.Sub(p).Unit()
	if w := opposite.Sub(p); r.Dot(w.AddScaled(-w.Dot(e), e)) < 0 {
		return r.Neg()
	}
	return r
}
