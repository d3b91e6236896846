package detect

import (
	"math"

	"github.com/toile-sim/toile/internal/contact"
)

// Smoothed tells of the contacts of a set with smooth skins, whose points were where they are at the start of the last
// Find.
func (f *Finder) Smoothed(set *contact.Set) (out Smoothed) {
	s := &f.scene
	if len(s.smoothed) == 0 {
		return out
	}
	for i := range set.Contacts {
		c := &set.Contacts[i]
		for _, m := range s.smoothed {
			if c.ID.B.Surface != s.skins[m.skin].Surface || c.ID.B.Kind != contact.Whole {
				continue
			}
			out.Contacts++
			if c.ID.B.ID == deepInside {
				out.Deep++
			}
			if c.ID.B.ID == deepInside || c.Gap > s.Reach*s.most { // met on the way
				continue
			}
			at, _ := m.mesh.Distance(c.Point.AddScaled(c.Gap/2, c.Normal()))
			out.Off = max(out.Off, math.Abs(at-c.Gap))
		}
	}
	return out
}

// Smoothed tells of the points that a step has had at smooth skins.
type Smoothed struct {
	Contacts int     // with the surfaces
	Deep     int     // of these, with triangles, since they were deeper inside than the surface is known
	Off      float64 // largest distance of a surface from its triangles, at contacts [m]
}
