package bench

import (
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/knits"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// drawYarns writes two pictures of a scene as it is into a folder: all of it, and loops from near.
func drawYarns(w *knits.World, folder, name string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	// yarns as tubes
	yarns := &meshio.Curves{Name: "yarns", Points: w.Positions(), Radius: w.Fabrics[0].Radius}
	for y := range w.Yarns() {
		first, end, closed := w.Range(y)
		yarns.Counts, yarns.Closed = append(yarns.Counts, int32(end-first)), append(yarns.Closed, closed)
	}
	tubes := yarns.Tubes(2, 5)
	surfaces := []draw.Surface{
		{
			Name: "yarns", Positions: tubes.Positions, Triangles: tubes.Triangles,
			Color: color.RGBA{0xc4, 0x6a, 0x4a, 0xff},
		},
	}
	// obstacles; a plane is the ground
	ground := draw.Ground{}
	for i, o := range w.Obstacles {
		placed := shape.Placed{Shape: o.Shape, Pose: w.ObstaclePose(i)}
		if plane, flat := o.Shape.(shape.Plane); flat {
			ground = draw.Ground{Show: true, Height: placed.Pose.Apply(plane.Point).Z, Cell: 0.1}
			continue
		}
		pos, tri := shape.Surface(placed, 1e-3, 1)
		calm := color.RGBA{0xbd, 0xb7, 0xac, 0xff}
		surfaces = append(surfaces, draw.Surface{Name: o.Name, Positions: pos, Triangles: tri, Color: calm, Back: calm})
	}
	// size and ground of the pictures
	bounds := draw.Bounds(surfaces[:1])
	opt := draw.DefaultOptions()
	opt.Ground = ground
	opt.Width, opt.Height = 1000, 800
	// the whole, and from near
	views := map[string]r3.Box{name: bounds, name + "-near": nearest(w, bounds.Center())}
	for file, box := range views {
		img := draw.Render(surfaces, draw.Fit(box, towardsEye, float64(opt.Width)/float64(opt.Height)), opt)
		err := disk.WriteFile(
			filepath.Join(folder, file+".png"), func(out io.Writer) error { return png.Encode(out, img) },
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// towardsEye is where scenes of yarns are seen from.
var towardsEye = r3.V(0.35, -1, 0.6).Unit()

// nearest returns a box, a few loops wide, about where the yarns are met by who looks at a point.
func nearest(w *knits.World, at r3.Vec) r3.Box {
	const loops = 8
	half := loops * 4 * w.Fabrics[0].Radius
	best := at
	for _, p := range w.Positions() {
		d := p.Sub(at)
		depth := d.Dot(towardsEye)
		if d.AddScaled(-depth, towardsEye).Norm() < half && depth > best.Sub(at).Dot(towardsEye) {
			best = p
		}
	}
	reach := r3.V(half, half, half)
	return r3.Box{Min: best.Sub(reach), Max: best.Add(reach)}
}
