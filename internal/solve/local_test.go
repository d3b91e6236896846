package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

// only returns the rows of e that are asked for.
func only(e r3.Mat, x, y, z bool) r3.Mat {
	if !x {
		e.XX, e.XY, e.XZ = 0, 0, 0
	}
	if !y {
		e.YX, e.YY, e.YZ = 0, 0, 0
	}
	if !z {
		e.ZX, e.ZY, e.ZZ = 0, 0, 0
	}
	return e
}

// numbered returns the id of a row.
func numbered(k int) contact.ID { return contact.ID{A: contact.Feature{ID: int64(k)}} }

// bothWays solves a problem by sweeps and Newton steps, by the proximal method, by staggered projections, on impulses,
// and along the path of the dual, from a guess that the law does not allow; check looks at what they found.
func bothWays(t *testing.T, p *ContactProblem, check func(t *testing.T, out *Contacts)) {
	t.Helper()
	if err := p.Set.Validate(p.A.N); err != nil {
		t.Fatal(err)
	}
	try := func(name string, solve func(out *Contacts)) {
		t.Run(name, func(t *testing.T) {
			out := p.Start()
			for c := range out.R {
				out.R[c] = r3.V(1e-3, 2e-3, -3e-3)
			}
			solve(out)
			if worst := breach(p, out); !out.Converged || worst > 1e-8 {
				t.Fatalf("residual %+v, referee %g m/s, %d sweeps", out.Residual, worst, out.Sweeps)
			}
			check(t, out)
		})
	}
	try("nodal", func(out *Contacts) {
		s := DefaultNodal()
		s.Solve(p, out)
	})
	try("sweeps alone", func(out *Contacts) {
		s := DefaultNodal()
		s.MaxNewton, s.MaxSweeps = 0, 100000
		s.Solve(p, out)
	})
	try("proximal", func(out *Contacts) {
		s := DefaultNodal()
		team := s.begin(p, out)
		s.prepare(team)
		s.assess(team)
		s.proximal.solve(team, 1000)
		s.finish()
	})
	try("staggered", func(out *Contacts) {
		var s Staggered
		if err := s.Solve(p, out); err != nil {
			t.Fatal(err)
		}
	})
	for _, path := range []bool{false, true} {
		try(fmt.Sprintf("dual, path %v", path), func(out *Contacts) {
			d := Dual{MaxSweeps: 100000, Path: path}
			if err := d.Solve(p, out); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func near(t *testing.T, what string, got, want r3.Vec) {
	t.Helper()
	if d := got.Sub(want).Norm(); !(d <= 1e-7) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// Two masses that hang on each other and on a driven point by ball joints go with it. The joints carry what changes
// their momentum.
func TestBallJoints(t *testing.T) {
	driven := r3.V(0.3, -0.2, 0.1)
	v := []r3.Vec{{}, r3.V(1, 0, -0.5), r3.V(-0.4, 2, 0.7)}
	p := given(masses([]float64{1, 2, 0.5}, v), 1e-9)
	p.Fixed[0], p.V = true, []r3.Vec{driven, {}, {}}
	e := contact.FrameOf(r3.V(1, 2, 3).Unit())
	for k := range int32(2) {
		p.Set.Add(contact.Contact{ID: numbered(int(k)), Law: contact.Bilateral, A: k + 1, B: k, Frame: e})
	}
	bothWays(t, p, func(t *testing.T, out *Contacts) {
		near(t, "first mass", out.V[1], driven)
		near(t, "second mass", out.V[2], driven)
		lower := driven.Sub(v[2]).Scale(0.5)
		near(t, "lower joint", e.MulVecT(out.R[1]), lower)
		near(t, "upper joint", e.MulVecT(out.R[0]), driven.Sub(v[1]).Scale(2).Add(lower))
	})
}

// A bead on a moving rail keeps its velocity along it: two components are tied. One that is tied across one direction
// alone keeps the other two.
func TestBeadOnARail(t *testing.T) {
	normal := r3.V(2, -1, 2).Unit()
	e := contact.FrameOf(normal)
	v, rail := r3.V(0.7, 0.4, -1.1), r3.V(0.2, 0.1, 0.3)
	for _, tied := range [][3]bool{
		{true, true, false}, {false, true, true}, {true, false, false}, {false, false, true}, {true, true, true},
	} {
		t.Run(fmt.Sprint(tied), func(t *testing.T) {
			p := given(masses([]float64{3}, []r3.Vec{v}), 1e-9)
			uf, _ := split(e.MulVec(rail).Neg(), tied)
			c := contact.Contact{Law: contact.Bilateral, A: 0, B: contact.None, Frame: e, Uf: uf}
			p.Set.AddRow(c, contact.Term{Block: 0, W: 1, M: only(e, tied[0], tied[1], tied[2])})
			along, _ := split(e.MulVec(rail), tied)
			_, across := split(e.MulVec(v), tied)
			want := e.MulVecT(along.Add(across))
			bothWays(t, p, func(t *testing.T, out *Contacts) {
				near(t, "bead", out.V[0], want)
				near(t, "rail", out.R[0], e.MulVec(want.Sub(v).Scale(3)))
			})
		})
	}
}

// Two masses tied along x share their momentum there. The mass that leads, pushed by a stop besides, takes the other
// back.
func TestRodAgainstAStop(t *testing.T) {
	m := []float64{1, 3}
	v := []r3.Vec{r3.V(2, 0.5, 0), r3.V(0.5, -0.25, 1)}
	e := contact.FrameOf(r3.V(1, 0, 0))
	for _, stopped := range []bool{false, true} {
		for _, bare := range []bool{false, true} {
			p := given(masses(m, v), 1e-9)
			tie := contact.Contact{ID: numbered(0), Law: contact.Bilateral, A: 1, B: 0, Frame: e}
			row := only(e, true, false, false)
			p.Set.AddRow(tie, contact.Term{Block: 1, W: 1, M: row}, contact.Term{Block: 0, W: -1, M: row.Scale(-1)})
			back := contact.FrameOf(r3.V(-1, 0, 0))
			stop := contact.Contact{ID: numbered(1), Law: contact.NormalOnly, A: 1, B: contact.None, Frame: back}
			stop.Uf.X = 5 // it would have to move at more than 5 m/s
			want := (m[0]*v[0].X + m[1]*v[1].X) / (m[0] + m[1])
			if stopped {
				stop.Uf.X, want = 0.1, 0.1
			}
			if bare { // of the normal component alone
				p.Set.AddRow(stop, contact.Term{Block: 1, W: 1, M: only(back, true, false, false)})
			} else {
				p.Set.Add(stop)
			}
			bothWays(t, p, func(t *testing.T, out *Contacts) {
				near(t, "first", out.V[0], r3.V(want, v[0].Y, v[0].Z))
				near(t, "second", out.V[1], r3.V(want, v[1].Y, v[1].Z))
				near(t, "tie", out.R[0], r3.V(-(want-v[0].X)*m[0], 0, 0))
				push := m[0]*v[0].X + m[1]*v[1].X - (m[0]+m[1])*want
				near(t, "stop", out.R[1], r3.V(push, 0, 0))
			})
		}
	}
}

// A cube that hangs from a driven point by one of its corners turns about it: with ω in units of v (ρ ω), M = m and the
// corner at r, the joint gives the impulse (1/m + [r]ᵀ[r]/(m ρ²))⁻¹ (driven - u).
func TestCubeHangsByACorner(t *testing.T) {
	e := r3.Identity()
	corner := r3.V(-0.05, 0.05, 0.05)
	terms := against(0, e, corner, 1)
	p := given(masses([]float64{cubeMass, cubeMass}, []r3.Vec{r3.V(0, 0, -0.02), r3.V(0.1, 0.2, 0)}), 1e-9)
	driven := r3.V(0.3, 0, 0.1)
	c := contact.Contact{Law: contact.Bilateral, A: 0, B: contact.None, Frame: e, Uf: driven.Neg()}
	p.Set.AddRow(c, terms...)
	var give r3.Mat
	u := driven.Neg()
	for _, term := range terms {
		transposed := term.M.T()
		m := term.M.Mul(&transposed)
		give.AddScaled(1/cubeMass, &m)
		u = u.AddScaled(-1/cubeMass, term.M.MulVec(p.B[term.Block]))
	}
	w, _ := give.Inverse()
	bothWays(t, p, func(t *testing.T, out *Contacts) {
		near(t, "joint", out.R[0], w.MulVec(u).Neg())
	})
}

// The normal part of a row is that of four blocks, the tangential one of four others, as for smooth surfaces: normal
// impulses change the first alone, and friction the others.
func TestPartsOfOtherBlocks(t *testing.T) {
	const mass, mu = 0.5, 0.4
	e := contact.FrameOf(r3.V(0, 0, 1))
	weight := [4]float64{0.1, 0.2, 0.3, 0.4}
	share := (0.01 + 0.04 + 0.09 + 0.16) / mass
	for _, speed := range []float64{0.1, 5} { // it sticks, or slides
		v := make([]r3.Vec, 8)
		m := make([]float64, 8)
		for i := range v {
			m[i], v[i] = mass, r3.V(speed, 0, -1)
		}
		p := given(masses(m, v), 1e-9)
		var row []contact.Term
		for k, w := range weight {
			row = append(row, contact.Term{Block: int32(k), W: w, M: only(e.Scale(w), true, false, false)})
		}
		for k, w := range weight {
			row = append(row, contact.Term{Block: int32(4 + k), M: only(e.Scale(w), false, true, true)})
		}
		p.Set.AddRow(contact.Contact{A: 0, B: contact.None, Frame: e, Mu: mu}, row...)
		normal := 1 / share
		friction := min(speed/share, mu*normal)
		bothWays(t, p, func(t *testing.T, out *Contacts) {
			near(t, "impulse", e.MulVecT(out.R[0]), r3.V(-friction, 0, normal))
			for k, w := range weight {
				near(t, "above", out.V[k], r3.V(speed, 0, -1+w*normal/mass))
				near(t, "beside", out.V[4+k], r3.V(speed-w*friction/mass, 0, -1))
			}
		})
	}
}

// Nets of masses with contacts, some of which became ties or lost their friction: both solvers obey all laws.
func TestLawsInNets(t *testing.T) {
	solved := 0
	for seed := range uint64(60) {
		q, wild := problems.Random(seed)
		if wild {
			continue
		}
		rng := rand.New(rand.NewPCG(seed, 5))
		p := given(q, 1e-8)
		set := new(contact.Set)
		for c := range q.Set.Contacts {
			k, row := q.Set.Contacts[c], append([]contact.Term(nil), q.Set.Row(c)...)
			switch rng.IntN(3) {
			case 1:
				k.Law, k.Mu = contact.NormalOnly, 0
			case 2:
				if k.B == contact.None || q.Fixed[k.A] || q.Fixed[k.B] {
					break // ties to what is prescribed may contradict each other
				}
				k.Law, k.Mu, k.Uf = contact.Bilateral, 0, r3.Vec{}
				for i := range row {
					row[i].M = only(row[i].M, true, false, rng.IntN(2) == 0 && i == 0)
				}
			}
			set.AddRow(k, row...)
		}
		p.Set = set
		s := DefaultNodal()
		out := p.Start()
		s.Solve(p, out)
		if worst := breach(p, out); !out.Converged || worst > 3e-8 {
			t.Errorf("net %d: residual %+v, referee %g m/s, %d contacts", seed, out.Residual, worst, set.Len())
			continue
		}
		d := Dual{MaxSweeps: 20000, Path: true}
		other := p.Start()
		if err := d.Solve(p, other); err != nil {
			t.Fatal(err)
		}
		if other.Converged {
			if worst := breach(p, other); worst > 1e-7 || math.IsNaN(worst) {
				t.Errorf("net %d: the dual says %+v, the referee %g m/s", seed, other.Residual, worst)
			}
			solved++
		}
	}
	if solved < 20 {
		t.Errorf("the dual solved %d nets", solved)
	}
}
