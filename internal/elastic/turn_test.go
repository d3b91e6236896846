package elastic

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

// Turn is the geometric part of AddRow times a rotation, of every family, in both modes, however much it is strained.
func TestTurnIsTheGeometricPartTimesARotation(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	cases := append(bendingCases(t), curvedCases(t)...)
	m := crookedGrid(t, 3, rng)
	cases = append(cases, bendingCase{"membrane", NewMembrane(m, StVK(material.NewStretch(300, 120, 40, 0.3))), flatPlace(m), 1.0 / 3})
	tet := oneTet()
	for _, law := range testSolids() {
		cases = append(cases, bendingCase{"co-rotational", mustCorotational(t, tet, law), tet.X, 0.1})
	}
	thread := NewStitches([][2]int32{{0, 1}}, Thread{Stiffness: 50, Force: 100})
	cases = append(cases, bendingCase{"stitch", thread, []r3.Vec{{X: 0.1}, {Y: 0.2}}, 0.1})
	for _, c := range cases {
		for _, detail := range []Detail{Projected, Exact} {
			for _, shake := range []float64{0.02, 0.3} {
				x := shaken(c.rest, shake*c.size, rng)
				checkTurn(t, &c, detail, x, randomVec(rng))
				checkDissipation(t, &c, detail, shaken(x, 1, rng))
			}
		}
	}
	for _, law := range testSolids() {
		for name, tets := range hyperelastics(t, tet, law) {
			c := bendingCase{name, tets, tet.X, 0.1}
			checkTurn(t, &c, Exact, shaken(c.rest, 0.3*c.size, rng), randomVec(rng))
		}
	}
}

// Tets of large deformation turn the principal stresses along that pull, ∂E/∂σ_k, and not those that press.
func TestTurnOfWhatPulls(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 74))
	tet := oneTet()
	for name, h := range hyperelastics(t, tet, testSolids()[1]) {
		for _, sigma := range [][3]float64{{1.1, 1.3, 1.2}, {1.1, 1.2, 0.7}, {0.8, 0.9, 0.7}, {3, 0.3, 0.5}, {1.1, 0.9, -0.2}} {
			if h.barrier && sigma[2] < 0 {
				continue
			}
			u, v, spin := randomPose(rng).R.Mat(), randomPose(rng).R.Mat(), randomVec(rng)
			back := v.T()
			place := func(s [3]float64) []r3.Vec {
				f := u.Mul(&r3.Mat{XX: s[0], YY: s[1], ZZ: s[2]})
				return deformed(tet.X, f.Mul(&back))
			}
			var pull r3.Mat
			for k, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
				const d = 1e-5
				more, less := sigma, sigma
				more[k], less[k] = sigma[k]+d, sigma[k]-d
				h.Update(place(more), EnergyOnly, 0, 1)
				slope := h.Energy(0)
				h.Update(place(less), EnergyOnly, 0, 1)
				slope = (slope - h.Energy(0)) / (2 * d)
				if slope*sigma[k] > 0 {
					pull.AddOuter(slope, u.MulVec(axis), v.MulVec(axis))
				}
			}
			h.Update(place(sigma), Projected, 0, 1)
			for k, b := range h.tet[0].b {
				got, want := h.Turn(0, k, spin), spin.Cross(pull.MulVec(b))
				if d := got.Sub(want).Norm(); !(d <= 1e-7*h.Force(0, k).Norm()) {
					t.Errorf("%s, stretches %v, node %d: %v, expected %v", name, sigma, k, got, want)
				}
			}
		}
	}
}

func checkTurn(t *testing.T, c *bendingCase, detail Detail, x []r3.Vec, spin r3.Vec) {
	t.Helper()
	f := c.elems.(Turner)
	f.Update(x, detail, 0, f.Len())
	turned := 0
	for e := range f.Len() {
		nodes := f.Nodes(e)
		sum, most := r3.Vec{}, 0.0
		for k := range nodes {
			at, row := make([]int32, len(nodes)), make([]r3.Mat, len(nodes))
			for l := range at {
				at[l] = int32(l)
			}
			f.AddRow(e, k, at, row, 0, 1)
			var want r3.Vec
			size := 0.0
			for l, i := range nodes {
				term := row[l].MulVec(spin.Cross(x[i].Sub(x[nodes[0]])))
				want, size = want.Add(term), size+term.Norm()
			}
			got := f.Turn(e, k, spin)
			sum, most = sum.Add(got), max(most, got.Norm())
			if got != (r3.Vec{}) {
				turned++
			} else if strings.HasPrefix(c.name, "clamped") {
				continue // it may be tied to the world
			}
			// Products of stiffness and length cancel down to a force.
			if d := got.Sub(want).Norm(); d > 1e-12*size {
				t.Fatalf("%s, element %d, node %d, detail %d: %v, by rows %v, off by %g of %g", c.name, e, k, detail, got, want, d, size)
			}
		}
		if sum.Norm() > 1e-12*most*float64(len(nodes)) {
			t.Errorf("%s, element %d: sums to %v", c.name, e, sum)
		}
	}
	if turned == 0 && !(strings.HasSuffix(c.name, "hinge") && detail == Projected) {
		t.Errorf("%s, detail %d: nothing turns", c.name, detail)
	}
}

// What damping takes is minus the work of its forces.
func checkDissipation(t *testing.T, c *bendingCase, detail Detail, v []r3.Vec) {
	t.Helper()
	for e := range c.elems.Len() {
		got, want, size := element.Dissipation(c.elems, e, v), 0.0, 0.0
		for k, i := range c.elems.Nodes(e) {
			term := v[i].Dot(c.elems.MaterialForce(e, k, v))
			want, size = want-term, size+math.Abs(term)
		}
		if d := math.Abs(got - want); d > 1e-12*size {
			t.Fatalf("%s, detail %d: damping of element %d takes %g, the work of its forces is %g", c.name, detail, e, got, -want)
		}
	}
}
