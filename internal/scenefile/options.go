package scenefile

import (
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/smooth"
)

// Options returns the settings of the scene's world. Workers is not a matter of scenes.
func (s *Scene) Options() engine.Options {
	o := engine.DefaultOptions()
	// gravity, integrator and solvers
	o.Gravity = s.Gravity.Start()
	o.Theta = s.Integrator.Theta
	o.Newton = engine.NewtonOptions{
		Iterations: s.Integrator.Newton.Iterations,
		Tolerance:  s.Integrator.Newton.Tolerance,
		Exact:      s.Integrator.Newton.Exact,
	}
	o.Linear = engine.LinearOptions{
		Tolerance:     s.Integrator.Linear.Tolerance,
		MaxIterations: s.Integrator.Linear.Iterations,
	}
	for _, m := range []engine.LinearMethod{engine.AutoLinear, engine.PCG, engine.Direct} {
		if linearNames[m] == s.Integrator.Linear.Method {
			o.Linear.Method = m
		}
	}
	// contact; what the scene has no key for stays as it is by default
	o.Contact = engine.ContactOptions{
		Thickness:     s.Contact.Thickness.Start(),
		Friction:      s.Friction.Default.Start(),
		Self:          s.Contact.Self,
		Tolerance:     s.Contact.Tolerance,
		Solver:        s.Contact.Solver,
		Relaxation:    s.Contact.Relaxation.form(),
		Staggered:     s.Contact.Staggered.options(),
		MaxSweeps:     s.Contact.Sweeps,
		Budget:        s.Contact.Budget,
		Prune:         o.Contact.Prune,
		Rounds:        s.Contact.Rounds,
		Rough:         o.Contact.Rough,
		Halvings:      s.Contact.Halvings,
		UntangleSpeed: o.Contact.UntangleSpeed,
		PushFraction:  s.Contact.Push.Fraction,
		PushSpeed:     s.Contact.Push.Speed,
	}
	// halvings of steps, and air
	o.MaxHalvings = s.Integrator.Halvings
	o.Air = engine.AirOptions{Density: s.Air.Density.Start(), Wind: s.Air.Wind.Start()}
	return o
}

// Options returns the settings, for surfaces that keep the given distance [m]; nil of nil.
func (r *Remesh) Options(thickness float64) *remesh.Options {
	if r == nil {
		return nil
	}
	o := remesh.DefaultOptions()
	o.Min, o.Max, o.Angle, o.Velocity, o.Compression, o.Aspect, o.Fade = r.Size[0], r.Size[1], r.Angle, r.Velocity, r.Compression, r.Aspect, r.Fade
	o.Reach = max(o.Reach, 2*thickness)
	if r.Reach != nil {
		o.Reach = *r.Reach
	}
	for metric, word := range remeshContacts {
		if word == r.Contact {
			o.Contact = remesh.ContactMetric(metric)
		}
	}
	return &o
}

// form returns the form of the solver, for nil the quickest.
func (r *Relaxation) form() engine.RelaxationForm {
	if r == nil {
		return engine.RelaxationForm{}
	}
	return engine.RelaxationForm{
		Pyramid: r.Friction == "pyramid", ByChange: r.Stop == "change", Printed: r.Form == "printed",
	}
}

// options returns the settings; nil has the defaults.
func (g *Staggered) options() engine.StaggeredOptions {
	if g == nil {
		return engine.StaggeredOptions{}
	}
	return engine.StaggeredOptions{Mass: g.Metric == "mass", Polar: g.Disks == "polar", Fresh: !g.Forward}
}

// Options returns how the surface is smoothed; nil: it is not.
func (c *Touched) Options() *smooth.Options {
	if c == nil || c.Surface != "smooth" {
		return nil
	}
	o := &smooth.Options{Epsilon: c.Epsilon, Spread: c.Radius, Transport: c.Transport}
	if c.Kernel == "interpolating" {
		o.Kernel = smooth.Interpolating
	}
	return o
}
