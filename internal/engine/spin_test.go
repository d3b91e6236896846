package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/whirl"
	"github.com/toile-sim/toile/r3"
)

func freeWorld(t testing.TB, newton int, theta float64) *engine.World {
	t.Helper()
	opt := whirl.Options(theta, newton)
	opt.Workers = 1
	return must(engine.New(opt))
}

// Free bodies at 10 rad/s keep their angular momentum to 1 % a second at 2 ms and a tenth of that at 1 ms, with one
// linearization and with several, and their energy never exceeds that of the first steps, in which what starts without
// stress is drawn taut.
func TestFreeBodiesKeepTheirSpin(t *testing.T) {
	const omega, seconds = 10, 0.5
	drift := r3.V(0.1, 0.2, 0.3)
	along := func(axis r3.Vec) func(r3.Vec) r3.Vec { return func(r3.Vec) r3.Vec { return axis.Scale(omega) } }
	for _, c := range []struct {
		name   string
		newton int
		add    func(w *engine.World) *whirl.Body
	}{
		{"block", 1, func(w *engine.World) *whirl.Body {
			return must(whirl.Brick(w, elastic.CorotationalLaw, 1e6, r3.V(0, 0, omega), drift))
		}},
		{"block of three inertias", 1, func(w *engine.World) *whirl.Body {
			return must(whirl.Brick(w, elastic.CorotationalLaw, 1e6, r3.V(2, 9.4, 2), drift))
		}},
		{"block, six linearizations", 6, func(w *engine.World) *whirl.Body {
			return must(whirl.Brick(w, elastic.CorotationalLaw, 1e6, r3.V(0, 0, omega), drift))
		}},
		{"stable block", 6, func(w *engine.World) *whirl.Body {
			return must(whirl.Brick(w, elastic.StableLaw, 1e6, r3.V(0, 0, omega), drift))
		}},
		{"stable block of three inertias, one linearization", 1, func(w *engine.World) *whirl.Body {
			return must(whirl.Brick(w, elastic.StableLaw, 1e6, r3.V(2, 9.4, 2), drift))
		}},
		{"neo-Hookean block of three inertias", 6, func(w *engine.World) *whirl.Body {
			return must(whirl.Brick(w, elastic.NeoHookeanLaw, 1e6, r3.V(2, 9.4, 2), drift))
		}},
		{"sheet in its plane", 1, func(w *engine.World) *whirl.Body {
			return must(whirl.Sheet(w, "denim", 0, along(r3.V(0, 0, 1))))
		}},
		{"sheet about an axis in its plane", 1, func(w *engine.World) *whirl.Body {
			return must(whirl.Sheet(w, "denim", 0, along(r3.V(1, 0, 0))))
		}},
		{"bent sheet", 1, func(w *engine.World) *whirl.Body {
			return must(whirl.Sheet(w, "denim", 0.08, along(r3.V(1, 0, 0))))
		}},
	} {
		for _, h := range []float64{1e-3, 2e-3} {
			w := freeWorld(t, c.newton, 1)
			s := c.add(w)
			before, _ := s.Momentum()
			start, top := 0.0, 0.0
			steps := int(math.Round(seconds / h))
			for k := range steps {
				energy := must(w.Step(h)).Energy.Total()
				if k < steps/10 {
					start = max(start, energy)
				}
				top = max(top, energy)
			}
			after, _ := s.Momentum()
			kept, bar := after.Norm()/before.Norm(), seconds*0.01
			if h == 1e-3 {
				bar /= 2
			}
			t.Logf("%s, %g ms: %.6f of its angular momentum is left, energy at most %.6f of that at first", c.name, 1e3*h, kept, top/start)
			if math.Abs(kept-1) > bar || top > 1.001*start {
				t.Errorf("%s, %g ms: %.6f of its angular momentum is left after %g s, energy at most %.6f of that at first", c.name, 1e3*h, kept, seconds, top/start)
			}
		}
	}
}

// With the midpoint rule nothing is given back, because nothing is taken.
func TestMidpointKeepsSpinByItself(t *testing.T) {
	w := freeWorld(t, 10, 0.5)
	s := must(whirl.Brick(w, elastic.CorotationalLaw, 1e6, r3.V(2, 9.4, 2), r3.V(0.1, 0.2, 0.3)))
	before, _ := s.Momentum()
	for range 100 {
		must(w.Step(2e-3))
	}
	after, _ := s.Momentum()
	if d := after.Sub(before).Norm() / before.Norm(); d > 1e-9 {
		t.Errorf("angular momentum changes by %g", d)
	}
}
