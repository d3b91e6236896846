package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// K24 and K26: knits of the same yarn with the same loops, pressed flat and relaxed. Knitters know that a rib draws
// together and that garter stitch is short. Of stockinette, l/course of 5.0 to 5.5 and l/wale of 3.8 to 4.2 are quoted,
// with the yarn l in a loop; the bands around these are wide since our yarn is elastic and has no friction, and since
// we have not seen the original measurements.
var swatchesAtRest = verify.Case{
	ID: "K24", Title: "swatches at rest, also K26", Source: "textbooks of knitting",
	Body: func(t *verify.Trial) {
		size, most, patterns := 40, 1.6, swatchPatterns
		if !t.Options.Full {
			size, most, patterns = 10, 0.5, patterns[:2]
		}
		var shown []*swatch
		for _, p := range patterns {
			shown = append(
				shown,
				restSwatch(
					t, swatchOptions{swatchPattern: p, wales: size, courses: size, material: swatchYarn()}, most,
				),
			)
		}
		plain, garter := shown[0], shown[1]
		plainRows(t, plain, "", t.Options.Full)
		width, height := plain.spacing()
		_, short := garter.spacing()
		t.Row(verify.Row{
			Quantity: "K26: height of garter over that of stockinette", Measured: short / height, Bar: verify.AtMost,
			Limit: 0.9,
		})
		if t.Options.Full {
			narrow, _ := shown[2].spacing()
			t.Row(verify.Row{
				Quantity: "K26: width of rib over that of stockinette", Measured: narrow / width, Bar: verify.AtMost,
				Limit: 0.85,
			})
			o := plain.swatchOptions
			kaldor := yarn.Kaldor()
			o.material.DampRate, o.material.DampConstant = kaldor.DampRate, kaldor.DampConstant
			plainRows(t, restSwatch(t, o, most), ", damped as in [Kaldor10]", false)
			front := r3.V(0, -1, 0.1)
			swatchPicture(t, "k24-swatches", shown, size, front)
			swatchPicture(t, "k24-loops", shown, 8, front)
		}
	},
}

// restSwatch relaxes a flat swatch for so long at the most [s], and notes its size.
func restSwatch(t *verify.Trial, o swatchOptions, most float64) *swatch {
	s := knitSwatch(t, o, nil)
	s.keepLevel(all)
	how := "still moving"
	if s.relax(most) {
		how = "at rest"
	}
	w, c := s.spacing()
	d := 2 * s.material.Radius
	t.Note("%v, constant damping %g m/s²: %s after %.2g s; l/wale %.3f, l/course %.3f; in the middle a wale is %.3f D "+
		"and a course %.3f D wide, the fabric %.2f D thick; %.2f contacts a loop",
		s, o.material.DampConstant, how, s.world.Time(), swatchLoop*d/w, swatchLoop*d/c, w/d, c/d, s.thickness()/d,
		float64(s.stats.Contact.Sets)/float64(o.wales*o.courses))
	s.kept("relaxed")
	return s
}

// plainRows holds the loops of stockinette to their bands. That of l/wale can be widened.
func plainRows(t *verify.Trial, s *swatch, how string, widened bool) {
	loop := swatchLoop * 2 * s.material.Radius
	w, c := s.spacing()
	t.Row(verify.Row{
		Quantity: "stockinette" + how + ": l/course", Expected: 5.25, Measured: loop / c, Bar: verify.Absolute,
		Limit: 0.75,
	})
	r := verify.Row{
		Quantity: "stockinette" + how + ": l/wale", Expected: 4.15, Measured: loop / w, Bar: verify.Absolute,
		Limit: 0.65,
	}
	if widened {
		r.Asked = r.Allowed()
		r.Limit = 0.75
		r.Why = "straight yarn without friction spreads the fabric along its courses"
	}
	t.Row(r)
}

// K25: an edge of stockinette that is let go curls: top and bottom to the knit face, sides to the purl face. The other
// two are held straight, since a fabric cannot curl both ways. Knits that look the same from both sides do not curl.
var curlingEdges = verify.Case{
	ID: "K25", Title: "edges of knits curl", Source: "textbooks of knitting",
	Body: func(t *verify.Trial) {
		long, wide, flat, free, patterns := 28, 16, 1.5, 1.5, swatchPatterns
		if !t.Options.Full {
			long, wide, flat, free, patterns = 14, 10, swatchRamp, 0.3, patterns[:1]
		}
		for _, p := range patterns {
			sides := curlSwatch(
				t, swatchOptions{swatchPattern: p, wales: wide, courses: long, material: swatchYarn()}, flat, free,
			)
			for _, e := range []swatchEdge{leftEdge, rightEdge} {
				curlRow(t, sides, e, -1)
			}
			sides.kept("sides free")
			ends := curlSwatch(
				t, swatchOptions{swatchPattern: p, wales: long, courses: wide, material: swatchYarn()}, flat, free,
			)
			for _, e := range []swatchEdge{bottomEdge, topEdge} {
				curlRow(t, ends, e, 1)
			}
			ends.kept("ends free")
			if t.Options.Full && p == swatchPatterns[0] {
				swatchPicture(t, "k25-curl", []*swatch{sides, ends}, long, r3.V(0.3, -1, 0.4))
			}
		}
	},
}

// curlSwatch relaxes a piece while it is flat, and then lets all of it go but its short edges, for times [s]. It is
// cast on and bound off loosely, so that no edge is held by a life line. Garter that is let go while it still shrinks
// folds along a course.
func curlSwatch(t *verify.Trial, o swatchOptions, flat, free float64) *swatch {
	o.loose = 0.4
	s := knitSwatch(t, o, nil)
	s.keepLevel(all)
	s.free(flat)
	s.keepLevel(func(wale, course int) bool {
		place, count := wale, o.wales
		if o.courses > o.wales {
			place, count = course, o.courses
		}
		return place == 0 || place == (count-1)/swatchPeriod
	})
	s.free(free)
	return s
}

// free lets a swatch move for some time [s].
func (s *swatch) free(duration float64) {
	const every = 0.1
	for range int(math.Round(duration / every)) {
		s.advance(every)
		s.t.At(s.name, s.world.Time(), duration)
	}
}

// curlRow holds the curl of an edge to what the pattern should do: turn to the side of the sign, or stay flat. Small
// swatches must have turned by a part of that.
func curlRow(t *verify.Trial, s *swatch, e swatchEdge, sign float64) {
	degrees := s.curl(e) * 180 / math.Pi
	r := verify.Row{Quantity: fmt.Sprintf("%v: %v edge turns", s, e), Unit: "°"}
	switch {
	case s.name != swatchPatterns[0].name:
		r.Quantity += ", size of the angle"
		r.Measured, r.Bar, r.Limit = math.Abs(degrees), verify.AtMost, 10
	case sign > 0:
		r.Quantity += " to the knit face by"
		r.Measured, r.Bar, r.Limit = degrees, verify.AtLeast, 30
	default:
		r.Quantity += " to the purl face by"
		r.Measured, r.Bar, r.Limit = -degrees, verify.AtLeast, 30
	}
	if !t.Options.Full {
		r.Asked, r.Why = r.Allowed(), "A quick run ends after 0.3 s, while small edges still turn; sides are a tenth "+
			"of the way, ends a half."
		if r.Limit = 1; sign > 0 {
			r.Limit = 6
		}
	}
	t.Row(r)
}

// K29: linear models of contact, renewed at a tolerance, leave the size of a relaxed swatch as it is.
var swatchLinear = verify.Case{
	ID: "K29", Title: "linear contact leaves the size of a swatch", Source: "exact contact",
	Body: func(t *verify.Trial) {
		size, most, taus := 20, 1.0, []float64{0.04, 0.1}
		if !t.Options.Full {
			size, most, taus = 8, 0.4, taus[:1]
		}
		o := swatchOptions{swatchPattern: swatchPatterns[0], wales: size, courses: size, material: swatchYarn()}
		exact := knitSwatch(t, o, nil)
		exact.keepLevel(all)
		exact.free(most)
		wale, course := exact.spacing()
		for _, tau := range taus {
			o.mode, o.tau = yarn.ContactLinear, tau
			s := knitSwatch(t, o, nil)
			s.keepLevel(all)
			s.free(most)
			w, c := s.spacing()
			off := max(math.Abs(w/wale-1), math.Abs(c/course-1))
			name := fmt.Sprintf("%v, τ = %g: width or height off that with exact contact", s, tau)
			if tau == 0.04 {
				t.Row(verify.Row{Quantity: name, Measured: off, Bar: verify.AtMost, Limit: 0.01})
			} else {
				t.Note("%s: %.4f", name, off)
			}
			s.kept(fmt.Sprintf("τ = %g", tau))
		}
	},
}

// swatchPicture draws the middle of swatches, so many loops of each at the most, beside each other and at one scale,
// seen from a direction; they stand upright, their fronts to -Y.
func swatchPicture(t *verify.Trial, name string, shown []*swatch, loops int, from r3.Vec) {
	const width, gap = 1200, 2 // in pixels; in wales as laid
	var surfaces []draw.Surface
	right := 0.0
	for _, s := range shown {
		c := s.window(loops)
		box := r3.EmptyBox()
		for _, p := range c.Points {
			box = box.With(p)
		}
		for i, p := range c.Points {
			c.Points[i] = r3.V(p.X-box.Min.X+right, -p.Z, p.Y-box.Center().Y)
		}
		right += box.Size().X + gap*knit.WaleSpacing*2*s.material.Radius
		m := c.Tubes(4, 10)
		surfaces = append(surfaces, draw.Surface{Name: s.name, Positions: m.Positions, Triangles: m.Triangles})
	}
	bounds := draw.Bounds(surfaces)
	opt := draw.DefaultOptions()
	opt.Width, opt.Workers = width, t.Workers
	opt.Height = int(width * bounds.Size().Z / bounds.Size().X)
	camera := draw.Fit(bounds, from, float64(opt.Width)/float64(opt.Height))
	t.Plots = append(t.Plots, verify.Figure{Name: name, Picture: draw.Render(surfaces, camera, opt)})
}

// window returns the yarns of the middle, so many loops to a side at the most: a piece for each course.
func (s *swatch) window(loops int) *meshio.Curves {
	c := &meshio.Curves{Name: s.name, Radius: s.material.Radius}
	x := s.world.Positions()
	wales, courses := min(loops, s.wales), min(loops, s.courses)
	left, bottom := (s.wales-wales)/2, (s.courses-courses)/2
	for course := bottom; course < bottom+courses; course++ {
		_, a, n := s.fabric.Loop(left, course)
		_, b, m := s.fabric.Loop(left+wales-1, course)
		from, end := min(a, b), max(a+n, b+m)
		c.Points = append(c.Points, x[from:end]...)
		c.Counts = append(c.Counts, int32(end-from))
		c.Closed = append(c.Closed, false)
	}
	return c
}
