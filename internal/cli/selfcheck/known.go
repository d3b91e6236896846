package selfcheck

import (
	_ "embed"
	"fmt"
	"strings"
)

// knownFile has one table for all processors: programs that do not fuse a*b+c give the same bits on all of them.
//
//go:embed known.txt
var knownFile string

// known is what a scene must give.
type known struct {
	Scene string
	played
}

// readKnown reads the table; a program whose table cannot be read was built wrongly.
func readKnown(text string) ([]known, error) {
	var all []known
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var k known
		if _, err := fmt.Sscan(line, &k.Scene, &k.Hash, &k.Place.X, &k.Place.Y, &k.Place.Z); err != nil {
			return nil, fmt.Errorf("table of hashes: %q: %w", line, err)
		}
		all = append(all, k)
	}
	return all, nil
}

const knownHead = `# What toile self-check must find, on every processor: scene, hash, mean place [m].
# go test ./internal/cli/selfcheck -update writes it anew, after a change of bits that docs/golden.md tells of.
`

// writeKnown is the table as a file.
func writeKnown(all []known) string {
	var b strings.Builder
	b.WriteString(knownHead)
	for _, k := range all {
		fmt.Fprintf(&b, "%s %s %v %v %v\n", k.Scene, k.Hash, k.Place.X, k.Place.Y, k.Place.Z)
	}
	return b.String()
}
