package pattern

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// piece of a drawing: a block, or what is in none.
type dxfPiece struct {
	name   string
	block  bool
	shapes []dxfShape
	turns  []r3.Vec2
}

// dxfOutlines joins the shapes of every piece into loops and picks those that are panels.
func dxfOutlines(pieces []dxfPiece, unit float64) ([]Outline, error) {
	var out []Outline
	for i := range pieces {
		p := &pieces[i]
		// points of a piece, in metres
		var turns []r3.Vec2
		for _, q := range p.turns {
			turns = append(turns, q.Scale(unit))
		}
		// a block is one piece, with one panel
		found := p.loops(unit)
		if p.block {
			if o, ok := p.panel(found); ok {
				o.Turns = turns
				out = append(out, o)
			}
			continue
		}
		// elsewhere each loop is a panel, named after its layer
		count := make(map[string]int)
		for _, l := range found {
			name := l.layer
			if count[l.layer]++; count[l.layer] > 1 {
				name = fmt.Sprintf("%s-%d", l.layer, count[l.layer])
			}
			o := tidy(name, l.arcs, l.closed)
			o.Turns = turns
			out = append(out, o)
		}
		// too many
		if len(out) > mostOutlines {
			return nil, &DrawingError{1, fmt.Sprintf("more than %d outlines", mostOutlines)}
		}
	}
	return out, nil
}

// Layers of the apparel format.
const (
	sewLayer = "14"
	cutLayer = "1"
)

// panel picks the outline of a block: the sewing line, or the cutting line, or the largest loop. Blocks of nothing but
// open lines have none.
func (p *dxfPiece) panel(found []dxfShape) (Outline, bool) {
	best, bestRank, bestArea := Outline{}, -1, -1.0
	for _, l := range found {
		o := tidy(p.name, l.arcs, l.closed)
		rank := 0
		switch {
		case o.Fault != "":
			continue
		case l.layer == sewLayer:
			rank = 2
		case l.layer == cutLayer:
			rank = 1
		}
		if area := drawnArea(o.Arcs); rank > bestRank || rank == bestRank && area > bestArea {
			best, bestRank, bestArea = o, rank, area
		}
	}
	return best, bestRank >= 0
}

// loops scales the shapes to metres and joins open ones of a layer that meet end to end.
func (p *dxfPiece) loops(unit float64) []dxfShape {
	var out, open []dxfShape
	for _, s := range p.shapes {
		arcs := make([]Arc, len(s.arcs))
		for i, a := range s.arcs {
			arcs[i].From = a.From.Scale(unit)
			for _, q := range a.Via {
				arcs[i].Via = append(arcs[i].Via, q.Scale(unit))
			}
		}
		s.arcs, s.end = arcs, s.end.Scale(unit)
		s.closed = s.closed || len(arcs) > 1 && s.end.Sub(arcs[0].From).Norm() <= joint
		if s.closed {
			out = append(out, s)
		} else {
			open = append(open, s)
		}
	}
	return append(out, join(open)...)
}

// joint is how near to each other ends of lines must be to be joined [m].
const joint = 1e-4

// join chains open shapes of a layer, each the way round that fits, in the order of their first.
func join(open []dxfShape) []dxfShape {
	ends := make(map[endCell][]int)
	for i := range open {
		ends[cellAt(open[i].layer, open[i].arcs[0].From, 0, 0)] = append(
			ends[cellAt(open[i].layer, open[i].arcs[0].From, 0, 0)],
			i,
		)
		ends[cellAt(open[i].layer, open[i].end, 0, 0)] = append(ends[cellAt(open[i].layer, open[i].end, 0, 0)], i)
	}
	used := make([]bool, len(open))
	// next finds an unused shape with an end at q, and whether it must be turned round.
	next := func(layer string, q r3.Vec2) (int, bool, bool) {
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for _, i := range ends[cellAt(layer, q, dx, dy)] {
					switch {
					case used[i]:
					case open[i].arcs[0].From.Sub(q).Norm() <= joint:
						return i, false, true
					case open[i].end.Sub(q).Norm() <= joint:
						return i, true, true
					}
				}
			}
		}
		return 0, false, false
	}
	var out []dxfShape
	for i := range open {
		if used[i] {
			continue
		}
		used[i] = true
		s := open[i]
		s.arcs = slices.Clone(s.arcs)
		for s.end.Sub(s.arcs[0].From).Norm() > joint || len(s.arcs) == 1 {
			j, turn, ok := next(s.layer, s.end)
			if !ok {
				break
			}
			used[j] = true
			t := open[j]
			if turn {
				t = t.turned()
			}
			s.arcs, s.end = append(s.arcs, t.arcs...), t.end
		}
		s.closed = len(s.arcs) > 1 && s.end.Sub(s.arcs[0].From).Norm() <= joint
		if !s.closed {
			s.arcs = append(s.arcs, Arc{From: s.end})
		}
		out = append(out, s)
	}
	return out
}

// endCell is a square of side joint on a layer.
type endCell struct {
	layer string
	x, y  float64
}

func cellAt(layer string, q r3.Vec2, dx, dy int) endCell {
	return endCell{layer, math.Floor(q.X/joint) + float64(dx), math.Floor(q.Y/joint) + float64(dy)}
}

// turned returns an open shape the other way round.
func (s *dxfShape) turned() dxfShape {
	out := dxfShape{layer: s.layer, end: s.arcs[0].From}
	for i := len(s.arcs) - 1; i >= 0; i-- {
		a := Arc{From: s.end}
		if i+1 < len(s.arcs) {
			a.From = s.arcs[i+1].From
		}
		a.Via = reversedPoints(s.arcs[i].Via)
		out.arcs = append(out.arcs, a)
	}
	return out
}
