package mech

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Assembly gathers element families into a force and a symmetric matrix.
//
// It works in two passes. Update computes the state of every element, elements being independent
// of each other. The gather then runs over nodes: each node sums its own row over the elements at
// it, in the order in which they were added. Why the order cannot matter: a row is written by one
// chunk of one loop only, and its terms are added in a fixed order; so neither pass can tell how
// many workers there are, and nothing is ever locked or coloured.
//
// Only blocks on and above the diagonal are gathered; the rest is mirrored.
type Assembly struct {
	A     *sparse.BSR
	Force []r3.Vec // internal force on each node [N], after Forces or Matrix

	families []family
	rows     [][2]int32 // entries of each node: from, to
	entries  []entry
	at       []int32 // blocks of A for each entry and each node of its element; -1 below the diagonal

	// The call under way.
	team   *par.Team
	x      []r3.Vec
	detail element.Detail
	active *family
	mass   []r3.Mat
	scale  float64
	y, dx  []r3.Vec
	spin   spins
	over   float64 // time from the start to where forces are taken [s]
	blown  []Push  // by chunk of Blown

	updateFunc, startFunc, forceFunc, matrixFunc, dampFunc, tautenFunc func(lo, hi int)
	blowFunc                                                           func(lo, hi int)
	energyFunc, reachFunc, dissipateFunc                               func(lo, hi int) float64
}

type family struct {
	Part
	weights
	first int32 // node 0 of the family
	nodes int32

	viscous element.Viscous // Elements, or nil

	turner element.Turner // Elements, or nil
	spin   []r3.Vec       // of each of them [rad/s]

	before, energy float64 // at NoteEnergies and at AddEnergies [J]
}

// weights scale the Hessian of a family's energy in the matrix.
type weights struct {
	material  float64 // of the part that strains
	geometric float64 // of the part that only turns stresses
	damping   float64 // of the part that strains, times Part.DampingBy of the element; nothing where that is nil
}

// entry says that an element has a node.
type entry struct {
	family, element, local int32
	at                     int32 // where its blocks start in Assembly.at
	degree                 int32
}

// Placed is a part with the range of blocks that its nodes are.
type Placed struct {
	Part
	First, Nodes int
}

// updateGrain and rowGrain are the chunks of the two passes: a few microseconds of work each.
const (
	updateGrain = 64
	rowGrain    = 64
)

// NewAssembly lays out the matrix of n nodes coupled by the elements of all parts.
func NewAssembly(team *par.Team, n int, parts []Placed) *Assembly {
	// functions that run over ranges, made once
	a := &Assembly{team: team, Force: make([]r3.Vec, n)}
	a.updateFunc, a.forceFunc, a.matrixFunc, a.energyFunc = a.updateRange, a.forceRange, a.matrixRange, a.energyRange
	a.dampFunc, a.reachFunc, a.tautenFunc, a.startFunc = a.dampRange, a.reachRange, a.tautenRange, a.startRange
	a.dissipateFunc, a.blowFunc = a.dissipateRange, a.blowRange

	// families of elements, and pairs of nodes they couple
	count := make([]int32, n+1)
	degrees := 0
	pattern := sparse.NewPattern(n)
	var global []int32
	for _, p := range parts {
		a.families = append(a.families, family{Part: p.Part, first: int32(p.First), nodes: int32(p.Nodes), viscous: viscousOf(p.Elements)})
		for e := range p.Elements.Len() {
			nodes := p.Elements.Nodes(e)
			global = global[:0]
			for _, i := range nodes {
				if i < 0 || int(i) >= p.Nodes {
					panic(fmt.Sprintf("mech: element %d has node %d of %d", e, i, p.Nodes))
				}
				global = append(global, int32(p.First)+i)
				count[int32(p.First)+i]++
			}
			degrees += len(nodes) * len(nodes)
			pattern.Add(global...)
		}
	}
	// matrix, entries and spins
	if degrees > math.MaxInt32 {
		panic(fmt.Sprintf("mech: %d pairs of nodes in elements are too many", degrees))
	}
	a.A = pattern.Build()
	a.layEntries(count, degrees)
	a.makeSpins()
	return a
}

// layEntries sorts the (element, node) incidences by node and looks up their blocks.
func (a *Assembly) layEntries(count []int32, degrees int) {
	// room for the incidences of each node
	n := len(count) - 1
	a.rows = make([][2]int32, n)
	total := int32(0)
	for i := range n {
		a.rows[i] = [2]int32{total, total}
		total += count[i]
	}
	a.entries = make([]entry, total)
	a.at = make([]int32, 0, degrees)
	// incidence after incidence
	for f := range a.families {
		fam := &a.families[f]
		for e := range fam.Elements.Len() {
			nodes := fam.Elements.Nodes(e)
			for k, local := range nodes {
				i := fam.first + local
				a.entries[a.rows[i][1]] = entry{int32(f), int32(e), int32(k), int32(len(a.at)), int32(len(nodes))}
				a.rows[i][1]++
				// blocks of the upper half, which the matrix has
				for _, other := range nodes {
					j := fam.first + other
					block := int32(-1)
					if j >= i {
						block = a.A.Index(i, j)
					}
					a.at = append(a.at, block)
				}
			}
		}
	}
}

// Parts returns the number of parts.
func (a *Assembly) Parts() int { return len(a.families) }

// SetDamping changes the damping of part f [s], where it does not differ from element to element.
func (a *Assembly) SetDamping(f int, damping float64) { a.families[f].Damping = damping }

// WeighStep has the matrix be that of a step, for which θ times its length is th:
//
//	A = M + θh (θh K + d K_m + D),
//
// K the Hessians of energies, K_m their material parts, d the damping and D the derivative of what depends on
// velocities.
func (a *Assembly) WeighStep(th float64) {
	for i := range a.families {
		f := &a.families[i]
		switch {
		case f.OfVelocity:
			f.weights = weights{material: th}
		case f.DampingBy != nil:
			f.weights = weights{material: th * th, geometric: th * th, damping: th}
		default:
			f.weights = weights{material: th * (th + f.Damping), geometric: th * th}
		}
	}
}

// WeighRest has the matrix be K, for statics.
func (a *Assembly) WeighRest() {
	for i := range a.families {
		f := &a.families[i]
		f.weights = weights{material: 1, geometric: 1}
		if f.OfVelocity {
			f.weights = weights{}
		}
	}
}

// Update computes the state of all elements at positions x and velocities v, by block.
func (a *Assembly) Update(x, v []r3.Vec, detail element.Detail) {
	a.detail = detail
	for i := range a.families {
		f := &a.families[i]
		a.x, a.active = x, f
		if f.OfVelocity {
			a.x = v
		}
		a.team.For(f.Elements.Len(), updateGrain, a.updateFunc)
	}
	a.x, a.active = nil, nil
}

func (a *Assembly) updateRange(lo, hi int) {
	f := a.active
	f.Elements.Update(a.x[f.first:f.first+f.nodes], a.detail, lo, hi)
}

// Start keeps the stresses of damped elements at the last Update as those at the start of a step, of which forces are
// taken so long after [s].
func (a *Assembly) Start(over float64) {
	a.over = over
	for i := range a.families {
		if f := &a.families[i]; f.viscous != nil {
			a.active = f
			a.team.For(f.Elements.Len(), updateGrain, a.startFunc)
		}
	}
	a.active = nil
}

func (a *Assembly) startRange(lo, hi int) { a.active.viscous.Start(lo, hi) }

// viscousOf returns elements as what they are, or nil. What wraps others is as viscous as they are.
func viscousOf(e element.Elements) element.Viscous {
	if w, ok := e.(element.Wrapper); ok {
		if _, ok := w.Unwrap().(element.Viscous); !ok {
			return nil
		}
	}
	v, _ := e.(element.Viscous)
	return v
}

// Tauten has the next Matrix count the stress with which damped elements resist straining at velocities v, by block.
// With element.Exact, geometric parts are as they are, and the matrix may be indefinite.
func (a *Assembly) Tauten(v []r3.Vec, detail element.Detail) {
	a.x, a.detail = v, detail
	for i := range a.families {
		f := &a.families[i]
		if _, ok := f.Elements.(element.Tense); ok && (detail == element.Exact || f.damped() || f.viscous != nil) {
			a.active = f
			a.team.For(f.Elements.Len(), updateGrain, a.tautenFunc)
		}
	}
	a.x, a.active = nil, nil
}

func (a *Assembly) tautenRange(lo, hi int) {
	f := a.active
	damping := element.Damping{All: f.Damping, By: f.DampingBy, Over: a.over}
	f.Elements.(element.Tense).Tauten(a.x[f.first:f.first+f.nodes], damping, a.detail, lo, hi)
}

func (f *family) damped() bool { return f.Damping != 0 || f.DampingBy != nil }

// Barred reports whether some elements limit how far a step may go.
func (a *Assembly) Barred() bool {
	return slices.ContainsFunc(a.families, func(f family) bool {
		_, ok := f.Elements.(element.Barrier)
		return ok
	})
}

// Reach returns how much of the change dx of positions x, by block, elements allow, in (0, 1].
func (a *Assembly) Reach(x, dx []r3.Vec) float64 {
	reach := 1.0
	for i := range a.families {
		f := &a.families[i]
		if _, ok := f.Elements.(element.Barrier); ok {
			a.x, a.dx, a.active = x, dx, f
			reach = min(reach, 1/a.team.Max(f.Elements.Len(), a.reachFunc))
		}
	}
	a.x, a.dx, a.active = nil, nil, nil
	return reach
}

// reachRange returns one over the reach of some elements, which for no elements at all is nothing.
func (a *Assembly) reachRange(lo, hi int) float64 {
	f := a.active
	from, to := f.first, f.first+f.nodes
	return 1 / f.Elements.(element.Barrier).Reach(a.x[from:to], a.dx[from:to], lo, hi)
}

// AddEnergies adds the energies of all parts at the last Update to out, by kind [J].
func (a *Assembly) AddEnergies(out *Energies) {
	for i := range a.families {
		f := &a.families[i]
		if f.OfVelocity {
			continue // it has none
		}
		f.energy = a.partEnergy(f)
		out.Add(f.Kind, f.energy)
	}
}

func (a *Assembly) energyRange(lo, hi int) float64 {
	sum := 0.0
	for e := lo; e < hi; e++ {
		sum += a.active.Elements.Energy(e)
	}
	return sum
}

// Forces gathers the force at the last Update, which must have been WithForce or more.
func (a *Assembly) Forces() { a.team.For(len(a.Force), rowGrain, a.forceFunc) }

func (a *Assembly) forceRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		var f r3.Vec
		for _, e := range a.entries[a.rows[i][0]:a.rows[i][1]] {
			f = f.Add(a.families[e.family].Elements.Force(int(e.element), int(e.local)))
		}
		a.Force[i] = f
	}
}

// Matrix gathers the force and the matrix at the last Update, which must have been Projected or
// Exact: A = scale M + Σ weight · Hessian, with the mass matrices M of blocks.
func (a *Assembly) Matrix(mass []r3.Mat, scale float64) {
	a.mass, a.scale = mass, scale
	a.team.For(len(a.Force), rowGrain, a.matrixFunc)
	a.mass = nil
	a.A.Mirror(a.team)
}

func (a *Assembly) matrixRange(lo, hi int) {
	val := a.A.Val
	for i := lo; i < hi; i++ {
		clear(val[a.A.Start[i]:a.A.Start[i+1]])
		val[a.A.Diag[i]].AddScaled(a.scale, &a.mass[i])
		var force r3.Vec
		for _, e := range a.entries[a.rows[i][0]:a.rows[i][1]] {
			f := &a.families[e.family]
			force = force.Add(f.Elements.Force(int(e.element), int(e.local)))
			material := f.material
			if f.DampingBy != nil {
				material += f.damping * f.DampingBy[e.element]
			}
			f.Elements.AddRow(int(e.element), int(e.local), a.at[e.at:e.at+e.degree], val, material, f.geometric)
		}
		a.Force[i] = force
	}
}

// Damped tells whether some part is damped.
func (a *Assembly) Damped() bool {
	for i := range a.families {
		if a.families[i].damped() {
			return true
		}
	}
	return false
}

// Damp adds scale times the force by which straining at velocities v is resisted to y: the damping of each part, or
// element, times the material part of its Hessian times -v or, of elements that are element.Viscous, over the time
// since Start, times the force of what stress came on.
func (a *Assembly) Damp(scale float64, v, y []r3.Vec) {
	a.scale, a.x, a.y = scale, v, y
	a.team.For(len(y), rowGrain, a.dampFunc)
	a.x, a.y = nil, nil
}

func (a *Assembly) dampRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		f := a.y[i]
		for _, e := range a.entries[a.rows[i][0]:a.rows[i][1]] {
			fam := &a.families[e.family]
			s := a.scale
			if fam.DampingBy != nil {
				s *= fam.DampingBy[e.element]
			} else if s *= fam.Damping; s == 0 {
				continue
			}
			if fam.viscous != nil {
				f = f.AddScaled(s/a.over, fam.viscous.ViscousForce(int(e.element), int(e.local)))
				continue
			}
			v := a.x[fam.first : fam.first+fam.nodes]
			f = f.AddScaled(s, fam.Elements.MaterialForce(int(e.element), int(e.local), v))
		}
		a.y[i] = f
	}
}
