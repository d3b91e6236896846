package knit_test

import (
	"fmt"
	"strings"

	"github.com/toile-sim/toile/internal/knit"
)

func Example() {
	chart, err := knit.Parse(`
		k2 p2 k2   # the last course
		k2 p2 k2
		p  k4 p    # the first
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fabric, err := knit.Make(chart, knit.Options{Wales: 12, Courses: 9, Radius: 0.00125})
	if err != nil {
		fmt.Println(err)
		return
	}
	points, watch := fabric.Points(), fabric.Watch()
	fmt.Println(len(fabric.Yarns), "yarns of", len(points), "points")
	fmt.Println(len(fabric.Crossings), "crossings, bad:", len(watch.Check(points)))
	fmt.Printf("yarns are %.2f D apart\n", fabric.Clearance(points))
	// Output:
	// 3 yarns of 942 points
	// 432 crossings, bad: 0
	// yarns are 0.69 D apart
}

func ExampleParse() {
	chart, _ := knit.Parse("rib 2x1")
	fmt.Print(chart.Repeat(7, 2))
	_, err := knit.Parse("k2 p2\nk2 p2 x")
	place, advice, _ := strings.Cut(err.Error(), "; ")
	fmt.Println(place)
	fmt.Println(advice)
	// Output:
	// kkpkkpk
	// kkpkkpk
	// chart, line 2, column 7: 'x' is no stitch
	// write k or |, p, - or ., a cable such as c4f or c4b, or a number before a bracket
}
