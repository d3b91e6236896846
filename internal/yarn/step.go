package yarn

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Stats is what a step tells of itself.
type Stats struct {
	Length  float64 // of the step [s]
	Kinetic float64 // energy at its end [J]
	Bend    float64 // [J]
	Twist   float64 // [J]
	Fastest float64 // speed of the fastest point [m/s]

	Stretch      float64 // largest strain that the projection of lengths left,
	Spared       float64 // and that it left to later steps, because this one was short
	LengthRounds int     // rounds of that projection
	Glue         float64 // largest error of the distance of glued points that was left [m]
	GlueRounds   int     // how often they and lengths had to be projected in turn
	Frames       float64 // largest slope of the energy by the angle of a frame, as a share of the stiffness

	Retries int    // how often the step was halved
	Slips   []Slip // yarns that passed through each other; nil if none did
	Contact ContactStats
}

// ErrNotFinite means that a step led to what are not numbers.
var ErrNotFinite = errors.New("the result is not finite")

// Step advances time by h [s]. It is figure 4 of [Kaldor10]: forces at the start, then one projection after the other.
// Stats.Slips tells of yarns that passed through each other. After an error only Restore makes a state of the world
// again: contact has seen forces of a step that was not taken.
func (w *World) Step(h float64) (Stats, error) {
	if !(h > 0) {
		return Stats{}, fmt.Errorf("a step of %g s", h)
	}
	w.enter()
	defer w.team.Leave()
	w.addForces()
	w.mend = 1
	if err := w.try(h, w.time+h); err != nil {
		return w.stats, err
	}
	if w.guard != nil {
		_, apart := w.guard.pressed(w.near, 2*w.opt.Material.Radius)
		w.stats.Slips = w.guard.slips(w.near, w.contacts.material, apart)
	}
	err := w.commit()
	return w.stats, err
}

func (w *World) enter() {
	if !w.ready {
		w.begin()
	}
	w.team.Enter()
}

// try finds where a step of h to the time end leads, with the forces at its start. It can be called again with another
// h.
func (w *World) try(h, end float64) error {
	w.stats.Length, w.end = h, end
	w.ramp.set(w.lay.rest, end)
	if err := w.beginObjects(end, h); err != nil {
		return err
	}
	w.predict(h, end)
	w.project()
	if !(w.stats.Stretch+w.stats.Spared < tornStrain) {
		return w.torn(w.next)
	}
	for i, x := range w.next {
		w.after[i] = x.Sub(w.x[i]).Scale(1 / h)
	}
	w.damping.apply(w.team, h, w.mass, w.inverse, w.x, w.after)
	w.touches.apply(w.team, h, w.inverse, w.x, w.after)
	if err := w.arrive(h); err != nil {
		return err
	}
	if w.guard != nil {
		w.guard.measure(w.team, w.x, w.next)
	}
	return nil
}

// beginObjects finds where obstacles go in the step, then balls, which meet them.
func (w *World) beginObjects(end, h float64) error {
	for _, balls := range []bool{false, true} {
		if balls && len(w.balls.now) > 0 {
			w.balls.move(w.touches.objects, w.opt.Gravity, h)
		}
		for _, k := range w.touches.objects {
			if k.ball != balls {
				continue
			}
			if err := k.begin(end); err != nil {
				return fmt.Errorf("obstacle %q: %w", k.spec.Name, err)
			}
		}
	}
	return nil
}

// addForces evaluates all forces at the start of the step.
func (w *World) addForces() {
	w.stats = Stats{}
	for i, m := range w.mass {
		w.force[i] = w.applied[i].AddScaled(m, w.opt.Gravity)
	}
	w.rods.addForces(w.team, w.force)
	if w.contacts != nil {
		copy(w.touch, w.force)
		w.contacts.add(w.x, w.v, w.last, w.team, w.force)
		for i, before := range w.touch {
			w.touch[i] = w.force[i].Sub(before)
		}
		w.stats.Contact = w.contacts.stats
		w.near = w.contacts.near(w.near[:0])
	}
}

// predict moves points freely, and those that are held to where they have to be.
func (w *World) predict(h, end float64) {
	for i, f := range w.force {
		v := w.v[i].AddScaled(h*w.inverse[i], f)
		w.next[i] = w.x[i].AddScaled(h, v)
	}
	for k := range w.holds {
		hold := &w.holds[k]
		pose := hold.pose
		if hold.motion != nil {
			pose = hold.motion.At(end)
		}
		for p, i := range hold.points {
			w.next[i] = pose.Apply(hold.laid[p])
		}
	}
}

// Glue and lengths are projected in turn until glued points are within glueWithin of the radius from their distance.
// What was left would be corrected in the next step, and a correction δ is a velocity δ/h: under a load P on points of
// mass m a single round leaves a share of P h²/m, which comes to a metre a second in a sweater whose steps change their
// length.
const (
	glueWithin = 1e-3
	glueRounds = 50
)

// project moves points to where glue and lengths allow them to be.
func (w *World) project() {
	w.stats.GlueRounds = 0
	for i := range w.glues {
		w.glues[i].pull = r3.Vec{}
	}
	projectGlue(w.glues, w.inverse, w.x, w.next, 1)
	if math.IsInf(w.opt.Strain, 1) {
		return
	}
	w.lengths.project(w.team, w.x, w.next, w.mend)
	now, before, relax := w.glueErrors[0], w.glueErrors[1], 1.0
	for {
		w.stats.Glue = glueErrors(w.glues, w.inverse, w.next, now)
		if !(w.stats.Glue > glueWithin*w.opt.Material.Radius) || w.stats.GlueRounds == glueRounds {
			break
		}
		if w.stats.GlueRounds > 0 {
			relax = aitken(relax, before, now)
		}
		w.stats.GlueRounds++
		projectGlue(w.glues, w.inverse, w.x, w.next, relax)
		w.lengths.projectAgain(w.team, w.glued, w.x, w.next)
		now, before = before, now
	}
	w.stats.Stretch, w.stats.Spared, w.stats.LengthRounds = w.lengths.left()
}

// arrive finds the positions at the end of the step, and whether they are numbers.
func (w *World) arrive(h float64) error {
	sum := r3.Vec{}
	for i, v := range w.after {
		if w.inverse[i] > 0 { // others are where they are held
			w.next[i] = w.x[i].AddScaled(h, v)
		}
		sum = sum.Add(w.next[i])
	}
	if !sum.Finite() {
		for i, x := range w.next {
			if !x.Finite() {
				return fmt.Errorf("point %d at t = %.6g s: %w", i, w.time, ErrNotFinite)
			}
		}
	}
	if w.tooLong(w.next) {
		return w.torn(w.next)
	}
	return nil
}

// commit makes the end of the step the state.
func (w *World) commit() error {
	w.rods.remember()
	w.turnHolds(w.end)
	w.x, w.next = w.next, w.x
	w.v, w.after = w.after, w.v
	if w.watch != nil {
		w.watch(w.x, w.v, w.force, w.stats.Length)
	}
	w.stats.Frames = w.rods.advance(w.team, w.x)
	w.stats.Bend, w.stats.Twist = w.rods.energy()
	for i, v := range w.v {
		w.stats.Kinetic += w.mass[i] * v.Norm2() / 2
		w.stats.Fastest = max(w.stats.Fastest, v.Norm())
	}
	w.balls.commit(w.touches.objects, w.stats.Length)
	for _, k := range w.touches.objects {
		k.commit(w.team)
	}
	w.time, w.last = w.end, w.stats.Length
	w.steps++
	if f := w.stats.Frames; f-f != 0 {
		return fmt.Errorf("frames at t = %.6g s: %w", w.time, ErrNotFinite)
	}
	return nil
}

// turnHolds turns the frames of held edges with what holds them.
func (w *World) turnHolds(end float64) {
	for k := range w.holds {
		hold := &w.holds[k]
		if hold.motion == nil {
			continue
		}
		next := hold.motion.At(end)
		turn := next.R.Mul(hold.pose.R.Conj())
		hold.pose = next
		for _, i := range hold.points {
			if w.rods.fixed[i] {
				w.rods.director[i] = turn.Rotate(w.rods.director[i])
			}
		}
	}
}
