package detect

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// scene is what may meet in a step, and what is known about it: the skins and their motion, trees and pairs.
type scene struct {
	*Options
	loops loops

	// What lasts as long as the features of the skins.
	skins      []contact.Skin
	moving     side      // all moving skins; its vertices are points of the motion
	origin     []origin  // by skin; of those that are prescribed, nothing
	skinOf     []int32   // by point, or None
	points     []int32   // of all moving skins
	dots       []int32   // of these, free ones
	carried    bool      // some points are no blocks
	outward    []int8    // by skin: whether it has an inside, see cone.go; empty: not known yet
	size       []float64 // by skin: how far its points are from the first, at most, when it was joined [m]
	rest       rests
	obstacleOf []*obstacle // by skin; nil if it moves
	obstacles  []*obstacle // those that there are
	madeFor    float64     // the thickness that obstacles were made for [m]
	most       float64     // the greatest thickness of all [m]
	roundest   float64     // the greatest radius of all [m]
	smoothed   []*smoothed // the skins that are smooth
	smoothOf   []*smoothed // by skin; nil if it is not

	// What lasts for a step.
	motion      contact.Motion
	reach       float64 // Reach h_c, for the greatest h_c [m]
	mostSagging float64 // bound of what vertices keep from shapes beyond their thickness [m]
	past        history
	shapes      []passage
	off         []float64 // by shape, then face: a bound of its distance at the start [m]; NaN: not known yet
	clear       bool      // nothing crosses at the start
	tangled     []bool    // by point: it belongs to skins that cross at the start; empty: none does
	knots       int       // what crosses at the start, as far as that was counted

	// Trees and pairs.
	boxes, edgeBoxes []r3.Box // of primitives and edges of moving skins, swept and inflated
	tree             *geom.Tree
	finder           geom.PairFinder
	keepPair         func(i, j int32) bool // of moving skins; nil: all
	selfPairs        [][2]int32
	near             []nearPair // of moving skins
	nears            nearLoop   // arguments of the loops under way
	sharps           sharpLoop
	paired           []r3.Vec // the end for which pairs were found; empty: none
	pairedReach      float64  // and the margin
	mender           mender
	cleared          cleared
}

// origin is where a moving skin begins among points, triangles, free edges and edges.
type origin struct{ surface, vertex, tri, free, edge int32 }

// fixed reports whether a point does not move freely.
func (s *scene) fixed(point int32) bool { return s.motion.Fixed != nil && s.motion.Fixed[point] }

// unwanted reports whether nothing that a contact of these points could do matters.
func (s *scene) unwanted(a, b int32) bool { return s.fixed(a) && (b == contact.None || s.fixed(b)) }

// travel is how far the block of an obstacle moves in the step.
func (s *scene) travel(o *obstacle) r3.Vec { return s.travelTo(o, s.motion.X1) }

// travelTo is travel to where the points end at x1.
func (s *scene) travelTo(o *obstacle, x1 []r3.Vec) r3.Vec {
	if o.Block == contact.None {
		return r3.Vec{}
	}
	return x1[o.Block].Sub(o.start)
}

// obstacle returns the obstacle of a pair, nil if both sides move.
func (s *scene) obstacle(k *pair) *obstacle {
	if skin := k.led(); skin != contact.None {
		return s.obstacleOf[skin]
	}
	return nil
}

// led returns the obstacle of a side, nil if it moves.
func (s *scene) led(of *side) *obstacle {
	if of.led == contact.None {
		return nil
	}
	return s.obstacleOf[of.led]
}

// carriers returns the blocks that carry a point; none if it is a block itself.
func (s *scene) carriers(point int32) []contact.Carrier {
	if int(point) >= len(s.skinOf) || s.skinOf[point] == contact.None {
		return nil
	}
	skin := &s.skins[s.skinOf[point]]
	if len(skin.Carriers.By) == 0 {
		return nil
	}
	i := point - skin.First
	return skin.Carriers.By[skin.Carriers.Start[i]:skin.Carriers.Start[i+1]]
}

// margin is what boxes are inflated by: two that are inflated meet if their contents come within the reach.
func (s *scene) margin() float64 { return max(s.reach, (1+2*sagitta)*s.most) / 2 }

// flushShare is the overlap of two skins, as a share of the size of the larger, up to which it is a gap of 0.
const flushShare = 1e-9

// roundingOf is the overlap up to which a skin and another, named by vertices, are flush [m].
func (s *scene) roundingOf(v int32, other *side, w int32) float64 {
	size := s.size[s.skinOf[v]]
	if o := s.led(other); o != nil {
		size = max(size, o.size)
	} else {
		size = max(size, s.size[s.skinOf[w]])
	}
	return flushShare * size
}

// roundingOfPair is roundingOf for the skins of a pair.
func (s *scene) roundingOfPair(k *pair) float64 {
	v, w := k.vertices()
	if k.p.led != contact.None {
		return s.roundingOf(w, k.p, v)
	}
	return s.roundingOf(v, k.q, w)
}

// rigidAt tells whether a vertex of a side belongs to what is rigid.
func (s *scene) rigidAt(of *side, v int32) bool {
	if o := s.led(of); o != nil {
		return !o.Deforms
	}
	return s.skins[s.skinOf[v]].Rigid
}

// sameSlice reports whether two slices are the same memory.
func sameSlice[T any](a, b []T) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }
