// The dual solver: Gauss-Seidel on the impulses with the Delassus operator,
//
//	u = W r + q,   W = J A⁻¹ Jᵀ,   q = u_f - J A⁻¹ b,   (r, u) ∈ C(μ)          [Li18] eq. (6)
//
// W is dense, 9 numbers for each pair of contacts, and made of three solves with A for each contact. That makes it
// slow, and independent of Nodal in everything but Coulomb's law at one contact: it is the second opinion in tests, for
// up to about 1,000 contacts. Where Nodal does not find the sets of few contacts it turns to this solver and its path
// (nodal_path.go); problems solved that way have no second opinion here but the residual.
//
// One relaxation of contact c has u = W_cc r + q_c, q_c with the impulses of all others; in the form of SolveCoulomb it
// is r = W_cc⁻¹ u - W_cc⁻¹ q_c. Sums run over full rows of W, so nothing drifts.

package solve

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Dual solves contact problems on the impulses, slowly. Rows may have any number of terms. It keeps the factor of A as
// workspace: of 700 vertices of cloth that is 20 MB.
type Dual struct {
	MaxSweeps int
	Path      bool      // of up to mostOnPath contacts, follow a path of smoothed laws (dual_path.go) before the sweeps
	Team      *par.Team // whom to ask whether to stop; it works alone

	factor compliance
}

// delassus is a contact problem in the impulses.
type delassus struct {
	team    *par.Team
	n       int
	w       []r3.Mat // W by rows
	q       []r3.Vec
	inverse []r3.Mat // W_cc⁻¹
	local   []localLaw
	scale   []float64 // of the law's residual; 0: no block of it can move
	rho     []float64 // 3/tr W_cc, or 0
	set     *contact.Set

	r, u  []r3.Vec
	state []State

	path
}

func (d *delassus) mu(c int) float64 { return d.set.Contacts[c].Mu }

// compliance is A⁻¹ over what can move.
type compliance struct {
	factor sparse.Cholesky
	held   []bool // fixed, or so in part
	partials
	moved []r3.Vec // of partials
}

// find factors A. It keeps its workspace.
func (c *compliance) find(a *sparse.BSR, fixed []bool, partly []contact.Partial) error {
	c.held, c.moved = resized(c.held, a.N), resized(c.moved, len(partly))
	c.begin(partly, a, fixed)
	for i := range c.held {
		c.held[i] = fixed != nil && fixed[i] || c.partly(int32(i)) >= 0
	}
	return c.factor.Factor(nil, a, c.held)
}

// moves tells whether a block of a row is free in all directions.
func (c *compliance) moves(row []contact.Term) bool {
	return slices.ContainsFunc(row, func(t contact.Term) bool { return !c.held[t.Block] })
}

// solve replaces x by A⁻¹ x.
func (c *compliance) solve(x []r3.Vec) {
	for k, part := range c.list {
		if c.partly(part.Block) >= 0 {
			c.moved[k] = c.mobility[k].MulVec(x[part.Block])
		}
	}
	c.factor.Solve(c.held, x, x)
	for k, part := range c.list {
		if c.partly(part.Block) >= 0 {
			x[part.Block] = c.moved[k]
		}
	}
}

// solveColumns is solve for three vectors at once.
func (c *compliance) solveColumns(x []r3.Mat) {
	moved := make([]r3.Mat, len(c.list))
	for k, part := range c.list {
		if c.partly(part.Block) >= 0 {
			moved[k] = c.mobility[k].Mul(&x[part.Block])
		}
	}
	c.factor.SolveColumns(c.held, x)
	for k, part := range c.list {
		if c.partly(part.Block) >= 0 {
			x[part.Block] = moved[k]
		}
	}
}

// mostDense is the number of contacts whose W is kept: 300 MB for so many.
const mostDense = 2048

// DefaultDual returns the settings of a solver of its own: along the path, where contacts are few, and then by sweeps.
func DefaultDual() Dual { return Dual{MaxSweeps: 20000, Path: true} }

// Supports refuses problems of too many contacts.
func (d *Dual) Supports(p *ContactProblem) error {
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if n := p.Set.Len(); n > mostDense {
		return fmt.Errorf("%w: the dual solver has a dense matrix; %d contacts are more than the %d that it takes",
			ErrUnsupported, n, mostDense)
	}
	return nil
}

// Solve finds v and r; it iterates until the law holds to half the tolerance of the problem, which leaves the rest to
// what the velocities are off by. It returns an error if A is not positive definite over the free blocks.
func (d *Dual) Solve(p *ContactProblem, out *Contacts) error {
	if err := d.Supports(p); err != nil {
		return err
	}
	factor := &d.factor
	if err := factor.find(p.A, p.Fixed, p.Partly); err != nil {
		return fmt.Errorf("%w: the dual solver needs the inverse of A: %w", ErrUnsupported, err)
	}
	out.Sweeps, out.Newton, out.Linear, out.Idle = 0, 0, 0, 0
	clear(out.Infeasible)
	clear(out.Bounded)
	clear(out.Proof)
	out.Contradicted = false
	free := unconstrained(p.A, p.B, p.Fixed, factor, out.V)
	var m Measure
	m.begin(p, out.V, out.R, nil)
	m.scaleContacts(0, p.Set.Len())
	d.iterate(newDelassus(d.Team, p.Set, factor, free, m.scale, out), 0.5*p.target(), out)
	d.finish(p.Set, factor, free, out)
	out.Residual = m.Of(p, out.V, out.R, nil)
	out.Elsewhere = out.Residual
	out.Converged = out.Residual.Max() <= p.Tolerance
	return nil
}

// iterate sweeps until the law holds, from the end of the path.
func (d *Dual) iterate(p *delassus, tolerance float64, out *Contacts) {
	if d.Path && p.n <= mostOnPath {
		out.Newton = p.follow(tolerance)
	}
	for out.Sweeps < d.MaxSweeps && !d.Team.Stopped() {
		out.Sweeps++
		if worst := p.sweep(); worst <= tolerance || math.IsNaN(worst) {
			return
		}
	}
}

// velocity returns u_c for impulses r.
func (d *delassus) velocity(c int, r []r3.Vec) r3.Vec {
	u := d.q[c]
	row := d.w[c*d.n : (c+1)*d.n]
	for k := range row {
		u = u.Add(row[k].MulVec(r[k]))
	}
	return u
}

// sweep relaxes all contacts once and returns the largest violation of the law that it met [m/s].
func (d *delassus) sweep() float64 {
	worst := 0.0
	for c := range d.n {
		if d.rho[c] == 0 {
			continue
		}
		u := d.velocity(c, d.r)
		worst = max(worst, d.breach(c, u))
		own := &d.w[c*d.n+c]
		alone := d.inverse[c].MulVec(u.Sub(own.MulVec(d.r[c]))).Neg()
		d.u[c], d.state[c] = d.local[c].Solve(alone, d.u[c])
		d.r[c] = d.local[c].Impulse(d.u[c], alone, d.state[c])
	}
	return worst
}

// breach returns how far contact c is from its law at the velocity u [m/s].
func (d *delassus) breach(c int, u r3.Vec) float64 {
	if d.local[c].tied {
		return TieResidual(u, d.r[c], d.set.Has(c), d.scale[c])
	}
	return CoulombResidual(u, d.r[c], d.mu(c), d.scale[c])
}

// law returns the largest violation of the law of a contact [m/s].
func (d *delassus) law() float64 {
	worst := 0.0
	for c := range d.n {
		if d.rho[c] > 0 {
			worst = max(worst, d.breach(c, d.velocity(c, d.r)))
		}
	}
	return worst
}

// unconstrained returns the velocities without contact; those that are prescribed are in v.
func unconstrained(a *sparse.BSR, b []r3.Vec, fixed []bool, factor *compliance, v []r3.Vec) []r3.Vec {
	free, rhs := make([]r3.Vec, a.N), make([]r3.Vec, a.N)
	for i := range free {
		if fixed != nil && fixed[i] {
			free[i] = v[i]
		} else if k := factor.partly(int32(i)); k >= 0 {
			free[i] = factor.prescribed(k, v[i])
		}
	}
	a.Mul(nil, free, rhs)
	for i := range rhs {
		rhs[i] = b[i].Add(rhs[i]).Neg()
	}
	factor.solve(rhs)
	for i := range free {
		if fixed == nil || !fixed[i] {
			free[i] = free[i].Add(rhs[i])
		}
	}
	return free
}

// newDelassus returns the problem whose impulses are those of out.
func newDelassus(team *par.Team, set *contact.Set, factor *compliance, free []r3.Vec, scale []float64, out *Contacts) *delassus {
	n := set.Len()
	d := &delassus{
		team:  team,
		n:     n,
		set:   set,
		scale: scale,
		r:     out.R,
		u:     out.U,
		state: out.State,
		w: make(
			[]r3.Mat,
			n*n,
		),
		q:       make([]r3.Vec, n),
		inverse: make([]r3.Mat, n),
		local:   make([]localLaw, n),
		rho:     make([]float64, n),
	}
	d.fill(factor, free)
	for c := range n {
		if scale[c] == 0 {
			out.Idle++
			out.R[c], out.State[c] = r3.Vec{}, TakeOff
			continue
		}
		own := &d.w[c*n+c]
		d.r[c] = permitted(set, c, d.r[c])
		gives := *own
		if !factor.moves(set.Row(c)) {
			gives.AddDiagonal(slack * gives.Trace())
		}
		d.inverse[c] = inverseOf(&gives, set, c)
		d.local[c] = newLocalLaw(&d.inverse[c], &set.Contacts[c])
		d.rho[c] = 3 / own.Trace()
	}
	return d
}

// fill computes W and q.
func (d *delassus) fill(factor *compliance, free []r3.Vec) {
	n, set, w, q := d.n, d.set, d.w, d.q
	columns := make([]r3.Mat, len(free)) // of A⁻¹ Jᵀ
	for c := range n {
		if d.team.Stopped() {
			return
		}
		q[c] = set.Contacts[c].Uf
		clear(columns)
		for _, t := range set.Row(c) {
			q[c] = q[c].Add(t.M.MulVec(free[t.Block]))
			push := t.M.T()
			columns[t.Block].Add(&push)
		}
		factor.solveColumns(columns)
		for k := range n {
			for _, t := range set.Row(k) {
				m := t.M.Mul(&columns[t.Block])
				w[k*n+c].Add(&m)
			}
		}
	}
}

// finish computes v = A⁻¹ (Jᵀ r - b) and u.
func (d *Dual) finish(set *contact.Set, factor *compliance, free []r3.Vec, out *Contacts) {
	push := make([]r3.Vec, len(free))
	for c := range out.R {
		for _, t := range set.Row(c) {
			push[t.Block] = push[t.Block].Add(t.M.MulVecT(out.R[c]))
		}
	}
	factor.solve(push)
	for i := range out.V {
		out.V[i] = free[i].Add(push[i])
	}
	for c := range out.U {
		out.U[c] = set.Contacts[c].Uf
		for _, t := range set.Row(c) {
			out.U[c] = out.U[c].Add(t.M.MulVec(out.V[t.Block]))
		}
	}
}
