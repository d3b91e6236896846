package scenefile

import (
	"testing"

	"github.com/toile-sim/toile"
)

// TestLiveHasHandles: what a scene names is in the live world by its name, and goes along with it.
func TestLiveHasHandles(t *testing.T) {
	s, err := Load("../../scenes/gripper.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	world := b.Live()
	for _, body := range b.Bodies {
		if world.Find(body.Name) == nil {
			t.Errorf("there is no %q", body.Name)
		}
	}
	if err := b.World.Advance(0.01, 0.002, nil); err != nil {
		t.Fatal(err)
	}
	for _, body := range b.Bodies {
		if _, soft := world.Find(body.Name).(*toile.Solid); soft && body.Rigid == nil {
			continue
		}
		rigid, ok := world.Find(body.Name).(*toile.Rigid)
		if !ok || rigid.Pose() != body.Rigid.Pose(b.World.BodyPositions(body.ID)) {
			t.Errorf("%q is not where the engine has it", body.Name)
		}
	}
}
