package pattern

import (
	"fmt"

	"github.com/toile-sim/toile/r3"
)

// maker holds a pattern on its way to becoming a garment. Its methods are the stages of Make, in order; each
// relies on those before it having found no fault.
type maker struct {
	pattern *Pattern
	size    float64
	faults  Faults

	panels []*ring
	index  map[string]int // of panels by name; never ranged over
	seams  []sewing
	pairs  []pair // of pieces that are stitched to each other
	flip   []bool // of each panel: its outline is drawn as seen from the inside

	flat  flatMesh
	out   Garment
	merge []int32
}

// mostFaults is how many faults are kept; nobody reads more.
const mostFaults = 100

func (m *maker) fault(f Fault, format string, args ...any) {
	f.Msg = fmt.Sprintf(format, args...)
	if len(m.faults) < mostFaults {
		m.faults = append(m.faults, &f)
	}
}

// ring is the outline of a panel.
type ring struct {
	panel  *Panel
	curves []*curve // of the edges
	pieces []*piece // counter-clockwise
	edge   map[string]int
}

type role int

const (
	plain  role = iota // part of an edge
	folded             // half of a pleat
	leg                // side of a dart
)

// piece is a stretch of an outline that is divided into equal segments.
type piece struct {
	panel, edge int // of a dart, the edge with its mouth
	role        role
	owner       string // "edge hem", "dart bust", ...
	curve       *curve
	from, to    float64 // arc lengths on the curve
	segments    int
	first       int // number of its first point on the ring
}

func (p *piece) length() float64 { return p.to - p.from }

// points returns the points of the piece but the last.
func (p *piece) points() []r3.Vec2 {
	out := make([]r3.Vec2, p.segments)
	for i := range out {
		out[i] = p.curve.at(p.from + p.length()*float64(i)/float64(p.segments))
	}
	return out
}

// pair is two pieces stitched to each other; with opposed, from the start of a and from the end of b.
type pair struct {
	a, b    *piece
	opposed bool
	seam    int // or -1
}

// sewing is a seam with its pieces found.
type sewing struct {
	seam *Seam
	side [2]chain
}

// chain is one side of a seam.
type chain struct {
	edges  []edgeAt
	pieces []*piece // plain pieces in the order in which A runs
	length float64
}

type edgeAt struct{ panel, edge int }

// flatMesh is the panels on their way to a mesh, one after the other.
type flatMesh struct {
	at     []r3.Vec2 // points of the panels, as drawn
	tri    [][3]int32
	panel  []int32 // of each vertex
	first  []int32 // vertex of each panel
	border []int32 // number of vertices on the outline of each panel
}
