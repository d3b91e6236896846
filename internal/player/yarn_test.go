package player

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// yarnScene has what must survive a resume: loops that get their length, friction of yarn on yarn, pins that move, a
// ball that moves, a body that deforms, and several pieces.
const yarnScene = `toile: 1
name: yarns
time: {end: 0.1 s, fps: 50, step: 0.2 ms}
friction: {default: 0.3, pairs: [{between: [swatch, ball], mu: 0.1}, {between: [cuff, ball], mu: 0.1}]}
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
	f, err := runfolder.Open(comesOutTheSame(t, "yarns", yarnJobOf))
	if err != nil {
		t.Fatal(err)
	}
	last, err := f.Frame(f.Manifest.Time.Frames - 1)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]runfolder.Kind{
		"swatch": runfolder.KindYarn, "cuff": runfolder.KindYarn, "ball": runfolder.KindSphere, "floor": runfolder.KindPlane,
		"body": runfolder.KindDeforming, "bead": runfolder.KindRigid,
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
func checkYarns(t *testing.T, b runfolder.Body) {
	t.Helper()
	c := b.Curves
	if c.Radius != 1.25e-3 || len(c.Counts) != 3 || slices.Contains(c.Closed, true) {
		t.Errorf("%d yarns of radius %g", len(c.Counts), c.Radius)
	}
	for _, a := range c.Attributes {
		most := slices.Max(a.Data)
		if a.Name == runfolder.AttrTension && !(most > 1e-4) || a.Name == runfolder.AttrSpeed && !(most > 0.02) || a.Name == runfolder.AttrForce && !(most > 1e-4) {
			t.Errorf("%s is %g at most", a.Name, most)
		}
	}
	if len(c.Attributes) != 3 {
		t.Errorf("%d attributes", len(c.Attributes))
	}
}

// Slips and stretch are told once, a slip with its place.
func TestYarnNotes(t *testing.T) {
	p := yarnJobOf(t, 1).Simulation.(*yarnPlay)
	cuff := p.built.Pieces[1]
	n := interval{slip: &yarn.Slip{A: 3, B: cuff.First + 9}, slipTime: 0.25, stretch: 0.02}
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
	s, err := scenefile.Parse("test.yaml", []byte(yarnScene), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	built, err := build.Yarns(s, 1)
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

// What yarns pull their pins with carries their weight when they hang, and is told for each pin.
func TestPinsTellTheirForce(t *testing.T) {
	job := jobOf(t, `toile: 1
name: hung
time: {end: 1 s, fps: 10}
yarns:
  - name: swatch
    pattern: stockinette
    size: [4, 3]
    place: {rotate: {axis: [1, 0, 0], angle: 90 deg}}
    yarn: {preset: worsted, damping: {rate: 200 1/s, constant: 5 m/s2}}
    pins: [{select: top}]
`, 1)
	play := job.Simulation.(*yarnPlay)
	read, err := play.probe(runfolder.Probe{Kind: runfolder.ProbePin, A: "swatch"})
	if err != nil {
		t.Fatal(err)
	}
	w := play.built.World
	mass := func() (m float64) {
		for y := range w.Yarns() {
			first, end, closed := w.Range(y)
			for i := first; i+1 < end; i++ {
				m += w.Positions()[i].Sub(w.Positions()[i+1]).Norm()
			}
			if closed {
				m += w.Positions()[end-1].Sub(w.Positions()[first]).Norm()
			}
		}
		return m * play.built.Material.Density
	}()
	var mean r3.Vec
	const from, steps = 0.6, 1600
	if err := w.Advance(from, play.built.Pace, nil); err != nil {
		t.Fatal(err)
	}
	for range steps {
		if err := w.Advance(play.built.Pace.Most, play.built.Pace, nil); err != nil {
			t.Fatal(err)
		}
		mean = mean.AddScaled(1.0/steps, read())
	}
	if want := -9.81 * mass; math.Abs(mean.Z-want) > 0.05*-want || math.Hypot(mean.X, mean.Y) > 0.05*-want {
		t.Errorf("the pin is pulled with %v N, and the swatch weighs %g N", mean, want)
	}
	for want, p := range map[string]runfolder.Probe{
		"has 1 pin":       {Kind: runfolder.ProbePin, A: "swatch", Vertex: 1},
		"there is no":     {Kind: runfolder.ProbePin, A: "sack"},
		"pin BODY NUMBER": {Kind: runfolder.ProbeForce, A: "swatch", B: "swatch"},
	} {
		if _, err := play.probe(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", p, err, want)
		}
	}
}

// A probe or a condition that there cannot be is told of before a finished run is replaced.
func TestFaultyWishesLeaveTheFolder(t *testing.T) {
	dir := t.TempDir()
	opt := DefaultOptions(dir)
	if _, err := Play(t.Context(), jobOf(t, shortYarns, 1), opt); err != nil {
		t.Fatal(err)
	}
	opt.Force = true
	for _, spoil := range []func(*Job){
		func(j *Job) { j.Stop = []runfolder.Condition{{Column: "max speed", Below: true, Limit: 1}} },
		func(j *Job) { j.Probes = []runfolder.Probe{{Kind: runfolder.ProbePin, A: "swatch", Vertex: 7}} },
	} {
		job := jobOf(t, shortYarns, 1)
		spoil(&job)
		if _, err := Play(t.Context(), job, opt); err == nil {
			t.Fatal("it was played")
		}
		f, err := runfolder.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if frames, err := f.Frames(); err != nil || len(frames) != 2 {
			t.Errorf("%d of 2 frames are left, %v", len(frames), err)
		}
	}
}

const shortYarns = `toile: 1
name: short
time: {end: 5 ms, fps: 200}
yarns: [{name: swatch, pattern: stockinette, size: [4, 3]}]
`

// Balls among yarns are probed by their middle, and a pin whose points other pins hold is not one of force 0.
func TestProbesOfBallsAndCoveredPins(t *testing.T) {
	play := jobOf(t, `toile: 1
name: two
time: {end: 0.1 s}
yarns: [{name: swatch, pattern: stockinette, size: [4, 3], pins: [{select: all}, {select: top}]}]
rigids: [{name: bead, shape: {sphere: {radius: 1 cm}}, density: 300, place: {translate: [1, 2, 3]}}]
`, 1).Simulation.(*yarnPlay)
	read, err := play.probe(runfolder.Probe{Kind: runfolder.ProbeCentroid, A: "bead"})
	if err != nil {
		t.Fatal(err)
	}
	if err := play.built.World.Advance(0.01, play.built.Pace, nil); err != nil {
		t.Fatal(err)
	}
	if x := read(); x.X != 1 || x.Y != 2 || math.Abs(x.Z-(3-9.81*0.01*0.01/2)) > 1e-4 {
		t.Errorf("the bead is at %v", x)
	}
	for want, p := range map[string]runfolder.Probe{
		"write centroid bead":      {Kind: runfolder.ProbePin, A: "bead"},
		"has no points of its own": {Kind: runfolder.ProbePin, A: "swatch", Vertex: 1},
	} {
		if _, err := play.probe(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", p, err, want)
		}
	}
}
