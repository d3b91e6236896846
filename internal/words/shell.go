package words

import (
	"path/filepath"
	"strings"
)

// ShellWord writes text, such as a path, as one word of a shell command.
func ShellWord(text string) string {
	plain := func(r rune) bool {
		return r == filepath.Separator || strings.ContainsRune("/.-_=,:", r) ||
			'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
