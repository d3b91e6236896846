package solve_test

import (
	"fmt"

	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// A grain of 1 g meets the floor at 1 m/s, moving along it at 2 m/s, with friction 0.5: the floor
// takes the normal velocity, and half as much of the tangential one.
func ExampleSolveCoulomb() {
	const mass = 1e-3
	w := r3.Diagonal(mass)
	b := r3.V(-1, 2, 0).Scale(-mass) // r = w (u - u₀)
	u, state, _ := solve.SolveCoulomb(&w, b, 0.5, r3.Vec{})
	fmt.Printf("%v at %.1f m/s\n", state, u.Y)
	// Output: slide at 1.5 m/s
}
