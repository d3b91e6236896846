package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/shape"
)

// face tests one face against one shape. A face that is near at the start and stays so has its contact where it is
// lowest at the end: its lowest point wanders, and over a step that may be far enough to come through beside the place
// where it was. Capsules are held at the thickness, wherever they are lowest.
func (r *rules) face(c *chunk, t *passage, index int32) {
	d := r.faceOf(t, index)
	d.kept = faceKept * d.thick
	if d.radius > 0 {
		d.kept = d.thick
	}
	near := r.Reach*d.kept + d.radius + d.speed
	if d.look(0, near); d.low.D >= near {
		return
	}
	radius, straight := shape.CurvatureAt(t.Field, d.y)
	if d.radius == 0 && r.moving.spread(index, t.from.R.Rotate(straight)) <= largeFaces*radius {
		d.kept = rescued * d.thick
	}
	reach := r.Reach*d.kept + d.radius
	if d.low.D >= reach {
		if _, hit := d.sweep(d.kept + d.radius); hit {
			r.emitFace(c, &d)
		}
		return
	}
	start := d
	if d.look(1, reach); d.low.D >= reach {
		d = start
	}
	r.emitFace(c, &d)
}

// emitFace writes the lowest point as a candidate.
func (r *rules) emitFace(c *chunk, d *face) {
	// faces hardly lower than their corners are held by these
	if !(d.depth() > faceDip*d.thick) {
		return
	}
	// lowest point, and where it is at both ends of the step
	d.place()
	t, w := d.t, d.low.W
	x, v := r.motion.X0, r.moving.prim[d.index]
	start := blend(w, x[v[0]], x[v[1]], x[v[2]])
	x = r.motion.X1
	end := blend(w, x[v[0]], x[v[1]], x[v[2]])
	// normal, gap and velocity of the shape there
	n := t.from.R.Rotate(d.low.N)
	z := d.low.D - d.radius + d.low.N.Dot(t.back.Apply(start).Sub(d.y))
	surface := start.AddScaled(-d.radius, n)
	velocity := t.velocityAt(surface, r.motion.H)
	found := candidate{
		id: contact.ID{
			A: r.primitive(d.index),
			B: contact.Feature{Surface: t.Surface, Kind: contact.Whole, ID: 0},
		},
		a:        r.moving.heaviest(d.index, w),
		b:        t.Block,
		obstacle: t.skin,
		z:        z,
		end:      z + n.Dot(end.Sub(start).Sub(t.travel).AddScaled(-r.motion.H, velocity)),
		normal:   n,
		velocity: velocity,
		point:    surface.AddScaled(-z/2, n),
		radii:    [2]float64{d.radius},
	}
	// weights of the corners, friction and thickness
	shares := r.moving.places(d.index, w)
	found.weighAgainst(shares)
	found.rubAgainst(t.Skin, foot{})
	r.localize(&found, shares[:], nil)
	found.extra = d.kept - r.Thickness
	r.add(c, &found)
}
