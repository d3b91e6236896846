package yarn

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// touchOnly returns a yarn that feels contact and nothing else.
func touchOnly() yarn.Material {
	k := yarn.Kaldor()
	return yarn.Material{Radius: k.Radius, Density: k.Density, Contact: k.Contact}
}

// puppet is a world whose points are all moved by hand.
type puppet struct {
	t     *verify.Trial
	world *yarn.World
	at    []r3.Vec // where points go in the next step
	was   []r3.Vec // where they were before the last one,
	force []r3.Vec // and what acted on them there
}

// puppetString moves one point. Points are laid where the string begins, so that they are exactly where it says.
type puppetString struct{ to *r3.Vec }

func (s puppetString) At(float64) r3.Pose { return r3.Translation(*s.to) }

// newPuppet returns a puppet of yarns.
func newPuppet(t *verify.Trial, o yarn.Options, yarns []yarn.Yarn) *puppet {
	o.Workers, o.Strain = t.Options.Workers, math.Inf(1)
	w, err := t.Yarns(o)
	t.Must(err)
	p := &puppet{t: t, world: w}
	for _, y := range yarns {
		_, err := w.AddYarn(y)
		t.Must(err)
		p.at = append(p.at, y.Points...)
	}
	p.was, p.force = make([]r3.Vec, len(p.at)), make([]r3.Vec, len(p.at))
	for i := range p.at {
		t.Must(w.AddHold(yarn.Hold{Points: []int{i}, Motion: puppetString{&p.at[i]}}))
	}
	return p
}

// step takes the forces where points are and moves them on.
func (p *puppet) step() yarn.Stats {
	const h = 1.0 / 16200
	copy(p.was, p.world.Positions())
	s, err := p.world.Step(h)
	p.t.Must(err)
	for i := range p.force {
		p.force[i] = p.world.Force(i)
	}
	return s
}

// differ returns the largest difference of two fields of vectors over the largest of the second; 0 if both are nothing.
func differ(got, want []r3.Vec) float64 {
	diff, size := 0.0, 0.0
	for i := range want {
		diff, size = max(diff, got[i].Sub(want[i]).Norm()), max(size, want[i].Norm())
	}
	if diff == 0 {
		return 0
	}
	return diff / size
}

// moments returns the sums of forces and of their torques about the origin.
func moments(at, force []r3.Vec) (net, torque r3.Vec) {
	for i, f := range force {
		net, torque = net.Add(f), torque.Add(at[i].Cross(f))
	}
	return net, torque
}

// gaussian returns a vector of independent normal numbers.
func gaussian(r *rand.Rand) r3.Vec { return r3.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()) }

// crossedYarns lays two bent yarns that touch where they cross.
func crossedYarns(r *rand.Rand) []yarn.Yarn {
	var lines [2][]r3.Vec
	for i := range 7 {
		s := (float64(i) - 3) * 5.5e-3
		lines[0] = append(lines[0], r3.V(s, 0.3*s, 12*s*s).AddScaled(1e-4, gaussian(r)))
		lines[1] = append(lines[1], r3.V(0.2*s, s, 1.8e-3-9*s*s).AddScaled(1e-4, gaussian(r)))
	}
	return []yarn.Yarn{{Points: lines[0]}, {Points: lines[1]}}
}

// tangledYarns lays yarns at random about the origin, the first of them closed. No two quadrature points are just two
// diameters apart along a yarn, where rounding would say whether they can touch.
func tangledYarns(r *rand.Rand, yarns, points int, radius float64) []yarn.Yarn {
	var all []yarn.Yarn
	for y := range yarns {
		p, way := gaussian(r).Scale(3*radius), gaussian(r).Unit()
		var line []r3.Vec
		for range points {
			line = append(line, p)
			way = way.AddScaled(0.8, gaussian(r)).Unit()
			p = p.AddScaled(4.37*radius, way.AddScaled(-0.03/radius, p).Unit())
		}
		all = append(all, yarn.Yarn{Points: line, Closed: y == 0})
	}
	return all
}

// everyPair is contact by its definition: the energy k Σ f(d) w w' over all pairs of quadrature points of different
// segments that are not within two diameters along a yarn, f = D²/d² + d²/D² - 2 below D. Below a tenth of D, where
// nothing but random motion ever gets, f goes on as a straight line in d².
type everyPair struct {
	diameter, stiffness float64
	points              []quadraturePoint
}

type quadraturePoint struct {
	yarn, segment int
	arc, total    float64 // along the yarn, and of all of it; infinite if it is open
	length        float64 // that it stands for
	control       [4]int
	weight        [4]float64
	at            r3.Vec
	felt          r3.Vec // force on it
}

// newEveryPair takes yarns as they are laid, with n points a segment.
func newEveryPair(m yarn.Material, yarns []yarn.Yarn, n int) *everyPair {
	e := &everyPair{diameter: 2 * m.Radius, stiffness: m.Contact}
	first := 0
	// segments of a yarn, open or closed
	for y, laid := range yarns {
		count := len(laid.Points)
		segments, index := count-1, func(i int) int { return min(max(i, 0), count-1) }
		if laid.Closed {
			segments, index = count, func(i int) int { return (i + count) % count }
		}
		arc, begin := 0.0, len(e.points)
		// points along a segment, with their weights of control points
		for s := range segments {
			length := laid.Points[index(s+1)].Sub(laid.Points[s]).Norm()
			for k := range n {
				u := (float64(k) + 0.5) / float64(n)
				p := quadraturePoint{
					yarn: y, segment: first + s, arc: arc + u*length, length: length / float64(n), total: math.Inf(1),
				}
				for c := range 4 {
					p.control[c] = first + index(s+c-1)
				}
				p.weight = [4]float64{
					u * (-1 + u*(2-u)) / 2, (2 + u*u*(3*u-5)) / 2, u * (1 + u*(4-3*u)) / 2, u * u * (u - 1) / 2,
				}
				e.points = append(e.points, p)
			}
			arc += length
		}
		// length of a closed yarn
		if laid.Closed {
			for i := range e.points[begin:] {
				e.points[begin+i].total = arc
			}
		}
		first += count
	}
	return e
}

// evaluate returns the energy at positions x, adds its forces to force unless that is nil, and tells how many pairs
// touch and how near any pair is to the diameter, where the second derivative jumps.
func (e *everyPair) evaluate(x, force []r3.Vec) (energy float64, touching int, edge float64) {
	// points from control points
	for i := range e.points {
		p := &e.points[i]
		p.at, p.felt = r3.Vec{}, r3.Vec{}
		for c := range 4 {
			p.at = p.at.AddScaled(p.weight[c], x[p.control[c]])
		}
	}
	// pairs that may touch
	edge = math.Inf(1)
	reach := 1.1 * e.diameter
	for i := range e.points {
		p := &e.points[i]
		for j := i + 1; j < len(e.points); j++ {
			q := &e.points[j]
			d := p.at.Sub(q.at)
			d2 := d.Norm2()
			if d2 > reach*reach || !e.apart(p, q) {
				continue
			}
			// how near to the diameter, where the law begins
			edge = min(edge, math.Abs(math.Sqrt(d2)-e.diameter))
			s := d2 / (e.diameter * e.diameter)
			if s >= 1 {
				continue
			}
			// energy of a pair
			touching++
			k := e.stiffness * p.length * q.length
			deep := max(s, 0.01)
			slope := 1 - 1/(deep*deep)
			energy += k * (1/deep + deep - 2 + slope*(s-deep))
			if force == nil {
				continue
			}
			// its force on control points
			f := d.Scale(-2 * k * slope / (e.diameter * e.diameter))
			p.felt, q.felt = p.felt.Add(f), q.felt.Sub(f)
			for c := range 4 {
				force[p.control[c]] = force[p.control[c]].AddScaled(p.weight[c], f)
				force[q.control[c]] = force[q.control[c]].AddScaled(-q.weight[c], f)
			}
		}
	}
	return energy, touching, edge
}

// pressed returns the force that yarns at positions x press each other with: the sum of its sizes along them, of which
// opposite ones do not cancel, once for both sides [N].
func (e *everyPair) pressed(x []r3.Vec) (sum float64) {
	e.evaluate(x, make([]r3.Vec, len(x)))
	for i := range e.points {
		sum += e.points[i].felt.Norm() / 2
	}
	return sum
}

// apart reports whether two points, q after p, can touch.
func (e *everyPair) apart(p, q *quadraturePoint) bool {
	if p.yarn != q.yarn {
		return true
	}
	along := q.arc - p.arc
	return p.segment != q.segment && min(along, p.total-along) >= 2*e.diameter
}
