package words

import (
	"fmt"
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"silk", "silk", 0},
		{"", "wool", 4},
		{"gravty", "gravity", 1},
		{"edn", "end", 1},     // a swap
		{"denim", "linen", 4}, // only the n in the middle stays
		{"größe", "grösse", 2},
		{long, "silk", 200}, // the most it can be, not a short way off
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := Distance(pair[0], pair[1]); got != c.want {
				t.Errorf("%.10q to %.10q is %d, want %d", pair[0], pair[1], got, c.want)
			}
		}
	}
}

func ExampleDistance() {
	fmt.Println(Distance("gravty", "gravity"))
	// Output: 1
}
