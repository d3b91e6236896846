package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/verify/all"
)

// TestTurnsNameWhatThereIs: what CI takes by turns are tests and verifications that exist.
func TestTurnsNameWhatThereIs(t *testing.T) {
	data, err := os.ReadFile(".ci/turns")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`)
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(source, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		kind, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch _, err := all.Find(name); {
		case listed[line]:
			t.Errorf(".ci/turns lists %s twice", name)
		case kind == "verify" && err != nil, kind == "test" && !tests[name], kind != "verify" && kind != "test":
			t.Errorf(".ci/turns: there is no %s %q", kind, name)
		}
		listed[line] = true
	}
}
