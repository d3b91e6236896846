package yarn

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// K27: knits are pulled by two opposite edges. Stockinette gives more along its courses than along its wales, a rib
// along its courses more than stockinette, garter stitch along its wales.
var stretchedKnits = verify.Case{
	ID: "K27", Title: "knits are stretched", Source: "textbooks of knitting",
	Body: func(t *verify.Trial) {
		size, most, force, patterns := 16, 2.5, stretchForce, swatchPatterns
		if !t.Options.Full {
			size, most, force, patterns = 8, 0.3, 0.5*stretchForce, patterns[:1]
		}
		along, up := map[string]*stretchCurve{}, map[string]*stretchCurve{}
		for _, p := range patterns {
			rest := knitSwatch(
				t, swatchOptions{swatchPattern: p, wales: size, courses: size, material: swatchYarn()}, nil,
			)
			rest.keepLevel(all)
			rest.relax(most)
			along[p.name], up[p.name] = rest.stretch(true, force), rest.stretch(false, force)
		}
		ratio := func(quantity string, a, b *stretchCurve, least float64) {
			quantity += fmt.Sprintf(", at %g N each", force)
			t.Row(verify.Row{
				Quantity: quantity, Measured: a.at(force) / b.at(force), Bar: verify.AtLeast, Limit: least,
			})
		}
		ratio("stockinette: strain along courses over that along wales", along["stockinette"], up["stockinette"], 1.3)
		if t.Options.Full {
			ratio(
				"along courses: strain of rib over that of stockinette", along["rib 2 x 2"], along["stockinette"], 1.5,
			)
			ratio("along wales: strain of garter over that of stockinette", up["garter"], up["stockinette"], 1.3)
		}
		stretchPlot(t, "k27-courses", "along courses", "force a course [N]", patterns, along)
		stretchPlot(t, "k27-wales", "along wales", "force a wale [N]", patterns, up)
	},
}

// stretchForce is the force a course or wale that strains are compared at [N]: six times EI/D², at which loops begin to
// be taut and knits are twice as long as at rest. At ten times as much a garter stitch that is pulled along its courses
// is pulled through itself, at a strain of 1.3 or more, and says so; yarns of this contact stiffness are pulled through
// each other by 1 N.
const stretchForce = 0.002

// stretchCurve is a force by strain.
type stretchCurve struct {
	strain, force []float64
	unequal       float64 // by how much the forces at the two ends differ in the end, relative
}

// at returns the strain at which a force is reached first, or what is not a number.
func (c *stretchCurve) at(force float64) float64 {
	k := slices.IndexFunc(c.force, func(f float64) bool { return f >= force })
	if k <= 0 {
		return math.NaN()
	}
	share := (force - c.force[k-1]) / (c.force[k] - c.force[k-1])
	return c.strain[k-1] + share*(c.strain[k]-c.strain[k-1])
}

// pull is a motion that draws away at a speed that it reaches within a time of beginning.
type pull struct {
	speed     r3.Vec
	beginning float64
}

// At implements yarn.Motion.
func (p pull) At(time float64) r3.Pose {
	way := time - p.beginning/2
	if time < p.beginning {
		way = time * time / (2 * p.beginning)
	}
	return r3.Translation(p.speed.Scale(way))
}

// stretch pulls a relaxed swatch by the outermost loops of two opposite edges until the force is reached, along its
// courses or along its wales. The life lines, which do not stretch, grow faster than the swatch so that they do not
// hold it.
func (s *swatch) stretch(courses bool, force float64) *stretchCurve {
	const rate, window, most, slack = 0.8, 0.02, 2.5, 1.2
	// ends, and the direction of the pull
	ends, loops := stretchEnds(s.fabric, courses)
	axis, across, what := r3.V(0, 1, 0), s.wales, "along wales"
	if courses {
		axis, across, what = r3.V(1, 0, 0), s.courses, "along courses"
	}
	// how far they are apart
	at := s.world.Positions()
	var middle [2]float64
	for k, points := range ends {
		for _, i := range points {
			middle[k] += at[i].Dot(axis) / float64(len(points))
		}
	}
	length := middle[1] - middle[0]
	// one end is held and one drawn away
	motion := pull{axis.Scale(rate * length), 0.1}
	s = s.again(yarn.Hold{Points: ends[0]}, yarn.Hold{Points: ends[1], Motion: motion})
	s.keepLevel(all)
	// life lines that grow
	grown := make([]float64, len(at))
	for i := range grown {
		grown[i] = 1
		if courses && i >= loops {
			grown[i] = 1 + slack*most
		}
	}
	s.t.Must(s.world.Ramp(grown, most/rate))
	// what holds the ends
	var impulse [2]float64
	s.each = func() {
		for k, points := range ends {
			for _, i := range points {
				impulse[k] += s.stats.Length * s.world.Reaction(i).Dot(axis)
			}
		}
	}
	// force over strain, until it is reached
	curve := &stretchCurve{[]float64{0}, []float64{0}, 0}
	for now := 0.0; s.world.Time() < most/rate && now < 1.1*force; {
		impulse = [2]float64{}
		s.advance(window)
		s.t.At(s.name, s.world.Time(), most/rate)
		now = -impulse[1] / (window * float64(across))
		curve.strain = append(curve.strain, motion.At(s.world.Time()-window/2).T.Dot(axis)/length)
		curve.force = append(curve.force, now)
		curve.unequal = math.Abs(1 + impulse[0]/impulse[1])
	}
	s.kept("pulled " + what)
	return curve
}

// stretchEnds returns the control points of the loops at two opposite edges: the first and last wale, or course. Points
// from the number loops on are those of life lines, which are not among them.
func stretchEnds(f *knit.Fabric, courses bool) (ends [2][]int, loops int) {
	loops = len(f.Yarns[0].Points)
	for i := range loops {
		place, course := f.LoopOf(i)
		last := f.Wales - 1
		if !courses {
			place, last = course, f.Courses-1
		}
		switch place {
		case 0:
			ends[0] = append(ends[0], i)
		case last:
			ends[1] = append(ends[1], i)
		}
	}
	return ends, loops
}

// stretchPlot draws the curves of all patterns, and notes some of their strains.
func stretchPlot(
	t *verify.Trial, name, title, force string, patterns []swatchPattern, curves map[string]*stretchCurve,
) {
	p := draw.Plot{Title: "K27: knits pulled " + title, X: "strain", Y: force}
	for _, pattern := range patterns {
		c := curves[pattern.name]
		p.Series = append(p.Series, draw.Series{Name: pattern.name, X: c.strain, Y: c.force, Style: draw.Line})
		for _, f := range []float64{0.0002, 0.0003, 0.0005, 0.001, stretchForce} {
			if strain := c.at(f); !math.IsNaN(strain) {
				t.Note("%s, pulled %s: strain %.3f at %g N", pattern.name, title, strain, f)
			}
		}
		t.Note("%s, pulled %s: in the end forces at the two ends differ by %.1f %%", pattern.name, title, 100*c.unequal)
	}
	t.Plot(name, p)
}
