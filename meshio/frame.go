package meshio

import "github.com/toile-sim/toile/r3"

// frame is a file's axes and unit: (x, y, z) [m] in memory, Z-up, is (x, z, -y)/unit in a Y-up
// file and (x, y, z)/unit in a Z-up one.
type frame struct {
	yUp  bool
	unit float64 // [m]
}

func frameOf(format Format, up Axis, unit float64) frame {
	return frame{yUp: up == UpY || up == UpByFormat && format == GLB, unit: unit}
}

func (f frame) fromFile(p r3.Vec) r3.Vec {
	p = f.turnFromFile(p)
	if f.unit != 1 {
		p = p.Scale(f.unit)
	}
	return p
}

func (f frame) toFile(p r3.Vec) r3.Vec {
	p = f.turnToFile(p)
	if f.unit != 1 {
		p = r3.V(p.X/f.unit, p.Y/f.unit, p.Z/f.unit)
	}
	return p
}

// turnFromFile and turnToFile subtract from zero instead of negating, so that 0 stays 0 and does
// not become -0: the bytes of a file must not depend on how often it was read and written.
func (f frame) turnFromFile(v r3.Vec) r3.Vec {
	if f.yUp {
		return r3.V(v.X, 0-v.Z, v.Y)
	}
	return v
}

func (f frame) turnToFile(v r3.Vec) r3.Vec {
	if f.yUp {
		return r3.V(v.X, v.Z, 0-v.Y)
	}
	return v
}
