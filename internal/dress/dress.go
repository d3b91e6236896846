// Package dress sews garments and brings everybody to the first pose, before the clock starts.
//
// A garment comes as flat panels that hang around a body in its dressing pose. Layer by layer, from the inside out,
// seams are drawn together by threads while contact keeps everything apart and nothing weighs anything; then joined
// vertices are merged. At last gravity comes on and the body moves to where it is at t = 0. Times are negative, so that
// motions are asked where bodies were before: a sewing lasts until t = -lead at most, and the way to the first pose
// from there to 0.
//
// Invariant: nothing crosses all along if panels start clear of what is inside them, which clearPanels sees to.
package dress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// Dressing tells how far dressing is.
type Dressing struct {
	Cloth string         // that is being sewn; empty on the way to the first pose
	Done  float64        // from 0 to 1, of the sewing or of the way
	Steps int            // taken since the panels hung free, also before dressing went on from what was kept
	Gap   float64        // widest stitch [m]
	Stats []engine.Stats // of the steps since the last call
}

// Dressed is what dressing led to: where the vertices of each sewn cloth are at t = 0, and how fast.
type Dressed struct {
	cloths []build.Worn
	// Sewn tells how the sewing of each garment went, in the order in which they were put on.
	Sewn []Sewing
}

// Sewing tells how the seams of a garment were closed.
type Sewing struct {
	Cloth string
	Steps int     // taken
	Time  float64 // simulated [s]
	Wide  float64 // the widest stitch when the panels were placed [m]
	Gap   float64 // and when they were joined [m]
}

// closedGap is the width of a stitch, in the greatest thickness of contact of its cloth, at which its vertices are
// joined: contact keeps the edges of panels one thickness apart. Corners of several stiff panels may stay wider:
// closedPart of a triangle is close enough, too, and once threads are as short as they become, lastPart of one. In any
// case joining must make nothing cross.
const (
	closedGap  = 2
	closedPart = 0.1
	lastPart   = 0.25
)

// calming is the part of its velocity that a vertex keeps from one step of sewing to the next. Panels hang in nothing
// and would swing.
const calming = 0.9

// dressingTolerance is the residual of contact problems while dressing [m/s]: a second of it is a tenth of a thickness.
const dressingTolerance = 1e-4

// slower is by how much threads shorten more slowly, and steps are shorter, where joining the panels makes something
// cross: folds that are laid in a hurry lie askew.
const slower = 2

// Options say how Scene works. None of them bears on the result. The zero value is ready.
type Options struct {
	// Workers is the number of cores used; 0 means all.
	Workers int
	// Tell, if not nil, is called after every step.
	Tell func(Dressing)
	// Saved is a state that Save was given, or Sewn, from which to go on; nil: from the start.
	Saved []byte
	// Save, if not nil, is called after every step, and when ctx is cancelled, with what returns the state reached.
	Save func(state func() ([]byte, error))
	// Sewn, if not nil, is called with the state in which all is sewn, unless Saved is beyond that. It fits all scenes
	// with the same SewingKey.
	Sewn func(state []byte)
}

// Scene sews the garments of the scene and brings everybody to where they are at t = 0.
func Scene(ctx context.Context, s *scenefile.Scene, opt Options) (*Dressed, error) {
	if !s.Dresses() {
		return &Dressed{cloths: build.Undressed(s)}, nil
	}
	d := &dresser{scene: s, ctx: ctx, opt: opt, fitting: fitting{cloths: build.Undressed(s)}}
	for i := range d.cloths {
		d.cloths[i].Absent = true // until its turn
	}
	if opt.Saved != nil {
		if err := d.unmarshal(s, opt.Saved); err != nil {
			return nil, err
		}
	}
	layers := s.LayersToSew()
	for d.layer < len(layers) {
		if err := d.sew(layers[d.layer]); err != nil {
			return nil, err
		}
	}
	if opt.Sewn != nil && d.world == nil {
		state, err := d.marshal()
		if err != nil {
			return nil, err
		}
		opt.Sewn(state)
	}
	if err := d.lead(); err != nil {
		return nil, err
	}
	return &Dressed{cloths: d.cloths, Sewn: d.sewn}, nil
}

// dresser is a dressing under way.
type dresser struct {
	scene   *scenefile.Scene
	ctx     context.Context
	opt     Options
	crossed string // what crossed when panels were last joined, in words
	fitting
}

// fitting is how far a dressing is: all that is needed to go on with it.
type fitting struct {
	layer  int          // that is being sewn, of layersToSew; their number: on the way to the first pose
	slow   bool         // it is sewn slowly, since joining it in a hurry made something cross
	tight  bool         // its threads pull strongly
	start  float64      // when the world under way began [s]
	steps  int          // taken on the way to the first pose
	told   []Sewing     // of the layer; nil: not begun
	sewn   []Sewing     // of the layers before it
	cloths []build.Worn // as they were when the world under way was built
	world  []byte       // the state to go on from; nil: as it is built
}

// build builds the world as it is now.
func (d *dresser) build(start float64, gravity bool) (*build.Built, error) {
	s := d.scene
	opt := s.Options()
	opt.Start = start
	opt.Contact.Tolerance = max(opt.Contact.Tolerance, dressingTolerance)
	opt.Contact.PointContacts = true
	if !gravity {
		opt.Gravity, opt.Contact.Friction = r3.Vec{}, 0
		s = s.WithoutFriction()
	}
	b, err := build.Clothed(s, opt, d.cloths)
	if err == nil {
		b.World.SetWorkers(d.opt.Workers)
		b.World.SetContext(d.ctx)
	}
	return b, err
}

// begin builds a world that begins at a time, or the one under way at the state to go on from.
func (d *dresser) begin(start float64, gravity bool) (*build.Built, error) {
	if d.world == nil {
		d.start = start
	}
	b, err := d.build(d.start, gravity)
	if err != nil || d.world == nil {
		return b, err
	}
	var state engine.Snapshot
	if err = state.UnmarshalBinary(d.world); err == nil {
		err = b.World.Restore(&state)
	}
	if err != nil {
		_ = b.Close() // read only
		return nil, fmt.Errorf("%w: %w", ErrFitting, err)
	}
	return b, nil
}

// sew closes the seams of the cloths of the next layer: softly, and then what is still open with short, strong threads.
// Where seams close softly and joining them makes something cross, the layer is left to be sewn once more, slowly.
func (d *dresser) sew(layer []int) error {
	if d.slow {
		hurried := d.scene
		d.scene = slowly(hurried)
		defer func() { d.scene = hurried }()
	}
	s := d.scene
	if d.told == nil {
		if err := d.clearPanels(layer, s.SewingStart()); err != nil {
			return err
		}
		d.told = make([]Sewing, len(layer))
		for k, i := range layer {
			d.told[k].Cloth = s.Cloths[i].Name
		}
	}
	// softly first, then with short, strong threads
	closed := false
	if !d.tight {
		var err error
		if closed, err = d.draw(layer, scenefile.Softly*s.Dressing.Close); err != nil {
			return err
		}
	}
	if !closed && !d.tight && !d.slow && d.onlyCrosses(layer) {
		d.startOver(layer)
		return nil
	}
	if !closed {
		d.tight = true
		for _, i := range layer {
			d.cloths[i].Tight = true
		}
		closed, err := d.draw(layer, s.Dressing.Close)
		if err != nil {
			return err
		}
		if !closed {
			return d.notClosed(layer)
		}
	}
	// this layer is sewn
	d.sewn = append(d.sewn, d.told...)
	d.layer, d.slow, d.tight, d.told = d.layer+1, false, false, nil
	return nil
}

// slowly returns the scene with garments that are sewn slowly.
func slowly(s *scenefile.Scene) *scenefile.Scene {
	out := *s
	out.Dressing.Close *= slower
	out.Dressing.Step /= slower
	return &out
}

// onlyCrosses tells whether all stitches of a layer whose time is up are narrow enough to be joined: it was tried,
// then, and made something cross.
func (d *dresser) onlyCrosses(layer []int) bool {
	for k, i := range layer {
		if d.told[k].Gap > joinGap(d.scene, &d.scene.Cloths[i], lastPart) {
			return false
		}
	}
	return true
}

// startOver hangs the panels of a layer where they were, to be sewn slowly.
func (d *dresser) startOver(layer []int) {
	for _, i := range layer {
		d.cloths[i] = build.Worn{Absent: true, Apart: d.scene.Cloths[i].Shape.Made().Positions}
	}
	d.slow, d.tight, d.told = true, false, nil
}

// draw lets the threads of a layer pull for some time [s], or until all seams are closed and joined.
func (d *dresser) draw(layer []int, patience float64) (closed bool, err error) {
	s, told := d.scene, d.told
	again := d.world != nil
	b, err := d.begin(s.SewingStart()+told[0].Time, false)
	if err != nil {
		return false, err
	}
	defer func() { _ = b.Close() }() // read only
	at := make([]engine.ClothID, len(layer))
	for k, i := range layer {
		at[k] = b.Cloths[slices.IndexFunc(b.Cloths, func(c build.Cloth) bool { return c.Name == s.Cloths[i].Name })].ID
		if told[k].Steps == 0 {
			told[k].Wide, _ = cloths.WidestStitch(b.World, at[k])
		}
	}
	if !again {
		if what := crossed(b.World); what != "" {
			return false, fmt.Errorf("before a stitch is sewn %s; move the panels apart", what)
		}
	}
	for !closed && b.World.Time() < d.start+patience {
		tell := Dressing{Cloth: told[0].Cloth, Gap: told[0].Gap, Done: min(1, told[0].Time/s.Dressing.Close)}
		if err := d.step(b, s.Dressing.Step, tell); err != nil {
			return false, err
		}
		if closed, err = d.tryToJoin(b, layer, at); err != nil {
			return false, err
		}
		if !closed {
			d.save(b)
		}
	}
	d.world = nil
	if !closed {
		d.keep(b)
	}
	return closed, nil
}

// tryToJoin looks how wide the stitches of a layer are after a step, and joins it if they are closed.
func (d *dresser) tryToJoin(b *build.Built, layer []int, at []engine.ClothID) (joined bool, err error) {
	s, told := d.scene, d.told
	part := closedPart
	if told[0].Time >= s.Dressing.Close {
		part = lastPart
	}
	closed := true
	for k, id := range at {
		told[k].Gap, _ = cloths.WidestStitch(b.World, id)
		told[k].Steps++
		told[k].Time = b.World.Time() - s.SewingStart()
		closed = closed && told[k].Gap <= joinGap(s, &s.Cloths[layer[k]], part)
	}
	calm(b)
	if !closed {
		return false, nil
	}
	begun := slices.Clone(d.cloths)
	d.keep(b)
	if joined, err = d.join(layer); !joined {
		d.cloths = begun
	}
	return joined, err
}

// save offers the state to be kept.
func (d *dresser) save(b *build.Built) {
	if d.opt.Save == nil {
		return
	}
	d.opt.Save(func() ([]byte, error) {
		under := d.fitting
		var err error
		if under.world, err = b.World.Snapshot().MarshalBinary(); err != nil {
			return nil, err
		}
		return under.marshal()
	})
}

// joinGap returns the width of a stitch at which its vertices are joined [m]: some thicknesses, or part of a triangle.
func joinGap(s *scenefile.Scene, c *scenefile.Cloth, part float64) float64 {
	return max(closedGap*build.Thickest(s, c), part*c.Shape.MeshSize())
}

// join joins the panels of a layer, unless that makes something cross.
func (d *dresser) join(layer []int) (joined bool, err error) {
	for _, i := range layer {
		d.cloths[i] = d.cloths[i].Joined(d.scene.Cloths[i].Shape.Made())
	}
	b, err := d.build(-d.scene.Lead(), false)
	if err != nil {
		return false, err
	}
	defer func() { _ = b.Close() }() // read only
	d.crossed = crossed(b.World)
	return d.crossed == "", nil
}

// step takes one step of dressing. If it is stopped, the state before it is kept.
func (d *dresser) step(b *build.Built, h float64, at Dressing) error {
	err := d.ctx.Err() // the world may heed it a moment later
	if err == nil {
		err = b.World.Advance(h, h, func(s engine.Stats) { at.Stats = append(at.Stats, s) })
	}
	if err != nil && d.ctx.Err() != nil {
		d.save(b)
	}
	if err == nil && d.opt.Tell != nil {
		at.Steps = d.taken() + 1
		d.opt.Tell(at)
	}
	return err
}

// taken returns how many steps dressing has taken. Garments of a layer are sewn together.
func (d *dresser) taken() int {
	steps, sewn := d.steps, d.sewn
	for _, layer := range d.scene.LayersToSew()[:d.layer] {
		steps += sewn[0].Steps
		sewn = sewn[len(layer):]
	}
	if d.told != nil {
		steps += d.told[0].Steps
	}
	return steps
}

// calm takes some of their speed from all cloths.
func calm(b *build.Built) {
	for _, c := range b.Cloths {
		v := slices.Clone(b.World.Velocities(c.ID))
		for i := range v {
			v[i] = v[i].Scale(calming)
		}
		b.World.SetVelocities(c.ID, v)
	}
}

// keep notes where the world has brought the cloths.
func (d *dresser) keep(b *build.Built) {
	for _, c := range b.Cloths {
		i := slices.IndexFunc(d.scene.Cloths, func(k scenefile.Cloth) bool { return k.Name == c.Name })
		x := slices.Clone(b.World.Positions(c.ID))
		if w := &d.cloths[i]; w.Apart != nil {
			w.Apart = x
		} else {
			w.X, w.V = x, slices.Clone(b.World.Velocities(c.ID))
		}
	}
}

// notClosed says which seams are too wide to be joined, or that joining them makes something cross.
func (d *dresser) notClosed(layer []int) error {
	var faults []error
	for _, i := range layer {
		// widest gap of its seams
		c, x := &d.scene.Cloths[i], d.cloths[i].Apart
		gap, widest := 0.0, 0
		for k, p := range c.Shape.Made().Stitches {
			if wide := x[p[0]].Sub(x[p[1]]).Norm(); wide > gap {
				gap, widest = wide, k
			}
		}
		if gap > joinGap(d.scene, c, lastPart) {
			faults = append(
				faults,
				fmt.Errorf(
					"%s is still open by %s after %.3g s of sewing: "+
						"something is in its way, or it is too tight for what it goes around",
					stitchName(c, widest),
					lengthOf(gap),
					scenefile.SewingPatience*d.scene.Dressing.Close,
				),
			)
		}
	}
	// nothing is open: it was joining that failed
	if faults == nil {
		return fmt.Errorf(
			"after joining the seams of %s %s; a finer mesh (size) may help",
			d.scene.Cloths[layer[0]].Name,
			d.crossed,
		)
	}
	return errors.Join(faults...)
}

// stitchName names the seam that a stitch belongs to.
func stitchName(c *scenefile.Cloth, stitch int) string {
	if k := c.Shape.Made().Seam[stitch]; k >= 0 {
		return fmt.Sprintf("seam %q of %s", c.Shape.Cut().Seams[k].Name, c.Name)
	}
	return "a dart or pleat of " + c.Name
}

// lengthOf writes a length for people.
func lengthOf(m float64) string {
	if m < 0.01 {
		return fmt.Sprintf("%.2g mm", 1e3*m)
	}
	return fmt.Sprintf("%.3g cm", 1e2*m)
}

// crossed says in words what crosses, or returns nothing.
func crossed(w *engine.World) string {
	n, first := w.Crossings()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d pairs of triangles cross, the first of %s and %s",
		n, w.SurfaceName(engine.SurfaceID(first.SurfaceA)), w.SurfaceName(engine.SurfaceID(first.SurfaceB)))
}

// lead brings bodies from the dressing pose to where they are at t = 0, with gravity.
func (d *dresser) lead() error {
	lead := d.scene.Lead()
	if lead == 0 {
		return nil
	}
	b, err := d.begin(-lead, true)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }() // read only
	for steps := d.scene.LeadSteps(); d.steps < int(steps); {
		if err := d.step(b, lead/steps, Dressing{Done: float64(d.steps+1) / steps}); err != nil {
			return fmt.Errorf("on the way to the first pose: %w", err)
		}
		d.steps++
		d.save(b)
	}
	d.keep(b)
	return nil
}

// panelGap is how far panels start from what is inside them, at least [m].
const panelGap = 0.01

// clearPanels moves the flat panels of a layer outwards, along their normals, as far as what is there already asks for.
func (d *dresser) clearPanels(layer []int, start float64) error {
	b, err := d.build(start, false)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }() // read only
	var inside []r3.Vec
	for _, c := range b.Cloths {
		inside = append(inside, b.World.Positions(c.ID)...)
	}
	for _, o := range b.Obstacles {
		inside = append(inside, b.World.ObstaclePositions(o.ID)...)
	}
	for _, i := range layer {
		g := d.scene.Cloths[i].Shape.Made()
		x := slices.Clone(d.cloths[i].Apart)
		for p := range int32(len(d.scene.Cloths[i].Shape.Cut().Panels)) {
			clearPanel(g, p, x, inside)
		}
		d.cloths[i].Apart, d.cloths[i].Absent = x, false
	}
	return nil
}

// clearPanel moves one panel, unless it is rolled.
func clearPanel(g *pattern.Garment, panel int32, x, inside []r3.Vec) {
	var members []int32
	for i, p := range g.Panel {
		if p == panel {
			members = append(members, int32(i))
		}
	}
	plane := panelPlane(g, panel, x)
	for _, i := range members {
		if math.Abs(plane.height(x[i])) > 1e-9 {
			return
		}
	}
	covered := panelCover(g, panel, x, &plane)
	top := math.Inf(-1)
	for _, q := range inside {
		if height := plane.height(q); height > top && covered(plane.flat(q)) {
			top = height
		}
	}
	if shift := top + panelGap; shift > 0 && !math.IsInf(shift, 1) {
		for _, i := range members {
			x[i] = x[i].AddScaled(shift, plane.normal)
		}
	}
}

// panelCover returns what tells whether a place in its plane is covered by a panel, or nearer than panelGap to it. A
// panel may lie around a neck or a limb.
func panelCover(g *pattern.Garment, panel int32, x []r3.Vec, plane *plane) func(r3.Vec2) bool {
	var flat [][3]r3.Vec
	for _, t := range g.Flat.Tri {
		if g.Panel[t[0]] == panel {
			var corners [3]r3.Vec
			for k, i := range t {
				p := plane.flat(x[i])
				corners[k] = r3.V(p.X, p.Y, 0)
			}
			flat = append(flat, corners)
		}
	}
	return func(p r3.Vec2) bool {
		return slices.ContainsFunc(flat, func(t [3]r3.Vec) bool {
			_, _, dist2 := geom.PointTriangle(r3.V(p.X, p.Y, 0), t[0], t[1], t[2])
			return dist2 < panelGap*panelGap
		})
	}
}

// plane is a plane with axes in it.
type plane struct{ at, right, up, normal r3.Vec }

func panelPlane(g *pattern.Garment, panel int32, x []r3.Vec) plane {
	t := g.Flat.Tri[slices.IndexFunc(g.Flat.Tri, func(t [3]int32) bool { return g.Panel[t[0]] == panel })]
	right := x[t[1]].Sub(x[t[0]]).Unit()
	normal := right.Cross(x[t[2]].Sub(x[t[0]])).Unit()
	return plane{x[t[0]], right, normal.Cross(right), normal}
}

func (p *plane) height(q r3.Vec) float64 { return q.Sub(p.at).Dot(p.normal) }

func (p *plane) flat(q r3.Vec) r3.Vec2 {
	return r3.Vec2{X: q.Sub(p.at).Dot(p.right), Y: q.Sub(p.at).Dot(p.up)}
}

// World makes the world of a scene at t = 0 with its garments on. What another scene has dressed is an error.
func World(s *scenefile.Scene, d *Dressed) (*build.Built, error) {
	if len(d.cloths) != len(s.Cloths) {
		return nil, fmt.Errorf("%s: it has %d cloths, and %d were dressed", s.File(), len(s.Cloths), len(d.cloths))
	}
	cloths := slices.Clone(d.cloths)
	for i := range cloths {
		cloths[i].Absent = false
	}
	return build.Clothed(s, s.Options(), cloths)
}
