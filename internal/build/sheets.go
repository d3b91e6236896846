package build

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

var restCurvatures = map[string]body.RestCurvature{"flat": body.FlatRest, "initial": body.InitialRest}

// sheetOf makes the cloth's mesh and puts it in its place. Scaling changes the rest shape too.
func sheetOf(c *scenefile.Cloth, as *Worn) (*scenefile.Sheet, error) {
	sh := &scenefile.Sheet{}
	var err error
	switch g := c.Shape.Made(); {
	case g != nil && as.Apart != nil:
		return &scenefile.Sheet{Mesh: g.Flat, X: as.Apart}, nil
	case g != nil:
		return sewnSheet(&c.Shape, as.X), nil
	case c.Shape.Grid != nil:
		sh.Mesh, sh.X = gridSheet(c.Shape.Grid, c.Place.Scale)
	default:
		sh.Groups, sh.File = c.Shape.Read().Groups, c.Shape.Read()
		sh.Mesh, sh.X, err = fileSheet(&c.Shape, c.Place.Scale)
	}
	if err != nil {
		return nil, err
	}
	pose := c.Place.Pose()
	for i := range sh.X {
		sh.X[i] = pose.Apply(sh.X[i])
	}
	return sh, nil
}

// fileSheet makes the mesh of a file, with its rest shape.
func fileSheet(s *scenefile.Shape, scale float64) (*mesh.Mesh, []r3.Vec, error) {
	in := s.Read()
	x := make([]r3.Vec, len(in.Positions))
	for i, p := range in.Positions {
		x[i] = p.Scale(scale)
	}
	var m *mesh.Mesh
	var err error
	if s.Rest == "uv" {
		uv := make([]r3.Vec2, len(in.UV))
		for i, p := range in.UV {
			uv[i] = p.Scale(s.UVScale * scale)
		}
		corner := in.CornerUV
		if len(corner) == 0 {
			corner = nil
		}
		m, err = mesh.New(len(x), in.Triangles, uv, corner)
	} else {
		m, err = mesh.FromSurface(x, in.Triangles, s.Warp.R3())
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", s.File, err)
	}
	return m, x, nil
}

// gridSheet makes the grid, scaled.
func gridSheet(g *scenefile.Grid, scale float64) (*mesh.Mesh, []r3.Vec) {
	return shape.GridOf(patterns[g.Pattern], g.Size[0]*scale, g.Size[1]*scale, g.Cells[0], g.Cells[1], uint64(g.Seed))
}

var patterns = map[string]shape.Pattern{
	"right": shape.Right, "crossed": shape.Crossed, "equilateral": shape.Equilateral, "random": shape.Random,
}
