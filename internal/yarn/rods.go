package yarn

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// rods are the yarns as inextensible elastic rods [Bergou08]. With unit tangents t of the edges before and after a
// point, the curvature binormal there and the energies are
//
//	κb = 2 t₀ x t₁ / (1 + t₀·t₁),
//	E_bend  = Σ EI/(2 l) Σ_j |ω_j - ω̄_j|²,   ω_j = (κb·m₂ʲ, -κb·m₁ʲ),   j the edges before and after,
//	E_twist = Σ GJ m²/l,
//
// where l is the rest length of both edges together, m₁ʲ, m₂ʲ the material frame of an edge, ω̄ the rest shape and m
// the angle that the frame turns by from one edge to the next. |ω_j| = |κb|, so that half of the first energy is that
// of either frame.
//
// Frames are carried along in time, not along the yarn (appendix A of [Kaldor10]), so that every force depends on three
// points only. A frame is kept as its first director; the material frame is its own reference, and the angle m at a
// point is counted on from step to step, so that it may exceed a turn.
type rods struct {
	lay  *layout
	bend float64 // EI [N m²]
	turn float64 // GJ [N m²]

	plastic, plasticMost float64 // [rad]
	framed               bool    // frames matter: some rest shape is not straight, or some yarn is twisted

	// By edge, which has the number of its first point.
	tangent  []r3.Vec
	length   []float64 // now [m]
	director []r3.Vec  // m₁
	fixed    []bool    // its frame is given by what holds it

	// By point with an edge on both sides.
	kb    []r3.Vec
	twist []float64    // m [rad]
	shape [][4]float64 // ω̄ in the frames before and after

	seam []float64 // by yarn that is closed: the part of m at its first point that is no angle between frames [rad]

	// By edge, if someone asks for it: the frame before the last step, and how it has turned in it, as a vector.
	lastTangent, lastDirector, turned []r3.Vec

	before, after []r3.Vec // ∂E/∂e of the edges before and after a point
	theta         []float64
	careful       bool // take the largest stiffness of frames
	slope         []float64
	stiff         []float64
	coupling      []float64

	measureLoop, bendLoop, elementLoop, gatherLoop func(lo, hi int)
	carryLoop, twistLoop, slopeLoop, turnLoop      func(lo, hi int)
	plasticLoop, solveLoop, turnedLoop             func(lo, hi int)
	pos, force                                     []r3.Vec // of the loops
}

// newRods returns the rods of a layout. Their rest shape is straight and their frames have no twist.
func newRods(lay *layout, m *Material) *rods {
	n := len(lay.yarn)
	r := &rods{
		lay: lay, bend: m.Bend, turn: m.Twist, plastic: m.Plastic, plasticMost: m.PlasticMost, framed: m.Plastic > 0,
		tangent: make([]r3.Vec, n), length: make([]float64, n), director: make([]r3.Vec, n), fixed: make([]bool, n),
		kb: make([]r3.Vec, n), twist: make([]float64, n), shape: make([][4]float64, n), seam: make([]float64, len(lay.spans)),
		before: make([]r3.Vec, n), after: make([]r3.Vec, n),
		theta: make([]float64, n), slope: make([]float64, n), stiff: make([]float64, n), coupling: make([]float64, n),
	}
	r.measureLoop, r.bendLoop, r.elementLoop, r.gatherLoop = r.measureEdges, r.measureBends, r.differentiate, r.gather
	r.carryLoop, r.twistLoop, r.slopeLoop, r.turnLoop = r.carryFrames, r.followTwist, r.slopes, r.turnFrames
	r.plasticLoop, r.solveLoop, r.turnedLoop = r.flow, r.solveFrames, r.findTurned
	return r
}

// bends reports whether point i has an edge on both sides.
func (r *rods) bends(i int) bool {
	s := &r.lay.spans[r.lay.yarn[i]]
	return s.closed || i > s.first && i+1 < s.end
}

// span returns l of a point: the rest length of both its edges [m].
func (r *rods) span(i int) float64 { return r.lay.rest[r.lay.prev(i)] + r.lay.rest[i] }

const rodGrain = 512

// measure finds tangents, lengths and curvatures.
func (r *rods) measure(team *par.Team, pos []r3.Vec) {
	r.pos = pos
	team.For(len(pos), rodGrain, r.measureLoop)
	team.For(len(pos), rodGrain, r.bendLoop)
	r.pos = nil
}

func (r *rods) measureEdges(lo, hi int) {
	for i := lo; i < hi; i++ {
		if !r.lay.hasSegment(i) {
			continue
		}
		e := r.pos[r.lay.next(i)].Sub(r.pos[i])
		r.length[i] = e.Norm()
		r.tangent[i] = e.Scale(1 / r.length[i])
	}
}

// sharpest bounds 1 + cos of the angle between edges from below: κb of an edge that turns back on itself is large, not
// infinite.
const sharpest = 1e-6

func (r *rods) measureBends(lo, hi int) {
	for i := lo; i < hi; i++ {
		if r.bends(i) {
			a, b := r.tangent[r.lay.prev(i)], r.tangent[i]
			r.kb[i] = a.Cross(b).Scale(2 / max(1+a.Dot(b), sharpest))
		}
	}
}

// addForces adds the forces of bending and twist. The rods must be measured.
func (r *rods) addForces(team *par.Team, force []r3.Vec) {
	r.force = force
	team.For(len(force), rodGrain, r.elementLoop)
	team.For(len(force), rodGrain, r.gatherLoop)
	r.force = nil
}

// restBinormal returns the rest shape at point i as a vector, seen in the frame of edge j, with the given place in
// shape: b such that ω·ω̄ = κb·b.
func (r *rods) restBinormal(i, j, at int) r3.Vec {
	m1 := r.director[j]
	m2 := r.tangent[j].Cross(m1)
	return m2.Scale(r.shape[i][at]).AddScaled(-r.shape[i][at+1], m1)
}

// differentiate finds the derivatives of the energy at a point by both its edges.
func (r *rods) differentiate(lo, hi int) {
	for i := lo; i < hi; i++ {
		if !r.bends(i) {
			r.before[i], r.after[i] = r3.Vec{}, r3.Vec{}
			continue
		}
		p := r.lay.prev(i)
		a, b, kb, l := r.tangent[p], r.tangent[i], r.kb[i], r.span(i)
		g := kb.Scale(2)
		if r.framed {
			g = g.Sub(r.restBinormal(i, p, 0)).Sub(r.restBinormal(i, i, 2))
		}
		g = g.Scale(r.bend / l) // ∂E/∂κb
		chi := 1 / max(1+a.Dot(b), sharpest)
		along := kb.Dot(g)
		ga := b.Cross(g).Scale(2).AddScaled(-along, b).Scale(chi) // ∂E/∂t₀
		gb := g.Cross(a).Scale(2).AddScaled(-along, a).Scale(chi) // ∂E/∂t₁
		r.before[i] = ga.AddScaled(-ga.Dot(a), a).Scale(1 / r.length[p])
		r.after[i] = gb.AddScaled(-gb.Dot(b), b).Scale(1 / r.length[i])
		if r.framed {
			// ∂m/∂e = κb/(2|e|) of either edge.
			m := r.turn * r.twist[i] / l
			r.before[i] = r.before[i].AddScaled(m/r.length[p], kb)
			r.after[i] = r.after[i].AddScaled(m/r.length[i], kb)
		}
	}
}

// gather sums at every point what it has part in: the edge before it ends there, the edge after it begins there.
func (r *rods) gather(lo, hi int) {
	for i := lo; i < hi; i++ {
		f := r.after[i].Sub(r.before[i])
		if n := r.lay.next(i); n != i {
			f = f.Add(r.before[n])
		}
		if p := r.lay.prev(i); p != i {
			f = f.Sub(r.after[p])
		}
		r.force[i] = r.force[i].Add(f)
	}
}

// energy returns the energies of bending and of twist [J].
func (r *rods) energy() (bend, twist float64) {
	for i := range r.lay.yarn {
		if !r.bends(i) {
			continue
		}
		l := r.span(i)
		if !r.framed {
			bend += r.bend * r.kb[i].Norm2() / l
			continue
		}
		for at, edge := range [2]int{r.lay.prev(i), i} {
			bend += r.bend * r.kb[i].Sub(r.restBinormal(i, edge, 2*at)).Norm2() / (2 * l)
		}
		twist += r.turn * r.twist[i] * r.twist[i] / l
	}
	return bend, twist
}

// wrapped returns the angle that differs from a by whole turns and lies within half a turn of zero.
func wrapped(a float64) float64 { return a - 2*math.Pi*math.Round(a/(2*math.Pi)) }
