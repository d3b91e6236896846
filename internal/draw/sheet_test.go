package draw

import (
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
)

func block(w, h int, c color.Color) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

func count(img *image.RGBA, c color.RGBA) (n int) {
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if img.RGBAAt(x, y) == c {
				n++
			}
		}
	}
	return n
}

func TestSheetHoldsEveryCell(t *testing.T) {
	red, green := color.RGBA{0xff, 0, 0, 0xff}, color.RGBA{0, 0xff, 0, 0xff}
	cells := []*image.RGBA{block(120, 80, red), block(60, 80, green), nil, block(120, 40, red), block(120, 80, green)}
	sheet := Sheet(cells, []string{"one", strings.Repeat("long ", 99), "", "four"}, 3, "Title")
	if n, want := count(sheet, red), 120*80+120*40; n != want {
		t.Errorf("%d red pixels, want %d", n, want)
	}
	if n, want := count(sheet, green), 60*80+120*80; n != want {
		t.Errorf("%d green pixels, want %d", n, want)
	}
	if n := count(sheet, ink); n == 0 {
		t.Error("no text")
	}
}

func TestSheetOfLittle(t *testing.T) {
	Sheet(nil, nil, 0, "")
	Sheet(nil, []string{"caption"}, -2, "title")
	Sheet([]*image.RGBA{nil}, nil, 5, "title")
	Sheet([]*image.RGBA{block(1, 1, ink)}, []string{"much longer than the picture"}, 1, "and so is the title")
}

func TestShorten(t *testing.T) {
	text := "a caption that is too long"
	short := shorten(text, 80, 12, false)
	if w := textWidth(short, 12, false); w > 80 || !strings.HasSuffix(short, "…") {
		t.Errorf("%q is %.1f pixels wide, want at most 80 and an ellipsis", short, w)
	}
	if got := shorten(text, 1000, 12, false); got != text {
		t.Errorf("text with enough room became %q", got)
	}
}
