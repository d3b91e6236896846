package sparse

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

func TestDirect(t *testing.T) {
	team := par.New(2)
	a := sheet(15)
	x, y := make([]r3.Vec, a.N), make([]r3.Vec, a.N)
	for i := range x {
		x[i] = r3.V(math.Sin(float64(i)), math.Cos(float64(3*i)), float64(i%7))
	}
	fixed := make([]bool, a.N)
	fixed[3], x[3] = true, r3.Vec{}
	a.Mul(team, x, y)
	var d Direct
	d.Update(team, a, fixed)
	d.Apply(team, y, y)
	for i := range x {
		if e := y[i].Sub(x[i]).Norm(); e > 1e-9 {
			t.Fatalf("row %d is off by %g", i, e)
		}
	}
	if d.Shift() != 0 {
		t.Errorf("shift %g of an exact factor", d.Shift())
	}
	for i := range a.Diag {
		a.Val[a.Diag[i]].AddDiagonal(-1.5 * a.Val[a.Diag[i]].Trace() / 3) // indefinite
	}
	d.Update(team, a, fixed)
	if d.exact || !(d.Shift() > 0) {
		t.Errorf("exact %t with a shift of %g for a matrix that is not positive", d.exact, d.Shift())
	}
}
