package verify

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/knit"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/yarn"
)

// K24 and K26: knits of the same yarn with the same loops, pressed flat and relaxed. Knitters know that a rib draws
// together, that garter stitch is short, and Munden found that the loops of stockinette have much the same shape
// whatever the yarn: l/course 5.0 to 5.5, l/wale 3.8 to 4.2, with the yarn l in a loop. The band around it is wide since
// our yarn is frictionless and elastic.
var swatchesAtRest = Case{
	ID: "K24", Title: "swatches at rest, also K26", Source: "textbooks of knitting; Munden 1959",
	run: func(t *trial) {
		size, most, patterns := 40, 2.5, swatchPatterns
		if !t.Options.Full {
			size, most, patterns = 10, 0.5, patterns[:3]
		}
		wale, course := map[string]float64{}, map[string]float64{}
		var shown []*swatch
		for _, p := range patterns {
			s := t.knitSwatch(swatchOptions{swatchPattern: p, size: size, material: swatchYarn()}, nil)
			s.keepLevel(all)
			rested := s.relax(most)
			w, c := s.spacing()
			wale[p.name], course[p.name] = w, c
			s.kept("relaxed")
			d := 2 * s.material.Radius
			t.note("%s, %d x %d loops: at rest: %v, after %.2g s; l/wale %.3f, l/course %.3f; in the middle a wale is %.3f and a "+
				"course %.3f D wide, and the fabric %.2f D thick; %.2f contacts a loop",
				p.name, size, size, rested, s.world.Time(), swatchLoop*d/w, swatchLoop*d/c, w/d, c/d, s.thickness()/d,
				float64(s.stats.Contact.Sets)/float64(size*size))
			shown = append(shown, s)
		}
		plain := swatchPatterns[0].name
		loop := swatchLoop * 2 * swatchYarn().Radius
		t.row(Row{Quantity: "stockinette: l/course", Expected: 5.25, Measured: loop / course[plain], Bar: Absolute, Limit: 0.75})
		t.row(Row{Quantity: "stockinette: l/wale", Expected: 4.15, Measured: loop / wale[plain], Bar: Absolute, Limit: 0.65})
		t.row(Row{
			Quantity: "K26: height of garter over that of stockinette", Measured: course["garter"] / course[plain], Bar: AtMost, Limit: 0.9,
		})
		rib := Row{Quantity: "K26: width of rib over that of stockinette", Measured: wale["rib 2 x 2"] / wale[plain], Bar: AtMost, Limit: 0.85}
		if t.Options.Full {
			t.row(rib)
		} else {
			t.note("%s: %.3f, after %g s; a rib draws together slowly", rib.Quantity, rib.Measured, most)
		}
		t.swatchPicture("k24-swatches", shown, size)
		t.swatchPicture("k24-loops", shown, min(size, 8))
	},
}

// K25: an edge of stockinette that is let go curls: top and bottom to the knit face, sides to the purl face. The other
// two are held straight, since a fabric cannot curl both ways. Knits that look the same from both sides do not curl.
var curlingEdges = Case{
	ID: "K25", Title: "edges of knits curl", Source: "textbooks of knitting",
	run: func(t *trial) {
		size, flat, free, patterns := 24, 0.5, 1.0, swatchPatterns
		if !t.Options.Full {
			size, flat, free, patterns = 12, 0.25, 0.3, patterns[:1]
		}
		for _, p := range patterns {
			o := swatchOptions{swatchPattern: p, size: size, material: swatchYarn()}
			start := t.knitSwatch(o, nil)
			start.keepLevel(all)
			start.relax(flat)
			at := start.world.Positions()
			last := (size - 1) / swatchPeriod
			sides := t.knitSwatch(o, at)
			sides.keepLevel(func(wale, course int) bool { return course == 0 || course == last })
			sides.free(free)
			ends := t.knitSwatch(o, at)
			ends.keepLevel(func(wale, course int) bool { return wale == 0 || wale == last })
			ends.free(free)
			for _, e := range []swatchEdge{leftEdge, rightEdge} {
				t.curlRow(sides, e, -1)
			}
			for _, e := range []swatchEdge{bottomEdge, topEdge} {
				t.curlRow(ends, e, 1)
			}
			sides.kept("sides free")
			ends.kept("ends free")
		}
	},
}

// free lets a swatch move for some time [s].
func (s *swatch) free(duration float64) {
	const every = 0.1
	for range int(math.Round(duration / every)) {
		s.advance(every)
		s.t.at(s.name, s.world.Time(), duration)
		swatchTell(s, 0)
	}
}

// curlRow holds the curl of an edge to what the pattern should do: turn to the side of the sign, or stay flat. Small
// swatches are held to the sign only.
func (t *trial) curlRow(s *swatch, e swatchEdge, sign float64) {
	degrees := s.curl(e) * 180 / math.Pi
	r := Row{Quantity: fmt.Sprintf("%s, %d x %d loops: %v edge turns", s.name, s.size, s.size, e), Unit: "°"}
	switch {
	case s.name != swatchPatterns[0].name:
		r.Quantity += ", size of the angle"
		r.Measured, r.Bar, r.Limit = math.Abs(degrees), AtMost, 10
	case sign > 0:
		r.Quantity += " to the knit face by"
		r.Measured, r.Bar, r.Limit = degrees, AtLeast, 30
	default:
		r.Quantity += " to the purl face by"
		r.Measured, r.Bar, r.Limit = -degrees, AtLeast, 30
	}
	if !t.Options.Full {
		r.Limit = 5
	}
	t.row(r)
}

// K29: linear models of contact, renewed at a tolerance, leave the size of a relaxed swatch as it is.
var swatchLinear = Case{
	ID: "K29", Title: "linear contact leaves the size of a swatch", Source: "exact contact",
	run: func(t *trial) {
		size, most, taus := 20, 1.0, []float64{0.04, 0.1}
		if !t.Options.Full {
			size, most, taus = 8, 0.4, taus[:1]
		}
		o := swatchOptions{swatchPattern: swatchPatterns[0], size: size, material: swatchYarn()}
		exact := t.knitSwatch(o, nil)
		exact.keepLevel(all)
		exact.free(most)
		wale, course := exact.spacing()
		for _, tau := range taus {
			o.mode, o.tau = yarn.ContactLinear, tau
			s := t.knitSwatch(o, nil)
			s.keepLevel(all)
			s.free(most)
			w, c := s.spacing()
			off := max(math.Abs(w/wale-1), math.Abs(c/course-1))
			name := fmt.Sprintf("%d x %d loops, τ = %g: width or height off that with exact contact", size, size, tau)
			if tau == 0.04 {
				t.row(Row{Quantity: name, Measured: off, Bar: AtMost, Limit: 0.01})
			} else {
				t.note("%s: %.4f", name, off)
			}
			s.kept(fmt.Sprintf("τ = %g", tau))
		}
	},
}

// swatchPicture draws the middle of swatches, so many loops of each, beside each other and at one scale, from the front
// and a little from above.
func (t *trial) swatchPicture(name string, shown []*swatch, loops int) {
	const pixels, gap = 400, 2 // of a swatch; in wales as laid
	var surfaces []draw.Surface
	right := 0.0
	for _, s := range shown {
		c := s.window(loops)
		box := r3.EmptyBox()
		for _, p := range c.Points {
			box = box.With(p)
		}
		for i, p := range c.Points { // standing, as the ground is level
			c.Points[i] = r3.V(p.X-box.Min.X+right, -p.Z, p.Y-box.Center().Y)
		}
		right += box.Size().X + gap*knit.WaleSpacing*2*s.material.Radius
		m := c.Tubes(4, 10)
		surfaces = append(surfaces, draw.Surface{Name: s.name, Positions: m.Positions, Triangles: m.Triangles})
	}
	opt := draw.DefaultOptions()
	opt.Width, opt.Height, opt.Workers = pixels*len(shown), pixels, t.Workers
	aspect := float64(opt.Width) / float64(opt.Height)
	camera := draw.Fit(draw.Bounds(surfaces), r3.V(0, -1, 0.25), aspect)
	t.Plots = append(t.Plots, Figure{Name: name, Picture: draw.Render(surfaces, camera, opt)})
}

// window returns the yarns of the middle, so many loops to a side: a piece for each course.
func (s *swatch) window(loops int) *meshio.Curves {
	c := &meshio.Curves{Name: s.name, Radius: s.material.Radius}
	x := s.world.Positions()
	lo := (s.size - loops) / 2
	for course := lo; course < lo+loops; course++ {
		_, a, n := s.fabric.Loop(lo, course)
		_, b, m := s.fabric.Loop(lo+loops-1, course)
		from, end := min(a, b), max(a+n, b+m)
		c.Points = append(c.Points, x[from:end]...)
		c.Counts = append(c.Counts, int32(end-from))
		c.Closed = append(c.Closed, false)
	}
	return c
}
