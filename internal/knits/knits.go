// Package knits makes the scenes of yarns that are timed: the four of table 2 of [Kaldor10], at its sizes or smaller.
package knits

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/geom"
	"github.com/toile-sim/toile/knit"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/yarn"
)

// Scene is a scene of yarns.
type Scene struct {
	Name  string
	Loops int // of the paper
	Shows string
	make  func(m *maker)
}

// Scenes returns all scenes.
func Scenes() []Scene {
	return []Scene{
		{"scarf", 3_240, "a scarf of 27 x 120 loops falls on a plane, lower end first", (*maker).scarf},
		{"sling", 41_272, "a knit of 206 x 200 loops, held at its edges, catches 90 rigid balls", (*maker).sling},
		{"afghan", 54_340, "a blanket of 247 x 220 loops falls on a ball", (*maker).afghan},
		{"sweater", 45_960, "three tubes of 45,960 loops on a body of capsules that walks and swings its arms", (*maker).sweater},
	}
}

// World is a scene that has been built.
type World struct {
	*yarn.World
	Fabrics  []*knit.Fabric
	Loops    int
	Segments int
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
	m := &maker{w: w, share: share, out: &World{World: w}}
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
	o.Radius = radius
	f, err := knit.Make(knit.Stockinette(), o)
	m.note(err)
	if err != nil {
		return nil
	}
	first := len(m.w.Positions())
	for _, y := range f.Yarns {
		points := make([]r3.Vec, len(y.Points))
		for i, p := range y.Points {
			points[i] = pose.Apply(p)
		}
		_, err := m.w.AddYarn(yarn.Yarn{Name: "yarn", Points: points, Closed: y.Closed})
		m.note(err)
	}
	for _, g := range f.Glue {
		m.note(m.w.AddGlue(yarn.Glue{A: first + g.A, B: first + g.B}))
	}
	last := int32(0)
	for _, b := range m.blocks {
		last = max(last, b+1)
	}
	blocks, _ := f.Blocks(4)
	for _, b := range blocks {
		m.blocks = append(m.blocks, last+b)
	}
	m.out.Fabrics = append(m.out.Fabrics, f)
	m.out.Loops += f.Wales * f.Courses
	m.out.Segments += f.Segments()
	return f
}

func (m *maker) obstacle(o yarn.Obstacle) {
	_, err := m.w.AddObstacle(o)
	m.note(err)
}

func (m *maker) floor(z float64) {
	m.obstacle(yarn.Obstacle{Name: "floor", Shape: geom.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Translation(r3.V(0, 0, z)), Friction: 0.4})
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
	m.obstacle(yarn.Obstacle{Name: "ball", Shape: geom.Sphere{Radius: ball}, Place: r3.Still(), Friction: 0.4})
}

func (m *maker) sling() {
	wales, courses := m.size(206), m.size(200)
	wide, high := waleSpacing*2*radius*float64(wales), courseSpacing*2*radius*float64(courses)
	f := m.knit(knit.Options{Wales: wales, Courses: courses}, r3.Translation(r3.V(-wide/2, -high/2, 0)))
	if f == nil {
		return
	}
	var held []int
	for i := range f.Wales {
		for j := range f.Courses {
			if i == 0 || j == 0 || i == f.Wales-1 || j == f.Courses-1 {
				_, first, count := f.Loop(i, j)
				for k := range count {
					held = append(held, first+k)
				}
			}
		}
	}
	m.note(m.w.AddHold(yarn.Hold{Points: held}))
	ball := 0.03 * wide
	for k := range 90 {
		layer, i, j := k/9, k%3, k/3%3
		at := r3.V(2.2*ball*float64(i-1), 2.2*ball*float64(j-1), ball+3*radius+2.2*ball*float64(layer))
		_, err := m.w.AddBall(yarn.Ball{
			Name: fmt.Sprint("ball ", k), Center: at, Radius: ball, Mass: 500 * 4 / 3 * math.Pi * ball * ball * ball, Friction: 0.4,
		})
		m.note(err)
	}
}

// gait moves a part of the body as it walks: ahead, and swinging about an axis through its joint.
type gait struct {
	joint r3.Vec
	swing float64 // amplitude [rad]
}

// At implements yarn.Motion. A step takes half a second and begins softly.
func (g gait) At(t float64) r3.Pose {
	soft := t * t / (t + 0.2)
	ahead := r3.Translation(r3.V(0, -1.2*soft, 0.02*math.Sin(4*math.Pi*soft)))
	turn := r3.Pose{R: r3.Rotation(r3.V(1, 0, 0), g.swing*math.Sin(2*math.Pi*soft))}
	about := r3.Translation(g.joint).Mul(turn).Mul(r3.Translation(g.joint.Neg()))
	return ahead.Mul(about)
}

func (m *maker) sweater() {
	// Body, sleeves, and cuffs and collar as more courses of these: 228 x 116 + 2 x 92 x 106 loops.
	type part struct {
		wales, courses int
		at             r3.Vec // middle of its lower end, in units of the body's radius
		swing          float64
	}
	unit := 0.0
	for i, p := range []part{
		{228, 116, r3.V(0, 0, 0), 0},
		{92, 106, r3.V(-2, 0, 0.5), 0.4},
		{92, 106, r3.V(2, 0, 0.5), -0.4},
	} {
		wales, courses := m.size(p.wales), m.size(p.courses)
		around := waleSpacing * 2 * radius * float64(wales) / (2 * math.Pi)
		high := courseSpacing * 2 * radius * float64(courses)
		if i == 0 {
			unit = around
		}
		at := p.at.Scale(unit)
		m.knit(knit.Options{Wales: wales, Courses: courses, Form: knit.Helix}, r3.Translation(at))
		// The body is a little narrower than the knit as it is laid.
		limb := geom.Capsule{Radius: around - 4*radius, Half: high}
		middle := at.Add(r3.V(0, 0, high/2))
		m.obstacle(yarn.Obstacle{
			Name: fmt.Sprint("limb ", i), Shape: limb, Place: r3.Translation(middle), Friction: 0.5,
			Motion: gait{joint: at.Add(r3.V(0, 0, high)), swing: p.swing},
		})
	}
}
