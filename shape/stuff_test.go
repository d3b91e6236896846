package shape

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

func ExampleFill() {
	s, err := Fill(Sphere{Radius: 0.1}, 0.03)
	if err != nil {
		panic(err)
	}
	least, most := s.Dihedral()
	fmt.Printf("%d vertices, %d tets, angles from %.0f to %.0f degrees\n", len(s.X), len(s.Tet), least/(math.Pi/180), most/(math.Pi/180))
	// Output: 561 vertices, 2208 tets, angles from 22 to 144 degrees
}

// The bounds that [Labelle07] proves for the uniform lattice, in degrees.
const leastAngle, mostAngle = 10.7, 164.8

// Angles are within bounds wherever the surface cuts the lattice: with values and cut points at random, many of them
// just at the thresholds of warping, where the worst cases are.
func TestStuffingKeepsItsAngles(t *testing.T) {
	lowest, highest := math.Inf(1), 0.0
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 1))
		l := newLattice([3]int{7, 7, 7}, r3.Vec{}, 1)
		for i := range l.value {
			l.value[i] = rng.Float64() - 0.5
		}
		l.root = func(a, b r3.Vec, _, _ float64) r3.Vec {
			near := nearShort
			if b.Sub(a).Norm() > 0.9 {
				near = nearLong
			}
			switch rng.IntN(6) {
			case 0:
				return a.Lerp(b, rng.Float64())
			case 1:
				return a.Lerp(b, near-1e-7)
			case 2:
				return b.Lerp(a, near-1e-7)
			case 3:
				return b.Lerp(a, near+1e-7)
			default:
				return a.Lerp(b, near+1e-7)
			}
		}
		l.warp()
		s := l.stuffed()
		least, most := s.Dihedral()
		lowest, highest = min(lowest, least), max(highest, most)
		for i := range s.Tet {
			if s.TetVolume(int32(i)) <= 0 {
				t.Fatalf("seed %d: tet %d has the volume %g", seed, i, s.TetVolume(int32(i)))
			}
		}
		s.DropPinched()
		if err := s.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if lowest < leastAngle*(math.Pi/180) || highest > mostAngle*(math.Pi/180) {
		t.Errorf("angles from %.3f to %.3f degrees, want %g to %g", lowest/(math.Pi/180), highest/(math.Pi/180), leastAngle, mostAngle)
	}
	// If they were far inside, the worst cases would not have been tried.
	if lowest > (leastAngle+0.3)*(math.Pi/180) || highest < (mostAngle-0.3)*(math.Pi/180) {
		t.Errorf("angles from %.3f to %.3f degrees, far from the bounds", lowest/(math.Pi/180), highest/(math.Pi/180))
	}
}

// counted counts how often a field is asked.
type counted struct {
	geom.Field
	asked *int
}

func (c counted) Distance(x r3.Vec) (float64, r3.Vec) {
	*c.asked++
	return c.Field.Distance(x)
}

// The volume of a filled ball converges with the square of the size, its skin is on the sphere, and what is asked of
// the field grows as the tets do, or less.
func TestFillBall(t *testing.T) {
	ball := Placed{Shape: Sphere{Radius: 1}, Pose: r3.Translation(r3.V(0.3, 0.2, 0.1))}
	var deficits, cost []float64
	for _, size := range []float64{0.3, 0.15, 0.075} {
		asked := 0
		s, err := Fill(counted{ball, &asked}, size)
		if err != nil {
			t.Fatal(err)
		}
		checkTets(t, "ball", s, leastAngle, mostAngle)
		skin := s.Skin()
		if euler2(skin) != 2 {
			t.Errorf("size %g: Euler characteristic %d", size, euler2(skin))
		}
		for _, v := range skin {
			for _, k := range v {
				if d, _ := ball.Distance(s.X[k]); math.Abs(d) > 1e-6*size {
					t.Fatalf("size %g: vertex %d of the skin is %g from the sphere", size, k, d)
				}
			}
		}
		deficits = append(deficits, 4*math.Pi/3-s.Volume())
		cost = append(cost, float64(asked)/float64(len(s.Tet)))
	}
	// From size to size it depends on how the lattice lies.
	if order := math.Log(deficits[0]/deficits[2]) / math.Log(4); order < 1.8 || order > 2.2 {
		t.Errorf("the volume converges with the order %.2f, want 2", order)
	}
	for i := range 2 {
		if cost[i+1] > cost[i] {
			t.Errorf("the field is asked %.2f and then, with half the size, %.2f times for each tet", cost[i], cost[i+1])
		}
	}
}

// Boxes on lattice planes come out as they are, turned ones lose their edges.
func TestFillBox(t *testing.T) {
	box := Box{Half: r3.V(0.3, 0.4, 0.5)}
	s, err := Fill(box, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	checkTets(t, "box", s, 44.9, 90.1)
	if math.Abs(s.Volume()-0.48) > 1e-12 {
		t.Errorf("volume %v, want 0.48", s.Volume())
	}
	turned := Placed{Shape: box, Pose: r3.Pose{R: r3.Rotation(r3.V(1, 2, 3), 1), T: r3.V(5, 6, 7)}}
	var lost []float64
	for _, size := range []float64{0.1, 0.05} {
		s, err := Fill(turned, size)
		if err != nil {
			t.Fatal(err)
		}
		checkTets(t, "turned box", s, leastAngle, mostAngle)
		lost = append(lost, 0.48-s.Volume())
	}
	// What is cut off along an edge has a section of size².
	if rate := lost[0] / lost[1]; rate < 3 || rate > 5 {
		t.Errorf("half the size cuts %.2f times less from the edges, want about 4", rate)
	}
}

// torus is the surface of one around the Z axis.
func torus(large, small float64, n, m int) (pos []r3.Vec, tri [][3]int32) {
	for i := range n {
		for j := range m {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			v, u := math.Sincos(2 * math.Pi * float64(j) / float64(m))
			r := large + small*u
			pos = append(pos, r3.V(r*c, r*s, small*v))
			at := func(i, j int) int32 { return int32(i%n*m + j%m) }
			a, b, d, e := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			tri = append(tri, [3]int32{a, b, d}, [3]int32{a, d, e})
		}
	}
	return pos, tri
}

func TestFillSurfaces(t *testing.T) {
	o, err := Letter('R', 1)
	if err != nil {
		t.Fatal(err)
	}
	letter, err := Extrude(o, 0.2, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	ringPos, ringTri := torus(0.5, 0.2, 40, 24)
	// Two balls that cross: the surface winds twice around what they share.
	ballPos, ballTri := Sphere{Radius: 0.3}.Mesh(16)
	pairPos, pairTri := slices.Clone(ballPos), slices.Clone(ballTri)
	for _, x := range ballPos {
		pairPos = append(pairPos, x.Add(r3.V(0.3, 0, 0)))
	}
	for _, v := range ballTri {
		n := int32(len(ballPos))
		pairTri = append(pairTri, [3]int32{v[0] + n, v[1] + n, v[2] + n})
	}
	for _, c := range []struct {
		name   string
		pos    []r3.Vec
		tri    [][3]int32
		size   float64
		volume float64
		euler  int
	}{
		{"letter", letter.X, letter.Skin(), 0.04, letter.Volume(), 0},
		{"torus", ringPos, ringTri, 0.06, volume(ringPos, ringTri), 0},
		// Balls at a distance of their radius share 5/16 of one.
		{"balls that cross", pairPos, pairTri, 0.05, 27. / 32 * volume(pairPos, pairTri), 2},
	} {
		s, err := FillSurface(c.pos, c.tri, c.size)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		checkTets(t, c.name, s, leastAngle, mostAngle)
		if math.Abs(s.Volume()-c.volume) > 0.03*c.volume {
			t.Errorf("%s: volume %g, want about %g", c.name, s.Volume(), c.volume)
		}
		if e := euler2(s.Skin()); e != c.euler {
			t.Errorf("%s: Euler characteristic %d, want %d", c.name, e, c.euler)
		}
		again, err := FillSurface(c.pos, c.tri, c.size)
		if err != nil || !slices.Equal(again.X, s.X) || !slices.Equal(again.Tet, s.Tet) {
			t.Errorf("%s: the second time is different", c.name)
		}
	}
}

// What is thinner than the lattice comes out ragged, but sound.
func TestFillThin(t *testing.T) {
	found := 0
	for _, size := range []float64{0.05, 0.07, 0.1, 0.13, 0.2, 0.3} {
		thin := Placed{Shape: Box{Half: r3.V(0.5, 0.4, 0.04)}, Pose: r3.Pose{R: r3.Rotation(r3.V(1, 2, 0), 0.8)}}
		s, err := Fill(thin, size)
		if err != nil {
			continue
		}
		found++
		checkTets(t, "thin", s, leastAngle, mostAngle)
	}
	if found < 3 {
		t.Errorf("filled %d of 6 times", found)
	}
}

func TestFillRefuses(t *testing.T) {
	pos, tri := Sphere{Radius: 1}.Mesh(8)
	inward := slices.Clone(tri)
	for i := range inward {
		inward[i][0], inward[i][1] = inward[i][1], inward[i][0]
	}
	bad := slices.Clone(pos)
	bad[3].X = math.NaN()
	fill := func(f geom.Field, size float64) func() (*mesh.Tets, error) {
		return func() (*mesh.Tets, error) { return Fill(f, size) }
	}
	surface := func(pos []r3.Vec, tri [][3]int32) func() (*mesh.Tets, error) {
		return func() (*mesh.Tets, error) { return FillSurface(pos, tri, 0.3) }
	}
	for _, c := range []struct {
		name   string
		fill   func() (*mesh.Tets, error)
		phrase string
	}{
		{"no size", fill(Sphere{Radius: 1}, 0), "size must be positive"},
		{"NaN", fill(Sphere{Radius: 1}, math.NaN()), "size must be positive"},
		{"too fine", fill(Sphere{Radius: 1}, 1e-3), "choose a larger size"},
		{"much too fine", fill(Sphere{Radius: 1}, 1e-300), "choose a larger size"},
		{"half-space", fill(Plane{Normal: r3.V(0, 0, 1)}, 1), "cannot be filled"},
		{"too thin", fill(Sphere{Radius: 0.01}, 1), "thinner than that"},
		{"empty", surface(pos, nil), "without triangles"},
		{"open", surface(pos, tri[1:]), "the surface is open there"},
		{"index", surface(pos[:9], tri), "but there are 9"},
		{"not finite", surface(bad, tri), "vertex 3 is at"},
		{"inside out", surface(pos, inward), "inside out"},
	} {
		if _, err := c.fill(); err == nil || !strings.Contains(err.Error(), c.phrase) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.phrase)
		}
	}
}

func BenchmarkFillBall(b *testing.B) {
	for b.Loop() {
		s, err := Fill(Sphere{Radius: 1}, 0.1)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(s.Tet)), "tets")
	}
}
