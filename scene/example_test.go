package scene_test

import (
	"context"
	"fmt"
	"log"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/scene"
)

// A scene stepped by a program of its own, which looks at a body by its name.
func Example() {
	s, err := scene.Parse("drop.yaml", []byte(`
toile: 1
time: {end: 1 s}
rigids: [{name: box, shape: {box: {size: [0.1, 0.1, 0.1]}}, mass: 1 kg, place: {translate: [0, 0, 1]}}]
`), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	live, err := s.Build(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer live.Close()
	if err := live.World.Advance(context.Background(), 0.1, 0.001, nil); err != nil {
		log.Fatal(err)
	}
	box := live.World.Find("box").(*toile.Rigid)
	fmt.Printf("fell by %.2f m\n", 1-box.Pose().T.Z)
	// Output: fell by 0.05 m
}
