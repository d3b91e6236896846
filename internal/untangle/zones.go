package untangle

// Inelastic impact zones.
//
// A motion from x₀ to x̄ in which features meet is replaced by the nearest one, in the metric of the masses, that
// undoes what was found:
//
//	minimize ½ (x − x̄)ᵀ M (x − x̄)   with   g_j(x) = n_j·Σ w_jb x_b + c_j ≥ e_j   for all impacts j,
//
// that is x = x̄ + M⁻¹ Jᵀ λ with λ ≥ 0, J M⁻¹ Jᵀ λ + g(x̄) − e ≥ 0 and one of the two zero, solved by projected
// Gauss-Seidel sweeps. Impulses λ/h between sheets cancel, so that momentum is kept; x̄ is projected on a set that
// contains rest relative to one obstacle, so that energy relative to it is not gained.
//
// Departure from [Harmon08], who projects velocities on J v = 0: inequalities at the end of the step, so that what
// separates is not held and a gap is left that the next search for impacts does not stumble over.
//
// What that does not bring apart moves as one: a zone is a set of blocks joined by impacts, and its rigid motion that
// of the same momentum and angular momentum [Provot97]. Between x₀ and a rotation by less than π of it, straight ways
// cross nothing that did not cross: each moment is an affine image of the start.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Zones are impact zones over a number of blocks. Set the fields, then call Reset.
type Zones struct {
	Mass   []float64         // by block [kg]
	Fixed  []bool            // by block: its motion is prescribed
	Partly []contact.Partial // blocks that are prescribed in part

	parent []int32 // union-find
	order  []int32
	pushes []push
}

// push is what a sweep needs of an impact.
type push struct {
	stiffness float64 // (J M⁻¹ Jᵀ)_jj [1/kg]
	lambda    float64
}

const (
	// sweeps bounds the work of Project.
	sweeps = 400
	// enough is the part of the gap that an impact asks for by which gaps may still change in the last sweep.
	enough = 0.1
)

// Project moves x to the nearest place, in the metric of the masses, at which the impacts keep their gaps, and reports
// whether it got there. Impacts of prescribed blocks only are left out.
func (z *Zones) Project(impacts []contact.Impact, x []r3.Vec) bool {
	// how far a unit of push opens each gap
	z.pushes = slices.Grow(z.pushes[:0], len(impacts))[:len(impacts)]
	for j := range impacts {
		p := &impacts[j]
		z.pushes[j] = push{}
		for _, t := range p.Row[:p.Terms] {
			z.pushes[j].stiffness += t.W * t.W * z.toward(t.Point, p.Normal).Dot(p.Normal)
		}
	}
	// sweeps over the impacts, until none changes much
	for range sweeps {
		done := true
		for j := range impacts {
			p, r := &impacts[j], &z.pushes[j]
			if r.stiffness == 0 {
				continue
			}
			// the push that the gap lacks; none pulls
			change := max((p.Least-p.Gap(x))/r.stiffness, -r.lambda)
			if change == 0 {
				continue
			}
			if math.Abs(change)*r.stiffness > enough*p.Least {
				done = false
			}
			// blocks move by the change
			r.lambda += change
			for _, t := range p.Row[:p.Terms] {
				x[t.Point] = x[t.Point].AddScaled(t.W*change, z.toward(t.Point, p.Normal))
			}
		}
		if done {
			return true
		}
	}
	return false
}

// toward returns how a block moves for a unit of λ along n: M⁻¹ n, as far as it is free to.
func (z *Zones) toward(block int32, n r3.Vec) r3.Vec {
	if z.Fixed[block] {
		return r3.Vec{}
	}
	for i := range z.Partly {
		if p := &z.Partly[i]; p.Block == block {
			n = p.Free.MulVec(n)
		}
	}
	return n.Scale(1 / z.Mass[block])
}

// Reset makes every block a zone of its own.
func (z *Zones) Reset() {
	z.parent = slices.Grow(z.parent[:0], len(z.Mass))[:len(z.Mass)]
	for i := range z.parent {
		z.parent[i] = int32(i)
	}
}

// Of returns the zone of a block, named by the smallest block in it.
func (z *Zones) Of(block int32) int32 {
	for z.parent[block] != block {
		z.parent[block] = z.parent[z.parent[block]]
		block = z.parent[block]
	}
	return block
}

// Join makes one zone of those of two blocks, and reports whether they were two.
func (z *Zones) Join(a, b int32) bool {
	a, b = z.Of(a), z.Of(b)
	z.parent[max(a, b)] = min(a, b)
	return a != b
}

// JoinImpact makes one zone of those of the blocks of an impact.
func (z *Zones) JoinImpact(p *contact.Impact) (grown bool) {
	for _, t := range p.Row[1:p.Terms] {
		grown = z.Join(p.Row[0].Point, t.Point) || grown
	}
	return grown
}

// Blocks returns all blocks of zones that wanted, by name, is true for, sorted by zone and then by block. It is valid
// until the next call.
func (z *Zones) Blocks(wanted []bool) []int32 {
	z.order = z.order[:0]
	for i := range z.parent {
		if wanted[z.Of(int32(i))] {
			z.order = append(z.order, int32(i))
		}
	}
	slices.SortStableFunc(z.order, func(a, b int32) int { return int(z.Of(a)) - int(z.Of(b)) })
	return z.order
}

// most bounds the rotation of a rigid zone in a step [rad]: straight ways must stay invertible.
const most = 1.0

// Rigid replaces the motion of blocks from x0 to x1 by the rigid one with the same momentum and, up to a rotation of 1
// rad, the same angular momentum.
func (z *Zones) Rigid(blocks []int32, x0, x1 []r3.Vec) {
	var mass float64
	var from, to r3.Vec
	for _, b := range blocks {
		m := z.Mass[b]
		mass += m
		from, to = from.AddScaled(m, x0[b]), to.AddScaled(m, x1[b])
	}
	from, to = from.Scale(1/mass), to.Scale(1/mass)
	var momentum r3.Vec
	var inertia r3.Mat
	for _, b := range blocks {
		r, m := x0[b].Sub(from), z.Mass[b]
		momentum = momentum.AddScaled(m, r.Cross(x1[b].Sub(to)))
		inertia.AddDiagonal(m * r.Norm2())
		inertia.AddOuter(-m, r, r)
	}
	turn := r3.NoRotation()
	inertia.AddDiagonal(1e-12 * inertia.Trace()) // blocks on a line have none about it
	if inverse, ok := inertia.Inverse(); ok {
		omega := inverse.MulVec(momentum)
		if angle := omega.Norm(); angle > 0 && !math.IsInf(angle, 1) {
			turn = r3.Rotation(omega, min(angle, most))
		}
	}
	for _, b := range blocks {
		x1[b] = to.Add(turn.Rotate(x0[b].Sub(from)))
	}
}
