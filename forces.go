package toile

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
)

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

// forcesAreNumbers says where a force from outside is none.
func (s *step) forcesAreNumbers() error {
	for i := range s.force {
		if s.force[i].Finite() {
			continue
		}
		for k := range s.w.cloths {
			if c := &s.w.cloths[k]; i >= c.first && i < c.first+c.count {
				return fmt.Errorf("the force on vertex %d of %s is %v N: %w", i-c.first, c.Spec.Name, s.force[i], ErrNotFinite)
			}
		}
		return fmt.Errorf("the force on block %d is %v N: %w", i, s.force[i], ErrNotFinite)
	}
	return nil
}

// SetForce applies a force to a vertex until it is set again [N].
func (w *World) SetForce(id ClothID, vertex int, f r3.Vec) {
	c := &w.cloths[id]
	if vertex < 0 || vertex >= c.count {
		panic(fmt.Sprintf("toile: cloth %q has no vertex %d", c.Spec.Name, vertex))
	}
	w.force[c.first+vertex] = f
}
