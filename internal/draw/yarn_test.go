package draw

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// knitted is a frame with knitting, standing up.
func knitted(wales, courses int) *runfolder.Frame {
	points, counts := layouts.Stockinette(wales, courses, 1.25e-3)
	c := &meshio.Curves{
		Name: "swatch", Counts: counts, Closed: make([]bool, len(counts)), Radius: 1.25e-3,
		Attributes: []meshio.Attribute{{Name: runfolder.AttrForce, Width: 1, Data: make([]float32, len(points))}},
	}
	for i, p := range points {
		c.Points = append(c.Points, r3.V(p.X, -p.Z, p.Y))
		c.Attributes[0].Data[i] = float32(max(0, math.Sin(0.7*float64(i))))
	}
	// A plane, whose normal the frame does not have.
	floor := runfolder.BodyOf(runfolder.KindPlane, &meshio.Mesh{
		Positions: []r3.Vec{r3.V(-1, -1, -0.02), r3.V(1, -1, -0.02), r3.V(0, 1, -0.02)}, Triangles: [][3]int32{{0, 1, 2}},
	})
	return &runfolder.Frame{Bodies: []runfolder.Body{runfolder.YarnsOf(c), floor}}
}

// Yarns are drawn as tubes, with holes between the loops, and coloured by what is told of them. TOILE_PICTURES names a
// folder that keeps the pictures.
func TestYarnsAreTubes(t *testing.T) {
	for _, name := range []string{"", "force"} {
		look := &Look{Quantity: QuantityNamed(name), Edges: true}
		shot := look.Frame(knitted(8, 6))
		if colored := name != ""; shot.Colored() != colored || shot.bodies[0].Edges {
			t.Errorf("coloured %v, edges %v", shot.Colored(), shot.bodies[0].Edges)
		}
		opt := DefaultOptions()
		opt.Width, opt.Height = 640, 480
		survey := NewSurvey(look, Viewpoint{Dir: r3.V(0.2, -1, 0.15)}, opt.Width, opt.Height)
		survey.Add(shot)
		img := survey.Render(shot, opt)
		if name == "" {
			// Along a row in the middle, yarn and holes take turns.
			turns, inside := 0, false
			for x := range opt.Width {
				p := img.RGBAAt(x, opt.Height/2)
				blue := int(p.B) > int(p.R)+30
				if blue != inside {
					turns, inside = turns+1, blue
				}
			}
			if turns < 12 {
				t.Errorf("yarn begins or ends %d times along a row of 8 loops", turns)
			}
		}
		if dir := os.Getenv("TOILE_PICTURES"); dir != "" {
			f, err := os.Create(filepath.Join(dir, "swatch-"+name+".png"))
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
	}
}
