package export_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/meshio"
)

const adaptiveText = `toile: 1
time: {end: 0.1 s, fps: 20, step: 10 ms}
cloths:
  - name: sheet
    shape: {grid: {size: [0.4, 0.4], cells: [3, 3], pattern: crossed}}
    place: {translate: [-0.2, -0.2, 0.01]}
    remesh: {size: [3 cm, 20 cm]}
obstacles:
  - {name: box, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0, 0, -0.05]}}
`

// A cloth that is remeshed leaves with the mesh of the scene, in all formats, and if asked for with the one that it
// has, in those that can have it.
func TestAdaptiveMeshes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(adaptiveText), 0o666); err != nil {
		t.Fatal(err)
	}
	folder := play(t, path)
	vertices := func(name string) int {
		t.Helper()
		m, err := meshio.ReadFile(
			filepath.Join(dir, name),
			meshio.ReadOptions{Unit: 1, Up: meshio.UpZ, MaxBytes: 1 << 20},
		)
		if err != nil {
			t.Fatal(err)
		}
		return len(m.Positions)
	}
	opt := export.DefaultOptions()
	if _, err := export.Run(context.Background(), folder, filepath.Join(dir, "fixed.obj"), opt); err != nil {
		t.Fatal(err)
	}
	if n, m := vertices("fixed_0000.obj"), vertices("fixed_0002.obj"); n != 25 || m != 25 {
		t.Errorf("%d and %d vertices with the mesh of the scene, which has 25", n, m)
	}
	if _, err := export.Run(context.Background(), folder, filepath.Join(dir, "film.glb"), opt); err != nil {
		t.Fatal(err)
	}
	opt.Adaptive = true
	if _, err := export.Run(context.Background(), folder, filepath.Join(dir, "free.ply"), opt); err != nil {
		t.Fatal(err)
	}
	if n, m := vertices("free_0000.ply"), vertices("free_0002.ply"); n != 25 || m <= n {
		t.Errorf("%d and %d vertices with the mesh of each frame", n, m)
	}
	var bad *export.Usage
	if _, err := export.Run(context.Background(), folder, filepath.Join(dir, "film.glb"), opt); !errors.As(err, &bad) {
		t.Errorf("a film with meshes that change: %v", err)
	}
}
