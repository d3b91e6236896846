package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// plots returns the charts of a run, and sentences about what stayed the same and needs none.
func (s *series) plots() (out []plot, calm []string) {
	// steps, without which there is nothing
	if s.rows == 0 || s.time == nil {
		return nil, nil
	}
	add := func(p plot, c chart) {
		if p, ok := s.drawn(p, c); ok {
			out = append(out, p)
		}
	}
	// runs without a contact solver
	if !s.solves {
		s.otherPlots(add)
		return out, nil
	}
	// residuals, contacts and crossings; what never happened is told in words
	add(s.residualPlot())
	if s.contacts > 0 {
		add(s.contactPlot())
		add(s.gapPlot())
	} else {
		calm = append(calm, "Nothing touched.")
	}
	if s.crossings > 0 {
		add(s.crossingPlot())
	} else {
		calm = append(calm, "Nothing crossed.")
	}
	// energy, step size and speed
	add(s.energyPlot())
	if s.halved > 0 {
		add(
			plot{
				ID:    "step",
				Title: "Step size",
				Unit:  "ms",
				Text:  fmt.Sprintf("%s had to be halved.", words.Count(s.halved, "step")),
			},
			chart{
				curves: []curve{{name: "step size", y: scaled(s.columns["h"], 1e3), look: 1, step: true}},
				zero:   true,
			},
		)
	} else {
		calm = append(calm, fmt.Sprintf("All steps are of %s; none was halved.", words.FineSeconds(s.step)))
	}
	add(plot{ID: "speed", Title: "Largest speed", Unit: "m/s", Text: "The speed of the fastest vertex."},
		chart{curves: []curve{{name: "largest speed", y: s.columns["max speed"], look: 1}}, zero: true})
	return out, calm
}

// drawn adds to a plot what its chart shows, and reports whether there is anything.
func (s *series) drawn(p plot, c chart) (plot, bool) {
	c.x = s.time
	if len(c.curves) > 1 || c.level > 0 {
		for _, u := range c.curves {
			p.Legend = append(p.Legend, legend{u.name, u.look})
		}
	}
	if c.level > 0 {
		p.Legend = append(p.Legend, legend{"tolerance", -1})
	}
	vertical, ok := c.span()
	if !ok {
		return plot{}, false
	}
	p.Alt = fmt.Sprintf(
		"%s over time, on an axis from %s to %s %s. %s",
		p.Title,
		short(vertical.Low),
		short(vertical.Top),
		p.Unit,
		p.Text,
	)
	p.SVG = c.svg(p.Alt)
	return p, p.SVG != ""
}

// gapPlot shows how near to each other things came.
func (s *series) gapPlot() (plot, chart) {
	return plot{
			ID:    "gap",
			Title: "Smallest gap",
			Unit:  "mm",
			Text: "The smallest distance of a contact at the start of each step; the least is " + length(
				s.gap,
			) + ".",
		},
		chart{curves: []curve{{name: "smallest gap", y: scaled(s.columns["worst gap"], 1e3), look: 1}}, zero: true}
}

// crossingPlot shows what crosses.
func (s *series) crossingPlot() (plot, chart) {
	text := fmt.Sprintf(
		"Pairs of triangles that cross at the end of a step, and triangles with a point inside a shape: up to %s, "+
			"in %s.",
		words.Thousands(s.crossings),
		words.Count(s.crossed, "step"),
	)
	if s.depth > 0 {
		text += fmt.Sprintf(" The deepest point is %s mm inside.", short(1e3*s.depth))
	}
	return plot{ID: "crossings", Title: "Crossings", Text: text},
		chart{
			curves: []curve{{name: "crossings", y: s.columns["crossings"], look: 1, step: true}},
			zero:   true,
			counts: true,
		}
}

// otherPlots shows the columns of a simulation of another kind, one by one.
func (s *series) otherPlots(add func(plot, chart)) {
	for _, header := range s.headers {
		name, unit := runfolder.SplitHeader(header)
		if runfolder.IsClock(header) || name == "step" || name == "frame" || name == "time" {
			continue
		}
		y := s.columns[name]
		known := slices.DeleteFunc(slices.Clone(y), func(x float64) bool { return x-x != 0 })
		if len(known) == 0 || slices.Min(known) == slices.Max(known) {
			continue // nothing to see
		}
		title := strings.ToUpper(name[:1]) + name[1:]
		add(
			plot{
				ID:    strings.ReplaceAll(name, " ", "-"),
				Title: title,
				Unit:  unit,
				Text:  s.caption(name, known),
			},
			chart{curves: []curve{{name: name, y: y, look: 1}}, counts: unit == ""},
		)
	}
}

// caption says what a column shows, given those of its values that are numbers.
func (s *series) caption(name string, known []float64) string {
	switch name {
	case "slips":
		return s.slips.caption()
	case "retries", "updates":
		return words.Thousands(int(sumOf(known))) + " in all."
	case "steps":
		return fmt.Sprintf("%s in all; a row of stats.csv stands for %s to %s.", words.Thousands(s.steps),
			words.Thousands(int(slices.Min(known))), words.Thousands(int(slices.Max(known))))
	}
	return fmt.Sprintf("From %s to %s in the course of the run; the least is %s, the largest %s.",
		short(known[0]), short(known[len(known)-1]), short(slices.Min(known)), short(slices.Max(known)))
}

func (s *series) residualPlot() (plot, chart) {
	text := fmt.Sprintf("%s of steps reached the tolerance", percent(s.converged()))
	if s.tolerance > 0 {
		text += fmt.Sprintf(" of %s m/s", short(s.tolerance))
	}
	text += fmt.Sprintf(
		"; the largest residual is %s m/s, in step %s.",
		short(s.residual),
		words.Thousands(s.residualAt),
	)
	if s.rounded > 0 {
		text += fmt.Sprintf(" In %s rounding leaves more than the tolerance.", words.Count(s.rounded, "step"))
	}
	if a := &s.ahead; a.Steps > 0 {
		text += fmt.Sprintf(" It is that of the equations as linearized: in the %s looked at, "+
			"one more linearization would move points by %s in the mean, and by %s at worst, in step %s.",
			words.Count(a.Steps, "step"), length(a.Mean), length(a.Worst), words.Thousands(a.Step))
	}
	return plot{ID: "residual", Title: "Residual", Unit: "m/s", Text: text},
		chart{curves: []curve{{name: "residual", y: s.columns["residual"], look: 1}}, log: true, level: s.tolerance}
}

func (s *series) contactPlot() (plot, chart) {
	text := fmt.Sprintf("Up to %s in a step; what neither sticks nor slides is free.", words.Thousands(s.contacts))
	if s.infeasible > 0 {
		text += fmt.Sprintf(
			" In %s some contradict each other, as is proven; their impulses were bounded. "+
				"All else reached the tolerance in %s of them.",
			words.Count(s.infeasible, "step"),
			words.Thousands(s.contradicts),
		)
	}
	return plot{ID: "contacts", Title: "Contacts", Text: text}, chart{zero: true, counts: true, curves: []curve{
		{name: "all", y: s.columns["contacts"], look: 0},
		{name: "sticking", y: s.columns["sticking"], look: 1},
		{name: "sliding", y: s.columns["sliding"], look: 2},
	}}
}

func (s *series) energyPlot() (plot, chart) {
	p := plot{ID: "energy", Title: "Energy", Unit: "J"}
	c := chart{curves: []curve{{name: "total", y: s.columns["total"], look: 0}}}
	for i, name := range runfolder.EnergyNames() {
		y := s.columns[name]
		for _, v := range y {
			if v != 0 {
				c.curves = append(c.curves, curve{name: name, y: y, look: i + 1})
				break
			}
		}
	}
	if total := s.columns["total"]; len(total) > 0 {
		p.Text = fmt.Sprintf("The total goes from %s to %s J.", short(total[0]), short(total[len(total)-1]))
	}
	for i := range s.losses {
		of := "Of all bodies: "
		if body := s.losses[i].Body; body != "" {
			of = "Of " + body + ": "
		}
		p.Text += " " + of + s.losses[i].String() + "."
	}
	return p, c
}
