package solid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// largeLaw is a law for large deformation.
type largeLaw struct {
	name string
	law  elastic.TetLaw
}

var largeLaws = []largeLaw{{"neo-Hookean", elastic.NeoHookeanLaw}, {"stable", elastic.StableLaw}}

// largely has steps linearized as in scenes with large deformation.
func largely(opt engine.Options) engine.Options {
	opt.Newton = engine.NewtonOptions{Iterations: 40, Tolerance: 1e-6}
	return opt
}

// stress returns ∂W/∂s of E = 1 at principal stretches s, a and b, from the printed energies.
func (l largeLaw) stress(poisson, s, a, b float64) float64 {
	mu, lambda := material.Isotropic{Young: 1, Poisson: poisson}.Lame()
	if l.law == elastic.NeoHookeanLaw {
		return mu*(s-1/s) + lambda*math.Log(s*a*b)/s
	}
	mu, lambda = 4.0/3*mu, lambda+5.0/6*mu
	return mu*s*(1-1/(s*s+a*a+b*b+1)) + (lambda*(s*a*b-1)-0.75*mu)*a*b
}

// uniaxial returns the stretch across and the tension over E of a bar that is stretched along and free across.
func (l largeLaw) uniaxial(poisson, along float64) (across, tension float64) {
	across = l.free(func(s float64) float64 { return l.stress(poisson, s, s, along) })
	return across, l.stress(poisson, along, across, across)
}

// biaxial is uniaxial for a sheet that is stretched both ways and free across.
func (l largeLaw) biaxial(poisson, along float64) (across, tension float64) {
	across = l.free(func(s float64) float64 { return l.stress(poisson, s, along, along) })
	return across, l.stress(poisson, along, along, across)
}

// free returns the stretch at which a stress that grows with it is zero.
func (l largeLaw) free(stress func(stretch float64) float64) float64 {
	lo, hi := 0.1, 3.0
	for range 100 {
		if middle := (lo + hi) / 2; stress(middle) > 0 {
			hi = middle
		} else {
			lo = middle
		}
	}
	return (lo + hi) / 2
}

// shear returns the stress of E = 1 in a simple shear along x by so much a unit of y, where det F is 1.
func (l largeLaw) shear(poisson, by float64) (f, stress r3.Mat) {
	f = r3.Identity()
	f.XY = by
	inverse := r3.Identity() // F⁻ᵀ, which the cofactors are too
	inverse.YX = -by
	mu, _ := material.Isotropic{Young: 1, Poisson: poisson}.Lame()
	if l.law == elastic.NeoHookeanLaw {
		stress = f.Scale(mu)
		stress.AddScaled(-mu, &inverse)
		return f, stress
	}
	mu *= 4.0 / 3
	stress = f.Scale(mu * (1 - 1/(4+by*by)))
	stress.AddScaled(-0.75*mu, &inverse)
	return f, stress
}

// C16: stress of the two laws in bars, sheets and shears against closed forms, and forces and Hessians against
// differences of energies and forces at random F, half of them inverted. With a step of d = 1e-6 differences are off by
// rounding over d, 1e-10, and by (d ∂J/J)², up to 1e-6 for the neo-Hookean law at J = 0.01 and ∂J = 10; near that J,
// where its third derivative jumps, there are none.
var tetLaws = verify.Case{
	ID: "C16", Title: "laws of tets", Source: "closed form; central differences",
	Body: func(t *verify.Trial) {
		const poisson = 0.3
		count := 1000
		if t.Options.Full {
			count = 10_000
		}
		for _, l := range largeLaws {
			one, two, sheared := 0.0, 0.0, 0.0
			for _, along := range []float64{0.5, 0.8, 1.2, 1.5, 2} {
				across, tension := l.uniaxial(poisson, along)
				one = max(
					one, stressFault(t, l.law, poisson, r3.Mat{XX: along, YY: across, ZZ: across}, r3.Mat{XX: tension}),
				)
				across, tension = l.biaxial(poisson, along)
				f := r3.Mat{XX: along, YY: along, ZZ: across}
				two = max(two, stressFault(t, l.law, poisson, f, r3.Mat{XX: tension, YY: tension}))
				f, want := l.shear(poisson, along)
				sheared = max(sheared, stressFault(t, l.law, poisson, f, want))
			}
			t.Row(verify.Row{
				Quantity: l.name + ": stress of bars, over E", Measured: one, Bar: verify.AtMost,
				Limit: 32 * verify.Rounding, From: "32 roundings",
			})
			t.Row(verify.Row{
				Quantity: l.name + ": stress of sheets, over E", Measured: two, Bar: verify.AtMost,
				Limit: 32 * verify.Rounding, From: "32 roundings",
			})
			t.Row(verify.Row{
				Quantity: l.name + ": stress in shear, over E", Measured: sheared, Bar: verify.AtMost,
				Limit: 32 * verify.Rounding,
			})
			force, hessian, inverted := tetDerivatives(t, l.law, poisson, count)
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("%s: forces of %d tets, relative", l.name, count), Measured: force,
				Bar: verify.AtMost, Limit: 1e-8,
				From: "differences of energies, to the root of a rounding",
			})
			t.Row(verify.Row{
				Quantity: fmt.Sprintf("%s: Hessians of %d tets, relative", l.name, count), Measured: hessian,
				Bar: verify.AtMost, Limit: 1e-6,
				From: "differences of forces, to the root of a rounding",
			})
			t.Note("%s: %d of the %d tets are inverted", l.name, inverted, count)
		}
	},
}

// tetDerivatives returns the largest faults of the forces and of the Hessian of a tet at random places, relative to the
// largest components, and how many of so many were inverted.
func tetDerivatives(
	t *verify.Trial, law elastic.TetLaw, poisson float64, count int,
) (force, hessian float64, inverted int) {
	const d = 1e-6
	// one tet, and random places
	rest := []r3.Vec{{}, {X: 1}, {Y: 1}, {Z: 1}}
	m := &mesh.Tets{X: rest, Tet: [][4]int32{{0, 1, 2, 3}}}
	tets, err := elastic.NewTets(m, law, material.Isotropic{Young: 1, Poisson: poisson})
	t.Must(err)
	rng := rand.New(rand.NewPCG(16, 16))
	x := make([]r3.Vec, 4)
	// energy and forces with a corner moved
	shifted := func(corner int, by r3.Vec) (energy float64, forces [4]r3.Vec) {
		moved := slices.Clone(x)
		moved[corner] = moved[corner].Add(by)
		tets.Update(moved, elastic.WithForce, 0, 1)
		for k := range forces {
			forces[k] = tets.Force(0, k)
		}
		return tets.Energy(0), forces
	}
	// random places, none near where a parabola continues the law
	for done := 0; done < count; {
		for k := range x {
			x[k] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		tets.Update(x, elastic.Exact, 0, 1)
		if math.Abs(tets.Bulk(0)-0.01) < 1e-3 {
			continue
		}
		done++
		if tets.Bulk(0) < 0 {
			inverted++
		}
		// forces and Hessian there
		var forces [4]r3.Vec
		var blocks [4][4]r3.Mat
		strongest, stiffest := 0.0, 0.0
		for k := range forces {
			forces[k] = t.Vector(tets.Force(0, k))
			tets.AddRow(0, k, []int32{0, 1, 2, 3}, blocks[k][:], 1, 1)
			strongest = max(strongest, forces[k].MaxAbs())
			for l := range blocks[k] {
				stiffest = max(stiffest, blocks[k][l].MaxAbs())
			}
		}
		// against differences of energies and forces
		for k := range x {
			for _, axis := range []r3.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
				above, pushed := shifted(k, axis.Scale(d))
				below, pulled := shifted(k, axis.Scale(-d))
				fault := forces[k].Dot(axis) + (above-below)/(2*d)
				force = max(force, math.Abs(fault)/(strongest+stiffest))
				for l := range x {
					rate := pushed[l].Sub(pulled[l]).Scale(1 / (2 * d))
					hessian = max(hessian, t.Vector(blocks[l][k].MulVec(axis)).Add(rate).MaxAbs()/stiffest)
				}
			}
		}
	}
	return force, hessian, inverted
}

// L21: a bar of ν = 0.3 in uniaxial stress. Expected are the roots of ∂W/∂s = 0 for the stretch across. Pulled, it is
// tets in the expected shape, which must have the expected stress along and none across. Pressed, it is a block between
// two plates without friction that come nearer, and then Settle: contact, several Newton steps and statics together.
var uniaxialBar = verify.Case{
	ID: "L21", Title: "a bar, pulled and pressed", Source: "closed form",
	Body: func(t *verify.Trial) {
		const poisson = 0.3
		for _, l := range largeLaws {
			worst := 0.0
			for _, along := range []float64{0.5, 0.8, 1.2, 1.5, 2} {
				across, tension := l.uniaxial(poisson, along)
				f := r3.Mat{XX: along, YY: across, ZZ: across}
				worst = max(worst, stressFault(t, l.law, poisson, f, r3.Mat{XX: tension}))
			}
			t.Row(verify.Row{
				Quantity: l.name + ": stress at stretches of 0.5 to 2, over E", Measured: worst, Bar: verify.AtMost,
				Limit: 32 * verify.Rounding,
			})
			for _, along := range []float64{0.8, 0.5} {
				across, tension := l.uniaxial(poisson, along)
				wide, force := pressBlock(t, l.law, poisson, along)
				name := fmt.Sprintf("%s, pressed to %g: ", l.name, along)
				t.Row(verify.Row{
					Quantity: name + "stretch across", Expected: across, Measured: wide, Bar: verify.Absolute,
					Limit: 1e-7, From: "Settle ends at the tolerance of contacts, 1e-8 of the force",
				})
				t.Row(verify.Row{
					Quantity: name + "force over E A", Expected: tension, Measured: force, Bar: verify.Absolute,
					Limit: 1e-7, From: "Settle ends at the tolerance of contacts, 1e-8 of the force",
				})
			}
		}
	},
}

// stressFault returns by how much the stress of tets of E = 1 Pa with the gradient f differs from another [Pa].
func stressFault(t *verify.Trial, law elastic.TetLaw, poisson float64, f, want r3.Mat) (worst float64) {
	m := shape.TetBox(r3.V(0.2, 0.1, 0.1), 2, 1, 1)
	tets, err := elastic.NewTets(m, law, material.Isotropic{Young: 1, Poisson: poisson})
	t.Must(err)
	x := make([]r3.Vec, len(m.X))
	for i, p := range m.X {
		x[i] = f.MulVec(p)
	}
	tets.Update(x, elastic.WithForce, 0, tets.Len())
	for e := range tets.Len() {
		p := tets.Stress(e)
		p = p.Scale(t.Value(1))
		p.AddScaled(-1, &want)
		worst = max(worst, p.MaxAbs())
	}
	return worst
}

// pressBlock presses a cube to a share of its height, and returns the stretch across and the force over E A.
func pressBlock(t *verify.Trial, law elastic.TetLaw, poisson, along float64) (across, force float64) {
	// cube on a floor, without friction
	const young, side, thick = 1e5, 0.1, 1e-3
	opt := largely(engine.DefaultOptions())
	opt.Gravity, opt.Contact.Friction, opt.Workers = r3.Vec{}, 0, t.Workers
	opt.Newton.Tolerance = 1e-8
	w := t.World(opt)
	m := shape.TetBox(r3.V(side, side, side), 2, 2, 2)
	for i := range m.X {
		m.X[i].Z += thick
	}
	block, err := body.NewSolid(body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: young, Poisson: poisson}, Law: law, Density: 1000, Damping: 0.02,
	})
	t.Must(err)
	id, err := w.AddBody("block", block, m.X, make([]r3.Vec, len(m.X)))
	t.Must(err)
	floor := shape.Plane{Normal: r3.V(0, 0, 1)}
	_, err = w.AddObstacle(engine.Obstacle{Name: "floor", Shape: floor, Place: r3.Still()})
	t.Must(err)
	// plate that comes down on it
	const end = 0.5
	plate, err := w.AddObstacle(engine.Obstacle{
		Name: "plate", Shape: shape.Plane{Normal: r3.V(0, 0, -1)}, Place: r3.Translation(r3.V(0, 0, side+2*thick)),
		Path: &engine.Path{Keys: []engine.Key{{At: 0}, {At: end, Translate: r3.V(0, 0, (along-1)*side)}}},
	})
	t.Must(err)
	// pressed, and then at rest
	t.Must(w.Advance(end, 0.02, nil))
	settle := engine.DefaultSettleOptions()
	settle.Step, settle.Tolerance = 0.02, 1e-10
	stats, err := t.Settle(w, settle)
	t.Must(err)
	if !stats.Converged {
		t.Note("%v: Settle ended after %d steps with a move of %.2g m", law, stats.Iterations, stats.Move)
	}
	// width, and what the plate is pushed by
	size := r3.BoxOf(w.BodyPositions(id)).Size()
	for _, f := range w.PairForces(nil) {
		if f.A == w.ObstacleSurface(plate) || f.B == w.ObstacleSurface(plate) {
			force -= math.Abs(f.Force.Z) / (young * side * side)
		}
	}
	return size.X / side, force
}

// rampSetting is a block and a step to try on a ramp.
type rampSetting struct {
	young, h float64
	law      elastic.TetLaw
	solver   string     // of contacts; empty: the default
	floor    HertzFloor // what the ramp is
	turn     float64    // of the block about the normal of the ramp [rad]
}

// way returns what is not as by default, if anything.
func (s rampSetting) way() string {
	switch {
	case s.solver != "":
		return s.solver
	case s.floor != EvenPlane:
		return s.floor.String()
	}
	return ""
}

// L1: a block of 320 tets on a ramp of 10 degrees, which is level here, and gravity is inclined. It settles with all
// contacts sticking, and then has its friction and speed at once. At μ = 0.176 it slides with g (sin α - μ cos α) =
// 0.0031589 m/s²; at 0.177 it is braked by 0.0065020 m/s², and let go from rest it comes to rest, to 1e-9 m/s.
var blockOnRamp = verify.Case{
	ID: "L1", Title: "a soft block on a ramp", Source: "[Larionov21] figure 4; closed form",
	Body: func(t *verify.Trial) {
		settings := []rampSetting{{young: 1e5, h: 0.02}, {young: 1e5, h: 0.02, law: elastic.StableLaw}}
		if t.Options.Full {
			settings = nil
			for _, young := range []float64{1e4, 1e5, 1e6, 1e7} {
				for _, h := range []float64{5e-3, 0.01, 0.02} {
					turn := 0.1 * float64(len(settings))
					settings = append(
						settings,
						rampSetting{young: young, h: h},
						rampSetting{young: young, h: h, law: elastic.StableLaw},
						rampSetting{young: young, h: h, turn: turn, solver: "relaxation"},
						rampSetting{young: young, h: h, turn: turn, solver: "staggered"},
						rampSetting{young: young, h: h, turn: turn, floor: smoothPlate},
					)
				}
			}
		}
		rampSides(t, settings, 4)
	},
}

// L1b: the same with a block of 20,480 tets, and in its quick form with one of 2,560.
var fineBlockOnRamp = verify.Case{
	ID: "L1b", Title: "a fine soft block on a ramp", Source: "[Larionov21] figure 4; closed form",
	Body: func(t *verify.Trial) {
		settings, cells := []rampSetting{{young: 1e6, h: 0.02}}, 8
		if t.Options.Full {
			cells = 16
			settings = []rampSetting{
				{young: 1e7, h: 0.02},
				{young: 1e6, h: 0.02},
				{young: 1e6, h: 0.01},
				{young: 1e5, h: 0.02},
				{young: 1e5, h: 0.02, law: elastic.StableLaw},
				{young: 1e4, h: 0.02},
			}
		}
		rampSides(t, settings, cells)
	},
}

// rampSides tries blocks of so many cells along each side on both sides of tan 10°.
func rampSides(t *verify.Trial, settings []rampSetting, cells int) {
	// Let go, the block springs back from the shear in which it stuck, and slides until friction has stopped it: from
	// 6 mm/s in one second with 1e5 Pa, from 22 mm/s in 3.5 s with 1e4 Pa. After that it trembles for a while: with 1e4
	// Pa and steps of 5 ms 0.3 micrometres a second are left after five seconds.
	rest := 2.5
	if t.Options.Full {
		rest = 8
	}
	wrong, faults := 0, 0
	worst := map[string]float64{} // of accelerations by way, as a share
	for _, s := range settings {
		t.At(fmt.Sprintf("E %g Pa", s.young), 0, 0)
		b, way := layBlock(t, s, cells), s.way()
		name := fmt.Sprintf(
			"E %g Pa, %s, h %g ms: ", s.young, [...]string{"co-rotational", "neo-Hookean", "stable"}[s.law], 1e3*s.h,
		)
		slide := func(mu float64) float64 {
			pull := 9.81 * (math.Sin(setup.SlopeAngle) - mu*math.Cos(setup.SlopeAngle))
			rate := b.slide(mu, 0.1, s.h, 2)
			worst[way] = max(worst[way], math.Abs(rate/pull-1))
			if way == "" {
				t.Row(verify.Row{
					Quantity: fmt.Sprintf("%sacceleration at μ %g", name, mu), Unit: "m/s²", Expected: pull,
					Measured: rate,
					Bar:      verify.Relative, Limit: 1e-8 / s.h / math.Abs(pull),
					From: "what every step may leave, 1e-8 m/s, over what it gains",
				})
			}
			return rate
		}
		if slide(0.176) <= 0 {
			wrong++
		}
		slow, creep := slide(0.177), b.creep(0.177, s.h, rest)
		if slow >= 0 || creep > 1e-9 {
			wrong++
		}
		faults += b.faults
		if creep > 1e-9 || b.faults > 0 {
			t.Note(
				"%s%s%.2g m/s are left at μ 0.177, and %d steps crossed or did not converge", name, way, creep,
				b.faults,
			)
		}
	}
	for _, way := range []string{"relaxation", "staggered", smoothPlate.String()} {
		if share, tried := worst[way]; tried {
			t.Row(verify.Row{
				Quantity: "error of accelerations, " + way + ", blocks turned", Measured: share, Bar: verify.AtMost,
				Limit: 0.05,
			})
		}
	}
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("on the wrong side of tan 10°, of %d", 2*len(settings)), Measured: float64(wrong),
		Bar: verify.AtMost,
	})
	t.Row(verify.Row{
		Quantity: "crossings, and steps that did not converge", Measured: float64(faults), Bar: verify.AtMost,
	})
}

// rampBlock is a soft block at rest on a ramp.
type rampBlock struct {
	t      *verify.Trial
	w      *engine.World
	id     engine.BodyID
	floor  engine.ObstacleID
	start  *engine.Snapshot
	faults int
}

// wide returns a ramp that the block stays on.
func (f HertzFloor) wide() engine.Obstacle {
	if f == EvenPlane {
		return f.obstacle(0)
	}
	o := engine.Obstacle{Name: "ramp", Smooth: &smooth.Options{}, Place: r3.Translation(r3.V(0.2, 0, -0.1))}
	tets, _, onSkin := shape.Block(r3.V(0.7, 0.3, 0.1), 28, 12, 4).SkinFirst()
	o.Tri, o.Positions = tets.Skin(), tets.X[:onSkin]
	return o
}

// layBlock lets a block of so many cells along each side come to rest with μ = 1.
func layBlock(t *verify.Trial, s rampSetting, cells int) *rampBlock {
	// slope by the direction of gravity
	opt := engine.DefaultOptions()
	if s.law != elastic.CorotationalLaw {
		opt = largely(opt)
	}
	sin, cos := math.Sincos(setup.SlopeAngle)
	opt.Gravity, opt.Contact.Friction, opt.Workers = r3.V(9.81*sin, 0, -9.81*cos), 1, t.Workers
	opt.Contact.Tolerance = 1e-9
	if s.solver != "" {
		opt.Contact.Solver = s.solver
	}
	// block, turned, a thickness above the floor
	b := &rampBlock{t: t, w: t.World(opt)}
	m, _, _ := shape.Block(r3.V(0.1, 0.1, 0.05), cells, cells, cells).SkinFirst()
	place := r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), s.turn), T: r3.V(0, 0, 0.05+opt.Contact.Thickness)}
	for i := range m.X {
		m.X[i] = place.Apply(m.X[i])
	}
	block, err := body.NewSolid(body.SolidSpec{
		Mesh: m, Material: material.Isotropic{Young: s.young, Poisson: 0.3}, Law: s.law, Density: 1000, Damping: 0.02,
	})
	t.Must(err)
	b.id, err = b.w.AddBody("block", block, m.X, make([]r3.Vec, len(m.X)))
	t.Must(err)
	// until it rests
	b.floor, err = b.w.AddObstacle(s.floor.wide())
	t.Must(err)
	settle := engine.DefaultSettleOptions()
	settle.Step, settle.Tolerance = 0.02, 1e-8
	stats, err := t.Settle(b.w, settle)
	t.Must(err)
	if !stats.Converged {
		t.Note("E %g Pa: settling ended with a move of %.2g m", s.young, stats.Move)
	}
	b.start = b.w.Snapshot()
	return b
}

// run lets it go with a friction and a speed along the ramp, and returns the speed of its centre at each step.
func (b *rampBlock) run(mu, speed, h, end float64) (speeds []float64) {
	b.t.Must(b.w.Restore(b.start))
	b.w.SetFriction(b.w.BodySurface(b.id), b.w.ObstacleSurface(b.floor), mu)
	v, mass := b.w.BodyVelocities(b.id), b.w.Body(b.id).(*body.Solid).Mass
	for i := range v {
		v[i] = r3.V(speed, 0, 0)
	}
	for range int(math.Round(end / h)) {
		s, err := b.w.Step(h)
		b.t.Must(err)
		if s.Crossings > 0 || !s.Converged {
			b.faults++
		}
		sum, total := 0.0, 0.0
		for i, m := range mass {
			sum, total = sum+m*v[i].X, total+m
		}
		speeds = append(speeds, sum/total)
	}
	return speeds
}

// slide returns the acceleration over the second half of the time.
func (b *rampBlock) slide(mu, speed, h, end float64) float64 {
	v := b.run(mu, speed, h, end)
	half := len(v) / 2
	return (v[len(v)-1] - v[half]) / (h * float64(len(v)-1-half))
}

// creep returns how fast it is in the end, from rest [m/s].
func (b *rampBlock) creep(mu, h, end float64) float64 {
	v := b.run(mu, 0, h, end)
	return math.Abs(v[len(v)-1])
}
