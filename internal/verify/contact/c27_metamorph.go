package contact

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// C27: what must not matter to a whole scene: where it is, how it is turned, left and right, the numbers of vertices
// and triangles, units, a common motion, and what else is in the world. A folded sheet falls onto a ball and a slope,
// with friction of 0.3 and itself to touch, once as it is and once changed, and is compared after the last step.
//
// With rounds that end at 0.005 of the thickness, as by default, renumbering comes to 4e-7 of the size in a quick run;
// with all rounds at the tolerance to 4e-15. Lowest points of faces on a ball that were found to δ = 1e-3 thicknesses
// in depth were √(2rδ) apart along the face, and scenes 4e-5; they are placed to rounding now. With rounds scenes agree
// to 2e-10, and without, where the fail-safe ends ways, to 5e-6.
//
// Solutions that leave 1e-12 m/s differ by at most h 1e-12 m in a step, times what contacts that take turns make of it;
// 1e-9 of the size leaves five orders of magnitude for that.
var metamorphic = verify.Case{
	ID: "C27", Title: "scenes moved, mirrored, renumbered and in other units", Source: "symmetries of the equations",
	Body: func(t *verify.Trial) {
		seeds := []uint64{0}
		if t.Options.Full {
			seeds = []uint64{0, 1, 2, 3}
		}
		unchanged(t, seeds)
		placedRoughly(t, seeds)
		besideOthers(t, seeds)
		t.StepsRow()
	},
}

const sameFrom = "1e-12 m/s a step, times what contacts make of it: up to 3e-11 in full runs"

// sizeOfScene is what differences are divided by: the length of the sheet [m].
const sizeOfScene = 0.3

// change is something that must not matter, and the way back for what comes of vertex i of cloth k.
type change struct {
	name string
	do   func(staged) staged
	back func(x [][]r3.Vec, k, i int) r3.Vec
}

func changes(t *verify.Trial) []change {
	shift := r3.Translation(r3.V(1, -2, 0.5))
	turn := r3.Pose{R: r3.Rotation(r3.V(1, -2, 0.5).Unit(), 1)}
	return []change{
		moving("moved by 2.3 m", shift), moving("turned by 1 rad", turn), mirroring(t), renumbering(t),
		counting(t, "in millimetres and grams", units{length: 1e3, time: 1, mass: 1e3}),
		counting(t, "in inches, minutes and pounds", units{length: 1 / 0.0254, time: 1.0 / 60, mass: 1 / 0.45359237}),
		boosting("moving along at 0.6 m/s", r3.V(0.5, -0.2, 0.3)),
	}
}

// unchanged compares all changes where contacts have one place: no faces that are large against a shape, and none that
// are looked for on a way that was solved for roughly.
func unchanged(t *verify.Trial, seeds []uint64) {
	changes := changes(t)
	worst := make([]float64, len(changes))
	unsolved := 0
	for _, seed := range seeds {
		s := folded(t, seed)
		s.opt.Contact.Rounds = 0
		base := play(t, s, &unsolved)
		for k, c := range changes {
			worst[k] = max(worst[k], apartAfter(c, base, play(t, c.do(s), &unsolved)))
		}
	}
	for k, c := range changes {
		t.Row(verify.Row{
			Quantity: c.name + ": largest difference over the size", Measured: worst[k], Bar: verify.AtMost,
			Limit: 1e-9,
			From:  sameFrom,
		})
	}
	t.Row(verify.Row{Quantity: "steps above 1e-12 m/s", Measured: float64(unsolved), Bar: verify.AtMost, Limit: 0})
}

// placedRoughly compares where contacts are met on the way: with rounds that all reach the tolerance, with those of the
// default, which end at a part of the thickness, and where what is met is left to the fail-safe.
func placedRoughly(t *verify.Trial, seeds []uint64) {
	// rounds to the tolerance, and none at all
	exact := func(s staged) staged {
		s.opt.Contact.Rough = 0
		return s
	}
	left := func(s staged) staged {
		s.opt.Contact.Rounds = 0
		return s
	}
	// how far places may be off by the end
	steps, thick := float64(folded(t, 0).steps), engine.DefaultOptions().Contact.Thickness
	size := steps * thick / sizeOfScene
	// scenes and what they leave
	for _, r := range []struct {
		name       string
		make       func(seed uint64) staged
		limit      float64
		from       string
		asked, why string
	}{
		{"contacts met on the way", func(seed uint64) staged { return exact(folded(t, seed)) }, 1e-9, sameFrom, "", ""},
		{
			"large faces on a ball", func(seed uint64) staged { return exact(folded(t, seed).ontoSmallBall()) },
			1e-9, sameFrom, "", "",
		},
		{
			"contacts met on the way of rough rounds", func(seed uint64) staged { return folded(t, seed) },
			engine.DefaultOptions().Contact.Rough * size,
			"what a rough round leaves, in every step; few meet anything on the way", "at most 1e-09",
			"What layers meet on the way is placed by a solve to 0.005 of the thickness, which ends elsewhere: with " +
				"Rough at 0 they agree.",
		},
		{
			"large faces left to the fail-safe",
			func(seed uint64) staged { return left(folded(t, seed).ontoSmallBall()) },
			1e-3 * size, "what the fail-safe leaves, in every step", "at most 1e-09",
			"The fail-safe ends ways at a thousandth of the thickness before what they meet: with rounds instead " +
				"they agree.",
		},
	} {
		// each mirrored and renumbered
		sameAs(t, r.name, changes(t)[2:4], seeds, r.make, func(row *verify.Row) {
			row.Limit, row.From, row.Asked, row.Why = r.limit, r.from, r.asked, r.why
		})
	}
}

// sameAs adds a row for each change, whose bar is left to the caller.
func sameAs(
	t *verify.Trial, name string, changes []change, seeds []uint64, scene func(seed uint64) staged,
	bar func(row *verify.Row),
) {
	worst, unsolved := make([]float64, len(changes)), 0
	for _, seed := range seeds {
		s := scene(seed)
		base := play(t, s, &unsolved)
		for k, c := range changes {
			worst[k] = max(worst[k], apartAfter(c, base, play(t, c.do(s), &unsolved)))
		}
	}
	for k, c := range changes {
		row := verify.Row{
			Quantity: name + ", " + c.name + ": largest difference over the size", Measured: worst[k],
			Bar: verify.AtMost,
		}
		bar(&row)
		t.Row(row)
	}
}

// besideOthers puts two scenes into one world, 5 m apart, in both orders, and each into a world of its own.
func besideOthers(t *verify.Trial, seeds []uint64) {
	alone, swapped, unsolved, bits := 0.0, 0.0, 0, 0
	for _, seed := range seeds {
		a := folded(t, seed).withoutSlope()
		b := folded(t, seed+100).withoutSlope().moved(r3.Translation(r3.V(5, 1, 0)))
		a.opt.Contact.Rounds, b.opt.Contact.Rounds = 0, 0
		ab, ba := play(t, a.and(b), &unsolved), play(t, b.and(a), &unsolved)
		each := [][]r3.Vec{play(t, a, &unsolved)[0], play(t, b, &unsolved)[0]}
		for k := range each {
			for i, x := range each[k] {
				alone = max(alone, ab[k][i].Sub(x).Norm()/sizeOfScene)
				swapped = max(swapped, ab[k][i].Sub(ba[1-k][i]).Norm()/sizeOfScene)
			}
		}
		a.steps, b.steps, a.obstacles, b.obstacles = 3, 3, nil, nil // nothing touches
		ab, ba = play(t, a.and(b), &unsolved), play(t, b.and(a), &unsolved)
		for k := range ab {
			for i, x := range ab[k] {
				if x != ba[1-k][i] {
					bits++
				}
			}
		}
	}
	t.Row(verify.Row{
		Quantity: "two scenes in one world or in two: largest difference over the size",
		Measured: alone, Bar: verify.AtMost, Limit: 1e-9, From: sameFrom,
	})
	t.Row(verify.Row{
		Quantity: "two sheets that touch nothing in the other order: vertices that differ in any bit",
		Measured: float64(bits), Bar: verify.AtMost, Limit: 0,
	})
	t.Row(verify.Row{
		Quantity: "two scenes in the other order: largest difference over the size",
		Measured: swapped, Bar: verify.AtMost, Limit: 1e-9, From: sameFrom, Asked: "at most 0",
		Why: "The Newton steps of the contact solver sum over all bodies, in their order.",
	})
}

// apartAfter returns the largest difference of where vertices end, over the size.
func apartAfter(c change, base, changed [][]r3.Vec) float64 {
	worst := 0.0
	for k := range base {
		for i, x := range base[k] {
			worst = max(worst, c.back(changed, k, i).Sub(x).Norm()/sizeOfScene)
		}
	}
	return worst
}

// staged is a scene that can be changed before it is played.
type staged struct {
	opt       engine.Options
	cloths    []body.ClothSpec
	obstacles []engine.Obstacle
	h         float64
	steps     int
}

// folded is a sheet of 0.3 by 0.2 m, folded once, whose upper half falls onto the lower one while that falls onto a
// ball and a slope. Nothing about it is symmetric.
func folded(t *verify.Trial, seed uint64) staged {
	// sheet, with vertices in random places
	const width, lower, radius = 0.2, 0.14, 0.008
	m, x := shape.GridOf(shape.Random, sizeOfScene, width, 12, 8, seed)
	rng := rand.New(rand.NewPCG(seed, 27))
	v := make([]r3.Vec, len(x))
	// folded around a line, the upper half faster, and all a bit askew
	for i, p := range m.Material {
		at := r3.V(p.X, p.Y, 0)
		v[i] = r3.V(0.05, -0.02, -0.4)
		if turn := (p.X - lower) / radius; turn > math.Pi {
			at.X, at.Z = lower-(p.X-lower-math.Pi*radius), 2*radius
			v[i].Z -= 0.4
		} else if turn > 0 {
			at.X, at.Z = lower+radius*math.Sin(turn), radius*(1-math.Cos(turn))
			v[i].Z -= 0.2 * (1 - math.Cos(turn))
		}
		x[i] = at.AddScaled(1e-4, r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5))
	}
	// solved as far as can be
	opt := engine.DefaultOptions()
	opt.Workers = t.Workers
	opt.Contact.Tolerance, opt.Linear.Tolerance, opt.Linear.Method = 1e-12, 1e-12, engine.Direct
	// cloth that falls
	c := body.DefaultCloth("sheet", m, x, material.Fabric{
		Name: "woven", Source: "made up", Density: 0.2, Thickness: 1e-3, Membrane: material.NewStretch(60, 40, 20, 0.2),
		BendWarp: 1e-5, BendWeft: 0.7e-5, BendBias: 0.6e-5, BendPoisson: 0.1, Damping: 2e-3,
	})
	c.Velocities = v
	// onto a ball and a slope, both askew
	tilt := r3.Rotation(r3.V(1, 2, 0.5).Unit(), 0.7)
	s := staged{
		opt: opt, cloths: []body.ClothSpec{c}, h: 4e-3, steps: 12,
		obstacles: []engine.Obstacle{
			{Name: "ball", Shape: shape.Sphere{Radius: 0.15}, Place: r3.Pose{R: tilt, T: r3.V(0.06, 0.07, -0.155)}},
			{
				Name: "slope", Shape: shape.Plane{Normal: r3.V(0, 0, 1)},
				Place: r3.Pose{R: tilt, T: r3.V(0.12, 0.18, -0.1)},
			},
		},
	}
	if t.Options.Full {
		s.steps = 25
	}
	return s
}

const smallBall = 0.06 // radius [m]

// ontoSmallBall has a ball instead of the obstacles whose radius is three times the size of faces.
func (s staged) ontoSmallBall() staged {
	place := r3.Translation(r3.V(0.06, 0.07, -smallBall-5e-3))
	s.obstacles = []engine.Obstacle{{Name: "ball", Shape: shape.Sphere{Radius: smallBall}, Place: place}}
	return s
}

// withoutSlope leaves nothing that reaches as far as another scene.
func (s staged) withoutSlope() staged {
	s.obstacles = s.obstacles[:1]
	return s
}

// and puts another scene beside the first.
func (s staged) and(o staged) staged {
	s.cloths, s.obstacles = slices.Concat(s.cloths, o.cloths), slices.Concat(s.obstacles, o.obstacles)
	return s
}

// play returns where the vertices of all cloths end, and counts the steps that were not solved to the tolerance.
func play(t *verify.Trial, s staged, unsolved *int) [][]r3.Vec {
	w := t.World(s.opt)
	for _, o := range s.obstacles {
		_, err := w.AddObstacle(o)
		t.Must(err)
	}
	for _, c := range s.cloths {
		_, err := cloths.Add(w, c)
		t.Must(err)
	}
	for range s.steps {
		if !t.Step(w, s.h).Converged {
			*unsolved++
		}
	}
	var out [][]r3.Vec
	for id := range engine.ClothID(len(s.cloths)) {
		out = append(out, slices.Clone(w.Positions(id)))
	}
	return out
}
