package scenefile

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed template/scene.yaml
var template []byte

// Template returns the text of a small commented scene to start from. It runs in a minute.
func Template() []byte { return append([]byte(nil), template...) }

// TemplateName is the file that New writes.
const TemplateName = "scene.yaml"

// New makes the folder dir, if it is not there, and writes the template into it. It overwrites nothing.
func New(dir string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, TemplateName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s exists already; name another folder", path)
	}
	if err != nil {
		return "", err
	}
	if _, err := f.Write(template); err != nil {
		return "", errors.Join(err, f.Close())
	}
	return path, f.Close()
}
