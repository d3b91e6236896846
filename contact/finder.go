package contact

// Detection of contacts over one time step, [Li18] section 5.2.
//
// A pair of features is a contact when
//
//	distance at the start < Reach h_c   (proximity), or
//	distance reaches a separation at some time of the step   (impact),
//
// with h_c the contact thickness. Features are vertices of sheets against smooth shapes (field.go), faces against them
// where corners do not hold them (faces.go), and vertices against faces and edges against edges (pairs.go) of sheets,
// of obstacle meshes, and of the sharp edges and corners of shapes (sharp.go). The gap z is always that at the start of
// the step, along the normal of the contact; the normal of an impact is that of the time of impact, carried back to the
// start.
//
// A contact with an obstacle then moves to the nearest vertex of the sheet's primitive, the one with the largest
// weight; the normal and the gap stay those of the original pair; the velocity v_o of the obstacle is the chord of its
// motion carried to the node, (T(t+h) T(t)⁻¹ x − x)/h, so that a node that turns with an obstacle does not slip on it.
// Between sheets, and where a corner of a shape touches a face, v is the velocity of the points that meet, v = Σ w_i
// v_i with their barycentric weights, positive on side A and negative on side B. With E the frame and θ the weight of
// the end of the step,
//
//	u = [E (θ v + (1−θ) v₀ − v_o) + g e]/θ,   g = (z − h_c)/h   if z > h_c,   −min(f (h_c − z)/h, s)   if z < h_c,   0 if they are equal to a rounding,
//
// so that u_N ≥ 0 keeps the gap at h_c or more, or pushes a violation out by the fraction f of it, at most at the
// speed s. Contacts of the same nodes with nearly the same normal are pruned to the one with the smallest gap
// predicted for the end of the step (prune.go).
//
// Departures from the paper: contacts between sheets keep their weights instead of moving to nodes, because two nodes
// that obey let the points between them cross, and so do those of corners of shapes (sharp.go says why); pairs that are
// not a local minimum of the distance of the two surfaces are not contacts by proximity (pairs.go says why); and
// neighbours in one sheet are told from layers by their rest distance (rest.go).
//
// Invariants: the set is sorted by ids and ids are unique; the result depends on positions, never on workers or on the
// history of the trees; nothing is allocated once the buffers have grown to the size of the scene.

import (
	"math"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Finder finds contacts. Begin with DefaultFinder, set what differs, and keep the Finder from step to step: it holds
// trees and buffers. It must not be copied after Begin, and belongs to one goroutine at a time.
type Finder struct {
	Thickness    float64                  // h_c: the distance at which surfaces are held [m], above 0
	Reach        float64                  // proximity, in thicknesses, above 1; 1.5 as in [Li18]
	Prune        float64                  // angle between normals below which contacts of the same nodes are one [rad]; 10 degrees as in [Li18]
	SelfRatio    float64                  // distance over rest distance below which a pair of one sheet is a contact; 0.1: neighbours at rest have 1
	PushFraction float64                  // part of a violation of the thickness that is pushed out in a step; between sheets 3 times that
	PushSpeed    float64                  // greatest speed at which that is done [m/s]; between sheets 3 times that
	Self         bool                     // sheets against themselves and each other
	Friction     func(a, b int32) float64 // coefficient of a pair of surfaces; nil means 0
	Team         *par.Team                // nil: the caller alone
	Crossed      bool                     // the start may be crossed: Find marks what is (Tangled), and makes no contacts that would hold it
	Hopeless     []bool                   // by contact of the set that Extend is given, or nil: it contradicts others, and asking more of it is no use

	// What differs from place to place; see local.go. They hold from the next Begin on.
	VertexThickness []float64             // by point: the distance at which sheets are held there [m], above 0; nil: Thickness
	VertexFriction  []float64             // by point: coefficient of the sheet there, below 0 where the sheet has none of its own; nil: none has
	Listed          func(a, b int32) bool // tells pairs of surfaces for which Friction holds in spite of VertexFriction; nil: none

	skins      []Skin
	cloth      side        // all moving skins; its vertices are points of the motion
	origin     []origin    // by skin; of those that are prescribed, nothing
	skinOf     []int32     // by point, or None
	points     []int32     // of all moving skins
	dots       []int32     // of these, free ones
	carried    bool        // some points are no blocks
	fans       lists.Lists // by point: its triangles and free edges
	restLength []float64   // by edge [m]
	shortest   float64     // of them
	targets    []*target   // by skin; nil if it is not prescribed
	solids     []*target   // those that there are
	thickness  float64     // that solids were made for
	most       float64     // the greatest thickness of all [m]

	motion      Motion
	reach       float64 // Reach h_c, for the greatest h_c [m]
	mostSagging float64 // bound of what vertices keep from shapes beyond their thickness [m]
	past        []Past
	fields      []fieldTarget

	boxes, edgeBoxes []r3.Box // of triangles and edges of cloth, swept and inflated
	tree             *geom.Tree
	finder           geom.PairFinder
	keepPair         func(i, j int32) bool // of moving skins; nil: all
	selfPairs        [][2]int32
	pairs            [][2]int32 // of the loop under way
	paired           []r3.Vec   // the end for which pairs were found; empty: none
	pairedReach      float64    // and the margin
	solid            *target    // of the loop under way

	chunks  []chunk // what each chunk of a loop has found
	found   []candidate
	pruner  pruner
	coverer coverer
	weights []Weight // scratch of write
	terms   []Term

	// Of Impacts.
	passing    bool    // the loops under way look for impacts, not for contacts
	separation float64 // [m]
	knots      int     // what Tangled has counted in this step
	tangled    []bool  // by point: it belongs to sheets that cross at the start; empty: none does

	fieldBody, triangleBody, edgeBody, selfBody, meshBody, sharpBody, insideBody, crossBody, passBody, faceBody, facePassBody, faceInsideBody func(lo, hi int)
}

// origin is where a moving skin begins among points, triangles, free edges and edges.
type origin struct{ surface, vertex, tri, free, edge int32 }

// chunk is the result and the scratch of one chunk of a loop.
type chunk struct {
	found     []candidate
	rest      restSearch
	crossings int
	crossing  [2]int32 // the first
	depth     float64  // of faces inside shapes [m]
	impacts   []Impact
}

// DefaultFinder returns a finder with a thickness of 1 mm, the thresholds of [Li18], and without friction.
func DefaultFinder() Finder {
	return Finder{
		Thickness: 1e-3, Reach: 1.5, Prune: 10 * math.Pi / 180, SelfRatio: 0.1,
		PushFraction: 0.1, PushSpeed: 0.1, Self: true,
	}
}

// Find replaces out by everything that is near at the start of the motion or met on the way: pruned and sorted.
// Past, sorted by ID, settles normals that cannot be told from positions.
func (f *Finder) Find(m Motion, past []Past, out *Set) {
	f.detect(m, past, false)
	out.Reset()
	for _, i := range f.cover(f.pruner.prune(f.found, len(m.X0), f.Prune, f.Thickness)) {
		f.write(&f.found[i], out)
	}
	f.forgive(out)
	out.Sort()
}

const (
	// missed is how far a gap must end below what a contact would ask for to be worth adding, in thicknesses.
	missed = 0.01
	// danger is the gap, in thicknesses, below which a contact in the set is tightened.
	danger = 0.9
	// tightening is how much of what is missing at the place of a contact is asked of its node: a node moves a
	// point between nodes by less than itself.
	tightening = 1.5
)

// Extend adds to out what the motion meets that out lacks: pairs that are not in it and whose gap, at the end of the
// motion, would be below what their contact would have kept it at. The motion must start where that of the last Find
// did. Of pairs with the same nodes and nearly the same normal it adds the deepest. Contacts that are in the set and
// hold at their node but leave a dangerously small gap where the surfaces meet are tightened by what is missing, at
// most a thickness, unless they are hopeless. Extend removes nothing, keeps out sorted, and returns how many contacts
// it added or tightened.
func (f *Finder) Extend(m Motion, past []Past, out *Set) (changed int) {
	f.detect(m, past, true)
	before := out.Len()
	for _, i := range f.pruner.prune(f.found, len(m.X0), f.Prune, f.Thickness) {
		c := &f.found[i]
		_, push := f.gapSpeed(c)
		thickness := f.Thickness + c.extra
		wanted := min(thickness, c.z+m.H*push)
		if c.end >= wanted-missed*thickness {
			continue
		}
		if at, found := out.find(c.id, before); !found {
			f.write(c, out)
			changed++
		} else if (c.moved || c.obstacle == None || c.weighted()) && !f.hopeless(at) && c.end < danger*thickness {
			more := min(wanted-c.end, thickness) / (m.Theta * m.H)
			if c.moved {
				more *= tightening
			}
			out.Contacts[at].Uf.X -= more
			changed++
		}
	}
	f.forgive(out)
	out.Sort()
	return changed
}

func (f *Finder) hopeless(contact int) bool { return contact < len(f.Hopeless) && f.Hopeless[contact] }

func (f *Finder) check(m *Motion) {
	switch {
	case !(f.Thickness > 0) || !(f.Reach >= 1):
		panic("contact: the thickness must be positive and the reach at least 1")
	case f.VertexThickness != nil && len(f.VertexThickness) != len(m.X0) || f.VertexFriction != nil && len(f.VertexFriction) != len(m.X0):
		panic("contact: thickness or friction by vertex has another length than the motion")
	case !(m.H > 0) || !(m.Theta > 0 && m.Theta <= 1):
		panic("contact: a step must be longer than 0, and theta in (0, 1]")
	case len(m.X1) != len(m.X0) || len(m.V0) != len(m.X0) || m.Fixed != nil && len(m.Fixed) != len(m.X0):
		panic("contact: a motion has fields of different lengths")
	}
}

// fixed reports whether a point does not move freely.
func (f *Finder) fixed(point int32) bool { return f.motion.Fixed != nil && f.motion.Fixed[point] }

// unwanted reports whether nothing that a contact of these points could do matters.
func (f *Finder) unwanted(a, b int32) bool { return f.fixed(a) && (b == None || f.fixed(b)) }
