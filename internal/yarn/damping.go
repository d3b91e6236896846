package yarn

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// damping slows motion down that is not that of a rigid body, block by block of loops (section 3.3 of [Kaldor10]). Of a
// block with k points and the velocity v of their motion against the best rigid one, the share
//
//	min(1, max(h μ_prop, h μ_const √k/‖v‖))
//
// is taken off: in proportion while it is fast, by a constant when it is slow, so that cloth comes to rest in finite
// time. The best rigid motion has the momenta of the block, which are therefore kept.
type damping struct {
	start []int32 // by block: its first place in points; one more at the end
	point []int32

	rate, constant float64

	h       float64
	mass    []float64
	inverse []float64
	x, v    []r3.Vec
	loop    func(lo, hi int)
}

// newDamping groups points by block; points of a negative block are not damped.
func newDamping(block []int32, m *Material) *damping {
	d := &damping{rate: m.DampRate, constant: m.DampConstant}
	blocks := int32(0)
	for _, b := range block {
		blocks = max(blocks, b+1)
	}
	d.start = make([]int32, blocks+1)
	for _, b := range block {
		if b >= 0 {
			d.start[b+1]++
		}
	}
	for b := range blocks {
		d.start[b+1] += d.start[b]
	}
	d.point = make([]int32, d.start[blocks])
	fill := append([]int32(nil), d.start...)
	for i, b := range block {
		if b >= 0 {
			d.point[fill[b]] = int32(i)
			fill[b]++
		}
	}
	d.loop = d.dampBlocks
	return d
}

// apply damps velocities for a step of h at positions x. Points that are held are left alone.
func (d *damping) apply(team *par.Team, h float64, mass, inverse []float64, x, v []r3.Vec) {
	if d.rate == 0 && d.constant == 0 {
		return
	}
	d.h, d.mass, d.inverse, d.x, d.v = h, mass, inverse, x, v
	team.For(len(d.start)-1, 8, d.loop)
	d.mass, d.inverse, d.x, d.v = nil, nil, nil, nil
}

func (d *damping) dampBlocks(lo, hi int) {
	for b := lo; b < hi; b++ {
		points := d.point[d.start[b]:d.start[b+1]]
		centre, drift, spin := d.rigidMotion(points)
		k, norm2 := 0, 0.0
		for _, i := range points {
			if d.inverse[i] > 0 {
				k++
				norm2 += d.v[i].Sub(drift).Sub(spin.Cross(d.x[i].Sub(centre))).Norm2()
			}
		}
		if norm2 == 0 {
			continue
		}
		share := min(1, max(d.h*d.rate, d.h*d.constant*math.Sqrt(float64(k)/norm2)))
		for _, i := range points {
			if d.inverse[i] > 0 {
				rigid := drift.Add(spin.Cross(d.x[i].Sub(centre)))
				if share == 1 {
					d.v[i] = rigid
				} else {
					d.v[i] = d.v[i].AddScaled(share, rigid.Sub(d.v[i]))
				}
			}
		}
	}
}

// rigidMotion returns the centre of mass of points, its velocity and the angular velocity of the rigid motion with the
// same momenta.
func (d *damping) rigidMotion(points []int32) (centre, drift, spin r3.Vec) {
	mass := 0.0
	for _, i := range points {
		if d.inverse[i] > 0 {
			mass += d.mass[i]
			centre = centre.AddScaled(d.mass[i], d.x[i])
			drift = drift.AddScaled(d.mass[i], d.v[i])
		}
	}
	if mass == 0 {
		return centre, drift, spin
	}
	centre, drift = centre.Scale(1/mass), drift.Scale(1/mass)
	var momentum r3.Vec
	var inertia r3.Mat
	for _, i := range points {
		if d.inverse[i] > 0 {
			m, arm := d.mass[i], d.x[i].Sub(centre)
			momentum = momentum.AddScaled(m, arm.Cross(d.v[i].Sub(drift)))
			inertia.AddDiagonal(m * arm.Norm2())
			inertia.AddOuter(-m, arm, arm)
		}
	}
	return centre, drift, spinOf(&inertia, momentum)
}

// slender is the least principal moment of inertia, as a share of their sum, about which a block can be seen to turn.
const slender = 1e-9

// spinOf returns the angular velocity that has the given momentum. About the axis of points in a line nothing turns.
func spinOf(inertia *r3.Mat, momentum r3.Vec) r3.Vec {
	size := inertia.Trace()
	if size == 0 {
		return r3.Vec{}
	}
	if inverse, ok := inertia.Inverse(); ok && inertia.Det() > slender*size*size*size {
		return inverse.MulVec(momentum)
	}
	a := [3][3]float64{
		{inertia.XX, inertia.XY, inertia.XZ}, {inertia.YX, inertia.YY, inertia.YZ}, {inertia.ZX, inertia.ZY, inertia.ZZ},
	}
	v := [3][3]float64{{1}, {0, 1}, {0, 0, 1}}
	r3.Diagonalize(&a, &v)
	var spin r3.Vec
	for k := range 3 {
		axis := r3.V(v[0][k], v[1][k], v[2][k])
		if a[k][k] > slender*size {
			spin = spin.AddScaled(axis.Dot(momentum)/a[k][k], axis)
		}
	}
	return spin
}
