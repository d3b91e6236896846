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
