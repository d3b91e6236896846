package remesh

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/toile-sim/toile/mesh"
)

// FuzzOperations does the operations that the bytes say on one of the random sheets, and checks every promise after
// each.
func FuzzOperations(f *testing.F) {
	for kind := range uint64(6) {
		f.Add(kind, []byte("\x00\x11\x05\x02\x31\x07\x01\x20\x03\x00\x51\x02\x02\x41\x01"))
	}
	f.Fuzz(func(t *testing.T, seed uint64, script []byte) {
		s, around := randomSheet(int(seed%6), rand.New(rand.NewPCG(seed, 3)))
		var r Remesher
		c := start(&r, s, around)
		w := newWatch(t, c, around)
		if w.crossed() {
			t.Skip("crossed to begin with")
		}
		for i := 0; i+2 < len(script) && i < 300; i += 3 {
			side := (int32(script[i+1])<<8 | int32(script[i+2])) % int32(3*len(c.edit.Tri))
			if c.edit.Tri[side/3][0] == mesh.None {
				continue
			}
			c.tris = c.tris[:0]
			what := script[i] % 3
			why := badShape
			switch v, _ := c.edit.Ends(side); what {
			case 0:
				why = c.split(side)
			case 1:
				why = c.flip(side)
			case 2:
				why = c.collapse(v, side, false)
			}
			if why == allowed {
				w.check(fmt.Sprintf("operation %d (%d) on side %d", i/3, what, side))
			}
		}
		r.finish(s)
		if err := s.Mesh.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}
