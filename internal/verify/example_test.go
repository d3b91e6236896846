package verify_test

import (
	"context"
	"fmt"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/all"
)

// Free fall, against the sum of the scheme.
func ExampleCase_Run() {
	cases, err := all.Find("C10")
	if err != nil {
		fmt.Println(err)
		return
	}
	result := cases[0].Run(context.Background(), verify.Options{Workers: 1})
	fmt.Println(result.ID, result.Title, result.Pass())
	// Output: C10 free fall with backward Euler true
}
