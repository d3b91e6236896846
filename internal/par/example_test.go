package par_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/par"
)

// Squares on two cores, and their sum, which has the same bits on any number of them.
func ExampleTeam() {
	team := par.New(2)
	team.Enter()
	defer team.Leave()
	x := make([]float64, 1000)
	team.For(len(x), 100, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i] = float64(i) * float64(i)
		}
	})
	sum := team.Sum(len(x), func(lo, hi int) float64 {
		s := 0.0
		for _, v := range x[lo:hi] {
			s += v
		}
		return s
	})
	fmt.Println(sum)
	// Output: 3.328335e+08
}
