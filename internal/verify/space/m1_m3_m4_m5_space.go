package space

import (
	"fmt"
	"math"
	"time"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/r3"
)

// Verifications of making space [Minor18]. The characters of the source are not public, so that its knee is a capsule
// with a joint, skinned as characters are, and its armpit that of the mannequin with the arms let down until they are
// in the hips.

// spaceBody is a body to open up.
type spaceBody struct {
	name string
	x    []r3.Vec
	tri  [][3]int32
}

func limb(name string, radius, blend, degrees float64, around int) spaceBody {
	l := mannequin.Limb{Radius: radius, Bone: 6 * radius, Around: around, Along: around, Blend: blend}
	x, tri := l.Bent(degrees * math.Pi / 180)
	return spaceBody{name, x, tri}
}

// mannequinIn returns a mannequin in a pose.
func mannequinIn(t *verify.Trial, name string, vertices int, pose mannequin.Pose) spaceBody {
	m, err := mannequin.MeasuresOf("M")
	t.Must(err)
	b, err := mannequin.NewMannequin(m, vertices)
	t.Must(err)
	x := make([]r3.Vec, b.Vertices())
	b.Skin(&pose, x)
	return spaceBody{name, x, b.Tri}
}

// opened is a body after making space.
type opened struct {
	untangle.SpaceStats
	u    []r3.Vec
	laps map[string]float64 // [s]
	all  float64            // [s]
}

// openBody makes space.
func openBody(t *verify.Trial, b spaceBody, opt untangle.SpaceOptions, region []bool) opened {
	t.Must(nil)
	s, err := untangle.NewSpace(len(b.x), b.tri)
	t.Must(err)
	s.SetRegion(region)
	o := opened{u: make([]r3.Vec, len(b.x)), laps: map[string]float64{}}
	begin := time.Now()
	last := begin
	opt.Lap = func(phase string) {
		now := time.Now()
		o.laps[phase] += now.Sub(last).Seconds()
		last = now
	}
	o.SpaceStats = s.Open(b.x, o.u, opt)
	o.all = time.Since(begin).Seconds()
	spoilOpened(t, &o)
	return o
}

// spoilOpened falsifies what making space has come to.
func spoilOpened(t *verify.Trial, o *opened) {
	if t.Spoil == nil || t.Spoil.Value == nil {
		return
	}
	t.Moved(o.u)
	for _, n := range []*int{&o.CrossingsBefore, &o.CrossingsAfter, &o.Active, &o.InsideBefore} {
		*n = int(t.Value(float64(*n + 1)))
	}
	o.all, o.Move = t.Value(o.all), t.Value(o.Move)
	for i := range o.Energy {
		o.Energy[i] = t.Value(o.Energy[i])
	}
	for phase, took := range o.laps {
		o.laps[phase] = t.Value(took + 1)
	}
}

var knee = verify.Case{
	ID:     "M1",
	Title:  "knee, elbow and armpit with margins",
	Source: "[Minor18] figure 2: intersections removed, margins of 0, 0.5 and 1 cm",
	Body: func(t *verify.Trial) {
		around := 24
		if t.Options.Full {
			around = 40
		}
		bodies := []spaceBody{
			limb("knee bent by 130°", 0.06, 0.24, 130, around),
			limb("elbow bent by 130°", 0.045, 0.18, 130, around),
		}
		if t.Options.Full {
			bodies = append(bodies, mannequinIn(t, "armpit, arms in the hips", 6000, mannequin.Pose{}))
		}
		for _, b := range bodies {
			for _, margin := range []float64{0, 0.005, 0.01} {
				openKnee(t, b, margin)
			}
		}
		spaceDecay(t, bodies[0])
		if t.Options.Full {
			spacePoses(t)
			spaceFilm(t, 0.005)
			spaceFilm(t, 0.01)
		}
	},
}

// spacePoses opens up limbs bent by all angles, and a mannequin whose arm goes into its chest by 0 to 5 cm, until they
// are clear.
func spacePoses(t *verify.Trial) {
	// arms in the hips, and limbs bent by more and more
	bodies := []spaceBody{mannequinIn(t, "arms in the hips", 3000, mannequin.Pose{})}
	for k := range 14 {
		degrees := 118 + 1.5*float64(k)
		bodies = append(
			bodies,
			limb(fmt.Sprintf("limb bent by %g°", degrees), 0.05, 0.15+0.05*float64(k%3), degrees, 24),
		)
	}
	// mannequins with an arm in the chest
	m, err := mannequin.MeasuresOf("M")
	t.Must(err)
	b, err := mannequin.NewMannequin(m, 3000)
	t.Must(err)
	for k := range 6 {
		motion, err := mannequin.MotionOf(
			"arm-through-chest",
			mannequin.MotionOptions{Tempo: 1, Depth: 0.01 * float64(k), Body: b},
		)
		t.Must(err)
		pose := motion.At(motion.Length() / 2)
		x := make([]r3.Vec, b.Vertices())
		b.Skin(&pose, x)
		bodies = append(bodies, spaceBody{fmt.Sprintf("arm in the chest by %d cm", k), x, b.Tri})
	}
	// opened until they are clear
	crossed, left := 0, 0
	for _, b := range bodies {
		opt := untangle.DefaultSpaceOptions()
		opt.UntilClear = true
		o := openBody(t, b, opt, nil)
		crossed += min(1, o.CrossingsBefore)
		left += min(1, o.CrossingsAfter)
		t.Note(
			"%s: %d crossings, %d left after %d more rounds, furthest move %.1f mm",
			b.name,
			o.CrossingsBefore,
			o.CrossingsAfter,
			o.Rounds,
			1e3*o.Move,
		)
	}
	// enough crossed, and none does
	t.Row(
		verify.Row{
			Quantity: fmt.Sprintf("of %d poses, those that cross themselves", len(bodies)),
			Measured: float64(crossed),
			Bar:      verify.AtLeast,
			Limit:    20,
		},
	)
	t.Row(verify.Row{
		Quantity: "poses that are not clear afterwards", Measured: float64(left), Bar: verify.AtMost, Limit: 0,
	})
}

// spaceFilm opens up an arm that goes into the chest and out again, 240 frames at 60 a second. A correction follows
// what overlaps, and both sides of an overlap move with at most the largest motion of the body: their distance changes
// by at most twice it.
func spaceFilm(t *verify.Trial, margin float64) {
	// body, and its arm in motion
	m, err := mannequin.MeasuresOf("M")
	t.Must(err)
	b, err := mannequin.NewMannequin(m, 2000)
	t.Must(err)
	motion, err := mannequin.MotionOf("arm-through-chest", mannequin.MotionOptions{Tempo: 1, Depth: 0.03, Body: b})
	t.Must(err)
	// correction as far as it takes
	s, err := untangle.NewSpace(b.Vertices(), b.Tri)
	t.Must(err)
	opt := untangle.DefaultSpaceOptions()
	opt.Margin, opt.UntilClear, opt.Gap = margin, true, 0
	x, was := make([]r3.Vec, b.Vertices()), make([]r3.Vec, b.Vertices())
	u, before := make([]r3.Vec, len(x)), make([]r3.Vec, len(x))
	half := make([]r3.Vec, len(x))
	// frames, one after the other
	worst, largest, pops, open, between := 0.0, 0.0, 0, 0, 0
	var frames, changes, motions []float64
	for k := range 240 {
		t.Must(nil)
		pose := motion.At(motion.Length() * float64(k) / 240)
		b.Skin(&pose, x)
		st := s.Open(x, u, opt)
		open += min(1, st.CrossingsAfter)
		// change of the correction, against the motion of the body
		if k > 0 {
			change, _ := untangle.LimitChange(before, u, math.Inf(1))
			moved := 0.0
			for i := range x {
				moved = max(moved, x[i].Sub(was[i]).Norm())
				half[i] = was[i].Add(x[i]).Add(before[i]).Add(u[i]).Scale(0.5)
			}
			if change > 2*moved+1e-3 {
				pops++
			}
			largest, worst = max(largest, change), max(worst, change-2*moved)
			frames = append(frames, float64(k))
			changes = append(changes, 1e3*change)
			motions = append(motions, 1e3*moved)
			// half way between two frames
			if k%8 == 0 && st.CrossingsBefore > 0 {
				between += min(1, s.Crossings(half, nil))
			}
		}
		copy(was, x)
		copy(before, u)
	}
	// what must not happen
	what := fmt.Sprintf("240 frames of an arm, margin %g cm: ", 100*margin)
	t.Row(verify.Row{
		Quantity: what + "frames that are not clear", Measured: float64(open), Bar: verify.AtMost, Limit: 0,
	})
	t.Row(verify.Row{
		Quantity: what + "frames in which the correction jumps", Measured: float64(pops), Bar: verify.AtMost, Limit: 0,
	})
	t.Row(verify.Row{
		Quantity: what + "of every eighth place half way between two frames, those that are not clear",
		Measured: float64(between), Bar: verify.AtMost, Limit: 0,
	})
	t.Row(verify.Row{
		Quantity: what + "largest change of the correction beyond twice the motion of the body", Unit: "mm",
		Measured: 1e3 * worst, Bar: verify.AtMost, Limit: 0.5,
	})
	// changes over time
	t.Note("%slargest change of the correction in a frame %.2f mm, at most %.2f mm more than twice the motion of "+
		"the body", what, 1e3*largest, 1e3*worst)
	t.Plot(fmt.Sprintf("M1-film-%gmm", 1e3*margin), draw.Plot{
		Title: fmt.Sprintf("Making space: an arm in 240 frames, margin %g mm", 1e3*margin),
		X:     "frame",
		Y:     "largest change in a frame [mm]",
		Series: []draw.Series{
			{Name: "correction", X: frames, Y: changes, Style: draw.Line},
			{Name: "body", X: frames, Y: motions, Style: draw.Line},
		},
	})
}

func openKnee(t *verify.Trial, b spaceBody, margin float64) {
	// four iterations
	opt := untangle.DefaultSpaceOptions()
	opt.Margin = margin
	four := openBody(t, b, opt, nil)
	t.Note(
		"%s, margin %g cm: %d crossings and %d vertices inside; after four iterations %d and %d, %d of %d touched "+
			"vertices below 80 %% of the gap, furthest move %.1f mm",
		b.name,
		100*margin,
		four.CrossingsBefore,
		four.InsideBefore,
		four.CrossingsAfter,
		four.InsideAfter,
		four.NearAfter,
		four.Touched,
		1e3*four.Move,
	)
	// what they leave, at the usual margin
	what := fmt.Sprintf("%s, margin %g cm: ", b.name, 100*margin)
	if margin == 0.01 {
		t.Row(
			verify.Row{
				Quantity: what + "crossings left after four iterations",
				Measured: float64(four.CrossingsAfter),
				Bar:      verify.AtMost,
				Limit:    0,
			},
		)
		good := 1 - float64(four.NearAfter+four.InsideAfter)/float64(four.Active)
		t.Row(
			verify.Row{
				Quantity: what + "share of active vertices with 80 % of the gap after four iterations",
				Measured: good,
				Bar:      verify.AtLeast,
				Limit:    0.95,
			},
		)
	}
	// until it is clear
	opt.UntilClear = true
	o := openBody(t, b, opt, nil)
	t.Row(verify.Row{
		Quantity: what + "crossings as given", Measured: float64(o.CrossingsBefore), Bar: verify.AtLeast, Limit: 1,
		From: "the body as given crosses itself at all",
	})
	t.Row(
		verify.Row{
			Quantity: what + "crossings left until clear", Measured: float64(o.CrossingsAfter), Bar: verify.AtMost,
			Limit: 0,
		},
	)
	t.Row(verify.Row{
		Quantity: what + "vertices left inside", Measured: float64(o.InsideAfter), Bar: verify.AtMost, Limit: 0,
	})
	good := 1 - float64(o.NearAfter)/float64(max(1, o.Touched))
	if margin > 0 {
		t.Row(
			verify.Row{
				Quantity: what + "share of touched vertices with 80 % of the gap",
				Measured: good,
				Bar:      verify.AtLeast,
				Limit:    0.95,
			},
		)
	}
	// what it took
	t.Note("%s%d more rounds, furthest move %.1f mm", what, o.Rounds, 1e3*o.Move)
}

// spaceDecay: away from interference the displacement fades as exp(-s √(k_a/k_d)), the solution of k_d u” = k_a u.
func spaceDecay(t *verify.Trial, b spaceBody) {
	o := openBody(t, b, untangle.DefaultSpaceOptions(), nil)
	far, near := 0.0, 0.0
	for i, x := range b.x {
		switch d := x.Norm(); {
		case d > 0.30: // the folds end 13 cm from the joint
			far = max(far, o.u[i].Norm())
		case d < 0.15:
			near = max(near, o.u[i].Norm())
		}
	}
	fade := math.Exp(-0.15 / math.Sqrt(1/(0.5*1e4)))
	t.Row(
		verify.Row{
			Quantity: "displacement 15 cm beyond the fold over the largest",
			Measured: far / near,
			Bar:      verify.AtMost,
			Limit:    100 * fade,
			From:     "a bound on what is felt far from a fold; here nothing is",
		},
	)
}

var spaceStill = verify.Case{
	ID: "M3", Title: "a body without interference is left alone", Source: "[Minor18] eq. (1): E = 0 where it is",
	Body: func(t *verify.Trial) {
		bodies := []spaceBody{
			limb("straight limb", 0.05, 0.2, 0, 24),
			limb("limb bent by 60°", 0.05, 0.2, 60, 24),
			mannequinIn(t, "mannequin to be dressed", 2000, mannequin.DressingPose()),
		}
		for _, b := range bodies {
			o := openBody(t, b, untangle.DefaultSpaceOptions(), nil)
			moved := 0
			for _, u := range o.u {
				if u != (r3.Vec{}) {
					moved++
				}
			}
			t.Row(
				verify.Row{
					Quantity: b.name + ": vertices that moved by a bit or more",
					Measured: float64(moved),
					Bar:      verify.AtMost,
					Limit:    0,
				},
			)
		}
	},
}

var spaceEnergy = verify.Case{
	ID: "M4", Title: "energy falls, pins hold", Source: "[Minor18] eq. (1)",
	Body: func(t *verify.Trial) {
		b := limb("knee", 0.06, 0.24, 130, 24)
		for _, margin := range []float64{0, 0.005, 0.01} {
			opt := untangle.DefaultSpaceOptions()
			opt.Margin = margin
			e := openBody(t, b, opt, nil).Energy
			rise := 0.0
			for k := 1; k < len(e); k++ {
				rise = max(rise, (e[k]-e[k-1])/e[0])
			}
			t.Note("margin %g cm: energies %.4g", 100*margin, e)
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf("margin %g cm: energy at the end over that at first", 100*margin),
					Measured: e[len(e)-1] / e[0],
					Bar:      verify.AtMost,
					Limit:    0.1,
				},
			)
			// What interferes is found anew each time, so that E is not one function and may rise a little when a row
			// changes its triangle.
			t.Row(
				verify.Row{
					Quantity: fmt.Sprintf(
						"margin %g cm: largest rise in an iteration over the energy at first",
						100*margin,
					),
					Measured: rise,
					Bar:      verify.AtMost,
					Limit:    0.01,
					From:     "rows that change their triangle may raise the energy; here none does",
				},
			)
		}
		s, err := untangle.NewSpace(len(b.x), b.tri)
		t.Must(err)
		scale := make([]float64, len(b.x))
		for i, x := range b.x {
			scale[i] = 1
			if x.Y < 0 {
				scale[i] = math.Inf(1)
			}
		}
		s.SetAnchors(scale)
		u := make([]r3.Vec, len(b.x))
		st := s.Open(b.x, u, untangle.DefaultSpaceOptions())
		moved := 0
		for i := range u {
			if b.x[i].Y < 0 && u[i] != (r3.Vec{}) {
				moved++
			}
		}
		t.Row(verify.Row{
			Quantity: "pinned vertices that moved", Measured: float64(moved), Bar: verify.AtMost, Limit: 0,
		})
		t.Row(verify.Row{
			Quantity: "furthest move of the others", Unit: "m", Measured: st.Move, Bar: verify.AtLeast, Limit: 1e-3,
			From: "a millimetre is a move",
		})
	},
}

var spaceInside = verify.Case{
	ID: "M5", Title: "inside by a ray and by solid angles", Source: "closed surfaces: the winding number is whole",
	Body: func(t *verify.Trial) {
		meshes, around := 5, 24
		if t.Options.Full {
			meshes, around = 20, 52
		}
		all, inside, wrong, flagged := 0, 0, 0, 0
		for k := range meshes {
			angle := 20 + 130*float64(k)/float64(meshes-1)
			b := limb("limb", 0.05, 0.05+0.2*float64(k%3)/2, angle, around)
			t.Must(nil)
			s, err := untangle.NewSpace(len(b.x), b.tri)
			t.Must(err)
			windings, sure := s.Windings(b.x, nil)
			field := geom.NewMeshField(b.x, b.tri)
			for v, w := range windings {
				all++
				exact, ok := windingOutside(field, &b, v)
				if !sure[v] || !ok {
					flagged++
					continue
				}
				if exact != w {
					wrong++
				}
				if w != 0 {
					inside++
				}
			}
		}
		t.Note("%d vertices of %d meshes, %d of them inside, %d flagged", all, meshes, inside, flagged)
		t.Row(verify.Row{Quantity: "disagreements", Measured: float64(wrong), Bar: verify.AtMost, Limit: 0})
		t.Row(
			verify.Row{
				Quantity: "share of vertices flagged",
				Measured: float64(flagged) / float64(all),
				Bar:      verify.AtMost,
				Limit:    0.001,
				From:     "one in a thousand may lie on a triangle; here none does",
			},
		)
		t.Row(verify.Row{Quantity: "vertices inside", Measured: float64(inside), Bar: verify.AtLeast, Limit: 100})
	},
}

// windingOutside returns the winding number just outside vertex v from solid angles. The triangles around v are not
// seen from it; the others sum up to 4π times the number sought plus the angle inside the surface at v, which is
// between 0 and 4π: so it is the whole number below. Near a whole number the moments of the tree are not exact enough,
// and all triangles are added up.
func windingOutside(field *geom.MeshField, b *spaceBody, v int) (int, bool) {
	const room = 0.05 // the moments are good to 0.01
	w := field.Winding(b.x[v])
	if f := w - math.Floor(w); f < room || f > 1-room {
		w = 0
		for _, c := range b.tri {
			w += solidAngle(b.x[c[0]].Sub(b.x[v]), b.x[c[1]].Sub(b.x[v]), b.x[c[2]].Sub(b.x[v])) / (4 * math.Pi)
		}
		if f := w - math.Floor(w); f < 1e-9 || f > 1-1e-9 {
			return 0, false
		}
	}
	return int(math.Floor(w)), true
}

// solidAngle is that of [VanOosterom83].
func solidAngle(a, b, c r3.Vec) float64 {
	la, lb, lc := a.Norm(), b.Norm(), c.Norm()
	return 2 * math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
}
