// Package detect finds what touches or is about to, tells what a motion would cross, and counts what is crossed.
//
// Detection of contacts over one time step, [Li18] section 5.2.
//
// A pair of features is a contact when
//
//	distance at the start < Reach h_c   (proximity), or
//	distance reaches a separation at some time of the step   (impact),
//
// with h_c the contact thickness. Features are vertices of skins against smooth shapes (rule_shapes.go), faces and free
// edges against them where their ends do not hold them (rule_faces.go), and vertices against faces and edges against
// edges (rule_pairs.go) of skins, of obstacle meshes, and of the sharp edges and corners of shapes (rule_sharp.go); of
// skins that are smooth, their surface and vertices of others (rule_smooth.go).
// What is round about a point or an edge is in round.go. The gap z is always that at the start of the step, along the
// normal of the contact; the normal of an impact is that of the time of impact, carried back to the start.
//
// The work is done in three rooms. The scene knows what may meet: skins, trees and pairs (scene.go, search.go). Rules
// say what of that is a contact (rules.go). The guard says what passes through or crosses (guard.go). Neither knows the
// other; both are questions that search asks.
//
// A contact with an obstacle then moves to the nearest vertex of the skin's primitive, the one with the largest weight,
// unless that is carried; the normal and the gap stay those of the original pair; the velocity v_o of the obstacle is
// the chord of its motion carried to the node, (T(t+h) T(t)⁻¹ x − x)/h, so that a node that turns with an obstacle does
// not slip on it. Between skins, and where a corner of a shape touches a face, v is the velocity of the points that
// meet, v = Σ w_i v_i with their barycentric weights, positive on side A and negative on side B. With E the frame and θ
// the weight of the end of the step,
//
//	u = [E (θ v + (1−θ) v₀ − v_o) + g e]/θ,
//	g = (z − h_c)/h   if z > h_c,   −min(f (h_c − z)/h, s)   if z < h_c,   0 if they are equal to a rounding,
//
// so that u_N ≥ 0 keeps the gap at h_c or more, or pushes a violation out by the fraction f of it, at most at the
// speed s. Contacts of the same nodes with nearly the same normal are pruned to the one with the smallest gap
// predicted for the end of the step (prune.go).
//
// Departures from the paper: contacts between skins keep their weights instead of moving to nodes, because two nodes
// that obey let the points between them cross, and so do those of corners of shapes (sharp.go says why) and, AtPlace,
// all with obstacle meshes; pairs that are
// not a local minimum of the distance of the two surfaces are not contacts by proximity (rule_pairs.go says why); and
// neighbours in one skin are told from layers by their rest distance (rest.go).
//
// Invariants: the set is sorted by ids and ids are unique; the result depends on positions, never on workers or on the
// history of the trees; nothing is allocated once the buffers have grown to the size of the scene.
package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Finder finds contacts. Begin with DefaultFinder, set what differs, and keep the Finder from step to step: it holds
// trees and buffers. It must not be copied after Begin, and belongs to one goroutine at a time.
type Finder struct {
	Options

	scene    scene
	search   search
	rules    rules
	guard    guard
	writer   writer
	pruner   pruner
	cornerer cornerer
	coverer  coverer
}

// DefaultFinder returns a finder with a thickness of 1 mm, the thresholds of [Li18], and without friction.
func DefaultFinder() Finder {
	return Finder{Options: Options{
		Thickness: 1e-3, Reach: 1.5, Prune: 10 * math.Pi / 180, SelfRatio: 0.1,
		PushFraction: 0.1, PushSpeed: 0.1, Tolerated: 0.01, Self: true,
	}}
}

// Begin takes the skins of a step. Where their features are those of the step before, it is cheap; a skin whose
// features have changed must come with other slices. Skins must not change until the step has ended.
func (f *Finder) Begin(skins []contact.Skin) {
	if f.scene.Options == nil {
		s := &f.scene
		s.Options = &f.Options
		f.search.scene, f.rules.scene, f.guard.scene, f.writer.scene = s, s, s, s
		f.writer.rules = &f.rules
	}
	f.Team.Enter()
	defer f.Team.Leave()
	f.scene.begin(skins)
}

// Carriers returns the blocks that carry a point; none if it is a block itself.
func (f *Finder) Carriers(point int32) []contact.Carrier { return f.scene.carriers(point) }

// Closed reports whether a skin of the step is prescribed and a closed mesh, which has an inside.
func (f *Finder) Closed(skin int) bool {
	o := f.scene.obstacleOf[skin]
	return o != nil && o.closed
}

// Find replaces out by everything that is near at the start of the motion or met on the way: pruned and sorted.
// Past, sorted by ID, settles normals that cannot be told from positions.
func (f *Finder) Find(m contact.Motion, past []contact.Past, out *contact.Set) {
	f.detect(m, past, false)
	out.Reset()
	found, nodes := f.rules.found, len(m.X0)
	rigid, others := f.cornerer.corners(&f.writer, f.pruner.prune(found, nodes, f.Prune, f.Thickness))
	for _, i := range rigid {
		f.writer.write(&found[i], out)
	}
	for _, i := range f.coverer.cover(found, others, past, f.Thickness, nodes) {
		f.writer.write(&found[i], out)
	}
	f.scene.forgive(&f.coverer, out)
	out.Sort()
}

// detect fills what rules have found, in an order that does not depend on workers. With again, the start is that of the
// motion before.
func (f *Finder) detect(m contact.Motion, past []contact.Past, again bool) {
	f.check(&m)
	s := &f.scene
	s.start(m, past)
	f.rules.shares = f.rules.shares[:0]
	if f.rules.found = f.rules.found[:0]; !again {
		s.off = s.off[:0]
	}
	f.Team.Enter()
	defer f.Team.Leave()
	s.prepareShapes()
	f.search.askShapes(&f.rules)
	if len(s.moving.prim) == 0 {
		return
	}
	if again {
		s.pairUp()
	} else {
		s.clear = s.startsClear()
		s.findPairs()
	}
	if f.Crossed && !again {
		s.markTangled()
	}
	f.search.askPairs(&f.rules)
	f.rules.askSmooth()
}

// tightening is how much of what is missing at the place of a contact is asked of its node: a node moves a point
// between nodes by less than itself.
const tightening = 1.5

// Extend adds to out what the motion meets that out lacks: pairs that are not in it and whose gap, at the end of the
// motion, would be below what their contact would have kept it at. The motion must start where that of the last Find
// did. Of pairs with the same nodes and nearly the same normal it adds the deepest. Contacts that are in the set and
// hold at their node but leave a dangerously small gap where the surfaces meet are tightened by what is missing, at
// most a thickness, unless they are hopeless. Extend removes nothing, keeps out sorted, and returns how many contacts
// it added or tightened.
func (f *Finder) Extend(m contact.Motion, past []contact.Past, out *contact.Set) (changed int) {
	f.detect(m, past, true)
	known := out.Len()
	// candidates whose gap ends below what their contact would have kept it at
	for _, i := range f.pruner.prune(f.rules.found, len(m.X0), f.Prune, f.Thickness) {
		c := &f.rules.found[i]
		_, push := f.writer.gapSpeed(c)
		thickness := f.Thickness + c.extra
		wanted := min(thickness, c.z+m.H*push)
		if c.end >= wanted-f.negligible(c.z, thickness) {
			continue
		}
		// those that the set lacks are added, those that leave a dangerously small gap are tightened
		tightens := c.moved || c.smooth || c.obstacle == contact.None || c.weighted()
		if at, found := out.Find(c.id, known); !found {
			f.writer.write(c, out)
			changed++
		} else if tightens && !f.infeasible(at) && c.end < danger*thickness {
			more := min(wanted-c.end, thickness) / (m.Theta * m.H)
			if c.moved {
				more *= tightening
			}
			out.Contacts[at].Uf.X -= more
			changed++
		}
	}
	// push-out of gripped nodes is taken back
	f.scene.forgive(&f.coverer, out)
	out.Sort()
	return changed
}

// negligible is how far a gap may end below what a contact would keep it at: Missed, and of a smaller gap z half, so
// that what starts flush is not missed until it is across.
func (f *Finder) negligible(z, thickness float64) float64 {
	return min(f.Tolerated, max(exactly, z/(2*thickness))) * thickness
}

func (f *Finder) check(m *contact.Motion) {
	switch {
	case !(f.Thickness > 0) || !(f.Reach >= 1):
		panic("contact: the thickness must be positive and the reach at least 1")
	case f.VertexThickness != nil && len(f.VertexThickness) != len(m.X0),
		f.VertexFriction != nil && len(f.VertexFriction) != len(m.X0):
		panic("contact: thickness or friction by vertex has another length than the motion")
	case !(m.H > 0) || !(m.Theta > 0 && m.Theta <= 1):
		panic("contact: a step must be longer than 0, and theta in (0, 1]")
	case len(m.X1) != len(m.X0) || len(m.V0) != len(m.X0) || m.Fixed != nil && len(m.Fixed) != len(m.X0):
		panic("contact: a motion has fields of different lengths")
	}
}

// Impacts appends to out what meets on the way from the start of the last Find to x: what comes nearer than separation
// [m] or half of its distance at the start. The order depends on positions only.
func (f *Finder) Impacts(x []r3.Vec, separation float64, out []contact.Impact) []contact.Impact {
	f.Team.Enter()
	defer f.Team.Leave()
	s := &f.scene
	s.moveTo(x)
	s.prepareShapes()
	f.guard.separation, f.guard.impacts = separation, out
	f.search.askShapes(&f.guard)
	if len(s.moving.prim) > 0 {
		f.search.askPairs(&f.guard)
	}
	out, f.guard.impacts = f.guard.impacts, nil
	return out
}

// Tangled marks the pairs of primitives that cross at the start of the step, so that Impacts and Fresh leave them
// alone, and returns how many there are, with sharp edges of shapes that have come through skins. Begin forgets the
// marks. Faces inside shapes need none: contacts push them out.
func (f *Finder) Tangled() int {
	f.Team.Enter()
	defer f.Team.Leave()
	return f.scene.markTangled()
}

// Knots returns what Tangled has counted in this step; with Crossed, Find calls it.
func (f *Finder) Knots() int { return f.scene.knots }

// Widen also marks what is around the marks of Tangled: within as many edges as a distance takes at the mean length of
// edges, and two more. That is for motions that bring apart what crosses: they take back through each other what is on
// the wrong side, which lies there.
func (f *Finder) Widen(distance float64) { f.scene.widen(distance) }

// Fresh appends to out what crosses at the end of the motion to x and does not belong to what Tangled has marked.
func (f *Finder) Fresh(x []r3.Vec, out []Knot) []Knot { return f.guard.fresh(x, out) }

// Crossings finds what crosses when the points are at x and the obstacles where they are at the end of the step: with
// Self, pairs of primitives of moving skins; pairs of these and of obstacle meshes; what overlaps balls and capsules;
// where none of these does, skins inside of others; primitives of moving skins with a
// point inside a shape; and of planes, whose lowest points are vertices, and of fields that are not known to be convex,
// vertices inside. The first is in this order. To share a point is not to cross, by the rule of geom.Triangles. Blocks
// of obstacles have travelled from where they were in the last Find.
func (f *Finder) Crossings(x []r3.Vec) Tangle {
	f.Team.Enter()
	defer f.Team.Leave()
	return f.guard.crossings(x, &f.search)
}
