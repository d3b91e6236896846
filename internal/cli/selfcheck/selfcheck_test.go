package selfcheck

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/portable"
)

var update = flag.Bool("update", false, "write known.txt anew")

// TestKnown fails when the bits of the engine have changed and the table has not. TestGolden then fails, too, and
// docs/golden.md gets a line.
func TestKnown(t *testing.T) {
	if portable.Fuses() {
		t.Skip("this build has other bits")
	}
	var all []known
	for _, name := range []string{"bodies", "head", "yarns"} {
		got, err := play(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, known{name, got})
	}
	text := writeKnown(all)
	if *update {
		if err := os.WriteFile("known.txt", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != knownFile {
		t.Errorf("the scenes give\n%s\nand known.txt has\n%s", text, knownFile)
	}
}

// TestVerdicts falsifies the table: a hash alone is other bits, a place is wrong.
func TestVerdicts(t *testing.T) {
	all, err := readKnown(knownFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		verdict string
		spoil   func(k *known)
	}{
		{"right:", func(*known) {}},
		{"other bits:", func(k *known) { k.Hash = "0" }},
		{"wrong:", func(k *known) { k.Hash, k.Place.X = "0", k.Place.X+2*near }},
	} {
		yarns := all[2] // the quickest
		c.spoil(&yarns)
		var out bytes.Buffer
		err := check(cli.NewTerm(&out, &out), []known{yarns})
		if !strings.Contains(out.String(), "\n"+c.verdict) || (err == nil) != (c.verdict == "right:") {
			if !portable.Fuses() {
				t.Errorf("%v, no %q in\n%s", err, c.verdict, out.String())
			}
		}
	}
}

func TestTable(t *testing.T) {
	if _, err := readKnown("bodies 0123 1 2\n"); err == nil {
		t.Error("a place of two numbers was read")
	}
}
