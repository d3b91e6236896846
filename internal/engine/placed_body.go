package engine

import (
	"time"

	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/r3"
)

// placedBody is a body and its blocks.
type placedBody struct {
	mech.Body
	offers
	first, count int
	surface      SurfaceID // of its skin
	mu           float64   // its coefficient of friction; NaN for that of the world
	clampHolder  []int     // handle that each of its clamps turns with, or -1
}

// of returns what of an array by block belongs to the body.
func (m *placedBody) of(x []r3.Vec) []r3.Vec { return x[m.first : m.first+m.count] }

// has reports whether a block is one of the body.
func (m *placedBody) has(block int) bool { return block >= m.first && block < m.first+m.count }

// put makes a body the one that the member has, with what it offers.
func (m *placedBody) put(b mech.Body) { m.Body, m.offers = b, offersOf(b) }

// mapOf returns what differs from place to place of the body; nil: it does not.
func (m *placedBody) mapOf(kind mech.MapKind) []float64 {
	if m.mapped == nil {
		return nil
	}
	return m.mapped.Map(kind)
}

// offers is what a body offers besides what all have; nil: it does not.
type offers struct {
	guided    mech.Guided
	led       mech.Led
	bound     mech.Bound
	turning   mech.Turning
	carrying  mech.Carrying
	spinning  mech.Spinning
	potential mech.Potential
	pacer     mech.Pacer
	guard     mech.Guard
	rigid     mech.Rigid
	soft      mech.Soft
	sheet     mech.Sheet
	mapped    mech.Mapped
	stretcher mech.Stretcher
	clamped   mech.Clamped
	airy      mech.Airy
	tunable   mech.Tunable
	acted     mech.Acted
	remesher  mech.Remesher
}

func offersOf(b mech.Body) (o offers) {
	o.guided, _ = b.(mech.Guided)
	o.led, _ = b.(mech.Led)
	o.bound, _ = b.(mech.Bound)
	o.turning, _ = b.(mech.Turning)
	o.carrying, _ = b.(mech.Carrying)
	o.spinning, _ = b.(mech.Spinning)
	o.potential, _ = b.(mech.Potential)
	o.pacer, _ = b.(mech.Pacer)
	o.guard, _ = b.(mech.Guard)
	o.rigid, _ = b.(mech.Rigid)
	o.soft, _ = b.(mech.Soft)
	o.sheet, _ = b.(mech.Sheet)
	o.mapped, _ = b.(mech.Mapped)
	o.stretcher, _ = b.(mech.Stretcher)
	o.clamped, _ = b.(mech.Clamped)
	o.airy, _ = b.(mech.Airy)
	o.tunable, _ = b.(mech.Tunable)
	o.acted, _ = b.(mech.Acted)
	if r, ok := b.(mech.Remesher); ok && r.Adapts() {
		o.remesher = r
	}
	return o
}

// replaced is what remeshing has replaced in the step under way.
type replaced struct {
	bodies         []placedBody
	pos, vel       []r3.Vec
	force          []r3.Vec
	mass           []float64
	held, fixed    []bool
	handles, loads [][]int32
	last           solvedContacts
}

// remeshed is what remeshing did in the step under way.
type remeshed struct {
	counts RemeshCounts
	took   time.Duration
}
