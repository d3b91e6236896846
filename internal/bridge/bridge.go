// Package bridge lets public packages know of each other what no program outside of the project may: a world of the
// engine below one of the public face, and what was read below a scene.
package bridge

import (
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
)

// Adopt returns a *toile.World for a world of the engine. The root package sets it.
var Adopt func(*engine.World) any

// File returns what was read of a *scene.Scene. Package scene sets it.
var File func(scene any) *scenefile.Scene
