package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// What terminals obey is made visible, but for what paint has written, and text of any language is left alone.
func TestClean(t *testing.T) {
	for _, c := range []struct {
		color     bool
		text, out string
	}{
		{true, "Größe 3 µm → 木綿\n\tdone", "Größe 3 µm → 木綿\n\tdone"},
		{false, "\x1b]0;title\x07", `\u001b]0;title\u0007`},
		{true, "\x1b[2J\x9b2J\u009b\u202e\U000e0001\ufffd", `\u001b[2J\x9b2J\u009b\u202e\udb40\udc01` + "\ufffd"},
		{true, "a\r\x1b[31m" + paint(true, red, "b\x1b[1A"), `a\r\u001b[31m` + "\x1b[31mb\\u001b[1A\x1b[0m"},
		{false, paint(true, red, "b"), `\u001b[31mb\u001b[0m`},
	} {
		want := strings.ReplaceAll(c.out, `\r`, `\u000d`)
		if got := clean(c.color, c.text); got != want {
			t.Errorf("%q became %q, want %q", c.text, got, want)
		}
	}
}

// A run from elsewhere cannot write to the terminal of whoever looks at it, by the name of a body or of the run.
func TestNamesOfARunAreNotObeyed(t *testing.T) {
	const hostile = "\x1b]0;mine\x07\x1b[2J\r\u009b31m"
	record := func(dir, name string) {
		t.Helper()
		w, err := cache.Begin(dir, cache.Manifest{
			Name: name, Time: cache.Timing{FPS: 10, Frames: 1, Substeps: 1, Step: 0.1},
			Inputs: []cache.Input{{Path: name}}, Scene: json.RawMessage(`{}`),
		}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Resume(nil); err != nil {
			t.Fatal(err)
		}
		body := cache.BodyOf(cache.KindCloth, &meshio.Mesh{
			Name: name, Positions: []r3.Vec{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}},
		})
		if err := w.WriteFrame(&cache.Frame{Bodies: []cache.Body{body}}); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteCheckpoint(&cache.Checkpoint{}); err != nil {
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
		execute(args, &out, &log)
		said := out.String() + log.String()
		if said == "" {
			t.Errorf("%s says nothing", args[0])
		}
		if i := strings.IndexFunc(said, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); i >= 0 {
			t.Errorf("%q writes %q", args, said)
		}
	}
}
