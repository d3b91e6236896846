package knit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/words"
)

// Stockinette is all knit.
func Stockinette() *Chart { return stitches(1, 1, func(int, int) Stitch { return Knit }) }

// Garter alternates courses of knit and purl.
func Garter() *Chart { return stitches(1, 2, func(_, course int) Stitch { return even(course) }) }

// Rib alternates wales: so many knit, then so many purl, both at least 1.
func Rib(knit, purl int) *Chart {
	return stitches(knit+purl, 1, func(wale, _ int) Stitch {
		if wale < knit {
			return Knit
		}
		return Purl
	})
}

// Seed, also called moss, is a chess board of single stitches.
func Seed() *Chart { return Basket(1, 1) }

// Basket is a chess board of blocks of so many wales and courses, both at least 1.
func Basket(wales, courses int) *Chart {
	return stitches(2*wales, 2*courses, func(i, j int) Stitch { return even(i/wales + j/courses) })
}

// stitches returns a chart without cables.
func stitches(wales, courses int, rule func(wale, course int) Stitch) *Chart {
	return newChart(wales, courses, func(wale, course int) cell { return cell{stitch: rule(wale, course)} })
}

func even(n int) Stitch {
	if n%2 == 0 {
		return Knit
	}
	return Purl
}

// pattern is a chart with a name, and two numbers if it has any.
type pattern struct {
	name  string
	sized bool
	chart func(n, m int) *Chart
}

var patterns = []pattern{
	{"stockinette", false, func(int, int) *Chart { return Stockinette() }},
	{"garter", false, func(int, int) *Chart { return Garter() }},
	{"rib", true, Rib},
	{"seed", false, func(int, int) *Chart { return Seed() }},
	{"moss", false, func(int, int) *Chart { return Seed() }},
	{"basket", true, Basket},
}

// Patterns lists the names that Parse knows.
func Patterns() []string {
	var names []string
	for _, p := range patterns {
		names = append(names, p.name)
	}
	return names
}

// maxBlock bounds the numbers of a pattern, so that its chart stays within maxStitches.
const maxBlock = 256

// named matches a word of letters, and two numbers after it.
var named = regexp.MustCompile(`^\s*([A-Za-z]{3,})(?:\s*(\d+)\s*[xX]\s*(\d+))?\s*$`)

// ParsePattern reads the name of a pattern such as "rib 2x2", and no rows.
func ParsePattern(text string) (*Chart, error) {
	c, err := parsePattern(text)
	if c == nil && err == nil {
		err = &Error{Line: 1, Column: 1, Msg: fmt.Sprintf("%.20q is no pattern; there are %s, of which rib and basket have two numbers, as in rib 2x2",
			strings.TrimSpace(text), strings.Join(Patterns(), ", "))}
	}
	if err != nil {
		return nil, Errors{err}
	}
	return c, nil
}

// parsePattern reads a pattern by name. It returns nothing if the text is no name at all.
func parsePattern(text string) (*Chart, *Error) {
	m := named.FindStringSubmatchIndex(text)
	if m == nil {
		return nil, nil
	}
	name := strings.ToLower(text[m[2]:m[3]])
	if strings.Trim(name, "kp") == "" {
		return nil, nil // a row of single stitches
	}
	line, column := place(text, m[2])
	fail := func(format string, args ...any) *Error {
		return &Error{Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
	}
	for _, p := range patterns {
		if p.name != name {
			continue
		}
		switch given := m[4] >= 0; {
		case given && !p.sized:
			return nil, fail("%s takes no numbers", name)
		case !given && p.sized:
			return nil, fail("%s needs two numbers, as in %s 2x2", name, name)
		case !given:
			return p.chart(0, 0), nil
		}
		n, errN := strconv.Atoi(text[m[4]:m[5]])
		k, errK := strconv.Atoi(text[m[6]:m[7]])
		if errN != nil || errK != nil || min(n, k) < 1 || max(n, k) > maxBlock {
			return nil, fail("the numbers of %s must be from 1 to %d", name, maxBlock)
		}
		return p.chart(n, k), nil
	}
	near := patterns[0].name
	for _, p := range patterns {
		if words.Distance(name, p.name) < words.Distance(name, near) {
			near = p.name
		}
	}
	if words.Distance(name, near) <= len(near)/3 {
		return nil, fail("no pattern is called %s; did you mean %s?", name, near)
	}
	return nil, fail("no pattern is called %.20s; there are %s", name, strings.Join(Patterns(), ", "))
}
