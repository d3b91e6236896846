package yarn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// K17: a yarn hangs with a weight at its end. The multipliers of its lengths are the tension: the weight, and that of
// the yarn below.
var hangingYarn = verify.Case{
	ID: "K17", Title: "a yarn hangs with a weight", Source: "statics",
	Body: func(t *verify.Trial) {
		const g, h, n, length, weight = 9.81, 1e-4, 40, 0.4, 0.02
		m := elastica(1.15e-3, 0, 0)
		w, err := t.Yarns(yarn.Options{Material: m, Gravity: r3.V(0, 0, -g), Workers: t.Options.Workers})
		t.Must(err)
		x := make([]r3.Vec, n+1)
		for i := range x {
			x[i] = r3.V(0, 0, -length*float64(i)/n)
		}
		_, err = w.AddYarn(yarn.Yarn{Name: "yarn", Points: x})
		t.Must(err)
		t.Must(w.AddHold(yarn.Hold{Points: []int{0}}))
		w.SetForce(n, r3.V(0, 0, -weight))
		long := 0.0
		for range 100 {
			_, err := w.Step(h)
			t.Must(err)
			for i, x := range w.Positions()[1:] {
				long = max(long, math.Abs(x.Sub(w.Positions()[i]).Norm()*n/length-1))
			}
		}
		off := 0.0
		for i := range n {
			want := weight + g*m.Density*length*(n-float64(i)-0.5)/n
			off = max(off, math.Abs(w.Tension(i)-want)/w.Tension(0))
		}
		t.Row(verify.Row{
			Quantity: "tension off weight below, relative, at most of 40 segments", Measured: off, Bar: verify.AtMost,
			Limit: 2e-10,
		})
		t.Row(verify.Row{
			Quantity: "lengths of segments in 100 steps, off by at most, relative", Measured: long, Bar: verify.AtMost,
			Limit: 2e-10,
		})
	},
}

// K12: motion within a block that is not that of a rigid body ends, in finite time, and both momenta of the block stay.
var dampedYarn = verify.Case{
	ID: "K12", Title: "damping brings yarns to rest", Source: "section 3.3 of [Kaldor10]",
	Body: func(t *verify.Trial) {
		const n, h = 64, 1.0 / 16200
		m := yarn.Kaldor()
		m.Bend, m.Twist, m.Plastic, m.Contact = 0, 0, 0, 0
		// Points that nothing joins but the block: yarns of two points, whose lengths are not kept.
		w, err := t.Yarns(yarn.Options{Material: m, Workers: t.Options.Workers, Strain: math.Inf(1)})
		t.Must(err)
		r := rand.New(rand.NewPCG(12, 1))
		vec := func() r3.Vec { return r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }
		for range n / 2 {
			at := vec().Scale(0.01)
			_, err := w.AddYarn(yarn.Yarn{Points: []r3.Vec{at, at.Add(vec().Unit().Scale(5e-3))}})
			t.Must(err)
		}
		t.Must(w.SetBlocks(make([]int32, n)))
		v := w.Velocities()
		for i := range v {
			v[i] = vec().Scale(1 / math.Sqrt(3))
		}
		dampedRows(t, w, h)
	},
}

// dampedRows lets a block of points of equal mass come to rest.
func dampedRows(t *verify.Trial, w *yarn.World, h float64) {
	// momenta of points of equal mass
	momenta := func() (p, l r3.Vec) {
		x := w.Positions()
		for i, v := range w.Velocities() {
			p, l = p.Add(v), l.Add(x[i].Cross(v))
		}
		return p, l
	}
	// until the block moves as a rigid body
	p0, l0 := momenta()
	rest := math.Inf(1)
	for w.Time() < 0.2 {
		x := append([]r3.Vec(nil), w.Positions()...)
		_, err := w.Step(h)
		t.Must(err)
		if rigidly(x, w.Velocities()) {
			rest = w.Time()
			break
		}
	}
	// momenta are as before
	p1, l1 := momenta()
	t.Row(verify.Row{
		Quantity: "time until it moves as a rigid body", Unit: "s", Measured: rest, Bar: verify.AtMost, Limit: 0.1,
		From: "a speed of 1 m/s over the rate and the constant of damping; blocks stop sooner",
	})
	t.Row(verify.Row{
		Quantity: "momentum changed, relative", Measured: p1.Sub(p0).Norm() / p0.Norm(), Bar: verify.AtMost,
		Limit: 1e-12,
	})
	t.Row(verify.Row{
		Quantity: "angular momentum changed, relative", Measured: l1.Sub(l0).Norm() / l0.Norm(), Bar: verify.AtMost,
		Limit: 1e-12,
	})
}

// rigidly reports whether velocities at places x are those of a rigid motion: no distance changes, to rounding.
func rigidly(x, v []r3.Vec) bool {
	for i := range x {
		for j := range i {
			d := x[i].Sub(x[j])
			if math.Abs(d.Dot(v[i].Sub(v[j]))) > 1e-13*d.Norm() {
				return false
			}
		}
	}
	return true
}

// K5 and K23: what the generator of knits makes: segments a loop as in table 2 of [Kaldor10], four crossings a loop
// with the signs of the chart, and yarns that keep apart.
var generator = verify.Case{
	ID: "K23", Title: "knits as they are laid, also K5", Source: "table 2 of [Kaldor10]; charts",
	Body: func(t *verify.Trial) {
		sizes := [][2]int{{10, 10}, {27, 24}}
		if t.Options.Full {
			sizes = append(sizes, [2]int{27, 120}, [2]int{100, 100}, [2]int{247, 220})
		}
		charts := []struct {
			name  string
			chart *knit.Chart
		}{
			{"stockinette", knit.Stockinette()},
			{"garter", knit.Garter()},
			{"rib 2 x 2", knit.Rib(2, 2)},
			{"seed", knit.Seed()},
			{"basket 4 x 4", knit.Basket(4, 4)},
		}
		for _, c := range charts {
			least, bad, few, most := math.Inf(1), 0, math.Inf(1), 0.0
			for _, form := range []knit.Form{knit.Flat, knit.Courses, knit.Tube, knit.Helix} {
				for _, size := range sizes {
					wales := size[0]
					if form == knit.Tube || form == knit.Helix {
						wales = max(wales, 28) / 4 * 4 // the pattern goes on around it
					}
					f, err := knit.Make(
						c.chart, knit.Options{Wales: wales, Courses: size[1], Radius: 1.25e-3, Form: form},
					)
					t.Must(err)
					if err != nil {
						return
					}
					x := f.Points()
					least = min(least, f.Clearance(x))
					bad += len(f.Watch().Check(x))
					if size[0] > 20 {
						each := float64(f.Segments()) / float64(wales*size[1])
						few, most = min(few, each), max(most, each)
					}
				}
			}
			t.Row(verify.Row{
				Quantity: c.name + ": least distance over the diameter", Measured: least, Bar: verify.AtLeast,
				Limit: 0.65,
			})
			t.Row(verify.Row{
				Quantity: c.name + ": crossings that are not as charted", Measured: float64(bad), Bar: verify.AtMost,
			})
			t.Row(verify.Row{
				Quantity: c.name + ": fewest segments a loop", Expected: 8.08, Measured: few, Bar: verify.Relative,
				Limit: 0.1,
			})
			t.Row(verify.Row{
				Quantity: c.name + ": most segments a loop", Expected: 8.08, Measured: most, Bar: verify.Relative,
				Limit: 0.1,
			})
		}
		t.Note("%s", fmt.Sprint("forms flat, courses, tube and helix; sizes ", sizes))
	},
}
