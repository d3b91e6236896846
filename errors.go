package toile

import "github.com/toile-sim/toile/internal/engine"

// Errors of steps, for errors.Is. After any of them the world is as it was before the step.
var (
	// ErrNotFinite: the step led to positions or velocities that are not finite, or too large to tell contacts.
	ErrNotFinite = engine.ErrNotFinite
	// ErrTooFast: the step led to a speed of more than 2e4 m/s, which no cloth has.
	ErrTooFast = engine.ErrTooFast
	// ErrCrossing: something would have crossed that did not cross before.
	ErrCrossing = engine.ErrCrossing
	// ErrUnsolved: the solver ended far from a solution.
	ErrUnsolved = engine.ErrUnsolved
	// ErrUnsupported: the contact solver of the options cannot attempt the problem of the step.
	ErrUnsupported = engine.ErrUnsupported
)
