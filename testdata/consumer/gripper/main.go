// Two fingers close on a cube. From one snapshot, two worlds with other coefficients of friction lift it.
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
	world, _ := build()
	must.Do(world.Advance(context.Background(), 0.2, 0.004, nil)) // the fingers close
	closed := world.Snapshot()
	for _, mu := range []float64{0.02, 0.5} {
		fork, cube := build()
		must.Do(fork.Restore(closed))
		cube.SetFriction(mu)
		must.Do(fork.Advance(context.Background(), 0.3, 0.004, nil)) // and rise
		fmt.Printf("with friction %.2f the cube is lifted by %.2f m\n", mu, max(0, cube.Pose().T.Z))
	}
}

func build() (*toile.World, *toile.Rigid) {
	world := must.Get(toile.New(toile.DefaultOptions()))
	cube := must.Get(world.AddRigid(toile.Brick(r3.V(0.02, 0.02, 0.02), 800)))
	floor := shape.Plane{Point: r3.V(0, 0, -0.021), Normal: r3.V(0, 0, 1)}
	must.Get(world.AddObstacle(toile.ObstacleSpec{Name: "floor", Shape: floor}))
	lift := &toile.Path{Keys: []toile.Key{{At: 0.2}, {At: 0.5, Translate: r3.V(0, 0, 0.1)}}}
	for _, side := range []float64{-1, 1} {
		finger := toile.ObstacleSpec{Name: "finger", Shape: shape.Box{Half: r3.V(0.01, 0.02, 0.015)}, Path: lift}
		finger.Pose = r3.Translation(r3.V(side*0.04, 0, 0))
		finger.Press = &toile.Press{Axis: r3.V(-side, 0, 0), Force: 10, Mass: 0.2, Stop: 0.05}
		must.Get(world.AddObstacle(finger))
	}
	return world, cube
}
