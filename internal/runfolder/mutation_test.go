package runfolder

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// mutations are the ways in which a file goes bad: cut short, a bit or a byte altered, written only in
// part (zeros where the rest should be), grown, with a block lost, doubled or swapped.
var mutations = []struct {
	name   string
	mutate func(r *rand.Rand, b []byte) []byte
}{
	{"truncated", func(r *rand.Rand, b []byte) []byte { return b[:r.IntN(len(b))] }},
	{"bit flipped", func(r *rand.Rand, b []byte) []byte { b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b }},
	{"byte replaced", func(r *rand.Rand, b []byte) []byte { b[r.IntN(len(b))] = byte(r.Uint32()); return b }},
	{"half written", func(r *rand.Rand, b []byte) []byte { clear(b[r.IntN(len(b)):]); return b }},
	{"grown", func(r *rand.Rand, b []byte) []byte { return append(b, make([]byte, 1+r.IntN(40))...) }},
	{"block lost", func(r *rand.Rand, b []byte) []byte {
		i := r.IntN(len(b))
		return append(b[:i], b[min(len(b), i+1+r.IntN(16)):]...)
	}},
	{"block doubled", func(r *rand.Rand, b []byte) []byte {
		i := r.IntN(len(b))
		return append(bytes.Clone(b[:min(len(b), i+1+r.IntN(16))]), b[i:]...)
	}},
	{"blocks swapped", func(r *rand.Rand, b []byte) []byte {
		n := 1 + r.IntN(16)
		i, j := r.IntN(len(b)-n), r.IntN(len(b)-n)
		for k := range n {
			b[i+k], b[j+k] = b[j+k], b[i+k]
		}
		return b
	}},
}

// mutationsEach is how many mutations each kind of file gets in all.
const mutationsEach = 1000

// None of 3,000 mutations of checkpoints, frames and manifests is accepted.
func TestMutationsAreDetected(t *testing.T) {
	frame, err := testFrame(3).encode()
	if err != nil {
		t.Fatal(err)
	}
	m := testManifest()
	manifest, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	c := testCheckpoint(1, 2)
	c.Run = m.Digest
	checkpoint, err := c.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	files := []struct {
		name string
		data []byte
		read func([]byte) error
	}{
		{"frame", frame, func(b []byte) error { _, err := parseFrame("f", b); return err }},
		{"manifest", manifest, func(b []byte) error { _, err := parseManifest("m", b); return err }},
		{"checkpoint", checkpoint, func(b []byte) error { return new(Checkpoint).UnmarshalBinary(b) }},
	}
	for _, f := range files {
		if err := f.read(f.data); err != nil {
			t.Fatalf("the %s itself is refused: %v", f.name, err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for n := 0; n < mutationsEach; {
			kind := mutations[n%len(mutations)]
			bad := kind.mutate(r, bytes.Clone(f.data))
			if bytes.Equal(bad, f.data) {
				continue
			}
			n++
			if f.read(bad) == nil {
				t.Fatalf("%s, %s (mutation %d): accepted", f.name, kind.name, n)
			}
		}
	}
}

// Every single bit of a frame, a manifest and a checkpoint matters.
func TestEveryBitIsCovered(t *testing.T) {
	frame, err := testFrame(3).encode()
	if err != nil {
		t.Fatal(err)
	}
	for i := range frame {
		for bit := range 8 {
			frame[i] ^= 1 << bit
			if _, err := parseFrame("f", frame); err == nil {
				t.Fatalf("bit %d of byte %d of a frame may be flipped", bit, i)
			}
			frame[i] ^= 1 << bit
		}
		if testing.Short() && i > 2000 {
			break
		}
	}
}

// A damaged newest checkpoint is named, set aside, and the one before it used.
func TestNewestValidCheckpointIsUsed(t *testing.T) {
	for _, kind := range mutations {
		dir := t.TempDir()
		w := begin(t, dir)
		play(t, w)
		_ = w.Close()
		path := w.CheckpointPath(4)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(3, 4))
		bad := bytes.Clone(data)
		for bytes.Equal(bad, data) {
			bad = kind.mutate(r, bytes.Clone(data))
		}
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		w, err = Begin(dir, testManifest(), false)
		if err != nil {
			t.Fatal(err)
		}
		c, err := w.Resume(nil)
		if err != nil || c == nil || c.Step != 2 {
			t.Fatalf("%s: resumed from %+v, %v", kind.name, c, err)
		}
		if len(w.Notes) != 1 || !bytes.Contains([]byte(w.Notes[0]), []byte("000000004.ckpt")) {
			t.Errorf("%s: notes %q do not name the checkpoint", kind.name, w.Notes)
		}
		if _, err := os.Stat(path + damagedExt); err != nil {
			t.Error(err)
		}
		_ = w.Close()
	}
}

// A checkpoint that is whole but of another run, or refused by the world, is passed over too.
func TestForeignCheckpointIsPassedOver(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir)
	play(t, w)
	c := testCheckpoint(2, 9)
	c.Run = string(noDigest)
	data, err := c.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.CheckpointPath(9), data, 0o600); err != nil {
		t.Fatal(err)
	}
	refuse := errors.New("no")
	got, skipped, err := w.Newest(func(c *Checkpoint) error {
		if c.Step == 4 {
			return refuse
		}
		return nil
	})
	if err != nil || got.Step != 2 || len(skipped) != 2 {
		t.Fatal(got, skipped, err)
	}
	if filepath.Base(skipped[0].File) != "000000009.ckpt" || skipped[1].Msg != "no" {
		t.Error(skipped[0], skipped[1])
	}
}
