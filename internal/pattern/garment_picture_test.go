package pattern

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	render "github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/r3"
)

// photograph draws a fitting from before, the side and behind, as it hangs and as it is worn, into the folder for
// pictures.
func photograph(t *testing.T, f *fitting, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	body := render.Surface{
		Positions: f.body.Positions,
		Triangles: f.body.Tri,
		Color:     color.RGBA{0xd8, 0xc8, 0xb8, 0xff},
	}
	cloth := color.RGBA{0x30, 0x70, 0xc0, 0xff}
	var cells []*image.RGBA
	for _, s := range []render.Surface{
		{Positions: f.garment.Positions, Triangles: f.garment.Flat.Tri, Color: cloth, Edges: true},
		{Positions: f.x, Triangles: f.garment.Sewn.Tri, Color: cloth, Edges: true},
	} {
		margin := r3.V(0.06, 0.06, 0.06)
		box := r3.BoxOf(s.Positions)
		box = r3.Box{Min: box.Min.Sub(margin), Max: box.Max.Add(margin)}
		opt := render.DefaultOptions()
		opt.Width, opt.Height = 700, 700
		for _, dir := range []r3.Vec{r3.V(0.25, -1, 0.15), r3.V(1, -0.5, 0.35), r3.V(0.6, 1, 0.4)} {
			cells = append(cells, render.Render([]render.Surface{body, s}, render.Fit(box, dir, 1), opt))
		}
	}
	file, err := os.Create(filepath.Join(*pictures, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, render.Sheet(cells, make([]string, len(cells)), 3, name)); err != nil {
		t.Fatal(err)
	}
}
