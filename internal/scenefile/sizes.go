package scenefile

import "math"

// vertices returns how many vertices the grid has; for patterns without cells, about.
func (g *Grid) vertices() float64 {
	nx, ny := float64(g.Cells[0]), float64(g.Cells[1])
	switch g.Pattern {
	case "right":
		return (nx + 1) * (ny + 1)
	case "crossed":
		return (nx+1)*(ny+1) + nx*ny
	}
	return math.Round(1.15*nx*ny + nx + ny + 4)
}

// triangles returns how many triangles the shape has.
func (s *Shape) triangles() int {
	if s.Grid != nil {
		// By Euler's formula, with 2 (nx + ny) vertices on the boundary.
		return 2*int(s.Grid.vertices()) - 2*(s.Grid.Cells[0]+s.Grid.Cells[1]) - 2
	}
	if s.garment != nil {
		return len(s.garment.Sewn.Tri)
	}
	return len(s.mesh.Triangles)
}

// vertices returns how many vertices the shape has, as a number that cannot overflow; 0 for a shape
// with faults.
func (s *Shape) vertices() float64 {
	switch {
	case s.Grid != nil:
		return s.Grid.vertices()
	case s.mesh != nil:
		return float64(len(s.mesh.Positions))
	case s.garment != nil:
		return float64(s.garment.Sewn.Verts)
	}
	return 0
}

// MeshSize returns the side of the triangles of a garment [m].
func (s *Shape) MeshSize() float64 {
	if s.Pattern != nil {
		return s.Pattern.Size
	}
	return s.Garment.Size
}

// vertices returns how many vertices the shape has.
func (s *ObstacleShape) vertices() int {
	if s.Mannequin != nil {
		return s.Mannequin.Vertices
	}
	if s.mesh == nil {
		return 0
	}
	return len(s.mesh.Positions)
}

// tetCount returns how many tets a shape has, as far as its numbers tell.
func (s *SolidShape) tetCount() float64 {
	cube := func(n int) float64 { return float64(n) * float64(n) * float64(n) }
	switch {
	case s.Block != nil:
		c := s.Block.Cells
		return 5 * float64(c[0]) * float64(c[1]) * float64(c[2])
	case s.Ball != nil:
		return 20 * cube(s.Ball.Rings)
	case s.Shell != nil:
		return 60 * float64(s.Shell.Rings) * float64(s.Shell.Rings) * float64(s.Shell.Layers)
	case s.HalfBall != nil:
		return cube(s.HalfBall.Rings) * (6 + 6*math.Log(2*s.HalfBall.Radius/s.HalfBall.Fine))
	case s.Ring != nil:
		c := s.Ring.Cells
		return 6 * float64(c[0]) * float64(c[1]) * float64(c[2])
	case s.Boxes != nil:
		sum := 0.0
		for _, b := range s.Boxes.boxes() {
			size := b.Size().Scale(1 / s.Boxes.Cell)
			sum += 5 * size.X * size.Y * size.Z
		}
		return sum
	case s.Flesh != nil:
		const volume, tetsInCell = 0.07, 12 // of a body [m³]
		return tetsInCell * volume / (s.Flesh.Size * s.Flesh.Size * s.Flesh.Size)
	}
	return 0
}

// points returns how many control points the piece has, about, as a number that cannot overflow; 0 for one with faults.
func (p *YarnPiece) points() float64 {
	switch {
	case p.curves != nil:
		return float64(len(p.curves.Points))
	case p.Size != nil:
		return 8 * float64(p.Size[0]) * float64(p.Size[1])
	}
	return 0
}
