package yarn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// K14: forces of bent and twisted rods are minus the derivative of their energy. Frames are carried along in time: then
// the force at a bend depends on three points. Frames that come to rest in every step change nothing, because the
// energy does not depend on small turns of them.
var frameForces = verify.Case{
	ID: "K14", Title: "forces of bending and twist",
	Source: "differences; appendix A of [Kaldor10], signs of [Bergou10]",
	Body: func(t *verify.Trial) {
		trials := 3
		if t.Options.Full {
			trials = 30
		}
		r := rand.New(rand.NewPCG(14, 1))
		for _, c := range []struct {
			name         string
			closed, free bool
		}{
			{"open yarn, frames carried", false, false},
			{"closed yarn, frames carried", true, false},
			{"open yarn, frames at rest", false, true},
			{"closed yarn, frames at rest", true, true},
		} {
			worst, beyond := 0.0, 0.0
			for range trials {
				p := newTwisted(t, r, c.closed, c.free)
				worst = max(worst, p.derivativeOff())
				if !c.free {
					beyond = max(beyond, p.feltBeyond(c.closed))
				}
			}
			t.Row(verify.Row{
				Quantity: fmt.Sprintf(
					"%s: slope of the energy off the force, over the largest, at most of %d", c.name, trials,
				),
				Measured: worst, Bar: verify.AtMost, Limit: 1e-6,
				From: "differences of energies, to the third root of a rounding",
			})
			if !c.free {
				t.Row(verify.Row{
					Quantity: c.name + ": force felt beyond two points, over the largest", Measured: beyond,
					Bar: verify.AtMost, Limit: 16 * verify.Rounding, From: "16 roundings",
				})
			}
		}
	},
}

// newTwisted returns a puppet of a yarn that was bent and twisted when it was laid, and has then been bent otherwise.
// Its frames come to rest freely, or are carried along because its edges are held.
func newTwisted(t *verify.Trial, r *rand.Rand, closed, free bool) *puppet {
	const n, size = 11, 0.02
	o := yarn.Options{Material: elastica(1e-3, 2e-9, 3e-9), Strain: math.Inf(1), Workers: t.Options.Workers}
	turn := 3.0
	if closed {
		turn = 2 * math.Pi
	}
	y := yarn.Yarn{Closed: closed, Keep: true, Twist: 7}
	for i := range n {
		sin, cos := math.Sincos(turn * float64(i) / n)
		y.Points = append(y.Points, r3.V(cos, sin, 0.6*sin*cos).Scale(size).AddScaled(0.05*size, gaussian(r)))
	}
	var p *puppet
	if free {
		p = newPuppet(t, o, []yarn.Yarn{y})
	} else {
		p = newCarried(t, o, y)
	}
	for i := range p.at {
		p.at[i] = p.at[i].AddScaled(0.05*size, gaussian(r))
	}
	p.step()
	return p
}

// newCarried returns a puppet of one yarn whose edges are held too. A string moves both ends of an edge, of which the
// one of the next edge then moves the second on to its place.
func newCarried(t *verify.Trial, o yarn.Options, y yarn.Yarn) *puppet {
	w, err := t.Yarns(o)
	t.Must(err)
	_, err = w.AddYarn(y)
	t.Must(err)
	n := len(y.Points)
	p := &puppet{
		t: t, world: w, at: append([]r3.Vec(nil), y.Points...), was: make([]r3.Vec, n), force: make([]r3.Vec, n),
	}
	for i := range n {
		edge := []int{i}
		if i+1 < n || y.Closed {
			edge = append(edge, (i+1)%n)
		}
		t.Must(w.AddHold(yarn.Hold{Points: edge, Motion: puppetString{&p.at[i]}}))
	}
	t.Must(w.AddHold(yarn.Hold{Points: []int{0}, Motion: puppetString{&p.at[0]}}))
	return p
}

// energyAfter moves the points and returns the energy of bending and twist where they are then.
func (p *puppet) energyAfter() float64 {
	s := p.step()
	return s.Bend + s.Twist
}

// derivativeOff compares forces with differences of the energy, over the largest force. Frames of held edges are
// carried along to first order only: over a way of 1e-7 of an edge that leaves errors of this size, and rounding those
// of 1e-9.
func (p *puppet) derivativeOff() float64 {
	const h = 1e-9
	p.step()
	force := append([]r3.Vec(nil), p.force...)
	slopes := make([]r3.Vec, len(force))
	for i := range p.at {
		slope := func(x *float64) float64 {
			from := *x
			*x = from + h
			up := p.energyAfter()
			*x = from // frames go back the way they came
			p.step()
			*x = from - h
			down := p.energyAfter()
			*x = from
			p.step()
			return (down - up) / (2 * h)
		}
		slopes[i] = r3.V(slope(&p.at[i].X), slope(&p.at[i].Y), slope(&p.at[i].Z))
	}
	return differ(slopes, force)
}

// feltBeyond returns by how much forces change more than two points away from one that moves, over the largest force.
func (p *puppet) feltBeyond(closed bool) float64 {
	n, most, largest := len(p.at), 0.0, 0.0
	for i := range n {
		p.step()
		before := append([]r3.Vec(nil), p.force...)
		p.at[i] = p.at[i].Add(r3.V(1e-4, -2e-4, 3e-4))
		p.step()
		p.step()
		for j := range n {
			largest = max(largest, p.force[j].Norm())
			away := max(i-j, j-i)
			if closed {
				away = min(away, n-away)
			}
			if away > 2 {
				most = max(most, p.force[j].Sub(before[j]).Norm())
			}
		}
	}
	return most / largest
}
