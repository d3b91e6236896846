package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

// tenseCase is a family with positions at which it is strained and pressed.
type tenseCase struct {
	name string
	Tense
	x []r3.Vec
}

func tenseCases(t testing.TB, rng *rand.Rand) (cases []tenseCase) {
	m := crookedGrid(t, 3, rng)
	x := flatPlace(m)
	for i := range x {
		x[i] = x[i].AddScaled(0.2, randomVec(rng))
	}
	law := StVK(material.NewStretch(300, 120, 40, 0.3))
	cases = append(cases, tenseCase{"membrane", NewMembrane(m, law), x})
	for _, c := range curvedCases(t) {
		// What a clamp holds is strained by turning, and the tangent of a table has kinks.
		if !strings.HasPrefix(c.name, "clamped") && !strings.HasSuffix(c.name, "table") {
			cases = append(cases, tenseCase{"curved, " + c.name, c.elems.(*Curved), shaken(c.rest, 0.2*c.size, rng)})
		}
	}
	tet := oneTet()
	bent := shaken(tet.X, 0.1, rng)
	soft, err := NewCorotational(tet, material.Isotropic{Young: 200, Poisson: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	cases = append(cases, tenseCase{"corotational", soft, bent})
	for name, h := range hyperelastics(t, tet, material.Isotropic{Young: 200, Poisson: 0.3}) {
		cases = append(cases, tenseCase{name, h, bent})
	}
	return cases
}

// product returns wᵀ K d of element e, with the material part so many times, and the sum of its terms' sizes.
func (c *tenseCase) product(e int, material float64, w, d []r3.Vec) (sum, size float64) {
	nodes := c.Nodes(e)
	at := make([]int32, len(nodes))
	for l := range at {
		at[l] = int32(l)
	}
	for k, i := range nodes {
		row := make([]r3.Mat, len(nodes))
		c.AddRow(e, k, at, row, material, 1)
		for l, j := range nodes {
			term := w[i].Dot(row[l].MulVec(d[j]))
			sum, size = sum+term, size+math.Abs(term)
		}
	}
	return sum, size
}

// While things move by d, the force K_m(x) v of damping changes by K_g(s) d of the stress s it is the pull of, and by
// what straining does, which no infinitesimal rotation w feels. So wᵀK_g d is the derivative of wᵀK_m v.
func TestTautenIsTheDerivativeOfDamping(t *testing.T) {
	const damping, step = 0.7, 1e-6
	rng := rand.New(rand.NewPCG(61, 62))
	for _, c := range tenseCases(t, rng) {
		if _, ok := c.Tense.(Viscous); ok {
			continue
		}
		n := len(c.x)
		v, d, w := make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
		axis := randomVec(rng)
		for i := range v {
			v[i], d[i], w[i] = randomVec(rng), randomVec(rng), axis.Cross(c.x[i])
		}
		brake := func(e int, s float64) (sum float64) {
			x := make([]r3.Vec, n)
			for i := range x {
				x[i] = c.x[i].AddScaled(s, d[i])
			}
			c.Update(x, Projected, e, e+1)
			for k, i := range c.Nodes(e) {
				sum -= damping * w[i].Dot(c.MaterialForce(e, k, v))
			}
			return sum
		}
		for e := range c.Len() {
			expected := (brake(e, step) - brake(e, -step)) / (2 * step)
			c.Update(c.x, Projected, e, e+1)
			size := 0.0
			for k, i := range c.Nodes(e) {
				size += w[i].Norm() * c.MaterialForce(e, k, v).Norm()
			}
			c.Tauten(v, Damping{}, Exact, e, e+1)
			slack, _ := c.product(e, 0, w, d)
			c.Tauten(v, Damping{All: damping}, Exact, e, e+1)
			taut, _ := c.product(e, 0, w, d)
			if got := taut - slack; !(math.Abs(got-expected) <= 1e-6*(1+size)) {
				t.Errorf("%s, element %d: %g, expected %g", c.name, e, got, expected)
			}
		}
	}
}

// The force that resists what stress came on since the start has the matrix with that stress as its derivative, in all
// directions, and turning by any angle brings on none.
func TestTautenIsTheDerivativeOfViscousForce(t *testing.T) {
	const damping, over, step = 0.7, 0.2, 1e-6
	rng := rand.New(rand.NewPCG(71, 72))
	count := 0
	for _, c := range tenseCases(t, rng) {
		viscous, ok := c.Tense.(Viscous)
		if !ok {
			continue
		}
		count++
		n := len(c.x)
		start, d, w := make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
		turn := r3.Rotation(randomVec(rng), 2)
		turned := make([]r3.Vec, n)
		for i := range d {
			start[i], d[i], w[i] = c.x[i].AddScaled(0.1, randomVec(rng)), randomVec(rng), randomVec(rng)
			turned[i] = turn.Rotate(start[i])
		}
		brake := func(x []r3.Vec, e int) (sum, size float64) {
			c.Update(x, Projected, e, e+1)
			for k, i := range c.Nodes(e) {
				sum -= damping / over * w[i].Dot(viscous.ViscousForce(e, k))
				size += c.Force(e, k).Norm()
			}
			return sum, size
		}
		moved := func(s float64) []r3.Vec {
			x := make([]r3.Vec, n)
			for i := range x {
				x[i] = c.x[i].AddScaled(s, d[i])
			}
			return x
		}
		c.Update(start, WithForce, 0, c.Len())
		viscous.Start(0, c.Len())
		for e := range c.Len() {
			after, _ := brake(moved(step), e)
			before, size := brake(moved(-step), e)
			c.Update(c.x, Exact, e, e+1)
			material, most := c.product(e, 1, w, d)
			slack, _ := c.product(e, 0, w, d)
			c.Tauten(nil, Damping{}, Exact, e, e+1) // from here on nothing has moved since the one before
			c.Tauten(nil, Damping{All: damping, Over: over}, Exact, e, e+1)
			taut, _ := c.product(e, 0, w, d)
			expected, got := (after-before)/(2*step), damping/over*(material-slack)+taut-slack
			if !(math.Abs(got-expected) <= 1e-6*(size+most)) {
				t.Errorf("%s, element %d: %g, expected %g", c.name, e, got, expected)
			}
			if again, size := brake(turned, e); !(math.Abs(again) <= 1e-11*(1+size)) {
				t.Errorf("%s, element %d: turning brings on %g", c.name, e, again)
			}
		}
	}
	if count < 3 {
		t.Errorf("%d families", count)
	}
}

// After a step from y to x the geometric part is that of the stress s(y) + ds/dx (x - y): at the limit of a small step
// that of s(x), and of a long step that of the force which grows with it linearly.
func TestTautenHasTheStressOfTheLinearStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 74))
	law := StVK(material.NewStretch(300, 120, 40, 0.3))
	m := crookedGrid(t, 3, rng)
	membrane, x := NewMembrane(m, law), flatPlace(m)
	step := make([]r3.Vec, len(x))
	for i := range step {
		step[i] = randomVec(rng).Scale(0.3)
	}
	places := func(share float64) []r3.Vec {
		out := make([]r3.Vec, len(x))
		for i := range out {
			out[i] = x[i].AddScaled(share, step[i])
		}
		return out
	}
	for e := range membrane.Len() {
		stress := func(share float64) Tension {
			membrane.Update(places(share), Exact, e, e+1)
			return membrane.tri[e].s
		}
		const eps = 1e-5
		rate := stress(eps).plus(-1, stress(-eps))
		start := stress(0)
		expected := start.plus(1/(2*eps), rate)
		membrane.Start(e, e+1)
		membrane.Update(places(1), Exact, e, e+1)
		membrane.Tauten(nil, Damping{}, Exact, e, e+1)
		got := membrane.tri[e].geo
		d := got.plus(-1, expected)
		size := math.Abs(expected.Warp) + math.Abs(expected.Weft) + math.Abs(expected.Shear)
		if !(math.Abs(d.Warp)+math.Abs(d.Weft)+math.Abs(d.Shear) <= 1e-7*(1+size)) {
			t.Errorf("element %d: %v, expected %v", e, got, expected)
		}
	}
}

// Made positive, the matrix of an element has no negative direction, whatever resists; exactly, it has some.
func TestTautenProjectedIsPositive(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	for _, c := range tenseCases(t, rng) {
		n := len(c.x)
		v, d := make([]r3.Vec, n), make([]r3.Vec, n)
		least := map[Detail]float64{}
		for range 200 {
			for i := range v {
				v[i], d[i] = randomVec(rng).Scale(10), randomVec(rng)
			}
			for _, detail := range []Detail{Projected, Exact} {
				c.Update(c.x, Projected, 0, c.Len())
				c.Tauten(v, Damping{By: fill(c.Len(), 1), Over: 0.1}, detail, 0, c.Len())
				for e := range c.Len() {
					curved, size := c.product(e, 1, d, d)
					least[detail] = min(least[detail], curved/max(size, 1e-300))
				}
			}
		}
		if least[Projected] < -1e-9 || least[Exact] >= 0 {
			t.Errorf("%s: least curvature %g projected, %g exact", c.name, least[Projected], least[Exact])
		}
	}
}

func fill(n int, value float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = value
	}
	return list
}

func TestTautenAllocatesNothing(t *testing.T) {
	for _, c := range tenseCases(t, rand.New(rand.NewPCG(65, 66))) {
		c.Update(c.x, Projected, 0, c.Len())
		if n := testing.AllocsPerRun(10, func() { c.Tauten(c.x, Damping{All: 1, Over: 1}, Projected, 0, c.Len()) }); n != 0 {
			t.Errorf("%s: %g allocations", c.name, n)
		}
	}
}

func ExampleDamping() {
	fmt.Println(Damping{All: 0.1}.Of(3), Damping{By: []float64{0.1, 0.2}}.Of(1))
	// Output: 0.1 0.2
}

// Of tets without damping, Tauten makes a projected Hessian the exact one.
func TestTautenMakesTetsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	tet := oneTet()
	at := []int32{0, 1, 2, 3}
	for _, law := range []TetLaw{CorotationalLaw, NeoHookeanLaw, StableLaw} {
		elements, err := NewTets(tet, law, material.Isotropic{Young: 200, Poisson: 0.4})
		if err != nil {
			t.Fatal(err)
		}
		rows := func(x []r3.Vec, detail Detail, exact bool) (all []r3.Mat) {
			elements.Update(x, detail, 0, 1)
			if exact {
				elements.(Tense).Tauten(x, Damping{}, Exact, 0, 1)
			}
			for k := range at {
				row := make([]r3.Mat, len(at))
				elements.AddRow(0, k, at, row, 1, 1)
				all = append(all, row...)
			}
			return all
		}
		differ := false
		for range 20 {
			// pressed to a half, and shaken
			x := shaken(tet.X, 0.1, rng)
			for i := range x {
				x[i].Z *= 0.5
			}
			want, got, projected := rows(x, Exact, false), rows(x, Projected, true), rows(x, Projected, false)
			for i := range want {
				off, size := got[i], want[i].Norm2()
				off.AddScaled(-1, &want[i])
				if off.Norm2() > 1e-24*max(size, 1) {
					t.Fatalf("law %d: block %d is %v, exact %v", law, i, got[i], want[i])
				}
				differ = differ || projected[i] != want[i]
			}
		}
		if !differ {
			t.Errorf("law %d: projected and exact Hessians are the same", law)
		}
	}
}
