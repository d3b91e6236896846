// What rounding leaves of a residual.
//
// A row of A v + b is a sum of products A_ij v_j and, in b, of forces, which are sums of K_ij (x_j - x_i) as far as
// rounding goes: elements take differences of positions first, and these are exact to the last bit where neighbours
// are. With A = M + h²K that is, for block i and for each unit of mass,
//
//	floor_i = ε Σ_j ‖A_ij‖ (‖v_j‖ + ‖x_j - x_i‖/h) / m_i,    ε = 2⁻⁵³,
//
// each term once: what errors of either sign come to in practice, and not the worst that they could. Where it is above
// the tolerance a residual at the floor is as good as any: velocities are right to some ε all the same, because A⁻¹
// takes away what A has put in.

package solve

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Rounding finds floors. The zero Rounding is ready.
type Rounding struct {
	a     *sparse.BSR
	mass  []float64
	fixed []bool
	x, v  []r3.Vec
	rate  float64 // 1/h
	rows  func(lo, hi int) float64
}

// Floor returns the largest floor of the blocks that are not fixed [m/s], for velocities v and positions x at the start
// of a step of h seconds.
func (f *Rounding) Floor(
	team *par.Team,
	a *sparse.BSR,
	mass []float64,
	fixed []bool,
	x, v []r3.Vec,
	h float64,
) float64 {
	if f.rows == nil {
		f.rows = f.floorRows
	}
	f.a, f.mass, f.fixed, f.x, f.v, f.rate = a, mass, fixed, x, v, 1/h
	worst := team.Max(a.N, f.rows)
	f.a, f.mass, f.fixed, f.x, f.v = nil, nil, nil, nil, nil
	return worst
}

func (f *Rounding) floorRows(lo, hi int) float64 {
	const epsilon = 0x1p-53
	worst := 0.0
	for i := lo; i < hi; i++ {
		if f.fixed != nil && f.fixed[i] {
			continue
		}
		sum := 0.0
		for p := f.a.Start[i]; p < f.a.Start[i+1]; p++ {
			j := f.a.Col[p]
			sum += math.Sqrt(f.a.Val[p].Norm2()) * (f.v[j].Norm() + f.rate*f.x[j].Sub(f.x[i]).Norm())
		}
		worst = max(worst, epsilon*sum/f.mass[i])
	}
	return worst
}
