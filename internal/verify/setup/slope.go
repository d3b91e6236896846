package setup

import (
	"math"
)

// The ramp of L2 with something else than a plane under the sheet. A sheet that slides down a slope of angle α gains
//
//	a = g (sin α - μ cos α)
//
// in every second. Backward Euler takes v_k = v0 + k a h until it stops, so that it goes Σ h v_k, which is ½ a h t
// ahead of the closed form from rest and v0 h/2 behind it on the way to a stop, v0²/(2 |a|).
const (
	SlopeAngle  = 10 * math.Pi / 180
	SlopeSize   = 0.3 // of the sheet [m]
	SlopeWeight = 0.2 * 9.81
	SlopeYoung  = 400.0 // [N/m]
)
