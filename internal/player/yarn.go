package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// yarnPlay plays a scene of yarns. Its steps are short and many: it is asked for intervals of several, and tells of
// each interval as a whole.
type yarnPlay struct {
	built  *build.BuiltYarns
	bodies []runfolder.Body // pieces, obstacles and balls

	slipped, stretched bool // a person has been told of a slip, and of stretch
}

// yarnInterval is how many of the longest steps make an interval. Only between intervals can a run be interrupted.
const yarnInterval = 16

// yarnJob makes the scene of a job one of yarns.
func yarnJob(s *scenefile.Scene, workers int, job *Job) error {
	built, err := build.Yarns(s, workers)
	if err != nil {
		return err
	}
	job.Simulation, job.Step, job.open = newYarnPlay(built), yarnInterval*built.Pace.Most, built
	return nil
}

func newYarnPlay(built *build.BuiltYarns) *yarnPlay {
	p := &yarnPlay{built: built}
	w := built.World
	// box of the yarns and of the obstacles that end somewhere
	w.KeepTouch()
	box := r3.BoxOf(w.Positions())
	for i := range built.Obstacles {
		if o := &built.Obstacles[i]; o.Shape != nil {
			if b := (shape.Placed{Shape: o.Shape, Pose: w.ObstaclePose(i)}).Bounds(); b.Min.Finite() && b.Max.Finite() {
				box = box.Union(b)
			}
		}
	}
	// curves of each piece, with room for what frames show along them
	for _, piece := range built.Pieces {
		c := &meshio.Curves{Name: piece.Name, Radius: built.Material.Radius}
		for y := piece.Yarns[0]; y < piece.Yarns[1]; y++ {
			first, end, closed := w.Range(y)
			c.Counts, c.Closed = append(c.Counts, int32(end-first)), append(c.Closed, closed)
		}
		for _, name := range []string{runfolder.AttrTension, runfolder.AttrSpeed, runfolder.AttrForce} {
			c.Attributes = append(c.Attributes,
				meshio.Attribute{Name: name, Width: 1, Data: make([]float32, piece.End-piece.First)})
		}
		p.bodies = append(p.bodies, runfolder.YarnsOf(c))
	}
	// obstacles
	for i := range built.Obstacles {
		p.bodies = append(p.bodies, runfolder.ObstacleBody(&built.Obstacles[i], w.ObstaclePose(i), box))
	}
	// balls, shown as rigid bodies
	for i, ball := range built.Balls {
		shown := engine.Obstacle{Name: ball.Name, Shape: shape.Sphere{Radius: ball.Radius}}
		body := runfolder.ObstacleBody(&shown, w.ObstaclePose(len(built.Obstacles)+i), box)
		body.Kind = runfolder.KindRigid
		p.bodies = append(p.bodies, body)
	}
	runfolder.UniqueNames(p.bodies)
	return p
}

func (p *yarnPlay) Settings() (json.RawMessage, error) {
	return json.Marshal(struct {
		Yarn yarn.Material `json:"yarn"`
		Pace yarn.Pace     `json:"pace"`
	}{p.built.Material, p.built.Pace})
}

func (p *yarnPlay) Columns() []string {
	return []string{
		"steps", "retries", "slips", "contacts", "updates",
		"shortest step [s]", "longest step [s]", "closest [diameter]", "contact force [N]", "strain [m/m]",
		"fastest [m/s]", "kinetic [J]", "bend [J]", "twist [J]",
		"clock contact [s]",
	}
}

func (p *yarnPlay) Begin(context.Context) ([]string, error) { return nil, nil }

// interval sums up steps.
type interval struct {
	steps, retries, updates int
	slips                   []yarn.Slip // each once
	shortest, longest       float64     // [s]
	closest, fastest        float64     // the worst of all
	strain, stretch         float64     // likewise: with what short steps leave to later ones, and without it
	contact                 float64     // time on the wall [s]
	last                    yarn.Stats
	slip                    *yarn.Slip // the first
	slipTime                float64    // [s]
}

func (p *yarnPlay) Advance(_ context.Context, h float64, tell func(*Step)) error {
	w := p.built.World
	sum := interval{shortest: math.Inf(1), closest: 1}
	err := w.Advance(h, p.built.Pace, func(s *yarn.Stats) { sum.add(s, w.Time()) })
	if err == nil && sum.fastest > mostSpeed {
		err = fmt.Errorf("yarn moves at %.2g m/s: %w", sum.fastest, errLost)
	}
	if errors.Is(err, yarn.ErrNotFinite) {
		err = fmt.Errorf("%w: %w", err, errLost)
	}
	if err != nil {
		return p.built.Explain(err)
	}
	step := &Step{Number: w.Steps(), Time: w.Time(), Values: sum.cells(), Summary: sum.words()}
	step.Notes = p.notes(&sum)
	tell(step)
	return nil
}

// mostSpeed is that of sound [m/s]. What is faster has lost its way.
const mostSpeed = 340

var errLost = errors.New(
	"the yarn may be too stiff for its steps (shorten the step of time), or pins may draw apart what cannot stretch",
)

// muchStrain is how far a yarn must be stretched for a person to be told.
const muchStrain = 0.01

// notes says what a person should know of an interval, of each thing once.
func (p *yarnPlay) notes(n *interval) (notes []string) {
	if n.slip != nil && !p.slipped {
		p.slipped = true
		notes = append(notes, p.slipNote(n))
	}
	if n.stretch > muchStrain && !p.stretched {
		p.stretched = true
		notes = append(notes, fmt.Sprintf(
			"at t = %.6g s a yarn is stretched by %.2g %%, which it cannot be: do pins draw it apart? (column strain of stats.csv tells more)",
			p.Time(), 100*n.stretch,
		))
	}
	return notes
}

func (n *interval) add(s *yarn.Stats, t float64) {
	n.steps++
	n.retries += s.Retries
	n.updates += s.Contact.Updates
	if len(s.Slips) > 0 && n.slip == nil {
		first := s.Slips[0]
		n.slip, n.slipTime = &first, t
	}
	n.slips = yarn.NewSlips(n.slips, s.Slips)
	n.shortest, n.longest = min(n.shortest, s.Length), max(n.longest, s.Length)
	n.closest = min(n.closest, s.Contact.Closest)
	n.strain, n.stretch = max(n.strain, s.Stretch+s.Spared), max(n.stretch, s.Stretch)
	n.fastest = max(n.fastest, s.Fastest)
	c := &s.Contact.Time
	n.contact += (c.Spline + c.Schedule + c.Sets + c.Force + c.Gather).Seconds()
	n.last = *s
}

func (n *interval) cells() []float64 {
	s := &n.last
	return []float64{
		float64(n.steps), float64(n.retries), float64(len(n.slips)), float64(s.Contact.Sets), float64(n.updates),
		n.shortest, n.longest, n.closest, s.Contact.Force, n.strain, n.fastest, s.Kinetic, s.Bend, s.Twist, n.contact,
	}
}

func (n *interval) words() string {
	text := fmt.Sprintf("steps of %.2g ms, yarns at %.2f of their diameter, %.2g m/s",
		1e3*n.longest, n.closest, n.fastest)
	if len(n.slips) > 0 {
		text += ", " + words.Count(len(n.slips), "slip")
	}
	return text
}

// slipNote says where yarns first passed through each other.
func (p *yarnPlay) slipNote(n *interval) string {
	x := p.built.World.Positions()[n.slip.A]
	return fmt.Sprintf(
		"at t = %.6g s yarns passed through each other: at %s and %s, near [%.3g, %.3g, %.3g] m (column slips of stats.csv tells of all)",
		n.slipTime, p.built.Where(n.slip.A), p.built.Where(n.slip.B), x.X, x.Y, x.Z,
	)
}

func (p *yarnPlay) Time() float64 { return p.built.World.Time() }

func (p *yarnPlay) Steps() int { return p.built.World.Steps() }

func (p *yarnPlay) Hash() engine.Hash { return engine.Hash(p.built.World.Hash()) }

func (p *yarnPlay) Checkpoint() (*runfolder.Checkpoint, error) {
	state := p.built.World.Snapshot()
	return &runfolder.Checkpoint{Step: p.Steps(), Hash: yarn.HashOf(state), State: state}, nil
}

func (p *yarnPlay) Restore(c *runfolder.Checkpoint) error {
	notThisOne := errors.New("its state is not the one it was made of")
	if yarn.HashOf(c.State) != c.Hash {
		return notThisOne
	}
	before := p.built.World.Snapshot()
	if err := p.built.World.Restore(c.State); err != nil {
		return err
	}
	if p.Steps() != c.Step {
		return errors.Join(notThisOne, p.built.World.Restore(before))
	}
	return nil
}

func (p *yarnPlay) Bodies() []runfolder.Body { return p.bodies }

func (p *yarnPlay) Frame(number int) *runfolder.Frame {
	w := p.built.World
	x, v := w.Positions(), w.Velocities()
	for i, piece := range p.built.Pieces {
		c := p.bodies[i].Curves
		c.Points = x[piece.First:piece.End]
		tension, speed, force := c.Attributes[0].Data, c.Attributes[1].Data, c.Attributes[2].Data
		for k := range tension {
			tension[k] = float32(w.Tension(piece.First + k))
			force[k] = float32(w.Touch(piece.First + k).Norm())
			if v != nil {
				speed[k] = float32(v[piece.First+k].Norm())
			}
		}
	}
	for i := range p.bodies[len(p.built.Pieces):] {
		b := &p.bodies[len(p.built.Pieces)+i]
		if b.Kind != runfolder.KindDeforming {
			b.Pose = w.ObstaclePose(i)
			continue
		}
		at := make([]r3.Vec, len(p.built.Obstacles[i].Positions))
		if err := p.built.Obstacles[i].Deform.At(w.Time(), at); err == nil || b.Mesh.Positions == nil { // it was there a moment ago
			b.Deform(at)
		}
	}
	return &runfolder.Frame{Number: number, Time: w.Time(), Step: w.Steps(), Hash: p.Hash().String(), Bodies: p.bodies}
}
