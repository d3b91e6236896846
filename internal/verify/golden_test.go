package verify_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/portable"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/friction"
	"github.com/toile-sim/toile/internal/verify/scheme"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/internal/verify/stress"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/scenes"
	"github.com/toile-sim/toile/shape"
)

var update = flag.Bool("update", false, "write the golden hashes anew")

const goldenFile = "testdata/golden.txt"

// TestGolden plays some steps of every bundled scene, and of scenes that are remeshed, pressed, sewn, tangled, refused
// and resumed, and compares a hash of places and velocities with the one on record. Moving code about must not change a
// bit of them. A change of arithmetic does, and lands alone, with its reason in docs/golden.md:
//
//	go test ./internal/verify -run TestGolden -update
//
// The compiler fuses a*b+c on other machines than amd64 v1, where hashes then differ, unless it is told not to
// (decision 42).
func TestGolden(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two minutes")
	}
	if portable.Fuses() {
		t.Skip("hashes are of builds that do not fuse")
	}
	want := readGolden(t)
	got := maps.Clone(want) // of scenes that are not asked for
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			got[g.name] = g.hash(t, 1)
			if !*update && got[g.name] != want[g.name] {
				t.Errorf("hash %s, on record %q", got[g.name], want[g.name])
			}
			if g.workers {
				for _, n := range []int{2, 8} {
					if h := g.hash(t, n); h != got[g.name] {
						t.Errorf("hash %s with %d workers, %s with one", h, n, got[g.name])
					}
				}
			}
		})
	}
	if len(want) != len(goldens()) && !*update {
		t.Errorf("%d hashes on record for %d scenes", len(want), len(goldens()))
	}
	if *update && !t.Failed() {
		writeGolden(t, got)
	}
}

func readGolden(t *testing.T) map[string]string {
	data, err := os.ReadFile(goldenFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[name] = hash
	}
	return out
}

func writeGolden(t *testing.T, got map[string]string) {
	var out strings.Builder
	for _, g := range goldens() {
		fmt.Fprintf(&out, "%s %s\n", got[g.name], g.name)
	}
	if err := os.WriteFile(goldenFile, []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// golden is a scene with a hash on record.
type golden struct {
	name    string
	workers bool // also with 2 and 8
	steps   int
	h       float64
	make    func(t *verify.Trial) (w *engine.World, move func(step int))
	yarns   string // the file of a scene of yarns, which has no such world
	resume  bool   // from a file, half way
}

// goldens returns all of them. Steps are as many as it takes to get into what the scene is about.
func goldens() []golden {
	var all []golden
	steps := map[string]int{
		"ball-drape.yaml":     80,
		"box-and-cone.yaml":   60,
		"capstan.yaml":        20,
		"hanging-sheet.yaml":  30,
		"pinch.yaml":          20,
		"release.yaml":        60,
		"inclined-plane.yaml": 30,
		"painted-ramp.yaml":   10,
		"ramp.yaml":           15,
		"circular-drag.yaml":  100,
		"flag.yaml":           40,
		"bag.yaml":            60,
		"hammock.yaml":        40,
		"letters.yaml":        60,
		"letters-heap.yaml":   3,
		"spinning-ball.yaml":  125,
		"trampoline.yaml":     40,
		"flesh.yaml":          10,
		"straps.yaml":         10,
	}
	// Coarse versions of what takes long.
	coarse := map[string][]string{
		"ball-drape.yaml":    {"cloths.0.shape.grid.cells=[20, 20]"},
		"box-and-cone.yaml":  {"cloths.0.remesh.size=[6 cm, 20 cm]"},
		"circular-drag.yaml": {"cloths.0.shape.grid.cells=[8, 8]"},
		"flag.yaml":          {"cloths.0.shape.grid.cells=[20, 12]"},
		"bag.yaml":           {"cloths.0.shape.grid.cells=[16, 16]"},
		"swing.yaml":         {"cloths.0.shape.grid.cells=[30, 40]"},
		"tunic.yaml":         {"cloths.0.shape.garment.size=45 mm"},
		"hood.yaml":          {"cloths.0.shape.garment.size=8 cm"},
		"flesh.yaml":         {"cloths.0.shape.garment.size=8 cm", "solids.0.shape.flesh.size=5 cm"},
		"straps.yaml":        {"cloths.0.shape.garment.size=8 cm", "solids.0.shape.flesh.size=5 cm"},
	}
	sewn := map[string]bool{"tunic.yaml": true, "hood.yaml": true, "flesh.yaml": true, "straps.yaml": true} // of the others panels fall
	files, _ := fs.Glob(scenes.Files(), "*.yaml")                                                           // the pattern is good
	for _, file := range files {
		n := steps[file]
		if n == 0 {
			n = 20
		}
		if file == "scarf.yaml" || file == "swatch.yaml" {
			all = append(all, golden{name: file, h: 1e-3, steps: 30, yarns: file, workers: file == "swatch.yaml"})
			continue
		}
		all = append(all, golden{
			name:  file,
			h:     4e-3,
			steps: n,
			workers: slices.Contains(
				[]string{"ball-drape.yaml", "box-and-cone.yaml", "pinch.yaml", "bag.yaml", "stool.yaml", "flesh.yaml"},
				file,
			),
			make: func(t *verify.Trial) (*engine.World, func(int)) {
				_, b := setup.Bundled(t, file, sewn[file], coarse[file]...)
				return b.World, nil
			},
		})
	}
	for _, stop := range scheme.Tour(&verify.Trial{}) {
		all = append(all, golden{
			name: stop.Name, steps: stop.Steps, h: stop.H, make: stop.Make,
			workers: stop.Name == "belt" || stop.Name == "stress clap", resume: stop.Name == "falling cloth",
		})
	}
	size := remesh.DefaultOptions()
	size.Min, size.Max = 0.025, 0.2
	remeshed := friction.HouseOptions{Mu: 0.2, Cells: 1, Remesh: &size}
	all = append(
		all,
		golden{
			name:  "house of cards, remeshed",
			steps: 10,
			h:     setup.CardStep,
			make:  func(t *verify.Trial) (*engine.World, func(int)) { return friction.House(t, remeshed, 0), nil },
		},
		golden{
			name:  "tangled sheets",
			steps: 12,
			h:     4e-3,
			make:  func(t *verify.Trial) (*engine.World, func(int)) { return tangledSheets(t), nil },
		},
		golden{
			name:   "trapped between blocks",
			steps:  50,
			h:      4e-3,
			resume: true,
			make: func(t *verify.Trial) (*engine.World, func(int)) {
				all := stress.Scenes()
				w, err := all[len(all)-1].Build(stress.Options{Fine: 1, Workers: t.Workers})
				t.Must(err)
				return w, nil
			},
		},
	)
	return all
}

// tangledSheets returns two sheets that start through each other.
func tangledSheets(t *verify.Trial) *engine.World {
	opt := engine.DefaultOptions()
	opt.Workers = t.Workers
	w, err := engine.New(opt)
	t.Must(err)
	for i, turn := range []float64{0, 1.2} {
		m, x := shape.Grid(0.2, 0.2, 8, 8)
		for k := range x {
			x[k] = r3.Rotation(r3.V(1, 0.2, 0).Unit(), turn).
				Rotate(x[k].Sub(r3.V(0.1, 0.1, 0))).
				Add(r3.V(0, 0.07*float64(i), 0))
		}
		_, err := cloths.Add(w,
			body.DefaultCloth(
				fmt.Sprint("sheet ", i),
				m,
				x,
				setup.SheetFabric{Density: 0.2, Stretch: 500, Bend: 1e-5}.Fabric(),
			),
		)
		t.Must(err)
	}
	return w
}

// hash plays the scene and returns the hash of where it leads to.
func (g *golden) hash(t *testing.T, workers int) (hash string) {
	c := verify.Case{ID: "golden", Body: func(t *verify.Trial) {
		if g.yarns != "" {
			hash = g.yarnHash(t)
			return
		}
		w, move := g.make(t)
		for k := range g.steps {
			if move != nil {
				move(k + 1)
			}
			if g.resume && k == g.steps/2 {
				w = resumed(t, g, w)
			}
			t.Must(w.Advance(g.h, g.h, nil))
		}
		hash = motionHash(w)
	}}
	if r := c.Run(context.Background(), verify.Options{Workers: workers}); r.Err != "" {
		t.Fatal(r.Err)
	}
	return hash
}

// yarnHash plays a scene of yarns and returns the hash of where it leads to.
func (g *golden) yarnHash(t *verify.Trial) string {
	b, err := build.Yarns(setup.Parsed(t, g.yarns, nil), t.Options.Workers)
	t.Must(err)
	if err != nil {
		return ""
	}
	t.Must(b.World.Advance(float64(g.steps)*g.h, b.Pace, nil))
	hash := b.World.Hash()
	return hex.EncodeToString(hash[:])
}

// resumed returns a new world in the state of another, which is written and read.
func resumed(t *verify.Trial, g *golden, w *engine.World) *engine.World {
	data, err := w.Snapshot().MarshalBinary()
	t.Must(err)
	var saved engine.Snapshot
	t.Must(saved.UnmarshalBinary(data))
	again, _ := g.make(t)
	t.Must(again.Restore(&saved))
	return again
}

// motionHash returns a hash of the time, and of all places and velocities.
func motionHash(w *engine.World) string {
	sum := sha256.New()
	put := func(v float64) { _ = binary.Write(sum, binary.LittleEndian, math.Float64bits(v)) } // never fails
	put(w.Time())
	putAll := func(lists ...[]r3.Vec) {
		for _, list := range lists {
			for _, x := range list {
				put(x.X)
				put(x.Y)
				put(x.Z)
			}
		}
	}
	for id := range engine.ClothID(w.Cloths()) {
		putAll(w.Positions(id), w.Velocities(id))
	}
	for id := range engine.BodyID(w.Bodies()) {
		putAll(w.BodyPositions(id), w.BodyVelocities(id))
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
