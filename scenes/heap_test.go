package scenes_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/r3"
)

var update = flag.Bool("update", false, "write the scenes that are made by tests")

// heapHead is what letters-heap.yaml begins with. The letters follow, one a line.
const heapHead = `# Soft letters fall into a bin, come to rest, and are pressed by its walls: figure 7 of [Otaduy09] at its size.
#
# What it shows: 164 bodies with 23,000 tets in one heap, with friction, in steps of 30 ms.
# What must be true at the end: the heap rests before the walls move and after; nothing crosses in any step.
# Cost: 12,006 vertices, 1,334 steps. By the paper's rule half a second of processor time a step, at 1e-8 m/s ten and more.
# It goes on where it was stopped.
#     toile run letters-heap.yaml --set contact.solver=relaxation --set contact.relaxation.stop=change
#     toile run letters-heap.yaml --set contact.solver=relaxation
# This file is made by go test ./scenes -run TestLettersHeap -update.

toile: 1
name: letters that fall, rest and are pressed
time: {end: 40 s, fps: 33.333333333333336, step: 30 ms}
friction: 0.4
motions:
  east: {smooth: true, keys: [{at: 20 s}, {at: 28 s, translate: [-14 cm, 0, 0]}]}
  west: {smooth: true, keys: [{at: 20 s}, {at: 28 s, translate: [14 cm, 0, 0]}]}
obstacles:
  - {name: floor, shape: {plane: {}}}
  - {name: east, shape: {plane: {normal: [-1, 0, 0]}}, place: {translate: [35 cm, 0, 0]}, motion: east}
  - {name: west, shape: {plane: {normal: [1, 0, 0]}}, place: {translate: [-35 cm, 0, 0]}, motion: west}
  - {name: north, shape: {plane: {normal: [0, -1, 0]}}, place: {translate: [0, 35 cm, 0]}}
  - {name: south, shape: {plane: {normal: [0, 1, 0]}}, place: {translate: [0, -35 cm, 0]}}
solids:
`

// TestLettersHeap makes the scene of 164 letters again: all of the alphabet in turn, in layers of four by four over
// each other, turned at random.
func TestLettersHeap(t *testing.T) {
	const letters, height = 164, 0.1
	random := rand.New(rand.NewPCG(7, 2009))
	var b strings.Builder
	b.WriteString(heapHead)
	for k := range letters {
		axis := r3.V(random.NormFloat64(), random.NormFloat64(), random.NormFloat64()).Unit()
		angle := 2 * math.Pi * random.Float64()
		// A letter starts upright with its foot at the origin; its middle goes to its place in the bin.
		middle := r3.Rotation(axis, angle).Rotate(r3.V(0, 0, height/2))
		at := layouts.InBin(k).Sub(middle)
		material := "*foam"
		if k == 0 {
			material = "&foam {young: 100 kPa, density: 300 kg/m3, damping: 5 ms}"
		}
		fmt.Fprintf(&b,
			"  - {name: %[1]c%[2]d, shape: {letter: {letter: %[1]c, height: 10 cm, depth: 3 cm, size: 18 mm}}, "+
				"place: {rotate: {axis: [%[3]s], angle: %.1[4]f deg}, translate: [%[5]s]}, material: %[6]s}\n",
			'A'+k%26, k/26+1, numbers(axis), angle*180/math.Pi, numbers(at), material)
	}
	if *update {
		if err := os.WriteFile("letters-heap.yaml", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile("letters-heap.yaml"); err != nil || string(data) != b.String() {
		t.Errorf("letters-heap.yaml is not what this test makes (%v); run it with -update", err)
	}
}

func numbers(v r3.Vec) string { return fmt.Sprintf("%.4f, %.4f, %.4f", v.X, v.Y, v.Z) }
