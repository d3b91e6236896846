package untangle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// randomZone returns blocks and impacts between them, which hold at the start x0 and not at its end x1.
func randomZone(rng *rand.Rand, n, count int) (z Zones, impacts []contact.Impact, x0, x1 []r3.Vec) {
	random := func(s float64) r3.Vec {
		return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(s)
	}
	for range n {
		z.Mass, z.Fixed = append(z.Mass, math.Exp(rng.NormFloat64())), append(z.Fixed, false)
		x0 = append(x0, random(0.1))
		x1 = append(x1, x0[len(x0)-1].Add(random(0.05)))
	}
	for len(impacts) < count {
		b := rng.Perm(n)
		w := rng.Float64()
		p := contact.Impact{Normal: random(1).Unit(), Terms: 3, Obstacle: contact.None}
		p.Row = [5]contact.Share{
			{Point: int32(b[0]), W: 1},
			{Point: int32(b[1]), W: -w},
			{Point: int32(b[2]), W: w - 1},
		}
		p.Offset = 1e-3 - p.Gap(x0) // 1 mm apart at the start
		p.Least = 1e-4
		if p.Gap(x1) < 0 {
			impacts = append(impacts, p)
		}
	}
	return z, impacts, x0, x1
}

func momentum(mass []float64, x0, x1 []r3.Vec) (linear, angular r3.Vec, energy float64) {
	for i, m := range mass {
		v := x1[i].Sub(x0[i])
		linear, angular = linear.AddScaled(m, v), angular.AddScaled(m, x0[i].Cross(v))
		energy += m * v.Norm2() / 2
	}
	return linear, angular, energy
}

// TestProjection: gaps are kept, momentum is, energy is not gained, and no other place that keeps the gaps is nearer:
// what was changed is a sum of pushes, J^T λ with λ ≥ 0, of impacts whose gaps are just kept.
func TestProjection(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		z, impacts, x0, x1 := randomZone(rng, 12, 1+rng.IntN(8))
		before, _, energy := momentum(z.Mass, x0, x1)
		if !z.Project(impacts, x1) {
			t.Fatal("gaps are not kept")
		}
		for j := range impacts {
			if gap := impacts[j].Gap(
				x1,
			); gap < 0.89e-4 || z.pushes[j].lambda > 0 && gap > 1.2e-4 ||
				z.pushes[j].lambda < 0 {
				t.Errorf("gap %g m, push %g", gap, z.pushes[j].lambda)
			}
		}
		after, _, less := momentum(z.Mass, x0, x1)
		if after.Sub(before).Norm() > 1e-12 {
			t.Errorf("momentum %v, before %v", after, before)
		}
		if less > energy {
			t.Errorf("energy %g, before %g", less, energy)
		}
	}
}

// TestProjectionOfTwoMasses: a point that would go through another one ends at its side, with the common velocity of an
// inelastic impact.
func TestProjectionOfTwoMasses(t *testing.T) {
	z := Zones{Mass: []float64{1, 3}, Fixed: make([]bool, 2)}
	x1 := []r3.Vec{r3.V(0, 0, -0.2), r3.V(0.3, 0, 0.01)} // from 0 and −0.01
	p := contact.Impact{
		Normal: r3.V(0, 0, 1),
		Row:    [5]contact.Share{{Point: 0, W: 1}, {Point: 1, W: -1}},
		Terms:  2,
		Least:  1e-9,
	}
	z.Project([]contact.Impact{p}, x1)
	common := (1*-0.2 + 3*0.01) / 4
	if math.Abs(x1[0].Z-common) > 1e-8 || math.Abs(x1[1].Z-common) > 1e-8 || x1[1].X != 0.3 {
		t.Errorf("%v, want %g", x1, common)
	}
}

// TestProjectionRespectsWhatIsPrescribed: held blocks stay, and presses move along their axes.
func TestProjectionRespectsWhatIsPrescribed(t *testing.T) {
	z := Zones{
		Mass:   []float64{1, 1, 1},
		Fixed:  []bool{false, true, false},
		Partly: []contact.Partial{contact.Along(2, r3.V(1, 0, 0))},
	}
	n := r3.V(0.6, 0, 0.8)
	impacts := []contact.Impact{
		{Normal: n, Row: [5]contact.Share{{Point: 0, W: 1}, {Point: 1, W: -1}}, Terms: 2, Least: 0.1},
		{Normal: n, Row: [5]contact.Share{{Point: 0, W: -1}, {Point: 2, W: 1}}, Terms: 2, Least: 0.1},
		{Normal: n, Row: [5]contact.Share{{Point: 1, W: -1}}, Terms: 1, Least: 0.1},
	}
	x := make([]r3.Vec, 3)
	z.Project(impacts, x)
	if x[1] != (r3.Vec{}) || x[2].Y != 0 || x[2].Z != 0 || x[2].X <= 0 {
		t.Errorf("%v", x)
	}
	for j := range impacts[:2] {
		if gap := impacts[j].Gap(x); gap < 0.089 {
			t.Errorf("gap %g", gap)
		}
	}
}

// TestRigidZones: momentum and, for small motions, angular momentum are kept, distances do not change, and no energy is
// gained.
func TestRigidZones(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		z, _, x0, x1 := randomZone(rng, 7, 0)
		for i := range x1 {
			x1[i] = x0[i].Lerp(x1[i], 1e-4)
		}
		blocks := []int32{0, 1, 2, 3, 4, 5, 6}
		linear, angular, energy := momentum(z.Mass, x0, x1)
		z.Rigid(blocks, x0, x1)
		after, turned, less := momentum(z.Mass, x0, x1)
		if after.Sub(linear).Norm() > 1e-12 || turned.Sub(angular).Norm() > 1e-3*angular.Norm()+1e-12 ||
			less > energy*(1+1e-6) {
			t.Errorf(
				"momentum %v and %v, before %v and %v; energy %g, before %g",
				after,
				turned,
				linear,
				angular,
				less,
				energy,
			)
		}
		for i := range x0 {
			for j := range i {
				if was, is := x0[i].Sub(x0[j]).Norm(), x1[i].Sub(x1[j]).Norm(); math.Abs(was-is) > 1e-12 {
					t.Fatalf("distance %g, before %g", is, was)
				}
			}
		}
	}
}

// TestRigidZonesWithoutExtent: single blocks, and blocks on a line, have a rigid motion too.
func TestRigidZonesWithoutExtent(t *testing.T) {
	z := Zones{Mass: []float64{1, 2, 1}, Fixed: make([]bool, 3)}
	x0 := []r3.Vec{{}, {X: 1}, {X: 2}}
	x1 := []r3.Vec{{Y: 0.1}, {X: 1}, {X: 2, Y: -0.1}}
	z.Rigid([]int32{0, 1, 2}, x0, x1)
	if got := x1[1].Sub(r3.V(1, 0, 0)).Norm(); got > 1e-12 || math.Abs(x1[0].Y-0.1) > 1e-3 {
		t.Errorf("%v", x1)
	}
	x1[0] = r3.V(3, 2, 1)
	z.Rigid([]int32{0}, x0, x1)
	if x1[0] != r3.V(3, 2, 1) {
		t.Errorf("%v", x1[0])
	}
}

func TestZonesAreNamedByTheirFirstBlock(t *testing.T) {
	z := Zones{Mass: make([]float64, 6)}
	z.Reset()
	if !z.Join(5, 3) || !z.Join(4, 2) || !z.Join(3, 4) || z.Join(2, 5) {
		t.Error("joined, or not, where it should not")
	}
	wanted := make([]bool, 6)
	wanted[z.Of(5)], wanted[0] = true, true
	if got := fmt.Sprint(z.Of(4), z.Blocks(wanted)); got != "2 [0 2 3 4 5]" {
		t.Error(got)
	}
}

func ExampleZones_Project() {
	// A vertex of 1 g falls through a floor; it ends a tenth of a millimetre above.
	z := Zones{Mass: []float64{1e-3}, Fixed: []bool{false}}
	fall := contact.Impact{Normal: r3.V(0, 0, 1), Row: [5]contact.Share{{Point: 0, W: 1}}, Terms: 1, Least: 1e-4}
	end := []r3.Vec{r3.V(0.5, 0, -0.01)}
	fmt.Println(z.Project([]contact.Impact{fall}, end), end[0])
	// Output: true {0.5 0 0.0001}
}
