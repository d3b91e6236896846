package cli

import "testing"

func TestPaths(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{RunFolder("a/b.c/scene.yaml"), "a/b.c/scene.run"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
