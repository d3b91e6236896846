package contact

import (
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// smoothPair is two soft balls with smooth surfaces that are thrown at each other, off their middles, with a spin.
type smoothPair struct {
	w    *engine.World
	ids  [2]engine.BodyID
	mass []float64
	skin *contact.Skin
}

func newSmoothPair(t *verify.Trial) *smoothPair {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Friction, opt.Contact.Tolerance = r3.Vec{}, 0.4, 1e-12
	w := t.World(opt)
	tets, _, _ := shape.Ball(0.05, 3).SkinFirst()
	spec := body.SolidSpec{
		Mesh: tets, Material: material.Isotropic{Young: 2e4, Poisson: 0.3}, Density: 1000, Damping: 5e-3,
		Smooth: &smooth.Options{},
	}
	p := &smoothPair{w: w}
	for k := range p.ids {
		solid, err := body.NewSolid(spec)
		t.Must(err)
		sign := float64(2*k - 1)
		x, v := make([]r3.Vec, len(tets.X)), make([]r3.Vec, len(tets.X))
		for i, at := range tets.X {
			x[i] = at.Add(r3.V(0.049*sign, 0.015*sign, 0))
			v[i] = r3.V(-sign, 0, 0.1).Add(r3.V(0, 3, 5*sign).Cross(at))
		}
		p.ids[k], err = w.AddBody("ball", solid, x, v)
		t.Must(err)
		p.mass, p.skin = solid.Mass, solid.Skin()
	}
	return p
}

// momenta returns the linear [N s] and the angular [N m s] momentum of both.
func (p *smoothPair) momenta() (linear, angular r3.Vec) {
	for _, id := range p.ids {
		x, v := p.w.BodyPositions(id), p.w.BodyVelocities(id)
		for i, m := range p.mass {
			linear, angular = linear.AddScaled(m, v[i]), angular.Add(x[i].Cross(v[i].Scale(m)))
		}
	}
	return linear, angular
}

// wrench returns the largest sum and torque, by the size of a ball, of what a unit impulse of a contact of the balls as
// they are does to both, and how many contacts there are.
func (p *smoothPair) wrench() (sum, torque float64, contacts int) {
	var skins []contact.Skin
	var x []r3.Vec
	for k, id := range p.ids {
		skin := *p.skin
		skin.Surface, skin.First = int32(k), int32(len(x))
		skins, x = append(skins, skin), append(x, p.w.BodyPositions(id)...)
	}
	f := detect.DefaultFinder()
	f.Begin(skins)
	var set contact.Set
	f.Find(contact.Motion{H: 1e-3, Theta: 1, X0: x, X1: x, V0: make([]r3.Vec, len(x))}, nil, &set)
	for i := range set.Len() {
		for _, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			var force, turn r3.Vec
			for _, term := range set.Row(i) {
				push := term.M.MulVecT(axis)
				force, turn = force.Add(push), turn.Add(x[term.Block].Cross(push))
			}
			sum, torque = max(sum, force.Norm()), max(torque, turn.Norm()/0.05)
		}
	}
	return sum, torque, set.Len()
}

// L20: two soft balls collide and slide on each other, both with smooth surfaces. What a contact does to both has no
// sum and no torque where its row was written. Angular momentum then drifts by what positions change in a step, which
// is of its order.
var smoothMomentum = verify.Case{
	ID: "L20", Title: "momenta of smooth solids that collide", Source: "conservation",
	Body: func(t *verify.Trial) {
		lengths := []float64{2e-3, 1e-3}
		if t.Options.Full {
			lengths = append(lengths, 5e-4, 2.5e-4)
		}
		var drifts []float64
		for _, h := range lengths {
			p := newSmoothPair(t)
			before, spin := p.momenta()
			scale, at := 0.0, spin
			for _, m := range p.mass {
				scale += 2 * m
			}
			sum, torque, lost, contacts := 0.0, 0.0, 0.0, 0
			for range int(math.Round(0.05 / h)) {
				t.Step(p.w, h)
				var now r3.Vec
				now, at = p.momenta()
				lost = max(lost, now.Sub(before).Norm()/scale)
				f, l, n := p.wrench()
				sum, torque, contacts = max(sum, f), max(torque, l), max(contacts, n)
			}
			drifts = append(drifts, at.Sub(spin).Norm()/spin.Norm())
			t.Row(verify.Row{
				Quantity: "linear momentum, by mass and 1 m/s", Measured: lost, Bar: verify.AtMost, Limit: 4e-13,
				From: "as many roundings as full runs have steps",
			})
			t.Row(verify.Row{
				Quantity: "sum of the impulses of a contact, by one of them", Measured: sum, Bar: verify.AtMost,
				Limit: 32 * verify.Rounding,
			})
			t.Row(verify.Row{
				Quantity: "torque of the impulses of a contact, by one of them and the radius", Measured: torque,
				Bar: verify.AtMost, Limit: 32 * verify.Rounding, From: "32 roundings",
			})
			t.Row(verify.Row{Quantity: "contacts at once", Measured: float64(contacts), Bar: verify.AtLeast, Limit: 5})
			t.Note("h = %g ms: angular momentum drifts by %.3g of it", 1e3*h, drifts[len(drifts)-1])
		}
		n := len(drifts)
		t.Note("order of that drift in the step: %.2f", math.Log2(drifts[n-2]/drifts[n-1]))
		t.StepsRow()
	},
}
