package yarn

import (
	"math"
	"math/rand"
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// TestScheduleMissesNothing is K8: in ten thousand steps of random motion, sudden at times, the schedule never misses a
// pair that touches, and no bound is ever above the distance.
func TestScheduleMissesNothing(t *testing.T) {
	steps := 10000
	if testing.Short() {
		steps = 500
	}
	rng := rand.New(rand.NewSource(2))
	lay := &layout{}
	pos := tangle(lay, rng, 3, 11, testRadius)
	opt := ContactOptions{Radius: testRadius, Stiffness: 3.25, Mode: ContactPairs}
	c := newContacts(lay, opt)
	m := newRandomMotion(rng, pos)
	force := make([]r3.Vec, len(pos))
	processed, tracked, touched := 0, 0, 0
	for step := range steps {
		m.move(pos)
		clear(force)
		c.add(pos, nil, m.step, nil, force)
		processed += c.stats.Processed
		tracked += c.stats.Tracked
		due := map[pair]bool{}
		for i := range c.schedule.due {
			due[c.schedule.due[i].pair] = true
		}
		least := leastDistances(c)
		for p, d := range least {
			if d < c.diameter {
				touched++
				if !due[p] {
					t.Fatalf("step %d: segments %d and %d touch at %.3f D and were not found", step, p.a, p.b, d/c.diameter)
				}
			}
		}
		checkBounds(t, c, least)
	}
	t.Logf("%d pairs tracked a step, %d processed, %d touching", tracked/steps, processed/steps, touched/steps)
	if touched == 0 || processed*2 > tracked {
		t.Error("the motion does not try the schedule")
	}
}

// TestSetsMissNothing is K8 of contact sets, which come, grow, merge and end: in every step their force is that of the
// hierarchy, and guards hear of all pairs that touch.
func TestSetsMissNothing(t *testing.T) {
	steps := 10000
	if testing.Short() {
		steps = 2000
	}
	rng := rand.New(rand.NewSource(3))
	lay := &layout{}
	pos := tangle(lay, rng, 4, 12, testRadius)
	opt := ContactOptions{Radius: testRadius, Stiffness: 3.25}
	sets := newContacts(lay, opt)
	opt.Mode = ContactHierarchy
	all := newContacts(lay, opt)
	m := newRandomMotion(rng, pos)
	got, want := make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos))
	largest := 0.0
	for step := range steps {
		m.move(pos)
		clear(got)
		clear(want)
		sets.add(pos, nil, 1e-4, nil, got)
		all.add(pos, nil, 1e-4, nil, want)
		for i, f := range want {
			largest = max(largest, f.MaxAbs())
			if off := got[i].Sub(f).MaxAbs(); off > 1e-12*largest {
				t.Fatalf("step %d: force on point %d off by %.2g of the largest", step, i, off/largest)
			}
		}
		told := map[pair]float64{}
		for _, p := range sets.near(nil) {
			if d, ok := told[p.pair]; !ok || p.distance < d { // it may be in several sets
				told[p.pair] = p.distance
			}
		}
		for _, p := range all.near(nil) {
			if d, ok := told[p.pair]; !ok || d > p.distance*(1+1e-12) {
				t.Fatalf("step %d: %v touch at %g D; told: %v, at %g D", step, p.pair, p.distance/all.diameter, ok, d/all.diameter)
			}
		}
	}
}

// checkBounds compares the bounds of entries that were just looked at with true distances.
func checkBounds(t *testing.T, c *contacts, least map[pair]float64) {
	for a, list := range c.schedule.entries {
		for _, e := range list {
			if int(e.level) > c.schedule.reach {
				continue
			}
			d, ok := least[pair{int32(a), e.other}]
			if ok && e.slack+c.diameter > d*(1+1e-12) {
				t.Fatalf("segments %d and %d: bound %g above distance %g", a, e.other, e.slack+c.diameter, d)
			}
		}
	}
}

// leastDistances returns the distance of all pairs of segments with points that can touch.
func leastDistances(c *contacts) map[pair]float64 {
	least := map[pair]float64{}
	for a := range c.spline.exists {
		for b := a + 1; b < len(c.spline.exists); b++ {
			if !c.spline.exists[a] || !c.spline.exists[b] {
				continue
			}
			d := math.Inf(1)
			for i := range c.b {
				lo, hi := 0, c.b
				if c.material.near(a, b) {
					lo, hi = c.material.window(a, i, b)
				}
				for j := lo; j < hi; j++ {
					d = min(d, c.spline.at[a*c.b+i].Sub(c.spline.at[b*c.b+j]).Norm2())
				}
			}
			least[pair{int32(a), int32(b)}] = math.Sqrt(d)
		}
	}
	return least
}

// randomMotion moves points at speeds that change slowly, and now and then at once; all of them also fall together.
type randomMotion struct {
	rng  *rand.Rand
	home []r3.Vec
	vel  []r3.Vec
	step float64 // that the motion is said to have been made in [s]
}

func newRandomMotion(rng *rand.Rand, pos []r3.Vec) *randomMotion {
	return &randomMotion{rng, append([]r3.Vec(nil), pos...), make([]r3.Vec, len(pos)), 1e-4}
}

func (m *randomMotion) move(pos []r3.Vec) {
	kick := 3e-7
	if m.rng.Intn(100) == 0 {
		kick = 2e-4
		m.step = 1e-4 * math.Exp(m.rng.NormFloat64())
	}
	fall := r3.V(0, 0, -1e-5)
	for i := range pos {
		m.home[i] = m.home[i].Add(fall)
		m.vel[i] = m.vel[i].Scale(0.97).AddScaled(kick, r3.V(m.rng.NormFloat64(), m.rng.NormFloat64(), m.rng.NormFloat64()))
		m.vel[i] = m.vel[i].AddScaled(1e-4, m.home[i].Sub(pos[i]))
		pos[i] = pos[i].Add(m.vel[i]).Add(fall)
	}
}

// TestContactSameBits asks for the same forces for any number of workers.
func TestContactSameBits(t *testing.T) {
	for _, mode := range []ContactMode{ContactSets, ContactLinear, ContactPairs, ContactHierarchy} {
		var want []r3.Vec
		for _, workers := range []int{1, 2, 8} {
			got := swayed(mode, par.New(workers), 40)
			if want == nil {
				want = got
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("mode %d: force on point %d differs with %d workers", mode, i, workers)
				}
			}
		}
	}
}

// swayed returns the forces in a small sheet after some steps of motion.
func swayed(mode ContactMode, team *par.Team, steps int) []r3.Vec {
	lay := &layout{}
	rest := stockinette(lay, 6, 6, testRadius)
	c := newContacts(lay, ContactOptions{
		Radius: testRadius, Stiffness: 3.25, DampNormal: 0.3, DampTangent: 0.03, Friction: 0.3, Tolerance: 0.04, Mode: mode,
	})
	pos, vel, force := make([]r3.Vec, len(rest)), make([]r3.Vec, len(rest)), make([]r3.Vec, len(rest))
	const h = 1.0 / 16200
	copy(pos, rest)
	team.Enter()
	defer team.Leave()
	for step := range steps {
		before := append([]r3.Vec(nil), pos...)
		sway(rest, pos, float64(step)*10*h)
		for i := range vel {
			vel[i] = pos[i].Sub(before[i]).Scale(1 / h)
		}
		clear(force)
		c.add(pos, vel, h, team, force)
	}
	return force
}

// TestSetsKeepAllContacts moves yarns at random and compares forces on contact sets with those on pairs of segments.
func TestSetsKeepAllContacts(t *testing.T) {
	steps := 2000
	if testing.Short() {
		steps = 400
	}
	rng := rand.New(rand.NewSource(3))
	lay := &layout{}
	pos := tangle(lay, rng, 4, 12, testRadius)
	opt := ContactOptions{Radius: testRadius, Stiffness: 3.25}
	sets := newContacts(lay, opt)
	opt.Mode = ContactHierarchy
	pairs := newContacts(lay, opt)
	m := newRandomMotion(rng, pos)
	got, want := make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos))
	count, processed := 0, 0
	for step := range steps {
		m.move(pos)
		clear(got)
		clear(want)
		sets.add(pos, nil, 1e-4, nil, got)
		pairs.add(pos, nil, 1e-4, nil, want)
		if e := worst(got, want); e > 1e-12 {
			t.Fatalf("step %d: forces on sets differ by %.2g", step, e)
		}
		for i := range sets.sets.list {
			for j := range i {
				if sets.sets.list[i].box.overlaps(&sets.sets.list[j].box) {
					t.Fatalf("step %d: sets %d and %d overlap", step, j, i)
				}
			}
		}
		count += sets.stats.Sets
		processed += sets.stats.Processed
	}
	t.Logf("%.1f sets, %.1f pairs processed a step", float64(count)/float64(steps), float64(processed)/float64(steps))
}

// TestContactStepsDoNotAllocate steps a sheet at rest.
func TestContactStepsDoNotAllocate(t *testing.T) {
	for _, mode := range []ContactMode{ContactSets, ContactLinear, ContactPairs, ContactHierarchy} {
		lay := &layout{}
		pos := stockinette(lay, 6, 6, 0.95*testRadius)
		c := newContacts(lay, ContactOptions{
			Radius: testRadius, Stiffness: 3.25, DampNormal: 0.3, DampTangent: 0.03, Friction: 0.3, Tolerance: 0.04, Mode: mode,
		})
		vel, force := make([]r3.Vec, len(pos)), make([]r3.Vec, len(pos))
		step := func() { c.add(pos, vel, 1e-4, nil, force) }
		step()
		step()
		if n := testing.AllocsPerRun(20, step); n > 0 {
			t.Errorf("mode %d: %g allocations a step", mode, n)
		}
	}
}

// TestLargeSets lays two yarns side by side, whose contact is one set along their whole length, and one yarn beside
// itself.
func TestLargeSets(t *testing.T) {
	lay := &layout{}
	var pos, coil []r3.Vec
	for y := range 2 {
		var line []r3.Vec
		for i := range 30 {
			angle := 0.7*float64(i) + math.Pi*float64(y)
			line = append(line, r3.V(4e-3*float64(i), 1.1e-3*math.Cos(angle), 1.1e-3*math.Sin(angle)))
		}
		lay.add(line, false)
		pos = append(pos, line...)
	}
	for i := range 60 {
		angle := 2 * math.Pi / 10 * float64(i)
		coil = append(coil, r3.V(2.2e-3*float64(i)/10, 8e-3*math.Cos(angle)+0.1, 8e-3*math.Sin(angle)))
	}
	lay.add(coil, false)
	pos = append(pos, coil...)
	opt := ContactOptions{Radius: testRadius, Stiffness: 3.25, Friction: 0.3}
	c := newContacts(lay, opt)
	force := make([]r3.Vec, len(pos))
	for range 3 {
		clear(force)
		c.add(pos, make([]r3.Vec, len(pos)), 0, nil, force)
	}
	_, want := allPairs(lay, opt, 11, pos)
	if e := worst(force, want); e > 1e-12 {
		t.Errorf("forces differ from those of all pairs by %.2g", e)
	}
	big := int32(0)
	for i := range c.sets.list {
		big = max(big, c.sets.list[i].box.iHi-c.sets.list[i].box.iLo)
	}
	if big < 29*11 {
		t.Errorf("the largest set has %d points", big)
	}
}
