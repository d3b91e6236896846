package yarn

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// cell is a cube of the grid, cells a box of them with both corners included.
type (
	cell  struct{ x, y, z int32 }
	cells struct{ min, max cell }
)

// noCells intersects nothing.
var noCells = cells{
	min: cell{math.MaxInt32, math.MaxInt32, math.MaxInt32},
	max: cell{math.MinInt32, math.MinInt32, math.MinInt32},
}

func (a *cells) intersects(b *cells) bool {
	return a.min.x <= b.max.x && b.min.x <= a.max.x &&
		a.min.y <= b.max.y && b.min.y <= a.max.y &&
		a.min.z <= b.max.z && b.min.z <= a.max.z
}

func (a *cells) has(c cell) bool {
	return a.min.x <= c.x && c.x <= a.max.x && a.min.y <= c.y && c.y <= a.max.y && a.min.z <= c.z && c.z <= a.max.z
}

// firstCommon returns the least cell of two boxes of cells that intersect.
func firstCommon(a, b *cells) cell {
	return cell{max(a.min.x, b.min.x), max(a.min.y, b.min.y), max(a.min.z, b.min.z)}
}

// grid is a hashed grid of cubes that knows which segments each one holds.
type grid struct {
	origin r3.Vec
	width  float64
	slot   map[cell]int32
	held   [][]int32
	free   []int32
}

// over returns the cells that a box grown by a margin overlaps; none if the box is not finite.
func (g *grid) over(b *r3.Box, margin float64) cells {
	if !b.Min.Finite() || !b.Max.Finite() {
		return noCells
	}
	const most = 1 << 30
	at := func(x float64) int32 { return int32(min(max(math.Floor(x/g.width), -most), most)) }
	lo, hi := b.Min.Sub(g.origin), b.Max.Sub(g.origin)
	return cells{
		cell{at(lo.X - margin), at(lo.Y - margin), at(lo.Z - margin)},
		cell{at(hi.X + margin), at(hi.Y + margin), at(hi.Z + margin)},
	}
}

// space returns the space of a box of cells less a margin, about the origin.
func (g *grid) space(c *cells, margin float64) r3.Box {
	lo := func(x int32) float64 { return float64(x)*g.width + margin }
	hi := func(x int32) float64 { return float64(x+1)*g.width - margin }
	return r3.Box{
		Min: r3.V(lo(c.min.x), lo(c.min.y), lo(c.min.z)),
		Max: r3.V(hi(c.max.x), hi(c.max.y), hi(c.max.z)),
	}
}

// in returns the segments of a cell.
func (g *grid) in(c cell) []int32 {
	if at, ok := g.slot[c]; ok {
		return g.held[at]
	}
	return nil
}

// move takes a segment from the cells it was in to others.
func (g *grid) move(segment int32, from, to *cells) {
	for x := from.min.x; x <= from.max.x; x++ {
		for y := from.min.y; y <= from.max.y; y++ {
			for z := from.min.z; z <= from.max.z; z++ {
				if c := (cell{x, y, z}); !to.has(c) {
					g.remove(segment, c)
				}
			}
		}
	}
	for x := to.min.x; x <= to.max.x; x++ {
		for y := to.min.y; y <= to.max.y; y++ {
			for z := to.min.z; z <= to.max.z; z++ {
				if c := (cell{x, y, z}); !from.has(c) {
					g.insert(segment, c)
				}
			}
		}
	}
}

func (g *grid) insert(segment int32, c cell) {
	at, ok := g.slot[c]
	if !ok {
		if last := len(g.free) - 1; last >= 0 {
			at, g.free = g.free[last], g.free[:last]
		} else {
			at = int32(len(g.held))
			g.held = append(g.held, nil)
		}
		g.slot[c] = at
	}
	g.held[at] = append(g.held[at], segment)
}

func (g *grid) remove(segment int32, c cell) {
	at := g.slot[c]
	list := g.held[at]
	for i, s := range list {
		if s == segment {
			list[i] = list[len(list)-1]
			g.held[at] = list[:len(list)-1]
			break
		}
	}
	if len(g.held[at]) == 0 {
		delete(g.slot, c)
		g.free = append(g.free, at)
	}
}
