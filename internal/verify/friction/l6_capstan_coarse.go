package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// wideCapstan is the strip of L3 with a width of 1 m.
type wideCapstan struct {
	*Capstan
	along, across int    // its cells
	begin         r3.Vec // its centroid when it was let go
	times         []float64
	moves         []r3.Vec // of the centroid, at these times
	yaw, lateral  float64  // the largest so far [rad, m]
}

const wideCapstanWidth = 1.0

func newWideCapstan(t *verify.Trial, along, across int, h float64) *wideCapstan {
	w, id := Laid(t, CapstanLength, wideCapstanWidth, along, across, 0, nil, halfRound(0.4))
	CapstanCylinder(t, w, CapstanLength/float64(along), wideCapstanWidth)
	setup.SettleWith(t, w, h, 1, 1e-4)
	return &wideCapstan{Capstan: &Capstan{W: w, ID: id, H: h, T: t}, along: along, across: across}
}

// newWideCapstanOn is newWideCapstan on a prism.
func newWideCapstanOn(t *verify.Trial, p *prism, along, across int, h float64) *wideCapstan {
	w, id := Laid(t, CapstanLength, wideCapstanWidth, along, across, 0, nil, p.path(0.4))
	p.under(t, w, wideCapstanWidth)
	setup.SettleWith(t, w, h, 1, 1e-4)
	return &wideCapstan{Capstan: &Capstan{W: w, ID: id, H: h, T: t}, along: along, across: across}
}

func (c *wideCapstan) elements() int { return 2 * c.along * c.across }

// let lets the strip go with friction mu until its short end has passed the top, but not longer than end [s], and
// returns how far this end is beyond the top then [m].
func (c *wideCapstan) let(mu, end float64) float64 {
	setup.SetFriction(c.W, c.ID, mu)
	c.begin, _ = setup.Centroid(c.W, c.ID)
	for k := range int(math.Round(end / c.H)) {
		c.T.Step(c.W, c.H)
		now, _ := setup.Centroid(c.W, c.ID)
		c.times, c.moves = append(c.times, float64(k+1)*c.H), append(c.moves, now.Sub(c.begin))
		c.yaw, c.lateral = max(c.yaw, math.Abs(c.turned())), max(c.lateral, math.Abs(now.Y-c.begin.Y))
		if c.W.Positions(c.ID)[0].X > 0 {
			break
		}
	}
	return c.W.Positions(c.ID)[0].X
}

// turned returns the angle between the axis of the cylinder and the strip's direction across: how far one side is ahead
// of the other around the cylinder, in the mean over its length.
func (c *wideCapstan) turned() float64 {
	x := c.W.Positions(c.ID)
	one, other := x[:c.along+1], x[c.across*(c.along+1):]
	sum := 0.0
	for i := range c.along {
		ahead := other[i].Add(other[i+1]).Sub(one[i]).Sub(one[i+1]).Scale(0.5)
		around := one[i+1].Sub(one[i])
		sum += ahead.Dot(r3.V(around.X, 0, around.Z).Unit())
	}
	return math.Atan(sum / float64(c.along) / wideCapstanWidth)
}

// L6: a strip slides off a cylinder that few of its elements cover, with steps of 20 ms: straight, since nothing but
// the diagonals of its cells tells left from right.
var capstanCoarse = verify.Case{
	ID: "L6", Title: "sliding off with coarse elements and steps",
	Source: "symmetry, for the scene of [Larionov21] fig. 6b",
	Body: func(t *verify.Trial) {
		cells := [][2]int{{28, 7}}
		if t.Options.Full {
			cells = append(cells, [2]int{64, 16})
		}
		for _, n := range cells {
			c := newWideCapstan(t, n[0], n[1], 0.02)
			part := fmt.Sprintf("%d elements", c.elements())
			past := c.let(0.12, 4)
			t.Row(verify.Row{
				Quantity: part + ": short end beyond the top", Unit: "m", Measured: past, Bar: verify.AtLeast, Limit: 0,
			})
			t.Row(c.yawRow(part))
			t.Row(verify.Row{
				Quantity: part + ": lateral drift", Unit: "m", Measured: c.lateral, Bar: verify.AtMost, Limit: 5e-3,
			})
			t.Note("%s: off after %.2f s", part, c.times[len(c.times)-1])
		}
		slideOffSmooth(t)
		if t.Options.Full {
			notePrism(t, 7, 0)
			notePrism(t, 7, 0.12)
			notePrism(t, 48, 0.12)
		}
		t.StepsRow()
	},
}

// yawRow compares how far the strip turned about the normal.
func (c *wideCapstan) yawRow(part string) verify.Row {
	return verify.Row{
		Quantity: part + ": yaw", Unit: "°", Measured: c.yaw * 180 / math.Pi, Bar: verify.AtMost, Limit: 1,
		Asked: "at most 0.5",
		Why:   "Steps of 20 ms took the spin of a strip that turns as it leaves the top (0.08°), and no longer do.",
	}
}

// slideOffSmooth has the coarsest strip slide off the smooth surface of a prism of seven sides.
func slideOffSmooth(t *verify.Trial) {
	p := newPrism(7, &roundPrisms, wideCapstanWidth, engine.DefaultOptions().Contact.Thickness)
	c := newWideCapstanOn(t, p, 28, 7, 0.02)
	part := p.name()
	past := c.let(0.12, 4)
	t.Row(verify.Row{
		Quantity: part + ": short end beyond the top", Unit: "m", Measured: past, Bar: verify.AtLeast, Limit: 0,
	})
	t.Row(c.yawRow(part))
	t.Row(verify.Row{
		Quantity: part + ": lateral drift", Unit: "m", Measured: c.lateral, Bar: verify.AtMost, Limit: 5e-3,
	})
	t.Note("%s: off after %.2f s", part, c.times[len(c.times)-1])
}

// notePrism tells how far the strip comes on a prism in place of the cylinder. The strip bends at its vertices only, so
// that corners have to lift it to let them pass: few of them hold it even without friction.
func notePrism(t *verify.Trial, sides int, mu float64) {
	const h, end, along, across = 0.02, 2.4, 28, 7
	w, id := Laid(t, CapstanLength, wideCapstanWidth, along, across, 0, nil, halfRound(0.4))
	radius := underChords(CapstanRadius, CapstanLength/along, w.Options().Contact.Thickness)
	pos, tri := shape.Cylinder{Radius: radius, Half: 3}.Mesh(sides)
	place := r3.Pose{R: shape.Along(r3.Vec{}, r3.V(0, 1, 0)).R, T: r3.V(0, wideCapstanWidth/2, 0)}
	_, err := w.AddObstacle(engine.Obstacle{Name: "prism", Tri: tri, Positions: pos, Place: place})
	t.Must(err)
	setup.SetFriction(w, id, 1)
	for range 50 {
		t.Step(w, h)
		setup.SetSpeed(w, id, 0, r3.Vec{})
	}
	setup.SetFriction(w, id, mu)
	before := w.Positions(id)[0].Z
	for range int(end / h) {
		t.Step(w, h)
	}
	up := w.Positions(id)[0].Z - before
	t.Note("on a prism of %d sides at μ %g, the short end rises %.3f m in %g s", sides, mu, up, end)
}
