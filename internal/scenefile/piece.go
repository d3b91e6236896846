package scenefile

import (
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Sheet is a cloth's mesh where it starts. Of a soft body it has the vertices alone.
type Sheet struct {
	Mesh   *mesh.Mesh
	X      []r3.Vec
	Groups []meshio.Group
	File   *meshio.Mesh // that it was read from, or nil
}
