package player

import (
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/words"
)

// separate pulls the layers of the world apart, if it has some, and tells what it did. Garments that dressing has
// brought to rest without a crossing are not disturbed to give each its full distance.
func (p *worldSim) separate() (notes []string, err error) {
	w := p.job.World
	if !w.Layered() || p.job.Dress != nil && len(w.CrossingPairs()) == 0 {
		return nil, nil
	}
	stats, err := w.SeparateLayers(engine.DefaultSeparateOptions())
	if err != nil {
		return nil, fmt.Errorf("pulling layers apart before the first frame: %w", err)
	}
	if stats.Move > 0 || stats.After > 0 {
		notes = append(notes, SeparationNote(&stats))
	}
	return notes, nil
}

// repair brings apart what starts crossed, if the job asks for it, and tells what it did.
func (p *worldSim) repair() (notes []string) {
	if !p.job.Repair {
		return nil
	}
	if stats := p.job.World.Repair(); stats.Before > 0 {
		notes = append(notes, RepairNote(&stats))
	}
	return notes
}

// RepairNote says in words what Repair did.
func RepairNote(s *engine.RepairStats) string {
	if s.After == s.Before {
		return fmt.Sprintf("%s could not be undone before the first frame", words.Count(s.Before, "crossing"))
	}
	note := fmt.Sprintf(
		"crossings were undone before the first frame: %s of %s, vertices moved by up to %.2g mm",
		words.Thousands(s.Before-s.After),
		words.Thousands(s.Before),
		1e3*s.Move,
	)
	if s.After > 0 {
		note += fmt.Sprintf("; %s left", words.Count(s.After, "crossing"))
	}
	return note
}

// SeparationNote says in words what SeparateLayers did.
func SeparationNote(s *engine.SeparateStats) string {
	note := fmt.Sprintf(
		"layers were pulled apart before the first frame: %s, vertices moved by up to %.2g mm",
		words.Count(s.Before, "crossing"),
		1e3*s.Move,
	)
	if s.Before == 0 {
		note = fmt.Sprintf(
			"layers were given their distance before the first frame: vertices moved by up to %.2g mm",
			1e3*s.Move,
		)
	}
	switch {
	case s.After > 0:
		note += fmt.Sprintf("; %s could not be undone", words.Count(s.After, "crossing"))
	case s.Near > 0:
		note += fmt.Sprintf("; %s nearer than the thickness of contact", words.Count(s.Near, "place"))
	}
	return note
}
