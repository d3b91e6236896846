package engine

import (
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/toile-sim/toile/r3"
)

// Path is a motion given by keyframes, as a map of space: x ↦ C + R(x - C) + T. It is held before the
// first key and after the last.
type Path struct {
	Center r3.Vec // C, the point that rotations turn about
	Keys   []Key  // by time, ascending
	Smooth bool   // start and stop softly at every key instead of moving evenly in between
}

// Key is where a path is at one moment.
type Key struct {
	At        float64 // [s]
	Translate r3.Vec  // T [m]
	Axis      r3.Vec  // of R; any length but zero when Angle is not zero
	Angle     float64 // of R [rad]; may be more than a turn
}

// Validate lists everything that is wrong with the path.
func (p *Path) Validate() error {
	var faults []error
	if len(p.Keys) == 0 {
		faults = append(faults, errors.New("path has no keys"))
	}
	if !p.Center.Finite() {
		faults = append(faults, errors.New("center is not finite"))
	}
	for i, k := range p.Keys {
		switch {
		case !k.Translate.Finite() || !k.Axis.Finite() || math.IsNaN(k.At-k.At) || math.IsNaN(k.Angle-k.Angle):
			faults = append(faults, fmt.Errorf("key %d is not finite", i))
		case k.Angle != 0 && k.Axis.Norm() == 0:
			faults = append(faults, fmt.Errorf("key %d turns about an axis of no length", i))
		case i > 0 && !(k.At > p.Keys[i-1].At):
			faults = append(faults, fmt.Errorf("key %d is at %g s, not after the key before it", i, k.At))
		}
	}
	return errors.Join(faults...)
}

// way returns the poses of a path by time; nil if there is none.
func (p *Path) way() func(t float64) r3.Pose {
	if p == nil {
		return nil
	}
	return p.At
}

// At returns the pose at time t [s].
func (p *Path) At(t float64) r3.Pose {
	next := sort.Search(len(p.Keys), func(i int) bool { return p.Keys[i].At > t })
	if next == 0 {
		return p.pose(p.Keys[0].Translate, p.Keys[0].rotation())
	}
	a := p.Keys[next-1]
	if next == len(p.Keys) {
		return p.pose(a.Translate, a.rotation())
	}
	b := p.Keys[next]
	s := (t - a.At) / (b.At - a.At)
	if p.Smooth {
		s = s * s * (3 - 2*s)
	}
	return p.pose(a.Translate.Lerp(b.Translate, s), between(a, b, s))
}

func (p *Path) pose(translate r3.Vec, rotation r3.Quat) r3.Pose {
	return r3.Pose{R: rotation, T: p.Center.Add(translate).Sub(rotation.Rotate(p.Center))}
}

func (k Key) rotation() r3.Quat { return r3.Rotation(k.Axis, k.Angle) }

// between returns the rotation a fraction s of the way from a to b. About a common axis the angle is
// interpolated, so that more than half a turn is possible; otherwise the shorter way is taken.
func between(a, b Key, s float64) r3.Quat {
	axis, from, to := b.Axis.Unit(), a.Angle, b.Angle
	switch {
	case b.Angle == 0:
		axis = a.Axis.Unit()
	case a.Angle == 0:
	case a.Axis.Unit().Dot(axis) < -1+1e-12:
		from = -from
	case a.Axis.Unit().Dot(axis) < 1-1e-12:
		return a.rotation().Slerp(b.rotation(), s)
	}
	return r3.Rotation(axis, (1-s)*from+s*to)
}

// mover is something that follows a path, or goes where it is sent.
type mover struct {
	path   func(t float64) r3.Pose // nil: none
	onPath bool                    // path leads it; being sent elsewhere ends that
	pose   r3.Pose                 // now
	target r3.Pose                 // where it was sent
	next   r3.Pose                 // at the end of the step under way
}

func moverOn(path func(t float64) r3.Pose, t float64) mover {
	m := mover{path: path, onPath: path != nil, pose: r3.Still()}
	if m.onPath {
		m.pose = path(t)
	}
	m.target, m.next = m.pose, m.pose
	return m
}

// moveTo sends it to a pose, where it is to be at the end of the next Step or Advance.
func (m *mover) moveTo(pose r3.Pose) { m.onPath, m.target = false, pose }

// advance finds the pose at the end of a step from t to end, on the way to where it is to be at time arrive.
func (m *mover) advance(t, end, arrive float64) {
	switch left := arrive - t; {
	case m.onPath:
		m.next = m.path(end)
	case left <= (end-t)*(1+1e-9):
		m.next = m.target
	default:
		m.next = m.pose.Lerp(m.target, (end-t)/left)
	}
}
