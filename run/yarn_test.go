package run

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/scene"
	"github.com/toile-sim/toile/yarn"
)

// yarnScene has what must survive a resume: loops that get their length, friction of yarn on yarn, pins that move, a
// ball that moves, a body that deforms, and several pieces.
const yarnScene = `toile: 1
name: yarns
time: {end: 0.1 s, fps: 50, step: 0.2 ms}
friction: {default: 0.3, pairs: [{between: [swatch, ball], mu: 0.1}]}
yarns:
  - name: swatch
    pattern: rib 1x1
    size: [6, 5]
    place: {translate: [-3 cm, -2 cm, 1 cm]}
    yarn: &yarn {preset: kaldor, bend: 2 nN m2, friction: 0.3}
    loop-length: 42 mm
    ease: 50 ms
    pins: [{select: left}, {select: right, motion: pull}]
  - name: cuff
    chart: |
      k k p
      k p p
    form: tube
    size: [9, 4]
    place: {translate: [10 cm, 0, 2 cm]}
    yarn: *yarn
obstacles:
  - {name: ball, shape: {sphere: {radius: 2 cm}}, place: {translate: [0, 0, -2 cm]}, motion: rise}
  - {name: floor, shape: {plane: {}}}
  - name: body
    shape: {mannequin: {vertices: 2000, motion: walk}}
    place: {scale: 0.05, translate: [10 cm, 0, 0]}
rigids:
  - {name: bead, shape: {sphere: {radius: 5 mm}}, place: {translate: [0, 0, 3 cm]}, velocity: [0, 0, -0.5], spin: [0, 0, 5]}
motions:
  pull: [{at: 0 s}, {at: 0.1 s, translate: [-5 mm, 0, 3 mm]}]
  rise: [{at: 0 s}, {at: 0.1 s, translate: [0, 0, 2 cm]}]
`

func yarnJobOf(t testing.TB, workers int) Job {
	t.Helper()
	return jobOf(t, yarnScene, workers)
}

// A run of yarns comes out the same with any number of workers, after interrupts and, in the long form, after kills.
func TestYarnsComeOutTheSame(t *testing.T) {
	f, err := cache.Open(comesOutTheSame(t, "yarns", yarnJobOf))
	if err != nil {
		t.Fatal(err)
	}
	last, err := f.Frame(f.Manifest.Time.Frames - 1)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]cache.Kind{
		"swatch": cache.KindYarn, "cuff": cache.KindYarn, "ball": cache.KindSphere, "floor": cache.KindPlane,
		"body": cache.KindDeforming, "bead": cache.KindRigid,
	}
	if len(last.Bodies) != len(kinds) {
		t.Errorf("%d bodies in a frame, want %d", len(last.Bodies), len(kinds))
	}
	for i := range last.Bodies {
		if b := &last.Bodies[i]; kinds[b.Name] != b.Kind {
			t.Errorf("%s is a %s", b.Name, b.Kind)
		}
	}
	checkYarns(t, last.Bodies[0])
	table, err := f.Stats()
	if err != nil {
		t.Fatal(err)
	}
	steps := 0.0
	for _, n := range table.Column("steps") {
		steps += n
	}
	if total := table.Column("step"); steps != total[len(total)-1] || steps < 500 {
		t.Errorf("%g steps in intervals, %g in all", steps, total[len(total)-1])
	}
	if slips := slices.Max(table.Column("slips")); slips != 0 {
		t.Errorf("%g slips", slips)
	}
	if closest := slices.Min(table.Column("closest")); !(closest > 0.2 && closest < 1) {
		t.Errorf("yarns come as close as %g of their diameter", closest)
	}
}

// checkYarns checks what the last frame tells of a piece.
func checkYarns(t *testing.T, b cache.Body) {
	t.Helper()
	c := b.Curves
	if c.Radius != 1.25e-3 || len(c.Counts) != 3 || slices.Contains(c.Closed, true) {
		t.Errorf("%d yarns of radius %g", len(c.Counts), c.Radius)
	}
	for _, a := range c.Attributes {
		most := slices.Max(a.Data)
		if a.Name == cache.AttrTension && !(most > 1e-4) || a.Name == cache.AttrSpeed && !(most > 0.02) {
			t.Errorf("%s is %g at most", a.Name, most)
		}
	}
	if len(c.Attributes) != 2 {
		t.Errorf("%d attributes", len(c.Attributes))
	}
}

// Slips and stretch are told once, a slip with its place.
func TestYarnNotes(t *testing.T) {
	p := yarnJobOf(t, 1).Simulation.(*yarnPlay)
	cuff := p.built.Pieces[1]
	n := interval{slip: &yarn.Slip{A: 3, B: cuff.First + 9}, slipTime: 0.25, strain: 0.02}
	all := strings.Join(append(p.notes(&n), p.notes(&n)...), "; ")
	for _, want := range []string{
		"at t = 0.25 s yarns passed through each other: at wale 0, course 0 of swatch and wale ", " of cuff, near [",
		"a yarn is stretched by 2 %",
	} {
		if strings.Count(all, want) != 1 {
			t.Errorf("want %q once in %q", want, all)
		}
	}
	if got := p.notes(&interval{}); got != nil {
		t.Errorf("notes %q of nothing", got)
	}
}

// The state of a world is the one of the scene: a checkpoint of another scene is refused and nothing changes.
func TestYarnsRefuseOtherStates(t *testing.T) {
	job := yarnJobOf(t, 1)
	before := job.Simulation.Hash()
	other := jobOf(t, strings.Replace(yarnScene, "size: [9, 4]", "size: [9, 3]", 1), 1)
	c, err := other.Simulation.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	if err := job.Simulation.Restore(c); err == nil || job.Simulation.Hash() != before {
		t.Error(err)
	}
	if c, err = job.Simulation.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	c.Hash[0]++
	if err := job.Simulation.Restore(c); err == nil || job.Simulation.Hash() != before {
		t.Error(err)
	}
}

// What is played is the world of the scene, in steps of its pace.
func TestYarnsArePlayedAsBuilt(t *testing.T) {
	s, err := scene.Parse("test.yaml", []byte(yarnScene), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	built, err := s.BuildYarns(1)
	if err != nil {
		t.Fatal(err)
	}
	const end = 0.02
	job := yarnJobOf(t, 1)
	for range 4 {
		if err := job.Simulation.Advance(t.Context(), end/4, func(*Step) {}); err != nil {
			t.Fatal(err)
		}
		if err := built.World.Advance(end/4, yarn.Pace{Base: 1.0 / 16200, Most: 0.2e-3}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if job.Simulation.Hash() != built.World.Hash() || math.Abs(job.Simulation.Time()-end) > 1e-12 {
		t.Errorf("at t = %g s it is another state", job.Simulation.Time())
	}
}
