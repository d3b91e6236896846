package scenefile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/scenefile"
)

// The scene of the page on knits is a scene, and all loops of its cables get the same yarn: as laid, courses with
// cables have more of it and hang as holes.
func TestSceneOfTheKnitsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/knits.md")
	if err != nil {
		t.Fatal(err)
	}
	cables := 0
	for _, block := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		if !strings.HasPrefix(text, "toile: 1\n") {
			continue
		}
		s, err := scenefile.Parse("swatch.yaml", []byte(text), nil, nil)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		for i := range s.Yarns {
			if strings.Contains(s.Yarns[i].Chart, "c4") {
				cables++
				if s.Yarns[i].LoopLength != 0.042 {
					t.Errorf("loops of %s have %g m of yarn; 42 mm look like a cable", s.Yarns[i].Name, s.Yarns[i].LoopLength)
				}
			}
		}
	}
	if cables != 1 {
		t.Errorf("the page has %d cabled pieces", cables)
	}
}
