package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
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
	CapstanRadius, CapstanLength = 1.6 / math.Pi, 4.0
	CapstanWidth, CapstanDensity = 0.1, 0.2 // [m], [kg/m²]
)

// CapstanFriction returns the coefficient at which the strip with offset s is about to slip.
func CapstanFriction(s float64) float64 {
	arm := (CapstanLength - math.Pi*CapstanRadius) / 2
	return CriticalFriction(arm-s, arm+s)
}

// CriticalFriction is that of a strip with ends of the given lengths.
func CriticalFriction(short, long float64) float64 {
	return setup.Bisect(0, 1, 1e-15, func(mu float64) bool {
		e := math.Exp(-mu * math.Pi)
		return long*e-short > 2*mu*CapstanRadius*(1+e)/(1+mu*mu)
	})
}

// Capstan is a strip over a cylinder, settled.
type Capstan struct {
	W     *engine.World
	ID    engine.ClothID
	Start *engine.Snapshot
	H     float64
	T     *verify.Trial
}

func NewCapstan(t *verify.Trial, cells int, s, h float64, seed uint64) *Capstan {
	return NewRemeshedCapstan(t, cells, s, h, seed, nil)
}

// NewRemeshedCapstan is NewCapstan with a strip that is remeshed, unless size is nil.
func NewRemeshedCapstan(t *verify.Trial, cells int, s, h float64, seed uint64, size *remesh.Options) *Capstan {
	w, id := HungOver(t, cells, s, seed, size)
	setup.SettleInContact(t, w, h)
	return &Capstan{W: w, ID: id, Start: w.Snapshot(), H: h, T: t}
}

// HungOver lays a strip over a cylinder with the offset s.
func HungOver(
	t *verify.Trial, cells int, s float64, seed uint64, size *remesh.Options,
) (*engine.World, engine.ClothID) {
	w, id := Laid(t, CapstanLength, CapstanWidth, cells, 2, seed, size, halfRound(s))
	CapstanCylinder(t, w, CapstanLength/float64(cells), CapstanWidth)
	return w, id
}

// halfRound returns the path of a strip over the cylinder with the offset s, from the end of its short arm, at -x.
func halfRound(s float64) func(along float64) r3.Vec {
	arm := (CapstanLength - math.Pi*CapstanRadius) / 2
	return func(along float64) r3.Vec {
		along -= arm - s
		switch phi := along / CapstanRadius; {
		case phi < 0:
			return r3.V(-CapstanRadius, 0, along)
		case phi > math.Pi:
			return r3.V(CapstanRadius, 0, CapstanRadius*math.Pi-along)
		default:
			return r3.V(-CapstanRadius*math.Cos(phi), 0, CapstanRadius*math.Sin(phi))
		}
	}
}

// Laid returns a strip of cells along and across that lies on a path, and from there towards +y.
func Laid(
	t *verify.Trial,
	length, width float64, along, across int, seed uint64, size *remesh.Options, path func(along float64) r3.Vec,
) (*engine.World, engine.ClothID) {
	m, x := shape.Grid(length, width, along, across)
	for i, p := range x {
		x[i] = path(p.X).Add(r3.V(0, p.Y, 0))
	}
	setup.Jitter(x, width, seed)
	// The weight of the long end stretches it by less than 1e-4.
	f := setup.SheetFabric{Density: CapstanDensity, Stretch: CapstanDensity * 9.81 * 2 / 1e-4, Bend: 1e-6, Remesh: size}
	return setup.Sheet(t, engine.DefaultOptions(), m, x, f)
}

// CapstanCylinder puts the cylinder under a strip of the given edges and width.
func CapstanCylinder(t *verify.Trial, w *engine.World, edge, width float64) {
	cylinder := shape.Cylinder{Radius: underChords(CapstanRadius, edge, w.Options().Contact.Thickness), Half: 3}
	setup.Obstacle(t, w, "cylinder", cylinder, shape.Along(r3.V(0, -3+width/2, 0), r3.V(0, 3+width/2, 0)))
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
func (c *Capstan) travel(mu, end, enough float64) float64 {
	c.T.Must(c.W.Restore(c.Start))
	setup.SetFriction(c.W, c.ID, mu)
	before := cloths.InputPositions(c.W, c.ID, nil)[0].Z
	for k := range int(math.Round(end / c.H)) {
		c.T.Step(c.W, c.H)
		if up := cloths.InputPositions(c.W, c.ID, nil)[0].Z - before; up > enough || k == int(math.Round(end/c.H))-1 {
			return up
		}
	}
	return 0
}

// capstanHolds is why a strip that rises by a millimetre still holds.
const capstanHolds = "half of what counts as slipping; stretching lets it creep by 0.4 mm"

// Slips reports whether the strip slips: it goes farther than what its stretching could let it creep, 1e-4 of its
// length, several times.
func (c *Capstan) Slips(mu float64) bool { return c.travel(mu, 5, 2e-3) > 2e-3 }

// L3: the capstan with its ends 0.8 m and 1.6 m long slips at μ 0.12, 0.13 and 0.14 and holds at 0.15 and 0.16; a
// quick run leaves out the outer ones.
var capstanThreshold = verify.Case{
	ID: "L3", Title: "heavy capstan: critical friction", Source: "[Larionov21] app. C, with π R for its μ R",
	Body: func(t *verify.Trial) {
		want := CapstanFriction(0.4)
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
				c := NewCapstan(t, n, 0.4, h, 0)
				got := setup.Bisect(0.13, 0.15, 1e-3, c.Slips)
				sizes, found = append(sizes, CapstanLength/float64(n)), append(found, got)
				t.Row(
					verify.Row{
						Quantity: fmt.Sprintf("critical μ, %d cells, h = %g ms", n, 1e3*h),
						Expected: want,
						Measured: got,
						Bar:      verify.Relative,
						Limit:    0.005,
					},
				)
			}
		}
		t.StepsRow()
		exact := draw.Series{Name: "closed form", X: []float64{0, 0.12}, Y: []float64{want, want}, Style: draw.Line}
		t.Plot("l3-capstan", draw.Plot{
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
func capstanBrackets(t *verify.Trial, h float64) {
	// coefficients on both sides of the threshold
	mus := []float64{0.12, 0.13, 0.14, 0.15, 0.16}
	if !t.Options.Full {
		mus = mus[1:4]
	}
	// least and largest rise over all starts
	least, most := []float64{1, 1, 1, 1, 1}, make([]float64, 5)
	for _, seed := range setup.Seeds(t) {
		c := NewCapstan(t, 80, 0.4, h, seed)
		for k, mu := range mus {
			up := c.travel(mu, 5, 2e-3)
			least[k], most[k] = min(least[k], up), max(most[k], up)
		}
	}
	// below the threshold it slips, above it holds
	for k, mu := range mus {
		if mu < 0.145 {
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf(
						"μ = %g slips: least rise of the short end in 5 s, %d starts, h = %g ms (at most 2 mm counted)",
						mu,
						len(setup.Seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: least[k],
					Bar:      verify.AtLeast,
					Limit:    2e-3,
				},
			)
		} else {
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf(
						"μ = %g holds: largest rise of the short end in 5 s, %d starts, h = %g ms",
						mu,
						len(setup.Seeds(t)),
						1e3*h,
					),
					Unit:     "m",
					Measured: most[k],
					Bar:      verify.AtMost,
					Limit:    1e-3,
					From:     capstanHolds,
				},
			)
		}
	}
}

// L4: the capstan at μ 0.15 with offsets of 0 to 0.64 m; the critical one is 0.42705 m.
var capstanOffset = verify.Case{
	ID: "L4", Title: "heavy capstan: critical offset", Source: "[Larionov21] app. C",
	Body: func(t *verify.Trial) {
		const mu, h = 0.15, 0.01
		want := setup.Bisect(0, 1, 1e-15, func(s float64) bool { return CapstanFriction(s) < mu })
		var holds, slides draw.Series
		for _, s := range []float64{0, 0.16, 0.32, 0.48, 0.64} {
			up := NewCapstan(t, 80, s, h, 0).travel(mu, 5, 2e-3)
			row := verify.Row{
				Quantity: fmt.Sprintf("offset %g m (μ* = %.4f) holds, rise in 5 s", s, CapstanFriction(s)),
				Unit:     "m",
				Measured: up,
				Bar:      verify.AtMost,
				Limit:    1e-3,
				From:     capstanHolds,
			}
			to := &holds
			if s > want {
				row.From, row.Quantity, row.Bar, row.Limit = "", fmt.Sprintf(
					"offset %g m (μ* = %.4f) slips, rise in 5 s (at most 2 mm counted)",
					s,
					CapstanFriction(s),
				), verify.AtLeast, 2e-3
				to = &slides
			}
			t.Row(row)
			to.X, to.Y = append(to.X, s), append(to.Y, mu)
		}
		rel := 0.01
		if t.Options.Full {
			rel = 0.0025
		}
		got := setup.Bisect(0.38, 0.48, rel, func(s float64) bool { return !NewCapstan(t, 80, s, h, 0).Slips(mu) })
		t.Row(
			verify.Row{
				Quantity: "critical offset at μ 0.15",
				Unit:     "m",
				Expected: want,
				Measured: got,
				Bar:      verify.Relative,
				Limit:    0.02,
			},
		)
		t.StepsRow()
		var offsets, critical []float64
		for k := range 36 {
			s := 0.02 * float64(k)
			offsets, critical = append(offsets, s), append(critical, CapstanFriction(s))
		}
		holds.Name, holds.Style, slides.Name, slides.Style = "holds", draw.Points, "slips", draw.Points
		t.Plot("l4-offset", draw.Plot{
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

// StartsToSlip reports whether the strip is on its way half a second after it was let go. Its tension is first brought
// to what the friction bears, without speed: that would carry it on.
func (c *Capstan) StartsToSlip(mu float64) bool {
	c.T.Must(c.W.Restore(c.Start))
	setup.SetFriction(c.W, c.ID, mu)
	for range 30 {
		c.T.Step(c.W, c.H)
		setup.SetSpeed(c.W, c.ID, 0, r3.Vec{})
	}
	for range 50 {
		c.T.Step(c.W, c.H)
	}
	return c.W.Velocities(c.ID)[0].Z > 1e-5
}
