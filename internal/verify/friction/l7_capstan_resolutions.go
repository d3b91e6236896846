package friction

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
)

// L7: the strip of L6 slides off alike with few elements and many. Over a corner that turns it by α it is held as if
// friction were larger by a share of α²/12, as in C24, and what drives it is μ* - μ: of its path, a share of up to
// α²/12 μ*/(μ* - μ) is missing. By the same factor, which is 14, paths feel the half per cent that L3 and L5 allow
// the critical friction to be off. A quick run ends long before the strip is off, and is not given that.
//
// That is the limit, and not all of the cause. In steps of 20 ms, strips of 28 and 56 cells along are 8.3 and 5.3 %
// behind one of 112 after 1.2 s, and also with μ of 0.10 and 0.05, where the factor is 3.5 and 1.6: 8.7 and 3.0 %,
// 8.9 and 2.4 %. Without friction they are 8.1 and 2.1 % behind after 1 s, and in steps of 5 ms 1.2 and 0.3 %: one
// linearization of 20 ms stretches what turns over a corner. The path of 28 cells is 0.68 m then, 0.86 m in steps of
// 5 ms and 0.87 m in converged ones of 20 ms. At μ 0.13 and 5 ms 8.9 and 6.0 % are left, of which bends explain 8.5
// and 1.7 %. The circle that their vertices lie on, 0.75 mm wider than that of fine strips, accounts for 0.2 % the
// other way.
var capstanResolutions = verify.Case{
	ID: "L7", Title: "sliding off with few elements and many", Source: "[Larionov21] fig. 6c",
	Body: func(t *verify.Trial) {
		const mu, asked = 0.13, 0.02
		cells, h, end := [][2]int{{28, 7}, {64, 16}}, 0.02, 1.3
		if t.Options.Full {
			cells, h, end = append(cells, [2]int{120, 30}), 0.01, 4
		}
		var runs []*wideCapstan
		var paths []draw.Series
		for _, n := range cells {
			c := newWideCapstan(t, n[0], n[1], h)
			c.let(mu, end)
			runs = append(runs, c)
			name := fmt.Sprintf("%d elements", c.elements())
			paths = append(paths, draw.Series{Name: name, X: c.times, Y: c.travels()})
		}
		finest := runs[len(runs)-1]
		critical, allowed := CapstanFriction(0.4), 0.0
		if t.Options.Full {
			allowed = 0.005
		}
		amplified := critical / (critical - mu)
		for _, c := range runs[:len(runs)-1] {
			bend := CapstanLength / float64(c.along) / CapstanRadius
			row := verify.Row{
				Quantity: fmt.Sprintf("path of %d elements off that of %d, by travel", c.elements(), finest.elements()),
				Measured: c.off(finest), Bar: verify.AtMost, Limit: (bend*bend/12 + allowed) * amplified,
			}
			if row.Limit > asked {
				row.Asked = "at most 0.02"
				row.Why = "Steps of 20 ms hold coarse strips back by 8 % without friction, too. " +
					"In steps of 5 ms 28 cells along are 8.9 % behind 112, and 56 are 6.0 %: " +
					"bends, which hold by a share of their angle squared, explain 8.5 and 1.7 %."
			}
			if row.Limit > asked && t.Options.Full {
				row.Why += " " + nearThreshold
			}
			row.Limit = max(row.Limit, asked)
			t.Row(row)
		}
		if t.Options.Full {
			t.Note("order of the differences: %.2f", runs[0].convergence(runs[1], runs[2]))
		}
		paths = append(paths, slideAlike(t, mu, max(asked, allowed*amplified), h, end)...)
		t.StepsRow()
		t.Plot("l7-paths", draw.Plot{
			Title: "L7: sliding off at μ 0.13", X: "time [s]", Y: "path of the centroid [m]", Series: paths,
		})
	},
}

const nearThreshold = "So near to where it holds, its path is off by 14 times what its critical friction is, half a " +
	"per cent at most."

// slideAlike has a strip slide off smooth prisms of few sides and many, and returns its paths. One with seven sides is
// only told of, as in L5.
func slideAlike(t *verify.Trial, mu, limit, h, end float64) (paths []draw.Series) {
	// prisms, from few sides to many
	thickness := engine.DefaultOptions().Contact.Thickness
	sides := []int{14, 28}
	if t.Options.Full {
		sides = []int{7, 14, 28, 56}
	}
	// paths on each
	var runs []*wideCapstan
	var names []string
	for _, n := range sides {
		p := newPrism(n, &roundPrisms, wideCapstanWidth, thickness)
		c := newWideCapstanOn(t, p, 28, 7, h)
		c.let(mu, end)
		runs, names = append(runs, c), append(names, p.name())
		paths = append(paths, draw.Series{Name: p.name(), X: c.times, Y: c.travels()})
	}
	// how far they are off that on the finest
	last := len(runs) - 1
	for k, c := range runs[:last] {
		row := verify.Row{
			Quantity: fmt.Sprintf("path on %s, off that on %d, by travel", names[k], sides[last]),
			Measured: c.off(runs[last]), Bar: verify.AtMost, Limit: limit,
		}
		if t.Options.Full {
			row.Asked, row.Why = "at most 0.02", nearThreshold
		}
		if sides[k] == 7 {
			t.Note("%s: %.3g", row.Quantity, row.Measured)
			continue
		}
		t.Row(row)
	}
	return paths
}

// travels returns how far the centroid is from where it began [m].
func (c *wideCapstan) travels() (far []float64) {
	for _, move := range c.moves {
		far = append(far, move.Norm())
	}
	return far
}

// off returns how far the centroids of two strips are apart at most, as a share of the other's travel.
func (c *wideCapstan) off(other *wideCapstan) float64 {
	worst, n := 0.0, min(len(c.moves), len(other.moves))
	for k := range n {
		worst = max(worst, c.moves[k].Sub(other.moves[k]).Norm())
	}
	return worst / other.moves[n-1].Norm()
}

// convergence returns the order in the size of elements by which the path tends to a limit with finer ones.
func (c *wideCapstan) convergence(finer, finest *wideCapstan) float64 {
	ratio := c.off(finer) / finer.off(finest)
	size := func(c *wideCapstan, order float64) float64 { return math.Pow(float64(c.along), -order) }
	return setup.Bisect(0.1, 8, 1e-6, func(p float64) bool {
		return (size(c, p)-size(finer, p))/(size(finer, p)-size(finest, p)) < ratio
	})
}
