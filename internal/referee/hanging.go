package referee

import "math"

// HangingRod is an inextensible rod of round section that is bent at rest, clamped at its top and loaded by its own
// weight, by the equations of Kirchhoff. All is over its length and its bending stiffness EI.
//
// With the angle θ of the tangent from downwards, a rod that stays in the plane of its natural curvature κ₀ has
//
//	θ″ = Γ (1 - s) sin θ,   θ(0) = clamp,   θ′(1) = κ₀.
//
// The force in it is n = Γ (1 - s) downwards, whatever its shape. Let its sections turn a little out of the plane, by a
// about the tangent t and by b about the normal ν in the plane, with moments Q and P about these. The balance
// M′ + t x n = 0 and the elastic law are then, with κ = θ′,
//
//	a′ = κ b + (Q - (κ - κ₀) b)/C,   b′ = P - κ₀ a,
//	P′ = -κ Q + b n·t,               Q′ = κ P - b n·ν,
//
// and P and Q vanish at the free end. Where a and b can vanish at the clamp besides, there are equilibria beside the
// plane: the determinant of a(0) and b(0) by a(1) and b(1) is zero. It is 1 in a rod without weight, which is stable.
type HangingRod struct {
	Curvature float64 // κ₀ times the length
	Weight    float64 // Γ = ρ g L³/EI, the cube of the length over the gravito-bending length
	Twist     float64 // C = GJ/EI
	Clamp     float64 // angle of the tangent at the clamp from downwards [rad]
}

// PlanarShape is a shape of a hanging rod in its plane.
type PlanarShape struct {
	Angle       float64 // of the tangent at the free end from downwards [rad]
	Right, Down float64 // of the free end, from the clamp, over the length
	Determinant float64 // positive until the shape is left for one beside the plane
}

// hangingSteps is how many steps of the method of Runge and Kutta a rod is divided into.
const hangingSteps = 200

// hangingState is, at one place: θ, κ and their derivatives by θ(1); two solutions a, b, P, Q; and the way to the free
// end.
type hangingState [14]float64

func (r *HangingRod) slope(s float64, y *hangingState) (d hangingState) {
	sin, cos := math.Sincos(y[0])
	weight, kappa := r.Weight*(1-s), y[1]
	d[0], d[1] = kappa, weight*sin
	d[2], d[3] = y[3], weight*cos*y[2]
	for k := 4; k < 12; k += 4 {
		a, b, p, q := y[k], y[k+1], y[k+2], y[k+3]
		d[k] = kappa*b + (q-(kappa-r.Curvature)*b)/r.Twist
		d[k+1] = p - r.Curvature*a
		d[k+2] = -kappa*q + b*weight*cos
		d[k+3] = kappa*p + b*weight*sin
	}
	d[12], d[13] = -sin, -cos
	return d
}

// fromTip integrates from the free end, which has the given angle, to the clamp.
func (r *HangingRod) fromTip(angle float64) hangingState {
	const h = -1.0 / hangingSteps
	y := hangingState{0: angle, 1: r.Curvature, 2: 1, 4: 1, 9: 1}
	along := func(by float64, d *hangingState) *hangingState {
		out := y
		for i := range out {
			out[i] += by * d[i]
		}
		return &out
	}
	for i := range hangingSteps {
		s := 1 + h*float64(i)
		k1 := r.slope(s, &y)
		k2 := r.slope(s+h/2, along(h/2, &k1))
		k3 := r.slope(s+h/2, along(h/2, &k2))
		k4 := r.slope(s+h, along(h, &k3))
		for j := range y {
			y[j] += h / 6 * (k1[j] + 2*k2[j] + 2*k3[j] + k4[j])
		}
	}
	return y
}

// Planar returns the shape in the plane whose angle at the free end is near a guess, by Newton's method, and whether
// there is one.
func (r *HangingRod) Planar(guess float64) (shape PlanarShape, ok bool) {
	const rounds, near, tolerance = 20, 0.5, 1e-10
	angle := guess
	for range rounds {
		y := r.fromTip(angle)
		off := (y[0] - r.Clamp) / y[2]
		if math.Abs(off) < tolerance {
			return PlanarShape{Angle: angle, Right: y[12], Down: y[13], Determinant: y[4]*y[9] - y[5]*y[8]}, true
		}
		angle -= off
		if !(math.Abs(angle-guess) < near) {
			break
		}
	}
	return PlanarShape{}, false
}

// Follow returns the share of the way from one rod to another at which it leaves its plane, all numbers changing
// evenly, and its shape there. The first must be straight or without weight; its shape is followed from there on. It
// returns 1 if the plane is not left, and less than 0 if the shape could not be followed.
func Follow(from, to HangingRod) (share float64, shape PlanarShape) {
	// rod at a share of the way
	const most, least = 0.01, 1e-9
	at := func(share float64) *HangingRod {
		return &HangingRod{
			Curvature: from.Curvature + share*(to.Curvature-from.Curvature),
			Weight:    from.Weight + share*(to.Weight-from.Weight),
			Twist:     from.Twist + share*(to.Twist-from.Twist),
			Clamp:     from.Clamp + share*(to.Clamp-from.Clamp),
		}
	}
	// from the first shape on, by short steps
	shape = PlanarShape{Angle: from.Clamp + from.Curvature, Determinant: 1}
	step, trend := least, 0.0
	for share < 1 {
		step = min(step, 1-share)
		next, ok := at(share + step).Planar(shape.Angle + step*trend)
		// the step is halved where it cannot be followed, or leaves the plane
		switch {
		case !ok && step <= least:
			return -1, shape
		case !ok, next.Determinant <= 0 && step > least:
			step /= 2
		case next.Determinant <= 0:
			return share, shape
		// next shape, and a longer step
		default:
			trend = (next.Angle - shape.Angle) / step
			share += step
			shape = next
			step = min(2*step, most)
		}
	}
	return share, shape
}
