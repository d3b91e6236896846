package scenefile

import (
	"fmt"
	"slices"

	"github.com/toile-sim/toile/meshio"
)

// IsImage reports whether a map of this name is an image, by its ending.
func IsImage(name string) bool { return isImage(name) }

// PaintVertices lays an image over the UVs of a mesh and returns its luminance at each vertex, from 0 for black to 1
// for white. Where UVs have a seam it is the mean of both sides. data is the file of that name.
func PaintVertices(name string, data []byte, m *meshio.Mesh) ([]float64, error) {
	if len(m.UV) == 0 {
		return nil, fmt.Errorf("%s is an image, but the mesh has no UVs to lay it over", name)
	}
	for t, c := range m.CornerUV {
		if slices.Contains(c[:], -1) {
			return nil, fmt.Errorf("%s is an image, but triangle %d of the mesh has no UVs", name, t)
		}
	}
	image, err := readPicture(name, data, "luminance")
	if err != nil {
		return nil, err
	}
	source := mapSource{image: image}
	return source.paintMesh(m).vertices(), nil
}
