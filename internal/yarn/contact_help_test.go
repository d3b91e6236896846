package yarn

import (
	"math"
	"math/rand"

	"github.com/toile-sim/toile/r3"
)

const testRadius = 1.25e-3

// stockinette lays courses of loops, each course a yarn of its own, of 8 control points a loop.
func stockinette(lay *layout, wales, courses int, radius float64) []r3.Vec {
	var pos []r3.Vec
	for j := range courses {
		row := resampled(courseLine(wales, j, 2*radius), 8*wales)
		lay.add(row, false)
		pos = append(pos, row...)
	}
	return pos
}

// courseLine is a fine polyline along a course of stockinette.
func courseLine(wales, j int, diameter float64) []r3.Vec {
	const per = 200
	rise := func(x float64) float64 { x = min(max(x, 0), 1); return x * x * (3 - 2*x) }
	var line []r3.Vec
	for k := range wales * per {
		t := 2 * math.Pi * float64(k%per) / per
		turned := min(t, 2*math.Pi-t) / math.Pi
		z := -1 + 2*rise((turned-0.0887)/(0.4157-0.0887)) - 2*rise((turned-0.5837)/(0.9107-0.5837))
		line = append(line, r3.V(
			(2*math.Pi*float64(k/per)+t+1.5*math.Sin(2*t))/1.6, 3.4375*float64(j)-2.8125*math.Cos(t), 0.78125*z,
		).Scale(diameter))
	}
	return line
}

// resampled returns n points at equal distances along a polyline, half of one from its ends.
func resampled(line []r3.Vec, n int) []r3.Vec {
	along := make([]float64, len(line))
	for i := 1; i < len(line); i++ {
		along[i] = along[i-1] + line[i].Sub(line[i-1]).Norm()
	}
	var points []r3.Vec
	at := 0
	for k := range n {
		s := (float64(k) + 0.5) * along[len(along)-1] / float64(n)
		for along[at+1] < s {
			at++
		}
		points = append(points, line[at].Lerp(line[at+1], (s-along[at])/(along[at+1]-along[at])))
	}
	return points
}

// tangle lays yarns of random shape, one of them closed.
func tangle(lay *layout, rng *rand.Rand, yarns, points int, radius float64) []r3.Vec {
	var pos []r3.Vec
	for y := range yarns {
		p := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(3 * radius)
		way := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
		var line []r3.Vec
		for range points {
			line = append(line, p)
			way = way.AddScaled(0.8, r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())).Unit()
			p = p.AddScaled(4.37*radius, way.AddScaled(-0.12/radius, p).Unit())
		}
		lay.add(line, y == 0)
		pos = append(pos, line...)
	}
	return pos
}

// sway moves points gently: a slow wave over the whole and a small one of short length.
func sway(rest, pos []r3.Vec, t float64) {
	for i, p := range rest {
		wave := 2e-3*math.Sin(20*t+30*p.X) + 1e-4*math.Sin(90*t+900*p.Y+700*p.X)
		pos[i] = r3.V(p.X+1e-3*math.Sin(15*t+40*p.Y), p.Y+0.5*wave, p.Z+wave)
	}
}

// allPairs returns energy and forces by looking at every pair of quadrature points. It computes the distance along the
// yarn its own way.
func allPairs(lay *layout, opt ContactOptions, b int, pos []r3.Vec) (energy float64, force []r3.Vec) {
	type point struct {
		at           r3.Vec
		segment      int
		arc, weight  float64
		basis        [4]float64
		yarn         int
		controlPoint [4]int
	}
	var points []point
	for i := range lay.yarn {
		for k := range b {
			if !lay.hasSegment(i) {
				continue
			}
			u := (float64(k) + 0.5) / float64(b)
			p := point{segment: i, arc: lay.arc[i] + u*lay.rest[i], weight: lay.rest[i] / float64(b), yarn: int(lay.yarn[i])}
			p.basis, p.controlPoint = catmullRom(u), lay.control(i)
			for m, c := range p.controlPoint {
				p.at = p.at.AddScaled(p.basis[m], pos[c])
			}
			points = append(points, p)
		}
	}
	force = make([]r3.Vec, len(pos))
	diameter := 2 * opt.Radius
	for i := range points {
		for j := i + 1; j < len(points); j++ {
			p, q := &points[i], &points[j]
			if p.segment == q.segment {
				continue
			}
			if p.yarn == q.yarn {
				along := q.arc - p.arc
				if lay.spans[p.yarn].closed {
					along = min(along, lay.length(p.yarn)-along)
				}
				if along < 4*opt.Radius {
					continue
				}
			}
			d := p.at.Sub(q.at)
			f, df, _ := penalty(d.Norm2() / (diameter * diameter))
			scale := opt.Stiffness * p.weight * q.weight
			energy += scale * f
			for m := range 4 {
				g := d.Scale(-2 * scale * df / (diameter * diameter))
				force[p.controlPoint[m]] = force[p.controlPoint[m]].AddScaled(p.basis[m], g)
				force[q.controlPoint[m]] = force[q.controlPoint[m]].AddScaled(-q.basis[m], g)
			}
		}
	}
	return energy, force
}

// worst returns the largest difference of two fields of vectors over the largest of the second.
func worst(got, want []r3.Vec) float64 {
	diff, size := 0.0, 0.0
	for i := range want {
		diff = max(diff, got[i].Sub(want[i]).MaxAbs())
		size = max(size, want[i].MaxAbs())
	}
	return diff / size
}
