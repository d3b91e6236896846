// Package body holds the things that are simulated: their mass, their elements, and the assembly of
// both into one matrix and one force.
package body

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/elastic"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/sparse"
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
	detail elastic.Detail
	active *family
	mass   []float64
	scale  []float64
	y      []r3.Vec

	updateFunc, forceFunc, matrixFunc, dampFunc func(lo, hi int)
	energyFunc                                  func(lo, hi int) float64
}

type family struct {
	Weights
	elements elastic.Elements
	damping  []float64
	first    int32 // node 0 of the family
	nodes    int32
}

// Weights scale the Hessian of a family's energy in the matrix.
type Weights struct {
	Material  float64 // of the part that strains
	Geometric float64 // of the part that only turns stresses
	Damping   float64 // of the part that strains, times Part.Damping of the element; nothing where that is nil
}

// entry says that an element has a node.
type entry struct {
	family, element, local int32
	at                     int32 // where its blocks start in Assembly.at
	degree                 int32
}

// Part is a family of elements and the range of nodes it acts on.
type Part struct {
	Elements     elastic.Elements
	First, Nodes int
	Damping      []float64 // by element, where it differs from one to the next; else nil
}

// updateGrain and rowGrain are the chunks of the two passes: a few microseconds of work each.
const (
	updateGrain = 64
	rowGrain    = 64
)

// NewAssembly lays out the matrix of n nodes coupled by the elements of all parts.
func NewAssembly(team *par.Team, n int, parts []Part) *Assembly {
	a := &Assembly{team: team, Force: make([]r3.Vec, n)}
	a.updateFunc, a.forceFunc, a.matrixFunc, a.energyFunc = a.updateRange, a.forceRange, a.matrixRange, a.energyRange
	a.dampFunc = a.dampRange

	count := make([]int32, n+1)
	degrees := 0
	pattern := sparse.NewPattern(n)
	var global []int32
	for _, p := range parts {
		a.families = append(
			a.families,
			family{elements: p.Elements, damping: p.Damping, first: int32(p.First), nodes: int32(p.Nodes)},
		)
		for e := range p.Elements.Len() {
			nodes := p.Elements.Nodes(e)
			global = global[:0]
			for _, i := range nodes {
				if i < 0 || int(i) >= p.Nodes {
					panic(fmt.Sprintf("body: element %d has node %d of %d", e, i, p.Nodes))
				}
				global = append(global, int32(p.First)+i)
				count[int32(p.First)+i]++
			}
			degrees += len(nodes) * len(nodes)
			pattern.Add(global...)
		}
	}
	if degrees > math.MaxInt32 {
		panic(fmt.Sprintf("body: %d pairs of nodes in elements are too many", degrees))
	}
	a.A = pattern.Build()
	a.layEntries(count, degrees)
	return a
}

// layEntries sorts the (element, node) incidences by node and looks up their blocks.
func (a *Assembly) layEntries(count []int32, degrees int) {
	n := len(count) - 1
	a.rows = make([][2]int32, n)
	total := int32(0)
	for i := range n {
		a.rows[i] = [2]int32{total, total}
		total += count[i]
	}
	a.entries = make([]entry, total)
	a.at = make([]int32, 0, degrees)
	for f := range a.families {
		fam := &a.families[f]
		for e := range fam.elements.Len() {
			nodes := fam.elements.Nodes(e)
			for k, local := range nodes {
				i := fam.first + local
				a.entries[a.rows[i][1]] = entry{int32(f), int32(e), int32(k), int32(len(a.at)), int32(len(nodes))}
				a.rows[i][1]++
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

// SetWeights sets how the Hessian of part f enters the matrix.
func (a *Assembly) SetWeights(f int, w Weights) { a.families[f].Weights = w }

// Update computes the state of the elements of part f at positions x, indexed by block.
func (a *Assembly) Update(f int, x []r3.Vec, detail elastic.Detail) {
	a.x, a.detail, a.active = x, detail, &a.families[f]
	a.team.For(a.active.elements.Len(), updateGrain, a.updateFunc)
	a.x, a.active = nil, nil
}

func (a *Assembly) updateRange(lo, hi int) {
	f := a.active
	f.elements.Update(a.x[f.first:f.first+f.nodes], a.detail, lo, hi)
}

// Energy returns the energy of part f at the last Update [J].
func (a *Assembly) Energy(f int) float64 {
	a.active = &a.families[f]
	e := a.team.Sum(a.active.elements.Len(), a.energyFunc)
	a.active = nil
	return e
}

func (a *Assembly) energyRange(lo, hi int) float64 {
	sum := 0.0
	for e := lo; e < hi; e++ {
		sum += a.active.elements.Energy(e)
	}
	return sum
}

// Forces gathers the force at the last Update, which must have been WithForce or more.
func (a *Assembly) Forces() { a.team.For(len(a.Force), rowGrain, a.forceFunc) }

func (a *Assembly) forceRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		var f r3.Vec
		for _, e := range a.entries[a.rows[i][0]:a.rows[i][1]] {
			f = f.Add(a.families[e.family].elements.Force(int(e.element), int(e.local)))
		}
		a.Force[i] = f
	}
}

// Matrix gathers the force and the matrix at the last Update, which must have been Projected or
// Exact: A = diag(mass) + Σ weight · Hessian.
func (a *Assembly) Matrix(mass []float64) {
	a.mass = mass
	a.team.For(len(a.Force), rowGrain, a.matrixFunc)
	a.mass = nil
	a.A.Mirror(a.team)
}

func (a *Assembly) matrixRange(lo, hi int) {
	val := a.A.Val
	for i := lo; i < hi; i++ {
		clear(val[a.A.Start[i]:a.A.Start[i+1]])
		val[a.A.Diag[i]].AddDiagonal(a.mass[i])
		var force r3.Vec
		for _, e := range a.entries[a.rows[i][0]:a.rows[i][1]] {
			f := &a.families[e.family]
			force = force.Add(f.elements.Force(int(e.element), int(e.local)))
			material := f.Material
			if f.damping != nil {
				material += f.Damping * f.damping[e.element]
			}
			f.elements.AddRow(int(e.element), int(e.local), a.at[e.at:e.at+e.degree], val, material, f.Geometric)
		}
		a.Force[i] = force
	}
}

// Damp adds scale[f] times the force by which straining at velocities v is resisted, for every part f, to
// y: the material part of each Hessian times -v, and times Part.Damping where there is one.
func (a *Assembly) Damp(scale []float64, v, y []r3.Vec) {
	a.scale, a.x, a.y = scale, v, y
	a.team.For(len(y), rowGrain, a.dampFunc)
	a.scale, a.x, a.y = nil, nil, nil
}

func (a *Assembly) dampRange(lo, hi int) {
	for i := lo; i < hi; i++ {
		f := a.y[i]
		for _, e := range a.entries[a.rows[i][0]:a.rows[i][1]] {
			if s := a.scale[e.family]; s != 0 {
				fam := &a.families[e.family]
				if fam.damping != nil {
					s *= fam.damping[e.element]
				}
				v := a.x[fam.first : fam.first+fam.nodes]
				f = f.AddScaled(s, fam.elements.MaterialForce(int(e.element), int(e.local), v))
			}
		}
		a.y[i] = f
	}
}
