package scenefile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// WithoutFriction returns the scene with nothing that rubs, as it is while garments are sewn.
func (s *Scene) WithoutFriction() *Scene {
	out := *s
	out.Friction.Pairs = nil
	out.Cloths, out.Obstacles = slices.Clone(s.Cloths), slices.Clone(s.Obstacles)
	for i := range out.Cloths {
		out.Cloths[i].Friction = nil
	}
	for i := range out.Obstacles {
		out.Obstacles[i].Friction = nil
	}
	return &out
}

// SewingKey returns a fingerprint of everything in the scene that bears on how its garments are sewn, up to where they
// leave the dressing pose: scenes with the same key come to the same state with the same program. Friction, gravity,
// pins, forces, bodies that join later and how long the scene plays do not count.
func (s *Scene) SewingKey() string {
	sewn := s.WithoutFriction()
	sewn.Name, sewn.Time, sewn.Gravity, sewn.Friction = "", Time{}, Vector{}, Friction{}
	sewn.Rigids, sewn.Joints = nil, nil
	sewn.Solids = nil
	for _, o := range s.Solids {
		if o.Shape.Flesh != nil {
			sewn.Solids = append(sewn.Solids, Solid{Name: o.Name, Shape: o.Shape, Place: o.Place})
		}
	}
	for i := range sewn.Cloths {
		c := &sewn.Cloths[i]
		c.Pins, c.Attach, c.Forces = nil, nil, nil
	}
	sum := sha256.New()
	sum.Write(sewn.Resolved())
	for _, in := range s.inputs[min(1, len(s.inputs)):] { // the scene file itself is told by what it says
		fmt.Fprintln(sum, in.Path, in.SHA256)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
