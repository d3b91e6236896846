package untangle

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/par"
)

// SpaceOptions are the settings of Space.Open. Lengths in the constants of [Minor18] are taken to be centimetres: with
// its values a push fades over √(k_d/k_a) = 1.4 of them, which as metres would move whole bodies, and its figures give
// margins in centimetres.
type SpaceOptions struct {
	// Margin is the gap to make between opposing surfaces [m], 0 or more.
	Margin float64
	// Deform is k_d, the resistance to change of shape, positive; 1 in [Minor18].
	Deform float64
	// Anchor is k_a, the resistance to being moved at all [1/cm²], 0 or more; typically 0.5 [Minor18].
	Anchor float64
	// Push is k_i, what drives surfaces apart [1/cm²], positive; around 10 [Minor18].
	Push float64
	// Iterations is how often interference is found anew and the energy minimized; 4 are normally sufficient [Minor18].
	Iterations int
	// Depth is how deep a vertex may be inside and still find its way out [m], positive. It is about the thickness of a
	// limb: further back the first surface met is that of another part.
	Depth float64
	// UntilClear goes on after the iterations, and pushes harder where triangles still cross, until none does, up to
	// Rounds more times.
	UntilClear bool
	Rounds     int
	// Gap is the share of the vertices that interfered which must have 80 % of the gap asked for before UntilClear is
	// content, 0 to 1. In sequences it is better 0: going on differently from frame to frame makes the correction jump.
	Gap float64
	// Team does the work; nil: the caller alone. It does not change results.
	Team *par.Team
	// Lap, if not nil, is called at the end of each phase with its name, so that a caller can tell what takes how long:
	// place (boxes and weights), inside, near, solve, or count (crossings).
	Lap func(phase string)
}

// DefaultSpaceOptions returns the settings of [Minor18] with a margin of 5 mm, the middle one of its figure 2.
func DefaultSpaceOptions() SpaceOptions {
	return SpaceOptions{
		Margin:     0.005,
		Deform:     1,
		Anchor:     0.5,
		Push:       10,
		Iterations: 4,
		Depth:      0.1,
		Rounds:     60,
		Gap:        0.95,
	}
}

// Validate lists everything that is wrong with the options.
func (o *SpaceOptions) Validate() error {
	var faults []error
	check := func(ok bool, name string, value float64, want string) {
		if !ok || math.IsInf(value, 0) {
			faults = append(faults, fmt.Errorf("%s %g is not %s", name, value, want))
		}
	}
	check(o.Margin >= 0, "margin", o.Margin, "0 or more")
	check(o.Deform > 0, "deform", o.Deform, "positive")
	check(o.Anchor >= 0, "anchor", o.Anchor, "0 or more")
	check(o.Push > 0, "push", o.Push, "positive")
	check(o.Depth > 0, "depth", o.Depth, "positive")
	check(o.Gap >= 0 && o.Gap <= 1, "gap", o.Gap, "between 0 and 1")
	if o.Iterations < 1 {
		faults = append(faults, fmt.Errorf("iterations %d are fewer than 1", o.Iterations))
	}
	if o.Rounds < 0 {
		faults = append(faults, fmt.Errorf("rounds %d are fewer than 0", o.Rounds))
	}
	return errors.Join(faults...)
}

// SpaceStats tells how Open went.
type SpaceStats struct {
	// CrossingsBefore and CrossingsAfter are pairs of triangles that cross, by the exact test. Before is counted as the
	// body was given. In a region they are those with a triangle that has a vertex in it.
	CrossingsBefore, CrossingsAfter int
	// InsideBefore and InsideAfter are vertices inside the body, of those looked at.
	InsideBefore, InsideAfter int
	// NearBefore and NearAfter are vertices outside whose gap is less than 80 % of what is asked for.
	NearBefore, NearAfter int
	// Lost are vertices inside that find no way out within the depth, at the end.
	Lost int
	// Hidden are vertices of shells that are inside others as a whole and cross nothing, such as eyes or bones. They
	// are left alone, nothing is pushed from them, and they do not count as inside.
	Hidden int
	// Relented are zones that were left as they were given, because with all that was tried more crossed in them.
	Relented int
	// Uncertain are vertices of which no ray could tell whether they are inside, at the end: such that lie exactly on
	// another triangle, or have no outward direction.
	Uncertain int
	// Active is the largest number of vertices that were free to move.
	Active int
	// Touched are vertices that were in interference at any time.
	Touched int
	// Move is the furthest that a vertex has moved [m].
	Move float64
	// Energy is E as it was given and after each iteration, with what interferes found anew [m²].
	Energy []float64
	// Iterations and Rounds are those done, Solves the steps of conjugate gradients in them.
	Iterations, Rounds, Solves int
}

// Clear reports whether nothing crosses or is inside any more.
func (s *SpaceStats) Clear() bool { return s.CrossingsAfter == 0 && s.InsideAfter == 0 }
