package cloth

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C45: forces that act on all of something alike, so that it moves like one point and the step can be written down. A
// triangle of the mass M in a weak handle of the stiffness k falls as
//
//	v₁ = (v₀ + h (g - k z₀/M)) / (1 + h² k/M),
//
// and beyond the limit F of the handle at F/M - g. Two triangles whose corners threads of the stiffness k draw
// together, with m at each corner and threads of the length l, approach by
//
//	u₁ = (u₀ - 2 h k/m (r₀ - l)) / (1 + 2 h² k/m),
//
// and by 2 f/m where threads pull with the most that they can. In a wind w across it, a sheet of the mass ρ per area
// has
//
//	v₁ = (v₀ + h β |w - v₀| w) / (1 + h β |w - v₀|),   β = ρ_air C/(2ρ).
//
// A rigid body gains F t and τ t, and a joint that it hangs from carries its weight; cloth that is attached to it and
// pulled along takes nothing from the momentum of both. A sheet that falls flat on a floor is a thickness above it at
// the end of the step in which it lands, for any θ. What moves as one point is solved at once, so that steps leave
// rounding.
var uniformForces = verify.Case{
	ID: "C45", Title: "springs, threads, loads and wind", Source: "the step of one point",
	Body: func(t *verify.Trial) {
		inSpring(t)
		sewn(t)
		blown(t)
		loaded(t)
		hungBrick(t)
		attachedBrick(t)
		landed(t)
	},
}

const (
	uniformStep  = 2e-3
	uniformSteps = 50
)

// uniformLimit is what steps of uniformForces leave of velocities of up to 1 m/s, in all.
const (
	uniformRounding = 16 * verify.Rounding // [m/s]
	uniformLimit    = uniformRounding * uniformSteps
	uniformFrom     = "16 roundings of 1 m/s a step: what moves as one point is solved at once"
)

// triangles returns a world with n triangles above each other, of 0.1 m and 0.1 kg/m² each, and their mass.
func triangles(
	t *verify.Trial,
	n int, apart float64, gravity r3.Vec, set func(*engine.Options, *body.ClothSpec),
) (*engine.World, engine.ClothID, float64) {
	// triangles above each other
	var tri, corner [][3]int32
	var places []r3.Vec2
	var x []r3.Vec
	for i := range int32(n) {
		for _, p := range []r3.Vec2{{}, {X: 0.1}, {Y: 0.1}} {
			places = append(places, p)
			x = append(x, r3.V(p.X, p.Y, apart*float64(i)))
		}
		tri = append(tri, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	corner = tri
	m, err := mesh.New(len(x), tri, places, corner)
	t.Must(err)
	// fabric without damping, in a world without air and contact
	fabric, err := material.LookupFabric("cotton-interlock")
	t.Must(err)
	fabric.Density, fabric.Damping = 0.1, 0
	opt := engine.DefaultOptions()
	opt.Workers, opt.Gravity, opt.Contact.Self, opt.Air.Density = t.Workers, gravity, false, 0
	c := body.DefaultCloth("sheet", m, x, fabric)
	if set != nil {
		set(&opt, &c)
	}
	// into the world
	w := t.World(opt)
	id, err := cloths.Add(w, c)
	t.Must(err)
	return w, id, 0.1 * 0.1 * 0.1 / 2
}

func inSpring(t *verify.Trial) {
	const g, k = 9.81, 2.0
	w, id, mass := triangles(t, 1, 0, r3.V(0, 0, -g), nil)
	_, err := w.AddHandle(engine.Handle{
		Name: "spring", Cloth: id, Vertices: []int32{0, 1, 2}, Limit: &engine.ForceLimit{Force: 1, Stiffness: k},
	})
	t.Must(err)
	z, v := 0.0, 0.0
	var energy engine.Energy
	for range uniformSteps {
		stats, err := w.Step(uniformStep)
		t.Must(err)
		energy = stats.Energy
		v = (v + uniformStep*(-g-k*z/mass)) / (1 + uniformStep*uniformStep*k/mass)
		z += uniformStep * v
	}
	// Positions and velocities are off by what steps leave, as shares of what they are.
	relative := 2 * uniformLimit / math.Abs(v)
	for _, e := range []struct {
		name string
		kind mech.Kind
		want float64
	}{
		{"kinetic energy", mech.KineticEnergy, mass * v * v / 2},
		{"energy of height", mech.GravityEnergy, mass * g * z},
		{"energy of the spring", mech.HandleEnergy, k * z * z / 2},
	} {
		t.Row(verify.Row{
			Quantity: "weak handle: " + e.name, Unit: "J", Measured: energy.Of(e.kind), Expected: e.want,
			Limit: max(relative, 2*uniformLimit*uniformStep*uniformSteps/math.Abs(z)), From: uniformFrom,
		})
	}
	t.Row(verify.Row{
		Quantity: "weak handle: velocity", Unit: "m/s", Expected: v, Measured: w.Velocities(id)[0].Z,
		Bar: verify.Absolute, Limit: uniformLimit, From: uniformFrom,
	})

	w, id, mass = triangles(t, 1, 0, r3.V(0, 0, -g), nil)
	force := 0.4 * mass * g
	hand, err := w.AddHandle(engine.Handle{
		Name: "spring", Cloth: id, Vertices: []int32{0, 1, 2}, Limit: &engine.ForceLimit{Force: force, Stiffness: k},
	})
	t.Must(err)
	w.MoveHandle(hand, r3.Translation(r3.V(0, 0, 1)))
	for range uniformSteps {
		_, err := w.Step(uniformStep)
		t.Must(err)
	}
	t.Row(verify.Row{
		Quantity: "weak handle at its limit: velocity", Unit: "m/s", Measured: w.Velocities(id)[0].Z,
		Expected: (force/mass - g) * uniformStep * uniformSteps, Bar: verify.Absolute, Limit: uniformLimit,
		From: uniformFrom,
	})
	t.Row(verify.Row{
		Quantity: "weak handle at its limit: force", Unit: "N", Measured: w.HandleForce(hand).Z, Expected: force,
		Limit: 64 * verify.Rounding, From: "64 roundings",
	})
}

func sewn(t *verify.Trial) {
	const gap, k = 0.05, 0.05
	for _, s := range []struct {
		name         string
		close, force float64
	}{
		{"threads", 0.4, 1},
		{"threads at the most that they pull", 1e-3, 5e-4},
	} {
		// two triangles that threads pull together
		w, id, mass := triangles(t, 2, gap, r3.Vec{}, func(_ *engine.Options, c *body.ClothSpec) {
			c.Seams = &body.Seams{
				Pairs: [][2]int32{{0, 3}, {1, 4}, {2, 5}}, Close: s.close,
				Thread: body.Thread{Stiffness: k, Force: s.force},
			}
		})
		// the same steps for their distance and its speed
		m := mass / 3
		r, u := gap, 0.0
		for i := range uniformSteps {
			_, err := w.Step(uniformStep)
			t.Must(err)
			length := gap * max(0, 1-float64(i+1)*uniformStep/s.close)
			if k*(r-length) > s.force {
				u -= 2 * uniformStep * s.force / m
			} else {
				u = (u - 2*uniformStep*k/m*(r-length)) / (1 + 2*uniformStep*uniformStep*k/m)
			}
			r += uniformStep * u
		}
		// against what the world does
		v := w.Velocities(id)
		t.Row(verify.Row{
			Quantity: s.name + ": velocity of approach", Unit: "m/s", Expected: u, Measured: v[3].Sub(v[0]).Z,
			Bar: verify.Absolute, Limit: 2 * uniformLimit, From: uniformFrom,
		})
	}
}

func blown(t *verify.Trial) {
	const wind, density, drag = 5.0, 1.2, 1.3
	w, id, _ := triangles(t, 1, 0, r3.Vec{}, func(opt *engine.Options, c *body.ClothSpec) {
		opt.Air.Density, opt.Air.Wind, c.Drag = density, r3.V(3, 2, wind), drag
	})
	v := 0.0
	for range uniformSteps {
		_, err := w.Step(uniformStep)
		t.Must(err)
		beta := uniformStep * density * drag / (2 * 0.1) * math.Abs(wind-v)
		v = (v + beta*wind) / (1 + beta)
	}
	t.Row(verify.Row{
		Quantity: "wind: velocity", Unit: "m/s", Expected: v, Measured: w.Velocities(id)[0].Z,
		Bar: verify.Absolute, Limit: wind * uniformLimit, From: "16 roundings of 5 m/s a step",
	})
}

func loaded(t *verify.Trial) {
	force, torque := r3.V(1, 2, 3), r3.V(0.01, -0.02, 0.03)
	for _, theta := range []float64{1, 0.5} {
		w := setup.LooseWorld(t, theta, r3.Vec{})
		b, id := setup.AddBrick(t, w, "brick", r3.V(0.05, 0.1, 0.15), 1000, r3.Vec{}, r3.NoRotation(), r3.Vec{})
		t.Must(b.SetLoad(force, torque))
		for range uniformSteps {
			_, err := w.Step(uniformStep)
			t.Must(err)
		}
		const end = uniformStep * uniformSteps
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("force on a rigid body, θ %g: momentum, off by", theta), Unit: "N s",
			Measured: w.BodyVelocities(id)[0].Scale(b.Mass()).Sub(force.Scale(end)).Norm(),
			Bar:      verify.AtMost, Limit: uniformLimit * b.Mass(), From: uniformFrom,
		})
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("torque on a rigid body, θ %g: angular momentum, off by", theta), Unit: "N m s",
			Measured: b.Momentum().Sub(torque.Scale(end)).Norm(),
			Bar:      verify.AtMost, Limit: uniformLimit * b.Mass() * b.Length(), From: uniformFrom,
		})
	}
}

func hungBrick(t *verify.Trial) {
	const g = 9.81
	half := r3.V(0.05, 0.1, 0.15)
	w := setup.LooseWorld(t, 1, r3.V(0, 0, -g))
	b, id := setup.AddBrick(t, w, "brick", half, 1000, r3.Vec{}, r3.NoRotation(), r3.Vec{})
	joint, err := w.Join(engine.Joint{Name: "hook", Kind: engine.BallJoint, A: id, Place: r3.V(0, 0, half.Z)})
	t.Must(err)
	for range uniformSteps {
		_, err := w.Step(uniformStep)
		t.Must(err)
	}
	force, _ := w.JointForce(joint)
	t.Row(verify.Row{
		Quantity: "force of a joint from which a brick hangs", Unit: "N", Measured: force.Z, Expected: g * b.Mass(),
		Bar: verify.Absolute, Limit: uniformRounding * b.Mass() / uniformStep,
		From: "16 roundings of 1 m/s, in a step",
	})
}

// attachedBrick lets a brick that flies pull a triangle along, whose corners are attached to it.
func attachedBrick(t *verify.Trial) {
	w, id, mass := triangles(t, 1, 0, r3.Vec{}, nil)
	b, brick := setup.AddBrick(
		t, w, "brick", r3.V(0.1, 0.1, 0.02), 1000, r3.V(0.05, 0.05, -0.03), r3.NoRotation(), r3.Vec{},
	)
	w.BodyVelocities(brick)[0] = r3.V(0.5, 0.2, 0.1)
	momentum := r3.V(0.5, 0.2, 0.1).Scale(b.Mass())
	_, err := w.Attach(engine.Attachment{Name: "buttons", Cloth: id, Vertices: []int32{0, 1, 2}, To: brick})
	t.Must(err)
	for range uniformSteps {
		_, err := w.Step(uniformStep)
		t.Must(err)
	}
	after := w.BodyVelocities(brick)[0].Scale(b.Mass())
	for _, v := range w.Velocities(id) {
		after = after.AddScaled(mass/3, v)
	}
	t.Row(verify.Row{
		Quantity: "cloth attached to a body that flies: momentum lost", Unit: "N s",
		Measured: after.Sub(momentum).Norm(),
		Bar:      verify.AtMost, Limit: uniformLimit * b.Mass(), From: uniformFrom,
	})
}

func landed(t *verify.Trial) {
	for _, theta := range []float64{1, 0.75, 0.5} {
		thickness := 0.0
		w, id, _ := triangles(t, 1, 0, r3.V(0, 0, -9.81), func(opt *engine.Options, c *body.ClothSpec) {
			opt.Theta, thickness = theta, opt.Contact.Thickness
			for i := range c.Positions {
				c.Positions[i].Z = 1.7 * thickness
				c.Velocities = append(c.Velocities, r3.V(0, 0, -1))
			}
		})
		setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
		_, err := w.Step(uniformStep)
		t.Must(err)
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("landed, θ %g: height less the thickness", theta), Unit: "m",
			Measured: w.Positions(id)[0].Z - thickness, Bar: verify.Absolute, Limit: uniformRounding * uniformStep,
			From: "16 roundings of 1 m/s, for a step",
		})
	}
}

// C46: sheets and blocks that are deformed alike everywhere, all of whose vertices are held, so that energies and
// forces are sums over equal cells. On a cylinder of the radius R the rows of a grid turn by φ = d/R from one to the
// next. Then
//
//	hinges      k φ²/8 for each edge along the axis and inside, k four times the rigidity,
//	isometric   B/2 (2R (1 - cos φ))²/d² for each vertex inside,
//
// and chords are shorter than arcs by φ²/24, which a membrane of chords takes for strain. One of arcs is left with a
// strain of φ⁴/180, and some times that at both ends: less than φ² of the other. A sheet pulled along the warp to 1 +
// e, with G = e + e²/2, pulls back by (1 + e) G (S + σ(u) (L - S)) per width, u = G (1 + √1.04)/(2 e₁), σ = 10u³ - 15u⁴
// + 6u⁵, if it has a table with S in the row of small strain and L in that along the warp. Blocks of every law of tets
// at rest stay there. A rigid tet has its centre in the middle of its corners.
var uniformShapes = verify.Case{
	ID: "C46", Title: "energies and forces of uniform shapes", Source: "closed form",
	Body: func(t *verify.Trial) {
		cylinders(t)
		pulledByTable(t)
		tetsAtRest(t)
		middleOfTet(t)
	},
}

// heldSheet returns the energies of a sheet of n x n cells whose vertices are all held where place puts them, and the
// force that holds the last column.
func heldSheet(
	t *verify.Trial,
	n int, size float64, set func(*body.ClothSpec), place func(r3.Vec) r3.Vec,
) (engine.Energy, r3.Vec) {
	// sheet, all of it where it is put
	m, x := shape.Grid(size, size, n, n)
	var first, last []int32
	for i, p := range x {
		if p.X > size-1e-9 {
			last = append(last, int32(i))
		} else {
			first = append(first, int32(i))
		}
		x[i] = place(p)
	}
	// cloth of that shape, alone
	fabric, err := material.LookupFabric("cotton-interlock")
	t.Must(err)
	c := body.DefaultCloth("sheet", m, x, fabric)
	set(&c)
	opt := engine.DefaultOptions()
	opt.Workers, opt.Gravity, opt.Contact.Self = t.Workers, r3.Vec{}, false
	w := t.World(opt)
	id, err := cloths.Add(w, c)
	t.Must(err)
	// two handles hold it
	_, err = w.AddHandle(engine.Handle{Name: "first", Cloth: id, Vertices: first})
	t.Must(err)
	hand, err := w.AddHandle(engine.Handle{Name: "last", Cloth: id, Vertices: last})
	t.Must(err)
	// a step, for energies and the force that holds
	stats, err := w.Step(1e-3)
	t.Must(err)
	return stats.Energy, w.HandleForce(hand)
}

func cylinders(t *verify.Trial) {
	const n, d, radius, k = 8, 0.01, 0.2, 1e-3
	const phi = d / radius
	onArcs := func(p r3.Vec) r3.Vec {
		s, c := math.Sincos(p.X / radius)
		return r3.V(radius*s, p.Y, radius*(1-c))
	}
	bent := func(set func(*body.ClothSpec)) engine.Energy {
		energy, _ := heldSheet(t, n, n*d, func(c *body.ClothSpec) {
			f := &c.Fabric
			f.BendWarp, f.BendWeft, f.BendBias, f.BendPoisson = k/4, k/4, k/4, 0
			set(c)
		}, onArcs)
		return energy
	}
	// Of three places in a row, each rounded, the middle one is off their line by some d φ.
	const places = 8 * verify.Rounding * radius / (d * phi)
	const from = "8 roundings of places, over how far rows bend from a line"
	hinges := bent(func(c *body.ClothSpec) { c.Bending = body.Hinge })
	t.Row(verify.Row{
		Quantity: "hinges on a cylinder: energy", Unit: "J", Measured: hinges.Of(mech.BendingEnergy),
		Expected: (n - 1) * n * k * phi * phi / 8, Limit: places, From: from,
	})
	isometric := bent(func(c *body.ClothSpec) { c.Bending = body.Isometric })
	second := 2 * radius * (1 - math.Cos(phi)) / d
	t.Row(verify.Row{
		Quantity: "isometric bending on a cylinder: energy", Unit: "J", Measured: isometric.Of(mech.BendingEnergy),
		Expected: (n - 1) * (n - 1) * k / 8 * second * second, Limit: places, From: from,
	})
	arcs := bent(func(c *body.ClothSpec) { c.Membrane = body.Arc })
	t.Row(verify.Row{
		Quantity: "energy of stretch on a cylinder, arcs over chords",
		Measured: arcs.Of(mech.MembraneEnergy) / isometric.Of(mech.MembraneEnergy),
		Bar:      verify.AtMost, Limit: phi * phi * phi * phi,
	})
}

func pulledByTable(t *verify.Trial) {
	const size, small, large = 0.1, 100.0, 700.0
	row := material.StretchRow{small, 10, 80, 60}
	table := &material.StretchTable{Small: row, Large: [5]material.StretchRow{{large, 20, 90, 70}, row, row, row, row}}
	for _, e := range []float64{0.02, 0.1, 0.15} {
		_, force := heldSheet(t, 4, size, func(c *body.ClothSpec) {
			c.Fabric.Table, c.Tabulated = table, true
			c.Fabric.Membrane = material.Stretch{Warp: small, Coupling: 10, Weft: 80, Shear: 60}
		}, func(p r3.Vec) r3.Vec { return r3.V((1+e)*p.X, p.Y, 0) })
		G := e + e*e/2
		full := (7./6*7/6 - 1) / 2
		u := G * (1 + math.Sqrt(1.04)) / (2 * full)
		part := u * u * u * (10 + u*(-15+6*u))
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("table, warp pulled by %g: force", e), Unit: "N", Measured: force.X,
			Expected: size * (1 + e) * G * (small + part*(large-small)), Limit: 16 * verify.Rounding / e,
			From: "16 roundings of places, over the strain",
		})
	}
}

func tetsAtRest(t *verify.Trial) {
	const young, density, cell, h, steps = 1e6, 1000.0, 0.01, 1e-3, 10
	for _, law := range []elastic.TetLaw{elastic.CorotationalLaw, elastic.NeoHookeanLaw, elastic.StableLaw} {
		m, _, _ := shape.Block(r3.V(0.05, 0.1, 0.02), 3, 6, 2).SkinFirst()
		s, err := body.NewSolid(body.SolidSpec{
			Mesh: m, Material: material.Isotropic{Young: young, Poisson: 0.4}, Density: density, Law: law,
		})
		t.Must(err)
		w := setup.FreeWorld(t, 1, 1)
		id, err := w.AddBody("block", s, m.X, make([]r3.Vec, len(m.X)))
		t.Must(err)
		for range steps {
			_, err := w.Step(h)
			t.Must(err)
		}
		most := 0.0
		for _, v := range w.BodyVelocities(id) {
			most = max(most, v.Norm())
		}
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("block at rest, law %d: velocity", law), Unit: "m/s", Measured: most,
			Bar:   verify.AtMost,
			Limit: 4 * verify.Rounding * steps * h * young / (density * cell),
			From:  "4 roundings of a stress E on a cell, in each step",
		})
	}
}

func middleOfTet(t *verify.Trial) {
	const longest = 0.3
	corners := []r3.Vec{{}, {X: 0.1}, {Y: 0.2}, {Z: longest}}
	middle := r3.V(0.1, 0.2, 0.3).Scale(0.25)
	spec, _, err := body.RigidOf(corners, [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, 1000)
	t.Must(err)
	off := 0.0
	for i, p := range spec.Points {
		off = max(off, corners[i].Sub(middle).Sub(p).Norm())
	}
	t.Row(verify.Row{
		Quantity: "centre of a rigid tet, off by", Unit: "m", Measured: off, Bar: verify.AtMost,
		Limit: 16 * verify.Rounding * longest,
		From:  "16 roundings of its length",
	})
}

// C47: a free sheet that its velocities stretch, shear and fold, remeshed in every step. Nothing acts on it from
// outside, so that splits, flips and collapses have to keep mass, but for rounding, and momentum, but for what steps
// leave: the tolerance of velocities in each.
var remeshedSums = verify.Case{
	ID: "C47", Title: "mass and momentum of a sheet that is remeshed", Source: "conservation laws",
	Body: func(t *verify.Trial) {
		const size, h, steps = 0.3, 2e-3, 30
		fabric, err := material.LookupFabric("cotton-interlock")
		t.Must(err)
		m, x := shape.GridOf(shape.Crossed, size, size, 6, 6, 0)
		c := body.DefaultCloth("sheet", m, x, fabric)
		for _, p := range x {
			s, k := p.X/size, p.Y/size
			c.Velocities = append(c.Velocities, r3.V(0.4*s*s, 0.3*k*s, 1.5*math.Sin(5*s)*math.Cos(4*k)+1))
		}
		sizes := remesh.DefaultOptions()
		sizes.Min, sizes.Max, sizes.Angle, sizes.Fade = 0.02, 0.1, 0.2, 0
		c.Remesh = &sizes
		opt := engine.DefaultOptions()
		opt.Workers, opt.Gravity, opt.Contact.Self, opt.Air.Density = t.Workers, r3.Vec{}, false, 0
		opt.Linear.Tolerance = 1e-10
		w := t.World(opt)
		id, err := cloths.Add(w, c)
		t.Must(err)
		sums := func() (mass float64, momentum r3.Vec) {
			for i, v := range w.Velocities(id) {
				mass, momentum = mass+w.Masses(id)[i], momentum.AddScaled(w.Masses(id)[i], v)
			}
			return mass, momentum
		}
		mass, momentum := sums()
		least, most := math.Inf(1), 0.0
		for range steps {
			t.Must(w.Advance(h, h, func(stats engine.Stats) {
				least, most = min(least, float64(stats.Vertices)), max(most, float64(stats.Vertices))
			}))
		}
		after, gone := sums()
		t.Row(verify.Row{
			Quantity: "mass", Unit: "kg", Expected: mass, Measured: after, Limit: 64 * verify.Rounding,
			From: "64 roundings",
		})
		t.Row(verify.Row{
			Quantity: "momentum lost over mass", Unit: "m/s", Measured: gone.Sub(momentum).Norm() / mass,
			Bar:   verify.AtMost,
			Limit: 1e-10 * steps, From: "what steps may leave, 1e-10 m/s each, if all of it went one way",
		})
		t.Row(verify.Row{
			Quantity: "most vertices over fewest", Measured: most / least, Bar: verify.AtLeast, Limit: 1.5,
		})
	},
}
