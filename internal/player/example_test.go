package player_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/scenefile"
)

// Playing the same scene into the same folder goes on where it was; here it is already done.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	for range 2 {
		s, err := scenefile.Parse("flag.yaml", []byte(`
toile: 1
time: {end: 0.1 s, fps: 30, step: 5 ms}
cloths:
  - name: flag
    shape: {grid: {size: [1, 1], cells: [4, 4]}}
    material: cotton
    pins: [{select: corners}]
`), nil, nil)
		if err != nil {
			log.Fatal(err)
		}
		job, err := player.FromScene(s, 0)
		if err != nil {
			log.Fatal(err)
		}
		sum, err := player.Play(context.Background(), job, player.DefaultOptions(dir))
		fmt.Println(sum.Frames, sum.Complete, sum.Already, err)
	}
	// Output:
	// 4 true false <nil>
	// 4 true true <nil>
}
