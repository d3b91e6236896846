package friction

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A5: a square of cloth on a floor is dragged by a corner around a circle. Friction has no preferred direction, so that
// once the start is forgotten its centroid goes around a circle too. A cone with four sides would leave a fourth
// harmonic in the centroid's radius.
var drag = verify.Case{
	ID: "A5", Title: "dragged around a circle", Source: "symmetry, for the scene of [Li18] fig. 6",
	Body: func(t *verify.Trial) {
		turns, h := 3, 4e-3
		if t.Options.Full {
			turns, h = 4, 2e-3
		}
		harmonics, path := around(t, solve.RelaxationForm{}, "nodal", turns, h)
		t.Row(verify.Row{
			Quantity: "fourth harmonic of the centroid's radius over its mean",
			Measured: harmonics[4] / harmonics[0],
			Bar:      verify.AtMost,
			Limit:    3e-3,
		})
		t.StepsRow()
		if t.Options.Full {
			dragPyramid(t)
		}
		t.Note(
			"mean radius %.4f m in turn %d; harmonics 1 to 8 over it: %.2g",
			harmonics[0],
			turns,
			setup.ScaledBy(harmonics[1:], 1/harmonics[0]),
		)
		mean := draw.Series{
			Name:  "mean",
			X:     []float64{0, 360},
			Y:     []float64{harmonics[0], harmonics[0]},
			Style: draw.Line,
		}
		path.Name, path.Style = "centroid", draw.Points
		t.Plot("a5-radius", draw.Plot{
			Title: fmt.Sprintf(
				"A5: cloth dragged around a circle, turn %d",
				turns,
			),
			X:      "direction of the corner [°]",
			Y:      "radius of the centroid [m]",
			Series: []draw.Series{draw.Tolerance(mean, "±1 %", 0.01, 0), mean, path},
		})
	},
}

// dragPyramid compares with friction in a pyramid, in the steps of the quick form. O21 shows on a node what it does.
func dragPyramid(t *verify.Trial) {
	const turns, h = 3, 4e-3
	disk, _ := around(t, solve.RelaxationForm{}, "nodal", turns, h)
	pyramid, _ := around(t, solve.RelaxationForm{Pyramid: true}, "relaxation", turns, h)
	t.Row(verify.Row{
		Quantity: "the same in steps of 4 ms with nested relaxation in a pyramid, over it without",
		Measured: pyramid[4] / pyramid[0] / (disk[4] / disk[0]), Bar: verify.AtLeast, Limit: 5,
	})
}

// around drags a sheet around a circle, and returns the harmonics of the radius of its centroid in the last turn, and
// that by direction.
func around(
	t *verify.Trial, form solve.RelaxationForm, solver string, turns int, h float64,
) (harmonics []float64, path draw.Series) {
	const size, radius, turn, mu, cells = 0.5, 0.5, 5.0, 0.6, 7
	opt := engine.DefaultOptions()
	opt.Contact.Solver, opt.Contact.Relaxation = solver, form
	w, id, hand := Dragged(t, opt, cells, size, radius)
	setup.SetFriction(w, id, mu)
	steps := int(math.Round(turn / h))
	var radii []float64
	for k := range turns * steps {
		angle := 2 * math.Pi * float64(k+1) / float64(steps)
		sin, cos := math.Sincos(angle)
		w.MoveHandle(hand, r3.Translation(r3.V(radius*(cos-1), radius*sin, 0)))
		if form.Pyramid {
			_, err := w.Step(h) // whose residual is that of Coulomb's law
			t.Must(err)
		} else {
			t.Step(w, h)
		}
		if k < (turns-1)*steps {
			continue
		}
		at, _ := setup.Centroid(w, id)
		radii = append(radii, math.Hypot(at.X, at.Y))
		if k%10 == 0 {
			path.X = append(path.X, math.Mod(angle, 2*math.Pi)*180/math.Pi)
			path.Y = append(path.Y, radii[len(radii)-1])
		}
	}
	harmonics = make([]float64, 9)
	for j := range harmonics {
		var sum complex128
		for k, r := range radii {
			sum += complex(r, 0) * cmplx.Rect(1, -2*math.Pi*float64(j*k)/float64(len(radii)))
		}
		harmonics[j] = cmplx.Abs(sum) / float64(len(radii))
		if j > 0 {
			harmonics[j] *= 2
		}
	}
	return harmonics, path
}

// Dragged lays a sheet on a floor with a handle at its corner, at a distance from the z axis.
func Dragged(
	t *verify.Trial,
	opt engine.Options, cells int, size, radius float64,
) (*engine.World, engine.ClothID, engine.HandleID) {
	m, x := shape.Grid(size, size, cells, cells)
	for i, p := range x {
		x[i] = r3.V(radius-p.X, -p.Y, opt.Contact.Thickness)
	}
	w, id := setup.Sheet(t, opt, m, x, setup.SheetFabric{Density: 0.187, Stretch: 400, Bend: 3e-5})
	setup.Obstacle(t, w, "floor", shape.Plane{Normal: r3.V(0, 0, 1)}, r3.Still())
	hand, err := w.AddHandle(engine.Handle{Name: "hand", Cloth: id, Vertices: []int32{0}})
	t.Must(err)
	return w, id, hand
}
