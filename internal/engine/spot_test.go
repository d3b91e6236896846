package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/r3"
)

// tiedAtRandom returns two rigid bodies that move and spin at random and are joined to each other, and one to the
// world.
func tiedAtRandom(rng *rand.Rand, theta float64, kind JointKind) *World {
	opt := DefaultOptions()
	opt.Workers, opt.Theta = 1, theta
	w := must(New(opt))
	any := func(size float64) r3.Vec {
		return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(size)
	}
	var ids [2]BodyID
	for i := range ids {
		b := must(body.NewRigid(body.Brick(r3.V(0.1, 0.2, 0.3), 500), r3.Rotation(any(1), 3), any(10)))
		ids[i] = must(w.AddBody("body", b, []r3.Vec{any(0.5), {}}, []r3.Vec{any(3), {}}))
	}
	must(w.Join(Joint{Name: "two", Kind: kind, A: ids[0], B: &ids[1], Place: any(0.3), Axis: any(1)}))
	must(w.Join(Joint{Name: "one", Kind: kind, A: ids[1], Place: any(0.3), Axis: any(1)}))
	return w
}

// tieRows begins a step and returns the relative velocities of the rows of joints [m/s], and the rates at which gaps
// change with them [m/s], when blocks have their velocities at the start and something more.
func tieRows(w *World, h float64, more []r3.Vec) (rows, rates []r3.Vec) {
	w.build()
	s := &w.scratch
	s.h = h
	must(0, s.begin())
	must(0, s.pose())
	s.found.set.Reset()
	must(0, s.bind())
	for i := range s.result.V {
		s.result.V[i] = s.v0[i].Add(more[i])
	}
	s.arrive()
	for c := range s.found.set.Contacts {
		k := &s.found.set.Contacts[c]
		u := k.Uf
		for _, term := range s.found.set.Row(c) {
			u = u.Add(term.M.MulVec(s.result.V[term.Block]))
		}
		number := int(k.ID.A.ID) - tiesFrom
		j := &w.joints[number/jointRows]
		before, after := w.spotAt(&j.a, s.x0).Sub(w.spotAt(&j.b, s.x0)), w.spotAt(&j.a, s.x1).Sub(w.spotAt(&j.b, s.x1))
		if number%jointRows == ofTurn {
			before, after = j.ahead(w.turns(j, s.x0)).Scale(j.length()), j.ahead(w.turns(j, s.x1)).Scale(j.length())
		}
		rate := k.Frame.MulVec(after.Sub(before).Scale(1 / h))
		if !s.found.set.Has(c)[0] {
			rate.X = 0
		}
		rows, rates = append(rows, u.Scale(w.opt.Theta)), append(rates, rate)
	}
	return rows, rates
}

func randomVectors(rng *rand.Rand, size float64) []r3.Vec {
	out := make([]r3.Vec, 4)
	for i := range out {
		out[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Scale(size)
	}
	return out
}

// Rows of joints say at which rate gaps change: exactly in the motion that is expected, and their derivatives in the
// limit of short steps.
func TestRowsAreRatesOfGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for try := range 60 {
		theta, kind := []float64{0.5, 0.7, 1}[try%3], JointKind(try/3%int(jointKinds))
		w := tiedAtRandom(rng, theta, kind)
		still := make([]r3.Vec, 4)
		if theta == 1 { // where nothing passes
			rows, rates := tieRows(w, 5e-3, still)
			for i := range rows {
				if d := rows[i].Sub(rates[i]).Norm(); d > 1e-12 {
					t.Errorf("%v: row %d is %v m/s, and the gap changes at %v", kind, i, rows[i], rates[i])
				}
			}
		}
		const h, size = 1e-5, 1e-2
		rows, rates := tieRows(w, h, still)
		moreRows, moreRates := tieRows(w, h, randomVectors(rng, size))
		for i := range rows {
			row, rate := moreRows[i].Sub(rows[i]), moreRates[i].Sub(rates[i])
			if d := row.Sub(rate).Norm(); d > 1e-2*size { // bodies turn by 1e-4 in such a step
				t.Errorf("%v, θ %g: row %d changes by %v m/s, and the rate of the gap by %v", kind, theta, i, row, rate)
			}
		}
	}
}
