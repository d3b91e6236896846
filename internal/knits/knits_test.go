package knits

import (
	"testing"

	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// Small forms of all scenes begin without yarns in each other, and their crossings stay as they are.
func TestScenesKeepTheirCrossings(t *testing.T) {
	for _, s := range Scenes() {
		t.Run(s.Name, func(t *testing.T) {
			w, err := s.Build(yarn.Options{Material: yarn.Kaldor(), Gravity: r3.V(0, 0, -9.81)}, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			closest, slips := 1.0, 0
			if err := w.Advance(5e-3, yarn.Pace{Most: 1.0 / 4000}, func(s *yarn.Stats) {
				closest, slips = min(closest, s.Contact.Closest), slips+len(s.Slips)
			}); err != nil {
				t.Fatal(err)
			}
			if closest < 0.6 || slips > 0 {
				t.Errorf("yarns as near as %g of their diameter, %d slips", closest, slips)
			}
			first := 0
			for _, f := range w.Fabrics {
				n := len(f.Points())
				if bad := f.Watch().Check(w.Positions()[first : first+n]); len(bad) > 0 {
					t.Errorf("%d crossings have changed", len(bad))
				}
				first += n
			}
		})
	}
}
