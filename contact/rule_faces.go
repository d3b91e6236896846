package contact

import "github.com/toile-sim/toile/geom"

// face tests one face against one shape. A face that is near at the start and stays so has its contact where it is
// lowest at the end: its lowest point wanders, and over a step that may be far enough to come through beside the place
// where it was.
func (r *rules) face(c *chunk, t *passage, index int32) {
	d := r.faceOf(t, index)
	near := r.Reach*faceKept*d.thick + d.speed
	if d.look(0, near); d.low.D >= near {
		return
	}
	d.kept = rescued * d.thick
	radius, straight := geom.CurvatureAt(t.Field, d.y)
	if r.moving.spread(index, t.from.R.Rotate(straight)) > largeFaces*radius {
		d.kept = faceKept * d.thick
	}
	if d.low.D >= r.Reach*d.kept {
		if _, hit := d.sweep(d.kept); hit {
			r.emitFace(c, &d)
		}
		return
	}
	start := d
	if d.look(1, r.Reach*d.kept); d.low.D >= r.Reach*d.kept {
		d = start
	}
	r.emitFace(c, &d)
}

// emitFace writes the lowest point as a candidate.
func (r *rules) emitFace(c *chunk, d *face) {
	t, w := d.t, d.low.W
	if !(d.depth() > faceDip*d.thick) {
		return
	}
	x, v := r.motion.X0, r.moving.prim[d.index]
	start := blend(w, x[v[0]], x[v[1]], x[v[2]])
	x = r.motion.X1
	end := blend(w, x[v[0]], x[v[1]], x[v[2]])
	n := t.from.R.Rotate(d.low.N)
	z := d.low.D + d.low.N.Dot(t.back.Apply(start).Sub(d.y))
	velocity := t.velocityAt(start, r.motion.H)
	found := candidate{
		id: ID{
			r.primitive(d.index),
			Feature{t.Surface, Whole, 0},
		},
		a:        r.moving.heaviest(d.index, w),
		b:        t.Block,
		obstacle: t.skin,
		z:        z,
		end:      z + n.Dot(end.Sub(start).Sub(t.travel).AddScaled(-r.motion.H, velocity)),
		normal:   n,
		velocity: velocity,
		point:    start.AddScaled(-z/2, n),
	}
	shares := r.moving.places(d.index, w)
	found.weighAgainst(shares)
	found.rubAgainst(t.Skin, foot{})
	r.localize(&found, shares[:], nil)
	found.extra = d.kept - r.Thickness
	r.add(c, &found)
}
