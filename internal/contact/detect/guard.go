package detect

import "github.com/toile-sim/toile/internal/contact"

// The guard sees to it that a motion crosses nothing: what passes through on the way (guard_impacts.go), what crosses
// at the end (guard_crossings.go), and what of that is new (guard_fresh.go).

// guard is the question what passes through.
type guard struct {
	*scene
	separation      float64 // that features must keep on their way [m]
	impacts         []contact.Impact
	cross           crossLoop
	smoothCrossings int
	deepestRound    float64 // by which something round overlaps [m]
	heat            heat    // of moving skins,
	heatLed         heat    // and of the obstacle at hand; see guard_cleared.go
}

func (g *guard) take(chunks []chunk) {
	for i := range chunks {
		g.impacts = append(g.impacts, chunks[i].impacts...)
	}
}

func (g *guard) enter(*obstacle, *loops) {}

// crossLoop counts the pairs that cross at the end of the motion.
type crossLoop struct {
	*scene
	o     *obstacle // nil: of moving skins
	pairs [][2]int32
	heat  [2][]uint8 // by primitive of each side; nil: all are hot
}
