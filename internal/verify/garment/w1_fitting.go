// W1: the wardrobe fits.
//
// Every garment of the library is cut for a mannequin, a tunic and trousers for three sizes of it, sewn around it in
// its dressing pose and worn on the way to standing. What must be true follows from what dressing promises: not one
// pair of triangles crosses when the panels are joined, which is in the dressing pose and where dressing fails
// otherwise, nor at t = 0, standing, by the exact test, nor when the garment has come to rest; and the stitches were
// joined at less than a quarter of a triangle.

package garment

import (
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/r3"
)

var fitting = verify.Case{
	ID: "W1", Title: "garments are sewn around a body and worn without a crossing",
	Source: "exact test for crossings",
	Body:   runFitting,
}

// outfits are what is worn: garments of a kind, one layer on the other.
var outfits = []struct {
	name   string
	kind   string
	layers int
	size   float64 // of triangles [m]: coarse, since there are many fittings
}{
	{"tunic", "tunic", 1, 0.045},
	{"tank-top", "tank-top", 1, 0.045},
	{"skirt", "skirt", 1, 0.045},
	{"three skirts", "skirt", 3, 0.045},
	{"pleated-skirt", "pleated-skirt", 1, 0.04},
	{"trousers", "trousers", 1, 0.045},
	{"hood", "hood", 1, 0.024}, // panels of larger triangles cross where they are bent around the head
	{"shawl", "shawl", 1, 0.045},
}

func runFitting(t *verify.Trial) {
	worn := outfits[2:3]
	if t.Options.Full {
		worn = outfits
	}
	for _, outfit := range worn {
		sizes := []string{"M"}
		if outfit.kind == "tunic" || outfit.kind == "trousers" {
			sizes = []string{"S", "M", "L"}
		}
		for _, size := range sizes {
			fit(
				t,
				outfit.name+", "+size,
				fittingScene(outfit.kind, outfit.layers, size, outfit.size),
				outfit.size,
				t.Options.Full && size == "M",
			)
		}
	}
}

// fittingScene returns the text of a scene in which a body wears some layers of a garment.
func fittingScene(kind string, layers int, size string, triangles float64) string {
	var text strings.Builder
	fmt.Fprintf(
		&text,
		"toile: 1\nname: %s, %s\ntime: {end: 1 s, step: 5 ms}\nfriction: 0.4\ndressing: {close: 0.75 s}\ncloths:\n",
		kind,
		size,
	)
	for layer := range layers {
		fmt.Fprintf(
			&text,
			"  - {name: %s-%d, layer: %d, shape: {garment: {kind: %s, on: body, size: %g}}, "+
				"material: {damping: 2 ms}}\n",
			kind,
			layer+1,
			layer+1,
			kind,
			triangles,
		)
	}
	fmt.Fprintf(
		&text,
		"obstacles:\n  - {name: body, shape: {mannequin: {size: %s, motion: stand, vertices: 3000, lead: 0.6 s}}}\n",
		size,
	)
	return text.String()
}

// fit dresses the body of a scene and checks; then it may let the garment come to rest and check again.
func fit(t *verify.Trial, name, text string, triangles float64, rest bool) {
	s, err := scenefile.Parse("fitting.yaml", []byte(text), nil, nil)
	t.Must(err)
	dressed, err := dress.Scene(t.Context(), s, dress.Options{Workers: t.Options.Workers})
	if err != nil {
		t.Note("%s: %v", name, err)
	}
	failures := verify.Row{
		Quantity: fmt.Sprintf("%s is sewn in the dressing pose and worn standing: failures", name),
		Bar:      verify.AtMost,
		Measured: truth(err != nil),
	}
	t.Row(t.Shortened(failures, "at most 0 in sizes S, M and L"))
	if err != nil {
		return
	}
	built, err := dress.World(s, dressed)
	t.Must(err)
	defer func() { _ = built.Close() }() // read only
	w := built.World
	w.SetWorkers(t.Options.Workers)
	crossings, _ := w.Crossings()
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("crossings at t = 0: %s", name), Bar: verify.AtMost, Measured: float64(crossings),
	})
	steps, gap, wide := 0, 0.0, 0.0
	for _, k := range dressed.Sewn {
		steps, gap, wide = steps+k.Steps, max(gap, k.Gap), max(wide, k.Wide)
	}
	if len(dressed.Sewn) > 0 {
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("widest stitch when joined: %s", name),
				Unit:     "m",
				Bar:      verify.AtMost,
				Measured: gap,
				Limit:    triangles / 4,
			},
		)
	}
	t.Note("%s: seams from %.0f mm to %.1f mm in %d steps of 5 ms", name, 1e3*wide, 1e3*gap, steps)
	if !rest {
		return
	}
	opt := engine.DefaultSettleOptions()
	opt.Tolerance, opt.MaxIterations, opt.Step = 1e-4, 400, 16e-3
	settled, err := t.Settle(w, opt)
	t.Must(err)
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("crossings at rest: %s", name), Bar: verify.AtMost, Measured: float64(settled.Crossings),
	})
	t.Picture("w1-"+strings.ReplaceAll(strings.ToLower(name), ", ", "-"), w, r3.V(0.5, -1, 0.15), false)
	t.Note(
		"%s: %d steps to rest, where a step of %g ms moves by %.2g mm",
		name,
		settled.Iterations,
		1e3*opt.Step,
		1e3*settled.Move,
	)
}
