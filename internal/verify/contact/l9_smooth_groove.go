package contact

import (
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/r3"
)

// foldedSheet returns a sheet of triangles with sides of 0.4 that is folded up by 45 degrees to both sides of the y
// axis.
func foldedSheet() (x []r3.Vec, tri [][3]int32) {
	const cells, size = 5, 0.4
	row := int32(2*cells + 1)
	for j := -cells; j <= cells; j++ {
		for i := -cells; i <= cells; i++ {
			u := size * float64(i) * math.Sqrt(0.5)
			x = append(x, r3.V(u, size*float64(j), math.Abs(u)))
		}
	}
	for j := range row - 1 {
		for i := range row - 1 {
			a := j*row + i
			tri = append(tri, [3]int32{a, a + 1, a + row + 1}, [3]int32{a, a + row + 1, a + row})
		}
	}
	return x, tri
}

// constraint is a function that must not be negative, with its derivatives.
type constraint func(x r3.Vec) (value float64, gradient r3.Vec, hessian r3.Mat)

// newtonInto returns how many Newton steps it takes to bring a point as near to a goal as a constraint lets it, at most
// most, where it ends, and how long the last step was. Each step minimizes the quadratic model of the Lagrangian with
// the constraint made linear,
//
//	min ½ dᵀ (1 − λ H) d + (x − goal)·d   with   g + ∇g·d ≥ 0,
//
// and is halved until ½ |x − goal|² + 4 max(0, −g) falls.
func newtonInto(g constraint, x, goal r3.Vec, most int) (steps int, end r3.Vec, last float64) {
	// what each step has to lower
	const close, price = 1e-10, 4
	merit := func(x r3.Vec) float64 {
		value, _, _ := g(x)
		return x.Sub(goal).Norm2()/2 + price*max(0, -value)
	}
	lambda := 0.0
	for steps = 1; steps <= most; steps++ {
		// model of the Lagrangian, or a plain one where it is not convex
		value, slope, h := g(x)
		model := r3.Identity()
		model.AddScaled(-lambda, &h)
		inverse, ok := model.Inverse()
		if !ok || model.LeastEigenvalue() <= 0 {
			inverse = r3.Identity()
		}
		// its minimum, with the constraint made linear
		free := inverse.MulVec(goal.Sub(x))
		lambda = max(0, -(value+slope.Dot(free))/slope.Dot(inverse.MulVec(slope)))
		d := free.AddScaled(lambda, inverse.MulVec(slope))
		if last = d.Norm(); last < close {
			break
		}
		// halved until it is better
		share := 1.0
		for before := merit(x); share > 1e-6 && merit(x.AddScaled(share, d)) >= before; {
			share /= 2
		}
		x = x.AddScaled(share, d)
	}
	return min(steps, most), x, last
}

// L9: a vertex is drawn into the groove between two polygons. With their distance as the constraint, Newton steps jump
// from one side to the other for ever; with the smooth surface they converge.
var smoothGroove = verify.Case{
	ID: "L9", Title: "a vertex in a groove", Source: "[Larionov21] app. A",
	Body: func(t *verify.Trial) {
		const most = 200
		x, tri := foldedSheet()
		mesh, s := geom.NewMeshField(x, tri), smooth.New(tri, x, 0, smooth.Options{}, 0)
		start, goal := r3.V(0.31, 0.03, 0.6), r3.V(0.02, 0, -1)
		sharp := func(x r3.Vec) (float64, r3.Vec, r3.Mat) {
			near, _ := mesh.Nearest(x, math.Inf(1))
			near.Point, near.Distance = t.Vector(near.Point), t.Value(near.Distance)
			away := x.Sub(near.Point)
			if x.Z < math.Abs(x.X) {
				return -near.Distance, away.Unit().Neg(), r3.Mat{}
			}
			return near.Distance, away.Unit(), r3.Mat{}
		}
		var p smooth.Place
		even := func(x r3.Vec) (float64, r3.Vec, r3.Mat) {
			if !s.Look(&p, x, 0) {
				return sharp(x)
			}
			return t.Value(p.Value), t.Vector(p.Gradient), p.Hessian()
		}
		steps, end, _ := newtonInto(even, start, goal, most)
		t.Row(verify.Row{
			Quantity: "Newton steps with the smooth surface", Measured: float64(steps), Bar: verify.AtMost, Limit: 20,
		})
		value, slope, _ := even(end)
		t.Row(verify.Row{
			Quantity: "distance of its end from the surface", Unit: "m", Measured: math.Abs(value), Bar: verify.AtMost,
			Limit: 5e-13,
		})
		pull := goal.Sub(end).Unit().Add(slope.Unit()).Norm() // at the end, the pull is against the normal
		t.Row(verify.Row{
			Quantity: "angle of the pull and the normal there", Unit: "rad", Measured: pull, Bar: verify.AtMost,
			Limit: 7e-10,
		})
		steps, _, last := newtonInto(sharp, start, goal, most)
		t.Row(verify.Row{
			Quantity: "Newton steps with the distance, of 200", Measured: float64(steps), Bar: verify.AtLeast,
			Limit: most,
		})
		t.Note("with the distance of the polygons the last Newton step would be %.2g m long", last)
	},
}
