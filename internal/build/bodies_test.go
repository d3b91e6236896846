package build

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/elastic"
	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

func builtScene(t *testing.T, text string) *Built {
	t.Helper()
	s, err := scenefile.Parse("scene.yaml", []byte(text), samples.Files, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// Keys of bodies reach the world: places, masses, velocities and what is between them.
func TestBodiesOfAScene(t *testing.T) {
	b := builtScene(t, `toile: 1
time: {end: 1 s}
rigids:
  - {name: brick, shape: {box: {size: [0.2, 0.1, 0.1]}}, density: 500, velocity: [1, 0, 0], spin: [0, 0, 1 turn/s], friction: 0.2}
  - {name: tip, shape: {cone: {radius: 0.1, height: 0.4}}, mass: 2, place: {translate: [0, 0, 1]}}
  - {name: odd, shape: {box: {size: [1, 1, 1]}}, place: {scale: 0.1, translate: [1, 0, 0]}, inertia: [3, 2, 2]}
solids:
  - {name: foam, shape: {block: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}}, place: {scale: 2, translate: [0, 1, 0]}, material: {young: 1 MPa, density: 100}, velocity: [0, 0, 3]}
  - {name: L, shape: {letter: {letter: L, height: 0.2, depth: 0.05, size: 0.05}}, place: {translate: [0, 2, 0]}, material: {young: 1 MPa, density: 100}}
`)
	w := b.World
	brick, tip, odd, foam, letter := b.Bodies[0], b.Bodies[1], b.Bodies[2], b.Bodies[3], b.Bodies[4]
	// 0.2 x 0.1 x 0.1 m³ of 500 kg/m³ are 1 kg; the spin is a turn a second.
	if m := brick.Rigid.Spec().Mass; math.Abs(m-1) > 1e-12 {
		t.Errorf("the brick has %g kg", m)
	}
	if v, u := w.BodyVelocities(brick.ID)[0], brick.Rigid.Spin(); v != r3.V(1, 0, 0) || u.Sub(r3.V(0, 0, 2*math.Pi)).Norm() > 1e-12 {
		t.Errorf("the brick moves by %v and turns by %v", v, u)
	}
	// The centre of a cone is a quarter of its height above the base.
	if x := w.BodyPositions(tip.ID)[0]; math.Abs(x.Z-1.1) > 1e-3 || math.Abs(tip.Rigid.Spec().Mass-2) > 1e-12 {
		t.Errorf("the cone of %g kg has its centre at %v", tip.Rigid.Spec().Mass, x)
	}
	if spec := odd.Rigid.Spec(); math.Abs(spec.Mass-1) > 1e-12 || spec.Inertia.XX != 3 || spec.Inertia.YY != 2 {
		t.Errorf("the odd one is %+v", spec)
	}
	mass := 0.0
	for _, m := range foam.Solid.Mass {
		mass += m
	}
	box := r3.BoxOf(w.BodyPositions(foam.ID))
	if math.Abs(mass-0.8) > 1e-12 || box.Size().Sub(r3.V(0.2, 0.2, 0.2)).Norm() > 1e-12 || w.BodyVelocities(foam.ID)[0].Z != 3 {
		t.Errorf("the foam has %g kg and a size of %v", mass, box.Size())
	}
	if box := r3.BoxOf(w.BodyPositions(letter.ID)); math.Abs(box.Min.Z) > 1e-12 || math.Abs(box.Max.Z-0.2) > 1e-12 {
		t.Errorf("the letter stands from %v to %v", box.Min, box.Max)
	}
	w.Energy() // lays out the world
}

// The law and constants of Lamé reach the tets, and have steps linearized more often where the scene does not say.
func TestLawsOfSolids(t *testing.T) {
	text := func(material, integrator string) string {
		return "toile: 1\ntime: {end: 1 s}\n" + integrator +
			"solids:\n  - {name: foam, shape: {block: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}}, material: {" + material + ", density: 100}}\n"
	}
	for _, c := range []struct {
		material, integrator string
		law                  elastic.TetLaw
		iterations           int
		tolerance            float64
	}{
		{"young: 1 MPa", "", elastic.CorotationalLaw, 1, 1e-8},
		{"young: 1 MPa, law: stable", "", elastic.StableLaw, 40, 1e-6},
		{"mu: 0.4 MPa, lambda: 0.4 MPa, law: neohookean", "", elastic.NeoHookeanLaw, 40, 1e-6},
		{"young: 1 MPa, poisson: 0.25, law: neohookean", "integrator: {newton: 1}\n", elastic.NeoHookeanLaw, 1, 1e-6},
		{"young: 1 MPa, law: stable", "integrator: {newton: {tolerance: 1e-3}}\n", elastic.StableLaw, 40, 1e-3},
	} {
		b := builtScene(t, text(c.material, c.integrator))
		spec, n := b.Bodies[0].Solid.Spec, b.World.Options().Newton
		want := material.Isotropic{Young: 1e6, Poisson: 0.3}
		if strings.Contains(c.material, "neo") {
			want.Poisson = 0.25
		}
		if d := math.Abs(spec.Material.Young/want.Young-1) + math.Abs(spec.Material.Poisson-want.Poisson); d > 1e-12 || spec.Law != c.law {
			t.Errorf("%s: law %v of %v", c.material, spec.Law, spec.Material)
		}
		if n.Iterations != c.iterations || n.Tolerance != c.tolerance {
			t.Errorf("%s: %+v", c.material, n)
		}
	}
}

// A preset gives what a material does not say, alone or in a mapping, and a resolved scene means the same.
func TestPresetsOfSolids(t *testing.T) {
	muscle, err := material.LookupSoft("muscle")
	if err != nil {
		t.Fatal(err)
	}
	for material, want := range map[string]body.SolidSpec{
		"muscle": {Material: muscle.Isotropic, Density: muscle.Density},
		"{preset: muscle, young: 1 MPa, density: 7}": {Material: material.Isotropic{Young: 1e6, Poisson: muscle.Poisson}, Density: 7},
		"{preset: muscle, mu: 1 MPa, lambda: 1 MPa}": {Material: material.FromLame(1e6, 1e6), Density: muscle.Density},
	} {
		b := builtScene(t, "toile: 1\ntime: {end: 1 s}\nsolids:\n"+
			"  - {name: leg, shape: {block: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}}, material: "+material+"}\n")
		again := builtScene(t, string(b.Scene.Resolved()))
		for _, got := range []*body.SolidSpec{&b.Bodies[0].Solid.Spec, &again.Bodies[0].Solid.Spec} {
			if got.Material != want.Material || got.Density != want.Density {
				t.Errorf("%s: %+v and %g kg/m³", material, got.Material, got.Density)
			}
		}
	}
}

// A body that is held follows its motion exactly, whatever pushes it; what is not held gives way.
func TestHeldBodyFollowsItsMotion(t *testing.T) {
	b := builtScene(t, `toile: 1
time: {end: 1 s}
rigids:
  - {name: hand, shape: {box: {size: [0.1, 0.1, 0.1]}}, motion: go, force: [3 N, 2 N, 1 N], torque: [0, 0, 1]}
  - {name: finger, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0, 1, 0]}, motion: go, hold: [y, z, turn-x, turn-y, turn-z], force: [1 N, 0, 0]}
  - {name: stays, shape: {box: {size: [0.1, 0.1, 0.1]}}, place: {translate: [0, 3, 0]}, hold: all, force: [9 N, 0, 0]}
motions:
  go: {about: [1, 0, 0], keys: [{at: 0}, {at: 1 s, translate: [0, 0, 2], rotate: {axis: [0, 0, 1], angle: 90 deg}}]}
`)
	const h, steps = 0.01, 100
	for range steps {
		if _, err := b.World.Step(h); err != nil {
			t.Fatal(err)
		}
	}
	path := b.Scene.Motions["go"]
	for i, start := range []r3.Vec{{}, r3.V(0, 1, 0)} {
		want := path.Path().At(h * steps).Mul(r3.Translation(start))
		got := b.Bodies[i].Rigid.Pose(b.World.BodyPositions(b.Bodies[i].ID))
		off := got.T.Sub(want.T)
		if i == 1 { // its x is free: 1 N on 1 kg for a second moves by half a metre, and by half a step more
			if moved := got.T.X; math.Abs(moved-0.5*(1+h)) > 1e-9 {
				t.Errorf("the free way of the finger is %g m", moved)
			}
			off.X = 0
		}
		// The rows are solved to the tolerance of contacts, and each step leads back to the path.
		tolerance := b.World.Options().Contact.Tolerance * h
		if off.Norm() > tolerance || got.R.Mul(want.R.Conj()).Vector().Norm() > tolerance/b.Bodies[i].Rigid.Length() {
			t.Errorf("body %d is %v off its path, and turned by %v", i, off, got.R.Mul(want.R.Conj()).Vector())
		}
	}
	if x := b.World.BodyPositions(b.Bodies[2].ID)[0].Sub(r3.V(0, 3, 0)); x.Norm() > 1e-10 {
		t.Errorf("what is held moved by %v", x)
	}
}

// The scene of the page about bodies can be run.
func TestBodiesPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/bodies.md")
	if err != nil {
		t.Fatal(err)
	}
	_, piece, found := strings.Cut(string(text), "```yaml\n")
	if !found {
		t.Fatal("no scene")
	}
	piece, _, _ = strings.Cut(piece, "```")
	b := builtScene(t, piece)
	if err := b.World.Advance(0.3, 5e-3, nil); err != nil {
		t.Fatal(err)
	}
	// The ball has fallen onto the cushion and lies in it.
	if n := len(b.World.PairForces(nil)); n < 2 {
		t.Errorf("%d pairs touch", n)
	}
}

// The key contact of solids reaches their skins.
func TestSmoothSolidOfAScene(t *testing.T) {
	b := builtScene(t, `toile: 1
time: {end: 1 s}
solids:
  - {name: plain, shape: {ball: {radius: 0.1, rings: 3}}, material: {young: 1 MPa, density: 100}, contact: {surface: polygons}}
  - {name: round, shape: {ball: {radius: 0.1, rings: 3}}, place: {translate: [1, 0, 0]}, material: {young: 1 MPa, density: 100},
     contact: {surface: smooth, kernel: interpolating, epsilon: 0.05, radius: 2, transport: true}}
`)
	want := smooth.Options{Kernel: smooth.Interpolating, Epsilon: 0.05, Spread: 2, Transport: true}
	if o := b.Bodies[0].Solid.Skin().Smooth; o != nil {
		t.Errorf("polygons are smoothed with %+v", *o)
	}
	if o := b.Bodies[1].Solid.Skin().Smooth; o == nil || *o != want {
		t.Errorf("%+v, want %+v", o, want)
	}
}
