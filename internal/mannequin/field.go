package mannequin

// The body as an implicit surface: tapered capsules, some flattened, joined by a smooth union.
//
// A part is the hull of two balls (a, r), (b, s). With l = |b - a|, sin α = (r - s)/l, the height h of x along the axis
// and its distance w from it, the distance is w cos α + h sin α - r where the foot h - w tan α lies between 0 and l,
// and that to one of the balls elsewhere. A flattened part is measured with one direction e at right angles to the axis
// stretched by 1/q, and the value divided by the length of its gradient, which is the distance to first order.
//
// The union is f = -k log Σ exp(-dᵢ/k), a smooth minimum: without creases, and thicker than the parts where several of
// them overlap. So radii are not what a tape would measure; calibrate scales them until it measures what it should.

import (
	"math"

	"github.com/toile-sim/toile/internal/portable"
	"github.com/toile-sim/toile/r3"
)

// part is a tapered capsule.
type part struct {
	bone       Joint
	a, b       r3.Vec
	r, s       float64 // radii at a and b
	flat       r3.Vec  // direction of unit length that is flattened, at right angles to the axis, if q is not 1
	q          float64
	axis       r3.Vec // of unit length
	l          float64
	sin, cos   float64
	middle     r3.Vec
	reach      float64 // radius of a ball around middle that holds the part
	scale      [2]int  // measures that scale r and s, indices into the tapes; -1: none
	r0, s0     float64 // before scaling
	withMirror bool    // its mirror image belongs to the body, too
}

func (p *part) prepare() {
	d := p.b.Sub(p.a)
	p.l = d.Norm()
	p.axis = d.Unit()
	p.sin = (p.r - p.s) / p.l
	p.sin = max(-0.999, min(0.999, p.sin))
	p.cos = math.Sqrt(1 - p.sin*p.sin)
	p.middle = p.a.Add(p.b).Scale(0.5)
	p.reach = p.l/2 + max(p.r, p.s)
}

// distance returns the distance from the part to first order, and its gradient.
func (p *part) distance(x r3.Vec) (float64, r3.Vec) {
	y := x.Sub(p.a)
	if p.q != 1 {
		y = y.AddScaled((1/p.q-1)*y.Dot(p.flat), p.flat)
	}
	h := y.Dot(p.axis)
	radial := y.AddScaled(-h, p.axis)
	w := radial.Norm()
	foot := h - w*p.sin/p.cos
	var d float64
	var n r3.Vec
	switch {
	case foot <= 0:
		l := y.Norm()
		d, n = l-p.r, y.Unit()
	case foot >= p.l:
		z := y.AddScaled(-p.l, p.axis)
		d, n = z.Norm()-p.s, z.Unit()
	default:
		d = w*p.cos + h*p.sin - p.r
		n = radial.Unit().Scale(p.cos).AddScaled(p.sin, p.axis)
	}
	if p.q != 1 {
		n = n.AddScaled((1/p.q-1)*n.Dot(p.flat), p.flat)
		if l := n.Norm(); l > 0.5 { // on the axis, deep inside, there is no direction
			d, n = d/l, n.Scale(1/l)
		}
	}
	return d, n
}

// The length k over which parts run into each other [m]: large in the trunk, where limbs begin without a crease, and
// small along the limbs, whose parts share joints and would be knobbly otherwise. In between it changes slowly, so that
// its gradient is left out of that of f.
const (
	trunkBlend = 0.024
	limbBlend  = 0.011
)

// field is the body in the dressing pose.
type field struct {
	parts      []part
	armX, legZ [2]float64 // where the blend changes: from the first (trunk) to the second (limb) [m]
	crotch     float64    // height of the crotch, around which the blend is small, too, so that the thighs stay apart [m]
	size       float64    // height of the body, the scale of the region around the crotch [m]
}

// blend returns k at x.
func (f *field) blend(x r3.Vec) float64 {
	limb := 1 - (1-ramp(math.Abs(x.X), f.armX[0], f.armX[1]))*ramp(x.Z, f.legZ[1], f.legZ[0])
	u, v := x.X/(0.045*f.size), (x.Z-f.crotch)/(0.06*f.size)
	limb = max(limb, portable.Exp(-u*u-v*v))
	return trunkBlend + limb*(limbBlend-trunkBlend)
}

// negligible is the distance beyond the nearest part from which a part does not count, relative to the blend: exp(-20)
// is 2e-9.
const negligible = 20

// value returns f and its gradient.
func (f *field) value(x r3.Vec) (float64, r3.Vec) {
	var d [32]float64
	var n [32]r3.Vec
	k := f.blend(x)
	nearest := math.Inf(1)
	for i := range f.parts {
		p := &f.parts[i]
		if x.Sub(p.middle).Norm()-p.reach > nearest+negligible*k {
			d[i] = math.Inf(1)
			continue
		}
		d[i], n[i] = p.distance(x)
		nearest = min(nearest, d[i])
	}
	sum := 0.0
	var g r3.Vec
	for i := range f.parts {
		u := (nearest - d[i]) / k
		if u < -negligible {
			continue
		}
		w := portable.Exp(u)
		sum += w
		g = g.AddScaled(w, n[i])
	}
	return nearest - k*math.Log(sum), g.Scale(1 / sum)
}

// radius returns the radius of the body around x, for flattened parts the smaller one, as a mean of the parts that are
// near.
func (f *field) radius(x r3.Vec) float64 {
	var d, r [32]float64
	k := f.blend(x)
	nearest := math.Inf(1)
	for i := range f.parts {
		p := &f.parts[i]
		if x.Sub(p.middle).Norm()-p.reach > nearest+negligible*k {
			d[i] = math.Inf(1)
			continue
		}
		d[i], _ = p.distance(x)
		nearest = min(nearest, d[i])
		u := max(0, min(1, x.Sub(p.a).Dot(p.axis)/p.l))
		r[i] = (p.r + u*(p.s-p.r)) * p.q
	}
	sum, mean := 0.0, 0.0
	for i := range f.parts {
		if u := (nearest - d[i]) / k; u > -negligible {
			w := portable.Exp(u)
			sum += w
			mean += w * r[i]
		}
	}
	return mean / sum
}

// project returns the point of the surface near x, and the normal there.
func (f *field) project(x r3.Vec) (r3.Vec, r3.Vec) {
	for range 4 {
		v, g := f.value(x)
		g2 := g.Norm2()
		if g2 < 0.01 {
			break // where parts meet from opposite sides; no vertex is near such a place
		}
		x = x.AddScaled(-v/g2, g)
		if math.Abs(v) < 1e-7 {
			return x, g.Unit()
		}
	}
	_, g := f.value(x)
	return x, g.Unit()
}

// tape is a circumference that is measured on the body.
type tape struct {
	name   string
	at     r3.Vec // a point inside
	normal r3.Vec // of the plane of the tape, of unit length
	want   float64
	aim    float64 // what the field must have for the mesh to have that
}

// rays is how many directions a tape is followed in.
const rays = 64

// around returns the outline of the section of the body with the plane of a tape, as far as it is seen from the middle.
func (f *field) around(t *tape) []r3.Vec {
	u := t.normal.Orthogonal()
	v := t.normal.Cross(u)
	out := make([]r3.Vec, 0, rays)
	for i := range rays {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / rays)
		dir := u.Scale(cos).AddScaled(sin, v)
		out = append(out, t.at.AddScaled(f.exit(t.at, dir, 0.6), dir))
	}
	return out
}

// exit returns how far the surface is from x, which is inside, along a direction of unit length, at most far.
func (f *field) exit(x, dir r3.Vec, far float64) float64 {
	in, out := 0.0, 0.0
	low, high := 0.0, 0.0 // values there
	for out < far {
		v, _ := f.value(x.AddScaled(out, dir))
		if v >= 0 {
			high = v
			break
		}
		// Values are about distances. The least step is below the thickness of anything outside the body.
		in, out, low = out, out+max(-v, 1e-3), v
	}
	if out >= far || high == 0 {
		return min(out, far)
	}
	for range 3 { // by false position
		mid := in + (out-in)*low/(low-high)
		if v, _ := f.value(x.AddScaled(mid, dir)); v < 0 {
			in, low = mid, v
		} else {
			out, high = mid, v
		}
	}
	return in + (out-in)*low/(low-high)
}

// taut returns the length of a tape around points of a plane: the circumference of their convex hull.
func taut(points []r3.Vec, normal r3.Vec) float64 {
	u := normal.Orthogonal()
	v := normal.Cross(u)
	flat := make([]r3.Vec2, len(points))
	for i, p := range points {
		flat[i] = r3.Vec2{X: p.Dot(u), Y: p.Dot(v)}
	}
	return hullLength(flat)
}

// chords makes up for the mesh, whose edges are chords of the surface: a polygon of edges e in a circle of
// circumference c is shorter by π²e²/6c² of it. Edges is the length of the mesh's edges where nothing is thin [m].
func (t *tape) chords(edge float64) {
	e := min(edge, thin*t.want/(2*math.Pi)) / t.want
	t.aim = t.want * (1 + math.Pi*math.Pi/6*e*e)
}

// thin is the length of edges relative to the radius of the body where it is thin.
const thin = 0.7

// calibrate scales the radii until all tapes measure what they should. Tapes influence each other little, so that
// scaling each by itself converges in a few rounds.
func (f *field) calibrate(tapes []tape) {
	factor := make([]float64, len(tapes))
	for i := range factor {
		factor[i] = 1
	}
	for range 14 {
		for i := range f.parts {
			p := &f.parts[i]
			p.r, p.s = p.r0, p.s0
			if k := p.scale[0]; k >= 0 {
				p.r *= factor[k]
			}
			if k := p.scale[1]; k >= 0 {
				p.s *= factor[k]
			}
			p.prepare()
		}
		worst := 0.0
		for k := range tapes {
			ratio := tapes[k].aim / taut(f.around(&tapes[k]), tapes[k].normal)
			worst = max(worst, math.Abs(ratio-1))
			// The blend adds to the radii, so that they must change by more than the ratio.
			factor[k] *= max(0.5, min(2, 1+1.15*(ratio-1)))
		}
		if worst < 5e-4 {
			return
		}
	}
}
