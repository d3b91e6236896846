package elastic

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/material"
)

// Every measured table gives energies that are not negative in every direction, and pulls that grow
// with the stretch.
func TestMeasuredFabricsResist(t *testing.T) {
	for _, name := range material.Fabrics() {
		f, err := material.LookupFabric(name)
		if err != nil {
			t.Fatal(err)
		}
		if f.Table == nil {
			continue
		}
		law := NewWang(f.Table)
		for a := range 37 {
			angle := float64(a) * math.Pi / 36
			last := 0.0
			for i := 1; i < 40; i++ {
				g := principal(1+0.01*float64(i), 1, angle)
				w, s, _ := law.Eval(g, WithForce)
				work := s.Warp*g.Warp + s.Weft*g.Weft + s.Shear*g.Shear
				if !(w > 0) || work <= last {
					t.Fatalf(
						"%s at %g rad and stretch %g: energy %g, work rate %g after %g",
						name,
						angle,
						1+0.01*float64(i),
						w,
						work,
						last,
					)
				}
				last = work
			}
		}
	}
}
