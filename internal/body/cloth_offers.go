package body

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// What a cloth offers besides what every body has.

var (
	_ mech.Sheet     = (*Cloth)(nil)
	_ mech.Mapped    = (*Cloth)(nil)
	_ mech.Stretcher = (*Cloth)(nil)
	_ mech.Clamped   = (*Cloth)(nil)
	_ mech.Airy      = (*Cloth)(nil)
	_ mech.Tunable   = (*Cloth)(nil)
)

// Triangles returns those of its mesh.
func (c *Cloth) Triangles() [][3]int32 { return c.Spec.Mesh.Tri }

// Layer returns its place in the order of layers.
func (c *Cloth) Layer() int { return c.Spec.Layer }

// Layout names the mesh that it was made with, and whether that changes.
func (c *Cloth) Layout(put func(...int64)) {
	m := c.Original().Mesh
	put(int64(m.Verts), int64(len(m.Tri)))
	for _, v := range m.Tri {
		put(int64(v[0]), int64(v[1]), int64(v[2]))
	}
	if c.adaptive != nil {
		put(-1)
	}
}

// Map returns its maps of the surface.
func (c *Cloth) Map(kind mech.MapKind) []float64 {
	switch kind {
	case mech.Thickness:
		return c.Spec.Maps.Thickness
	case mech.Friction:
		return c.Spec.Maps.Friction
	}
	return nil
}

// Stretch writes the largest principal stretch around each vertex, when these are at x.
func (c *Cloth) Stretch(x []r3.Vec, out []float64) {
	clear(out)
	c.Membrane.Update(x, elastic.WithForce, 0, c.Membrane.Len())
	for e := range c.Membrane.Len() {
		major, _ := c.Membrane.Stretch(e)
		for _, v := range c.Membrane.Nodes(e)[:3] {
			out[v] = max(out[v], major)
		}
	}
}

// Clamps appends a vertex of the edge of each clamp.
func (c *Cloth) Clamps(dst []int32) []int32 {
	for _, k := range c.Spec.Clamps {
		dst = append(dst, k.Edge[0])
	}
	return dst
}

// TurnClamp turns the direction of a clamp.
func (c *Cloth) TurnClamp(k int, turn r3.Quat) {
	c.Bending.(*elastic.Plate).SetClamp(k, turn.Rotate(c.Spec.Clamps[k].Dir)) // makeElements lets no others have clamps
}

// CanTune returns an error for damping that differs from place to place.
func (c *Cloth) CanTune(p mech.Property) error {
	if p < mech.MaterialDamping || p > mech.BendStiffness {
		return errors.New("a cloth has no such number")
	}
	if p == mech.MaterialDamping && c.Varied() {
		return fmt.Errorf("that of cloth %q differs from place to place", c.Spec.Name)
	}
	return nil
}

// Tune changes damping, drag, or a factor on the stiffness. The first factor of a kind changes the parts.
func (c *Cloth) Tune(p mech.Property, value float64) {
	switch p {
	case mech.MaterialDamping:
		c.Damping = value
	case mech.AirDrag:
		c.SetDrag(value)
	case mech.StretchStiffness:
		c.ScaleStretch(value)
	case mech.BendStiffness:
		c.ScaleBend(value)
	}
}
