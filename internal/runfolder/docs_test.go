package runfolder

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// docs/run-folder.md names the version of the layout that is written, wherever it does.
func TestDocsKnowTheLayout(t *testing.T) {
	text, err := os.ReadFile("../../docs/run-folder.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?i)(?:layout version: |version of the folder's layout, )([0-9]+)`).FindAllSubmatch(text, -1)
	for _, m := range found {
		if string(m[1]) != strconv.Itoa(Format) {
			t.Errorf("it says %q, and the layout is %d", m[0], Format)
		}
	}
	if len(found) != 2 {
		t.Errorf("it names the layout in %d places; want the head and the table of run.json", len(found))
	}
}
