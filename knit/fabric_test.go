package knit

import (
	"fmt"
	"testing"
)

var swatches = []string{"stockinette", "garter", "rib 2x2", "seed", "basket 3x3"}

func mustParse(t testing.TB, text string) *Chart {
	t.Helper()
	c, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustMake(t testing.TB, pattern string, opt Options) *Fabric {
	t.Helper()
	f, err := Make(mustParse(t, pattern), opt)
	if err != nil {
		t.Fatalf("%s %v: %v", pattern, opt.Form, err)
	}
	return f
}

func TestExplore(t *testing.T) {
	for _, p := range swatches {
		for form := Flat; form <= Helix; form++ {
			for _, n := range []int{10, 20} {
				for _, open := range []bool{true, false} {
					f, err := Make(mustParse(t, p), Options{Wales: n, Courses: 10, Radius: 0.00125, Form: form, OpenBottom: open, OpenTop: open})
					if err != nil {
						fmt.Println(p, form, n, open, err)
						continue
					}
					fmt.Println(p, form, n, open, f.Clearance(f.Points()), len(f.Crossings), float64(f.Segments())/float64(n*10), f.Glue)
				}
			}
		}
	}
}
