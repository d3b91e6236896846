package dumps

import (
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

const (
	cubeHalf    = 0.05 // [m]
	cubeDensity = 1000 // [kg/m³]
)

func cube() r3.Vec { return r3.V(cubeHalf, cubeHalf, cubeHalf) }

// tower is rigid cubes over each other, each turned a little further than the one below, with a gap more than the
// thickness of contacts between them. The topmost has a density of its own, in those of the others.
func (s *stage) tower(cubes int, top, gap float64) {
	gap += s.thick
	for i := range cubes {
		density := float64(cubeDensity)
		if i == cubes-1 {
			density *= top
		}
		place := r3.Translation(r3.V(0, 0, cubeHalf+gap+float64(i)*(2*cubeHalf+gap)))
		place.R = r3.Rotation(r3.V(0, 0, 1), 0.03*float64(i%7))
		s.brick(cube(), density, place)
	}
}

// pile is rigid cubes that fall into a bin in layers of so many times so many, each turned by at most tilt about any
// axis.
func (s *stage) pile(cubes, across int, tilt float64) {
	s.bin(layouts.WideBinHalf(across))
	for k := range cubes {
		s.brick(cube(), cubeDensity, r3.Pose{R: s.turned(tilt), T: layouts.InWideBin(k, across)})
	}
}

// Pile is a world of rigid cubes that fall into a bin in layers of so many times so many.
func Pile(cubes, across int, friction float64, workers int) (*engine.World, error) {
	return newStage(friction, workers).with(func(s *stage) { s.pile(cubes, across, 0) })
}

// letterHeap is soft letters that fall on each other, in layers of three by three.
func (s *stage) letterHeap(text string, size float64) {
	const height, depth = 0.1, 0.03
	for k, letter := range text {
		outline, err := shape.Letter(letter, height)
		if err != nil {
			s.err = err
			return
		}
		tets, err := shape.Extrude(outline, depth, size)
		if err != nil {
			s.err = err
			return
		}
		at := r3.V(0.12*float64(k%3)+0.02*float64(k/9), 0.13*float64(k/3%3)+0.03*float64(k/9%2), 0.04+0.08*float64(k/9))
		s.soft(tets, r3.Pose{R: s.turned(0.3), T: at})
	}
}

// fallHeight is how far towers that were just built fall, from one thing to the next [m].
const fallHeight = 5e-4

// softTowers are towers of soft blocks of 0.1 x 0.1 x 0.05 m, each block turned a little further than the one below.
func (s *stage) softTowers(towers, blocks, cells int) {
	gap := s.thick + fallHeight
	for t := range towers {
		for i := range blocks {
			place := r3.Translation(r3.V(0.2*float64(t%3), 0.2*float64(t/3), 0.025+gap+float64(i)*(0.05+gap)))
			place.R = r3.Rotation(r3.V(0, 0, 1), 0.1*float64(i+t))
			s.soft(shape.Block(r3.V(0.05, 0.05, 0.025), cells, cells, max(1, cells/2)), place)
		}
	}
}

// softBlock is one soft block of about so many tets that falls on the floor, and returns half its sides. Cells are
// cubes of a hundredth of a metre, and the block is twice as wide as high.
func (s *stage) softBlock(tets int) (half r3.Vec) {
	const side = 0.01
	high := max(1, int(math.Round(math.Cbrt(float64(tets)/20))))
	half = r3.V(float64(2*high), float64(2*high), float64(high)).Scale(side / 2)
	s.soft(shape.Block(half, 2*high, 2*high, high), r3.Translation(r3.V(0, 0, half.Z+s.thick+fallHeight)))
	return half
}

// SoftBlock is a world of one soft block of about so many tets that falls on the floor by half a millimetre.
func SoftBlock(tets int, friction float64, workers int) (*engine.World, error) {
	return newStage(friction, workers).with(func(s *stage) { s.softBlock(tets) })
}

// CoveredBlock is the world of SoftBlock with a cloth that falls on the block, askew. It is wider by 30 %, and its
// cells are as large as those of the block.
func CoveredBlock(tets int, friction float64, workers int) (*engine.World, error) {
	return newStage(friction, workers).with(func(s *stage) {
		half := s.softBlock(tets)
		side := 2.6 * half.X
		place := r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.15), T: r3.V(0, 0, 2*(half.Z+s.thick+fallHeight))}
		s.napkin(side, int(math.Round(100*side)), place, r3.Vec{})
	})
}

// Strip is a cloth of 4 m by 1 m that hangs over a smooth prism of 28 sides, 80 cm lower at one end than at the other.
// It has so many cells across and four times as many along, and falls by some millimetres first.
func Strip(across int, friction float64, workers int) (*engine.World, error) {
	return newStage(friction, workers).with(func(s *stage) {
		const radius, above, length, width, offset, axis = 0.5, 0.01, 4, 1, 0.4, 2.5
		pos, tri := shape.Cylinder{Radius: radius, Half: width}.EvenMesh(28)
		if s.err == nil {
			place := r3.Pose{R: r3.Rotation(r3.V(1, 1, 1), -2*math.Pi/3), T: r3.V(0, width/2, axis)} // lies along y
			_, s.err = s.world.AddObstacle(engine.Obstacle{Name: "prism", Tri: tri, Positions: pos, Place: place, Smooth: &smooth.Options{}})
		}
		m, x := shape.Grid(length, width, 4*across, across)
		const far, half = radius + above, math.Pi * (radius + above)
		for i, p := range x {
			along := p.X - (length-half)/2 + offset
			sin, cos := math.Sincos(min(max(along/far, 0), math.Pi))
			hangs := max(-along, along-half, 0)
			x[i] = r3.V(-far*cos, p.Y, axis+far*sin-hangs)
		}
		s.cloth(m, x, r3.Vec{})
	})
}

// mixedTower is layers of a soft block, a napkin and a rigid brick in turn.
func (s *stage) mixedTower(layers, cells int) {
	z := s.thick + fallHeight
	for i := range layers {
		turn := r3.Rotation(r3.V(0, 0, 1), 0.15*float64(i))
		switch i % 3 {
		case 0:
			tets := shape.Block(r3.V(0.05, 0.05, 0.02), cells, cells, max(1, cells/2))
			s.soft(tets, r3.Pose{R: turn, T: r3.V(0, 0, z+0.02)})
			z += 0.04
		case 1:
			s.napkin(0.14, 2*cells, r3.Pose{R: turn, T: r3.V(0, 0, z)}, r3.Vec{})
		case 2:
			s.brick(r3.V(0.045, 0.045, 0.02), cubeDensity, r3.Pose{R: turn, T: r3.V(0, 0, z+0.02)})
			z += 0.04
		}
		z += s.thick + fallHeight
	}
}

// napkin adds a square cloth whose middle is at a place.
func (s *stage) napkin(side float64, cells int, place r3.Pose, v r3.Vec) {
	m, x := shape.Grid(side, side, cells, cells)
	for i, p := range x {
		x[i] = place.Apply(p.Sub(r3.V(side/2, side/2, 0)))
	}
	s.cloth(m, x, v)
}

// napkins are square cloths that fall on each other and on a table, each turned a little further.
func (s *stage) napkins(count, cells int) {
	for i := range count {
		place := r3.Pose{
			R: r3.Rotation(r3.V(0, 0, 1), 0.26*float64(i)),
			T: r3.V(0.02*float64(i%3), -0.02*float64(i%2), 4e-3*float64(i+1)),
		}
		s.napkin(0.3, cells, place, r3.V(0, 0, -0.5))
	}
}

// drape is a sheet that falls over a ball.
func (s *stage) drape(cells int) {
	const radius, side = 0.152, 1.0
	s.obstacle("ball", shape.Sphere{Radius: radius}, r3.Translation(r3.V(0, 0, 0.6)))
	s.napkin(side, cells, r3.Translation(r3.V(0, 0, 0.6+radius+0.004)), r3.Vec{})
}

// folding is a cloth that stands just above the floor and falls into folds.
func (s *stage) folding(cells int) {
	m, x := shape.Grid(1, 1, cells, cells)
	for i, p := range x {
		// A slight wave says to which side the folds go first.
		x[i] = r3.V(p.X, 0.01*math.Sin(9*p.Y+2*p.X), 0.01+p.Y)
	}
	s.cloth(m, x, r3.Vec{})
}

// carpet is a wavy cloth that is laid on the floor while it moves along.
func (s *stage) carpet(cells int) {
	m, x := shape.Grid(1, 1, cells, cells)
	for i, p := range x {
		x[i] = p.Add(r3.V(0, 0, 2.5e-3+1e-3*math.Sin(20*p.X)*math.Cos(15*p.Y)))
	}
	s.cloth(m, x, r3.V(0.3, 0, -0.2))
}
