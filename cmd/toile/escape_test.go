package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/toile-sim/toile/internal/cli/root"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// A run from elsewhere cannot write to the terminal of whoever looks at it, by the name of a body or of the run.
func TestNamesOfARunAreNotObeyed(t *testing.T) {
	const hostile = "\x1b]0;mine\x07\x1b[2J\r\u009b31m"
	record := func(dir, name string) {
		t.Helper()
		w, err := runfolder.Begin(dir, runfolder.Manifest{
			Name: name, Time: runfolder.Timing{FPS: 10, Frames: 1, Substeps: 1, Step: 0.1},
			Inputs: []runfolder.Input{{Path: name}}, Scene: json.RawMessage(`{}`),
		}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Resume(nil); err != nil {
			t.Fatal(err)
		}
		body := runfolder.BodyOf(runfolder.KindCloth, &meshio.Mesh{
			Name: name, Positions: []r3.Vec{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}},
		})
		if err := w.WriteFrame(&runfolder.Frame{Bodies: []runfolder.Body{body}}); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteCheckpoint(&runfolder.Checkpoint{}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	record(a, hostile+"a")
	record(b, hostile+"b")
	for _, args := range [][]string{
		{"diff", a, b},
		{"diff", "--json", a, b},
		{"report", a},
		{"export", a, "-o", filepath.Join(t.TempDir(), "x.obj")},
		{"export", a, "-o", filepath.Join(t.TempDir(), "x.obj"), "--body", hostile},
		{"check", hostile + ".yaml"},
	} {
		var out, log bytes.Buffer
		root.Execute(args, &out, &log)
		said := out.String() + log.String()
		if said == "" {
			t.Errorf("%s says nothing", args[0])
		}
		if i := strings.IndexFunc(said, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Errorf("%q writes %q", args, said)
		}
	}
}
