// Five bricks stand on each other. The lowest bears the weight of all.
package main

import (
	"context"
	"fmt"

	"example.com/consumer/must"
	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

func main() {
	world := must.Get(toile.New(toile.DefaultOptions()))
	table := must.Get(world.AddObstacle(toile.ObstacleSpec{Name: "table", Shape: shape.Box{Half: r3.V(0.2, 0.2, 0.02)}}))
	var bricks []*toile.Rigid
	for i := range 5 {
		spec := toile.Brick(r3.V(0.05, 0.04, 0.02), 600)
		spec.Name, spec.Pose = fmt.Sprint("brick ", i+1), r3.Translation(r3.V(0.005*float64(i%2), 0, 0.041+0.041*float64(i)))
		brick := must.Get(world.AddRigid(spec))
		bricks = append(bricks, brick)
	}
	var last toile.Stats
	must.Do(world.Advance(context.Background(), 1, 0.004, func(s toile.Stats) { last = s }))
	up := world.ForceBetween(bricks[0], table).Z
	fmt.Printf("the table bears %.3f N, %.3f N are meant\n", up, 5*9.81*bricks[0].Mass())
	fmt.Printf("the top is at %.3f m at %.0e m/s, converged: %v\n", bricks[4].Pose().T.Z, last.MaxSpeed, last.Converged)
}
