package solve

import (
	"math"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Cubes of a tower, side 0.1 m and 1 kg. Each has two blocks: its velocity v, and ρ times its spin ω with ρ = side/√6,
// so that both have its mass.
const (
	cubeSide, cubeMass = 0.1, 1.0
	towerStep          = 2e-3
)

// against returns the terms of a cube at a point that is at r from its middle: E (v + ω × r).
func against(cube int32, e r3.Mat, r r3.Vec, sign float64) []contact.Term {
	rho := cubeSide / math.Sqrt(6)
	cross := r3.Cross(r.Neg()) // ω × r
	spin := e.Mul(&cross)
	return []contact.Term{{Block: 2 * cube, W: sign, M: e.Scale(sign)}, {Block: 2*cube + 1, M: spin.Scale(sign / rho)}}
}

// tower returns cubes on a floor and on each other, with four contacts a face, that are pushed at the top by a force
// to the side.
func tower(n int, force, mu float64) *ContactProblem {
	p := &ContactProblem{A: sparse.NewBSR(2*n, nil), B: make([]r3.Vec, 2*n), Mass: make([]float64, 2*n), Set: &contact.Set{}, Tolerance: 1e-8}
	e := contact.FrameOf(r3.V(0, 0, 1))
	for i := range int32(n) {
		for _, block := range []int32{2 * i, 2*i + 1} {
			p.A.Val[p.A.Diag[block]] = r3.Diagonal(cubeMass)
			p.Mass[block] = cubeMass
		}
		p.B[2*i] = r3.V(0, 0, 9.81*cubeMass*towerStep)
		for k, corner := range []r3.Vec{{X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}} {
			half := cubeSide / 2
			c := contact.Contact{A: 2 * i, B: contact.None, Frame: e, Mu: mu}
			c.ID = contact.ID{A: contact.Feature{Surface: i, ID: int64(k)}, B: contact.Feature{Surface: i - 1, Kind: contact.Whole}}
			row := against(i, e, r3.V(half*corner.X, half*corner.Y, -half), 1)
			if i > 0 {
				c.B = 2 * (i - 1)
				row = append(row, against(i-1, e, r3.V(half*corner.X, half*corner.Y, half), -1)...)
			}
			p.Set.AddRow(c, row...)
		}
	}
	p.B[2*(n-1)].X -= force * towerStep
	return p
}

// breach asks the referee.
func breach(p *ContactProblem, out *Contacts) float64 {
	return referee.Judge(problems.Plain(p.A, p.B, p.Mass, p.Fixed, p.Set, nil), out.V, out.R).Worst()
}

// A tower stands: nothing moves, and the floor carries its weight. Pushed at the top beyond what friction holds, its
// top cube slides off, and the others stay: velocities are unique, and both solvers find them.
func TestTowersOfRigidCubes(t *testing.T) {
	for _, n := range []int{10, 50} {
		for _, force := range []float64{0, 3, 6} {
			const mu = 0.5
			p := tower(n, force, mu)
			if err := p.Set.Validate(p.A.N); err != nil {
				t.Fatal(err)
			}
			s := DefaultNodal()
			out := p.Start()
			s.Solve(p, out)
			if worst := breach(p, out); !out.Converged || worst > 3e-8 {
				t.Errorf("%d cubes pushed by %g N: residual %+v, referee %g m/s, %d Newton steps", n, force, out.Residual, worst, out.Newton)
			}
			slack := 3e-8 * float64(n) // what contacts let pass adds up from cube to cube
			carried := 0.0
			for c := range 4 {
				carried += out.R[c].X
			}
			weight := 9.81 * cubeMass * towerStep * float64(n)
			if math.Abs(carried-weight) > 1e-6*weight {
				t.Errorf("%d cubes pushed by %g N: the floor carries %g N s of %g", n, force, carried, weight)
			}
			for i := range n {
				want := 0.0
				if i == n-1 {
					want = max(0, force-mu*9.81*cubeMass) / cubeMass * towerStep
				}
				if v := out.V[2*i]; math.Abs(v.X-want) > slack || math.Abs(v.Z) > slack {
					t.Errorf("%d cubes pushed by %g N: cube %d moves at %v, want %g along x", n, force, i, v, want)
				}
			}
			dual := Dual{MaxSweeps: afterPath, Path: true}
			other := p.Start()
			if err := dual.Solve(p, other); err != nil {
				t.Fatal(err)
			}
			for i := range out.V {
				if d := out.V[i].Sub(other.V[i]).Norm(); other.Converged && d > 2*slack {
					t.Errorf("%d cubes pushed by %g N: the solvers differ by %g m/s at block %d", n, force, d, i)
				}
			}
			if !other.Converged {
				t.Errorf("%d cubes pushed by %g N: the dual ends at %+v", n, force, other.Residual)
			}
		}
	}
}

// Contacts that each feel 33 blocks, as those of smooth surfaces will.
func TestLongRows(t *testing.T) {
	const contacts, length = 1600, 33
	p := longRows(contacts, length)
	s := DefaultNodal()
	out := p.Start()
	begin := time.Now()
	s.Solve(p, out)
	t.Logf("%d contacts of %d blocks: %v, %d Newton steps, %d linear iterations", contacts, length, time.Since(begin), out.Newton, out.Linear)
	if worst := breach(p, out); !out.Converged || worst > 3e-8 {
		t.Errorf("residual %+v, referee %g m/s", out.Residual, worst)
	}
}

// longRows returns contacts between two layers of masses, each of which feels half of its blocks on either side.
func longRows(contacts, length int) *ContactProblem {
	n := 2 * contacts
	p := &ContactProblem{A: sparse.NewBSR(n, nil), B: make([]r3.Vec, n), Mass: make([]float64, n), Set: &contact.Set{}, Tolerance: 1e-8}
	for i := range n {
		p.A.Val[p.A.Diag[i]] = r3.Diagonal(1e-3)
		p.Mass[i] = 1e-3
		p.B[i] = r3.V(0, 0, 2e-5) // the lower layer is not there: the floor pushes through the row
	}
	e := contact.FrameOf(r3.V(0, 0, 1))
	for c := range contacts {
		var row []contact.Term
		sum := 0.0
		for k := range length {
			sum += 1 + float64(k%5)
		}
		for k := range length {
			w := (1 + float64(k%5)) / sum
			row = append(row, contact.Term{Block: int32((2*c + k) % n), W: w, M: e.Scale(w)})
		}
		id := contact.ID{A: contact.Feature{ID: int64(c)}, B: contact.Feature{Surface: 1, Kind: contact.Whole}}
		p.Set.AddRow(contact.Contact{ID: id, A: int32(2 * c % n), B: contact.None, Frame: e, Mu: 0.3, Uf: r3.V(-0.01*float64(c%3), 0.02, 0)}, row...)
	}
	return p
}
