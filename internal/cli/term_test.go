package cli

import (
	"strings"
	"testing"
)

// What terminals obey is made visible, but for what paint has written, and text of any language is left alone.
func TestClean(t *testing.T) {
	for _, c := range []struct {
		color     bool
		text, out string
	}{
		{true, "Größe 3 µm → 木綿\n\tdone", "Größe 3 µm → 木綿\n\tdone"},
		{false, "\x1b]0;title\x07", `\u001b]0;title\u0007`},
		{true, "\x1b[2J\x9b2J\u009b\u202e\U000e0001\ufffd", `\u001b[2J\x9b2J\u009b\u202e\udb40\udc01` + "\ufffd"},
		{true, "a\r\x1b[31m" + paint(true, Red, "b\x1b[1A"), `a\r\u001b[31m` + "\x1b[31mb\\u001b[1A\x1b[0m"},
		{false, paint(true, Red, "b"), `\u001b[31mb\u001b[0m`},
		{true, paint(true, Red, "x"), "\x1b[31mx\x1b[0m"},
	} {
		want := strings.ReplaceAll(c.out, `\r`, `\u000d`)
		if got := clean(c.color, c.text); got != want {
			t.Errorf("%q became %q, want %q", c.text, got, want)
		}
	}
}
