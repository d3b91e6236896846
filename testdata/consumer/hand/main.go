// A robot's hand holds the corner of a towel with at most a newton and pulls, while another corner is fixed.
package main

import (
	"context"
	"fmt"

	"example.com/consumer/must"
	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func main() {
	world := must.Get(toile.New(toile.DefaultOptions()))
	terry := must.Get(material.LookupFabric("cotton"))
	mesh, x := shape.Grid(0.3, 0.3, 12, 12)
	towel := must.Get(world.AddCloth(toile.DefaultCloth("towel", mesh, x, terry)))
	must.Get(world.AddHandle(toile.HandleSpec{Name: "peg", On: towel, Vertices: []int32{0}}))
	weak := &toile.ForceLimit{Force: 1, Stiffness: 2000}
	hand := must.Get(world.AddHandle(toile.HandleSpec{Name: "hand", On: towel, Vertices: []int32{168}, Limit: weak}))
	for step := range 150 { // 15 cm a second, along the diagonal
		hand.MoveTo(r3.Translation(r3.V(1, 1, 0).Scale(1e-3 * 0.3 * float64(step))))
		must.Get(world.Step(context.Background(), 0.002))
		if hand.Slipping() > 0 {
			fmt.Printf("after %.2f s the hand slips, with %.2f N\n", world.Time(), hand.Force().Norm())
			return
		}
	}
	fmt.Println("the hand never slipped")
}
