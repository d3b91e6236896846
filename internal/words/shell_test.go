package words

import (
	"runtime"
	"testing"
)

func TestShellWord(t *testing.T) {
	backslash := `'a\b'` // which a shell takes for an escape
	if runtime.GOOS == "windows" {
		backslash = `a\b`
	}
	for text, want := range map[string]string{
		"a/b-c.yaml": "a/b-c.yaml",
		"my scene":   "'my scene'",
		"it's":       `'it'\''s'`,
		"":           "''",
		"größe":      "'größe'",
		"$HOME":      "'$HOME'",
		`a\b`:        backslash,
	} {
		if got := ShellWord(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
