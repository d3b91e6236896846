// Package stress has scenes that are hard not to cross in.
package stress

import (
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// Scenes returns the stress set.
func Scenes() []Scene {
	return []Scene{
		{Name: "ball", H: 4e-3, Steps: 60, build: stressBall},
		{Name: "ball-shape", H: 4e-3, Steps: 60, build: stressBallShape},
		{Name: "ring", H: 4e-3, Steps: 120, build: stressRing},
		{Name: "gripper-position", Slow: true, H: 4e-3, Steps: 80, build: stressGripper},
		{Name: "gripper-force", Slow: true, H: 4e-3, Steps: 60, build: stressPress},
		{Name: "twist", Slow: true, H: 4e-3, Steps: 300, build: stressTwist},
		{Name: "ribbon", Slow: true, H: 4e-3, Steps: 100, build: stressRibbon},
		{Name: "needles", Slow: true, H: 4e-3, Steps: 80, build: stressNeedles},
		{Name: "clap", H: 4e-3, Steps: 60, build: stressClap},
		{Name: "edge", H: 4e-3, Steps: 120, build: stressEdge},
		{Name: "stack", Slow: true, H: 4e-3, Steps: 100, build: stressStack},
		{Name: "knot", H: 4e-3, Steps: 150, build: stressKnot},
		{Name: "skirt", Slow: true, H: 4e-3, Steps: 150, start: skirtStart, build: stressSkirt},
		{Name: "trapped", H: 4e-3, Steps: 80, Forced: true, Slow: true, build: stressTrapped},
	}
}

// along returns a motion by keys of time and place.
func along(keys ...engine.Key) *engine.Path { return &engine.Path{Keys: keys} }

func upright(size float64) func(r3.Vec) r3.Vec {
	return func(x r3.Vec) r3.Vec { return r3.V(x.X-size/2, 0, x.Y-size/2) }
}

// ballSheet hangs a sheet up and returns a way at 30 m/s through where a sheet of 0.6 m hangs by its upper corners: 12
// cm a step.
func (b *stage) ballSheet() *engine.Path {
	const size = 0.6
	m, x := shape.Grid(size, size, 12*b.fine, 12*b.fine)
	id := b.cloth("sheet", m, x, upright(size), r3.Vec{})
	b.hold("corners", id, nil, nil, func(x r3.Vec) bool { return x.Z > 0.299 && math.Abs(x.X) > 0.299 })
	return along(engine.Key{At: 0, Translate: r3.V(0, 0, 0)}, engine.Key{At: 0.02, Translate: r3.V(0, 0.6, 0)})
}

func stressBall(b *stage) {
	path := b.ballSheet()
	pos, tri := shape.Sphere{Radius: 0.1}.Mesh(10)
	b.solid("ball", pos, tri, r3.Translation(r3.V(0.03, -0.25, 0.01)), path)
}

func stressBallShape(b *stage) {
	path := b.ballSheet()
	if b.err == nil {
		_, err := b.w.AddObstacle(
			engine.Obstacle{
				Name:  "ball",
				Shape: shape.Sphere{Radius: 0.1},
				Place: r3.Translation(r3.V(0.03, -0.25, 0.01)),
				Path:  path,
			},
		)
		b.note(err)
	}
}

// stressRing pulls the middle of a sheet through a ring of 20 cm.
func stressRing(b *stage) {
	const size = 0.4
	m, x := shape.Grid(size, size, 10*b.fine, 10*b.fine)
	id := b.cloth("sheet", m, x, func(x r3.Vec) r3.Vec { return r3.V(x.X-size/2, x.Y-size/2, 0.03) }, r3.Vec{})
	b.hold(
		"middle",
		id,
		along(engine.Key{At: 0}, engine.Key{At: 0.4, Translate: r3.V(0, 0, -0.6)}),
		&engine.ForceLimit{Force: 4, Stiffness: 400},
		func(x r3.Vec) bool { return math.Hypot(x.X, x.Y) < 0.045 },
	)
	pos, tri := torus(0.12, 0.02, 24, 8)
	b.solid("ring", pos, tri, r3.Still(), nil)
}

// torus is a ring around the Z axis.
func torus(radius, tube float64, around, across int) (pos []r3.Vec, tri [][3]int32) {
	at := func(i, j int) int32 { return int32(i%around*across + j%across) }
	for i := range around {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(around))
		for j := range across {
			up, out := math.Sincos(2 * math.Pi * float64(j) / float64(across))
			r := radius + tube*out
			pos = append(pos, r3.V(r*cos, r*sin, tube*up))
			tri = append(
				tri,
				[3]int32{at(i, j), at(i+1, j), at(i+1, j+1)},
				[3]int32{at(i, j), at(i+1, j+1), at(i, j+1)},
			)
		}
	}
	return pos, tri
}

// stressGripper closes two plates on a hanging sheet, to 0.6 of what two thicknesses would need, and pulls.
func stressGripper(b *stage) {
	const size, gap = 0.3, 0.6e-3
	m, x := shape.Grid(size, size, 10*b.fine, 10*b.fine)
	id := b.cloth("sheet", m, x, upright(size), r3.Vec{})
	b.hold(
		"top",
		id,
		nil,
		&engine.ForceLimit{Force: 5, Stiffness: 500},
		func(x r3.Vec) bool { return x.Z > size/2-1e-3 },
	)
	half := r3.V(0.1, 0.02, 0.04)
	for _, side := range []float64{-1, 1} {
		pos, tri := shape.Box{Half: half}.Mesh()
		closing := side * -(0.05 - gap)
		b.solid("jaw", pos, tri, r3.Translation(r3.V(0.013, side*(half.Y+0.05), -0.03)), along(
			engine.Key{At: 0},
			engine.Key{At: 0.1, Translate: r3.V(0, closing, 0)},
			engine.Key{
				At:        0.15,
				Translate: r3.V(0, closing, 0),
			},
			engine.Key{At: 0.3, Translate: r3.V(0.03, closing, -0.1)},
		))
	}
}

// stressPress is the gripper closing by force, on a sheet that is folded in between.
func stressPress(b *stage) {
	const size = 0.3
	m, x := shape.Grid(size, size, 12*b.fine, 12*b.fine)
	id := b.cloth("sheet", m, x, func(x r3.Vec) r3.Vec {
		return r3.V(x.X-size/2, 0.015*math.Sin(2*math.Pi*x.Y/0.1), 0.7*(x.Y-size/2))
	}, r3.Vec{})
	b.hold("top", id, nil, nil, func(x r3.Vec) bool { return x.Z > 0.7*size/2-1e-3 })
	half := r3.V(0.1, 0.02, 0.06)
	pos, tri := shape.Box{Half: half}.Mesh()
	b.solid("jaw", pos, tri, r3.Translation(r3.V(0.013, -half.Y-0.03, -0.03)), nil)
	if b.err == nil {
		_, err := b.w.AddObstacle(engine.Obstacle{
			Name: "press", Positions: pos, Tri: tri, Place: r3.Translation(r3.V(0.013, half.Y+0.03, -0.03)),
			Press: &engine.Press{Axis: r3.V(0, -1, 0), Force: 50, Mass: 0.2, Stop: math.Inf(1)},
		})
		b.note(err)
	}
}

// stressTwist turns one end of two sheets four times.
func stressTwist(b *stage) {
	const length, width, gap, end = 0.4, 0.08, 0.006, 1.2
	for _, side := range []float64{-1, 1} {
		m, x := shape.Grid(length, width, 15*b.fine, 3*b.fine)
		id := b.cloth("sheet", m, x, func(x r3.Vec) r3.Vec { return r3.V(x.X, x.Y-width/2, side*gap/2) }, r3.Vec{})
		b.hold("left", id, nil, nil, func(x r3.Vec) bool { return x.X < 1e-3 })
		b.hold("right", id, along(engine.Key{At: 0, Axis: r3.V(1, 0, 0)},
			engine.Key{At: end, Axis: r3.V(1, 0, 0), Angle: 8 * math.Pi, Translate: r3.V(-0.08, 0, 0)}), nil,
			func(x r3.Vec) bool { return x.X > length-1e-3 })
	}
}

// stressRibbon lets a long ribbon fall on its end.
func stressRibbon(b *stage) {
	const length, width = 0.8, 0.03
	m, x := shape.Grid(width, length, 2*b.fine, 50*b.fine)
	b.cloth("ribbon", m, x, func(x r3.Vec) r3.Vec {
		return r3.V(x.X, 0.004*math.Sin(40*x.Y), 0.01+x.Y)
	}, r3.V(0, 0, -1))
	b.floor()
}

// stressNeedles throws a sheet on 49 needles.
func stressNeedles(b *stage) {
	const size, row = 0.28, 7
	m, x := shape.Grid(size, size, 16*b.fine, 16*b.fine)
	b.cloth("sheet", m, x, func(x r3.Vec) r3.Vec { return r3.V(x.X-size/2, x.Y-size/2, 0.08) }, r3.V(0, 0, -3))
	for i := range row {
		for j := range row {
			pos, tri := shape.Cone{Radius: 4e-3, Height: 0.06}.Mesh(6)
			b.solid(
				"needle",
				pos,
				tri,
				r3.Translation(r3.V(0.04*float64(i-row/2)+0.003, 0.04*float64(j-row/2)+0.005, 0)),
				nil,
			)
		}
	}
}

// stressClap throws two sheets at each other, at 10 m/s each.
func stressClap(b *stage) {
	const size = 0.3
	for _, side := range []float64{-1, 1} {
		m, x := shape.Grid(size, size, 10*b.fine, 10*b.fine)
		turn := r3.Rotation(r3.V(0, 1, 0), 0.2*side)
		b.cloth("sheet", m, x, func(x r3.Vec) r3.Vec {
			return turn.Rotate(r3.V(x.X-size/2, 0.03*side+0.05*math.Sin(10*x.X), x.Y-size/2))
		}, r3.V(0, -10*side, 0))
	}
}

// stressEdge draws a sheet over the corner of a box.
func stressEdge(b *stage) {
	const size = 0.4
	m, x := shape.Grid(size, size, 14*b.fine, 14*b.fine)
	id := b.cloth("sheet", m, x, func(x r3.Vec) r3.Vec { return r3.V(x.X-size/2, x.Y-size/2, 0.105) }, r3.Vec{})
	b.hold(
		"corner",
		id,
		along(engine.Key{At: 0}, engine.Key{At: 0.1}, engine.Key{At: 0.4, Translate: r3.V(0.4, 0.3, -0.4)}),
		nil,
		func(x r3.Vec) bool { return x.X > size/2-1e-3 && x.Y > size/2-1e-3 },
	)
	pos, tri := shape.Box{Half: r3.V(0.1, 0.1, 0.1)}.Mesh()
	b.solid("box", pos, tri, r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.3)}, nil)
}

// stressTrapped closes two plates through each other with a sheet between, and opens them again.
func stressTrapped(b *stage) {
	const size = 0.3
	m, x := shape.Grid(size, size, 10*b.fine, 10*b.fine)
	id := b.cloth("sheet", m, x, upright(size), r3.Vec{})
	b.hold("top", id, nil, nil, func(x r3.Vec) bool { return x.Z > size/2-1e-3 })
	half := r3.V(0.05, 0.02, 0.05)
	for _, side := range []float64{-1, 1} {
		pos, tri := shape.Box{Half: half}.Mesh()
		b.solid("jaw", pos, tri, r3.Translation(r3.V(0.013, side*(half.Y+0.03), -0.03)), along(
			engine.Key{At: 0}, engine.Key{At: 0.15, Translate: r3.V(0, -0.035*side, 0)},
			engine.Key{At: 0.2, Translate: r3.V(0, -0.035*side, 0)}, engine.Key{At: 0.3}))
	}
}
