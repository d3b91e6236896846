package main

import (
	"strings"
	"testing"
)

// TestPage marks what is another hash, and says what was not tried.
func TestPage(t *testing.T) {
	all := map[string]string{}
	for _, name := range columns() {
		all[name] = strings.Repeat("a", 32)
	}
	other := map[string]string{"bodies": strings.Repeat("a", 32), "swatch": strings.Repeat("b", 32)}
	text := page([]row{{builds[0], all}, {builds[5], other}}, "2026-01-02", "01234567")
	for _, want := range []string{"| 8 of 8 |", "| **bbbbbbbb** |", "| not run |", "| 1 of 8 |", "2026-01-02", unfused} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestWhatIsPrinted reads hashes out of what toile prints.
func TestWhatIsPrinted(t *testing.T) {
	hash := strings.Repeat("0f", 16)
	if m := checked.FindStringSubmatch("bodies   " + hash + "  the same bits, 1 s"); m == nil || m[1] != "bodies" || m[2] != hash {
		t.Errorf("self-check: %q", m)
	}
	if m := state.FindStringSubmatch("Took  1 s\nState      " + hash + "\n"); m == nil || m[1] != hash {
		t.Errorf("run: %q", m)
	}
}
