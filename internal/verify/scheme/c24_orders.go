package scheme

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/cloth"
	"github.com/toile-sim/toile/internal/verify/friction"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/internal/verify/solid"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C24: errors fall with refinement by the orders that the methods have.
var orders = verify.Case{
	ID: "C24", Title: "orders of refinement",
	Source: "series of the elliptic integral; manufactured equilibria; ropes on a cylinder",
	Body: func(t *verify.Trial) {
		orderInTime(t)
		orderInSpace(t)
		orderOfTets(t)
		orderOfPressure(t)
		if t.Options.Full {
			orderUnderBall(t)
		}
		orderOfPolygons(t)
		t.StepsRow()
	},
}

// orderRow asks for an order within 0.2: that of errors c h² (1 + d h²) is off by 3 d h²/log 2 between sizes of 2 h and
// h, 0.07 for waves of 4 rad/m, d = 16, and h = 1/32 m.
func orderRow(t *verify.Trial, of string, want float64, sizes, errs []float64) {
	t.Row(verify.Row{
		Quantity: "order " + of, Expected: want, Measured: setup.OrderOf(sizes, errs), Bar: verify.Absolute, Limit: 0.2,
		From: "the next term of the error, for any mesh; regular ones feel it less",
	})
}

// orderInTime lets the pendulum of C11 fall with backward Euler. It passes its lowest point after a quarter of the
// period, and the error of that time is of first order in the step.
func orderInTime(t *verify.Trial) {
	const length, g, amplitude = 0.5, 9.81, 0.5
	steps := []float64{4e-3, 2e-3, 1e-3}
	if t.Options.Full {
		steps = append(steps, 5e-4, 2.5e-4)
	}
	want := cloth.PendulumPeriod(length, g, amplitude) / 4
	var errs []float64
	for _, h := range steps {
		p := cloth.NewPendulum(t, 1, amplitude, length)
		errs = append(errs, math.Abs(p.Falls(t, h)-want))
	}
	orderRow(t, "in time of backward Euler, a pendulum's fall", 1, steps, errs)
	t.Plot("c24-time", draw.Plot{
		Title: "C24: error of a quarter of the period, θ = 1", X: "step [s]", Y: "error [s]", LogX: true, LogY: true,
		Series: []draw.Series{
			{Name: "first order", X: steps, Y: setup.Scaled(steps, 1, errs[len(errs)-1]), Style: draw.Dashed},
			{Name: "measured", X: steps, Y: errs, Style: draw.Points},
		},
	})
}

// bump is a smooth shape of a stretched sheet of 1 x 1 m: x_i = s X_i + a_i sin(p_i X + q_i) sin(r_i Y + c_i).
type bump struct{ a, p, q, r, c float64 }

const bumpStretch = 1.1

var bumps = [3]bump{{0.03, 3, 0.4, 2, 0.9}, {0.02, 2, 1, 4, 0.2}, {0.1, 3, 0.2, 3, 0.5}}

// jet returns a component of the shape and its derivatives (X, Y, XX, XY, YY).
func (b bump) jet(i int, x r3.Vec2) (value float64, first [2]float64, second [2][2]float64) {
	s, c := math.Sincos(b.p*x.X + b.q)
	u, v := math.Sincos(b.r*x.Y + b.c)
	value, first = b.a*s*u, [2]float64{b.a * b.p * c * u, b.a * b.r * s * v}
	mixed := b.a * b.p * b.r * c * v
	second = [2][2]float64{{-b.a * b.p * b.p * s * u, mixed}, {mixed, -b.a * b.r * b.r * s * u}}
	if i < 2 {
		value += bumpStretch * [2]float64{x.X, x.Y}[i]
		first[i] += bumpStretch
	}
	return value, first, second
}

// bumpAt returns a point of the shape, and the load a unit of area that holds an StVK membrane in it [N/m²]:
//
//	f_i = -∂_J (F_iK S_KJ) = -F_iKJ S_KJ - F_iK S_KJ,J,   G_KL,J = ½ (F_iKJ F_iL + F_iK F_iLJ).
func bumpAt(x r3.Vec2) (at, load r3.Vec) {
	var f [3][2]float64
	var df [3][2][2]float64
	var p, l [3]float64
	for i, b := range bumps {
		p[i], f[i], df[i] = b.jet(i, x)
	}
	var g, gx, gy [2][2]float64
	for k := range 2 {
		for m := range 2 {
			for i := range 3 {
				g[k][m] += f[i][k] * f[i][m] / 2
				gx[k][m] += (df[i][k][0]*f[i][m] + f[i][k]*df[i][m][0]) / 2
				gy[k][m] += (df[i][k][1]*f[i][m] + f[i][k]*df[i][m][1]) / 2
			}
		}
		g[k][k] -= 0.5
	}
	s, sx, sy := bumpTension(g), bumpTension(gx), bumpTension(gy)
	for i := range 3 {
		for k := range 2 {
			l[i] -= df[i][k][0]*s[k][0] + df[i][k][1]*s[k][1] + f[i][k]*(sx[k][0]+sy[k][1])
		}
	}
	return r3.V(p[0], p[1], p[2]), r3.V(l[0], l[1], l[2])
}

// bumpTension returns the second Piola-Kirchhoff tension, which is linear in the strain. The cloth is that of C30.
func bumpTension(g [2][2]float64) [2][2]float64 {
	q := 1 / (1 - cloth.PullPoisson*cloth.PullPoisson)
	mixed := q * cloth.PullPoisson * math.Sqrt(cloth.PullWarp*cloth.PullWeft)
	shear := 2 * cloth.PullShear * g[0][1]
	return [2][2]float64{
		{q*cloth.PullWarp*g[0][0] + mixed*g[1][1], shear}, {shear, mixed*g[0][0] + q*cloth.PullWeft*g[1][1]},
	}
}

// orderInSpace settles a sheet under the load of a known shape, with its border where it belongs, and measures how far
// it is off in the mean square: constant strains are of second order in that.
func orderInSpace(t *verify.Trial) {
	patterns, cells := []shape.Pattern{shape.Right, shape.Crossed}, []int{8, 16, 32}
	if t.Options.Full {
		patterns, cells = shape.Patterns(), []int{8, 16, 32, 64}
	}
	for _, p := range patterns {
		var sizes, errs []float64
		for _, n := range cells {
			m, at := shape.Strip(p, 1, 1, 1/float64(n), 0, 24)
			sizes, errs = append(sizes, 1/float64(n)), append(errs, bumpError(t, m, at))
		}
		orderRow(t, fmt.Sprintf("in space of the membrane, mean square, %v", p), 2, sizes, errs)
	}
}

// bumpError returns the root of the mean square of how far a settled sheet is from the shape [m]. Integrals are by the
// middles of sides, which is exact for quadratic functions.
func bumpError(t *verify.Trial, m *mesh.Mesh, at []r3.Vec2) float64 {
	// sheet stretched flat, its border on the shape
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Self, opt.Workers = r3.Vec{}, false, t.Workers
	w := t.World(opt)
	border := shape.Boundary(m)
	x := make([]r3.Vec, len(at))
	for i, p := range at {
		x[i] = r3.V(bumpStretch*p.X, bumpStretch*p.Y, 0)
	}
	for _, v := range border {
		x[v], _ = bumpAt(at[v])
	}
	id, err := cloths.Add(w, body.DefaultCloth("sheet", m, x, cloth.Orthotropic(1e-12)))
	t.Must(err)
	_, err = w.AddHandle(engine.Handle{Name: "border", Cloth: id, Vertices: border})
	t.Must(err)
	// loads that go with the shape
	loads := make([]r3.Vec, len(at))
	middles(m, at, func(weight float64, a, b int32, middle r3.Vec2) {
		_, load := bumpAt(middle)
		loads[a], loads[b] = loads[a].AddScaled(weight/2, load), loads[b].AddScaled(weight/2, load)
	})
	for i, f := range loads {
		w.SetForce(id, i, f)
	}
	// until it rests
	stats, err := t.Settle(w, engine.DefaultSettleOptions())
	t.Must(err)
	if !stats.Converged || stats.Unstable != 0 {
		t.Must(fmt.Errorf("sheet of %d vertices did not settle: it would still move %g m", m.Verts, stats.Move))
	}
	// distance from the shape
	sum := 0.0
	middles(m, at, func(weight float64, a, b int32, middle r3.Vec2) {
		want, _ := bumpAt(middle)
		sum += weight * w.Positions(id)[a].Lerp(w.Positions(id)[b], 0.5).Sub(want).Norm2()
	})
	return math.Sqrt(sum)
}

// middles calls visit for the middles of the sides of all triangles, with a third of the area of each.
func middles(m *mesh.Mesh, at []r3.Vec2, visit func(weight float64, a, b int32, middle r3.Vec2)) {
	for t, tri := range m.Tri {
		for k := range 3 {
			a, b := tri[k], tri[(k+1)%3]
			visit(m.RestArea(int32(t))/3, a, b, at[a].Add(at[b]).Scale(0.5))
		}
	}
}

// swellJet returns a smooth shape of a cube of 1 m and its gradient: x_i = X_i + a_i sin(k_i·X + i).
func swellJet(x r3.Vec) (at r3.Vec, f r3.Mat) {
	waves := [3]r3.Vec{{X: 2, Y: 1, Z: 3}, {X: 1, Y: 3, Z: 2}, {X: 3, Y: 2, Z: 1}}
	sizes := [3]r3.Vec{{X: 0.06}, {Y: 0.05}, {Z: 0.04}}
	at, f = x, r3.Identity()
	for i, k := range waves {
		sin, cos := math.Sincos(k.Dot(x) + float64(i))
		at = at.AddScaled(sin, sizes[i])
		f.AddOuter(cos, sizes[i], k)
	}
	return at, f
}

// swellLoad returns the load a unit of volume that holds a neo-Hookean solid of E = 1 in that shape: -Div P, P = μ (F -
// F⁻ᵀ) + λ ln J F⁻ᵀ, by central differences, which are off by 1e-8.
func swellLoad(x r3.Vec, material material.Isotropic) (load r3.Vec) {
	const d = 1e-4
	mu, lambda := material.Lame()
	stress := func(x r3.Vec) r3.Mat {
		_, f := swellJet(x)
		inverse, _ := f.Inverse()
		inverse = inverse.T()
		p := f.Scale(mu)
		p.AddScaled(lambda*math.Log(f.Det())-mu, &inverse)
		return p
	}
	for _, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
		above, below := stress(x.AddScaled(d, axis)), stress(x.AddScaled(-d, axis))
		load = load.Add(below.MulVec(axis).Sub(above.MulVec(axis)).Scale(1 / (2 * d)))
	}
	return load
}

// orderOfTets settles a cube of tets under the load of a known shape, with its skin where it belongs, and measures how
// far it is off in the mean square: constant strains are of second order in that.
func orderOfTets(t *verify.Trial) {
	cells := []int{3, 6, 12}
	if t.Options.Full {
		cells = []int{4, 8, 16}
	}
	material := material.Isotropic{Young: 1, Poisson: 0.3}
	var sizes, errs []float64
	for _, n := range cells {
		m := shape.TetBox(r3.V(1, 1, 1), n, n, n)
		spec := body.SolidSpec{Mesh: m, Material: material, Law: elastic.NeoHookeanLaw, Density: 1}
		s := solid.HoldSolid(t, spec, func(x r3.Vec) bool { return min(x.X, x.Y, x.Z) == 0 || max(x.X, x.Y, x.Z) == 1 })
		x, load := make([]r3.Vec, len(m.X)), make([]r3.Vec, len(m.X))
		for i, rest := range m.X {
			x[i], _ = swellJet(rest)
			load[i] = swellLoad(rest, material).Scale(s.Solid.Mass[i])
		}
		t.Must(s.Settle(x, load))
		sum := 0.0
		for e, v := range m.Tet { // by the middles of edges
			for i := range v {
				for _, k := range v[:i] {
					want, _ := swellJet(m.X[v[i]].Lerp(m.X[k], 0.5))
					sum += m.TetVolume(int32(e)) / 6 * x[v[i]].Lerp(x[k], 0.5).Sub(want).Norm2()
				}
			}
		}
		sizes, errs = append(sizes, 1/float64(n)), append(errs, math.Sqrt(sum))
	}
	orderRow(t, "in space of tets, mean square", 2, sizes, errs)
}

// orderUnderBall compares the force of the half ball of C18 on circles around its middle, up to half-way between rings
// of vertices, with that of Hertz's pressure, P (1 - (1 - r²/a²)^{3/2}). Pressures of single vertices scatter by some 5
// % at any size of tets, since shares of vertices in the area depend on how many tets meet there.
func orderUnderBall(t *verify.Trial) {
	var sizes, errs []float64
	for _, n := range []int{6, 8, 12} {
		c := solid.PressHalfBall(t, n, solid.EvenPlane).Touch()
		apart, sum := 2/solid.HertzAcross(n), 0.0
		rings := int(1 / apart)
		for k := range rings {
			r, within := (float64(k)+0.5)*apart, 0.0
			for i, at := range c.At {
				if at < r {
					within += c.Share[i]
				}
			}
			r *= solid.HertzContact / c.Radius
			sum += math.Pow(within-1+math.Pow(max(0, 1-r*r), 1.5), 2)
		}
		sizes, errs = append(sizes, apart), append(errs, math.Sqrt(sum/float64(rings)))
	}
	t.Row(verify.Row{
		Quantity: "order in space of the pressure under a ball, by circles, mean square",
		Measured: setup.OrderOf(sizes, errs),
		Bar:      verify.AtLeast, Limit: 1,
	})
}

// orderOfPressure lays the strip of L3 over its cylinder without friction, balanced, and compares the forces on its
// vertices with the pressure below a heavy rope: T = w (1.2 m + R sin φ), and on a length of it T/R + w sin φ.
func orderOfPressure(t *verify.Trial) {
	cells := []int{20, 40, 80}
	if t.Options.Full {
		cells = append(cells, 160)
	}
	var sizes, errs []float64
	for _, n := range cells {
		sizes, errs = append(sizes, friction.CapstanLength/float64(n)), append(errs, pressureError(t, n))
	}
	t.Row(verify.Row{
		Quantity: "order in space of the pressure on a cylinder, mean square", Measured: setup.OrderOf(sizes, errs),
		Bar: verify.AtLeast, Limit: 1,
	})
}

// pressureError returns the root of the mean square of the relative error of the pressure, on the 120° around the top:
// it jumps where the strip leaves the cylinder.
func pressureError(t *verify.Trial, cells int) float64 {
	const h, weight = 0.01, friction.CapstanDensity * 9.81
	w, id := friction.HungOver(t, cells, 0, 0, nil)
	setup.SettleWith(t, w, h, 0, 1e-7)
	t.Step(w, h)
	forces := make([]float64, cells+1)
	for _, c := range w.Contacts(nil) {
		forces[int(c.Vertex)%(cells+1)] += c.Impulse.Norm() / h
	}
	sum, count := 0.0, 0.0
	for i, f := range forces {
		x := w.Positions(id)[i]
		sin := x.Z / math.Hypot(x.X, x.Z)
		if sin < 0.5 {
			continue
		}
		area := friction.CapstanLength / float64(cells) * friction.CapstanWidth
		want := weight * ((friction.CapstanLength-math.Pi*friction.CapstanRadius)/2/friction.CapstanRadius + 2*sin) *
			area
		sum, count = sum+(f/want-1)*(f/want-1), count+1
	}
	return math.Sqrt(sum / count)
}

// orderOfPolygons lays strips over the cylinder of L3 that are half a polygon there. Where a rope turns by α, it holds
// (1 + μ tan α/2)/(1 - μ tan α/2) in place of e^(μα), so that the critical friction is off by a share of α².
func orderOfPolygons(t *verify.Trial) {
	sides := []int{16, 32}
	if t.Options.Full {
		sides = []int{16, 24, 32}
	}
	var sizes, errs []float64
	for _, n := range sides {
		sizes, errs = append(sizes, 1/float64(n)), append(errs, polygonError(t, n))
	}
	orderRow(t, "of the capstan's critical friction, polygons in place of circles", 2, sizes, errs)
}

// polygonError returns how much the critical friction of a strip over a polygon is off.
func polygonError(t *verify.Trial, sides int) float64 {
	const h = 0.01
	side := 2 * friction.CapstanRadius * math.Sin(math.Pi/float64(sides))
	short, long := int(math.Round(0.8/side)), int(math.Round(1.6/side))
	cells := short + sides/2 + long
	path := func(along float64) r3.Vec {
		k := math.Round(along/side) - float64(short)
		sin, cos := math.Sincos(2 * math.Pi * min(max(k, 0), float64(sides/2)) / float64(sides))
		return r3.V(
			-friction.CapstanRadius*cos, 0, friction.CapstanRadius*sin+side*(min(k, 0)-max(k-float64(sides/2), 0)),
		)
	}
	w, id := friction.Laid(t, side*float64(cells), friction.CapstanWidth, cells, 2, 0, nil, path)
	friction.CapstanCylinder(t, w, side, friction.CapstanWidth)
	setup.SettleInContact(t, w, h)
	c := &friction.Capstan{W: w, ID: id, Start: w.Snapshot(), H: h, T: t}
	got := setup.Bisect(0.135, 0.145, 5e-5, c.StartsToSlip)
	return math.Abs(got - friction.CriticalFriction(side*float64(short), side*float64(long)))
}
