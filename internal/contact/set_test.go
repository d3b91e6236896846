package contact

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

func at(vertex int64, block, other int32) Contact {
	return Contact{
		ID: ID{Feature{0, Vertex, vertex}, Feature{1, Face, 7}}, A: block, B: other,
		Frame: FrameOf(r3.V(1, 2, -2).Scale(1.0 / 3)), Mu: 0.3,
	}
}

// Oracle: sorting the pairs (id, row) as whole values.
func TestSortKeepsRowsWithTheirContacts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s Set
	const n = 200
	for _, k := range rng.Perm(n) {
		c := at(int64(k), int32(k), None)
		switch k % 3 {
		case 0:
			s.Add(c)
		case 1:
			c.B = int32(k + 1)
			s.Add(c)
		case 2:
			s.AddWeighted(c, Weight{int32(k), 1}, Weight{n - 1, -0.25}, Weight{n, -0.75})
		}
	}
	if s.Validate(n+1) == nil {
		t.Error("an unsorted set was accepted")
	}
	for range 2 {
		s.Sort()
		if err := s.Validate(n + 1); err != nil {
			t.Fatal(err)
		}
		for k := range n {
			row := s.Row(k)
			want := [][]int32{{int32(k)}, {int32(k), int32(k + 1)}, {int32(k), n - 1, n}}[k%3]
			var got []int32
			for _, term := range row {
				got = append(got, term.Block)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("contact %d has the blocks %v, want %v", k, got, want)
			}
			if s.Nodal(k) != (k%3 < 2) {
				t.Fatalf("contact %d: nodal %v", k, s.Nodal(k))
			}
			if k%3 == 1 && row[1].M != s.Contacts[k].Frame.Scale(-1) {
				t.Fatalf("contact %d: side B does not move against side A", k)
			}
		}
	}
	s.Reset()
	if s.Len() != 0 {
		t.Error("Reset left something")
	}
}

func TestValidateNamesFaults(t *testing.T) {
	for want, change := range map[string]func(*Contact){
		"not one of the 10 blocks": func(c *Contact) { c.A = 10 },
		"block 3 appears twice":    func(c *Contact) { c.B = 3 },
		"not a rotation":           func(c *Contact) { c.Frame.XX += 1e-6 },
		"friction coefficient -1":  func(c *Contact) { c.Mu = -1 },
		"not finite":               func(c *Contact) { c.Uf.X /= 0 * c.Mu },
	} {
		c := at(5, 3, None)
		c.Uf.X = 1
		change(&c)
		var s Set
		s.Add(c)
		if err := s.Validate(10); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	var s Set
	s.Add(at(5, 3, None))
	s.Add(at(5, 4, None))
	if err := s.Validate(10); err == nil || !strings.Contains(err.Error(), "id of the one before") {
		t.Errorf("a repeated id gave %v", err)
	}
}

func TestValidateKnowsLaws(t *testing.T) {
	e := FrameOf(r3.V(0, 0, 1))
	normal, first := r3.Mat{XZ: 1}, e
	first.YX, first.YY, first.YZ = 0, 0, 0
	for _, c := range []struct {
		want string
		law  Law
		mu   float64
		uf   r3.Vec
		row  r3.Mat
	}{
		{"", Coulomb, 0.3, r3.V(1, 2, 3), e},
		{"", NormalOnly, 0, r3.V(1, 2, 3), normal},
		{"", Bilateral, 0, r3.V(1, 0, 3), first},
		{"no law 7", 7, 0, r3.Vec{}, e},
		{"law without friction, normal only", NormalOnly, 0.1, r3.Vec{}, e},
		{"law without friction, bilateral", Bilateral, 0.1, r3.Vec{}, e},
		{"no normal component", NormalOnly, 0, r3.Vec{}, r3.Mat{YX: 1}},
		{"has no component", Bilateral, 0, r3.Vec{}, r3.Mat{}},
		{"component that the row does not have", Bilateral, 0, r3.V(0, 1, 0), first},
	} {
		var s Set
		s.AddRow(Contact{Law: c.law, Mu: c.mu, Uf: c.uf, B: None, Frame: e}, Term{Block: 0, W: 1, M: c.row})
		err := s.Validate(1)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.law, err, c.want)
		}
	}
}

func TestFrameOfIsARotation(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		n := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
		c := at(0, 0, None)
		c.Frame = FrameOf(n)
		var s Set
		s.Add(c)
		if err := s.Validate(1); err != nil || c.Frame.MulVecT(r3.V(1, 0, 0)) != n {
			t.Fatalf("normal %v: %v", n, err)
		}
	}
}

func TestRewrite(t *testing.T) {
	var s Set
	for i := range int32(3) {
		s.Add(at(int64(i), i, None))
	}
	s.Sort()
	changed := s.Contacts[1]
	changed.Gap = 7
	s.Rewrite(changed, Term{Block: 1, W: 0.5, M: r3.Diagonal(2)})
	if s.Contacts[1].Gap != 7 || s.Row(1)[0].W != 0.5 || s.Contacts[0].Gap == 7 || s.Row(2)[0].W != 1 {
		t.Errorf("%+v", s.Contacts)
	}
	unknown := changed
	unknown.ID.A.ID = 99
	unknown.Gap = 8
	s.Rewrite(unknown, Term{Block: 1, W: 0.5, M: r3.Diagonal(3)})
	if s.Len() != 3 || s.Contacts[1].Gap != 7 {
		t.Errorf("%d contacts", s.Len())
	}
}
