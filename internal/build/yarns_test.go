package build

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/samples"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/r3"
)

// yarnsOf builds a scene of yarns from base.
func yarnsOf(t *testing.T, text string) *BuiltYarns {
	t.Helper()
	s, err := scenefile.Parse("test.yaml", []byte(strings.Replace(samples.Base, samples.OtherPart, text, 1)), samples.Files, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Yarns(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A piece is laid level with a corner at the origin and its front upwards, a tube stands on the origin.
func TestPlacesOfPieces(t *testing.T) {
	const d = 2.5e-3 // diameter
	width, height := 8*2*math.Pi/1.6*d, 6*3.4375*d
	for _, c := range []struct {
		text   string
		lo, hi r3.Vec // of the loops, about
	}{
		{samples.Rib, r3.Vec{}, r3.V(width, height, 0)},
		{samples.Rib + ", place: {rotate: {axis: [1, 0, 0], angle: 90 deg}}", r3.Vec{}, r3.V(width, 0, height)},
		{
			"pattern: seed, form: tube, size: [8, 6]",
			r3.V(-1, -1, 0).Scale(width / (2 * math.Pi)),
			r3.V(1, 1, 2*math.Pi*height/width).Scale(width / (2 * math.Pi)),
		},
	} {
		box := r3.BoxOf(yarnsOf(t, samples.Knitted(c.text)).World.Positions())
		if off := max(box.Min.Sub(c.lo).MaxAbs(), box.Max.Sub(c.hi).MaxAbs()); off > 4*d {
			t.Errorf("%s lies from %v to %v", c.text, box.Min, box.Max)
		}
	}
}

// Figures replace those of the preset, in any unit.
func TestYarnFigures(t *testing.T) {
	b := yarnsOf(t, samples.Knitted(samples.Rib+", yarn: {preset: worsted, radius: 1 mm, density: 400 tex, bend: 3 nN m2, twist: 2 mN mm2, contact: 2, "+
		"friction: 0.2, plastic: {yield: 1 deg, most: 90 deg}, damping: {rate: 10 1/s, constant: 1 cm/s2, normal: 3, tangent: 4 N s/m3}}"))
	want := yarn.Material{
		Radius: 1e-3, Density: 4e-4, Bend: 3e-9, Twist: 2e-9, Contact: 2, Friction: 0.2,
		Plastic: math.Pi / 180, PlasticMost: math.Pi / 2, DampRate: 10, DampConstant: 0.01, DampNormal: 3, DampTangent: 4,
	}
	got := b.Material
	for i, x := range [][2]float64{
		{got.Radius, want.Radius},
		{got.Density, want.Density},
		{got.Bend, want.Bend},
		{got.Twist, want.Twist},
		{got.Contact, want.Contact},
		{got.Friction, want.Friction},
		{got.Plastic, want.Plastic},
		{got.PlasticMost, want.PlasticMost},
		{got.DampRate, want.DampRate},
		{got.DampConstant, want.DampConstant},
		{got.DampNormal, want.DampNormal},
		{got.DampTangent, want.DampTangent},
	} {
		if math.Abs(x[0]-x[1]) > 1e-12*x[1] {
			t.Errorf("figure %d is %g, want %g", i, x[0], x[1])
		}
	}
	if m := yarnsOf(t, samples.Knitted(samples.Rib+", yarn: {plastic: none}")).Material; m.Plastic != 0 || m.PlasticMost != 0 {
		t.Errorf("plastic: none is %g and %g", m.Plastic, m.PlasticMost)
	}
	if m := yarnsOf(t, samples.Knitted(samples.Rib)).Material; m != yarn.Kaldor() {
		t.Errorf("by default the yarn is %+v", m)
	}
}

// Pins hold the loops that they name, and move them.
func TestPinsOfYarns(t *testing.T) {
	for _, c := range []struct {
		text   string
		pinned func(wale, course int) bool
	}{
		{"top", func(_, course int) bool { return course == 5 }},
		{"bottom", func(_, course int) bool { return course == 0 }},
		{"left", func(wale, _ int) bool { return wale == 0 }},
		{"right", func(wale, _ int) bool { return wale == 7 }},
	} {
		b := yarnsOf(t, samples.Knitted(samples.Rib+", pins: [{select: "+c.text+", motion: lift}]"))
		before := append([]r3.Vec(nil), b.World.Positions()...)
		const time = 1e-3
		if err := b.World.Advance(time, b.Pace, nil); err != nil {
			t.Fatal(err)
		}
		up, n := r3.V(0, 0, 0.5*time), 0
		for i, x := range b.World.Positions() {
			moved := x.Sub(before[i]).Sub(up).Norm() < 1e-15
			if held := c.pinned(b.Pieces[0].Fabric.LoopOf(i)); moved != held {
				t.Errorf("%s: point %d at %s moves with the pin: %v", c.text, i, b.Where(i), moved)
			} else if held {
				n++
			}
		}
		if n != b.Pieces[0].Pinned() {
			t.Errorf("%s: %d points are pinned, and %d said to be", c.text, n, b.Pieces[0].Pinned())
		}
	}
	if n := yarnsOf(t, samples.Knitted(samples.Rib+", pins: [{select: ends}]")).Pieces[0].Pinned(); n != 6 {
		t.Errorf("%d ends of three yarns are pinned", n)
	}
	if n := yarnsOf(t, samples.Knitted(samples.Rib+", pins: [{select: all}, {select: top}]")).Pieces[0].Pinned(); n < 8*8*6 {
		t.Errorf("%d of all points are pinned", n)
	}
}

// The energy of frames of a knit that is bent at rest has humps, where a step to its least is no number if pivots are
// forced: it falls on the floor all the same.
func TestKnitThatKeepsItsShapeFalls(t *testing.T) {
	b := yarnsOf(t, samples.Knitted("pattern: rib 2x2, size: [8, 8], rest: laid, place: {rotate: {axis: [1, 0, 0], angle: 90 deg}}, yarn: {plastic: none}")+
		"obstacles: [{name: floor, shape: {plane: {}}, place: {translate: [0, 0, -1 cm]}}]\n")
	if err := b.World.Advance(0.1, b.Pace, nil); err != nil {
		t.Error(err)
	}
}

// What tears is told with its place in the piece, and with what to do if it is a life line.
func TestExplainTearing(t *testing.T) {
	const piece, pins = "pattern: seed, size: [3, 2], ", "pins: [{select: left}, {select: right, motion: lift}]"
	for _, c := range []struct {
		piece, want string
		advice      bool
	}{
		{piece + pins, "of the life line at the ", true}, // bottom and top tear within a step of each other
		{piece + "open: [bottom], " + pins, "of the life line at the top of scarf", true},
		{piece + "open: [bottom, top], " + pins, "wale 2, course 0 of scarf", false},
	} {
		b := yarnsOf(t, samples.Knitted(c.piece))
		err := b.World.Advance(0.5, b.Pace, nil)
		told := b.Explain(err)
		if !errors.Is(told, yarn.ErrTorn) || !strings.Contains(told.Error(), c.want) {
			t.Errorf("%s: %v, explained as %v", c.piece, err, told)
		}
		if advice := strings.Contains(told.Error(), "open: [bottom, top]"); advice != c.advice {
			t.Errorf("%s: %v", c.piece, told)
		}
	}
	if other := errors.New("other"); (&BuiltYarns{}).Explain(other) != other {
		t.Error("another error is not as it was")
	}
}

// Yarns of a file are placed and scaled; a closed one has no ends.
func TestYarnsOfAFile(t *testing.T) {
	b := yarnsOf(t, samples.Knitted("file: two.bcc, unit: 2, place: {scale: 0.5, translate: [0, 0, 1]}, pins: [{select: ends}]"))
	if b.World.Yarns() != 2 || b.Pieces[0].Pinned() != 2 || b.Pieces[0].Fabric != nil {
		t.Errorf("%d yarns, %d ends", b.World.Yarns(), b.Pieces[0].Pinned())
	}
	if _, _, closed := b.World.Range(1); !closed {
		t.Error("the second yarn is open")
	}
	if x := b.World.Positions()[2]; x.Sub(r3.V(0.02, 0, 1)).Norm() > 1e-7 {
		t.Errorf("the third point is at %v", x)
	}
	if where := b.Where(5); where != "point 5 of scarf" {
		t.Error(where)
	}
	if err := b.World.Advance(1e-3, b.Pace, nil); err != nil {
		t.Error(err)
	}
}

// Yarns of a file in another unit than the scene says are refused, with the likely unit.
func TestUnitOfAFileOfYarns(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"file: mm.bcc", "20 m x 110 m x 0 m, and their points up to 8e+03 radii apart; from 0.01 to 64 are possible: is unit: 1 mm missing?"},
		{"file: two.bcc, unit: 1 mm", "up to 0.008 radii apart; from 0.01 to 64 are possible: is it unit: 1 m?"},
		{"file: two.bcc, yarn: {radius: 20 um}", "is unit: 1 cm missing?"},
		{"file: two.bcc, place: {scale: 1e6}", "look at unit, and at the radius"},
	} {
		_, err := scenefile.Parse("test.yaml", []byte(strings.Replace(samples.Base, samples.OtherPart, samples.Knitted(c.text), 1)), samples.Files, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "test.yaml:4:29") {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	yarnsOf(t, samples.Knitted("file: mm.bcc, unit: 1 mm"))
}

// Segments that are held at both ends keep their length while loops get theirs.
func TestPinnedLoopsKeepTheirLength(t *testing.T) {
	b := yarnsOf(t, samples.Knitted(samples.Rib+", loop-length: 38 mm, ease: 5 ms, pins: [{select: top}]"))
	worst := 0.0
	for range 10 {
		if err := b.World.Advance(1e-3, b.Pace, func(s *yarn.Stats) { worst = max(worst, s.Stretch) }); err != nil {
			t.Fatal(err)
		}
	}
	if worst > 1e-5 {
		t.Errorf("yarns are stretched by %g", worst)
	}
}

// Loops get their length.
func TestLoopLengthIsReached(t *testing.T) {
	b := yarnsOf(t, samples.Knitted("pattern: stockinette, size: [6, 5], loop-length: 40 mm, ease: 5 ms"))
	if err := b.World.Advance(30e-3, b.Pace, nil); err != nil {
		t.Fatal(err)
	}
	x, f := b.World.Positions(), b.Pieces[0].Fabric
	_, first, _ := f.Loop(3, 2)
	length := 0.0
	for k := range 8 {
		length += (x[first+k+1].Sub(x[first+k]).Norm() + x[first+k].Sub(x[first+k-1]).Norm()) / 2
	}
	if math.Abs(length-0.04) > 1e-3*0.04 {
		t.Errorf("a loop has %g m of yarn", length)
	}
}

// The friction of an obstacle is that of the pair, else its own, else that of the scene.
func TestFrictionOfYarns(t *testing.T) {
	b := yarnsOf(t, samples.Knitted(samples.Rib)+"friction: {default: 0.1, pairs: [{between: [a, scarf], mu: 0.2}]}\n"+
		"obstacles: [{name: a, shape: {plane: {}}, friction: 0.5}, {name: b, shape: {plane: {}}, friction: 0.3}, {name: c, shape: {plane: {}}}]\n")
	for i, want := range []float64{0.2, 0.3, 0.1} {
		if got := yarnFriction(b.Scene, b.Scene.Obstacles[i].Name, b.Scene.Obstacles[i].Friction); got != want {
			t.Errorf("friction of obstacle %d is %g, want %g", i, got, want)
		}
	}
}

// Rigid balls fall on yarns and weigh on them.
func TestBallsAmongYarns(t *testing.T) {
	b := yarnsOf(t, samples.Knitted("pattern: stockinette, size: [8, 8], pins: [{select: left}, {select: right}]")+
		"rigids: [{name: ball, shape: {sphere: {radius: 1 cm}}, place: {scale: 0.5, translate: [4 cm, 3 cm, 1 cm]}, mass: 2 g, velocity: [0, 0, -0.5]}]\n")
	ball := b.Balls[0]
	if ball.Radius != 0.005 || math.Abs(ball.Mass-2e-3) > 1e-15 || ball.Friction != 0.3 {
		t.Errorf("%+v", ball)
	}
	if err := b.World.Advance(0.1, b.Pace, nil); err != nil {
		t.Fatal(err)
	}
	if at := b.World.ObstaclePose(0).T; at.Z > 0.01 || at.Z < -0.05 { // it would have fallen to -0.09
		t.Errorf("the ball is at %v", at)
	}
	if load := b.World.Load(0); load.Points == 0 {
		t.Error("it touches nothing")
	}
}

// Steps are as the file says, and short without a word.
func TestPaceOfYarns(t *testing.T) {
	for _, c := range []struct {
		time       string
		base, most float64
	}{
		{"time: {end: 1}", 1.0 / 16200, 1.0 / 4000},
		{"time: {end: 1, step: 5e-4}", 1.0 / 16200, 5e-4},
		{"time: {end: 1, step: 1e-5}", 1e-5, 1e-5},
	} {
		s, err := scenefile.Parse("test.yaml", []byte("toile: 1\n"+strings.Replace(samples.Knitted(samples.Rib), samples.YarnTime, c.time+"\n", 1)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Yarns(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		if b.Pace.Base != c.base || b.Pace.Most != c.most {
			t.Errorf("%s: %+v", c.time, b.Pace)
		}
		if _, err := World(s); err == nil {
			t.Error("a world of cloths is built")
		}
	}
}

// What check says of a scene is what is built.
func TestCostOfYarns(t *testing.T) {
	b := yarnsOf(t, samples.Knitted(samples.Rib))
	c := b.Scene.Cost()
	if c.Loops != 48 || c.Points != len(b.World.Positions()) || c.Segments != c.Points-3 || c.Vertices != 0 {
		t.Errorf("%+v", c)
	}
	bare := *b.Scene
	bare.Yarns = nil
	if _, err := Yarns(&bare, 1); err == nil {
		t.Error("a scene without yarns is built")
	}
}
