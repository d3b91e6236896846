package scan

import (
	"fmt"
	"strings"
)

// Clean returns s as valid UTF-8.
func Clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// Escape writes s as one word: white space, control characters, the percent sign and the bytes of
// more become %XX. The empty string becomes a lone percent sign.
func Escape(s, more string) string {
	if s == "" {
		return "%"
	}
	var b strings.Builder
	for _, r := range s {
		if r <= ' ' || r == '%' || r == 0x7f || strings.ContainsRune(more, r) {
			fmt.Fprintf(&b, "%%%02X", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Unescape undoes Escape and leaves percent signs alone that Escape cannot have written.
func Unescape(s string) string {
	if s == "%" {
		return ""
	}
	if !strings.Contains(s, "%") {
		return Clean(s)
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && hexDigit(s[i+1]) >= 0 && hexDigit(s[i+2]) >= 0 {
			b = append(b, byte(hexDigit(s[i+1])<<4|hexDigit(s[i+2])))
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return Clean(string(b))
}

func hexDigit(c byte) int { return strings.IndexByte("0123456789ABCDEF", c) }
