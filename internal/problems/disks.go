package problems

import (
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Disks is a friction projection: rows on free masses, velocities without friction, where to start, and radii.
type Disks struct {
	Set    contact.Set
	Mass   []float64
	Q, R   []r3.Vec
	Radius []float64
	Unit   float64 // the largest velocity [m/s]
}

// RandomDisks returns a friction projection of 1 to 500 contacts, mostly few: masses over up to four decades, each
// contact between one and three of them, fewer masses than contacts in every third problem, so that W is singular;
// velocities are those of the masses, for a minimum to exist; radii over four decades, some of them zero.
func RandomDisks(seed uint64) *Disks {
	rng := rand.New(rand.NewPCG(seed, 28))
	n := int(math.Pow(500, math.Pow(rng.Float64(), 1.5)))
	blocks := 1 + n
	if rng.IntN(3) == 0 {
		blocks = 1 + n/2
	}
	p := &Disks{Mass: make([]float64, blocks)}
	decades := 4 * rng.Float64()
	v := make([]r3.Vec, blocks)
	for i := range v {
		p.Mass[i] = math.Pow(10, -decades*rng.Float64())
		v[i] = r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	for c := range n {
		var row []contact.Term
		var u r3.Vec
		give := 0.0
		for k := range 1 + rng.IntN(3) { // of thirds of the blocks, so that they differ
			if i := k + 3*rng.IntN(1+blocks/3); i < blocks {
				axis := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
				m := r3.Rotation(axis, 3*rng.Float64()).Mat()
				row = append(row, contact.Term{Block: int32(i), M: m})
			}
		}
		if len(row) == 0 {
			row = append(row, contact.Term{M: r3.Identity()})
		}
		for _, t := range row {
			u, give = u.Add(t.M.MulVec(v[t.Block])), give+1/p.Mass[t.Block]
		}
		p.Set.AddRow(contact.Contact{ID: contact.ID{A: contact.Feature{ID: int64(c)}}, A: row[0].Block, B: contact.None}, row...)
		radius := math.Pow(10, -4*rng.Float64()) / give
		if c > 0 && rng.IntN(10) == 0 {
			radius = 0
		}
		p.Q, p.Radius, p.Unit = append(p.Q, u), append(p.Radius, radius), max(p.Unit, u.Norm())
		p.R = append(p.R, r3.V(0, rng.NormFloat64(), rng.NormFloat64()).Scale(radius))
	}
	return p
}
