package scenefile

import (
	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/internal/bridge"
)

// Live returns the world of the scene with handles for what can touch in it, by their names, for programs that look at
// a scene or step it by themselves.
func (b *Built) Live() *toile.World { return bridge.Adopt(b.World).(*toile.World) }
