// What a step does about things that are crossed at its start.
//
// The guard (failsafe.go) lets nothing cross that did not cross before. What did, because the scene starts so or
// because something was forced through, comes apart again over the next steps:
//
//   - Between sheets, and between sheets and open meshes, features at the corners of triangles that cross make no
//     contacts (contact.Finder.Crossed): which side is the right one cannot be told from there, and contacts on the
//     wrong one would hold the tangle. Shapes and closed meshes have an inside, out of which contacts push, whatever
//     crosses.
//   - At the end of the step, when the guard has passed it, intersection contour minimization [Volino06] says where the
//     sheets would be without the crossings (internal/untangle/contour.go), as in [Li18]. They move a part of that way:
//     Options.Contact.UntangleSpeed times the step, or another that is better, and as far as nothing new crosses or is
//     met on the straight ways from the start of the step, and no more crosses than before. What else they meet turns
//     them aside by impact zones. What lies around the crossings, on the wrong side, may be passed.
//   - Out of closed meshes sheets are drawn in the same way to where untangle.Separate puts them, but not while these
//     cross each other there.
//   - The move is one of positions. Velocities do not gain by it, because then a deep tangle would fly apart; but where
//     edges pierce faces they lose what is against it, by inelastic impulses that keep momentum, because else what
//     falls through a sheet would go on falling faster than it is drawn back.
//
// Departures from [Li18]: the paper removes all crossings of a step at once, and does not say what becomes of
// velocities.
//
// Invariants: a step without crossings at its start has the same bits as without this file; the count of crossings is
// not made higher; what contours cannot undo stays as the guard left it.

package engine

import (
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/r3"
)

const (
	// patience is how often what crosses closed meshes is tried to be drawn out, in steps.
	patience = 2
	// noticed is the distance from which on a vertex counts as moved, in thicknesses.
	noticed = 1e-3
	// parting is the speed at which points that cross go apart at least, where they are drawn apart [m/s]: any that is
	// small.
	parting = 1e-3
)

// ways are how far back is tried to go, in multiples of what the speed allows. Half way out, more triangles may cross
// than at the start; then it is further.
var ways = []float64{1, 0.5, 2, 4, 8, 0.25}

// untangle draws back what was crossed at the start and still is.
func (s *step) untangle() error {
	defer func() { s.stats.Laps.Untangle = s.took() }()
	w := s.w
	if !s.tangible || w.blind || w.finder.Knots() == 0 || s.stats.Crossings == 0 || !w.opt.Contact.Self {
		return nil
	}
	sheets, bodies := s.outlinesAtEnd(s.opens)
	tangle := untangle.NewTangle(sheets, bodies, w.team)
	if tangle.Count() == 0 {
		s.comeOut()
		return nil
	}
	tips := tangle.Tips()
	opt := untangle.DefaultContourOptions()
	opt.Team = w.team
	way := tangle.Undo(opt)
	from := slices.Clone(s.x1)
	if s.returns(from, sheets, way.Move, s.stats.Crossings) {
		s.slow(from, tips, len(sheets))
	}
	return nil
}

// comeOut draws sheets out of closed meshes that they cross, every few steps, if that makes the crossings fewer:
// contacts alone push what is inside to the nearest side, which need not be the one that it came from. Which face of a
// sheet a mesh has come through is not known, so both are tried; it is the one from which less is left crossed or, if
// as much is, the way out is shorter.
func (s *step) comeOut() {
	w := s.w
	if s.stats.Step%patience != 0 {
		return
	}
	sheets, bodies := s.outlinesAtEnd(func(obstacle int) bool { return w.finder.Closed(w.skinOf(obstacle)) })
	if len(bodies) == 0 || s.trapping(sheets, bodies) {
		return
	}
	for i := range sheets {
		sheets[i].Layer = 1
	}
	turned := slices.Clone(sheets)
	for i, sheet := range sheets {
		turned[i].Tri, turned[i].X = reversed(sheet.Tri), slices.Clone(sheet.X)
	}
	opt := untangle.DefaultOptions()
	opt.Team = w.team
	way, back := untangle.Separate(sheets, bodies, opt), untangle.Separate(turned, bodies, opt)
	if back.After < way.After || back.After == way.After && back.Move < way.Move {
		sheets, way = turned, back
	}
	s.returns(slices.Clone(s.x1), sheets, way.Move, s.stats.Crossings-1)
}

// reversed returns triangles that face the other way.
func reversed(tri [][3]int32) [][3]int32 {
	out := slices.Clone(tri)
	for i := range out {
		out[i][1], out[i][2] = out[i][2], out[i][1]
	}
	return out
}

// trapping tells whether bodies cross each other or themselves where sheets cross them. What is between them there is
// held until they part: the way out of one would lead through the other.
func (s *step) trapping(sheets []untangle.Surface, bodies []untangle.Body) bool {
	solids := make([]untangle.Surface, len(bodies))
	for i, b := range bodies {
		solids[i] = untangle.Surface{Tri: b.Tri, X: b.X, Thickness: s.w.opt.Contact.Thickness}
	}
	among := untangle.Count(solids, nil, s.w.team)
	if len(among) == 0 {
		return false
	}
	for _, cloth := range untangle.Count(sheets, bodies, s.w.team) {
		for _, solid := range among {
			if cloth.Where.Overlaps(&solid.Where) {
				return true
			}
		}
	}
	return false
}

// returns goes back from the end of the step to where the sheets are, as far as may be, and tells whether it did. No
// more than most may cross then.
func (s *step) returns(from []r3.Vec, sheets []untangle.Surface, whole float64, most int) bool {
	w := s.w
	if whole == 0 {
		return false
	}
	bound := w.opt.Contact.UntangleSpeed * s.h / whole
	for _, times := range ways {
		part := min(1, times*bound)
		w.finder.Widen(part * whole)
		s.goBack(from, sheets, part)
		if !s.clear() {
			continue
		}
		if found := w.finder.Crossings(s.ends(s.x1)); found.Count <= most {
			s.noteCrossings(found)
			s.wentBack(from)
			return true
		}
	}
	copy(s.x1, from)
	return false
}

// goBack moves vertices a part of the way to where the sheets are.
func (s *step) goBack(from []r3.Vec, sheets []untangle.Surface, part float64) {
	for i, at := range s.w.sheets {
		c := &s.w.bodies[at]
		for v, to := range sheets[i].X {
			s.x1[c.first+v] = from[c.first+v].Lerp(to, part)
		}
	}
	s.w.bringAttached(s.x1)
}

// clear tells whether nothing else is met on the way back, after what is, such as an obstacle that a sheet lies on, has
// turned it aside by impact zones.
func (s *step) clear() bool {
	k := &s.safe
	if s.crosses() == 0 && len(k.impacts) == 0 {
		return true
	}
	k.aim = append(k.aim[:0], s.x1...)
	k.all = k.all[:0]
	s.prepareZones()
	report := s.stats.Failsafe
	free := s.project()
	s.stats.Failsafe = report
	return free
}

// wentBack takes the way back as part of the step.
func (s *step) wentBack(from []r3.Vec) {
	done := &s.stats.Untangling
	for i, x := range s.x1 {
		way := x.Sub(from[i])
		s.xTheta[i] = s.xTheta[i].AddScaled(s.w.opt.Theta, way)
		if d := way.Norm(); d > noticed*s.w.opt.Contact.Thickness {
			done.Blocks++
			done.Move = max(done.Move, d)
		}
	}
}

// slow takes from velocities what is against the way that the tips of contours went.
func (s *step) slow(from []r3.Vec, tips [][5]untangle.Share, sheets int) {
	w, k := s.w, &s.safe
	k.all = k.all[:0]
	for _, tip := range tips {
		// an impact for each tip, with the blocks of its sheets
		p := contact.Impact{Least: parting, Obstacle: contact.None}
		var way r3.Vec
		for _, t := range tip {
			if int(t.Surface) >= sheets {
				continue
			}
			block := int32(w.bodies[w.sheets[t.Surface]].first) + t.Vertex
			p.Row[p.Terms] = contact.Share{Point: block, W: t.Weight}
			p.Terms++
			way = way.AddScaled(t.Weight, s.x1[block].Sub(from[block]))
		}
		// its normal is the way that the tip went
		length := way.Norm()
		if !(length > 0) {
			continue
		}
		p.Normal = way.Scale(1 / length)
		// obstacles count with their own speed
		for _, t := range tip {
			if int(t.Surface) >= sheets {
				p.Offset += t.Weight * p.Normal.Dot(s.wallSpeed(int(t.Surface)-sheets, t.Vertex))
			}
		}
		k.all = append(k.all, p)
	}
	// velocities are projected on what these impacts allow
	s.prepareZones()
	k.zones.Project(k.all, s.result.V)
}

// wallSpeed returns the velocity of a vertex of an obstacle that crosses, that of what it rides on included
// [m/s].
func (s *step) wallSpeed(open int, vertex int32) r3.Vec {
	for i := range s.w.obstacles {
		if k := &s.w.obstacles[i]; s.opens(i) {
			if open == 0 {
				return k.xNext[vertex].Add(s.travelled(k)).Sub(k.x[vertex]).Scale(1 / s.h)
			}
			open--
		}
	}
	return r3.Vec{}
}

// opens reports whether an obstacle is a mesh that has no inside.
func (s *step) opens(obstacle int) bool {
	return s.w.obstacles[obstacle].x != nil && !s.w.finder.Closed(s.w.skinOf(obstacle))
}

// travelled returns how far what an obstacle rides on goes in the step [m].
func (s *step) travelled(k *obstacle) r3.Vec {
	block := s.w.blockOf(k)
	if block == contact.None {
		return r3.Vec{}
	}
	return s.x1[block].Sub(s.x0[block])
}

// outlinesAtEnd returns the cloths, and some of the meshes, at the end of the step.
func (s *step) outlinesAtEnd(which func(obstacle int) bool) (sheets []untangle.Surface, bodies []untangle.Body) {
	w := s.w
	for _, i := range w.sheets {
		c := &w.bodies[i]
		to := c.first + c.count
		sheets = append(sheets, untangle.Surface{
			Tri:       c.sheet.Triangles(),
			X:         slices.Clone(s.x1[c.first:to]),
			Fixed:     w.fixed[c.first:to],
			Thickness: w.opt.Contact.Thickness,
		})
	}
	for i := range w.obstacles {
		if !which(i) {
			continue
		}
		k := &w.obstacles[i]
		x := slices.Clone(k.xNext)
		for v := range x {
			x[v] = x[v].Add(s.travelled(k))
		}
		bodies = append(bodies, untangle.Body{Tri: k.spec.Tri, X: x})
	}
	return sheets, bodies
}
