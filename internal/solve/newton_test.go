package solve

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// yielding are masses on a floor that each are drawn along x to a speed of their own by a force that hardly grows once
// they are away from it:
//
//	g = m (v - v₀) + F atan((v_x - c)/w) e_x.
//
// Its derivative is small where v is far from c, so that full steps of Newton's method go too far, and ever farther.
type yielding struct {
	a     *sparse.BSR
	b     []r3.Vec
	mass  []float64
	fixed []bool
	free  []r3.Vec  // v₀
	start []r3.Vec  // where it is linearized first
	drawn []float64 // c

	most   float64 // how far a step may go; 0: as far as it likes
	at     []r3.Vec
	length float64 // of the longest step that was tried
}

const (
	yieldForce, yieldWidth = 1.0, 0.01
	yieldFriction          = 0.2
)

func newYielding(n int) *yielding {
	y := &yielding{a: sparse.NewBSR(n, nil), fixed: make([]bool, n), b: make([]r3.Vec, n), start: make([]r3.Vec, n)}
	for i := range n {
		y.mass = append(y.mass, 0.1*float64(1+i))
		y.free = append(y.free, r3.V(0.2, 0.1, -1))
		y.drawn = append(y.drawn, -0.3+0.2*float64(i))
	}
	return y
}

func (y *yielding) Fixed() []bool   { return y.fixed }
func (y *yielding) Mass() []float64 { return y.mass }

func (y *yielding) Balance(v, out []r3.Vec) {
	for i := range v {
		out[i] = v[i].Sub(y.free[i]).Scale(y.mass[i])
		out[i].X += yieldForce * math.Atan((v[i].X-y.drawn[i])/yieldWidth)
		if y.at != nil {
			y.length = max(y.length, v[i].Sub(y.at[i]).Norm())
		}
	}
}

func (y *yielding) Linearize(v []r3.Vec) (*sparse.BSR, []r3.Vec) {
	if v == nil {
		v = y.start
	}
	y.at = nil
	y.Balance(v, y.b)
	for i := range v {
		far := (v[i].X - y.drawn[i]) / yieldWidth
		y.a.Val[i] = r3.Diagonal(y.mass[i])
		y.a.Val[i].XX += yieldForce / yieldWidth / (1 + far*far)
		y.b[i] = y.b[i].Sub(y.a.Val[i].MulVec(v[i]))
	}
	y.at = append([]r3.Vec(nil), v...)
	return y.a, y.b
}

func (y *yielding) Limit(_, dv []r3.Vec) float64 {
	most := 1.0
	for _, d := range dv {
		if far := d.Norm(); y.most > 0 && far > y.most {
			most = min(most, y.most/far)
		}
	}
	return most
}

// onFloor returns the solver of the problem with contacts of all masses with a floor.
func (y *yielding) onFloor() *InContact {
	n := len(y.free)
	p := &ContactProblem{Mass: y.mass, Fixed: y.fixed, Set: &contact.Set{}, Tolerance: 1e-10, Equations: y}
	for i := range int32(n) {
		p.Set.Add(contact.Contact{
			ID: numbered(int(i)), A: i, B: contact.None, Frame: contact.FrameOf(r3.V(0, 0, 1)), Mu: yieldFriction,
		})
	}
	s := DefaultNodal()
	t := &InContact{
		Newton: Newton{Iterations: 60, Tolerance: 1e-9}, Solver: &s, Problem: p, Out: new(Contacts), Push: make([]r3.Vec, n),
	}
	t.Out.Resize(n, n)
	return t
}

// check compares with the answer for each mass: the floor stops it, and friction of μ m against its slip.
func (y *yielding) check(t *testing.T, out *Result, s *InContact) {
	t.Helper()
	if !out.Converged || !(out.Nonlinear <= 1e-9) {
		t.Fatalf("nonlinear residual %g m/s after %d linearizations", out.Nonlinear, out.Newton)
	}
	left := make([]r3.Vec, len(out.V))
	y.Balance(out.V, left)
	for i, v := range out.V {
		push := s.Problem.Set.Contacts[i].Frame.MulVecT(s.Out.R[i])
		slip := math.Hypot(v.X, v.Y)
		grip := yieldFriction * y.mass[i]
		if d := left[i].Sub(push).Norm(); d > 1e-9 || math.Abs(v.Z) > 1e-9 || math.Abs(push.Z-y.mass[i]) > 1e-9 {
			t.Errorf("mass %d moves at %v and is pushed by %v, which leaves %v", i, v, push, left[i].Sub(push))
		}
		if want := r3.V(-grip*v.X/slip, -grip*v.Y/slip, push.Z); push.Sub(want).Norm() > 1e-7 {
			t.Errorf("mass %d slides at %v against %v, want %v", i, v, push, want)
		}
	}
}

// Full steps never come to an end; with a line search they do, with contacts as without.
func TestLineSearchWithContacts(t *testing.T) {
	y := newYielding(4)
	s := y.onFloor()
	v, next, delta := make([]r3.Vec, 4), make([]r3.Vec, 4), make([]r3.Vec, 4)
	left := make([]r3.Vec, 4)
	for range s.Newton.Iterations {
		A, b := y.Linearize(v)
		if _, err := s.Near(A, b, v, next, delta, false); err != nil {
			t.Fatal(err)
		}
		copy(v, next)
	}
	y.Balance(v, left)
	s.Relieve(left)
	if worst := Worst(y.mass, left, y.fixed); worst < 0.1 {
		t.Errorf("full steps end at a residual of %g m/s; the problem is too easy", worst)
	}

	s = y.onFloor()
	out := Result{V: make([]r3.Vec, 4)}
	if err := s.Solve(y, &out); err != nil {
		t.Fatal(err)
	}
	y.check(t, &out, s)

	free := Free{Linear: Linear{Method: Direct, Tolerance: 1e-10}, Newton: s.Newton}
	out = Result{V: make([]r3.Vec, 4)}
	free.Solve(y, &out)
	if !out.Converged {
		t.Errorf("without contacts: nonlinear residual %g m/s after %d linearizations", out.Nonlinear, out.Newton)
	}
}

// No step is longer than the problem allows, also where contacts ask for more, and the solution is the same.
func TestStepsAreLimited(t *testing.T) {
	y := newYielding(4)
	y.most = 0.05
	s := y.onFloor()
	s.Newton.Iterations = 200
	for i := range y.start {
		y.start[i] = r3.V(0.3, 0, -1)
	}
	out := Result{V: append([]r3.Vec(nil), y.start...)}
	if err := s.Solve(y, &out); err != nil {
		t.Fatal(err)
	}
	y.check(t, &out, s)
	if y.length > 1.000001*y.most || y.length < 0.5*y.most || out.Newton < 20 {
		t.Errorf("the longest of %d steps was %g m/s, allowed are %g", out.Newton, y.length, y.most)
	}

	s.Newton.Iterations = 1
	copy(out.V, y.start)
	if err := s.Solve(y, &out); err != nil || out.Converged {
		t.Errorf("a step that was cut passes for the solution: %v", err)
	}
}
