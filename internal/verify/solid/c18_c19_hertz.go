package solid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A half ball is held at its flat top, pressed on a plane that does not give way, and then moved along it. Hertz: where
// the top goes down by d, the radius of the contact is a = √(R d), and the force is P = 4/3 E* √R d^{3/2}, with the
// modulus E* = E/(1 - ν²) and a pressure p = 3P/(2π a²) √(1 - r²/a²). Cattaneo and Mindlin: with a force Q along the
// plane friction is μ p outside a circle of the radius c = a (1 - Q/(μ P))^{1/3}, and inside, where it sticks, less by
// the same profile of c.
//
// Both are for a ≪ R. With a = 0.02 R the top is too near by a share of a/R in d, which makes it stiffer by some 2 %.
// Against a plane that does not give way friction also moves the pressure aside, by a share of μ (1 - 2ν)/(2 - 2ν) =
// 0.03.
const (
	hertzRadius   = 1.0  // R [m]
	HertzContact  = 0.02 // a [m]
	hertzYoung    = 1e6  // [Pa]
	hertzPoisson  = 0.3
	hertzFriction = 0.1
	hertzStep     = 1.0 // [s]; sound goes 30 m in that, so that steps are equilibria
	pressSteps    = 4
	shearSteps    = 4
)

// hertzForce is P at a = √(R d) [N].
const hertzForce = 4.0 / 3 * hertzYoung / (1 - hertzPoisson*hertzPoisson) * HertzContact * HertzContact *
	HertzContact / hertzRadius

// HertzAcross is how many edges are across the contact with so many layers.
func HertzAcross(layers int) float64 { return 2 * float64(layers) / 1.2 }

// HertzFloor is what a half ball is pressed on.
type HertzFloor int

const (
	EvenPlane HertzFloor = iota
	plateOfTriangles
	smoothPlate
)

func (f HertzFloor) String() string {
	return [...]string{"plane", "plate of triangles", "smooth plate"}[f]
}

// obstacle returns the floor with its upper side at a height.
func (f HertzFloor) obstacle(height float64) engine.Obstacle {
	o := engine.Obstacle{Name: "floor", Place: r3.Translation(r3.V(0, 0, height))}
	if f == EvenPlane {
		o.Shape = shape.Plane{Normal: r3.V(0, 0, 1)}
		return o
	}
	const deep = 1.5 * HertzContact
	tets, _, onSkin := shape.Block(r3.V(2*deep, 2*deep, deep), 12, 12, 6).SkinFirst()
	o.Tri, o.Positions = tets.Skin(), tets.X[:onSkin]
	o.Place.T.Z -= deep
	if f == smoothPlate {
		o.Smooth = &smooth.Options{}
	}
	return o
}

// HalfBall is a half ball on a floor.
type HalfBall struct {
	t     *verify.Trial
	w     *engine.World
	id    engine.BodyID
	floor engine.ObstacleID
	area  []float64 // of the skin at a vertex, at rest [m²]
}

// PressHalfBall presses one with so many layers of fine tets down by a²/R, and lets it settle without friction.
func PressHalfBall(t *verify.Trial, layers int, on HertzFloor) *HalfBall {
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Friction, opt.Contact.Thickness, opt.Workers = r3.Vec{}, 0, 1e-4, t.Workers
	b := &HalfBall{t: t, w: t.World(opt)}
	m, _, onSkin := shape.HalfBall(hertzRadius, 1.2*HertzContact, layers).SkinFirst()
	b.area = make([]float64, onSkin)
	for _, v := range m.Skin() {
		area := m.X[v[1]].Sub(m.X[v[0]]).Cross(m.X[v[2]].Sub(m.X[v[0]])).Norm() / 2
		for _, k := range v {
			b.area[k] += area / 3
		}
	}
	var top []int32
	for i, x := range m.X {
		if x.Z > -1e-9 {
			top = append(top, int32(i))
		}
	}
	material := material.Isotropic{Young: hertzYoung, Poisson: hertzPoisson}
	solid, err := body.NewSolid(body.SolidSpec{Mesh: m, Material: material, Density: 1000})
	t.Must(err)
	b.id, err = b.w.AddBody("half ball", solid, m.X, make([]r3.Vec, len(m.X)))
	t.Must(err)
	b.floor, err = b.w.AddObstacle(on.obstacle(-hertzRadius - opt.Contact.Thickness))
	t.Must(err)
	down := r3.V(0, 0, -HertzContact*HertzContact/hertzRadius)
	// With Q = μP/2 the top goes aside by about 0.6 μ d; the row takes Q as it is.
	aside := down.Add(r3.V(0.57*hertzFriction*-down.Z, 0, 0))
	pressed, moved := pressSteps*hertzStep, (pressSteps+shearSteps)*hertzStep
	_, err = b.w.AddHandle(engine.Handle{
		Name: "top", Body: &b.id, Vertices: top,
		Path: &engine.Path{Keys: []engine.Key{{At: 0}, {At: pressed, Translate: down}, {At: moved, Translate: aside}}},
	})
	t.Must(err)
	b.steps(pressSteps)
	settle := engine.DefaultSettleOptions()
	settle.Step, settle.Tolerance = hertzStep, 1e-8
	stats, err := t.Settle(b.w, settle)
	t.Must(err)
	if !stats.Converged {
		t.Must(fmt.Errorf("the half ball on a %v would still move %g m", on, stats.Move))
	}
	return b
}

func (b *HalfBall) steps(count int) {
	for range count {
		b.t.Step(b.w, hertzStep)
	}
}

// shear gives it friction and moves its top along the floor.
func (b *HalfBall) shear() {
	b.w.SetFriction(b.w.BodySurface(b.id), b.w.ObstacleSurface(b.floor), hertzFriction)
	b.steps(shearSteps)
}

// Touch is what the floor does to it.
type Touch struct {
	force, along float64   // P and Q [N]
	Radius       float64   // a of a pressure with the same second moment, which is 2/5 a² P [m]
	stuck        float64   // c of friction with the same second moment, which is 2/5 μP (a² - c⁵/a³) [m]
	within       float64   // radius of a circle as large as what sticks, by vertices [m]
	At           []float64 // distances of vertices from the middle, over a,
	pressure     []float64 // pressure there and friction over μ, over the largest of Hertz
	friction     []float64
	Share        []float64 // of the force
}

func (b *HalfBall) Touch() (c Touch) {
	peak := 1.5 * hertzForce / (math.Pi * HertzContact * HertzContact)
	impulses, x := b.w.BodyImpulses(b.id, nil), b.w.BodyPositions(b.id)
	var moment, drag, area float64
	for i := range b.area {
		f, r2 := impulses[i].Scale(1/hertzStep), x[i].X*x[i].X+x[i].Y*x[i].Y
		c.force, c.along = c.force+f.Z, c.along-f.X
		moment, drag = moment+f.Z*r2, drag-f.X*r2
		if math.Hypot(f.X, f.Y) < 0.999*hertzFriction*f.Z {
			area += b.area[i]
		}
		if f.Z > 0 {
			c.At = append(c.At, math.Sqrt(r2)/HertzContact)
			c.Share = append(c.Share, f.Z)
			c.pressure = append(c.pressure, f.Z/b.area[i]/peak)
			c.friction = append(c.friction, -f.X/hertzFriction/b.area[i]/peak)
		}
	}
	for i := range c.Share {
		c.Share[i] /= c.force
	}
	a2 := 2.5 * moment / c.force
	c.Radius = math.Sqrt(a2)
	c.stuck = math.Pow(max(0, a2-2.5*drag/(hertzFriction*c.force))*a2*c.Radius, 0.2)
	c.within = math.Sqrt(area / math.Pi)
	return c
}

// C18: force and radius of the contact of a ball. Forces come near with the square of edges, as energies of such tets
// do.
var hertz = verify.Case{
	ID: "C18", Title: "a ball on a plane", Source: "Hertz 1882",
	Body: func(t *verify.Trial) {
		all, plates := []int{6, 8}, 6
		if t.Options.Full {
			all, plates = []int{6, 8, 12, 16}, 12
		}
		var sizes, errs []float64
		var finest Touch
		for _, layers := range all {
			finest = hertzRows(t, layers, EvenPlane)
			sizes, errs = append(sizes, 1/HertzAcross(layers)), append(errs, math.Abs(finest.force/hertzForce-1))
		}
		t.Row(verify.Row{
			Quantity: "order of the force in the size of tets", Measured: setup.OrderOf(sizes, errs),
			Bar: verify.AtLeast, Limit: 1,
		})
		others := []HertzFloor{plateOfTriangles, smoothPlate}
		if !t.Options.Full {
			others = others[:1] // C19 has the other
		}
		for _, on := range others {
			hertzRows(t, plates, on)
		}
		t.Plot("c18-pressure", draw.Plot{
			Title: "C18: pressure of a ball on a plane", X: "distance from the middle over a",
			Y: "pressure over the largest",
			Series: []draw.Series{
				hertzProfile("Hertz", 1, 1), {Name: "measured", X: finest.At, Y: finest.pressure, Style: draw.Points},
			},
		})
		t.StepsRow()
	},
}

// hertzProfile draws scale √(1 - r²/c²) for the radius c over a.
func hertzProfile(name string, c, scale float64) draw.Series {
	s := draw.Series{Name: name}
	for k := range 101 {
		x := 1.1 * float64(k) / 100
		s.X = append(s.X, x)
		s.Y = append(s.Y, scale*math.Sqrt(max(0, 1-x*x/(c*c))))
	}
	return s
}

// hertzRows presses a half ball and asks for its force and radius: 5 % with 20 edges across, and of order 2.
func hertzRows(t *verify.Trial, layers int, on HertzFloor) Touch {
	t.At(fmt.Sprint(layers, " layers"), 0, 0)
	c := PressHalfBall(t, layers, on).Touch()
	name := fmt.Sprintf("%v, %.0f edges across: ", on, HertzAcross(layers))
	limit := max(0.05, 0.05*math.Pow(12/float64(layers), 2))
	t.Row(verify.Row{
		Quantity: name + "force", Unit: "N", Expected: hertzForce, Measured: c.force, Bar: verify.Relative,
		Limit: limit,
	})
	t.Row(verify.Row{
		Quantity: name + "radius of the contact", Unit: "m", Expected: HertzContact, Measured: c.Radius,
		Bar: verify.Relative, Limit: 0.05,
	})
	return c
}

// C19: where a ball that is pulled along a plane sticks.
var mindlin = verify.Case{
	ID: "C19", Title: "stick and slip under a ball", Source: "Cattaneo 1938, Mindlin 1949",
	Body: func(t *verify.Trial) {
		n, floors := 6, []HertzFloor{EvenPlane, smoothPlate}
		if t.Options.Full {
			n, floors = 12, []HertzFloor{EvenPlane, plateOfTriangles, smoothPlate}
		}
		for _, on := range floors {
			t.At(on.String(), 0, 0)
			b := PressHalfBall(t, n, on)
			b.shear()
			c := b.Touch()
			share := c.along / (hertzFriction * c.force)
			want := math.Cbrt(1 - share)
			name := fmt.Sprintf("%v, %.0f edges across, Q = %.3f μP: ", on, HertzAcross(n), share)
			// 5 % with 20 edges across. The edge of what sticks is known to a part of an edge.
			t.Row(verify.Row{
				Quantity: name + "c/a by the moment of friction", Expected: want, Measured: c.stuck / c.Radius,
				Bar: verify.Relative, Limit: 0.05 * max(1, 12/float64(n)),
			})
			t.Note("%sc/a by the area that sticks %.4f, expected %.4f", name, c.within/c.Radius, want)
			if on == EvenPlane {
				t.Plot("c19-friction", draw.Plot{
					Title: "C19: friction of a ball on a plane", X: "distance from the middle over a",
					Y: "over the largest pressure",
					Series: []draw.Series{
						hertzProfile("pressure", 1, 1),
						mindlinProfile(want),
						{Name: "friction over μ, measured", X: c.At, Y: c.friction, Style: draw.Points},
					},
				})
			}
		}
		t.StepsRow()
	},
}

// mindlinProfile draws friction over μ: that of a less that of c, both over a.
func mindlinProfile(c float64) draw.Series {
	s, inner := hertzProfile("friction over μ", 1, 1), hertzProfile("", c, c)
	for i := range s.Y {
		s.Y[i] -= inner.Y[i]
	}
	return s
}
