// What keeps a step from crossing anything that was not crossed before.
//
// The contacts of a step are linear, and found within a few rounds; its motion is neither. So every step is looked at
// once more before it is committed: no vertex and face, no two edges, and no vertex and shape may meet on the straight
// ways from x₀ to x₁ (internal/contact/detect/guard.go), and no two triangles may cross at the end that have nothing to
// do with what crossed at the start, by the exact test. What fails that is refused, and Advance halves it, at most
// twice by default, as in [Otaduy09] section 4. What is left goes through the fail-safe:
//
//  1. Inelastic impact zones [Harmon08]: x₁ is projected on what the impacts found so far allow (internal/untangle/zones.go), and looked at again.
//  2. Blocks that still meet become zones that move as one: rigidly, with their momentum [Provot97]; with obstacles or held blocks among
//     them, along with these. Between several that move differently, by the mean of their motions with weights
//     1/d^p of the distances d [Shepard68]: with p = 1, what lies between two plates that close is shrunk evenly and keeps its order.
//     Zones grow by what they then meet.
//
// Only prescribed motions that leave no room are not brought apart by that: held blocks and obstacles that go through
// each other. Their crossings are counted in Failsafe.Left, and from the next step on belong to those that were there
// before.

package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// refuseUnsolved refuses a step whose residual would lead something visibly astray, or that would open joints. A
// shorter step has a matrix that is nearer to that of the masses, for which every method here converges [Otaduy09]
// section 5.6, and bodies turn less in it.
func (s *step) refuseUnsolved() error {
	if !s.refuse {
		return nil
	}
	if wider := s.opened(); !s.stats.squeezed() && wider > openedBy*s.w.opt.Contact.Thickness {
		return fmt.Errorf("%w: joints would open by %.2g m", ErrUnsolved, wider)
	}
	allowed := astrayBy
	residual := s.stats.Residual
	if s.stats.squeezed() {
		allowed, residual = squeezedBy, s.found.answer.Elsewhere.Max()
	}
	if err := s.refuseNonlinear(s.allowedNonlinear()); err != nil {
		return err
	}
	if s.result.Converged || s.found.answer.Settled || residual <= s.stats.Floor ||
		residual*s.h <= allowed*s.w.opt.Contact.Thickness {
		return nil
	}
	return fmt.Errorf("%w: residual %.2g m/s", ErrUnsolved, residual)
}

// allowedNonlinear returns how far the nonlinear residual of a step may lead [thicknesses]: nowhere, if the step could
// take as many linearizations as helped, and is not squeezed.
func (s *step) allowedNonlinear() float64 {
	switch {
	case s.stats.squeezed():
		return squeezedBy
	case s.w.opt.Newton.Iterations < manyIterations || s.result.Nonlinear <= s.stats.Floor:
		return astrayBy
	}
	return 0
}

// manyIterations are as many linearizations as a step needs to converge if it does.
const manyIterations = 20

// refuseNonlinear refuses a step whose nonlinear residual leads further astray than so many thicknesses, where elements
// must not be inverted.
func (s *step) refuseNonlinear(allowed float64) error {
	if far := s.result.Nonlinear; s.refuse && s.barred && s.w.opt.Newton.Iterations > 1 && !s.result.Converged &&
		!(far*s.h <= allowed*s.w.opt.Contact.Thickness) {
		return fmt.Errorf("%w: nonlinear residual %.2g m/s", ErrUnsolved, far)
	}
	return nil
}

// guard looks whether the step crosses anything. What does is refused, or brought apart.
func (s *step) guard() error {
	if !s.tangible {
		return nil
	}
	if err := s.checkBounds(); err != nil {
		return err
	}
	defer func() { s.stats.Laps.Guard = s.took() }()
	s.noteCrossings(s.w.finder.Crossings(s.ends(s.x1)))
	s.stats.CrossingsBefore = s.stats.Crossings
	s.safe.impacts = s.w.finder.Impacts(s.ends(s.x1), certain*s.w.finder.Thickness, s.safe.impacts[:0])
	if s.stats.Crossings == 0 && len(s.safe.impacts) == 0 || s.w.blind {
		return nil
	}
	tangled := s.w.finder.Tangled()
	if fresh := s.crosses(); fresh == 0 && len(s.safe.impacts) == 0 {
		return nil
	} else if s.refuse && !s.stats.squeezed() { // shorter steps do not help where contacts contradict each other
		return fmt.Errorf(
			"%w: %d ways meet and %d crossings are new (%d were there before)",
			ErrCrossing,
			len(s.safe.impacts),
			fresh,
			tangled,
		)
	}
	s.bringApart()
	s.noteCrossings(s.w.finder.Crossings(s.ends(s.x1)))
	return nil
}

// noteCrossings writes what crosses at the end into the statistics.
func (s *step) noteCrossings(t detect.Tangle) {
	s.stats.Crossings, s.stats.Crossed, s.stats.Depth = t.Count, t.First, t.Depth
	s.stats.Smooth.Crossings = t.Smooth
}

// crosses looks for impacts and new crossings of the motion at hand, and returns the number of the latter.
func (s *step) crosses() int {
	f, k := &s.w.finder, &s.safe
	k.impacts = f.Impacts(s.ends(s.x1), certain*s.w.finder.Thickness, k.impacts[:0])
	k.fresh = f.Fresh(s.ends(s.x1), k.fresh[:0])
	return len(k.fresh)
}

// bringApart changes the end of the step until nothing meets.
func (s *step) bringApart() {
	// what carries points goes back first; the rest is to stay near what was solved for
	w, k := s.w, &s.safe
	solved := slices.Clone(s.x1)
	s.retreat()
	k.aim = append(k.aim[:0], s.x1...)
	k.all = k.all[:0]
	// impact zones; where these are not enough, zones that move as one
	s.prepareZones()
	report := &s.stats.Failsafe
	if !s.project() {
		report.Left = s.merge()
	}
	// zones of the impacts that were met, for the count of what was moved
	named := make([]bool, len(k.zones.Mass))
	for j := range k.all {
		k.zones.JoinImpact(&k.all[j])
	}
	// velocities and x_θ follow the new end
	theta := w.opt.Theta
	for i := range s.x1 {
		moved := s.x1[i].Sub(solved[i])
		if moved == (r3.Vec{}) {
			continue
		}
		report.Blocks++
		if zone := k.zones.Of(int32(i)); !named[zone] {
			named[zone] = true
			report.Zones++
		}
		s.result.V[i] = s.result.V[i].AddScaled(1/(theta*s.h), moved)
		s.vTheta[i] = s.vTheta[i].AddScaled(1/s.h, moved)
		s.xTheta[i] = s.xTheta[i].AddScaled(theta, moved)
	}
	// what that took from bodies
	s.account(solved)
}

// onEarth is the gravity by which what is taken from bodies is measured [m/s²].
const onEarth = 9.81

// account notes what the fail-safe has taken from bodies that would have ended at the given places. Of bodies with
// contacts that contradict each other it takes what it must, for no motion obeys these.
func (s *step) account(solved []r3.Vec) {
	w, report := s.w, &s.stats.Failsafe
	squeezed := s.contradicted()
	for i := range w.bodies {
		b := &w.bodies[i]
		if slices.Contains(squeezed[b.first:b.first+b.count], true) {
			continue
		}
		blocks := b.count
		if b.rigid != nil {
			blocks = 1 // the other one turns
		}
		var taken r3.Vec
		mass := 0.0
		for k := b.first; k < b.first+blocks; k++ {
			mass += w.mass[k]
			taken = taken.AddScaled(w.mass[k]/(w.opt.Theta*s.h), s.x1[k].Sub(solved[k]))
		}
		if share := taken.Norm() / (mass * onEarth * s.h); share > report.Taken {
			report.Taken, report.From = share, b.surface
		}
	}
}

// contradicted reports by block whether it has a contact that contradicts others.
func (s *step) contradicted() []bool {
	out := make([]bool, len(s.w.pos))
	for c, yes := range s.found.answer.Infeasible {
		if !yes {
			continue
		}
		for _, t := range s.found.set.Row(c) {
			out[t.Block] = true
		}
	}
	return out
}

// retreats is how often the motion of a body that carries points is halved before it stays where it is.
const retreats = 5

// retreat has bodies whose carried points meet something go a part of their way only: half of it, again and again, and
// in the end none. One that stays may be in the way of the next, such as in a tower, so that rounds go on as long as
// they stop another one. What meets them then goes out of their way, as with obstacles. Bodies that are joined go the
// same part, and what is attached goes along.
func (s *step) retreat() {
	k := &s.safe
	// only bodies with carried points need this
	if s.carried == 0 {
		return
	}
	together := s.w.jointGroups()
	slow := make([]bool, len(together))
	for round := 0; ; round++ {
		// done once nothing meets
		if s.crosses()+len(k.impacts) == 0 || s.w.team.Stopped() {
			return
		}
		// points of impacts and of new crossings
		met := make([]bool, len(s.x0)+s.carried)
		for j := range k.impacts {
			for _, t := range k.impacts[j].Row[:k.impacts[j].Terms] {
				met[t.Point] = true
			}
		}
		for j := range k.fresh {
			for _, p := range k.fresh[j].Points[:k.fresh[j].Count] {
				met[p] = true
			}
		}
		// half the way, after some rounds none of it
		part := 0.5
		if round >= retreats {
			part = 0
		}
		// joined bodies slow down together, and attached vertices go along
		s.findMeeting(met, together, slow)
		if !s.slowDown(together, slow, part) {
			return
		}
		s.w.bringAttached(s.x1)
		s.stats.Failsafe.Rounds++
	}
}

// findMeeting tells which groups of joined bodies have points that meet something, carried or attached.
func (s *step) findMeeting(met []bool, together groups, slow []bool) {
	clear(slow)
	s.eachCarrying(func(b *placedBody, _ mech.Carrying, skin *contact.Skin) {
		if slices.Contains(met[skin.First:int(skin.First)+skin.Points], true) {
			slow[together.of(s.w.placeOf(b))] = true
		}
	})
	s.w.eachFixture(func(t *fixture, node int32) {
		if t.to.rigid != nil && met[node] {
			slow[together.of(int(t.to.on))] = true
		}
	})
}

// slowDown has bodies that carry points, of slow groups, go a part of their way, and tells whether that changed
// anything.
func (s *step) slowDown(together groups, slow []bool, part float64) (some bool) {
	s.eachCarrying(func(b *placedBody, _ mech.Carrying, _ *contact.Skin) {
		if !slow[together.of(s.w.placeOf(b))] {
			return
		}
		x0, x1 := b.of(s.x0), b.of(s.x1)
		for i := range x1 {
			if next := x0[i].Lerp(x1[i], part); next != x1[i] {
				x1[i], some = next, true
			}
		}
	})
	return some
}

// prepareZones makes every point a zone of its own. Those that bodies carry, or that are attached to some, stay where
// these bring them.
func (s *step) prepareZones() {
	w, k := s.w, &s.safe
	k.mass, k.held = append(k.mass[:0], w.mass...), append(k.held[:0], w.fixed...)
	for range s.carried {
		k.mass, k.held = append(k.mass, 1), append(k.held, true)
	}
	s.w.eachFixture(func(_ *fixture, node int32) { k.held[node] = true })
	k.zones.Mass, k.zones.Fixed, k.zones.Partly = k.mass, k.held, s.partly
	k.zones.Reset()
}

// project tries impact zones.
func (s *step) project() bool {
	w, k := s.w, &s.safe
	for range projections {
		s.stats.Failsafe.Rounds++
		k.all = w.finder.Impacts(s.ends(s.x1), clearing*w.finder.Thickness, k.all)
		copy(s.x1, k.aim)
		k.zones.Project(k.all, s.ends(s.x1))
		s.w.bringAttached(s.x1)
		if s.crosses() == 0 && len(k.impacts) == 0 || w.team.Stopped() {
			return true
		}
	}
	return false
}

// merge makes zones of what still meets, which move as one and grow. It returns how much still meets in the end.
func (s *step) merge() (left int) {
	k := &s.safe
	k.rigid = append(k.rigid[:0], make([]bool, len(k.held))...)
	k.touches = k.touches[:0]
	k.fields = make([]*geom.MeshField, len(s.skins))
	k.best = append(k.best[:0], s.x1...)
	least, power := math.MaxInt, 1.0
	for range merges {
		left = s.crosses() + len(k.impacts)
		if left < least {
			least = left
			copy(k.best, s.x1)
		}
		if left == 0 || s.w.team.Stopped() {
			return 0
		}
		if !s.grow() {
			if power *= 2; power > sharpest {
				break
			}
		}
		s.stats.Failsafe.Rounds++
		s.moveZones(power)
	}
	copy(s.x1, k.best)
	return least
}

// grow adds what meets to the zones that move as one, and reports whether that changed them.
func (s *step) grow() (grown bool) {
	k := &s.safe
	add := func(block, obstacle int32) {
		grown = grown || !k.rigid[block]
		k.rigid[block] = true
		if pair := [2]int32{block, obstacle}; obstacle != contact.None && !slices.Contains(k.touches, pair) {
			k.touches = append(k.touches, pair)
			grown = true
		}
	}
	for j := range k.impacts {
		p := &k.impacts[j]
		grown = k.zones.JoinImpact(p) || grown
		add(p.Row[0].Point, p.Obstacle)
	}
	for j := range k.fresh {
		p := &k.fresh[j]
		for _, block := range p.Points[1:p.Count] {
			grown = k.zones.Join(p.Points[0], block) || grown
		}
		add(p.Points[0], p.Obstacle)
	}
	return grown
}

// moveZones finds where zones that move as one end, and the others as before.
func (s *step) moveZones(power float64) {
	k := &s.safe
	named := make([]bool, len(k.held))
	for block, rigid := range k.rigid {
		if rigid {
			named[k.zones.Of(int32(block))] = true
		}
	}
	copy(s.x1, k.aim)
	k.zones.Project(k.all, s.ends(s.x1))
	blocks := k.zones.Blocks(named)
	s.stats.Failsafe.Rigid = len(blocks)
	for len(blocks) > 0 {
		zone, n := k.zones.Of(blocks[0]), 1
		for n < len(blocks) && k.zones.Of(blocks[n]) == zone {
			n++
		}
		s.moveZone(zone, blocks[:n], power)
		blocks = blocks[n:]
	}
	s.w.bringAttached(s.x1)
}

// moveZone moves the blocks of a zone as one.
func (s *step) moveZone(zone int32, blocks []int32, power float64) {
	k := &s.safe
	var leaders []int32 // obstacles
	for _, t := range k.touches {
		if k.zones.Of(t[0]) == zone && !slices.Contains(leaders, t[1]) {
			leaders = append(leaders, t[1])
		}
	}
	var held []int32
	for _, b := range blocks {
		if k.held[b] {
			held = append(held, b)
		}
	}
	if len(leaders) == 0 && len(held) == 0 {
		k.zones.Rigid(blocks, s.x0, s.x1)
		return
	}
	for _, b := range blocks {
		if k.held[b] {
			continue
		}
		s.x1[b] = s.x0[b]
		if !s.guided(b) {
			s.x1[b] = s.x0[b].Add(s.led(b, leaders, held, power))
		}
	}
}

// guided tells whether a block is not free in all directions. In a zone it stays where it is.
func (s *step) guided(block int32) bool {
	return slices.ContainsFunc(s.partly, func(p contact.Partial) bool { return p.Block == block })
}

// led returns how a block moves along with obstacles and held blocks: the mean of what they would do to it, with
// weights that fall with the distance.
func (s *step) led(block int32, leaders, held []int32, power float64) r3.Vec {
	const nearest = 1e-12 // [m], for weights to be finite
	x0, x1 := s.points(s.x0), s.points(s.x1)
	x := x0[block]
	var sum r3.Vec
	var weights float64
	add := func(distance float64, move r3.Vec) {
		weight := math.Pow(max(distance, nearest), -power)
		sum, weights = sum.AddScaled(weight, move), weights+weight
	}
	for _, o := range leaders {
		add(s.alongWith(o, x))
	}
	if len(held) > 0 {
		by := slices.MinFunc(
			held,
			func(a, b int32) int { return cmp.Compare(x0[a].Sub(x).Norm2(), x0[b].Sub(x).Norm2()) },
		)
		add(x0[by].Sub(x).Norm(), x1[by].Sub(x0[by]))
	}
	return sum.Scale(1 / weights)
}

// alongWith returns the distance of a point to an obstacle, and how it moves in the step if it moves along, without
// what it rides on.
func (s *step) alongWith(obstacle int32, x r3.Vec) (distance float64, move r3.Vec) {
	o, k := &s.skins[obstacle], &s.safe
	if o.Field != nil {
		distance, _ = o.Field.Distance(o.From.Inverse().Apply(x))
		return max(distance, 0), o.To.Mul(o.From.Inverse()).Apply(x).Sub(x)
	}
	if k.fields[obstacle] == nil {
		k.fields[obstacle] = geom.NewMeshField(o.X0, o.Tri)
	}
	p, _ := k.fields[obstacle].Nearest(x, math.Inf(1))
	if !o.Deforms {
		return p.Distance, o.To.Mul(o.From.Inverse()).Apply(x).Sub(x)
	}
	for c, v := range o.Tri[p.Triangle] {
		weight := [3]float64{p.Weights.X, p.Weights.Y, p.Weights.Z}[c]
		move = move.AddScaled(weight, o.X1[v].Sub(o.X0[v]))
	}
	return p.Distance, move
}
