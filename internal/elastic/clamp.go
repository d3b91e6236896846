package elastic

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Clamp holds the direction of the sheet at a boundary edge, as a wall or the jaw of a tester does.
// It does not hold the position: pin the two vertices of the edge for that.
//
// The derivative across the edge, which Plate otherwise takes from vertices nearby, is given instead.
// Pinning two rows of vertices would make the sheet shorter by about half an element; this is of
// second order.
type Clamp struct {
	Edge int32  // a boundary edge of the mesh
	Dir  r3.Vec // the direction in which the sheet leaves the edge; its length does not matter
}

// clampSet is the clamps of a plate.
type clampSet struct {
	clamps []Clamp
	tri    []int32     // of each clamp
	weight []r3.Vec    // what Dir adds to X of that triangle: minus l/A ν⊗ν [1/m²]
	slot   []int32     // index into bias of each triangle, or -1; nil if there is no clamp
	bias   [][3]r3.Vec // what all clamps of a triangle add to its X
	member [][]int32   // the clamps of each bias
	edge   []bool      // by edge; nil if there is no clamp
}

func (s *clampSet) init(m *mesh.Mesh, clamps []Clamp) error {
	if len(clamps) == 0 {
		return nil
	}
	// no triangle has a clamp yet
	s.edge, s.slot = make([]bool, len(m.Edges)), make([]int32, len(m.Tri))
	for t := range s.slot {
		s.slot[t] = -1
	}
	var errs []error
	// what is wrong with each
	for i, c := range clamps {
		switch {
		case c.Edge < 0 || int(c.Edge) >= len(m.Edges):
			errs = append(errs, fmt.Errorf("clamp %d is at edge %d, but there are %d", i, c.Edge, len(m.Edges)))
		case !m.Edges[c.Edge].Boundary():
			errs = append(
				errs,
				fmt.Errorf("clamp %d is at edge %d, which is inside the sheet; clamp edges of the boundary", i, c.Edge),
			)
		case s.edge[c.Edge]:
			errs = append(errs, fmt.Errorf("clamp %d is at edge %d, which is clamped already", i, c.Edge))
		case !(c.Dir.Norm() > 0) || !c.Dir.Finite():
			errs = append(errs, fmt.Errorf("clamp %d has no direction", i))
		default:
			// its triangle, and how much its direction adds there
			s.edge[c.Edge] = true
			t := m.Edges[c.Edge].Tri[0]
			side := sideOf(m, t, m.Edges[c.Edge].Opp[0])
			s.tri = append(s.tri, t)
			s.weight = append(s.weight, side.across().Scale(-side.length/m.RestArea(t)))
			s.clamps = append(s.clamps, Clamp{c.Edge, c.Dir.Unit()})
			// the triangle has room for what all its clamps add
			if s.slot[t] < 0 {
				s.slot[t] = int32(len(s.bias))
				s.bias = append(s.bias, [3]r3.Vec{})
				s.member = append(s.member, nil)
			}
			s.member[s.slot[t]] = append(s.member[s.slot[t]], int32(len(s.clamps)-1))
		}
	}
	// all faults at once, or sums of the clamps
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	for i := range s.bias {
		s.sum(int32(i))
	}
	return nil
}

func (s *clampSet) any() bool { return s.slot != nil }

func (s *clampSet) holds(e int32) bool { return s.edge != nil && s.edge[e] }

func (s *clampSet) set(i int, dir r3.Vec) {
	if !(dir.Norm() > 0) || math.IsInf(dir.Norm(), 1) {
		panic("elastic: a clamp needs a direction")
	}
	s.clamps[i].Dir = dir.Unit()
	s.sum(s.slot[s.tri[i]])
}

// sum computes one bias from scratch, so that it does not depend on earlier directions.
func (s *clampSet) sum(slot int32) {
	var b [3]r3.Vec
	for _, i := range s.member[slot] {
		w, dir := s.weight[i], s.clamps[i].Dir
		b[0] = b[0].AddScaled(w.X, dir)
		b[1] = b[1].AddScaled(w.Y, dir)
		b[2] = b[2].AddScaled(w.Z, dir)
	}
	s.bias[slot] = b
}

func (s *clampSet) add(t int, y *[3]r3.Vec) {
	i := s.slot[t]
	if i < 0 {
		return
	}
	b := &s.bias[i]
	for k := range y {
		y[k] = y[k].Add(b[k])
	}
}
