package verify

import (
	"image"
	"image/png"
	"io"

	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Figure is a plot or a picture, and the file name it should get, without ending.
type Figure struct {
	Name    string
	Plot    draw.Plot
	Picture image.Image `json:"-"` // in place of the plot; nil: the plot
}

// PNG writes the figure; plots get the given size [pixels].
func (f *Figure) PNG(out io.Writer, width, height int) error {
	if f.Picture != nil {
		return png.Encode(out, f.Picture)
	}
	return f.Plot.PNG(out, width, height)
}

func (t *Trial) Plot(name string, p draw.Plot) {
	t.Plots = append(t.Plots, Figure{Name: name, Plot: p})
}

// Picture draws a world as it is, seen from a direction. Triangles of cloths are drawn if edges is set.
func (t *Trial) Picture(name string, w *engine.World, from r3.Vec, edges bool) {
	const width, height = 800, 800
	var surfaces []draw.Surface
	for id := range engine.ClothID(w.Cloths()) {
		c := cloths.Spec(w, id)
		surfaces = append(
			surfaces,
			draw.Surface{Name: c.Name, Positions: w.Positions(id), Triangles: c.Mesh.Tri, Edges: edges},
		)
	}
	for id := range engine.ObstacleID(w.Obstacles()) {
		o := w.Obstacle(id)
		s := draw.Surface{Name: o.Name, Positions: w.ObstaclePositions(id), Triangles: o.Tri}
		if o.Shape != nil {
			if _, flat := o.Shape.(shape.Plane); flat {
				continue // the ground is drawn
			}
			s.Positions, s.Triangles = shape.Surface(shape.Placed{Shape: o.Shape, Pose: w.ObstaclePose(id)}, 1e-3, 1)
			s.Flat = true
		}
		surfaces = append(surfaces, s)
	}
	bounds := draw.Bounds(surfaces)
	opt := draw.DefaultOptions()
	opt.Width, opt.Height, opt.Workers, opt.Ground = width, height, t.Workers, draw.GroundUnder(bounds)
	t.Plots = append(
		t.Plots,
		Figure{Name: name, Picture: draw.Render(surfaces, draw.Fit(bounds, from, width/height), opt)},
	)
}
