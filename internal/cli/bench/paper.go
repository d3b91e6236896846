package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/dumps"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/words"
)

// paperScene is a scene of [Larionov21] at its size.
type paperScene struct {
	solidsCase
	friction string // what is set to the friction
	across   int    // cells of a strip of cloth; 0: it is a scene
	step     float64
	touches  float64 // when things touch, and steps are timed [s]
	rows     []paperRow
}

// paperRow is what tables 1 and 2 of the paper say of a scene: means over all steps.
type paperRow struct {
	mu      float64
	seconds float64 // of a step
	steps   float64 // friction steps; 0: it does not say
	inner   float64 // iterations in each
}

var paperScenes = []paperScene{
	{
		solidsCase: solidsCase{name: "ball", file: "spinning-ball.yaml", sets: []string{
			"solids.ball.shape.shell.rings=12",
			"solids.ball.place.translate=[0, 0, 0.53]", "solids.ball.velocity=[0, 0, -4.3]", // as it comes down
		}},
		friction: "friction", step: 5e-3, touches: 0.02,
		rows: []paperRow{{0.01, 0.30, 0.41, 6.6}, {1, 0.35, 0.76, 6.8}},
	},
	{
		solidsCase: solidsCase{name: "stool", file: "stool.yaml", sets: []string{
			"solids.stool.shape.boxes=" + thinStool, "obstacles.ramp.shape.plane.point=[0, 0, -0.1 mm]",
		}},
		friction: "friction", step: 3e-4, touches: 0.012,
		rows: []paperRow{{0.2, 0.54, 1.94, 14.3}},
	},
	{
		solidsCase: solidsCase{name: "belt", file: "belt-drive.yaml", sets: []string{
			"solids.belt.shape.ring.cells=[128, 2, 3]", "solids.wheel.shape.ring.cells=[48, 3, 4]",
		}},
		friction: "friction.pairs.1.mu", step: 5e-3, touches: 0.25,
		rows: []paperRow{{0.02, 0.58, 4.1, 13.3}, {0.2, 0.51, 4, 13.5}},
	},
	{
		solidsCase: solidsCase{name: "trampoline", file: "trampoline.yaml", sets: []string{
			"solids.ball.shape.shell.rings=9", "cloths.sheet.shape.grid.cells=[40, 40]",
		}},
		friction: "friction", step: 10e-3, touches: 0.25,
		rows: []paperRow{{0.2, 0.43, 2.1, 13.6}},
	},
	{
		solidsCase: solidsCase{name: "fine-trampoline", file: "trampoline.yaml", sets: []string{
			"solids.ball.shape.shell.rings=27", "cloths.sheet.shape.grid.cells=[84, 84]",
			"solids.ball.place.translate=[0.12, 0.04, 0.31]",
		}},
		friction: "friction", step: 5e-3, touches: 0.1,
		rows: []paperRow{{0.2, 4.73, 2.4, 27.5}},
	},
	{
		solidsCase: solidsCase{name: "strip"}, across: 16, step: 10e-3, touches: 0.1,
		rows: []paperRow{{0.13, 0.08, 0, 0}, {0.2, 0.19, 0, 0}},
	},
	{
		solidsCase: solidsCase{name: "fine-strip"}, across: 30, step: 10e-3, touches: 0.1,
		rows: []paperRow{{0.13, 0.47, 0, 0}},
	},
	{
		solidsCase: solidsCase{name: "stiff-top", file: "straps.yaml", sets: []string{
			"solids=[]", "obstacles=[{name: body, shape: {mannequin: {motion: dressing, lead: 0 s}}}]", fineTop,
		}},
		friction: "friction", step: 4e-3, touches: 0.04,
		rows: []paperRow{{0, 0.49, 0, 0}, {0.8, 0.75, 1.5, 12.1}},
	},
	{
		solidsCase: solidsCase{
			name: "top", file: "straps.yaml", sets: []string{"solids.body.shape.flesh.size=2.2 cm", fineTop},
		},
		friction: "friction", step: 1e-3, touches: 0.02,
		rows: []paperRow{{0, 5.36, 0, 0}, {0.8, 7.29, 1.6, 17.2}},
	},
}

// fineTop has as many triangles as in the paper.
const fineTop = "cloths.top.shape.garment.size=16 mm"

// thinStool has a seat and legs of two cells.
const thinStool = "{cell: 1.3333333333 cm, boxes: [" +
	"{min: [-0.2, -0.2, 0.4], max: [0.2, 0.2, 0.4266666667]}, " +
	"{min: [-0.2, -0.2, 0], max: [-0.1733333333, -0.1733333333, 0.4]}, " +
	"{min: [0.1733333333, -0.2, 0], max: [0.2, -0.1733333333, 0.4]}, " +
	"{min: [-0.2, 0.1733333333, 0], max: [-0.1733333333, 0.2, 0.4]}, " +
	"{min: [0.1733333333, 0.1733333333, 0], max: [0.2, 0.2, 0.4]}]}"

func paperNames() []string {
	var names []string
	for i := range paperScenes {
		names = append(names, paperScenes[i].name)
	}
	return names
}

// paperEvent is what steps of a scene took.
type paperEvent struct {
	Event    string   `json:"event"`
	Scene    string   `json:"scene"`
	Friction cli.Real `json:"friction"`
	Elements int      `json:"elements"`
	Step     cli.Real `json:"step"`  // [s]
	Paper    cli.Real `json:"paper"` // of a step in the paper [s]
	*bench.Result
}

// timePaper times scenes at the sizes of the paper.
func timePaper(ctx context.Context, t *cli.Term, f *solidsFlags) error {
	// columns, some with the paper's figures beside ours
	rows := &cli.Table{Right: append([]bool{false}, slices.Repeat([]bool{true}, 12)...)}
	rows.Add(
		"scene", "μ", "elements", "step", "steps", "contacts", "CPU a step", "paper", "sweeps, Newton", "paper",
		"worst residual", "converged", "crossings",
	)
	// scenes that were asked for
	for i := range paperScenes {
		p := &paperScenes[i]
		if !slices.Contains(f.paper, p.name) {
			continue
		}
		if p.file != "" {
			if err := p.dress(ctx, t, f); err != nil {
				return err
			}
		}
		// a row for each of the paper
		for _, row := range p.rows {
			e, err := p.time(ctx, t, f, row)
			if ctx.Err() != nil {
				return cli.Interrupted(errors.New("stopped"))
			}
			if err != nil {
				return err
			}
			t.Emit(e)
			// iterations, where the paper has them
			paper := ""
			if row.steps > 0 {
				paper = fmt.Sprintf("%g, %g", row.steps, row.inner)
			}
			rows.Add(p.name, fmt.Sprint(row.mu), words.Thousands(e.Elements), words.Seconds(p.step),
				fmt.Sprint(e.Steps),
				words.Thousands(int(math.Round(e.Contacts))), words.Seconds(float64(e.CPU.Mean)),
				words.Seconds(row.seconds),
				fmt.Sprintf("%.1f, %.1f", e.Sweeps, e.Newton), paper, fmt.Sprintf("%.1e", float64(e.Residual)),
				words.Percent(e.Converged),
				fmt.Sprint(e.Crossings))
		}
	}
	// heading and table
	t.Say(
		"%s; means of a step, %s", t.Paint(cli.Bold, "scenes of [Larionov21] at its sizes"),
		words.Count(cli.WorkersUsed(f.workers), "core"),
	)
	cli.SayTable(t, rows)
	return nil
}

// time takes steps of the scene with a friction, once things touch.
func (p *paperScene) time(ctx context.Context, t *cli.Term, f *solidsFlags, row paperRow) (*paperEvent, error) {
	runtime.GC() // what was before
	busy := cli.NewSpinner(t, fmt.Sprintf("%s, μ %g", p.name, row.mu))
	defer busy.Close()
	w, elements, err := p.world(row.mu, f.workers)
	if err != nil {
		return nil, err
	}
	r, err := bench.TimeWorld(ctx, w, p.step, &bench.Order{
		Workers: f.workers, Warmup: int(math.Round(p.touches / p.step)), Steps: f.steps, Longest: f.longest,
	})
	return &paperEvent{"paper", p.name, cli.Real(row.mu), elements, cli.Real(p.step), cli.Real(row.seconds), r}, err
}

// world returns the world of the scene, and how many tets and triangles of cloth it has.
func (p *paperScene) world(mu float64, workers int) (w *engine.World, elements int, err error) {
	if p.across > 0 {
		w, err = dumps.Strip(p.across, mu, workers)
		return w, 2 * 4 * p.across * p.across, err
	}
	s, err := p.load(fmt.Sprintf("%s=%g", p.friction, mu))
	if err != nil {
		return nil, 0, err
	}
	b, err := p.build(s)
	if err != nil {
		return nil, 0, err
	}
	for _, o := range b.Bodies {
		if o.Solid != nil {
			elements += len(o.Solid.Spec.Mesh.Tet)
		}
	}
	for _, c := range b.Cloths {
		elements += len(cloths.Spec(b.World, c.ID).Mesh.Tri)
	}
	return b.World, elements, nil
}
