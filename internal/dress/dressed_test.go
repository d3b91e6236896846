package dress

import (
	"testing"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// FuzzDressed reads arbitrary bytes as what dressing led to. What is accepted is written again as the same bytes, and
// offered to a scene that it is not of.
func FuzzDressed(f *testing.F) {
	d := Dressed{
		cloths: []build.Worn{{X: []r3.Vec{r3.V(1, 2, 3), r3.V(4, 5, 6)}, V: []r3.Vec{{}, r3.V(0, 0, -1)}}, {}},
		Sewn:   []Sewing{{Cloth: "shirt", Steps: 12, Time: 0.5, Wide: 0.2, Gap: 1e-3}},
	}
	data, err := d.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	s, err := scenefile.Parse("fuzz.yaml", []byte(samples.Base), samples.Files, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var d Dressed
		if d.UnmarshalBinary(data) != nil {
			return
		}
		again, err := d.MarshalBinary()
		var back Dressed
		if err != nil || back.UnmarshalBinary(again) != nil {
			t.Fatalf("accepted, and not when it was written again: %v", err)
		}
		_, _ = World(s, &d) // must not panic
	})
}
