package cloth

import (
	"fmt"
	"math"
	"time"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/remesh"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// A6c: a sheet that is remeshed against one with a mesh of the finest size everywhere, on three scenes. What is
// compared is where the same places of the material are at the end.
var adaptiveAgainstUniform = verify.Case{
	ID: "A6c", Title: "meshes that change against uniform ones of the finest size", Source: "consistency",
	Body: func(t *verify.Trial) {
		least, h, share := 0.08, 5e-3, 0.25
		if t.Options.Full {
			least, h, share = 0.03, 5e-3, 1
		}
		for _, c := range []struct {
			name  string
			end   float64 // [s]
			limit float64 // root of the mean square distance, in sides of the sheet
			place func(w *engine.World, id engine.ClothID)
		}{
			{"hanging from two corners", 2, 0.03, func(w *engine.World, id engine.ClothID) {
				corners := cornersAtTop(cloths.Spec(w, id))
				_, err := w.AddHandle(engine.Handle{Name: "corners", Cloth: id, Vertices: corners})
				t.Must(err)
			}},
			{"over a ball", 1.2, 0.06, func(w *engine.World, _ engine.ClothID) {
				setup.Obstacle(t, w, "ball", shape.Sphere{Radius: 0.152}, r3.Translation(r3.V(0, 0, -0.157)))
			}},
			{"over the edge of a table", 1.2, 0.06, func(w *engine.World, _ engine.ClothID) {
				setup.Obstacle(
					t, w, "table", shape.Box{Half: r3.V(0.5, 0.6, 0.1)}, r3.Translation(r3.V(-0.35, 0, -0.105)),
				)
			}},
		} {
			end := share * c.end
			changing, fine := twin(t, least, h, end, true, c.place), twin(t, least, h, end, false, c.place)
			t.Row(verify.Row{
				Quantity: fmt.Sprintf(
					"%s: root mean square distance of the same places after %g s",
					c.name,
					end,
				),
				Unit:     "m",
				Measured: apart(changing.w, fine.w),
				Bar:      verify.AtMost,
				Limit:    c.limit,
			})
			t.Row(verify.Row{
				Quantity: c.name + ": crossings", Measured: float64(changing.crossings), Bar: verify.AtMost, Limit: 0,
			})
			t.Note(
				"%s, edges of %g mm and more: %.4g vertices in the mean and %.3g ms a step, against %.4g and %.3g "+
					"ms; remeshing takes %.3g %% of it",
				c.name,
				1e3*least,
				changing.vertices,
				1e3*changing.perStep,
				fine.vertices,
				1e3*fine.perStep,
				100*changing.remeshing,
			)
		}
	},
}

// twinRun is one of two runs that are compared.
type twinRun struct {
	w         *engine.World
	vertices  float64 // mean
	perStep   float64 // time on the wall [s]
	remeshing float64 // share of it
	crossings int
}

// twin runs a sheet of 1 m that starts level at z = 0 around the origin, remeshed or with edges of the least size.
func twin(t *verify.Trial, least, h, end float64, remeshed bool, place func(*engine.World, engine.ClothID)) twinRun {
	// as fine as the least size, unless it is remeshed
	opt := engine.DefaultOptions()
	opt.Workers = t.Workers
	opt.Contact.Thickness = thicknessOfFall
	w := t.World(opt)
	fabric, err := material.LookupFabric("cotton-interlock")
	t.Must(err)
	cells := 6
	if !remeshed {
		cells = int(math.Ceil(1 / least))
	}
	// level sheet around the origin
	m, x := shape.GridOf(shape.Crossed, 1, 1, cells, cells, 0)
	for i := range x {
		x[i] = x[i].Add(r3.V(-0.5, -0.5, 0))
	}
	c := body.DefaultCloth("sheet", m, x, fabric)
	if remeshed {
		size := remesh.DefaultOptions()
		size.Min, size.Max = least, 0.2
		c.Remesh = &size
	}
	id, err := cloths.Add(w, c)
	t.Must(err)
	place(w, id)
	out := twinRun{w: w}
	// the fall, with what each step took
	begin, steps, remeshing := time.Now(), 0, 0.0
	for w.Time() < end-h/2 {
		t.Must(w.Advance(h, h, func(s engine.Stats) {
			steps++
			out.vertices += float64(s.Vertices)
			out.crossings += s.Crossings
			remeshing += s.Laps.Remesh.Seconds()
		}))
		t.At(fmt.Sprintf("remeshed: %t", remeshed), w.Time(), end)
	}
	// means over the steps
	took := time.Since(begin).Seconds()
	out.vertices /= float64(steps)
	out.perStep, out.remeshing = took/float64(steps), remeshing/took
	return out
}

// cornersAtTop returns the two corners of a sheet with the largest y.
func cornersAtTop(c body.ClothSpec) []int32 {
	var out []int32
	for _, v := range shape.Corners(c.Mesh) {
		if c.Positions[v].Y > 0.49 {
			out = append(out, v)
		}
	}
	return out
}

// apart returns the root of the mean square distance of the input vertices of a remeshed sheet from the same places of
// another [m].
func apart(changing, fine *engine.World) float64 {
	other := cloths.Spec(fine, 0).Mesh
	locator := mesh.NewLocator(other, other.Charts())
	x, y := cloths.InputPositions(changing, 0, nil), fine.Positions(0)
	sum := 0.0
	for v, p := range cloths.Input(changing, 0).Mesh.Material {
		tri, w := locator.Find(0, p)
		at := other.Tri[tri]
		there := y[at[0]].Scale(w[0]).AddScaled(w[1], y[at[1]]).AddScaled(w[2], y[at[2]])
		sum += x[v].Sub(there).Norm2()
	}
	return math.Sqrt(sum / float64(len(x)))
}
