package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/verify/all"
)

// TestVerificationPages: docs/verification has a summary that can be read in one go, with a line for each verification,
// and each has a section on the page of its family and nowhere else.
func TestVerificationPages(t *testing.T) {
	const folder, most = "docs/verification", 200
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	summary := read("README.md")
	if n := strings.Count(summary, "\n"); n > most {
		t.Errorf("the summary of verifications has %d lines, more than %d", n, most)
	}
	linked := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| \[(\w+)\]\((\w+)\.md#.*\| (pass|FAIL) \|$`).FindAllStringSubmatch(summary, -1) {
		if linked[m[1]] != "" {
			t.Errorf("two lines of the summary are of %s", m[1])
		}
		linked[m[1]] = m[2]
	}
	sections := map[string][]string{}
	for _, f := range all.Families() {
		for _, m := range regexp.MustCompile(`(?m)^## (\w+) `).FindAllStringSubmatch(read(f.Name+".md"), -1) {
			sections[m[1]] = append(sections[m[1]], f.Name)
		}
	}
	for _, f := range all.Families() {
		for _, c := range f.Cases {
			if linked[c.ID] != f.Name {
				t.Errorf("the summary links %s to %q, not to %q", c.ID, linked[c.ID], f.Name)
			}
			if found := sections[c.ID]; len(found) != 1 || found[0] != f.Name {
				t.Errorf("%s has sections on the pages %q, not one on that of %s", c.ID, found, f.Name)
			}
			delete(sections, c.ID)
		}
	}
	for id, found := range sections {
		t.Errorf("the pages %q have %s, which is no verification", found, id)
	}
}
