package yarn

import (
	"math"
	"math/rand"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// TestPenaltyDerivatives is K9: f and f' vanish at the diameter, and derivatives are those of differences.
func TestPenaltyDerivatives(t *testing.T) {
	if f, df, _ := penalty(math.Nextafter(1, 0)); math.Abs(f) > 1e-15 || math.Abs(df) > 1e-15 {
		t.Errorf("at the diameter f = %g, f' = %g", f, df)
	}
	for _, s := range []float64{0.002, 0.008, 0.012, 0.1, 0.3, 0.6, 0.9, 0.99, 1.01, 2} {
		const h = 1e-6
		_, df, ddf := penalty(s)
		f0, df0, _ := penalty(s - h*s)
		f1, df1, _ := penalty(s + h*s)
		if got := (f1 - f0) / (2 * h * s); math.Abs(got-df) > 1e-6*math.Abs(df) {
			t.Errorf("s = %g: f' %g, by differences %g", s, df, got)
		}
		if got := (df1 - df0) / (2 * h * s); math.Abs(got-ddf) > 1e-6*math.Abs(ddf) {
			t.Errorf("s = %g: f'' %g, by differences %g", s, ddf, got)
		}
	}
	if f, df, _ := penalty(0); math.IsInf(f, 0) || math.IsInf(df, 0) {
		t.Error("energy or force is infinite where centre lines meet")
	}
}

// TestContactForceIsGradient compares the force of all modes with differences of the energy over all pairs.
func TestContactForceIsGradient(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for trial := range 4 {
		lay := &layout{}
		pos := tangle(lay, rng, 3, 12, testRadius)
		opt := ContactOptions{Radius: testRadius, Stiffness: 3.25}
		_, want := allPairs(lay, opt, 11, pos)
		dir := make([]r3.Vec, len(pos))
		along := 0.0
		for i := range dir {
			dir[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			along -= want[i].Dot(dir[i])
		}
		const h = 1e-9
		moved := make([]r3.Vec, len(pos))
		energy := func(s float64) float64 {
			for i := range pos {
				moved[i] = pos[i].AddScaled(s, dir[i])
			}
			e, _ := allPairs(lay, opt, 11, moved)
			return e
		}
		if got := (energy(h) - energy(-h)) / (2 * h); math.Abs(got-along) > 1e-6*math.Abs(along) {
			t.Errorf("trial %d: slope %g, by differences %g", trial, along, got)
		}
		for _, mode := range []ContactMode{ContactSets, ContactPairs, ContactHierarchy} {
			opt.Mode = mode
			c := newContacts(lay, opt)
			force := make([]r3.Vec, len(pos))
			c.add(pos, nil, 1e-4, nil, force)
			if e := worst(force, want); e > 1e-12 {
				t.Errorf("trial %d mode %d: force differs from that over all pairs by %.2g", trial, mode, e)
			}
		}
	}
}

// TestCrossingYarns is K16: two straight yarns that cross press on each other with 2 pi k d f(d) / sin(angle). Segments
// are two diameters long; errors are over the force at 0.8 D, because near the diameter it vanishes.
func TestCrossingYarns(t *testing.T) {
	const k = 3.25
	for _, test := range []struct {
		points    int
		tolerance float64
	}{{11, 0.015}, {44, 0.001}} {
		opt := ContactOptions{Radius: testRadius, Stiffness: k, Points: test.points, Mode: ContactPairs}
		for _, degrees := range []float64{90, 60, 45} {
			angle := degrees * math.Pi / 180
			force := func(s float64) float64 {
				f, _, _ := penalty(s * s)
				return 2 * math.Pi * k * s * 2 * testRadius * f / math.Sin(angle)
			}
			biggest := 0.0
			for _, s := range []float64{0.6, 0.7, 0.8, 0.85, 0.9, 0.95} {
				for offset := 0.0; offset < 1; offset += 0.13 {
					for other := 0.0; other < 1; other += 0.17 {
						got := crossing(opt, angle, s, offset, other).Z
						biggest = max(biggest, math.Abs(got-force(s))/force(0.8))
					}
				}
			}
			t.Logf("b %d, %g degrees: %.3g", test.points, degrees, biggest)
			if biggest > test.tolerance {
				t.Errorf("b %d, %g degrees: off by %.3g of the force at 0.8 D", test.points, degrees, biggest)
			}
		}
	}
}

// crossing returns the net force on the upper of two straight yarns at a distance of s diameters, each shifted along
// itself by a fraction of a quadrature step.
func crossing(opt ContactOptions, angle, s, shift, otherShift float64) r3.Vec {
	lay := &layout{}
	const n = 12
	step := 4 * opt.Radius
	line := func(way r3.Vec, z, shift float64) (points []r3.Vec) {
		for i := range n {
			points = append(points, way.Scale((float64(i)-n/2+0.5+shift/float64(opt.Points))*step).Add(r3.V(0, 0, z)))
		}
		return points
	}
	lower := line(r3.V(1, 0, 0), 0, shift)
	upper := line(r3.V(math.Cos(angle), math.Sin(angle), 0), s*2*opt.Radius, otherShift)
	lay.add(lower, false)
	lay.add(upper, false)
	pos := append(lower, upper...)
	c := newContacts(lay, opt)
	force := make([]r3.Vec, len(pos))
	c.add(pos, nil, 1e-4, par.New(1), force)
	var net r3.Vec
	for _, f := range force[n:] {
		net = net.Add(f)
	}
	return net
}
