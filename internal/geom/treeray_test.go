package geom

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// TestAlongSegmentMissesNothing compares with points along the segment: a box that holds one of them must be found, and
// a box that is found must be touched by the segment when it is a little larger.
func TestAlongSegmentMissesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	point := func() r3.Vec { return r3.V(rnd.Float64(), rnd.Float64(), rnd.Float64()) }
	var boxes []r3.Box
	for range 300 {
		a := point()
		boxes = append(boxes, r3.Box{Min: a, Max: a.Add(point().Scale(0.1))})
	}
	boxes = append(boxes, r3.EmptyBox())
	tree := NewTree(boxes)
	for trial := range 40 {
		p, q := point(), point()
		if trial%5 == 0 {
			q = r3.V(q.X, p.Y, p.Z) // along an axis
		}
		if trial%7 == 0 {
			p = boxes[trial].Min // from a corner
		}
		found := tree.AlongSegment(p, q, nil)
		slices.Sort(found)
		const samples = 500
		for i, b := range boxes {
			_, has := slices.BinarySearch(found, int32(i))
			near := b
			near.Min, near.Max = b.Min.Sub(r3.V(1, 1, 1).Scale(1./samples)), b.Max.Add(r3.V(1, 1, 1).Scale(1./samples))
			inside, close := false, false
			for k := 0; k <= samples && !b.Empty(); k++ {
				x := p.Lerp(q, float64(k)/samples)
				inside = inside || b.Contains(x)
				close = close || near.Contains(x)
			}
			if inside && !has || has && !close {
				t.Fatalf(
					"segment %v %v, box %v: found %v, holds a sample %v, is near one %v",
					p,
					q,
					b,
					has,
					inside,
					close,
				)
			}
		}
	}
}
