package knit

import (
	"cmp"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

const (
	clearanceSteps = 8   // pieces of a segment of spline
	clearanceCell  = 1.6 // of the grid, more than D and the longest piece [D]
)

// piece is a short straight piece of a yarn.
type piece struct {
	cell  [3]int32
	a, b  r3.Vec
	along float64 // of its yarn up to its middle [m]
	yarn  int32
}

// Clearance returns the least distance of the axes of yarns in the given positions of all control points, in yarn
// diameters, or 1 if no two are closer than that. Pieces of one yarn that are less than two diameters apart along it do
// not count. The spline is taken as polylines of eight pieces a segment, which is within 1 % for loops as laid.
func (f *Fabric) Clearance(points []r3.Vec) float64 {
	// pieces, sorted by cell
	size := 2 * f.Radius
	pieces, length := f.pieces(points, size)
	slices.SortFunc(pieces, func(p, q piece) int {
		return cmp.Or(
			cmp.Compare(p.cell[0], q.cell[0]),
			cmp.Compare(p.cell[1], q.cell[1]),
			cmp.Compare(p.cell[2], q.cell[2]),
		)
	})
	// pieces of each cell
	spans := map[[3]int32][2]int{}
	var cells [][3]int32
	for i := 0; i < len(pieces); {
		end := i + 1
		for end < len(pieces) && pieces[end].cell == pieces[i].cell {
			end++
		}
		spans[pieces[i].cell] = [2]int{i, end}
		cells = append(cells, pieces[i].cell)
		i = end
	}
	// pairs in cells that touch
	least := size * size
	for _, cell := range cells {
		own := spans[cell]
		for n := range 27 {
			span := spans[[3]int32{cell[0] + int32(n%3) - 1, cell[1] + int32(n/3%3) - 1, cell[2] + int32(n/9) - 1}]
			for i := own[0]; i < own[1]; i++ {
				for j := max(span[0], i+1); j < span[1]; j++ {
					p, q := &pieces[i], &pieces[j]
					if reach := clearanceCell * size; p.a.Sub(q.a).Norm2() > reach*reach {
						continue
					}
					// neighbours along a yarn do not count
					if p.yarn == q.yarn && f.apart(p, q, length[p.yarn]) < 2*size {
						continue
					}
					// distance of axes
					_, _, d := geom.EdgeEdge(p.a, p.b, q.a, q.b)
					least = min(least, d)
				}
			}
		}
	}
	return math.Sqrt(least) / size
}

// apart returns how far two pieces of a yarn are from each other along it [m].
func (f *Fabric) apart(p, q *piece, length float64) float64 {
	d := math.Abs(p.along - q.along)
	if f.curves[p.yarn].closed {
		d = min(d, length-d)
	}
	return d
}

// pieces cuts all yarns into short pieces, and returns the lengths of the yarns as well.
func (f *Fabric) pieces(points []r3.Vec, size float64) (pieces []piece, length []float64) {
	cell := func(x float64) int32 { return int32(math.Floor(x / (clearanceCell * size))) }
	pieces = make([]piece, 0, clearanceSteps*f.Segments())
	for y := range f.curves {
		along := 0.0
		add := func(a, b r3.Vec) {
			l, mid := b.Sub(a).Norm(), a.Lerp(b, 0.5)
			at := [3]int32{cell(mid.X), cell(mid.Y), cell(mid.Z)}
			pieces = append(pieces, piece{at, a, b, along + l/2, int32(y)})
			along += l
		}
		eachSegment(f.Polyline(points, y, clearanceSteps), f.curves[y].closed, add)
		length = append(length, along)
	}
	return pieces, length
}
