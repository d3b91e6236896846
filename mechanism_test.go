package toile_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile"
	"github.com/toile-sim/toile/body"
	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// linkage is a world of rods that joints hold together.
type linkage struct {
	*toile.World
	t      testing.TB
	ids    []toile.BodyID
	bodies []*body.Rigid
	mass   []float64
	g      float64
}

func newLinkage(t testing.TB, theta, g float64) *linkage {
	return &linkage{World: jointed(t, theta, r3.V(0, 0, -g)), t: t, g: g}
}

// rod adds a rod from one place to another, which spins about its end at from.
func (l *linkage) rod(from, to, spin r3.Vec) toile.BodyID {
	along := to.Sub(from)
	turn := r3.NoRotation()
	if axis := r3.V(1, 0, 0).Cross(along); axis.Norm() > 0 {
		turn = r3.Rotation(axis, math.Acos(along.X/along.Norm()))
	} else if along.X < 0 {
		turn = r3.Rotation(r3.V(0, 0, 1), math.Pi)
	}
	half := r3.V(along.Norm()/2, 0.01, 0.015)
	b := brick(l.t, half, 1000, turn, spin)
	v := spin.Cross(along.Scale(0.5))
	id := must(l.AddBody(fmt.Sprint("rod ", len(l.ids)), b, []r3.Vec{from.Lerp(to, 0.5), {}}, []r3.Vec{v, {}}))
	l.ids, l.bodies = append(l.ids, id), append(l.bodies, b)
	l.mass = append(l.mass, 8*half.X*half.Y*half.Z*1000)
	return id
}

func (l *linkage) join(kind toile.JointKind, place r3.Vec, a toile.BodyID, b *toile.BodyID) toile.JointID {
	return must(l.Join(toile.Joint{
		Name: fmt.Sprint("joint ", l.Joints()), Kind: kind, A: a, B: b, Place: place, Axis: r3.V(0, 1, 0),
	}))
}

func (l *linkage) energy() float64 { return mechanical(l.World, l.g, l.ids, l.bodies, l.mass) }

// run makes steps and returns the widest gap [m] and angle [rad], and the range of energy [J].
func (l *linkage) run(h float64, steps int) (gap, angle, least, most float64) {
	least, most = l.energy(), l.energy()
	for k := range steps {
		stats := must(l.Step(h))
		if !stats.Converged || stats.Crossings > 0 || stats.Failsafe.Rounds > 0 {
			l.t.Fatalf("step %d: residual %g m/s, %d crossings", k, stats.Residual, stats.Crossings)
		}
		gap, angle = max(gap, stats.JointGap), max(angle, stats.JointAngle)
		least, most = min(least, l.energy()), max(most, l.energy())
	}
	return gap, angle, least, most
}

func TestDoublePendulum(t *testing.T) {
	for _, kind := range []toile.JointKind{toile.BallJoint, toile.HingeJoint} {
		for _, h := range []float64{1e-3, 2e-3, 4e-3} {
			l := newLinkage(t, 0.5, 9.81)
			a := l.rod(r3.Vec{}, r3.V(0.3, 0, 0), r3.Vec{})
			b := l.rod(r3.V(0.3, 0, 0), r3.V(0.6, 0, 0), r3.Vec{})
			l.join(kind, r3.Vec{}, a, nil)
			l.join(kind, r3.V(0.3, 0, 0), b, &a)
			gap, angle, least, most := l.run(h, int(10/h))
			t.Logf("%v step %g: gap %.2g angle %.2g energy %.3g %.3g of %.3g", kind, h, gap, angle, least, most, l.mass[0]*9.81*0.6)
		}
	}
}

func TestFourBar(t *testing.T) {
	for _, theta := range []float64{0.5, 1} {
		for _, h := range []float64{2e-3, 5e-3} {
			l := newLinkage(t, theta, 9.81)
			corners := []r3.Vec{{}, {Z: 0.1}, {X: 0.3, Z: 0.25}, {X: 0.35}}
			crank := l.rod(corners[0], corners[1], r3.V(0, 10, 0))
			coupler := l.rod(corners[1], corners[2], r3.Vec{})
			rocker := l.rod(corners[2], corners[3], r3.Vec{})
			l.join(toile.HingeJoint, corners[0], crank, nil)
			l.join(toile.HingeJoint, corners[1], coupler, &crank)
			l.join(toile.HingeJoint, corners[2], rocker, &coupler)
			l.join(toile.HingeJoint, corners[3], rocker, nil)
			gap, angle, least, most := l.run(h, int(4/h))
			t.Logf("θ %g step %g: gap %.2g angle %.2g energy %.3g %.3g", theta, h, gap, angle, least, most)
		}
	}
}

func TestRingOfWelds(t *testing.T) {
	l := newLinkage(t, 1, 9.81)
	var ids []toile.BodyID
	corners := []r3.Vec{{}, {Z: 0.3}, {X: 0.3, Z: 0.3}, {X: 0.3}}
	for i, c := range corners {
		ids = append(ids, l.rod(c, corners[(i+1)%4], r3.V(0, 0, 0)))
	}
	for i := range ids {
		l.join(toile.WeldJoint, corners[i], ids[i], &ids[(i+3)%4])
		l.join(toile.WeldJoint, corners[i], ids[i], &ids[(i+2)%4])
	}
	l.join(toile.HingeJoint, corners[1], ids[0], nil)
	l.join(toile.HingeJoint, corners[1].Add(r3.V(0, 0.2, 0)), ids[0], nil)
	gap, angle, least, most := l.run(2e-3, 1000)
	t.Logf("gap %.2g angle %.2g energy %.3g %.3g", gap, angle, least, most)
}

// Chains that fly about in a box, with a cloth tied to one, faster than contacts can tell, never go through anything, and
// come together again where the fail-safe has drawn them apart.
func TestChainsNeverCross(t *testing.T) {
	brought := 0
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 1))
		opt := toile.DefaultOptions()
		opt.Workers = 1
		opt.Contact.Rounds = int(seed % 2)
		w := must(toile.New(opt))
		for i, n := range []r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}} {
			must(w.AddObstacle(toile.Obstacle{
				Name: fmt.Sprint("wall ", i), Shape: geom.Plane{Point: n.Scale(-0.4), Normal: n}, Place: r3.Still(),
			}))
		}
		any := func(size float64) r3.Vec {
			return r3.V(random.Float64()-0.5, random.Float64()-0.5, random.Float64()-0.5).Scale(2 * size)
		}
		half := r3.V(0.05, 0.03, 0.02)
		for chain := range 3 {
			var before *toile.BodyID
			for k := range 4 {
				at := r3.V(0.11*(float64(k)-1.5), 0.2*float64(chain-1), 0)
				id := must(w.AddBody(fmt.Sprintf("link %d of %d", k, chain), brick(t, half, 500, r3.NoRotation(), any(20)),
					[]r3.Vec{at, {}}, []r3.Vec{any(4), {}}))
				if before != nil {
					kind := toile.JointKind(random.IntN(3))
					must(w.Join(toile.Joint{
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
			cloth := addCloth(t, w, toile.DefaultCloth("flag", m, x, fabric(t, "cotton-interlock")))
			must(w.Attach(toile.Attachment{
				Name: "flag", Cloth: cloth, To: *before,
				Vertices: verticesWhere(x, func(p r3.Vec) bool { return p.X > 0.1-1e-9 && p.Y < 0.03 }),
			}))
		}
		worst := 0.0
		for k := range 60 {
			stats := must(w.Step(4e-3))
			brought += stats.Failsafe.Blocks
			worst = max(worst, stats.JointGap)
			if stats.Crossings > 0 || stats.Failsafe.Left > 0 {
				t.Fatalf("seed %d, step %d: %d crossings, %+v %+v", seed, k, stats.Crossings, stats.Failsafe, stats.Crossed)
			}
			if stats.Failsafe.Rounds > 0 || !stats.Converged {
				t.Logf("seed %d, step %d: %+v, gap %g, residual %g", seed, k, stats.Failsafe, stats.JointGap, stats.Residual)
			}
		}
		t.Logf("seed %d: gap %g", seed, worst)
	}
	if brought == 0 {
		t.Error("nothing was fast enough to try the fail-safe")
	}
}
