package scenefile

import (
	"math"
	"slices"
)

// strides is how many steps of sewing one on the way to the first pose is as long as. Threads that shorten by much in a
// step crumple panels; nothing pulls like that once they are joined.
const strides = 2

// softly is how long threads pull softly, and sewingPatience how long a seam may take to close, in the time that
// threads take to shorten.
const (
	softly         = 1.2
	sewingPatience = softly + 1
)

// Dresses tells whether the scene has garments to be put on before the clock starts.
func (s *Scene) Dresses() bool {
	return slices.ContainsFunc(s.Cloths, func(c Cloth) bool { return c.sewn() })
}

// sewn tells whether the cloth is put on before the clock starts. A garment of the wardrobe without seams is only hung
// around the body.
func (c *Cloth) sewn() bool {
	return c.Shape.garment != nil && (len(c.Shape.garment.Stitches) > 0 || c.Shape.Garment != nil)
}

// lead returns how long before t = 0 bodies leave the dressing pose [s].
func (s *Scene) lead() float64 {
	lead := 0.0
	for i := range s.Obstacles {
		if m := s.Obstacles[i].Shape.Mannequin; m != nil {
			lead = max(lead, m.Lead+m.Hold)
		}
	}
	return lead
}

// sewingStart is when sewing begins [s].
func (s *Scene) sewingStart() float64 { return -s.lead() - sewingPatience*s.Dressing.Close }

// layersToSew returns the cloths with seams, by layer from the inside out.
func (s *Scene) layersToSew() [][]int {
	var order []int
	for i := range s.Cloths {
		if s.Cloths[i].sewn() {
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

// leadSteps returns how many steps the way to the first pose takes.
func (s *Scene) leadSteps() float64 { return math.Ceil(s.lead() / (strides * s.Dressing.Step)) }

// dressingSteps returns how many steps dressing takes if seams close as soon as threads are drawn in.
func (s *Scene) dressingSteps() int {
	if !s.Dresses() {
		return 0
	}
	sewing := float64(len(s.layersToSew())) * s.Dressing.Close
	return int(math.Ceil(sewing/s.Dressing.Step) + s.leadSteps())
}
