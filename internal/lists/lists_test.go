package lists

import (
	"fmt"
	"slices"
	"testing"
)

// Lists keep the order in which items are put, may be empty, and forget what they held before.
func TestFill(t *testing.T) {
	var l Lists
	for _, puts := range [][][2]int32{
		{{2, 7}, {0, 5}, {2, 6}, {0, 5}, {2, 1}},
		{{1, 3}},
		{},
		{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {0, 6}},
	} {
		want := make([][]int32, 4)
		for _, p := range puts {
			want[p[0]] = append(want[p[0]], p[1])
		}
		l.Fill(len(want), func(put func(index, item int32)) {
			for _, p := range puts {
				put(p[0], p[1])
			}
		})
		for i := range want {
			if got := l.Of(int32(i)); !slices.Equal(got, want[i]) {
				t.Errorf("of %v, index %d has %v, want %v", puts, i, got, want[i])
			}
		}
	}
}

// The triangles around each vertex of a square of two.
func ExampleLists_Fill() {
	tri := [][3]int32{{0, 1, 2}, {0, 2, 3}}
	var around Lists
	around.Fill(4, func(put func(index, item int32)) {
		for t, v := range tri {
			for _, i := range v {
				put(i, int32(t))
			}
		}
	})
	fmt.Println(around.Of(0), around.Of(1), around.Of(3))
	// Output: [0 1] [0] [1]
}
