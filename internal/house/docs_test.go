package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// citation matches a key such as [Li18] or [Grinspun03].
var citation = regexp.MustCompile(`\[([A-Z][A-Za-z]+[0-9]{2}[a-z]?)\]`)

// TestCitationsAreInTheBibliography fails on a key in a comment, a test or a document that docs/bibliography.md
// does not define, and on an entry that nothing cites.
func TestCitationsAreInTheBibliography(t *testing.T) {
	text, err := os.ReadFile("docs/bibliography.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, line := range strings.Split(string(text), "\n") {
		if m := citation.FindStringSubmatch(line); m != nil && strings.HasPrefix(line, "- **[") {
			known[m[1]] = false
		}
	}
	err = filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && file != "." || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.IsDir() || file == filepath.Join("docs", "bibliography.md") ||
			!strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, ".md") && !strings.HasSuffix(file, ".yaml") {
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if filepath.Base(file) == "docs_test.go" {
				continue
			}
			for _, m := range citation.FindAllStringSubmatch(line, -1) {
				if _, ok := known[m[1]]; !ok {
					t.Errorf("%s:%d cites [%s], which docs/bibliography.md does not have", file, i+1, m[1])
				}
				known[m[1]] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for key, cited := range known {
		if !cited {
			t.Errorf("docs/bibliography.md has [%s], which nothing cites", key)
		}
	}
}
