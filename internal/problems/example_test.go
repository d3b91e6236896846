package problems

import "fmt"

// A sheet of 56 x 56 nodes on a ball.
func ExampleOnBall() {
	p := OnBall(56, 400, 0.3)
	fmt.Println(p.A.N, "nodes,", p.Set.Len(), "contacts,", p.Set.Validate(p.A.N))
	// Output: 3136 nodes, 1116 contacts, <nil>
}
