package scenefile

import (
	"strings"

	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

func (*Friction) expand(n *node) (*node, string) {
	if n.kind == scalarNode || n.get("keys") != nil {
		return wrap("default", n), ""
	}
	return n, ""
}

// checkFriction checks the names of pairs.
func (s *Scene) checkFriction(d *decoder) {
	if s.faultyLists() {
		return
	}
	// names of what moves, and of all
	names := s.bodyNames()
	moves := map[string]bool{}
	for _, name := range names {
		moves[name] = true
	}
	for i := range s.Obstacles {
		names = append(names, s.Obstacles[i].Name)
	}
	known := map[string]bool{}
	for _, name := range names {
		known[name] = true
	}
	// pairs: names that exist, one that moves, and none twice
	seen := map[[2]string]bool{}
	for i := range s.Friction.Pairs {
		p := &s.Friction.Pairs[i]
		if p.Between == ([2]string{}) {
			continue // faulty by itself
		}
		unknown := false
		// unknown names, with a suggestion
		for _, name := range p.Between {
			if name != "" && !known[name] {
				unknown = true
				d.faults.add(
					p.key("between"),
					"no body or obstacle has the name %s%s",
					shown(name),
					suggestion(name, names),
				)
			}
		}
		a, b := p.Between[0], p.Between[1]
		switch {
		case unknown:
		case !moves[a] && !moves[b]:
			d.faults.add(
				p.key("between"),
				"%q and %q are obstacles, which do not rub on each other; one of the two must be a body that moves",
				a,
				b,
			)
		case seen[[2]string{min(a, b), max(a, b)}]:
			d.faults.add(p.key("between"), "the pair of %q and %q is given twice", a, b)
		}
		seen[[2]string{min(a, b), max(a, b)}] = true
	}
}

// checkFollow checks that a pin can follow what it names.
func (s *Scene) checkFollow(d *decoder, p *Pin) {
	if p.Follow == "" || s.Obstacles == nil && s.given("obstacles") { // in the latter case they are faulty as a whole
		return
	}
	// obstacle that is meant
	var names []string
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		if o.Name == p.Follow {
			if o.Press != nil {
				d.faults.add(
					p.key("follow"),
					"%q is a press, which goes where contact lets it; a pin can follow what has a motion of its own",
					o.Name,
				)
			}
			return
		}
		names = append(names, o.Name)
	}
	// suggestion if there is none
	hint := suggestion(p.Follow, names)
	for i := range s.Cloths {
		if s.Cloths[i].Name == p.Follow {
			hint = "; that is a cloth, and pins follow obstacles"
		}
	}
	if len(names) == 0 {
		hint = "; this scene has no obstacles"
	}
	d.faults.add(p.key("follow"), "no obstacle has the name %s%s", shown(p.Follow), hint)
}

func (c *Contact) check(d *decoder) {
	if c.Relaxation != nil && c.Solver != "relaxation" {
		d.faults.add(c.Relaxation.at, "relaxation goes with solver: relaxation, not %s", c.Solver)
	}
	if c.Staggered != nil && c.Solver != "staggered" {
		d.faults.add(c.Staggered.at, "staggered goes with solver: staggered, not %s", c.Solver)
	}
}

func (r *Relaxation) setDefaults() { r.Friction, r.Stop, r.Form = "disk", "residual", "mixed" }

func (g *Staggered) setDefaults() { *g = Staggered{Metric: "full", Disks: "exact", Forward: true} }

func (o *Obstacle) setDefaults() { o.Place.Scale = 1 }

func (o *Obstacle) check(d *decoder) {
	// what only meshes have
	if sh := &o.Shape; o.Space != nil && sh.File == "" && sh.Sequence == nil && sh.Mannequin == nil {
		d.faults.add(
			o.key("space"),
			"space is for meshes: file, sequence or mannequin; other shapes cannot go through themselves",
		)
	}
	if sh := &o.Shape; o.Contact != nil && sh.File == "" && sh.Sequence == nil && sh.Mannequin == nil {
		d.faults.add(
			o.key("contact"),
			"contact is for meshes: file, sequence or mannequin; other shapes are smooth already",
		)
	}
	// shapes that move by themselves
	kind, instead := "", ""
	switch {
	case o.Shape.Sequence != nil:
		kind, instead = "sequence", "leave motion out, or write shape: {file: ...} for one frame that moves as a whole"
	case o.Shape.Mannequin != nil:
		kind, instead = "mannequin", "write it there: shape: {mannequin: {motion: twist}}"
	default:
		return
	}
	// second motions
	if o.Motion != "" {
		d.faults.add(o.key("motion"), "a %s has its motion in itself; %s", kind, instead)
	}
	if o.Press != nil {
		d.faults.add(o.key("press"), "a %s has its motion in itself and cannot be a press", kind)
	}
}

func (c *Touched) check(d *decoder) {
	for _, key := range []string{"kernel", "epsilon", "radius", "transport"} {
		if c.Surface == "polygons" && c.given(key) {
			d.faults.add(c.key(key), "%s is for surface: smooth", key)
		}
	}
	if c.Surface == "smooth" && c.given("epsilon") && c.Kernel != "interpolating" {
		d.faults.add(c.key("epsilon"), "epsilon is for kernel: interpolating")
	}
}

// obstacleShapes are the keys of an ObstacleShape of which there is one.
var obstacleShapes = []string{"sphere", "plane", "capsule", "box", "cylinder", "cone", "file", "sequence", "mannequin"}

func (s *ObstacleShape) check(d *decoder) {
	// exactly one shape
	var given []string
	for _, key := range obstacleShapes {
		if s.given(key) {
			given = append(given, key)
		}
	}
	switch {
	case len(given) == 0:
		d.faults.add(s.at, "shape needs one of %s, such as {sphere: {radius: 0.3}}", orList(obstacleShapes))
		return
	case len(given) > 1:
		d.faults.add(s.key(given[1]), "shape has %s; write one of them", andList(given))
		return
	}
	// mesh files have a unit
	if s.File != "" {
		if s.Unit == 0 {
			s.Unit = 1
		}
		return
	}
	// keys of mesh files only
	for _, key := range []string{"up", "unit", "weld"} {
		if !s.given(key) {
			continue
		}
		if s.Sequence != nil {
			d.faults.add(s.key(key), "%s of a sequence is written inside it: sequence: {..., %s: ...}", key, key)
			continue
		}
		d.faults.add(s.key(key), "%s is for mesh files, but this shape is a %s", key, given[0])
	}
}

func (p *PlaneShape) setDefaults() { p.Normal = Vec{0, 0, 1} }

func (p *PlaneShape) check(d *decoder) { checkDirection(d, p.Normal, "normal", &p.placed) }

func (c *ConeShape) setDefaults() { c.Axis = Vec{0, 0, 1} }

func (c *ConeShape) check(d *decoder) { checkDirection(d, c.Axis, "axis", &c.placed) }

func checkDirection(d *decoder, v Vec, key string, at *placed) {
	if !(v.R3().Norm() > 0) {
		d.faults.add(at.key(key), "%s must not be zero; write a direction such as [0, 0, 1]", key)
	}
}

func (r *RodShape) check(d *decoder) {
	ends := r.From != nil || r.To != nil
	switch {
	case ends && r.given("length"):
		d.faults.add(r.key("length"), "length follows from the points from and to; write either those or length")
	case ends && r.given("axis"):
		d.faults.add(r.key("axis"), "axis follows from the points from and to; it goes with length")
	case ends && (r.From == nil || r.To == nil):
		d.faults.add(r.at, "from and to belong together: {radius: 0.1, from: [0, 0, 0], to: [0, 0, 1]}")
	case ends && !(r.To.R3().Sub(r.From.R3()).Norm() >= 1e-6):
		d.faults.add(r.key("to"), "to is the same point as from; they must be at least 1e-6 m apart")
	case !ends && r.Length == 0:
		d.faults.add(
			r.at,
			"needs the points from and to, or a length: {radius: 0.1, from: [0, 0, 0], to: [0, 0, 1]} or {radius: 0.1, length: 1}",
		)
	case r.Axis != nil:
		checkDirection(d, *r.Axis, "axis", &r.placed)
	}
}

// Ends returns the middles of the two ends.
func (r *RodShape) Ends() (a, b r3.Vec) {
	if r.From != nil {
		return r.From.R3(), r.To.R3()
	}
	half := r3.V(0, 0, r.Length/2)
	if r.Axis != nil {
		half = r.Axis.R3().Unit().Scale(r.Length / 2)
	}
	return half.Neg(), half
}

func (p *Press) setDefaults() { p.Mass = 1 }

func (p *Press) check(d *decoder) { checkDirection(d, p.Axis, "axis", &p.placed) }

func (s *Sequence) check(d *decoder) {
	before := len(d.faults.list)
	// either numbered files or a cache, with what each needs
	switch {
	case s.Files == "" && s.Cache == "":
		d.faults.add(
			s.at,
			"sequence needs files or a cache: {files: body.####.obj, last: 100, fps: 24} or {cache: body.pc2, base: body.obj, fps: 24}",
		)
	case s.Files != "" && s.Cache != "":
		d.faults.add(s.key("cache"), "sequence has files and a cache; write one of them")
	case s.Files != "":
		s.checkNumbered(d)
	default:
		for _, key := range []string{"first", "last", "weld"} {
			if s.given(key) {
				d.faults.add(s.key(key), "%s is for numbered files; of a cache all frames and points are used", key)
			}
		}
		if s.Base == "" {
			d.faults.add(s.at, "a cache has no triangles; name the mesh that it belongs to: base: body.obj")
		}
	}
	// rate of frames, unless the cache has times
	if s.FPS == 0 && !strings.HasSuffix(strings.ToLower(s.Cache), ".mdd") {
		d.faults.add(s.at, `sequence needs the key "fps": frames of the sequence in each second`)
	}
	if s.Unit == 0 {
		s.Unit = 1
	}
	s.sound = len(d.faults.list) == before
}

// maxSequence is how many files a sequence may have.
const maxSequence = 1_000_000

func (s *Sequence) checkNumbered(d *decoder) {
	if s.given("base") {
		d.faults.add(s.key("base"), "base is for a cache; numbered files have triangles of their own")
	}
	if _, ok := numbered(s.Files, 0); !ok {
		d.faults.add(
			s.key("files"),
			"files must have one group of # for the number in its last part, such as body.####.obj for body.0001.obj",
		)
		return
	}
	switch {
	case s.Last == nil:
		d.faults.add(s.at, `sequence needs the key "last": number of the last file`)
	case *s.Last < s.First:
		d.faults.add(s.key("last"), "last must not be below first: %d is below %d", *s.Last, s.First)
	case *s.Last-s.First >= maxSequence:
		d.faults.add(s.key("last"), "last makes %d files; at most %d are allowed", *s.Last-s.First+1, maxSequence)
	}
}

func (s *SpaceRules) setDefaults() { s.Margin, s.Every = untangle.DefaultSpaceOptions().Margin, 0.02 }
