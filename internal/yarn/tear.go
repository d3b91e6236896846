package yarn

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/r3"
)

// ErrTorn means that yarns moved so fast, or were drawn apart so far, that their lengths could not be kept at all. The
// error of a step is a *TornError.
var ErrTorn = errors.New("yarns are torn")

// tornStrain is the strain at which a yarn counts as torn, if lengths are kept.
const tornStrain = 0.5

// tearing is how many times its rest length a segment may have. Yarns do not stretch; what does has gone astray, and
// looking for what touches would take longer and longer.
const tearing = 16

// TornError says where a yarn is torn, and whether what holds it draws it apart.
type TornError struct {
	Time   float64 // [s]
	Point  int     // at which the worst segment begins
	Strain float64 // of that segment

	// The points that are held on both sides of it, how far they are from each other and how much yarn is between them
	// [m]; zeros if there are none.
	Held   [2]int
	Apart  float64
	Length float64
}

// Drawn reports whether what holds the yarn is further apart than the yarn is long, by more than lengths are kept to.
func (e *TornError) Drawn() bool { return e.Apart > 1.0001*e.Length }

// Error says what is torn and why, if that is known.
func (e *TornError) Error() string {
	if e.Drawn() {
		return fmt.Sprintf("%v at t = %.6g s: points %d and %d are held %.5g m apart, with %.5g m of yarn between them",
			ErrTorn, e.Time, e.Held[0], e.Held[1], e.Apart, e.Length)
	}
	return fmt.Sprintf("%v at t = %.6g s: strain %.3g after point %d", ErrTorn, e.Time, e.Strain, e.Point)
}

// Unwrap returns ErrTorn.
func (e *TornError) Unwrap() error { return ErrTorn }

// torn tells of the segment that is strained most at x, or that it is not a number.
func (w *World) torn(x []r3.Vec) error {
	e := &TornError{Time: w.time, Strain: -1}
	for i, rest := range w.lay.rest {
		if !w.lay.hasSegment(i) {
			continue
		}
		strain := x[w.lay.next(i)].Sub(x[i]).Norm()/rest - 1
		if strain-strain != 0 {
			return fmt.Errorf("point %d at t = %.6g s: %w", i, w.time, ErrNotFinite)
		}
		if strain > e.Strain {
			e.Point, e.Strain = i, strain
		}
	}
	from, before := w.heldBeside(e.Point, w.lay.prev)
	to, behind := w.heldBeside(w.lay.next(e.Point), w.lay.next)
	if before && behind && from != to {
		e.Held, e.Apart = [2]int{from, to}, x[to].Sub(x[from]).Norm()
		for i := from; i != to; i = w.lay.next(i) {
			e.Length += w.lay.rest[i]
		}
	}
	return e
}

// heldBeside returns the first point from i on, in the direction of next, that is held.
func (w *World) heldBeside(i int, next func(int) int) (int, bool) {
	for start := i; w.inverse[i] > 0; {
		after := next(i)
		if after == i || after == start {
			return i, false
		}
		i = after
	}
	return i, true
}

// tooLong reports whether some segment is longer than any may be, as laid.
func (w *World) tooLong(x []r3.Vec) bool {
	for i, rest := range w.rest {
		if most := tearing * rest; x[w.lay.next(i)].Sub(x[i]).Norm2() > most*most {
			return true
		}
	}
	return false
}
