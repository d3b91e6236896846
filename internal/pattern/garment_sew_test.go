package pattern

import (
	"slices"
	"testing"
	"time"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/cloths"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/material"
	"github.com/toile-sim/toile/r3"
)

// fitting is a garment that is sewn around a body.
type fitting struct {
	kind    string
	garment *Garment
	body    engine.Obstacle
	x       []r3.Vec // of Sewn, in the end
}

func newFitting(t *testing.T, kind, size string, edge float64, o GarmentOptions) *fitting {
	t.Helper()
	b := mannequins[size]()
	p, err := GarmentOf(kind, b, o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := p.Make(edge)
	if err != nil {
		t.Fatal(err)
	}
	body := engine.Obstacle{Name: "body", Tri: b.Tri, Positions: dressingPositions(b), Place: r3.Still()}
	return &fitting{kind: kind, garment: g, body: body}
}

func cotton(t *testing.T) material.Fabric {
	t.Helper()
	f, err := material.LookupFabric("default")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sew draws the seams together without gravity and without friction, until they are closed to within gap, and merges
// them: first by soft threads, which follow their shortening without jerks, then by stiff ones, which pull shut what is
// left. It fails on a crossing.
func (f *fitting) sew(t *testing.T, edge, gap float64) {
	t.Helper()
	g := f.garment
	f.x = g.Positions
	if len(g.Stitches) == 0 {
		return
	}
	began := time.Now()
	const force = 30 // of threads, for each metre of seam [N/m]
	soft := body.Thread{Force: force * edge, Stiffness: force * edge / 0.01}
	stiff := body.Thread{Force: 2 * force * edge, Stiffness: 2 * force * edge / 0.002}
	x, steps, wide := f.pull(t, g.Positions, soft, 0.75, 155, gap)
	if t.Failed() {
		return
	}
	half := wide
	x, more, wide := f.pull(t, x, stiff, 0.05, 60, gap)
	t.Logf("%s: %d vertices, %d stitches closed to %.2f mm in %d steps, to %.2f mm in %d more, %.1f s",
		f.kind, g.Flat.Verts, len(g.Stitches), 1000*half, steps, 1000*wide, more, time.Since(began).Seconds())
	if wide > gap {
		t.Errorf("%s: stitches are %.1f mm wide, want at most %.1f", f.kind, 1000*wide, 1000*gap)
	}
	f.merge(x)
}

// pull draws the panels together from where they are, for at most so many steps, and returns where they come to be, the
// steps, and how wide the widest stitch is then.
func (f *fitting) pull(
	t *testing.T,
	from []r3.Vec,
	thread body.Thread,
	seconds float64,
	most int,
	gap float64,
) (x []r3.Vec, steps int, wide float64) {
	t.Helper()
	opt := engine.DefaultOptions()
	opt.Gravity, opt.Contact.Friction = r3.Vec{}, 0
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	c := body.DefaultCloth(f.kind, f.garment.Flat, from, cotton(t))
	c.Seams = &body.Seams{Pairs: f.garment.Stitches, Close: seconds, Thread: thread}
	id, err := cloths.Add(w, c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddObstacle(f.body); err != nil {
		t.Fatal(err)
	}
	wide, pair := cloths.WidestStitch(w, id)
	for ; steps < most && wide > gap; steps++ {
		s, err := w.Step(5e-3)
		if err != nil {
			t.Fatal(err)
		}
		if s.Crossings > 0 {
			t.Errorf("step %d: %d crossings, the first %+v", s.Step, s.Crossings, s.Crossed)
			break
		}
		for i, v := range w.Velocities(id) {
			w.Velocities(id)[i] = v.Scale(0.9)
		}
		wide, pair = cloths.WidestStitch(w, id)
	}
	if wide > gap {
		t.Logf(
			"%s: after %d steps stitch %d, at %v, is the widest",
			f.kind,
			steps,
			pair,
			w.Positions(id)[f.garment.Stitches[pair][0]],
		)
	}
	return slices.Clone(w.Positions(id)), steps, wide
}

// merge puts every vertex of Sewn in the middle of those that it is made of.
func (f *fitting) merge(x []r3.Vec) {
	g := f.garment
	sum, n := make([]r3.Vec, g.Sewn.Verts), make([]float64, g.Sewn.Verts)
	for v, s := range g.Merge {
		sum[s] = sum[s].Add(x[v])
		n[s]++
	}
	for s := range sum {
		sum[s] = sum[s].Scale(1 / n[s])
	}
	f.x = sum
}

// drape lets gravity act on the sewn garment for a while.
func (f *fitting) drape(t *testing.T, seconds float64) {
	t.Helper()
	opt := engine.DefaultOptions()
	w, err := engine.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	id, err := cloths.Add(w, body.DefaultCloth(f.kind, f.garment.Sewn, f.x, cotton(t)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddObstacle(f.body); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	worst := 0
	for w.Time() < seconds-1e-9 {
		s, err := w.Step(5e-3)
		if err != nil {
			t.Fatal(err)
		}
		if s.Crossings > 0 {
			t.Errorf("%s: %d crossings %g s after sewing", f.kind, s.Crossings, w.Time())
			break
		}
		worst = max(worst, s.Contacts)
	}
	t.Logf("%s: draped for %g s in %.1f s, up to %d contacts", f.kind, seconds, time.Since(began).Seconds(), worst)
	f.x = slices.Clone(w.Positions(id))
}

// Every garment is sewn around the body without a crossing, and can be worn.
func TestGarmentsAreSewn(t *testing.T) {
	if testing.Short() {
		t.Skip("sews all garments")
	}
	for _, kind := range Garments() {
		t.Run(kind, func(t *testing.T) {
			const edge = 0.04
			f := newFitting(t, kind, "M", edge, DefaultGarmentOptions())
			f.sew(t, edge, 2e-3)
			seconds := 0.05
			if *pictures != "" {
				seconds = 0.5
			}
			f.drape(t, seconds)
			photograph(t, f, kind)
		})
	}
}
