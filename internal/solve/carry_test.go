package solve

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/problems"
	"github.com/toile-sim/toile/r3"
)

func TestCarryMatchesIDs(t *testing.T) {
	var before, now contact.Set
	var r []r3.Vec
	for i := range 20 {
		c := contact.Contact{
			ID:    contact.ID{A: contact.Feature{ID: int64(i)}},
			A:     int32(i),
			Frame: r3.Identity(),
			B:     contact.None,
		}
		if i%3 != 0 {
			before.Add(c)
			r = append(r, r3.V(float64(i), 0, 0))
		}
		if i%4 != 0 {
			now.Add(c)
		}
	}
	guess := make([]r3.Vec, now.Len())
	new(Carrier).Carry(&before, r, &now, guess)
	for k, c := range now.Contacts {
		want := float64(c.ID.A.ID)
		if c.ID.A.ID%3 == 0 {
			want = 0
		}
		if guess[k].X != want {
			t.Errorf("contact %d got %g", c.ID.A.ID, guess[k].X)
		}
	}
}

// A vertex that slid from one face to the next keeps its impulse: same blocks, nearly the same normal, an id that is
// gone. What is still there, points elsewhere or belongs to other blocks is not taken.
func TestCarryFollowsAVertexFromFaceToFace(t *testing.T) {
	on := func(vertex, face int64, block, other int32, tilt float64) contact.Contact {
		return contact.Contact{
			ID: contact.ID{
				A: contact.Feature{ID: vertex},
				B: contact.Feature{Surface: 1, Kind: contact.Face, ID: face},
			},
			A:     block,
			B:     other,
			Frame: contact.FrameOf(r3.V(math.Sin(tilt), 0, math.Cos(tilt))),
		}
	}
	const degree = math.Pi / 180
	for _, c := range []struct {
		name        string
		before, now []contact.Contact
		want        []float64
	}{
		{"next face", []contact.Contact{on(1, 5, 1, -1, 0)}, []contact.Contact{on(1, 6, 1, -1, 15*degree)}, []float64{1}},
		{"another side", []contact.Contact{on(1, 5, 1, -1, 0)}, []contact.Contact{on(1, 6, 1, -1, 25*degree)}, []float64{0}},
		{"other blocks", []contact.Contact{on(1, 5, 1, 2, 0)}, []contact.Contact{on(1, 6, 1, 3, 0), on(2, 6, 2, 1, 0)}, []float64{0, 0}},
		{"still there", []contact.Contact{on(1, 5, 1, -1, 0)}, []contact.Contact{on(1, 5, 1, -1, 0), on(1, 6, 1, -1, 0)}, []float64{1, 0}},
		{"the nearest", []contact.Contact{on(1, 5, 1, -1, 0), on(1, 6, 1, -1, 9*degree)}, []contact.Contact{on(1, 7, 1, -1, 6*degree), on(1, 8, 1, -1, 6*degree)}, []float64{2, 1}},
		{"another vertex of the cloth", []contact.Contact{on(4, 5, 1, -1, 0)}, []contact.Contact{on(2, 5, 1, -1, 0)}, []float64{1}},
	} {
		var before, now contact.Set
		var r []r3.Vec
		for i, k := range c.before {
			before.Add(k)
			r = append(r, r3.V(float64(i+1), 0, 0))
		}
		for _, k := range c.now {
			now.Add(k)
		}
		guess := make([]r3.Vec, now.Len())
		new(Carrier).Carry(&before, r, &now, guess)
		for i := range guess {
			if guess[i].X != c.want[i] {
				t.Errorf("%s: contact %d got %v, want %g", c.name, i, guess[i], c.want[i])
			}
		}
	}
}

// The normal part and the size and direction in space of the friction are kept when the frame turns.
func TestCarryTurnsFriction(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		normal := r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
		spin := r3.Rotation(normal, rng.Float64()*6)
		frame := contact.FrameOf(normal)
		turned := r3.Rows(
			normal,
			spin.Rotate(r3.V(frame.YX, frame.YY, frame.YZ)),
			spin.Rotate(r3.V(frame.ZX, frame.ZY, frame.ZZ)),
		)
		var before, now contact.Set
		before.Add(contact.Contact{Frame: frame, B: contact.None})
		now.Add(contact.Contact{Frame: turned, B: contact.None})
		r := []r3.Vec{r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())}
		guess := make([]r3.Vec, 1)
		new(Carrier).Carry(&before, r, &now, guess)
		if d := turned.MulVecT(guess[0]).Sub(frame.MulVecT(r[0])).Norm(); d > 1e-14 {
			t.Fatalf("the impulse in space changed by %g", d)
		}
	}
}

// A solver that carries on and on allocates nothing.
func TestCarryDoesNotAllocate(t *testing.T) {
	var before, now contact.Set
	for i := range int32(300) {
		c := problems.VertexOn(i, r3.V(0, 0, 1), 0, 0.3, 1)
		before.Add(c)
		c.ID.B.ID = int64(i % 7)
		now.Add(c)
	}
	r, guess := make([]r3.Vec, 300), make([]r3.Vec, 300)
	for i := range r {
		r[i].X = float64(i)
	}
	var carrier Carrier
	if n := testing.AllocsPerRun(3, func() { carrier.Carry(&before, r, &now, guess) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
	if !slices.Equal(guess, r) {
		t.Error("impulses were lost")
	}
}
