package toile

import "errors"

// ErrNotFinite means that a step led to positions or velocities that are not numbers, or so large that contacts cannot
// be told.
var ErrNotFinite = errors.New("the result is not finite")

// ErrCrossing means that a step was refused because something would have crossed that did not cross before.
var ErrCrossing = errors.New("the step would cross")

// ErrUnsolved means that a step was refused because the solver ended far from a solution.
var ErrUnsolved = errors.New("the step was not solved")
