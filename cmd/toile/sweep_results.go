package main

import (
	"time"

	"github.com/toile-sim/toile/sweep"
)

// writeSweep makes the table, the pictures and the report of a sweep, and tells of them.
func writeSweep(t *term, s *sweep.Sweep, rows []sweep.Row, f *sweepFlags, took time.Duration) error {
	written, err := s.WriteResults(f.dir, rows, sweep.ResultOptions{Children: f.jobs, Took: took})
	if err != nil {
		return err
	}
	for _, path := range written {
		t.emit(wroteEvent{"wrote", path})
		t.say("Wrote %s", path)
	}
	return nil
}
