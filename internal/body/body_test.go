package body_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// plainDamping is the damping of the membrane of crumpled.
const plainDamping = 0.3

// plateDamping is the damping of element e of the plate of crumpled.
func plateDamping(e int) float64 { return float64(e % 3) }

func crumpled(n int) (*body.Assembly, []elastic.Elements, []r3.Vec) {
	m, x := shape.Grid(1, 1, n, n)
	rng := rand.New(rand.NewPCG(1, 9))
	for i := range x {
		x[i] = x[i].AddScaled(0.1/float64(n), r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
	}
	membrane := elastic.NewMembrane(m, elastic.StVK(material.NewStretch(100, 80, 30, 0.2)))
	plate, err := elastic.NewPlate(m, elastic.Everywhere(elastic.IsotropicPlate(1e-3, 0.2)), nil, nil)
	if err != nil {
		panic(err)
	}
	families := []elastic.Elements{membrane, plate}
	damping := make([]float64, plate.Len())
	for e := range damping {
		damping[e] = plateDamping(e)
	}
	a := body.NewAssembly(
		par.New(2),
		m.Verts,
		[]body.Placed{
			{Part: body.Part{Elements: membrane, Kind: mech.MembraneEnergy, Damping: plainDamping}, Nodes: m.Verts},
			{Part: body.Part{Elements: plate, Kind: mech.BendingEnergy, DampingBy: damping}, Nodes: m.Verts},
		},
	)
	return a, families, x
}

// Oracle: the gathered matrix, force, energy and damping are those of a plain scatter over elements.
func TestAssemblyAgreesWithScatter(t *testing.T) {
	a, families, x := crumpled(6)
	n := len(x)
	const th, share = 0.7, 0.4
	mass := make([]r3.Mat, n)
	for i := range mass {
		mass[i] = r3.Diagonal(float64(i))
		mass[i].AddOuter(0.1, r3.V(1, 2, float64(i)), r3.V(1, 2, float64(i)))
	}
	force := make([]r3.Vec, n)
	damp := make([]r3.Vec, n)
	dense := make([]r3.Mat, n*n)
	v := make([]r3.Vec, n)
	for i := range v {
		v[i] = r3.V(math.Sin(float64(i)), math.Cos(float64(i)), 0.3)
		dense[i*n+i] = mass[i].Scale(share)
	}
	a.WeighStep(th)
	const over = 0.3
	before := make([]r3.Vec, n)
	for i := range before {
		before[i] = x[i].AddScaled(0.1, v[i])
	}
	a.Update(before, nil, elastic.WithForce)
	a.Start(over)
	a.Update(x, nil, elastic.Projected)
	var energies mech.Energies
	a.AddEnergies(&energies)
	for f, e := range families {
		energy := 0.0
		for k := range e.Len() {
			energy += e.Energy(k)
			nodes := e.Nodes(k)
			damping := plainDamping
			if f == 1 {
				damping = plateDamping(k)
			}
			for i, node := range nodes {
				force[node] = force[node].Add(e.Force(k, i))
				if viscous, ok := e.(elastic.Viscous); ok {
					damp[node] = damp[node].AddScaled(2*damping/over, viscous.ViscousForce(k, i))
				} else {
					damp[node] = damp[node].AddScaled(2*damping, e.MaterialForce(k, i, v))
				}
				at := make([]int32, len(nodes))
				for j, other := range nodes {
					at[j] = node*int32(n) + other
				}
				e.AddRow(k, i, at, dense, th*th+th*damping, th*th)
			}
		}
		kind := [2]mech.Kind{mech.MembraneEnergy, mech.BendingEnergy}[f]
		if got := energies.Of(kind); math.Abs(got-energy) > 1e-13*energy {
			t.Errorf("%v energy is %v, want %v", kind, got, energy)
		}
	}
	a.Matrix(mass, share)
	for i := range n {
		if d := a.Force[i].Sub(force[i]).Norm(); d > 1e-12 {
			t.Fatalf("force on node %d differs by %g", i, d)
		}
		for j := range n {
			want := dense[i*n+j]
			got := r3.Mat{}
			if p := a.A.Index(int32(i), int32(j)); p >= 0 {
				got = a.A.Val[p]
			}
			got.AddScaled(-1, &want)
			if got.MaxAbs() > 1e-10*(1+want.MaxAbs()) {
				t.Fatalf("block %d, %d differs by %g of %g", i, j, got.MaxAbs(), want.MaxAbs())
			}
		}
	}
	got := make([]r3.Vec, n)
	a.Damp(2, v, got)
	for i := range got {
		if d := got[i].Sub(damp[i]).Norm(); d > 1e-9 {
			t.Fatalf("damping at node %d differs by %g", i, d)
		}
	}
}

// The mass of a mapped sheet is the integral of its density.
func TestMappedMass(t *testing.T) {
	m, _ := shape.Grid(2, 3, 4, 5)
	density, want := make([]float64, len(m.Tri)), 0.0
	for i := range density {
		density[i] = float64(1 + i%4)
		want += density[i] * m.RestArea(int32(i))
	}
	sum := 0.0
	for _, x := range body.MappedMass(m, density) {
		sum += x
	}
	if math.Abs(sum-want) > 1e-12*want {
		t.Errorf("mass %g, not %g", sum, want)
	}
}

// Property: lumped masses sum to density times area.
func TestLumpedMass(t *testing.T) {
	m, _ := shape.Grid(2, 3, 7, 5)
	sum := 0.0
	for _, x := range body.LumpedMass(m, 0.25) {
		sum += x
	}
	if math.Abs(sum-1.5) > 1e-14 {
		t.Errorf("mass %v, want 1.5", sum)
	}
}

// Drag is the derivative of its force, against the motion, and does not depend on the order of corners.
func TestAirDragDerivative(t *testing.T) {
	m, x := shape.Grid(1, 1, 3, 3)
	rng := rand.New(rand.NewPCG(4, 4))
	v := make([]r3.Vec, len(x))
	for i := range v {
		v[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		x[i].Z = 0.1 * rng.NormFloat64()
	}
	air := body.NewAir(m, 1.3)
	air.Begin(nil, x, v, 1.2, r3.V(0.5, 0, -0.2))
	force := func(e, k int, v []r3.Vec) r3.Vec {
		air.Update(v, elastic.WithForce, 0, air.Len())
		return air.Force(e, k)
	}
	const eps = 1e-6
	for e := range air.Len() {
		nodes := air.Nodes(e)
		val := make([]r3.Mat, 3)
		air.AddRow(e, 0, []int32{0, 1, 2}, val, 1, 1)
		power := 0.0
		for l, node := range nodes {
			saved := v[node]
			dir := r3.V(1, -2, 0.5)
			v[node] = saved.AddScaled(eps, dir)
			up := force(e, 0, v)
			v[node] = saved.AddScaled(-eps, dir)
			down := force(e, 0, v)
			v[node] = saved
			want := up.Sub(down).Scale(-1 / (2 * eps)) // the force is linear in v, so this is exact to rounding
			if d := val[l].MulVec(dir).Sub(want).Norm(); d > 1e-9 {
				t.Fatalf("face %d, corner %d: derivative off by %g", e, l, d)
			}
			power += force(e, l, v).Dot(v[node].Sub(r3.V(0.5, 0, -0.2)))
		}
		if power > 1e-15 {
			t.Errorf("drag drives face %d with %g W", e, power)
		}
	}
}

// A square metre of cloth, its mass and the force of gravity on it.
func ExampleLumpedMass() {
	m, _ := shape.Grid(1, 1, 10, 10)
	total := 0.0
	for _, mass := range body.LumpedMass(m, 0.2) {
		total += mass
	}
	fmt.Printf("%.3f kg, %.3f N\n", total, 9.81*total)
	// Output: 0.200 kg, 1.962 N
}
