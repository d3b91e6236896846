package mech

import (
	"github.com/toile-sim/toile/internal/element"
	"github.com/toile-sim/toile/r3"
)

// What forces of a part do in a step: energies before and after, what damping takes, and how air pushes.

// Push is what forces or impulses on many points come to.
type Push struct {
	Sum    r3.Vec  // of all
	Moment r3.Vec  // Σ lever x each
	Work   float64 // Σ velocity · each
}

// Add adds one on a point at a lever, with a velocity.
func (p *Push) Add(lever, velocity, each r3.Vec) {
	p.Sum, p.Moment = p.Sum.Add(each), p.Moment.Add(lever.Cross(each))
	p.Work += velocity.Dot(each)
}

// AddScaled adds s times another.
func (p *Push) AddScaled(s float64, q *Push) {
	p.Sum, p.Moment = p.Sum.AddScaled(s, q.Sum), p.Moment.AddScaled(s, q.Moment)
	p.Work += s * q.Work
}

// NoteEnergies remembers the energies of all parts at the last Update, for Gained.
func (a *Assembly) NoteEnergies() {
	for i := range a.families {
		if f := &a.families[i]; !f.OfVelocity {
			f.before = a.partEnergy(f)
		}
	}
}

// Gained returns by how much the energy of part f at the last AddEnergies exceeds that of NoteEnergies [J].
func (a *Assembly) Gained(f int) float64 { return a.families[f].energy - a.families[f].before }

func (a *Assembly) partEnergy(f *family) float64 {
	a.active = f
	energy := a.team.Sum(f.Elements.Len(), a.energyFunc)
	a.active = nil
	return energy
}

// Dissipated returns what the damping of part f takes, at the last Update, when its points move at velocities v, by
// block [W].
func (a *Assembly) Dissipated(f int, v []r3.Vec) float64 {
	a.active = &a.families[f]
	if a.active.OfVelocity || !a.active.damped() {
		a.active = nil
		return 0
	}
	a.x = v
	sum := a.team.Sum(a.active.Elements.Len(), a.dissipateFunc)
	a.x, a.active = nil, nil
	return sum
}

func (a *Assembly) dissipateRange(lo, hi int) float64 {
	f, sum := a.active, 0.0
	v := a.x[f.first : f.first+f.nodes]
	for e := lo; e < hi; e++ {
		damping := f.Damping
		if f.DampingBy != nil {
			damping = f.DampingBy[e]
		}
		if damping == 0 {
			continue
		}
		sum += damping * element.Dissipation(f.Elements, e, v)
	}
	return sum
}

// Blown returns the force of a part that knows velocities alone, such as air, when its points move at velocities v,
// with its moment about levers and its work at velocities u, by block; nothing of other parts. It changes the state of
// such elements.
func (a *Assembly) Blown(f int, v, lever, u []r3.Vec) (out Push) {
	fam := &a.families[f]
	if !fam.OfVelocity {
		return out
	}
	a.active, a.x, a.y, a.dx = fam, v, u, lever
	n := fam.Elements.Len()
	if chunks := (n + blowGrain - 1) / blowGrain; len(a.blown) < chunks {
		a.blown = make([]Push, chunks)
	}
	a.team.For(n, blowGrain, a.blowFunc)
	for c := 0; c*blowGrain < n; c++ {
		out.AddScaled(1, &a.blown[c])
	}
	a.active, a.x, a.y, a.dx = nil, nil, nil, nil
	return out
}

// blowGrain is the chunk of Blown.
const blowGrain = 256

func (a *Assembly) blowRange(lo, hi int) {
	f := a.active
	from, to := f.first, f.first+f.nodes
	v, u, lever := a.x[from:to], a.y[from:to], a.dx[from:to]
	f.Elements.Update(v, element.WithForce, lo, hi)
	var sum Push
	for e := lo; e < hi; e++ {
		for k, i := range f.Elements.Nodes(e) {
			sum.Add(lever[i], u[i], f.Elements.Force(e, k))
		}
	}
	a.blown[lo/blowGrain] = sum
}
