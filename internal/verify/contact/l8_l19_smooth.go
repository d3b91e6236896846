package contact

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// evenBall returns the surface of a ball with 20 n² triangles of about the same size.
func evenBall(radius float64, n int) (x []r3.Vec, tri [][3]int32) {
	tets, _, skin := shape.Ball(radius, n).SkinFirst()
	return tets.X[:skin], tets.Skin()
}

func randomDirection(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
}

// fieldKinds are the kernels of [Larionov21] fig. 3.
var fieldKinds = []struct {
	name    string
	options smooth.Options
}{
	{"cubic", smooth.Options{}},
	{"interpolating, ε 0.1", smooth.Options{Kernel: smooth.Interpolating}},
	{"interpolating, ε 1e-5", smooth.Options{Kernel: smooth.Interpolating, Epsilon: 1e-5}},
}

// L8: the smooth surface of a mesh. Weights add up to 1 and reach every point of the mesh; derivatives are those of
// differences; the gradient is continuous on the surface; and the surface is near to the mesh, by Hausdorff distances
// in per cent of the largest side of the box, as in Table 2 of the paper.
var smoothField = verify.Case{
	ID: "L8", Title: "smooth surfaces of meshes", Source: "[Larionov21] section 4 and table 2",
	Body: func(t *verify.Trial) {
		for _, k := range fieldKinds {
			fieldRows(t, k.name, k.options)
		}
		ball := func(n int) func() ([]r3.Vec, [][3]int32) {
			return func() ([]r3.Vec, [][3]int32) { return evenBall(0.5, n) }
		}
		for _, m := range []struct {
			name  string
			paper float64 // [%]
			mesh  func() ([]r3.Vec, [][3]int32)
		}{
			{"ball, 1,280 triangles", 0.2, ball(8)},
			{"ball, 5,120 triangles", 0.03, ball(16)},
			{
				"cylinder of 36 sides, with sharp rims", 1.4,
				func() ([]r3.Vec, [][3]int32) { return shape.Cylinder{Radius: 0.5, Half: 0.5}.EvenMesh(36) },
			},
		} {
			x, tri := m.mesh()
			t.Row(verify.Row{
				Quantity: m.name + ": Hausdorff distance by the largest side", Unit: "%",
				Measured: 100 * hausdorff(t, x, tri, smooth.Options{}), Bar: verify.AtMost, Limit: m.paper,
			})
		}
		x, tri := shape.Cylinder{Radius: 0.5, Half: 1.5}.EvenMesh(7)
		for _, k := range fieldKinds {
			least, mean, most := setup.Roundness(x, tri, k.options)
			t.Note("heptagon of radius 0.5, %s: radius %.4f to %.4f, mean %.4f", k.name, least, most, mean)
		}
	},
}

// fieldRows tries one kernel on a dented ball.
func fieldRows(t *verify.Trial, name string, o smooth.Options) {
	rng := rand.New(rand.NewPCG(8, 1))
	x, tri := evenBall(1, 4)
	for i := range x {
		x[i] = x[i].AddScaled(0.02, randomDirection(rng))
	}
	s := smooth.New(tri, x, 0, o, 0.05)
	var p, q smooth.Place
	sum, slope, bend, jump, least := 0.0, 0.0, 0.0, 0.0, math.Inf(1)
	for _, v := range tri {
		for _, at := range []r3.Vec{
			x[v[0]], x[v[0]].Lerp(x[v[1]], 0.5), x[v[0]].Add(x[v[1]]).Add(x[v[2]]).Scale(1.0 / 3),
		} {
			s.Look(&p, at, 0)
			least = min(least, t.Value(p.Sum))
		}
	}
	for range 300 {
		at, ok := onSurface(s, &p, randomDirection(rng))
		if !ok {
			t.Must(fmt.Errorf("no surface near %v", at))
		}
		weights := -1.0
		for _, share := range s.Shares(&p, nil) {
			weights += t.Value(share.Weight)
		}
		sum = max(sum, math.Abs(weights))
		h, scale := p.Hessian(), 1.0
		gradient := t.Vector(p.Gradient)
		const e = 1e-6
		for _, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			s.Look(&p, at.AddScaled(e, axis), 0)
			s.Look(&q, at.AddScaled(-e, axis), 0)
			slope = max(slope, math.Abs((p.Value-q.Value)/(2*e)-gradient.Dot(axis)))
			bent := p.Gradient.Sub(q.Gradient).Scale(1 / (2 * e))
			scale = max(scale, bent.Norm())
			bend = max(bend, bent.Sub(t.Vector(h.MulVec(axis))).Norm()/scale)
		}
	}
	// A walk along the surface, in steps of 2e-5 of the radius of samples: of a C¹ field the gradient changes by as
	// much as the Hessian says, but for its kinks of less than 1/R where samples come in; there others jump.
	step := 2e-5 * s.Radius
	for range 10 {
		at, _ := onSurface(s, &p, randomDirection(rng))
		along := p.Normal().Orthogonal()
		h, last := p.Hessian(), p.Gradient
		for range 1500 {
			at = at.AddScaled(step, along)
			s.Look(&p, at, 0)
			expected := h.MulVec(along).Scale(step)
			now := p.Hessian()
			expected = expected.Add(now.MulVec(along).Scale(step)).Scale(0.5)
			p.Gradient = t.Vector(p.Gradient)
			jump = max(jump, p.Gradient.Sub(last).Sub(expected).Norm())
			h, last = now, p.Gradient
		}
	}
	t.Row(verify.Row{
		Quantity: name + ": sum of weights, less 1", Measured: sum, Bar: verify.AtMost, Limit: 32 * verify.Rounding,
		From: "32 roundings of as many samples",
	})
	t.Row(verify.Row{
		Quantity: name + ": gradient against differences", Measured: slope, Bar: verify.AtMost, Limit: 1e-9,
	})
	t.Row(verify.Row{
		Quantity: name + ": Hessian against differences, relative", Measured: bend, Bar: verify.AtMost, Limit: 6e-8,
		From: "differences of gradients of the sharpest kernel, ε 1e-5",
	})
	if o.Kernel == smooth.Cubic {
		t.Row(verify.Row{
			Quantity: name + ": least sum of kernels on the mesh", Measured: least, Bar: verify.AtLeast,
			Limit: 7.0 / 27, // the kernel at a corner, 1/1.5 of the radius from the middle of its triangle
		})
		t.Row(verify.Row{
			Quantity: name + ": jump of the gradient on the surface", Measured: jump, Bar: verify.AtMost, Limit: 8e-6,
		})
	} else {
		t.Note("%s: least sum of kernels %.3g, jump of the gradient %.2g", name, least, jump)
	}
}

// onSurface returns the point of the surface in a direction from the origin.
func onSurface(s *smooth.Surface, p *smooth.Place, direction r3.Vec) (at r3.Vec, ok bool) {
	at = direction
	for range 50 {
		if !s.Look(p, at, 0) {
			return at, false
		}
		slope := p.Gradient.Dot(direction)
		if math.Abs(p.Value) < 1e-14 || slope == 0 {
			break
		}
		at = at.AddScaled(-p.Value/slope, direction)
	}
	return at, s.Look(p, at, 0)
}

// hausdorff returns the distance of a mesh and its smooth surface, by the largest side of the box: that of points of
// the mesh to the surface, which is followed along gradients, and of where these lead back to the mesh.
func hausdorff(t *verify.Trial, x []r3.Vec, tri [][3]int32, o smooth.Options) float64 {
	const cuts = 3
	s := smooth.New(tri, x, 0, o, 0)
	mesh := geom.NewMeshField(x, tri)
	var p smooth.Place
	worst := 0.0
	for _, v := range tri {
		for i := range cuts + 1 {
			for j := range cuts + 1 - i {
				a, b := float64(i)/cuts, float64(j)/cuts
				from := x[v[0]].Scale(1-a-b).AddScaled(a, x[v[1]]).AddScaled(b, x[v[2]])
				to := from
				for range 6 {
					if !s.Look(&p, to, 0) {
						return math.Inf(1)
					}
					to = to.AddScaled(-p.Value/p.Gradient.Norm2(), p.Gradient)
				}
				to = t.Vector(to)
				back, _ := mesh.Distance(to)
				worst = max(worst, to.Sub(from).Norm(), math.Abs(back))
			}
		}
	}
	size := r3.BoxOf(x).Size()
	return worst / max(size.X, size.Y, size.Z)
}

// L19: a vertex on a smooth ball that moves rigidly with it does not slip, by rows as they are by default. Those of the
// paper do.
var smoothTogether = verify.Case{
	ID: "L19", Title: "common rigid motion of a point and a smooth surface", Source: "invariance",
	Body: func(t *verify.Trial) {
		for _, n := range []int{2, 4, 8} {
			for _, transport := range []bool{false, true} {
				set, x := onSmoothBall(n, smooth.Options{Transport: transport})
				shift, turn := slips(t, set, x, true), slips(t, set, x, false)
				name := fmt.Sprintf("ball of %d faces", 20*n*n)
				if transport {
					t.Note("%s, transported rows: translation slips by %.2f %% (mean) and %.2f %% (largest), spin by "+
						"%.2f and %.2f %%",
						name, 100*shift.mean, 100*shift.most, 100*turn.mean, 100*turn.most)
					continue
				}
				t.Row(verify.Row{
					Quantity: name + ": slip of a common translation, by its speed", Measured: shift.most,
					Bar: verify.AtMost, Limit: 32 * verify.Rounding,
				})
				t.Row(verify.Row{
					Quantity: name + ": slip of a common spin, by its speed", Measured: turn.most, Bar: verify.AtMost,
					Limit: 32 * verify.Rounding,
				})
			}
		}
	},
}

// onSmoothBall finds the contacts of 300 points on a smooth ball with a radius of 1 and 20 n² faces; x are the points,
// then the vertices.
func onSmoothBall(n int, o smooth.Options) (*contact.Set, []r3.Vec) {
	rng := rand.New(rand.NewPCG(19, 1))
	y, tri := evenBall(1, n)
	s := smooth.New(tri, y, 0, o, 0)
	points := contact.Skin{Surface: 0, Rest: evenRest{}}
	var x []r3.Vec
	var p smooth.Place
	for i := range 300 {
		at, _ := onSurface(s, &p, randomDirection(rng))
		x = append(x, at)
		points.Dots = append(points.Dots, int32(i))
	}
	points.Points = len(x)
	ball := contact.Skin{Surface: 1, First: int32(len(x)), Points: len(y), Tri: tri, Rest: evenRest{}, Smooth: &o}
	x = append(x, y...)
	f := detect.DefaultFinder()
	f.Begin([]contact.Skin{points, ball})
	var set contact.Set
	f.Find(contact.Motion{H: 1e-2, Theta: 1, X0: x, X1: x, V0: make([]r3.Vec, len(x))}, nil, &set)
	return &set, x
}

// evenRest has no length, so that the base of a mesh is that of its positions.
type evenRest struct{}

func (evenRest) RestLength(int, int) float64 { return 0 }

// slip is by how much contacts slip in a motion of all together, by its speed.
type slip struct{ mean, most float64 }

// slips moves or turns all by random rigid motions.
func slips(t *verify.Trial, set *contact.Set, x []r3.Vec, shift bool) (out slip) {
	rng := rand.New(rand.NewPCG(20, 1))
	for i := range set.Len() {
		v, spin := randomDirection(rng), r3.Vec{}
		if !shift {
			v, spin = r3.Vec{}, randomDirection(rng)
		}
		var u r3.Vec
		for _, term := range set.Row(i) {
			u = u.Add(t.Vector(term.M.MulVec(v.Add(spin.Cross(x[term.Block])))))
		}
		off := u.Norm()
		out.mean, out.most = out.mean+off/float64(set.Len()), max(out.most, off)
	}
	return out
}
