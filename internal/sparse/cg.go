// Preconditioned conjugate gradients, [HestenesStiefel52] with the preconditioner of [Saad03]
// algorithm 9.1:
//
//	α = r·z / p·Ap,  x += α p,  r -= α Ap,  z = M⁻¹ r,  β = r·z / (r·z)_old,  p = z + β p
//
// Fixed unknowns: r, z and p are zero there, so that the columns drop out of A p by themselves and
// the rows are skipped where A p is used.
//
// The loops are fused: A p with p·Ap, and both updates with the norm of r. Sums go through
// par.Team.Sum, so they do not depend on the number of workers.

package sparse

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Norm says how a residual is measured.
type Norm int

const (
	// NodeMax is the largest |r_i|/Mass[i] over the nodes: for a step's equations, what the worst node
	// is off by, as a velocity [m/s].
	NodeMax Norm = iota
	// Relative is |r|/|b| in the 2-norm over the free unknowns.
	Relative
)

// Tolerance ends an iteration when the residual, measured by Norm, is at most Bound.
type Tolerance struct {
	Norm  Norm
	Bound float64
	Mass  []float64 // by row, positive; NodeMax divides by it, Relative does not look at it
}

// Status says how an iteration ended.
type Status int

const (
	// Converged means that the tolerance was met.
	Converged Status = iota
	// IterationLimit means that it was not met within the allowed iterations.
	IterationLimit
	// Indefinite means that a direction p with p·Ap <= 0 was met: A is not positive definite.
	Indefinite
	// BadPreconditioner means that r·M⁻¹r <= 0 was met: the preconditioner is not positive definite.
	BadPreconditioner
	// NotFinite means that the matrix, the right-hand side or the guess led to NaN or infinity.
	NotFinite
	// Rounding means that corrections do not make the residual smaller any more. Iterations do not end so by
	// themselves.
	Rounding
)

// String returns the status in words.
func (s Status) String() string {
	names := [...]string{
		"converged",
		"iteration limit",
		"indefinite matrix",
		"indefinite preconditioner",
		"not finite",
		"limit of rounding",
	}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return names[s]
}

// Result tells how a solve went.
type Result struct {
	Iterations int
	Residual   float64 // of the last iterate, in the norm of the tolerance
	Converged  bool
	Status     Status
	Shift      float64 // relative diagonal shift that the preconditioner needed to be definite; 0 when all is well
	Restarts   int     // times that the preconditioner was found indefinite, weakened, and tried again
}

// Preconditioner is a symmetric positive definite approximation of A⁻¹.
type Preconditioner interface {
	// Update computes the approximation for the values of A. It allocates only when the pattern
	// is not that of the last call.
	Update(team *par.Team, a *BSR, fixed []bool)
	// Apply computes z = M⁻¹ r. It must give zero at fixed unknowns.
	Apply(team *par.Team, r, z []r3.Vec)
	// Shift returns the diagonal shift, relative to the diagonal, that the last Update needed.
	Shift() float64
}

// weakener is a preconditioner that can be made safer, at the price of convergence, until its next
// Update; weaken returns false when it cannot do more.
type weakener interface {
	weaken() bool
}

// CG solves by preconditioned conjugate gradients. It keeps its vectors, so that solves of the same
// size do not allocate. The zero CG is ready. It belongs to one goroutine at a time.
type CG struct {
	r, z, p, q []r3.Vec
	mass       []float64 // of the tolerance
	serial     *par.Team // stands in for a nil team, whose sums allocate

	// The job of the running solve.
	a           *BSR
	fixed       []bool
	rhs, x      []r3.Vec
	alpha, beta float64

	begin, product, advanceMax, advanceSum, maxNorm, sumNorm, inner func(lo, hi int) float64
	direct                                                          func(lo, hi int)
}

func (c *CG) prepare(n int) {
	if c.begin == nil {
		c.serial = par.New(1)
		c.begin, c.product = c.beginRows, c.productRows
		c.advanceMax, c.advanceSum = c.advanceMaxRows, c.advanceSumRows
		c.maxNorm, c.sumNorm = c.maxNormRows, c.sumNormRows
		c.inner, c.direct = c.innerRows, c.directRows
	}
	if cap(c.r) < n {
		c.r, c.z = make([]r3.Vec, n), make([]r3.Vec, n)
		c.p, c.q = make([]r3.Vec, n), make([]r3.Vec, n)
	}
	c.r, c.z, c.p, c.q = c.r[:n], c.z[:n], c.p[:n], c.q[:n]
}

// Solve solves A x = rhs over the free unknowns, starting from the given x. The preconditioner must
// be up to date. Fixed unknowns of x are set to zero. Unless the status is Converged, x holds the
// last iterate, which is finite unless the input was not.
func (c *CG) Solve(
	team *par.Team,
	a *BSR,
	fixed []bool,
	rhs, x []r3.Vec,
	pre Preconditioner,
	tol Tolerance,
	maxIter int,
) Result {
	// sizes that do not fit
	if len(rhs) != a.N || len(x) != a.N || (fixed != nil && len(fixed) != a.N) {
		panic(fmt.Sprintf("sparse: system of %d rows with right-hand side of %d, solution of %d, mask of %d",
			a.N, len(rhs), len(x), len(fixed)))
	}
	if tol.Norm == NodeMax && len(tol.Mass) != a.N {
		panic(fmt.Sprintf("sparse: system of %d rows with %d masses", a.N, len(tol.Mass)))
	}
	// room, workers and what the loops read
	c.prepare(a.N)
	if team == nil {
		team = c.serial
	}
	team.Enter()
	defer team.Leave()
	c.a, c.fixed, c.rhs, c.x, c.mass = a, fixed, rhs, x, tol.Mass
	res := c.iterate(team, pre, tol, maxIter)
	// a preconditioner that is not positive definite is weakened, as far as it can be
	for res.Status == BadPreconditioner {
		w, ok := pre.(weakener)
		if !ok || !w.weaken() {
			break
		}
		before := res
		res = c.iterate(team, pre, tol, maxIter-before.Iterations)
		res.Iterations += before.Iterations
		res.Restarts = before.Restarts + 1
	}
	// nothing is held on to
	c.a, c.fixed, c.rhs, c.x, c.mass = nil, nil, nil, nil, nil
	res.Converged = res.Status == Converged
	res.Shift = pre.Shift()
	return res
}

func (c *CG) iterate(team *par.Team, pre Preconditioner, tol Tolerance, maxIter int) Result {
	// residual at the start
	n := c.a.N
	rhsNorm := math.Sqrt(team.Sum(n, c.begin))
	scale := 1.0
	if tol.Norm == Relative && rhsNorm > 0 {
		scale = 1 / rhsNorm
	}
	res := Result{Residual: scale * c.norm(team, tol.Norm)}
	rz := 0.0
	for {
		// whether it is done
		switch {
		case !finite(res.Residual) || !finite(rhsNorm):
			res.Status = NotFinite
			return res
		case res.Residual <= tol.Bound || res.Residual == 0:
			res.Status = Converged
			return res
		case res.Iterations == maxIter || team.Stopped():
			res.Status = IterationLimit
			return res
		}
		// preconditioned residual; its product with the residual must be positive
		pre.Apply(team, c.r, c.z)
		old := rz
		rz = team.Sum(n, c.inner)
		if !(rz > 0) || !finite(rz) {
			res.Status = failure(rz, BadPreconditioner)
			return res
		}
		// conjugate direction
		c.beta = 0
		if res.Iterations > 0 {
			c.beta = rz / old
		}
		team.For(n, rowGrain, c.direct)
		// step along it, where the curvature is positive
		curvature := team.Sum(n, c.product)
		if !(curvature > 0) || !finite(curvature) {
			res.Status = failure(curvature, Indefinite)
			return res
		}
		c.alpha = rz / curvature
		// residual after it
		if tol.Norm == NodeMax {
			res.Residual = team.Max(n, c.advanceMax)
		} else {
			res.Residual = scale * math.Sqrt(team.Sum(n, c.advanceSum))
		}
		res.Iterations++
	}
}

func failure(v float64, s Status) Status {
	if !finite(v) {
		return NotFinite
	}
	return s
}

func finite(v float64) bool { return v-v == 0 }

func (c *CG) norm(team *par.Team, norm Norm) float64 {
	if norm == NodeMax {
		return team.Max(c.a.N, c.maxNorm)
	}
	return math.Sqrt(team.Sum(c.a.N, c.sumNorm))
}

// beginRows sets x at fixed unknowns, and r = rhs - A x; it returns |rhs|² of the rows.
// Other chunks may or may not have cleared their fixed x yet, so those are left out of A x by the mask.
func (c *CG) beginRows(lo, hi int) float64 {
	sum := 0.0
	for i := lo; i < hi; i++ {
		if c.fixed != nil && c.fixed[i] {
			c.x[i], c.r[i], c.z[i], c.p[i], c.q[i] = r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}, r3.Vec{}
			continue
		}
		r := c.rhs[i]
		sum += r.Norm2()
		for p := c.a.Start[i]; p < c.a.Start[i+1]; p++ {
			j := c.a.Col[p]
			if c.fixed == nil || !c.fixed[j] {
				r = r.Sub(c.a.Val[p].MulVec(c.x[j]))
			}
		}
		c.r[i], c.p[i] = r, r3.Vec{}
	}
	return sum
}

func (c *CG) maxNormRows(lo, hi int) float64 {
	m := 0.0
	mass := c.mass[lo:hi]
	for i, r := range c.r[lo:hi] {
		m = max(m, r.Norm2()/(mass[i]*mass[i]))
	}
	return math.Sqrt(m)
}

func (c *CG) sumNormRows(lo, hi int) float64 {
	sum := 0.0
	for _, r := range c.r[lo:hi] {
		sum += r.Norm2()
	}
	return sum
}

func (c *CG) innerRows(lo, hi int) float64 {
	sum := 0.0
	z := c.z[lo:hi]
	for i, r := range c.r[lo:hi] {
		sum += r.Dot(z[i])
	}
	return sum
}

func (c *CG) directRows(lo, hi int) {
	beta := c.beta
	p := c.p[lo:hi]
	for i, z := range c.z[lo:hi] {
		p[i] = z.AddScaled(beta, p[i])
	}
}

func (c *CG) productRows(lo, hi int) float64 {
	sum := 0.0
	a, p, q, fixed := c.a, c.p, c.q, c.fixed
	for i := lo; i < hi; i++ {
		if fixed != nil && fixed[i] {
			continue
		}
		v := a.MulRow(i, p)
		q[i] = v
		sum += p[i].Dot(v)
	}
	return sum
}

func (c *CG) advance(lo, hi int) {
	alpha := c.alpha
	x, r, p, q := c.x[lo:hi], c.r[lo:hi], c.p[lo:hi], c.q[lo:hi]
	for i := range x {
		x[i] = x[i].AddScaled(alpha, p[i])
		r[i] = r[i].AddScaled(-alpha, q[i])
	}
}

func (c *CG) advanceMaxRows(lo, hi int) float64 {
	c.advance(lo, hi)
	return c.maxNormRows(lo, hi)
}

func (c *CG) advanceSumRows(lo, hi int) float64 {
	c.advance(lo, hi)
	return c.sumNormRows(lo, hi)
}
