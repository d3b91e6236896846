package engine_test

import (
	"flag"
	"fmt"
	"io/fs"
	"math"
	"testing"
	"testing/fstest"
	"time"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/scenes"
)

var linearTable = flag.Bool("linear", false, "measure what one linearization a step leaves, for docs/step.md")

// foldingStrip is a strip that falls askew onto a floor, edge first, and folds there.
const foldingStrip = `
toile: 1
time: {end: 0.35 s, step: 2.5 ms}
friction: 0.3
contact: {thickness: 1 mm}
cloths:
  - name: strip
    shape: {grid: {size: [10 cm, 40 cm], cells: [8, 32]}}
    place: {rotate: {axis: [1, 0, 0], angle: 60 deg}, translate: [0, 0, 5 mm]}
    material: {preset: cotton, damping: 5 ms}
obstacles:
  - {name: floor, shape: {plane: {normal: [0, 0, 1]}}}
`

// linearScene is a scene that is played three times: as it is, with converged steps, and from a micrometre beside.
type linearScene struct {
	name   string
	size   float64 // of its cloth [m]
	file   string
	data   []byte
	files  fs.FS
	sets   []string
	beside string // moves the cloth, or what is beside it, by a micrometre
}

func linearScenes(t testing.TB) []linearScene {
	bundled := func(file string) []byte { return must(fs.ReadFile(scenes.Files(), file)) }
	air := "air.density=1.2"
	return []linearScene{
		{
			"starter scene, 20 x 20 cells, 1.2 s at 5 ms", 0.5, "scene.yaml", scenefile.Template(),
			fstest.MapFS{},
			[]string{"cloths.square.shape.grid.cells=[20, 20]"},
			"cloths.square.place.translate=[-0.249999, -0.25, 0.25]",
		},
		{
			"ball drape, 24 x 24 cells, 0.8 s at 4 ms", 1, "ball-drape.yaml", bundled("ball-drape.yaml"),
			scenes.Files(),
			[]string{"cloths.sheet.shape.grid.cells=[24, 24]", "time.step=4 ms", "time.end=0.8 s", air},
			"cloths.sheet.place.translate=[-0.499999, -0.5, 0.16]",
		},
		{
			"strip of 8 x 32 cells that folds onto a floor, 0.35 s at 2.5 ms", 0.4, "strip.yaml", []byte(foldingStrip),
			fstest.MapFS{},
			nil, "cloths.strip.place.rotate.angle=1.04720005",
		},
		{
			"tunic of 5 cm on a body that sets out, 0.4 s at 4 ms", 0.7, "tunic.yaml", bundled("tunic.yaml"),
			scenes.Files(),
			[]string{
				"cloths.tunic.shape.garment.size=50 mm", "obstacles.body.shape.mannequin.vertices=3000",
				air, "time.end=0.4 s",
			},
			"obstacles.body.place.translate=[0.000001, 0, 0]",
		},
	}
}

// linearRun is where a run ended, and what that took.
type linearRun struct {
	x                    []r3.Vec
	h                    float64
	start, end           float64 // total energy [J]
	newton, steps, short int     // short: steps that did not converge
	took                 time.Duration
}

// play runs the scene. What is worn is dressed once, so that all runs start alike.
func (l *linearScene) play(t testing.TB, worn **dress.Dressed, sets ...string) linearRun {
	s, b := l.world(t, worn, sets...)
	w := b.World
	newton := w.Options().Newton
	out := linearRun{h: s.Time.Step, start: w.Energy().Total()}
	from := time.Now()
	for w.Time() < s.Time.End-s.Time.Step/2 {
		if err := w.Advance(s.Time.Step, s.Time.Step, func(k engine.Stats) {
			out.newton, out.steps = out.newton+k.Newton, out.steps+1
			if newton.Iterations > 1 && k.Nonlinear > newton.Tolerance {
				out.short++
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	out.took, out.end = time.Since(from), w.Energy().Total()
	for i := range w.Cloths() {
		out.x = append(out.x, w.Positions(engine.ClothID(i))...)
	}
	return out
}

// from returns how far the vertices of a run ended from those of another: root mean square and largest [mm].
func (l *linearRun) from(o *linearRun) string {
	rms, worst := 0.0, 0.0
	for i, x := range l.x {
		d := x.Sub(o.x[i]).Norm()
		rms, worst = rms+d*d, max(worst, d)
	}
	return fmt.Sprintf("%.2g, %.2g", 1e3*math.Sqrt(rms/float64(len(l.x))), 1e3*worst)
}

// world builds the scene, for one worker.
func (l *linearScene) world(
	t testing.TB, worn **dress.Dressed, sets ...string,
) (*scenefile.Scene, *build.Built) {
	s := must(scenefile.Parse(l.file, l.data, l.files, append(append([]string{}, l.sets...), sets...)))
	var b *build.Built
	if s.Dresses() {
		if *worn == nil {
			*worn = must(dress.Scene(t.Context(), s, dress.Options{Workers: 1}))
		}
		b = must(dress.World(s, *worn))
	} else {
		b = must(build.World(s))
	}
	b.World.SetWorkers(1)
	t.Cleanup(func() { _ = b.Close() })
	return s, b
}

// What steps say of one more linearization against what a second one does from the same state, for the other table:
//
//	go test -run TestAheadTable -linear -v -timeout 1h ./internal/engine
func TestAheadTable(t *testing.T) {
	if !*linearTable {
		t.Skip("with -linear")
	}
	for _, l := range append(linearScenes(t), linearScene{
		name: "flag of 30 x 20 cells, 2 s at 5 ms", file: "flag.yaml",
		data:  must(fs.ReadFile(scenes.Files(), "flag.yaml")),
		files: scenes.Files(), sets: []string{"cloths.flag.shape.grid.cells=[30, 20]", "time.end=2 s"},
	}) {
		t.Run(l.name, func(t *testing.T) {
			var worn *dress.Dressed
			s, one := l.world(t, &worn)
			_, two := l.world(t, &worn, "integrator.newton=2")
			var said, done engine.Ahead
			looked, off := 0, 0
			for h := s.Time.Step; one.World.Time() < s.Time.End-h/2; {
				before := one.World.Snapshot()
				k, err := one.World.TryStep(h)
				if err != nil {
					if err := one.World.Advance(h, h, nil); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if !k.Ahead.Known {
					continue
				}
				if err := two.World.Restore(before); err != nil {
					t.Fatal(err)
				}
				if _, err := two.World.TryStep(h); err != nil {
					continue
				}
				a := between(one.World, two.World)
				looked++
				said.Mean, said.Worst = said.Mean+k.Ahead.Mean, max(said.Worst, k.Ahead.Worst)
				done.Mean, done.Worst = done.Mean+a.Mean, max(done.Worst, a.Worst)
				if r := k.Ahead.Worst / a.Worst; r < 0.5 || r > 2 {
					off++
				}
				if r := k.Ahead.Mean / a.Mean; r < 0.5 || r > 2 {
					off++
				}
			}
			t.Logf("| %s | %d | %.2g, %.2g | %.2f | %.2f | %d off by more than two", l.name, looked,
				1e3*done.Mean/float64(looked), 1e3*done.Worst, said.Mean/done.Mean, said.Worst/done.Worst, off)
		})
	}
}

// between is how far the vertices of cloths in two worlds are apart.
func between(a, b *engine.World) (d engine.Ahead) {
	sum := 0.0
	for i := range a.Cloths() {
		id := engine.ClothID(i)
		x, y := a.Positions(id), b.Positions(id)
		for v, m := range a.Masses(id) {
			move := x[v].Sub(y[v]).Norm()
			d.Mean, d.Worst, sum = d.Mean+m*move, max(d.Worst, move), sum+m
		}
	}
	d.Mean /= sum
	return d
}

// What one linearization a step leaves at the end of a scene, by places and by energy, against steps that converge to
// 1e-6 m/s, beside two runs of single linearizations that start a micrometre apart. It takes some minutes, and is what
// the table in docs/step.md is made of:
//
//	go test -run TestLinearizationTable -linear -v -timeout 1h ./internal/engine
func TestLinearizationTable(t *testing.T) {
	if !*linearTable {
		t.Skip("with -linear")
	}
	for _, l := range linearScenes(t) {
		t.Run(l.name, func(t *testing.T) {
			var worn *dress.Dressed
			one := l.play(t, &worn)
			beside := l.play(t, &worn, l.beside)
			fine := l.play(t, &worn, fmt.Sprintf("time.step=%g", one.h/4))
			t.Logf("one: %d steps in %v", one.steps, one.took)
			t.Logf("beside: %s; a quarter: %s", one.from(&beside), one.from(&fine))
			full := l.play(t, &worn, "integrator.newton={iterations: 30, tolerance: 1e-6}")
			t.Logf("| %s | %.3g | %s | %s | %s | %s | %.4g | %.4g, %.4g, %.4g |", l.name, 1e3*l.size, one.from(&full),
				one.from(&beside), one.from(&fine), full.from(&fine), one.start, one.end, full.end, fine.end)
			t.Logf("converged: %d steps, %d not, %.1f linearizations a step, %.1f times the time",
				full.steps, full.short, float64(full.newton)/float64(full.steps),
				full.took.Seconds()/one.took.Seconds())
		})
	}
}
