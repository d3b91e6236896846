package cache

import (
	"bytes"
	"testing"

	"github.com/toile-sim/toile"
)

// FuzzCheckpoint opens arbitrary bytes as a checkpoint and as the state in one. What is accepted must
// be written again as the same bytes.
func FuzzCheckpoint(f *testing.F) {
	m := testManifest()
	if _, err := m.encode(); err != nil {
		f.Fatal(err)
	}
	w, err := toile.New(toile.DefaultOptions())
	if err != nil {
		f.Fatal(err)
	}
	state, err := w.Snapshot().MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	c := &Checkpoint{Run: m.Digest, Frame: 1, Step: 2, State: state}
	data, err := c.AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(state)
	f.Add(data[:len(data)/2])
	f.Add([]byte(checkpointMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		state := data
		var c Checkpoint
		if c.UnmarshalBinary(data) == nil {
			again, err := c.AppendBinary(nil)
			if err != nil || !bytes.Equal(again, data) {
				t.Fatalf("accepted, and written again as other bytes: %v", err)
			}
			state = c.State
		}
		var s toile.Snapshot
		if s.UnmarshalBinary(state) == nil {
			again, err := s.MarshalBinary()
			if err != nil || !bytes.Equal(again, state) {
				t.Fatalf("state accepted, and written again as other bytes: %v", err)
			}
		}
	})
}

// FuzzFrame gives arbitrary bytes a correct seal where they have a place for one, so that what comes
// after the seal is tried too.
func FuzzFrame(f *testing.F) {
	data, err := testFrame(1).encode()
	if err != nil {
		f.Fatal(err)
	}
	yarns, err := yarnFrame().encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:200])
	f.Add(yarns)
	f.Fuzz(func(t *testing.T, data []byte) {
		if at, ok := findSeal(data); ok {
			data = bytes.Clone(data)
			copy(data[at:], digestOf(data, at))
		}
		frame, err := parseFrame("f", data)
		if err != nil {
			return
		}
		for _, b := range frame.Bodies {
			if b.Mesh != nil {
				if err := b.Mesh.Validate(); err != nil {
					t.Fatal(err)
				}
			}
			if b.Curves != nil {
				if err := b.Curves.Validate(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
