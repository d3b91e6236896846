package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/words"
)

// growth is a way to give a sheet more vertices.
type growth struct {
	name  string
	words string
	size  func(cells int) float64 // side of the sheet [m]
}

// sheetEdge is the edge length of enlarged sheets: that of 1 m with 70 cells, about 5,000 vertices [m].
const sheetEdge = 1.0 / 70

var growths = []growth{
	{"refine", "a sheet of 1 m, refined", func(int) float64 { return 1 }},
	{
		"enlarge",
		"a sheet enlarged at the same edge length",
		func(cells int) float64 { return float64(cells) * sheetEdge },
	},
}

// exponentEvent is how the time of a step grows.
type exponentEvent struct {
	Event    string   `json:"event"`
	Growth   string   `json:"growth"`
	Exponent cli.Real `json:"exponent"` // of time ~ vertices^exponent, from medians
	Fastest  cli.Real `json:"fastest"`  // the same from the fastest steps
}

func benchGrowth(ctx context.Context, t *cli.Term, f *benchFlags) error {
	if len(f.sizes) < 2 {
		return cli.BadUsage("--sizes: write at least two numbers of vertices")
	}
	for _, n := range f.sizes {
		if n < 16 {
			return cli.BadUsage("--sizes %d: write numbers of vertices, at least 16", n)
		}
	}
	for _, g := range growths {
		for _, workers := range f.workers {
			if err := growOne(ctx, t, g, workers, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func growOne(ctx context.Context, t *cli.Term, g growth, workers int, f *benchFlags) error {
	// heading and columns
	t.Say(
		"%s, %s, %s", t.Paint(cli.Bold, g.words), words.Count(f.steps, "step"),
		words.Count(cli.WorkersUsed(workers), "core"),
	)
	t.Say(
		"  %s",
		t.Paint(
			cli.Dim,
			fmt.Sprintf(
				"%10s  %10s  %10s  %10s  %10s  %10s  %10s  %s",
				"vertices",
				"step",
				"fastest",
				"a vertex",
				"assemble",
				"solve",
				"iterations",
				"allocations",
			),
		),
	)
	// sheets of all sizes
	var n, middle, fastest []float64
	for _, vertices := range f.sizes {
		cells := max(1, int(math.Round(math.Sqrt(float64(vertices))))-1)
		s, err := hangingSheet(g.size(cells), cells, f.sets)
		if err != nil {
			return cli.BadInput(err)
		}
		// time of its steps
		busy := cli.NewSpinner(t, fmt.Sprintf("%s of %s", g.name, words.Count(vertices, "vertex")))
		b, err := measure(ctx, s, workers, f.warmup, f.steps)
		busy.Close()
		if err != nil {
			return err
		}
		t.Emit(b.event(g.name))
		t.Say(
			"  %10s  %10s  %10s  %10s  %10s  %10s  %10d  %d",
			words.Thousands(b.vertices),
			words.Duration(b.step),
			words.Duration(b.fastest),
			words.Duration(
				b.step/time.Duration(b.vertices),
			),
			words.Duration(b.phases.Assemble),
			words.Duration(b.phases.Solve),
			b.linear,
			b.allocs,
		)
		// points of the fit
		n = append(n, float64(b.vertices))
		middle, fastest = append(middle, b.step.Seconds()), append(fastest, b.fastest.Seconds())
	}
	// exponents p of time ~ vertices^p
	p, q := exponent(n, middle), exponent(n, fastest)
	t.Emit(exponentEvent{"growth", g.name, cli.Real(p), cli.Real(q)})
	t.Say("  time of a step ~ vertices^%.2f, of the fastest ~ vertices^%.2f", p, q)
	return nil
}
