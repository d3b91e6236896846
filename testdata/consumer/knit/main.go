// A scene file with yarns is played into a folder, with a callback that follows it.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"example.com/consumer/must"
	"github.com/toile-sim/toile/run"
	"github.com/toile-sim/toile/scene"
	"github.com/toile-sim/toile/scenes"
)

func main() {
	text := must.Get(fs.ReadFile(scenes.Files(), "swatch.yaml"))
	s := must.Get(scene.Parse("swatch.yaml", text, scenes.Files(), []string{"yarns.swatch.size=[6, 6]", "time.end=0.04 s"}))
	folder := must.Get(os.MkdirTemp("", "swatch"))
	defer os.RemoveAll(folder)
	steps, opt := 0, run.DefaultOptions()
	opt.EachStep = func(run.Step) { steps++ }
	sum := must.Get(run.Play(context.Background(), s, folder, opt))
	fmt.Printf("%d frames, complete: %v, steps were seen: %v\n", sum.Frames, sum.Complete, steps > 0)
}
