//go:build unix

package view

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipesAreNotWaitedFor puts pipes, which nobody writes to, in the place of files: opening one would wait for ever.
func TestPipesAreNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	newFilm(t, dir, "film", 6, 4).next(5)
	for _, path := range []string{framePath(dir, 1), filepath.Join(dir, "stats.csv"), framePath(dir, 5)} {
		_ = os.Remove(path)
		if err := syscall.Mkfifo(path, 0o644); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Remove(framePath(dir, 2)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(framePath(dir, 2), 0o755); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, dir, Options{})
	for _, address := range []string{"/api/frames/1", "/api/frames/2", "/api/frames/5", "/api/stats"} {
		status, _, body := s.get(address)
		if status < 400 || !strings.Contains(string(body), "error") {
			t.Errorf("%s: status %d, %s", address, status, body)
		}
	}
	if f := s.facts(); f.Bounds == nil {
		t.Errorf("%+v", f)
	}
	manifest := filepath.Join(dir, "run.json")
	_ = os.Remove(manifest)
	if err := syscall.Mkfifo(manifest, 0o644); err != nil {
		t.Fatal(err)
	}
	if f := s.facts(); f.State != Failed {
		t.Errorf("with a pipe for run.json: %+v", f)
	}
}
