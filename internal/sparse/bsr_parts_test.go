package sparse

import "testing"

func TestLargestPart(t *testing.T) {
	chain := NewBSR(7, [][2]int32{{0, 3}, {3, 5}, {1, 2}})
	if got := chain.LargestPart(); got != 3 {
		t.Errorf("0-3-5, 1-2, 4 and 6: largest part %d, want 3", got)
	}
	if again := chain.LargestPart(); again != 3 {
		t.Errorf("asked again: %d", again)
	}
	if got := NewBSR(0, nil).LargestPart(); got != 0 {
		t.Errorf("nothing at all: %d", got)
	}
}
