package garment

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
)

// wardrobe is a scene of one garment on one body, dressed once, so that runs of all frictions begin with the same
// state.
type wardrobe struct {
	file     string
	friction string // what is set to the friction of a run
	sets     []string
	dressed  *dress.Dressed
}

// runFriction is the friction from t = 0 on of scenes with two keys at that time: the first is that of the dressing.
const runFriction = "friction.default.keys.1.value"

// dressed sews the garment of one of the example scenes.
func dressed(t *verify.Trial, file, friction string, sets ...string) *wardrobe {
	w := &wardrobe{file: file, friction: friction, sets: sets}
	s := sceneWith(t, w, 0)
	var err error
	w.dressed, err = dress.Scene(t.Context(), s, dress.Options{Workers: t.Workers})
	t.Must(err)
	return w
}

// sceneWith reads the scene of a wardrobe with the friction that it has from t = 0 on.
func sceneWith(t *verify.Trial, w *wardrobe, mu float64) *scenefile.Scene {
	return setup.Parsed(t, w.file, append(slices.Clone(w.sets), fmt.Sprintf("%s=%g", w.friction, mu)))
}

// worn is a garment on a body in a run of one friction.
type worn struct {
	world  *engine.World
	cloth  build.Cloth
	skin   func() []r3.Vec // positions of the body
	tri    [][3]int32      // of its surface
	mu     float64
	step   float64
	end    float64
	close  func() error
	tally  wearTally
	places *geom.MeshField // of the body as it is at the last call of surface
}

// wear starts a run of a dressed scene.
func wear(t *verify.Trial, w *wardrobe, mu float64) *worn {
	s := sceneWith(t, w, mu)
	b, err := dress.World(s, w.dressed)
	t.Must(err)
	b.World.SetWorkers(t.Workers)
	t.Watch(b.World)
	g := &worn{world: b.World, cloth: b.Cloths[0], mu: mu, step: s.Time.Step, end: s.Time.End, close: b.Close}
	if len(b.Bodies) > 0 {
		id := b.Bodies[0].ID
		g.skin, g.tri = func() []r3.Vec { return b.World.BodyPositions(id) }, b.World.Body(id).Skin().Tri
	} else {
		id := b.Obstacles[0].ID
		g.skin, g.tri = func() []r3.Vec { return b.World.ObstaclePositions(id) }, b.World.Obstacle(id).Tri
	}
	return g
}

// play runs until the end of the scene, or until over, which is asked twenty times a second, says so.
func (g *worn) play(t *verify.Trial, over func() bool) {
	const frame = 0.05
	for g.world.Time() < g.end-g.step/2 {
		t.Must(g.world.Advance(
			min(frame, g.end-g.world.Time()), g.step, func(s engine.Stats) { g.tally.add(t, g.world, s) },
		))
		if over != nil && over() {
			break
		}
		t.At(fmt.Sprintf("μ %g", g.mu), g.world.Time(), g.end)
	}
	t.Must(g.close())
}

// wearTally counts how the steps of a garment went.
type wearTally struct {
	verify.StepTally
	vertices, contacts, sweeps int // contacts and sweeps: sums over the steps
	largest                    float64
	speed                      float64
	halved, rescued            int // steps that had to be halved, and such as the failsafe changed
	time, detect, solve        time.Duration
	slowest                    time.Duration
	slowestAt                  float64
}

func (n *wearTally) add(t *verify.Trial, w *engine.World, s engine.Stats) {
	n.StepTally.Add(t, w, s)
	n.vertices = s.Vertices
	n.contacts += s.Contacts
	n.sweeps += s.Sweeps
	n.largest = max(n.largest, s.Residual)
	n.speed = max(n.speed, s.MaxSpeed)
	if s.Halvings > 0 {
		n.halved++
	}
	if s.Failsafe != (engine.Failsafe{}) {
		n.rescued++
	}
	all := s.Laps.Total()
	n.time += all
	n.detect += s.Laps.Detect + s.Laps.Guard
	n.solve += s.Laps.Solve
	if all > n.slowest {
		n.slowest, n.slowestAt = all, s.Time
	}
}

// surface returns the body as it is now.
func (g *worn) surface() *geom.MeshField {
	if g.places == nil {
		g.places = geom.NewMeshField(g.skin(), g.tri)
	} else {
		g.places.Rebuild(g.skin())
	}
	return g.places
}

// anchors are points of the body below vertices of the garment.
type anchors struct {
	vertices []int32
	points   []geom.MeshPoint
}

// anchor notes which points of the body are nearest to vertices of the garment now.
func (g *worn) anchor(vertices []int32) anchors {
	a := anchors{vertices: vertices}
	body := g.surface()
	for _, v := range vertices {
		p, _ := body.Nearest(g.world.Positions(g.cloth.ID)[v], math.Inf(1))
		a.points = append(a.points, p)
	}
	return a
}

// slip returns how far from their anchors vertices are along the body's surface, on average [m]: the straight line from
// a point to the other, laid onto the surface.
func (g *worn) slip(a anchors) float64 {
	const parts = 24
	body := g.surface()
	x, tri := g.skin(), g.tri
	sum := 0.0
	for i, p := range a.points {
		c := tri[p.Triangle]
		from := x[c[0]].Scale(p.Weights.X).AddScaled(p.Weights.Y, x[c[1]]).AddScaled(p.Weights.Z, x[c[2]])
		near, _ := body.Nearest(g.world.Positions(g.cloth.ID)[a.vertices[i]], math.Inf(1))
		last := from
		for k := 1; k <= parts; k++ {
			on, _ := body.Nearest(from.AddScaled(float64(k)/parts, near.Point.Sub(from)), math.Inf(1))
			sum += on.Point.Sub(last).Norm()
			last = on.Point
		}
	}
	return sum / float64(len(a.points))
}

// group returns the vertices of a named group of the garment.
func (g *worn) group(t *verify.Trial, name string) []int32 {
	for _, k := range g.cloth.Groups {
		if k.Name == name {
			return k.Vertices
		}
	}
	t.Must(fmt.Errorf("the garment has no vertices called %s", name))
	return nil
}

// within returns those of some vertices that are at most so far from a place.
func (g *worn) within(vertices []int32, at r3.Vec, far float64) (near []int32) {
	for _, v := range vertices {
		if g.world.Positions(g.cloth.ID)[v].Sub(at).Norm() <= far {
			near = append(near, v)
		}
	}
	return near
}
