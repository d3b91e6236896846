package toile

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
)

// LoadID names a load of a world.
type LoadID int

// Load is a force that vertices of a cloth share equally. It comes on top of what SetForce applies, and is for forces
// that change over time (LoadAlong): it is part of the world, where those of SetForce are state.
type Load struct {
	Name     string
	Cloth    ClothID
	Vertices []int32 // vertices of that cloth
	Force    r3.Vec  // all of them together [N]
}

// load is a Load at work.
type load struct {
	nodes []int32
	force r3.Vec // [N]
}

// AddLoad adds a load.
func (w *World) AddLoad(l Load) (LoadID, error) {
	if l.Cloth < 0 || int(l.Cloth) >= len(w.cloths) {
		return 0, fmt.Errorf("load %q: there is no cloth %d", l.Name, l.Cloth)
	}
	c := &w.cloths[l.Cloth]
	if len(l.Vertices) == 0 || !l.Force.Finite() {
		return 0, fmt.Errorf("load %q: a force of %v N on %d vertices", l.Name, l.Force, len(l.Vertices))
	}
	k := load{force: l.Force}
	for _, v := range l.Vertices {
		if v < 0 || int(v) >= c.count {
			return 0, fmt.Errorf("load %q: cloth %q has no vertex %d", l.Name, c.Spec.Name, v)
		}
		k.nodes = append(k.nodes, int32(c.first)+v)
	}
	w.loads = append(w.loads, k)
	w.print = nil
	return LoadID(len(w.loads) - 1), nil
}

// applied writes the forces from outside to out [N].
func (w *World) applied(out []r3.Vec) {
	copy(out, w.force)
	for i := range w.loads {
		l := &w.loads[i]
		share := l.force.Scale(1 / float64(len(l.nodes)))
		for _, node := range l.nodes {
			out[node] = out[node].Add(share)
		}
	}
}

// putLoads adds the loads to the fingerprint of a world.
func (w *World) putLoads(put func(...int64), putNode func(int32)) {
	for i := range w.loads {
		put(int64(len(w.loads[i].nodes)))
		for _, node := range w.loads[i].nodes {
			putNode(node)
		}
	}
}
