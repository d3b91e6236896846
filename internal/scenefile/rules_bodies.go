package scenefile

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

// Freedoms are the words for what a rigid body can do: along three axes, and about them.
var Freedoms = []string{"x", "y", "z", "turn-x", "turn-y", "turn-z"}

func (*Hold) expand(n *node) (*node, string) {
	switch {
	case n.kind == scalarNode && n.text == "all":
		list := &node{kind: listNode, at: n.at}
		for _, word := range Freedoms {
			list.items = append(list.items, &node{kind: scalarNode, at: n.at, text: word})
		}
		return wrap("freedoms", list), ""
	case n.kind == scalarNode:
		return wrap("freedoms", &node{kind: listNode, at: n.at, items: []*node{n}}), ""
	case n.kind == listNode:
		return wrap("freedoms", n), ""
	}
	return n, ""
}

// Has tells whether a freedom is held.
func (h *Hold) Has(word string) bool { return h != nil && slices.Contains(h.Freedoms, word) }

func (h *Hold) check(d *decoder) {
	for i, word := range h.Freedoms {
		if slices.Contains(h.Freedoms[:i], word) {
			d.faults.add(h.key("freedoms"), "hold names %s twice", word)
			return
		}
	}
}

func (r *Rigid) setDefaults() { r.Place.Scale = 1 }

func (r *Rigid) check(d *decoder) {
	if r.Restitution != 0 {
		d.faults.add(
			r.key("restitution"),
			"restitution must be 0: contacts are solved so that nothing bounces, and no law of bouncing holds for several contacts at once",
		)
	}
	if r.Density != nil && r.Mass != nil {
		d.faults.add(r.key("mass"), "mass follows from density; write one of them")
	}
	if m := r.Inertia; m != nil && 2*max(m[0], m[1], m[2]) > m[0]+m[1]+m[2] {
		d.faults.add(r.key("inertia"), "inertia of %g, %g and %g kg m2: none can be larger than the sum of the others",
			m[0], m[1], m[2])
	}
	if r.Hold == nil || len(r.Hold.Freedoms) < len(Freedoms) {
		return
	}
	const idle = "%s plays no part in a body that is held in all freedoms; give it a motion"
	if r.Velocity != (Vec{}) {
		d.faults.add(r.key("velocity"), idle, "velocity")
	}
	if r.Spin != (Vec{}) {
		d.faults.add(r.key("spin"), idle, "spin")
	}
}

// oneShape checks that a shape has just one of the keys, and returns that.
func oneShape(d *decoder, p *placed, keys []string, example string) string {
	var given []string
	for _, key := range keys {
		if p.given(key) {
			given = append(given, key)
		}
	}
	switch len(given) {
	case 0:
		d.faults.add(p.at, "shape needs one of %s, such as %s", orList(keys), example)
		return ""
	case 1:
		return given[0]
	}
	d.faults.add(p.key(given[1]), "shape has %s; write one of them", andList(given))
	return ""
}

// onlyForFiles refuses keys that are about files in a shape that has none.
func onlyForFiles(d *decoder, p *placed, shape, hint string, keys ...string) {
	for _, key := range keys {
		if p.given(key) {
			d.faults.add(p.key(key), "%s is for files, but this shape is a %s%s", key, shape, hint)
		}
	}
}

func (s *RigidShape) check(d *decoder) {
	switch key := oneShape(d, &s.placed, []string{"box", "sphere", "capsule", "cylinder", "cone", "file"},
		"{box: {size: [0.1, 0.1, 0.1]}}"); key {
	case "":
	case "file":
		if s.Unit == 0 {
			s.Unit = 1
		}
	default:
		onlyForFiles(d, &s.placed, key, "", "up", "unit", "weld")
	}
}

func (s *Solid) setDefaults() { s.Place.Scale = 1 }

func (m *SolidMaterial) setDefaults() { m.Law, m.Poisson = "corotational", 0.3 }

func (*SolidMaterial) expand(n *node) (*node, string) {
	if n.kind == scalarNode {
		return wrap("preset", n), ""
	}
	return n, ""
}

// start puts figures of the preset where there are no others.
func (m *SolidMaterial) start(d *decoder) {
	preset, err := material.LookupSoft(m.Preset)
	if err != nil {
		d.faults.add(m.key("preset"), "%v", err)
		return
	}
	if !m.given("density") {
		m.Density = preset.Density
	}
	if m.given("mu") || m.given("lambda") {
		return
	}
	if !m.given("young") {
		m.Young = preset.Young
	}
	if !m.given("poisson") {
		m.Poisson = preset.Poisson
	}
}

func (m *SolidMaterial) check(d *decoder) {
	// preset, or all of it written out
	if m.Preset != "" {
		m.start(d)
	} else if !m.given("density") {
		d.faults.add(m.at, `material needs the key "density", or a preset`)
	}
	// stiffness in one of two pairs of numbers
	mu, lambda := m.given("mu"), m.given("lambda")
	switch {
	case !mu && !lambda:
		if !m.given("young") && m.Preset == "" {
			d.faults.add(m.at, `material needs the key "young", or mu and lambda, or a preset`)
		}
		return
	case !mu || !lambda:
		d.faults.add(m.at, "mu and lambda go together")
		return
	case m.given("young") || m.given("poisson"):
		d.faults.add(m.key("mu"), "mu and lambda follow from young and poisson; write one pair of them")
		return
	}
	const most = 0.49 // as for poisson itself
	// the other pair
	same := material.FromLame(m.Mu, m.Lambda)
	if same.Poisson > most {
		d.faults.add(m.key("lambda"), "lambda of %g Pa is a ratio of Poisson of %.4g, which must be at most %g",
			m.Lambda, same.Poisson, most)
	}
	m.Young, m.Poisson, m.Mu, m.Lambda = same.Young, same.Poisson, 0, 0
}

// TetLaws are the words for laws of soft bodies.
var TetLaws = map[string]elastic.TetLaw{
	"corotational": elastic.CorotationalLaw, "neohookean": elastic.NeoHookeanLaw, "stable": elastic.StableLaw,
}

// crossLaws has steps of scenes with large deformation linearized more often, where the scene does not say.
func (s *Scene) crossLaws() {
	n := &s.Integrator.Newton
	if !slices.ContainsFunc(s.Solids, func(o Solid) bool { return TetLaws[o.Material.Law] != elastic.CorotationalLaw }) {
		return
	}
	const linearizations, tolerance = 40, 1e-6 // of the residual [m/s]
	if !n.given("iterations") {
		n.Iterations = linearizations
	}
	if !n.given("tolerance") {
		n.Tolerance = tolerance
	}
}

func (s *ShellShape) setDefaults() { s.Layers = 1 }

func (s *ShellShape) check(d *decoder) {
	if !(s.Inner < s.Outer) {
		d.faults.add(s.key("outer"), "outer must be above inner, not %g m and %g m", s.Outer, s.Inner)
	}
}

func (s *HalfBallShape) check(d *decoder) {
	if !(s.Fine < s.Radius) {
		d.faults.add(s.key("fine"), "fine must be below the radius, not %g m and %g m", s.Fine, s.Radius)
	}
}

func (s *RingShape) check(d *decoder) {
	if !(s.Inner < s.Outer) {
		d.faults.add(s.key("outer"), "outer must be above inner, not %g m and %g m", s.Outer, s.Inner)
	}
	if n := s.Cells[0]; n < 4 || n&1 == 1 {
		d.faults.add(s.key("cells"), "there must be an even number of cells around, 4 or more, not %d", n)
	}
}

// boxes returns the boxes from their lowest to their highest corners.
func (s *BoxesShape) boxes() (out []r3.Box) {
	for _, b := range s.Boxes {
		out = append(out, r3.BoxOf([]r3.Vec{b.Min.R3(), b.Max.R3()}))
	}
	return out
}

// offGrid is how far a corner of a box may be off the corners of cells, in cells: what rounding makes of decimal
// numbers.
const offGrid = 1e-6

// check refuses boxes that cells do not fill: the body would have other sides than the file says.
func (s *BoxesShape) check(d *decoder) {
	if !(s.Cell > 0) {
		return // a fault already
	}
	lowest := r3.EmptyBox()
	for _, b := range s.boxes() {
		lowest = lowest.Union(b)
	}
	for i := range s.Boxes {
		b := &s.Boxes[i]
		for _, corner := range []struct {
			key string
			at  r3.Vec
		}{{"min", b.Min.R3()}, {"max", b.Max.R3()}} {
			cells := corner.at.Sub(lowest.Min).Scale(1 / s.Cell)
			for axis, n := range []float64{cells.X, cells.Y, cells.Z} {
				if math.Abs(n-math.Round(n)) > offGrid {
					d.faults.add(b.key(corner.key), "%s of box %d is %.6g cells in %c from the lowest corner of all, and must be a whole number of them; change it, or cell",
						corner.key, i, n, "xyz"[axis])
				}
			}
		}
	}
}

func (f *FleshShape) setDefaults() {
	f.Mannequin.setDefaults()
	f.Bones = 0.02
}

func (s *SolidShape) check(d *decoder) {
	before := len(d.faults.list)
	defer func() { s.sound = len(d.faults.list) == before }()
	switch key := oneShape(d, &s.placed, []string{"block", "ball", "shell", "half-ball", "ring", "boxes", "letter", "fill", "flesh", "file"},
		"{block: {size: [0.1, 0.1, 0.1], cells: [4, 4, 4]}}"); key {
	case "":
	case "file":
		if s.Unit == 0 {
			s.Unit = 1
		}
	case "fill":
		if s.Fill.Unit == 0 {
			s.Fill.Unit = 1
		}
		onlyForFiles(d, &s.placed, key, "; write it inside: fill: {...}", "up", "unit")
	default:
		onlyForFiles(d, &s.placed, key, "", "up", "unit")
	}
}

// ofVertices refuses selections that soft bodies do not have.
func (s *Select) ofVertices(d *decoder) {
	if s.Word == "corners" || s.Word == "boundary" || s.Group != "" || s.Map != "" {
		d.faults.add(s.at, "select of a soft body is all, or one of box, sphere, near and ids")
	}
}

func (s *Solid) check(d *decoder) {
	for i := range s.Pins {
		s.Pins[i].Select.ofVertices(d)
	}
	for i := range s.Attach {
		s.Attach[i].Select.ofVertices(d)
	}
}

func (j *Joint) check(d *decoder) {
	switch {
	case j.Kind == "hinge" && j.Axis == nil:
		d.faults.add(j.at, `hinge needs the key "axis": the direction that it turns about`)
	case j.Kind != "hinge" && j.Axis != nil:
		d.faults.add(j.key("axis"), "axis is for a hinge, but this is a %s", j.Kind)
	case j.Axis != nil:
		checkDirection(d, *j.Axis, "axis", &j.placed)
	}
	if j.Body != "" && j.Body == j.To {
		d.faults.add(j.key("to"), "to is the same body; a joint is between two, or to the scene")
	}
}

// checkJoints checks the names in joints and attachments.
func (s *Scene) checkJoints(d *decoder) {
	// names mean nothing while lists are faulty
	if s.faultyLists() {
		return
	}
	// names of rigid bodies, and of all bodies
	var rigids, bodies []string
	for i := range s.Rigids {
		rigids = append(rigids, s.Rigids[i].Name)
	}
	bodies = slices.Clone(rigids)
	for i := range s.Solids {
		bodies = append(bodies, s.Solids[i].Name)
	}
	// fault of an unknown name, with a suggestion
	known := func(name string, at place, kind string, names []string) {
		if name == "" || slices.Contains(names, name) {
			return
		}
		hint := suggestion(name, names)
		if len(names) == 0 {
			hint = "; this scene has none"
		}
		d.faults.add(at, "no %s has the name %s%s", kind, shown(name), hint)
	}
	// joints are between rigid bodies
	for i := range s.Joints {
		j := &s.Joints[i]
		known(j.Body, j.key("body"), "rigid body", rigids)
		known(j.To, j.key("to"), "rigid body", rigids)
	}
	// attachments are to bodies of either kind
	for i := range s.Cloths {
		for k := range s.Cloths[i].Attach {
			a := &s.Cloths[i].Attach[k]
			known(a.To, a.key("to"), "rigid or soft body", bodies)
		}
	}
	for i := range s.Solids {
		o := &s.Solids[i]
		for k := range o.Attach {
			a := &o.Attach[k]
			known(a.To, a.key("to"), "rigid or soft body", bodies)
			if a.To == o.Name {
				d.faults.add(a.key("to"), "to is the body itself")
			}
		}
		// motions of pins
		for k := range o.Pins {
			s.checkMotion(d, o.Pins[k].Motion, o.Pins[k].key("motion"))
		}
	}
}
