package player

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// contactScene has what must survive a resume with contact: two layers that touch each other and a floor, a ball that
// moves into them, and a press. In its first steps nothing touches.
const contactScene = `toile: 1
name: two layers, a ball and a press
time: {end: 0.3 s, fps: 20, step: 5 ms}
friction: {default: 0.3, pairs: [{between: [upper, lower], mu: 0.6}]}
contact: {thickness: 2 mm}
cloths:
  - name: lower
    shape: {grid: {size: [0.5, 0.5], cells: [6, 6]}}
    place: {translate: [0, 0, 4 mm]}
    material: cotton
  - name: upper
    shape: {grid: {size: [0.4, 0.4], cells: [5, 5]}}
    place: {translate: [0.03, 0.07, 9 mm], rotate: {axis: [0, 0, 1], angle: 10 deg}}
    material: cotton
obstacles:
  - {name: floor, shape: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}
  - {name: ball, shape: {sphere: {radius: 0.05}}, place: {translate: [-0.1, 0.25, 0.04]}, motion: roll}
  - name: press
    shape: {box: {size: [0.2, 0.2, 0.02]}}
    place: {translate: [0.3, 0.25, 0.05]}
    press: {axis: [0, 0, -1], force: 1, mass: 0.2}
motions:
  roll: [{at: 0 s, translate: [0, 0, 0]}, {at: 0.3 s, translate: [0.15, 0, 0]}]
`

const contactFrames = 7

func contactJob(t testing.TB, workers int, sets ...string) Job {
	t.Helper()
	return jobOf(t, contactScene, workers, sets...)
}

func contactReference(t testing.TB, workers int, sets ...string) (dir string, sum Summary) {
	t.Helper()
	dir = t.TempDir()
	sum, err := Play(context.Background(), contactJob(t, workers, sets...), DefaultOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	return dir, sum
}

// playedIn is the folder of sharedContacts, once there is one. TestMain removes it.
var playedIn string

// sharedContacts returns a run of contactScene with one worker, which tests share and must not change.
func sharedContacts(t testing.TB) string {
	t.Helper()
	if playedIn == "" {
		dir, err := os.MkdirTemp("", "toile-contact-")
		if err != nil {
			t.Fatal(err)
		}
		playedIn = dir
		opt := DefaultOptions(dir)
		opt.Dump = []int{30, 31}
		opt.Every = time.Hour // a slow machine would write checkpoints that push out the first
		if _, err := Play(context.Background(), contactJob(t, 1), opt); err != nil {
			t.Fatal(err)
		}
	}
	return playedIn
}

// The scene has contacts of every kind, and the frames show them.
func TestContactsReachTheFrames(t *testing.T) {
	f, err := runfolder.Open(sharedContacts(t))
	if err != nil {
		t.Fatal(err)
	}
	first, err := f.Frame(0)
	if err != nil {
		t.Fatal(err)
	}
	last, err := f.Frame(contactFrames - 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range last.Bodies {
		if last.Bodies[i].Kind != runfolder.KindCloth {
			continue
		}
		c := last.Bodies[i].Mesh
		states, touching := map[float32]int{}, 0
		for _, a := range c.Attributes {
			for v, x := range a.Data {
				switch a.Name {
				case runfolder.AttrState:
					states[x]++
				case runfolder.AttrGap:
					if x < runfolder.NoGap {
						touching++
					} else if x != runfolder.NoGap {
						t.Errorf("%s: gap of vertex %d is %v", c.Name, v, x)
					}
				}
			}
		}
		if states[1]+states[2] == 0 || touching < states[1]+states[2] {
			t.Errorf("%s: states %v, %d vertices with a gap", c.Name, states, touching)
		}
	}
	pose := func(f *runfolder.Frame, name string) *runfolder.Body {
		return &f.Bodies[slices.IndexFunc(f.Bodies, func(o runfolder.Body) bool { return o.Name == name })]
	}
	if d := pose(last, "ball").Pose.T.X - pose(first, "ball").Pose.T.X; d < 0.1499 || d > 0.1501 {
		t.Errorf("the ball moved by %g m, want 0.15", d)
	}
	if d := pose(last, "press").Pose.T.Z - pose(first, "press").Pose.T.Z; d > -0.01 {
		t.Errorf("the press went by %g m", d)
	}
	stats, err := f.Stats()
	if err != nil {
		t.Fatal(err)
	}
	if c := stats.Column("contacts"); c[0] != 0 || slices.Max(c) < 20 {
		t.Errorf("contacts %v", c)
	}
}

// pairs returns the names of the surfaces that touch in some step of a job.
func pairs(t *testing.T, job func(t testing.TB, workers int) Job) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	opt := DefaultOptions(t.TempDir())
	opt.EachStep = func(s *Step, frame int) {
		w := s.World
		if s.Number != w.Steps() || s.Stats.Step != s.Number || frame < 1 {
			t.Errorf("told of step %d after step %d, on the way to frame %d", s.Number, w.Steps(), frame)
		}
		for _, p := range w.PairForces(nil) {
			names := []string{w.SurfaceName(p.A), w.SurfaceName(p.B)}
			slices.Sort(names)
			found[strings.Join(names, " ")] = true
		}
	}
	if _, err := Play(context.Background(), job(t, 0), opt); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEachStepTellsOfForces(t *testing.T) {
	found := pairs(t, func(t testing.TB, workers int) Job { return contactJob(t, workers) })
	for _, want := range []string{"floor lower", "lower upper", "press upper", "ball lower"} {
		if !found[want] {
			t.Errorf("%s do not touch; found %v", want, found)
		}
	}
}

func TestWorkersDoNotMatterWithContacts(t *testing.T) {
	want := sharedContacts(t)
	for _, workers := range []int{2, 8} {
		got, _ := contactReference(t, workers)
		sameFolder(t, want, got)
	}
}

func TestInterruptedContactsComeOutTheSame(t *testing.T) {
	want := sharedContacts(t)
	for _, steps := range []int{23, 7} {
		if testing.Short() && steps < 10 {
			break
		}
		dir := t.TempDir()
		for session := 0; ; session++ {
			ctx, cancel := context.WithCancel(context.Background())
			opt := DefaultOptions(dir)
			left := steps
			opt.EachStep = func(*Step, int) {
				if left--; left == 0 {
					cancel()
				}
			}
			// Sessions may have different numbers of workers.
			_, err := Play(ctx, contactJob(t, 1+session%3), opt)
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, ErrInterrupted) {
				t.Fatal(err)
			}
		}
		sameFolder(t, want, dir)
	}
}

// A process that plays with contacts and is killed at random moments leaves a folder that the next brings to the same
// end.
func TestKillsWithContacts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	want := sharedContacts(t)
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	killed := 0
	for run := 0; killed < 6; run++ {
		dir := t.TempDir()
		for done := false; !done; {
			c := childCommand(dir, time.Duration(run%2)*20*time.Millisecond)
			c.Env = append(c.Env, childSceneEnv+"=contact")
			var err error
			if done, err = killAfter(c, time.Duration(r.Int64N(int64(300*time.Millisecond))), killed < 6); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !done {
				killed++
			}
		}
		sameFolder(t, want, dir)
	}
}

// Another way of an obstacle is seen before any cloth has met it.
func TestDiffNamesObstacles(t *testing.T) {
	short := "time.end=0.05 s"
	a, _ := contactReference(t, 1, short)
	b, _ := contactReference(t, 1, short, "motions.roll=[{at: 0 s}, {at: 0.3 s, translate: [0.09, 0, 0]}]")
	d := diff(t, a, b)
	if d.Same || d.Body != "ball" || d.Frame != 1 || d.Quantity != "pose of ball" {
		t.Errorf("%+v\n%v", d, d)
	}
}

// A friction coefficient shows first in the cloths that rub.
func TestDiffNamesContacts(t *testing.T) {
	a := sharedContacts(t)
	b, _ := contactReference(t, 1, "friction.default=0.31")
	if d := diff(
		t,
		a,
		b,
	); d.Same || d.Body == "" ||
		!strings.Contains(d.String(), "friction.default: 0.3 in A, 0.31 in B") {
		t.Errorf("%+v\n%v", d, d)
	}
}

// A person is told once what crosses first.
func TestCrossingsAreTold(t *testing.T) {
	// Two sheets that cross from the start, and nothing keeps them apart.
	const text = `toile: 1
time: {end: 0.05 s, fps: 20, step: 10 ms}
gravity: [0, 0, 0]
contact: {push: {fraction: 0}}
cloths:
  - {name: flat, shape: {grid: {size: [1, 1], cells: [2, 2]}}, material: cotton}
  - name: upright
    shape: {grid: {size: [0.5, 0.5], cells: [2, 2]}}
    place: {rotate: {axis: [1, 0, 0], angle: 90 deg}, translate: [0.2, 0.55, -0.22]}
    material: cotton
`
	notes := notesOf(t, text)
	if len(notes) != 1 || !strings.Contains(notes[0], "from step 1 at") ||
		!strings.Contains(notes[0], "flat crosses triangle") {
		t.Errorf("notes %q", notes)
	}
}

// notesOf plays a scene and returns what a person is told.
func notesOf(t *testing.T, text string) (notes []string) {
	t.Helper()
	s, err := scenefile.Parse("noted.yaml", []byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	job, err := FromScene(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	opt := DefaultOptions(t.TempDir())
	opt.Progress = func(p Progress) {
		if p.Note != "" {
			notes = append(notes, p.Note)
		}
	}
	if _, err := Play(context.Background(), job, opt); err != nil {
		t.Fatal(err)
	}
	return notes
}

// A person is told once that the fail-safe was needed, and once that there was no room.
func TestFailsafeIsTold(t *testing.T) {
	// Two boxes that close on a sheet and go through each other.
	const text = `toile: 1
time: {end: 0.1 s, fps: 20, step: 10 ms}
gravity: [0, 0, 0]
cloths:
  - {name: sheet, shape: {grid: {size: [0.2, 0.2], cells: [4, 4]}}, material: cotton}
obstacles:
  - {name: upper, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0.09, 0.11, 0.06]}, motion: down}
  - {name: lower, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0.09, 0.11, -0.06]}}
motions:
  down: {keys: [{at: 0 s}, {at: 0.1 s, translate: [0, 0, -0.06]}]}
`
	notes := notesOf(t, text)
	count := func(what string) (n int) {
		for _, note := range notes {
			n += strings.Count(note, what)
		}
		return n
	}
	if count("would have crossed") != 1 || count("leave no room") != 1 || count("there are crossings") != 1 {
		t.Errorf("notes %q", notes)
	}
}
