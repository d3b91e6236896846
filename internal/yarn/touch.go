package yarn

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// touches solves contact between control points and obstacles. Masses are diagonal and the step is explicit, so that
// every point has a problem of its own: find v and the impulses r_k with
//
//	m (v - v*) = Σ r_k,   u_k = v - w_k,   (r_k, u_k) in Coulomb's law with u_N ≥ -gap/h,
//
// w_k the velocity of the obstacle where it is touched. With one obstacle that has a closed form; with several it is
// solved by Gauss-Seidel iteration over them.
type touches struct {
	objects   []*object
	radius    float64
	clearance []float64 // by control point: all balls are at least so far away [m]; empty if there are none

	h       float64
	travel  float64 // of the obstacle that moves farthest in the step [m]
	inverse []float64
	x, v    []r3.Vec
	found   [][]touch // by chunk
	loop    func(lo, hi int)
}

// touch is the impulse that a point gets from an obstacle.
type touch struct {
	point, object int32
	impulse       r3.Vec // [N s]
}

// meeting is a touch to be solved.
type meeting struct {
	object  int32
	n, w    r3.Vec
	least   float64 // of u_N [m/s]
	mu      float64
	impulse r3.Vec // by mass [m/s]
}

const (
	touchGrain = 256
	mostTouch  = 8 // obstacles at a point; further ones wait for the next step

	// A point that is too deep comes out by a tenth of its depth in a step, and not faster than this [m/s].
	comeOutShare, comeOutSpeed = 0.1, 0.1

	// Impulses of several obstacles at one point have come to rest when none changes the velocity by more [m/s].
	touchTolerance = 1e-12
	touchRounds    = 200
)

// apply changes velocities so that points stay out of obstacles.
func (t *touches) apply(team *par.Team, h float64, inverse []float64, x, v []r3.Vec) {
	if len(t.objects) == 0 {
		return
	}
	if t.loop == nil {
		t.loop = t.solvePoints
	}
	chunks := (len(x) + touchGrain - 1) / touchGrain
	for len(t.found) < chunks {
		t.found = append(t.found, nil)
	}
	t.travel = 0
	for _, k := range t.objects {
		t.travel = max(t.travel, k.travel)
	}
	t.h, t.inverse, t.x, t.v = h, inverse, x, v
	team.For(len(x), touchGrain, t.loop)
	for c := range t.found[:chunks] {
		for _, f := range t.found[c] {
			k := t.objects[f.object]
			k.load.Points++
			k.load.Force = k.load.Force.AddScaled(-1/h, f.impulse)
			k.load.Torque = k.load.Torque.AddScaled(-1/h, x[f.point].Sub(k.pose.T).Cross(f.impulse))
		}
	}
	t.inverse, t.x, t.v = nil, nil, nil
}

func (t *touches) solvePoints(lo, hi int) {
	found := t.found[lo/touchGrain][:0]
	var buffer [mostTouch]meeting
	for i := lo; i < hi; i++ {
		if t.inverse[i] > 0 {
			if meets := t.meetings(i, buffer[:0]); len(meets) > 0 {
				t.v[i] = solvePoint(meets, t.v[i])
				for _, m := range meets {
					if m.impulse != (r3.Vec{}) {
						found = append(found, touch{int32(i), m.object, m.impulse.Scale(1 / t.inverse[i])})
					}
				}
			}
		}
		t.retreat(i)
	}
	t.found[lo/touchGrain] = found
}

// meetings lists the obstacles that a point may touch in the step. Those that are farther away than both can move are
// not looked at; that changes no result. Of balls, of which there may be many, only the distance to the nearest is
// kept.
func (t *touches) meetings(i int, meets []meeting) []meeting {
	// Obstacles that the point touches may make it as much faster as they are themselves.
	reach := 2 * (t.h*t.v[i].Norm() + t.travel)
	near := len(t.clearance) > 0 && t.clearance[i] <= reach
	if near {
		t.clearance[i] = math.Inf(1)
	}
	for o, k := range t.objects {
		if k.ball && !near || !k.ball && k.clearance[i] > reach {
			continue
		}
		d, n, moved := k.meet(t.x[i])
		gap := d - t.radius
		if k.ball {
			t.clearance[i] = min(t.clearance[i], gap)
		} else {
			k.clearance[i] = gap
		}
		if gap > reach || len(meets) == cap(meets) {
			continue
		}
		meets = append(meets, meeting{
			object: int32(o), n: n, w: moved.Scale(1 / t.h), least: leastApart(gap, t.h), mu: k.spec.Friction,
		})
	}
	return meets
}

// leastApart returns the least speed along the normal that keeps a gap from closing in a step of h, or opens it again
// where it is closed too far [m/s].
func leastApart(gap, h float64) float64 {
	if gap < 0 {
		return min(comeOutShare*-gap/h, comeOutSpeed)
	}
	return -gap / h
}

// retreat takes off the distances to obstacles what point i and they move in the step.
func (t *touches) retreat(i int) {
	way := t.h * t.v[i].Norm()
	for _, k := range t.objects {
		if !k.ball {
			k.clearance[i] -= way + k.travel
		}
	}
	if len(t.clearance) > 0 {
		t.clearance[i] -= way + t.travel
	}
}

// solvePoint returns the velocity of a point that would move with v, and sets the impulses.
func solvePoint(meets []meeting, v r3.Vec) r3.Vec {
	for range touchRounds {
		change := 0.0
		for k := range meets {
			m := &meets[k]
			without := v.Sub(m.impulse)
			impulse := m.solve(without)
			v = without.Add(impulse)
			change = max(change, impulse.Sub(m.impulse).MaxAbs())
			m.impulse = impulse
		}
		if len(meets) == 1 || change <= touchTolerance {
			break
		}
	}
	return v
}

// solve returns the impulse by mass that Coulomb's law asks for at one obstacle.
func (m *meeting) solve(v r3.Vec) r3.Vec {
	u := v.Sub(m.w)
	un := u.Dot(m.n)
	push := m.least - un
	if push <= 0 {
		return r3.Vec{}
	}
	slip := u.AddScaled(-un, m.n)
	size := slip.Norm()
	hold := 1.0 // share of the slip that friction takes off
	if limit := m.mu * push; size > limit {
		hold = limit / size
	}
	return m.n.Scale(push).AddScaled(-hold, slip)
}
