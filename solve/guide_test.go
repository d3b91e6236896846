package solve

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
)

// pressed puts the problem between a floor with the normal n and a press of 2 kg that the force pushes against it:
// every block touches both. The press is the last block.
func pressed(p *problems.Problem, n r3.Vec, force, mu, h float64) (*problems.Problem, Guide) {
	const mass = 2
	count := p.A.N
	var pairs [][2]int32
	for i := range count {
		for _, j := range p.A.Col[p.A.Start[i]:p.A.Start[i+1]] {
			pairs = append(pairs, [2]int32{int32(i), j})
		}
	}
	q := &problems.Problem{
		A: sparse.NewBSR(
			count+1,
			pairs,
		),
		B:     append(slices.Clone(p.B), n.Scale(force*h)),
		Mass:  append(slices.Clone(p.Mass), mass),
		Fixed: make([]bool, count+1),
	}
	copy(q.A.Val, p.A.Val) // the new row is the last
	q.A.Val[q.A.Diag[count]] = r3.Diagonal(mass)
	for i := range int32(count) {
		q.Set.Add(
			contact.Contact{
				ID:    contact.ID{A: contact.Feature{ID: int64(i)}},
				A:     i,
				B:     contact.None,
				Frame: contact.FrameOf(n),
				Mu:    mu,
			},
		)
		q.Set.Add(
			contact.Contact{
				ID:    contact.ID{A: contact.Feature{ID: int64(i)}, B: contact.Feature{ID: 1}},
				A:     i,
				B:     int32(count),
				Frame: contact.FrameOf(n.Neg()),
				Mu:    mu,
			},
		)
	}
	return q, Guide{Block: int32(count), Axis: n}
}

// solveGuided solves with one guide, the velocity of whose block is v but for the part along the axis.
func solveGuided(p *problems.Problem, tolerance float64, guide Guide, s *Nodal, v r3.Vec) *Contacts {
	q := guided(p, tolerance, guide)
	out := q.Start()
	out.V[guide.Block] = v
	s.Solve(q, out)
	return out
}

func guided(p *problems.Problem, tolerance float64, guide Guide) *ContactProblem {
	q := given(p, tolerance)
	q.Guides = []Guide{guide}
	return q
}

// A node between a floor and a press that a force F drives: the press has no acceleration, so that each contact carries
// h F, and the node holds against a sideways impulse of up to 2 μ h F.
func TestPressHoldsANode(t *testing.T) {
	const force, mu, h, mass = 5.0, 0.3, 2e-3, 0.01
	for _, n := range []r3.Vec{{Z: 1}, r3.V(1, -2, 2).Unit()} {
		side := n.Orthogonal()
		for _, pull := range []float64{0, 1.99, 2.01, 4} {
			p, guide := pressed(
				masses([]float64{mass}, []r3.Vec{side.Scale(pull * mu * force * h / mass)}),
				n,
				force,
				mu,
				h,
			)
			s := DefaultNodal()
			out := solveGuided(p, 1e-10, guide, &s, r3.Vec{})
			if !out.Converged {
				t.Fatalf("pull %g: %+v after %d sweeps, %d steps", pull, out.Residual, out.Sweeps, out.Newton)
			}
			for c := range out.R {
				// 1e-10 m/s of a press of 2 kg and of a node of 10 g.
				if d := math.Abs(out.R[c].X - force*h); !(d <= 1e-9) {
					t.Errorf("pull %g: contact %d carries %g N s, want %g", pull, c, out.R[c].X, force*h)
				}
			}
			slip := out.V[0].Dot(side)
			if want := max(0, pull-2) * mu * force * h / mass; !(math.Abs(slip-want) <= 1e-7) {
				t.Errorf("pull %g: the node slips at %g m/s, want %g", pull, slip, want)
			}
			if v := out.V[1]; !(v.Norm() <= 1e-9) {
				t.Errorf("pull %g: the press moves at %v", pull, v)
			}
		}
	}
}

// A sheet between a floor and a press: the press rests, the floor carries F and the weight, and whether the sheet holds
// against a sideways load of all nodes is the same as for one node. The press may itself be moved sideways. Nearer to
// the limit a solve without a guess may divide the force of the press in another way.
func TestPressHoldsASheet(t *testing.T) {
	const force, mu, h = 40.0, 0.3, 2e-3
	for _, load := range []float64{0, 0.9, 1.02} {
		for _, sideways := range []r3.Vec{{}, {X: 0.3}} {
			t.Run(fmt.Sprintf("%g/%g", load, sideways.X), func(t *testing.T) {
				sheet := problems.OnPlane(16, 400, mu, r3.Vec{}, 0)
				weight := 0.0
				for i := range sheet.B {
					weight += sheet.B[i].Z
				}
				limit := mu * (2*force*h + weight)
				for i := range sheet.B {
					sheet.B[i].X -= load * limit / float64(len(sheet.B))
				}
				p, guide := pressed(sheet, r3.V(0, 0, 1), force, mu, h)
				s := DefaultNodal()
				out := solveGuided(p, 1e-8, guide, &s, sideways)
				if !out.Converged {
					t.Fatalf("%+v after %d sweeps, %d steps", out.Residual, out.Sweeps, out.Newton)
				}
				floor, press := 0.0, 0.0
				for c := range out.R {
					if p.Set.Contacts[c].B == contact.None {
						floor += out.R[c].X
					} else {
						press += out.R[c].X
					}
				}
				// 1e-8 m/s of the press, and of 256 nodes of 0.6 g with stiff neighbours.
				if math.Abs(press-force*h) > 1e-7 || math.Abs(floor-force*h-weight) > 1e-6 {
					t.Errorf(
						"the press gives %g N s, the floor %g; want %g and %g",
						press,
						floor,
						force*h,
						force*h+weight,
					)
				}
				if v := out.V[guide.Block]; v.X != sideways.X || v.Y != 0 {
					t.Errorf("the press moves at %v, prescribed across its axis is %v", v, sideways)
				}
				moves := 0.0
				for i := range guide.Block {
					moves = max(moves, math.Abs(out.V[i].X))
				}
				if sideways.X == 0 && (moves > 1e-7) != (load > 1) {
					t.Errorf("load %g of what holds: the sheet moves at %g m/s", load, moves)
				}
			})
		}
	}
}

// A press that lands on a node that does not move is stopped by it, and by a floor of its own.
func TestPressMeetsWhatIsFixed(t *testing.T) {
	for _, tilt := range []float64{0, 0.3, -0.6} {
		for _, mu := range []float64{0, 0.2, 1} {
			p := masses([]float64{1, 2}, []r3.Vec{{}, r3.V(0, 0, -3)})
			p.Fixed[0] = true
			normal := r3.V(tilt, 0, 1).Unit()
			p.Set.Add(contact.Contact{A: 0, B: 1, Frame: contact.FrameOf(normal.Neg()), Mu: mu})
			p.Set.Add(
				contact.Contact{
					ID:    contact.ID{B: contact.Feature{ID: 1}},
					A:     1,
					B:     contact.None,
					Frame: contact.FrameOf(r3.V(0, 0, 1)),
					Mu:    mu,
					Uf:    r3.V(1, 0, 0),
				},
			)
			s := DefaultNodal()
			out := solveGuided(p, 1e-8, Guide{Block: 1, Axis: r3.V(0, 0, 1)}, &s, r3.V(0.5, 0.25, 0))
			if !out.Converged {
				t.Fatalf(
					"tilt %g, mu %g: %+v after %d sweeps, %d steps",
					tilt,
					mu,
					out.Residual,
					out.Sweeps,
					out.Newton,
				)
			}
			// Moving along x against a face whose normal is tilted lifts the press, or lets it sink.
			if want := max(-1, -0.5*tilt); math.Abs(out.V[1].Z-want) > 1e-7 || out.V[1].X != 0.5 || out.V[1].Y != 0.25 {
				t.Errorf("tilt %g, mu %g: the press moves at %v, want %g", tilt, mu, out.V[1], want)
			}
		}
	}
}

// Guides keep what is promised of all solves: bits do not depend on workers, and nothing is allocated.
func TestGuidedSolveKeepsItsPromises(t *testing.T) {
	p, guide := pressed(problems.OnPlane(12, 400, 0.3, r3.V(0.3, 0, 0), 0.01), r3.V(0, 0, 1), 20, 0.3, 2e-3)
	s := DefaultNodal()
	want := solveGuided(p, 1e-8, guide, &s, r3.V(0.1, 0, 0))
	if !want.Converged {
		t.Fatalf("%+v", want.Residual)
	}
	s.Team = par.New(4)
	if got := solveGuided(
		p,
		1e-8,
		guide,
		&s,
		r3.V(0.1, 0, 0),
	); !slices.Equal(got.V, want.V) ||
		!slices.Equal(got.R, want.R) {
		t.Error("the number of workers changed the result")
	}
	var out Contacts
	q := guided(p, 1e-8, guide)
	solve := func() {
		out.Resize(p.A.N, p.Set.Len())
		clear(out.V)
		s.Solve(q, &out)
	}
	if n := testing.AllocsPerRun(2, solve); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// A18 with a guide. Between a floor and a press the pressure is not unique, so that with friction the floor is left
// out.
func TestGuidedSolveAgreesWithDual(t *testing.T) {
	for _, mu := range []float64{0, 0.3} {
		p, guide := pressed(problems.OnPlane(10, 50, 0.3, r3.V(0.3, 0, 0), 0.01), r3.V(0, 0, 1), 20, mu, 2e-3)
		if mu > 0 {
			for c := range p.Set.Contacts {
				if p.Set.Contacts[c].B == contact.None {
					p.Set.Contacts[c].Uf.X = 10 // far away
				}
			}
		}
		s := DefaultNodal()
		v := r3.V(0.1, 0, 0)
		nodal := solveGuided(p, 1e-11, guide, &s, v)
		q := guided(p, 1e-11, guide)
		dual := q.Start()
		dual.V[guide.Block] = v
		d := Dual{MaxSweeps: 20000}
		if err := d.Solve(q, dual); err != nil {
			t.Fatal(err)
		}
		if far := farthest(nodal, dual); !nodal.Converged || !dual.Converged || !(far <= 1e-8) {
			t.Errorf(
				"friction %g: %v %+v; dual %v %+v; velocities differ by %g",
				mu,
				nodal.Converged,
				nodal.Residual,
				dual.Converged,
				dual.Residual,
				far,
			)
		}
	}
}
