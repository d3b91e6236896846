package solve

import (
	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Disks is a friction projection by itself: the minimum of ½ rᵀ W r + q·r, W = J M⁻¹ Jᵀ, over ‖r_T‖ ≤ radius with
// r_N = 0 [Larionov21] eq. (24), (28). It keeps its workspace.
type Disks struct {
	Polar bool // eq. (28), and not by exact projection

	w       gram
	project projection
	inverse []r3.Mat
}

// Solve finds r, which is the start, for the rows of a set on blocks with the given masses. The answer is to the
// tolerance [m/s], unless it says no. It returns the minimum [J] and the passes that it took.
func (d *Disks) Solve(set *contact.Set, mass []float64, q, r []r3.Vec, radius []float64, tolerance float64) (least float64, passes int, ok bool) {
	d.inverse = resized(d.inverse, len(mass))
	for i, m := range mass {
		d.inverse[i] = r3.Diagonal(1 / m)
	}
	p := &d.project
	if !d.w.weigh(set, d.inverse, mostGram) {
		return 0, 0, false
	}
	p.begin(nil, &d.w)
	p.polar = d.Polar
	for c := range q {
		p.kind[c], p.radius[c] = rubbing, radius[c]
		p.q[c], p.r[c] = q[c], r3.Vec{Y: r[c].Y, Z: r[c].Z}
	}
	ok = p.solve(tolerance)
	copy(r, p.r)
	for c := range r {
		least += 0.5 * r[c].Dot(p.u[c].Add(q[c]))
	}
	return least, p.passes, ok
}
