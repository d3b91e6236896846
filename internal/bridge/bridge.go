// Package bridge lets package scene hand out worlds of the public face: the root package knows how to make one of an
// engine that runs already, and no program outside of the project has an engine.
package bridge

import "github.com/toile-sim/toile/internal/engine"

// Adopt returns a *toile.World. The root package sets it.
var Adopt func(*engine.World) any
