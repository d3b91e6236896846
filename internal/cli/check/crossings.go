package check

import (
	"fmt"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

// crossingReport is what crosses in the first frame: two surfaces, or one and itself.
type crossingReport struct {
	A     string      `json:"a"`
	B     string      `json:"b"`
	Count int         `json:"count"`
	Min   [3]cli.Real `json:"min"` // of a box around them [m]
	Max   [3]cli.Real `json:"max"`
	Text  string      `json:"text"`
}

// crossingsEvent is what crosses in the first frame.
type crossingsEvent struct {
	Event    string           `json:"event"`
	File     string           `json:"file"`
	Crossing []crossingReport `json:"crossing"`         // as placed
	Layers   string           `json:"layers,omitempty"` // what pulling layers apart does
	Repair   string           `json:"repair,omitempty"` // what contact.repair does, or would do
	Left     []crossingReport `json:"left"`             // in the first frame
	Advice   string           `json:"advice,omitempty"` // what to do about what is left
}

// checkCrossings says what crosses in a scene as it is placed, pulls layers apart and, with repair, other things as a
// run would, and says what is left.
func checkCrossings(t *cli.Term, path string, w *engine.World, repair bool) error {
	// what crosses at first
	e := crossingsEvent{Event: "crossings", File: path, Crossing: crossingReports(w)}
	e.Left = e.Crossing
	// what layers take apart
	if w.Layered() {
		stats, err := w.SeparateLayers(engine.DefaultSeparateOptions())
		if err != nil {
			return err
		}
		if stats.Move > 0 || stats.After > 0 {
			e.Layers = player.SeparationNote(&stats)
		}
		e.Left = crossingReports(w)
	}
	if len(e.Crossing) == 0 && e.Layers == "" {
		return nil
	}
	// what a repair would undo
	if len(e.Left) > 0 {
		if err := e.tryRepair(w, repair); err != nil {
			return err
		}
	}
	// what there is, and what was done about it
	t.Emit(e)
	for _, c := range e.Crossing {
		t.Warn("%s", c.Text)
	}
	if e.Layers != "" {
		t.Say("  %s", e.Layers)
	}
	if e.Repair != "" {
		t.Say("  %s", e.Repair)
	}
	if len(e.Crossing) > 0 && len(e.Left) == 0 {
		t.Say("  no crossing is left in the first frame")
	}
	// what is left, and what helps
	if e.Advice != "" {
		if w.Layered() || repair {
			for _, c := range e.Left {
				t.Warn("still in the first frame: %s", c.Text)
			}
		}
		t.Say("  %s", t.Paint(cli.Dim, e.Advice))
	}
	return nil
}

// tryRepair has done what contact.repair asks for, or says what it would do.
func (e *crossingsEvent) tryRepair(w *engine.World, repair bool) error {
	// a repair is tried; the world before it is kept
	before := w.Snapshot()
	stats := w.Repair()
	switch {
	case repair:
		// the scene asks for it, so that the world stays repaired
		e.Repair, e.Left = player.RepairNote(&stats), crossingReports(w)
		if len(e.Left) > 0 {
			e.Advice = "what is left is drawn apart from step to step, as far as that can be; " +
				"it is better to move it apart"
		}
		return nil
	case stats.After == 0:
		e.Advice = fmt.Sprintf(
			"move them apart, or write contact: {repair: true}, "+
				"which undoes all of it before the first frame and moves vertices by up to %.2g mm",
			1e3*stats.Move,
		)
	case stats.After < stats.Before:
		e.Advice = fmt.Sprintf(
			"move them apart; contact: {repair: true} undoes %s of %s before the first frame",
			words.Thousands(stats.Before-stats.After),
			words.Thousands(stats.Before),
		)
	default:
		e.Advice = "move them apart: contact: {repair: true} does not undo them"
	}
	// layers as another way out
	if w.Layered() {
		e.Advice += "; overlaps of up to 5 cm between cloths of different layers, and with obstacles, " +
			"can be undone by layers"
	} else {
		e.Advice += "; or give the cloths a layer"
	}
	// without being asked for, the repair is undone
	if err := w.Restore(before); err != nil {
		return fmt.Errorf("after a repair that was tried: %w", err)
	}
	return nil
}

func crossingReports(w *engine.World) []crossingReport {
	out := []crossingReport{}
	for _, p := range w.CrossingPairs() {
		// which surfaces, how often and where
		c := crossingReport{
			A:     w.SurfaceName(p.A),
			B:     w.SurfaceName(p.B),
			Count: p.Count,
			Min:   cli.Numbers(p.Where.Min),
			Max:   cli.Numbers(p.Where.Max),
		}
		// pairs of triangles in words
		pairs := fmt.Sprintf(
			"%s of triangles, the first %d and %d",
			words.Count(p.Count, "pair"),
			p.First.TriangleA,
			p.First.TriangleB,
		)
		// what starts inside another, and what crosses
		switch {
		case p.First.TriangleB < 0 && p.First.TriangleA >= 0:
			c.Text = fmt.Sprintf(
				"%s starts inside %s: %s, the first %d, up to %s deep",
				c.A,
				c.B,
				words.Count(p.Count, "triangle"),
				p.First.TriangleA,
				words.Length(p.Depth),
			)
		case p.First.Vertex >= 0:
			c.Text = fmt.Sprintf(
				"%s starts inside %s: %s, the first %d",
				c.A,
				c.B,
				words.Count(p.Count, "vertex"),
				p.First.Vertex,
			)
		case p.A == p.B:
			c.Text = fmt.Sprintf("%s starts crossing itself: %s", c.A, pairs)
		default:
			c.Text = fmt.Sprintf("%s and %s start crossed: %s", c.A, c.B, pairs)
		}
		c.Text += ", " + place(p.Where)
		out = append(out, c)
	}
	return out
}

// place says where a box is.
func place(b r3.Box) string {
	c, size := b.Min.Lerp(b.Max, 0.5), b.Max.Sub(b.Min).MaxAbs()
	at := fmt.Sprintf("at (%.3f, %.3f, %.3f) m", c.X, c.Y, c.Z)
	if size < 1e-3 {
		return at
	}
	return "around " + at[3:] + ", " + words.Length(size) + " across"
}
