package knit

// The shape of a loop, in coordinates of the fabric: x along the course, y along the wale, z to the front, all in yarn
// diameters D. A loop runs from t = 0, between its wale and the one to the left, over its head at pi, to t = 2 pi:
//
//	x = (2 pi i + t + 1.5 sin 2t)/1.6,   y = 3.4375 j - 2.8125 cos t,   z = 0.78125 zeta(t)
//
// zeta is the side of the fabric on which the yarn is. With T = min(t, 2 pi - t), s0 the stitch of the loop and s1 the
// stitch of the loop above, it passes
//
//	-s0 at T = foot   below the head of the loop underneath
//	 s0 at T = leg    over that head
//	 s1 at T = flank  against the foot of the loop above
//	-s1 at T = head   and from there to pi, under the leg of the loop above
//
// with smoothsteps between, and blends with the neighbour's -s0 where the wales meet. These are the four places, on
// either side, where a loop crosses its neighbours below and above. Chosen so that with eight control points, at the
// arc lengths (k + 1/2) L/8, yarns nowhere come near each other's axis: at k L/8 seed stitch would come within 0.12 D.
//
// The numbers are an estimate of a loop. Its real shape is found by relaxing the yarn.

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Spacing of wales and courses as they are laid, in yarn diameters.
const (
	WaleSpacing   = 2 * math.Pi / 1.6
	CourseSpacing = 3.4375
)

const (
	loopHeight = 2.8125  // half of the height of a loop [D]
	loopDepth  = 0.78125 // of the axis before and behind the middle of the fabric [D]

	foot  = 0.0887 * math.Pi
	leg   = 0.4157 * math.Pi
	flank = 0.5837 * math.Pi
	head  = 0.9107 * math.Pi

	// Where a yarn is threaded through open heads, and how far their legs stay on one side for it. Feet are the mirror
	// image.
	thread    = 0.64 * math.Pi
	threadEnd = 0.70 * math.Pi

	threadDepth = 1.3 // of the legs of open loops, as a multiple of loopDepth
)

// sides holds the stitches that the shape of a loop depends on, as signs. Feet with no loop below and heads with no
// loop above are open, and shaped so that a straight yarn can be threaded through them all: feet to the front on the
// left and to the back on the right of a loop, heads the other way round.
//
// In a course with cables all loops are taller, between legs and flanks. That is where a loop of a cable goes over to
// another wale, and to the front or to the back on its way.
type sides struct {
	own, above, left, right float64
	openFeet, openHead      bool

	tall  float64 // [D]
	move  float64 // to the right [D]
	depth float64 // to the front [D]
}

// loopPoint returns where the loop of wale 0 and course 0 is at t [D].
func loopPoint(s *sides, t float64) r3.Vec {
	p := r3.V((t+1.5*math.Sin(2*t))/1.6, -loopHeight*math.Cos(t), loopDepth*s.zeta(t))
	if s.tall > 0 {
		T := min(t, 2*math.Pi-t)
		w := blend(0, 1, min(max((T-leg)/(flank-leg), 0), 1))
		away := blend(0, 1, min(1, 6*w, 6*(1-w)))
		p = p.Add(r3.V(s.move*w, s.tall*w, s.depth*away))
	}
	return p
}

func (s *sides) zeta(t float64) float64 {
	// half of the loop, and its neighbour there
	neighbour, side, T := s.left, 1.0, t
	if t > math.Pi {
		neighbour, side, T = s.right, -1, 2*math.Pi-t
	}
	// depths of the loop and of that above, or of a thread
	below, above := s.own, s.above
	if s.openFeet {
		below = threadDepth * side
	}
	if s.openHead {
		above = -threadDepth * side
	}
	switch {
	// feet, legs and head
	case T < math.Pi-threadEnd && s.openFeet:
		return blend(0, below, T/(math.Pi-threadEnd))
	case T < leg && s.openFeet:
		return below
	case T < foot:
		return -blend(neighbour, below, (T+foot)/(2*foot))
	case T < leg:
		return blend(-below, below, (T-foot)/(leg-foot))
	case T < flank:
		return blend(below, above, (T-leg)/(flank-leg))
	case T < threadEnd && s.openHead:
		return above
	case s.openHead:
		return blend(above, 0, (T-threadEnd)/(math.Pi-threadEnd))
	case T < head:
		return blend(above, -above, (T-flank)/(head-flank))
	}
	return -above
}

// blend goes from a to b by a smoothstep of w, from 0 to 1.
func blend(a, b, w float64) float64 { return a + (b-a)*w*w*(3-2*w) }
