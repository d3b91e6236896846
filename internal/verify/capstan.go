package verify

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// The heavy capstan [Larionov21] app. C: a strip of length 4 m hangs over a cylinder with half of its round, π R = 1.6
// m, covered; its ends are 1.2 ± s long. On the verge of slipping, with φ from the tangent point of the short end and w
// the weight per length,
//
//	dT/dφ = μ (T + w R sin φ) + w R cos φ,   T(0) = w (1.2 - s),   T(π) = w (1.2 + s),
//
// which is linear: T(π) e^{-μπ} - T(0) = w R ∫ e^{-μφ} (μ sin φ + cos φ) dφ. Of the integral, with I_s = ∫ e^{-μφ} sin
// φ = (1 + e^{-μπ})/(1 + μ²), I_c = ∫ e^{-μφ} cos φ = μ I_s.
const (
	capstanRadius, capstanLength = 1.6 / math.Pi, 4.0
	capstanWidth, capstanDensity = 0.1, 0.2 // [m], [kg/m²]
)

// capstanFriction returns the coefficient at which the strip with offset s is about to slip.
func capstanFriction(s float64) float64 {
	arm := (capstanLength - math.Pi*capstanRadius) / 2
	return criticalFriction(arm-s, arm+s)
}

// criticalFriction is that of a strip with ends of the given lengths.
func criticalFriction(short, long float64) float64 {
	return bisect(0, 1, 1e-15, func(mu float64) bool {
		e := math.Exp(-mu * math.Pi)
		return long*e-short > 2*mu*capstanRadius*(1+e)/(1+mu*mu)
	})
}

// capstan is a strip over a cylinder, settled.
type capstan struct {
	w     *engine.World
	id    engine.ClothID
	start *engine.Snapshot
	h     float64
	t     *trial
}

func newCapstan(t *trial, cells int, s, h float64, seed uint64) *capstan {
	return newRemeshedCapstan(t, cells, s, h, seed, nil)
}

// newRemeshedCapstan is newCapstan with a strip that is remeshed, unless size is nil.
func newRemeshedCapstan(t *trial, cells int, s, h float64, seed uint64, size *remesh.Options) *capstan {
	w, id := hungOver(t, cells, s, seed, size)
	settleInContact(t, w, h)
	return &capstan{w: w, id: id, start: w.Snapshot(), h: h, t: t}
}

// hungOver lays a strip over a cylinder with the offset s.
func hungOver(t *trial, cells int, s float64, seed uint64, size *remesh.Options) (*engine.World, engine.ClothID) {
	w, id := laid(t, capstanLength, capstanWidth, cells, 2, seed, size, halfRound(s))
	capstanCylinder(t, w, capstanLength/float64(cells), capstanWidth)
	return w, id
}

// halfRound returns the path of a strip over the cylinder with the offset s, from the end of its short arm, at -x.
func halfRound(s float64) func(along float64) r3.Vec {
	arm := (capstanLength - math.Pi*capstanRadius) / 2
	return func(along float64) r3.Vec {
		along -= arm - s
		switch phi := along / capstanRadius; {
		case phi < 0:
			return r3.V(-capstanRadius, 0, along)
		case phi > math.Pi:
			return r3.V(capstanRadius, 0, capstanRadius*math.Pi-along)
		default:
			return r3.V(-capstanRadius*math.Cos(phi), 0, capstanRadius*math.Sin(phi))
		}
	}
}

// laid returns a strip of cells along and across that lies on a path, and from there towards +y.
func laid(
	t *trial,
	length, width float64, along, across int, seed uint64, size *remesh.Options, path func(along float64) r3.Vec,
) (*engine.World, engine.ClothID) {
	m, x := shape.Grid(length, width, along, across)
	for i, p := range x {
		x[i] = path(p.X).Add(r3.V(0, p.Y, 0))
	}
	jitter(x, width, seed)
	// The weight of the long end stretches it by less than 1e-4.
	f := sheetFabric{density: capstanDensity, stretch: capstanDensity * 9.81 * 2 / 1e-4, bend: 1e-6, remesh: size}
	return sheet(t, engine.DefaultOptions(), m, x, f)
}

// capstanCylinder puts the cylinder under a strip of the given edges and width.
func capstanCylinder(t *trial, w *engine.World, edge, width float64) {
	cylinder := shape.Cylinder{Radius: underChords(capstanRadius, edge, w.Options().Contact.Thickness), Half: 3}
	obstacle(t, w, "cylinder", cylinder, shape.Along(r3.V(0, -3+width/2, 0), r3.V(0, 3+width/2, 0)))
}

// underChords returns the radius of a cylinder on which vertices come to lie at the given radius: the thickness below
// them or, where edges of the given length sag by more than that, a quarter of the thickness below the middles of
// these.
func underChords(radius, edge, thickness float64) float64 {
	middle := math.Sqrt(radius*radius - edge*edge/4)
	if radius-middle <= 0.9*thickness {
		return radius - thickness
	}
	return middle - thickness/4
}

// travel returns how far the short end rises in the given time with friction mu, but not much more than enough [m].
func (c *capstan) travel(mu, end, enough float64) float64 {
	c.t.must(c.w.Restore(c.start))
	setFriction(c.w, c.id, mu)
	before := cloths.InputPositions(c.w, c.id, nil)[0].Z
	for k := range int(math.Round(end / c.h)) {
		c.t.step(c.w, c.h)
		if up := cloths.InputPositions(c.w, c.id, nil)[0].Z - before; up > enough || k == int(math.Round(end/c.h))-1 {
			return up
		}
	}
	return 0
}

// capstanHolds is why a strip that rises by a millimetre still holds.
const capstanHolds = "half of what counts as slipping; stretching lets it creep by 0.4 mm"

// slips reports whether the strip slips: it goes farther than what its stretching could let it creep, 1e-4 of its
// length, several times.
func (c *capstan) slips(mu float64) bool { return c.travel(mu, 5, 2e-3) > 2e-3 }

// L3: the capstan with its ends 0.8 m and 1.6 m long slips at μ 0.12, 0.13 and 0.14 and holds at 0.15 and 0.16; a
// quick run leaves out the outer ones.
var capstanThreshold = Case{
	ID: "L3", Title: "heavy capstan: critical friction", Source: "[Larionov21] app. C, with π R for its μ R",
	run: func(t *trial) {
		want := capstanFriction(0.4)
		cells, lengths := []int{80}, []float64{0.01}
		if t.Options.Full {
			cells, lengths = []int{40, 80, 160}, []float64{0.01, 0.005}
		}
		for _, h := range lengths {
			capstanBrackets(t, h)
		}
		var sizes, found []float64
		for _, n := range cells {
			for _, h := range lengths {
				c := newCapstan(t, n, 0.4, h, 0)
				got := bisect(0.13, 0.15, 1e-3, c.slips)
				sizes, found = append(sizes, capstanLength/float64(n)), append(found, got)
				t.row(
					Row{
						Quantity: fmt.Sprintf("critical μ, %d cells, h = %g ms", n, 1e3*h),
						Expected: want,
						Measured: got,
						Bar:      Relative,
						Limit:    0.005,
					},
				)
			}
		}
		t.stepsRow()
		exact := draw.Series{Name: "closed form", X: []float64{0, 0.12}, Y: []float64{want, want}, Style: draw.Line}
		t.plot("l3-capstan", draw.Plot{
			Title: "L3: critical friction of the heavy capstan",
			X:     "size of elements [m]",
			Y:     "μ",
			Series: []draw.Series{
				draw.Tolerance(exact, "±0.5 %", 0.005, 0),
				exact,
				{Name: "measured", X: sizes, Y: found, Style: draw.Points},
			},
		})
	},
}

// capstanBrackets tries both sides of the threshold.
func capstanBrackets(t *trial, h float64) {
	mus := []float64{0.12, 0.13, 0.14, 0.15, 0.16}
	if !t.Options.Full {
		mus = mus[1:4]
	}
	least, most := []float64{1, 1, 1, 1, 1}, make([]float64, 5)
	for _, seed := range seeds(t) {
		c := newCapstan(t, 80, 0.4, h, seed)
		for k, mu := range mus {
			up := c.travel(mu, 5, 2e-3)
			least[k], most[k] = min(least[k], up), max(most[k], up)
		}
	}
	for k, mu := range mus {
		if mu < 0.145 {
			t.row(
				Row{
					Quantity: fmt.Sprintf(
						"μ = %g slips: least rise of the short end in 5 s, %d starts, h = %g ms (at most 2 mm counted)",
						mu,
						len(seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: least[k],
					Bar:      AtLeast,
					Limit:    2e-3,
				},
			)
		} else {
			t.row(
				Row{
					Quantity: fmt.Sprintf(
						"μ = %g holds: largest rise of the short end in 5 s, %d starts, h = %g ms",
						mu,
						len(seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: most[k],
					Bar:      AtMost,
					Limit:    1e-3,
					From:     capstanHolds,
				},
			)
		}
	}
}

// L4: the capstan at μ 0.15 with offsets of 0 to 0.64 m; the critical one is 0.42705 m.
var capstanOffset = Case{
	ID: "L4", Title: "heavy capstan: critical offset", Source: "[Larionov21] app. C",
	run: func(t *trial) {
		const mu, h = 0.15, 0.01
		want := bisect(0, 1, 1e-15, func(s float64) bool { return capstanFriction(s) < mu })
		var holds, slides draw.Series
		for _, s := range []float64{0, 0.16, 0.32, 0.48, 0.64} {
			up := newCapstan(t, 80, s, h, 0).travel(mu, 5, 2e-3)
			row := Row{
				Quantity: fmt.Sprintf("offset %g m (μ* = %.4f) holds, rise in 5 s", s, capstanFriction(s)),
				Unit:     "m",
				Measured: up,
				Bar:      AtMost,
				Limit:    1e-3,
				From:     capstanHolds,
			}
			to := &holds
			if s > want {
				row.From, row.Quantity, row.Bar, row.Limit = "", fmt.Sprintf(
					"offset %g m (μ* = %.4f) slips, rise in 5 s (at most 2 mm counted)",
					s,
					capstanFriction(s),
				), AtLeast, 2e-3
				to = &slides
			}
			t.row(row)
			to.X, to.Y = append(to.X, s), append(to.Y, mu)
		}
		rel := 0.01
		if t.Options.Full {
			rel = 0.0025
		}
		got := bisect(0.38, 0.48, rel, func(s float64) bool { return !newCapstan(t, 80, s, h, 0).slips(mu) })
		t.row(
			Row{
				Quantity: "critical offset at μ 0.15",
				Unit:     "m",
				Expected: want,
				Measured: got,
				Bar:      Relative,
				Limit:    0.02,
			},
		)
		t.stepsRow()
		var offsets, critical []float64
		for k := range 36 {
			s := 0.02 * float64(k)
			offsets, critical = append(offsets, s), append(critical, capstanFriction(s))
		}
		holds.Name, holds.Style, slides.Name, slides.Style = "holds", draw.Points, "slips", draw.Points
		t.plot("l4-offset", draw.Plot{
			Title: "L4: what the heavy capstan needs",
			X:     "offset [m]",
			Y:     "μ",
			Series: []draw.Series{
				{Name: "critical, closed form", X: offsets, Y: critical, Style: draw.Line},
				holds,
				slides,
				{Name: "critical, measured", X: []float64{got}, Y: []float64{mu}, Style: draw.Points},
			},
		})
	},
}
