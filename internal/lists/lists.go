// Package lists holds a list of items for each of many indices, such as the triangles around each vertex of a mesh, in
// two flat arrays.
package lists

import "slices"

// Lists is a list of items for each index: those of i are Items[Start[i]:Start[i+1]].
type Lists struct{ Start, Items []int32 }

// Of returns the items of index i.
func (l *Lists) Of(i int32) []int32 { return l.Items[l.Start[i]:l.Start[i+1]] }

// Fill makes the lists of the indices from 0 to n-1, in memory that they have already where that is enough. each calls
// put for every index and item; it is called twice and must do the same both times. The items of an index come in the
// order in which they were put.
func (l *Lists) Fill(n int, each func(put func(index, item int32))) {
	l.Start = slices.Grow(l.Start[:0], n+1)[:n+1]
	clear(l.Start)
	each(func(index, _ int32) { l.Start[index+1]++ })
	for i := range n {
		l.Start[i+1] += l.Start[i]
	}
	total := int(l.Start[n])
	l.Items = slices.Grow(l.Items[:0], total)[:total]
	next := slices.Clone(l.Start)
	each(func(index, item int32) {
		l.Items[next[index]] = item
		next[index]++
	})
}
