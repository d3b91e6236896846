package setup

import (
	"io/fs"

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

// Bundled builds a scene that comes with the tool. Its garments are sewn if dress is set; otherwise their panels fall.
func Bundled(t *verify.Trial, file string, dress bool, sets ...string) (*scenefile.Scene, *scenefile.Built) {
	s := Parsed(t, file, sets)
	build := s.Build
	if dress && s.Dresses() {
		dressed, err := s.Dress(t.Context(), scenefile.DressOptions{Workers: t.Workers})
		t.Must(err)
		build = func() (*scenefile.Built, error) { return s.BuildDressed(dressed) }
	}
	b, err := build()
	t.Must(err)
	b.World.SetWorkers(t.Workers)
	t.Watch(b.World)
	return s, b
}
