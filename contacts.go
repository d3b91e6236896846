// Contact within a step: what touches, the contact problem, and what it says about forces.
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ)          [Li18] eq. (5)
//
// Contacts are found twice: near the start of the step or met on the way with the velocities at its start, and then,
// as long as that brings new ones, on the way that was solved for. The last contacts and their impulses are state: they
// start the next solve, and decide on normals where geometry does not.

package toile

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/toile-sim/toile/contact"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/solve"
	"github.com/toile-sim/toile/untangle"
)

// SurfaceID names what can touch: the cloths and obstacles of a world, in the order in which they were added.
type SurfaceID int32

// ContactState is what a contact does.
type ContactState = solve.State

// The states of a contact.
const (
	TakeOff = solve.TakeOff // it separates, and has no impulse
	Stick   = solve.Stick
	Slide   = solve.Slide
)

func (w *World) newSurface(name string) SurfaceID {
	w.surfaces = append(w.surfaces, name)
	for range w.surfaces { // with itself and with all before
		w.friction = append(w.friction, math.NaN())
	}
	return SurfaceID(len(w.surfaces) - 1)
}

// pairOf returns where the friction of two surfaces is.
func pairOf(a, b SurfaceID) int {
	low, high := int(min(a, b)), int(max(a, b))
	return high*(high+1)/2 + low
}

// ClothSurface returns the surface of a cloth.
func (w *World) ClothSurface(id ClothID) SurfaceID { return w.cloths[id].surface }

// ObstacleSurface returns the surface of an obstacle.
func (w *World) ObstacleSurface(id ObstacleID) SurfaceID { return w.obstacles[id].surface }

// SurfaceName returns the name of the cloth or obstacle that a surface belongs to.
func (w *World) SurfaceName(id SurfaceID) string { return w.surfaces[id] }

// SetFriction sets the coefficient of friction between two surfaces, or of one with itself. It holds from the next step
// on. One that Drive put on a track cannot be set.
func (w *World) SetFriction(a, b SurfaceID, mu float64) {
	if !(mu >= 0) || math.IsInf(mu, 1) {
		panic("toile: a coefficient of friction must be finite and not negative")
	}
	if min(a, b) < 0 || int(max(a, b)) >= len(w.surfaces) {
		panic(fmt.Sprintf("toile: there are no surfaces %d and %d", a, b))
	}
	if w.driven(FrictionBetween(a, b)) {
		panic(fmt.Sprintf("toile: the friction of surfaces %d and %d is on a track", a, b))
	}
	w.friction[pairOf(a, b)] = mu
}

// Friction returns the coefficient of friction between two surfaces.
func (w *World) Friction(a, b SurfaceID) float64 {
	if mu := w.friction[pairOf(a, b)]; !math.IsNaN(mu) {
		return mu
	}
	return w.opt.Contact.Friction
}

// touch holds the contacts of a step and what was found for them.
type touch struct {
	set    contact.Set
	solved solve.Contacts
	h      float64 // length of that step [s]
}

// isStop tells the stop of a press from contacts of surfaces.
func isStop(c *contact.Contact) bool { return c.Law == contact.NormalOnly }

// buildContacts prepares detection and the contact solver after surfaces were added.
func (w *World) buildContacts() {
	o := w.opt.Contact
	w.finder = contact.DefaultFinder()
	w.finder.Thickness, w.finder.PushFraction, w.finder.PushSpeed = o.Thickness, o.PushFraction, o.PushSpeed
	w.finder.Self, w.finder.Team, w.finder.Prune = o.Self, w.team, o.Prune
	w.finder.Friction = func(a, b int32) float64 { return w.Friction(SurfaceID(a), SurfaceID(b)) }
	w.crossed = unknown
}

// laySurfaces tells detection and the contact solver which blocks the sheets have.
func (w *World) laySurfaces() {
	o := w.opt.Contact
	w.mapSurfaces()
	settings := solve.Settings{Team: w.team, MaxSweeps: o.MaxSweeps}
	w.contacts, _ = solve.SolverByName(o.Solver, settings) // which Options.Validate has found to exist
	w.scratch.touching = len(w.obstacles) > 0 || o.Self
	w.scratch.sheets = w.scratch.sheets[:0]
	for i := range w.cloths {
		c := &w.cloths[i]
		w.scratch.sheets = append(
			w.scratch.sheets,
			contact.Sheet{Surface: int32(c.surface), First: int32(c.first), Mesh: c.spec.Mesh},
		)
	}
}

// wall is an obstacle on its way from one pose to another, as detection sees it. A mesh ends at x.
func (k *obstacle) wall(from, to r3.Pose, x []r3.Vec) contact.Obstacle {
	return contact.Obstacle{
		Surface: int32(k.surface), Block: k.press, Field: k.spec.Shape, From: k.place(from), To: k.place(to),
		Tri: k.spec.Tri, X0: k.x, X1: x, Deforms: k.spec.Deform != nil, Friction: k.spec.Friction,
	}
}

// detect finds what is near or will be met. It fails if that cannot be told.
func (s *step) detect() error {
	s.now.set.Reset()
	if !s.touching {
		return nil
	}
	w := s.w
	s.walls = s.walls[:0]
	s.presses, s.partly = s.presses[:0], s.partly[:0]
	for i := range w.obstacles {
		k := &w.obstacles[i]
		s.walls = append(s.walls, k.wall(k.pose, k.next, k.xNext))
		if k.press != contact.None {
			axis := k.axisAt(k.next)
			s.presses = append(s.presses, untangle.Guide{Block: k.press, Axis: axis})
			s.partly = append(s.partly, solve.Along(k.press, axis))
		}
	}
	w.finder.Crossed = w.crossed != 0
	w.finder.Begin(s.sheets, s.walls)
	for i := range s.x1 {
		s.x1[i] = s.x0[i].AddScaled(s.h, s.v0[i])
		if w.fixed[i] {
			s.x1[i] = s.target[i]
		} else {
			s.x1[i] = s.x1[i].AddScaled(s.h*s.h, w.opt.Gravity.AddScaled(1/w.mass[i], s.force[i]))
		}
	}
	if err := s.astray(); err != nil {
		return err
	}
	s.past = s.past[:0]
	for i := range w.touch.set.Contacts {
		c := &w.touch.set.Contacts[i]
		if !w.touch.solved.R[i].Finite() {
			return fmt.Errorf("impulse of contact %d of the step before: %w", i, ErrNotFinite)
		}
		s.past = append(s.past, contact.Past{ID: c.ID, Normal: c.Normal(), Node: c.A})
	}
	w.finder.Find(s.motion(), s.past, &s.now.set)
	s.stopPresses()
	s.stats.Laps.Detect = s.took()
	return nil
}

// farthest bounds coordinates that detection is asked about [m]: squares of larger ones overflow. A step that leads
// there fails.
const farthest = 1e100

// astray says that the way of some block leads nowhere.
func (s *step) astray() error {
	for i := range s.x1 {
		if !(s.x0[i].MaxAbs() < farthest && s.x1[i].MaxAbs() < farthest) {
			return fmt.Errorf("vertex %d is on its way to %v m: %w", i, s.x1[i], ErrNotFinite)
		}
	}
	return nil
}

func (s *step) motion() contact.Motion {
	return contact.Motion{H: s.h, Theta: s.w.opt.Theta, X0: s.x0, V0: s.v0, X1: s.x1, Fixed: s.w.fixed}
}

// stopPresses adds the stop of each press that has one, as a row that only pushes.
func (s *step) stopPresses() {
	w, theta := s.w, s.w.opt.Theta
	for i := range w.obstacles {
		k := &w.obstacles[i]
		if k.press == contact.None || math.IsInf(k.spec.Press.Stop, 1) {
			continue
		}
		back := k.axisAt(k.next).Neg()
		gap := k.spec.Press.Stop - k.travel
		self := contact.Feature{Surface: int32(k.surface), Kind: contact.Whole}
		s.now.set.Add(contact.Contact{
			ID: contact.ID{A: self, B: self}, Law: contact.NormalOnly,
			A: k.press, B: contact.None, Frame: contact.FrameOf(back), Gap: gap,
			Uf: r3.V((gap/s.h+(1-theta)*back.Dot(s.v0[k.press]))/theta, 0, 0), Point: w.ObstaclePose(ObstacleID(i)).T,
		})
	}
	s.now.set.Sort()
}

// meet looks for contacts on the way that was solved for and adds them. It tells whether there were any.
func (s *step) meet() bool {
	if !s.touching {
		return false
	}
	s.arrive()
	if s.astray() != nil {
		return false // the step will fail
	}
	s.remember()
	s.w.finder.Hopeless = s.now.solved.Infeasible
	added := s.w.finder.Extend(s.motion(), s.past, &s.now.set)
	s.stats.Laps.Detect += s.took()
	return added > 0
}

// roughShare is the part of the thickness that nodes may be off by after all rounds but the last: half of what
// detection takes for a violation.
const roughShare = 0.005

// layered tells whether there are contacts between blocks.
func (s *step) layered() bool {
	for i := range s.now.set.Contacts {
		if s.now.set.Contacts[i].B != contact.None {
			return true
		}
	}
	return false
}

// remember keeps the contacts and impulses of a round for the next.
func (s *step) remember() {
	s.before.set.Contacts = append(s.before.set.Contacts[:0], s.now.set.Contacts...)
	s.before.solved.R = append(s.before.solved.R[:0], s.now.solved.R...)
	s.before.h = s.h
}

// solveContacts solves the contact problem, with as many linearizations as the options ask for. The impulses of before,
// where contacts were there before, are the first guess. It fails if the solver cannot attempt it.
func (s *step) solveContacts(before *touch, rough bool) error {
	w, out := s.w, &s.now.solved
	tolerance := w.opt.Contact.Tolerance
	if rough {
		tolerance = max(tolerance, roughShare*w.opt.Contact.Thickness/s.h)
	}
	out.Resize(len(s.x0), s.now.set.Len())
	w.carrier.Carry(&before.set, before.solved.R, &s.now.set, out.R)
	if before.h > 0 && before.h != s.h { // forces stay, impulses do not
		for i := range out.R {
			out.R[i] = out.R[i].Scale(s.h / before.h)
		}
	}
	s.problem, s.rough = s.contactProblem(tolerance), rough
	t := &s.contacts
	t.Newton, t.Solver, t.Team, t.Ready = w.opt.Newton.solver(), w.contacts, w.team, s.readyFunc
	t.Problem, t.Out, t.Push = &s.problem, out, s.push
	err := t.Solve(s, &s.result)
	s.stats.Sweeps += t.Sweeps
	s.stats.ContactNewton += t.Steps
	return err
}

// ready completes a contact problem that is about to be solved, and writes it where that was asked for.
func (s *step) ready(p *solve.ContactProblem) {
	p.Floor = s.floor()
	if !s.rough {
		s.writeProblem()
	}
}

// DumpNext has the contact problem of the next step that has contacts written to out, in the format of
// solve.WriteProblem. A step that cannot write it fails.
func (w *World) DumpNext(out io.Writer) { w.dump = out }

func (s *step) writeProblem() {
	w := s.w
	if w.dump == nil {
		return
	}
	s.dumpError = solve.WriteProblem(w.dump, &s.problem)
	w.dump = nil
}

// contactProblem is the problem of the step with the contacts found so far.
func (s *step) contactProblem(tolerance float64) solve.ContactProblem {
	return solve.ContactProblem{
		A: s.w.assembly.A, B: s.b, Mass: s.w.mass, Fixed: s.w.fixed, Partly: s.partly, Set: &s.now.set,
		V: s.now.solved.V, R: s.now.solved.R, Tolerance: tolerance, V0: s.v0, H: s.h, Equations: s,
		Past: solve.Past{Set: &s.w.touch.set, R: s.w.touch.solved.R, H: s.w.touch.h},
	}
}

// floor returns what rounding leaves of the residual at the velocities found so far [m/s].
func (s *step) floor() float64 {
	w := s.w
	return s.rounding.Floor(w.team, w.assembly.A, w.mass, w.fixed, s.x0, s.result.V, s.h)
}

// unbalanced returns the largest of balance - Jᵀ r over what can move [m/s], where balance is g(v). It changes balance.
func (s *step) unbalanced(balance []r3.Vec) float64 {
	if s.now.set.Len() > 0 {
		for i := range balance {
			balance[i] = balance[i].Sub(s.push[i])
		}
	}
	for _, p := range s.partly {
		balance[p.Block] = p.Free.MulVec(balance[p.Block])
	}
	return solve.Worst(s.w.mass, balance, s.w.fixed)
}

// tell writes what is to be known about the contacts into the statistics. A contact on the boundary of its cone that
// slips by less than the tolerance is said to stick.
func (s *step) tell() {
	set, solved := &s.now.set, &s.now.solved
	s.stats.WorstGap = math.Inf(1)
	for c := range set.Contacts {
		k := &set.Contacts[c]
		if u := solved.U[c]; solved.State[c] == Slide && math.Hypot(u.Y, u.Z) <= s.w.opt.Contact.Tolerance {
			solved.State[c] = Stick
		}
		if isStop(k) {
			continue
		}
		s.stats.Contacts++
		switch solved.State[c] {
		case Stick:
			s.stats.Sticking++
		case Slide:
			s.stats.Sliding++
		}
		if solved.Infeasible[c] {
			s.stats.Infeasible++
		} else {
			s.stats.PushWork += solved.R[c].X * k.Push
		}
		if k.ID.A.Kind != contact.Face || k.ID.B.Kind != contact.Whole { // large faces are held nearer to round shapes
			s.stats.WorstGap = min(s.stats.WorstGap, k.Gap)
		}
	}
}

// commitContacts makes the contacts of the step those of the last step.
func (w *World) commitContacts(s *step) {
	s.now.h = s.h
	w.touch, s.now = s.now, w.touch
}

// ContactPoint is a contact of the last step.
type ContactPoint struct {
	A, B          SurfaceID // the surfaces that met
	Vertex, Other int32     // the vertices of A and B nearest to it; Other is -1 where B is an obstacle
	Point         r3.Vec    // where they met, at the start of the step [m]
	Normal        r3.Vec    // from B to A, of unit length
	Impulse       r3.Vec    // on A, in the whole step [N s]
	Slip          r3.Vec    // velocity of A relative to B along the surfaces, mean over the step [m/s]
	Gap           float64   // distance at the start of the step [m]
	Mu            float64   // coefficient of friction
	State         ContactState
	Infeasible    bool // it contradicts others, such as two plates that close; its impulse was bounded
}

// Contacts appends the contacts of the last step to dst and returns it.
func (w *World) Contacts(dst []ContactPoint) []ContactPoint {
	for c := range w.touch.set.Contacts {
		k := &w.touch.set.Contacts[c]
		if isStop(k) {
			continue
		}
		p := ContactPoint{
			A: SurfaceID(k.ID.A.Surface), B: SurfaceID(k.ID.B.Surface), Other: -1,
			Point: k.Point, Normal: k.Normal(), Impulse: k.Frame.MulVecT(w.touch.solved.R[c]),
			Slip: w.slip(c), Gap: k.Gap, Mu: k.Mu,
			State: w.touch.solved.State[c], Infeasible: w.touch.solved.Infeasible[c],
		}
		p.Vertex = w.vertexOf(k.A)
		if k.B != contact.None {
			p.Other = w.vertexOf(k.B)
		}
		dst = append(dst, p)
	}
	return dst
}

// slip returns the tangential velocity of contact c. The solver's u is the mean over the step divided by θ, and its
// normal component contains the gap.
func (w *World) slip(c int) r3.Vec {
	u := w.touch.solved.U[c]
	return w.touch.set.Contacts[c].Frame.MulVecT(r3.V(0, u.Y, u.Z).Scale(w.opt.Theta))
}

// vertexOf returns the vertex, in its cloth, that a block belongs to, or -1 for a press.
func (w *World) vertexOf(block int32) int32 {
	after := sort.Search(len(w.cloths), func(i int) bool { return w.cloths[i].first > int(block) })
	if after == 0 {
		return -1
	}
	if c := &w.cloths[after-1]; int(block) < c.first+c.count {
		return block - int32(c.first)
	}
	return -1
}

// PairForce is what two surfaces do to each other. Of a surface with itself, force and torque are those on one side of
// each contact; on the whole surface they cancel.
type PairForce struct {
	A, B     SurfaceID
	Contacts int
	Force    r3.Vec // on A, mean over the last step [N]; on B it is the opposite
	Torque   r3.Vec // on A about the origin [N m]
}

// PairForces appends the net force and torque of each pair of surfaces with contacts in the last step to dst and
// returns it, sorted by A and then B. Forces act at the vertices that feel them.
func (w *World) PairForces(dst []PairForce) []PairForce {
	first := len(dst)
	where := map[[2]SurfaceID]int{}
	for c := range w.touch.set.Contacts {
		k := &w.touch.set.Contacts[c]
		if isStop(k) {
			continue
		}
		a, b := SurfaceID(k.ID.A.Surface), SurfaceID(k.ID.B.Surface)
		at, known := where[[2]SurfaceID{a, b}]
		if !known {
			at = len(dst)
			where[[2]SurfaceID{a, b}] = at
			dst = append(dst, PairForce{A: a, B: b})
		}
		p := &dst[at]
		force := k.Frame.MulVecT(w.touch.solved.R[c]).Scale(1 / w.touch.h)
		p.Contacts++
		p.Force = p.Force.Add(force)
		for _, t := range w.touch.set.Row(c) {
			if t.W > 0 {
				p.Torque = p.Torque.AddScaled(t.W, w.pos[t.Block].Cross(force))
			}
		}
	}
	slices.SortFunc(
		dst[first:],
		func(p, q PairForce) int { return cmp.Or(cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B)) },
	)
	return dst
}

// VertexContact sums up the contacts of one vertex in the last step.
type VertexContact struct {
	State   ContactState // Slide if one of its contacts slides, else Stick if one sticks, else TakeOff
	Gap     float64      // the smallest distance at the start of the step [m]; +Inf without a contact
	Impulse r3.Vec       // sum of its impulses, friction included, in the whole step [N s]
}

// VertexContacts writes what the vertices of a cloth feel to out, which is made if it is too short, and returns it.
func (w *World) VertexContacts(id ClothID, out []VertexContact) []VertexContact {
	c := &w.cloths[id]
	if len(out) < c.count {
		out = make([]VertexContact, c.count)
	}
	out = out[:c.count]
	for i := range out {
		out[i] = VertexContact{State: TakeOff, Gap: math.Inf(1)}
	}
	for i := range w.touch.set.Contacts {
		k, state := &w.touch.set.Contacts[i], w.touch.solved.State[i]
		push := k.Frame.MulVecT(w.touch.solved.R[i])
		for _, t := range w.touch.set.Row(i) {
			v := int(t.Block) - c.first
			if v < 0 || v >= c.count {
				continue
			}
			o := &out[v]
			o.Gap = min(o.Gap, k.Gap)
			if state == Slide || state == Stick && o.State != Slide {
				o.State = state
			}
			o.Impulse = o.Impulse.AddScaled(t.W, push)
		}
	}
	return out
}
