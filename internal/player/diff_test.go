package player

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

func diff(t *testing.T, a, b string) *Difference {
	t.Helper()
	d, err := Diff(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDiffOfEqualRuns(t *testing.T) {
	a, _ := reference(t)
	b, _ := reference(t)
	d := diff(t, a, b)
	if !d.Same || d.Frames != testFrames || d.Scenes != nil || d.String() != "the same in all 11 frames\n" {
		t.Errorf("%+v\n%v", d, d)
	}
}

// A force that sets in at once moves its vertex first, and its cloth only.
func TestDiffNamesWhereItBegins(t *testing.T) {
	a, _ := reference(t)
	b, _ := reference(t, "cloths.flag.forces=[{select: {near: [3, 0.5, 0]}, force: [0, 0, 0.1001]}]")
	d := diff(t, a, b)
	// The force is part of the state, so that the hash differs from the start.
	if d.Same || d.HashFrame != 0 || d.Frame != 1 || d.Body != "flag" || d.Quantity != "position" || !(d.By > 0) ||
		d.Most < d.By {
		t.Errorf("%+v\n%v", d, d)
	}
	if d.Step != 1 || d.Column == "" || runfolder.IsClock(d.Column) {
		t.Errorf("statistics: %+v", d)
	}
	if s := d.String(); !strings.Contains(s, `cloth "flag", vertex`) || !strings.Contains(s, "0.1 in A, 0.1001 in B") {
		t.Error(s)
	}
}

// oneFrame makes a folder with a single triangle whose state has the given hash.
func oneFrame(t *testing.T, hash string) string {
	t.Helper()
	dir := t.TempDir()
	w, err := runfolder.Begin(
		dir,
		runfolder.Manifest{Scene: []byte("{}"), Time: runfolder.Timing{FPS: 1, Frames: 1, Substeps: 1, Step: 1}},
		false,
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Resume(nil); err != nil {
		t.Fatal(err)
	}
	triangle := &meshio.Mesh{Positions: []r3.Vec{{}, r3.V(1, 0, 0), r3.V(0, 1, 0)}, Triangles: [][3]int32{{0, 1, 2}}}
	if err := w.WriteFrame(
		&runfolder.Frame{Hash: hash, Bodies: []runfolder.Body{runfolder.BodyOf(runfolder.KindCloth, triangle)}},
	); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A difference that float32 does not show is seen in the hash.
func TestDiffSeesTheHash(t *testing.T) {
	d := diff(t, oneFrame(t, "aa"), oneFrame(t, "bb"))
	want := "frame 0: state aa in A, bb in B\nwhat the frames show is the same in single precision\n"
	if d.Same || d.HashFrame != 0 || d.Quantity != "" || d.String() != want {
		t.Errorf("%+v\n%v", d, d)
	}
}

// Yarns are compared point by point.
func TestDiffOfYarns(t *testing.T) {
	begun := 0
	play := func(height float64) string {
		dir, job := t.TempDir(), fallingJob(&begun)
		job.Simulation.(*falling).height = height
		if _, err := Play(context.Background(), job, DefaultOptions(dir)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	d := diff(t, play(0), play(0.5))
	if d.Same || d.Quantity != "position" || d.Kind != runfolder.KindYarn || d.Frame != 0 || d.By != 0.5 ||
		!strings.Contains(d.String(), `yarn "yarn", vertex 0`) {
		t.Errorf("%+v\n%v", d, d)
	}
}

func TestDiffOfAnUnfinishedRun(t *testing.T) {
	a, _ := reference(t)
	b := t.TempDir()
	if _, err := interruptAfter(t, b, 12); !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	d := diff(t, a, b)
	if d.Same || d.Quantity != "missing" || d.Frame != 3 || d.Frames != 3 || d.A != "present" || d.B != "missing" {
		t.Errorf("%+v\n%v", d, d)
	}
}

func TestDiffRefusesDamage(t *testing.T) {
	a, _ := reference(t, "time.end=0.1 s")
	b := t.TempDir()
	if _, err := Play(context.Background(), testJob(t, 1, "time.end=0.1 s"), DefaultOptions(b)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(b, runfolder.FramesName, "000001.glb")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 4
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Diff(a, b)
	var damage *runfolder.Damage
	if !errors.As(err, &damage) || damage.File != path {
		t.Error(err)
	}
}
