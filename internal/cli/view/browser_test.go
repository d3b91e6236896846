package view

import (
	"slices"
	"testing"
)

// TestBrowserCommand names the commands that open a browser; without a screen there is none.
func TestBrowserCommand(t *testing.T) {
	const url = "http://127.0.0.1:7070/"
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if c := browserCommand("linux", url); c != nil {
		t.Errorf("without a screen: %v", c)
	}
	t.Setenv("DISPLAY", ":0")
	for system, want := range map[string]string{"linux": "xdg-open", "freebsd": "xdg-open", "darwin": "open", "windows": "rundll32"} {
		if c := browserCommand(system, url); c[0] != want || !slices.Contains(c, url) {
			t.Errorf("%s: %v", system, c)
		}
	}
	t.Setenv("PATH", t.TempDir())
	openBrowser(url) // there is no such command, which is no failure
}
