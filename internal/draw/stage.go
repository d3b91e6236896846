package draw

import (
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// stage is everything that is fixed while one picture is drawn.
type stage struct {
	opt         Options
	lens        lens
	meshes      []mesh
	meshOf      []int32 // the mesh of each triangle
	box         r3.Box  // of all finite positions
	reach       float64 // diagonal of box [m]
	key, fill   r3.Vec  // unit directions to the lights
	top, bottom linear
	scale       Scale
	scaled      bool // some surface shows scalars
	frame       *raster
	shadow      *shadow
}

// newStage prepares meshes, lights and lens.
func newStage(surfaces []Surface, cam Camera, opt Options, team *par.Team) *stage {
	// extent of what is drawn
	s := &stage{
		opt: opt, meshes: make([]mesh, len(surfaces)), box: Bounds(surfaces),
		top: fromRGBA(opt.Top), bottom: fromRGBA(opt.Bottom),
	}
	if !s.box.Empty() {
		s.reach = s.box.Size().Norm()
	}
	// camera and lights
	s.lens = newLens(cam, opt.Width*opt.Samples, opt.Height*opt.Samples)
	l := &s.lens
	s.key = l.right.Scale(-0.75).AddScaled(0.75, r3.V(0, 0, 1)).AddScaled(-0.45, l.forward).Unit()
	s.fill = l.right.Scale(0.8).AddScaled(0.15, l.up).AddScaled(-0.6, l.forward).Unit()
	// colours and normals of surfaces
	for i := range surfaces {
		m := &s.meshes[i]
		m.Surface, m.first = surfaces[i], len(s.meshOf)
		for range m.Triangles {
			s.meshOf = append(s.meshOf, int32(i))
		}
		m.scalars = len(m.Scalar) > 0 && len(m.Scalar) == len(m.Positions)
		s.scaled = s.scaled || m.scalars
		m.paint(i)
		if !m.Flat {
			m.normals = vertexNormals(m, team)
		}
	}
	// scale of colours
	if opt.Scale != nil {
		s.scale = *opt.Scale
	} else {
		s.scale = ScaleOf(surfaces, "", "")
	}
	return s
}
