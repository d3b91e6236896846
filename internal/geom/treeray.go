package geom

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// AlongSegment returns the primitives whose boxes meet the segment pq, touching included, and perhaps a few whose boxes
// are as near to it as rounding: none that meets it is missed. They come in no particular order. It writes to dst from
// its beginning, growing it where needed.
//
// A box and a segment are apart if and only if they are so along an axis, or along the cross product of an axis and the
// segment; every comparison leaves room for the rounding of its own terms.
func (t *Tree) AlongSegment(p, q r3.Vec, dst []int32) []int32 {
	dst = dst[:0]
	if len(t.nodes) == 0 {
		return dst
	}
	s := newSegmentTest(p, q, &t.nodes[0].box)
	for i := int32(0); i < int32(len(t.nodes)); {
		n := &t.nodes[i]
		if !s.meets(&n.box) {
			i = n.skip
			continue
		}
		for k := n.first; k < n.first+n.count; k++ {
			if s.meets(&t.box[k]) {
				dst = append(dst, t.prim[k])
			}
		}
		i++
	}
	return dst
}

// segmentTest is a segment as its middle, half its vector, and that vector's magnitudes.
type segmentTest struct {
	mid, half, size r3.Vec
	slack           float64 // bound of the rounding of a coordinate's difference [m]
	slack2          float64 // bound of the rounding of a product of two [m²]
}

func newSegmentTest(p, q r3.Vec, around *r3.Box) segmentTest {
	half := q.Sub(p).Scale(0.5)
	reach := max(p.MaxAbs(), q.MaxAbs(), around.Min.MaxAbs(), around.Max.MaxAbs())
	return segmentTest{
		mid: p.Add(half), half: half,
		size:   r3.V(math.Abs(half.X), math.Abs(half.Y), math.Abs(half.Z)),
		slack:  16 * 0x1p-52 * reach,
		slack2: 64 * 0x1p-52 * reach * reach,
	}
}

// meets reports whether the segment meets a box; an empty box never.
func (s *segmentTest) meets(b *r3.Box) bool {
	if b.Min.X > b.Max.X {
		return false
	}
	hx, hy, hz := (b.Max.X-b.Min.X)/2, (b.Max.Y-b.Min.Y)/2, (b.Max.Z-b.Min.Z)/2
	x, y, z := s.mid.X-b.Min.X-hx, s.mid.Y-b.Min.Y-hy, s.mid.Z-b.Min.Z-hz
	if math.Abs(x) > s.size.X+hx+s.slack || math.Abs(y) > s.size.Y+hy+s.slack || math.Abs(z) > s.size.Z+hz+s.slack {
		return false
	}
	return math.Abs(y*s.half.Z-z*s.half.Y) <= hy*s.size.Z+hz*s.size.Y+s.slack2 &&
		math.Abs(z*s.half.X-x*s.half.Z) <= hz*s.size.X+hx*s.size.Z+s.slack2 &&
		math.Abs(x*s.half.Y-y*s.half.X) <= hx*s.size.Y+hy*s.size.X+s.slack2
}
