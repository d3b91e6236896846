package solve

import "math"

// anderson mixes the iterates of a fixed-point iteration x ← g(x) so that it ends sooner [Anderson65]: of the last
// changes ΔF of f = g - x it takes the combination that leaves the least of f, and makes the same one of the changes of g.
//
//	γ = argmin ‖f - ΔF γ‖,   x ← g - ΔG γ
type anderson struct {
	n, kept  int
	weight   []float64 // by component, of the norm
	f, g     []float64 // of the last iterate
	df, dg   [andersonDepth][]float64
	next     int // of df and dg to be overwritten
	normal   [andersonDepth][andersonDepth + 1]float64
	begun    bool
	combined []float64
}

const (
	// andersonDepth is how many changes are remembered.
	andersonDepth = 8
	// andersonSlack keeps changes that are nearly the same from cancelling each other.
	andersonSlack = 1e-12
)

func (a *anderson) begin(n int) {
	a.n, a.weight = n, resized(a.weight, n)
	a.f, a.g, a.combined = resized(a.f, n), resized(a.g, n), resized(a.combined, n)
	for k := range a.df {
		a.df[k], a.dg[k] = resized(a.df[k], n), resized(a.dg[k], n)
	}
	a.forget()
}

// forget has the iteration start again from the next iterate.
func (a *anderson) forget() { a.kept, a.next, a.begun = 0, 0, false }

// mix returns the next iterate for the last one, x, and g(x). It belongs to a.
func (a *anderson) mix(x, g []float64) []float64 {
	if a.begun {
		for i := range x {
			a.df[a.next][i], a.dg[a.next][i] = g[i]-x[i]-a.f[i], g[i]-a.g[i]
		}
		a.next, a.kept = (a.next+1)%andersonDepth, min(a.kept+1, andersonDepth)
	}
	a.begun = true
	for i := range x {
		a.f[i], a.g[i] = g[i]-x[i], g[i]
	}
	copy(a.combined, g)
	if a.kept == 0 || !a.solve() {
		return a.combined
	}
	for k := range a.kept {
		gamma := a.normal[k][andersonDepth]
		for i := range a.combined {
			a.combined[i] -= gamma * a.dg[k][i]
		}
	}
	return a.combined
}

// solve leaves γ in the last column of the normal equations, and tells whether it is finite.
func (a *anderson) solve() bool {
	dot := func(x, y []float64) float64 {
		sum := 0.0
		for i := range x {
			sum += a.weight[i] * x[i] * y[i]
		}
		return sum
	}
	trace := 0.0
	for k := range a.kept {
		for l := range a.kept {
			a.normal[k][l] = dot(a.df[k], a.df[l])
		}
		a.normal[k][andersonDepth] = dot(a.df[k], a.f)
		trace += a.normal[k][k]
	}
	for k := range a.kept {
		a.normal[k][k] += andersonSlack * trace
	}
	for k := range a.kept { // positive definite: no pivoting
		pivot := a.normal[k][k]
		for l := range a.kept {
			if l == k {
				continue
			}
			share := a.normal[l][k] / pivot
			for m := k; m <= andersonDepth; m++ {
				a.normal[l][m] -= share * a.normal[k][m]
			}
		}
	}
	for k := range a.kept {
		a.normal[k][andersonDepth] /= a.normal[k][k]
		if math.IsNaN(a.normal[k][andersonDepth]) || math.IsInf(a.normal[k][andersonDepth], 0) {
			return false
		}
	}
	return true
}
