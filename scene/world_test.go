package scene_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/scene"
)

// TestWorldOfAScene: what a scene names is in its world under that name, and moves as the world advances.
func TestWorldOfAScene(t *testing.T) {
	s, err := scene.Load("../scenes/gripper.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	live, err := s.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	left, ok := live.World.Find("left").(*toile.Rigid)
	if !ok {
		t.Fatal("there is no rigid body left")
	}
	if _, ok := live.World.Find("block").(*toile.Solid); !ok {
		t.Error("there is no solid block")
	}
	from := left.Pose()
	if err := live.World.Advance(context.Background(), 0.02, 0.002, nil); err != nil {
		t.Fatal(err)
	}
	if left.Pose() == from {
		t.Error("the left jaw has not moved")
	}
}

// TestSewingCanBeStopped: garments are sewn before there is a world, and that ends when ctx does.
func TestSewingCanBeStopped(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	s, err := scene.Load("../scenes/hood.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Build(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("a world that was not to be sewn: %v", err)
	}
}

// TestFaultsArePublic: a program gets at the places of all faults without a package of the inside.
func TestFaultsArePublic(t *testing.T) {
	_, err := scene.Parse("bad.yaml", []byte("toile: 1\ntime: {end: 1}\ncloth: []\n"), nil, nil)
	var faults scene.Faults
	if !errors.As(err, &faults) || len(faults) != 2 || faults[1].Line != 3 {
		t.Fatalf("%v", err)
	}
	var one *scene.Fault
	if !errors.As(err, &one) || !strings.HasPrefix(one.Error(), "bad.yaml:1:1: ") || !strings.Contains(err.Error(), one.Error()) {
		t.Errorf("%v", one)
	}
}
