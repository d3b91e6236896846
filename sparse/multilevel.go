// Multilevel preconditioner by smoothed aggregation, [VanekMandelBrezina96], with the incomplete
// Cholesky factor as smoother.
//
// Why: the matrix of a time step M + h²K couples nodes over the distance c h that an elastic wave
// travels in a step. A factor without fill passes information over a few nodes only, so its
// iterations grow like c h / Δx when a mesh is refined. Coarse levels carry it the rest of the way.
//
// Departure: the prolongation P depends on the pattern only. Aggregates are neighbourhoods in the
// block graph, and the smoothing uses the graph's Laplacian in place of A,
//
//	P = (I - ω (I - D⁻¹ G)) P₀,   G adjacency, D degrees, P₀ membership in aggregates, ω = 0.9,
//
// so that the weights are scalars, their rows add up to 1 (translations are kept), and a refill of
// the coarse matrices Pᵀ A P is a fixed list of block additions. On sheets ω = 0.9 keeps the number of
// iterations the same from 5,000 to 320,000 nodes; at 2/3 it doubles. Fixed unknowns have no row in P.
//
// One application is, with S the smoother of a level and r its right-hand side,
//
//	z = S r;   z += P C Pᵀ (r - A z);   z += S (r - A z)
//
// where C is the same on the next level, and on the last an exact solve, or S where coarsening came to
// an end early. The second residual is the
// first less T C Pᵀ(...), T = A P, which the refill has computed and which has half as many blocks. It is symmetric, and
// positive definite where S A has no eigenvalue above 2. Membranes stay well below. Where bending
// rules it may fail: conjugate gradients then notice, S is scaled by the inverse of an estimate of
// that eigenvalue, or its factor made anew with a larger shift (weaken), and they begin again.

package sparse

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	bottomRows = 300 // levels of at most this many rows are solved directly
	maxLevels  = 12
)

// Multilevel preconditions with a hierarchy of coarser matrices. It pays for fine meshes; see
// BenchmarkCG for where it overtakes IC0. The zero value is ready.
type Multilevel struct {
	pattern *BSR
	levels  []*level
	bottom  Cholesky
	direct  bool // the last matrix is small and positive definite, and bottom its factor
}

// level is a matrix, its smoother, and the way to the next level.
type level struct {
	a      *BSR
	fixed  []bool
	smooth IC0
	damp   float64 // scale of the smoother
	*transfer
	r, z, d []r3.Vec // right-hand side and solution of coarse levels; residual or correction

	probe, zero []r3.Vec // of largest

	from     []r3.Vec // the right-hand side of the running loop
	to       []r3.Vec // and the solution
	residual func(lo, hi int)
	scale    func(lo, hi int)
	correct  func(lo, hi int)
}

// Update recomputes the coarse matrices and all smoothers.
func (m *Multilevel) Update(team *par.Team, a *BSR, fixed []bool) {
	if !samePattern(m.pattern, a) {
		m.analyse(a)
	}
	team.Enter()
	defer team.Leave()
	m.levels[0].a, m.levels[0].fixed = a, fixed
	for i, l := range m.levels {
		if l.transfer != nil {
			next := m.levels[i+1]
			l.galerkin(team, l.a, l.fixed, next.a)
			maskEmpty(next.a, next.fixed)
		}
		l.damp = 1
		if l.transfer != nil {
			l.smooth.Update(team, l.a, l.fixed)
		}
	}
	last := m.levels[len(m.levels)-1]
	m.direct = last.a.N <= bottomRows && m.bottom.Factor(team, last.a, last.fixed) == nil
	if !m.direct {
		last.smooth.Update(team, last.a, last.fixed)
	}
}

// maskEmpty fixes the unknowns of a coarse matrix that no free unknown belongs to.
func maskEmpty(a *BSR, fixed []bool) {
	for i := range fixed {
		fixed[i] = a.Val[a.Diag[i]].Trace() == 0
	}
}

func (m *Multilevel) analyse(a *BSR) {
	m.pattern = a
	m.levels = nil
	for {
		l := &level{a: a, d: make([]r3.Vec, a.N)}
		l.residual, l.scale, l.correct = l.residualRows, l.scaleRows, l.correctRows
		if len(m.levels) > 0 {
			l.fixed = make([]bool, a.N)
			l.r, l.z = make([]r3.Vec, a.N), make([]r3.Vec, a.N)
		}
		m.levels = append(m.levels, l)
		if a.N <= bottomRows || len(m.levels) == maxLevels {
			return
		}
		t, coarse := newTransfer(a)
		if coarse.N > a.N/2 {
			return
		}
		l.transfer = t
		// Without a shift the factor of a fine sheet breaks down, or comes so close to it that it smooths nothing.
		l.smooth.base = firstShift
		a = coarse
	}
}

// Shift returns the largest shift of the smoothers.
func (m *Multilevel) Shift() float64 {
	s := 0.0
	for _, l := range m.levels {
		s = max(s, l.smooth.Shift())
	}
	return s
}

// Apply computes z = M⁻¹ r by one cycle.
func (m *Multilevel) Apply(team *par.Team, r, z []r3.Vec) { m.cycle(team, 0, r, z) }

func (m *Multilevel) cycle(team *par.Team, i int, r, z []r3.Vec) {
	l := m.levels[i]
	if l.transfer == nil {
		if m.direct {
			m.bottom.Solve(l.fixed, r, z)
		} else {
			l.smooth.Apply(team, r, z)
		}
		return
	}
	next := m.levels[i+1]
	l.smooth.Apply(team, r, z)
	l.from, l.to = r, z
	if l.damp != 1 {
		team.For(l.a.N, rowGrain, l.scale)
	}
	team.For(l.a.N, rowGrain, l.residual)
	l.restrict(team, l.d, next.r)
	m.cycle(team, i+1, next.r, next.z)
	l.prolong(team, next.z, l.fixed, z, l.d)
	l.smooth.Apply(team, l.d, l.d)
	team.For(l.a.N, rowGrain, l.correct)
	l.from, l.to = nil, nil
}

// residualRows computes d = r - A z over the free unknowns.
func (l *level) residualRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		if l.fixed != nil && l.fixed[i] {
			l.d[i] = r3.Vec{}
			continue
		}
		l.d[i] = l.from[i].Sub(l.a.row(i, l.to))
	}
}

func (l *level) correctRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		l.to[i] = l.to[i].AddScaled(l.damp, l.d[i])
	}
}

func (l *level) scaleRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		l.to[i] = l.to[i].Scale(l.damp)
	}
}

// weakest is the scale below which a smoother is of no use.
const weakest = 1e-3

// strongest is the largest eigenvalue of S A that scaling S may cure. A factor beyond it was close to breaking down, and is
// made anew with a larger shift.
const strongest = 4

// weaken changes the smoothers so that the cycle should be positive definite.
func (m *Multilevel) weaken(team *par.Team) bool {
	for _, l := range m.levels {
		if l.transfer == nil {
			continue
		}
		eigenvalue := l.largest(team)
		for !(eigenvalue <= strongest) && l.smooth.raiseShift(team, l.a, l.fixed) {
			eigenvalue = l.largest(team)
		}
		l.damp = min(l.damp/2, 1/eigenvalue)
	}
	return m.levels[0].transfer != nil && m.levels[0].damp > weakest
}

// largest estimates the largest eigenvalue of S A by power iterations from a fixed rough vector.
func (l *level) largest(team *par.Team) float64 {
	const rounds = 12
	if l.probe == nil {
		l.probe, l.zero = make([]r3.Vec, l.a.N), make([]r3.Vec, l.a.N)
	}
	for i := range l.probe {
		s := float64(i*7919%13 - 6)
		l.probe[i] = r3.Vec{X: s, Y: 1 - s, Z: s * s / 6}
		if l.fixed != nil && l.fixed[i] {
			l.probe[i] = r3.Vec{}
		}
	}
	growth := 1.0
	for range rounds {
		before := norm(l.probe)
		l.from, l.to = l.zero, l.probe
		team.For(l.a.N, rowGrain, l.residual)
		l.smooth.Apply(team, l.d, l.probe)
		growth = norm(l.probe) / before
		for i := range l.probe {
			l.probe[i] = l.probe[i].Scale(1 / (before * growth))
		}
	}
	l.from, l.to = nil, nil
	return growth
}

func norm(v []r3.Vec) float64 {
	sum := 0.0
	for i := range v {
		sum += v[i].Norm2()
	}
	return math.Sqrt(sum)
}
