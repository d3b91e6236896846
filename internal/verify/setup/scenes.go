package setup

import (
	"io/fs"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/scenes"
)

// Parsed reads a scene that comes with the tool.
func Parsed(t *verify.Trial, file string, sets []string) *scenefile.Scene {
	data, err := fs.ReadFile(scenes.Files(), file)
	t.Must(err)
	s, err := scenefile.Parse(file, data, scenes.Files(), sets)
	t.Must(err)
	return s
}

// Bundled builds a scene that comes with the tool. Its garments are sewn if sewn is set; otherwise their panels fall.
func Bundled(t *verify.Trial, file string, sewn bool, sets ...string) (*scenefile.Scene, *build.Built) {
	s := Parsed(t, file, sets)
	world := func() (*build.Built, error) { return build.World(s) }
	if sewn && s.Dresses() {
		dressed, err := dress.Scene(t.Context(), s, dress.Options{Workers: t.Workers})
		t.Must(err)
		world = func() (*build.Built, error) { return dress.World(s, dressed) }
	}
	b, err := world()
	t.Must(err)
	b.World.SetWorkers(t.Workers)
	t.Watch(b.World)
	return s, b
}
