// The shared residual: how far (v, r) is from solving
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ)          [Li18] eq. (5)
//
// in m/s, as a maximum over all nodes and contacts, whatever solver found them:
//
//	Dynamics = max_i ‖(A v + b - Jᵀ r)_i‖ / m_i,      Law = max_c max(‖u' - u‖, s ‖r' - r‖),
//
// (u', r') the nearest pair that obeys the law (coulomb_law.go), s = tr(Σ_i J_ci J_ciᵀ/m_i)/3 what an impulse of
// contact c does to its velocity if its nodes are free masses. The rows of other laws than Coulomb's may have fewer
// than three components, whose number takes the place of the 3.
//
// Parts of the residual by law:
//
//	             Law                              Cone          Complementarity      Misalignment
//	Coulomb      as above                         s(‖r_T‖-μr_N) |min(u_N, s r_N)|    ‖u_T‖ sin∠(r_T, -u_T)
//	normal only  as above with μ = 0              s ‖r_T‖       |min(u_N, s r_N)|    ‖u_T‖ where r_T is not zero
//	bilateral    max(‖u‖, s ‖r‖), u of the        0             0                    0
//	             components that the row has,
//	             r of the others
//
// What it bounds. Without contacts and with A ⪰ M, which projected Hessians ensure, the error of v, in the mean square
// weighed by mass, is at most Dynamics: ‖δ‖_M² ≤ δᵀ A δ = δᵀ g ≤ ‖δ‖_M ‖g‖_M⁻¹. With contacts it is a backward error:
// (v, r') solves a problem whose u_f differ by at most Law and whose loads differ at block i by at most Dynamics + Law
// Σ_c ‖J_ci‖/(m_i s_c) for each unit of mass. Nothing is said of v itself, which need not be unique. Rounding adds what
// Floor returns (rounding.go).
//
// Masses, and not the diagonal of A: ‖g_i‖ 3/tr A_ii, what block i would move by if its neighbours held still, goes to
// zero with the stiffness. A sheet of paper in cells of 2.5 mm then hangs in the air, and zero velocities pass for its
// fall.
//
// N and T are normal and tangential parts. A block that is prescribed in part counts where it is free (partial.go).
//
// Contacts whose blocks all have prescribed velocities cannot be solved for and are left out, as are those that are
// proven to contradict others (contradiction.go).

package solve

import "math"

// Residual tells how well a contact problem is solved; all in m/s.
type Residual struct {
	Dynamics        float64 // max ‖(A v + b - Jᵀ r)_i‖/m_i over the free blocks, or their free part
	Law             float64 // the least change of u and of s r after which all contacts obey the law
	Cone            float64 // max s (‖r_T‖ - μ r_N)
	Complementarity float64 // max |min(u_N, s r_N)|
	Misalignment    float64 // max ‖u_T‖ sin∠(r_T, -u_T)
}

// Max returns the residual: the larger of Dynamics and Law.
func (r Residual) Max() float64 {
	if math.IsNaN(r.Dynamics) || math.IsNaN(r.Law) {
		return math.NaN()
	}
	return max(r.Dynamics, r.Law)
}

// Worst returns the largest of all parts. Max being small bounds the others, but not by 1: a solver that promises a
// tolerance for each looks at Worst.
func (r Residual) Worst() float64 {
	return max(r.Max(), r.Cone, r.Complementarity, r.Misalignment) // NaN if one is
}
