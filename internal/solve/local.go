// The law of one row with everything else held: r = W u + b.
//
// Coulomb's law is that of coulomb.go, and a row that only pushes is one without friction. A bilateral row has u = 0,
// and so r = b. Rows of these two may lack components: W, and its inverse, are then zero in their rows and columns.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// localLaw is the law of one row with what does not depend on b prepared.
type localLaw struct {
	Coulomb
	tied bool
}

// newLocalLaw prepares the law of a contact with the given W.
func newLocalLaw(w *r3.Mat, c *contact.Contact) localLaw {
	if c.Law == contact.Bilateral {
		return localLaw{tied: true}
	}
	return localLaw{Coulomb: NewCoulomb(w, c.Mu)}
}

// Solve is that of Coulomb.
func (l *localLaw) Solve(b, guess r3.Vec) (r3.Vec, State) {
	if l.tied {
		return r3.Vec{}, Stick
	}
	return l.Coulomb.Solve(b, guess)
}

// Impulse is that of Coulomb.
func (l *localLaw) Impulse(u, b r3.Vec, state State) r3.Vec {
	if l.tied {
		return b
	}
	return l.Coulomb.Impulse(u, b, state)
}

// TieResidual returns how far u [m/s] and r [N s] are from tying the components that a row has: the larger of ‖u‖ of
// these and s ‖r‖ of the others [m/s].
func TieResidual(u, r r3.Vec, has [3]bool, s float64) float64 {
	tied, _ := split(u, has)
	_, loose := split(r, has)
	return max(tied.Norm(), s*loose.Norm())
}

// split returns the part of x in the components that a row has, and the rest.
func split(x r3.Vec, has [3]bool) (with, without r3.Vec) {
	with, without = x, x
	if has[0] {
		without.X = 0
	} else {
		with.X = 0
	}
	if has[1] {
		without.Y = 0
	} else {
		with.Y = 0
	}
	if has[2] {
		without.Z = 0
	} else {
		with.Z = 0
	}
	return with, without
}

// permitted returns the guess r of an impulse without what the law of contact c can never have.
func permitted(set *contact.Set, c int, r r3.Vec) r3.Vec {
	switch set.Contacts[c].Law {
	case contact.NormalOnly:
		return r3.Vec{X: r.X}
	case contact.Bilateral:
		r, _ = split(r, set.Has(c))
	}
	return r
}

// slack is the share of its compliance that a contact gets in directions in which nothing can move, so that W exists:
// of blocks that are prescribed in part, or of a tie whose components are not independent. What it adds to a velocity
// stays below the tolerance of any solve that rounding allows.
const slack = 1e-10

// inverseOf returns W of a contact whose blocks give way by the compliance: its inverse over the components that the
// row has.
func inverseOf(compliance *r3.Mat, set *contact.Set, c int) r3.Mat {
	if set.Contacts[c].Law == contact.Coulomb {
		return safeInverse(compliance)
	}
	has := set.Has(c)
	full, size := *compliance, compliance.Trace()
	if set.Contacts[c].Law == contact.Bilateral {
		full.AddDiagonal(slack * size)
	}
	for k, d := range [3]*float64{&full.XX, &full.YY, &full.ZZ} {
		if !has[k] {
			*d = size
		}
	}
	w := safeInverse(&full)
	for k, d := range [3]*float64{&w.XX, &w.YY, &w.ZZ} {
		if !has[k] {
			*d = 0
		}
	}
	return w
}

// safeInverse falls back to the inverse of the mean diagonal, so that a bad matrix slows the solver down but does not
// stop it.
func safeInverse(m *r3.Mat) r3.Mat {
	if inverse, ok := m.Inverse(); ok {
		return inverse
	}
	return r3.Diagonal(3 / max(m.Trace(), math.SmallestNonzeroFloat64))
}
