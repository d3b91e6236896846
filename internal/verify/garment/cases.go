// Package garment verifies garments that are sewn around a body and worn.
package garment

import "github.com/toile-sim/toile/internal/verify"

// Cases returns the cases of the family.
func Cases() []verify.Case {
	return []verify.Case{
		straps,
		twist,
		hooded,
		shawl,
		fitting,
		caughtTunic,
	}
}
