package yarn

import (
	"math"
	"time"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// contacts computes the forces of yarns on each other.
type contacts struct {
	opt                 ContactOptions
	lay                 *layout
	b                   int
	diameter, diameter2 float64
	damped              bool

	spline    *spline
	material  *material
	schedule  *schedule
	hierarchy *hierarchy
	gather    *gatherer
	pairs     pairForces // of modes without sets
	sets      *contactSets
	models    *models
	stats     ContactStats

	lastStep float64  // length of the step that led to the present positions [s]; 0 if there was none
	turned   []r3.Vec // by segment: how it turned in that step, as a vector; nil if that is not known
}

// defaultPoints is b of [Kaldor10].
const defaultPoints = 11

func newContacts(lay *layout, opt ContactOptions) *contacts {
	if opt.Points == 0 {
		opt.Points = defaultPoints
	}
	c := &contacts{opt: opt, lay: lay, b: opt.Points, diameter: 2 * opt.Radius}
	c.diameter2 = c.diameter * c.diameter
	c.damped = opt.DampNormal != 0 || opt.DampTangent != 0
	c.spline = newSpline(lay, c.b, c.damped)
	c.material = newMaterial(lay, c.b, opt.Radius)
	c.gather = newGatherer(len(lay.yarn))
	if opt.Mode == ContactHierarchy {
		c.hierarchy = newHierarchy(lay, c.spline, c.diameter)
	} else {
		c.schedule = newSchedule(c.spline, opt.Radius)
	}
	c.pairs.init(c)
	c.models = &models{c: c}
	c.sets = newContactSets(c)
	return c
}

// reset forgets how the yarns moved so far. It must be called when they have been put somewhere else.
func (c *contacts) reset() {
	if c.schedule != nil {
		c.schedule.forget()
	}
	c.sets.clear()
}

// add adds to force what the yarns do to each other at the given positions and velocities, which the last step, of
// length h, led to.
func (c *contacts) add(pos, vel []r3.Vec, h float64, team *par.Team, force []r3.Vec) {
	c.lastStep = h
	c.stats = ContactStats{Closest: 1}
	clock := time.Now()
	c.spline.evaluate(pos, vel, team)
	lap(&clock, &c.stats.Time.Spline)
	if c.opt.Mode == ContactPairs || c.opt.Mode == ContactHierarchy {
		c.addPairs(pos, team, force, &clock)
	} else {
		c.addSets(pos, vel, team, force, &clock)
	}
}

// addSets is add with contact sets.
func (c *contacts) addSets(pos, vel []r3.Vec, team *par.Team, force []r3.Vec, clock *time.Time) {
	c.schedule.advance(pos, c.lastStep, team)
	c.sets.explore(team)
	c.scheduleStats()
	lap(clock, &c.stats.Time.Schedule)
	c.sets.coalesce()
	lap(clock, &c.stats.Time.Sets)
	c.schedule.settle(team)
	lap(clock, &c.stats.Time.Schedule)
	c.models.pos, c.models.vel = pos, vel
	team.For(len(c.sets.list), setGrain, c.sets.forceLoop)
	c.models.pos, c.models.vel = nil, nil
	c.sets.count(&c.stats)
	lap(clock, &c.stats.Time.Force)
	c.gather.addTo(force, team)
	lap(clock, &c.stats.Time.Gather)
	c.sets.adapt()
	lap(clock, &c.stats.Time.Sets)
}

// addPairs is add without contact sets.
func (c *contacts) addPairs(pos []r3.Vec, team *par.Team, force []r3.Vec, clock *time.Time) {
	if c.opt.Mode == ContactHierarchy {
		c.pairs.list = c.hierarchy.near(pos, c.pairs.list[:0], team)
		c.stats.Processed = len(c.pairs.list)
	} else {
		c.schedule.advance(pos, c.lastStep, team)
		c.pairs.list = c.pairs.list[:0]
		for i := range c.schedule.due {
			c.pairs.list = append(c.pairs.list, c.schedule.due[i].pair)
		}
		c.scheduleStats()
	}
	lap(clock, &c.stats.Time.Schedule)
	c.pairs.evaluate(team)
	lap(clock, &c.stats.Time.Force)
	if c.schedule != nil {
		for i := range c.schedule.due {
			c.schedule.due[i].slack = c.pairs.slack(i)
		}
		c.schedule.settle(team)
		lap(clock, &c.stats.Time.Schedule)
	}
	c.pairs.gather(force, team)
	lap(clock, &c.stats.Time.Gather)
}

func (c *contacts) scheduleStats() {
	c.stats.Tracked = c.schedule.trackedCount
	c.stats.Examined = c.schedule.examinedCount
	c.stats.Processed = len(c.schedule.due)
}

// lap adds the time since the clock was last read to a sum.
func lap(clock *time.Time, sum *time.Duration) {
	now := time.Now()
	*sum += now.Sub(*clock)
	*clock = now
}

// pairForces computes exact forces on a sorted list of pairs of segments. Pairs that do not touch change no bit.
type pairForces struct {
	c       *contacts
	list    []pair
	results []pairForce
	loop    func(lo, hi int)
}

// pairForce is the force of a pair of segments on their control points.
type pairForce struct {
	a, b           int
	forceA, forceB [4]r3.Vec
	least          float64 // square of the least distance
	touching       bool
	push           r3.Vec // net force on a without damping
}

func (p *pairForces) init(c *contacts) {
	p.c = c
	p.loop = p.evaluateRange
}

func (p *pairForces) evaluate(team *par.Team) {
	if cap(p.results) < len(p.list) {
		p.results = make([]pairForce, len(p.list)+len(p.list)/4)
	}
	p.results = p.results[:len(p.list)]
	team.For(len(p.list), 64, p.loop)
}

func (p *pairForces) evaluateRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		a, b := int(p.list[i].a), int(p.list[i].b)
		r := &p.results[i]
		*r = pairForce{a: a, b: b}
		n := p.c.b
		whole := patch{box: box{int32(a * n), int32((a + 1) * n), int32(b * n), int32((b + 1) * n)}, a: a, b: b}
		whole.near, whole.least = p.c.material.near(a, b), math.Inf(1)
		whole.onA, whole.onB = r.forceA[:], r.forceB[:]
		p.c.force(&whole)
		r.least, r.touching, r.push = whole.least, whole.touched != box{}, whole.push
	}
}

// slack returns the distance of a pair less the diameter.
func (p *pairForces) slack(i int) float64 { return math.Sqrt(p.results[i].least) - p.c.diameter }

func (p *pairForces) gather(force []r3.Vec, team *par.Team) {
	g := p.c.gather
	g.begin()
	least := p.c.diameter2
	for i := range p.results {
		t := &p.results[i]
		if !t.touching {
			continue
		}
		least = min(least, t.least)
		g.point = append(g.point, p.c.spline.control[t.a][:]...)
		g.point = append(g.point, p.c.spline.control[t.b][:]...)
	}
	g.index()
	place := 0
	for i := range p.results {
		t := &p.results[i]
		if !t.touching {
			continue
		}
		for m := range 4 {
			g.forces[place+m], g.forces[place+4+m] = t.forceA[m], t.forceB[m]
		}
		p.c.stats.Force += t.push.Norm()
		place += 8
	}
	p.c.stats.Closest = math.Sqrt(least) / p.c.diameter
	g.addTo(force, team)
}
