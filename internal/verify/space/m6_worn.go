package space

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// spaceBusy is where bars of times come from.
const spaceBusy = "seconds of a machine that others use"

// M6: a piece of cloth hangs in front of a body whose forearm presses it against the trunk and goes on 3 cm into it.
// Where arm and trunk overlap there is no place for the cloth; with the body opened up by a margin of 1 cm there is. It
// stands for the vest and the shirt of [Minor18] figure 1, at a size that can be run in a minute.
const (
	pressedDepth  = 0.03
	pressedMargin = 0.01

	// enoughCrossed is after how many steps with crossings a run ends: cloth that is caught costs more and more.
	enoughCrossed = 60
)

// pressed is how a run went.
type pressed struct {
	steps, good, crossed, most int
	residual                   float64
	times, crossings           []float64
}

var spaceWorn = verify.Case{
	ID:     "M6",
	Title:  "cloth between an arm and a trunk that overlap",
	Source: "[Minor18] figure 1: instability and bunching removed",
	Body: func(t *verify.Trial) {
		begin, end, h, every := 0.7, 2.1, 10e-3, 0.04
		if t.Options.Full {
			begin, end, h, every = 0, 2.4, 5e-3, 0.02
		}
		with := press(t, true, begin, end, h, every)
		t.Row(
			verify.Row{
				Quantity: fmt.Sprintf("with space: share of %d steps at the tolerance", with.steps),
				Measured: float64(with.good) / float64(with.steps),
				Bar:      verify.AtLeast,
				Limit:    0.99,
			},
		)
		t.Row(verify.Row{
			Quantity: "with space: steps with crossings", Measured: float64(with.crossed), Bar: verify.AtMost, Limit: 0,
		})
		t.Note("with space: largest residual %.2g m/s", with.residual)
		if !t.Options.Full {
			return
		}
		without := press(t, false, begin, end, h, every)
		t.Row(
			verify.Row{
				Quantity: "without: steps with crossings", Measured: float64(without.crossed), Bar: verify.AtLeast,
				Limit: 1,
			},
		)
		t.Note(
			"without: %d of %d steps at the tolerance, crossings in %d, up to %d; largest residual %.2g m/s",
			without.good,
			without.steps,
			without.crossed,
			without.most,
			without.residual,
		)
		t.Plot("M6-crossings", draw.Plot{
			Title: "Cloth between an arm and a trunk that overlap",
			X:     "time [s]",
			Y:     "crossings",
			Series: []draw.Series{
				{Name: "with space", X: with.times, Y: with.crossings, Style: draw.Line},
				{Name: "without", X: without.times, Y: without.crossings, Style: draw.Line},
			},
		})
	},
}

// press runs the scene from begin to end of the motion [s].
func press(t *verify.Trial, space bool, begin, end, h, every float64) pressed {
	// body whose arm goes into its chest
	m, err := mannequin.MeasuresOf("M")
	t.Must(err)
	b, err := mannequin.NewMannequin(m, 2000)
	t.Must(err)
	motion, err := mannequin.MotionOf(
		"arm-through-chest", mannequin.MotionOptions{Tempo: 1, Depth: pressedDepth, Body: b},
	)
	t.Must(err)
	// its film, with space made or without
	film := &mannequin.Film{Body: b, Motion: motion}
	var body engine.Deformation = laterFilm{film, begin}
	if space {
		body, err = untangle.NewSpaceFilm(b.Vertices(), b.Tri, body.At, pressedMargin, every)
		t.Must(err)
	}
	// cloth between arm and chest, held at its top
	cloth, x := shape.Grid(0.24, 0.24, 12, 12)
	var top []int32
	for i, p := range x {
		if p.Y > 0.2399 {
			top = append(top, int32(i))
		}
		x[i] = r3.V(p.X-0.06, -0.15, p.Y+1)
	}
	w, id := setup.Sheet(
		t, engine.DefaultOptions(), cloth, x, setup.SheetFabric{Density: 0.15, Stretch: 500, Bend: 1e-5},
	)
	_, err = w.AddHandle(engine.Handle{Cloth: id, Vertices: top})
	t.Must(err)
	// body in the world
	_, err = w.AddObstacle(
		engine.Obstacle{
			Name:      "body",
			Tri:       b.Tri,
			Positions: make([]r3.Vec, b.Vertices()),
			Deform:    body,
			Place:     r3.Still(),
		},
	)
	t.Must(err)
	// steps, with crossings and residuals, until enough of them crossed
	var out pressed
	for out.steps < int(math.Round((end-begin)/h)) {
		s := t.Step(w, h)
		out.steps++
		if s.Converged && s.Residual <= 1.01e-8 {
			out.good++
		}
		out.crossed += min(1, s.Crossings)
		out.most = max(out.most, s.Crossings)
		out.residual = max(out.residual, s.Residual)
		if out.crossed == enoughCrossed {
			break
		}
		out.times, out.crossings = append(
			out.times,
			begin+float64(out.steps)*h,
		), append(
			out.crossings,
			float64(s.Crossings),
		)
	}
	return out
}

// laterFilm is a film that begins at a later time.
type laterFilm struct {
	*mannequin.Film
	begin float64
}

// At implements engine.Deformation.
func (f laterFilm) At(t float64, out []r3.Vec) error { return f.Film.At(t+f.begin, out) }
