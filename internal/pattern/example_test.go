package pattern_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/r3"
)

// A ribbon, 6 cm by 40 cm, becomes a ring when its ends are sewn together.
func Example() {
	ribbon := pattern.Panel{Name: "ribbon", Edges: []pattern.Edge{
		{Name: "lower", From: r3.Vec2{X: 0, Y: 0}},
		{Name: "end", From: r3.Vec2{X: 0.4, Y: 0}},
		{Name: "upper", From: r3.Vec2{X: 0.4, Y: 0.06}},
		{Name: "start", From: r3.Vec2{X: 0, Y: 0.06}},
	}}
	ring := pattern.Pattern{
		Name:   "ring",
		Panels: []pattern.Panel{ribbon},
		Seams: []pattern.Seam{{
			Name: "close",
			A:    []pattern.EdgeRef{{Panel: "ribbon", Edge: "end"}},
			B:    []pattern.EdgeRef{{Panel: "ribbon", Edge: "start"}},
			Ease: pattern.DefaultEase,
		}},
	}
	g, err := ring.Make(0.02)
	if err != nil {
		fmt.Println(err)
		return
	}
	seam, _ := g.Group("seam.close")
	fmt.Println(len(g.Stitches), "stitches make a seam of", len(seam), "vertices")
	fmt.Println("sewn:", g.Sewn.Verts-len(g.Sewn.Edges)+len(g.Sewn.Tri), "is the Euler number of a ring")
	// Output:
	// 4 stitches make a seam of 4 vertices
	// sewn: 0 is the Euler number of a ring
}
