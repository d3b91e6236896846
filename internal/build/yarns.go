package build

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// BuiltYarns is a scene of yarns made into a world of yarns.
type BuiltYarns struct {
	World     *yarn.World
	Material  yarn.Material
	Pace      yarn.Pace         // how long its steps may be
	Pieces    []Piece           // in the order of the file
	Obstacles []engine.Obstacle // in the order of the file, as they would be in a world of cloths; numbered as in World
	Balls     []yarn.Ball       // the rigid bodies, in the order of the file; numbered in World after the obstacles
	Scene     *scenefile.Scene

	open []io.Closer // files of sequences
}

// Piece is a piece of a scene in its world.
type Piece struct {
	Name       string
	First, End int          // its control points are numbered from First up to End
	Yarns      [2]int       // its yarns likewise
	Fabric     *knit.Fabric // nil if it is from a file; in its own axes, with points numbered from 0
	Pins       [][]int      // of each of its pins: the points that it holds, by their numbers in the world
}

// Pinned returns how many points of the piece are held.
func (p *Piece) Pinned() int {
	n := 0
	for _, points := range p.Pins {
		n += len(points)
	}
	return n
}

// Close closes the files that obstacles are read from while the world advances.
func (b *BuiltYarns) Close() error {
	var errs []error
	for _, f := range b.open {
		errs = append(errs, f.Close())
	}
	b.open = nil
	return errors.Join(errs...)
}

// Where says in words where a control point is in its piece.
func (b *BuiltYarns) Where(point int) string {
	for i := range b.Pieces {
		p := &b.Pieces[i]
		if point < p.First || point >= p.End {
			continue
		}
		if p.Fabric == nil {
			return fmt.Sprintf("point %d of %s", point-p.First, p.Name)
		}
		wale, course := p.Fabric.LoopOf(point - p.First)
		if top, line := p.Fabric.LifeLine(point - p.First); line {
			edge := "bottom"
			if top {
				edge = "top"
			}
			return fmt.Sprintf("wale %d of the life line at the %s of %s", wale, edge, p.Name)
		}
		return fmt.Sprintf("wale %d, course %d of %s", wale, course, p.Name)
	}
	return fmt.Sprintf("point %d", point)
}

// onLifeLine reports whether a control point is one of a life line.
func (b *BuiltYarns) onLifeLine(point int) bool {
	return slices.ContainsFunc(b.Pieces, func(p Piece) bool {
		if p.Fabric == nil || point < p.First || point >= p.End {
			return false
		}
		_, line := p.Fabric.LifeLine(point - p.First)
		return line
	})
}

// Explain says in words of the scene where and why yarns are torn, if that is what an error of its world is about.
func (b *BuiltYarns) Explain(err error) error {
	var e *yarn.TornError
	switch {
	case !errors.As(err, &e):
		return err
	case !e.Drawn():
		const why = "%w at %s: something draws them apart, or moves them too fast"
		return fmt.Errorf(why, yarn.ErrTorn, b.Where(e.Point))
	}
	advice := ""
	if b.onLifeLine(e.Point) {
		advice = "; leave life lines out with open: [bottom, top]"
	}
	return fmt.Errorf("%w: pins hold %s and %s %.4g mm apart, with %.4g mm of yarn between them%s",
		yarn.ErrTorn, b.Where(e.Held[0]), b.Where(e.Held[1]), 1e3*e.Apart, 1e3*e.Length, advice)
}

// blockLoops is the side of the blocks of loops that are damped together, and blockPoints how many points along a yarn
// of a file are.
const (
	blockLoops  = 4
	blockPoints = 32
)

// contactModes are the words for how contact is computed.
var contactModes = map[string]yarn.ContactMode{
	"sets": yarn.ContactSets, "linear": yarn.ContactLinear, "pairs": yarn.ContactPairs,
}

// Yarns makes the world of a scene of yarns, for a number of workers; 0 means all cores. The same scene gives the
// same world, bit for bit. What can only be wrong with yarns in place is returned as Faults. Close it after use.
func Yarns(s *scenefile.Scene, workers int) (*BuiltYarns, error) {
	if !s.HasYarns() {
		return nil, fmt.Errorf("%s: the scene has no yarns", s.File())
	}
	// material and pace; all yarns are of one kind
	kind := &s.Yarns[0].Yarn
	b := &BuiltYarns{
		Scene: s, Material: kind.Material(),
		Pace: yarn.Pace{Base: min(scenefile.YarnBase, s.Time.Step), Most: s.Time.Step},
	}
	// empty world
	var err error
	b.World, err = yarn.New(yarn.Options{
		Material: b.Material, Gravity: s.Gravity.Start(), Mode: contactModes[kind.Model],
		Tolerance: scenefile.ContactTolerance(kind),
		Workers:   workers,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.File(), err)
	}
	// yarns, obstacles and balls
	faults := &scenefile.Found{}
	lay := &yarnLayer{}
	for i := range s.Yarns {
		addPiece(s, b, &s.Yarns[i], lay, faults)
	}
	for i := range s.Obstacles {
		addYarnObstacle(s, b, &s.Obstacles[i], faults)
	}
	for i := range s.Rigids {
		addBall(s, b, &s.Rigids[i], faults)
	}
	if err := faults.Err(); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	// what a world is told of all points at once
	err = b.World.SetBlocks(lay.blocks)
	if err == nil && lay.ramps {
		err = b.World.Ramp(lay.ratio, lay.ease)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.File(), err), b.Close())
	}
	return b, nil
}

// yarnLayer collects what a world is told of all points at once.
type yarnLayer struct {
	blocks []int32
	count  int32 // of blocks
	ratio  []float64
	ramps  bool
	ease   float64
}

// addPiece adds the yarns of a piece and what holds them.
func addPiece(s *scenefile.Scene, b *BuiltYarns, p *scenefile.YarnPiece, lay *yarnLayer, faults *scenefile.Found) {
	// curves of the piece, as laid
	built := Piece{Name: p.Name, First: len(b.World.Positions()), Yarns: [2]int{b.World.Yarns()}}
	curves, err := p.Laid()
	if err != nil {
		faults.Add(p.Fault("chart", "%s", strings.TrimPrefix(scenefile.OneLine(err), "knit: ")))
		return
	}
	built.Fabric = p.Made()
	pose := p.Place.Pose()
	fail := func(err error) {
		if err != nil {
			faults.Add(p.Fault("", "%s", scenefile.OneLine(err)))
		}
	}
	// a yarn for each curve, at its place
	curves.Each(func(first, end int, closed bool) {
		y := yarn.Yarn{Name: p.Name, Closed: closed, Keep: p.Rest == "laid"}
		for _, x := range curves.Points[first:end] {
			y.Points = append(y.Points, pose.Apply(x.Scale(p.Place.Scale)))
		}
		_, err := b.World.AddYarn(y)
		fail(err)
	})
	built.End, built.Yarns[1] = len(b.World.Positions()), b.World.Yarns()
	if built.End-built.First != len(curves.Points) {
		return // some yarn is faulty
	}
	// glue at ends of yarns, which would slip out
	if p.Made() != nil {
		for _, g := range p.Made().Glue {
			fail(b.World.AddGlue(yarn.Glue{A: built.First + g.A, B: built.First + g.B}))
		}
	}
	// holds, and what a world is told of all points at once
	held := holdPoints(s, b, p, &built, faults)
	lay.add(p, curves, held)
	b.Pieces = append(b.Pieces, built)
}

// add tells of the points of a piece which are damped together, and how their rest lengths change: not where both ends
// of a segment are held.
func (l *yarnLayer) add(p *scenefile.YarnPiece, curves *meshio.Curves, held map[int]int) {
	first := len(l.ratio)
	blocks, count := alongYarns(curves)
	var ratio []float64
	if p.Made() != nil {
		blocks, count = p.Made().Blocks(blockLoops)
		ratio = p.Made().Ratio
	}
	for i, k := range blocks {
		l.blocks = append(l.blocks, l.count+k)
		r := 1.0
		if ratio != nil {
			r = ratio[i]
		}
		l.ratio = append(l.ratio, r)
	}
	l.count += int32(count)
	for _, s := range curves.Segments() {
		_, a := held[int(s[0])]
		if _, b := held[int(s[1])]; a && b {
			l.ratio[first+int(s[0])] = 1
		}
	}
	if ratio != nil {
		l.ramps, l.ease = true, p.Ease
	}
}

// alongYarns divides yarns into blocks of points that follow on each other.
func alongYarns(curves *meshio.Curves) (blocks []int32, count int) {
	curves.Each(func(first, end int, _ bool) {
		for i := first; i < end; i++ {
			blocks = append(blocks, int32(count+(i-first)/blockPoints))
		}
		count = int(blocks[end-1]) + 1
	})
	return blocks, count
}

// holdPoints makes the pins of a piece holds. It returns which pin holds a point, numbered from 0. A point may be in
// several pins if they have the same motion; the first has it.
func holdPoints(
	s *scenefile.Scene, b *BuiltYarns, p *scenefile.YarnPiece, built *Piece, faults *scenefile.Found,
) map[int]int {
	holder, first := map[int]int{}, built.First
	for i := range p.Pins {
		pin := &p.Pins[i]
		// motion of the pin
		hold := yarn.Hold{}
		if m, ok := s.Motions[pin.Motion]; ok {
			hold.Motion = m.Path()
		}
		// points of which no pin before has hold
		for _, at := range pickPoints(&pin.Select, p, b.World.Positions()[first:], faults) {
			k, held := holder[at]
			if !held {
				holder[at] = i
				hold.Points = append(hold.Points, first+at)
				continue
			}
			if p.Pins[k].Motion != pin.Motion {
				faults.Add(pin.Select.Fault(
					"", "select finds point %d, which pin %d holds already with another motion", at, k,
				))
				break
			}
		}
		// hold for them
		built.Pins = append(built.Pins, hold.Points)
		if err := b.World.AddHold(hold); err != nil {
			faults.Add(pin.Fault("", "%s", scenefile.OneLine(err)))
		}
	}
	return holder
}

// pickPoints returns the points of a piece at x that are selected, ascending, numbered from 0. A selection of nothing
// is a fault.
func pickPoints(s *scenefile.YarnSelect, p *scenefile.YarnPiece, x []r3.Vec, faults *scenefile.Found) []int {
	// which points are meant
	var in func(i int) bool
	switch {
	case s.Word == "ends":
		ends := endsOf(p)
		in = func(i int) bool { return slices.Contains(ends, i) }
	case s.Word != "":
		in = func(i int) bool { return inEdge(s, p.Made(), i) }
	case s.Box != nil:
		box := r3.Box{Min: s.Box.Min.R3(), Max: s.Box.Max.R3()}
		in = func(i int) bool { return box.Contains(x[i]) }
	case s.Sphere != nil:
		center, r2 := s.Sphere.Center.R3(), s.Sphere.Radius*s.Sphere.Radius
		in = func(i int) bool { return x[i].Sub(center).Norm2() <= r2 }
	// nearest point, or points by number
	case s.Near != nil:
		return []int{int(scenefile.Closest(x, s.Near.R3()))}
	default:
		for _, id := range s.IDs {
			if id >= len(x) {
				faults.Add(s.Fault(
					"ids", "ids has %d, but the points of the piece are numbered from 0 to %d", id, len(x)-1,
				))
				return nil
			}
		}
		out := slices.Sorted(slices.Values(s.IDs))
		return slices.Compact(out)
	}
	// all points that are in it
	var out []int
	for i := range x {
		if in(i) {
			out = append(out, i)
		}
	}
	// nothing found is most likely a mistake
	if len(out) == 0 {
		hint := ""
		switch {
		case s.Word == "ends":
			hint = ": all its yarns are closed"
		case s.Box != nil || s.Sphere != nil:
			box := r3.BoxOf(x)
			hint = ": it starts between " + scenefile.ShowVec(box.Min) + " and " + scenefile.ShowVec(box.Max)
		}
		faults.Add(s.Fault("", "select finds no point%s", hint))
	}
	return out
}

// endsOf lists the first and last points of yarns that are not closed.
func endsOf(p *scenefile.YarnPiece) []int {
	var ends []int
	curves, err := p.Laid()
	if err != nil {
		return nil // it is faulty itself
	}
	curves.Each(func(first, end int, closed bool) {
		if !closed {
			ends = append(ends, first, end-1)
		}
	})
	return ends
}

// inEdge tells whether a point of a fabric belongs to the loops that the word of the selection names.
func inEdge(s *scenefile.YarnSelect, f *knit.Fabric, point int) bool {
	if s.Word == "all" {
		return true
	}
	wale, course := f.LoopOf(point)
	switch s.Word {
	case "top":
		return course == f.Courses-1
	case "bottom":
		return course == 0
	case "left":
		return wale == 0
	}
	return wale == f.Wales-1
}

// addYarnObstacle makes an obstacle one of yarns.
func addYarnObstacle(s *scenefile.Scene, b *BuiltYarns, o *scenefile.Obstacle, faults *scenefile.Found) {
	spec, _, open := obstacleSpec(s, o, faults)
	if open != nil {
		b.open = append(b.open, open)
	}
	if spec == nil {
		return
	}
	wall := yarn.Obstacle{
		Name: o.Name, Shape: spec.Shape, Place: spec.Place,
		Tri: spec.Tri, Positions: spec.Positions, Deform: spec.Deform,
		Friction: yarnFriction(s, o.Name, o.Friction),
	}
	if spec.Path != nil {
		wall.Motion = spec.Path
	}
	if _, err := b.World.AddObstacle(wall); err != nil {
		faults.Add(o.Shape.Fault("", "%s", scenefile.OneLine(err)))
		return
	}
	b.Obstacles = append(b.Obstacles, *spec)
}

// addBall makes a rigid body a ball among yarns.
func addBall(s *scenefile.Scene, b *BuiltYarns, r *scenefile.Rigid, faults *scenefile.Found) {
	spec, _, err := rigidOf(&r.Shape, r.Place.Scale)
	if err == nil {
		weigh(r, &spec)
		var own *scenefile.Scalar
		if r.Friction != nil {
			friction := scenefile.Number(*r.Friction)
			own = &friction
		}
		ball := yarn.Ball{
			Name: r.Name, Center: r.Place.Translate.R3(), Radius: spec.Radius, Mass: spec.Mass,
			Velocity: r.Velocity.R3(), Spin: r.Spin.R3(), Friction: yarnFriction(s, r.Name, own),
		}
		_, err = b.World.AddBall(ball)
		b.Balls = append(b.Balls, ball)
	}
	if err != nil {
		faults.Add(r.Fault("", "%s", scenefile.OneLine(err)))
	}
}

// yarnFriction returns the coefficient of friction of yarns with an obstacle or a ball that has a name and perhaps a
// coefficient of its own.
func yarnFriction(s *scenefile.Scene, name string, own *scenefile.Scalar) float64 {
	names := s.YarnNames()
	for i := range s.Friction.Pairs {
		if p := &s.Friction.Pairs[i]; p.Obstacle(names) == name {
			return p.Mu.Start()
		}
	}
	if own != nil {
		return own.Start()
	}
	return s.Friction.Default.Start()
}
