package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/material"
)

// interlockTable is a measured table with rows that need both clamps.
func interlockTable() *Wang {
	return NewWang(&material.StretchTable{Small: material.StretchRow{33.187664, -29.39198, 68.954246, 73.720604}, Large: [5]material.StretchRow{
		{92.72953, 107.389312, 522.02771, -59.382602},
		{98.57022, 175.1922, 412.747986, 45.536914},
		{247.97844, 210.36354, 731.932434, 88.435142},
		{279.37265, 147.18512, 827.106324, -348.87706},
		{254.88762, 271.697174, 211.745666, 64.476822}, // coupling above √(warp weft)
	}})
}

// principal returns the strain with principal stretches a and b, a at the given angle to the warp.
func principal(a, b, angle float64) Strain {
	ea, eb := (a*a-1)/2, (b*b-1)/2
	s, c := math.Sincos(angle)
	return Strain{ea*c*c + eb*s*s, ea*s*s + eb*c*c, 2 * (ea - eb) * s * c}
}

func (g Strain) moved(i int, by float64) Strain {
	*[3]*float64{&g.Warp, &g.Weft, &g.Shear}[i] += by
	return g
}

func wangStrains(rng *rand.Rand) map[string]Strain {
	full := wangFull
	m := map[string]Strain{
		"rest":              {},
		"equal":             principal(1.1, 1.1, 0),
		"equal, full":       principal(full, full, 0),
		"equal, huge":       principal(3, 3, 0),
		"nearly equal":      principal(1.1, 1.1-1e-5, 0.3),
		"along the warp":    principal(1.1, 1, 0),
		"along the weft":    principal(1.1, 1, math.Pi/2),
		"bias":              principal(1.1, 0.95, math.Pi/4),
		"full weight":       principal(full, 0.9, 0.4),
		"beyond the table":  principal(1.8, 1.1, 0.9),
		"uniaxial":          principal(1.08, 1, 0.7),
		"pure shear":        {Shear: 0.2},
		"other shear":       {Shear: -0.2},
		"squeezed":          principal(0.9, 0.8, 0.2),
		"squeezed to zero":  principal(0, 0, 0),
		"onset":             principal(1, 0.7, 0.5),
		"barely stretched":  principal(1.0001, 0.9999, 1),
		"opposite and same": {Warp: 0.1, Weft: -0.1},
	}
	for i := range 200 {
		m[fmt.Sprint("random ", i)] = principal(0.7+0.7*rng.Float64(), 0.7+0.7*rng.Float64(), 3*rng.Float64())
	}
	return m
}

func TestWangDerivatives(t *testing.T) {
	law := interlockTable()
	for name, g := range wangStrains(rand.New(rand.NewPCG(1, 1))) {
		_, s, c := law.Eval(g, Exact)
		tension := [3]float64{s.Warp, s.Weft, s.Shear}
		tangent := [3][3]float64{{c.C00, c.C01, c.C02}, {c.C01, c.C11, c.C12}, {c.C02, c.C12, c.C22}}
		// Where D reaches one (r = |m|) the third derivatives jump, so that differences of the tension
		// are wrong in first order of δ; elsewhere in second order, with large fourth derivatives.
		third := 5e3
		if p := newWangPoint(g); math.Abs(p.direction()-1) < 1e-9 {
			third = 1e5
		}
		for _, delta := range []float64{1e-5, 5e-7} {
			for i := range 3 {
				p, sp, _ := law.Eval(g.moved(i, delta), WithForce)
				m, sm, _ := law.Eval(g.moved(i, -delta), WithForce)
				if want := (p - m) / (2 * delta); math.Abs(tension[i]-want) > 1e5*delta*delta+4e-15*(1+p)/delta {
					t.Errorf("%s: tension %d is %.10g, differences say %.10g", name, i, tension[i], want)
				}
				for j, want := range [3]float64{sp.Warp - sm.Warp, sp.Weft - sm.Weft, sp.Shear - sm.Shear} {
					want /= 2 * delta
					if got := tangent[j][i]; math.Abs(got-want) > third*delta {
						t.Errorf(
							"%s, δ %g: tangent %d,%d is %.10g, differences say %.10g",
							name,
							delta,
							j,
							i,
							got,
							want,
						)
					}
				}
			}
		}
	}
}

// The energy is never negative, and zero at rest only.
func TestWangEnergyIsPositive(t *testing.T) {
	law := interlockTable()
	for name, g := range wangStrains(rand.New(rand.NewPCG(2, 2))) {
		w, _, _ := law.Eval(g, EnergyOnly)
		full, _, _ := law.Eval(g, Exact)
		if !(w >= 0) || w == 0 && name != "rest" {
			t.Errorf("%s: energy %g", name, w)
		}
		if math.Abs(w-full) > 1e-14*w {
			t.Errorf("%s: energy %g alone, %g with derivatives", name, w, full)
		}
	}
}

// Along rays the work rate is that of the table with the weights of the file comment, which grows.
func TestWangProportionalWork(t *testing.T) {
	law := interlockTable()
	for name, g := range wangStrains(rand.New(rand.NewPCG(3, 3))) {
		last := 0.0
		for _, f := range []float64{0.1, 0.3, 0.5, 0.7, 0.9, 1, 1.3, 2} {
			h := Strain{f * g.Warp, f * g.Weft, f * g.Shear}
			_, s, _ := law.Eval(h, WithForce)
			work := s.Warp*h.Warp + s.Weft*h.Weft + s.Shear*h.Shear
			p := newWangPoint(h)
			weight := 0.0
			if u := p.u(); u >= 1 {
				weight = 1
			} else if u > 0 {
				weight, _, _ = smoothStep(u)
			}
			small := p.form(&law.small)
			mean := p.form(&law.mean)
			large := mean.f
			if v := p.direction(); p.r2 > 0 {
				d := 1.0
				if v < 1 {
					d, _, _ = smoothStep(v)
				}
				a := law.angular(&p)
				large += d * a.f
			}
			if want := 2 * (small.f + weight*large); math.Abs(work-want) > 1e-11*want {
				t.Errorf("%s times %g: work %.15g, want %.15g", name, f, work, want)
			}
			if work < last {
				t.Errorf("%s times %g: work rate falls from %g to %g", name, f, last, work)
			}
			last = work
		}
	}
}

// At the angles of the rows, beyond full weight and in uniaxial strain, the work rate is that of the
// row itself; near rest the tangent is the small row.
func TestWangReachesItsRows(t *testing.T) {
	law := interlockTable()
	for j, row := range law.table.Large {
		row = row.Admissible()
		for _, sign := range []float64{1, -1} {
			g := principal(1.3, 1, sign*float64(j)*math.Pi/8)
			_, s, _ := law.Eval(g, WithForce)
			got := s.Warp*g.Warp + s.Weft*g.Weft + s.Shear*g.Shear
			y := g.Shear / 2
			want := row[0]*g.Warp*g.Warp + 2*row[1]*g.Warp*g.Weft + row[2]*g.Weft*g.Weft + row[3]*y*y
			if math.Abs(got-want) > 1e-12*want {
				t.Errorf("row %d: work %g, want %g", j, got, want)
			}
		}
	}
	_, _, c := law.Eval(Strain{}, Exact)
	k := StVK(law.table.AtRest())
	if want := k.tangent(1); c != want {
		t.Errorf("tangent at rest is %v, want %v", c, want)
	}
}

// Pulling harder along any direction takes more tension, at any angle (measured tables stiffen).
func TestWangPullIsMonotone(t *testing.T) {
	law := interlockTable()
	for a := range 19 {
		angle := float64(a) * math.Pi / 36
		s, c := math.Sincos(angle)
		last := -1.0
		for i := range 60 {
			_, t2, _ := law.Eval(principal(1+float64(i)*0.005, 1, angle), WithForce)
			pull := t2.Warp*c*c + t2.Weft*s*s + 2*t2.Shear*s*c
			if pull <= last {
				t.Errorf(
					"at %g rad and stretch %g the tension falls from %g to %g",
					angle,
					1+float64(i)*0.005,
					last,
					pull,
				)
			}
			last = pull
		}
	}
}

// A table with six equal rows is the constant law.
func TestWangOfEqualRowsIsConstant(t *testing.T) {
	k := StVK(material.NewStretch(300, 120, 40, 0.3))
	row := material.StretchRow{k.Warp, k.Coupling, k.Weft, k.Shear}
	law := NewWang(&material.StretchTable{Small: row, Large: [5]material.StretchRow{row, row, row, row, row}})
	for name, g := range wangStrains(rand.New(rand.NewPCG(4, 4))) {
		w, s, c := law.Eval(g, Exact)
		w2, s2, c2 := k.Eval(g, Exact)
		if math.Abs(w-w2) > 1e-12*w2 ||
			math.Abs(s.Warp-s2.Warp)+math.Abs(s.Weft-s2.Weft)+math.Abs(s.Shear-s2.Shear) > 1e-10 ||
			math.Abs(c.C00-c2.C00)+math.Abs(c.C01-c2.C01)+math.Abs(c.C22-c2.C22)+math.Abs(c.C02) > 1e-8 {
			t.Errorf("%s: %v %v %v, want %v %v %v", name, w, s, c, w2, s2, c2)
		}
	}
}

func BenchmarkWang(b *testing.B) {
	law := interlockTable()
	g := principal(1.1, 1.07, 0.4)
	for _, c := range []struct {
		name   string
		detail Detail
	}{{"energy", EnergyOnly}, {"all", Exact}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				law.Eval(g, c.detail)
			}
		})
	}
}
