package draw

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math"
	"testing"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// wave returns pictures of a sheet that moves.
func wave(n int) []*image.RGBA {
	var out []*image.RGBA
	opt := DefaultOptions()
	opt.Width, opt.Height = 160, 90
	for k := range n {
		s := curtain(12)
		for i := range s.Positions {
			s.Positions[i].Y += 0.05 * math.Sin(8*s.Positions[i].X+float64(k))
		}
		opt.Ground = GroundUnder(Bounds([]Surface{s}))
		out = append(
			out,
			Render(
				[]Surface{s},
				Fit(r3.Box{Min: r3.V(-0.2, -0.5, -0.2), Max: r3.V(1.2, 0.5, 1.2)}, r3.Vec{}, 16.0/9),
				opt,
			),
		)
	}
	return out
}

// A film that the standard library reads back shows the pictures that went in: unchanged pixels of later frames
// included, which are not written again, and with delays that add up.
func TestGIFShowsWhatWentIn(t *testing.T) {
	pictures := wave(4)
	var b bytes.Buffer
	g, err := NewGIF(&b, 160, 90, pictures[:2])
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pictures {
		if err := g.Add(p, float64(i)/30); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Close(4.0 / 30); err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(&b)
	if err != nil {
		t.Fatal(err)
	}
	if film.LoopCount != 0 || len(film.Image) != len(pictures) {
		t.Errorf("%d pictures, repeated %d times", len(film.Image), film.LoopCount)
	}
	// Thirds of a tenth: 3.33 ticks each, 13.33 together.
	want := []int{3, 4, 3, 3}
	for i, d := range film.Delay {
		if d != want[i] {
			t.Errorf("delays %v, want %v", film.Delay, want)
			break
		}
	}
	screen := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for i, frame := range film.Image {
		draw.Draw(screen, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
		sum, worst := 0.0, 0.0
		for k := 0; k < len(screen.Pix); k += 4 {
			a, b := screen.Pix[k:k+3], pictures[i].Pix[k:k+3]
			d := math.Sqrt(
				toLab(
					fromRGBA(color.RGBA{a[0], a[1], a[2], 255}),
				).distance2(toLab(fromRGBA(color.RGBA{b[0], b[1], b[2], 255}))),
			)
			sum += d
			worst = max(worst, d)
		}
		// 0.02 in Oklab is about what an eye can tell apart side by side.
		if mean := sum / (160 * 90); mean > 0.006 || worst > 0.06 {
			t.Errorf("picture %d: colours are off by %.4f, at worst %.4f", i, mean, worst)
		}
	}
	if area := film.Image[1].Bounds().Dx() * film.Image[1].Bounds().Dy(); area >= 160*90 {
		t.Error("the second picture is written as a whole")
	}
}

func TestGIFRefuses(t *testing.T) {
	if _, err := NewGIF(new(bytes.Buffer), 0, 5, nil); err == nil {
		t.Error("a film without width is begun")
	}
	g, err := NewGIF(new(bytes.Buffer), 8, 8, nil)
	if err != nil {
		t.Fatal(err)
	}
	if g.Close(1) == nil {
		t.Error("a film without pictures is closed")
	}
	if g.Add(image.NewRGBA(image.Rect(0, 0, 8, 9)), 0) == nil {
		t.Error("a picture of another size is added")
	}
}

// Up to 255 colours are kept as they are.
func TestPaletteKeepsFewColours(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 200, 1))
	for x := range 200 {
		img.SetRGBA(x, 0, color.RGBA{uint8(x % 25 * 10), uint8(x / 25 * 31), 128, 255})
	}
	var c census
	c.add(img)
	palette := c.palette()
	for x := range 200 {
		want := img.RGBAAt(x, 0)
		l := palette[nearestLab(palette, toLab(fromRGBA(want)))]
		got := oklab(l[0], l[1], l[2]).rgba()
		if d := max(
			math.Abs(float64(got.R)-float64(want.R)),
			math.Abs(float64(got.G)-float64(want.G)),
			math.Abs(float64(got.B)-float64(want.B)),
		); d > 2 {
			t.Errorf("%v became %v", want, got)
		}
	}
}

// blindness are the matrices of full protanopia, deuteranopia and tritanopia for linear sRGB [Machado09] (table 1).
var blindness = map[string][9]float32{
	"protan": {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuter": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritan": {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// The states of contacts, and the colours of curves, can be told apart by everybody, and states also in grey.
func TestColoursForTheColourBlind(t *testing.T) {
	apart := func(what string, colors []color.RGBA, least float64) {
		for name, m := range blindness {
			seen := make([]lab, len(colors))
			for i, c := range colors {
				l := fromRGBA(c)
				seen[i] = toLab(linear{
					max(
						0,
						m[0]*l.r+m[1]*l.g+m[2]*l.b,
					),
					max(0, m[3]*l.r+m[4]*l.g+m[5]*l.b),
					max(0, m[6]*l.r+m[7]*l.g+m[8]*l.b),
				})
			}
			for i := range seen {
				for j := range i {
					if d := math.Sqrt(seen[i].distance2(seen[j])); d < least {
						t.Errorf("%s %d and %d are %.3f apart for %sopes, want %.2f", what, j, i, d, name, least)
					}
				}
			}
		}
	}
	var states []color.RGBA
	for _, c := range QuantityNamed("state").Classes {
		states = append(states, c.Color)
	}
	apart("states", states, 0.12)
	apart("curves", Palette[:], 0.05)
	for i := range states {
		for j := range i {
			if d := math.Abs(toLab(fromRGBA(states[i]))[0] - toLab(fromRGBA(states[j]))[0]); d < 0.06 {
				t.Errorf("states %d and %d differ by %.3f in lightness", j, i, d)
			}
		}
	}
}

// sheetFrame is a frame of one square that stands at x and has speeds and impulses.
func sheetFrame(number int, x, speed float64) *runfolder.Frame {
	up := r3.V(0, 0, 1)
	m := &meshio.Mesh{
		Name:      "sheet",
		Positions: []r3.Vec{r3.V(x, 0, 0.5), r3.V(x+1, 0, 0.5), r3.V(x+1, 1, 0.5), r3.V(x, 1, 0.5)},
		Normals:   []r3.Vec{up, up, up, up},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}},
		Attributes: []meshio.Attribute{
			{Name: runfolder.AttrSpeed, Width: 1, Data: []float32{0, float32(speed), 0, 0}},
			{Name: runfolder.AttrGap, Width: 1, Data: []float32{1e-3, runfolder.NoGap, runfolder.NoGap, 1e-3}},
			{Name: runfolder.AttrImpulse, Width: 3, Data: []float32{0, 0, 1e-3, 0, 0, 0, 0, 0, 0, 0, 0, 2e-3}},
			{Name: runfolder.AttrState, Width: 1, Data: []float32{1, 0, 0, 2}},
		},
	}
	return &runfolder.Frame{Number: number, Bodies: []runfolder.Body{runfolder.BodyOf(runfolder.KindCloth, m)}}
}

// The camera of a film sees all its frames and is the same in all of them, and so is the scale.
func TestSurveyIsForAllFrames(t *testing.T) {
	look := &Look{Quantity: QuantityNamed("speed")}
	s := NewSurvey(look, Viewpoint{}, 320, 180)
	for k, x := range []float64{0, 3, 1} {
		s.Add(look.Frame(sheetFrame(k, x, 1+x)))
	}
	s.settle()
	if s.scale.Min != 0 || s.scale.Max != 4 {
		t.Errorf("the scale is from %g to %g, want 0 to 4", s.scale.Min, s.scale.Max)
	}
	if s.box.Min.X != 0 || s.box.Max.X != 4 {
		t.Errorf("the box is %v", s.box)
	}
	l := newLens(s.camera, 320, 180)
	for _, p := range []r3.Vec{r3.V(0, 0, 0.5), r3.V(4, 0, 0.5), r3.V(4, 1, 0.5), r3.V(0, 1, 0.5)} {
		x, y := l.sample(l.local(p))
		if !(x > 0 && x < 319 && y > 0 && y < 179) {
			t.Errorf("%v is drawn at %.1f, %.1f", p, x, y)
		}
	}
	s.Range = &[2]float64{0, 2}
	s.settle()
	if s.scale.Max != 2 || !s.scale.Beyond {
		t.Errorf("the scale asked for is %+v", s.scale)
	}
}

// A point is a camera too, and sees what it is to see.
func TestFitFrom(t *testing.T) {
	box := r3.Box{Min: r3.V(-1, -1, 0), Max: r3.V(1, 1, 1)}
	cam := FitFrom(r3.V(6, -4, 3), r3.V(0, 0, 0.5), box, 1.5)
	l := newLens(cam, 300, 200)
	widest := 0.0
	for i := range 8 {
		x, y := l.sample(l.local(box.Corner(i)))
		widest = max(widest, math.Abs(x/149.5-1), math.Abs(y/99.5-1))
	}
	if math.Abs(widest-fitFill) > 0.01 {
		t.Errorf("the box reaches %.3f of the half frame, want %.2f", widest, fitFill)
	}
	if inside := FitFrom(r3.V(0, 0, 0.5), r3.V(1, 0, 0.5), box, 1.5); !(inside.FOV > 1.5 && inside.FOV < 1.6) {
		t.Errorf("inside the box the angle is %g", inside.FOV)
	}
}

// Arrows are drawn where there are impulses, and where the frame is seen from either side they come out of it.
func TestArrows(t *testing.T) {
	for _, dir := range []r3.Vec{r3.V(0, -1, 0.6), r3.V(0, -1, -0.6)} {
		look := &Look{Arrows: true}
		shot := look.Frame(sheetFrame(0, 0, 1))
		if len(shot.arrows) != 2 {
			t.Fatalf("%d arrows, want 2", len(shot.arrows))
		}
		s := NewSurvey(look, Viewpoint{Dir: dir}, 320, 180)
		s.Add(shot)
		opt := DefaultOptions()
		opt.Width, opt.Height = 320, 180
		with := s.Render(shot, opt)
		shot.arrows = nil
		if bytes.Equal(with.Pix, s.Render(shot, opt).Pix) {
			t.Errorf("from %v arrows change nothing", dir)
		}
		if n := count(with, arrowInk); n < 20 {
			t.Errorf("from %v arrows have %d pixels", dir, n)
		}
	}
}

func TestSpread(t *testing.T) {
	var s spread
	if s.quantile(0.9) != 0 {
		t.Error("nothing has a quantile")
	}
	for i := range 1000 {
		s.add(float64(i + 1))
	}
	s.add(math.NaN())
	s.add(math.Inf(1))
	if s.count != 1000 || s.min != 1 || s.max != 1000 {
		t.Errorf("%+v", s)
	}
	// A bin is 2^(1/16) wide.
	if q := s.quantile(0.9); q < 900 || q > 900*1.045 {
		t.Errorf("nine tenths are up to %g, want 900", q)
	}
}
