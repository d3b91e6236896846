package yarn

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// swatchPatterns are the knits that are compared: same yarn, same length of yarn in a loop.
var swatchPatterns = []swatchPattern{
	{"stockinette", knit.Stockinette()},
	{"garter", knit.Garter()},
	{"rib 2 x 2", knit.Rib(2, 2)},
	{"seed", knit.Seed()},
}

type swatchPattern struct {
	name  string
	chart *knit.Chart
}

// swatchPeriod is a number of loops after which all of these patterns repeat. What is measured between loops is
// measured over so many of them, and damping blocks have so many to a side.
const swatchPeriod = 4

// swatchLoop is the yarn in a loop over its diameter.
const swatchLoop = 17.6

// swatchYarn is the yarn of [Kaldor10] made elastic and straight by nature, with twenty times its stiffness, so that
// swatches come to rest in a second or two. The constant part of its damping holds forces of 3e-5 N a point, a tenth of
// EI/D², which keeps garter and rib as they are laid; a tenth of it does not.
func swatchYarn() yarn.Material {
	m := yarn.Kaldor()
	m.Bend, m.Twist, m.Plastic, m.PlasticMost = 2e-9, 1e-9, 0, 0
	m.DampRate, m.DampConstant = 300, 0.5
	return m
}

// swatchOptions say what a swatch is made of and how it is relaxed.
type swatchOptions struct {
	swatchPattern
	wales, courses int
	material       yarn.Material
	mode           yarn.ContactMode
	tau            float64 // of linear contact
	loose          float64 // by how much life lines become longer than they are laid; 0 means not
}

// swatch is a knit that is relaxed and pulled.
type swatch struct {
	swatchOptions
	t      *verify.Trial
	fabric *knit.Fabric
	world  *yarn.World
	watch  *knit.Watch

	level [][]int // points of blocks that are kept level
	each  func()  // called after each step, unless it is nil

	stats   yarn.Stats // of the last step
	checked float64    // when crossings were looked at last [s]
	slips   int        // that the steps told of
	lost    int        // most crossings inside at a time that have the wrong sign
	slid    int        // and of the first and the last course
}

// knitSwatch lays a swatch out, at the given points or, for none, as it is made, with points that are held.
func knitSwatch(t *verify.Trial, o swatchOptions, at []r3.Vec, holds ...yarn.Hold) *swatch {
	fabric, err := knit.Make(o.chart, knit.Options{
		Wales: o.wales, Courses: o.courses, Radius: o.material.Radius, LoopLength: swatchLoop * 2 * o.material.Radius,
	})
	t.Must(err)
	w, err := t.Yarns(yarn.Options{Material: o.material, Mode: o.mode, Tolerance: o.tau, Workers: t.Options.Workers})
	t.Must(err)
	laid := at == nil
	if laid {
		at = fabric.Points()
	}
	addFabric(t, w, fabric, at)
	for _, h := range holds {
		t.Must(w.AddHold(h))
	}
	if laid {
		ratio := fabric.Ratio
		for i := len(fabric.Yarns[0].Points); i < len(ratio); i++ {
			ratio[i] += o.loose
		}
		t.Must(w.Ramp(ratio, swatchRamp))
	}
	return &swatch{swatchOptions: o, t: t, fabric: fabric, world: w, watch: fabric.Watch()}
}

// again returns the swatch as it lies, with points that are held. Lengths are kept to 5e-6, and yarns whose ends are
// free have no twist, so that nothing of its state is lost but velocities.
func (s *swatch) again(holds ...yarn.Hold) *swatch {
	next := knitSwatch(s.t, s.swatchOptions, s.world.Positions(), holds...)
	copy(next.watch.Crossings, s.watch.Crossings)
	return next
}

// swatchRamp is how long rest lengths take to change to those that are wanted [s].
const swatchRamp = 0.2

// keepLevel presses those blocks of loops to the plane z = 0 that which tells to: the plane through their points, in
// the sense of least squares, is drawn to it. Loops may slide along it, and lie before and behind each other within a
// block.
func (s *swatch) keepLevel(which func(wale, course int) bool) {
	of, count := s.fabric.Blocks(swatchPeriod)
	blocks := make([][]int, count)
	for i, b := range of {
		if wale, course := s.fabric.LoopOf(i); which(wale/swatchPeriod, course/swatchPeriod) {
			blocks[b] = append(blocks[b], i)
		} else {
			s.world.SetForce(i, r3.Vec{})
		}
	}
	s.level = s.level[:0]
	for _, points := range blocks {
		if points != nil {
			s.level = append(s.level, points)
		}
	}
	s.press()
}

// press sets the forces that keep blocks level: springs and dashpots, critically damped.
func (s *swatch) press() {
	const rate = 200 // [1/s]
	mass := s.material.Density * swatchLoop * 2 * s.material.Radius / 8
	x, v := s.world.Positions(), s.world.Velocities()
	for _, points := range s.level {
		drive := func(i int) float64 { return x[i].Z + 2.0/rate*v[i].Z } // the height, with the speed that is damped
		n := 1 / float64(len(points))
		var centre r3.Vec
		for _, i := range points {
			centre = centre.AddScaled(n, r3.V(x[i].X, x[i].Y, drive(i)))
		}
		var xx, xy, yy, xz, yz float64
		for _, i := range points {
			dx, dy, z := x[i].X-centre.X, x[i].Y-centre.Y, drive(i)
			xx, xy, yy, xz, yz = xx+dx*dx, xy+dx*dy, yy+dy*dy, xz+dx*z, yz+dy*z
		}
		det := xx*yy - xy*xy
		slopeX, slopeY := (xz*yy-yz*xy)/det, (yz*xx-xz*xy)/det
		for _, i := range points {
			z := centre.Z + slopeX*(x[i].X-centre.X) + slopeY*(x[i].Y-centre.Y)
			s.world.SetForce(i, r3.V(0, 0, -mass*rate*rate*z))
		}
	}
}

// advance lets some time pass.
func (s *swatch) advance(duration float64) {
	const checkEvery = 0.01
	err := s.world.Advance(duration, yarn.Pace{Most: 1.0 / 4000}, func(st *yarn.Stats) {
		s.stats = *st
		s.slips += len(st.Slips)
		s.press()
		if s.each != nil {
			s.each()
		}
		if s.world.Time() > s.checked+checkEvery {
			s.checked = s.world.Time()
			inside, edges := s.wrong()
			s.lost, s.slid = max(s.lost, inside), max(s.slid, edges)
		}
	})
	s.t.Must(err)
}

// wrong counts crossings between loops that have the wrong sign: inside, and of the first and the last course, which
// only life lines hold. There loops may slip off each other, and the end of the yarn out of its last loop, without
// passing through anything.
func (s *swatch) wrong() (inside, edges int) {
	for _, k := range s.watch.Check(s.world.Positions()) {
		switch course := k / (4 * s.wales); {
		case course > 0 && course < s.courses-2:
			inside++
		case course < s.courses-1:
			edges++
		}
	}
	return inside, edges
}

// relax lets the swatch come to rest: its size changes by less than a thousandth in a tenth of a second, and it hardly
// moves. It gives up after a time [s].
func (s *swatch) relax(most float64) (rested bool) {
	const every, still = 0.1, 1e-3
	wale, course := s.spacing()
	begin := s.world.Time()
	for s.world.Time() < begin+most-every/2 {
		s.advance(every)
		s.t.At(s.name, s.world.Time()-begin, most)
		w, c := s.spacing()
		change := max(math.Abs(w/wale-1), math.Abs(c/course-1))
		wale, course = w, c
		if s.world.Time() > swatchRamp && change < still && s.stats.Kinetic < still*s.stats.Bend {
			return true
		}
	}
	return false
}

// centre returns the mean of the points of a loop.
func (s *swatch) centre(wale, course int) r3.Vec {
	_, first, count := s.fabric.Loop(wale, course)
	var sum r3.Vec
	for _, p := range s.world.Positions()[first : first+count] {
		sum = sum.Add(p)
	}
	return sum.Scale(1 / float64(count))
}

// spacing returns the distance of wales along the courses and that of courses across them, in the middle [m].
func (s *swatch) spacing() (wale, course float64) {
	left, right := middle(s.wales)
	bottom, top := middle(s.courses)
	n := 0.0
	for j := bottom; j < top-swatchPeriod; j++ {
		for i := left; i < right-swatchPeriod; i++ {
			here := s.centre(i, j)
			along, up := s.centre(i+swatchPeriod, j).Sub(here), s.centre(i, j+swatchPeriod).Sub(here)
			wale += along.Norm()
			course += along.Cross(up).Norm() / along.Norm()
			n += swatchPeriod
		}
	}
	return wale / n, course / n
}

// middle returns the middle of so many loops: half of them, but at the least two periods.
func middle(n int) (lo, hi int) {
	size := max(n/2, 2*swatchPeriod)
	lo = (n - size) / 2
	return lo, lo + size
}

// thickness returns the mean over the blocks in the middle of how far their yarns reach across the plane [m].
func (s *swatch) thickness() float64 {
	of, count := s.fabric.Blocks(swatchPeriod)
	low, high := make([]float64, count), make([]float64, count)
	for b := range low {
		low[b], high[b] = math.Inf(1), math.Inf(-1)
	}
	left, right := middle(s.wales)
	bottom, top := middle(s.courses)
	for i, p := range s.world.Positions() {
		if wale, course := s.fabric.LoopOf(i); wale >= left && wale < right && course >= bottom && course < top {
			low[of[i]], high[of[i]] = min(low[of[i]], p.Z), max(high[of[i]], p.Z)
		}
	}
	sum, n := 0.0, 0.0
	for b := range low {
		if high[b] > low[b] {
			sum, n = sum+high[b]-low[b], n+1
		}
	}
	return sum/n + 2*s.material.Radius
}

// swatchEdge is one of the four.
type swatchEdge int

const (
	leftEdge swatchEdge = iota
	rightEdge
	bottomEdge
	topEdge
)

func (e swatchEdge) String() string { return [...]string{"left", "right", "bottom", "top"}[e] }

// curl returns by how much the fabric turns from its middle to an edge, in the mean over the middle half of the edge
// [rad], positive if the edge turns to the front, which is the knit face of stockinette.
func (s *swatch) curl(e swatchEdge) float64 {
	across, length := s.wales, s.courses
	if e == bottomEdge || e == topEdge {
		across, length = length, across
	}
	sum, n := 0.0, 0.0
	for along := length / 4; along < length-length/4; along++ {
		at := func(inward int) r3.Vec {
			switch e {
			case leftEdge:
				return s.centre(inward, along)
			case rightEdge:
				return s.centre(s.wales-1-inward, along)
			case bottomEdge:
				return s.centre(along, inward)
			default:
				return s.centre(along, s.courses-1-inward)
			}
		}
		// The direction outwards, as an angle in the plane across the edge, followed from the middle in steps of a
		// period.
		angle := 0.0
		for inward := (across/2 - 1) / swatchPeriod * swatchPeriod; inward >= swatchPeriod; inward -= swatchPeriod {
			d := at(inward - swatchPeriod).Sub(at(inward))
			out := [...]float64{-d.X, d.X, -d.Y, d.Y}[e]
			angle += math.Remainder(math.Atan2(d.Z, out)-angle, 2*math.Pi)
		}
		sum, n = sum+angle, n+1
	}
	return sum / n
}

// String names the swatch by its pattern and size.
func (o *swatchOptions) String() string { return fmt.Sprintf("%s %d x %d", o.name, o.wales, o.courses) }

// all is a choice of all blocks.
func all(wale, course int) bool { return true }

// kept tells by rows whether loops still hang in each other as they were knit.
func (s *swatch) kept(what string) {
	name := s.String() + ", " + what
	s.t.Row(verify.Row{
		Quantity: name + ": yarns that passed through each other", Measured: float64(s.slips), Bar: verify.AtMost,
	})
	s.t.Row(verify.Row{
		Quantity: name + ": crossings inside of the wrong sign", Measured: float64(s.lost), Bar: verify.AtMost,
	})
	if s.slid > 0 {
		s.t.Note(
			"%s: %d crossings of the first or last course, which life lines hold, have the wrong sign", name, s.slid,
		)
	}
}
