package scenefile

import (
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// piece is a cloth's mesh where it starts. Of a soft body it has the vertices alone.
type piece struct {
	mesh   *mesh.Mesh
	x      []r3.Vec
	groups []meshio.Group
	file   *meshio.Mesh // that it was read from, or nil
}
