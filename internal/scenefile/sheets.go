package scenefile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

var restCurvatures = map[string]body.RestCurvature{"flat": body.FlatRest, "initial": body.InitialRest}

// piece makes the cloth's mesh and puts it in its place. Scaling changes the rest shape too.
func (c *Cloth) piece(as *worn) (*piece, error) {
	sh := &piece{}
	var err error
	switch g := c.Shape.garment; {
	case g != nil && as.apart != nil:
		return &piece{mesh: g.Flat, x: as.apart}, nil
	case g != nil:
		return c.Shape.sewnSheet(as.x), nil
	case c.Shape.Grid != nil:
		sh.mesh, sh.x = c.Shape.Grid.make(c.Place.Scale)
	default:
		sh.groups, sh.file = c.Shape.mesh.Groups, c.Shape.mesh.Mesh
		sh.mesh, sh.x, err = c.Shape.fileSheet(c.Place.Scale)
	}
	if err != nil {
		return nil, err
	}
	pose := c.Place.pose()
	for i := range sh.x {
		sh.x[i] = pose.Apply(sh.x[i])
	}
	return sh, nil
}

// fileSheet makes the mesh of a file, with its rest shape.
func (s *Shape) fileSheet(scale float64) (*mesh.Mesh, []r3.Vec, error) {
	in := s.mesh
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

// make makes the grid, scaled.
func (g *Grid) make(scale float64) (*mesh.Mesh, []r3.Vec) {
	return shape.GridOf(patterns[g.Pattern], g.Size[0]*scale, g.Size[1]*scale, g.Cells[0], g.Cells[1], uint64(g.Seed))
}

var patterns = map[string]shape.Pattern{
	"right": shape.Right, "crossed": shape.Crossed, "equilateral": shape.Equilateral, "random": shape.Random,
}
