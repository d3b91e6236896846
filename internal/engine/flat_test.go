package engine_test

import (
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// fineCube returns a rigid cube of 0.1 m whose faces have n by n cells, turned about z.
func fineCube(n int, angle float64) *body.Rigid {
	m, _, skin := shape.Block(r3.V(0.05, 0.05, 0.05), n, n, n).SkinFirst()
	spec, _, err := body.RigidOf(m.X[:skin], m.Skin(), 1000)
	if err != nil {
		panic(err)
	}
	return must(body.NewRigid(spec, r3.Rotation(r3.V(0, 0, 1), angle), r3.Vec{}))
}

// Faces that lie on faces are held at the corners of what they have in common, four or eight, however finely they are
// meshed, and carry what lies on them.
func TestFineFacesAreHeldAtTheirCorners(t *testing.T) {
	for _, angle := range []float64{0, 0.3} {
		opt := engine.DefaultOptions()
		opt.Workers, opt.Contact.Friction = 1, 0.5
		w := must(engine.New(opt))
		must(w.AddObstacle(engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()}))
		const cubes = 3
		contacts := 4 * cubes
		if angle != 0 {
			contacts = 4 + 8*(cubes-1)
		}
		var top engine.BodyID
		z := 0.05 + opt.Contact.Thickness
		for i := range cubes {
			top = must(w.AddBody(string(rune('a'+i)), fineCube(4, angle*float64(i)), []r3.Vec{{Z: z}, {}}, make([]r3.Vec, 2)))
			z += 0.1 + opt.Contact.Thickness
		}
		at := w.BodyPositions(top)[0]
		for step := range 100 {
			stats := must(w.Step(5e-3))
			if !stats.Converged || stats.Crossings > 0 {
				t.Fatalf("angle %g, step %d: residual %g m/s, %d crossings", angle, step, stats.Residual, stats.Crossings)
			}
			if stats.Contacts != contacts {
				t.Fatalf("angle %g, step %d: %d contacts, not %d", angle, step, stats.Contacts, contacts)
			}
		}
		// Velocities are right to 1e-8 m/s, over 0.5 s.
		if way := w.BodyPositions(top)[0].Sub(at).Norm(); way > 5e-9 {
			t.Errorf("angle %g: the top cube moved by %g m", angle, way)
		}
	}
}

// A prism of twelve sides topples over any of its corners at the same slope, whose tangent is the radius by half of the
// height.
func TestPrismTopplesOverAnyCorner(t *testing.T) {
	const sides, radius, half = 12, 0.05, 0.15
	var x []r3.Vec
	var tri [][3]int32
	for i := range int32(sides) {
		s, c := math.Sincos(2 * math.Pi * float64(i) / sides)
		x = append(x, r3.V(radius*c, radius*s, -half), r3.V(radius*c, radius*s, half))
		a, b := 2*i, 2*((i+1)%sides)
		tri = append(tri, [3]int32{a, b, b + 1}, [3]int32{a, b + 1, a + 1})
		if i > 0 && i+1 < sides {
			tri = append(tri, [3]int32{0, b, a}, [3]int32{1, a + 1, b + 1})
		}
	}
	spec, _, err := body.RigidOf(x, tri, 1000)
	if err != nil {
		t.Fatal(err)
	}
	limit := math.Atan(radius / half)
	for corner := range sides {
		for _, share := range []float64{0.99, 1.01} {
			slope := share * limit
			opt := engine.DefaultOptions()
			opt.Workers, opt.Contact.Friction = 1, 1
			w := must(engine.New(opt))
			normal := r3.V(math.Sin(slope), 0, math.Cos(slope))
			must(w.AddObstacle(engine.Obstacle{Name: "slope", Shape: shape.Plane{Normal: normal}, Place: r3.Still()}))
			turn := r3.Rotation(r3.V(0, 1, 0), slope).Mul(r3.Rotation(r3.V(0, 0, 1), 2*math.Pi*float64(corner)/sides))
			b := must(body.NewRigid(spec, turn, r3.Vec{}))
			at := normal.Scale(half + opt.Contact.Thickness)
			must(w.AddBody("prism", b, []r3.Vec{at, {}}, make([]r3.Vec, 2)))
			toppled := false
			for range 500 {
				if stats := must(w.Step(4e-3)); stats.Crossings > 0 {
					t.Fatalf("%d crossings", stats.Crossings)
				}
				toppled = toppled || b.Turn().Rotate(r3.V(0, 0, 1)).Dot(normal) < 0.99
			}
			if toppled != (share > 1) {
				t.Errorf("corner %d at %g of the limit: toppled is %v", corner, share, toppled)
			}
		}
	}
}

// A cube lies on another, turned by 45 degrees. What they have in common is an octagon, whose corners are crossings of
// edges. Wherever within it the centre of mass is, the cube does not move, and comes to rest if it begins a little
// aslant; outside it falls.
func TestCubeRestsOnCrossedEdges(t *testing.T) {
	for _, c := range []struct{ share, slant float64 }{{0.9, 0}, {0.98, 0}, {1.02, 0}, {0.9, 2e-4}} {
		for corner := range 8 {
			way, speed := crossed(t, corner, c.share, c.slant)
			falls := way > 0.01
			if falls != (c.share > 1) || !falls && (way > 1e-8+0.1*c.slant || speed > 1e-8) {
				t.Errorf("corner %d at %g, slant %g: it moved by %g m, at %g m/s", corner, c.share, c.slant, way, speed)
			}
		}
	}
}

// crossed returns how far a cube on another moves in a second, and its speed then. It is turned by 45 degrees and a
// slant, and its centre of mass is a share of the way to a corner of the octagon between them.
func crossed(t *testing.T, corner int, share, slant float64) (way, speed float64) {
	opt := engine.DefaultOptions()
	opt.Workers, opt.Contact.Friction = 1, 1
	w := must(engine.New(opt))
	lower := brick(t, r3.V(0.05, 0.05, 0.05), 1000, r3.NoRotation(), r3.Vec{})
	all := [3]bool{true, true, true}
	if err := lower.SetHold(body.Hold{Axes: r3.Identity(), Move: all, Turn: all}); err != nil {
		t.Fatal(err)
	}
	must(w.AddBody("lower", lower, make([]r3.Vec, 2), make([]r3.Vec, 2)))

	centre := r3.Rotation(r3.V(0, 0, 1), float64(corner)*math.Pi/4).Rotate(r3.V(0.05, 0.05*(math.Sqrt2-1), 0)).Scale(share)
	turn := r3.Rotation(r3.V(1, 0, 0), slant).Mul(r3.Rotation(r3.V(0, 0, 1), math.Pi/4))
	spec := body.Brick(r3.V(0.05, 0.05, 0.05), 1000)
	for i := range spec.Points {
		spec.Points[i] = spec.Points[i].Sub(turn.Conj().Rotate(centre))
	}
	at := centre.Add(r3.V(0, 0, 0.1+opt.Contact.Thickness))
	upper := must(body.NewRigid(spec, turn, r3.Vec{}))
	id := must(w.AddBody("upper", upper, []r3.Vec{at, {}}, make([]r3.Vec, 2)))
	for range 200 {
		if stats := must(w.Step(5e-3)); stats.Crossings > 0 {
			t.Fatalf("corner %d: %d crossings", corner, stats.Crossings)
		}
	}
	return w.BodyPositions(id)[0].Sub(at).Norm(), w.BodyVelocities(id)[0].Norm()
}
