package scenefile

import (
	"errors"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

func TestSets(t *testing.T) {
	for _, c := range []struct {
		set string
		ok  func(*Scene) bool
	}{
		{"time.end=250 ms", func(s *Scene) bool { return s.Time.End == 0.25 }},
		{"name=a b", func(s *Scene) bool { return s.Name == "a b" }},
		{"gravity=[0, 0, 0]", func(s *Scene) bool { return s.Gravity.IsZero() }},
		{"gravity.2=-1.62", func(s *Scene) bool { return s.Gravity.Start() == r3.V(0, 0, -1.62) }},
		{"cloths.square.drag=0.5", func(s *Scene) bool { return s.Cloths[0].Drag.Value == 0.5 }},
		{"cloths.0.drag=0.5", func(s *Scene) bool { return s.Cloths[0].Drag.Value == 0.5 }},
		{" cloths . square.drag = 0.5", func(s *Scene) bool { return s.Cloths[0].Drag.Value == 0.5 }},
		{"cloths.square.material.density=150 g/m2", func(s *Scene) bool { return s.Cloths[0].Material.Density.Value == 0.15 }},
		{"cloths.square.material=denim", func(s *Scene) bool {
			return s.Cloths[0].Material.Preset == "denim" && s.Cloths[0].Material.Density == nil
		}},
		{"integrator.newton=4", func(s *Scene) bool { return s.Integrator.Newton.Iterations == 4 }},
		{"integrator.newton.exact=true", func(s *Scene) bool { return s.Integrator.Newton.Exact && s.Integrator.Newton.Iterations == 1 }},
		{"integrator.linear.method=direct", func(s *Scene) bool { return s.Integrator.Linear.Method == "direct" }},
		{"motions.lift.1.at=3", func(s *Scene) bool { return len(s.Motions) == 1 }}, // refused below, as keys
		{"motions.lift.smooth=true", func(s *Scene) bool { return s.Motions["lift"].Smooth && len(s.Motions["lift"].Keys) == 2 }},
		{"motions.lift.keys.1.at=3", func(s *Scene) bool { return s.Motions["lift"].Keys[1].At == 3 }},
		{"cloths.square.pins.0.strength={force: 1, stiffness: 2}", func(s *Scene) bool { return s.Cloths[0].Pins[0].Strength.Force.Value == 1 }},
		{"cloths.square.pins.0.select.near=[0, 0, 0]", func(s *Scene) bool { return s.Cloths[0].Pins[0].Select.Near != nil }},
		{"cloths.square.place.rotate.angle=90 deg", nil}, // has no axis
		{"time.settle=1 um", func(s *Scene) bool { return s.Time.Settle.Tolerance == 1e-6 && s.Time.Settle.Iterations > 1 }},
		{"contact.thickness=2 mm", func(s *Scene) bool { return s.Contact.Thickness.Value == 2e-3 && s.Contact.Self }},
		{"contact.push.speed=1 mm/s", func(s *Scene) bool { return s.Contact.Push == Push{0.1, 1e-3} }},
		{"friction=0.7", func(s *Scene) bool { return s.Friction.Default.Value == 0.7 }},
		{"friction.default=0", func(s *Scene) bool { return s.Friction.Default.Value == 0 }},
		{"friction.pairs=[{between: [square, square], mu: 1}]", func(s *Scene) bool { return s.Friction.Default.Value == 0.3 && s.Friction.Pairs[0].Mu.Value == 1 }},
		{"obstacles=[{name: ball, shape: {sphere: {radius: 1 cm}}}]", func(s *Scene) bool { return s.Obstacles[0].Shape.Sphere.Radius == 0.01 }},
		{"time.settle.loads=5", func(s *Scene) bool { return s.Time.Settle.Loads == 5 }},
	} {
		s, err := Parse("x.yaml", []byte(base), nil, []string{c.set})
		switch {
		case c.ok == nil || c.set == "motions.lift.1.at=3":
			if err == nil {
				t.Errorf("%s: accepted", c.set)
			}
		case err != nil:
			t.Errorf("%s: %v", c.set, err)
		case !c.ok(s):
			t.Errorf("%s: %s", c.set, s.Resolved())
		}
	}
}

func TestSetsInOrder(t *testing.T) {
	s := mustParse(
		t,
		base,
		"time.end=2",
		"time.end=3",
		"cloths.square.material=silk",
		"cloths.square.material.density=0.3",
	)
	if s.Time.End != 3 || s.Cloths[0].Material.Preset != "silk" || s.Cloths[0].Material.Density.Value != 0.3 {
		t.Errorf("%s", s.Resolved())
	}
}

func TestBadSets(t *testing.T) {
	// § marks the column of the fault.
	for _, c := range []struct{ set, phrase string }{
		{"§time.end", "path=value"},
		{"§=3", "unknown key"},
		{"§tim.end=3", `did you mean "time"?`},
		{"time.§ende=3", `did you mean "end"?`},
		{"time.end.§x=3", "is a single value"},
		{"time.end=§-3", "must be above 0 s"},
		{"time.end=§3 kg", "unknown unit"},
		{"time.end=§", "has no value"},
		{"time.end=§[1", "not valid YAML"},
		{"cloths.§sqare.drag=1", `did you mean "square"?`},
		{"cloths.§1.drag=1", "there is square"},
		{"cloths.square.§densty=1", "unknown key"},
		{"cloths.square.material.§densty=1", `did you mean "density"?`},
		{"cloths.square.pins.§3.motion=lift", "items are numbered from 0"},
		{"cloths.square.pins.0.motion=§lft", `did you mean "lift"?`},
		{"motions.§left.smooth=true", `did you mean "lift"?`},
		{"contact.thickness=§2 km", "must be at most 1 m"},
		{"cloths.square.§layers=1", "not supported by this version"},
		{"§obstacles.ball.name=x", "set it as a whole"},
		{"gravity.§3=1", "items are numbered from 0"},
		{"gravity=[0, 0, §x]", "must be a number"},
		{"cloths.square.§velocity.0=1", "set it as a whole"},
	} {
		set, line, col, phrase := expected(t, c.set, c.phrase)
		_, err := Parse("x.yaml", []byte(base), nil, []string{"name=fine", set})
		var faults Faults
		if !errors.As(err, &faults) {
			t.Errorf("%s: %v", set, err)
			continue
		}
		f := faults[0]
		if len(faults) != 1 || f.File != "--set" || f.Line != line+1 || f.Col != col ||
			!strings.Contains(f.Msg, phrase) {
			t.Errorf("%s: want column %d and %q, got\n%v", set, col, phrase, faults)
		}
	}
}
