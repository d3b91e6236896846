package draw

import (
	"bytes"
	"image/color"
	"math"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// plain returns options for small pictures without anything but the surfaces.
func plain(width, height int) Options {
	o := DefaultOptions()
	o.Width, o.Height, o.Workers = width, height, 1
	o.Shadows, o.Occlusion = false, false
	return o
}

// ahead looks along +y from the origin, with x right and z up.
var ahead = Camera{Target: r3.V(0, 1, 0), Up: r3.V(0, 0, 1), FOV: math.Pi / 2}

// triangle returns a surface of one triangle.
func triangle(a, b, c r3.Vec) Surface {
	return Surface{Positions: []r3.Vec{a, b, c}, Triangles: [][3]int32{{0, 1, 2}}}
}

// wall returns a square of n x n cells at distance y, from -half to half, facing the camera ahead.
func wall(n int, y, half float64) Surface {
	return grid(n, func(u, v float64) r3.Vec { return r3.V(half*(2*u-1), y, half*(2*v-1)) })
}

// At distance 2 and a view of ±45°, a picture of 400 pixels shows 4 m: 100 pixels a metre. A pixel's
// share of the triangle is one minus its blue light over that of the background.
func TestTriangleCoversItsArea(t *testing.T) {
	s := triangle(r3.V(-1.3, 2, -0.9), r3.V(1.1, 2, -0.7), r3.V(0.2, 2, 1.4))
	s.Color = color.RGBA{0xff, 0, 0, 0xff}
	o := plain(400, 400)
	o.Top, o.Bottom = color.RGBA{0, 0, 0xff, 0xff}, color.RGBA{0, 0, 0xff, 0xff}
	img := Render([]Surface{s}, ahead, o)
	covered := 0.0
	for y := range 400 {
		for x := range 400 {
			covered += 1 - float64(decoded[img.RGBAAt(x, y).B])
		}
	}
	want := 0.5 * (2.4*2.3 - 1.5*0.2) * 100 * 100
	if math.Abs(covered-want) > 0.01*want {
		t.Errorf("triangle covers %.0f pixels, want %.0f within 1 %%", covered, want)
	}
}

func TestNearerHidesFarther(t *testing.T) {
	near, far := wall(1, 2, 1), wall(1, 3, 1)
	near.Color, far.Color = color.RGBA{0xff, 0, 0, 0xff}, color.RGBA{0, 0xff, 0, 0xff}
	for _, order := range [][]Surface{{near, far}, {far, near}} {
		c := Render(order, ahead, plain(60, 60)).RGBAAt(30, 30)
		if c.R < 4*c.G {
			t.Errorf("middle is %v, want the nearer, red surface", c)
		}
	}
}

// A back has another colour than a front in the same light.
func TestBackIsToldFromFront(t *testing.T) {
	front, back := wall(1, 2, 1), wall(1, 2, 1)
	back.Triangles = [][3]int32{{0, 3, 1}, {0, 2, 3}}
	f := Render([]Surface{front}, ahead, plain(60, 60)).RGBAAt(30, 30)
	b := Render([]Surface{back}, ahead, plain(60, 60)).RGBAAt(30, 30)
	if d := math.Abs(float64(f.B) - float64(b.B)); d < 15 {
		t.Errorf("front is %v and back is %v, want them apart", f, b)
	}
	back.Back = color.RGBA{0, 0xff, 0, 0xff}
	if b = Render([]Surface{back}, ahead, plain(60, 60)).RGBAAt(30, 30); b.G < 2*b.R {
		t.Errorf("back is %v, want green", b)
	}
}

// Whatever the number of triangles, a square covers the same samples: none is lost between two
// triangles, and none is outside.
func TestNoCracks(t *testing.T) {
	turn := func(s Surface) Surface {
		q := r3.Rotation(r3.V(0.3, 0.9, -0.2), 0.7)
		for i, p := range s.Positions {
			s.Positions[i] = q.Rotate(p.Sub(r3.V(0, 3, 0))).Add(r3.V(0, 3, 0))
		}
		return s
	}
	seen := func(n int) int {
		s := newStage([]Surface{turn(wall(n, 3, 1))}, ahead, plain(300, 300), nil)
		count := 0
		for _, q := range rasterize(s.lens, s.meshes, nil).q {
			if q > 0 {
				count++
			}
		}
		return count
	}
	coarse := seen(1)
	// The inner vertices of a fine square are off its plane by rounding, no more than its outline is:
	// a few samples on the outline may differ, a crack along one row of cells would lose dozens.
	for _, n := range []int{2, 7, 64} {
		if fine := seen(n); math.Abs(float64(fine-coarse)) > 3 {
			t.Errorf("%d x %d cells cover %d samples, one cell %d", n, n, fine, coarse)
		}
	}
}

// A floor that passes under the eye fills the picture up to the horizon, without clipping.
func TestTriangleBehindTheEye(t *testing.T) {
	s := triangle(r3.V(-1000, -500, -1), r3.V(1000, -500, -1), r3.V(0, 1e6, -1))
	o := plain(100, 100)
	img := Render([]Surface{s}, ahead, o)
	empty := Render(nil, ahead, o)
	for _, y := range []int{55, 75, 99} {
		if img.RGBAAt(50, y) == empty.RGBAAt(50, y) {
			t.Errorf("row %d shows the background, want the floor", y)
		}
	}
	if img.RGBAAt(50, 45) != empty.RGBAAt(50, 45) {
		t.Error("the floor is seen above the horizon")
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	s := curtain(30)
	s.Edges = true
	s.Scalar = make([]float64, len(s.Positions))
	for i, p := range s.Positions {
		s.Scalar[i] = p.Z
	}
	all := []Surface{s, ball(0.2)}
	o := DefaultOptions()
	o.Width, o.Height, o.Axes = 320, 200, true
	o.Ground = GroundUnder(Bounds(all))
	cam := Fit(Bounds(all), r3.Vec{}, 1.6)
	o.Workers = 1
	want := Render(all, cam, o)
	for _, workers := range []int{2, 8} {
		o.Workers = workers
		if !bytes.Equal(Render(all, cam, o).Pix, want.Pix) {
			t.Errorf("%d workers draw other pixels than one", workers)
		}
	}
}

// A flat sheet has no folds and nothing above it, so neither shadows nor occlusion may touch it.
func TestNoAcne(t *testing.T) {
	for _, tilt := range []float64{0.2, 0.6, 1.0, 1.4} {
		q := r3.Rotation(r3.V(1, 0, 0), -tilt)
		s := grid(40, func(u, v float64) r3.Vec { return q.Rotate(r3.V(u-0.5, 0, v-0.5)) })
		cam := Fit(Bounds([]Surface{s}), r3.V(0.3, -1, 0.4), 1)
		o := plain(200, 200)
		want := Render([]Surface{s}, cam, o)
		o.Shadows, o.Occlusion = true, true
		if got := Render([]Surface{s}, cam, o); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("tilt %g: a flat sheet shadows itself", tilt)
		}
	}
}

// A valley is darker with occlusion than without, and a sheet darkens the ground under it.
func TestFoldsAndGroundGetDarker(t *testing.T) {
	valley := grid(40, func(u, v float64) r3.Vec { return r3.V(u-0.5, math.Abs(u-0.5)*-2, v-0.5) })
	cam := Fit(Bounds([]Surface{valley}), r3.V(0, -1, 0), 1)
	o := plain(120, 120)
	before := Render([]Surface{valley}, cam, o).RGBAAt(60, 60)
	o.Occlusion = true
	after := Render([]Surface{valley}, cam, o).RGBAAt(60, 60)
	if int(after.B) > int(before.B)-8 {
		t.Errorf("valley is %v with occlusion and %v without, want it darker", after, before)
	}

	sheet := grid(4, func(u, v float64) r3.Vec { return r3.V(u-0.5, v-0.5, 0.5) })
	o = plain(200, 200)
	o.Ground = Ground{Show: true}
	box := Bounds([]Surface{sheet}).With(r3.V(0, 0, 0))
	cam = Fit(box, r3.V(0, -1, 0.5), 1)
	lit := Render([]Surface{sheet}, cam, o)
	o.Shadows = true
	shaded := Render([]Surface{sheet}, cam, o)
	darker := 0
	for i := 2; i < len(lit.Pix); i += 4 {
		if int(shaded.Pix[i]) < int(lit.Pix[i])-20 {
			darker++
		}
	}
	if darker < 500 {
		t.Errorf("%d pixels of the ground are in shadow, want hundreds", darker)
	}
}

// Skipping what is far from every blocker changes no shadow.
func TestShadowsSkipOnlyLight(t *testing.T) {
	all := []Surface{curtain(20), ball(0.1)}
	s := newStage(all, Fit(Bounds(all), r3.Vec{}, 1), plain(8, 8), nil)
	fast := newShadow(s.meshes, s.box, s.key, nil)
	slow := newShadow(s.meshes, s.box, s.key, nil)
	for i := range slow.busy {
		slow.busy[i] = true
	}
	partly := 0
	for i := range 60 {
		for j := range 60 {
			p := r3.V(float64(i)/20-1.5, float64(j)/20-1.5, -0.1)
			got, want := fast.lit(p, r3.V(0, 0, 1), i%4, groundBlur), slow.lit(p, r3.V(0, 0, 1), i%4, groundBlur)
			if got != want {
				t.Fatalf("%v is lit by %g, want %g", p, got, want)
			}
			if want > 0 && want < 1 {
				partly++
			}
		}
	}
	if partly == 0 {
		t.Error("no point is in a penumbra, so nothing was tested")
	}
}

// What is under the ground is hidden by it.
func TestGroundHides(t *testing.T) {
	s := wall(1, 4, 1)
	cam := Camera{Eye: r3.V(0, 0, 2), Target: r3.V(0, 4, 0), Up: r3.V(0, 0, 1), FOV: 1}
	o := plain(100, 100)
	o.Ground = Ground{Show: true, Height: 1.5}
	with := Render([]Surface{s}, cam, o)
	if c := with.RGBAAt(50, 50); int(c.B) > int(c.R)+40 {
		t.Errorf("middle is %v, want the ground and not the blue wall", c)
	}
	o.Ground.Show = false
	if c := Render([]Surface{s}, cam, o).RGBAAt(50, 50); int(c.B) <= int(c.R)+40 {
		t.Errorf("middle is %v without a ground, want the blue wall", c)
	}
}

func TestEdgesFadeWhenTiny(t *testing.T) {
	dark := func(n int) (changed int) {
		s := wall(n, 2, 1)
		before := Render([]Surface{s}, ahead, plain(200, 200))
		s.Edges = true
		after := Render([]Surface{s}, ahead, plain(200, 200))
		for i := 2; i < len(before.Pix); i += 4 {
			if int(after.Pix[i]) < int(before.Pix[i])-20 {
				changed++
			}
		}
		return changed
	}
	if n := dark(5); n < 500 {
		t.Errorf("edges of 20-pixel cells darken %d pixels, want at least 500", n)
	}
	if n := dark(100); n != 0 {
		t.Errorf("edges of 1-pixel cells darken %d pixels, want none", n)
	}
}

func TestMarksAreSeenUnlessHidden(t *testing.T) {
	red := func(surfaces ...Surface) (n int) {
		img := Render(surfaces, ahead, plain(200, 200))
		for i := 0; i < len(img.Pix); i += 4 {
			if img.Pix[i] == pinDot.R && img.Pix[i+1] == pinDot.G && img.Pix[i+2] == pinDot.B {
				n++
			}
		}
		return n
	}
	s := wall(2, 3, 1)
	s.Marks = []int32{4, -1, 99}
	if n := red(s); n < 9 {
		t.Errorf("a mark shows %d pixels, want a dot", n)
	}
	if n := red(s, wall(1, 2, 1)); n != 0 {
		t.Errorf("a hidden mark shows %d pixels, want none", n)
	}
}

func TestScalarsAndLegend(t *testing.T) {
	s := wall(1, 2, 2.5)
	s.Scalar = []float64{0, 1, 0, 1}
	o := plain(300, 200)
	o.Scale = &Scale{Label: "speed", Unit: "m/s", Max: 1}
	img := Render([]Surface{s}, ahead, o)
	left, right := fromRGBA(img.RGBAAt(40, 50)), fromRGBA(img.RGBAAt(260, 50))
	if right.luminance() < 3*left.luminance() {
		t.Errorf(
			"luminance is %g left and %g right, want it to rise with the scalar",
			left.luminance(),
			right.luminance(),
		)
	}
	bare := s
	bare.Scalar = nil
	if bytes.Equal(img.Pix, Render([]Surface{bare}, ahead, o).Pix) {
		t.Error("scalars change nothing")
	}
	s.Scalar = []float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	c := Render([]Surface{s}, ahead, o).RGBAAt(150, 20)
	if c.R != c.G || c.G != c.B {
		t.Errorf("NaN is %v, want grey", c)
	}
}

// A class has its own colour up to half way to the next vertex, and a value that is not a number stays at its vertex.
func TestClassesAndGaps(t *testing.T) {
	red, blue := color.RGBA{0xff, 0, 0, 0xff}, color.RGBA{0, 0, 0xff, 0xff}
	camera := Camera{Eye: r3.V(0, -3, 0), Up: r3.V(0, 0, 1), FOV: 1}
	opt := plain(200, 200)
	s := triangle(r3.V(-1, 0, -0.8), r3.V(1, 0, -0.8), r3.V(0, 0, 0.9))
	at := func(opt Options, x, y int) (r, g, b uint8) {
		c := Render([]Surface{s}, camera, opt).RGBAAt(x, y)
		return c.R, c.G, c.B
	}
	s.Scalar = []float64{0, 1, 7}
	opt.Scale = &Scale{Label: "what", Classes: []Class{{"one", red}, {"two", blue}}}
	if r, _, b := at(opt, 60, 138); r < 3*b+20 {
		t.Errorf("near the vertex of class one it is red %d, blue %d", r, b)
	}
	if r, _, b := at(opt, 140, 138); b < 3*r+20 {
		t.Errorf("near the vertex of class two it is red %d, blue %d", r, b)
	}
	if r, g, b := at(opt, 100, 50); r != g || g != b {
		t.Errorf("near the vertex of no class it is %d %d %d, not grey", r, g, b)
	}
	s.Scalar = []float64{0, math.NaN(), 1}
	opt.Scale = &Scale{Min: 0, Max: 1, Beyond: true}
	if r, g, b := at(opt, 140, 138); r != g || g != b {
		t.Errorf("near the vertex without a value it is %d %d %d, not grey", r, g, b)
	}
	if r, g, b := at(opt, 60, 138); r == g && g == b {
		t.Error("near a vertex with a value it is grey")
	}
}

func TestNothingToDrawDoesNotPanic(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	bad := Surface{
		Positions: []r3.Vec{{}, {X: 1}, {X: nan}, {Y: inf}, {X: 1e300, Y: 1e300, Z: -1e300}, {X: 2}, {Z: 1}},
		Triangles: [][3]int32{{0, 0, 0}, {0, 1, 5}, {0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 1, 99}, {-1, 0, 1}, {0, 1, 6}},
		Scalar:    []float64{0, nan, inf, 1, 2, 3, 4}, Edges: true, Marks: []int32{0, 2, 3, 4, -5, 100},
	}
	cameras := []Camera{
		{},
		{FOV: nan},
		{Eye: r3.V(nan, 0, 0)},
		ahead,
		Fit(r3.EmptyBox(), r3.Vec{}, 0),
		Fit(Bounds([]Surface{bad}), r3.V(0, 0, 1), 1),
	}
	for _, size := range [][2]int{{0, 0}, {0, 5}, {-3, 4}, {1, 1}, {64, 48}} {
		for _, surfaces := range [][]Surface{nil, {{}}, {bad}, {bad, curtain(3)}} {
			for _, cam := range cameras {
				o := DefaultOptions()
				o.Width, o.Height, o.Axes = size[0], size[1], true
				o.Ground = Ground{Show: true, Cell: 0.1}
				img := Render(surfaces, cam, o)
				if got := img.Bounds().Size(); got.X != max(0, size[0]) || got.Y != max(0, size[1]) {
					t.Fatalf("picture is %v, want %v", got, size)
				}
			}
		}
	}
}

func TestOptionsValidate(t *testing.T) {
	if err := DefaultOptions().Validate(); err != nil {
		t.Errorf("default options: %v", err)
	}
	huge := DefaultOptions()
	huge.Width, huge.Height, huge.Samples = maxSide, maxSide, 2
	if err := huge.Validate(); err == nil {
		t.Error("a picture of 2³⁰ samples is accepted")
	}
	bad := Options{
		Width:   -1,
		Height:  1 << 20,
		Samples: 9,
		Scale:   &Scale{Min: 1},
		Ground:  Ground{Show: true, Height: math.NaN()},
	}
	err := bad.Validate()
	if err == nil {
		t.Fatal("bad options are accepted")
	}
	if got := bytes.Count([]byte(err.Error()), []byte("want")); got != 5 {
		t.Errorf("%d faults listed, want 5:\n%v", got, err)
	}
}

func TestGroundUnder(t *testing.T) {
	g := GroundUnder(r3.Box{Min: r3.V(0, 0, -0.3), Max: r3.V(1, 0.5, 0.2)})
	if !g.Show || g.Height != -0.3 || g.Cell != 0.2 {
		t.Errorf("ground is %+v, want height -0.3 and cell 0.2", g)
	}
	if g := GroundUnder(r3.EmptyBox()); g.Show {
		t.Errorf("ground under nothing is %+v", g)
	}
}

func BenchmarkRender(b *testing.B) {
	all := []Surface{curtain(141)}
	cam := Fit(Bounds(all), r3.Vec{}, 16.0/9)
	o := DefaultOptions()
	o.Ground = GroundUnder(Bounds(all))
	b.ReportAllocs()
	for b.Loop() {
		Render(all, cam, o)
	}
	b.ReportMetric(float64(len(all[0].Positions)), "vertices")
}
