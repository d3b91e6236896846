package solve

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// pressed puts the problem between a floor with the normal n and a press of 2 kg that the force pushes against it:
// every block touches both. The press is the last block.
func pressed(p *problems.Problem, n r3.Vec, force, mu, h float64) (*problems.Problem, contact.Partial) {
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
	return q, contact.Along(int32(count), n)
}

// solveInPart solves with one block prescribed in part, whose velocity is v but for what is free of it.
func solveInPart(p *problems.Problem, tolerance float64, part contact.Partial, s *Nodal, v r3.Vec) *Contacts {
	q := inPart(p, tolerance, part)
	out := q.Start()
	out.V[part.Block] = v
	s.Solve(q, out)
	return out
}

func inPart(p *problems.Problem, tolerance float64, part contact.Partial) *ContactProblem {
	q := given(p, tolerance)
	q.Partly = []contact.Partial{part}
	return q
}

// A node between a floor and a press that a force F drives: the press has no acceleration, so that each contact carries
// h F, and the node holds against a sideways impulse of up to 2 μ h F.
func TestPressHoldsANode(t *testing.T) {
	const force, mu, h, mass = 5.0, 0.3, 2e-3, 0.01
	for _, n := range []r3.Vec{{Z: 1}, r3.V(1, -2, 2).Unit()} {
		side := n.Orthogonal()
		for _, pull := range []float64{0, 1.99, 2.01, 4} {
			p, part := pressed(
				masses([]float64{mass}, []r3.Vec{side.Scale(pull * mu * force * h / mass)}),
				n,
				force,
				mu,
				h,
			)
			s := DefaultNodal()
			out := solveInPart(p, 1e-10, part, &s, r3.Vec{})
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
				p, part := pressed(sheet, r3.V(0, 0, 1), force, mu, h)
				s := DefaultNodal()
				out := solveInPart(p, 1e-8, part, &s, sideways)
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
				if v := out.V[part.Block]; v.X != sideways.X || v.Y != 0 {
					t.Errorf("the press moves at %v, prescribed across its axis is %v", v, sideways)
				}
				moves := 0.0
				for i := range part.Block {
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
			out := solveInPart(p, 1e-8, contact.Along(1, r3.V(0, 0, 1)), &s, r3.V(0.5, 0.25, 0))
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

// Blocks prescribed in part keep what is promised of all solves: bits do not depend on workers, and nothing is
// allocated.
func TestPartialSolveKeepsItsPromises(t *testing.T) {
	p, part := pressed(problems.OnPlane(12, 400, 0.3, r3.V(0.3, 0, 0), 0.01), r3.V(0, 0, 1), 20, 0.3, 2e-3)
	s := DefaultNodal()
	want := solveInPart(p, 1e-8, part, &s, r3.V(0.1, 0, 0))
	if !want.Converged {
		t.Fatalf("%+v", want.Residual)
	}
	s.Team = par.New(4)
	if got := solveInPart(
		p,
		1e-8,
		part,
		&s,
		r3.V(0.1, 0, 0),
	); !slices.Equal(got.V, want.V) ||
		!slices.Equal(got.R, want.R) {
		t.Error("the number of workers changed the result")
	}
	var out Contacts
	q := inPart(p, 1e-8, part)
	solve := func() {
		out.Resize(p.A.N, p.Set.Len())
		clear(out.V)
		s.Solve(q, &out)
	}
	if n := testing.AllocsPerRun(2, solve); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// A18 with a press. Between a floor and a press the pressure is not unique, so that with friction the floor is left
// out.
func TestPartialSolveAgreesWithDual(t *testing.T) {
	for _, mu := range []float64{0, 0.3} {
		p, part := pressed(problems.OnPlane(10, 50, 0.3, r3.V(0.3, 0, 0), 0.01), r3.V(0, 0, 1), 20, mu, 2e-3)
		if mu > 0 {
			for c := range p.Set.Contacts {
				if p.Set.Contacts[c].B == contact.None {
					p.Set.Contacts[c].Uf.X = 10 // far away
				}
			}
		}
		s := DefaultNodal()
		v := r3.V(0.1, 0, 0)
		nodal := solveInPart(p, 1e-11, part, &s, v)
		q := inPart(p, 1e-11, part)
		dual := q.Start()
		dual.V[part.Block] = v
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

// A bead that is free in a plane, of an inertia that is not the same in all directions, moves as the two equations in
// the plane say, and as prescribed across it.
func TestBeadInAPlane(t *testing.T) {
	normal := r3.V(2, 1, -2).Unit()
	one := normal.Orthogonal()
	two := normal.Cross(one)
	p := masses([]float64{1}, []r3.Vec{{}})
	p.A.Val[0] = r3.Rows(r3.V(3, 0.5, 0.2), r3.V(0.5, 2, -0.4), r3.V(0.2, -0.4, 1.5))
	p.B[0] = r3.V(0.3, -0.7, 0.9)
	across := normal.Scale(0.25)
	a := &p.A.Val[0]
	f := p.B[0].Add(a.MulVec(across)).Neg()
	m11, m12, m22 := one.Dot(a.MulVec(one)), one.Dot(a.MulVec(two)), two.Dot(a.MulVec(two))
	det := m11*m22 - m12*m12
	x, y := (m22*one.Dot(f)-m12*two.Dot(f))/det, (m11*two.Dot(f)-m12*one.Dot(f))/det
	want := across.AddScaled(x, one).AddScaled(y, two)
	s := DefaultNodal()
	q := inPart(p, 1e-12, contact.Within(0, normal))
	for _, dual := range []bool{false, true} {
		out := q.Start()
		out.V[0] = across.Add(one)
		if dual {
			if err := (&Dual{MaxSweeps: 10}).Solve(q, out); err != nil {
				t.Fatal(err)
			}
		} else {
			s.Solve(q, out)
		}
		if d := out.V[0].Sub(want).Norm(); !(d <= 1e-12) || !out.Converged {
			t.Errorf("dual %v: the bead moves at %v, want %v", dual, out.V[0], want)
		}
	}
}

// A bead that is free in a plane meets a wall that stands on it. Its momentum against the wall is the normal impulse;
// along the wall friction takes, with p = μ r_N/m and the prescribed velocity w across the plane, as much of its
// speed v₀ as
//
//	v = v₀ - p v/√(v² + w²).
func TestBeadInAPlaneRubs(t *testing.T) {
	const mass, mu, approach = 2.0, 0.3, 1.5
	for _, along := range []float64{0.2, 1.2, 4} {
		for _, across := range []float64{0, 0.5} {
			push := mu * approach
			low, high := 0.0, along
			for range 200 {
				v := (low + high) / 2
				if size := math.Hypot(v, across); v+push*v/max(size, 1e-300) > along {
					high = v
				} else {
					low = v
				}
			}
			p := masses([]float64{mass}, []r3.Vec{r3.V(-approach, along, 0)})
			p.Set.Add(contact.Contact{A: 0, B: contact.None, Frame: contact.FrameOf(r3.V(1, 0, 0)), Mu: mu})
			q := inPart(p, 1e-10, contact.Within(0, r3.V(0, 0, 1)))
			for _, dual := range []bool{false, true} {
				out := q.Start()
				out.V[0].Z = across
				if q.Tolerance = 1e-10; dual {
					q.Tolerance = 1e-6 // alone with the bead, its local problem is stiff where nothing moves
					if err := (&Dual{MaxSweeps: 1000}).Solve(q, out); err != nil {
						t.Fatal(err)
					}
				} else {
					s := DefaultNodal()
					s.Solve(q, out)
				}
				want := r3.V(0, low, across)
				off := max(out.V[0].Sub(want).Norm(), math.Abs(out.R[0].X-mass*approach))
				if !(off <= 1e-8) || !out.Converged {
					t.Errorf("%g along, %g across, dual %v: the bead moves at %v, want %v; impulse %v, %+v",
						along, across, dual, out.V[0], want, out.R[0], out.Residual)
				}
			}
		}
	}
}

// What is no projector, or belongs to a block with neighbours, is refused.
func TestPartialFaults(t *testing.T) {
	net := problems.OnPlane(3, 400, 0.3, r3.Vec{}, 0)
	free := masses([]float64{1}, []r3.Vec{{}}).A
	for _, c := range []struct {
		p    contact.Partial
		a    *sparse.BSR
		fits bool
	}{
		{contact.Along(0, r3.V(1, -2, 2).Unit()), free, true},
		{contact.Within(0, r3.V(1, -2, 2).Unit()), free, true},
		{contact.Along(1, r3.V(1, 0, 0)), free, false},
		{contact.Along(0, r3.V(1, 1, 0)), free, false},
		{contact.Partial{Free: r3.Identity()}, free, false},
		{contact.Partial{Free: r3.Mat{}}, free, false},
		{contact.Partial{Free: r3.Mat{XX: 1, XY: 1}}, free, false}, // a projector, but not symmetric
		{contact.Along(0, r3.V(1, 0, 0)), net.A, false},
	} {
		if err := checkPartial(&c.p, c.a); (err == nil) != c.fits {
			t.Errorf("%+v: %v", c.p, err)
		}
	}
}
