package mannequin

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Film is a mannequin that moves. Before the clock starts it goes from the dressing pose to the first pose of its
// motion: it begins at t = -Lead-Hold, arrives at t = -Hold and waits. It is a deformation of an obstacle, and may be
// used by several goroutines.
type Film struct {
	Body   *Mannequin
	Motion Motion
	Lead   float64 // time from the dressing pose to the first pose [s]; 0: it is there from the beginning
	Hold   float64 // rest in the first pose before t = 0 [s]
}

// Validate lists everything wrong with the film.
func (f *Film) Validate() error {
	var faults []error
	if f.Body == nil || f.Motion == nil {
		faults = append(faults, errors.New("a film needs a body and a motion"))
	}
	for _, k := range []struct {
		name string
		time float64
	}{{"lead", f.Lead}, {"hold", f.Hold}} {
		if !(k.time >= 0) || math.IsInf(k.time, 1) {
			faults = append(faults, fmt.Errorf("%s of %g s; it must be zero or positive", k.name, k.time))
		}
	}
	return errors.Join(faults...)
}

// Pose returns the pose at time t [s].
func (f *Film) Pose(t float64) Pose {
	to := f.Motion.At(t)
	u := 1.0
	if f.Lead > 0 {
		u = ramp(t+f.Hold, -f.Lead, 0)
	}
	if u == 1 {
		return to
	}
	from := DressingPose()
	return from.Lerp(&to, u)
}

// At writes where the vertices are at time t [s] to out. It fails if the motion goes beyond the limits of a joint, or
// if out has another length.
func (f *Film) At(t float64, out []r3.Vec) error {
	if len(out) != f.Body.Vertices() {
		return fmt.Errorf("a mannequin of %d vertices is written to %d", f.Body.Vertices(), len(out))
	}
	p := f.Pose(t)
	if !p.within() {
		return fmt.Errorf("mannequin at t = %.6g s: %w", t, p.Validate())
	}
	f.Body.Skin(&p, out)
	return nil
}
