// Package knits makes the scenes of yarns that are timed: the four of table 2 of [Kaldor10], at its sizes or smaller.
package knits

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Scene is a scene of yarns.
type Scene struct {
	Name  string
	Loops int // of the paper
	Shows string
	make  func(m *maker)

	// For so long, what is laid is let down slowly, and bodies stand [s].
	Settle float64
}

// Scenes returns all scenes.
func Scenes() []Scene {
	return []Scene{
		{"scarf", 3_240, "a scarf of 27 x 120 loops falls on a plane, lower end first", (*maker).scarf, 0},
		{"sack", 41_272, "a sack of 308 x 134 loops, bound at its bottom and hung from its rim, catches 90 rigid balls", (*maker).sack, 0},
		{"afghan", 54_340, "a blanket of 247 x 220 loops falls on a ball", (*maker).afghan, 0},
		{"sweater", 45_960, "a sweater, sleeves and shoulders bound to its body, on capsules that walk and swing their arms", (*maker).sweater, 1},
	}
}

// World is a scene that has been built.
type World struct {
	*yarn.World
	Name      string
	Fabrics   []*knit.Fabric
	Obstacles []yarn.Obstacle // by their numbers; balls too
	Loops     int
	Segments  int
	Settle    float64 // [s]
}

// maker builds a scene.
type maker struct {
	w      *yarn.World
	share  float64 // of the sizes of the paper
	blocks []int32
	out    *World
	err    error
}

// Build makes a scene, with a share of the loops of the paper along each side, 0 < share <= 1.
func (s *Scene) Build(o yarn.Options, share float64) (*World, error) {
	w, err := yarn.New(o)
	if err != nil {
		return nil, err
	}
	m := &maker{w: w, share: share, out: &World{World: w, Name: s.Name, Settle: s.Settle}}
	s.make(m)
	m.note(w.SetBlocks(m.blocks))
	if m.err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, m.err)
	}
	return m.out, nil
}

func (m *maker) note(err error) {
	if m.err == nil {
		m.err = err
	}
}

// size returns a number of loops of the paper as it is built, at least what a tube needs.
func (m *maker) size(loops int) int { return max(8, int(math.Round(m.share*float64(loops)))) }

const radius = 1.25e-3 // of the yarn [m]

// Spacings of loops as they are laid, over the diameter.
const (
	waleSpacing   = 3.927
	courseSpacing = 3.4375
)

// knit lays a piece and places it.
func (m *maker) knit(o knit.Options, pose r3.Pose) *knit.Fabric {
	// piece
	o.Radius = radius
	f, err := knit.Make(knit.Stockinette(), o)
	m.note(err)
	if err != nil {
		return nil
	}
	// its yarns at their place
	first := len(m.w.Positions())
	for _, y := range f.Yarns {
		points := make([]r3.Vec, len(y.Points))
		for i, p := range y.Points {
			points[i] = pose.Apply(p)
		}
		_, err := m.w.AddYarn(yarn.Yarn{Name: "yarn", Points: points, Closed: y.Closed})
		m.note(err)
	}
	// its glue
	for _, g := range f.Glue {
		m.note(m.w.AddGlue(yarn.Glue{A: first + g.A, B: first + g.B}))
	}
	// its blocks, behind those of other pieces
	last := int32(0)
	for _, b := range m.blocks {
		last = max(last, b+1)
	}
	blocks, _ := f.Blocks(4)
	for _, b := range blocks {
		m.blocks = append(m.blocks, last+b)
	}
	// sums
	m.out.Fabrics = append(m.out.Fabrics, f)
	m.out.Loops += f.Wales * f.Courses
	m.out.Segments += f.Segments()
	return f
}

func (m *maker) obstacle(o yarn.Obstacle) {
	_, err := m.w.AddObstacle(o)
	m.note(err)
	m.out.Obstacles = append(m.out.Obstacles, o)
}

func (m *maker) ball(b yarn.Ball) {
	_, err := m.w.AddBall(b)
	m.note(err)
	m.out.Obstacles = append(m.out.Obstacles, yarn.Obstacle{
		Name: b.Name, Shape: shape.Sphere{Radius: b.Radius}, Place: r3.Translation(b.Center), Friction: b.Friction,
	})
}

func (m *maker) floor(z float64) {
	m.obstacle(yarn.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Translation(r3.V(0, 0, z)), Friction: 0.4})
}

func (m *maker) scarf() {
	// Upright, its face leaning by a few degrees so that it folds.
	upright := r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), 1.5), T: r3.V(0, 0, 0.03)}
	m.knit(knit.Options{Wales: m.size(27), Courses: m.size(120)}, upright)
	m.floor(0)
}

func (m *maker) afghan() {
	wales, courses := m.size(247), m.size(220)
	wide, high := waleSpacing*2*radius*float64(wales), courseSpacing*2*radius*float64(courses)
	ball := 0.2 * high
	m.knit(knit.Options{Wales: wales, Courses: courses}, r3.Translation(r3.V(-wide/2, -high/2, ball+3*radius)))
	m.obstacle(yarn.Obstacle{Name: "ball", Shape: shape.Sphere{Radius: ball}, Place: r3.Still(), Friction: 0.4})
}

// purse returns the surface of a tube whose cross-section has two flat sides between round ends, its front outside. Its
// shape says by the distance along a wale how high it is and how thick, half of it [m]. It is laid a little wider at
// its ends, as round tubes are, so that yarns are nowhere closer together than in a plane.
func purse(around float64, shape func(y float64) (height, thick float64)) knit.Surface {
	at := func(x, y float64) r3.Vec {
		height, r := shape(y)
		flat := around/4 - math.Pi/2*r // half of it
		// From the middle of the left end over the front and back again.
		side, along := 1.0, math.Mod(x+around, around)-around/4
		if along > around/4 {
			side, along = -1, around/2-along
		}
		middle := min(max(along, -flat), flat)
		sin, cos := math.Sincos((along - middle) / r)
		return r3.V(middle+(r+ease)*sin, -side*(r+ease)*cos, height)
	}
	return func(x, y float64) (point, normal r3.Vec) {
		const d = 0.1 * radius
		right, up := at(x+d, y).Sub(at(x-d, y)), at(x, y+d).Sub(at(x, y-d))
		return at(x, y), right.Cross(up).Unit()
	}
}

// Half the thickness of a tube where it is folded flat, and what is added to radii so that yarns inside are not too
// close [m].
const (
	folded = 4 * radius
	ease   = 2.4 * radius
)

// bind glues the front of a tube on a purse to its back, through the life line of its bottom or top, at the wales that
// are to be bound.
func (m *maker) bind(first int, f *knit.Fabric, line int, bound func(wale int) bool) {
	for _, y := range f.Yarns[:line] {
		first += len(y.Points)
	}
	// The line has two points a wale, from the left over the front and back again.
	points := len(f.Yarns[line].Points)
	for i := 1; i < points/2; i++ {
		if bound(i / 2) {
			m.note(m.w.AddGlue(yarn.Glue{A: first + i, B: first + points - i}))
		}
	}
}

func (m *maker) sack() {
	wales, courses := m.size(308), m.size(134)
	around, high := waleSpacing*2*radius*float64(wales), courseSpacing*2*radius*float64(courses)
	// A purse that opens from its bottom to a round rim.
	open := around / (2 * math.Pi)
	slope := (open - folded) / high
	cos := math.Sqrt(1 - slope*slope)
	first := len(m.w.Positions())
	f := m.knit(knit.Options{
		Wales: wales, Courses: courses, Form: knit.Tube,
		Surface: purse(around, func(y float64) (height, thick float64) {
			return y * cos, min(folded+slope*max(y, 0), open)
		}),
	}, r3.Still())
	if f == nil {
		return
	}
	m.bind(first, f, courses, func(int) bool { return true })
	var held []int
	for i := range f.Wales {
		_, first, count := f.Loop(i, f.Courses-1)
		held = append(held, first+count/2-1, first+count/2)
	}
	m.note(m.w.AddHold(yarn.Hold{Points: held}))
	// Balls of foam, in two rows of nine above each other. The lowest nearly touch both sides.
	ball := 0.09 * open
	lowest := (1.1*ball + (ball+4*radius)/cos) / slope * cos
	for k := range 90 {
		layer, row, i := k/18, k/9%2, k%9
		at := r3.V(2.2*ball*(float64(i)-4), 2.2*ball*(float64(row)-0.5), lowest+2.2*ball*float64(layer))
		m.ball(yarn.Ball{Name: fmt.Sprint("ball ", k), Center: at, Radius: ball, Mass: 20 * 4 / 3 * math.Pi * ball * ball * ball, Friction: 0.4})
	}
}

// gait moves a part of the body as it walks: ahead, and swinging about an upright axis through its joint.
type gait struct {
	start float64 // [s]
	joint r3.Vec
	swing float64 // amplitude [rad]
}

// At implements yarn.Motion. A step takes half a second. The body sets out at 2.4 m/s², as people do.
func (g gait) At(t float64) r3.Pose {
	walked := max(0, t-g.start)
	soft := walked * walked / (walked + 1)
	ahead := r3.Translation(r3.V(0, -1.2*soft, 0.02*math.Sin(4*math.Pi*soft)))
	turn := r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), g.swing*math.Sin(2*math.Pi*soft))}
	about := r3.Translation(g.joint).Mul(turn).Mul(r3.Translation(g.joint.Neg()))
	return ahead.Mul(about)
}

// limb adds a capsule of the body, between the centres of its round ends.
func (m *maker) limb(name string, from, to r3.Vec, around float64, g gait) {
	d := to.Sub(from)
	axis := r3.V(0, 0, 1)
	turn := axis.Cross(d)
	m.obstacle(yarn.Obstacle{
		Name: name, Shape: shape.Capsule{Radius: around, Half: d.Norm() / 2}, Friction: 0.5, Motion: g,
		Place: r3.Pose{R: r3.Rotation(turn, math.Atan2(turn.Norm(), axis.Dot(d))), T: from.Lerp(to, 0.5)},
	})
}

// loose is how thick trunk and arms are, of what there is room for. A sweater contracts when it is let go: on a body
// that fills it, the strand that casts on passes through the hem when the body sets out.
const loose = 0.85

// The sweater has the loops of cuffs and collar as more courses: 228 x 116 + 2 x 92 x 106. Its body is a tube whose
// front and back are bound at the shoulders, but for the neck, and whose sides are closed: where sleeves are glued to
// it, their arms begin.
func (m *maker) sweater() {
	wales, courses := m.size(228), m.size(116)
	around, high := waleSpacing*2*radius*float64(wales), courseSpacing*2*radius*float64(courses)
	thick := 0.2 * high
	flat := around/4 - math.Pi/2*thick
	// Shoulders are a gable that is round at its eaves.
	const lean = 0.5
	sin, cos := math.Sincos(lean)
	roof := (thick*cos - folded) / sin
	shoulder := high - thick*lean - roof
	first := len(m.w.Positions())
	f := m.knit(knit.Options{
		Wales: wales, Courses: courses, Form: knit.Tube,
		Surface: purse(around, func(y float64) (height, half float64) {
			round := min(max(0, (y-shoulder)/thick), lean)
			up, in := math.Sincos(round)
			straight := max(0, y-shoulder-thick*lean)
			return min(y, shoulder) + thick*up + cos*straight, max(thick*in-sin*straight, folded)
		}),
	}, r3.Still())
	if f == nil {
		return
	}
	// The strand that binds off hangs in the opening as a cable does, and the loops at its ends bear it: the narrower,
	// the less.
	neck := wales / 32
	m.bind(first, f, courses+1, func(wale int) bool { return wale < wales/4-neck || wale > wales/4+neck })
	body := m.w.Positions()[first:]

	part := loose*thick - 2*radius
	// Halfway up the gable there is room for a capsule of half the thickness.
	above := shoulder + thick/2/sin
	m.limb("shoulders", r3.V(-flat, 0, above), r3.V(flat, 0, above), part/2, gait{start: m.out.Settle})
	for i := -2.0; i <= 2; i++ {
		x := flat * i / 2
		m.limb("trunk", r3.V(x, 0, -0.2*high), r3.V(x, 0, shoulder), part, gait{start: m.out.Settle})
	}
	taken := map[int]bool{}
	for _, side := range []float64{1, -1} {
		m.sleeve(side, r3.V(side*flat, 0, shoulder-0.8*thick), thick+ease, body, taken)
	}
}

// sleeve adds a sleeve with its arm, and glues its beginning to the points of the body, each of them once. The side of
// the body is round, about an upright axis through the joint.
func (m *maker) sleeve(side float64, joint r3.Vec, round float64, body []r3.Vec, taken map[int]bool) {
	// size of the sleeve, and its axes
	wales, courses := m.size(92), m.size(106)
	around, high := waleSpacing*2*radius*float64(wales)/(2*math.Pi), courseSpacing*2*radius*float64(courses)
	const gap, drop = 11 * radius, 0.25
	down, out := math.Sincos(drop)
	across, up := r3.V(0, side, 0), r3.V(side*down, 0, out)
	axis := r3.V(side*out, 0, -down)
	// tube that begins at the body, around an arm with ease
	first := len(m.w.Positions())
	f := m.knit(knit.Options{
		Wales: wales, Courses: courses, Form: knit.Tube,
		Surface: func(x, y float64) (point, normal r3.Vec) {
			sin, cos := math.Sincos(x / around)
			normal = across.Scale(cos).Add(up.Scale(sin))
			r := around + ease
			begin := (math.Sqrt(math.Pow(round+gap, 2)-math.Pow(r*cos, 2)) - r*sin*down) / out
			return joint.AddScaled(y+begin, axis).AddScaled(r, normal), normal
		},
	}, r3.Still())
	if f == nil {
		return
	}
	// each point of its first life line to the nearest of the body
	for _, y := range f.Yarns[:courses] {
		first += len(y.Points)
	}
	for i, p := range f.Yarns[courses].Points {
		best := -1
		for k, q := range body {
			if !taken[k] && (best < 0 || q.Sub(p).Norm2() < body[best].Sub(p).Norm2()) {
				best = k
			}
		}
		taken[best] = true
		m.note(m.w.AddGlue(yarn.Glue{A: best, B: first + i}))
	}
	// arm within it
	arm := loose*around - 3*radius
	from, to := joint.AddScaled((round+gap+arm)/out, axis), joint.AddScaled(round+gap+high+arm, axis)
	m.limb("arm", from, to, arm, gait{m.out.Settle, joint, -0.3})
}
