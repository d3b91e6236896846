package scenefile

import (
	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
)

// What was read and made of a scene when it was read.

// File returns the name by which faults call the scene.
func (s *Scene) File() string { return s.at.src.name }

// Folder returns where the files of the scene are; it is empty for a scene that is not in a file.
func (s *Scene) Folder() string { return s.folder }

func (f *fileMesh) get() *meshio.Mesh {
	if f == nil {
		return nil
	}
	return f.Mesh
}

// Read returns the mesh of the file; nil of other shapes.
func (s *Shape) Read() *meshio.Mesh { return s.mesh.get() }

// Cut returns the panels of a garment; nil of other shapes.
func (s *Shape) Cut() *pattern.Pattern { return s.cut }

// Made returns a garment, meshed; nil of other shapes.
func (s *Shape) Made() *pattern.Garment { return s.garment }

// Read returns the mesh of the file; nil of other shapes.
func (s *RigidShape) Read() *meshio.Mesh { return s.mesh.get() }

// Read returns the mesh of the file; nil of other shapes.
func (s *ObstacleShape) Read() *meshio.Mesh { return s.mesh.get() }

// Tets returns the tetrahedra at their own place and size, with those of the skin first.
func (s *SolidShape) Tets() *mesh.Tets { return s.tets }

// Made returns the flesh.
func (f *FleshShape) Made() *mannequin.Flesh { return f.made }

// Made returns the body and its motion, once they were asked for.
func (m *MannequinShape) Made() *mannequin.Film { return m.made }

// Made returns the fabric of a pattern or chart, in its own axes, once it is laid; nil of a file.
func (p *YarnPiece) Made() *knit.Fabric { return p.made }
