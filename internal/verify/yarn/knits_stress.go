package yarn

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// knitStress is a way to treat a knit badly.
type knitStress struct {
	name  string
	form  knit.Form
	chart *knit.Chart
	treat func(t *verify.Trial, p *piece, wide, high float64)
}

// poses is a motion that is a function.
type poses func(time float64) r3.Pose

// At implements yarn.Motion.
func (p poses) At(time float64) r3.Pose { return p(time) }

var knitStresses = []knitStress{
	{"pulled along its courses", knit.Flat, knit.Stockinette(), func(t *verify.Trial, p *piece, wide, _ float64) {
		holdEdge(t, p, func(i, _ int) bool { return i == 0 }, nil)
		holdEdge(t, p, func(i, _ int) bool { return i == p.Wales-1 }, drawnBy(r3.V(0.4*wide, 0, 0)))
	}},
	{"pulled along its wales", knit.Flat, knit.Rib(2, 2), func(t *verify.Trial, p *piece, _, high float64) {
		holdEdge(t, p, func(_, j int) bool { return j == 0 }, nil)
		holdEdge(t, p, func(_, j int) bool { return j == p.Courses-1 }, drawnBy(r3.V(0, 0.3*high, 0)))
	}},
	{"sheared", knit.Flat, knit.Garter(), func(t *verify.Trial, p *piece, wide, _ float64) {
		holdEdge(t, p, func(_, j int) bool { return j == 0 }, nil)
		holdEdge(t, p, func(_, j int) bool { return j == p.Courses-1 }, drawnBy(r3.V(0.5*wide, 0, 0)))
	}},
	{"twisted by a turn", knit.Flat, knit.Seed(), func(t *verify.Trial, p *piece, wide, _ float64) {
		holdEdge(t, p, func(_, j int) bool { return j == 0 }, nil)
		axis := r3.V(wide/2, 0, 0)
		holdEdge(t, p, func(_, j int) bool { return j == p.Courses-1 }, poses(func(time float64) r3.Pose {
			turn := r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), 2*math.Pi*min(1, time/0.7))}
			return r3.Translation(axis).Mul(turn).Mul(r3.Translation(axis.Neg()))
		}))
	}},
	{"dropped on a floor, edge first", knit.Flat, knit.Stockinette(), func(t *verify.Trial, p *piece, _, high float64) {
		block(
			t, p,
			yarn.Obstacle{
				Shape: shape.Plane{Normal: r3.V(0, 1, 0)}, Place: r3.Translation(r3.V(0, -0.2*high-0.02, 0)),
				Friction: 0.4,
			},
		)
	}},
	{"dropped on a ball", knit.Flat, knit.Basket(4, 4), func(t *verify.Trial, p *piece, wide, high float64) {
		block(
			t, p,
			yarn.Obstacle{
				Shape: shape.Sphere{Radius: wide / 5}, Place: r3.Translation(r3.V(wide/2, high/3, -wide/5-0.01)),
				Friction: 0.4,
			},
		)
		block(
			t, p,
			yarn.Obstacle{
				Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Translation(r3.V(0, 0, -wide/2)), Friction: 0.4,
			},
		)
	}},
	{"thrown at a wall at 3 m/s", knit.Flat, knit.Stockinette(), func(t *verify.Trial, p *piece, wide, _ float64) {
		v := p.w.Velocities()
		for i := range v {
			v[i] = r3.V(3, 0, 0)
		}
		block(
			t, p,
			yarn.Obstacle{
				Shape: shape.Plane{Normal: r3.V(-1, 0, 0)}, Place: r3.Translation(r3.V(wide+0.05, 0, 0)), Friction: 0.4,
			},
		)
	}},
	{"shaken at 8 Hz by an edge", knit.Flat, knit.Rib(1, 1), func(t *verify.Trial, p *piece, _, _ float64) {
		holdEdge(t, p, func(_, j int) bool { return j == p.Courses-1 }, poses(func(time float64) r3.Pose {
			return r3.Translation(r3.V(0, 0, 0.02*math.Sin(16*math.Pi*time)*min(1, 4*time)))
		}))
	}},
	{"struck by a ball of 50 g at 3 m/s", knit.Flat, knit.Stockinette(), func(
		t *verify.Trial, p *piece, wide, high float64,
	) {
		edge := func(i, j int) bool { return i == 0 || j == 0 || i == p.Wales-1 || j == p.Courses-1 }
		holdEdge(t, p, edge, nil)
		_, err := p.w.AddBall(yarn.Ball{
			Name: "ball", Center: r3.V(wide/2, high/2, 0.2*wide), Radius: 0.15 * wide, Mass: 0.05,
			Velocity: r3.V(0, 0, -3), Friction: 0.3,
		})
		t.Must(err)
	}},
	{"a tube that is pressed flat", knit.Tube, knit.Stockinette(), func(t *verify.Trial, p *piece, wide, _ float64) {
		r := wide/(2*math.Pi) + 0.01
		for _, side := range []float64{-1, 1} {
			block(t, p, yarn.Obstacle{
				Shape: shape.Box{Half: r3.V(0.01, 1, 1)}, Place: r3.Translation(r3.V(side*(r+0.01), 0, 0)),
				Friction: 0.4,
				Motion:   drawnBy(r3.V(-side*0.8*r, 0, 0)),
			})
		}
	}},
}

// drawnBy moves evenly by a way within 0.8 s.
func drawnBy(way r3.Vec) poses {
	return func(time float64) r3.Pose { return r3.Translation(way.Scale(min(1, time/0.8))) }
}

// holdEdge holds the loops of a piece that are asked for.
func holdEdge(t *verify.Trial, p *piece, which func(wale, course int) bool, motion yarn.Motion) {
	var held []int
	for i := range p.Wales {
		for j := range p.Courses {
			if which(i, j) {
				_, first, count := p.Loop(i, j)
				for k := range count {
					held = append(held, first+k)
				}
			}
		}
	}
	t.Must(p.w.AddHold(yarn.Hold{Points: held, Motion: motion}))
}

func block(t *verify.Trial, p *piece, o yarn.Obstacle) {
	o.Name = "obstacle"
	_, err := p.w.AddObstacle(o)
	t.Must(err)
}

// Knits pulled, twisted, dropped and thrown keep their crossings, or tell in the step in which one changes.
var badlyTreated = verify.Case{
	ID: "knits", Title: "knits pulled, twisted, dropped and thrown", Source: "signs of crossings",
	Body: func(t *verify.Trial) {
		size, end := 8, 0.03
		if t.Options.Full {
			size, end = 20, 1
		}
		for _, s := range knitStresses {
			m := yarn.Kaldor()
			m.Friction = 0.2
			w, err := t.Yarns(yarn.Options{Material: m, Gravity: r3.V(0, -5, -9), Workers: t.Options.Workers})
			t.Must(err)
			wales := size
			if s.form == knit.Tube {
				wales = max(16, size)
			}
			p := newPiece(t, s.chart, knit.Options{Wales: wales, Courses: size, Radius: m.Radius, Form: s.form}, w)
			d := 2 * m.Radius
			s.treat(t, p, 3.93*d*float64(wales), 3.44*d*float64(size))
			treated(t, s.name, p, end)
		}
	},
}

// treated plays a knit for a while and tells what became of its crossings.
func treated(t *verify.Trial, name string, p *piece, end float64) {
	watch, bad, from := p.Watch(), map[int]bool{}, append([]r3.Vec(nil), p.w.Positions()...)
	told, untold, steps, closest := 0, 0, 0, 1.0
	slips := map[[2]int]bool{}
	err := p.w.Advance(end, yarn.Pace{Most: 1.0 / 4000}, func(s *yarn.Stats) {
		closest = min(closest, s.Contact.Closest)
		told += len(s.Slips)
		for _, slip := range s.Slips {
			nearSlip(slips, slip)
		}
		if steps++; steps%20 == 0 {
			for _, c := range p.flips(watch, from, p.w.Positions(), bad) {
				if at := &watch.Crossings[c]; !slips[[2]int{at.A.Segment, at.B.Segment}] {
					untold++
				}
			}
			copy(from, p.w.Positions())
			clear(slips)
		}
	})
	if errors.Is(err, yarn.ErrTorn) { // that is told, too
		t.Note("%s: ends with %v", name, err)
	} else {
		t.Must(err)
	}
	t.Row(verify.Row{
		Quantity: name + ": crossings passed through untold", Measured: float64(untold), Bar: verify.AtMost,
	})
	t.Note(
		"%s",
		fmt.Sprintf(
			"%s: %d slips told, yarns as near as %.2f of their diameter, mean step %.3g ms", name, told, closest,
			p.w.Time()/float64(steps)*1e3,
		),
	)
}

// nearSlip marks the pairs of segments about a slip: no farther along either yarn than a watch looks, and one more.
func nearSlip(told map[[2]int]bool, s yarn.Slip) {
	for a := s.A - 3; a <= s.A+3; a++ {
		for b := s.B - 3; b <= s.B+3; b++ {
			told[[2]int{a, b}], told[[2]int{b, a}] = true, true
		}
	}
}
