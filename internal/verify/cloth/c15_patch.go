package cloth

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C15: patch tests on random meshes. A linear deformation x = F X has the same Green strain everywhere: its energy is
// the area times the density, and inside the sheet forces balance. A sheet at rest has six rigid motions that cost
// nothing, and no other; turning the world turns the forces.
var patch = verify.Case{
	ID: "C15", Title: "patch tests, rigid modes, frame indifference", Source: "definition of the elements",
	Body: func(t *verify.Trial) {
		seeds := 3
		if t.Options.Full {
			seeds = 30
		}
		var energy, force, turned float64
		var numbers, energies, forces []float64
		fewest, most := math.MaxInt, 0
		for seed := range seeds {
			m, at := shape.Strip(shape.Random, 0.3, 0.2, 0.05, 0.3, uint64(seed))
			rng := rand.New(rand.NewPCG(uint64(seed), 15))
			e, f := linearField(t.Value, m, at, rng)
			energy, force = max(energy, e), max(force, f)
			numbers, energies, forces = append(
				numbers,
				float64(seed+1),
			), append(
				energies,
				max(e, 1e-17),
			), append(
				forces,
				max(f, 1e-17),
			)
			turned = max(turned, frameError(t.Value, m, at, rng))
			n := zeroModes(t.Value, m, at)
			fewest, most = min(fewest, n), max(most, n)
		}
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("energy of a linear field on %d meshes, relative error", seeds),
				Measured: energy,
				Bar:      verify.AtMost,
				Limit:    16 * verify.Rounding,
			},
		)
		t.Row(verify.Row{
			Quantity: "force inside a linear field, relative", Measured: force, Bar: verify.AtMost,
			Limit: 1024 * verify.Rounding, From: "1024 roundings: forces nearly cancel",
		})
		t.Row(verify.Row{
			Quantity: "force in a turned world, relative error", Measured: turned, Bar: verify.AtMost,
			Limit: 256 * verify.Rounding,
		})
		t.Row(
			verify.Row{
				Quantity: "fewest zero modes of a free sheet",
				Expected: 6,
				Measured: float64(fewest),
				Bar:      verify.Absolute,
				Limit:    0,
			},
		)
		t.Row(
			verify.Row{
				Quantity: "most zero modes of a free sheet",
				Expected: 6,
				Measured: float64(most),
				Bar:      verify.Absolute,
				Limit:    0,
			},
		)
		bar := []float64{1e-12, 1e-12}
		t.Plot("c15-patch", draw.Plot{
			Title: "C15: linear fields on random meshes", X: "mesh", Y: "relative error", LogY: true,
			Series: []draw.Series{
				{Name: "bar", X: []float64{1, float64(seeds)}, Y: bar, Style: draw.Dashed},
				{Name: "energy", X: numbers, Y: energies, Style: draw.Points},
				{Name: "force inside", X: numbers, Y: forces, Style: draw.Points},
			},
		})
	},
}

// patchLaw is what elements are made of here. What is expected of it is computed from its engineering constants, by
// linearField alone.
var patchLaw = elastic.StVK(material.NewStretch(patchWarp, patchWeft, patchShear, patchPoisson))

const patchWarp, patchWeft, patchShear, patchPoisson = 300.0, 200.0, 80.0, 0.2

// linearField returns the relative error of the energy of a random linear deformation and the largest
// force inside relative to the largest force of an element.
func linearField(value func(float64) float64, m *mesh.Mesh, at []r3.Vec2, rng *rand.Rand) (energy, force float64) {
	column := func(x, y, z float64) r3.Vec {
		return r3.V(x, y, z).AddScaled(0.3, r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
	}
	f0, f1 := column(1, 0, 0), column(0, 1, 0)
	x := make([]r3.Vec, m.Verts)
	for t, tri := range m.Tri {
		for k, v := range tri {
			p := m.Material[m.Corner[t][k]]
			x[v] = f0.Scale(p.X).AddScaled(p.Y, f1)
		}
	}
	membrane := elastic.NewMembrane(m, patchLaw)
	membrane.Update(x, elastic.WithForce, 0, membrane.Len())
	sum, area, largest := 0.0, 0.0, 0.0
	forces := make([]r3.Vec, m.Verts)
	for e := range membrane.Len() {
		sum += value(membrane.Energy(e))
		area += m.RestArea(int32(e))
		for k, v := range membrane.Nodes(e) {
			forces[v] = forces[v].AddScaled(value(1), membrane.Force(e, k))
			largest = max(largest, membrane.Force(e, k).Norm())
		}
	}
	// Tensions of an orthotropic sheet with Poisson's ratio ν, the geometric mean of both, at the strains G = (FᵀF -
	// 1)/2 and the shear γ = 2 G₀₁: T₀ = (E₀ G₀₀ + ν √(E₀E₁) G₁₁)/(1 - ν²), T₁ likewise, and S γ. The energy is half of
	// tension times strain.
	g00, g11, gamma := (f0.Norm2()-1)/2, (f1.Norm2()-1)/2, f0.Dot(f1)
	mixed := patchPoisson * math.Sqrt(patchWarp*patchWeft)
	free := 1 - patchPoisson*patchPoisson
	t0, t1, t2 := (patchWarp*g00+mixed*g11)/free, (patchWeft*g11+mixed*g00)/free, patchShear*gamma
	want := area * (t0*g00 + t1*g11 + t2*gamma) / 2
	inside := insideVertices(m)
	worst := 0.0
	for v, f := range forces {
		if inside[v] {
			worst = max(worst, f.Norm())
		}
	}
	return math.Abs(sum/want - 1), worst / largest
}

func insideVertices(m *mesh.Mesh) []bool {
	inside := make([]bool, m.Verts)
	for i := range inside {
		inside[i] = true
	}
	for _, v := range shape.Boundary(m) {
		inside[v] = false
	}
	return inside
}

// frameError returns how much the forces on a crumpled sheet differ, relatively, from those computed in a turned
// world and turned back.
func frameError(value func(float64) float64, m *mesh.Mesh, at []r3.Vec2, rng *rand.Rand) float64 {
	x := shape.InPlane(at)
	for i := range x {
		x[i] = x[i].AddScaled(0.01, r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
	}
	turn := r3.Pose{R: r3.Rotation(r3.V(1, 2, -1), 2), T: r3.V(0.3, -0.1, 0.2)}
	y := make([]r3.Vec, len(x))
	for i := range x {
		y[i] = turn.Apply(x[i])
	}
	a, b := elementForces(m, x), elementForces(m, y)
	worst, largest := 0.0, 0.0
	for i := range a {
		worst = max(worst, turn.R.Rotate(a[i].Scale(value(1))).Sub(b[i]).Norm())
		largest = max(largest, a[i].Norm())
	}
	return worst / largest
}

func patchAssembly(m *mesh.Mesh) *body.Assembly {
	plate, err := elastic.NewPlate(m, elastic.Everywhere(elastic.IsotropicPlate(1e-3, 0.2)), nil, nil)
	if err != nil {
		verify.Stop(err)
	}
	return body.NewAssembly(par.New(1), m.Verts, []body.Placed{
		{Part: body.Part{Elements: elastic.NewMembrane(m, patchLaw)}, Nodes: m.Verts},
		{Part: body.Part{Elements: plate}, Nodes: m.Verts},
	})
}

func elementForces(m *mesh.Mesh, x []r3.Vec) []r3.Vec {
	a := patchAssembly(m)
	a.Update(x, nil, elastic.WithForce)
	a.Forces()
	return a.Force
}

// zeroModes counts the eigenvalues of the Hessian of a flat free sheet that are zero to rounding.
func zeroModes(value func(float64) float64, m *mesh.Mesh, at []r3.Vec2) int {
	// Hessian of the sheet at rest
	a := patchAssembly(m)
	x := shape.InPlane(at)
	a.WeighRest()
	a.Update(x, nil, elastic.Exact)
	a.Matrix(make([]r3.Mat, m.Verts), 0)
	// all of it, with the values as given
	n := 3 * m.Verts
	dense := make([][]float64, n)
	for i := range dense {
		dense[i] = make([]float64, n)
	}
	for i := range m.Verts {
		for p := a.A.Start[i]; p < a.A.Start[i+1]; p++ {
			b := &a.A.Val[p]
			for r, row := range [3]r3.Vec{
				{X: b.XX, Y: b.XY, Z: b.XZ}, {X: b.YX, Y: b.YY, Z: b.YZ}, {X: b.ZX, Y: b.ZY, Z: b.ZZ},
			} {
				j := 3 * int(a.A.Col[p])
				dense[3*i+r][j], dense[3*i+r][j+1], dense[3*i+r][j+2] = value(row.X), value(row.Y), value(row.Z)
			}
		}
	}
	// eigenvalues that are zero beside the largest
	values := eigenvalues(dense)
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	count := 0
	for _, v := range values {
		if math.Abs(v) < 1e-12*largest*float64(n) {
			count++
		}
	}
	return count
}

// eigenvalues returns those of a symmetric matrix, which it destroys, by cyclic Jacobi rotations.
func eigenvalues(a [][]float64) []float64 {
	n := len(a)
	for range 100 {
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				all += a[i][j] * a[i][j]
				if i != j {
					off += a[i][j] * a[i][j]
				}
			}
		}
		if off <= 1e-30*all {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				jacobiRotate(a, p, q)
			}
		}
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = a[i][i]
	}
	return values
}

// jacobiRotate turns the plane of rows p and q so that a[p][q] vanishes.
func jacobiRotate(a [][]float64, p, q int) {
	if a[p][q] == 0 {
		return
	}
	tau := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := math.Copysign(1, tau) / (math.Abs(tau) + math.Hypot(1, tau))
	c := 1 / math.Hypot(1, t)
	s := t * c
	for k := range a {
		x, y := a[k][p], a[k][q]
		a[k][p], a[k][q] = c*x-s*y, s*x+c*y
	}
	for k := range a {
		x, y := a[p][k], a[q][k]
		a[p][k], a[q][k] = c*x-s*y, s*x+c*y
	}
}
