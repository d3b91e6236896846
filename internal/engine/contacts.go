// Contact within a step: what touches, the contact problem, and what it says about forces.
//
//	A v + b = Jᵀ r,   u = J v + u_f,   (r, u) ∈ C(μ)          [Li18] eq. (5)
//
// Contacts are found twice: near the start of the step or met on the way with the velocities at its start, and then,
// as long as that brings new ones, on the way that was solved for. The last contacts and their impulses are state: they
// start the next solve, and decide on normals where geometry does not.

package engine

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// detect finds what is near or will be met, and what bodies demand by themselves. It fails if that cannot be told.
func (s *step) detect() error {
	s.found.set.Reset()
	if err := s.guide(); err != nil {
		return err
	}
	if s.tangible {
		if err := s.find(); err != nil {
			return err
		}
	}
	err := s.bind()
	s.stats.Laps.Detect = s.took() - s.assembling
	return err
}

// guide lists the blocks that bodies prescribe in part.
func (s *step) guide() error {
	s.partly = s.partly[:0]
	for i := range s.w.bodies {
		b := s.w.bodies[i].guided
		if b == nil {
			continue
		}
		from := len(s.partly)
		s.partly = b.Guides(s.partly)
		for k := from; k < len(s.partly); k++ {
			s.partly[k].Block += int32(s.w.bodies[i].first)
		}
	}
	slices.SortFunc(s.partly, func(p, q contact.Partial) int { return cmp.Compare(p.Block, q.Block) })
	if err := solve.CheckPartly(s.partly, s.w.assembly.A); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return nil
}

// find finds contacts near the start, or on the way with the velocities there.
func (s *step) find() error {
	w := s.w
	s.skins = s.skins[:w.skinOf(0)]
	for i := range w.obstacles {
		k := &w.obstacles[i]
		s.skins = append(s.skins, w.skin(k, k.pose, k.next, k.xNext))
	}
	w.finder.Crossed, w.finder.Start = w.crossed != 0, w.steps == 0
	w.finder.Begin(s.skins)
	if err := s.expect(); err != nil {
		return err
	}
	s.Linearize(nil) // for kept
	s.past = s.past[:0]
	for i := range w.last.set.Contacts {
		c := &w.last.set.Contacts[i]
		if !w.last.answer.R[i].Finite() {
			return fmt.Errorf("impulse of contact %d of the step before: %w", i, ErrNotFinite)
		}
		s.past = append(s.past, contact.Past{
			ID: c.ID, Normal: c.Normal(), Node: c.A, Prevented: s.preventedApproach(i),
		})
	}
	w.finder.Find(s.motion(), s.past, &s.found.set)
	for range w.sheets { // each may lie on the one before
		if w.steps > 0 || !s.layOff() {
			break
		}
		if err := s.expect(); err != nil {
			return err
		}
		w.finder.Begin(s.skins)
		w.finder.Find(s.motion(), s.past, &s.found.set)
	}
	if w.blind {
		s.found.set.Reset()
	}
	return s.tellsNumbers()
}

// expect finds where blocks would be at the end without contacts.
func (s *step) expect() error {
	w := s.w
	for i := range s.x1 {
		s.x1[i] = s.x0[i].AddScaled(s.h, s.v0[i])
		if w.fixed[i] {
			s.x1[i] = s.target[i]
		} else {
			s.x1[i] = s.x1[i].AddScaled(s.h*s.h, s.fall[i].AddScaled(1/w.mass[i], s.force[i]))
		}
	}
	return s.checkBounds()
}

// preventedApproach returns how much nearer the sides of a contact of the last step would have come without its
// impulse.
func (s *step) preventedApproach(i int) float64 {
	w, A := s.w, s.w.assembly.A
	last, n := &w.last, w.last.set.Contacts[i].Normal()
	speed := 0.0
	for _, t := range last.set.Row(i) {
		if give, ok := A.Val[A.Diag[t.Block]].Inverse(); ok && !w.fixed[t.Block] {
			speed += t.W * t.W * n.Dot(give.MulVec(n))
		}
	}
	return together * last.h * speed * last.answer.R[i].X
}

// together is how much farther blocks give way than they would with their neighbours held. With 1 half of what only
// impulses kept apart is missed on drapes; with 20 contacts of stiff cards stay that are not needed, and slow the
// solver.
const together = 4

// tellsNumbers says which obstacle has told a distance or a normal that is no number, such as a field of the user's.
func (s *step) tellsNumbers() error {
	for i := range s.found.set.Contacts {
		if c := &s.found.set.Contacts[i]; !c.Normal().Finite() || !c.Uf.Finite() {
			return fmt.Errorf("the distance or the normal of %s near %v m is no number: %w",
				s.w.SurfaceName(SurfaceID(c.ID.B.Surface)), c.Point, ErrNotFinite)
		}
	}
	return nil
}

func (s *step) motion() contact.Motion {
	return contact.Motion{
		H: s.h, Theta: s.w.opt.Theta, X0: s.points(s.x0), V0: s.points(s.v0), X1: s.ends(s.x1), Fixed: s.fixedPoints(),
	}
}

// bind adds the rows that bodies have of their own, which it names, and those that tie bodies.
func (s *step) bind() error {
	// rows of single bodies, named by their place among these
	set := &s.found.set
	for i := range s.w.bodies {
		m := &s.w.bodies[i]
		b := m.bound
		if b == nil {
			continue
		}
		from := set.Len()
		b.Bind(set, int32(m.first), m.of(s.v0), s.h, s.w.opt.Theta)
		for k := from; k < set.Len(); k++ {
			set.Contacts[k].ID = boundID(m.surface, k-from)
			if err := set.Check(k, len(s.x0)); err != nil {
				return fmt.Errorf("row %d of %s: %w", k-from, s.w.surfaces[m.surface], err)
			}
		}
	}
	// rows of joints and attachments, which may be made anew later in the step
	from := set.Len()
	s.tied = ties{part: 1, far: 1}
	s.bindTies()
	s.tied.bound = true
	for k := from; k < set.Len(); k++ {
		if err := set.Check(k, len(s.x0)); err != nil {
			return fmt.Errorf("row %d of joints and attachments: %w: %w", k-from, ErrNotFinite, err)
		}
	}
	// in the order of their ids
	set.Sort()
	return nil
}

// detectOnPath looks for contacts on the way that was solved for and adds them. It tells whether there were any.
func (s *step) detectOnPath() bool {
	if !s.tangible || s.w.blind {
		return false
	}
	s.arrive()
	if s.checkBounds() != nil {
		return false // the step will fail
	}
	s.remember()
	s.w.finder.Infeasible = s.found.answer.Bounded
	added := s.w.finder.Extend(s.motion(), s.past, &s.found.set)
	s.stats.Laps.Detect += s.took()
	return added > 0
}

// refines tells whether a first round need not meet the tolerance: there are contacts between blocks, so that more are
// to be expected, and the solver has no rule of its own.
func (s *step) refines() bool {
	if s.w.opt.Contact.byChange() || s.w.opt.Contact.Rough == 0 {
		return false
	}
	for i := range s.found.set.Contacts {
		if s.found.set.Contacts[i].B != contact.None {
			return true
		}
	}
	return false
}

// solveContacts solves the contact problem, with as many linearizations as the options ask for. The impulses of before,
// where contacts were there before, are the first guess. It fails if the solver cannot attempt it.
func (s *step) solveContacts(before *solvedContacts, rough bool) error {
	w, out := s.w, &s.found.answer
	tolerance := w.opt.Contact.Tolerance
	if rough {
		tolerance = max(tolerance, w.opt.Contact.Rough*w.opt.Contact.Thickness/s.h)
	}
	out.Resize(len(s.x0), s.found.set.Len())
	w.carrier.Forward(solve.Past{Set: &before.set, R: before.answer.R, H: before.h}, &s.found.set, s.h, out.R)
	s.problem, s.rough = s.contactProblem(tolerance), rough
	if before == &s.earlier {
		s.problem.Earlier = s.lastRound()
	}
	s.problem.Again = s.prepared && w.opt.Newton.Iterations == 1
	t := &s.contacts
	t.Newton, t.Solver, t.Team, t.Ready = w.opt.Newton.solver(), w.contacts, w.team, s.readyFunc
	t.Newton.Tolerance = max(t.Newton.Tolerance, tolerance) // Newton's method sees what the solver leaves
	t.Problem, t.Out, t.Push = &s.problem, out, s.push
	t.Spent = s.spentFunc
	err := t.Solve(s, &s.result)
	s.pay(t.Steps)
	s.prepared = err == nil
	s.stats.Sweeps += t.Sweeps
	s.stats.ContactNewton += t.Steps
	return err
}

// lastRound returns what the round before has told about the contacts of this one. It may have had fewer.
func (s *step) lastRound() solve.Round {
	now, before := s.found.set.Contacts, s.earlier.set.Contacts
	s.proof = append(s.proof[:0], make([]r3.Vec, len(now))...)
	s.hopeless = append(s.hopeless[:0], make([]bool, len(now))...)
	k, proven := 0, false
	for i := range now {
		for k < len(before) && before[k].ID.Compare(now[i].ID) < 0 {
			k++
		}
		if k < len(before) && before[k].ID == now[i].ID {
			s.proof[i], s.hopeless[i] = s.earlier.answer.Proof[k], s.earlier.answer.Bounded[k]
			proven = proven || s.proof[i] != r3.Vec{}
		}
	}
	told := solve.Round{
		Stalled: s.earlier.answer.Stalled, Unsettled: s.earlier.answer.Unsettled, Bounded: s.hopeless,
	}
	if proven {
		told.Proof = s.proof
	}
	return told
}

// ready completes a contact problem that is about to be solved, and writes it where that was asked for.
func (s *step) ready(p *solve.ContactProblem) {
	p.Budget = s.w.budget.of(s.contacts.Steps)
	if s.rough { // its tolerance is far above what rounding leaves
		return
	}
	p.Floor = s.floor()
	s.writeProblem()
}

// DumpNext has the contact problem of the next step written to out, in the format of solve.WriteProblem: of one that is
// refused and halved that of the first try. A step that cannot write it fails. A step without contacts (Stats.Contacts)
// has no such problem, and writes nothing, nor does any step after it.
func (w *World) DumpNext(out io.Writer) { w.dump = out }

// Watch has each called with the last problem that every step solves, be it taken or refused, with contacts or without:
// its answer is in V and R, and void marks the contacts that contradict others. Both belong to the step, which goes on
// with what each leaves in them. A nil each ends it.
func (w *World) Watch(each func(p *solve.ContactProblem, void []bool)) { w.watch = each }

// Blind has steps find no contacts and refuse no crossings, so that tests see these counted.
func (w *World) Blind() { w.blind = true }

func (s *step) show() {
	if s.w.watch == nil {
		return
	}
	p := s.contactProblem(s.w.opt.Contact.Tolerance)
	p.V = s.result.V
	s.w.watch(&p, s.found.answer.Infeasible)
}

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
		A: s.w.assembly.A, B: s.b, Mass: s.w.mass, Fixed: s.w.fixed, Partly: s.partly, Set: &s.found.set,
		V: s.found.answer.V, R: s.found.answer.R, Tolerance: tolerance, V0: s.v0, H: s.h, Equations: s,
		Past: solve.Past{
			Set: &s.w.last.set, R: s.w.last.answer.R, H: s.w.last.h, Unsettled: s.w.last.answer.Unsettled,
		},
	}
}

// floor returns what rounding leaves of the residual at the velocities found so far [m/s].
func (s *step) floor() float64 {
	w := s.w
	return s.rounding.Floor(w.team, w.assembly.A, w.mass, w.fixed, s.x0, s.result.V, s.h)
}

// fillStats writes what is to be known about the contacts into the statistics. A contact on the boundary of its cone
// that slips by less than the tolerance is said to stick.
func (s *step) fillStats() {
	set, solved := &s.found.set, &s.found.answer
	s.stats.WorstGap = math.Inf(1)
	if s.tangible {
		s.stats.Smooth.Smoothed = s.w.finder.Smoothed(set)
	}
	for c := range set.Contacts {
		k := &set.Contacts[c]
		if u := solved.U[c]; solved.State[c] == Slide && math.Hypot(u.Y, u.Z) <= s.w.opt.Contact.Tolerance {
			solved.State[c] = Stick
		}
		if isBound(k) {
			continue
		}
		s.stats.Contacts++
		switch solved.State[c] {
		case Stick:
			s.stats.Sticking++
		case Slide:
			s.stats.Sliding++
		}
		switch {
		case solved.Infeasible[c]:
			s.stats.Infeasible++
		case solved.Bounded[c]:
			s.stats.Jammed++
		default:
			s.stats.PushWork += solved.R[c].X * k.Push
		}
		if k.ID.A.Kind != contact.Face || k.ID.B.Kind != contact.Whole { // large faces are held nearer to round shapes
			s.stats.WorstGap = min(s.stats.WorstGap, k.Gap)
		}
	}
}

// commitContacts makes the contacts of the step those of the last step.
func (w *World) commitContacts(s *step) {
	s.found.h = s.h
	w.last, s.found = s.found, w.last
}
