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
// where C is the same on the next level, and on the last an exact solve, or S where coarsening came to an end early.
// The second residual is the first less T C Pᵀ(...), T = A P, which the refill has computed and which has half as many
// blocks. It is symmetric, and positive definite where S A has no eigenvalue above 2. Membranes stay well below. Where
// bending rules it may fail: conjugate gradients then notice, and begin again with the sum of the levels,
//
//	z = S r + P C Pᵀ r,
//
// which is positive definite whatever S, costs half as much and takes more iterations. Scaling S by an estimate of
// that eigenvalue was tried first; the estimate alone cost more than the whole solve at 80,000 nodes.
//
// Solvers that do not need symmetry may leave out the first smoothing,
//
//	z = P C Pᵀ r;   z += S (r - T C Pᵀ r)
//
// which costs half of the whole cycle and takes 1.5 times the iterations.
//
// Coarse levels are left out where the mass rules and information need not go far. The measure is Stiffness, q. Sheets
// with plate bending on a ball, 5,000 to 80,000 nodes, 1 to 10 ms, 50 to 5,000 N/m, tell the same story at the same q
// whatever their size:
//
//	q                                    9   26   79  125   396  771  1450  6300  14200
//	CG to 5e-9 m/s        cycle          6    7    8   11    13   17    17    21     29
//	                      smoother      13   19   27   35    51   72    84   171    218
//	GMRES to 1e-4         cycle          2    3    4    5     5    7     8     8     14
//	                      one-sided      4    5    6    8     8   11    12    12     20
//	                      smoother       4    7   10   12    18   25    30    47     68
//
// With a product of A as the unit, the cycle costs 5, the one-sided one 2.4, the smoother 1.1; Update costs some 17,
// and 7 without coarse levels. So the smoother alone is cheaper up to about q = 40 for CG and 200 for GMRES.

package sparse

import (
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

const (
	bottomRows = 300 // levels of at most this many rows are solved directly
	maxLevels  = 12

	// smootherShift is the shift that the factors of smoothers begin with. Without one the factor of a fine sheet
	// breaks down, or comes so close to it that the cycle is indefinite. At 80,000 nodes, two fabrics: 5e-4 takes 32
	// and 18 iterations after a restart, 0.004 takes 8 and 5 without one, 0.01 takes 22 and 15.
	smootherShift = 4e-3

	// Coarse levels are left out up to these stiffnesses.
	softForCycle    = 40
	softForOneSided = 200
)

// Multilevel preconditions with a hierarchy of coarser matrices. It pays for fine meshes; see
// BenchmarkCG for where it overtakes IC. The zero value is ready.
type Multilevel struct {
	// OneSided leaves out the first smoothing of a cycle. Apply is then not symmetric: it suits GMRES, and not CG.
	OneSided bool

	// Stiffness is what decides whether coarse levels pay. Zero lets Update take that of its matrix; give it where that
	// matrix is not the sum of a mass and a stiffness, such as one with constraints eliminated.
	Stiffness float64

	pattern  *BSR
	levels   []*level
	bottom   Cholesky
	direct   bool // the last matrix is small and positive definite, and bottom its factor
	additive bool // until the next Update the levels are added up, which is always positive definite
	alone    bool // until the next Update the first level goes without coarser ones
}

// level is a matrix, its smoother, and the way to the next level.
type level struct {
	a      *BSR
	fixed  []bool
	smooth IC
	*transfer
	r, z, d []r3.Vec // right-hand side and solution of coarse levels; residual or correction

	from     []r3.Vec // the right-hand side of the running loop
	to       []r3.Vec // and the solution
	residual func(lo, hi int)
	correct  func(lo, hi int)
	fromZero func(lo, hi int)
}

// Update recomputes the smoothers, and the coarse matrices if they are of use.
func (m *Multilevel) Update(team *par.Team, a *BSR, fixed []bool) {
	// a new pattern has new levels
	if !samePattern(m.pattern, a) {
		m.analyse(a)
	}
	team.Enter()
	defer team.Leave()
	// the finest level alone, if coarse ones do not pay
	m.additive = false
	m.levels[0].a, m.levels[0].fixed = a, fixed
	if m.alone = m.levels[0].transfer != nil && m.soft(a, fixed); m.alone {
		m.levels[0].smooth.Update(team, a, fixed)
		return
	}
	// each coarser matrix from the one before, and smoothers
	for i, l := range m.levels {
		if l.transfer != nil {
			next := m.levels[i+1]
			l.galerkin(team, l.a, l.fixed, next.a)
			maskEmpty(next.a, next.fixed)
		}
		if l.transfer != nil {
			l.smooth.Update(team, l.a, l.fixed)
		}
	}
	// the coarsest level, solved directly where that works
	last := m.levels[len(m.levels)-1]
	m.direct = last.a.N <= bottomRows && m.bottom.Factor(team, last.a, last.fixed) == nil
	if !m.direct {
		last.smooth.Update(team, last.a, last.fixed)
	}
}

// soft tells whether the smoother alone will do.
func (m *Multilevel) soft(a *BSR, fixed []bool) bool {
	q := m.Stiffness
	if q == 0 {
		q = a.Stiffness(fixed)
	}
	if m.OneSided {
		return q <= softForOneSided
	}
	return q <= softForCycle
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
		l.residual, l.correct, l.fromZero = l.residualRows, l.correctRows, l.beginRows
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
		l.smooth.FirstShift = smootherShift
		a = coarse
	}
}

// Shift returns the largest shift of the smoothers.
func (m *Multilevel) Shift() float64 {
	s := m.levels[0].smooth.Shift()
	if !m.alone {
		for _, l := range m.levels[1:] {
			s = max(s, l.smooth.Shift())
		}
	}
	return s
}

// Apply computes z = M⁻¹ r by one cycle.
func (m *Multilevel) Apply(team *par.Team, r, z []r3.Vec) {
	if m.alone {
		m.levels[0].smooth.Apply(team, r, z)
		return
	}
	m.cycle(team, 0, r, z)
}

func (m *Multilevel) cycle(team *par.Team, i int, r, z []r3.Vec) {
	// the coarsest level
	l := m.levels[i]
	if l.transfer == nil {
		if m.direct {
			m.bottom.Solve(l.fixed, r, z)
		} else {
			l.smooth.Apply(team, r, z)
		}
		return
	}
	// levels that are added up
	next := m.levels[i+1]
	if m.additive {
		l.smooth.Apply(team, r, z)
		l.restrict(team, r, next.r)
		m.cycle(team, i+1, next.r, next.z)
		l.prolong(team, next.z, l.fixed, z, l.d)
		return
	}
	// smoothing before, or none
	l.from, l.to = r, z
	if m.OneSided {
		team.For(l.a.N, rowGrain, l.fromZero)
	} else {
		l.smooth.Apply(team, r, z)
		team.For(l.a.N, rowGrain, l.residual)
	}
	// correction by the coarser levels
	l.restrict(team, l.d, next.r)
	m.cycle(team, i+1, next.r, next.z)
	l.prolong(team, next.z, l.fixed, z, l.d)
	// smoothing after
	l.smooth.Apply(team, l.d, l.d)
	team.For(l.a.N, rowGrain, l.correct)
	l.from, l.to = nil, nil
}

// beginRows begins with z = 0 and its residual d = r over the free unknowns.
func (l *level) beginRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		l.to[i], l.d[i] = r3.Vec{}, l.from[i]
		if l.fixed != nil && l.fixed[i] {
			l.d[i] = r3.Vec{}
		}
	}
}

// residualRows computes d = r - A z over the free unknowns.
func (l *level) residualRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		if l.fixed != nil && l.fixed[i] {
			l.d[i] = r3.Vec{}
			continue
		}
		l.d[i] = l.from[i].Sub(l.a.MulRow(i, l.to))
	}
}

func (l *level) correctRows(lo, hi int) {
	for i := lo; i < hi; i++ {
		l.to[i] = l.to[i].Add(l.d[i])
	}
}

// weaken adds up the levels from now on, instead of letting each correct the one before.
func (m *Multilevel) weaken() bool {
	if m.additive || m.alone || m.levels[0].transfer == nil {
		return false
	}
	m.additive = true
	return true
}
