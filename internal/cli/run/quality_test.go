package run

import "testing"

// What crosses from the first step on and comes apart is no doubt; what crosses at the end, or comes to cross, is one.
func TestDoubtsOfCrossings(t *testing.T) {
	for _, c := range []struct {
		crossed []int
		last    int
		doubted bool
	}{
		{nil, 0, false},
		{nil, 9, false},
		{[]int{1}, 9, false},
		{[]int{1, 2, 3}, 9, false},
		{[]int{1}, 1, true},
		{[]int{1, 2, 3}, 3, true},
		{[]int{9}, 9, true},
		{[]int{4}, 9, true},
		{[]int{1, 3}, 9, true},
		{[]int{1, 2, 9}, 9, true},
	} {
		q := quality{last: c.last, crossed: c.crossed}
		if got := len(q.doubts()) > 0; got != c.doubted {
			t.Errorf("crossed in steps %v of %d: doubted %v", c.crossed, c.last, got)
		}
	}
}
