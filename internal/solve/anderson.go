package solve

import "math"

// anderson mixes the iterates of a fixed-point iteration x ← g(x) so that it ends sooner [Anderson65]: of the last
// changes ΔF of f = g - x it takes the combination that leaves the least of f, and makes the same one of the changes of
// g.
//
//	γ = argmin ‖f - ΔF γ‖,   x ← g - ΔG γ
type anderson struct {
	n, kept  int
	weight   []float64 // by component, of the norm
	f, g     []float64 // of the last iterate
	df, dg   [andersonDepth][]float64
	next     int // of df and dg to be overwritten
	gram     products
	gamma    [andersonDepth]float64
	begun    bool
	combined []float64
}

const (
	// andersonDepth is how many changes are remembered.
	andersonDepth = 8
	// andersonSlack keeps changes that are nearly the same from cancelling each other, as a part of the largest.
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
		gamma := a.gamma[k]
		for i := range a.combined {
			a.combined[i] -= gamma * a.dg[k][i]
		}
	}
	return a.combined
}

// solve leaves γ in a.gamma, and tells whether it is finite.
func (a *anderson) solve() bool {
	dot := func(x, y []float64) float64 {
		sum := 0.0
		for i := range x {
			sum += a.weight[i] * x[i] * y[i]
		}
		return sum
	}
	for k := range a.kept {
		for l := range k + 1 {
			a.gram[k][l] = dot(a.df[k], a.df[l])
		}
		a.gamma[k] = dot(a.df[k], a.f)
	}
	return a.gram.solve(a.gamma[:a.kept])
}

// products are those of differences with each other, below the diagonal and on it.
type products [andersonDepth][andersonDepth]float64

// solve replaces y, the products of the first few differences with some x, by the shares of them that leave the least
// of x, by Cholesky's method. It fails if these are no numbers.
func (g *products) solve(y []float64) bool {
	floor := 0.0
	for k := range y {
		floor = max(floor, andersonSlack*g[k][k])
	}
	var l products
	for i := range y {
		for j := range i {
			l[i][j] = (g[i][j] - dotOf(l[i][:j], l[j][:j])) / l[j][j]
		}
		pivot := g[i][i] + floor - dotOf(l[i][:i], l[i][:i])
		if !(pivot > 0) || math.IsInf(pivot, 1) {
			return false
		}
		l[i][i] = math.Sqrt(pivot)
		y[i] = (y[i] - dotOf(l[i][:i], y[:i])) / l[i][i]
	}
	for i := len(y) - 1; i >= 0; i-- {
		y[i] /= l[i][i]
		for k := range i {
			y[k] -= l[i][k] * y[i]
		}
	}
	return true
}

func dotOf(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}
