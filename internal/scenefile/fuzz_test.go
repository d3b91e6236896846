package scenefile

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/toile-sim/toile/r3"
)

// FuzzSet changes a scene by arbitrary --set.
func FuzzSet(f *testing.F) {
	for _, set := range []string{
		"time.end=2", "time.end=2 s", "cloths.sheet.material=silk", "cloths[0].shape.grid.cells=[3, 3]", "gravity=[0,0,0]",
		"obstacles=[{name: a, shape: {plane: {}}}]", "a.b.c=[", "=", "cloths.=1", "friction={default: 0.3}", "time={}",
	} {
		f.Add(set)
	}
	f.Fuzz(func(t *testing.T, set string) {
		if len(set) > 1<<10 || costly(set) {
			return
		}
		s, err := parse("fuzz.yaml", []byte(base), badFiles, []string{set}, 100)
		checkFaults(t, err)
		if err != nil {
			return
		}
		if again, err := parse("again.json", s.Resolved(), badFiles, nil, 100); err != nil {
			t.Fatalf("resolved is no scene: %v\n%s", err, s.Resolved())
		} else if string(again.Resolved()) != string(s.Resolved()) {
			t.Fatalf("resolved differs:\n%s\n%s", s.Resolved(), again.Resolved())
		}
	})
}

// FuzzSeams reads arbitrary files of seams to a drawing of panels.
func FuzzSeams(f *testing.F) {
	text, files := documented(f)
	seams := files["skirt.yaml"].Data
	f.Add(string(seams))
	for _, cut := range []string{"panels", "seams", "darts"} {
		f.Add(strings.Replace(string(seams), cut, "x", 1))
	}
	f.Fuzz(func(t *testing.T, seams string) {
		if len(seams) > 1<<12 || costly(seams) {
			return
		}
		files["skirt.yaml"].Data = []byte(seams)
		_, err := parse("fuzz.yaml", []byte(text), files, nil, 2000)
		checkFaults(t, err)
	})
}

// FuzzImage reads arbitrary bytes as an image of a map.
func FuzzImage(f *testing.F) {
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	img.Set(1, 1, color.NRGBA{R: 200, G: 10, A: 128})
	var one, other bytes.Buffer
	if err := errors.Join(png.Encode(&one, img), jpeg.Encode(&other, img, nil)); err != nil {
		f.Fatal(err)
	}
	f.Add(one.Bytes(), "alpha")
	f.Add(other.Bytes(), "luminance")
	f.Fuzz(func(t *testing.T, data []byte, channel string) {
		if channels[channel] == nil {
			channel = "red"
		}
		if config, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil && config.Width > 1<<16/max(1, config.Height) {
			return // allowed, and slow
		}
		p, err := readPicture("map.png", data, channel)
		if err != nil {
			return
		}
		for _, uv := range []r3.Vec2{{}, {X: 1, Y: 1}, {X: 0.3, Y: 0.7}, {X: -1e300, Y: 1e300}} {
			if v := p.at(uv); !(v >= 0 && v <= 1) {
				t.Fatalf("%v at %v", v, uv)
			}
		}
		if p.w*p.h != len(p.value) || math.IsNaN(float64(p.value[0])) {
			t.Fatalf("%d by %d pixels, %d values", p.w, p.h, len(p.value))
		}
	})
}
