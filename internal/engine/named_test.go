package engine

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// broken is a field of a user's that has lost its mind.
type broken struct {
	shape.Sphere
	distance, normal float64 // factors
}

func (b broken) Distance(p r3.Vec) (float64, r3.Vec) {
	d, n := b.Sphere.Distance(p)
	return d * b.distance, n.Scale(b.normal)
}

// TestWhatIsNoNumberIsNamed: a force, a distance or a normal that is no number is named with what it belongs to.
func TestWhatIsNoNumberIsNamed(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		what  string
		field broken
		force float64
		named string
	}{
		{"distance", broken{distance: nan, normal: 1}, 0, "thing"},
		{"normal", broken{distance: 1, normal: nan}, 0, "thing"},
		{"force", broken{distance: 1, normal: 1}, nan, "vertex 3 of sheet"},
	} {
		w := must(New(DefaultOptions()))
		m, x := shape.Grid(0.2, 0.2, 8, 8)
		id := must(w.AddCloth(DefaultCloth("sheet", m, x, testFabric())))
		c.field.Radius = 0.1
		must(w.AddObstacle(Obstacle{Name: "thing", Shape: c.field, Place: r3.Translation(r3.V(0.1, 0.1, -0.0985))}))
		w.SetForce(id, 3, r3.V(c.force, 0, 0))
		before := w.Snapshot().Hash()
		if err := w.Advance(2e-3, 2e-3, nil); !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), c.named) {
			t.Errorf("%s: %v", c.what, err)
		}
		if c.force == 0 && w.Snapshot().Hash() != before {
			t.Errorf("%s: the state is another", c.what)
		}
	}
}
