package stress

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// The stress set: scenes that are hard not to cross in. After every step, halved ones too, the crossings of the state
// are counted by a test that shares nothing with that of the step but the exact predicates.

// Scene is one of them.
type Scene struct {
	Name  string
	H     float64 // length of a step [s]
	Steps int
	// Forced tells that obstacles or handles leave no room, so that crossings cannot be avoided: the run must go on all
	// the same.
	Forced bool
	Slow   bool    // takes more than some seconds
	start  float64 // when it begins [s]
	build  func(*stage)
}

// Options vary a scene.
type Options struct {
	Fine    int     // cells along each side, in those of the coarse scene of some hundred vertices; at least 1
	Jitter  float64 // how far vertices start from their places, at most, along each axis [m]
	Seed    uint64  // of the jitter
	Workers int     // 0 means all cores
}

// Build returns the world of a scene.
func (s *Scene) Build(o Options) (*engine.World, error) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Start = o.Workers, s.start
	b := &stage{opt: opt, fine: max(1, o.Fine), jitter: o.Jitter, rng: rand.New(rand.NewPCG(o.Seed, 1))}
	b.w, b.err = engine.New(opt)
	s.build(b)
	if b.err != nil {
		return nil, fmt.Errorf("stress scene %s: %w", s.Name, b.err)
	}
	return b.w, nil
}

// Tally is how the steps of a scene went.
type Tally struct {
	Vertices, Steps int
	MostContacts    int
	MostCrossings   int   // at the end of a step
	Rounds          []int // steps by the number of rounds of constraint refinement
	Halved          int   // steps that were halves or quarters
	Failsafe        int   // steps that needed the fail-safe
	Rigid           int   // of these, steps with zones that moved as one
	Left            int   // new crossings that could not be avoided
	Unconverged     int   // steps above the tolerance
	Guard, Refused  time.Duration
	Refine, Total   time.Duration
}

// Add counts a step.
func (t *Tally) Add(s engine.Stats) {
	t.Vertices = s.Vertices
	t.Steps++
	t.MostContacts = max(t.MostContacts, s.Contacts)
	for len(t.Rounds) <= s.Rounds {
		t.Rounds = append(t.Rounds, 0)
	}
	t.Rounds[s.Rounds]++
	if s.Halvings > 0 {
		t.Halved++
	}
	if s.Failsafe.Rounds > 0 {
		t.Failsafe++
	}
	if s.Failsafe.Rigid > 0 {
		t.Rigid++
	}
	t.Left += s.Failsafe.Left
	if !s.Converged {
		t.Unconverged++
	}
	t.Guard += s.Laps.Guard
	t.Refused += s.Laps.Refused
	t.Refine += s.Laps.Refine
	t.Total += s.Laps.Total()
}

// Few returns the share of steps with at most the given number of rounds.
func (t *Tally) Few(rounds int) float64 {
	n := 0
	for k, count := range t.Rounds {
		if k <= rounds {
			n += count
		}
	}
	return float64(n) / float64(max(1, t.Steps))
}

// Run plays a scene. It counts crossings after every step.
func (s *Scene) Run(o Options) (Tally, error) {
	var tally Tally
	w, err := s.Build(o)
	if err != nil {
		return tally, err
	}
	for range s.Steps {
		err := w.Advance(s.H, s.H, func(stats engine.Stats) {
			tally.Add(stats)
			tally.MostCrossings = max(tally.MostCrossings, setup.CountCrossings(w))
		})
		if err != nil {
			return tally, fmt.Errorf("stress scene %s: %w", s.Name, err)
		}
	}
	return tally, nil
}

// stage is a scene that is being built. The first error stays.
type stage struct {
	w      *engine.World
	opt    engine.Options
	fine   int
	jitter float64
	rng    *rand.Rand
	err    error
}

func (b *stage) note(err error) {
	if b.err == nil {
		b.err = err
	}
}

// cloth adds a sheet whose vertices place puts where they start.
func (b *stage) cloth(
	name string, m *mesh.Mesh, x []r3.Vec, place func(r3.Vec) r3.Vec, velocity r3.Vec,
) engine.ClothID {
	if b.err != nil {
		return 0
	}
	v := make([]r3.Vec, len(x))
	for i := range x {
		shake := r3.V(2*b.rng.Float64()-1, 2*b.rng.Float64()-1, 2*b.rng.Float64()-1)
		x[i], v[i] = place(x[i]).AddScaled(b.jitter, shake), velocity
	}
	c := body.DefaultCloth(name, m, x, setup.StressFabric())
	c.Velocities = v
	id, err := cloths.Add(b.w, c)
	b.note(err)
	return id
}

// hold adds a handle for the vertices of a cloth that which is true for.
func (b *stage) hold(
	name string,
	id engine.ClothID,
	path *engine.Path,
	limit *engine.ForceLimit,
	which func(x r3.Vec) bool,
) {
	if b.err != nil {
		return
	}
	var vertices []int32
	for i, x := range b.w.Positions(id) {
		if which(x) {
			vertices = append(vertices, int32(i))
		}
	}
	_, err := b.w.AddHandle(engine.Handle{Name: name, Cloth: id, Vertices: vertices, Path: path, Limit: limit})
	b.note(err)
}

// solid adds an obstacle that is a mesh.
func (b *stage) solid(name string, pos []r3.Vec, tri [][3]int32, place r3.Pose, path *engine.Path) {
	if b.err != nil {
		return
	}
	_, err := b.w.AddObstacle(engine.Obstacle{Name: name, Positions: pos, Tri: tri, Place: place, Path: path})
	b.note(err)
}

// Join adds the steps of another run.
func (t *Tally) Join(o *Tally) {
	t.Steps += o.Steps
	t.MostContacts, t.MostCrossings = max(t.MostContacts, o.MostContacts), max(t.MostCrossings, o.MostCrossings)
	for len(t.Rounds) < len(o.Rounds) {
		t.Rounds = append(t.Rounds, 0)
	}
	for k, n := range o.Rounds {
		t.Rounds[k] += n
	}
	t.Halved += o.Halved
	t.Failsafe += o.Failsafe
	t.Rigid += o.Rigid
	t.Left += o.Left
	t.Unconverged += o.Unconverged
	t.Guard, t.Refused, t.Refine, t.Total = t.Guard+o.Guard, t.Refused+o.Refused, t.Refine+o.Refine, t.Total+o.Total
}
