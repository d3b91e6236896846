package toile_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/r3"
)

// jointed returns a world for joints.
func jointed(t testing.TB, theta float64, gravity r3.Vec) *toile.World {
	t.Helper()
	opt := toile.DefaultOptions()
	opt.Workers, opt.Theta, opt.Gravity = 1, theta, gravity
	return must(toile.New(opt))
}

// mechanical returns the energy of rigid bodies [J].
func mechanical(w *toile.World, g float64, ids []toile.BodyID, bodies []*body.Rigid, mass []float64) float64 {
	sum := 0.0
	for i, id := range ids {
		x, v := w.BodyPositions(id)[0], w.BodyVelocities(id)[0]
		sum += mass[i]*(v.Dot(v)/2+g*x.Z) + bodies[i].Momentum().Dot(bodies[i].Spin())/2
	}
	return sum
}

// A brick on a ball joint above its centre swings with the period of a physical pendulum, keeps its energy, and stays
// where it hangs.
func TestPendulum(t *testing.T) {
	const g, amplitude, end = 9.81, 0.5, 10.0
	half := r3.V(0.02, 0.03, 0.2)
	for _, theta := range []float64{0.5, 1} {
		for _, h := range []float64{2e-3, 5e-3} {
			w := jointed(t, theta, r3.V(0, 0, -g))
			turn := r3.Rotation(r3.V(0, 1, 0), amplitude)
			b := brick(t, half, 1000, turn, r3.Vec{})
			place := turn.Rotate(r3.V(0, 0, half.Z))
			id := must(w.AddBody("rod", b, []r3.Vec{{}, {}}, make([]r3.Vec, 2)))
			joint := must(w.Join(toile.Joint{Name: "pivot", Kind: toile.BallJoint, A: id, Place: place}))
			mass := 8 * half.X * half.Y * half.Z * 1000
			energy := func() float64 {
				return mechanical(w, g, []toile.BodyID{id}, []*body.Rigid{b}, []float64{mass})
			}
			start, least, most := energy(), energy(), energy()
			worst, crossings, before := 0.0, 0, 1.0
			first, last := math.NaN(), 0.0
			for range int(math.Round(end / h)) {
				stats := must(w.Step(h))
				if !stats.Converged {
					t.Fatalf("residual %g m/s", stats.Residual)
				}
				worst = max(worst, stats.JointGap)
				least, most = min(least, energy()), max(most, energy())
				side := b.Turn().Rotate(r3.V(0, 0, 1)).X
				if before > 0 && side <= 0 {
					last = w.Time() - h*side/(side-before)
					if crossings++; crossings == 1 {
						first = last
					}
				}
				before = side
			}
			period := (last - first) / float64(crossings-1)
			force, _ := w.JointForce(joint)
			t.Logf("θ %g, step %g: period %.6g, energy %.2g to %.2g, gap %.2g m, force %v", theta, h, period, least-start, most-start, worst, force)
		}
	}
}

// A rod that is welded, hinged or hung off its centre and spins fast keeps its energy.
func TestJointsKeepEnergy(t *testing.T) {
	for _, kind := range []toile.JointKind{toile.BallJoint, toile.HingeJoint} {
		for _, theta := range []float64{0.5, 1} {
			w := jointed(t, theta, r3.Vec{})
			half := r3.V(0.02, 0.03, 0.2)
			b := brick(t, half, 1000, r3.NoRotation(), r3.V(0, 20, 0))
			id := must(w.AddBody("rod", b, []r3.Vec{{Z: -0.2}, {}}, []r3.Vec{{X: -4}, {}}))
			must(w.Join(toile.Joint{Name: "pivot", Kind: kind, A: id, Axis: r3.V(0, 1, 0)}))
			mass := 8 * half.X * half.Y * half.Z * 1000
			energy := func() float64 {
				return mechanical(w, 0, []toile.BodyID{id}, []*body.Rigid{b}, []float64{mass})
			}
			start, worst, angle := energy(), 0.0, 0.0
			for range 2000 {
				stats := must(w.Step(5e-3))
				worst, angle = max(worst, stats.JointGap), max(angle, stats.JointAngle)
			}
			t.Logf("%v θ %g: energy %g of %g, gap %g, angle %g", kind, theta, energy(), start, worst, angle)
		}
	}
}

// Two halves of a box that are welded tumble as the whole does.
func TestWeldedHalvesTumble(t *testing.T) {
	half, spin, end := r3.V(0.05, 0.1, 0.15), r3.V(0, 10, 0.1), 20.0
	want := referee.Flips(half, spin, end)
	for _, theta := range []float64{0.5, 1} {
		w := jointed(t, theta, r3.Vec{})
		var ids []toile.BodyID
		var bodies []*body.Rigid
		for i, side := range []float64{-1, 1} {
			b := brick(t, r3.V(half.X, half.Y, half.Z/2), 1000, r3.NoRotation(), spin)
			x := r3.V(0, 0, side*half.Z/2)
			ids = append(ids, must(w.AddBody(fmt.Sprint("half ", i), b, []r3.Vec{x, {}}, []r3.Vec{spin.Cross(x), {}})))
			bodies = append(bodies, b)
		}
		must(w.Join(toile.Joint{Name: "weld", Kind: toile.WeldJoint, A: ids[0], B: &ids[1]}))
		mass := 8 * half.X * half.Y * half.Z / 2 * 1000
		momentum := func() (l r3.Vec) {
			for i, b := range bodies {
				l = l.Add(b.Momentum()).Add(w.BodyPositions(ids[i])[0].Cross(w.BodyVelocities(ids[i])[0].Scale(mass)))
			}
			return l
		}
		const h = 5e-3
		start, flips, up := momentum(), 0, true
		e0 := mechanical(w, 0, ids, bodies, []float64{mass, mass})
		gap, angle := 0.0, 0.0
		for range int(end / h) {
			stats := must(w.Step(h))
			if !stats.Converged {
				t.Fatalf("residual %g m/s", stats.Residual)
			}
			gap, angle = max(gap, stats.JointGap), max(angle, stats.JointAngle)
			if now := bodies[0].Turn().Conj().Rotate(bodies[0].Spin()).Y > 0; now != up {
				flips, up = flips+1, now
			}
		}
		e := mechanical(w, 0, ids, bodies, []float64{mass, mass})
		t.Logf("θ %g: %d flips of %d, gap %.2g m, angle %.2g, momentum %.2g, energy %.3g", theta, flips, want, gap, angle,
			momentum().Sub(start).Norm()/start.Norm(), e/e0-1)
	}
}
