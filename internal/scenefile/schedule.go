package scenefile

import (
	"math"
	"slices"
)

// strides is how many steps of sewing one on the way to the first pose is as long as. Threads that shorten by much in a
// step crumple panels; nothing pulls like that once they are joined.
const strides = 2

// Softly is how long threads pull softly, and sewingPatience how long a seam may take to close, in the time that
// threads take to shorten.
const (
	Softly         = 1.2
	SewingPatience = Softly + 1
)

// Dresses tells whether the scene has garments to be put on before the clock starts.
func (s *Scene) Dresses() bool {
	return slices.ContainsFunc(s.Cloths, func(c Cloth) bool { return c.Sewn() })
}

// Sewn tells whether the cloth is put on before the clock starts. A garment of the wardrobe without seams is only hung
// around the body.
func (c *Cloth) Sewn() bool {
	return c.Shape.garment != nil && (len(c.Shape.garment.Stitches) > 0 || c.Shape.Garment != nil)
}

// Lead returns how long before t = 0 bodies leave the dressing pose [s].
func (s *Scene) Lead() float64 {
	lead := 0.0
	for i := range s.Obstacles {
		if m := s.Obstacles[i].Shape.Mannequin; m != nil {
			lead = max(lead, m.Lead+m.Hold)
		}
	}
	return lead
}

// SewingStart is when sewing begins [s].
func (s *Scene) SewingStart() float64 { return -s.Lead() - SewingPatience*s.Dressing.Close }

// LayersToSew returns the cloths with seams, by layer from the inside out.
func (s *Scene) LayersToSew() [][]int {
	var order []int
	for i := range s.Cloths {
		if s.Cloths[i].Sewn() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return s.Cloths[a].Layer - s.Cloths[b].Layer })
	var out [][]int
	for k, i := range order {
		if k == 0 || s.Cloths[i].Layer != s.Cloths[order[k-1]].Layer {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], i)
	}
	return out
}

// LeadSteps returns how many steps the way to the first pose takes.
func (s *Scene) LeadSteps() float64 { return math.Ceil(s.Lead() / (strides * s.Dressing.Step)) }

// dressingSteps returns how many steps dressing takes if seams close as soon as threads are drawn in.
func (s *Scene) dressingSteps() int {
	if !s.Dresses() {
		return 0
	}
	sewing := float64(len(s.LayersToSew())) * s.Dressing.Close
	return int(math.Ceil(sewing/s.Dressing.Step) + s.LeadSteps())
}
