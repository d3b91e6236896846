// Projections of impulses on what one half of Coulomb's law allows [Larionov21] eq. (24), (25), (28): the minimum of
//
//	½ rᵀ W r + qᵀ r,   r_c in a half-line, a disk or a space,
//
// over some components of r, the others held. Half-lines are those of normal impulses, r_N ≥ 0; disks those of
// friction, ‖r_T‖ ≤ μ r_N for given r_N; ties have all the components of their rows. The gradient is u = W r + q, the
// relative velocity.
//
// Exact. Sweeps minimize over one contact after another: a division for half-lines, a solve for ties, and for disks
// the closed problem of two unknowns (diskMinimum). Each lowers the objective, so that they converge whatever W is;
// they are slow where it couples much. In between, Newton steps on the face that r is in: contacts that push, points
// inside of their disks, and on circles the arc, along which the objective bends by λ = -u_T·n/ρ besides, n the
// direction and ρ the radius:
//
//	(P (W + ε D) P + λ t tᵀ) δ = -P u,   r ← Π(r + δ),
//
// solved by conjugate gradients and halved until the objective falls. Π is the nearest point of the set, which takes
// what has moved along a tangent back to its circle. D are the blocks W_cc, and ε grows where steps had to be short and
// falls where they had not: contacts that are redundant make W singular, and the minimum on a face may be nowhere.
//
// Polar, eq. (28). The unknowns of a disk are an angle and a radius, with bounds for the radius alone. Newton steps
// with active bounds: radii that are at μ r_N and would grow are held. In the plane of (radius, arc) the Hessian is W
// in the directions (n, t), and for a radius that is held λ along the arc; curvature of free radii, which goes to zero
// at every minimum, is left out, so that the Hessian is positive. The angle is free to choose at radius zero, where it
// is taken along -u_T: no point that is not a minimum looks like one then. There are no sweeps. Every minimum in these
// unknowns is the minimum over the disks.
//
// Both end when no contact is further from its minimum than the tolerance: ‖r - Π(r - u/w)‖ w [m/s], w the mean of
// W_cc.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// allowed is what an impulse may be in a projection.
type allowed uint8

const (
	held    allowed = iota // as it is
	pushing                // r_N ≥ 0; r_T is held
	rubbing                // ‖r_T‖ ≤ radius; r_N is held
	tying                  // free in the components that the row has
)

// projection is the workspace of projections. Its problem is w, q, kind, radius and has; r is the start and the answer,
// u the velocities there.
type projection struct {
	team *par.Team
	w    *gram
	q    []r3.Vec

	kind   []allowed
	radius []float64 // by contact that rubs [N s]
	has    [][3]bool // by contact that ties
	polar  bool      // disks in polar form
	most   int       // Newton steps at most

	r, u []r3.Vec

	// The face: P_c, and the curvature λ t tᵀ in it.
	face, bend []r3.Mat
	firm       float64  // of how much W_cc is added, so that steps end
	inverse    []r3.Mat // of P W_cc P + λ t tᵀ within P

	delta, residual, search, image, trial, speed []r3.Vec

	passes, linear int // of all projections since begin
}

const (
	// mostNewton bounds the Newton steps of a projection, mostInner the iterations of conjugate gradients in each.
	mostNewton, mostInner = 100, 200
	// projectionForcing is the share of the gradient that conjugate gradients leave.
	projectionForcing = 1e-3
	// leastFirm is the share of W_cc that is added at least.
	leastFirm = 1e-8
	// shortest is the shortest step of a line search.
	shortest = 0x1p-12
)

// begin makes room for the contacts of W.
func (p *projection) begin(team *par.Team, w *gram) {
	p.team, p.w = team, w
	n := w.n
	p.q, p.r, p.u = resized(p.q, n), resized(p.r, n), resized(p.u, n)
	p.kind, p.radius, p.has = resized(p.kind, n), resized(p.radius, n), resized(p.has, n)
	p.face, p.bend, p.inverse = resized(p.face, n), resized(p.bend, n), resized(p.inverse, n)
	for _, x := range []*[]r3.Vec{&p.delta, &p.residual, &p.search, &p.image, &p.trial, &p.speed} {
		*x = resized(*x, n)
	}
	p.passes, p.linear, p.most = 0, 0, mostNewton
}

// solve finds the minimum to the tolerance [m/s] and tells whether it got there.
func (p *projection) solve(tolerance float64) bool {
	for c := range p.r {
		p.r[c] = p.nearest(c, p.r[c])
	}
	p.update()
	p.firm = leastFirm
	for k := 0; ; k++ {
		p.passes++
		if !p.polar {
			p.sweep()
			p.update()
		}
		if worst := p.worst(); worst <= tolerance || math.IsNaN(worst) {
			return worst <= tolerance
		}
		if k == p.most || p.team.Stopped() {
			return false
		}
		p.newton()
	}
}

// update brings u to W r + q.
func (p *projection) update() {
	p.w.mul(p.team, p.r, p.u)
	for c := range p.u {
		p.u[c] = p.u[c].Add(p.q[c])
	}
}

// worst returns how far the contact is from its minimum that is furthest [m/s].
func (p *projection) worst() float64 {
	worst := 0.0
	for c := range p.kind {
		worst = max(worst, p.far(c))
	}
	return worst
}

func (p *projection) far(c int) float64 {
	switch p.kind[c] {
	case pushing:
		w := p.w.own(c).XX
		return math.Abs(p.r[c].X-max(0, p.r[c].X-p.u[c].X/w)) * w
	case rubbing:
		w := p.meanTangential(c)
		to := p.nearest(c, p.r[c].AddScaled(-1/w, r3.Vec{Y: p.u[c].Y, Z: p.u[c].Z}))
		return to.Sub(p.r[c]).Norm() * w
	case tying:
		with, _ := split(p.u[c], p.has[c])
		return with.Norm()
	}
	return 0
}

func (p *projection) meanTangential(c int) float64 {
	own := p.w.own(c)
	return 0.5 * (own.YY + own.ZZ)
}

// nearest returns the nearest point of what contact c may have. What is held stays.
func (p *projection) nearest(c int, r r3.Vec) r3.Vec {
	switch p.kind[c] {
	case pushing:
		r.X = max(0, r.X)
	case rubbing:
		if size := math.Hypot(r.Y, r.Z); size > p.radius[c] {
			r.Y, r.Z = r.Y*(p.radius[c]/size), r.Z*(p.radius[c]/size)
		}
	}
	return r
}

// sweep minimizes over one contact after another.
func (p *projection) sweep() {
	for c, kind := range p.kind {
		if kind == held {
			continue
		}
		u := p.w.row(c, p.r).Add(p.q[c])
		own := p.w.own(c)
		switch kind {
		case pushing:
			p.r[c].X = max(0, p.r[c].X-u.X/own.XX)
		case rubbing:
			d := [3]float64{own.YY, 0.5 * (own.YZ + own.ZY), own.ZZ}
			y, z := p.r[c].Y, p.r[c].Z
			p.r[c].Y, p.r[c].Z = diskMinimum(d, u.Y-d[0]*y-d[1]*z, u.Z-d[1]*y-d[2]*z, p.radius[c])
		case tying:
			inverse := inverseWithinRow(own, p.has[c])
			p.r[c] = p.r[c].Sub(inverse.MulVec(u))
		}
	}
}

// newton takes one Newton step on the face of r.
func (p *projection) newton() {
	for c := range p.kind {
		p.findFace(c)
	}
	p.conjugate()
	copy(p.trial, p.r)
	copy(p.speed, p.u)
	t := p.lower()
	switch {
	case t == 1:
		p.firm = max(p.firm/10, leastFirm)
	case t >= 0.5:
		p.firm = max(p.firm/2, leastFirm)
	case t < 0.25:
		p.firm = min(10*p.firm, 1)
	}
	if t > 0 || !p.polar {
		return
	}
	for c := range p.delta { // an angle would turn too far: down the slope, where sweeps would go
		p.delta[c] = p.inverse[c].MulVec(p.face[c].MulVec(p.speed[c])).Neg()
	}
	p.lower()
}

// lower goes along delta from trial by the largest of 1, ½, ¼ ... that lowers the objective, and returns it; 0: none.
func (p *projection) lower() float64 {
	for t := 1.0; t >= shortest; t /= 2 {
		for c, kind := range p.kind {
			if kind != held {
				p.r[c] = p.moved(c, t)
			}
		}
		p.update()
		rise, rounding := 0.0, 0.0
		for c := range p.r {
			rise += p.r[c].Sub(p.trial[c]).Dot(p.u[c].Add(p.speed[c]))
			rounding += 0x1p-48 * p.r[c].Norm() * p.u[c].Norm() // of radii
		}
		if rise <= rounding {
			return t
		}
	}
	copy(p.r, p.trial)
	copy(p.u, p.speed)
	return 0
}

// findFace finds in which directions contact c may move, and how much the objective bends there besides.
func (p *projection) findFace(c int) {
	face, bend := &p.face[c], &p.bend[c]
	*face, *bend = r3.Mat{}, r3.Mat{}
	r, u := p.r[c], p.u[c]
	switch p.kind[c] {
	case pushing:
		if r.X > 0 || u.X < 0 {
			face.XX = 1
		}
	case rubbing:
		size, radius := math.Hypot(r.Y, r.Z), p.radius[c]
		switch {
		case radius == 0:
		case size >= radius*(1-0x1p-40) && u.Y*r.Y+u.Z*r.Z < 0:
			ty, tz := -r.Z/size, r.Y/size
			*face = r3.Mat{YY: ty * ty, YZ: ty * tz, ZY: ty * tz, ZZ: tz * tz}
			*bend = face.Scale(-(u.Y*r.Y + u.Z*r.Z) / (size * radius))
		case p.polar && size == 0:
			if speed := math.Hypot(u.Y, u.Z); speed > 0 {
				ny, nz := u.Y/speed, u.Z/speed
				*face = r3.Mat{YY: ny * ny, YZ: ny * nz, ZY: ny * nz, ZZ: nz * nz}
			}
		default:
			face.YY, face.ZZ = 1, 1
		}
	case tying:
		for k, d := range [3]*float64{&face.XX, &face.YY, &face.ZZ} {
			if p.has[c][k] {
				*d = 1
			}
		}
	}
	own := face.Mul(p.w.own(c))
	own = own.Mul(face)
	bend.AddScaled(p.firm, &own)
	p.inverse[c] = inverseOnFace(p.w.own(c), face, bend)
}

// moved returns where t of the step takes contact c from trial.
func (p *projection) moved(c int, t float64) r3.Vec {
	r, d := p.trial[c], p.delta[c].Scale(t)
	size := math.Hypot(r.Y, r.Z)
	if !p.polar || p.kind[c] != rubbing || size == 0 {
		return p.nearest(c, r.Add(d))
	}
	// The change of (radius, arc) is that along (n, t).
	ny, nz := r.Y/size, r.Z/size
	radius := min(max(0, size+d.Y*ny+d.Z*nz), p.radius[c])
	turn := (d.Z*ny - d.Y*nz) / size
	sin, cos := math.Sincos(min(max(-widest, turn), widest))
	return r3.V(r.X, radius*(ny*cos-nz*sin), radius*(ny*sin+nz*cos))
}

// widest is the most that an angle changes in a step.
const widest = 1.0

// conjugate solves (P W P + λ t tᵀ) δ = -P u.
func (p *projection) conjugate() {
	clear(p.delta)
	rho, start := 0.0, 0.0
	for c := range p.residual {
		p.residual[c] = p.face[c].MulVec(p.u[c]).Neg()
		p.search[c] = p.inverse[c].MulVec(p.residual[c])
		rho += p.residual[c].Dot(p.search[c])
	}
	start = rho
	for k := 0; k < mostInner && rho > projectionForcing*projectionForcing*start; k++ {
		p.linear++
		p.w.mul(p.team, p.search, p.image)
		curve := 0.0
		for c := range p.image {
			p.image[c] = p.face[c].MulVec(p.image[c]).Add(p.bend[c].MulVec(p.search[c]))
			curve += p.image[c].Dot(p.search[c])
		}
		if !(curve > 0) {
			return
		}
		step, next := rho/curve, 0.0
		for c := range p.delta {
			p.delta[c] = p.delta[c].AddScaled(step, p.search[c])
			p.residual[c] = p.residual[c].AddScaled(-step, p.image[c])
			p.image[c] = p.inverse[c].MulVec(p.residual[c])
			next += p.residual[c].Dot(p.image[c])
		}
		for c := range p.search {
			p.search[c] = p.image[c].AddScaled(next/rho, p.search[c])
		}
		if rho = next; p.team.Stopped() {
			return
		}
	}
}

// inverseOnFace returns the inverse of P W P + B within the range of P, zero outside.
func inverseOnFace(w, face, bend *r3.Mat) r3.Mat {
	rank := face.Trace()
	if rank == 0 {
		return r3.Mat{}
	}
	cut := face.Mul(w)
	cut = cut.Mul(face)
	cut.Add(bend)
	size := cut.Trace() / rank
	cut.AddDiagonal(size * (1 + slack))
	cut.AddScaled(-size, face)
	cut = safeInverse(&cut)
	cut = face.Mul(&cut)
	return cut.Mul(face)
}

// inverseWithinRow returns the inverse of W_cc over the components that a row has.
func inverseWithinRow(w *r3.Mat, has [3]bool) r3.Mat {
	var face, bend r3.Mat
	for k, d := range [3]*float64{&face.XX, &face.YY, &face.ZZ} {
		if has[k] {
			*d = 1
		}
	}
	return inverseOnFace(w, &face, &bend)
}

// diskMinimum returns the minimum of ½ yᵀ D y + h·y over ‖y‖ ≤ radius for a positive D = [d0 d1; d1 d2]. Where it is on
// the circle, y = -(D + λ)⁻¹ h with the λ > 0 for which it is there: the root of 1/radius - 1/‖y‖, which is convex and
// falls, so that Newton's method from λ = 0 comes to it from one side, mostly in three or four steps.
func diskMinimum(d [3]float64, h0, h1, radius float64) (y0, y1 float64) {
	if radius == 0 {
		return 0, 0
	}
	lambda := 0.0
	for range mostSecular {
		a, b, e := d[0]+lambda, d[1], d[2]+lambda
		det := a*e - b*b
		if !(det > 0) {
			lambda += 0x1p-40 * (d[0] + d[2]) // D is singular to rounding
			continue
		}
		y0, y1 = (b*h1-e*h0)/det, (b*h0-a*h1)/det
		size := math.Hypot(y0, y1)
		if size <= radius*(1+0x1p-48) {
			break
		}
		// ‖y‖' = -yᵀ (D + λ)⁻¹ y/‖y‖
		fall := (e*y0*y0 - 2*b*y0*y1 + a*y1*y1) / (det * size)
		lambda += (size/radius - 1) * size / fall
	}
	if size := math.Hypot(y0, y1); lambda > 0 && size > 0 {
		y0, y1 = y0*(radius/size), y1*(radius/size)
	}
	return y0, y1
}

// mostSecular bounds the steps of diskMinimum.
const mostSecular = 60
