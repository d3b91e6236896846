//go:build gltfvalidator

// Our files before the Khronos validator: `go test -tags gltfvalidator -run Validator ./meshio`.

package meshio

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestKhronosValidator(t *testing.T) {
	dir := t.TempDir()
	odd := seamed() // everything a file must not hold: zero normals, colours above 1, missing UVs
	odd.Normals[1].Z, odd.Normals[2].X = 0, 0.5
	odd.Attributes[0].Data[0] = 7
	odd.CornerUV[1][1] = -1
	odd.Triangles[0][1] = 0
	args := []string{"../.ci/gltf-validate.mjs"}
	for name, m := range map[string]*Mesh{"seamed": seamed(), "odd": odd, "small": sheet(3), "large": sheet(300)} {
		path := filepath.Join(dir, name+".glb")
		if err := WriteFile(path, m, DefaultWriteOptions()); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	cmd := exec.Command("node", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node %s: %v\n%s", args[0], err, out)
	}
	t.Logf("%s", out)
}
