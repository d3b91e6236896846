package yarn

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// Glue holds two control points at the distance that they have when it is added.
type Glue struct{ A, B int }

// glue is Glue at work.
type glue struct {
	a, b int
	rest float64 // [m]
	pull r3.Vec  // what the step drew a towards b by: the force times the square of the step [kg m]
}

// projectGlue moves glued points to their distance, or relax times as far, by pulls like those of lengths, with where
// points were before. Each constraint is solved on its own, in order.
func projectGlue(all []glue, inverse []float64, before, x []r3.Vec, relax float64) {
	for i := range all {
		g := &all[i]
		w := inverse[g.a] + inverse[g.b]
		d := x[g.b].Sub(x[g.a])
		length := d.Norm()
		if w == 0 || length == 0 {
			continue
		}
		along := d
		from := before[g.b].Sub(before[g.a])
		if early := shareBefore(from, d); early > 0 {
			along = d.Scale(1-early).AddScaled(early, from)
		}
		s := relax * (length - g.rest) * length / (d.Dot(along) * w)
		x[g.a] = x[g.a].AddScaled(s*inverse[g.a], along)
		x[g.b] = x[g.b].AddScaled(-s*inverse[g.b], along)
		g.pull = g.pull.AddScaled(s, along)
	}
}

// glueErrors finds how far glued points that can move are from their distance [m], and returns the largest of that.
func glueErrors(all []glue, inverse []float64, x []r3.Vec, errors []float64) float64 {
	worst := 0.0
	for i, g := range all {
		errors[i] = 0
		if inverse[g.a]+inverse[g.b] > 0 {
			errors[i] = x[g.b].Sub(x[g.a]).Norm() - g.rest
			worst = max(worst, math.Abs(errors[i]))
		}
	}
	return worst
}

// aitken returns how far to go in the next round of projecting glue and lengths in turn, when relax has led from the
// errors before to those now: as far as would have ended them if all were multiplied alike.
func aitken(relax float64, before, now []float64) float64 {
	const least, most = 0.5, 16
	dot, norm2 := 0.0, 0.0
	for i, e := range before {
		d := e - now[i]
		dot, norm2 = dot+e*d, norm2+d*d
	}
	if !(norm2 > 0) {
		return relax
	}
	return min(max(relax*dot/norm2, least), most)
}

// gluedYarns lists the yarns that have glued points, ascending.
func gluedYarns(all []glue, lay *layout) []int32 {
	var out []int32
	for _, g := range all {
		out = append(out, lay.yarn[g.a], lay.yarn[g.b])
	}
	slices.Sort(out)
	return slices.Compact(out)
}
