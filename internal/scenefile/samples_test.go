package scenefile

import "github.com/toile-sim/toile/internal/samples"

const (
	base      = samples.Base
	gridShape = samples.GridShape
	pinLine   = samples.PinLine
	yarnTime  = samples.YarnTime
	aRib      = samples.Rib
	keyed     = samples.Keyed
)

var (
	badFiles   = samples.Files
	otherPart  = samples.OtherPart
	knitted    = samples.Knitted
	documented = samples.Documented
	pngOf      = samples.PNG
)
