package untangle

// Making space: a body that goes through itself, in armpits, elbows and knees, is opened up until its surfaces are a
// margin apart [Minor18].
//
// The parts: space_mesh.go the surface, space_find.go what interferes, space_solve.go the energy and its minimum,
// space_clear.go what is done when nothing may cross any more.
//
// Invariants: vertices that are not near interference keep their position bit for bit; pinned ones always do; the
// result does not depend on the number of workers.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Space opens up bodies of one topology. It keeps the scratch of its work, for sequences. It is for one goroutine at a
// time.
type Space struct {
	mesh   *spaceMesh
	finder *spaceFinder
	solver *spaceSolver
	scale  []float64 // of k_a, infinite where pinned
	watch  []int32   // vertices that are looked at: the region, all by default
	in     []bool    // which they are; nil: all

	rows    []spaceRow
	pairs   [][2]int32 // of triangles that cross
	given   [][2]int32 // those of the body as it was given
	hot     []int32    // triangles whose crossings are sought
	was     []r3.Vec   // displacements of the iteration before
	touched []bool
	force   []float64 // of rows, by vertex
	extra   []float64 // of their gaps, by vertex [m]
	wave    *spaceReach
}

// NewSpace prepares a body of so many vertices. It fails if the triangles do not form a surface with two sides.
func NewSpace(vertices int, tri [][3]int32) (*Space, error) {
	if len(tri) == 0 {
		return nil, errors.New("there are no triangles")
	}
	m, err := newSpaceMesh(vertices, tri)
	if err != nil {
		return nil, err
	}
	s := &Space{mesh: m, finder: newSpaceFinder(m), solver: newSpaceSolver(m), touched: make([]bool, vertices)}
	s.force, s.extra = make([]float64, vertices), make([]float64, vertices)
	s.wave = newSpaceReach(vertices)
	s.scale = make([]float64, vertices)
	for i := range s.scale {
		s.scale[i] = 1
	}
	s.SetRegion(nil)
	return s, nil
}

// Holes returns how many holes the body has. They are closed for the inside test.
func (s *Space) Holes() int { return len(s.mesh.rims) }

// Shells returns how many pieces the body is made of.
func (s *Space) Shells() int { return s.mesh.shells }

// Hollow returns how many of the pieces enclose a negative volume at x: they are inside out, or hollows.
func (s *Space) Hollow(x []r3.Vec) int {
	s.mustFit(len(x))
	copy(s.finder.x, x)
	s.mesh.middles(s.finder.x)
	return s.mesh.turned(s.finder.x)
}

// SetAnchors sets by how much k_a is multiplied at each vertex: 0 or more, and infinite for vertices that must not
// move. nil: 1 everywhere.
func (s *Space) SetAnchors(scale []float64) {
	for i := range s.scale {
		s.scale[i] = 1
	}
	if scale != nil {
		s.mustFit(len(scale))
		copy(s.scale, scale)
	}
}

// SetRegion restricts the work to some vertices: only they are looked at, and only they move. nil: all.
func (s *Space) SetRegion(in []bool) {
	if in != nil {
		s.mustFit(len(in))
	}
	s.watch = s.watch[:0]
	s.in = in
	for i := range int32(s.mesh.real) {
		if (in == nil || in[i]) && len(s.mesh.at.Of(i)) > 0 {
			s.watch = append(s.watch, i)
		}
	}
}

func (s *Space) mustFit(n int) {
	if n != s.mesh.real {
		panic(fmt.Sprintf("untangle: %d values for a body of %d vertices", n, s.mesh.real))
	}
}

// Open finds a displacement u such that the body at x + u is clear of itself. On entry u is where to begin: zeros, or
// that of the frame before. It panics if the options are not valid or x is not finite.
func (s *Space) Open(x, u []r3.Vec, opt SpaceOptions) SpaceStats {
	// sizes, options and positions that cannot be worked with
	s.mustFit(len(x))
	s.mustFit(len(u))
	if err := opt.Validate(); err != nil {
		panic("untangle: " + err.Error())
	}
	if i := slices.IndexFunc(x, func(p r3.Vec) bool { return !p.Finite() }); i >= 0 {
		panic(fmt.Sprintf("untangle: vertex %d is at %v", i, x[i]))
	}
	if opt.Lap == nil {
		opt.Lap = func(string) {}
	}
	opt.Team.Enter()
	defer opt.Team.Leave()
	// iterations, as long as there is something to do
	run := spaceRun{Space: s, SpaceOptions: opt, base: x}
	run.begin(u)
	for range opt.Iterations {
		if !run.iterate() {
			break
		}
	}
	// what still crosses, cleared if asked for
	run.finish()
	if opt.UntilClear {
		run.clear()
	}
	// displacement, and the greatest of all
	copy(u, s.solver.u)
	for i := range u {
		run.stats.Move = max(run.stats.Move, u[i].Norm())
	}
	return run.stats
}

// spaceRun is one call of Open.
type spaceRun struct {
	*Space
	SpaceOptions
	base  []r3.Vec // where the body was given
	look  []int32  // vertices that are looked at now
	edge  float64  // mean length of edges [m]
	stats SpaceStats
}

// perArea turns 1/cm² into 1/m².
const perArea = 1e4

// begin takes the body and finds what interferes.
func (r *spaceRun) begin(u []r3.Vec) {
	f, s := r.finder, r.solver
	f.margin, f.depth = r.Margin, r.Depth
	s.team, s.iterations, s.reference = r.Team, 0, 0
	f.forget()
	copy(f.rest, r.base)
	copy(f.x, r.base)
	r.mesh.middles(f.rest)
	r.edge = f.edge()
	f.length = r.edge
	r.wave.forget(r.edge)
	f.ahead = r.Margin + max(r.Margin/2, r.edge)
	f.shallow, f.deep = r.edge, max(4*r.Margin, r.edge, r.Depth/4)
	s.measure(r.base, r.Deform)
	s.push = r.Push * perArea
	moved := false
	for i, a := range s.area {
		s.anchor[i] = math.Inf(1)
		s.u[i] = r3.Vec{}
		if !math.IsInf(r.scale[i], 1) && (r.in == nil || r.in[i]) {
			s.anchor[i] = r.Anchor * perArea * r.scale[i] * a
			s.u[i] = u[i]
		}
		moved = moved || s.u[i] != (r3.Vec{})
		r.force[i], r.extra[i], r.touched[i] = 1, 0, false
	}
	f.measure(r.Team)
	r.Lap("place")
	if r.in == nil {
		r.given = f.crossings(r.Team, r.given)
	} else {
		r.hot = r.trianglesWith(r.hot, func(v int32) bool { return r.in[v] })
		r.given = f.crossingsOf(r.Team, r.hot, r.given)
	}
	r.pairs = append(r.pairs[:0], r.given...)
	r.stats.CrossingsBefore, r.stats.CrossingsAfter = len(r.pairs), len(r.pairs)
	r.Lap("count")
	r.look = r.watch
	f.sides(r.Team, r.look)
	r.hide()
	r.Lap("inside")
	r.findRows()
	r.stats.InsideBefore, r.stats.NearBefore = r.count()
	r.stats.Energy = append(r.stats.Energy, s.pushed(r.rows, f.x)) // u is 0 there
	if !moved {
		return
	}
	if r.stats.Energy[0] == 0 { // nothing interferes any more
		clear(s.u)
		return
	}
	r.place() // begin where the frame before ended
	r.lookAnew(func(int32) bool { return true })
}

// place puts vertices where the displacement says.
func (r *spaceRun) place() {
	for i, x := range r.base {
		r.finder.x[i] = x.Add(r.solver.u[i])
	}
	r.finder.measure(r.Team)
	r.Lap("place")
}

// hide finds the shells that are inside others as a whole and cross nothing.
func (r *spaceRun) hide() {
	seen := make([]bool, len(r.mesh.shell)) // by shell: something of it is outside, crosses, or was not looked at
	for _, pair := range r.given {
		for _, t := range pair {
			seen[r.mesh.shell[r.mesh.tri[t][0]]] = true
		}
	}
	for v, shell := range r.mesh.shell {
		if r.finder.place[v] != placeInside {
			seen[shell] = true
		}
	}
	for _, v := range r.watch {
		if !seen[r.mesh.shell[v]] {
			r.finder.place[v] = placeHidden
			r.stats.Hidden++
		}
	}
}

// find finds rows at the positions at hand.
func (r *spaceRun) find() {
	r.finder.sides(r.Team, r.look)
	r.Lap("inside")
	r.findRows()
}

// findRows finds rows of the vertices whose sides were found.
func (r *spaceRun) findRows() {
	r.rows = r.finder.find(r.Team, r.rows[:0])
	for k := range r.rows {
		row := &r.rows[k]
		row.force = r.force[row.v[0]]
		row.target += r.extra[row.v[0]]
		if row.target > row.gap(r.finder.x) {
			r.touched[row.v[0]] = true
		}
	}
	r.Lap("near")
}

// lookAnew finds rows again where they may have changed, among vertices that may have moved or have something else move
// towards them.
func (r *spaceRun) lookAnew(among func(v int32) bool) {
	r.look = r.look[:0:0]
	for _, v := range r.watch {
		if among(v) && r.finder.stale(v) {
			r.look = append(r.look, v)
		}
	}
	r.find()
}

// iterate makes one iteration, and reports false if there is nothing to do.
func (r *spaceRun) iterate() bool {
	if !r.release() {
		return false
	}
	r.was = append(r.was[:0], r.solver.u...)
	r.solver.solve(r.base, r.finder.x, r.rows)
	if share := r.share(); share < 1 {
		for _, v := range r.solver.free {
			r.solver.u[v] = r.was[v].Lerp(r.solver.u[v], share)
		}
	}
	r.stats.Iterations++
	r.Lap("solve")
	r.place()
	r.lookAnew(func(v int32) bool { return r.solver.index[v] != None || !math.IsInf(r.wave.dist[v], 1) })
	r.stats.Energy = append(r.stats.Energy, r.solver.energy(r.rows, r.finder.x))
	return true
}

// spaceShare is the part of the way to the minimum that is gone in an iteration after the first, and spaceShareClear in
// rounds. Rows hold only near where they were found: going all the way, sides that have parted too far lose their rows,
// come back in the next iteration, and so on.
const (
	spaceShare      = 0.75
	spaceShareClear = 0.8
)

func (r *spaceRun) share() float64 {
	switch {
	case r.stats.Iterations == 0:
		return 1
	case r.stats.Iterations < r.Iterations:
		return spaceShare
	}
	return spaceShareClear
}

// spaceFade is how many lengths √(k_d/k_a) from interference vertices are free to move: a push fades to e⁻¹⁰ of itself.
const spaceFade = 10

// release makes the vertices around interference free, and reports whether there are any.
func (r *spaceRun) release() bool {
	s, w := r.solver, r.wave
	x := r.finder.x
	for k := range r.rows {
		if row := &r.rows[k]; row.target > row.gap(x) {
			for _, v := range row.v {
				w.from(v)
			}
		}
	}
	fade := math.Inf(1)
	if r.Anchor > 0 {
		fade = spaceFade * math.Sqrt(r.Deform/(r.Anchor*perArea))
	}
	w.spread(r.mesh, r.base, fade, nil)
	s.free = s.free[:0]
	for v := range int32(r.mesh.real) {
		if (w.dist[v] < fade || s.u[v] != (r3.Vec{})) && !math.IsInf(s.anchor[v], 1) {
			s.free = append(s.free, v)
		}
	}
	r.stats.Active = max(r.stats.Active, len(s.free))
	return len(s.free) > 0
}

// count returns how many vertices are inside, and how many outside have less than 80 % of the gap that is asked for.
func (r *spaceRun) count() (inside, near int) {
	for _, v := range r.watch {
		switch r.finder.place[v] {
		case placeInside, placeLost:
			inside++
		}
	}
	for k := range r.rows {
		row := &r.rows[k]
		if asked := row.target - r.extra[row.v[0]]; !row.inside && row.gap(r.finder.x) < 0.8*asked {
			near++
		}
	}
	return inside, near
}

// trianglesWith writes the triangles of the body with a vertex of which is says true to dst.
func (r *spaceRun) trianglesWith(dst []int32, is func(v int32) bool) []int32 {
	dst = dst[:0]
	for t, v := range r.mesh.tri[:r.mesh.faces] {
		if is(v[0]) || is(v[1]) || is(v[2]) {
			dst = append(dst, int32(t))
		}
	}
	return dst
}

// finish takes stock.
func (r *spaceRun) finish() {
	if r.stats.Iterations > 0 { // what did not move crosses as it did
		r.hot = r.trianglesWith(r.hot, func(v int32) bool { return r.solver.u[v] != (r3.Vec{}) })
		r.pairs = r.finder.crossingsOf(r.Team, r.hot, r.pairs)
		for _, pair := range r.given {
			if !r.finder.hotOf[pair[0]] && !r.finder.hotOf[pair[1]] {
				r.pairs = append(r.pairs, pair)
			}
		}
	}
	r.Lap("count")
	st := &r.stats
	st.CrossingsAfter, st.Solves = len(r.pairs), r.solver.iterations
	st.InsideAfter, st.NearAfter = r.count()
	st.Lost, st.Uncertain, st.Touched = 0, 0, 0
	for _, v := range r.watch {
		switch r.finder.place[v] {
		case placeLost:
			st.Lost++
		case placeUncertain:
			st.Uncertain++
		}
	}
	for _, is := range r.touched {
		if is {
			st.Touched++
		}
	}
}

// Windings returns the winding number of the body at x just outside of each vertex, and whether a ray could tell. A
// vertex without triangles has none.
func (s *Space) Windings(x []r3.Vec, team *par.Team) (winding []int, sure []bool) {
	s.mustFit(len(x))
	f := s.finder
	copy(f.x, x)
	f.measure(team)
	winding, sure = make([]int, len(x)), make([]bool, len(x))
	team.For(len(x), 64, func(lo, hi int) {
		var scratch spaceScratch
		for v := int32(lo); v < int32(hi); v++ {
			if n := f.pseudonormal(v); n != (r3.Vec{}) {
				winding[v], sure[v] = f.winding(v, n, &scratch)
			}
		}
	})
	return winding, sure
}

// Crossings returns how many pairs of triangles of the body cross at x, by the exact test.
func (s *Space) Crossings(x []r3.Vec, team *par.Team) int {
	s.mustFit(len(x))
	copy(s.finder.x, x)
	s.finder.measure(team)
	s.pairs = s.finder.crossings(team, s.pairs)
	return len(s.pairs)
}
