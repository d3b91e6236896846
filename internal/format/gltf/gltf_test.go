package gltf

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// JSON writes what Brief returns as it writes the number in single precision.
func TestBrief(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []float32{0, float32(math.Copysign(0, -1)), 0.1, 1e-6, 1e21, math.MaxFloat32, math.SmallestNonzeroFloat32}
	for range 100000 {
		if x := math.Float32frombits(r.Uint32()); x-x == 0 {
			numbers = append(numbers, x)
		}
	}
	for _, x := range numbers {
		single, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		brief, err := json.Marshal(Brief(x))
		if err != nil {
			t.Fatal(err)
		}
		if string(single) != string(brief) || float32(Brief(x)) != x {
			t.Fatalf("%v: %s in single precision, %s as brief", x, single, brief)
		}
	}
}
