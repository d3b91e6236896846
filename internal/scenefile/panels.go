package scenefile

import (
	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// worn is how a cloth of the scene is in a world on the way.
type worn struct {
	absent bool
	tight  bool     // its threads are short and strong
	apart  []r3.Vec // where its panels hang; nil once they are sewn
	x, v   []r3.Vec // of the sewn mesh; nil: as the scene places it
}

// undressed returns the cloths as they are before anything is sewn.
func (s *Scene) undressed() []worn {
	out := make([]worn, len(s.Cloths))
	for i := range s.Cloths {
		if c := &s.Cloths[i]; c.sewn() {
			out[i].apart = c.Shape.garment.Positions
		}
	}
	return out
}

// joined returns a garment with its panels joined: vertices that become one meet in the middle.
func (w worn) joined(g *pattern.Garment) worn {
	x := make([]r3.Vec, g.Sewn.Verts)
	share := make([]float64, g.Sewn.Verts)
	for i, p := range w.apart {
		x[g.Merge[i]] = x[g.Merge[i]].Add(p)
		share[g.Merge[i]]++
	}
	for i := range x {
		x[i] = x[i].Scale(1 / share[i])
	}
	return worn{x: x, v: make([]r3.Vec, len(x))}
}

// sewnSheet returns the garment with its seams joined, at positions x, or as its panels are placed.
func (s *Shape) sewnSheet(x []r3.Vec) *piece {
	g := s.garment
	if x == nil {
		x = worn{apart: g.Positions}.joined(g).x
	}
	sh := &piece{mesh: g.Sewn, x: x}
	for _, k := range g.Groups {
		sh.groups = append(sh.groups, meshio.Group{Name: k.Name, Vertices: k.Vertices})
	}
	return sh
}

// fullPull is how far a thread is stretched when it pulls with all its force [m]. Tight threads are strong, and short
// at once: a stiff thread that shortens by much in a step would chatter.
const (
	fullPull      = 0.01
	fullTightPull = 0.002
	tightStrength = 2
	tightClose    = 0.05 // [s]
)

// seams returns the stitches of a cloth whose panels are apart, nil otherwise.
func (s *Scene) seams(c *Cloth, as *worn) *body.Seams {
	if as.apart == nil || !c.sewn() || len(c.Shape.garment.Stitches) == 0 {
		return nil
	}
	force := s.Dressing.Pull * c.Shape.meshSize()
	pairs := c.Shape.garment.Stitches
	if as.tight {
		strong := tightStrength * force
		return &body.Seams{
			Pairs:  pairs,
			Close:  tightClose,
			Thread: body.Thread{Stiffness: strong / fullTightPull, Force: strong},
		}
	}
	return &body.Seams{
		Pairs:  pairs,
		Close:  s.Dressing.Close,
		Thread: body.Thread{Stiffness: force / fullPull, Force: force},
	}
}

// checkSelections looks for what will be wrong with the selections of garments once they are sewn, as far as it does
// not depend on where that is: nobody wants to wait for it.
func (s *Scene) checkSelections() error {
	d := &decoder{faults: &faultList{}}
	for i := range s.Cloths {
		c := &s.Cloths[i]
		if !c.sewn() {
			continue
		}
		sh := c.Shape.sewnSheet(nil)
		check := func(to *Select) {
			if to.Box == nil && to.Sphere == nil && to.Near == nil {
				to.pick(sh, d)
			}
		}
		for k := range c.Pins {
			check(&c.Pins[k].Select)
		}
		for k := range c.Forces {
			check(&c.Forces[k].Select)
		}
		for k := range c.Attach {
			check(&c.Attach[k].Select)
		}
	}
	return d.faults.err()
}
