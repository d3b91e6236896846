package scenefile

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
)

// roomDensity is the density of dry air at 20 °C and 1 atm [kg/m³].
const roomDensity = 1.2

func (s *Scene) setDefaults() {
	// time, gravity and integrator
	o := engine.DefaultOptions()
	s.Time.FPS, s.Time.Step = 30, 2e-3
	s.Gravity = vectorOf(o.Gravity)
	s.Integrator = Integrator{
		Theta:    o.Theta,
		Newton:   Newton{Iterations: o.Newton.Iterations, Tolerance: o.Newton.Tolerance, Exact: o.Newton.Exact},
		Linear:   Linear{linearNames[o.Linear.Method], o.Linear.Tolerance, o.Linear.MaxIterations},
		Halvings: o.MaxHalvings,
	}
	// contact, friction and air
	c := o.Contact
	s.Contact = Contact{
		Number(c.Thickness),
		c.Self,
		c.Solver,
		c.Tolerance,
		c.MaxSweeps,
		c.Budget,
		c.Rounds,
		c.Halvings,
		false,
		Push{c.PushFraction, c.PushSpeed},
		nil,
		nil,
	}
	s.Friction.Default = Number(c.Friction)
	s.Air = Air{Number(o.Air.Density), vectorOf(o.Air.Wind)}
	// dressing
	s.Dressing.setDefaults()
}

// setDefaults makes a scene that mentions air have some; without the key there is vacuum.
func (a *Air) setDefaults() { a.Density = Number(roomDensity) }

func (r *Remesh) setDefaults() {
	o := remesh.DefaultOptions()
	*r = Remesh{
		Size: [2]float64{
			o.Min,
			o.Max,
		},
		Angle:       o.Angle,
		Velocity:    o.Velocity,
		Compression: o.Compression,
		Aspect:      o.Aspect,
		Contact:     remeshContacts[o.Contact],
		Fade:        o.Fade,
	}
}

// remeshContacts are the words for the metrics.
var remeshContacts = [...]string{
	remesh.Proximity: "proximity",
	remesh.Obstacle:  "obstacle",
	remesh.NoContact: "none",
}

func (r *Remesh) check(d *decoder) {
	if r.Size[0] > r.Size[1] {
		d.faults.add(
			r.key("size"),
			"size must be the shortest edge and then the longest, not %g m and %g m",
			r.Size[0],
			r.Size[1],
		)
	}
}

func (s *Settle) setDefaults() {
	o := engine.DefaultSettleOptions()
	*s = Settle{o.Tolerance, o.MaxIterations, o.LoadSteps, o.Step}
}

func (c *Cloth) setDefaults() {
	c.Place.Scale = 1
	c.Material.setDefaults()
	c.Membrane, c.Bending, c.RestCurvature, c.Drag = "chord", "plate", "flat", Number(1)
}

// defaultFabric is the preset of a cloth that names none.
const defaultFabric = "default"

func (m *Material) setDefaults() { m.Preset, m.Law = defaultFabric, "linear" }

func (g *Grid) setDefaults() { g.Pattern = "right" }

// linearNames are the words for the linear methods.
var linearNames = map[engine.LinearMethod]string{engine.AutoLinear: "auto", engine.PCG: "pcg", engine.Direct: "direct"}

func (*Settle) expand(n *node) (*node, string) {
	if n.kind == scalarNode {
		return wrap("tolerance", n), ""
	}
	return n, ""
}

func (*Newton) expand(n *node) (*node, string) {
	if n.kind == scalarNode {
		return wrap("iterations", n), ""
	}
	return n, ""
}

func (*Linear) expand(n *node) (*node, string) {
	if n.kind == scalarNode {
		return wrap("method", n), ""
	}
	return n, ""
}

func (*Material) expand(n *node) (*node, string) {
	if n.kind == scalarNode {
		return wrap("preset", n), ""
	}
	return n, ""
}

func (*Motion) expand(n *node) (*node, string) {
	if n.kind == listNode {
		return wrap("keys", n), ""
	}
	return n, ""
}

// selectWords are the selections that need nothing but their name.
var selectWords = []string{"corners", "boundary", "all"}

func (s *Select) expand(n *node) (*node, string) {
	if n.kind != scalarNode {
		return n, ""
	}
	if !slices.Contains(selectWords, n.text) {
		return n, fmt.Sprintf("must be %s, or a mapping such as {box: {min, max}}, not %s%s",
			orList(selectWords), shown(n.text), suggestionOnly(n.text, selectWords))
	}
	s.Word = n.text
	return &node{kind: mappingNode, at: n.at}, ""
}

func (s *Select) check(d *decoder) {
	n := 0
	for _, given := range []bool{s.Word != "", s.Box != nil, s.Sphere != nil, s.Group != "", s.IDs != nil, s.Near != nil, s.Map != ""} {
		if given {
			n++
		}
	}
	if n != 1 {
		d.faults.add(s.at, "select must have exactly one of box, sphere, group, ids, near and map, not %d", n)
	}
	for _, key := range []string{"above", "channel"} {
		if s.Map == "" && s.given(key) {
			d.faults.add(s.key(key), "%s goes with map", key)
		}
	}
	s.source = sourceOf(s.Map, s.Channel)
}

// clothShapes are the keys of which the shape of a cloth has one.
var clothShapes = []string{"grid", "file", "garment", "pattern"}

func (s *Shape) check(d *decoder) {
	// exactly one kind of shape
	var kinds []string
	for _, key := range clothShapes {
		if s.given(key) {
			kinds = append(kinds, key)
		}
	}
	switch {
	case len(kinds) == 0:
		d.faults.add(
			s.at,
			"shape needs a grid, a file, a garment or a pattern: {grid: {size: [1, 1], cells: [50, 50]}}, {file: shirt.obj}, {garment: {kind: tunic, on: body}} or {pattern: {file: shirt.svg}}",
		)
		return
	case len(kinds) > 1:
		d.faults.add(s.key(kinds[1]), "shape has a %s and a %s; write one of them", kinds[0], kinds[1])
		return
	case kinds[0] != "file":
		// keys of mesh files only
		for _, key := range []string{"up", "unit", "weld", "rest", "uv-scale", "warp"} {
			if s.given(key) {
				d.faults.add(s.key(key), "%s is for mesh files, but this shape is a %s", key, kinds[0])
			}
		}
		return
	}
	// defaults of mesh files
	if s.Rest == "" {
		s.Rest = "shape"
	}
	if s.Unit == 0 {
		s.Unit = 1
	}
	// warp of the rest shape, or scale of the UVs
	switch s.Rest {
	case "shape":
		if s.given("uv-scale") {
			d.faults.add(s.key("uv-scale"), "uv-scale needs rest: uv")
		}
		if s.Warp == nil {
			s.Warp = &Vec{1, 0, 0}
		}
		if *s.Warp == (Vec{}) {
			d.faults.add(s.key("warp"), "warp must be a direction, not zero")
		}
	case "uv":
		if s.given("warp") {
			d.faults.add(s.key("warp"), "warp is for rest: shape; with rest: uv the warp runs along u")
		}
		if s.UVScale == 0 {
			s.UVScale = 1
		}
	}
}

func (c *Cloth) check(d *decoder) {
	// what bending goes with
	if c.Membrane == "arc" && c.Bending != "plate" {
		d.faults.add(c.key("membrane"), "membrane: arc needs bending: plate, not %s", c.Bending)
	}
	if c.Bending == "isometric" && c.RestCurvature == "initial" {
		d.faults.add(
			c.key("rest-curvature"),
			"rest-curvature: initial needs bending: plate or hinge; isometric bending is flat at rest",
		)
	}
	// pins
	for i := range c.Pins {
		p := &c.Pins[i]
		if p.Clamp != nil && c.Bending != "plate" {
			d.faults.add(p.key("clamp"), "clamp needs bending: plate, not %s", c.Bending)
		}
		// times in order
		if p.From != nil && p.Until != nil && *p.Until <= *p.From {
			d.faults.add(p.key("until"), "until must be later than from: %g s is not after %g s", *p.Until, *p.From)
		}
		// gaps, which are kept to an obstacle
		switch {
		case p.Gap != nil && p.Follow == "":
			d.faults.add(p.key("gap"), "gap is the distance from the obstacle that a pin follows; it goes with follow")
		case p.Gap != nil && p.Strength == nil:
			d.faults.add(
				p.key("gap"),
				"gap needs strength: an exact pin would throw its vertices there in one step; write strength: {force: 10 N, stiffness: 100 N/m}",
			)
		}
		// one thing that tells it where to go
		if p.Follow != "" && p.Motion != "" {
			d.faults.add(
				p.key("follow"),
				"a pin that follows an obstacle goes where that goes; leave out follow or motion",
			)
		}
		// direction of clamps
		if p.Clamp != nil && *p.Clamp == (Vec{}) {
			d.faults.add(p.key("clamp"), "clamp must be a direction, not zero")
		}
	}
}

func (r *Rotate) check(d *decoder) {
	if r.Axis.R3().Norm() == 0 {
		d.faults.add(r.key("axis"), "axis must not be zero; write a direction such as [0, 0, 1]")
	}
}

func (b *Box) check(d *decoder) {
	for i := range 3 {
		if b.Min[i] > b.Max[i] {
			d.faults.add(
				b.key("min"),
				"min must not be above max, but along %c %g is above %g",
				"xyz"[i],
				b.Min[i],
				b.Max[i],
			)
		}
	}
}

func (m *Motion) check(d *decoder) {
	for i := 1; i < len(m.Keys); i++ {
		if a, b := m.Keys[i-1].At, m.Keys[i].At; b <= a {
			d.faults.add(m.Keys[i].key("at"), "at must be later than the key before it: %g s is not after %g s", b, a)
		}
	}
}

func (t *Time) check(d *decoder) {
	if frames := t.End * t.FPS; frames > maxFrames {
		d.faults.add(
			t.key("end"),
			"end at %g frames a second makes %.3g frames; at most %d are allowed",
			t.FPS,
			frames,
			maxFrames,
		)
	}
	if steps := t.End / t.Step; steps > maxSteps {
		d.faults.add(t.key("step"), "step makes %.3g steps; at most %d are allowed", steps, maxSteps)
	}
}

// maxAspect is how much longer than wide a cell may be; longer ones are hardly triangles.
const maxAspect = 1e4

func (g *Grid) check(d *decoder) {
	x, y := g.Size[0]/float64(g.Cells[0]), g.Size[1]/float64(g.Cells[1])
	if max(x, y) > maxAspect*min(x, y) {
		d.faults.add(
			g.key("cells"),
			"cells of %.3g m by %.3g m are too long for their width; give each side cells of about the same size",
			x,
			y,
		)
	}
	if max(g.Cells[0], g.Cells[1]) > maxPatternCells && (g.Pattern == "equilateral" || g.Pattern == "random") {
		d.faults.add(
			g.key("cells"),
			"pattern %s has at most %d cells along a side; larger grids are right or crossed",
			g.Pattern,
			maxPatternCells,
		)
	}
	if g.Pattern != "random" && g.given("seed") {
		d.faults.add(g.key("seed"), "seed is for pattern: random")
	}
}

// cross checks what involves several parts of a scene, also when some part is faulty.
func (s *Scene) cross(d *decoder) {
	owner := map[string]string{} // of each name, what has it
	claim := func(at place, name, kind string) {
		if owner[name] != "" && name != "" {
			d.faults.add(
				at,
				"name %q is used by an earlier %s; bodies and obstacles need names of their own",
				name,
				owner[name],
			)
			return
		}
		owner[name] = kind
	}
	pins := map[string]bool{}
	for i := range s.Cloths {
		c := &s.Cloths[i]
		claim(c.key("name"), c.Name, "cloth")
		for j := range c.Pins {
			p := &c.Pins[j]
			if p.Name != "" && pins[p.Name] {
				d.faults.add(p.key("name"), "name %q is used by an earlier pin", p.Name)
			}
			pins[p.Name] = true
			s.checkMotion(d, p.Motion, p.key("motion"))
			s.checkFollow(d, p)
		}
	}
	for i := range s.Rigids {
		r := &s.Rigids[i]
		claim(r.key("name"), r.Name, "rigid body")
		s.checkMotion(d, r.Motion, r.key("motion"))
	}
	for i := range s.Solids {
		claim(s.Solids[i].key("name"), s.Solids[i].Name, "soft body")
	}
	for i := range s.Yarns {
		claim(s.Yarns[i].key("name"), s.Yarns[i].Name, "piece of yarn")
	}
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		claim(o.key("name"), o.Name, "obstacle")
		s.checkMotion(d, o.Motion, o.key("motion"))
	}
	mapping := s.at.src != nil // else the file is faulty as a whole
	if mapping && len(s.Cloths)+len(s.Rigids)+len(s.Solids)+len(s.Yarns) == 0 && !s.faultyLists() {
		d.faults.add(s.at, "the scene has nothing that moves; write cloths, rigids, solids or yarns")
	}
	s.checkFriction(d)
	s.checkJoints(d)
	s.crossLaws()
	s.checkYarns(d)
}
