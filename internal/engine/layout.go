package engine

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact/detect"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// build lays out the matrix after cloths were added.
func (w *World) build() {
	if w.assembly != nil {
		return
	}
	w.buildContacts()
	w.buildMatrix()
}

// buildMatrix lays out the matrix, and what else knows of blocks.
func (w *World) buildMatrix() {
	for i := range w.bodies {
		if b := w.bodies[i].airy; b != nil {
			b.SetInAir(w.opt.Air.Density > 0 || w.driven(AirDensity()))
		}
	}
	w.inertia = append(w.inertia[:0], make([]r3.Mat, len(w.pos))...)
	var parts []mech.Placed
	for _, b := range w.bodies {
		b.Inertia(w.inertia[b.first : b.first+b.count])
		for _, p := range b.Parts() {
			parts = append(parts, mech.Placed{Part: p, First: b.first, Nodes: b.count})
		}
	}
	for i := range w.mass {
		w.mass[i] = w.inertia[i].LeastEigenvalue()
	}
	w.assembly = mech.NewAssembly(w.team, len(w.pos), parts)
	w.solver = solve.Free{Team: w.team, Linear: solve.Linear(w.opt.Linear), Newton: w.opt.Newton.solver()}
	w.scratch.resize(w)
	w.buildSurfaces()
}

// mapSurfaces tells detection what differs from place to place.
func (w *World) mapSurfaces() {
	// thickness by vertex
	n := len(w.pos) + w.scratch.carried
	w.finder.VertexThickness, w.finder.VertexFriction = nil, nil
	if w.maps(mech.Thickness) {
		w.finder.VertexThickness = make([]float64, n)
		w.spreadThickness()
	}
	// painted friction
	for i := range w.bodies {
		b := &w.bodies[i]
		if m := b.mapOf(mech.Friction); m != nil {
			w.frictionByPoint(n)
			copy(w.finder.VertexFriction[b.first:], m)
		}
	}
	// friction of whole bodies, on all their points
	at := 0
	for i := range w.bodies {
		b := &w.bodies[i]
		if b.Skin() == nil {
			continue
		}
		if skin := &w.scratch.skins[at]; !math.IsNaN(b.mu) {
			w.frictionByPoint(n)
			for k := range skin.Points {
				w.finder.VertexFriction[int(skin.First)+k] = b.mu
			}
		}
		at++
	}
	// pairs of surfaces with friction of their own
	w.finder.HasFriction = func(a, b int32) bool { return !math.IsNaN(w.friction[pairOf(SurfaceID(a), SurfaceID(b))]) }
}

// frictionByPoint makes room for the friction of n points, which have none of their own at first.
func (w *World) frictionByPoint(n int) {
	if w.finder.VertexFriction == nil {
		const none = -1
		w.finder.VertexFriction = filled(n, none)
	}
}

// maps reports whether something differs from place to place of some body.
func (w *World) maps(kind mech.MapKind) bool {
	return slices.ContainsFunc(w.bodies, func(b placedBody) bool { return b.mapOf(kind) != nil })
}

// rubs tells whether some surface has friction of its own.
func (w *World) rubs() bool {
	own := func(b placedBody) bool { return !math.IsNaN(b.mu) }
	return w.maps(mech.Friction) || slices.ContainsFunc(w.bodies, own) ||
		slices.ContainsFunc(w.obstacles, func(o obstacle) bool { return o.spec.Friction != nil })
}

func filled(n int, value float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = value
	}
	return out
}

// buildContacts prepares detection and the contact solver after surfaces were added.
func (w *World) buildContacts() {
	o := w.opt.Contact
	w.finder = detect.DefaultFinder()
	w.finder.Thickness, w.finder.PushFraction, w.finder.PushSpeed = o.Thickness, o.PushFraction, o.PushSpeed
	w.finder.Self, w.finder.Team, w.finder.Prune, w.finder.PointContacts = o.Self, w.team, o.Prune, o.PointContacts
	if o.byChange() {
		w.finder.Tolerated = solve.LeftByChange // what the solver leaves of contacts that it knows
	}
	w.finder.Friction = func(a, b int32) float64 { return w.Friction(SurfaceID(a), SurfaceID(b)) }
	w.crossed = unknown
}

// buildSurfaces tells detection and the contact solver which points the skins of cloths have.
func (w *World) buildSurfaces() {
	o := w.opt.Contact
	settings := solve.Settings{
		Team: w.team, MaxSweeps: o.MaxSweeps, Thickness: o.Thickness, Tolerance: o.Tolerance,
		Relaxation: o.Relaxation, Staggered: o.Staggered,
	}
	w.contacts, _ = solve.SolverByName(o.Solver, settings) // which Options.Validate has found to exist
	w.scratch.tangible = len(w.obstacles) > 0 || o.Self
	w.scratch.skins, w.scratch.carried, w.scratch.carrying = w.scratch.skins[:0], 0, w.scratch.carrying[:0]
	for i := range w.bodies {
		if own := w.bodies[i].Skin(); own != nil {
			skin := *own
			skin.Surface, skin.First = int32(w.bodies[i].surface), int32(w.bodies[i].first)
			w.numberCarried(&skin, i)
			w.scratch.skins = append(w.scratch.skins, skin)
		}
	}
	w.scratch.bodySkins = len(w.scratch.skins)
	w.scratch.makeRoom()
	w.mapSurfaces()
	w.tieSurfaces()
}

// makeRoom makes room for carried points behind blocks.
func (s *step) makeRoom() {
	for _, p := range []*[]r3.Vec{&s.x0, &s.v0, &s.x1} {
		*p = slices.Grow((*p)[:len(s.b)], s.carried)
	}
	s.heldPoints = append(s.heldPoints[:0], make([]bool, len(s.b)+s.carried)...)
}

// resize makes room for the blocks of the world.
func (s *step) resize(w *World) {
	n := len(w.pos)
	*s = step{w: w}
	for _, p := range []*[]r3.Vec{
		&s.x0, &s.v0, &s.force, &s.fall, &s.target, &s.aim, &s.xTheta, &s.vTheta, &s.b, &s.shift, &s.turn, &s.x1, &s.push, &s.result.V,
	} {
		*p = make([]r3.Vec, n)
	}
	s.speedFunc, s.kineticFunc, s.gravityFunc = s.speed, s.kinetic, s.gravity
	s.thetaFunc, s.balanceFunc = s.theta, s.balance
	s.readyFunc, s.spentFunc = s.ready, s.spent
	s.loss.make(s)
}
