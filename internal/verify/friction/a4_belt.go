package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A4: a belt around three cylinders of radius r = 0.2 m. The one in the middle is lifted by 1 m and stretches the belt
// into a triangle; then the two others turn once and back. The middle one does not turn, and the belt slides over it.
// On the other two, which it wraps by φ = 136.4° and 135°, it holds as long as the ratio of the tensions on its sides
// is below e^{μφ} = 2.59 and 2.57. On the part of the arc that sticks it has the speed of the cylinder, and slips only
// where it leaves, by its elasticity: what passes the middle of the arc is r Δθ.
//
// Lifting the middle draws the belt around the outer cylinders until the ratio there is at its limit, so the right one,
// which pulls at the tighter strand, slips when it starts to turn. So the way counts while the ratio is below 0.8
// e^{μφ}: tensions are taken in the middle of strands, from which those at the cylinder differ by the inertia of half a
// strand, some 10 %.
//
// The belt is a ring with a radius of 0.55 m at rest, and so stretched by 55 % at the start and by 78 % as a triangle.
// With a belt of 4.4 m at rest the inertia of the strands is more than friction can hold.
var belt = verify.Case{
	ID: "A4", Title: "a belt on three cylinders", Source: "[Li18] fig. 7, table 2; capstan equation",
	Body: func(t *verify.Trial) {
		steps, cells := []float64{4e-3}, [2]int{124, 1}
		if t.Options.Full {
			steps, cells = []float64{2e-3, 1e-3}, [2]int{124, 3}
		}
		for _, h := range steps {
			plot := NewBelt(t, cells[0], cells[1], nil).rows(h, fmt.Sprintf("h = %g ms", 1e3*h))
			t.Plot(fmt.Sprintf("a4-belt-%gms", 1e3*h), plot)
		}
		size := remesh.DefaultOptions()
		size.Min, size.Max = 0.015, 0.1
		NewBelt(t, cells[0], 1, &size).rows(steps[0], fmt.Sprintf("h = %g ms, remeshed", 1e3*steps[0]))
		t.StepsRow()
	},
}

// rows plays the scene and asks how far the belt slipped.
func (b *BeltRun) rows(h float64, how string) draw.Plot {
	// belt around both cylinders
	t := b.t
	plot := b.play(h)
	// slip where friction can hold, and how much of the way that is
	for side, name := range []string{"left", "right"} {
		t.Row(verify.Row{
			Quantity: fmt.Sprintf(
				"slip on the %s cylinder, of the way on which it holds, %s",
				name,
				how,
			),
			Measured: b.slip[side] / b.held[side],
			Bar:      verify.AtMost,
			Limit:    0.03,
			Asked:    "at most 0.03 while the ratio of tensions is below e^{μφ}",
			Why: "It counts below 0.8 of that: tensions are those of the middles of strands, from which those " +
				"at the cylinder differ by a tenth.",
		})
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("way on which the %s cylinder holds, of 2 · 2πr, %s", name, how),
				Measured: b.held[side] / (4 * math.Pi * beltRadius),
				Bar:      verify.AtLeast,
				Limit:    0.5,
			},
		)
	}
	// nothing crosses
	t.Row(
		verify.Row{
			Quantity: "crossings at the end of a step, at most, " + how,
			Measured: float64(b.crossings),
			Bar:      verify.AtMost,
			Limit:    0,
		},
	)
	t.Note("%s: %d vertices at the end", how, cloths.Spec(b.W, b.id).Mesh.Verts)
	return plot
}

const (
	beltRadius = 0.2 // of the cylinders [m]
	beltFirst  = 0.5 // when they start to turn, turn back, and stop [s]
	beltTurn   = 0.9
	beltEnd    = 1.4
)

type BeltRun struct {
	t         *verify.Trial
	W         *engine.World
	id        engine.ClothID
	outer     [2]engine.ObstacleID
	at        [2]r3.Vec // their centres
	law       elastic.MembraneLaw
	rest      float64    // length of an edge around
	around    int        // edges
	held      [2]float64 // way of the cylinder on which the belt holds [m]
	slip      [2]float64 // and how far it slipped meanwhile [m]
	crossings int
}

// NewBelt builds the scene, with a belt of so many cells around and across.
func NewBelt(t *verify.Trial, around, across int, size *remesh.Options) *BeltRun {
	const left, middle, right, rest = -0.55, 0.5, 1.5, 2 * math.Pi * 0.55
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = t.Workers, 0.4
	w := t.World(opt)
	fabric, err := material.LookupFabric("ponte-roma-knit")
	t.Must(err)
	width := rest / float64(around) * float64(across)
	m, x := shape.Tube(rest/(2*float64(around)*math.Sin(math.Pi/float64(around))), width, around, across)
	// At the start it runs straight between half circles about the outer cylinders, with the middles of its edges a
	// thickness outside of these.
	radius := beltRadius + opt.Contact.Thickness
	length := 2*(right-left) + 2*math.Pi*radius
	radius = math.Hypot(radius, length/float64(2*around))
	length = 2*(right-left) + 2*math.Pi*radius
	for i, p := range x {
		s := math.Atan2(p.Y, p.X) / (2 * math.Pi) * length
		x[i] = layouts.OnStadium(s, left, right, radius).Add(r3.V(0, p.Z, 0))
	}
	b := &BeltRun{t: t, W: w, law: elastic.StVK(fabric.Membrane), rest: rest / float64(around), around: around}
	c := body.DefaultCloth("belt", m, x, fabric)
	c.Remesh = size
	b.id, err = cloths.Add(w, c)
	t.Must(err)
	lying := r3.Rotation(r3.V(1, 0, 0), math.Pi/2)
	add := func(name string, x float64, path engine.Path) engine.ObstacleID {
		path.Smooth = true
		path.Center = r3.V(x, 0, 0)
		id, err := w.AddObstacle(
			engine.Obstacle{
				Name:  name,
				Shape: shape.Cylinder{Radius: beltRadius, Half: width},
				Place: r3.Pose{R: lying, T: path.Center},
				Path:  &path,
			},
		)
		t.Must(err)
		return id
	}
	add("middle", middle, engine.Path{Keys: []engine.Key{{At: 0.2}, {At: 0.4, Translate: r3.V(0, 0, 1)}}})
	turns := []engine.Key{{At: beltFirst}, {At: beltTurn, Axis: r3.V(0, 1, 0), Angle: 2 * math.Pi}, {At: beltEnd}}
	for side, x := range []float64{left, right} {
		b.outer[side], b.at[side] = add([]string{"left", "right"}[side], x, engine.Path{Keys: turns}), r3.V(x, 0, 0)
	}
	return b
}

// play runs the scene and sums up what passes the middles of the arcs.
func (b *BeltRun) play(h float64) draw.Plot {
	// curves of belt and cylinder
	var passed, turned [2]draw.Series
	for side, name := range []string{"left", "right"} {
		passed[side] = draw.Series{Name: "belt, " + name, Style: draw.Line}
		turned[side] = draw.Series{Name: "r θ", Style: draw.Dashed}
	}
	// steps, counted once the belt is tight
	sums := [2]float64{}
	for b.W.Time() < beltEnd-h/2 {
		b.t.Must(b.W.Advance(h, h, func(s engine.Stats) {
			b.t.Steps.Add(b.t, b.W, s)
			b.crossings = max(b.crossings, s.Crossings)
		}))
		b.t.Must(nil)
		if b.W.Time() < beltFirst {
			continue
		}
		// travel of the belt at the middle of an arc, and of the cylinder under it
		for side := range b.outer {
			d := h * b.speed(side)
			sums[side] += d
			path := b.W.Obstacle(b.outer[side]).Path
			want := beltRadius * (turn(path, b.W.Time()) - turn(path, b.W.Time()-h))
			// slip, where the cylinder should hold
			if b.holds(side) {
				b.held[side] += math.Abs(want)
				b.slip[side] += math.Abs(d - want)
			}
			passed[side].X, passed[side].Y = append(passed[side].X, b.W.Time()), append(passed[side].Y, sums[side])
			turned[side].X, turned[side].Y = append(
				turned[side].X,
				b.W.Time(),
			), append(
				turned[side].Y,
				beltRadius*turn(path, b.W.Time()),
			)
		}
	}
	// both side by side
	return draw.Plot{
		Title:  "A4: what passes the middle of the arcs",
		X:      "time [s]",
		Y:      "travel [m]",
		Series: []draw.Series{turned[0], passed[0], passed[1]},
	}
}

// holds tells whether the ratio of the tensions of the strands beside an outer cylinder is well below what friction can
// hold.
func (b *BeltRun) holds(side int) bool {
	wrapped := []float64{136.4, 135}[side] * math.Pi / 180
	up, below := b.tension(side), b.tension(2)
	return max(up/below, below/up) < 0.8*math.Exp(0.4*wrapped)
}

// tension returns that of a strand, in its middle [N/m]: on the left, on the right, and below.
func (b *BeltRun) tension(strand int) float64 {
	x := cloths.InputPositions(b.W, b.id, nil)
	sum, count := 0.0, 0.0
	for i := range b.around {
		p, q, across := x[i], x[(i+1)%b.around], x[i+b.around]
		middle := p.Lerp(q, 0.5)
		where := 2
		switch {
		case middle.Z > 0.4 && middle.Z < 0.7 && middle.X < 0.5:
			where = 0
		case middle.Z > 0.4 && middle.Z < 0.7:
			where = 1
		case middle.Z > 0 || middle.X < 0 || middle.X > 1:
			continue
		}
		if where != strand {
			continue
		}
		warp, weft := p.Sub(q).Norm()/b.rest, p.Sub(across).Norm()/b.rest
		_, s, _ := b.law.Eval(elastic.Strain{Warp: (warp*warp - 1) / 2, Weft: (weft*weft - 1) / 2}, elastic.Projected)
		sum, count = sum+warp*s.Warp, count+1
	}
	return sum / count
}

// turn returns the angle of a path that turns about one axis [rad].
func turn(p *engine.Path, time float64) float64 {
	for i, k := range p.Keys[1:] {
		if time <= k.At {
			s := max(0, (time-p.Keys[i].At)/(k.At-p.Keys[i].At))
			s = s * s * (3 - 2*s)
			return p.Keys[i].Angle + s*(k.Angle-p.Keys[i].Angle)
		}
	}
	return p.Keys[len(p.Keys)-1].Angle
}

// speed returns the mean speed around an outer cylinder of the vertices that lie on it within 30° of the middle of the
// arc, brought to its surface [m/s].
func (b *BeltRun) speed(side int) float64 {
	// The belt comes from the other outer cylinder and from the one in the middle, 1 m higher: the middle of the arc is
	// between the outward normals of these strands.
	towards := []r3.Vec{r3.V(1, 0, 0), r3.V(-1, 0, 0)}[side]
	up := []r3.Vec{r3.V(1.05, 0, 1), r3.V(-1, 0, 1)}[side].Unit()
	middle := towards.Add(up).Scale(-1).Unit()
	sum, count := 0.0, 0.0
	for i, x := range b.W.Positions(b.id) {
		out := x.Sub(b.at[side])
		out.Y = 0
		r := out.Norm()
		if r > beltRadius+3e-3 || out.Dot(middle) < r*math.Cos(math.Pi/6) {
			continue
		}
		along := r3.V(0, 1, 0).Cross(out.Scale(1 / r))
		sum += b.W.Velocities(b.id)[i].Dot(along) * beltRadius / r
		count++
	}
	return sum / max(count, 1)
}
