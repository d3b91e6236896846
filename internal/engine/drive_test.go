package engine_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// drive puts a quantity on a track.
func drive(t testing.TB, w *engine.World, q engine.Quantity, between engine.Interpolation, keys ...engine.TrackKey) {
	t.Helper()
	if err := w.Drive(q, engine.Track{Keys: keys, Between: between}); err != nil {
		t.Fatal(err)
	}
}

// mean returns the sum of vectors weighted by masses, over their total.
func mean(mass []float64, v []r3.Vec) r3.Vec {
	var sum r3.Vec
	total := 0.0
	for i, m := range mass {
		sum, total = sum.AddScaled(m, v[i]), total+m
	}
	return sum.Scale(1 / total)
}

// A sheet on a ramp held by friction is released by a keyed fall of μ below tan α in the very step that contains the
// key, wherever the key lies in it. From there on backward Euler slides it by a h² n (n + 1)/2 in n steps, a = g (sin α
// - μ cos α): the closed form a t²/2 to a h t/2.
func TestKeyedFrictionReleasesToTheStep(t *testing.T) {
	const (
		h, g  = 1e-3, 9.81
		angle = 25 * math.Pi / 180
		mu    = 0.2
		after = 150 // steps
	)
	for _, c := range []struct {
		at    float64
		still int // steps before the one that contains it
	}{{0.05, 50}, {0.0501, 50}, {0.05099, 50}, {0.051, 51}} {
		for _, pair := range []bool{false, true} {
			opt := engine.DefaultOptions()
			opt.Contact.Tolerance, opt.Linear.Tolerance = 1e-12, 1e-12
			opt.Contact.Friction = 0.6
			w := newWorld(t, opt)
			tilt := r3.Pose{R: r3.Rotation(r3.V(0, 1, 0), angle)}
			m, x := sheetAt(t, 0.2, 5, tilt.Mul(r3.Translation(r3.V(0, 0, opt.Contact.Thickness))))
			cloth := addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
			ramp := addObstacle(
				t,
				w,
				engine.Obstacle{Name: "ramp", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: tilt},
			)
			q := engine.DefaultFriction()
			if pair {
				q = engine.FrictionBetween(w.ClothSurface(cloth), w.ObstacleSurface(ramp))
			}
			drive(t, w, q, engine.Hold, engine.TrackKey{At: 0, Value: 0.6}, engine.TrackKey{At: c.at, Value: mu})
			down := tilt.R.Rotate(r3.V(1, 0, 0))
			slid := func() (least, most float64) {
				least, most = math.Inf(1), math.Inf(-1)
				for i, p := range w.Positions(cloth) {
					d := p.Sub(x[i]).Dot(down)
					least, most = min(least, d), max(most, d)
				}
				return least, most
			}
			for range c.still {
				step(t, w, h)
				if low, high := slid(); max(-low, high) > 1e-12 {
					t.Fatalf("key at %g s: moved by %g m in the step to %g s", c.at, high, w.Time())
				}
			}
			a := g * (math.Sin(angle) - mu*math.Cos(angle))
			for n := 1; n <= after; n++ {
				step(t, w, h)
				low, high := slid()
				// The solver may be off by its tolerance in each step, which adds up twice.
				want, slack := a*h*h*float64(n*(n+1))/2, 1e-11*h*float64(n*n)+1e-13
				if math.Abs(low-want) > slack || math.Abs(high-want) > slack {
					t.Fatalf("key at %g s: %d steps after it slid by %g to %g m, want %g", c.at, n, low, high, want)
				}
				if since := h * float64(n); math.Abs(low-a*since*since/2) > 1.01*a*h*since/2+slack {
					t.Fatalf("key at %g s: slid by %g m in %g s", c.at, low, since)
				}
			}
			if got := w.Friction(w.ClothSurface(cloth), w.ObstacleSurface(ramp)); got != mu {
				t.Errorf("friction %g in the end", got)
			}
		}
	}
}

// Gravity that grows evenly from 0 to g in the time T moves a free sheet by g t³/(6 T). Backward Euler sums the values
// at the ends of steps: n (n + 1) (n + 2)/6 h³ g/T.
func TestKeyedGravity(t *testing.T) {
	const h, n = 1e-3, 200
	opt := engine.DefaultOptions()
	opt.Gravity = r3.Vec{}
	w, cloth := littleSheet(t, opt, 0)
	drive(
		t,
		w,
		engine.GravityAlong(2),
		engine.Linear,
		engine.TrackKey{At: 0, Value: 0},
		engine.TrackKey{At: 1, Value: -9.81},
	)
	steps(t, w, n, h)
	fell := -mean(w.Masses(cloth), w.Positions(cloth)).Z
	if want := 9.81 * h * h * h * n * (n + 1) * (n + 2) / 6; math.Abs(fell-want) > 1e-9*want {
		t.Errorf("fell by %g m, the scheme's sum is %g", fell, want)
	}
	if now := w.Time(); math.Abs(fell-9.81*now*now*now/6) > 9.81*h*now*now/2*1.01 {
		t.Errorf("fell by %g m, closed form %g", fell, 9.81*now*now*now/6)
	}
	if got := w.Options().Gravity.Z; math.Abs(got+9.81*w.Time()) > 1e-12 {
		t.Errorf("gravity is %g", got)
	}
}

// Wind across a free sheet that begins at the time T with speed W. With k = ρ C/(2 σ), σ the mass per area, the sheet
// follows by v = W² k s/(1 + W k s), s the time since T: to the order of the step.
func TestKeyedWind(t *testing.T) {
	const h, speed, begin = 1e-3, 3.0, 0.02
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Air.Density = r3.Vec{}, 1.2
	for _, way := range []string{"wind", "density", "drag"} { // the wind begins, or it blows and the air comes, or is felt
		w, cloth := littleSheet(t, opt, 0)
		keys := []engine.TrackKey{{At: 0}, {At: begin, Value: speed}}
		switch way {
		case "density":
			keys[0].Value = speed
			drive(t, w, engine.AirDensity(), engine.Hold, engine.TrackKey{}, engine.TrackKey{At: begin, Value: 1.2})
		case "drag":
			keys[0].Value = speed
			drive(t, w, engine.ClothDrag(cloth), engine.Hold, engine.TrackKey{}, engine.TrackKey{At: begin, Value: 1})
		}
		drive(t, w, engine.WindAlong(2), engine.Hold, keys...)
		steps(t, w, 20, h)
		if v := mean(w.Masses(cloth), w.Velocities(cloth)); v.Norm() > 1e-12 {
			t.Errorf("%s: moves at %v m/s before the wind", way, v)
		}
		steps(t, w, 100, h)
		k := 1.2 / (2 * w.Cloth(cloth).Fabric.Density)
		s := speed * k * 100 * h
		want := speed * s / (1 + s)
		// The drag factor is that of the start of each step: v' lags by up to a step, W k h of the speed.
		if v := mean(w.Masses(cloth), w.Velocities(cloth)).Z; math.Abs(v-want) > want*speed*k*h {
			t.Errorf("%s: speed %g m/s, closed form %g", way, v, want)
		}
	}
}

// A press whose force grows evenly gains the speed F t²/(2 T m), in the scheme h² n (n + 1)/2 F/(T m).
func TestKeyedPressForce(t *testing.T) {
	const h, n, force, mass = 1e-3, 100, 2.0, 0.5
	w, _ := littleSheet(t, engine.DefaultOptions(), 1)
	press := addPress(t, w, 0, nil, engine.Press{Axis: r3.V(0, 0, -1), Force: 7, Mass: mass, Stop: math.Inf(1)})
	drive(t, w, engine.PressForce(press), engine.Linear, engine.TrackKey{}, engine.TrackKey{At: 1, Value: force})
	var before float64
	for range n {
		before = w.PressTravel(press)
		step(t, w, h)
	}
	speed := (w.PressTravel(press) - before) / h
	if want := force / mass * h * h * n * (n + 1) / 2; math.Abs(speed-want) > 1e-9*want {
		t.Errorf("speed %g m/s, want %g", speed, want)
	}
}

// A load that grows evenly moves a free sheet like gravity that does: by F t³/(6 T m), in the scheme n (n + 1) (n +
// 2)/6 h³ F/(T m).
func TestKeyedLoad(t *testing.T) {
	const h, n, force = 1e-3, 100, 0.1
	opt := engine.DefaultOptions()
	opt.Gravity = r3.Vec{}
	w, cloth := littleSheet(t, opt, 0)
	var all []int32
	for i := range w.Positions(cloth) {
		all = append(all, int32(i))
	}
	load := must(w.AddLoad(engine.Load{Name: "pull", Cloth: cloth, Vertices: all, Force: r3.V(0, 0, 7)}))
	drive(t, w, engine.LoadAlong(load, 2), engine.Linear, engine.TrackKey{}, engine.TrackKey{At: 1, Value: force})
	steps(t, w, n, h)
	went := mean(w.Masses(cloth), w.Positions(cloth)).Z
	if want := force / total(w.Masses(cloth)) * h * h * h * n * (n + 1) * (n + 2) / 6; math.Abs(went-want) > 1e-9*want {
		t.Errorf("went %g m, want %g", went, want)
	}
	for _, l := range []engine.Load{
		{Cloth: 7, Vertices: all},
		{Cloth: cloth},
		{Cloth: cloth, Vertices: []int32{99}},
		{Cloth: cloth, Vertices: all, Force: r3.V(math.Inf(1), 0, 0)},
	} {
		if _, err := w.AddLoad(l); err == nil {
			t.Errorf("%+v was accepted", l)
		}
	}
}

// Settle knows loads.
func TestSettleWithLoad(t *testing.T) {
	hang := func(pull func(*engine.World, engine.ClothID)) float64 {
		w, id, _ := hanging(t, 4, nil)
		pull(w, id)
		if s := must(w.Settle(engine.DefaultSettleOptions())); !s.Converged {
			t.Fatal("did not settle")
		}
		return w.Positions(id)[2].Z
	}
	set := hang(func(w *engine.World, id engine.ClothID) { w.SetForce(id, 2, r3.V(0, 0, -1)) })
	load := hang(func(w *engine.World, id engine.ClothID) {
		must(w.AddLoad(engine.Load{Cloth: id, Vertices: []int32{2}, Force: r3.V(0, 0, -1)}))
	})
	if set != load {
		t.Errorf("hangs at %g m by a load, at %g m by a force", load, set)
	}
}

// A weak pin whose largest force falls below the weight at a key lets the cloth sink with what is missing, from the
// step that contains the key on; one whose stiffness falls lets it sink further.
func TestKeyedPinStrength(t *testing.T) {
	const h = 1e-3
	weak := func(q func(engine.HandleID) engine.Quantity, from, to float64) (*engine.World, engine.ClothID) {
		w, cloth := littleSheet(t, engine.DefaultOptions(), 0)
		weight := 9.81 * total(w.Masses(cloth))
		var all []int32
		for i := range w.Positions(cloth) {
			all = append(all, int32(i))
		}
		id := must(
			w.AddHandle(
				engine.Handle{
					Cloth:    cloth,
					Vertices: all,
					Limit:    &engine.ForceLimit{Force: 10 * weight, Stiffness: 1e4 * weight},
				},
			),
		)
		drive(
			t,
			w,
			q(id),
			engine.Hold,
			engine.TrackKey{Value: from * weight},
			engine.TrackKey{At: 0.2005, Value: to * weight},
		)
		return w, cloth
	}
	w, cloth := weak(engine.HandleLimit, 10, 0.25)
	steps(t, w, 200, h)
	if v := mean(w.Masses(cloth), w.Velocities(cloth)); v.Norm() > 1e-4 {
		t.Errorf("moves at %v before the key", v)
	}
	v0 := mean(w.Masses(cloth), w.Velocities(cloth)).Z
	for n := 1; n <= 20; n++ {
		steps(t, w, 1, h)
		// Vertices swing by micrometres about their places, so that their limited forces point up to a few parts in a
		// thousand aside.
		if v, want := v0-mean(
			w.Masses(cloth),
			w.Velocities(cloth),
		).Z, 0.75*9.81*h*float64(
			n,
		); math.Abs(
			v-want,
		) > 0.02*9.81*h {
			t.Fatalf("%d steps after the key it sinks at %g m/s, want %g", n, v, want)
		}
	}
	w, cloth = weak(engine.HandleStiffness, 1e4, 100)
	even := make([]float64, len(w.Positions(cloth))) // the springs are, not the masses
	for i := range even {
		even[i] = 1
	}
	steps(t, w, 200, h)
	if z := mean(even, w.Positions(cloth)).Z; math.Abs(z+1e-4) > 1e-6 { // weight over stiffness
		t.Errorf("hangs at %g m, want -0.0001", z)
	}
	// Backward Euler damps ω = √(k/m) = 31 1/s by exp(-ω² h t/2): to 2 %.
	steps(t, w, 500, 4*h)
	if z := mean(even, w.Positions(cloth)).Z; math.Abs(z+1e-2) > 3e-4 {
		t.Errorf("hangs at %g m, want -0.01", z)
	}
}

func total(mass []float64) (sum float64) {
	for _, m := range mass {
		sum += m
	}
	return sum
}

// A pin lets go at its key: the sheet falls freely from that step on. When it takes hold again it does so where the
// vertices are.
func TestKeyedHold(t *testing.T) {
	const h = 1e-3
	opt := engine.DefaultOptions()
	w, cloth := littleSheet(t, opt, 0)
	all := make([]int32, len(w.Positions(cloth)))
	for i := range all {
		all[i] = int32(i)
	}
	id := must(w.AddHandle(engine.Handle{Cloth: cloth, Vertices: all}))
	drive(
		t,
		w,
		engine.HandleHold(id),
		engine.Hold,
		engine.TrackKey{Value: 1},
		engine.TrackKey{At: 0.01, Value: 0},
		engine.TrackKey{At: 0.05, Value: 1},
	)
	if _, err := w.AddHandle(engine.Handle{Cloth: cloth, Vertices: []int32{3}}); err == nil {
		t.Error("a vertex was given to two handles")
	}
	steps(t, w, 10, h)
	if z := mean(w.Masses(cloth), w.Positions(cloth)).Z; z != 0 {
		t.Errorf("at %g m before it is let go", z)
	}
	steps(t, w, 40, h)
	z := mean(w.Masses(cloth), w.Positions(cloth)).Z
	if want := -9.81 * h * h * 40 * 41 / 2; math.Abs(z-want) > 1e-9 {
		t.Errorf("at %g m after 40 steps of free fall, want %g", z, want)
	}
	if f := w.HandleForce(id); f != (r3.Vec{}) {
		t.Errorf("a handle that holds nothing exerts %v N", f)
	}
	if _, err := w.AddHandle(engine.Handle{Cloth: cloth, Vertices: []int32{3}}); err == nil {
		t.Error("a vertex that a handle will take again was given to another")
	}
	held := append([]r3.Vec(nil), w.Positions(cloth)...)
	steps(t, w, 20, h)
	for i, p := range w.Positions(cloth) {
		if p.Sub(held[i]).Norm() > 1e-15 {
			t.Fatalf("vertex %d is held %g m from where it was", i, p.Sub(held[i]).Norm())
		}
	}
}

// A step that fails while numbers change and handles take hold changes nothing.
func TestFailedStepWithTracksChangesNothing(t *testing.T) {
	w, cloth, id := hanging(t, 4, nil)
	drive(t, w, engine.HandleHold(id), engine.Hold, engine.TrackKey{Value: 0}, engine.TrackKey{At: 5e-3, Value: 1})
	drive(t, w, engine.GravityAlong(0), engine.Linear, engine.TrackKey{}, engine.TrackKey{At: 1, Value: 1})
	steps(t, w, 5, 1e-3)
	before, energy, options := w.Snapshot().Hash(), w.Energy(), w.Options()
	w.SetForce(cloth, 0, r3.V(math.NaN(), 0, 0))
	if _, err := w.Step(1e-3); err == nil {
		t.Error("a force that is not a number was accepted")
	}
	w.SetForce(cloth, 0, r3.Vec{})
	if w.Snapshot().Hash() != before || w.Energy() != energy || w.Options() != options {
		t.Error("a failed step changed the world")
	}
	held := w.Positions(cloth)[24]
	steps(t, w, 5, 1e-3)
	if d := w.Positions(cloth)[24].Sub(held).Norm(); d > 1e-15 {
		t.Errorf("held %g m from where it was", d)
	}
}

// Factors of stiffness, and damping, are those of a fabric with these figures.
func TestKeyedMaterial(t *testing.T) {
	swing := func(change func(*material.Fabric), after func(*engine.World, engine.ClothID)) []r3.Vec {
		w, id, _ := hanging(t, 4, func(o *engine.Options, c *engine.Cloth) {
			o.Linear.Method = engine.Direct
			if change != nil {
				change(&c.Fabric)
			}
		})
		if after != nil {
			after(w, id)
		}
		steps(t, w, 40, 2e-3)
		return w.Positions(id)
	}
	f := cotton(t)
	warp, weft, shear, poisson := f.Membrane.Engineering()
	plain := swing(nil, nil)
	for _, c := range []struct {
		name   string
		change func(*material.Fabric)
		q      func(engine.ClothID) engine.Quantity
		value  float64
	}{
		{"stretch", func(f *material.Fabric) { f.Membrane = material.NewStretch(0.25*warp, 0.25*weft, 0.25*shear, poisson) }, engine.StretchFactor, 0.25},
		{"bend", func(f *material.Fabric) {
			f.BendWarp, f.BendWeft, f.BendBias = 4*f.BendWarp, 4*f.BendWeft, 4*f.BendBias
			f.BendTable = [3][5]float64{}
		}, engine.BendFactor, 4},
		{"damping", func(f *material.Fabric) { f.Damping = 0.05 }, engine.ClothDamping, 0.05},
	} {
		want := swing(c.change, nil)
		got := swing(nil, func(w *engine.World, id engine.ClothID) {
			drive(t, w, c.q(id), engine.Linear, engine.TrackKey{Value: c.value})
		})
		worst, changed := 0.0, 0.0
		for i := range got {
			worst = max(worst, got[i].Sub(want[i]).Norm())
			changed = max(changed, plain[i].Sub(want[i]).Norm())
		}
		if worst > 1e-9 || changed < 1e-6 {
			t.Errorf("%s: off by %g m, where the change is %g m", c.name, worst, changed)
		}
	}
}

// Contact that grows thicker lifts a sheet gently, and one that grows thinner lets it down; nothing crosses.
func TestKeyedThickness(t *testing.T) {
	for _, table := range []bool{false, true} {
		w, cloth := littleSheet(t, engine.DefaultOptions(), 1e-3)
		if table {
			addTable(t, w)
		} else {
			addFloor(t, w)
		}
		drive(
			t,
			w,
			engine.ContactThickness(),
			engine.Linear,
			engine.TrackKey{
				At:    0,
				Value: 1e-3,
			},
			engine.TrackKey{At: 0.2, Value: 3e-3},
			engine.TrackKey{At: 0.6, Value: 3e-3},
			engine.TrackKey{At: 0.8, Value: 2e-3},
		)
		check := func(want float64) {
			t.Helper()
			for i, p := range w.Positions(cloth) {
				if math.Abs(p.Z-want) > 1e-5 {
					t.Fatalf("vertex %d at %g m, want %g (mesh: %v)", i, p.Z, want, table)
				}
			}
		}
		for range 300 {
			if s := step(t, w, 2e-3); s.Crossings > 0 || s.MaxSpeed > 0.1 {
				t.Fatalf("%d crossings, %g m/s at %g s", s.Crossings, s.MaxSpeed, s.Time)
			}
		}
		check(3e-3)
		for range 200 {
			step(t, w, 2e-3)
		}
		check(2e-3)
	}
}

// What cannot be driven is refused.
func TestDriveFaults(t *testing.T) {
	w, cloth := littleSheet(t, engine.DefaultOptions(), 1)
	floor := addFloor(t, w)
	exact := must(w.AddHandle(engine.Handle{Cloth: cloth, Vertices: []int32{0}}))
	gone := must(w.AddHandle(engine.Handle{Cloth: cloth, Vertices: []int32{1}}))
	w.Release(gone)
	for _, c := range []struct {
		q     engine.Quantity
		value float64
	}{
		{engine.GravityAlong(3), 1},
		{engine.WindAlong(-1), 1},
		{engine.AirDensity(), -1},
		{engine.DefaultFriction(), -0.1},
		{engine.FrictionBetween(0, 7), 0.1},
		{engine.FrictionBetween(-1, 0), 0.1},
		{engine.ContactThickness(), 0},
		{engine.HandleLimit(exact), 1},
		{engine.HandleStiffness(4), 1},
		{engine.HandleHold(-1), 1},
		{engine.HandleHold(gone), 1},
		{engine.PressForce(floor), 1},
		{engine.PressForce(9), 1},
		{engine.LoadAlong(0, 0), 1},
		{engine.ClothDrag(cloth), -1},
		{engine.ClothDamping(cloth), -1},
		{engine.StretchFactor(cloth), 0},
		{engine.BendFactor(3), 1},
		{engine.AirDensity(), math.NaN()},
	} {
		if w.Drive(c.q, engine.Constant(c.value)) == nil {
			t.Errorf("%v = %g was accepted", c.q, c.value)
		}
	}
	drive(t, w, engine.DefaultFriction(), engine.Linear, engine.TrackKey{Value: 0.2})
	if w.Drive(engine.DefaultFriction(), engine.Constant(0.3)) == nil {
		t.Error("a second track was accepted")
	}
}

// Air that comes only after some steps brakes a sheet as air that was there from the start does.
func TestAirThatComesLater(t *testing.T) {
	const h = 2e-3
	fall := func(before int) float64 {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Air.Density = 1, 0
		w := must(engine.New(opt))
		m, x := shape.Grid(0.1, 0.1, 3, 3)
		id := addCloth(t, w, engine.DefaultCloth("sheet", m, x, fabric(t, "cotton-interlock")))
		for range before {
			must(w.Step(h))
		}
		w.SetVelocities(id, make([]r3.Vec, m.Verts))
		if err := w.Drive(engine.AirDensity(), engine.Constant(1.2)); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			must(w.Step(h))
		}
		return -w.Velocities(id)[0].Z
	}
	there, later := fall(0), fall(5)
	if free := 9.81 * 0.4; !(there < 0.8*free) || math.Abs(later-there) > 1e-6*there {
		t.Errorf("it falls at %g m/s in air, at %g in air that came later, and at %g in none", there, later, free)
	}
}

// TestTooFast pulls at one vertex with a force that nothing withstands: the steps must say so, and not search for
// contacts along ways of kilometres, which took half a minute.
func TestTooFast(t *testing.T) {
	w := must(engine.New(engine.DefaultOptions()))
	m, x := shape.Grid(1, 1, 8, 8)
	id := must(w.AddCloth(engine.DefaultCloth("sheet", m, x, must(material.LookupFabric("cotton")))))
	must(w.AddHandle(engine.Handle{Cloth: id, Vertices: []int32{0}}))
	must(w.AddLoad(engine.Load{Cloth: id, Vertices: []int32{80}, Force: r3.V(0, 0, 1e6)}))
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	w.SetContext(ctx)
	if err := w.Advance(0.1, 4e-3, nil); !errors.Is(err, engine.ErrTooFast) {
		t.Fatalf("got %v, want ErrTooFast", err)
	}
}
