// GMRES with a preconditioner on the right [Saad03] algorithm 9.5: it minimizes the residual itself over the Krylov
// space of the preconditioned operator. Sums go through par.Team.Sum, so they do not depend on the number of workers.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// restart is the largest dimension of a Krylov space. It bounds memory.
const restart = 30

// gmres solves linear systems with operators that are not symmetric. It keeps its vectors. The zero value is ready.
type gmres struct {
	basis      [restart + 1][]r3.Vec
	z          []r3.Vec
	directions [restart][]r3.Vec             // preconditioned basis
	h          [restart + 1][restart]float64 // Hessenberg matrix, made triangular by rotations
	c, s       [restart]float64              // the rotations
	e          [restart + 1]float64          // right-hand side of the small problem
	y          [restart]float64

	p, q  []r3.Vec // of the running loop
	k     float64
	inner func(lo, hi int) float64
	add   func(lo, hi int)
	scale func(lo, hi int)
}

const vectorGrain = 1024

func (g *gmres) prepare(n int) {
	if g.inner == nil {
		g.inner, g.add, g.scale = g.innerRows, g.addRows, g.scaleRows
	}
	g.z = resized(g.z, n)
}

func (g *gmres) innerRows(lo, hi int) float64 {
	sum := 0.0
	q := g.q[lo:hi]
	for i, p := range g.p[lo:hi] {
		sum += p.Dot(q[i])
	}
	return sum
}

func (g *gmres) addRows(lo, hi int) {
	p := g.p[lo:hi]
	for i, q := range g.q[lo:hi] {
		p[i] = p[i].AddScaled(g.k, q)
	}
}

func (g *gmres) scaleRows(lo, hi int) {
	p := g.p[lo:hi]
	for i, q := range g.q[lo:hi] {
		p[i] = q.Scale(g.k)
	}
}

func (g *gmres) dot(team *par.Team, p, q []r3.Vec) float64 {
	g.p, g.q = p, q
	return team.Sum(len(p), g.inner)
}

// combine adds k q to p.
func (g *gmres) combine(team *par.Team, p []r3.Vec, k float64, q []r3.Vec) {
	g.p, g.k, g.q = p, k, q
	team.For(len(p), vectorGrain, g.add)
}

// multiply sets p = k q.
func (g *gmres) multiply(team *par.Team, p []r3.Vec, k float64, q []r3.Vec) {
	g.p, g.k, g.q = p, k, q
	team.For(len(p), vectorGrain, g.scale)
}

// solve adds to x, which must be zero, the solution of op x = rhs to the given reduction of the 2-norm, and returns the
// number of iterations. rhs is overwritten.
func (g *gmres) solve(
	team *par.Team,
	op, pre func(team *par.Team, x, y []r3.Vec),
	rhs, x []r3.Vec,
	reduction float64,
	maxIter int,
) int {
	g.prepare(len(rhs))
	first := math.Sqrt(g.dot(team, rhs, rhs))
	iterations := 0
	for norm := first; norm > reduction*first && iterations < maxIter && !team.Stopped(); {
		m := g.cycle(team, op, pre, rhs, norm, reduction*first, maxIter-iterations)
		iterations += m
		if m == 0 {
			break
		}
		for j := range m {
			g.combine(team, x, g.y[j], g.directions[j])
		}
		if math.Abs(g.e[m]) <= reduction*first || iterations >= maxIter {
			break
		}
		clear(g.z)
		for j := range m {
			g.combine(team, g.z, g.y[j], g.directions[j])
		}
		spare := g.vector(m, len(rhs))
		op(team, g.z, spare)
		g.combine(team, rhs, -1, spare)
		before := norm
		norm = math.Sqrt(g.dot(team, rhs, rhs))
		if !(norm < 0.999*before) {
			break
		}
	}
	return iterations
}

func (g *gmres) vector(j, n int) []r3.Vec {
	g.basis[j] = resized(g.basis[j], n)
	return g.basis[j]
}

// cycle builds a Krylov space of up to restart vectors and leaves the coefficients of the best approximation in y; it
// returns their number.
func (g *gmres) cycle(
	team *par.Team,
	op, pre func(team *par.Team, x, y []r3.Vec),
	r []r3.Vec,
	norm, bound float64,
	maxIter int,
) int {
	n := len(r)
	g.multiply(team, g.vector(0, n), 1/norm, r)
	g.e[0] = norm
	m := 0
	for m < restart && m < maxIter && (m == 0 || !team.Stopped()) {
		w := g.vector(m+1, n)
		g.directions[m] = resized(g.directions[m], n)
		pre(team, g.basis[m], g.directions[m])
		op(team, g.directions[m], w)
		for j := 0; j <= m; j++ {
			g.h[j][m] = g.dot(team, w, g.basis[j])
			g.combine(team, w, -g.h[j][m], g.basis[j])
		}
		length := math.Sqrt(g.dot(team, w, w))
		if length-length != 0 {
			break
		}
		last := g.rotate(m, length)
		m++
		if last <= bound || length == 0 {
			break
		}
		g.multiply(team, w, 1/length, w)
	}
	for j := m - 1; j >= 0; j-- {
		sum := g.e[j]
		for k := j + 1; k < m; k++ {
			sum -= g.h[j][k] * g.y[k]
		}
		g.y[j] = sum / g.h[j][j]
	}
	return m
}

// rotate makes column m of the Hessenberg matrix triangular and returns the norm of the residual.
func (g *gmres) rotate(m int, below float64) float64 {
	for j := range m {
		a, b := g.h[j][m], g.h[j+1][m]
		g.h[j][m], g.h[j+1][m] = g.c[j]*a+g.s[j]*b, -g.s[j]*a+g.c[j]*b
	}
	a := g.h[m][m]
	hyp := math.Hypot(a, below)
	if hyp == 0 {
		hyp = math.SmallestNonzeroFloat64
	}
	g.c[m], g.s[m] = a/hyp, below/hyp
	g.h[m][m] = hyp
	g.e[m], g.e[m+1] = g.c[m]*g.e[m], -g.s[m]*g.e[m]
	return math.Abs(g.e[m+1])
}
