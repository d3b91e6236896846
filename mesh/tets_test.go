package mesh

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// cubeTets is the unit cube cut into the six tets around its long diagonal, from vertex 0 to vertex 7; vertex i has
// the bits of i as coordinates.
func cubeTets() *Tets {
	s := &Tets{}
	for i := range 8 {
		s.X = append(s.X, r3.V(float64(i&1), float64(i>>1&1), float64(i>>2)))
	}
	s.Tet = [][4]int32{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}
	return s
}

// fan is n tets around the edge 0-1.
func fan(n int) *Tets {
	s := &Tets{X: []r3.Vec{r3.V(0, 0, -1), r3.V(0, 0, 1)}}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		s.X = append(s.X, r3.V(cos, sin, 0))
		s.Tet = append(s.Tet, [4]int32{0, 1, int32(2 + i), int32(2 + (i+1)%n)})
	}
	return s
}

func TestSkinOfCube(t *testing.T) {
	s := cubeTets()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	skin := s.Skin()
	if len(skin) != 12 {
		t.Fatalf("%d triangles on the skin of a cube, want 12", len(skin))
	}
	middle := r3.V(0.5, 0.5, 0.5)
	for i, v := range skin {
		a, b, c := s.X[v[0]], s.X[v[1]], s.X[v[2]]
		if n := b.Sub(a).Cross(c.Sub(a)); n.Dot(a.Sub(middle)) != 0.5 {
			t.Errorf("skin triangle %d, %v, does not look outwards", i, v)
		}
	}
	if got := s.Volume(); math.Abs(got-1) > 1e-15 {
		t.Errorf("volume %v, want 1", got)
	}
	least, most := s.Dihedral()
	if math.Abs(least-math.Pi/4) > 1e-15 || math.Abs(most-math.Pi/2) > 1e-15 {
		t.Errorf("dihedral angles from %v to %v, want π/4 to π/2", least, most)
	}
	// The order is that of the tets, whatever they are called inside.
	slices.Reverse(s.Tet)
	reversed := s.Skin()
	for i := range 6 {
		if !slices.Equal(reversed[2*i:2*i+2], skin[10-2*i:12-2*i]) {
			t.Errorf("triangles %v of tet %d are now %v", skin[10-2*i:12-2*i], 5-i, reversed[2*i:2*i+2])
		}
	}
}

func TestDihedralOfTheRegularTet(t *testing.T) {
	s := &Tets{
		X:   []r3.Vec{r3.V(1, 1, 1), r3.V(-1, 1, -1), r3.V(1, -1, -1), r3.V(-1, -1, 1)},
		Tet: [][4]int32{{0, 1, 2, 3}},
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	want := math.Acos(1. / 3)
	if least, most := s.Dihedral(); math.Abs(least-want) > 1e-15 || math.Abs(most-want) > 1e-15 {
		t.Errorf("dihedral angles %v and %v, want %v", least, most, want)
	}
}

func TestSkinFirst(t *testing.T) {
	// A cube of tets around a vertex in its middle, which comes before some of its corners.
	cube := cubeTets()
	s := &Tets{X: slices.Insert(slices.Clone(cube.X), 3, r3.V(0.5, 0.5, 0.5))}
	for _, v := range cube.Skin() {
		for k := range v {
			if v[k] >= 3 {
				v[k]++
			}
		}
		s.Tet = append(s.Tet, [4]int32{3, v[0], v[1], v[2]})
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	sorted, from, skin := s.SkinFirst()
	if err := sorted.Validate(); err != nil {
		t.Fatal(err)
	}
	if want := []int32{0, 1, 2, 4, 5, 6, 7, 8, 3}; skin != 8 || !slices.Equal(from, want) {
		t.Fatalf("%d vertices on the skin, order %v, want 8 and %v", skin, from, want)
	}
	for i, v := range from {
		if sorted.X[i] != s.X[v] {
			t.Errorf("vertex %d is not the old vertex %d", i, v)
		}
	}
	for i, v := range sorted.Tet {
		for k := range v {
			if from[v[k]] != s.Tet[i][k] {
				t.Fatalf("tet %d is %v, which were %v", i, v, s.Tet[i])
			}
		}
	}
	for _, v := range sorted.Skin() {
		if int(max(v[0], v[1], v[2])) >= skin {
			t.Errorf("skin triangle %v has a vertex of the inside", v)
		}
	}
}

func TestTetFaultsAreNamed(t *testing.T) {
	cases := []struct {
		name   string
		change func(s *Tets)
		phrase string
	}{
		{"no tets", func(s *Tets) { s.Tet = nil }, "without tets"},
		{"index too large", func(s *Tets) { s.Tet[2][1] = 8 }, "tet 2: vertices [0 8 6 7], but there are 8"},
		{"negative index", func(s *Tets) { s.Tet[5][3] = -1 }, "tet 5: vertices [0 5 1 -1]"},
		{"not finite", func(s *Tets) { s.X[4].Y = math.NaN() }, "vertex 4 is at {0 NaN 1}"},
		{"repeated vertex", func(s *Tets) { s.Tet[1][0] = 7 }, "tet 1: vertices [7 3 2 7] repeat"},
		{"inside out", func(s *Tets) { s.Tet[3] = [4]int32{0, 4, 6, 7} }, "tet 3: vertices [0 4 6 7] are inside out"},
		{"flat", func(s *Tets) { s.X[1] = r3.V(0.5, 0.5, 0.5) }, "tet 0: vertices [0 1 3 7] lie in a plane"},
		{"lone vertex", func(s *Tets) { s.X = append(s.X, r3.V(2, 2, 2)) }, "vertex 8 is in no tet"},
		{"tet twice", func(s *Tets) { s.Tet = append(s.Tet, s.Tet[0]) }, "tet 6: is on the same side of face"},
		{"third at a face", func(s *Tets) {
			s.X = append(s.X, r3.V(0.1, 0.9, 0.8))
			s.Tet = append(s.Tet, [4]int32{0, 7, 2, 8})
		}, "is the third at face [0 2 7]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := cubeTets()
			c.change(s)
			err := s.Validate()
			if err == nil || !strings.Contains(err.Error(), c.phrase) {
				t.Errorf("error %v, want one that says %q", err, c.phrase)
			}
		})
	}
	many := &Tets{Tet: make([][4]int32, 100)}
	if err := many.Validate(); err == nil || !strings.Contains(err.Error(), "and 80 more faults") {
		t.Errorf("error %v, want 20 faults and a count", err)
	}
	var fault *TetFault
	if err := many.Validate(); !errors.As(err, &fault) || fault.Tet != 0 {
		t.Errorf("first fault %v, want tet 0", fault)
	}
}

// Solids that hang together at an edge or at a vertex only.
func TestSkinThatTouchesItself(t *testing.T) {
	atEdge := fan(6)
	atEdge.Tet = [][4]int32{atEdge.Tet[0], atEdge.Tet[2], atEdge.Tet[4]}
	atVertex := &Tets{
		X: []r3.Vec{{}, r3.V(1, 0, 0), r3.V(0, 1, 0), r3.V(0, 0, 1), r3.V(-1, 0, 0), r3.V(0, -1, 0), r3.V(0, 0, -1)},
		// The second looks at the origin from the other side.
		Tet: [][4]int32{{0, 1, 2, 3}, {0, 5, 4, 6}},
	}
	if err := fan(6).Validate(); err != nil {
		t.Errorf("a spindle: %v", err)
	}
	for _, c := range []struct {
		solid  *Tets
		phrase string
	}{
		{atEdge, "tet 0: the skin touches itself at edge 0-1, which has 6 triangles"},
		{atVertex, "tet 0: the skin touches itself at vertex 0"},
	} {
		if err := c.solid.Validate(); err == nil || !strings.Contains(err.Error(), c.phrase) {
			t.Errorf("error %v, want one that says %q", err, c.phrase)
		}
	}
	// The largest stays.
	atEdge.X[6] = atEdge.X[6].Scale(2)
	largest := atEdge.TetVolume(2)
	if gone := atEdge.DropPinched(); gone != 2 || len(atEdge.X) != 4 || atEdge.Volume() != largest {
		t.Errorf("%d tets gone, %d vertices left, volume %v, want 2, 4 and %v", gone, len(atEdge.X), atEdge.Volume(), largest)
	}
	if gone := atVertex.DropPinched(); gone != 1 || atVertex.Validate() != nil {
		t.Errorf("%d tets gone, want 1; %v", gone, atVertex.Validate())
	}
	whole := fan(6)
	if gone := whole.DropPinched(); gone != 0 || len(whole.X) != 8 {
		t.Errorf("%d tets of a sound solid gone", gone)
	}
}

// Two tets that meet only where a ring of others joins them: the vertex has two rings of triangles, but its tets hang
// together.
// Of two cubes of which one is larger that one stays, with its vertices alone.
func TestKeepLargest(t *testing.T) {
	s := cubeTets()
	n := int32(len(s.X))
	large := cubeTets()
	for i := range large.X {
		s.X = append(s.X, large.X[i].Scale(2).Add(r3.V(5, 0, 0)))
	}
	for _, v := range large.Tet {
		s.Tet = append(s.Tet, [4]int32{v[0] + n, v[1] + n, v[2] + n, v[3] + n})
	}
	want := 8 * large.Volume()
	if gone := s.KeepLargest(); gone != len(large.Tet) || len(s.X) != int(n) || math.Abs(s.Volume()-want) > 1e-12 {
		t.Errorf("%d tets are gone; %d vertices and a volume of %g stay", gone, len(s.X), s.Volume())
	}
	if again := s.KeepLargest(); again != 0 {
		t.Errorf("of one piece %d tets are left out", again)
	}
}

func TestDropPinchedRing(t *testing.T) {
	// All cells of 3 x 3 x 1 cubes but the middle one, around which the solid goes; the middle is pushed together.
	s := &Tets{}
	for i := range 32 {
		s.X = append(s.X, r3.V(float64(i%4), float64(i/4%4), float64(i/16)))
	}
	for c := range int32(9) {
		if c == 4 {
			continue
		}
		first := c%3 + c/3*4
		for _, v := range cubeTets().Tet {
			for k, b := range v {
				v[k] = first + b&1 + b>>1&1*4 + b>>2*16
			}
			s.Tet = append(s.Tet, v)
		}
	}
	for t := range s.Tet { // opposite corners of the hole become one
		for k := range s.Tet[t] {
			if s.Tet[t][k] == 10 {
				s.Tet[t][k] = 5
			}
		}
	}
	s.X[5] = r3.V(1.5, 1.5, 0)
	if s.Validate() == nil {
		t.Fatal("the solid is sound before")
	}
	s.DropPinched()
	if err := s.Validate(); err != nil || len(s.Tet) == 0 {
		t.Errorf("%d tets left, %v", len(s.Tet), err)
	}
}

// Property: a vertex order and a tet order do not change the volume, the angles or which triangles are outside.
func TestTetsDoNotDependOnOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := fan(7)
	want := s.Volume()
	wantLeast, wantMost := s.Dihedral()
	for range 20 {
		for i := range s.Tet {
			v := s.Tet[i]
			k := rng.IntN(3)
			s.Tet[i] = [4]int32{v[3], v[(k+1)%3], v[k], v[(k+2)%3]} // an even permutation
		}
		rng.Shuffle(len(s.Tet), func(i, j int) { s.Tet[i], s.Tet[j] = s.Tet[j], s.Tet[i] })
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		if got := s.Volume(); math.Abs(got-want) > 1e-14*want {
			t.Fatalf("volume %v, was %v", got, want)
		}
		if least, most := s.Dihedral(); math.Abs(least-wantLeast) > 1e-14 || math.Abs(most-wantMost) > 1e-14 {
			t.Fatalf("angles %v to %v, were %v to %v", least, most, wantLeast, wantMost)
		}
		if n := len(s.Skin()); n != 14 {
			t.Fatalf("%d triangles outside, want 14", n)
		}
	}
}
