package run

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/cache"
)

// mutate spoils data: cuts it short, flips a bit, or leaves zeros or an older file's bytes where the
// rest should be, as a write that was cut off would.
func mutate(r *rand.Rand, data, older []byte) []byte {
	at := r.IntN(len(data))
	switch r.IntN(4) {
	case 0:
		return data[:at]
	case 1:
		data[at] ^= 1 << r.IntN(8)
	case 2:
		clear(data[at:])
	case 3:
		copy(data[at:], older[min(at, len(older)):])
	}
	return data
}

// No mutation of any file of a real run is accepted: 500 of each of run.json, a frame and a checkpoint.
func TestMutationsOfARunAreDetected(t *testing.T) {
	dir, _ := reference(t)
	folder, err := cache.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	readManifest := func() error { _, err := cache.Open(dir); return err }
	readFrame := func() error { _, err := folder.Frame(9); return err }
	readCheckpoint := func() error {
		accept := func(c *cache.Checkpoint) error { return new(toile.Snapshot).UnmarshalBinary(c.State) }
		_, skipped, err := folder.Newest(accept)
		if len(skipped) > 0 {
			return skipped[0]
		}
		return err
	}
	files := []mutated{
		{"run.json", "run.json", readManifest},
		{"frames/000009.glb", "frames/000008.glb", readFrame},
		{"checkpoints/000000050.ckpt", "checkpoints/000000000.ckpt", readCheckpoint},
	}
	refuseMutations(t, rand.New(rand.NewPCG(5, 6)), dir, 500, files)
}

// mutated is a file of a run that is to be damaged, an older one like it to mix in, and how it is read.
type mutated struct {
	name, older string
	read        func() error
}

// refuseMutations damages each file in as many ways and asks that reading says so, and which file it is.
func refuseMutations(t *testing.T, r *rand.Rand, dir string, ways int, files []mutated) {
	t.Helper()
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		older, err := os.ReadFile(filepath.Join(dir, f.older))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.read(); err != nil {
			t.Fatal("refused without a mutation:", err)
		}
		for n := 0; n < ways; {
			bad := mutate(r, bytes.Clone(good), older)
			if bytes.Equal(bad, good) {
				continue
			}
			n++
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			var damage *cache.Damage
			if err := f.read(); !errors.As(err, &damage) || damage.File != path {
				t.Fatalf("mutation %d of %s: %v", n, f.name, err)
			}
		}
	}
}
