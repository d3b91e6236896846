package build

import (
	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Worn is how a cloth of the scene is in a world on the way.
type Worn struct {
	Absent bool
	Tight  bool     // its threads are short and strong
	Apart  []r3.Vec // where its panels hang; nil once they are sewn
	X, V   []r3.Vec // of the sewn mesh; nil: as the scene places it
}

// Undressed returns the cloths as they are before anything is sewn.
func Undressed(s *scenefile.Scene) []Worn {
	out := make([]Worn, len(s.Cloths))
	for i := range s.Cloths {
		if c := &s.Cloths[i]; c.Sewn() {
			out[i].Apart = c.Shape.Made().Positions
		}
	}
	return out
}

// Joined returns a garment with its panels joined: vertices that become one meet in the middle.
func (w Worn) Joined(g *pattern.Garment) Worn {
	x := make([]r3.Vec, g.Sewn.Verts)
	share := make([]float64, g.Sewn.Verts)
	for i, p := range w.Apart {
		x[g.Merge[i]] = x[g.Merge[i]].Add(p)
		share[g.Merge[i]]++
	}
	for i := range x {
		x[i] = x[i].Scale(1 / share[i])
	}
	return Worn{X: x, V: make([]r3.Vec, len(x))}
}

// sewnSheet returns the garment with its seams joined, at positions x, or as its panels are placed.
func sewnSheet(s *scenefile.Shape, x []r3.Vec) *scenefile.Sheet {
	g := s.Made()
	if x == nil {
		x = Worn{Apart: g.Positions}.Joined(g).X
	}
	sh := &scenefile.Sheet{Mesh: g.Sewn, X: x}
	for _, k := range g.Groups {
		sh.Groups = append(sh.Groups, meshio.Group{Name: k.Name, Vertices: k.Vertices})
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

// seamsOf returns the stitches of a cloth whose panels are apart, nil otherwise.
func seamsOf(s *scenefile.Scene, c *scenefile.Cloth, as *Worn) *body.Seams {
	if as.Apart == nil || !c.Sewn() || len(c.Shape.Made().Stitches) == 0 {
		return nil
	}
	force := s.Dressing.Pull * c.Shape.MeshSize()
	pairs := c.Shape.Made().Stitches
	if as.Tight {
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
func checkSelections(s *scenefile.Scene) error {
	faults := &scenefile.Found{}
	for i := range s.Cloths {
		c := &s.Cloths[i]
		if !c.Sewn() {
			continue
		}
		sh := sewnSheet(&c.Shape, nil)
		check := func(to *scenefile.Select) {
			if to.Box == nil && to.Sphere == nil && to.Near == nil {
				to.Pick(sh, faults)
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
	return faults.Err()
}
