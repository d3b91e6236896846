package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// point tests one point against one shape.
func (r *rules) point(c *chunk, t *passage, point int32) {
	if r.unwanted(point, t.Block) {
		return
	}
	x := r.motion.X0[point]
	z, n, sag, hit := r.meetField(t, point)
	if !hit {
		return
	}
	found := candidate{
		id: contact.ID{
			A: r.feature(&r.moving, contact.Vertex, point),
			B: contact.Feature{Surface: t.Surface, Kind: contact.Whole, ID: 0},
		},
		a: point, b: t.Block, obstacle: t.skin, z: z, normal: n, radii: [2]float64{r.radius(point)},
	}
	surface := found.surface(x)
	found.velocity, found.point = t.velocityAt(surface, r.motion.H), surface.AddScaled(-z/2, n)
	found.rubAgainst(t.Skin, foot{})
	r.localizeNode(&found, point)
	found.extra += sag
	found.rigid = r.rigidContact(&found)
	r.predict(&found)
	c.found = append(c.found, found)
}

// meetField returns the gap and the normal, at the start of the step, of a vertex and a shape that are near or meet,
// and what the vertex keeps beyond its thickness.
func (r *rules) meetField(t *passage, point int32) (z float64, n r3.Vec, sag float64, hit bool) {
	x0, x1 := r.motion.X0[point], r.motion.X1[point].Sub(t.travel)
	thickness, radius := r.thicknessAt(point), r.radius(point)
	y0 := t.back.Apply(x0)
	d, g := t.Field.Distance(y0)
	if t.faces && radius == 0 && d < r.Reach*thickness+r.mostSagging+t.speed(x0, x1) {
		sag = r.sag(t, point, y0)
	}
	if d < r.Reach*thickness+sag+radius {
		n = t.from.R.Rotate(g)
		return d - radius, n, sag, d <= 0 || radius > 0 || !r.passes(t, point, n)
	}
	_, y, d, g, hit := t.sweep(x0, x1, radius, thickness+sag)
	return d + g.Dot(y0.Sub(y)), t.from.R.Rotate(g), sag, hit
}

// passes reports whether a corner of a rigid skin is near a rigid shape, with the normal n there, only beside it.
func (r *rules) passes(t *passage, point int32, n r3.Vec) bool {
	if t.Deforms || !r.skins[r.skinOf[point]].Rigid {
		return false
	}
	at := spot{of: &r.moving, named: point, vertex: point, edge: contact.None, face: contact.None}
	return at.beside(n)
}

// sag returns what a vertex keeps from a shape beyond its thickness [m]; y is where it is at the start, in the axes of
// the shape.
func (r *rules) sag(t *passage, point int32, y r3.Vec) float64 {
	radius, straight := shape.CurvatureAt(t.Field, y)
	if math.IsInf(radius, 1) {
		return 0
	}
	straight = t.from.R.Rotate(straight)
	wide := 0.0
	for _, face := range r.moving.fans.Of(point) {
		if w := r.moving.spread(face, straight); w <= largeFaces*radius {
			wide = max(wide, w)
		}
	}
	if wide == 0 {
		return 0
	}
	h := r.thicknessAt(point)
	s := wide * wide / (math.Hypot(radius, wide) + radius)
	if s <= sagging*h {
		return 0
	}
	return min(2*(s-sagging*h), math.Hypot(radius+faceKept*h, wide)-radius-h)
}
