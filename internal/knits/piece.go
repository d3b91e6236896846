package knits

import (
	"math"

	"github.com/toile-sim/toile/internal/yarn"
)

const (
	// Time passes in pieces, which step lengths are cut at. States come after whole ones only, so that they do not
	// depend on where making was stopped.
	piecesPerSecond = 400

	LongestStep = 1.0 / 4000

	settling = 0.4 // speed at which yarns sink that are let down slowly [m/s]
)

// Piece takes the steps of one piece of time, 2.5 ms, as long as yarns allow, and tells of each.
func (w *World) Piece(tell func(*yarn.Stats)) error {
	next := (math.Round(w.Time()*piecesPerSecond) + 1) / piecesPerSecond
	if err := w.Advance(next-w.Time(), yarn.Pace{Most: LongestStep}, tell); err != nil {
		return err
	}
	if w.Time() < w.Settle {
		w.slow()
	}
	return nil
}

// slow takes as much of all velocities after a piece of time as leaves yarns that fall at the speed of settling.
func (w *World) slow() {
	const gained = 9.81 / piecesPerSecond
	v := w.Velocities()
	for i := range v {
		v[i] = v[i].Scale(settling / (settling + gained))
	}
}
