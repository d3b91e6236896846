package geom

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Times of impact of a point with a triangle, and of two edges, whose corners move along straight lines.
//
// Let x_k(t) = (1-t) e_k + t f_k, t in [0, 1], be the differences between the corners of the one and of the
// other: p - a, p - b, p - c, or a - c, a - d, b - c, b - d. The distance of the two is that of the origin to
// the hull of the x_k. An impact with separation s is a t at which it is at most s.
//
// This is conservative advancement [Mirtich96], made rigorous and faster by using planes instead of speeds.
// For any vector n whatever, and any t,
//
//	distance(t) |n| >= min over k of n . x_k(t),                                                         (1)
//
// and each n . x_k(t) is linear in t. So a fixed n proves a whole interval of time free of impact: the one on
// which all these lines are above s |n|. If n goes linearly from n0 at t0 to n1 at t1, n . x_k is quadratic,
// and lies above s max(|n0|, |n1|) when its three Bernstein coefficients do [Farouki12]:
//
//	n0 . x_k(t0),   (n0 . x_k(t1) + n1 . x_k(t0))/2,   n1 . x_k(t1).                                     (2)
//
// From t, take n towards the closest point of the hull and jump to the end of the interval of (1), or farther,
// with n1 the direction at the later time, if (2) allows; repeat, until the end is past 1 (no impact) or the
// distance is within the tolerance (impact reported). Jumps by (1) are never shorter than (distance - s)/
// (greatest relative speed), the jump of [Li21]; but where features turn as they meet they shrink with the
// distance, and it is (2) that gets nine tenths of the way and, as it holds, more each time.
//
// Departures from the sources: no bound on speeds, no tolerance in the proof, normals instead of differences of
// nearly equal points as directions.
//
// Rounding. Only the lower bounds (1) and (2) have to be right; n and the choice of it may be as wrong as they
// like. With u = 2⁻⁵³, m the sum over k of the magnitudes of the components of e_k and f_k,
// R = |n_x| m_x + |n_y| m_y + |n_z| m_z, and |n| at most 1 + 5u:
//
//   - e_k is a difference of two given numbers, rounded once: each component is within u of itself.
//   - n . e_k adds at most three roundings to each term: the computed value is within 4.01uR of n . (exact e_k).
//   - Subtracting the threshold T rounds once more: by at most 1.01u(R + T).
//   - So a = fl(n . e_k - T) is at most n . (exact e_k) - s |n| if T >= s + 5uR + 10us; the code uses
//     T = s + 16u(R + s) + 2⁻¹⁰⁰⁰, where the last term covers products that underflow, and the excess over
//     what is needed covers the rounding of T and of R themselves. The same for b and f_k.
//   - n . x_k(t) - s |n| >= (1-t) a + t b in exact arithmetic, as t and 1-t are not negative.
//   - The coefficients (2) are means of such products with weights in [0, 1] and add four roundings: they are
//     within 10uR of the exact ones, with R the sum of those of n0 and n1, and compared with the same T.
//   - The zero a/(a-b) of that is computed within 3u of itself, and is moved by 8u to the safe side.
//
// Fused products only leave roundings out. Numbers that overflow, and NaN, make every comparison fail, and the
// pair is reported as hit: never missed. Nothing depends on how far the pair is from the origin of coordinates.
//
// Invariants: the distance exceeds s on all of [0, t) when t is returned with an impact, and on [0, 1] without.
// Reports that are early are so by little: see ImpactTolerance.

// ImpactTolerance bounds early reports: at the time reported, the distance exceeds the separation by at most
// this fraction of the greatest distance between corners of the two features (at the start or the end). That is
// 0.6 nanometres for features of a centimetre. It is eight times the square root of u, the distance, as a
// fraction, at which two features too far out of parallel for their plane to be known may stop being told
// apart. The bound is tested, not proved, and for sizes from 1e-40 to 1e40 m; that nothing is missed is proved
// for all.
const ImpactTolerance = 0x1p-24

const (
	// impactSteps bounds the work. The planes pass every pair met in the tests in less than a quarter of it.
	impactSteps = 512
	// turnTries is how often a turning plane is aimed at half the time before, when it does not hold.
	turnTries = 4
	// firstRest and leastRest bound the part of the distance that an aimed jump leaves: each that holds at
	// once squares it, which makes the approach faster than linear.
	firstRest, leastRest = 0.1, 1e-4
	// idleStep is the length of a jump, within the tolerance, below which going on is not worth it.
	idleStep = 0x1p-10
)

// PointTriangleImpact returns a time t in [0, 1], with hit, not later than the first at which the distance of
// the point p and the triangle abc is at most separation [m], while each corner moves from its position 0 to
// its position 1 along a straight line; or 1 and no hit, when the distance exceeds separation all the time.
// It panics when separation is negative.
func PointTriangleImpact(p0, p1, a0, a1, b0, b1, c0, c1 r3.Vec, separation float64) (t float64, hit bool) {
	var h sweep
	h.count = 3
	h.e[0], h.f[0] = p0.Sub(a0), p1.Sub(a1)
	h.e[1], h.f[1] = p0.Sub(b0), p1.Sub(b1)
	h.e[2], h.f[2] = p0.Sub(c0), p1.Sub(c1)
	h.e[3], h.f[3] = h.e[2], h.f[2]
	t, hit, _ = h.impact(separation)
	return t, hit
}

// EdgeEdgeImpact is PointTriangleImpact for the edges ab and cd.
func EdgeEdgeImpact(a0, a1, b0, b1, c0, c1, d0, d1 r3.Vec, separation float64) (t float64, hit bool) {
	var h sweep
	h.count = 4
	h.e[0], h.f[0] = a0.Sub(c0), a1.Sub(c1)
	h.e[1], h.f[1] = a0.Sub(d0), a1.Sub(d1)
	h.e[2], h.f[2] = b0.Sub(c0), b1.Sub(c1)
	h.e[3], h.f[3] = b0.Sub(d0), b1.Sub(d1)
	t, hit, _ = h.impact(separation)
	return t, hit
}

// sweep is the hull of differences at the start, e, and at the end, f. With a count of 3 it is a triangle,
// and the fourth repeats the third; with 4 it is a parallelogram e0 e1 e3 e2.
type sweep struct {
	e, f  [4]r3.Vec
	reach r3.Vec // sums of the magnitudes of the components of e and f
	count int
}

// impact also returns the number of planes it took.
func (h *sweep) impact(separation float64) (t float64, hit bool, steps int) {
	if !(separation >= 0) {
		panic("geom: the separation of an impact must not be negative")
	}
	for k := range 4 {
		e, f := &h.e[k], &h.f[k]
		h.reach.X += math.Abs(e.X) + math.Abs(f.X)
		h.reach.Y += math.Abs(e.Y) + math.Abs(f.Y)
		h.reach.Z += math.Abs(e.Z) + math.Abs(f.Z)
	}
	now := h.look(0)
	if end, clear := h.clearUntil(now.n, separation, 0); clear && end > 1 {
		return 1, false, 1
	}
	return h.advance(&now, separation)
}

// advance jumps from plane to plane.
func (h *sweep) advance(now *view, separation float64) (t float64, hit bool, steps int) {
	// how near counts as a hit
	near := separation + ImpactTolerance/2*h.greatest()
	stride, rest := 1.0, firstRest
	for step := 1; step <= impactSteps; step++ {
		// how long the plane of now proves the motion clear
		end, clear := h.clearUntil(now.n, separation, t)
		if !clear {
			now.n, end, clear = h.search(now, separation, t)
		}
		// clear to the end, or near
		if clear && end > 1 {
			return 1, false, step
		}
		if now.distance <= near && !(clear && end-t >= idleStep) {
			return t, true, step
		}
		// a plane that turns along may prove more
		later, next, tries := h.turn(now, separation, t, end, stride, rest)
		// how far to aim next
		stride = 4 * (max(later, end) - t)
		if tries == 1 {
			rest = max(rest*rest, leastRest)
		} else {
			rest = firstRest
		}
		// on to the later of the two, or a hit where neither goes on
		switch {
		case later > end:
			t, *now = later, next
		case clear && end > t:
			t, *now = end, h.look(end)
		default:
			return t, true, step
		}
		if t == 1 {
			return 1, false, step
		}
	}
	return t, true, impactSteps
}

// greatest returns the largest component of all differences.
func (h *sweep) greatest() float64 {
	var most float64
	for k := range 4 {
		most = max(most, h.e[k].MaxAbs(), h.f[k].MaxAbs())
	}
	return most
}

// turn looks for a time after end up to which a plane that turns from now.n to the normal of that time proves
// the motion free of impact, and returns it with what is seen then, and the tries it took; or end when it finds
// none. It aims at where the distance, at its present rate, would be the given part above the separation of what
// it is now, but not farther than a stride.
func (h *sweep) turn(now *view, separation, t, end, stride, rest float64) (later float64, next view, tries int) {
	aim := min(1-t, stride)
	way := (1 - rest) * (now.distance - separation)
	if closing := -now.n.Dot(h.velocity(now)); closing*aim > way {
		aim = way / closing
	}
	for tries = 1; tries <= turnTries; tries++ {
		later = min(1, t+aim)
		if !(later > end) {
			break
		}
		next = h.look(later)
		if h.clearTurning(now.n, next.n, separation, t, later) {
			return later, next, tries
		}
		aim /= 2
	}
	return end, next, turnTries
}

// velocity is that of the point of the hull which is closest now.
func (h *sweep) velocity(now *view) r3.Vec {
	v0, v1, v2 := h.f[0].Sub(h.e[0]), h.f[1].Sub(h.e[1]), h.f[2].Sub(h.e[2])
	return v0.AddScaled(now.alpha, v1.Sub(v0)).AddScaled(now.beta, v2.Sub(v0))
}

// clearTurning reports whether planes whose normal turns from n0 at t0 to n1 at t1, linearly in time, keep all
// corners of the hull farther than separation from the origin from t0 to t1: equation (2).
func (h *sweep) clearTurning(n0, n1 r3.Vec, separation, t0, t1 float64) bool {
	r := (math.Abs(n0.X)+math.Abs(n1.X))*h.reach.X + (math.Abs(n0.Y)+math.Abs(n1.Y))*h.reach.Y +
		(math.Abs(n0.Z)+math.Abs(n1.Z))*h.reach.Z
	threshold := separation + 16*roundoff*(r+separation) + underflow
	s0, s1 := 1-t0, 1-t1
	for k := range 4 {
		e, f := h.e[k], h.f[k]
		a0, b0, a1, b1 := n0.Dot(e), n0.Dot(f), n1.Dot(e), n1.Dot(f)
		start := s0*a0 + t0*b0
		control := 0.5 * ((s1*a0 + t1*b0) + (s0*a1 + t0*b1))
		finish := s1*a1 + t1*b1
		if !(start > threshold && control > threshold && finish > threshold) {
			return false
		}
	}
	return true
}

// clearUntil returns the end of the interval of time around t on which the planes with the unit normal n keep
// all corners of the hull farther than separation from the origin, 2 if it contains all of [t, 1]; it is not
// clear when t itself is not inside.
func (h *sweep) clearUntil(n r3.Vec, separation, t float64) (end float64, clear bool) {
	r := math.Abs(n.X)*h.reach.X + math.Abs(n.Y)*h.reach.Y + math.Abs(n.Z)*h.reach.Z
	threshold := separation + 16*roundoff*(r+separation) + underflow
	end = 2
	for k := range 4 {
		a := n.Dot(h.e[k]) - threshold
		b := n.Dot(h.f[k]) - threshold
		if a > 0 {
			if b > 0 {
				continue
			}
			end = min(end, a/(a-b)*(1-8*roundoff))
		} else if !(b > 0) || !(a/(a-b)*(1+8*roundoff) < t) {
			return 0, false
		}
	}
	return end, end > underflow
}

// view is the closest point of the hull to the origin at some time, as well as plain arithmetic can tell: its
// distance, its place x0 + alpha (x1-x0) + beta (x2-x0), and a unit vector n towards it. Where that point lies on
// a face, the crossing of two edges, or an edge, n is made normal to it: the difference of two nearly touching
// points has lost its direction, but a normal has not.
type view struct {
	n                     r3.Vec
	distance, alpha, beta float64
}

// corners returns the hull at time t.
func (h *sweep) corners(t float64) (x [4]r3.Vec) {
	for k := range x {
		e, f := h.e[k], h.f[k]
		x[k] = e.Scale(1-t).AddScaled(t, f)
	}
	return x
}

// search tries the directions of all faces, edges and corners, and of the closest point itself, where the one
// that should be best does not separate: on the verge between two of them rounding may have picked the wrong
// one. It returns the one that is clear for longest, or t as the end when none is.
func (h *sweep) search(now *view, separation, t float64) (n r3.Vec, end float64, clear bool) {
	x := h.corners(t)
	n, end = now.n, t
	try := func(candidate r3.Vec) {
		candidate = unit(candidate)
		if until, good := h.clearUntil(candidate, separation, t); good && until > end {
			n, end, clear = candidate, until, true
		}
	}
	face := x[1].Sub(x[0]).Cross(x[2].Sub(x[0]))
	try(face)
	try(face.Neg())
	try(x[0].AddScaled(now.alpha, x[1].Sub(x[0])).AddScaled(now.beta, x[2].Sub(x[0])))
	for k, next := range [4]int{1, 3, 0, 2} { // around the parallelogram: 0 1 3 2; the triangle: 0 1 2 = 3
		try(x[k])
		try(normalTo(x[next].Sub(x[k]), x[k], x[k]))
	}
	return n, end, clear
}

func (h *sweep) look(t float64) view {
	x0, x1, x2 := h.e[0], h.e[1], h.e[2]
	if t != 0 {
		x0 = x0.Scale(1-t).AddScaled(t, h.f[0])
		x1 = x1.Scale(1-t).AddScaled(t, h.f[1])
		x2 = x2.Scale(1-t).AddScaled(t, h.f[2])
	}
	if h.count == 3 {
		return lookAtTriangle(x0, x1, x2)
	}
	return lookAtParallelogram(x0, x1, x2)
}

func lookAtTriangle(a, b, c r3.Vec) view {
	weights, on, dist2 := PointTriangle(r3.Vec{}, a, b, c)
	w := a.Scale(weights.X).AddScaled(weights.Y, b).AddScaled(weights.Z, c)
	v := view{distance: math.Sqrt(dist2), alpha: weights.Y, beta: weights.Z}
	switch on {
	case Inside:
		w = awayFromOrigin(b.Sub(a).Cross(c.Sub(a)), a)
	case EdgeAB:
		w = normalTo(b.Sub(a), a, w)
	case EdgeBC:
		w = normalTo(c.Sub(b), b, w)
	case EdgeCA:
		w = normalTo(a.Sub(c), c, w)
	case CornerA:
		w = a
	case CornerB:
		w = b
	case CornerC:
		w = c
	}
	v.n = unit(w)
	return v
}

func lookAtParallelogram(x0, x1, x2 r3.Vec) view {
	du, dv := x2.Sub(x0), x0.Sub(x1)
	s, t, dist2 := EdgeEdge(x0, x2, r3.Vec{}, dv)
	w := x0.AddScaled(s, du).AddScaled(-t, dv)
	v := view{distance: math.Sqrt(dist2), alpha: t, beta: s}
	atS, atT := s == 0 || s == 1, t == 0 || t == 1
	switch {
	case atS && atT:
	case atS:
		w = normalTo(dv, x0.AddScaled(s, du), w)
	case atT:
		w = normalTo(du, x0.AddScaled(-t, dv), w)
	default:
		w = awayFromOrigin(du.Cross(dv), x0)
	}
	v.n = unit(w)
	return v
}

// unit returns n over its length, which is then 1 within 5u, or zero, which separates nothing, when the square
// of the length is too near the ends of the range of a double for that.
func unit(n r3.Vec) r3.Vec {
	n2 := n.Norm2()
	if !(n2 > underflow && n2 < 1/underflow) {
		return r3.Vec{}
	}
	return n.Scale(1 / math.Sqrt(n2))
}

// awayFromOrigin returns the normal n of a plane through point, or its negative, so that it points there.
func awayFromOrigin(n, point r3.Vec) r3.Vec {
	if n.Dot(point) < 0 {
		return n.Neg()
	}
	return n
}

// normalTo returns a vector along edge x (point x edge), from the origin at right angles to the line through
// point along edge; or w when rounding has left nothing of it.
func normalTo(edge, point, w r3.Vec) r3.Vec {
	n := edge.Cross(point.Cross(edge))
	if n == (r3.Vec{}) {
		return w
	}
	return n
}
