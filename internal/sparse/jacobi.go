package sparse

import (
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// BlockJacobi preconditions with the inverses of the diagonal blocks. The zero value is ready.
type BlockJacobi struct {
	inv     []r3.Mat // zero for fixed unknowns
	shifted bool

	a          *BSR
	fixed      []bool
	r, z       []r3.Vec
	fill       func(lo, hi int) float64
	apply      func(lo, hi int)
	serialTeam *par.Team
}

// Update inverts the diagonal blocks. A block that is not positive definite is replaced by its
// trace, or by the unit matrix if that is not positive either.
func (b *BlockJacobi) Update(team *par.Team, a *BSR, fixed []bool) {
	if b.fill == nil {
		b.fill, b.apply = b.fillRows, b.applyRows
		b.serialTeam = par.New(1)
	}
	if team == nil {
		team = b.serialTeam
	}
	if cap(b.inv) < a.N {
		b.inv = make([]r3.Mat, a.N)
	}
	b.inv = b.inv[:a.N]
	b.a, b.fixed = a, fixed
	b.shifted = team.Max(a.N, b.fill) > 0
	b.a, b.fixed = nil, nil
}

// Apply computes z = D⁻¹ r.
func (b *BlockJacobi) Apply(team *par.Team, r, z []r3.Vec) {
	b.r, b.z = r, z
	team.For(len(b.inv), rowGrain, b.apply)
	b.r, b.z = nil, nil
}

// Shift returns 1 if a diagonal block was not positive definite and had to be replaced, else 0.
func (b *BlockJacobi) Shift() float64 {
	if b.shifted {
		return 1
	}
	return 0
}

func (b *BlockJacobi) fillRows(lo, hi int) float64 {
	replaced := 0.0
	for i := lo; i < hi; i++ {
		if b.fixed != nil && b.fixed[i] {
			b.inv[i] = r3.Mat{}
			continue
		}
		d := &b.a.Val[b.a.Diag[i]]
		inv, ok := inverseSPD(d)
		if !ok {
			inv = r3.Diagonal(1 / scaleOf(d))
			replaced = 1
		}
		b.inv[i] = inv
	}
	return replaced
}

func (b *BlockJacobi) applyRows(lo, hi int) {
	r, z, inv := b.r[lo:hi], b.z[lo:hi], b.inv[lo:hi]
	for i := range z {
		z[i] = inv[i].MulVec(r[i])
	}
}

// scaleOf returns the mean of the diagonal of a block if it is positive and finite, else 1.
func scaleOf(d *r3.Mat) float64 {
	if s := d.Trace() / 3; s > 0 && finite(s) {
		return s
	}
	return 1
}

// pivotFloor is the smallest pivot, relative to the diagonal entry it came from, that still counts
// as positive: rounding of a few operations.
const pivotFloor = 1e-14

// inverseSPD inverts a symmetric positive definite block by LDLᵀ, reading its lower triangle. It
// returns false if a pivot is not positive or not finite.
func inverseSPD(m *r3.Mat) (r3.Mat, bool) {
	d0 := m.XX
	l10, l20 := m.YX/d0, m.ZX/d0
	d1 := m.YY - l10*m.YX
	l21 := (m.ZY - l20*m.YX) / d1
	d2 := m.ZZ - l20*m.ZX - l21*l21*d1
	if !(d0 > 0) || !(d1 > pivotFloor*m.YY) || !(d2 > pivotFloor*m.ZZ) || !finite(d0+d1+d2+l10+l20+l21) {
		return r3.Mat{}, false
	}
	// Rows of L⁻¹ = [1; -l10 1; k20 -l21 1].
	k20 := l10*l21 - l20
	i0, i1, i2 := 1/d0, 1/d1, 1/d2
	zx, zy, zz := k20*i2, -l21*i2, i2
	xy := -l10*i1 + k20*zy
	return r3.Mat{
		XX: i0 + l10*l10*i1 + k20*zx, XY: xy, XZ: zx,
		YX: xy, YY: i1 - l21*zy, YZ: zy,
		ZX: zx, ZY: zy, ZZ: zz,
	}, true
}
