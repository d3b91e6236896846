package rigid

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// O19: a semicircular arch of rigid voussoirs stands by its own weight if its thickness t over its mean radius R is
// large enough for a line of thrust, and friction for its slope. With joints everywhere, and weight on the middle line,
// it stands from t/R = 0.10743 on if μ is above 0.3958, at μ = 0.3092 from 0.2006 on, and below never [Cocchetti20].
// With n voussoirs the limit is that of a linear program: forces in the friction cones at both ends of each joint that
// balance each voussoir, whose weight is at its own centre, which makes 0.10748 and 0.1986 of these limits. Voussoirs
// are polygons, smaller by half of the contact thickness at each joint, so that they begin at that distance.
var arches = verify.Case{
	ID: "O19", Title: "a semicircular arch of rigid voussoirs", Source: "[Cocchetti20], and a linear program",
	Body: func(t *verify.Trial) {
		counts, end := []int{27}, 0.5
		if t.Options.Full {
			counts, end = []int{27, 81}, 2
		}
		archProgram(t)
		for _, n := range counts {
			limit := archLimit(arch{n: n, mu: 0.35})
			t.Note(
				"%d voussoirs: least t/R of the program %.5f at μ 0.6, %.5f at μ 0.35",
				n, archLimit(arch{n: n, mu: 0.6}), limit,
			)
			runArch(t, arch{n: n, thickness: 0.120, mu: 0.6}, end, true)
			runArch(t, arch{n: n, thickness: 0.100, mu: 0.6}, end, false)
			runArch(t, arch{n: n, thickness: 1.02 * limit, mu: 0.35}, end, true)
			runArch(t, arch{n: n, thickness: 0.98 * limit, mu: 0.35}, end, false)
			runArch(t, arch{n: n, thickness: 0.25, mu: 0.28}, end, false)
		}
	},
}

// arch is an arch with R = 1 m, of n voussoirs, and its friction.
type arch struct {
	n         int
	thickness float64 // t/R
	mu        float64
	ideal     bool // voussoirs touch, and have their weight on the middle line
}

const (
	archThick = 2e-4 // contact thickness [m]
	archDepth = 0.3  // across [m]
	fallen    = 1e-3 // the way of a voussoir of an arch that falls [m]
)

// half returns half of the angle of a voussoir.
func (a *arch) half() float64 { return math.Pi / 2 / float64(a.n) }

// corners returns the corners of voussoir i in the plane x, z: at its lower joint inside and outside, and at its upper
// joint outside and inside. Its joint faces are a gap from the rays between voussoirs.
func (a *arch) corners(i int, gap float64) (out [4]r3.Vec) {
	low, high := 2*a.half()*float64(i), 2*a.half()*float64(i+1)
	at := func(radius, angle float64) r3.Vec { return r3.V(radius*math.Cos(angle), 0, radius*math.Sin(angle)) }
	for k, radius := range [2]float64{1 - a.thickness/2, 1 + a.thickness/2} {
		from, to := at(radius, low), at(radius, high)
		along := to.Sub(from).Unit().Scale(gap / math.Cos(a.half()))
		out[k], out[3-k] = from.Add(along), to.Sub(along)
	}
	return out
}

// stands tells by a linear program whether forces exist that balance every voussoir. Those of the lowest joint, two
// components and the moment about the origin, make all others, because each voussoir adds its weight. With N the normal
// force of a joint, T that along it and M its moment about the middle, all linear in the three numbers z,
//
//	|T| ≤ μ N,   |M| ≤ N t/2,   together G z ≤ c,
//
// which has no solution if and only if there is y ≥ 0 with Gᵀy = 0 and -cᵀy = 1: a mechanism, by Farkas's lemma.
func (a *arch) stands() bool {
	type linear [4]float64 // in z, and what does not depend on it
	add := func(p linear, f float64, q linear) linear {
		for i := range p {
			p[i] += f * q[i]
		}
		return p
	}
	x, z, moment := linear{1, 0, 0, 0}, linear{0, 1, 0, 0}, linear{0, 0, 1, 0} // on what is above the joint
	dual, wanted := make([][]float64, 4), []float64{0, 0, 0, 1}
	for j := range a.n + 1 {
		sin, cos := math.Sincos(2 * a.half() * float64(j))
		normal := add(add(linear{}, -sin, x), cos, z)
		along := add(add(linear{}, cos, x), sin, z)
		about := add(moment, -1, normal) // the middle of the joint is at cos, sin
		for _, sign := range [2]float64{-1, 1} {
			for _, g := range [2]linear{
				add(add(linear{}, sign, along), -a.mu, normal),
				add(add(linear{}, sign, about), -a.thickness/2, normal),
			} {
				for k := range dual {
					dual[k] = append(dual[k], g[k])
				}
			}
		}
		if j < a.n {
			area, centre := areaOf(a.corners(j, archThick/2))
			if a.ideal {
				area, centre = areaOf(a.corners(j, 0))
				centre = centre.Unit()
			}
			weight := area / (2 * a.half() * a.thickness) // all of them together are about n
			z[3] -= weight
			moment[3] -= centre.X * weight
		}
	}
	mechanism, _ := referee.Positive(dual, wanted)
	return mechanism == nil
}

// areaOf returns the area and the centre of a polygon in the plane x, z.
func areaOf(x [4]r3.Vec) (area float64, centre r3.Vec) {
	for i := range x {
		p, q := x[i], x[(i+1)%4]
		cross := (p.X*q.Z - p.Z*q.X) / 2
		area, centre = area+cross, centre.AddScaled(cross/3, p.Add(q))
	}
	return area, centre.Scale(1 / area)
}

// archLimit returns the least t/R with which an arch stands, up to 0.4.
func archLimit(a arch) float64 {
	lo, hi := 0.05, 0.4
	for hi-lo > 1e-6 {
		if a.thickness = (lo + hi) / 2; a.stands() {
			hi = a.thickness
		} else {
			lo = a.thickness
		}
	}
	return hi
}

// archProgram compares the program with the closed forms.
func archProgram(t *verify.Trial) {
	for _, c := range []struct{ mu, limit, digit float64 }{
		{0.6, 0.10743, 1e-5}, {0.39585, 0.10743, 1e-5}, {0.30925, 0.2006, 1e-4},
	} {
		t.Row(verify.Row{
			Quantity: fmt.Sprintf("program of 401 voussoirs, weight on the middle line, μ %g: least t/R", c.mu),
			Expected: c.limit, Measured: archLimit(arch{n: 401, mu: c.mu, ideal: true}), Bar: verify.Absolute,
			Limit: c.digit,
		})
	}
	t.Row(verify.Row{
		Quantity: "and at μ 0.3091: least t/R, looked for up to 0.4", Bar: verify.AtLeast, Limit: 0.4,
		Measured: archLimit(arch{n: 401, mu: 0.3091, ideal: true}),
	})
}

// runArch runs an arch from rest.
func runArch(t *verify.Trial, a arch, end float64, stands bool) {
	// floor and voussoirs
	const h = 2e-3
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction, opt.Contact.Thickness = t.Workers, a.mu, archThick
	w := t.World(opt)
	_, err := w.AddObstacle(engine.Obstacle{
		Name: "floor", Shape: shape.Plane{Point: r3.V(0, 0, -archThick/2), Normal: r3.V(0, 0, 1)}, Place: r3.Still(),
	})
	t.Must(err)
	ids, start := make([]engine.BodyID, a.n), make([]r3.Vec, a.n)
	for i := range a.n {
		ids[i], start[i] = addVoussoir(t, w, &a, i)
	}
	// steps until the end, or until it has fallen
	crossings, unsolved, way, now := 0, 0, 0.0, 0.0
	name := fmt.Sprintf("%d voussoirs, t/R %.4f, μ %g: ", a.n, a.thickness, a.mu)
	for ; now < end && way < fallen; now += h {
		t.At(name, now, end)
		stats, err := w.Step(h)
		t.Must(err)
		crossings += stats.Crossings
		if !stats.Converged {
			unsolved++
		}
		for i, id := range ids {
			way = max(way, w.BodyPositions(id)[0].Sub(start[i]).Norm())
		}
	}
	// whether it stands
	row := verify.Row{Quantity: name + fmt.Sprintf("way of a voussoir in %g s", end), Unit: "m", Measured: way}
	if row.Bar, row.Limit = verify.AtLeast, fallen; stands {
		row.Bar, row.Limit = verify.AtMost, 1e-8*end*float64(a.n)
		row.From = "1e-8 m/s at each joint, all the time and one way"
	}
	t.Row(row)
	// nothing crosses
	t.Row(verify.Row{Quantity: name + "crossings", Measured: float64(crossings), Bar: verify.AtMost})
	t.Note("%s%d steps above 1e-8 m/s in %.3f s", name, unsolved, now)
}

// addVoussoir adds voussoir i and returns where its centre is.
func addVoussoir(t *verify.Trial, w *engine.World, a *arch, i int) (engine.BodyID, r3.Vec) {
	var x []r3.Vec
	for _, y := range [2]float64{-archDepth / 2, archDepth / 2} {
		for _, p := range a.corners(i, archThick/2) {
			x = append(x, p.Add(r3.V(0, y, 0)))
		}
	}
	var tri [][3]int32
	for _, q := range [6][4]int32{
		{0, 1, 2, 3}, {7, 6, 5, 4}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0},
	} {
		tri = append(tri, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	spec, centre, err := body.RigidOf(x, tri, 2000)
	t.Must(err)
	_, id := setup.AddRigid(t, w, fmt.Sprint("voussoir ", i), spec, centre, r3.Vec{}, r3.NoRotation())
	return id, centre
}
