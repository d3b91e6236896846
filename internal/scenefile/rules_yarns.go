package scenefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/yarn"
)

const (
	// yarnStep is the longest step of yarns without one in the file [s], and yarnBase the one that is always tried,
	// that of [Kaldor10].
	yarnStep = 1.0 / 4000
	YarnBase = 1.0 / 16200
	// mostYarnStep is about as long as steps can be without contact becoming unstable [s].
	mostYarnStep = 0.5e-3

	// defaultEase is how long loops take to get their length [s], defaultTolerance that of linear models.
	defaultEase      = 0.2
	defaultTolerance = 0.04

	// A loop of fewer diameters cannot go around others, one of more would only tangle. As laid they have 17 to 20.
	shortestLoop, longestLoop = 10, 60
)

func (p *YarnPiece) setDefaults() {
	p.Place.Scale, p.Rest = 1, "straight"
	p.Yarn.setDefaults()
}

func (k *YarnKind) setDefaults() { k.Preset, k.Model = "kaldor", "sets" }

func (*YarnKind) expand(n *node) (*node, string) {
	if n.kind == scalarNode {
		return wrap("preset", n), ""
	}
	return n, ""
}

// yarnWords are the selections of points that need nothing but their name.
var yarnWords = []string{"top", "bottom", "left", "right", "ends", "all"}

func (s *YarnSelect) expand(n *node) (*node, string) {
	if n.kind != scalarNode {
		return n, ""
	}
	if !slices.Contains(yarnWords, n.text) {
		return n, fmt.Sprintf("must be %s, or a mapping such as {box: {min, max}}, not %s%s",
			orList(yarnWords), shown(n.text), suggestionOnly(n.text, yarnWords))
	}
	s.Word = n.text
	return &node{kind: mappingNode, at: n.at}, ""
}

func (s *YarnSelect) check(d *decoder) {
	n := 0
	for _, given := range []bool{s.Word != "", s.Box != nil, s.Sphere != nil, s.Near != nil, s.IDs != nil} {
		if given {
			n++
		}
	}
	if n != 1 {
		d.faults.add(s.at, "select must have exactly one of box, sphere, near and ids, not %d", n)
	}
}

// noPlasticity is how to write that a yarn keeps its rest shape.
const noPlasticity = "none"

func (p *Plasticity) expand(n *node) (*node, string) {
	if n.kind != scalarNode {
		return n, ""
	}
	if n.text != noPlasticity {
		return n, fmt.Sprintf("must be %s, or a mapping such as {yield: 1 deg, most: 90 deg}, not %s", noPlasticity, shown(n.text))
	}
	zero := &node{kind: scalarNode, at: n.at, text: "0"}
	return &node{kind: mappingNode, at: n.at, pairs: []pair{{"yield", n.at, zero}, {"most", n.at, zero}}}, ""
}

func (p *Plasticity) check(d *decoder) {
	if p.Yield > p.Most {
		d.faults.add(p.key("most"), "most must not be below yield: %g rad is below %g rad", p.Most, p.Yield)
	}
}

func (k *YarnKind) check(d *decoder) {
	if k.Model == "linear" && k.Tolerance == nil {
		tolerance := float64(defaultTolerance)
		k.Tolerance = &tolerance
	}
	if k.Model != "linear" && k.Tolerance != nil {
		d.faults.add(k.key("tolerance"), "tolerance goes with model: linear, but the model is %s", k.Model)
	}
	if k.Model == "pairs" && k.Friction != nil && *k.Friction > 0 {
		d.faults.add(k.key("model"), "model: pairs knows no friction of yarn on yarn; write sets or linear, or leave friction out")
	}
}

// pieceKinds are the keys of a piece of which there is one.
var pieceKinds = []string{"pattern", "chart", "file"}

func (p *YarnPiece) check(d *decoder) {
	// exactly one kind of piece
	var kinds []string
	for _, key := range pieceKinds {
		if p.given(key) {
			kinds = append(kinds, key)
		}
	}
	switch {
	case len(kinds) == 0:
		d.faults.add(p.at, "a piece needs one of %s, such as pattern: rib 2x2", orList(pieceKinds))
		return
	case len(kinds) > 1:
		d.faults.add(p.key(kinds[1]), "the piece has %s; write one of them", andList(kinds))
		return
	// files of yarn
	case p.File != "":
		p.checkFile(d)
		return
	}
	// knitted pieces: no keys of files, no scale
	for _, key := range []string{"up", "unit"} {
		if p.given(key) {
			d.faults.add(p.key(key), "%s is for files, but this piece has a %s", key, kinds[0])
		}
	}
	if p.Place.Scale != 1 {
		d.faults.add(p.key("place"), "scale is not for knitted pieces: the size of loops follows from the radius of the yarn")
	}
	p.checkKnit(d, kinds[0])
}

// checkFile refuses what only knitted pieces have.
func (p *YarnPiece) checkFile(d *decoder) {
	for _, key := range []string{"size", "form", "open", "loop-length", "ease"} {
		if p.given(key) {
			d.faults.add(p.key(key), "%s is for patterns and charts; the yarns of a file are as they are", key)
		}
	}
	if p.Unit == 0 {
		p.Unit = 1
	}
	for i := range p.Pins {
		if s := &p.Pins[i].Select; slices.Contains([]string{"top", "bottom", "left", "right"}, s.Word) {
			d.faults.add(s.at, "select: %s is for patterns and charts; the yarns of a file have ends, or write a box", s.Word)
		}
	}
}

func (p *YarnPiece) checkKnit(d *decoder, kind string) {
	// rows of the chart, or a pattern to repeat
	text := p.Pattern
	if kind == "chart" {
		text = p.Chart
	}
	read := knit.Parse
	if kind == "pattern" {
		read = knit.ParsePattern
	}
	var err error
	p.chart, err = read(text)
	if err != nil {
		p.chartFaults(d, kind, text, err)
		return
	}
	// wales and courses
	if p.Size == nil && kind == "pattern" {
		d.faults.add(p.at, `a pattern needs the key "size": number of wales and of courses, such as [20, 30]`)
		return
	}
	if p.Size == nil {
		p.Size = &[2]int{p.chart.Wales(), p.chart.Courses()}
	}
	// form, and what goes with loop lengths
	if p.Form == "" {
		p.Form = knit.Flat.String()
	}
	if p.LoopLength > 0 && !p.given("ease") {
		p.Ease = defaultEase
	}
	if p.LoopLength == 0 && p.given("ease") {
		d.faults.add(p.key("ease"), "ease is how long loops take to get their length; it goes with loop-length")
	}
	// edges that are left open
	if len(p.Open) == 2 && p.Open[0] == p.Open[1] {
		d.faults.add(p.key("open"), "open names %s twice", p.Open[0])
	}
	// whether it can be knitted
	o := p.options()
	if err := o.Validate(); err != nil {
		at := "size"
		if !p.given(at) {
			at = kind
		}
		d.faults.add(p.key(at), "%s", strings.TrimPrefix(err.Error(), "knit: "))
		return
	}
	// loops that are too short or too long for the yarn
	if n := p.LoopLength / (2 * o.Radius); p.LoopLength > 0 && (n < shortestLoop || n > longestLoop) {
		d.faults.add(p.key("loop-length"), "loop-length is %.3g diameters of the yarn; loops of %d to %d are possible",
			n, shortestLoop, longestLoop)
	}
	// tubes have no left and right
	for i := range p.Pins {
		s := &p.Pins[i].Select
		if round := p.Form == "tube" || p.Form == "helix"; round && (s.Word == "left" || s.Word == "right") {
			d.faults.add(s.at, "a %s has no edge on the %s; it has a top and a bottom", p.Form, s.Word)
		}
	}
}

// chartFaults tells what is wrong with a chart in the rows where it is, if they can be found in the file.
func (p *YarnPiece) chartFaults(d *decoder, kind, text string, err error) {
	var faults knit.Errors
	errors.As(err, &faults)
	for _, f := range faults {
		at, found := p.key(kind).in(text, f.Line, f.Column)
		switch {
		case kind == "pattern":
			msg := f.Msg
			if _, err := knit.Parse(text); err == nil {
				msg = "pattern is the name of one, such as rib 2x2; write rows of stitches under the key chart"
			}
			d.faults.add(p.key(kind), "%s", msg)
		case found:
			d.faults.add(at, "%s", f.Msg)
		default:
			d.faults.add(p.key(kind), "%v", f)
		}
	}
}

// options returns how the chart is laid out.
func (p *YarnPiece) options() knit.Options {
	o := knit.Options{
		Wales: p.Size[0], Courses: p.Size[1], Radius: p.Yarn.Material().Radius, LoopLength: p.LoopLength,
		OpenBottom: slices.Contains(p.Open, "bottom"), OpenTop: slices.Contains(p.Open, "top"),
	}
	for _, form := range []knit.Form{knit.Flat, knit.Courses, knit.Tube, knit.Helix} {
		if form.String() == p.Form {
			o.Form = form
		}
	}
	return o
}

// Material returns the yarn.
func (k *YarnKind) Material() yarn.Material {
	m := yarn.Kaldor()
	if k.Preset == "worsted" {
		m = yarn.Worsted()
	}
	replace := func(to *float64, by *float64) {
		if by != nil {
			*to = *by
		}
	}
	replace(&m.Radius, k.Radius)
	replace(&m.Density, k.Density)
	replace(&m.Bend, k.Bend)
	replace(&m.Twist, k.Twist)
	replace(&m.Contact, k.Contact)
	replace(&m.Friction, k.Friction)
	if p := k.Plastic; p != nil {
		m.Plastic, m.PlasticMost = p.Yield, p.Most
	}
	if p := k.Damping; p != nil {
		replace(&m.DampRate, p.Rate)
		replace(&m.DampConstant, p.Constant)
		replace(&m.DampNormal, p.Normal)
		replace(&m.DampTangent, p.Tangent)
	}
	return m
}

// HasYarns tells whether the scene is one of yarns, which build.Yarns builds.
func (s *Scene) HasYarns() bool { return len(s.Yarns) > 0 }

// checkYarns checks what yarns have to do with the rest of the scene.
func (s *Scene) checkYarns(d *decoder) {
	if !s.HasYarns() {
		return
	}
	// steps of yarns are short
	switch {
	case !s.Time.given("step") && s.Time.End > 0:
		s.Time.Step = yarnStep
		s.Time.check(d)
	case s.Time.given("step") && s.Time.Step > mostYarnStep:
		d.faults.add(s.Time.key("step"), "steps of yarns are at most %g ms long; without the key they are %g ms",
			1e3*mostYarnStep, 1e3*yarnStep)
	}
	// motions of pins, and the same yarn everywhere
	for i := range s.Yarns {
		p := &s.Yarns[i]
		for k := range p.Pins {
			s.checkMotion(d, p.Pins[k].Motion, p.Pins[k].key("motion"))
		}
		s.checkAlike(d, p)
	}
	// what yarns cannot be together with
	alone := true
	for _, other := range []struct {
		key   string
		given bool
	}{
		{"cloths", len(s.Cloths) > 0},
		{"solids", len(s.Solids) > 0},
		{"joints", len(s.Joints) > 0},
	} {
		if other.given {
			alone = false
			d.faults.add(s.key(other.key),
				"yarns and %s cannot be in one scene yet: yarns have a step of their own, in which they touch obstacles and each other",
				other.key)
		}
	}
	if alone { // else the settings may be meant for the others
		s.checkBalls(d)
		s.rejectUnused(d)
		s.refuseChanges(d)
	}
}

// checkAlike checks that a piece is of the same yarn as the first one.
func (s *Scene) checkAlike(d *decoder, p *YarnPiece) {
	first := &s.Yarns[0]
	if p == first || p.Yarn.Preset == "" || first.Yarn.Preset == "" {
		return
	}
	a, b := first.Yarn, p.Yarn
	if a.Material() != b.Material() || a.Model != b.Model || ContactTolerance(&a) != ContactTolerance(&b) {
		d.faults.add(p.key("yarn"), "the yarn is not that of %q; all yarns of a scene are of one kind for now", first.Name)
	}
	for i := range s.Yarns {
		q := &s.Yarns[i]
		if q == p {
			return
		}
		if q.LoopLength > 0 && p.LoopLength > 0 && q.Ease != p.Ease {
			d.faults.add(p.key("ease"), "ease is not that of %q, %g s; all loops of a scene get their length in the same time",
				q.Name, q.Ease)
			return
		}
	}
}

func ContactTolerance(k *YarnKind) float64 {
	if k.Tolerance == nil {
		return 0
	}
	return *k.Tolerance
}

// checkBalls refuses rigid bodies that are not free balls.
func (s *Scene) checkBalls(d *decoder) {
	for i := range s.Rigids {
		r := &s.Rigids[i]
		if r.Shape.Sphere == nil && r.Shape.at.src != nil {
			d.faults.add(r.Shape.at, "yarns and rigids can be in one scene only if the rigids are balls for now: shape: {sphere: {radius: 5 cm}}")
			continue
		}
		for _, key := range []string{"hold", "motion", "inertia", "force", "torque"} {
			if r.given(key) && !r.isDefault(key) {
				d.faults.add(r.key(key), "rigids fall and roll freely in a scene of yarns; leave out %s", key)
			}
		}
	}
}

// isDefault tells whether a vector that a resolved scene always has is zero.
func (r *Rigid) isDefault(key string) bool {
	return key == "force" && r.Force == (Vec{}) || key == "torque" && r.Torque == (Vec{})
}

// rejectUnused rejects settings that are about cloths and bodies. They may be given as they are by default.
func (s *Scene) rejectUnused(d *decoder) {
	// settings other than by default
	byDefault := &Scene{}
	byDefault.setDefaults()
	for _, part := range []struct {
		key        string
		is, normal any
	}{
		{"integrator", s.Integrator, byDefault.Integrator},
		{"air", s.Air, byDefault.Air},
		{"contact", s.Contact, byDefault.Contact},
		{"dressing", s.Dressing, byDefault.Dressing},
	} {
		is, errIs := json.Marshal(part.is)
		normal, errNormal := json.Marshal(part.normal)
		if s.given(part.key) && (errIs != nil || errNormal != nil || !bytes.Equal(is, normal)) {
			d.faults.add(s.key(part.key), "%s is about cloths and bodies and plays no part for yarns; leave it out", part.key)
		}
	}
	// settling, presses and contact of obstacles
	if s.Time.Settle != nil {
		d.faults.add(s.Time.key("settle"), "settle finds the equilibrium of cloths; yarns come to rest by their damping")
	}
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		if o.Press != nil {
			d.faults.add(o.key("press"), "a press and yarns cannot be in one scene yet: yarns do not push obstacles")
		}
		if o.given("contact") {
			d.faults.add(o.key("contact"), "contact of an obstacle is with cloths and bodies; yarns touch its triangles as they are")
		}
	}
}

// refuseChanges refuses numbers that change over time or from place to place, which yarns do not know.
func (s *Scene) refuseChanges(d *decoder) {
	const always = "%s must be the same at all times in a scene of yarns"
	// gravity and friction are the same at all times and places
	if s.Gravity.Changes() {
		d.faults.add(s.key("gravity"), always, "gravity")
	}
	if s.Friction.Default.Changes() {
		d.faults.add(s.key("friction"), always, "friction")
	}
	for i := range s.Obstacles {
		if f := s.Obstacles[i].Friction; f.Mapped() {
			d.faults.add(s.Obstacles[i].key("friction"), "friction of an obstacle must be one number in a scene of yarns")
		}
	}
	// pairs of yarn and obstacle only
	names := s.YarnNames()
	for i := range s.Friction.Pairs {
		p := &s.Friction.Pairs[i]
		if slices.Contains(names, p.Between[0]) && slices.Contains(names, p.Between[1]) {
			d.faults.add(p.key("between"), "friction of yarn on yarn is the key friction of the yarn: yarn: {friction: 0.3}")
			continue
		}
		if p.Obstacle(names) == "" {
			d.faults.add(p.key("between"), "in a scene of yarns one of a pair must be a piece of yarn")
			continue
		}
		if p.Mu.Changes() {
			d.faults.add(p.key("mu"), always, "mu")
		}
		// same friction of all yarns with an obstacle
		for _, name := range names {
			if !slices.ContainsFunc(s.Friction.Pairs, func(q FrictionPair) bool {
				return q.Obstacle(names) == p.Obstacle(names) && slices.Contains(q.Between[:], name)
			}) {
				d.faults.add(p.key("between"), "all yarns have the same friction with %q for now: write a pair of %q with it, too",
					p.Obstacle(names), name)
			}
		}
		for _, q := range s.Friction.Pairs[:i] {
			if q.Obstacle(names) == p.Obstacle(names) && p.Obstacle(names) != "" && q.Mu.Start() != p.Mu.Start() {
				d.faults.add(p.key("mu"), "%q has %g with another piece; all yarns have the same friction with an obstacle for now",
					p.Obstacle(names), q.Mu.Start())
			}
		}
	}
}

// Obstacle returns which of the two is none of the given pieces of yarn.
func (p *FrictionPair) Obstacle(yarns []string) string {
	for i, name := range p.Between {
		if slices.Contains(yarns, p.Between[1-i]) {
			return name
		}
	}
	return ""
}
