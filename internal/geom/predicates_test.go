package geom

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// orient3Rat is the oracle: the determinant in rational arithmetic.
func orient3Rat(a, b, c, d r3.Vec) int {
	sub := func(x, y float64) *big.Rat {
		return new(big.Rat).Sub(new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y))
	}
	minor := func(p, q, r, s *big.Rat) *big.Rat {
		return new(big.Rat).Sub(new(big.Rat).Mul(p, q), new(big.Rat).Mul(r, s))
	}
	ux, uy, uz := sub(b.X, a.X), sub(b.Y, a.Y), sub(b.Z, a.Z)
	vx, vy, vz := sub(c.X, a.X), sub(c.Y, a.Y), sub(c.Z, a.Z)
	det := new(big.Rat).Mul(sub(d.X, a.X), minor(uy, vz, uz, vy))
	det.Add(det, new(big.Rat).Mul(sub(d.Y, a.Y), minor(uz, vx, ux, vz)))
	det.Add(det, new(big.Rat).Mul(sub(d.Z, a.Z), minor(ux, vy, uy, vx)))
	return det.Sign()
}

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func randomPoint(r *rand.Rand) r3.Vec {
	return r3.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
}

// gridPoint is a small multiple of step on each axis: such points are often collinear or coplanar.
func gridPoint(r *rand.Rand, step float64) r3.Vec {
	return r3.V(float64(r.IntN(3)-1)*step, float64(r.IntN(3)-1)*step, float64(r.IntN(3)-1)*step)
}

// nudge moves each coordinate by a few units in the last place.
func nudge(r *rand.Rand, a r3.Vec) r3.Vec {
	by := func(x float64) float64 {
		for range r.IntN(3) {
			x = math.Nextafter(x, float64(r.IntN(3)-1)*10)
		}
		return x
	}
	return r3.V(by(a.X), by(a.Y), by(a.Z))
}

// fourPoints returns points that are random, on a grid, a few roundings off a plane, or of wild magnitudes.
func fourPoints(r *rand.Rand, kind int) [4]r3.Vec {
	var p [4]r3.Vec
	switch kind {
	case 0:
		for i := range p {
			p[i] = randomPoint(r)
		}
	case 1:
		for i := range p {
			p[i] = gridPoint(r, 0.25)
		}
	case 2:
		for i := range p {
			p[i] = nudge(r, gridPoint(r, 0.3).Add(r3.V(12, 12, 12)))
		}
	case 3:
		p[0], p[1], p[2] = randomPoint(r), randomPoint(r), randomPoint(r)
		s, t := r.Float64(), r.Float64()
		p[3] = nudge(r, p[0].AddScaled(s, p[1].Sub(p[0])).AddScaled(t, p[2].Sub(p[0])))
	case 4:
		for i := range p {
			p[i] = gridPoint(r, math.Ldexp(1, r.IntN(2040)-1030))
		}
	case 5:
		scale := math.Ldexp(1, r.IntN(1200)-600)
		for i := range p {
			p[i] = randomPoint(r).Scale(scale)
		}
	}
	return p
}

func TestOrient3AgainstRationals(t *testing.T) {
	r := source(1)
	signs := map[int]int{}
	cases := 120_000
	if testing.Short() {
		cases = 20_000
	}
	for i := range cases {
		p := fourPoints(r, []int{0, 1, 2, 3}[i%4])
		if i%50 == 0 {
			p = fourPoints(r, 4+i/50%2)
		}
		want := orient3Rat(p[0], p[1], p[2], p[3])
		signs[want]++
		if got := Orient3(p[0], p[1], p[2], p[3]); got != want {
			t.Fatalf("case %d: Orient3(%v) = %d, rational arithmetic says %d", i, p, got, want)
		}
		if got := Orient3(p[1], p[0], p[2], p[3]); got != -want {
			t.Fatalf("case %d: swapping two points does not change the sign of %v", i, p)
		}
		if got := Orient3(p[3], p[2], p[1], p[0]); got != want {
			t.Fatalf("case %d: an even permutation changes the sign of %v", i, p)
		}
		if got := orient3Big(p[0], p[1], p[2], p[3]); i%20 == 10 && got != want {
			t.Fatalf("case %d: orient3Big(%v) = %d, want %d", i, p, got, want)
		}
	}
	for _, s := range []int{-1, 0, 1} {
		if signs[s] < cases/20 {
			t.Errorf("only %d cases have the sign %d: the set is lopsided", signs[s], s)
		}
	}
}

func TestOrient2AgainstOrient3(t *testing.T) {
	r := source(2)
	cases := 120_000
	if testing.Short() {
		cases = 20_000
	}
	for i := range cases {
		p := fourPoints(r, []int{0, 1, 2, 3}[i%4])
		if i%50 == 0 {
			p = fourPoints(r, 4+i/50%2)
		}
		for k := range p {
			p[k].Z = 0
		}
		a, b, c := flatten(p[0], 2), flatten(p[1], 2), flatten(p[2], 2)
		want := orient3Rat(p[0], p[1], p[2], p[0].Add(r3.V(0, 0, 1)))
		if got := Orient2(a, b, c); got != want {
			t.Fatalf("case %d: Orient2(%v %v %v) = %d, want %d", i, a, b, c, got, want)
		}
		if Orient2(b, a, c) != -want || Orient2(b, c, a) != want {
			t.Fatalf("case %d: Orient2 is not antisymmetric at %v %v %v", i, a, b, c)
		}
	}
}

// The points of a plane z = x + y on a grid far from the origin are coplanar exactly; one unit in the last
// place off it is a side.
func TestOrient3SeesOneUnitInTheLastPlace(t *testing.T) {
	a, b, c := r3.V(1024, 1024, 2048), r3.V(1025, 1024, 2049), r3.V(1024, 1025, 2049)
	d := r3.V(1024.25, 1024.25, 2048.5)
	up := r3.V(d.X, d.Y, math.Nextafter(d.Z, 9999))
	if Orient3(a, b, c, d) != 0 || Orient3(a, b, c, up) != 1 {
		t.Fatal("Orient3 does not see one unit in the last place")
	}
	if Orient3(a, b, c, r3.V(math.NaN(), 0, 0)) != 0 || Orient3(a, b, c, r3.V(math.Inf(1), 0, 0)) != 0 {
		t.Fatal("points that are not finite have no side")
	}
}

func ExampleOrient3() {
	a, b, c := r3.V(0, 0, 0), r3.V(1, 0, 0), r3.V(0, 1, 0)
	fmt.Println(Orient3(a, b, c, r3.V(0.3, 0.3, 1e-300)), Orient3(a, b, c, r3.V(5, 5, 0)))
	// Output: 1 0
}

func BenchmarkOrient3(b *testing.B) {
	r := source(3)
	for _, kind := range []struct {
		name string
		kind int
	}{{"filter", 0}, {"grid", 1}, {"doubtful", 3}, {"wild", 4}} {
		points := make([][4]r3.Vec, 1024)
		for i := range points {
			points[i] = fourPoints(r, kind.kind)
		}
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			sum := 0
			for i := 0; b.Loop(); i++ {
				p := &points[i&1023]
				sum += Orient3(p[0], p[1], p[2], p[3])
			}
			if sum == math.MaxInt {
				b.Fatal()
			}
		})
	}
}
