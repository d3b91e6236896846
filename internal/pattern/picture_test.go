package pattern

import (
	"flag"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// pictures is a folder for pictures of the meshed patterns of tests, to be looked at.
var pictures = flag.String("pictures", "", "draw the patterns of tests into this folder")

// draw writes the panels of a garment side by side, with stitched vertices marked.
func draw(t *testing.T, g *Garment, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	const width, margin = 1600, 20
	panels := int(g.Panel[len(g.Panel)-1]) + 1
	for _, p := range g.Panel {
		panels = max(panels, int(p)+1)
	}
	shift := make([]r3.Vec2, panels)
	x, height := 0.0, 0.0
	for i := range panels {
		low, high := r3.Vec2{X: math.Inf(1), Y: math.Inf(1)}, r3.Vec2{X: math.Inf(-1), Y: math.Inf(-1)}
		for v, q := range g.Flat.Material {
			if int(g.Panel[v]) == i {
				q = r3.Vec2{X: -q.Y, Y: q.X} // the warp upright
				low, high = r3.Vec2{
					X: min(low.X, q.X),
					Y: min(low.Y, q.Y),
				}, r3.Vec2{
					X: max(high.X, q.X),
					Y: max(high.Y, q.Y),
				}
			}
		}
		shift[i] = r3.Vec2{X: x - low.X, Y: -low.Y}
		x += high.X - low.X + 0.02
		height = max(height, high.Y-low.Y)
	}
	scale := (width - 2*margin) / x
	h := int(height*scale) + 2*margin
	img := image.NewRGBA(image.Rect(0, 0, width, h))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	at := func(v int32) (float64, float64) {
		q := g.Flat.Material[v]
		q = r3.Vec2{X: -q.Y, Y: q.X}.Add(shift[g.Panel[v]])
		return margin + q.X*scale, float64(h) - margin - q.Y*scale
	}
	for _, e := range g.Flat.Edges {
		c := color.RGBA{120, 140, 170, 255}
		if e.Boundary() {
			c = color.RGBA{20, 20, 20, 255}
		}
		x0, y0 := at(e.V[0])
		x1, y1 := at(e.V[1])
		n := int(2*math.Hypot(x1-x0, y1-y0)) + 1
		for i := range n {
			f := float64(i) / float64(n)
			img.Set(int(x0+f*(x1-x0)), int(y0+f*(y1-y0)), c)
		}
	}
	hues := []color.RGBA{
		{220, 40, 40, 255},
		{30, 150, 60, 255},
		{40, 80, 220, 255},
		{220, 150, 20, 255},
		{160, 40, 180, 255},
		{20, 170, 180, 255},
	}
	for k, s := range g.Stitches {
		c := hues[(int(g.Seam[k])+len(hues))%len(hues)]
		for _, v := range s {
			x, y := at(v)
			for i := -2; i <= 2; i++ {
				for j := -2; j <= 2; j++ {
					img.Set(int(x)+i, int(y)+j, c)
				}
			}
		}
	}
	f, err := os.Create(filepath.Join(*pictures, name+".png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
