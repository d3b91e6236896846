package build

import (
	"testing"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// playYarns plays a scene of yarns and checks it all along: no yarn passes through another, every loop hangs in its
// neighbours as it was knitted, and lengths are kept.
func playYarns(t *testing.T, path string, sets []string) *BuiltYarns {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s, err := scenefile.Load(path, sets)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Yarns(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	var watches []*knit.Watch
	for _, p := range b.Pieces {
		watches = append(watches, p.Fabric.Watch())
	}
	const checks = 200 // a second
	for range int(s.Time.End*checks + 0.5) {
		err := b.World.Advance(1.0/checks, b.Pace, func(st *yarn.Stats) {
			if len(st.Slips) > 0 {
				t.Fatalf("t = %g s: slips at %s", b.World.Time(), b.Where(st.Slips[0].A))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range b.Pieces {
			if bad := watches[i].Check(b.World.Positions()[p.First:p.End]); len(bad) > 0 {
				c := watches[i].Crossings[bad[0]]
				t.Fatalf("t = %g s: %d crossings are lost, the first of wale %d, course %d", b.World.Time(), len(bad), c.Wale, c.Course)
			}
		}
	}
	if !r3.BoxOf(b.World.Positions()).Size().Finite() {
		t.Fatal("not finite")
	}
	return b
}

// The scarf has fallen on the floor and not through it.
func TestScarf(t *testing.T) {
	b := playYarns(t, "../../scenes/scarf.yaml", []string{
		"yarns.scarf.size=[5, 12]", "yarns.scarf.place.translate=[0, 0, 1 cm]", "time.end=0.3 s",
	})
	box := r3.BoxOf(b.World.Positions())
	if low := box.Min.Z; low < 0.9*b.Material.Radius || low > 1.1*b.Material.Radius {
		t.Errorf("the axis of the lowest yarn is %g m above the floor", low)
	}
	if high := box.Max.Z; high > 0.06 {
		t.Errorf("it is still %g m high", high)
	}
	if load := b.World.Load(0); load.Points == 0 || !(load.Force.Z < 0) {
		t.Errorf("it does not press on the floor: %v", load)
	}
}

// The sides of stockinette curl to the purl face, which is the lower one.
func TestSwatch(t *testing.T) {
	b := playYarns(t, "../../scenes/swatch.yaml", []string{"yarns.swatch.size=[8, 8]"})
	x := b.World.Positions()
	f := b.Pieces[0].Fabric
	middle, sides, n := 0.0, 0.0, 0.0
	for course := 3; course < 5; course++ {
		for k := range 8 {
			for _, side := range []int{0, f.Wales - 1} {
				_, first, _ := f.Loop(side, course)
				sides += x[first+k].Z
			}
			for _, wale := range []int{3, 4} {
				_, first, _ := f.Loop(wale, course)
				middle += x[first+k].Z
			}
			n += 2
		}
	}
	if curl := (middle - sides) / n; !(curl > b.Material.Radius) {
		t.Errorf("the sides are %g m below the middle", curl)
	}
}
