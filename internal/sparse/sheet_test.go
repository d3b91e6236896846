package sparse

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/r3"
)

// sheet returns the matrix M + h²K of a wavy square sheet of n x n nodes, 1 m wide: springs of
// 400 N/m along the edges of a triangulated grid, hinges of 1e-5 N m across them, 0.15 kg/m² and
// h = 2 ms. Away from the boundary a row has 13 blocks.
func sheet(n int) *BSR {
	return numberedSheet(n, byRows(n), 1e-5)
}

// board is a sheet as stiff in bending as a thin board, 1 N m.
func board(n int) *BSR { return numberedSheet(n, byRows(n), 1) }

func byRows(n int) []int {
	number := make([]int, n*n)
	for i := range number {
		number[i] = i
	}
	return number
}

// shuffledSheet is a sheet whose nodes are numbered at random.
func shuffledSheet(n int) *BSR {
	return numberedSheet(n, rand.New(rand.NewPCG(1, 2)).Perm(n*n), 1e-5)
}

// numberedSheet is a sheet whose nodes, row by row, have the given numbers, of bending stiffness
// bend [N m].
func numberedSheet(n int, number []int, bend float64) *BSR {
	const stretch, density, h = 400, 0.15, 2e-3
	dx := 1 / float64(n-1)
	at := func(i, j int) int32 { return int32(number[j*n+i]) }
	pos := make([]r3.Vec, n*n)
	for j := range n {
		for i := range n {
			x, y := float64(i)*dx, float64(j)*dx
			pos[at(i, j)] = r3.V(x, y, 0.03*math.Sin(9*x+4*y))
		}
	}
	var triangles [][3]int32
	var hinges [][4]int32 // the edge, then the two opposite corners
	for j := range n {
		for i := range n {
			if i+1 < n && j+1 < n {
				triangles = append(triangles, [3]int32{at(i, j), at(i+1, j), at(i+1, j+1)},
					[3]int32{at(i, j), at(i+1, j+1), at(i, j+1)})
				hinges = append(hinges, [4]int32{at(i, j), at(i+1, j+1), at(i+1, j), at(i, j+1)})
			}
			if i+1 < n && j > 0 && j+1 < n {
				hinges = append(hinges, [4]int32{at(i, j), at(i+1, j), at(i+1, j+1), at(i, j-1)})
			}
			if j+1 < n && i > 0 && i+1 < n {
				hinges = append(hinges, [4]int32{at(i, j), at(i, j+1), at(i+1, j+1), at(i-1, j)})
			}
		}
	}
	b := NewPattern(n * n)
	for _, t := range triangles {
		b.Add(t[:]...)
	}
	for _, e := range hinges {
		b.Add(e[:]...)
	}
	a := b.Build()
	for i := range a.N {
		a.Val[a.Diag[i]] = r3.Diagonal(density * dx * dx)
	}
	addUpper := func(i, j int32, m r3.Mat) {
		if j >= i {
			a.Val[a.Index(i, j)].Add(&m)
		}
	}
	for _, t := range triangles {
		for k := range 3 {
			i, j := t[k], t[(k+1)%3]
			d := pos[j].Sub(pos[i]).Unit()
			m := r3.Outer(d, d)
			m.AddDiagonal(0.02) // some tension
			plus, minus := m.Scale(h*h*stretch/2), m.Scale(-h*h*stretch/2)
			addUpper(i, i, plus)
			addUpper(j, j, plus)
			addUpper(i, j, minus)
			addUpper(j, i, minus)
		}
	}
	weights := [4]float64{1, 1, -1, -1}
	for _, e := range hinges {
		for p, i := range e {
			for q, j := range e {
				addUpper(i, j, r3.Diagonal(h*h*bend/(dx*dx)*3*weights[p]*weights[q]))
			}
		}
	}
	a.Mirror(nil)
	return a
}

// corners returns the mask that holds the first two corners of a sheet of n x n nodes.
func corners(n int) []bool {
	fixed := make([]bool, n*n)
	fixed[0], fixed[n-1] = true, true
	return fixed
}

// masses returns those of the nodes of a sheet [kg].
func masses(a *BSR) []float64 {
	n := math.Sqrt(float64(a.N))
	mass := make([]float64, a.N)
	for i := range mass {
		mass[i] = 0.15 / ((n - 1) * (n - 1))
	}
	return mass
}

// gravity returns the right-hand side of a sheet of n x n nodes that starts to fall, with a
// disturbance in its plane.
func gravity(a *BSR) []r3.Vec {
	n := int(math.Sqrt(float64(a.N)))
	rhs := make([]r3.Vec, a.N)
	m := 0.15 / float64(a.N)
	for i := range rhs {
		x, y := float64(i%n)/float64(n), float64(i/n)/float64(n)
		rhs[i] = r3.V(m*math.Sin(40*x*y), m*math.Cos(25*x-11*y), -m*9.81*2e-3)
	}
	return rhs
}
