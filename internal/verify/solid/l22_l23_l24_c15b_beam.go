package solid

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// beamYoung and beamDensity are those of the beams of L22 and L23, which have ν = 0 and are 1 x 0.1 x 0.1 m.
const (
	beamYoung   = 1e7 // [Pa]
	beamDensity = 100 // [kg/m³]
)

// L22: a cantilever under its own weight goes down at its tip by ρ g A L⁴/(8 E I) = 14.715 mm in bending and by 6/5 ρ g
// L²/(2 G) = 0.118 mm in shear, less 0.02 % because the droop is not infinitely small. Tets of constant strain are too
// stiff in bending, and come near with the square of their size.
var solidCantilever = verify.Case{
	ID: "L22", Title: "droop of a solid cantilever", Source: "beams of Timoshenko",
	Body: func(t *verify.Trial) {
		const expected = (14.715 + 0.118) * (1 - 2e-4)
		across := []int{4, 8}
		if t.Options.Full {
			across = []int{2, 4, 8, 12}
		}
		var sizes, faults []float64
		for _, n := range across {
			t.At(fmt.Sprint(n, " across"), 0, 0)
			drop := 1e3 * droop(t, n)
			sizes, faults = append(sizes, 0.1/float64(n)), append(faults, math.Abs(drop/expected-1))
			if n >= 8 {
				t.Row(verify.Row{
					Quantity: fmt.Sprintf("droop with %d cells across", n), Unit: "mm", Expected: expected,
					Measured: drop,
					// 2 % with 12 cells, and of order 2.
					Bar: verify.Relative, Limit: 0.02 * math.Pow(12/float64(n), 2),
				})
			}
		}
		last := len(across) - 1
		order := math.Log(faults[last-1]/faults[last]) / math.Log(sizes[last-1]/sizes[last])
		t.Row(verify.Row{
			Quantity: "order in the size of cells", Expected: 2, Measured: order, Bar: verify.Absolute, Limit: 0.3,
		})
		t.Plot("l22-droop", draw.Plot{
			Title: "L22: droop of a cantilever", X: "size of cells [m]", Y: "relative error", LogX: true, LogY: true,
			Series: []draw.Series{
				{Name: "second order", X: sizes, Y: setup.Scaled(sizes, 2, faults[last]), Style: draw.Dashed},
				{Name: "measured", X: sizes, Y: faults, Style: draw.Points},
			},
		})
	},
}

// droop returns how far the tip of the cantilever goes down, with n cells across [m].
func droop(t *verify.Trial, n int) float64 {
	m := shape.TetBox(r3.V(1, 0.1, 0.1), 10*n, n, n)
	s := HoldSolid(
		t,
		body.SolidSpec{Mesh: m, Material: material.Isotropic{Young: beamYoung}, Density: beamDensity},
		func(x r3.Vec) bool { return x.X == 0 },
	)
	x, load := slices.Clone(m.X), make([]r3.Vec, len(m.X))
	for i, mass := range s.Solid.Mass {
		load[i] = r3.V(0, 0, -9.81*mass)
	}
	t.Must(s.Settle(x, load))
	drop, count := 0.0, 0.0
	for i, rest := range m.X {
		if rest.X == 1 {
			drop, count = drop+rest.Z-x[i].Z, count+1
		}
	}
	return drop / count
}

// L23: the same beam fixed at one end swings along itself with √(E/ρ)/(4 L) = 79.06 Hz. A free one of twice the length
// does so too, as two of them back to back. The midpoint rule with 100 steps a period is slower by (2π/100)²/12 = 0.03
// %, and lumped masses with cells of L/20 by (π/40)²/24 = 0.03 %.
var longitudinal = verify.Case{
	ID: "L23", Title: "longitudinal vibration of a solid bar", Source: "wave equation",
	Body: func(t *verify.Trial) {
		want := math.Sqrt(beamYoung/beamDensity) / 4
		m := shape.TetBox(r3.V(2, 0.1, 0.1), 40, 2, 2)
		v, end := make([]r3.Vec, len(m.X)), 0
		for i, x := range m.X {
			v[i] = r3.V(0.01*math.Cos(math.Pi/2*x.X), 0, 0)
			if x == r3.V(2, 0.05, 0.05) {
				end = i
			}
		}
		opt := setup.Exactly(0.5)
		opt.Newton.Tolerance = 1e-9 // rounding leaves 1e-11 m/s in stiff bars
		opt.Gravity, opt.Workers = r3.Vec{}, t.Workers
		w := t.World(opt)
		solid, err := body.NewSolid(
			body.SolidSpec{Mesh: m, Material: material.Isotropic{Young: beamYoung}, Density: beamDensity},
		)
		t.Must(err)
		id, err := w.AddBody("bar", solid, m.X, v)
		t.Must(err)
		h := 0.01 / want
		energy := w.Energy().Total()
		var passes []float64 // when the end passes its place
		before := 0.0
		for k := range 250 {
			_, err := w.Step(h)
			t.Must(err)
			now := w.BodyPositions(id)[end].X - 2
			if before*now < 0 {
				passes = append(passes, h*(float64(k)+before/(before-now)))
			}
			before = now
		}
		if len(passes) != 4 {
			t.Must(fmt.Errorf("the end passes its place %d times, not 4", len(passes)))
		}
		t.Row(verify.Row{
			Quantity: "frequency", Unit: "Hz", Expected: want, Measured: 1.5 / (passes[3] - passes[0]),
			Bar: verify.Relative, Limit: 0.005,
		})
		// The midpoint rule keeps quadratic energies; of ours, what is not quadratic is smaller by the strain, 3e-5.
		t.Row(verify.Row{
			Quantity: "energy lost or gained, relative", Measured: math.Abs(w.Energy().Total()/energy - 1),
			Bar: verify.AtMost, Limit: 1e-10,
		})
	},
}

// L24: turned by 0 to 360 degrees, a solid has no force, relative to that of a strain of 1; and a strip of 1 x 0.06 x
// 0.03 m that is bent to a full circle, while its length is let go, keeps its volume: what is inside is drawn to the
// centre by the tension outside, by a strain of order (κ h/2)², 0.9 %. (A square bar would roll over on the way.)
var bentSolid = verify.Case{
	ID: "L24", Title: "solids that turn and bend", Source: "definition of the elements",
	Body: func(t *verify.Trial) {
		rng := rand.New(rand.NewPCG(24, 24))
		m := shape.TetBox(r3.V(0.3, 0.2, 0.1), 3, 3, 3)
		const young = 1e6
		c, err := elastic.NewCorotational(m, material.Isotropic{Young: young, Poisson: 0.3})
		t.Must(err)
		x, worst := make([]r3.Vec, len(m.X)), 0.0
		for degrees := range 361 {
			axis := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			turn := r3.Rotation(axis, float64(degrees)*math.Pi/180)
			for i := range x {
				x[i] = turn.Rotate(m.X[i])
			}
			t.Moved(x)
			c.Update(x, elastic.WithForce, 0, c.Len())
			for e := range c.Len() {
				p := c.Stress(e)
				worst = max(worst, p.MaxAbs()/young)
			}
		}
		t.Row(verify.Row{
			Quantity: "stress after rotations, over E", Measured: worst, Bar: verify.AtMost,
			Limit: 512 * verify.Rounding, From: "512 roundings of 361 turns",
		})
		bendToCircle(t)
	},
}

// bendToCircle bends the strip of L24.
func bendToCircle(t *verify.Trial) {
	const turns, width, height, young = 24, 0.06, 0.03, 1e6
	along, across := 40, 2
	if t.Options.Full {
		along, across = 80, 4
	}
	m := shape.TetBox(r3.V(1, width, height), along, across, across)
	s := HoldSolid(
		t,
		body.SolidSpec{Mesh: m, Material: material.Isotropic{Young: young, Poisson: 0.3}, Density: 100},
		func(x r3.Vec) bool { return x.X == 0 || x.X == 1 },
	)
	x, load := slices.Clone(m.X), make([]r3.Vec, len(m.X))
	angle, length := 0.0, 1.0
	for k := range turns + 3 { // the last three for the length alone
		t.At("bending", float64(k), turns)
		wasAngle, wasLength := angle, length
		angle = 2 * math.Pi * min(1, float64(k+1)/turns)
		length *= 1 - s.tension(x, wasAngle)/(young*width*height)
		for i, rest := range m.X {
			was, is := onArc(rest, height/2, wasAngle, wasLength), onArc(rest, height/2, angle, length)
			x[i] = x[i].Add(is.Sub(was))
		}
		t.Must(s.Settle(x, load))
	}
	t.Moved(x)
	bent := mesh.Tets{X: x, Tet: m.Tet}
	inverted := 0
	for e := range m.Tet {
		if !(bent.TetVolume(int32(e)) > 0) {
			inverted++
		}
	}
	change := math.Abs(bent.Volume()/m.Volume() - 1)
	t.Row(verify.Row{
		Quantity: "change of volume in a full circle, relative", Measured: change, Bar: verify.AtMost, Limit: 0.01,
	})
	t.Row(verify.Row{Quantity: "inverted tets", Measured: float64(inverted), Bar: verify.AtMost, Limit: 0})
	t.Note("its length changes by %.3f %%", 100*(length-1))
}

// onArc returns where a point of a bar along x goes if the bar, with its axis at the given height and from now on of
// the given length, is bent by an angle.
func onArc(p r3.Vec, axis, angle, length float64) r3.Vec {
	if angle == 0 {
		return r3.V(length*p.X, p.Y, p.Z)
	}
	sin, cos := math.Sincos(angle * p.X)
	r := length/angle - (p.Z - axis)
	return r3.V(r*sin, p.Y, axis+length/angle-r*cos)
}

// C15b: the patch test of C15 for solids, as an equilibrium. The surface of a cube is moved by a linear field with a
// large rotation, the vertices inside, which at rest are anywhere, start from anywhere near; then every tet has the
// stress of the field, P = 2μ (F-R) + λ tr(RᵀF-1) R.
var solidPatch = verify.Case{
	ID: "C15b", Title: "patch test of solids", Source: "definition of the elements",
	Body: func(t *verify.Trial) {
		seeds := 2
		if t.Options.Full {
			seeds = 20
		}
		worst := 0.0
		for seed := range seeds {
			worst = max(worst, patchStress(t, rand.New(rand.NewPCG(uint64(seed), 15))))
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("stress of %d patches, relative error", seeds), Measured: worst,
			Bar: verify.AtMost, Limit: 5e-11,
		})
	},
}

// patchStress returns the relative error of the stress in a patch.
func patchStress(t *verify.Trial, rng *rand.Rand) float64 {
	const n = 4
	random := func() r3.Vec { return r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5) }
	m := shape.TetBox(r3.V(1, 1, 1), n, n, n)
	outside := func(x r3.Vec) bool { return min(x.X, x.Y, x.Z) == 0 || max(x.X, x.Y, x.Z) == 1 }
	for i, x := range m.X {
		if !outside(x) {
			m.X[i] = x.AddScaled(0.3/n, random())
		}
	}
	const young, poisson = 1e5, 0.3
	law := material.Isotropic{Young: young, Poisson: poisson}
	s := HoldSolid(t, body.SolidSpec{Mesh: m, Material: law, Density: 1000}, outside)
	// F = R S with S = 1 + strain symmetric.
	turn := r3.Rotation(random(), 6*rng.Float64()).Mat()
	a, b, c := random(), random(), random()
	strain := r3.Rows(a, b, c)
	transposed := strain.T()
	strain.Add(&transposed)
	strain = strain.Scale(0.1)
	stretch := r3.Identity()
	stretch.Add(&strain)
	f := turn.Mul(&stretch)
	want := strain.Scale(young / (1 + poisson))                                            // 2μ
	want.AddDiagonal(young * poisson / ((1 + poisson) * (1 - 2*poisson)) * strain.Trace()) // λ tr
	want = turn.Mul(&want)

	x := make([]r3.Vec, len(m.X))
	for i, rest := range m.X {
		x[i] = f.MulVec(rest)
		if !outside(rest) {
			x[i] = x[i].AddScaled(0.2/n, random())
		}
	}
	t.Must(s.Settle(x, make([]r3.Vec, len(x))))
	s.Update(x, nil, elastic.WithForce)
	worst := 0.0
	for e := range s.Solid.Tets.Len() {
		p := s.Solid.Tets.Stress(e)
		p = p.Scale(t.Value(1))
		p.AddScaled(-1, &want)
		worst = max(worst, p.MaxAbs()/want.MaxAbs())
	}
	return worst
}

// HeldSolid is a solid with vertices that are held, and what it takes to find its equilibrium.
type HeldSolid struct {
	*body.Assembly
	Solid  *body.Solid
	team   *par.Team
	fixed  []bool
	factor sparse.Cholesky
}

func HoldSolid(t *verify.Trial, spec body.SolidSpec, hold func(rest r3.Vec) bool) *HeldSolid {
	solid, err := body.NewSolid(spec)
	t.Must(err)
	n := solid.Blocks()
	s := &HeldSolid{Solid: solid, team: par.New(t.Workers), fixed: make([]bool, n)}
	s.Assembly = body.NewAssembly(s.team, n, []body.Placed{{Part: solid.Parts()[0], Nodes: n}})
	s.WeighRest()
	for i, x := range spec.Mesh.X {
		s.fixed[i] = hold(x)
	}
	return s
}

// Settle moves x to where elasticity balances the load, by Newton steps with a matrix that is kept while moves get ten
// times smaller.
func (s *HeldSolid) Settle(x, load []r3.Vec) error {
	// solid without mass
	massless := make([]r3.Mat, len(x))
	rhs, move := make([]r3.Vec, len(x)), make([]r3.Vec, len(x))
	keep, last := false, math.Inf(1)
	for range 50 {
		// forces, and a matrix where the one that is kept does badly
		s.Update(x, nil, elastic.Exact)
		s.Forces()
		if !keep {
			s.Matrix(massless, 0)
			if err := s.factor.Factor(s.team, s.A, s.fixed); err != nil {
				return err
			}
		}
		// a Newton step of what is free
		for i := range rhs {
			rhs[i] = s.Force[i].Add(load[i])
		}
		s.factor.Solve(s.fixed, rhs, move)
		most := 0.0
		for i := range x {
			if !s.fixed[i] {
				x[i] = x[i].Add(move[i])
				most = max(most, move[i].MaxAbs())
			}
		}
		// done, or whether the matrix is kept
		if most < 1e-11 {
			return nil
		}
		keep, last = most < 0.1*last, most
	}
	return errors.New("the solid finds no equilibrium")
}

// tension returns the force along a bar of unit length, bent by an angle, at its end [N].
func (s *HeldSolid) tension(x []r3.Vec, angle float64) float64 {
	s.Update(x, nil, elastic.WithForce)
	s.Forces()
	var sum r3.Vec
	for i, rest := range s.Solid.Spec.Mesh.X {
		if rest.X == 1 {
			sum = sum.Add(s.Force[i])
		}
	}
	sin, cos := math.Sincos(angle)
	return -sum.Dot(r3.V(cos, 0, sin))
}
