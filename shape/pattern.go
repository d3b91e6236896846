package shape

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Pattern is how triangles fill a flat sheet. Results that depend on it are errors of the method, so
// verifications run on all of them.
type Pattern int

// The patterns.
const (
	// Right is a grid of squares, each cut in two by the same diagonal (/).
	Right Pattern = iota
	// Crossed is a grid of squares, each cut in four by both diagonals.
	Crossed
	// Equilateral is a lattice of equilateral triangles turned by 15°, so that no edge inside is
	// parallel to the border.
	Equilateral
	// Random is a Delaunay triangulation of random points that keep a distance.
	Random
)

// Patterns returns all patterns.
func Patterns() []Pattern { return []Pattern{Right, Crossed, Equilateral, Random} }

// String returns the name of the pattern.
func (p Pattern) String() string {
	switch p {
	case Right:
		return "right"
	case Crossed:
		return "crossed"
	case Equilateral:
		return "equilateral"
	case Random:
		return "random"
	}
	return fmt.Sprintf("pattern %d", int(p))
}

const (
	// turn is the angle of the lattice of Equilateral to the border [rad].
	turn = 15 * math.Pi / 180
	// keep is how far points inside stay from the border, relative to the size.
	keep = 0.5
	// apart is the least distance of random points, relative to the size. Random points fill the
	// plane less densely than a lattice of the same least distance, so it is below 1.
	apart = 0.75
	// throws is the number of attempts at a random point for each square of the size; more fill no
	// more holes.
	throws = 80
)

// Strip returns a flat rectangle of triangles with sides of about size: a mesh, and where its
// vertices lie (x along the length, from 0; y across, from 0) [m]. The warp runs at the angle grain
// [rad] to the length, counter-clockwise: material coordinates are the places turned back by it. The
// seed matters to Random only. A side is divided into equal parts, at least one.
//
// It panics if a length is not positive and finite.
func Strip(p Pattern, length, width, size, grain float64, seed uint64) (*mesh.Mesh, []r3.Vec2) {
	// sizes
	for _, l := range []float64{length, width, size} {
		if !(l > 0) || math.IsInf(l, 1) {
			panic(fmt.Sprintf("shape: strip of length %g, width %g, size %g", length, width, size))
		}
	}
	// cells along and across
	s := strip{length: length, width: width, size: size}
	s.along, s.across = max(1, int(math.Round(length/size))), max(1, int(math.Round(width/size)))
	// points and triangles of the pattern
	switch p {
	case Right, Crossed:
		s.grid(p == Crossed)
	case Equilateral:
		s.border()
		s.lattice()
		s.tri = delaunay(length, width, s.at)
	case Random:
		s.border()
		s.scatter(rand.New(rand.NewPCG(seed, 0x70617474)))
		s.tri = delaunay(length, width, s.at)
	default:
		panic("shape: " + p.String() + " does not exist")
	}
	// material coordinates, turned back by the grain
	material := make([]r3.Vec2, len(s.at))
	sin, cos := math.Sincos(grain)
	for i, q := range s.at {
		material[i] = q
		if grain != 0 {
			material[i] = r3.Vec2{X: cos*q.X + sin*q.Y, Y: cos*q.Y - sin*q.X}
		}
	}
	// the mesh
	m, err := mesh.New(len(s.at), s.tri, material, nil)
	if err != nil {
		panic("shape: " + err.Error())
	}
	return m, s.at
}

type strip struct {
	length, width, size float64
	along, across       int
	at                  []r3.Vec2
	tri                 [][3]int32
}

// node returns the point i parts along and j parts across.
func (s *strip) node(i, j float64) r3.Vec2 {
	// In this form the far sides are exactly at length and width.
	return r3.Vec2{X: s.length * (i / float64(s.along)), Y: s.width * (j / float64(s.across))}
}

func (s *strip) grid(crossed bool) {
	for j := range s.across + 1 {
		for i := range s.along + 1 {
			s.at = append(s.at, s.node(float64(i), float64(j)))
		}
	}
	row := int32(s.along + 1)
	for j := range int32(s.across) {
		for i := range int32(s.along) {
			a := j*row + i
			b, c, d := a+1, a+row+1, a+row
			if !crossed {
				s.tri = append(s.tri, [3]int32{a, b, c}, [3]int32{a, c, d})
				continue
			}
			m := int32(len(s.at))
			s.at = append(s.at, s.node(float64(i)+0.5, float64(j)+0.5))
			s.tri = append(s.tri, [3]int32{a, b, m}, [3]int32{b, c, m}, [3]int32{c, d, m}, [3]int32{d, a, m})
		}
	}
}

// border places points around the rectangle, the four corners first.
func (s *strip) border() {
	n, m := float64(s.along), float64(s.across)
	s.at = append(s.at, s.node(0, 0), s.node(n, 0), s.node(n, m), s.node(0, m))
	for i := 1.0; i < n; i++ {
		s.at = append(s.at, s.node(i, 0), s.node(i, m))
	}
	for j := 1.0; j < m; j++ {
		s.at = append(s.at, s.node(0, j), s.node(n, j))
	}
}

func (s *strip) lattice() {
	sin, cos := math.Sincos(turn)
	reach := int((s.length+s.width)/s.size*1.2) + 2
	rise := s.size * math.Sqrt(3) / 2
	for j := -reach; j <= reach; j++ {
		for i := -2 * reach; i <= 2*reach; i++ {
			// The offset keeps lattice points off the symmetry lines of the strip.
			x, y := (float64(i)+float64(j&1)/2+0.3)*s.size, (float64(j)+0.2)*rise
			q := r3.Vec2{X: cos*x - sin*y, Y: sin*x + cos*y}
			if s.inside(q) {
				s.at = append(s.at, q)
			}
		}
	}
}

func (s *strip) inside(q r3.Vec2) bool {
	k := keep * s.size
	return q.X > k && q.X < s.length-k && q.Y > k && q.Y < s.width-k
}

// scatter throws points and keeps those that are not too close to others.
func (s *strip) scatter(r *rand.Rand) {
	// cells as wide as points must be apart
	d := apart * s.size
	cols, rows := int(s.length/d)+1, int(s.width/d)+1
	cell := make([][]int32, cols*rows)
	place := func(q r3.Vec2) (int, int) { return min(int(q.X/d), cols-1), min(int(q.Y/d), rows-1) }
	put := func(v int) {
		i, j := place(s.at[v])
		cell[j*cols+i] = append(cell[j*cols+i], int32(v))
	}
	for v := range s.at {
		put(v)
	}
	// a place is free if no point of the cells around is too close
	free := func(q r3.Vec2) bool {
		ci, cj := place(q)
		for j := max(cj-1, 0); j <= min(cj+1, rows-1); j++ {
			for i := max(ci-1, 0); i <= min(ci+1, cols-1); i++ {
				for _, v := range cell[j*cols+i] {
					if s.at[v].Sub(q).Norm() < d {
						return false
					}
				}
			}
		}
		return true
	}
	// throw, and keep what is inside and free
	for range int(throws*s.length*s.width/(s.size*s.size)) + throws {
		q := r3.Vec2{X: s.length * r.Float64(), Y: s.width * r.Float64()}
		if s.inside(q) && free(q) {
			s.at = append(s.at, q)
			put(len(s.at) - 1)
		}
	}
}
