package report

import (
	"fmt"

	"github.com/toile-sim/toile/internal/words"
)

// phaseWords say what the phases do.
var phaseWords = map[string]string{
	"remesh":    "bring meshes that change to their sizes",
	"pose":      "bring obstacles and pins to their places",
	"detect":    "find what touches or is about to",
	"assemble":  "masses, forces and stiffness",
	"solve":     "velocities and impulses",
	"integrate": "move",
	"check":     "look for crossings",
	"untangle":  "undo what is crossed",
	"refused":   "attempts that had to be halved",
	"contact":   "find where yarns touch each other, and with what force",
}

func (s *series) phases() *phases {
	if s.rows == 0 || !(s.clock > 0) {
		return nil
	}
	p := &phases{Text: s.timeWords() + " " + s.slowest(), SVG: s.bars()}
	if s.onlyPhase() != "" {
		return p
	}
	for i, name := range s.clocks {
		sum := sumOf(s.columns["clock "+name])
		if name == "remesh" && sum == 0 {
			continue // no mesh changes
		}
		share := sum / s.clock
		p.Rows = append(p.Rows, phase{
			name, phaseWords[name], words.FineSeconds(sum), percent(share), words.FineSeconds(sum / float64(s.steps)), s.look(i),
			fmt.Sprintf("%.2f", 100*share),
		})
	}
	return p
}

// timeWords says how long steps took, or what is known of it.
func (s *series) timeWords() string {
	all, each := words.FineSeconds(s.clock), words.FineSeconds(s.clock/float64(s.steps))
	only := s.onlyPhase()
	if only == "" {
		return fmt.Sprintf("The steps took %s on the wall, %s each.", all, each)
	}
	what := only
	if does := phaseWords[only]; does != "" {
		what += " (" + does + ")"
	}
	return fmt.Sprintf("Of a step only %s has a clock. It took %s on the wall, %s a step.", what, all, each)
}

// slowest says which steps took longest.
func (s *series) slowest() string {
	slow, at := 0.0, 0
	for row := range s.rows {
		if mean := s.clockOf(row) / float64(s.stepsOf(row)); mean > slow {
			slow, at = mean, row
		}
	}
	span := s.spanOf(at)
	if span.first == span.last {
		return fmt.Sprintf("The slowest step is %s, with %s.", span.words(), words.FineSeconds(slow))
	}
	return fmt.Sprintf("The slowest steps are %s, with %s each.", span.words(), words.FineSeconds(slow))
}
