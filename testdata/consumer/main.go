// A program outside the module: a sheet in code, a handle moved at every step, a force, a branch.
package main

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	mesh, positions := shape.Grid(0.5, 0.5, 20, 20) // metres, cells
	world := must(toile.New(toile.DefaultOptions()))
	sheet := must(world.AddCloth(toile.DefaultCloth("sheet", mesh, positions, must(material.LookupFabric("cotton")))))
	hand := must(world.AddHandle(toile.Handle{Name: "hand", Cloth: sheet, Vertices: []int32{0}}))
	world.SetForce(sheet, 440, r3.V(0.02, 0, 0)) // newtons, on the far corner
	swing := func() (last toile.Stats) {
		for range 50 {
			side := 0.1 * math.Sin(10*world.Time())
			world.MoveHandle(hand, r3.Translation(r3.V(0, side, 0)))
			last = must(world.Step(0.002)) // seconds
		}
		return last
	}
	fmt.Printf("after step %d the far corner is at %.3f\n", swing().Step, world.Positions(sheet)[440])
	branch := world.Snapshot()
	first := swing()
	fmt.Println("converged:", first.Converged, "and back:", world.Restore(branch) == nil)
	fmt.Println("the same bits again:", swing().Energy == first.Energy)
}
