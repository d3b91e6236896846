// Package tets has what readers of solids cut into tets share.
package tets

import (
	"fmt"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/mesh"
)

// Tets is a solid as a file holds it: with all tets turned so that their volume is not negative, and without vertices
// that no tet has. Whether it is sound otherwise, Validate tells.
type Tets struct {
	mesh.Tets
	Notes []string // what the reader changed or left out, for people
}

// Finish makes a solid of what was read.
func (r *Reader) Finish(path string, fr model.Frame) (*Tets, error) {
	s := &Tets{}
	// what was left out
	note := func(format string, args ...any) { s.Notes = append(s.Notes, fmt.Sprintf(format, args...)) }
	if len(r.Tets) == 0 {
		return nil, &model.Error{File: path, Offset: -1, Msg: fmt.Sprintf("no tets, and %d other elements", r.Other)}
	}
	if r.Other > 0 {
		note("%d elements that are no tets were left out", r.Other)
	}
	if r.Long > 0 {
		note("%d tets have more than 4 vertices, of which the corners were taken", r.Long)
	}
	// vertices that tets have, with new numbers
	number := make([]int32, len(r.X)) // plus one
	for _, v := range r.Tets {
		for _, k := range v {
			number[k] = 1
		}
	}
	for i, x := range r.X {
		if number[i] == 0 {
			continue
		}
		x = fr.FromFile(x)
		if !x.Finite() {
			msg := fmt.Sprintf("vertex %d leaves the range of numbers in units of %v m", i, fr.Unit)
			return nil, &model.Error{File: path, Offset: -1, Msg: msg}
		}
		s.X = append(s.X, x)
		number[i] = int32(len(s.X))
	}
	if n := len(r.X) - len(s.X); n > 0 {
		note("%d vertices that no tet has were left out", n)
	}
	// tets, turned the right way around
	turned := 0
	s.Tet = r.Tets
	for i, v := range s.Tet {
		s.Tet[i] = [4]int32{number[v[0]] - 1, number[v[1]] - 1, number[v[2]] - 1, number[v[3]] - 1}
		if s.TetVolume(int32(i)) < 0 {
			turned++
			s.Tet[i][2], s.Tet[i][3] = s.Tet[i][3], s.Tet[i][2]
		}
	}
	if turned > 0 {
		note("%d tets were inside out and have been turned", turned)
	}
	return s, nil
}
