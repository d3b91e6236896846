package contact

import "github.com/toile-sim/toile/r3"

// Impact is a pair of features that would meet in a step.
type Impact struct {
	Time     float64  // part of the step after which they meet, not too late
	Normal   r3.Vec   // n, from side B to side A, of unit length
	Row      [5]Share // what the gap depends on: at most four points of features, and the block of an obstacle
	Terms    int      // how many
	Offset   float64  // what the gap is without them [m]
	Least    float64  // the gap that is asked for at the end [m]
	Obstacle int32    // index of the prescribed skin, or None
}

// Gap returns the gap at the end of a motion of the points to x [m].
func (p *Impact) Gap(x []r3.Vec) float64 {
	gap := p.Offset
	for _, t := range p.Row[:p.Terms] {
		gap += t.W * p.Normal.Dot(x[t.Point])
	}
	return gap
}

// add takes the points of one side: as terms, or those of an obstacle, which is nil for moving skins, as an offset.
func (p *Impact) add(o *obstacle, s *side, points [3]Share, sign float64) {
	for _, n := range points {
		if n.W == 0 {
			continue
		}
		if o == nil {
			p.Row[p.Terms] = Share{n.Point, sign * n.W}
			p.Terms++
			continue
		}
		// The travel of a press is in the positions, and becomes a term of its own.
		end := s.x1[n.Point].Sub(o.travelled)
		p.Offset += sign * n.W * p.Normal.Dot(end)
	}
	if o != nil {
		p.ride(o, sign)
	}
}

// ride names the obstacle, and adds the term of the block that it rides on. Blocks hold how far it has travelled in the
// step, from the start.
func (p *Impact) ride(o *obstacle, sign float64) {
	p.Obstacle = o.skin
	if o.Block != None {
		p.Row[p.Terms] = Share{o.Block, sign}
		p.Terms++
		p.Offset -= sign * p.Normal.Dot(o.start)
	}
}
