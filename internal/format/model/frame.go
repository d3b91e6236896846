package model

import (
	"github.com/toile-sim/toile/r3"
)

// Frame is a file's axes and unit: (x, y, z) [m] in memory, Z-up, is (x, z, -y)/unit in a Y-up
// file and (x, y, z)/unit in a Z-up one.
type Frame struct {
	YUp  bool
	Unit float64 // [m]
}

// FromFile returns a position of the file as it is in memory.
func (f Frame) FromFile(p r3.Vec) r3.Vec {
	p = f.TurnFromFile(p)
	if f.Unit != 1 {
		p = p.Scale(f.Unit)
	}
	return p
}

// ToFile returns a position in memory as it is in the file.
func (f Frame) ToFile(p r3.Vec) r3.Vec {
	p = f.TurnToFile(p)
	if f.Unit != 1 {
		p = r3.V(p.X/f.Unit, p.Y/f.Unit, p.Z/f.Unit)
	}
	return p
}

// TurnFromFile returns a direction of the file as it is in memory. It and TurnToFile subtract from zero instead of
// negating, so that 0 stays 0 and does not become -0: the bytes of a file must not depend on how often it was read and
// written.
func (f Frame) TurnFromFile(v r3.Vec) r3.Vec {
	if f.YUp {
		return r3.V(v.X, 0-v.Z, v.Y)
	}
	return v
}

// TurnToFile returns a direction in memory as it is in the file.
func (f Frame) TurnToFile(v r3.Vec) r3.Vec {
	if f.YUp {
		return r3.V(v.X, v.Z, 0-v.Y)
	}
	return v
}
