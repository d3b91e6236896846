package cloth

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C10b: free fall of every fabric, in cells and steps that make it anything from limp to nearly rigid. A sheet that
// falls from rest and touches nothing has the velocity g t in every vertex, whatever it is made of.
//
// What a solver leaves, r, bounds how wrong that may be. The errors e of the velocities and y of the positions obey
//
//	M (e - e₀) = -h K y - h d K e + r,   y = y₀ + h e,
//
// with a stiffness K ≥ 0. Multiplied by e, and with N² = e·M e + y·K y, that is N² ≤ N N₀ + e·r, so that N ≤ N₀ + ‖r‖
// in the norm of M⁻¹. A step reports R, the largest |r_i|/m_i, and F, what rounding adds to it; ‖r‖ ≤ (R + F) √Σm, and
// after any number of steps
//
//	√(Σ m_i |v_i - g t|² / Σ m_i) ≤ Σ (R + F).
//
// The mean velocity is within the same. The bound is worth something if it is small, which is a row of its own.
var fallOfFabrics = verify.Case{
	ID: "C10b", Title: "free fall of every fabric", Source: "g t, with the error that residuals bound",
	Body: func(t *verify.Trial) {
		sizes, lengths := []float64{1e-3, 40e-3}, []float64{1e-3, 20e-3}
		if t.Options.Full {
			sizes, lengths = []float64{1e-3, 2.5e-3, 10e-3, 40e-3}, []float64{1e-3, 5e-3, 20e-3}
		}
		var all []freeFallen
		for _, name := range material.Fabrics() {
			var falls []freeFallen
			for _, size := range sizes {
				for _, h := range lengths {
					falls = append(falls, fallOf(t, name, size, h))
				}
			}
			fallRows(t, name, falls)
			all = append(all, falls...)
		}
		papers := []freeFallen{fallOfPaper(t, 0, 5e-3)}
		if t.Options.Full {
			for _, h := range lengths {
				papers = append(papers, fallOfPaper(t, fallTilt, h))
			}
		}
		fallRows(t, "paper of 0.1 x 0.15 m above a floor", papers)
		fallSolved(t, append(all, papers...))
	},
}

// Sheets fall for fallTime [s], turned by fallTilt [rad] so that no axis of theirs is one of the world.
const fallTime, fallTilt = 0.1, 0.7

// freeFallen is how a sheet fell.
type freeFallen struct {
	what     string
	speed    float64 // mean along gravity [m/s]
	error    float64 // of velocities, root of the mean square weighted by mass [m/s]
	bound    float64 // of it [m/s]
	steps    int
	unsolved int // steps that did not converge, though rounding would have let them
	rounded  int // steps that did not converge because of rounding
	unsaid   int // steps that the referee finds above the tolerance and that do not say so
}

// fallOf drops a square of 12 x 12 cells.
func fallOf(t *verify.Trial, fabric string, size, h float64) freeFallen {
	const cells = 12
	opt := engine.DefaultOptions()
	opt.Contact.Self = t.Options.Full // to look for folds where there are none is most of the time
	return dropped(t, opt, fabric, r3.Vec2{X: cells * size, Y: cells * size}, [2]int{cells, cells}, fallTilt, h)
}

// fallOfPaper drops the stiffest fabric. Nearly all of its matrix is stiffness: with a residual that is measured by the
// diagonal instead of by mass it hangs in the air, and every step says that it has converged.
func fallOfPaper(t *verify.Trial, tilt, h float64) freeFallen {
	return dropped(t, engine.DefaultOptions(), "paper", r3.Vec2{X: 0.1, Y: 0.15}, [2]int{40, 60}, tilt, h)
}

// dropped lets a sheet fall from half a metre above a floor.
func dropped(t *verify.Trial, opt engine.Options, name string, size r3.Vec2, cells [2]int, tilt, h float64) freeFallen {
	fabric, err := material.LookupFabric(name)
	t.Must(err)
	m, x := shape.Grid(size.X, size.Y, cells[0], cells[1])
	turn := r3.Rotation(r3.V(3, 2, 1).Unit(), tilt)
	for i := range x {
		x[i] = turn.Rotate(x[i]).Add(r3.V(0, 0, 0.5))
	}
	opt.Workers = t.Workers
	w := t.World(opt)
	id, err := cloths.Add(w, body.DefaultCloth(name, m, x, fabric))
	t.Must(err)
	setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	f := freeFallen{what: fmt.Sprintf("%s, cells of %g mm, h = %g ms", name, 1e3*size.X/float64(cells[0]), 1e3*h)}
	t.Must(w.Advance(fallTime, h, func(s engine.Stats) { f.add(s, opt, t.Word(w)) }))
	t.At(f.what, w.Time(), fallTime)
	total := 0.0
	for i, v := range w.Velocities(id) {
		f.error += w.Masses(id)[i] * v.Sub(opt.Gravity.Scale(fallTime)).Norm2()
		total += w.Masses(id)[i]
	}
	f.error = math.Sqrt(f.error / total)
	_, mean := setup.Centroid(w, id)
	f.speed = mean.Dot(opt.Gravity.Unit())
	return f
}

// add counts a step in which the referee finds a residual.
func (f *freeFallen) add(s engine.Stats, opt engine.Options, found float64) {
	f.steps++
	f.bound += found + s.Floor
	switch {
	case s.Converged && found > verify.Claim(opt, &s):
		f.unsaid++
	case !s.Converged && s.Floor < opt.Linear.Tolerance:
		f.unsolved++
	case !s.Converged:
		f.rounded++
	}
}

const fallBound = "the sum of the largest residuals, as if every vertex had them in every step"

// fallRows asks the sheets of a fabric for g t. It shows the one that is furthest off for its bound.
func fallRows(t *verify.Trial, what string, falls []freeFallen) {
	worst := falls[0]
	for _, f := range falls {
		if !(f.error*worst.bound <= worst.error*f.bound) {
			worst = f
		}
	}
	t.Row(verify.Row{
		Quantity: what + ": mean velocity, worst of " + sheets(len(falls)), Unit: "m/s",
		Expected: 9.81 * fallTime, Measured: worst.speed, Bar: verify.Absolute, Limit: worst.bound, From: fallBound,
	})
	t.Row(verify.Row{
		Quantity: what + ": error of the velocities over its bound",
		Measured: worst.error / worst.bound, Bar: verify.AtMost, Limit: 1, From: fallBound,
	})
}

func sheets(n int) string {
	if n == 1 {
		return "1 sheet"
	}
	return fmt.Sprintf("%d sheets", n)
}

// fallSolved asks that bounds are small and that steps say when they did not converge.
func fallSolved(t *verify.Trial, falls []freeFallen) {
	var sum, worst freeFallen
	for _, f := range falls {
		sum.steps += f.steps
		sum.unsolved += f.unsolved
		sum.rounded += f.rounded
		sum.unsaid += f.unsaid
		if f.bound > worst.bound {
			worst = f
		}
	}
	t.Row(verify.Row{
		Quantity: "largest bound over g t (" + worst.what + ")",
		Measured: worst.bound / (9.81 * fallTime), Bar: verify.AtMost, Limit: 1e-4,
	})
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("of %d steps, by the referee above the tolerance without saying so", sum.steps),
		Measured: float64(sum.unsaid), Bar: verify.AtMost, Limit: 0,
	})
	t.Row(verify.Row{
		Quantity: "steps that did not converge, though rounding would have let them",
		Measured: float64(sum.unsolved), Bar: verify.AtMost, Limit: 0,
	})
	t.Note("%d steps say that they did not converge because rounding is above the tolerance", sum.rounded)
}
