package engine_test

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/engine"
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

// A sheet made in code, a handle that is moved at every step, a force, and a branch that comes back to the same bits.
// The same program stands alone in testdata/consumer.
func Example() {
	mesh, positions := shape.Grid(0.5, 0.5, 20, 20) // metres, cells
	world := must(engine.New(engine.DefaultOptions()))
	sheet := must(world.AddCloth(engine.DefaultCloth("sheet", mesh, positions, must(material.LookupFabric("cotton")))))
	hand := must(world.AddHandle(engine.Handle{Name: "hand", Cloth: sheet, Vertices: []int32{0}}))
	world.SetForce(sheet, 440, r3.V(0.02, 0, 0)) // newtons, on the far corner
	swing := func() (last engine.Stats) {
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
	// Output:
	// after step 50 the far corner is at {0.532 0.488 -0.050}
	// converged: true and back: true
	// the same bits again: true
}
