package player

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/runfolder"
)

// dressedScene sews a skirt of few vertices around a body before its first frame.
const dressedScene = `toile: 1
name: a skirt
time: {end: 0.1 s, fps: 20, step: 5 ms}
dressing: {close: 0.3 s, step: 10 ms}
cloths:
  - name: skirt
    shape: {garment: {kind: skirt, on: body, size: 80 mm}}
    pins: [{select: {group: front.waist}, follow: body}]
obstacles:
  - {name: body, shape: {mannequin: {motion: stand, vertices: 2000, lead: 0.1 s}}}
`

// A dressed run comes out the same with any number of workers and after an interrupt. It sews once: what that led to is
// kept, and made again if it is damaged.
func TestDressedRunComesOutTheSame(t *testing.T) {
	want := t.TempDir()
	sewing := 0
	play := func(dir string, workers, steps int) (Summary, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		opt := DefaultOptions(dir)
		sewing = 0
		opt.Dressing = func(dress.Dressing) { sewing++ }
		opt.EachStep = func(*Step, int) {
			if steps--; steps == 0 {
				cancel()
			}
		}
		return Play(ctx, jobOf(t, dressedScene, workers), opt)
	}
	sum, err := play(want, 1, -1)
	if err != nil {
		t.Fatal(err)
	}
	if sewing == 0 || !sum.Complete {
		t.Fatalf("%d steps of dressing, %+v", sewing, sum)
	}

	got := t.TempDir()
	if _, err := play(got, 2, 7); !errors.Is(err, ErrInterrupted) {
		t.Fatalf("not interrupted: %v", err)
	}
	if _, err := play(got, 2, -1); err != nil {
		t.Fatal(err)
	}
	if sewing != 0 {
		t.Errorf("%d steps of dressing in a run that goes on", sewing)
	}
	sameFolder(t, want, got)

	if testing.Short() {
		return
	}
	again := t.TempDir()
	if _, err := play(again, 8, 5); !errors.Is(err, ErrInterrupted) {
		t.Fatalf("not interrupted: %v", err)
	}
	path := filepath.Join(again, runfolder.DressedName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	sum, err = play(again, 1, -1)
	if err != nil {
		t.Fatal(err)
	}
	if sewing == 0 ||
		!slices.ContainsFunc(sum.Notes, func(n string) bool { return strings.Contains(n, runfolder.DressedName) }) {
		t.Errorf("%d steps of dressing after damage, notes %q", sewing, sum.Notes)
	}
	sameFolder(t, want, again)
}

// Dressing that is interrupted again and again, while it sews and on the way to the first pose, goes on each time and
// comes to the same bits.
func TestInterruptedDressingGoesOn(t *testing.T) {
	want := t.TempDir()
	steps := 0
	opt := DefaultOptions(want)
	opt.Dressing = func(dress.Dressing) { steps++ }
	if _, err := Play(context.Background(), jobOf(t, dressedScene, 1), opt); err != nil {
		t.Fatal(err)
	}
	whole := steps

	got := t.TempDir()
	steps = 0
	sessions := 0
	for done := false; !done; sessions++ {
		ctx, cancel := context.WithCancel(context.Background())
		left := 5 + 6*(sessions%2)
		opt := DefaultOptions(got)
		opt.Dressing = func(dress.Dressing) {
			steps++
			if left--; left == 0 {
				cancel()
			}
		}
		_, err := Play(ctx, jobOf(t, dressedScene, 1+sessions%2), opt)
		cancel()
		if done = err == nil; !done && !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	}
	if steps != whole || sessions < 5 {
		t.Errorf("%d steps of dressing in %d sessions, %d without interruption", steps, sessions, whole)
	}
	if _, err := os.Stat(filepath.Join(got, runfolder.DressingName)); err == nil {
		t.Errorf("%s is still there", runfolder.DressingName)
	}
	sameFolder(t, want, got)
}

// Runs that differ in friction share what is sewn, and come out as if each had sewn for itself. What is damaged or of
// another scene is not taken.
func TestSewingIsShared(t *testing.T) {
	sewn := &runfolder.Sewn{Dir: filepath.Join(t.TempDir(), "sewn")}
	sewing := 0
	play := func(shared *runfolder.Sewn, set ...string) string {
		t.Helper()
		dir := t.TempDir()
		opt := DefaultOptions(dir)
		opt.Sewn, sewing = shared, 0
		opt.Dressing = func(d dress.Dressing) {
			if d.Cloth != "" {
				sewing++
			}
		}
		if _, err := Play(context.Background(), jobOf(t, dressedScene, 1, set...), opt); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	play(sewn)
	if sewing == 0 {
		t.Fatal("nothing was sewn")
	}
	with := play(sewn, "friction=0.7")
	if sewing > 0 {
		t.Error("sewn again for another friction")
	}
	sameFolder(t, play(nil, "friction=0.7"), with)
	play(sewn, "dressing.close=0.31 s")
	if sewing == 0 {
		t.Error("took what was sewn in another time")
	}
	list, err := sewn.List()
	if err != nil || len(list) != 2 || list[0].Scene != "a skirt" {
		t.Errorf("%+v, %v", list, err)
	}

	files, err := filepath.Glob(filepath.Join(sewn.Dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)-100] ^= 4
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if play(sewn); sewing == 0 {
		t.Error("took what is damaged")
	}
	if err := sewn.Clear(); err != nil {
		t.Fatal(err)
	}
	if list, err := sewn.List(); err != nil || len(list) != 0 {
		t.Errorf("after clearing: %+v, %v", list, err)
	}
}

// Bodies that cannot be probed are found before the sewing, which takes long; those that come after it can be.
func TestProbesOfWhatIsDressedAreCheckedFirst(t *testing.T) {
	job := jobOf(t, dressedScene+"rigids:\n  - {name: hat, shape: {sphere: {radius: 5 cm}}, place: {translate: [0, 0, 3]}, mass: 1}\n", 1)
	defer func() { _ = job.Close() }()
	for column, want := range map[string]string{
		"centroid skirt x": "", "vertex skirt 5 x": "", "force skirt body x": "", "force hat body x": "", "centroid hat x": "", "crossings": "",
		"centroid coat x": `no "coat"`, "centroid body x": `no "body"`, "force skirt floor x": `no "floor"`, "pin skirt 0 x": "yarns",
		"crossigns": "no column",
	} {
		err := job.CheckColumn(column)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v; want %q", column, err, want)
		}
	}
	job.Probes = []runfolder.Probe{{Kind: runfolder.ProbeCentroid, A: "coat"}}
	opt := DefaultOptions(t.TempDir())
	opt.Dressing = func(dress.Dressing) { t.Error("it was sewn") }
	if _, err := Play(t.Context(), job, opt); err == nil || !strings.Contains(err.Error(), `no "coat"`) {
		t.Errorf("a probe of a coat: %v", err)
	}
}
