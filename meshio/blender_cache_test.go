//go:build blender

// Point caches in both directions with a real program: `go test -tags blender -run Blender ./meshio`.

package meshio

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// blenderFrames are world positions by frame and vertex.
type blenderFrames [][][3]float64

// samePoints compares with what Blender computed in single precision.
func samePoints(t *testing.T, what string, got []r3.Vec, want [][3]float64) {
	t.Helper()
	const tolerance = 4e-6 // a few rounding errors of numbers below 4 in single precision
	if len(got) != len(want) {
		t.Errorf("%s: %d vertices, but Blender has %d", what, len(got), len(want))
		return
	}
	for k, p := range got {
		if q := r3.V(want[k][0], want[k][1], want[k][2]); p.Sub(q).MaxAbs() > tolerance {
			t.Errorf("%s: vertex %d is at %v, in Blender at %v", what, k, p, q)
			return
		}
	}
}

func TestBlenderPlaysOurCaches(t *testing.T) {
	const frames = 5
	dir := t.TempDir()
	if err := WriteFile(filepath.Join(dir, "base.obj"), flapping(0), DefaultWriteOptions()); err != nil {
		t.Fatal(err)
	}
	names := map[string]Axis{"ours.pc2": UpByFormat, "ours.mdd": UpByFormat, "ours-yup.pc2": UpY, "ours-yup.mdd": UpY}
	for name, up := range names {
		w := DefaultWriteOptions()
		w.Up = up
		h := waveHeader(4, frames)
		h.First = 0
		if err := WritePointCacheFile(filepath.Join(dir, name), h, w, wave); err != nil {
			t.Fatal(err)
		}
	}
	report := runBlender[blenderFrames](t, "blender_cache.py", dir)
	for name, up := range names {
		spec := DefaultSequenceSpec()
		spec.Cache, spec.Base, spec.FPS, spec.Up = filepath.Join(dir, name), filepath.Join(dir, "base.obj"), 1, up
		s := open(t, spec)
		out := make([]r3.Vec, s.Vertices())
		if len(report[name]) != frames+1 {
			t.Fatalf("Blender played %d frames of %s", len(report[name]), name)
		}
		for i, want := range report[name] {
			at := float64(i)
			if i == frames {
				at = 0.5
			}
			if err := s.At(at, out); err != nil {
				t.Fatal(err)
			}
			samePoints(t, name, out, want)
		}
	}
	checkTheirs(t, dir, report["theirs"])
}

// checkTheirs reads what Blender wrote.
func checkTheirs(t *testing.T, dir string, theirs blenderFrames) {
	t.Helper()
	for _, name := range []string{"theirs.mdd", "theirs.pc2", "theirs-yup.pc2", "theirs.####.obj", "theirs.####.glb"} {
		spec := DefaultSequenceSpec()
		spec.FPS = 25
		switch {
		case filepath.Ext(name) == ".mdd":
			spec.FPS = 0 // the file says 25
			fallthrough
		case filepath.Ext(name) == ".pc2":
			spec.Cache, spec.Base = filepath.Join(dir, name), filepath.Join(dir, "theirs-base.obj")
		default:
			spec.Files, spec.First, spec.Last = filepath.Join(dir, name), 1, len(theirs)
		}
		if name == "theirs-yup.pc2" {
			spec.Up = UpY
		}
		s := open(t, spec)
		if s.Frames() != len(theirs) {
			t.Errorf("%s: %d frames, Blender has %d", name, s.Frames(), len(theirs))
			continue
		}
		out := make([]r3.Vec, s.Vertices())
		for i, want := range theirs {
			if err := s.At(float64(i)/25, out); err != nil {
				t.Fatal(err)
			}
			samePoints(t, name, out, want)
		}
	}
	checkSplit(t, dir, theirs)
}

// checkSplit reads a series with vertices split at seams and hard edges, as Blender exports by default. The
// vertices are numbered differently in each frame, which is an error that names the file unless they are
// welded.
func checkSplit(t *testing.T, dir string, theirs blenderFrames) {
	t.Helper()
	spec := DefaultSequenceSpec()
	spec.Files, spec.First, spec.Last, spec.FPS = filepath.Join(dir, "theirs-split.####.glb"), 1, len(theirs), 1
	s := open(t, spec)
	if err := s.At(
		1,
		make([]r3.Vec, s.Vertices()),
	); err == nil ||
		!strings.Contains(err.Error(), "theirs-split.0002.glb") {
		t.Errorf("split series: %v", err)
	}
	spec.Weld = true
	s = open(t, spec)
	out := make([]r3.Vec, s.Vertices())
	var same []int // by our vertex: Blender's, found in the first frame
	for i, want := range theirs {
		if err := s.At(float64(i), out); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			for _, p := range out {
				same = append(same, nearest(p, want))
			}
		}
		ordered := make([][3]float64, len(same))
		for k, v := range same {
			ordered[k] = want[v]
		}
		samePoints(t, "welded series", out, ordered)
	}
	if len(out) != len(theirs[0]) {
		t.Errorf("welded series: %d vertices, Blender has %d", len(out), len(theirs[0]))
	}
}

// nearest returns which of the points is nearest to p.
func nearest(p r3.Vec, points [][3]float64) int {
	best, at := math.Inf(1), 0
	for i, q := range points {
		if d := p.Sub(r3.V(q[0], q[1], q[2])).Norm(); d < best {
			best, at = d, i
		}
	}
	return at
}
