package mannequin

// Motions of the mannequin: poses at times, joined by cubic Hermite splines with the slopes of Catmull and Rom, angle
// by angle. They are continuous with their first derivative. A motion that repeats is closed; others hold their first
// and last pose.
//
// Every motion starts from rest: its clock τ runs slowly at first,
//
//	τ(t) = ∫₀ᵗ s(t'/ramp) dt',   s(u) = u² (3 - 2u) on [0, 1], 1 beyond,
//
// so that a garment which hangs still on the first pose is not jerked. For t < 0 the motion holds its first pose.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// Motion is a pose that changes over time.
type Motion interface {
	// At returns the pose at time t [s]. It is continuously differentiable, and constant for t ≤ 0.
	At(t float64) Pose
	// Length returns how long the motion lasts [s], or for one that repeats, its period.
	Length() float64
}

// MotionOptions are what a motion can be told.
type MotionOptions struct {
	// Tempo is how fast the motion is: 2 is twice as fast. 1 by default, above 0 and up to 10.
	Tempo float64
	// Depth is how deep the forearm goes into the chest in arm-through-chest, 0 to 0.05 [m].
	Depth float64
	// Body is the mannequin that moves. Only arm-through-chest must know it, because how far the arm has to go depends
	// on the body.
	Body *Mannequin
}

// DefaultMotionOptions returns the tempo 1, a depth of 2 cm and no body.
func DefaultMotionOptions() MotionOptions { return MotionOptions{Tempo: 1, Depth: 0.02} }

// Motions returns the names that MotionOf knows.
func Motions() []string {
	return []string{
		"dressing",
		"stand",
		"twist",
		"walk",
		"slow-dance",
		"fast-dance",
		"nod",
		"shake-head",
		"raise-arm",
		"arm-through-chest",
		"sit",
	}
}

// MotionOf returns a motion by its name.
func MotionOf(name string, o MotionOptions) (Motion, error) {
	// what cannot be played
	if !(o.Tempo > 0 && o.Tempo <= 10) {
		return nil, fmt.Errorf("a tempo of %g; it must be above 0 and at most 10", o.Tempo)
	}
	if !(o.Depth >= 0 && o.Depth <= maxDepth) {
		return nil, fmt.Errorf("a depth of %g m; it must be from 0 to %g m", o.Depth, maxDepth)
	}
	// the motion by its name
	var s *spline
	switch name {
	case "dressing":
		s = hold(DressingPose())
	case "stand":
		s = hold(StandingPose())
	case "twist":
		s = twist()
	case "walk":
		s = walk()
	case "slow-dance":
		s = slowDance()
	case "fast-dance":
		s = fastDance()
	case "nod":
		s = nod()
	case "shake-head":
		s = shakeHead()
	case "raise-arm":
		s = raiseArm()
	case "sit":
		s = sit()
	case "arm-through-chest":
		if o.Body == nil {
			return nil, fmt.Errorf("arm-through-chest must know the body: set MotionOptions.Body")
		}
		s = armThroughChest(o.Body, o.Depth)
	default:
		return nil, fmt.Errorf("no motion is called %q; there are %s", name, strings.Join(Motions(), ", "))
	}
	// each key is a pose that joints can do
	s.tempo = o.Tempo
	for _, k := range s.keys {
		if err := k.pose.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

// key is a pose at a time.
type key struct {
	t     float64
	pose  Pose
	still bool // the motion comes to rest there, so that it does not go beyond the pose
}

// spline is a motion through keys.
type spline struct {
	keys    []key // ascending in time, the first at 0
	repeats bool  // the last key is the first one again
	ramp    float64
	tempo   float64
}

// startRamp is the time in which the clock of a motion comes to its speed [s].
const startRamp = 0.5

func newSpline(repeats bool, keys ...key) *spline {
	return &spline{keys: keys, repeats: repeats, ramp: startRamp, tempo: 1}
}

func hold(p Pose) *spline { return newSpline(false, key{pose: p}) }

// Length implements Motion.
func (s *spline) Length() float64 { return s.keys[len(s.keys)-1].t / s.tempo }

// clock returns the time on the clock of the motion.
func (s *spline) clock(t float64) float64 {
	t *= s.tempo
	if t <= 0 {
		return 0
	}
	u := t / s.ramp
	if u >= 1 {
		return t - s.ramp/2
	}
	return s.ramp * u * u * u * (1 - u/2)
}

// At implements Motion.
func (s *spline) At(t float64) Pose {
	n := len(s.keys)
	if n == 1 {
		return s.keys[0].pose
	}
	t = s.clock(t)
	end := s.keys[n-1].t
	switch {
	case s.repeats:
		t = math.Mod(t, end)
	case t >= end:
		return s.keys[n-1].pose
	}
	i, found := slices.BinarySearchFunc(s.keys, t, func(k key, t float64) int {
		switch {
		case k.t < t:
			return -1
		case k.t > t:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	i = min(i, n-2)
	a, b := &s.keys[i], &s.keys[i+1]
	h := b.t - a.t
	u := (t - a.t) / h
	var out Pose
	before, after := s.neighbour(i, -1), s.neighbour(i+1, 1)
	blend := func(p0, p1, p2, p3 float64) float64 {
		m1, m2 := 0.0, 0.0
		if before.t < a.t && !a.still {
			m1 = (p2 - p0) / (b.t - before.t) * h
		}
		if after.t > b.t && !b.still {
			m2 = (p3 - p1) / (after.t - a.t) * h
		}
		// Hermite's cubic in the form of Horner.
		d := p2 - p1
		return p1 + u*(m1+u*(3*d-2*m1-m2+u*(m1+m2-2*d)))
	}
	out.Shift = r3.V(
		blend(before.pose.Shift.X, a.pose.Shift.X, b.pose.Shift.X, after.pose.Shift.X),
		blend(before.pose.Shift.Y, a.pose.Shift.Y, b.pose.Shift.Y, after.pose.Shift.Y),
		blend(before.pose.Shift.Z, a.pose.Shift.Z, b.pose.Shift.Z, after.pose.Shift.Z),
	)
	for j := range out.Angle {
		p, q, r, w := &before.pose.Angle[j], &a.pose.Angle[j], &b.pose.Angle[j], &after.pose.Angle[j]
		out.Angle[j] = Angles{
			Flex: blend(p.Flex, q.Flex, r.Flex, w.Flex),
			Side: blend(p.Side, q.Side, r.Side, w.Side),
			Turn: blend(p.Turn, q.Turn, r.Turn, w.Turn),
		}
	}
	return out
}

// neighbour returns the key before (step -1) or after (step 1) key i, with its time on the same line. At an end that
// does not repeat it is the key itself.
func (s *spline) neighbour(i, step int) key {
	j := i + step
	n := len(s.keys)
	switch {
	case j >= 0 && j < n:
		return s.keys[j]
	case !s.repeats:
		return s.keys[i]
	case j < 0:
		k := s.keys[n-2]
		k.t -= s.keys[n-1].t
		return k
	default:
		k := s.keys[1]
		k.t += s.keys[n-1].t
		return k
	}
}
