// Staggered projections with friction forwarded from the last step [Larionov21] section 5.5, after [Kaufman08].
//
//	A v* + b = J_Nᵀ r_N* + J_Tᵀ r_T(t),   0 ≤ u_N ⟂ r_N* ≥ 0                 the predictor, eq. (23)
//	u(r) = J v* + u_f + W (r - r*),   r* = (r_N*, r_T(t)),   W = J H⁻¹ Jᵀ
//	r_T ← argmin ½ yᵀ W_TT y + y·(u_T - W_TT r_T),   ‖y‖ ≤ μ r_N              friction, eq. (26a)
//	r_N ← argmin ½ yᵀ W_NN y + y·(u_N - W_NN r_N),   y ≥ 0                    normals, eq. (26b)
//	v = v* + H⁻¹ Jᵀ (r - r*)                                                  the corrector, eq. (22)
//
// H is the metric. With the mass alone, as in the paper, W is sparse and only the predictor knows of stiffness: the
// corrected velocities obey the law of contact and not the balance, by (A - M) M⁻¹ Jᵀ (r - r*), which is in the
// residual. With all of A, W is dense, the predictor is the first projection on the normals, and the fixed points are
// the solutions of the problem that all solvers share.
//
// Departures from the paper. (26) is written without M_e = W⁻¹, which does not exist where contacts are redundant; the
// z of (27) drops the normal part of M_e J v*, this does not. (21) has B_N and B_T the wrong way round; (22) adds all
// of r_N, which the predictor has in it already, and the change of r_N belongs to it: without it friction would push
// into the surface. u_N is that of the end of the step, with the gap. Ties are free in both projections.
//
// Forwarding. r_T(t) are the impulses of the last step, of contacts that are still there, turned with their normals and
// for the length of this step (Carrier). With the mass as metric they are physics: all that friction does to what is
// not touched itself within a step it does by way of the predictor. With all of A they are where the iteration starts.
//
// Ends. With the mass: ‖r_T - last‖_W² ≤ 1e-4 ‖last‖_W², which is 1 % of the impulse, after ten times at most. With all
// of A: where the law holds; plain projections come nearer by the same share each time, and in stacks by little, so
// that the normal impulses of the next disks are mixed from those of the last few (anderson.go).

package solve

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// StaggeredSettings are what staggered projections are told besides.
type StaggeredSettings struct {
	Mass  bool // the metric is the mass alone, as in [Larionov21], and not all of A
	Polar bool // disks in polar form, eq. (28), and not by exact projection
	Fresh bool // no friction is forwarded from the last step
}

// Staggered solves contact problems by staggered projections. It keeps its workspace.
type Staggered struct {
	StaggeredSettings
	MaxProjections int // pairs of projections at most; 0: ten with the mass as metric, mostStaggered with all of A
	Team           *par.Team

	given   *ContactProblem
	out     *Contacts
	measure Measure
	metric  metric
	w       gram
	carrier Carrier
	project projection

	predictor Nodal
	first     ContactProblem // of the predictor
	smooth    contact.Set    // without friction
	loads     []r3.Vec
	predicted Contacts

	forwarded  []r3.Vec
	began      []r3.Vec // r*; zero where all of A is the metric
	free       []r3.Vec // the velocities at r*
	push, last []r3.Vec

	faster        anderson
	radii, pushed []float64 // normal impulses before and after a pair of projections
}

// metric is H⁻¹.
type metric struct {
	known *sparse.BSR // that the factor is of
	compliance
	inverse []r3.Mat // by block, of a metric without coupling
}

const (
	// ownRule is the share of its square by which friction may change in the last projections [Larionov21].
	ownRule = 1e-4
	// mostByMass and mostStaggered are the pairs of projections at most.
	mostByMass, mostStaggered = 10, 500
	// Where the law has not come to so much of what it was in mostStalls pairs, each of which counts for so many if a
	// projection was not solved, there is nothing to wait for.
	stallShare, mostStalls, unsoundStalls = 0.9, 60, 15
	// worseShare is how much worse than at best the law may be for normal impulses to be mixed.
	worseShare = 10
	// projectedTo is the share of the largest velocity that projections are solved to.
	projectedTo = 1e-10
	// lawShare is the share of the tolerance to which the law is to hold; parts of the residual may be larger.
	lawShare = 0.2
	// mostGram is the number of blocks of W, 650 MB: those of 3,000 contacts if it is dense.
	mostGram = 3000 * 3000
)

// Supports refuses problems whose W would be too large.
func (s *Staggered) Supports(p *ContactProblem) error {
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	if n := p.Set.Len(); n*n > mostGram && !s.uncoupled(p.A) {
		return fmt.Errorf("%w: staggered projections have a dense matrix unless their metric is the mass; "+
			"%d contacts are more than the 3000 that they take", ErrUnsupported, n)
	}
	return nil
}

// uncoupled tells whether the metric has no entries besides its diagonal.
func (s *Staggered) uncoupled(a *sparse.BSR) bool { return s.Mass || len(a.Col) == a.N }

// Solve finds v and r. It returns an error if all of A is the metric and has no inverse.
func (s *Staggered) Solve(p *ContactProblem, out *Contacts) error {
	if err := s.Supports(p); err != nil {
		return err
	}
	s.given, s.out = p, out
	defer func() { s.given, s.out = nil, nil }()
	out.Sweeps, out.Newton, out.Linear, out.Idle, out.Converged, out.Settled = 0, 0, 0, 0, false, false
	clear(out.Infeasible)
	clear(out.Bounded)
	clear(out.Proof)
	out.Contradicted = false
	s.Team.Enter()
	defer s.Team.Leave()
	s.forward()
	s.measure.Team = s.Team
	s.measure.begin(p, out.V, out.R, nil)
	s.measure.scaleContacts(0, p.Set.Len())
	if err := s.predict(); err != nil {
		return err
	}
	settled := s.stagger()
	s.correct()
	out.Residual = s.measure.Of(p, out.V, out.R, nil)
	out.Elsewhere = out.Residual
	out.Converged = out.Residual.Worst() <= p.Tolerance
	out.Settled = settled && s.Mass
	return nil
}

// forward finds r_T(t): that of the last step where the problem knows it, or the guess.
func (s *Staggered) forward() {
	set := s.given.Set
	s.forwarded = resized(s.forwarded, set.Len())
	clear(s.forwarded)
	if s.Fresh {
		return
	}
	if past := s.given.Past; past.Set != nil {
		s.carrier.Forward(past, set, s.given.H, s.forwarded)
	} else {
		copy(s.forwarded, s.out.R)
	}
	for c := range s.forwarded {
		if set.Contacts[c].Law == contact.Coulomb {
			s.forwarded[c].X = 0
		} else {
			s.forwarded[c] = r3.Vec{}
		}
	}
}

// predict finds r*, W and q = u(0).
func (s *Staggered) predict() error {
	p, n := s.given, s.given.Set.Len()
	s.began = resized(s.began, n)
	for _, x := range []*[]r3.Vec{&s.free, &s.push, &s.loads} {
		*x = resized(*x, p.A.N)
	}
	if s.Mass {
		return s.predictByNodes()
	}
	return s.predictByProjection()
}

// predictByNodes solves the problem without friction but that of the last step, with all of A.
func (s *Staggered) predictByNodes() error {
	p := s.given
	if err := s.weigh(); err != nil {
		return err
	}
	s.begin()
	set, own := &s.smooth, s.smooth.Contacts[:0]
	*set = *p.Set
	for c := range p.Set.Contacts {
		k := p.Set.Contacts[c]
		k.Mu = 0
		own = append(own, k)
	}
	set.Contacts = own
	copy(s.loads, p.B)
	for c := range s.forwarded {
		for _, t := range p.Set.Row(c) {
			s.loads[t.Block] = s.loads[t.Block].Sub(t.M.MulVecT(s.forwarded[c]))
		}
	}
	s.first = *p
	s.first.Set, s.first.B, s.first.Tolerance, s.first.Past = set, s.loads, predictedTo*p.Tolerance, Past{}
	s.predicted.Resize(p.A.N, p.Set.Len())
	copy(s.predicted.V, s.out.V)
	for c := range s.out.R {
		s.predicted.R[c] = s.out.R[c].Sub(tangential(p.Set, c, s.out.R[c]))
	}
	if s.predictor.MaxSweeps == 0 {
		s.predictor = DefaultNodal()
	}
	s.predictor.Team = s.Team
	if err := s.predictor.Solve(&s.first, &s.predicted); err != nil {
		return err
	}
	s.out.Linear = s.predicted.Linear
	copy(s.free, s.predicted.V)
	for c := range s.began {
		s.began[c] = s.predicted.R[c].Add(s.forwarded[c])
	}
	copy(s.project.r, s.began)
	for c := range s.began {
		s.project.q[c] = s.predicted.U[c].Sub(s.w.row(c, s.began))
	}
	return nil
}

// weigh finds W of a metric without coupling.
func (s *Staggered) weigh() error {
	s.metric.weigh(s.given)
	if !s.w.weigh(s.given.Set, s.metric.inverse, mostGram) {
		return fmt.Errorf("%w: so many contacts are of the same blocks that their matrix has more than %d entries",
			ErrUnsupported, mostGram)
	}
	return nil
}

// predictedTo is the share of the tolerance that the predictor is solved to.
const predictedTo = 0.1

// tangential returns the friction in an impulse.
func tangential(set *contact.Set, c int, r r3.Vec) r3.Vec {
	if set.Contacts[c].Law != contact.Coulomb {
		return r3.Vec{}
	}
	return r3.Vec{Y: r.Y, Z: r.Z}
}

// predictByProjection finds the velocities without contact and r_N* in the metric of all of A.
func (s *Staggered) predictByProjection() error {
	p := s.given
	if !p.Again || s.metric.known != p.A {
		s.metric.known = nil
		if err := s.metric.find(p.A, p.Fixed, p.Partly); err != nil {
			return fmt.Errorf("%w: staggered projections need the inverse of A: %w", ErrUnsupported, err)
		}
		s.metric.known = p.A
	}
	if s.uncoupled(p.A) {
		if err := s.weigh(); err != nil {
			return err
		}
	} else {
		s.w.solveFor(s.Team, p.Set, &s.metric.compliance)
	}
	s.begin()
	clear(s.began)
	s.fall()
	for c := range s.began {
		s.project.r[c] = s.forwarded[c]
		s.project.q[c] = p.Set.Contacts[c].Uf
		for _, t := range p.Set.Row(c) {
			s.project.q[c] = s.project.q[c].Add(t.M.MulVec(s.free[t.Block]))
		}
	}
	return nil
}

// fall finds the velocities without contact.
func (s *Staggered) fall() {
	p, m := s.given, &s.metric
	for i := range s.free {
		s.free[i] = r3.Vec{}
		if p.Fixed != nil && p.Fixed[i] {
			s.free[i] = s.out.V[i]
		} else if k := m.partly(int32(i)); k >= 0 {
			s.free[i] = m.prescribed(k, s.out.V[i])
		}
	}
	clear(s.push)
	s.refine(s.free)
}

// refine solves A v + b = push for the free part of v, and corrects it once by what rounding left.
func (s *Staggered) refine(v []r3.Vec) {
	p := s.given
	for range 2 {
		p.A.Mul(s.Team, v, s.loads)
		for i := range s.loads {
			s.loads[i] = s.push[i].Sub(p.B[i]).Sub(s.loads[i])
		}
		s.metric.solve(s.loads)
		for i := range v {
			if p.Fixed == nil || !p.Fixed[i] {
				v[i] = v[i].Add(s.loads[i])
			}
		}
	}
}

// begin prepares projections with W at hand.
func (s *Staggered) begin() {
	set := s.given.Set
	s.project.begin(s.Team, &s.w)
	s.last = resized(s.last, set.Len())
	s.radii, s.pushed = resized(s.radii, set.Len()), resized(s.pushed, set.Len())
	s.faster.begin(set.Len())
	for c := range set.Contacts {
		if set.Contacts[c].Law == contact.Bilateral {
			s.project.has[c] = set.Has(c)
		}
		s.faster.weight[c] = s.measure.scale[c] * s.measure.scale[c] // velocities, not impulses
		if s.measure.scale[c] == 0 {
			s.out.Idle++
			s.forwarded[c] = r3.Vec{}
		}
	}
}

// toNormals and toDisks say what the next projection is on.
func (s *Staggered) toNormals() {
	s.project.polar = false
	for c := range s.project.kind {
		switch {
		case s.measure.scale[c] == 0:
			s.project.kind[c] = held
		case s.given.Set.Contacts[c].Law == contact.Bilateral:
			s.project.kind[c] = tying
		default:
			s.project.kind[c] = pushing
		}
	}
}

func (s *Staggered) toDisks() {
	s.project.polar = s.Polar
	for c := range s.project.kind {
		k := &s.given.Set.Contacts[c]
		switch {
		case s.measure.scale[c] == 0:
			s.project.kind[c] = held
		case k.Law == contact.Bilateral:
			s.project.kind[c] = tying
		case k.Law == contact.NormalOnly:
			s.project.kind[c] = held
		default:
			s.project.kind[c], s.project.radius[c] = rubbing, k.Mu*s.project.r[c].X
		}
	}
}

// stagger projects on disks and normals in turn, and tells whether it ended by its own rule.
func (s *Staggered) stagger() bool {
	unit := 0.0
	for c := range s.project.q {
		if s.measure.scale[c] > 0 {
			unit = max(unit, s.project.q[c].Norm())
		}
	}
	target := s.given.target()
	tolerance := max(projectedTo*unit, 0.05*target)
	most := s.MaxProjections
	if most == 0 && s.Mass {
		most = mostByMass
	} else if most == 0 {
		most = mostStaggered
	}
	sound := true
	if !s.Mass {
		s.toNormals()
		sound = s.project.solve(tolerance)
	}
	done, best, stalls := false, math.Inf(1), 0
	for !done && s.out.Sweeps < most && stalls < mostStalls && !s.Team.Stopped() {
		copy(s.last, s.project.r)
		s.out.Sweeps++
		s.toDisks()
		sound = s.project.solve(tolerance)
		s.toNormals()
		sound = s.project.solve(tolerance) && sound
		law := s.law()
		if math.IsNaN(law) {
			break
		}
		done = law <= lawShare*target || s.Mass && s.steady()
		switch {
		case law < stallShare*best:
			best, stalls = law, 0
		case sound:
			stalls++
		default:
			stalls += unsoundStalls
		}
		if !done && !s.Mass {
			s.mix(law > worseShare*best)
		}
	}
	s.out.Newton, s.out.Linear = s.project.passes, s.out.Linear+s.project.linear
	return done && sound
}

// mix chooses the normal impulses that the next disks are of. Where things have become worse, they are those at hand.
func (s *Staggered) mix(worse bool) {
	for c := range s.project.r {
		s.radii[c], s.pushed[c] = s.last[c].X, s.project.r[c].X
	}
	if worse {
		s.faster.forget()
	}
	for c, push := range s.faster.mix(s.radii, s.pushed) {
		if s.given.Set.Contacts[c].Law != contact.Bilateral {
			s.project.r[c].X = max(0, push)
		}
	}
}

// law returns the largest violation of the law at the impulses at hand [m/s].
func (s *Staggered) law() float64 {
	worst := 0.0
	for c := range s.project.r {
		scale := s.measure.scale[c]
		if scale == 0 {
			continue
		}
		k := &s.given.Set.Contacts[c]
		if k.Law == contact.Bilateral {
			worst = max(worst, TieResidual(s.project.u[c], s.project.r[c], s.project.has[c], scale))
		} else {
			worst = max(worst, CoulombResidual(s.project.u[c], s.project.r[c], k.Mu, scale))
		}
	}
	return worst
}

// steady tells whether friction changes no more by the rule of [Larionov21].
func (s *Staggered) steady() bool {
	rub := s.project.image
	for c := range rub {
		rub[c] = tangential(s.given.Set, c, s.last[c])
	}
	before := s.square(rub)
	for c := range rub {
		rub[c] = tangential(s.given.Set, c, s.project.r[c]).Sub(rub[c])
	}
	return s.square(rub) <= ownRule*before
}

// square returns rᵀ W r.
func (s *Staggered) square(r []r3.Vec) float64 {
	s.w.mul(s.Team, r, s.project.search)
	sum := 0.0
	for c := range r {
		sum += r[c].Dot(s.project.search[c])
	}
	return sum
}

// correct finds v and what contacts do.
func (s *Staggered) correct() {
	p, out := s.given, s.out
	clear(s.push)
	for c := range out.R {
		r := s.project.r[c]
		k := &p.Set.Contacts[c]
		switch {
		case s.measure.scale[c] == 0, k.Law != contact.Bilateral && r.X <= 0:
			r, out.State[c] = r3.Vec{}, TakeOff
		case k.Law == contact.Bilateral || math.Hypot(r.Y, r.Z) < k.Mu*r.X*(1-stickMargin):
			out.State[c] = Stick
		default:
			out.State[c] = Slide
		}
		out.R[c] = r
		r = r.Sub(s.began[c])
		for _, t := range p.Set.Row(c) {
			s.push[t.Block] = s.push[t.Block].Add(t.M.MulVecT(r))
		}
	}
	copy(out.V, s.free)
	if s.Mass {
		for i := range out.V {
			out.V[i] = out.V[i].Add(s.metric.inverse[i].MulVec(s.push[i]))
		}
	} else {
		s.refine(out.V)
	}
	for c := range out.U {
		out.U[c] = s.measure.velocity(c)
	}
}

// stickMargin is how far inside of its disk friction is that sticks.
const stickMargin = 1e-9

// weigh finds the metric of the mass: of blocks that A does not couple to others, such as those of rigid bodies, it is
// A_ii, the whole inertia.
func (m *metric) weigh(p *ContactProblem) {
	m.begin(p.Partly, p.A, p.Fixed)
	m.inverse = resized(m.inverse, p.A.N)
	for i := range m.inverse {
		switch k := m.partly(int32(i)); {
		case p.Fixed != nil && p.Fixed[i]:
			m.inverse[i] = r3.Mat{}
		case k >= 0:
			m.inverse[i] = m.mobility[k]
		case p.A.Start[i+1]-p.A.Start[i] == 1:
			m.inverse[i] = safeInverse(&p.A.Val[p.A.Diag[i]])
		default:
			m.inverse[i] = r3.Diagonal(1 / p.Mass[i])
		}
	}
}
