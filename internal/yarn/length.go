package yarn

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// lengths keeps the edges of yarns at their rest lengths by fast projection [Goldenthal07]: with C_i = |e_i|² - l_i²,
// of unit direction d_i now and g_i where it is pulled along, and pulls λ,
//
//	(A M⁻¹ Aᵀ) δλ = C_i/(2|e_i|),   x ← x - M⁻¹ Gᵀ δλ,   rows of A: (d_i + g_i)/2, of G: g_i,
//
// until every |C_i| is within the tolerance of l_i², and once in any case, so that forces in yarns do not wait until
// they have stretched. Each yarn is one tridiagonal system.
//
// g is the direction at the start x₀ of the step, as in SHAKE [Ryckaert77]: momentum is balanced with its levers there,
// because x₁ x v = x₀ x v, so that pulls along the edges of x₀ leave angular momentum alone. Pulls along edges that
// have turned on took ω²h of it in a second, and more with damping. The matrix should have d_i and g_j in place of
// means; these make it symmetric and positive, with an error of the square of what edges turn by and of that times the
// angle between neighbours. An edge that turns much in a step is pulled along where it is, g = d, and one between has a
// part of both. So are all of a yarn for which the other does not halve the error in a round: a straight one that is
// held at both ends is not made shorter by any pulls along it.
//
// Obstacles and damping come after the projection, and leave edges off by some δ. Corrected in a step of h, that is a
// velocity δ/h, the larger the shorter the step: a step that is halved because yarns come too near would draw them
// through each other. So a short step corrects a share of it only, and l_i is the rest length and what is to be left of
// δ.
type lengths struct {
	lay     *layout
	inverse []float64 // by point: 1/mass; 0 where it is held
	within  float64   // of |C|/l²

	target   []float64 // by edge: l
	off      []float64 // by edge: δ, before the step
	edge     []r3.Vec  // row of A, by the end of the edge
	along    []r3.Vec  // row of G
	early    []float64 // share of the direction at the start of the step in that
	excess   []float64
	diagonal []float64
	next     []float64
	pull     []float64 // by edge: sum of λ, a force times h² [kg m]

	tried  []r3.Vec  // positions before the projection of a yarn
	pulled []float64 // and what it was pulled with

	worst  []float64 // by yarn: what is left of |C|/l²
	spared []float64 // by yarn: the largest strain that is not corrected in this step
	rounds []int     // by yarn
	from   []r3.Vec  // the start of the step
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
		lay: lay, inverse: inverse, within: 2 * strain, // C/l² is twice the strain
		target: make([]float64, n), off: make([]float64, n), edge: make([]r3.Vec, n),
		along: make([]r3.Vec, n), early: make([]float64, n), tried: make([]r3.Vec, n), pulled: make([]float64, n), excess: make([]float64, n), diagonal: make([]float64, n), next: make([]float64, n),
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

// project moves positions x, where points would be that were at from, until edges have their lengths. Of what was
// remembered, a share is corrected.
func (l *lengths) project(team *par.Team, from, x []r3.Vec, share float64) {
	l.from, l.x, l.share = from, x, share
	team.For(len(l.lay.spans), 1, l.loop)
	l.from, l.x = nil, nil
}

// projectAgain does so for some yarns whose points have been moved since, and goes on counting rounds and forces.
func (l *lengths) projectAgain(team *par.Team, yarns []int32, from, x []r3.Vec) {
	l.from, l.x, l.again = from, x, yarns
	team.For(len(yarns), 1, l.againLoop)
	l.from, l.x, l.again = nil, nil, nil
}

// left returns how far the lengths of edges are from those that they were to have after the last projection, as a
// share, what of those is left to later steps, and the most rounds that a yarn took.
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
	copy(l.tried[s.first:s.end], l.x[s.first:s.end])
	copy(l.pulled[s.first:s.end], l.pull[s.first:s.end])
	early, before := true, 0.0
	for round := 0; ; round++ {
		l.worst[y] = l.linearize(s)
		if round > 0 && !(l.worst[y] > l.within) || round == lengthRounds {
			return round
		}
		if early && round > 0 && !(l.worst[y] <= before/2) {
			copy(l.x[s.first:s.end], l.tried[s.first:s.end])
			copy(l.pull[s.first:s.end], l.pulled[s.first:s.end])
			clear(l.early[s.first:s.end])
			l.linearize(s)
			early = false
		}
		before = l.worst[y]
		l.correct(s)
	}
}

// aim finds the lengths that the edges of a yarn are to have and how they are pulled, and returns the largest strain in
// them.
func (l *lengths) aim(s *span) float64 {
	spared := 0.0
	for i, end := s.first, s.first+s.segments(); i < end; i++ {
		n, rest := l.lay.next(i), l.lay.rest[i]
		l.target[i] = rest
		l.early[i] = shareBefore(l.from[n].Sub(l.from[i]), l.x[n].Sub(l.x[i]))
		if l.share < 1 {
			keep := (1 - l.share) * l.off[i]
			l.target[i] += keep
			spared = max(spared, math.Abs(keep)/rest)
		}
	}
	return spared
}

// Edges that turn in a step by an angle whose cosine is above turnedLittle are pulled along where they were, those
// below turnedMuch along where they are.
const turnedLittle, turnedMuch = 0.95, 0.8

// shareBefore returns the share of an edge at the start of a step in the direction along which it is pulled.
func shareBefore(before, now r3.Vec) float64 {
	length2 := before.Norm2() * now.Norm2()
	if length2 == 0 {
		return 0
	}
	t := (before.Dot(now)/math.Sqrt(length2) - turnedMuch) / (turnedLittle - turnedMuch)
	t = min(1, max(0, t))
	return t * t * (3 - 2*t)
}

// linearize evaluates the constraints of a yarn and returns the largest |C|/l².
func (l *lengths) linearize(s *span) float64 {
	worst := 0.0
	for i, end := s.first, s.first+s.segments(); i < end; i++ {
		n, rest := l.lay.next(i), l.target[i]
		e := l.x[n].Sub(l.x[i])
		length := e.Norm()
		off := length*length - rest*rest
		l.excess[i] = off / (2 * length)
		now := e.Scale(1 / length)
		l.edge[i], l.along[i] = now, now
		if early := l.early[i]; early > 0 {
			before := l.from[n].Sub(l.from[i]).Unit()
			l.along[i] = now.Scale(1-early).AddScaled(early, before).Unit()
			l.edge[i] = now.Add(l.along[i]).Scale(0.5)
		}
		worst = max(worst, math.Abs(off)/(rest*rest))
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
		l.pull[i] += l.excess[i]
		l.x[i] = l.x[i].AddScaled(l.inverse[i]*l.excess[i], l.along[i])
		l.x[n] = l.x[n].AddScaled(-l.inverse[n]*l.excess[i], l.along[i])
	}
}
