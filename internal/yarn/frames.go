package yarn

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Frames are quasi-static: after every step they turn about their edges until the energy is least.

// transport returns the vector u, which stands on the unit vector a, turned the shortest way that turns a to b.
func transport(u, a, b r3.Vec) r3.Vec {
	return u.AddScaled(-u.Dot(b)/max(1+a.Dot(b), sharpest), a.Add(b))
}

// lay gives every edge a frame without twist along its yarn. Of a closed yarn the twist that is then left is at its
// first point. The rods must be measured.
func (r *rods) layFrames() {
	for y := range r.lay.spans {
		s := &r.lay.spans[y]
		u := r.tangent[s.first].Orthogonal()
		for i := s.first; i < s.end && r.lay.hasSegment(i); i++ {
			if i > s.first {
				u = upright(transport(u, r.tangent[i-1], r.tangent[i]), r.tangent[i])
			}
			r.director[i] = u
			r.twist[i] = 0
		}
		r.seam[y] = 0
		if s.closed {
			// What frames turn by around the loop is geometry, not twist.
			r.seam[y] = -r.angle(s.first)
		}
	}
}

// keepShape makes the present shape the rest shape of a yarn.
func (r *rods) keepShape(yarn int) {
	s := &r.lay.spans[yarn]
	for i := s.first; i < s.end; i++ {
		if r.bends(i) {
			p := r.lay.prev(i)
			a, b := r.bending(i, p), r.bending(i, i)
			r.shape[i] = [4]float64{a.X, a.Y, b.X, b.Y}
			r.framed = r.framed || r.kb[i] != r3.Vec{}
		}
	}
}

// twistBy adds a total angle of twist to a yarn, the same at every point [rad].
func (r *rods) twistBy(yarn int, total float64) {
	s := &r.lay.spans[yarn]
	points := s.segments()
	if !s.closed {
		points--
	}
	each := total / float64(points)
	turned := 0.0
	for i := s.first; i < s.end; i++ {
		if r.bends(i) && (i > s.first) {
			turned += each
			r.twist[i] += each
		}
		if r.lay.hasSegment(i) {
			r.director[i] = turn(r.director[i], r.tangent[i], turned)
		}
	}
	if s.closed {
		r.twist[s.first] += each
		r.seam[yarn] = r.twist[s.first] - r.angle(s.first)
	}
	r.framed = r.framed || total != 0
}

// turn returns u turned about the unit vector t by an angle.
func turn(u, t r3.Vec, angle float64) r3.Vec {
	sin, cos := math.Sincos(angle)
	return u.Scale(cos).AddScaled(sin, t.Cross(u))
}

// upright returns u without what it has along the unit vector t, of length 1.
func upright(u, t r3.Vec) r3.Vec { return u.AddScaled(-u.Dot(t), t).Unit() }

// bending returns ω of point i in the frame of edge j.
func (r *rods) bending(i, j int) r3.Vec2 {
	m1 := r.director[j]
	m2 := r.tangent[j].Cross(m1)
	return r3.Vec2{X: r.kb[i].Dot(m2), Y: -r.kb[i].Dot(m1)}
}

// angle returns the angle from the frame before point i, carried over to the edge after it, to the frame there.
func (r *rods) angle(i int) float64 {
	p := r.lay.prev(i)
	t := r.tangent[i]
	from, to := transport(r.director[p], r.tangent[p], t), r.director[i]
	return math.Atan2(from.Cross(to).Dot(t), from.Dot(to))
}

// frameTolerance is how small slopes of the energy by the angle of a frame become, as a share of the stiffness
// (EI + GJ)/l. frameRounds bounds the iterations of a step. From one step to the next frames turn little, and one or
// two iterations of Newton's method are the rule. Where newtonRounds of these are not enough, three times as many
// follow with the largest stiffness that any angle has, with which the energy can only fall, and so on in turn.
const (
	frameTolerance = 1e-9
	frameRounds    = 100
	newtonRounds   = 5
)

// advance takes the rods to new positions: edges carry their frames along, and these come to rest; then the rest shape
// follows what is bent too far. It returns the largest slope that is left, as a share of the stiffness.
func (r *rods) advance(team *par.Team, pos []r3.Vec) float64 {
	n := len(pos)
	if !r.framed {
		r.measure(team, pos)
		r.findTurns(team)
		return 0
	}
	r.pos = pos
	team.For(n, rodGrain, r.carryLoop)
	team.For(n, rodGrain, r.bendLoop)
	team.For(n, rodGrain, r.twistLoop)
	left := r.relaxFrames(team)
	r.findTurns(team)
	if r.plastic > 0 {
		team.For(n, rodGrain, r.plasticLoop)
	}
	r.pos = nil
	return left
}

// carryFrames measures edges and transports their frames. The drift of rounding is taken off.
func (r *rods) carryFrames(lo, hi int) {
	for i := lo; i < hi; i++ {
		if !r.lay.hasSegment(i) {
			continue
		}
		e := r.pos[r.lay.next(i)].Sub(r.pos[i])
		r.length[i] = e.Norm()
		t := e.Scale(1 / r.length[i])
		if !r.fixed[i] {
			r.director[i] = upright(transport(r.director[i], r.tangent[i], t), t)
		} else {
			r.director[i] = upright(r.director[i], t)
		}
		r.tangent[i] = t
	}
}

func (r *rods) followTwist(lo, hi int) {
	for i := lo; i < hi; i++ {
		if r.bends(i) {
			r.twist[i] += wrapped(r.angle(i) - r.twist[i] + r.seamAt(i))
		}
	}
}

func (r *rods) seamAt(i int) float64 {
	y := r.lay.yarn[i]
	if i != r.lay.spans[y].first {
		return 0
	}
	return r.seam[y]
}

// relaxFrames turns frames by Newton's method until the energy is least.
func (r *rods) relaxFrames(team *par.Team) float64 {
	if r.bend+r.turn == 0 {
		return 0 // every angle has the same energy
	}
	n := len(r.theta)
	left := 0.0
	for round := range frameRounds {
		r.careful = round/newtonRounds%4 != 0
		team.For(n, rodGrain, r.slopeLoop)
		left = 0
		for i, s := range r.slope {
			if l := r.lay.rest[i]; l > 0 {
				left = max(left, math.Abs(s)*l)
			}
		}
		left /= r.bend + r.turn
		if left <= frameTolerance {
			break
		}
		team.For(len(r.lay.spans), 1, r.solveLoop)
		team.For(n, rodGrain, r.turnLoop)
	}
	return left
}

// slopes finds the derivative of the energy by the angle of every frame, and the second derivatives: those by the frame
// itself, or the largest that they can be if that is asked for, and that by the frame of the next edge.
func (r *rods) slopes(lo, hi int) {
	for j := lo; j < hi; j++ {
		r.slope[j], r.stiff[j], r.coupling[j] = 0, 0, 0
		if !r.lay.hasSegment(j) || r.fixed[j] {
			continue
		}
		if r.bends(j) {
			r.addSlope(j, j, 2)
			l := r.span(j)
			r.slope[j] += 2 * r.turn * r.twist[j] / l
			r.stiff[j] += 2 * r.turn / l
		}
		if n := r.lay.next(j); r.bends(n) {
			r.addSlope(n, j, 0)
			l := r.span(n)
			r.slope[j] -= 2 * r.turn * r.twist[n] / l
			r.stiff[j] += 2 * r.turn / l
			if !r.fixed[n] {
				r.coupling[j] = -2 * r.turn / l
			}
		}
	}
}

// addSlope adds what bending at point i contributes to the frame of edge j.
func (r *rods) addSlope(i, j, at int) {
	b := r.restBinormal(i, j, at)
	c := r.bend / r.span(i)
	r.slope[j] -= c * r.kb[i].Dot(r.tangent[j].Cross(b))
	if r.careful {
		r.stiff[j] += c * r.kb[i].Norm() * b.Norm()
	} else {
		r.stiff[j] += c * r.kb[i].Dot(b)
	}
}

// looseFrames makes the stiffness of frames that may all turn together, where nothing is bent at rest, a little more
// than it is, so that there is one solution.
const looseFrames = 1e-12

func (r *rods) solveFrames(lo, hi int) {
	for y := lo; y < hi; y++ {
		s := &r.lay.spans[y]
		e := s.first + s.segments()
		for j := s.first; j < e; j++ {
			r.theta[j] = -r.slope[j]
			r.stiff[j] *= 1 + looseFrames
			if r.stiff[j] <= 0 { // it is held, or nothing turns it, or the energy has a hump, which careful rounds leave
				r.stiff[j], r.coupling[j], r.theta[j] = 1, 0, 0
				if p := r.lay.prev(j); p != j {
					r.coupling[p] = 0
				}
			}
		}
		solveTridiagonal(r.stiff[s.first:e], r.coupling[s.first:e], r.theta[s.first:e], s.closed, 0)
	}
}

func (r *rods) turnFrames(lo, hi int) {
	for j := lo; j < hi; j++ {
		if r.bends(j) {
			r.twist[j] += r.theta[j] - r.theta[r.lay.prev(j)]
		}
		if r.lay.hasSegment(j) && r.theta[j] != 0 {
			r.director[j] = turn(r.director[j], r.tangent[j], r.theta[j])
		}
	}
}

// flow is the plasticity of section 3.1 of [Kaldor10]: the rest shape is no farther from the shape than Plastic, and no
// farther from straight than PlasticMost.
func (r *rods) flow(lo, hi int) {
	for i := lo; i < hi; i++ {
		if !r.bends(i) {
			continue
		}
		for at, edge := range [2]int{r.lay.prev(i), i} {
			w := r.bending(i, edge)
			rest := r3.Vec2{X: r.shape[i][2*at], Y: r.shape[i][2*at+1]}
			if off := rest.Sub(w); off.Norm() > r.plastic {
				rest = w.Add(off.Scale(r.plastic / off.Norm()))
			}
			if size := rest.Norm(); size > r.plasticMost {
				rest = rest.Scale(r.plasticMost / size)
			}
			r.shape[i][2*at], r.shape[i][2*at+1] = rest.X, rest.Y
		}
	}
}

// follow asks the rods how their edges turn.
func (r *rods) follow() {
	n := len(r.tangent)
	r.lastTangent, r.lastDirector, r.turned = make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
}

// remember keeps frames as they are before a step.
func (r *rods) remember() {
	copy(r.lastTangent, r.tangent)
	copy(r.lastDirector, r.director)
}

// findTurns finds how edges turned since remember.
func (r *rods) findTurns(team *par.Team) { team.For(len(r.turned), rodGrain, r.turnedLoop) }

// findTurned finds turns: the sum of a x a' over the axes a of a frame and a' of the frame after is 2 sin(θ) along the
// axis of the turn, that of a·a' is 1 + 2 cos(θ), and the turn is kept as the vector 2 tan(θ/2) along the axis. Without
// frames, the turn about the edge itself is not known and left out.
func (r *rods) findTurned(lo, hi int) {
	for i := lo; i < hi; i++ {
		t0, t1 := r.lastTangent[i], r.tangent[i]
		if !r.framed {
			r.turned[i] = t0.Cross(t1).Scale(2 / (1 + t0.Dot(t1)))
			continue
		}
		a0, a1 := r.lastDirector[i], r.director[i]
		b0, b1 := t0.Cross(a0), t1.Cross(a1)
		sum, trace := t0.Cross(t1).Add(a0.Cross(a1)).Add(b0.Cross(b1)), t0.Dot(t1)+a0.Dot(a1)+b0.Dot(b1)
		r.turned[i] = sum.Scale(2 / (1 + trace))
	}
}
