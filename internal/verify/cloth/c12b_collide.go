package cloth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C12b: what two sheets keep that fly at each other, rub and part, without gravity, air or damping.
//
// Linear momentum. Rows of contacts have weights that add up to zero, and so do internal forces and the columns of
// their stiffness. Summed over nodes, A v + b - Jᵀ r = ρ with ‖ρ_i‖ ≤ m_i (R + floor) is p₁ - p₀ = Σ ρ_i, so that a
// step loses at most m (R + floor), R the residual of the step and m the mass of all.
//
// Angular momentum, with s_i = Σ_c w_ci F_c the impulse of contacts on node i. The end of a step is x₁ = x₀ + h v_θ,
// so that
//
//	θ = ½: L₁ - L₀ = Σ x_θ × m (v - v₀) = Σ x_θ × (h f(x_θ) + s) = Σ x_θ × s,     x_θ = (x₀ + x₁)/2
//	θ = 1: L₁ - L₀ = Σ x₀ × m (v - v₀) = Σ x₀ × s - h² Σ v × f(x₁)
//
// if the equations are solved exactly. Σ x × s is what contacts do: each the lever d × F of the two points that it
// joins, which are the thickness apart. A normal impulse has no lever but what the points slip by within the step. The
// other term of θ = 1 is what the scheme does, of first order in h.
var collision = verify.Case{
	ID: "C12b", Title: "momentum of two sheets that collide", Source: "conservation laws of the scheme",
	Body: func(t *verify.Trial) {
		collideByMidpoint(t)
		collideByEuler(t)
		t.StepsRow()
	},
}

// collideByMidpoint asks that nothing but levers change the angular momentum.
func collideByMidpoint(t *verify.Trial) {
	cells := 4
	if t.Options.Full {
		cells = 12
	}
	opt := setup.Exactly(0.5)
	opt.Newton.Exact = false // contacts need a positive matrix
	opt.Newton.Tolerance, opt.Contact.Tolerance = 1e-10, 1e-11
	q := collide(t, opt, cells, 5e-4)
	q.rows(t, "θ = ½")
	t.Row(verify.Row{
		Quantity: "θ = ½: angular momentum lost beside levers, over what residuals and rounding allow",
		Measured: q.scheme() / q.spin, Bar: verify.AtMost, Limit: 1,
		From: "it is reached if what all steps leave pushes one way",
	})
	t.Note("θ = ½: %.3g %% of the angular momentum lost, all but %.1g of that to levers",
		q.share(), q.scheme()/q.turned.Norm())
}

// collideByEuler asks that what the scheme loses halves with the step.
func collideByEuler(t *verify.Trial) {
	// A mode of frequency ω keeps exp(-h ω² t) of its energy. With ω = 2 √2 c/l = 283/s, c = 5 m/s the speed of waves
	// and l the size of cells, that bends the order by log₂ of the ratio of (1 - e^-k)/k at k = h ω² t and 2k: by 0.2
	// at these steps, and by less for slower modes.
	lengths := []float64{1.25e-4, 6.25e-5}
	if t.Options.Full {
		lengths = append(lengths, 3.125e-5, 1.5625e-5)
	}
	var scheme []float64
	for i, h := range lengths {
		q := collide(t, engine.DefaultOptions(), 4, h)
		scheme = append(scheme, q.scheme()/q.first)
		if i == 0 || i == len(lengths)-1 {
			q.rows(t, fmt.Sprintf("θ = 1, h = %.4g ms", 1e3*h))
		}
		t.Note("θ = 1, h = %.4g ms: %.3g %% of the angular momentum lost, %.3g %% to levers and %.2g %% to the scheme",
			1e3*h, q.share(), 100*q.lever.Norm()/q.first, 100*q.scheme()/q.first)
	}
	n := len(lengths)
	order := setup.OrderOf([]float64{lengths[0], lengths[n-1]}, []float64{scheme[0], scheme[n-1]})
	t.Row(verify.Row{
		Quantity: "θ = 1: order in h of the angular momentum lost beside levers",
		Expected: 1, Measured: order, Bar: verify.Absolute, Limit: 0.2,
	})
	t.Plot("c12b-spin", draw.Plot{
		Title: "C12b: angular momentum that backward Euler loses beside levers",
		X:     "step [s]", Y: "share lost", LogX: true, LogY: true,
		Series: []draw.Series{
			{Name: "first order", X: lengths, Y: setup.Scaled(lengths, 1, scheme[n-1]), Style: draw.Dashed},
			{Name: "measured, θ = 1", X: lengths, Y: scheme, Style: draw.Points},
		},
	})
}

// rubbing is two sheets that collide, and what is summed up meanwhile.
type rubbing struct {
	*engine.World
	lost    float64 // of the linear momentum [N s]
	turned  r3.Vec  // change of the angular momentum [N m s]
	first   float64 // angular momentum at the start [N m s]
	lever   r3.Vec  // Σ x × s [N m s]
	reach   float64 // what it may come to at most
	slip    float64 // what residuals and rounding may change the linear momentum by [N s]
	spin    float64 // and the angular momentum [N m s]
	rescues int     // steps that took the fail-safe

	contacts []engine.ContactPoint
	felt     []engine.VertexContact
}

// collide lets two crumpled sheets of n by n cells fly at each other, off centre and aslant, for 60 ms in steps of h.
// In one of them they come nearer by a fraction of the thickness, so that contacts are found where the sheets are and
// not on the way. The sheets are so soft that the shortest steps follow their vibrations.
func collide(t *verify.Trial, opt engine.Options, n int, h float64) *rubbing {
	const size, closing, sliding, end = 0.2, 0.4, 0.3, 0.06
	// no gravity, and cloth so soft that steps follow it
	opt.Gravity, opt.Workers = r3.Vec{}, t.Workers
	opt.Contact.Friction = 0.4
	w := t.World(opt)
	fabric := setup.SheetFabric{Density: 0.2, Stretch: 5, Bend: 1e-5}.Fabric()
	rng := rand.New(rand.NewPCG(12, 2))
	// two sheets that fly at each other, turned, shifted and crumpled
	for k, side := range []float64{-1, 1} {
		m, x := shape.Grid(size, size, n, n)
		v := make([]r3.Vec, len(x))
		turn := r3.Rotation(r3.V(0, 0, 1), 0.3+0.4*float64(k))
		for i := range x {
			x[i] = turn.Rotate(x[i].Sub(r3.V(size/2, size/2, 0)))
			x[i] = x[i].Add(r3.V(0.03, 0.05, 2e-3+0.01*x[i].X).Scale(side))
			x[i] = x[i].AddScaled(2e-4, r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5))
			v[i] = r3.V(-sliding/2, 0, -closing/2).Scale(side)
		}
		c := body.DefaultCloth(fmt.Sprint("sheet ", k), m, x, fabric)
		c.Velocities = v
		_, err := cloths.Add(w, c)
		t.Must(err)
	}
	// the collision, with what is pushed in each step
	q := &rubbing{World: w}
	p0, l0 := q.momenta()
	for range int(math.Round(end / h)) {
		before := [2][]r3.Vec{slices.Clone(w.Positions(0)), slices.Clone(w.Positions(1))}
		q.add(t.Step(w, h), before)
	}
	// momenta that were lost
	p1, l1 := q.momenta()
	q.lost, q.turned, q.first = p1.Sub(p0).Norm(), l1.Sub(l0), l0.Norm()
	return q
}

func (q *rubbing) momenta() (linear, angular r3.Vec) {
	p0, l0 := momenta(q.World, 0)
	p1, l1 := momenta(q.World, 1)
	return p0.Add(p1), l0.Add(l1)
}

// add sums up what contacts did in a step from the given positions, and what it may have missed.
func (q *rubbing) add(s engine.Stats, before [2][]r3.Vec) {
	o := q.Options()
	for id, x0 := range before {
		x1, m := q.Positions(engine.ClothID(id)), q.Masses(engine.ClothID(id))
		q.felt = q.VertexContacts(engine.ClothID(id), q.felt)
		for i := range x0 {
			q.lever = q.lever.Add(x0[i].Lerp(x1[i], 1-o.Theta).Cross(q.felt[i].Impulse))
			q.slip += m[i] * (s.Residual + s.Floor)
			q.spin += m[i] * x0[i].Norm() * (s.Nonlinear + s.Floor)
		}
	}
	q.contacts = q.Contacts(q.contacts[:0])
	for _, c := range q.contacts {
		normal := c.Impulse.Dot(c.Normal)
		rub := c.Impulse.AddScaled(-normal, c.Normal).Norm()
		q.reach += max(c.Gap, o.Contact.Thickness)*rub + (1-o.Theta)*s.H*c.Slip.Norm()*normal
	}
	if s.Failsafe.Rounds > 0 {
		q.rescues++
	}
}

// scheme returns the change of the angular momentum that levers do not make [N m s].
func (q *rubbing) scheme() float64 { return q.turned.Sub(q.lever).Norm() }

// share returns the part of the angular momentum that was lost, in per cent.
func (q *rubbing) share() float64 { return 100 * q.turned.Norm() / q.first }

func (q *rubbing) rows(t *verify.Trial, part string) {
	t.Row(verify.Row{
		Quantity: part + ": linear momentum lost, over what residuals and rounding allow",
		Measured: q.lost / q.slip, Bar: verify.AtMost, Limit: 1,
		From: "it is reached if what all steps leave pushes one way",
	})
	t.Row(verify.Row{
		Quantity: part + ": angular momentum lost to levers, over Σ (gap ‖r_T‖ + (1-θ) h ‖u_T‖ r_N)",
		Measured: q.lever.Norm() / q.reach, Bar: verify.AtMost, Limit: 1,
	})
	t.Row(verify.Row{
		Quantity: part + ": steps that took the fail-safe", Measured: float64(q.rescues), Bar: verify.AtMost, Limit: 0,
	})
}
