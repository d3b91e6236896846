package export_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/export"
	"github.com/toile-sim/toile/meshio"
)

// A cloth from a .glb of another program, whose vertices are split at the seams of its UVs and were welded for the run,
// leaves split again, as the file is.
func TestWeldedGLBInput(t *testing.T) {
	m, err := meshio.Read(strings.NewReader(sheetOBJ), meshio.OBJ, meshio.DefaultReadOptions())
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := meshio.Write(&file, meshio.GLB, m, meshio.DefaultWriteOptions()); err != nil {
		t.Fatal(err)
	}
	// Other programs do not write the attribute by which our reader joins vertices without being asked.
	data := bytes.Replace(file.Bytes(), []byte(`"_ID"`), []byte(`"_IX"`), 1)
	dir := t.TempDir()
	text := `toile: 1
time: {end: 0.1 s, fps: 30, step: 10 ms}
cloths:
  - name: sheet
    shape: {file: sheet.glb, weld: true}
    material: cotton
    pins: [{select: {ids: [0]}}]
`
	for name, data := range map[string][]byte{"sheet.glb": data, "scene.yaml": []byte(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f := play(t, filepath.Join(dir, "scene.yaml"))
	read := meshio.DefaultReadOptions()
	input, err := meshio.ReadFile(filepath.Join(dir, "sheet.glb"), read)
	if err != nil {
		t.Fatal(err)
	}
	if len(input.Positions) != 8 || len(frameOf(t, f, 0).Bodies[0].Mesh.Positions) != 6 {
		t.Fatalf(
			"%d vertices in the file, %d in the run; want 8 and 6",
			len(input.Positions),
			len(frameOf(t, f, 0).Bodies[0].Mesh.Positions),
		)
	}
	opt := export.DefaultOptions()
	opt.Frames.To = export.First
	r := write(t, f, filepath.Join(dir, "out.ply"), opt)
	read.Up = meshio.UpY // as in the .glb
	got, err := meshio.ReadFile(r.Files[0].Path, read)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "first frame", got.Positions, input.Positions, rounding)
	for v, uv := range input.UV {
		if d := got.UV[v].Sub(uv); d.Norm() > rounding {
			t.Errorf("vertex %d has UV %v, want %v", v, got.UV[v], uv)
		}
	}
}
