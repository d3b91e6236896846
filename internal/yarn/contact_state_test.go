package yarn

import (
	"testing"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// TestContactStateGoesOn stops in the middle and goes on from the state with the same bits, in every mode.
func TestContactStateGoesOn(t *testing.T) {
	for _, mode := range []ContactMode{ContactSets, ContactLinear, ContactPairs, ContactHierarchy} {
		opt := ContactOptions{
			Radius: testRadius, Stiffness: 3.25, DampNormal: 0.3, DampTangent: 0.03, Friction: 0.3, Tolerance: 0.04, Mode: mode,
		}
		lay := &layout{}
		rest := stockinette(lay, 6, 6, 0.95*testRadius)
		c := newContacts(lay, opt)
		n := len(rest)
		pos, force, other := make([]r3.Vec, n), make([]r3.Vec, n), make([]r3.Vec, n)
		team := par.New(2)
		team.Enter()
		for step := range 60 {
			sway(rest, pos, float64(step)*1e-3)
			c.add(pos, rest, 1e-3, team, force)
		}
		again := newContacts(lay, opt)
		state := c.state()
		if err := again.setState(state); err != nil {
			t.Fatal(err)
		}
		if string(again.state()) != string(state) {
			t.Fatalf("mode %d: the state is another when taken again", mode)
		}
		for step := 60; step < 120; step++ {
			sway(rest, pos, float64(step)*1e-3)
			clear(force)
			clear(other)
			c.add(pos, rest, 1e-3, team, force)
			again.add(pos, rest, 1e-3, team, other)
			for i := range force {
				if force[i] != other[i] {
					t.Fatalf("mode %d, step %d: force on point %d differs after going on", mode, step, i)
				}
			}
		}
		team.Leave()
		t.Logf("mode %d: %d sets, %d bytes", mode, c.stats.Sets, len(state))
	}
}

// TestContactStateIsChecked hands over states that are cut short or of other yarns.
func TestContactStateIsChecked(t *testing.T) {
	opt := ContactOptions{Radius: testRadius, Stiffness: 3.25, Mode: ContactLinear, Tolerance: 0.04, Friction: 0.3}
	lay, less := &layout{}, &layout{}
	pos := stockinette(lay, 3, 3, 0.95*testRadius)
	stockinette(less, 3, 2, testRadius)
	c, force := newContacts(lay, opt), make([]r3.Vec, len(pos))
	c.add(pos, pos, 1e-4, nil, force)
	c.add(pos, pos, 1e-4, nil, force)
	state := c.state()
	if newContacts(less, opt).setState(state) == nil {
		t.Error("took the state of other yarns")
	}
	for n := 0; n < len(state); n += 1 + n/50 {
		if newContacts(lay, opt).setState(state[:n]) == nil {
			t.Fatalf("took the first %d bytes of %d", n, len(state))
		}
	}
	for i := 8 * (1 + 2*len(pos)); i < len(state); i += 8 * (1 + i/4000) {
		bad := append([]byte(nil), state...)
		bad[i+3] ^= 0x7f // wherever it hits, nothing may fall over
		if other := newContacts(lay, opt); other.setState(bad) == nil {
			other.add(pos, pos, 1e-4, nil, force)
		}
	}
}
