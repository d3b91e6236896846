// What pictures of one run have in common, found without keeping the frames.
//
// Pictures can be compared, and a film does not jump, only if the camera, the colour scale and the length of
// arrows are the same in all of them. A survey looks at the frames one after another first. What it keeps does
// not grow with their number: the extremes that the camera follows from, a box, and a histogram of values on
// a logarithmic scale, sixteen bins to a doubling, so that quantiles are right to 1/16 of an octave, 4.4 %.

package draw

import (
	"image"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Viewpoint says where a picture is taken from.
type Viewpoint struct {
	// Dir points from the scene to the eye, which stands as near as it can; zero: from the front, right and
	// above.
	Dir r3.Vec
	// Eye, if it is not nil, is where the camera is [m], and the angle follows from what is to be seen.
	Eye *r3.Vec
	// At, if it is not nil, is what an Eye looks at [m]; the middle of the scene otherwise.
	At *r3.Vec
	// Whole takes in all obstacles, not only what cloths touch.
	Whole bool
}

// Survey is what pictures of a run have in common. Every frame is first shown to Add, then drawn by Render.
type Survey struct {
	// Range, if it is not nil, are the values of the first and the last colour, instead of those found.
	Range *[2]float64

	look    *Look
	from    Viewpoint
	aspect  float64
	frame   *framing
	box     r3.Box
	low     float64 // lowest point of an obstacle
	values  spread
	arrows  spread
	scale   *Scale // nil until all frames are known
	camera  Camera
	settled bool
}

// NewSurvey begins a survey for pictures of width x height pixels.
func NewSurvey(look *Look, from Viewpoint, width, height int) *Survey {
	aspect := float64(max(width, 1)) / float64(max(height, 1))
	return &Survey{
		look:   look,
		from:   from,
		aspect: aspect,
		frame:  newFraming(from.Dir, aspect),
		box:    r3.EmptyBox(),
		low:    math.Inf(1),
	}
}

// Add takes in a frame that will be drawn.
func (s *Survey) Add(shot *Shot) {
	s.settled = false
	s.Frame(shot)
	for i := range shot.bodies {
		for _, x := range shot.bodies[i].Scalar {
			s.values.add(x)
		}
	}
	for _, a := range shot.arrows {
		s.arrows.add(a.Along.Norm())
	}
	s.frameTips(shot.arrows)
}

// frameTips has the camera take in arrows, as long as they would be if there were no further frames.
func (s *Survey) frameTips(arrows []Arrow) {
	large, reach := s.arrows.quantile(0.95), arrowReach*s.box.Size().Norm()
	for _, a := range arrows {
		if size := a.Along.Norm(); large > 0 && size > 0 {
			s.frame.add(a.At.AddScaled(min(size/large, arrowMost)*reach/size, a.Along))
		}
	}
}

// Frame takes in a frame that will not be drawn but that the camera is to take in.
func (s *Survey) Frame(shot *Shot) {
	s.settled = false
	s.low = min(s.low, shot.lowest())
	shot.look(!s.from.Whole, func(p r3.Vec) {
		s.frame.add(p)
		if p.Finite() {
			s.box = s.box.With(p)
		}
	})
}

// settle draws the conclusions from the frames seen.
func (s *Survey) settle() {
	s.settled = true
	s.camera = s.frame.camera()
	if eye := s.from.Eye; eye != nil {
		target := s.box.Center()
		if s.from.At != nil {
			target = *s.from.At
		}
		s.camera = FitFrom(*eye, target, s.box, s.aspect)
	}
	s.scale = nil
	q := s.look.Quantity
	if q == nil {
		return
	}
	if q.Classes != nil {
		s.scale = &Scale{Label: "contact", Classes: q.Classes}
		return
	}
	s.scale = &Scale{Label: q.Name, Unit: q.Unit}
	if s.values.count > 0 {
		s.scale.Min, s.scale.Max = s.values.min, s.values.max
	}
	if q.Touch {
		s.scale.Min = min(s.scale.Min, 0)
	}
	// A few contacts met at speed would make all others look alike.
	if most := s.values.quantile(0.99); q.Skewed && most < s.scale.Max/2 && most > s.scale.Min {
		s.scale.Max, s.scale.Beyond = most, true
	}
	if s.Range != nil {
		s.scale.Beyond = s.Range[1] < s.values.max
		s.scale.Min, s.scale.Max = s.Range[0], s.Range[1]
	}
}

// arrowReach is the length of the arrow of a large impulse, in diagonals of the scene, and arrowMost that of the
// largest arrow, in lengths of a large one: a single hard contact must not cross the picture.
const (
	arrowReach = 0.12
	arrowMost  = 2
)

// Render draws a frame. Of the options, the survey replaces Ground, Scale, Arrows and ArrowUnit.
func (s *Survey) Render(shot *Shot, opt Options) *image.RGBA {
	if !s.settled {
		s.settle()
	}
	surfaces, ground := shot.dress(s.box, s.low)
	opt.Ground, opt.Scale, opt.Arrows = ground, s.scale, nil
	if large := s.arrows.quantile(0.95); large > 0 {
		perUnit := arrowReach * s.box.Size().Norm() / large
		opt.ArrowUnit = "N s"
		opt.ArrowKey = roundLength(large)
		opt.ArrowScale = perUnit
		opt.Arrows = slices.Clone(shot.arrows)
		for i, a := range opt.Arrows {
			if size := a.Along.Norm(); size > arrowMost*large {
				opt.Arrows[i].Along = a.Along.Scale(arrowMost * large / size)
			}
		}
	}
	return Render(surfaces, s.camera, opt)
}

// spread is a summary of numbers. Its quantiles are for positive ones.
type spread struct {
	count    int
	min, max float64
	bins     map[int]int // of positive numbers, by 16 log₂ x
	positive int
}

const perOctave = 16

func (s *spread) add(x float64) {
	if x-x != 0 {
		return // not finite
	}
	if s.count == 0 {
		s.min, s.max, s.bins = x, x, map[int]int{}
	}
	s.count++
	s.min, s.max = min(s.min, x), max(s.max, x)
	if x > 0 {
		s.bins[int(math.Floor(perOctave*math.Log2(x)))]++
		s.positive++
	}
}

// quantile returns a number that the given share of all numbers does not exceed, and 0 if too few are positive.
func (s *spread) quantile(share float64) float64 {
	above := int(float64(s.count) * (1 - share))
	if s.positive <= above {
		return 0
	}
	// Bins from the top; their number is bounded by the range of float64.
	for bin := int(math.Floor(perOctave * math.Log2(s.max))); ; bin-- {
		above -= s.bins[bin]
		if above < 0 {
			return min(math.Exp2(float64(bin+1)/perOctave), s.max)
		}
	}
}
