package contact

import (
	"fmt"
	"io/fs"
	"math"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/referee"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/scenes"
	"github.com/toile-sim/toile/shape"
)

// C29: nothing shows through. No point of a triangle of a sheet, be it in its middle or on an edge, gets into a shape,
// in any step. A search that knows nothing of how contacts are found tells the depth, at most 1 micrometre too little.
// Obstacles that are meshes are left to the exact test of crossings, which is a row too.
var nothingThrough = verify.Case{
	ID:     "C29",
	Title:  "no point of a sheet inside a shape",
	Source: "a search of all triangles, by bounds of the distance",
	Body: func(t *verify.Trial) {
		drapesOnBalls(t)
		drapesOnShapes(t)
		if t.Options.Full {
			bundledScenes(t)
		}
	},
}

// searchError is how much less than the deepest point the search may find [m].
const searchError = 1e-6

// insideShapes returns how deep points of cloths are in the shapes of a world [m].
func insideShapes(w *engine.World) (deepest float64) {
	for o := range engine.ObstacleID(w.Obstacles()) {
		field := w.Obstacle(o).Shape
		if field == nil {
			continue
		}
		placed := shape.Placed{Shape: field, Pose: w.ObstaclePose(o)}
		distance := func(x r3.Vec) float64 { d, _ := placed.Distance(x); return d }
		for c := range engine.ClothID(w.Cloths()) {
			x := w.Positions(c)
			for _, v := range cloths.Spec(w, c).Mesh.Tri {
				deepest = max(deepest, referee.DepthOnTriangle(distance, x[v[0]], x[v[1]], x[v[2]], searchError))
			}
		}
	}
	return deepest
}

// searched is what the search found in the steps of a part.
type searched struct {
	verify.StepTally
	deepest float64
	touched int // steps with contacts
}

// play takes steps of h for a time, and searches after each.
func (n *searched) play(t *verify.Trial, name string, w *engine.World, h, time float64) {
	for end := w.Time() + time; w.Time() < end-h/2; {
		t.Must(w.Advance(h, h, func(s engine.Stats) {
			n.Add(t, w, s)
			n.touched += min(1, s.Contacts)
		}))
		n.deepest = max(n.deepest, insideShapes(w))
		t.At(name, w.Time(), end)
	}
}

func (n *searched) rows(t *verify.Trial, part string) {
	t.Row(
		verify.Row{
			Quantity: part + ": deepest point of a sheet inside a shape",
			Unit:     "m",
			Measured: n.deepest,
			Bar:      verify.AtMost,
			Limit:    0,
		},
	)
	t.Row(verify.Row{
		Quantity: fmt.Sprintf("%s: of %d steps, without contact", part, n.Steps),
		Measured: float64(n.Steps - n.touched), Bar: verify.AtMost, Limit: float64(n.Steps) / 2,
	})
	n.StepTally.Rows(t, part)
}

// drapeOnto drops a sheet of 1 m and so many cells a side from 1 cm onto a shape, off its axis.
func drapeOnto(t *verify.Trial, n *searched, cells int, h float64, field geom.Field, place r3.Pose) {
	fabric, err := material.LookupFabric("cotton-interlock")
	t.Must(err)
	m, x := shape.Grid(1, 1, cells, cells)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.487, -0.493, 0.01))
	}
	opt := engine.DefaultOptions()
	opt.Workers = t.Workers
	w := t.World(opt)
	_, err = cloths.Add(w, body.DefaultCloth("sheet", m, x, fabric))
	t.Must(err)
	setup.Obstacle(t, w, "shape", field, place)
	n.play(t, fmt.Sprintf("%d cells", cells), w, h, 0.3)
}

// drapeSizes returns cells a side and steps [s].
func drapeSizes(t *verify.Trial) (cells []int, steps []float64) {
	if t.Options.Full {
		return []int{12, 24, 40}, []float64{4e-3, 10e-3}
	}
	return []int{12, 24}, []float64{10e-3}
}

func drapesOnBalls(t *verify.Trial) {
	sizes, steps := drapeSizes(t)
	for _, cells := range sizes {
		radii := []float64{0.06, 0.1, 0.152, 0.2}
		if cells == 24 && !t.Options.Full {
			radii = radii[1:2]
		}
		var n searched
		for _, radius := range radii {
			for _, h := range steps {
				drapeOnto(t, &n, cells, h, shape.Sphere{Radius: radius}, r3.Translation(r3.V(0, 0, -radius)))
			}
		}
		n.rows(t, fmt.Sprintf("balls of radius %g to %g m, %d cells", radii[0], radii[len(radii)-1], cells))
	}
}

func drapesOnShapes(t *verify.Trial) {
	lying := r3.Rotation(r3.V(1, 0.2, 0).Unit(), math.Pi/2)
	tilted := r3.Rotation(r3.V(1, 0.3, 0).Unit(), 0.6)
	box := shape.Box{Half: r3.V(0.2, 0.15, 0.1)}
	sizes, steps := drapeSizes(t)
	for _, s := range []struct {
		name  string
		field geom.Field
		place r3.Pose
	}{
		{"capsule", shape.Capsule{Radius: 0.1, Half: 0.15}, r3.Pose{R: lying, T: r3.V(0, 0, -0.1)}},
		{"cylinder, lying", shape.Cylinder{Radius: 0.1, Half: 0.2}, r3.Pose{R: lying, T: r3.V(0, 0, -0.1)}},
		{"cylinder, standing", shape.Cylinder{Radius: 0.2, Half: 0.1}, r3.Translation(r3.V(0, 0, -0.1))},
		{"cone", shape.Cone{Radius: 0.2, Height: 0.3}, r3.Translation(r3.V(0, 0, -0.3))},
		{"box", box, r3.Pose{R: r3.Rotation(r3.V(0, 0, 1), 0.3), T: r3.V(0, 0, -0.1)}},
		{"box, tilted", box, r3.Pose{R: tilted, T: r3.V(0, 0, -0.21)}},
	} {
		var n searched
		for _, cells := range sizes[:len(sizes)-1] { // the finest on balls
			for _, h := range steps {
				drapeOnto(t, &n, cells, h, s.field, s.place)
			}
		}
		n.rows(t, s.name)
	}
}

// bundledScenes plays the beginnings of the scenes that come with the tool, but for garments: W1, W2, A13 and A15 have
// these, on bodies that are meshes.
func bundledScenes(t *verify.Trial) {
	files, err := fs.Glob(scenes.Files(), "*.yaml")
	t.Must(err)
	for _, file := range files {
		p := setup.Parsed(t, file, nil)
		if p.HasYarns() || p.Dresses() || len(p.Cloths) == 0 {
			continue // yarns keep their control points out of shapes, not every point
		}
		s, b := setup.Bundled(t, file, false)
		var n searched
		n.play(t, file, b.World, s.Time.Step, min(s.Time.End, 60*s.Time.Step))
		t.Must(b.Close())
		deepest := verify.Row{
			Quantity: fmt.Sprintf("%s: deepest point of a cloth inside a shape, %d steps", file, n.Steps),
			Unit:     "m",
			Measured: n.deepest,
			Bar:      verify.AtMost,
			Limit:    0,
		}
		t.Row(t.Shortened(deepest, "at most 0, to the end of the scene"))
		t.Row(
			verify.Row{
				Quantity: file + ": crossings at the end of a step, at most",
				Measured: float64(n.Crossings),
				Bar:      verify.AtMost,
				Limit:    0,
			},
		)
		n.RefereeRow(t, file+": ")
	}
}
