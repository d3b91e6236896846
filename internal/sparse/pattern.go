package sparse

import (
	"fmt"
	"slices"
)

// Pattern collects which unknowns are coupled and builds the matrix. It keeps the node lists of
// elements, not pairs: a mesh of 500,000 nodes with triangles and hinges takes some 40 MB and a
// time proportional to its size.
type Pattern struct {
	n     int
	nodes []int32 // node lists of all elements, one after the other
	start []int32 // element e has nodes[start[e]:start[e+1]]
}

// NewPattern returns the pattern of a diagonal matrix of n rows.
func NewPattern(n int) *Pattern {
	if n < 0 {
		panic(fmt.Sprintf("sparse: pattern of %d rows", n))
	}
	return &Pattern{n: n, start: []int32{0}}
}

// Add couples all given unknowns with each other, as an element of a mesh does.
func (b *Pattern) Add(nodes ...int32) {
	for _, i := range nodes {
		if i < 0 || int(i) >= b.n {
			panic(fmt.Sprintf("sparse: node %d in a pattern of %d rows", i, b.n))
		}
	}
	b.nodes = append(b.nodes, nodes...)
	b.start = append(b.start, int32(len(b.nodes)))
}

// Build returns a zero matrix with this pattern.
func (b *Pattern) Build() *BSR {
	elements, first := b.incidence()
	start := make([]int32, b.n+1)
	diag := make([]int32, b.n)
	col := make([]int32, 0, b.n+2*len(b.nodes))
	seen := make([]int32, b.n) // i+1 when the node is already in row i
	for i := range int32(b.n) {
		s := len(col)
		seen[i] = i + 1
		col = append(col, i)
		for _, e := range elements[first[i]:first[i+1]] {
			for _, j := range b.nodes[b.start[e]:b.start[e+1]] {
				if seen[j] != i+1 {
					seen[j] = i + 1
					col = append(col, j)
				}
			}
		}
		row := col[s:]
		slices.Sort(row)
		k, _ := slices.BinarySearch(row, i)
		diag[i] = int32(s + k)
		start[i+1] = int32(len(col))
	}
	col = slices.Clip(col)
	return newBSR(b.n, start, col, diag, transposes(start, col, diag))
}

// incidence lists the elements of node i as elements[first[i]:first[i+1]].
func (b *Pattern) incidence() (elements, first []int32) {
	first = make([]int32, b.n+1)
	for _, i := range b.nodes {
		first[i+1]++
	}
	for i := range b.n {
		first[i+1] += first[i]
	}
	elements = make([]int32, len(b.nodes))
	next := slices.Clone(first)
	for e := range len(b.start) - 1 {
		for _, i := range b.nodes[b.start[e]:b.start[e+1]] {
			elements[next[i]] = int32(e)
			next[i]++
		}
	}
	return elements, first
}

// transposes returns for each strictly lower block the position of its transpose, else -1. Rows are
// visited in order, so the strictly upper blocks of a row are met from left to right.
func transposes(start, col, diag []int32) []int32 {
	upper := make([]int32, len(col))
	next := make([]int32, len(diag))
	for i := range diag {
		next[i] = diag[i] + 1
	}
	for i := range diag {
		for p := start[i]; p < start[i+1]; p++ {
			j := col[p]
			if int(j) >= i {
				upper[p] = -1
				continue
			}
			upper[p] = next[j]
			next[j]++
		}
	}
	return upper
}
