package yarn

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Options are what a world is made with. The zero value of a field means what is said there.
type Options struct {
	Material  Material
	Gravity   r3.Vec      // [m/s²]
	Mode      ContactMode // how contact between yarns is computed
	Tolerance float64     // of linear models of contact, see ContactOptions
	Points    int         // quadrature points of a segment, 2 to 64; 0 means 11
	Strain    float64     // that lengths are kept to; 0 means 5e-6, infinity that they are not
	Workers   int         // cores to use; 0 means all. Results do not depend on it
}

// Yarn is a yarn as it is laid.
type Yarn struct {
	Name   string
	Points []r3.Vec // control points [m]; at least two, three if it is closed
	Closed bool
	Keep   bool    // its rest shape is as it is laid; otherwise it is straight
	Twist  float64 // added to it, evenly from end to end [rad]
}

// Hold keeps control points where a motion takes them. Edges with both ends held turn with it, their frames too.
type Hold struct {
	Points []int
	Motion Motion // nil: they stand still
}

// World is a set of yarns with what they touch. Build it with New, AddYarn and the other Add methods; then Step.
type World struct {
	opt  Options
	team *par.Team
	lay  layout
	laid []Yarn // until the first step

	time  float64
	end   float64 // of the step that is tried [s]
	pace  float64 // the last step of Advance [s]
	last  float64 // the last step [s]
	steps int

	x, v    []r3.Vec
	applied []r3.Vec // forces that SetForce gave [N]
	touch   []r3.Vec // if someone asks for it: the force of other yarns at the start of the last step
	mass    []float64
	inverse []float64 // 1/mass; 0 where held
	rest    []float64 // lengths as laid [m]
	ramp    ramp
	glues   []glue
	glued   []int32 // yarns that have some

	glueErrors [2][]float64 // now, and a round before

	mend   float64 // share of what lengths are off by that the step corrects
	holds  []hold
	blocks []int32 // by point; nil: each yarn is one

	rods     *rods
	lengths  *lengths
	damping  *damping
	touches  touches
	balls    balls
	contacts *contacts // nil if yarns do not feel each other, and then
	guard    *guard
	near     []nearPair // that touch at the start of the step

	force, next, after []r3.Vec
	watch              func(x, v, force []r3.Vec, h float64)
	stats              Stats
	ready              bool
}

// hold is Hold at work.
type hold struct {
	points []int
	laid   []r3.Vec
	motion Motion
	pose   r3.Pose // of the motion now
}

// New returns a world without yarns.
func New(o Options) (*World, error) {
	if err := o.Material.Validate(); err != nil {
		return nil, err
	}
	if !o.Gravity.Finite() {
		return nil, errors.New("gravity is not finite")
	}
	if o.Strain == 0 {
		o.Strain = 5e-6
	}
	switch {
	case !(o.Strain > 0):
		return nil, fmt.Errorf("lengths cannot be kept to a strain of %g", o.Strain)
	case o.Points != 0 && (o.Points < 2 || o.Points > maxPoints):
		return nil, fmt.Errorf("%d quadrature points of a segment; there may be 2 to %d", o.Points, maxPoints)
	case !(o.Tolerance >= 0):
		return nil, fmt.Errorf("linear models cannot be kept to a tolerance of %g", o.Tolerance)
	case o.Mode < ContactSets || o.Mode > ContactHierarchy:
		return nil, fmt.Errorf("there is no way %d to compute contact", o.Mode)
	}
	w := &World{opt: o, team: par.New(o.Workers)}
	w.touches.radius = o.Material.Radius
	return w, nil
}

// errReady says that a world has begun.
var errReady = errors.New("yarns and what holds them are added before the first step")

// LongestSegment is how far apart, in radii, neighbouring control points of yarns that touch others may be laid. A yarn
// around another turns within a few radii, and knits have points up to 8 apart. Yarns with points farther apart are
// most likely given in another unit of length, and would fill the grid that finds contacts.
const LongestSegment = 64

// AddYarn adds a yarn and returns the number of its first control point.
func (w *World) AddYarn(y Yarn) (int, error) {
	least := 2
	if y.Closed {
		least = 3
	}
	switch {
	case w.ready:
		return 0, errReady
	case len(y.Points) < least:
		return 0, fmt.Errorf("yarn %q has %d points; it needs %d", y.Name, len(y.Points), least)
	}
	if err := w.checkPoints(&y); err != nil {
		return 0, fmt.Errorf("yarn %q: %w", y.Name, err)
	}
	w.applied = append(w.applied, make([]r3.Vec, len(y.Points))...)
	w.v = append(w.v, make([]r3.Vec, len(y.Points))...)
	w.lay.add(y.Points, y.Closed)
	w.laid = append(w.laid, y)
	first := len(w.x)
	w.x = append(w.x, y.Points...)
	return first, nil
}

// checkPoints refuses points that no yarn can have.
func (w *World) checkPoints(y *Yarn) error {
	for i, p := range y.Points {
		if !p.Finite() {
			return fmt.Errorf("point %d is not finite", i)
		}
		if i == 0 && !y.Closed {
			continue
		}
		before := (i + len(y.Points) - 1) % len(y.Points)
		if p == y.Points[before] {
			return fmt.Errorf("point %d is where the one before it is", i)
		}
		radii := p.Sub(y.Points[before]).Norm() / w.opt.Material.Radius
		if touches := w.opt.Material.Contact > 0; touches && !(radii <= LongestSegment) {
			return fmt.Errorf("point %d is %.4g radii from point %d; %d are possible: are both in metres?", i, radii, before, LongestSegment)
		}
	}
	return nil
}

// AddGlue holds two control points together.
func (w *World) AddGlue(g Glue) error {
	switch {
	case w.ready:
		return errReady
	case g.A < 0 || g.B < 0 || g.A >= len(w.x) || g.B >= len(w.x) || g.A == g.B:
		return fmt.Errorf("glue between points %d and %d of %d", g.A, g.B, len(w.x))
	}
	w.glues = append(w.glues, glue{a: g.A, b: g.B, rest: w.x[g.B].Sub(w.x[g.A]).Norm()})
	return nil
}

// AddHold keeps control points on a motion.
func (w *World) AddHold(h Hold) error {
	if w.ready {
		return errReady
	}
	k := hold{points: append([]int(nil), h.Points...), motion: h.Motion, pose: r3.Still()}
	if h.Motion != nil {
		k.pose = h.Motion.At(w.time)
	}
	back := k.pose.Inverse()
	for _, i := range h.Points {
		if i < 0 || i >= len(w.x) {
			return fmt.Errorf("point %d of %d is held", i, len(w.x))
		}
		k.laid = append(k.laid, back.Apply(w.x[i]))
	}
	w.holds = append(w.holds, k)
	return nil
}

// AddObstacle adds an obstacle and returns its number.
func (w *World) AddObstacle(o Obstacle) (int, error) {
	if w.ready {
		return 0, errReady
	}
	k, err := newObject(o, w.time)
	if err != nil {
		return 0, fmt.Errorf("obstacle %q: %w", o.Name, err)
	}
	w.touches.objects = append(w.touches.objects, k)
	return len(w.touches.objects) - 1, nil
}

// SetBlocks says which points are damped together, by point: usually blocks of 4 x 4 loops. Points of a negative block
// are not damped.
func (w *World) SetBlocks(block []int32) error {
	if len(block) != len(w.x) {
		return fmt.Errorf("blocks of %d points; there are %d", len(block), len(w.x))
	}
	if w.ready {
		return errReady
	}
	w.blocks = append([]int32(nil), block...)
	return nil
}

// begin makes everything that depends on all yarns.
func (w *World) begin() {
	n := len(w.x)
	m := &w.opt.Material
	w.force, w.next, w.after = make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
	w.mass, w.inverse = make([]float64, n), make([]float64, n)
	w.rest = append([]float64(nil), w.lay.rest...)
	w.ramp = ramp{from: append([]float64(nil), w.rest...), to: append([]float64(nil), w.rest...), start: math.Inf(-1)}
	for i := range n {
		length := w.lay.rest[i]
		if p := w.lay.prev(i); p != i {
			length += w.lay.rest[p]
		}
		w.mass[i] = m.Density * length / 2
		w.inverse[i] = 1 / w.mass[i]
	}
	w.rods = newRods(&w.lay, m)
	w.rods.measure(w.team, w.x)
	w.rods.layFrames()
	for y, laid := range w.laid {
		if laid.Keep {
			w.rods.keepShape(y)
		}
		w.rods.twistBy(y, laid.Twist)
	}
	w.laid = nil
	for _, k := range w.holds {
		w.fix(&k)
	}
	if w.blocks == nil {
		w.blocks = append([]int32(nil), w.lay.yarn...)
	}
	w.lengths = newLengths(&w.lay, w.inverse, w.opt.Strain)
	w.glued = gluedYarns(w.glues, &w.lay)
	w.glueErrors = [2][]float64{make([]float64, len(w.glues)), make([]float64, len(w.glues))}
	w.damping = newDamping(w.blocks, m)
	for _, k := range w.touches.objects {
		if k.ball {
			w.touches.clearance = make([]float64, n)
		} else {
			k.clearance = make([]float64, n)
		}
	}
	if m.Contact > 0 {
		w.contacts = newContacts(&w.lay, ContactOptions{
			Radius: m.Radius, Stiffness: m.Contact, DampNormal: m.DampNormal, DampTangent: m.DampTangent, Friction: m.Friction, Density: m.Density,
			Tolerance: w.opt.Tolerance, Points: w.opt.Points, Mode: w.opt.Mode,
		})
		w.guard = newGuard(&w.lay, w.contacts.spline, 2*m.Radius)
		if m.Friction > 0 {
			w.rods.framed = w.rods.framed || m.Twist > 0
			w.rods.follow()
			w.contacts.turned = w.rods.turned
		}
	}
	w.ready = true
}

// fix takes the points of a hold out of the motion, and the frames of its edges.
func (w *World) fix(k *hold) {
	held := map[int]bool{}
	for _, i := range k.points {
		w.inverse[i] = 0
		held[i] = true
	}
	for _, i := range k.points {
		if w.lay.hasSegment(i) && held[w.lay.next(i)] {
			w.rods.fixed[i] = true
			w.rods.framed = w.rods.framed || w.opt.Material.Twist > 0
		}
	}
}

// Ramp lets rest lengths change evenly, until after a time [s] the segment that begins at each control point is share
// times as long as it was laid.
func (w *World) Ramp(share []float64, duration float64) error {
	if len(share) != len(w.x) || !(duration >= 0) {
		return fmt.Errorf("%d shares of rest lengths within %g s; there are %d points", len(share), duration, len(w.x))
	}
	for i, s := range share {
		if !(s > 0) || math.IsInf(s, 1) {
			return fmt.Errorf("the rest length after point %d cannot become %g times as long", i, s)
		}
	}
	if !w.ready {
		w.begin()
	}
	w.ramp.start, w.ramp.duration = w.time, duration
	copy(w.ramp.from, w.lay.rest)
	for i, s := range share {
		w.ramp.to[i] = s * w.rest[i]
	}
	return nil
}

// ramp is how rest lengths change over time, from one length of each segment to another [m]. Without a change it began
// at minus infinity.
type ramp struct {
	from, to        []float64
	start, duration float64
}

// set gives rest lengths their value at time t.
func (r *ramp) set(rest []float64, t float64) {
	if t >= r.start+r.duration {
		copy(rest, r.to)
		return
	}
	s := (t - r.start) / r.duration
	for i := range rest {
		rest[i] = r.from[i] + (r.to[i]-r.from[i])*s
	}
}

// SetForce makes a force act on a control point, besides all others, until it is set anew [N].
func (w *World) SetForce(point int, force r3.Vec) { w.applied[point] = force }

// Stop takes all velocities away.
func (w *World) Stop() { clear(w.v) }

// Time returns the simulated time [s].
func (w *World) Time() float64 { return w.time }

// Steps returns the number of steps taken.
func (w *World) Steps() int { return w.steps }

// Positions returns the control points, yarn by yarn, as a view [m].
func (w *World) Positions() []r3.Vec { return w.x }

// Velocities returns the velocities of the control points, as a view that may be changed [m/s].
func (w *World) Velocities() []r3.Vec { return w.v }

// Yarns returns the number of yarns.
func (w *World) Yarns() int { return len(w.lay.spans) }

// Range returns the numbers of the control points of a yarn, from first up to end, and whether it is closed.
func (w *World) Range(yarn int) (first, end int, closed bool) {
	s := &w.lay.spans[yarn]
	return s.first, s.end, s.closed
}

// Load returns what yarns did to an obstacle in the last step.
func (w *World) Load(obstacle int) Load { return w.touches.objects[obstacle].load }

// Tension returns the force along the segment after a control point in the last step, positive if it pulls [N].
func (w *World) Tension(point int) float64 {
	if w.last == 0 {
		return 0
	}
	return w.lengths.tension(point, w.last)
}

// Force returns the sum of all forces on a control point at the start of the last step, without what keeps lengths,
// holds and obstacles out [N].
func (w *World) Force(point int) r3.Vec { return w.force[point] }

// Watch has each called at the end of every step from now on, of the length h [s], with positions, velocities and the
// forces at its start, all of which it may change; nil: nothing.
func (w *World) Watch(each func(x, v, force []r3.Vec, h float64)) { w.watch = each }

// KeepTouch has steps from now on keep the forces of yarn on yarn, for Touch.
func (w *World) KeepTouch() {
	if w.touch == nil {
		w.touch = make([]r3.Vec, len(w.x))
	}
}

// Touch returns the force of other yarns on a control point at the start of the last step [N], if KeepTouch was called
// before it.
func (w *World) Touch(point int) r3.Vec {
	if w.touch == nil {
		return r3.Vec{}
	}
	return w.touch[point]
}

// Reaction returns the force that yarn exerted in the last step on what holds a control point [N].
func (w *World) Reaction(point int) r3.Vec {
	f := w.force[point]
	if w.lay.hasSegment(point) {
		f = f.AddScaled(w.Tension(point), w.rods.tangent[point])
	}
	if p := w.lay.prev(point); p != point {
		f = f.AddScaled(-w.Tension(p), w.rods.tangent[p])
	}
	if w.last == 0 {
		return f
	}
	for i := range w.glues {
		switch g := &w.glues[i]; point {
		case g.a:
			f = f.AddScaled(1/(w.last*w.last), g.pull)
		case g.b:
			f = f.AddScaled(-1/(w.last*w.last), g.pull)
		}
	}
	return f
}
