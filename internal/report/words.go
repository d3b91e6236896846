package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// short writes a number with three digits that matter, without zeros that do not.
func short(x float64) string {
	text := strconv.FormatFloat(x, 'g', 3, 64)
	mantissa, exponent, ok := strings.Cut(text, "e")
	if !ok {
		return text
	}
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return text
	}
	if n >= 0 && n < 6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return mantissa + "e" + strconv.Itoa(n)
}

// length writes a length [m] in the unit that suits it.
func length(m float64) string {
	switch a := math.Abs(m); {
	case a == 0 || a >= 0.09995:
		return short(m) + " m"
	case a < 0.9995e-3:
		return fmt.Sprintf("%.3g µm", m*1e6)
	}
	return fmt.Sprintf("%.3g mm", m*1e3)
}

// percent writes a share. Only what is whole is 100 %, and only what is nothing 0 %.
func percent(share float64) string {
	if share > 0 && share < 0.0001 {
		return "< 0.01 %"
	}
	return words.Percent(share)
}

// indent lays JSON out in lines; what is none stays as it is.
func indent(raw []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}

// buildWords names a build.
func buildWords(b *runfolder.Build) string {
	text := "Toile " + b.Version
	if b.Revision != "" {
		text += fmt.Sprintf(", revision %.12s", b.Revision)
		if b.Modified {
			text += " with changes"
		}
	}
	return fmt.Sprintf("%s, %s, %s %s", text, b.Go, b.Arch, b.Level)
}
