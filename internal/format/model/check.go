package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// UnitNormal returns n at unit length, upwards if it has none. A normal that is a unit to single
// precision stays as it is, so that writing what was read changes nothing.
func UnitNormal(n r3.Vec) r3.Vec {
	if math.Abs(n.Norm()-1) < 1e-4 {
		return n
	}
	if n = n.Unit(); n == (r3.Vec{}) || !n.Finite() {
		return r3.V(0, 0, 1)
	}
	return n
}

// FirstNotFinite returns the index of the first vector that is not finite, or -1.
func FirstNotFinite(vs []r3.Vec) int {
	return slices.IndexFunc(vs, func(v r3.Vec) bool { return !v.Finite() })
}

// FirstOutside returns the index of the first triple with a member outside [low, high), or -1.
func FirstOutside(ts [][3]int32, low int32, high int) int {
	return slices.IndexFunc(ts, func(t [3]int32) bool {
		return min(t[0], t[1], t[2]) < low || int(max(t[0], t[1], t[2])) >= high
	})
}

// FitsSingle says which number of m, turned and scaled to fr, single precision cannot hold.
func FitsSingle(m *Mesh, fr Frame) error {
	for i, p := range m.Positions {
		if fr.ToFile(p).MaxAbs() > math.MaxFloat32 {
			return fmt.Errorf("meshio: mesh: vertex %d at %v is too far away for single precision", i, p)
		}
	}
	for i, n := range m.Normals {
		if n.MaxAbs() > math.MaxFloat32 {
			return fmt.Errorf("meshio: mesh: normal %d is %v, too long for single precision", i, n)
		}
	}
	for i, p := range m.UV {
		if max(math.Abs(p.X), math.Abs(p.Y)) > math.MaxFloat32 {
			return fmt.Errorf("meshio: mesh: UV %d is %v, too large for single precision", i, p)
		}
	}
	return nil
}

// Finite32 reports whether x is a number and not infinite.
func Finite32(x float32) bool { return x-x == 0 }

// Finite64 reports whether x is a number and not infinite.
func Finite64(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
