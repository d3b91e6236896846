package words

import (
	"strconv"
	"strings"
)

// Thousands writes n with a comma every three digits.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes n and a noun, in the plural where needed.
func Count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "x") && noun != "box":
		noun = strings.TrimSuffix(noun, "ex") + "ices"
	case strings.HasSuffix(noun, "hedron"):
		noun = strings.TrimSuffix(noun, "on") + "a"
	case strings.HasSuffix(noun, "dy"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return Thousands(n) + " " + noun
}
