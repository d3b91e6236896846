package bench

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/scenefile"
)

// small is a case that takes no time.
func small(cells string) Case {
	return Case{Name: "small", Scene: "small", Step: 30, Timed: 2, files: func() files {
		return onlyScene(`toile: 1
time: {end: 1 s, fps: 50, step: 4 ms}
cloths:
  - {name: sheet, shape: {grid: {size: [0.1, 0.1], cells: ` + cells + `}}, place: {translate: [0, 0, 2 mm]}}
obstacles:
  - {name: floor, shape: {plane: {}}}
`)
	}}
}

func newStore(t *testing.T) *Store { return &Store{Dir: t.TempDir(), Every: time.Hour} }

func TestInterruptedMakingGoesOn(t *testing.T) {
	c := small("[3, 3]")
	straight, cut := newStore(t), newStore(t)
	if err := straight.Make(t.Context(), &c, 1, func(int) {}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := cut.Make(ctx, &c, 1, func(done int) {
		if done == 11 {
			cancel()
		}
	})
	if err != context.Canceled {
		t.Fatalf("interrupted making returns %v", err)
	}
	path, made, err := cut.State(&c)
	if err != nil || made {
		t.Fatalf("after an interrupt there is a state at %s (%v)", path, err)
	}
	first := -1
	if err := cut.Make(t.Context(), &c, 2, func(done int) {
		if first < 0 {
			first = done
		}
	}); err != nil {
		t.Fatal(err)
	}
	if first != 11 {
		t.Errorf("making goes on from step %d, want 11", first)
	}
	if exists(filepath.Join(filepath.Dir(path), checkpointFile)) {
		t.Error("a checkpoint is left behind")
	}
	other, _, err := straight.State(&c)
	if err != nil {
		t.Fatal(err)
	}
	a, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(other)
	if err != nil || string(a) != string(b) {
		t.Errorf("an interrupt changed the state (%v)", err)
	}
}

func TestStatesAreKeyedByScene(t *testing.T) {
	store := newStore(t)
	a, b := small("[3, 3]"), small("[3, 4]")
	one, err := store.Folder(&a)
	if err != nil {
		t.Fatal(err)
	}
	store.folders = nil // as another process would see it
	again, err := store.Folder(&a)
	if err != nil || again != one {
		t.Errorf("the folder of a case was %s and is %s (%v)", one, again, err)
	}
	store.folders = nil
	if two, err := store.Folder(&b); err != nil || two == one {
		t.Errorf("another scene has the same folder %s (%v)", two, err)
	}
}

func TestTimedSteps(t *testing.T) {
	store, c := newStore(t), small("[3, 3]")
	if err := store.Make(t.Context(), &c, 1, func(int) {}); err != nil {
		t.Fatal(err)
	}
	path, made, err := store.State(&c)
	if err != nil || !made {
		t.Fatalf("no state was made (%v)", err)
	}
	order := Order{Folder: filepath.Dir(path), State: path, Workers: 1, Warmup: 1, Steps: 3}
	one, err := Time(t.Context(), &order)
	if err != nil {
		t.Fatal(err)
	}
	if one.Steps != 3 || one.Vertices != 16 || one.Contacts < 16 || one.Wall.Median <= 0 || one.Heap == 0 || one.Hash == one.Start {
		t.Errorf("timed %+v", one)
	}
	order.Workers = 2
	order.Profile = filepath.Join(t.TempDir(), "cpu.prof")
	two, err := Time(t.Context(), &order)
	if err != nil {
		t.Fatal(err)
	}
	if two.Hash != one.Hash || two.Start != one.Start {
		t.Errorf("two workers come to %s from %s, one to %s from %s", two.Hash, two.Start, one.Hash, one.Start)
	}
	if !exists(order.Profile) {
		t.Error("no profile was written")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Time(t.Context(), &order); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged state gives %v", err)
	}
}

func TestTimedSpace(t *testing.T) {
	store := newStore(t)
	c := Case{Name: "knee", Scene: "knee", files: func() files { return knee(16) }}
	path, made, err := store.State(&c)
	if err != nil || !made {
		t.Fatalf("a body needs making (%v)", err)
	}
	r, err := Time(t.Context(), &Order{Folder: filepath.Dir(path), State: path, Workers: 1, Steps: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Steps != 2 || r.Contacts == 0 || r.Hash == r.Start || r.Phases.Detect <= 0 {
		t.Errorf("timed %+v", r)
	}
}

// TestScenesAreSound builds the scenes of the suite, in short tests those of at most 12,000 vertices.
func TestScenesAreSound(t *testing.T) {
	seen := map[string]bool{}
	last := map[string]int{}
	for _, c := range Cases() {
		if seen[c.Name] || c.Timed < 1 || c.About == "" {
			t.Errorf("case %q is there twice, or says too little", c.Name)
		}
		seen[c.Name] = true
		step, known := last[c.Scene]
		if last[c.Scene] = c.Step; known {
			if step >= c.Step {
				t.Errorf("%s comes before the case that is on its way", c.Name)
			}
			continue
		}
		large := strings.HasSuffix(c.Name, "0000")
		if c.Name == "clap" || large && !strings.HasSuffix(c.Name, "-10000") {
			if testing.Short() {
				continue
			}
		}
		store := newStore(t)
		folder, err := store.Folder(&c)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if exists(filepath.Join(folder, bodyFile)) {
			continue
		}
		s, err := scenefile.Load(filepath.Join(folder, sceneFile), nil)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if _, err := build.World(s); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

func TestSelect(t *testing.T) {
	for _, test := range []struct{ words, want string }{
		{"drape", "drape-60, drape-100, drape-200, drape-400"},
		{"cards,cone-e", "cone-early, cards"},
		{"cone", "cone-early, cone-crumpled, cone-late"},
		{"cone-rest", "cone-rest"},
	} {
		got, err := Select(strings.Split(test.words, ","))
		if err != nil || names(got) != test.want {
			t.Errorf("%s selects %s (%v), want %s", test.words, names(got), err, test.want)
		}
	}
	if _, err := Select([]string{"drpae"}); err == nil || !strings.Contains(err.Error(), "drape-60") {
		t.Errorf("an unknown name gives %v", err)
	}
	all, err := Select(nil)
	if err != nil || len(all) == 0 || len(all) == len(Cases()) {
		t.Errorf("without words %d of %d cases are selected (%v)", len(all), len(Cases()), err)
	}
}

func TestRealsThatJSONDoesNotHave(t *testing.T) {
	data, err := json.Marshal([]Real{1.5, Real(math.Inf(1)), Real(math.NaN())})
	if err != nil || string(data) != "[1.5,null,null]" {
		t.Fatalf("written as %s (%v)", data, err)
	}
	var back []Real
	if err := json.Unmarshal(data, &back); err != nil || back[0] != 1.5 || !math.IsNaN(float64(back[2])) {
		t.Errorf("read as %v (%v)", back, err)
	}
}

func TestMedian(t *testing.T) {
	if got := Median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("median %g", got)
	}
	if got := Median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("median %g", got)
	}
}
