package build

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

// Without a file of seams, outlines lie in the xy plane as drawn; they are cloth at once.
func TestPatternWithoutSeams(t *testing.T) {
	text, files := samples.Documented(t)
	text = strings.Replace(text, ", seams: skirt.yaml", "", 1)
	text = strings.Replace(
		text,
		"    pins: [{select: {group: front.waist}}]\n",
		"    place: {translate: [0, 0, 1]}\n    pins: [{select: {group: front.3}}]\n",
		1,
	)
	s, err := scenefile.Parse("scene.yaml", []byte(text), files, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	box := r3.BoxOf(b.World.Positions(b.Cloths[0].ID))
	if want := (r3.Box{Min: r3.V(0, 0, 1), Max: r3.V(1.1, 0.6, 1)}); box.Min.Sub(want.Min).Norm() > 1e-6 ||
		box.Max.Sub(want.Max).Norm() > 1e-6 {
		t.Errorf("lies in %v, want %v", box, want)
	}
	if len(b.Cloths[0].Pins) != 1 || len(b.Cloths[0].Pins[0].Vertices) < 10 {
		t.Errorf("pins %+v", b.Cloths[0].Pins)
	}
	if _, err := b.World.Step(1e-3); err != nil {
		t.Error(err)
	}
}

// A mesh with UVs is a garment: its islands are panels, and where they meet in space they are sewn. Two panels around a
// tube are cut 4 % wider than the tube is; left alone, it grows by that, seams and all.
func TestUVIslandsAreSewn(t *testing.T) {
	const around, up, half = 24, 8, 12
	const radius, wider, height = 0.2, 1.04, 0.05
	chord := 2 * radius * math.Sin(math.Pi/around)
	var obj strings.Builder
	for j := range up + 1 {
		for i := range around {
			s, c := math.Sincos(2 * math.Pi * float64(i) / around)
			fmt.Fprintf(&obj, "v %.12g %.12g %.12g\n", radius*c, radius*s, height*float64(j))
		}
	}
	for k := range 2 {
		for j := range up + 1 {
			for i := range half + 1 {
				fmt.Fprintf(&obj, "vt %.12g %.12g\n", float64(k)+wider*chord*float64(i), height*float64(j))
			}
		}
	}
	for j := range up {
		for i := range around {
			v := func(i, j int) int { return j*around + i%around + 1 }
			k := i / half
			vt := func(i, j int) int { return k*(up+1)*(half+1) + j*(half+1) + i - k*half + 1 }
			fmt.Fprintf(
				&obj,
				"f %d/%d %d/%d %d/%d\n",
				v(i, j),
				vt(i, j),
				v(i+1, j),
				vt(i+1, j),
				v(i+1, j+1),
				vt(i+1, j+1),
			)
			fmt.Fprintf(
				&obj,
				"f %d/%d %d/%d %d/%d\n",
				v(i, j),
				vt(i, j),
				v(i+1, j+1),
				vt(i+1, j+1),
				v(i, j+1),
				vt(i, j+1),
			)
		}
	}
	text := "toile: 1\ntime: {end: 1 s}\ngravity: [0, 0, 0]\ncloths: [{name: tube, shape: {file: tube.obj, rest: uv}}]\n"
	s, err := scenefile.Parse("scene.yaml", []byte(text), fstest.MapFS{"tube.obj": {Data: []byte(obj.String())}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sh, err := sheetOf(&s.Cloths[0], &Worn{})
	if err != nil {
		t.Fatal(err)
	}
	seams := 0
	for e := range sh.Mesh.Edges {
		if sh.Mesh.Seam(int32(e)) {
			seams++
		}
	}
	if seams != 2*up || sh.Mesh.Verts != around*(up+1) {
		t.Errorf("%d seam edges and %d vertices, want %d and %d", seams, sh.Mesh.Verts, 2*up, around*(up+1))
	}
	b, err := World(s)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	for range 100 {
		if _, err := b.World.Step(5e-3); err != nil {
			t.Fatal(err)
		}
	}
	// In the middle, away from ends that bend; the tube resists being bent by far less than a thousandth of this.
	for i := range around {
		x := b.World.Positions(b.Cloths[0].ID)[up/2*around+i]
		if r := math.Hypot(x.X, x.Y); math.Abs(r-wider*radius) > 2e-3*radius {
			t.Errorf("vertex %d of the middle ring is %.5f m from the axis, want %.5f", i, r, wider*radius)
		}
	}
}
