package yarn

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// lengths keeps the edges of yarns at their rest lengths by fast projection [Goldenthal07]: with
// C_i = (|e_i|² - l_i²)/l_i and the multipliers of the linearized constraints, M⁻¹ weights,
//
//	(∇C M⁻¹ ∇Cᵀ) δλ = C,   x ← x - M⁻¹ ∇Cᵀ δλ,
//
// until every |C_i| is within the tolerance of l_i, and once in any case, so that forces in yarns do not wait until they
// have stretched. Each yarn is one tridiagonal system.
//
// Obstacles and damping come after the projection, and leave edges off by some δ. Corrected in a step of h, that is a
// velocity δ/h, the larger the shorter the step: a step that is halved because yarns come too near would draw them through
// each other. So a short step corrects a share of it only, and l_i is the rest length and what is to be left of δ.
type lengths struct {
	lay     *layout
	inverse []float64 // by point: 1/mass; 0 where it is held
	within  float64   // of |C|/l

	target   []float64 // by edge: l
	off      []float64 // by edge: δ, before the step
	edge     []r3.Vec  // ∇C by the end of the edge
	excess   []float64
	diagonal []float64
	next     []float64
	pull     []float64 // by edge: sum of multipliers times |∇C|, a force times h² [kg m]

	worst  []float64 // by yarn: what is left of |C|/l
	spared []float64 // by yarn: the largest strain that is not corrected in this step
	rounds []int     // by yarn
	x      []r3.Vec
	share  float64
	again  []int32 // the yarns that are projected again
	loop   func(lo, hi int)

	againLoop func(lo, hi int)
}

// lengthRounds bounds the iterations of a projection.
const lengthRounds = 20

func newLengths(lay *layout, inverse []float64, strain float64) *lengths {
	n := len(lay.yarn)
	l := &lengths{
		lay: lay, inverse: inverse, within: 2 * strain, // C/l is twice the strain
		target: make([]float64, n), off: make([]float64, n), edge: make([]r3.Vec, n), excess: make([]float64, n), diagonal: make([]float64, n), next: make([]float64, n),
		pull: make([]float64, n), worst: make([]float64, len(lay.spans)), spared: make([]float64, len(lay.spans)), rounds: make([]int, len(lay.spans)),
	}
	l.loop, l.againLoop = l.projectYarns, l.projectSome
	return l
}

// remember notes what the lengths of edges are off by before a step.
func (l *lengths) remember(x []r3.Vec) {
	for y := range l.lay.spans {
		s := &l.lay.spans[y]
		for i, end := s.first, s.first+s.segments(); i < end; i++ {
			l.off[i] = x[l.lay.next(i)].Sub(x[i]).Norm() - l.lay.rest[i]
		}
	}
}

// project moves positions x until edges have their lengths. Of what was remembered, a share is corrected.
func (l *lengths) project(team *par.Team, x []r3.Vec, share float64) {
	l.x, l.share = x, share
	team.For(len(l.lay.spans), 1, l.loop)
	l.x = nil
}

// projectAgain does so for some yarns whose points have been moved since, and goes on counting rounds and forces.
func (l *lengths) projectAgain(team *par.Team, yarns []int32, x []r3.Vec) {
	l.x, l.again = x, yarns
	team.For(len(yarns), 1, l.againLoop)
	l.x, l.again = nil, nil
}

// left returns how far the lengths of edges are from those that they were to have after the last projection, as a share,
// what of those is left to later steps, and the most rounds that a yarn took.
func (l *lengths) left() (strain, spared float64, rounds int) {
	for y := range l.worst {
		strain, spared, rounds = max(strain, l.worst[y]/2), max(spared, l.spared[y]), max(rounds, l.rounds[y])
	}
	return strain, spared, rounds
}

// tension returns the force that holds the edge after point i together, for a step of h [N].
func (l *lengths) tension(i int, h float64) float64 {
	return l.pull[i] / (h * h)
}

func (l *lengths) projectYarns(lo, hi int) {
	for y := lo; y < hi; y++ {
		s := &l.lay.spans[y]
		clear(l.pull[s.first:s.end])
		l.spared[y] = l.aim(s)
		l.rounds[y] = l.projectYarn(y, s)
	}
}

func (l *lengths) projectSome(lo, hi int) {
	for _, y := range l.again[lo:hi] {
		l.rounds[y] += l.projectYarn(int(y), &l.lay.spans[y])
	}
}

// projectYarn returns how many rounds it took.
func (l *lengths) projectYarn(y int, s *span) int {
	for round := 0; ; round++ {
		l.worst[y] = l.linearize(s)
		if round > 0 && !(l.worst[y] > l.within) || round == lengthRounds {
			return round
		}
		l.correct(s)
	}
}

// aim finds the lengths that the edges of a yarn are to have, and returns the largest strain in them.
func (l *lengths) aim(s *span) float64 {
	spared := 0.0
	for i, end := s.first, s.first+s.segments(); i < end; i++ {
		rest := l.lay.rest[i]
		l.target[i] = rest
		if l.share < 1 {
			keep := (1 - l.share) * l.off[i]
			l.target[i] += keep
			spared = max(spared, math.Abs(keep)/rest)
		}
	}
	return spared
}

// linearize evaluates the constraints of a yarn and returns the largest |C|/l.
func (l *lengths) linearize(s *span) float64 {
	worst := 0.0
	for i, end := s.first, s.first+s.segments(); i < end; i++ {
		rest := l.target[i]
		e := l.x[l.lay.next(i)].Sub(l.x[i])
		l.excess[i] = (e.Norm2() - rest*rest) / rest
		l.edge[i] = e.Scale(2 / rest)
		worst = max(worst, math.Abs(l.excess[i]/rest))
	}
	return worst
}

// leastPivot is the smallest pivot, as a share of the diagonal. A straight yarn with both ends held makes the matrix
// singular: equal pulls on all edges cancel. Then any of them will do, but it must be a number.
const leastPivot = 1e-14

// correct solves the linearized constraints of a yarn and moves its points.
func (l *lengths) correct(s *span) {
	first, end := s.first, s.first+s.segments()
	for i := first; i < end; i++ {
		n := l.lay.next(i)
		l.diagonal[i] = (l.inverse[i] + l.inverse[n]) * l.edge[i].Norm2()
		l.next[i] = 0
		if n < end && (s.closed || n > i) {
			l.next[i] = -l.inverse[n] * l.edge[i].Dot(l.edge[n])
		}
		if l.diagonal[i] == 0 { // both ends are held
			l.diagonal[i], l.excess[i] = 1, 0
		}
	}
	solveTridiagonal(l.diagonal[first:end], l.next[first:end], l.excess[first:end], s.closed, leastPivot)
	for i := first; i < end; i++ {
		n := l.lay.next(i)
		l.pull[i] += l.excess[i] * l.edge[i].Norm()
		l.x[i] = l.x[i].AddScaled(l.inverse[i]*l.excess[i], l.edge[i])
		l.x[n] = l.x[n].AddScaled(-l.inverse[n]*l.excess[i], l.edge[i])
	}
}
