package detect

import (
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// Surfaces that are joined are not looked at. A point that is fixed to a surface makes no contact with it, nor does
// what is between such points; what is partly free does, and is kept from crossing.
func TestTiesDoNotTouch(t *testing.T) {
	m, x := grid(t, 4, 0.025)
	n := int32(len(x))
	all := append([]r3.Vec(nil), x...)
	for _, p := range x {
		all = append(all, p.Add(r3.V(0.003, 0.002, 0.9e-3)))
	}
	motion := contact.Motion{H: 1e-3, Theta: 1, X0: all, V0: make([]r3.Vec, 2*n), X1: all}
	skins := []contact.Skin{contact.ClothSkin(0, 0, m), contact.ClothSkin(1, n, m)}
	fixed := func(of func(p r3.Vec) bool) []int32 {
		tied := make([]int32, 2*n)
		for i := range tied {
			tied[i] = contact.None
			if i >= int(n) && of(all[i]) {
				tied[i] = 0
			}
		}
		return tied
	}
	half := func(p r3.Vec) bool { return p.X < all[0].X+0.06 }
	for name, c := range map[string]struct {
		joined bool
		tied   []int32
		some   bool // contacts are left
	}{
		"free":       {some: true},
		"joined":     {joined: true},
		"all fixed":  {tied: fixed(func(r3.Vec) bool { return true })},
		"half fixed": {tied: fixed(half), some: true},
	} {
		f := DefaultFinder()
		f.TiedTo = c.tied
		if c.joined {
			f.Joined = func(a, b int32) bool { return a != b }
		}
		f.Begin(skins)
		var set contact.Set
		f.Find(motion, nil, &set)
		if c.some != (set.Len() > 0) {
			t.Errorf("%s: %d contacts", name, set.Len())
		}
		for i := range set.Contacts {
			free := 0.0
			for _, w := range set.Row(i) {
				if w.Block >= n && (c.tied == nil || c.tied[w.Block] == contact.None) {
					free += max(w.W, -w.W)
				}
			}
			if free < leastShare {
				t.Errorf("%s: contact %+v is of what is fixed", name, set.Contacts[i].ID)
			}
		}
		through := append([]r3.Vec(nil), all...)
		for i := n; i < 2*n; i++ {
			if c.tied == nil || c.tied[i] == contact.None {
				through[i].Z -= 2e-3
			}
		}
		if crossed := len(f.Impacts(through, 1e-6, nil)) > 0; crossed != c.some {
			t.Errorf("%s: free points go through, and that it is seen is %v", name, crossed)
		}
	}
}
