package scenefile

import "testing"

func TestNumbered(t *testing.T) {
	for _, c := range []struct {
		pattern string
		n       int
		want    string
	}{
		{"a.####.obj", 7, "a.0007.obj"},
		{"dir/a#.ply", 123, "dir/a123.ply"},
		{"##", 3, "03"},
		{"a.obj", 1, ""},
		{"#/a#.obj", 1, ""},
		{"a#b#.obj", 1, ""},
	} {
		if got, ok := numbered(c.pattern, c.n); got != c.want || ok != (c.want != "") {
			t.Errorf("%s with %d is %q", c.pattern, c.n, got)
		}
	}
}
