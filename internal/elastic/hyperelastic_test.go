package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// hyperelastics are both laws with the given constants, the neo-Hookean one only where it has them.
func hyperelastics(t testing.TB, m *mesh.Tets, law material.Isotropic) map[string]*Hyperelastic {
	t.Helper()
	stable, err := NewStableNeoHookean(m, law)
	if err != nil {
		t.Fatal(err)
	}
	laws := map[string]*Hyperelastic{"stable": stable}
	if law.Poisson >= 0 {
		if laws["neo-Hookean"], err = NewNeoHookean(m, law); err != nil {
			t.Fatal(err)
		}
	}
	return laws
}

// hyperelasticCase is one tet of a law in a deformation.
type hyperelasticCase struct {
	name string
	law  material.Isotropic
	h    *Hyperelastic
	f    r3.Mat
}

func hyperelasticCases(t testing.TB, rng *rand.Rand) (cases []hyperelasticCase) {
	for _, law := range testSolids() {
		for kind, h := range hyperelastics(t, oneTet(), law) {
			for name, f := range gradients(rng) {
				cases = append(cases, hyperelasticCase{fmt.Sprint(law, " ", kind, " ", name), law, h, f})
			}
		}
	}
	return cases
}

// Force against energy and Hessian against force by central differences, extrapolated, with an error of order d⁴ times
// the fifth derivative of the energy, which for the neo-Hookean law grows with powers of 1/J down to J = 0.01. The
// parabola below has no third derivative, and differences across its beginning have an error of first order.
func TestHyperelasticDerivatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	inverted, thin := 0, 0
	for _, c := range hyperelasticCases(t, rng) {
		j := c.f.Det()
		if j < 0 {
			inverted++
		}
		if j < thinnest {
			thin++
		}
		near := 1.0
		if c.h.barrier {
			near = min(1, math.Abs(j-thinnest), max(math.Abs(j), thinnest))
		}
		checkHyperelasticDerivatives(t, &c, 2e-4*near/(1+c.f.Norm2()))
	}
	if inverted < 50 || thin-inverted < 5 {
		t.Errorf("only %d inverted and %d flat states", inverted, thin-inverted)
	}
}

func checkHyperelasticDerivatives(t *testing.T, c *hyperelasticCase, d float64) {
	t.Helper()
	x, h := deformed(oneTet().X, c.f), c.h
	h.Update(x, Exact, 0, 1)
	hessian := elementHessian(h, 0, 1, 1)
	var force [4]r3.Vec
	energy := h.Energy(0)
	for k := range force {
		force[k] = h.Force(0, k)
	}
	stiffness, strongest := largest(hessian), 0.0
	for k := range force {
		strongest = max(strongest, force[k].MaxAbs())
	}
	for j := range 12 {
		want, rate := tetDifferences(h, x, j, d)
		noise := 1e-15 * (math.Abs(energy) + c.law.Young*1e-4) / d // of the energy, in the difference
		if got := *component(&force[j/3], j%3); math.Abs(got-want) > 1e-8*(stiffness*0.1+strongest)+10*noise {
			t.Errorf("%s: force %d is %g, differences say %g", c.name, j, got, want)
		}
		noise = 1e-14 * (strongest + stiffness*0.1) / d
		for i := range 12 {
			want := -*component(&rate[i/3], i%3)
			if got := hessian[i][j]; math.Abs(got-want) > 1e-7*stiffness+noise {
				t.Errorf("%s: Hessian %d,%d is %g, differences say %g (largest %g)", c.name, i, j, got, want, stiffness)
			}
		}
	}
}

// The projected Hessian is the exact one with its negative eigenvalues as a function of F taken for zero: it has no
// negative one, is symmetric, equal where the exact one has none, and no smaller elsewhere.
func TestHyperelasticProjected(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	indefinite, positive := 0, 0
	cases := hyperelasticCases(t, rng)
	for _, law := range testSolids()[:2] {
		for kind, h := range hyperelastics(t, oneTet(), law) {
			for name, f := range map[string]r3.Mat{
				"a point": {}, "a line": r3.Outer(randomVec(rng), randomVec(rng)),
				"half a turn": singular(randomPose(rng).R, randomPose(rng).R, r3.V(1, 0.5, -0.5)),
			} {
				cases = append(cases, hyperelasticCase{fmt.Sprint(law, " ", kind, " ", name), law, h, f})
			}
		}
	}
	for _, c := range cases {
		x := deformed(oneTet().X, c.f)
		c.h.Update(x, Projected, 0, 1)
		checkPositive(t, c.name, c.h)
		projected := elementHessian(c.h, 0, 1, 1)
		c.h.Update(x, Exact, 0, 1)
		exact := elementHessian(c.h, 0, 1, 1)
		lo, hi := span(spectrum(elementHessian(c.h, 0, 1, 1)))
		added := make([][]float64, 12)
		for i := range added {
			added[i] = make([]float64, 12)
			for j := range added {
				added[i][j] = projected[i][j] - exact[i][j]
			}
		}
		if least, _ := span(spectrum(added)); least < -1e-12*hi {
			t.Errorf("%s: projection takes %g of %g away", c.name, least, hi)
		}
		switch {
		case lo < -1e-6*hi:
			indefinite++
			continue
		case lo < -1e-13*hi:
			continue
		}
		// Of 9 eigenvalues by F, the 12 by corners see all, so that none was negative.
		positive++
		if d := difference(projected, exact); d > 1e-12*hi {
			t.Errorf("%s: projected Hessian differs from one that is positive by %g of %g", c.name, d, hi)
		}
	}
	if indefinite < 20 || positive < 10 {
		t.Errorf("%d states are indefinite and %d are not: one of the two is not tested", indefinite, positive)
	}
}

// The eigenvalues that are added are those of ∂²W/∂F² and no more: the projected Hessian by F, found from that of
// corners of a tet whose b are axes, has the eigenvalues of the exact one with zero for the negative ones.
func TestHyperelasticEigenvalues(t *testing.T) {
	corner := &mesh.Tets{
		X:   []r3.Vec{{}, r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1)},
		Tet: [][4]int32{{0, 1, 2, 3}},
	}
	rng := rand.New(rand.NewPCG(55, 56))
	byF := func(h *Hyperelastic) []float64 { // corners 1 to 3 of this tet are the columns of F
		all := elementHessian(h, 0, 1, 1)
		part := make([][]float64, 9)
		for i := range part {
			part[i] = slices.Clone(all[3+i][3:])
		}
		l := spectrum(part)
		slices.Sort(l)
		return l
	}
	for _, law := range testSolids() {
		for kind, h := range hyperelastics(t, corner, law) {
			for name, f := range gradients(rng) {
				x := deformed(corner.X, f)
				h.Update(x, Exact, 0, 1)
				exact := byF(h)
				h.Update(x, Projected, 0, 1)
				for i, got := range byF(h) {
					if want := max(0, exact[i]); math.Abs(got-want) > 1e-12*math.Max(exact[8], -exact[0]) {
						t.Errorf("%v %s %s: eigenvalue %d is %g, want %g", law, kind, name, i, got, want)
					}
				}
			}
		}
	}
}

// At rest both are linear elasticity, all of it material, without energy and force.
func TestHyperelasticIsLinearAtRest(t *testing.T) {
	for _, law := range testSolids() {
		linear := mustCorotational(t, oneTet(), law)
		linear.Update(oneTet().X, Exact, 0, 1)
		want := elementHessian(linear, 0, 1, 1)
		for kind, h := range hyperelastics(t, oneTet(), law) {
			h.Update(oneTet().X, Exact, 0, 1)
			if d := difference(want, elementHessian(h, 0, 1, 1)); d > 1e-13*largest(want) {
				t.Errorf("%v %s: not linear elasticity by %g", law, kind, d)
			}
		}
	}
}

// Turned and moved, a solid has no force and no energy; deformed and turned, it has the same energy and turned forces.
func TestHyperelasticFrameIndifference(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 58))
	for _, c := range hyperelasticCases(t, rng) {
		volume := c.h.tet[0].volume
		pose := randomPose(rng)
		moved := func(x []r3.Vec) []r3.Vec {
			y := make([]r3.Vec, len(x))
			for i := range x {
				y[i] = pose.Apply(x[i])
			}
			return y
		}
		c.h.Update(moved(oneTet().X), WithForce, 0, 1)
		for k := range 4 {
			if f := c.h.Force(0, k).Norm(); f > 1e-12*c.law.Young*volume*c.h.tet[0].b[k].Norm() {
				t.Errorf("%s: turned at rest it has a force of %g", c.name, f)
			}
		}
		if w := c.h.Energy(0); math.Abs(w) > 1e-13*c.law.Young*volume {
			t.Errorf("%s: turned at rest it has an energy of %g", c.name, w)
		}
		x := deformed(oneTet().X, c.f)
		c.h.Update(x, Exact, 0, 1)
		energy, force := c.h.Energy(0), [4]r3.Vec{c.h.Force(0, 0), c.h.Force(0, 1), c.h.Force(0, 2), c.h.Force(0, 3)}
		stiffness := largest(elementHessian(c.h, 0, 1, 1))
		c.h.Update(moved(x), Exact, 0, 1)
		noise := 1e-13 * (1 + c.f.MaxAbs()) * (1 + pose.T.MaxAbs()) // of positions [m]
		strongest := 0.0
		for k := range 4 {
			strongest = max(strongest, force[k].Norm())
		}
		if d := math.Abs(c.h.Energy(0) - energy); d > noise*(strongest+stiffness*noise)+1e-13*(math.Abs(energy)+c.law.Young*volume) {
			t.Errorf("%s: energy changes by %g of %g", c.name, d, energy)
		}
		for k := range 4 {
			if d := c.h.Force(0, k).Sub(pose.R.Rotate(force[k])).Norm(); d > 10*noise*stiffness+1e-13*strongest {
				t.Errorf("%s: force differs by %g of %g after a turn", c.name, d, strongest)
			}
		}
	}
}

// Damping is the material part of the Hessian times velocities, takes energy away, and nothing of rigid velocities;
// forces and damping of a tet sum to zero, and so do their moments.
func TestHyperelasticDamping(t *testing.T) {
	rng := rand.New(rand.NewPCG(59, 60))
	for _, c := range hyperelasticCases(t, rng) {
		x := deformed(oneTet().X, c.f)
		c.h.Update(x, Projected, 0, 1)
		linear, angular := randomVec(rng), randomVec(rng)
		rigid, v := make([]r3.Vec, 4), make([]r3.Vec, 4)
		for k := range v {
			rigid[k], v[k] = linear.Add(angular.Cross(x[k])), randomVec(rng)
		}
		power, size := 0.0, c.law.Young*0.1*(1+c.f.Norm2())
		var sum, moment, damp, twist r3.Vec
		strongest := 0.0
		for k := range 4 {
			row := make([]r3.Mat, 4)
			c.h.AddRow(0, k, []int32{0, 1, 2, 3}, row, 1, 0)
			var want r3.Vec
			for l := range 4 {
				want = want.Sub(row[l].MulVec(v[l]))
			}
			got, force := c.h.MaterialForce(0, k, v), c.h.Force(0, k)
			if d := got.Sub(want).Norm(); d > 1e-13*size {
				t.Errorf("%s: damping is off by %g of %g", c.name, d, size)
			}
			power += got.Dot(v[k])
			if d := c.h.MaterialForce(0, k, rigid).Norm(); d > 1e-14*size {
				t.Errorf("%s: rigid motion is resisted by %g of %g", c.name, d, size)
			}
			sum, moment = sum.Add(force), moment.Add(x[k].Cross(force))
			damp, twist = damp.Add(got), twist.Add(x[k].Cross(got))
			strongest = max(strongest, force.MaxAbs(), got.MaxAbs())
		}
		if !(power < 0) {
			t.Errorf("%s: damping drives with %g", c.name, power)
		}
		bar := 1e-14 * (strongest + size*0.1)
		if sum.MaxAbs() > bar || damp.MaxAbs() > bar || max(moment.MaxAbs(), twist.MaxAbs()) > bar*(1+c.f.MaxAbs()) {
			t.Errorf("%s: forces of up to %g sum to %v and %v, moments to %v and %v", c.name, strongest, sum, damp, moment, twist)
		}
	}
}

// uniaxial returns the stretch across and P/E of a rod that is stretched along, by the derivative of W in one
// principal stretch across, which it bisects. It knows the laws by their printed energies alone.
func uniaxial(stable bool, poisson, along float64) (across, tension float64) {
	mu, lambda := material.Isotropic{Young: 1, Poisson: poisson}.Lame()
	slope := func(s, other, third float64) float64 { // ∂W/∂s
		j, i := s*other*third, s*s+other*other+third*third
		if stable {
			mu, lambda := 4.0/3*mu, lambda+5.0/6*mu
			return mu*s*(1-1/(i+1)) + (lambda*(j-1)-0.75*mu)*other*third
		}
		return mu*(s-1/s) + lambda*math.Log(j)/s
	}
	lo, hi := 0.1, 3.0
	for range 100 {
		across = (lo + hi) / 2
		if slope(across, across, along) > 0 {
			hi = across
		} else {
			lo = across
		}
	}
	return across, slope(along, across, across)
}

// L21, its table: lateral stretch and P/E at stretches of a bar with ν 0.3, here for one tet, and from the printed
// laws.
func TestUniaxialTable(t *testing.T) {
	for kind, table := range map[string][5][3]float64{
		"neo-Hookean": {
			{0.5, 1.21076739, -0.93535206},
			{0.8, 1.06733837, -0.24000538},
			{1.2, 0.94563262, 0.17492915},
			{1.5, 0.88017459, 0.37828018},
			{2, 0.79807754, 0.64674466},
		},
		"stable": {
			{0.5, 1.09464699, -0.70585424},
			{0.8, 1.05955646, -0.22976496},
			{1.2, 0.94222296, 0.18000918},
			{1.5, 0.86708612, 0.40444552},
			{2, 0.77104534, 0.73211342},
		},
	} {
		const young = 3e5
		h := hyperelastics(t, oneTet(), material.Isotropic{Young: young, Poisson: 0.3})[kind]
		for _, row := range table {
			across, tension := uniaxial(kind == "stable", 0.3, row[0])
			if math.Abs(across-row[1]) > 6e-9 || math.Abs(tension-row[2]) > 6e-9 {
				t.Errorf("%s at %g: %.8f, %.8f, and the table says %g, %g", kind, row[0], across, tension, row[1], row[2])
			}
			h.Update(deformed(oneTet().X, r3.Mat{XX: row[0], YY: across, ZZ: across}), WithForce, 0, 1)
			p := h.Stress(0)
			if math.Abs(p.XX/young-tension) > 1e-12 || math.Abs(p.YY)+math.Abs(p.ZZ) > 1e-12*young {
				t.Errorf("%s at %g: stress %v", kind, row[0], p)
			}
		}
	}
}

// The first zero of the cubic, against a walk in small steps.
func TestFirstRoot(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	found := 0
	for range 2000 {
		a, b, c := 4*rng.NormFloat64(), 4*rng.NormFloat64(), 4*rng.NormFloat64()
		if rng.IntN(4) == 0 {
			c = 0
		}
		at := func(s float64) float64 { return 1 + s*(a+s*(b+s*c)) }
		got := firstRoot(a, b, c)
		if got <= 1 {
			found++
			if math.Abs(at(got)) > 1e-12*(1+math.Abs(a)+math.Abs(b)+math.Abs(c)) {
				t.Fatalf("%g, %g, %g: %g at %g", a, b, c, at(got), got)
			}
		}
		for s := 0.0; s < min(got, 1); s += 1e-3 {
			if at(s) < 0 {
				t.Fatalf("%g, %g, %g: %g is not the first zero, it is negative at %g", a, b, c, got, s)
			}
		}
		if got > 1 && at(1) <= 0 {
			t.Fatalf("%g, %g, %g: no zero, but %g at 1", a, b, c, at(1))
		}
	}
	if found < 500 {
		t.Errorf("only %d have a zero", found)
	}
}

// Ten thousand random tets, at rest or not good ones, deformed, flat and inverted: energy, forces and both Hessians are
// numbers; and from each a descent along the force, as far as Reach lets it and halved until the energy falls, ends,
// and does not invert what must not be.
func TestHyperelasticRandomTets(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	flat, inverted := 0, 0
	for k := range 10_000 {
		m := &mesh.Tets{X: []r3.Vec{randomVec(rng), randomVec(rng), randomVec(rng), randomVec(rng)}, Tet: [][4]int32{{0, 1, 2, 3}}}
		if m.TetVolume(0) < 0 {
			m.Tet[0] = [4]int32{1, 0, 2, 3}
		}
		x := []r3.Vec{randomVec(rng), randomVec(rng), randomVec(rng), randomVec(rng)}
		switch k % 4 {
		case 0:
			for i := range x {
				x[i].Z = 0
			}
			flat++
		case 1:
			x = shaken(m.X, 0.1, rng)
		case 2:
			x[1] = x[0]
			flat++
		}
		for kind, h := range hyperelastics(t, m, material.Isotropic{Young: 1e5, Poisson: 0.4 * rng.Float64()}) {
			h.Update(x, Exact, 0, 1)
			before := h.Bulk(0)
			if before < 0 {
				inverted++
			}
			for _, detail := range []Detail{Exact, Projected} {
				h.Update(x, detail, 0, 1)
				if a := h.Energy(0) + largest(elementHessian(h, 0, 2, 1)); math.IsNaN(a) || math.IsInf(a, 0) {
					t.Fatalf("tet %d, %s: energy or Hessian is no number", k, kind)
				}
			}
			checkDescent(t, k, kind, h, x)
		}
	}
	if flat < 4000 || inverted < 2000 {
		t.Errorf("only %d flat and %d inverted", flat, inverted)
	}
}

func checkDescent(t *testing.T, k int, kind string, h *Hyperelastic, x []r3.Vec) {
	t.Helper()
	before, start := h.Bulk(0), h.Energy(0)
	move, slope := make([]r3.Vec, 4), 0.0
	stiffness := largest(elementHessian(h, 0, 1, 1))
	for i := range move {
		f := h.Force(0, slices.Index(h.Nodes(0), int32(i)))
		if !f.Finite() {
			t.Fatalf("tet %d, %s: a force is no number", k, kind)
		}
		move[i], slope = f.Scale(1/stiffness), slope+f.Norm2()/stiffness
	}
	reach := h.Reach(x, move, 0, 1)
	if !(reach > 0 && reach <= 1) {
		t.Fatalf("tet %d, %s: reach %g", k, kind, reach)
	}
	y := make([]r3.Vec, 4)
	for scale := reach; ; scale /= 2 {
		for i := range y {
			y[i] = x[i].AddScaled(scale, move[i])
		}
		h.Update(y, EnergyOnly, 0, 1)
		if h.Energy(0) <= start-1e-4*scale*slope+1e-13*math.Abs(start) {
			break
		}
		if scale < 1e-6 {
			t.Fatalf("tet %d, %s: the search does not end", k, kind)
		}
	}
	if h.barrier && before > 0 && h.Bulk(0) <= 0 {
		t.Fatalf("tet %d, %s: it was inverted on the way", k, kind)
	}
}

func TestNeoHookeanRefuses(t *testing.T) {
	_, err := NewNeoHookean(oneTet(), material.Isotropic{Young: 1, Poisson: -0.1})
	if err == nil || !strings.Contains(err.Error(), "the neo-Hookean law needs 0 or more") {
		t.Error(err)
	}
	if _, err := NewStableNeoHookean(oneTet(), material.Isotropic{Young: -1}); err == nil {
		t.Error("a negative modulus is taken")
	}
}

func TestHyperelasticDoesNotAllocate(t *testing.T) {
	m := crookedBlock(2, rand.New(rand.NewPCG(1, 1)))
	for kind, h := range hyperelastics(t, m, material.Isotropic{Young: 1e4, Poisson: 0.3}) {
		val, at := make([]r3.Mat, 4), []int32{0, 1, 2, 3}
		if n := testing.AllocsPerRun(3, func() {
			h.Update(m.X, Projected, 0, h.Len())
			h.AddRow(0, 1, at, val, 2, 1)
			h.Force(0, 1)
			h.MaterialForce(0, 1, m.X)
			h.Reach(m.X, m.X, 0, h.Len())
		}); n != 0 {
			t.Errorf("%s: %g allocations", kind, n)
		}
	}
}

func BenchmarkHyperelastic(b *testing.B) {
	m := crookedBlock(10, rand.New(rand.NewPCG(1, 1)))
	x := shaken(m.X, 0.01, rand.New(rand.NewPCG(1, 2)))
	val, at := make([]r3.Mat, 4), []int32{0, 1, 2, 3}
	for _, kind := range []string{"neo-Hookean", "stable"} {
		h := hyperelastics(b, m, material.Isotropic{Young: 1e4, Poisson: 0.3})[kind]
		b.Run(kind+"/update", func(b *testing.B) {
			for b.Loop() {
				h.Update(x, Projected, 0, h.Len())
			}
		})
		b.Run(kind+"/rows", func(b *testing.B) {
			for b.Loop() {
				for e := range h.Len() {
					for k := range 4 {
						h.AddRow(e, k, at, val, 1, 1)
					}
				}
			}
		})
	}
}
