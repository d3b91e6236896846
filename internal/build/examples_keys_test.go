package build

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
)

// TestRelease: the cloth lies still until the key, and then slides by the closed form, to what backward Euler adds.
func TestRelease(t *testing.T) {
	const g, h = 9.81, 2e-3
	sin, cos := math.Sincos(25 * math.Pi / 180)
	for _, at := range []float64{0.5, 0.75} {
		var start []r3.Vec
		sets := []string{"cloths.square.shape.grid.cells=[6, 6]"}
		if at != 0.5 {
			sets = append(sets, "friction.default.keys.1.at=0.75s")
		}
		b := play(t, "../../scenes/release.yaml", sets, func(b *Built) {
			if start == nil {
				start = clone(b.World.Positions(0))
			}
			if b.World.Time() < at+1e-9 {
				near(t, "the way before the key", farthest(b.World.Positions(0), start), 0, 1e-9)
			}
		})
		since := 1 - at
		want := g * (sin - 0.2*cos) / 2 * since * (since + h)
		near(t, "the way at the end", farthest(b.World.Positions(0), start), want, 1e-4)
	}
}

// TestCape: the pins stay beside the same triangles of a body that bends, and the gust lifts the hem.
func TestCape(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	hem := map[string]float64{}
	for _, wind := range []string{"", "air.wind=[0, 0, 0]"} {
		var sets []string
		if wind != "" {
			sets = []string{wind}
		}
		sets = append(sets, "time.end=1.6", "cloths.cape.shape.grid.cells=[9, 10]")
		var anchors []geom.MeshPoint
		worst := 0.0
		b := play(t, "../../scenes/cape.yaml", sets, func(b *Built) {
			pins, x := b.Cloths[0].Pins[0].Vertices, b.World.Positions(0)
			tri, body := b.World.Obstacle(0).Tri, b.World.ObstaclePositions(0)
			if anchors == nil {
				surface := geom.NewMeshField(body, tri)
				for _, v := range pins {
					p, _ := surface.Nearest(x[v], math.Inf(1))
					anchors = append(anchors, p)
				}
			}
			for j, v := range pins {
				a := &anchors[j]
				c := tri[a.Triangle]
				p := body[c[0]].Scale(a.Weights.X).AddScaled(a.Weights.Y, body[c[1]]).AddScaled(a.Weights.Z, body[c[2]])
				worst = max(worst, math.Abs(x[v].Sub(p).Norm()-a.Distance))
			}
		})
		near(t, "how far pins are off", worst, 0, 1e-6)
		if b.World.Positions(0)[4].Z > 1.4 {
			t.Error("vertex 4 is not in the hem")
		}
		hem[wind] = b.World.Positions(0)[4].Z
	}
	if rise := hem[""] - hem["air.wind=[0, 0, 0]"]; rise < 0.3 {
		t.Errorf("the hem has risen by %g m", rise)
	}
}
