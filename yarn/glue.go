package yarn

import "github.com/toile-sim/toile/r3"

// Glue holds two control points at the distance that they have when it is added.
type Glue struct{ A, B int }

// glue is Glue at work.
type glue struct {
	a, b int
	rest float64 // [m]
}

// projectGlue moves glued points to their distance. Each constraint is solved on its own, in order.
func projectGlue(all []glue, inverse []float64, x []r3.Vec) {
	for _, g := range all {
		w := inverse[g.a] + inverse[g.b]
		d := x[g.b].Sub(x[g.a])
		length := d.Norm()
		if w == 0 || length == 0 {
			continue
		}
		s := (length - g.rest) / (length * w)
		x[g.a] = x[g.a].AddScaled(s*inverse[g.a], d)
		x[g.b] = x[g.b].AddScaled(-s*inverse[g.b], d)
	}
}
