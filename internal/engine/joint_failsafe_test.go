package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Chains that fly about in a box, with a flag on one, faster than contacts can tell, never go through anything, and
// stay together where the fail-safe holds them up.
func TestChainsNeverCross(t *testing.T) {
	brought := 0
	seeds := uint64(4)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 1))
		opt := engine.DefaultOptions()
		opt.Workers = 1
		opt.Contact.Rounds = int(seed % 2)
		w := must(engine.New(opt))
		for i, n := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			must(w.AddObstacle(engine.Obstacle{
				Name: fmt.Sprint("wall ", i), Shape: shape.Plane{Point: n.Scale(-0.4), Normal: n}, Place: r3.Still(),
			}))
		}
		any := func(size float64) r3.Vec {
			return r3.V(random.Float64()-0.5, random.Float64()-0.5, random.Float64()-0.5).Scale(2 * size)
		}
		half := r3.V(0.05, 0.03, 0.02)
		for chain := range 3 {
			var before *engine.BodyID
			for k := range 4 {
				at := r3.V(0.11*(float64(k)-1.5), 0.2*float64(chain-1), 0)
				id := must(w.AddBody(fmt.Sprintf("link %d of %d", k, chain), brick(t, half, 500, r3.NoRotation(), any(20)),
					[]r3.Vec{at, {}}, []r3.Vec{any(4), {}}))
				if before != nil {
					kind := engine.JointKind(random.IntN(3))
					must(w.Join(engine.Joint{
						Name: "joint", Kind: kind, A: id, B: before, Place: at.Sub(r3.V(0.055, 0, 0)), Axis: any(1),
					}))
				}
				before = &id
			}
			if chain != 1 {
				continue
			}
			m, x := shape.Grid(0.2, 0.2, 8, 8)
			for i := range x {
				x[i] = x[i].Add(r3.V(-0.1, -0.03, half.Z+2e-3))
			}
			cloth := addCloth(t, w, engine.DefaultCloth("flag", m, x, fabric(t, "cotton-interlock")))
			must(w.Attach(engine.Attachment{
				Name: "flag", Cloth: cloth, To: *before,
				Vertices: where(x, func(p r3.Vec) bool { return p.X > 0.1-1e-9 && p.Y < 0.03 }),
			}))
		}
		for k := range 60 {
			stats := must(w.Step(4e-3))
			brought += stats.Failsafe.Blocks
			if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
				t.Fatalf("seed %d, step %d: %d crossings, %+v", seed, k, stats.Crossings, stats.Failsafe)
			}
			if stats.JointGap > 1e-3 { // the square of how far they turn while they go a part of their way
				t.Errorf("seed %d, step %d: joints open by %g m", seed, k, stats.JointGap)
			}
		}
	}
	if brought == 0 {
		t.Error("nothing was fast enough to try the fail-safe")
	}
}
