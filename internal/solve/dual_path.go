// A path to the solution of the dual problem, along laws that are smoothed less and less.
//
// With ũ = u + μ‖u_T‖ n [DeSaxce98] Coulomb's law is a complementarity of cones, r ∈ K, ũ ∈ K*, r · ũ = 0. In the
// coordinates x = (μ r_N, r_T) and y = ρ (ũ_N/μ, ũ_T) both cones are the cone of Lorentz, and the law is x = [x - y]₊,
// its projection. [Fukushima02] smooth that by ν > 0:
//
//	F(r) = x - P_ν(x - y) = 0,   P_ν(z) = Σ± p(z_N ± ‖z_T‖) ½(1, ±z_T/‖z_T‖),   p(λ) = ½ (λ + √(λ² + 4ν²)),
//
// and here ‖u_T‖ becomes √(‖u_T‖² + (εν/ρ)²) too, with ε = 1e-3: contacts that stick then open by μεν/ρ. Newton's
// method with a line search on ‖F‖ solves it for a large ν, where it is nearly linear, and then for smaller and smaller
// ones, from the last solution. For given ν the derivative
//
//	F' = (I - P') ∂x/∂r + P' ∂y/∂u W
//
// is regular even where W is singular, and impulses that no velocity feels stay in the middle of what the law allows:
// contacts that are redundant, or stiff enough to be nearly so, do not lead the iteration astray, as they do where each
// contact must be found to stick, slide or open.
//
// A tie has F = ρ u in the components that its row has, and r in the others, for any ν.
//
// Numbers: p(λ) - p(-λ) = λ and p'(λ) + p'(-λ) = 1, so that F = y - P_ν(y - x) and I - P' = P'(-z). The forms without
// cancellation are used.

package solve

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

const (
	// mostOnPath is the number of contacts up to which the path is tried: its steps cost the cube of it, 30 ms for so
	// many.
	mostOnPath   = 240
	pathSteps    = 80  // Newton steps, at most
	pathHalvings = 10  // of a step, at most
	pathCloser   = 0.5 // ‖F‖ of the worst contact over ν, below which ν falls
	easyFall     = 0.1 // what ν falls by after one step, and after more
	hardFall     = 0.3
	// slipShare is ε.
	slipShare = 1e-3
	// Where no step helps, sweeps and a larger ν do, so often at most.
	pathReturns = 5
	pathSweeps  = 20
	backTo      = 10
	// boundless is the impulse, in velocities that it would give its contact alone over the unit, from which on
	// contacts contradict each other. In houses of cards it is 11 at most; where walls close on a sheet, 1e8 and more
	// within a few steps.
	boundless = 1e5
	// pathSlack is added to what F' has in the directions in which W is singular. As ν goes to zero it keeps rounding
	// out of them.
	pathSlack = 1e-11
	// firstSmoothing is where ν begins, in how far the law is from holding over the unit. From ten times that it takes
	// 10 steps for a tunic, from ν = 1 it takes 24.
	firstSmoothing = 10
	// lostPath is how far from the law, in tolerances, a path that began near is followed again from ν = 1.
	lostPath = 100
	// unfelt is the largest share of ∂F/∂r that velocities of contacts may have that are left out of F': they are open,
	// and so nearly does their law say that they have no impulse. With (I - P') ∂x/∂r of μ and P' ∂y/∂u of P'/μ that
	// share is P'/μ².
	unfelt = 1e-4
)

// path is the workspace of follow.
type path struct {
	unit    float64     // velocity that ν is relative to [m/s]
	laws    []linearLaw // of F, by contact
	felt    []int32     // contacts that F' is of
	matrix  []float64
	rhs     []float64 // of these; then by how much their impulses change
	step    []r3.Vec  // by how much all of them change
	start   []r3.Vec  // impulses that it began with
	attempt []r3.Vec
}

// linearLaw is how F of a contact depends on its impulse and its velocity.
type linearLaw struct {
	f          r3.Vec
	own, feels r3.Mat // (I - P') ∂x/∂r and P' ∂y/∂u
}

// follow moves r along the path until the law holds to the tolerance, rounding ends it, or impulses grow without bound.
// It returns the steps that it took.
func (d *delassus) follow(tolerance float64) int {
	d.begin()
	d.unit = tolerance
	for c := range d.n {
		d.unit = max(d.unit, d.velocity(c, d.r).Norm(), d.q[c].Norm())
	}
	near := min(1, firstSmoothing*d.law()/d.unit)
	copy(d.start, d.r)
	steps := d.followFrom(near, tolerance)
	if near < 1 && d.law() > lostPath*tolerance && !d.contradicted() && !d.team.Stopped() {
		copy(d.r, d.start)
		steps += d.followFrom(1, tolerance)
	}
	return steps
}

// followFrom is follow from a given ν.
func (d *delassus) followFrom(nu, tolerance float64) int {
	since, returns := 0, 0
	for steps := range pathSteps {
		var far, worst float64
		for {
			if d.law() <= tolerance || !(nu*d.unit >= 1e-3*tolerance) || d.team.Stopped() { // also where something is not finite
				return steps
			}
			if far, worst = d.distance(d.r, nu); worst > pathCloser*nu {
				break
			}
			fall := hardFall
			if since <= 1 {
				fall = easyFall
			}
			nu, since = fall*nu, 0
		}
		since++
		if d.newtonStep(nu, far) {
			if d.contradicted() {
				return steps
			}
			continue
		}
		if returns++; returns > pathReturns {
			return steps
		}
		for range pathSweeps {
			d.sweep()
		}
		nu, since = min(1, backTo*nu), 0
	}
	return pathSteps
}

// begin makes room.
func (d *delassus) begin() {
	d.laws, d.start = resized(d.laws, d.n), resized(d.start, d.n)
	d.step, d.attempt = resized(d.step, d.n), resized(d.attempt, d.n)
}

// contradicted tells whether an impulse is so large that contacts must contradict each other.
func (d *delassus) contradicted() bool {
	for c := range d.r {
		if d.r[c].X*d.w[c*d.n+c].XX > boundless*d.unit {
			return true
		}
	}
	return false
}

// newtonStep moves r by a step that makes F smaller than it is, far, and tells whether there was one.
func (d *delassus) newtonStep(nu, far float64) bool {
	d.differentiate(nu)
	if !solveDense(d.matrix, d.rhs) {
		return false
	}
	for i, c := range d.felt {
		d.step[c] = r3.V(d.rhs[3*i], d.rhs[3*i+1], d.rhs[3*i+2])
	}
	t := 1.0
	for range pathHalvings {
		for c := range d.attempt {
			d.attempt[c] = d.r[c].AddScaled(t, d.step[c])
		}
		if now, _ := d.distance(d.attempt, nu); now < far {
			copy(d.r, d.attempt)
			return true
		}
		t /= 2
	}
	return false
}

// distance returns the squared norm of F, in velocities over the unit, and the norm at the contact where it is largest.
func (d *delassus) distance(r []r3.Vec, nu float64) (sum, worst float64) {
	for c := range r {
		if d.rho[c] == 0 {
			continue
		}
		l := d.smoothed(c, r[c], d.velocity(c, r), nu)
		f := l.f.Norm() / (d.rho[c] * d.unit)
		sum, worst = sum+f*f, max(worst, f)
	}
	return sum, worst
}

// smoothLaw is F of a contact, and how it depends on z: P' and I - P'.
type smoothLaw struct {
	f          r3.Vec
	keep, rest r3.Mat
	slip       float64 // smoothed ‖u_T‖ [m/s]
}

// smoothed returns the law of contact c at the impulse r and the velocity u.
func (d *delassus) smoothed(c int, r, u r3.Vec, nu float64) (l smoothLaw) {
	mu, rho := d.mu(c), d.rho[c]
	blur := slipShare * nu * d.unit
	nu *= rho * d.unit
	if d.local[c].tied {
		return tied(u, r, d.set.Has(c), rho)
	}
	if mu == 0 { // the normal impulse alone; there is no other
		p, slope := bend(r.X-rho*u.X, nu)
		_, rest := bend(rho*u.X-r.X, nu)
		l.f, l.keep, l.rest = r3.V(r.X-p, r.Y, r.Z), r3.Mat{XX: slope}, r3.Mat{XX: rest, YY: 1, ZZ: 1}
		return l
	}
	l.slip = math.Sqrt(u.Y*u.Y + u.Z*u.Z + blur*blur)
	x := r3.V(mu*r.X, r.Y, r.Z)
	y := r3.V((u.X+mu*l.slip)/mu, u.Y, u.Z).Scale(rho)
	z := x.Sub(y)
	onto, keep := lorentz(z, nu)
	away, rest := lorentz(z.Neg(), nu)
	l.keep, l.rest = keep, rest
	if l.f = x.Sub(onto); y.Norm2() < x.Norm2() {
		l.f = y.Sub(away)
	}
	return l
}

// tied returns the law of a tie: P' is one in the components that its row has, and zero in the others.
func tied(u, r r3.Vec, has [3]bool, rho float64) (l smoothLaw) {
	held, _ := split(u, has)
	_, loose := split(r, has)
	l.f = loose.AddScaled(rho, held)
	for k, p := range [3][2]*float64{{&l.keep.XX, &l.rest.XX}, {&l.keep.YY, &l.rest.YY}, {&l.keep.ZZ, &l.rest.ZZ}} {
		if has[k] {
			*p[0] = 1
		} else {
			*p[1] = 1
		}
	}
	return l
}

// bend returns p and p'.
func bend(l, nu float64) (value, slope float64) {
	root := math.Sqrt(l*l + 4*nu*nu)
	if l < 0 {
		p := 2 * nu * nu / (root - l)
		return p, p / root
	}
	return (l + root) / 2, (1 + l/root) / 2
}

// lorentz returns P and P' at z, whose normal part is its first.
func lorentz(z r3.Vec, nu float64) (r3.Vec, r3.Mat) {
	length := math.Hypot(z.Y, z.Z)
	var e r3.Vec
	if length > 0 {
		e = r3.V(0, z.Y/length, z.Z/length)
	}
	high, highSlope := bend(z.X+length, nu)
	low, lowSlope := bend(z.X-length, nu)
	a, b := (highSlope+lowSlope)/2, (highSlope-lowSlope)/2
	across := a
	if length > math.SmallestNonzeroFloat64 {
		across = (high - low) / (2 * length)
	}
	slope := r3.Mat{XX: a, XY: b * e.Y, XZ: b * e.Z, YX: b * e.Y, ZX: b * e.Z, YY: across, ZZ: across}
	slope.AddOuter(a-across, e, e)
	return r3.V((high+low)/2, 0, 0).AddScaled((high-low)/2, e), slope
}

// differentiate writes F' and -F of the contacts that are felt, and the steps of the others, which do not depend on
// these.
func (d *delassus) differentiate(nu float64) {
	d.felt = d.felt[:0]
	for c := range d.n {
		d.step[c] = r3.Vec{}
		if d.rho[c] == 0 {
			continue
		}
		share := d.linearize(c, nu)
		l := &d.laws[c]
		if inverse, ok := l.own.Inverse(); ok && share <= unfelt {
			d.step[c] = inverse.MulVec(l.f).Neg()
		} else {
			d.felt = append(d.felt, int32(c))
		}
	}
	m := 3 * len(d.felt)
	d.matrix, d.rhs = resized(d.matrix, m*m), resized(d.rhs, m)
	clear(d.matrix)
	for i, c := range d.felt {
		l, w := &d.laws[c], d.w[int(c)*d.n:][:d.n]
		var given r3.Vec // velocity, by the steps of the others
		for k, s := range d.step {
			if s != (r3.Vec{}) {
				given = given.Add(w[k].MulVec(s))
			}
		}
		f := l.f.Add(l.feels.MulVec(given))
		d.rhs[3*i], d.rhs[3*i+1], d.rhs[3*i+2] = -f.X, -f.Y, -f.Z
		rows := d.matrix[3*i*m : 3*(i+1)*m]
		for j, k := range d.felt {
			b := l.feels.Mul(&w[k])
			addBlock(rows, m, j, &b)
		}
		addBlock(rows, m, i, &l.own)
	}
}

// linearize writes how F of contact c depends on its impulse and its velocity, and returns what share of that its
// velocity has.
func (d *delassus) linearize(c int, nu float64) float64 {
	mu, u := d.mu(c), d.velocity(c, d.r)
	l := d.smoothed(c, d.r[c], u, nu)
	feels := r3.Mat{XX: 1} // ∂y/∂u over ρ
	own := l.rest
	share := l.keep.MaxAbs()
	if d.local[c].tied {
		feels = r3.Identity()
	} else if mu > 0 {
		feels = r3.Mat{XX: 1 / mu, XY: u.Y / l.slip, XZ: u.Z / l.slip, YY: 1, ZZ: 1}
		own.XX, own.YX, own.ZX = mu*own.XX, mu*own.YX, mu*own.ZX
		share /= min(1, mu*mu)
	}
	feels = l.keep.Mul(&feels)
	own.AddDiagonal(pathSlack)
	d.laws[c] = linearLaw{l.f, own, feels.Scale(d.rho[c])}
	return share
}

// addBlock adds b to the block of column k of three rows of length m.
func addBlock(rows []float64, m, k int, b *r3.Mat) {
	x, y, z := rows[3*k:3*k+3], rows[m+3*k:m+3*k+3], rows[2*m+3*k:2*m+3*k+3]
	x[0], x[1], x[2] = x[0]+b.XX, x[1]+b.XY, x[2]+b.XZ
	y[0], y[1], y[2] = y[0]+b.YX, y[1]+b.YY, y[2]+b.YZ
	z[0], z[1], z[2] = z[0]+b.ZX, z[1]+b.ZY, z[2]+b.ZZ
}

// solveDense solves a x = rhs by elimination with exchange of rows, and tells whether it could. It overwrites a, and x,
// which holds rhs, by the solution. Columns are eliminated in panels: what lies to the right of one is read and written
// once for all of its columns. Every number goes through the same operations as it would column by column.
func solveDense(a, x []float64) bool {
	n := len(x)
	const panel = 4
	for begin := 0; begin < n; begin += panel {
		end := min(begin+panel, n)
		if !eliminatePanel(a, x, begin, end) {
			return false
		}
		if end-begin < panel {
			break
		}
		top := a[begin*n : end*n]
		t0, t1, t2, t3 := top[end:n], top[n+end:2*n], top[2*n+end:3*n], top[3*n+end:4*n]
		for i := end; i < n; i++ {
			f := a[i*n+begin : i*n+end]
			f0, f1, f2, f3 := f[0], f[1], f[2], f[3]
			if f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0 {
				continue
			}
			row := a[i*n+end : (i+1)*n]
			t0, t1, t2, t3 := t0[:len(row)], t1[:len(row)], t2[:len(row)], t3[:len(row)]
			for j, v := range row {
				v -= f0 * t0[j]
				v -= f1 * t1[j]
				v -= f2 * t2[j]
				v -= f3 * t3[j]
				row[j] = v
			}
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := k + 1; j < n; j++ {
			x[k] -= a[k*n+j] * x[j]
		}
		x[k] /= a[k*n+k]
		if math.IsNaN(x[k]) || math.IsInf(x[k], 0) {
			return false
		}
	}
	return true
}

// eliminatePanel eliminates the columns from begin to end, in these columns, in all of their own rows, and in x. It
// leaves in them by how much their rows are to be subtracted from those below.
func eliminatePanel(a, x []float64, begin, end int) bool {
	n := len(x)
	for k := begin; k < end; k++ {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(a[i*n+k]) > math.Abs(a[p*n+k]) {
				p = i
			}
		}
		top := a[k*n : (k+1)*n]
		if p != k {
			other := a[p*n : (p+1)*n]
			for j := begin; j < n; j++ {
				top[j], other[j] = other[j], top[j]
			}
			x[k], x[p] = x[p], x[k]
		}
		// What the columns before did to the rest of this row.
		for l := begin; l < k; l++ {
			f, rest := top[l], top[end:]
			for j, v := range a[l*n+end : (l+1)*n] {
				rest[j] -= f * v
			}
		}
		if top[k] == 0 || math.IsNaN(top[k]) {
			return false
		}
		for i := k + 1; i < n; i++ {
			row := a[i*n : i*n+end]
			f := row[k] / top[k]
			row[k] = f
			for j := k + 1; j < end; j++ {
				row[j] -= f * top[j]
			}
			x[i] -= f * x[k]
		}
	}
	return true
}
