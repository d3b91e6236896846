package elastic

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// band solves symmetric positive definite systems with a narrow band, for tests on strips.
type band struct {
	n, w int
	a    []float64 // row i holds columns i-w to i
}

func newBand(n, w int) *band { return &band{n, w, make([]float64, n*(w+1))} }

func (b *band) at(i, j int) *float64 { return &b.a[i*(b.w+1)+j-i+b.w] }

func (b *band) add(i, j int, v float64) {
	if j <= i {
		*b.at(i, j) += v
	}
}

// factor turns the matrix into its Cholesky factor and reports whether that exists.
func (b *band) factor() bool {
	for i := range b.n {
		for j := max(0, i-b.w); j <= i; j++ {
			s := *b.at(i, j)
			for k := max(0, i-b.w, j-b.w); k < j; k++ {
				s -= *b.at(i, k) * *b.at(j, k)
			}
			if j < i {
				*b.at(i, j) = s / *b.at(j, j)
				continue
			}
			if !(s > 0) {
				return false
			}
			*b.at(i, i) = math.Sqrt(s)
		}
	}
	return true
}

// solve replaces the right-hand side by the solution.
func (b *band) solve(x []float64) {
	for i := range b.n {
		for k := max(0, i-b.w); k < i; k++ {
			x[i] -= *b.at(i, k) * x[k]
		}
		x[i] /= *b.at(i, i)
	}
	for i := b.n - 1; i >= 0; i-- {
		x[i] /= *b.at(i, i)
		for k := max(0, i-b.w); k < i; k++ {
			x[k] -= *b.at(i, k) * x[i]
		}
	}
}

// system numbers the free nodes of some families of elements along x and assembles them.
type system struct {
	families []Elements
	order    []int32 // place of each node, -1 if it is fixed
	free     int
	width    int // how far apart two nodes of an element are at most
}

func newSystem(at []r3.Vec2, fixed []bool, families ...Elements) *system {
	s := &system{families: families, order: make([]int32, len(at))}
	nodes := make([]int32, 0, len(at))
	for i := range at {
		s.order[i] = -1
		if !fixed[i] {
			nodes = append(nodes, int32(i))
		}
	}
	slices.SortStableFunc(nodes, func(a, b int32) int {
		switch {
		case at[a].X < at[b].X:
			return -1
		case at[a].X > at[b].X:
			return 1
		}
		return 0
	})
	for p, i := range nodes {
		s.order[i] = int32(p)
	}
	s.free = len(nodes)
	for _, f := range families {
		for e := range f.Len() {
			for _, i := range f.Nodes(e) {
				for _, j := range f.Nodes(e) {
					if s.order[i] >= 0 && s.order[j] >= 0 {
						s.width = max(s.width, int(s.order[i]-s.order[j]))
					}
				}
			}
		}
	}
	return s
}

func (s *system) energy(x []r3.Vec) float64 {
	sum := 0.0
	for _, f := range s.families {
		f.Update(x, EnergyOnly, 0, f.Len())
		for e := range f.Len() {
			sum += f.Energy(e)
		}
	}
	return sum
}

// forces returns the forces on all nodes.
func (s *system) forces(x []r3.Vec, detail Detail) []r3.Vec {
	out := make([]r3.Vec, len(x))
	for _, f := range s.families {
		f.Update(x, detail, 0, f.Len())
		for e := range f.Len() {
			for k, i := range f.Nodes(e) {
				out[i] = out[i].Add(f.Force(e, k))
			}
		}
	}
	return out
}

// hessian assembles the Hessian of the free nodes after an Update.
func (s *system) hessian() *band {
	b := newBand(3*s.free, 3*s.width+2)
	for _, f := range s.families {
		for e := range f.Len() {
			node := f.Nodes(e)
			at, val := make([]int32, len(node)), make([]r3.Mat, len(node))
			for l := range at {
				at[l] = int32(l)
			}
			for k, i := range node {
				if s.order[i] < 0 {
					continue
				}
				clear(val)
				f.AddRow(e, k, at, val, 1, 1)
				for l, j := range node {
					if s.order[j] < 0 || s.order[j] > s.order[i] {
						continue
					}
					for r, row := range rows(&val[l]) {
						for c, v := range row {
							b.add(3*int(s.order[i])+r, 3*int(s.order[j])+c, v)
						}
					}
				}
			}
		}
	}
	return b
}

func rows(m *r3.Mat) [3][3]float64 {
	return [3][3]float64{{m.XX, m.XY, m.XZ}, {m.YX, m.YY, m.YZ}, {m.ZX, m.ZY, m.ZZ}}
}

// step solves the free part of H d = f.
func (s *system) step(b *band, f []r3.Vec) []r3.Vec {
	x := make([]float64, 3*s.free)
	for i, p := range s.order {
		if p >= 0 {
			x[3*p], x[3*p+1], x[3*p+2] = f[i].X, f[i].Y, f[i].Z
		}
	}
	b.solve(x)
	d := make([]r3.Vec, len(f))
	for i, p := range s.order {
		if p >= 0 {
			d[i] = r3.V(x[3*p], x[3*p+1], x[3*p+2])
		}
	}
	return d
}
