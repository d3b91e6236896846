package sparse

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// What stays is A, what goes is small, and translations feel no difference.
func TestThinLeavesSmallBlocksOut(t *testing.T) {
	a := sheet(30)
	var thin Thin
	m := thin.Update(nil, a)
	if len(m.Col) >= len(a.Col) {
		t.Fatalf("%d of %d blocks are left of a sheet", len(m.Col), len(a.Col))
	}
	for i := range a.N {
		var whole, left r3.Mat
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			whole.Add(&a.Val[p])
			j := a.Col[p]
			q := m.Index(int32(i), j)
			if q >= 0 && int(j) != i && m.Val[q] != a.Val[p] {
				t.Fatalf("block %d, %d is %v, not %v", i, j, m.Val[q], a.Val[p])
			}
			di, _ := a.Val[a.Diag[i]].Inverse()
			dj, _ := a.Val[a.Diag[j]].Inverse()
			bound := thinShare * 3 / math.Sqrt(di.Trace()*dj.Trace())
			if size := a.Val[p].MaxAbs(); q < 0 && size > (1+1e-12)*bound || q >= 0 && int(j) != i && size < (1-1e-12)*bound {
				t.Fatalf("block %d, %d of size %g, kept: %v; the bound is %g", i, j, size, q >= 0, bound)
			}
		}
		for q := m.Start[i]; q < m.Start[i+1]; q++ {
			left.Add(&m.Val[q])
		}
		for k := range 3 {
			x := [3]r3.Vec{r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)}[k]
			// The rest is made symmetric, which translations of a symmetric sum do not feel.
			if d := left.MulVec(x).Sub(whole.MulVec(x)).Norm(); d > 1e-3*thinShare*a.Val[a.Diag[i]].Trace() {
				t.Fatalf("row %d of a translation changes by %g of %g", i, d, a.Val[a.Diag[i]].Trace())
			}
		}
	}
}

// The pattern comes from the values at hand, whatever there was before.
func TestThinForgets(t *testing.T) {
	soft, stiff := sheet(20), board(20)
	stiff = &BSR{N: soft.N, Start: soft.Start, Col: soft.Col, Diag: soft.Diag, upper: soft.upper, Val: stiff.Val}
	var kept, fresh Thin
	kept.Update(nil, stiff)
	one, other := kept.Update(nil, soft), fresh.Update(nil, soft)
	if !slices.Equal(one.Col, other.Col) || !slices.Equal(one.Val, other.Val) {
		t.Error("a matrix is thinned in another way after a stiffer one")
	}
	if again := kept.Update(nil, soft); again != one {
		t.Error("a matrix of the same pattern is made anew")
	}
	for _, workers := range []int{1, 2, 8} {
		var thin Thin
		if m := thin.Update(par.New(workers), soft); !slices.Equal(m.Col, other.Col) || !slices.Equal(m.Val, other.Val) {
			t.Errorf("%d workers thin in another way", workers)
		}
	}
}

func TestSoftnessIsThatOfTheInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, _ := randomSPD(t)
		for i := range a.N {
			m := &a.Val[a.Diag[i]]
			inverse, ok := m.Inverse()
			if got, want := softness(m), 3/inverse.Trace(); ok && math.Abs(got-want) > 1e-9*want {
				t.Fatalf("%v: %g, not %g", m, got, want)
			}
		}
	})
}

func TestExtendedHasThePairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		pair := rapid.Custom(func(t *rapid.T) [2]int32 {
			return [2]int32{rapid.Int32Range(0, int32(n-1)).Draw(t, "i"), rapid.Int32Range(0, int32(n-1)).Draw(t, "j")}
		})
		first, more := rapid.SliceOf(pair).Draw(t, "first"), rapid.SliceOf(pair).Draw(t, "more")
		got, want := Extended(NewBSR(n, first), more), NewBSR(n, append(slices.Clone(first), more...))
		if !slices.Equal(got.Start, want.Start) || !slices.Equal(got.Col, want.Col) || !slices.Equal(got.Diag, want.Diag) ||
			!slices.Equal(got.upper, want.upper) {
			t.Fatalf("%v and %v: columns %v, not %v", first, more, got.Col, want.Col)
		}
	})
}

// A ladder fills in one block a rung, so that a factor with fill is exact and one without is not.
func TestFillIsExactOnALadder(t *testing.T) {
	var pairs [][2]int32
	const rungs = 40
	for i := range int32(rungs) {
		pairs = append(pairs, [2]int32{2 * i, 2*i + 1})
		if i > 0 {
			pairs = append(pairs, [2]int32{2*i - 2, 2 * i}, [2]int32{2*i - 1, 2*i + 1})
		}
	}
	a := NewBSR(2*rungs, pairs)
	for i := range a.N {
		for p := a.Start[i]; p < a.Start[i+1]; p++ {
			a.Val[p] = r3.Diagonal(-1)
			if p == a.Diag[i] {
				a.Val[p] = r3.Diagonal(3.5)
			}
		}
	}
	error := func(f *IC) float64 {
		f.Update(nil, a, nil)
		want, r, z := make([]r3.Vec, a.N), make([]r3.Vec, a.N), make([]r3.Vec, a.N)
		for i := range want {
			want[i] = r3.V(math.Sin(float64(i)), 1, float64(i%3))
		}
		a.Mul(nil, want, r)
		f.Apply(nil, r, z)
		return distance(z, want)
	}
	if with, without := error(&IC{Fill: true}), error(&IC{}); with > 1e-12 || without < 1e-3 {
		t.Errorf("with fill the error is %g, without %g", with, without)
	}
}

// Pairs that join domains put one of their nodes between these.
func TestCutDomainsAreNotCoupled(t *testing.T) {
	a := sheet(60)
	pairs := [][2]int32{{0, int32(a.N - 1)}, {5, 5 + int32(a.N/2)}, {0, int32(a.N / 2)}, {7, 8}}
	m := Extended(a, pairs)
	whole := newDomains(a, domainDepth)
	d := whole.cut(pairs)
	of := make([]int, a.N)
	for k := range len(d.start) - 1 {
		for _, v := range d.order[d.start[k]:d.start[k+1]] {
			of[v] = k + 1
		}
	}
	for i := range m.N {
		for _, j := range m.Col[m.Start[i]:m.Start[i+1]] {
			if of[i] > 0 && of[j] > 0 && of[i] != of[j] {
				t.Fatalf("rows %d and %d are coupled, in domains %d and %d", i, j, of[i], of[j])
			}
		}
	}
	order := slices.Sorted(slices.Values(d.order))
	for i, v := range order {
		if int(v) != i {
			t.Fatalf("the order has %d where %d is due", v, i)
		}
	}
}

// TestSizeOfFactor has a square, which fill cuts into two triangles; each of them makes a product.
func TestSizeOfFactor(t *testing.T) {
	square := NewBSR(4, [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 0}})
	for _, p := range square.Diag {
		square.Val[p] = r3.Diagonal(1)
	}
	for _, test := range []struct {
		fill             bool
		blocks, products int
	}{{false, 4, 0}, {true, 5, 2}} {
		f := IC{Fill: test.fill}
		f.Update(nil, square, nil)
		if f.Blocks() != test.blocks || f.Products() != test.products {
			t.Errorf("fill %t: %d blocks and %d products, want %d and %d", test.fill, f.Blocks(), f.Products(), test.blocks, test.products)
		}
	}
}
