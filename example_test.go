package toile_test

import (
	"context"
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

// A sheet made in code, a handle that is moved at every step, a force, and a branch that comes back to the same bits.
func Example() {
	mesh, positions := shape.Grid(0.5, 0.5, 20, 20) // metres, cells
	world := must(toile.New(toile.DefaultOptions()))
	cotton := must(material.LookupFabric("cotton"))
	sheet := must(world.AddCloth(toile.DefaultCloth("sheet", mesh, positions, cotton)))
	hand := must(world.AddHandle(toile.HandleSpec{Name: "hand", On: sheet, Vertices: []int32{0}}))
	sheet.SetForce(440, r3.V(0.02, 0, 0)) // newtons, on the far corner
	swing := func() (last toile.Stats) {
		for range 50 {
			hand.MoveTo(r3.Translation(r3.V(0, 0.1*math.Sin(10*world.Time()), 0)))
			last = must(world.Step(context.Background(), 0.002)) // seconds
		}
		return last
	}
	fmt.Printf("after step %d the far corner is at %.3f\n", swing().Step, sheet.Positions(nil)[440])
	branch := world.Snapshot()
	first := swing()
	fmt.Println("converged:", first.Converged, "and back:", world.Restore(branch) == nil)
	fmt.Println("the same bits again:", swing().Energy == first.Energy)
	// Output:
	// after step 50 the far corner is at {0.532 0.488 -0.050}
	// converged: true and back: true
	// the same bits again: true
}

// Two rigid bricks on a hinge: the lower one hangs from the upper one, which is held.
func ExampleWorld_AddJoint() {
	world := must(toile.New(toile.DefaultOptions()))
	brick := func(name string, z float64) *toile.Rigid {
		spec := toile.Brick(r3.V(0.02, 0.02, 0.1), 500)
		spec.Name, spec.Pose = name, r3.Translation(r3.V(0, 0, z))
		return must(world.AddRigid(spec))
	}
	upper, lower := brick("upper", 0), brick("lower", -0.21)
	if err := upper.Hold(toile.HoldAll()); err != nil {
		panic(err)
	}
	hinge := must(world.AddJoint(toile.JointSpec{
		Name: "hinge", Kind: toile.HingeJoint, A: upper, B: lower, Place: r3.V(0, 0, -0.105), Axis: r3.V(0, 1, 0),
	}))
	if err := world.Advance(context.Background(), 0.1, 0.002, nil); err != nil {
		panic(err)
	}
	force, _ := hinge.Force()
	fmt.Printf("the hinge bears %.3f N of %.3f N\n", -force.Z, 9.81*lower.Mass())
	// Output: the hinge bears 1.570 N of 1.570 N
}
