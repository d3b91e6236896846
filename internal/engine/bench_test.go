package engine_test

import (
	"testing"

	"github.com/toile-sim/toile/internal/engine"
)

// BenchmarkStep takes steps of 2 ms with a sheet of 20,000 vertices that swings from two corners, and checks that the
// state is the one it must be: the same for any number of workers.
func BenchmarkStep(b *testing.B) {
	var hash engine.Hash
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "1worker", 2: "2workers"}[workers], func(b *testing.B) {
			w, _, _ := hanging(b, 140, func(o *engine.Options, _ *engine.Cloth) { o.Workers = workers })
			steps(b, w, 20, 2e-3)
			if got := w.Snapshot().Hash(); hash == (engine.Hash{}) {
				hash = got
			} else if got != hash {
				b.Fatalf("hash %v, want %v", got, hash)
			}
			b.ReportAllocs()
			var iterations int
			var laps engine.Laps
			for b.Loop() {
				s := steps(b, w, 1, 2e-3)
				iterations += s.Linear
				laps.Assemble += s.Laps.Assemble
				laps.Solve += s.Laps.Solve
				laps.Check += s.Laps.Check
			}
			n := float64(b.N)
			b.ReportMetric(float64(iterations)/n, "iterations/step")
			b.ReportMetric(1e3*laps.Assemble.Seconds()/n, "assemble-ms/step")
			b.ReportMetric(1e3*laps.Solve.Seconds()/n, "solve-ms/step")
			b.ReportMetric(1e3*laps.Check.Seconds()/n, "check-ms/step")
		})
	}
}
