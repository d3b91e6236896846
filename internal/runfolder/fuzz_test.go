package runfolder

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
)

// FuzzCheckpoint opens arbitrary bytes as a checkpoint and as the state in one. What is accepted must
// be written again as the same bytes.
func FuzzCheckpoint(f *testing.F) {
	m := testManifest()
	if _, err := m.encode(); err != nil {
		f.Fatal(err)
	}
	w, err := engine.New(engine.DefaultOptions())
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
		var s engine.Snapshot
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

// FuzzRawFrame takes apart arbitrary bytes as the viewer does, and asks for all that it serves.
func FuzzRawFrame(f *testing.F) {
	for _, frame := range []*Frame{testFrame(1), yarnFrame()} {
		data, err := frame.encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		frame, _, err := parseRaw(data)
		if err != nil {
			return
		}
		for i := range frame.Bodies {
			b := &frame.Bodies[i]
			if n := len(b.AppendPositions(nil)); n != 12*b.Entries {
				t.Fatalf("%d bytes of positions for %d entries", n, b.Entries)
			}
			if n := len(b.AppendNormals(nil)); n != 0 && n != 12*b.Entries {
				t.Fatalf("%d bytes of normals for %d entries", n, b.Entries)
			}
			for _, name := range b.Fields {
				if n := len(b.Field(name)); n != 4*b.Entries {
					t.Fatalf("%d bytes of %s for %d entries", n, name, b.Entries)
				}
			}
			if b.Entries > 0 {
				b.Entry(b.Entries - 1)
				b.Vector(AttrImpulse, b.Entries-1)
			}
			_, _, _ = b.Triangles(), b.Segments(), b.HasNormals()
		}
	})
}

// FuzzManifest reads arbitrary bytes as run.json, with a correct seal where they have a place for one. What is accepted
// can be asked for all that readers ask, and differs in nothing from itself.
func FuzzManifest(f *testing.F) {
	m := testManifest()
	m.Keep, m.Stop, m.Probes = KeepLast, []Condition{{Column: "max speed", Below: true, Limit: 1e-4, For: 0.2}},
		[]Probe{{Kind: ProbeVertex, A: "sheet", Vertex: 3}}
	data, err := m.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:200])
	f.Fuzz(func(t *testing.T, data []byte) {
		if at, ok := findSeal(data); ok {
			data = bytes.Clone(data)
			copy(data[at:], digestOf(data, at))
		}
		m, err := parseManifest("run.json", data)
		if err != nil {
			return
		}
		if d := m.Differences(m, "there", "here"); d != nil {
			t.Fatalf("differs from itself: %q", d)
		}
		if !(m.Time.Step > 0) || m.Time.Frames < 1 || m.Time.Substeps < 1 {
			t.Fatalf("accepted %+v", m.Time)
		}
		_, _ = m.identity()
		_, _ = m.RunKey()
		m.Time.Last(&Checkpoint{})
	})
}

// FuzzStats reads arbitrary bytes as stats.csv, whole and line by line: both find the same.
func FuzzStats(f *testing.F) {
	f.Add([]byte("step,frame,time [s],gap [m]\n1,0,0.5,\n2,1,1e-3,NaN\n"))
	f.Add([]byte("step,n\n1,1.5\n2"))
	f.Add(append([]byte(strings.Join(statsColumns, ",")+"\n"), appendStats(nil, 1, &engine.Stats{Step: 1})...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(data, []byte("\r")) || bytes.IndexByte(data, '\n') <= 0 || len(data) > 1<<12 {
			return
		}
		folder := &Folder{Dir: t.TempDir()}
		if err := os.WriteFile(folder.StatsPath(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := folder.Stats()
		rows, scan := folder.scanStats(func([]string) error { return nil }, func([]byte, []float64) error { return nil })
		if (err == nil) != (scan == nil) || err == nil && table.Rows() != rows {
			t.Fatalf("whole: %v; by line: %d rows, %v", err, rows, scan)
		}
		if err != nil {
			return
		}
		for _, v := range table.Values {
			if len(v) != rows {
				t.Fatalf("a column of %d rows in a table of %d", len(v), rows)
			}
		}
	})
}
