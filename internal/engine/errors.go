package engine

import "errors"

// ErrNotFinite means that a step led to positions or velocities that are not numbers, or so large that contacts cannot
// be told.
var ErrNotFinite = errors.New("the result is not finite")

// ErrTooFast means that a step led to a speed of more than 2e4 m/s. No cloth is that fast; forces or materials that
// make it so have a figure that is not meant. A solver would search long for contacts over such ways, and to a
// tolerance that rounding does not let it reach.
var ErrTooFast = errors.New("faster than anything that can be simulated")

// ErrCrossing means that a step was refused because something would have crossed that did not cross before.
var ErrCrossing = errors.New("the step would cross")

// ErrRefused means that a body does not accept where a step would bring it. The error says why.
var ErrRefused = errors.New("a body refused the step")

// ErrUnsolved means that a step was refused because the solver ended far from a solution.
var ErrUnsolved = errors.New("the step was not solved")
