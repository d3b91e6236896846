package engine

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
)

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
		for k := range s.w.bodies {
			if b := &s.w.bodies[k]; b.sheet != nil && b.has(i) {
				return fmt.Errorf("the force on vertex %d of %s is %v N: %w", i-b.first, s.w.surfaces[b.surface], s.force[i], ErrNotFinite)
			}
		}
		return fmt.Errorf("the force on block %d is %v N: %w", i, s.force[i], ErrNotFinite)
	}
	return nil
}
