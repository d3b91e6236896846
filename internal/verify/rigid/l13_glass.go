package rigid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Numbers of L13.
const (
	glassMass   = 0.3   // [kg]
	glassRadius = 0.035 // [m]
	glassHalf   = 0.05  // [m]
	glassSides  = 16
	tipRadius   = 0.01 // [m]
	tipYoung    = 5e5  // [Pa]
)

// L13: two soft fingertips hold a rigid glass of 0.3 kg. A tip is a ball of tets whose back half and core are bone:
// they are held, and driven along x until the tips are pressed flat by a depth, and then upwards. Statics: the glass is
// held if and only if each tip presses by N ≥ m g/(2 μ), which is 9.81 N at μ = 0.15, and N is measured.
//
// For the limit nothing is lifted, which would ask for more while it gets faster: the table goes away. Depths are
// bisected, and N is that of the depths on both sides of the limit. Tips meet flat sides of the glass. On an edge
// between two sides contacts come and go, and it walks out of tips that press half as much again as it needs.
var glassPinch = verify.Case{
	ID: "L13", Title: "a glass between two soft fingertips", Source: "[Larionov21] glass pinch; statics",
	Body: func(t *verify.Trial) {
		rings, mus := 2, []float64{0.3}
		if t.Options.Full {
			rings, mus = 4, []float64{0.15, 0.3, 0.5}
		}
		for _, mu := range mus {
			liftGlass(t, rings, mu, 1e-3)
			glassLimit(t, rings, mu, 1e-3)
		}
		if t.Options.Full {
			liftGlass(t, 2, 0.15, 1e-4)
			glassLimit(t, 2, 0.15, 1e-4)
		}
	},
}

// glassNeeds is the force of each tip from which on the glass is held [N].
func glassNeeds(mu float64) float64 { return glassMass * 9.81 / (2 * mu) }

// pinchedGlass is a world of L13.
type pinchedGlass struct {
	w     *engine.World
	glass engine.BodyID
	tips  [2]engine.SurfaceID
	mine  engine.SurfaceID
}

// When tips have closed, when the glass is free, from when on it is watched, and until when [s].
const (
	glassClosed  = 0.04
	glassFree    = 0.09
	glassWatched = 0.11
	glassEnd     = 0.17
)

// pinchGlass returns a glass on a table with two tips beside it, which close until they are pressed flat by a depth,
// and then go up by lift while the table sinks.
func pinchGlass(t *verify.Trial, rings int, mu, depth, lift, sink float64) *pinchedGlass {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = t.Workers, mu
	w := t.World(opt)
	thick := opt.Contact.Thickness
	// Slowly, so that the weight comes gently, and then out of reach.
	away := glassPath(r3.Vec{}, r3.V(0, 0, -sink))
	away.Keys = append(away.Keys, engine.Key{At: glassEnd, Translate: r3.V(0, 0, -20*sink)})
	_, err := w.AddObstacle(engine.Obstacle{
		Name: "table", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still(), Path: away,
	})
	t.Must(err)
	x, tri := shape.Cylinder{Radius: glassRadius, Half: glassHalf}.Mesh(glassSides)
	spec, _, err := body.RigidOf(x, tri, 1)
	t.Must(err)
	spec.Inertia, spec.Mass = spec.Inertia.Scale(glassMass/spec.Mass), glassMass
	p := &pinchedGlass{w: w}
	// Tips meet the middles of sides.
	turn, side := r3.Rotation(r3.V(0, 0, 1), math.Pi/glassSides), glassRadius*math.Cos(math.Pi/glassSides)
	_, p.glass = setup.AddRigid(t, w, "glass", spec, r3.V(0, 0, glassHalf+thick), r3.Vec{}, turn)
	p.mine = w.BodySurface(p.glass)
	for i, sign := range []float64{-1, 1} {
		tets, _, _ := shape.Ball(tipRadius, rings).SkinFirst()
		// A little above the middle of the glass, which then hangs.
		at := r3.V(sign*(side+thick+tipRadius), 0, glassHalf+thick+0.1*glassHalf)
		id := setup.AddSolid(t, w, body.SolidSpec{
			Mesh: tets, Material: material.Isotropic{Young: tipYoung, Poisson: 0.4}, Density: 1000, Damping: 5e-3,
		}, r3.Translation(at), r3.Vec{})
		p.tips[i] = w.BodySurface(id)
		var bone []int32
		for v, x := range tets.X {
			if sign*x.X > -1e-9 || x.Norm() < 0.5*tipRadius {
				bone = append(bone, int32(v))
			}
		}
		_, err := w.AddHandle(engine.Handle{
			Name: fmt.Sprint("bone ", i), Body: &id, Vertices: bone,
			Path: glassPath(r3.V(-sign*depth, 0, 0), r3.V(-sign*depth, 0, lift)),
		})
		t.Must(err)
	}
	return p
}

// glassPath goes to one place until tips are closed, and then to another until the glass is free.
func glassPath(closed, free r3.Vec) *engine.Path {
	return &engine.Path{Smooth: true, Keys: []engine.Key{
		{At: 0}, {At: glassClosed, Translate: closed}, {At: glassFree, Translate: free},
	}}
}

// press returns the mean of the forces by which the two tips press on the glass [N].
func (p *pinchedGlass) press() (force float64) {
	for _, f := range p.w.PairForces(nil) {
		for _, tip := range p.tips {
			if f.A == tip && f.B == p.mine || f.A == p.mine && f.B == tip {
				force += math.Abs(f.Force.X) / 2
			}
		}
	}
	return force
}

// play goes on until a time.
func (p *pinchedGlass) play(t *verify.Trial, h, end float64) {
	for range int(math.Round((end - p.w.Time()) / h)) {
		stats, err := p.w.Step(h)
		t.Must(err)
		if stats.Crossings > 0 {
			t.Must(fmt.Errorf("%d crossings in the pinch of a glass", stats.Crossings))
		}
	}
}

func (p *pinchedGlass) height() float64 { return p.w.BodyPositions(p.glass)[0].Z }

// depthFor returns how deep tips are to be pressed for a force, where a depth makes another: as between balls, force
// grows with the power 3/2 of depth.
func depthFor(depth, made, wanted float64) float64 { return depth * math.Pow(wanted/made, 2.0/3) }

// tipDepth returns a depth for a force, from the force of another depth while the table is there.
func tipDepth(t *verify.Trial, rings int, mu, force float64) float64 {
	const first = 1.5e-3
	p := pinchGlass(t, rings, mu, first, 0, 0)
	p.play(t, 1e-3, glassClosed+0.02)
	return depthFor(first, p.press(), force)
}

// liftGlass lifts it by 4 mm. It gets faster at up to g on its way, and has about twice the force that its weight
// needs.
func liftGlass(t *verify.Trial, rings int, mu, h float64) {
	const lift = 4e-3
	p := pinchGlass(t, rings, mu, tipDepth(t, rings, mu, 2*glassNeeds(mu)), lift, 0)
	start := p.height()
	p.play(t, h, glassWatched)
	held := p.height()
	p.play(t, h, glassEnd)
	name := fmt.Sprintf("μ %g, steps of %g ms, N %.1f N: ", mu, 1e3*h, p.press())
	t.Row(verify.Row{
		Quantity: name + "lifted by", Unit: "mm", Expected: 1e3 * lift, Measured: 1e3 * (p.height() - start),
		Bar: verify.Absolute, Limit: 1, // it sags in the tips
	})
	t.Row(verify.Row{
		Quantity: name + "slip while it is held", Unit: "mm", Measured: 1e3 * math.Abs(held-p.height()),
		Bar: verify.AtMost, Limit: 1, From: "a glass that is not held falls 18 mm in that time",
	})
}

// glassLimit looks for forces with which the glass slips and with which it is held: first 2 % below and above what is
// needed, and then between, until they are 2 % apart.
func glassLimit(t *verify.Trial, rings int, mu, h float64) {
	// deeper or less deep fingertips, until the two forces are close
	const near, tries = 0.02, 12
	need, slips, holds := glassNeeds(mu), 0.0, math.Inf(1)
	depth := tipDepth(t, rings, mu, 0.98*need)
	for k := 0; holds-slips > near*need && k < tries; k++ {
		t.At(fmt.Sprintf("μ %g, depth %.4f mm", mu, 1e3*depth), 0, 0)
		// a try: pinched, and watched for slip
		p := pinchGlass(t, rings, mu, depth, 0, 1.5e-3)
		p.play(t, h, glassWatched)
		z, force := p.height(), p.press()
		p.play(t, h, glassEnd)
		if z-p.height() < 5e-5 {
			holds = min(holds, force)
		} else {
			slips = max(slips, force)
		}
		// next force between them, or a bit beyond the only one
		aim := (slips + holds) / 2
		switch {
		case slips == 0:
			aim = 0.98 * holds
		case math.IsInf(holds, 1):
			aim = 1.04 * slips
		}
		depth = depthFor(depth, force, aim)
	}
	// the middle against what is needed
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("μ %g, steps of %g ms: force from which on it is held", mu, 1e3*h), Unit: "N",
		Expected: need, Measured: (slips + holds) / 2, Bar: verify.Relative, Limit: 0.02,
	})
}
