package sparse

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Oracle: the pattern against all pairs.
func TestPatternHoldsExactlyTheCoupledPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		elements := rapid.SliceOf(rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 0, 5)).Draw(t, "elements")
		b := NewPattern(n)
		coupled := map[[2]int32]bool{}
		for i := range int32(n) {
			coupled[[2]int32{i, i}] = true
		}
		for _, e := range elements {
			b.Add(e...)
			for _, i := range e {
				for _, j := range e {
					coupled[[2]int32{i, j}] = true
				}
			}
		}
		a := b.Build()
		if len(a.Col) != len(coupled) || len(a.Val) != len(coupled) || int(a.Start[n]) != len(coupled) {
			t.Fatalf("%d blocks, want %d", len(a.Col), len(coupled))
		}
		for i := range int32(n) {
			if !slices.IsSorted(a.Col[a.Start[i]:a.Start[i+1]]) {
				t.Fatalf("row %d is not sorted", i)
			}
			if a.Diag[i] != a.Index(i, i) {
				t.Fatalf("diagonal of row %d at %d, want %d", i, a.Diag[i], a.Index(i, i))
			}
			for j := range int32(n) {
				p := a.Index(i, j)
				if (p >= 0) != coupled[[2]int32{i, j}] {
					t.Fatalf("block (%d, %d) at %d, coupled %v", i, j, p, coupled[[2]int32{i, j}])
				}
				if p >= 0 && a.Col[p] != j {
					t.Fatalf("block (%d, %d) found in column %d", i, j, a.Col[p])
				}
			}
		}
	})
}

func TestNewBSRFromPairs(t *testing.T) {
	a := NewBSR(3, [][2]int32{{0, 2}, {2, 0}, {1, 1}})
	if want := []int32{0, 2, 1, 0, 2}; !slices.Equal(a.Col, want) {
		t.Errorf("columns %v, want %v", a.Col, want)
	}
}

func TestMirrorTransposes(t *testing.T) {
	a := sheet(9)
	for i := range int32(a.N) {
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			a.Val[p] = r3.Mat{}
			if j := a.Col[p]; j >= i {
				f := float64(i)*1000 + float64(j)
				a.Val[p] = r3.Mat{
					XX: f,
					XY: f + 0.1,
					XZ: f + 0.2,
					YX: f + 0.3,
					YY: f + 0.4,
					YZ: f + 0.5,
					ZX: f + 0.6,
					ZY: f + 0.7,
					ZZ: f + 0.8,
				}
			}
		}
	}
	a.Mirror(nil)
	for i := range int32(a.N) {
		for p := a.Start[i]; p < a.Diag[i]; p++ {
			if want := a.Val[a.Index(a.Col[p], i)].T(); a.Val[p] != want {
				t.Fatalf("block (%d, %d) is %v, want %v", i, a.Col[p], a.Val[p], want)
			}
		}
	}
}

// Oracle: the product against the dense one, to rounding.
func TestMulMatchesDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, _ := randomSPD(t)
		x := randomVectors(t, a.N)
		y, want := make([]r3.Vec, a.N), make([]r3.Vec, a.N)
		a.Mul(nil, x, y)
		d := dense(a, nil)
		for i := range want {
			var s [3]float64
			for r := range 3 {
				for j, v := range x {
					s[r] += d[3*i+r][3*j]*v.X + d[3*i+r][3*j+1]*v.Y + d[3*i+r][3*j+2]*v.Z
				}
			}
			want[i] = r3.V(s[0], s[1], s[2])
		}
		if e := distance(y, want); e > 1e-12 {
			t.Fatalf("product differs by %g", e)
		}
	})
}

func TestNewLikeSharesThePattern(t *testing.T) {
	a := sheet(4)
	b := NewLike(a)
	if !samePattern(a, b) || samePattern(a, sheet(4)) {
		t.Error("NewLike must share the pattern, and only NewLike")
	}
	b.Val[0].XX = 1
	if a.Val[0].XX == 1 {
		t.Error("NewLike shares values")
	}
	b.Zero()
	if b.Val[0].XX != 0 {
		t.Error("Zero left a value")
	}
}

func TestMulDoesNotAllocate(t *testing.T) {
	a := sheet(40)
	x, y := gravity(a), make([]r3.Vec, a.N)
	team := par.New(2)
	team.Enter()
	defer team.Leave()
	if n := testing.AllocsPerRun(10, func() {
		a.Zero()
		a.Mirror(team)
		a.Mul(team, x, y)
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// Oracle: M + h²K with K of springs, which add up to nothing; the mass of a row is known.
func TestStiffnessIsDiagonalOverMass(t *testing.T) {
	const n, mass, spring = 5000, 0.25, 3.0
	b := NewPattern(n)
	for i := range int32(n - 1) {
		b.Add(i, i+1)
	}
	a := b.Build()
	for i := range int32(n) {
		a.Val[a.Diag[i]] = r3.Diagonal(mass)
	}
	for i := range int32(n - 1) {
		a.Val[a.Diag[i]].AddDiagonal(spring)
		a.Val[a.Diag[i+1]].AddDiagonal(spring)
		a.Val[a.Index(i, i+1)].AddDiagonal(-spring)
	}
	a.Mirror(nil)
	fixed := make([]bool, n)
	fixed[0] = true // the ends are softer
	fixed[2500] = true
	a.Val[a.Index(2499, 2500)] = r3.Diagonal(math.NaN())
	if got, want := a.Stiffness(fixed), (mass+2*spring)/mass; math.Abs(got-want) > 1e-9 {
		t.Errorf("stiffness %g, want %g", got, want)
	}
	a.Zero()
	if got := a.Stiffness(nil); !math.IsInf(got, 1) {
		t.Errorf("stiffness of zero is %g, want infinity", got)
	}
}
