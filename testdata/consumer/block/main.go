// A block of gelatine is thrown and spins. It keeps its spin, and lands.
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
	must.Get(world.AddObstacle(toile.ObstacleSpec{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}}))
	jelly := must.Get(material.LookupSoft("gelatine"))
	spec := toile.DefaultSolid("jelly", shape.TetBox(r3.V(0.06, 0.06, 0.06), 3, 3, 3), jelly)
	spec.Pose, spec.Spin = r3.Translation(r3.V(0, 0, 0.5)), r3.V(0, 0, 5)
	block := must.Get(world.AddSolid(spec))
	var lost float64
	fly := func(s toile.Stats) { lost += s.Loss.SpinLost / s.Loss.Spin }
	must.Do(world.Advance(context.Background(), 0.2, 0.002, fly))
	fmt.Printf("in flight %.1f %% of its spin is lost\n", 100*lost)
	must.Do(world.Advance(context.Background(), 0.8, 0.002, nil))
	lowest := 1.0
	for _, x := range block.Positions(nil) {
		lowest = min(lowest, x.Z)
	}
	fmt.Printf("it lies %.0f mm above the floor, %d crossings\n", 1000*lowest, world.Crossings())
}
