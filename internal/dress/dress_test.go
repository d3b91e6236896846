package dress

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// skirts is a scene of skirts in layers, on few vertices.
const skirts = `toile: 1
time: {end: 0.1 s, step: 5 ms}
dressing: {close: 0.4 s, step: 10 ms}
cloths:
  - {name: outer, layer: 2, shape: {garment: {kind: skirt, on: body, size: 90 mm}}}
  - {name: inner, layer: 1, shape: {garment: {kind: skirt, on: body, size: 90 mm}}}
obstacles:
  - {name: body, shape: {mannequin: {vertices: 2000, lead: 0.1 s}}}
`

func parseText(t *testing.T, text string, sets ...string) *scenefile.Scene {
	t.Helper()
	s, err := scenefile.Parse("scene.yaml", []byte(text), nil, sets)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Layers are sewn from the inside out, whatever their order in the file, and are on at t = 0 without a crossing.
// Vertices that seams join are one.
func TestDressInLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of sewing")
	}
	s := parseText(t, skirts)
	dressed, err := Scene(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(dressed.Sewn) != 2 || dressed.Sewn[0].Cloth != "inner" || dressed.Sewn[1].Cloth != "outer" {
		t.Errorf("sewn: %+v", dressed.Sewn)
	}
	b, err := World(s, dressed)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	if n, first := b.World.Crossings(); n > 0 {
		t.Errorf("%d crossings at t = 0, the first %+v", n, first)
	}
	if at := b.World.Time(); at != 0 {
		t.Errorf("the clock starts at %g s", at)
	}
	for i, c := range b.Cloths {
		g := s.Cloths[i].Shape.Made()
		if got, want := len(b.World.Positions(c.ID)), g.Sewn.Verts; got != want || want >= g.Flat.Verts {
			t.Errorf("%s has %d vertices; its panels have %d, and sewn they have %d", c.Name, got, g.Flat.Verts, want)
		}
	}
	// The outer skirt is wider than the inner one at the hem.
	wide := func(i int) float64 { return r3.BoxOf(b.World.Positions(b.Cloths[i].ID)).Size().X }
	if wide(0) <= wide(1) {
		t.Errorf("the outer skirt is %g m wide, the inner one %g m", wide(0), wide(1))
	}
}

// A layer that is started over is sewn once more from where its panels hang, in steps and with threads that are slower,
// and those after it are not. A dressing that is stopped on the way goes on as slowly.
func TestStartingOverSewsSlowly(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of sewing")
	}
	s := parseText(t, skirts)
	layers := s.LayersToSew()
	sewing := func() *dresser {
		return &dresser{scene: s, ctx: t.Context(), fitting: fitting{cloths: build.Undressed(s)}}
	}
	quick := sewing()
	quick.cloths[layers[1][0]].Absent = true
	if err := quick.sew(layers[0]); err != nil {
		t.Fatal(err)
	}

	slow := sewing()
	slow.cloths[layers[1][0]].Absent = true
	slow.startOver(layers[0])
	var halfway []byte
	slow.opt.Save = func(state func() ([]byte, error)) {
		if slow.told[0].Steps == quick.sewn[0].Steps {
			halfway, _ = state()
		}
	}
	if err := slow.sew(layers[0]); err != nil {
		t.Fatal(err)
	}
	steps := float64(slow.sewn[0].Steps) / float64(quick.sewn[0].Steps)
	if least := 0.9 * slower * slower; steps < least || slow.slow || slow.scene != s || slow.layer != 1 {
		t.Errorf("%g times as many steps, want at least %g; slow %v, layer %d", steps, least, slow.slow, slow.layer)
	}

	again := sewing()
	if err := again.unmarshal(s, halfway); err != nil {
		t.Fatal(err)
	}
	if err := again.sew(layers[0]); err != nil {
		t.Fatal(err)
	}
	a, _ := slow.marshal()
	b, _ := again.marshal()
	if !bytes.Equal(a, b) {
		t.Error("a dressing that goes on ends elsewhere")
	}
}

// A seam that cannot be closed is named, with how far it is open.
func TestOpenSeamIsNamed(t *testing.T) {
	s := parseText(t, skirts, "dressing.pull=0.01", "dressing.close=50 ms")
	_, err := Scene(context.Background(), s, Options{})
	if err == nil || !strings.Contains(err.Error(), `seam "side-`) ||
		!strings.Contains(err.Error(), "of inner is still open by") {
		t.Errorf("got %v", err)
	}
}

// Dressing stops when it is told to, and tells which step it is at when it goes on.
func TestDressingStops(t *testing.T) {
	for _, after := range []int{3, 60} { // of the inner skirt, and of the outer one
		ctx, cancel := context.WithCancel(context.Background())
		steps := 0
		var state []byte
		opt := Options{
			Tell: func(at Dressing) {
				if steps++; at.Steps != steps {
					t.Fatalf("it is at step %d after %d", at.Steps, steps)
				}
				if steps == after {
					cancel()
				}
			},
			Save: func(make func() ([]byte, error)) {
				if ctx.Err() != nil {
					state, _ = make()
				}
			},
		}
		if _, err := Scene(ctx, parseText(t, skirts), opt); !errors.Is(err, context.Canceled) || steps != after {
			t.Fatalf("%d steps, %v", steps, err)
		}
		ctx, cancel = context.WithCancel(context.Background())
		defer cancel()
		after += 2
		opt.Saved = state
		if _, err := Scene(ctx, parseText(t, skirts), opt); !errors.Is(err, context.Canceled) || steps != after {
			t.Fatalf("gone on: %d steps, %v", steps, err)
		}
	}
}

// What dressing led to survives being written, and nothing else is taken for it.
func TestDressedBytes(t *testing.T) {
	d := Dressed{
		cloths: []build.Worn{{X: []r3.Vec{r3.V(1, 2, 3), r3.V(4, 5, 6)}, V: []r3.Vec{{}, r3.V(0, 0, -1)}}, {}},
		Sewn:   []Sewing{{Cloth: "shirt", Steps: 12, Time: 0.5, Wide: 0.2, Gap: 1e-3}},
	}
	data, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got Dressed
	if err := got.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	again, _ := got.MarshalBinary()
	if !bytes.Equal(data, again) || got.Sewn[0] != d.Sewn[0] || got.cloths[0].X[1] != d.cloths[0].X[1] {
		t.Errorf("read back %+v", got)
	}
	for n := range data {
		if err := new(Dressed).UnmarshalBinary(data[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are taken for the whole", n, len(data))
		}
	}
	for i := range data {
		for _, change := range []byte{0x01, 0x80, 0xff} {
			changed := bytes.Clone(data)
			changed[i] ^= change
			_ = new(Dressed).UnmarshalBinary(changed) // may be another state, and must not panic
		}
	}
	if err := new(Dressed).UnmarshalBinary(append(data, 0)); err == nil {
		t.Error("a byte too many is taken")
	}
}

// What is wrong with a selection on a garment is told before it is sewn.
func TestSelectionsAreCheckedBeforeSewing(t *testing.T) {
	const scene = `toile: 1
time: {end: 1 s}
cloths:
  - name: skirt
    shape: {garment: {kind: skirt, on: body, size: 80 mm}}
    pins: [{select: {group: front.wiast}}]
    forces: [{select: {ids: [1000000]}, force: [0 N, 0 N, 1 N]}]
obstacles:
  - {name: body, shape: {mannequin: {motion: stand, vertices: 2000}}}
`
	_, err := build.World(parseText(t, scene))
	if err == nil || !strings.Contains(err.Error(), `"front.waist"`) || !strings.Contains(err.Error(), "1000000") {
		t.Error(err)
	}
}
