// A napkin falls over a ball. Its weight rests on the ball, and on nothing else.
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
	ball := must.Get(world.AddObstacle(toile.ObstacleSpec{Name: "ball", Shape: shape.Sphere{Radius: 0.1}}))
	fabric := must.Get(material.LookupFabric("cotton"))
	mesh, x := shape.Grid(0.3, 0.3, 16, 16)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.15, -0.15, 0.102))
	}
	napkin := must.Get(world.AddCloth(toile.DefaultCloth("napkin", mesh, x, fabric)))
	must.Do(world.Advance(context.Background(), 1, 0.004, nil))
	weight := 0.0
	for _, m := range napkin.Masses(nil) {
		weight += 9.81 * m
	}
	up := world.ForceBetween(napkin, ball).Z
	fmt.Printf("the ball bears %.2f of the weight, %d crossings\n", up/weight, world.Crossings())
}
