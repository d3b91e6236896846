package contact

import "github.com/toile-sim/toile/r3"

// Crossing names two features that cross.
type Crossing struct {
	SurfaceA, SurfaceB   int32
	TriangleA, TriangleB int32 // or None for A a vertex, for B a shape
	Vertex               int32 // of surface A, inside the shape; None if two triangles cross
}

// Crossings counts what crosses when the blocks are at x and the obstacles where they are at the end of the step: vertices of sheets inside shapes. It
// returns the first, in the order of surfaces.
func (f *Finder) Crossings(x []r3.Vec) (count int, first Crossing) {
	for k, block := range f.blocks {
		for i := range f.obstacles {
			o := &f.obstacles[i]
			if o.Field == nil {
				continue
			}
			at := x[block]
			if o.Block != None {
				at = at.Sub(x[o.Block].Sub(f.motion.X0[o.Block]))
			}
			if d, _ := o.Field.Distance(o.To.Inverse().Apply(at)); d < 0 {
				if count == 0 {
					sheet := &f.sheets[f.owner[k]]
					first = Crossing{sheet.Surface, o.Surface, None, None, block - sheet.First}
				}
				count++
			}
		}
	}
	return count, first
}
