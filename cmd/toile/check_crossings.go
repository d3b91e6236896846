package main

import (
	"fmt"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/run"
)

// crossingReport is what crosses in the first frame: two surfaces, or one and itself.
type crossingReport struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Count int    `json:"count"`
	Text  string `json:"text"`
}

// crossingsEvent is what crosses in the first frame.
type crossingsEvent struct {
	Event    string           `json:"event"`
	File     string           `json:"file"`
	Crossing []crossingReport `json:"crossing"`         // as placed
	Layers   string           `json:"layers,omitempty"` // what pulling layers apart does
	Left     []crossingReport `json:"left"`             // in the first frame
	Advice   string           `json:"advice,omitempty"` // what to do about what is left
}

// checkCrossings says what crosses in a scene as it is placed, pulls layers apart as a run would, and says what is left.
func checkCrossings(t *term, path string, w *toile.World) error {
	e := crossingsEvent{Event: "crossings", File: path, Crossing: crossingReports(w)}
	e.Left = e.Crossing
	if w.Layered() {
		stats, err := w.SeparateLayers(toile.DefaultSeparateOptions())
		if err != nil {
			return err
		}
		if stats.Move > 0 || stats.After > 0 {
			e.Layers = run.SeparationNote(&stats)
		}
		e.Left = crossingReports(w)
	}
	if len(e.Crossing) == 0 && e.Layers == "" {
		return nil
	}
	if len(e.Left) > 0 {
		e.Advice = "move them apart, or give the cloths a layer: they are then pulled apart before the first frame"
		if w.Layered() {
			e.Advice = "overlaps of up to 5 cm between cloths of different layers, and with obstacles, can be undone; a cloth that crosses itself cannot"
		}
	}
	t.emit(e)
	for _, c := range e.Crossing {
		t.say("%s %s", t.paint(yellow, "warning:"), c.Text)
	}
	if e.Layers != "" {
		t.say("  %s", e.Layers)
	}
	if len(e.Crossing) > 0 && len(e.Left) == 0 {
		t.say("  no crossing is left in the first frame")
	}
	if e.Advice != "" {
		if w.Layered() {
			for _, c := range e.Left {
				t.say("%s still in the first frame: %s", t.paint(yellow, "warning:"), c.Text)
			}
		}
		t.say("  %s", t.paint(dim, e.Advice))
	}
	return nil
}

func crossingReports(w *toile.World) []crossingReport {
	out := []crossingReport{}
	for _, p := range w.CrossingPairs() {
		c := crossingReport{A: w.SurfaceName(p.A), B: w.SurfaceName(p.B), Count: p.Count}
		pairs := fmt.Sprintf("%s of triangles, the first %d and %d", words.Count(p.Count, "pair"), p.First.TriangleA, p.First.TriangleB)
		switch {
		case p.First.Vertex >= 0:
			c.Text = fmt.Sprintf("%s starts inside %s: %s, the first %d", c.A, c.B, words.Count(p.Count, "vertex"), p.First.Vertex)
		case p.A == p.B:
			c.Text = fmt.Sprintf("%s starts crossing itself: %s", c.A, pairs)
		default:
			c.Text = fmt.Sprintf("%s and %s start crossed: %s", c.A, c.B, pairs)
		}
		out = append(out, c)
	}
	return out
}
