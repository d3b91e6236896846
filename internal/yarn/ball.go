package yarn

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Ball is a rigid ball that moves by the laws of motion. Yarns see it as an obstacle that moves in the step, and what
// they do to it changes its motion at the end of the step.
type Ball struct {
	Name     string
	Center   r3.Vec  // [m]
	Radius   float64 // [m]
	Mass     float64 // [kg]
	Velocity r3.Vec  // [m/s]
	Spin     r3.Vec  // [rad/s]
	Friction float64 // against yarns; against obstacles and other balls the smaller of both
}

// ball is what a Ball is at a time, in the order in which snapshots have it.
type ball struct {
	Pose           r3.Pose
	Velocity, Spin r3.Vec
}

// balls moves balls. Contact of balls with each other and with obstacles is solved as that of control points is,
// exactly and without restitution, by Gauss-Seidel iteration over all of them: with a sphere, what an impulse does
// along the normal and across it does not mix.
type balls struct {
	spec   []Ball
	object []int  // by ball: its number among the obstacles
	now    []ball // at the start of the step
	free   []ball // velocities that the step under way gives
	pairs  []bump
	rounds int // of the last step
}

// bump is a contact of a ball with another, or with an obstacle.
type bump struct {
	a, b    int    // b is negative for an obstacle
	n       r3.Vec // from b to a
	w       r3.Vec // velocity of the obstacle
	least   float64
	mu      float64
	impulse r3.Vec // on a [N s]
}

const (
	ballTolerance = 1e-10 // of velocities [m/s]
	ballRounds    = 500
)

// AddBall adds a ball and returns the number of the obstacle that yarns see it as.
func (w *World) AddBall(b Ball) (int, error) {
	if !(b.Radius > 0 && b.Mass > 0) || !b.Center.Finite() || !b.Velocity.Finite() || !b.Spin.Finite() {
		return 0, fmt.Errorf("ball %q: radius %g m and mass %g kg must be positive, and all else finite", b.Name, b.Radius, b.Mass)
	}
	at := r3.Translation(b.Center)
	id, err := w.AddObstacle(Obstacle{Name: b.Name, Shape: shape.Sphere{Radius: b.Radius}, Place: at, Friction: b.Friction})
	if err != nil {
		return 0, err
	}
	w.touches.objects[id].ball = true
	s := &w.balls
	s.spec, s.object = append(s.spec, b), append(s.object, id)
	s.now = append(s.now, ball{at, b.Velocity, b.Spin})
	s.free = append(s.free, ball{})
	return id, nil
}

// move finds where balls go in a step of h.
func (s *balls) move(objects []*object, gravity r3.Vec, h float64) {
	for i := range s.now {
		s.free[i] = s.now[i]
		s.free[i].Velocity = s.now[i].Velocity.AddScaled(h, gravity)
	}
	s.meet(objects, h)
	s.rounds = 0
	for s.rounds < ballRounds {
		s.rounds++
		change := 0.0
		for k := range s.pairs {
			change = max(change, s.solve(&s.pairs[k]))
		}
		if change <= ballTolerance {
			break
		}
	}
	for i := range s.free {
		f := &s.free[i]
		turn := f.Spin.Scale(h)
		f.Pose = r3.Pose{R: r3.Rotation(turn, turn.Norm()).Mul(f.Pose.R).Unit(), T: f.Pose.T.AddScaled(h, f.Velocity)}
		if turn == (r3.Vec{}) {
			f.Pose.R = s.now[i].Pose.R
		}
		objects[s.object[i]].next = f.Pose
	}
}

// meet lists contacts of balls that a step of h may close.
func (s *balls) meet(objects []*object, h float64) {
	s.pairs = s.pairs[:0]
	put := func(b bump, gap, reach float64) {
		if gap > reach {
			return
		}
		b.least = leastApart(gap, h)
		s.pairs = append(s.pairs, b)
	}
	for a := range s.free {
		x, r := s.free[a].Pose.T, s.spec[a].Radius
		speed := s.free[a].Velocity.Norm()
		for b := range a {
			d := x.Sub(s.free[b].Pose.T)
			length := d.Norm()
			if length == 0 {
				continue
			}
			reach := 2*h*(speed+s.free[b].Velocity.Norm()) + 1e-3*r
			put(bump{a: a, b: b, n: d.Scale(1 / length), mu: min(s.spec[a].Friction, s.spec[b].Friction)}, length-r-s.spec[b].Radius, reach)
		}
		for o, k := range objects {
			if k.ball {
				continue
			}
			d, n, moved := k.meet(x)
			mu := min(s.spec[a].Friction, k.spec.Friction)
			put(bump{a: a, b: -1 - o, n: n, w: moved.Scale(1 / h), mu: mu}, d-r, 2*(h*speed+k.travel)+1e-3*r)
		}
	}
}

// solve finds the impulse of one contact with all others as they are, and returns by how much it changed a velocity.
func (s *balls) solve(p *bump) float64 {
	// What an impulse by itself does to the velocity between the surfaces: 1/m along the normal, and across it
	// r²/I = 5/(2 m) of a solid ball more.
	inverse := 1 / s.spec[p.a].Mass
	if p.b >= 0 {
		inverse += 1 / s.spec[p.b].Mass
	}
	across := 3.5 * inverse
	u := s.surface(p)
	un := u.Dot(p.n)
	rn := p.impulse.Dot(p.n)
	push := max(0, rn+(p.least-un)/inverse)
	slip := u.AddScaled(-un, p.n)
	rt := p.impulse.AddScaled(-rn, p.n).AddScaled(-1/across, slip)
	if size := rt.Norm(); size > p.mu*push {
		rt = rt.Scale(p.mu * push / size)
	}
	impulse := rt.AddScaled(push, p.n)
	change := impulse.Sub(p.impulse)
	p.impulse = impulse
	s.kick(p.a, change, p.n.Scale(-s.spec[p.a].Radius))
	if p.b >= 0 {
		s.kick(p.b, change.Neg(), p.n.Scale(s.spec[p.b].Radius))
	}
	return change.MaxAbs() * across
}

// surface returns the velocity of the surface of a at a contact against that of b.
func (s *balls) surface(p *bump) r3.Vec {
	at := func(i int, arm r3.Vec) r3.Vec { return s.free[i].Velocity.Add(s.free[i].Spin.Cross(arm)) }
	u := at(p.a, p.n.Scale(-s.spec[p.a].Radius))
	if p.b >= 0 {
		return u.Sub(at(p.b, p.n.Scale(s.spec[p.b].Radius)))
	}
	return u.Sub(p.w)
}

// kick gives a ball an impulse at an arm from its centre.
func (s *balls) kick(i int, impulse, arm r3.Vec) {
	b := &s.spec[i]
	s.free[i].Velocity = s.free[i].Velocity.AddScaled(1/b.Mass, impulse)
	s.free[i].Spin = s.free[i].Spin.AddScaled(2.5/(b.Mass*b.Radius*b.Radius), arm.Cross(impulse))
}

// commit makes the end of a step of h the state, with what yarns did to balls in it.
func (s *balls) commit(objects []*object, h float64) {
	for i := range s.now {
		load := &objects[s.object[i]].load
		b := &s.spec[i]
		s.free[i].Velocity = s.free[i].Velocity.AddScaled(h/b.Mass, load.Force)
		s.free[i].Spin = s.free[i].Spin.AddScaled(2.5*h/(b.Mass*b.Radius*b.Radius), load.Torque)
		s.now[i] = s.free[i]
	}
}

// ObstaclePose returns where the axes of an obstacle or a ball are; of a mesh that deforms those of the world.
func (w *World) ObstaclePose(obstacle int) r3.Pose { return w.touches.objects[obstacle].pose }

// ObstacleDistance returns how far a place is from the surface of an obstacle or a ball as it is now, negative inside
// [m].
func (w *World) ObstacleDistance(obstacle int, x r3.Vec) float64 {
	k := w.touches.objects[obstacle]
	d, _ := k.field().Distance(k.pose.Inverse().Apply(x))
	return d
}

// BallVelocity returns the velocity and the spin of a ball by the number of its obstacle; zero for others.
func (w *World) BallVelocity(obstacle int) (velocity, spin r3.Vec) {
	for i, o := range w.balls.object {
		if o == obstacle {
			return w.balls.now[i].Velocity, w.balls.now[i].Spin
		}
	}
	return r3.Vec{}, r3.Vec{}
}
