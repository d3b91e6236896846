package draw

import (
	"image"
	"image/color"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// fonts holds the parsed Go fonts, regular and bold.
var fonts = sync.OnceValue(func() (f struct{ regular, bold *opentype.Font }) {
	f.regular, f.bold = mustParse(goregular.TTF), mustParse(gobold.TTF)
	return f
})

// mustParse parses a font that is part of the program.
func mustParse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err)
	}
	return f
}

// textSize returns the size of text that suits a picture [pixels].
func textSize(img *image.RGBA) float64 {
	return min(max(float64(img.Bounds().Dy())/42, 11), 48)
}

// face returns a font of a size [pixels].
func face(size float64, bold bool) font.Face {
	f := fonts().regular
	if bold {
		f = fonts().bold
	}
	// Sizes are positive, which is all that can go wrong.
	out, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err)
	}
	return out
}

// write draws a line of text with its baseline starting at (x, y).
func write(img *image.RGBA, text string, x, y, size float64, bold bool, c color.Color) {
	d := font.Drawer{
		Dst: img, Src: image.NewUniform(c), Face: face(size, bold),
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)},
	}
	d.DrawString(text)
}

// textWidth returns the length of a line of text [pixels].
func textWidth(text string, size float64, bold bool) float64 {
	return float64(font.MeasureString(face(size, bold), text)) / 64
}

// shorten returns the text, cut and ended with an ellipsis if it is longer than width [pixels].
func shorten(text string, width, size float64, bold bool) string {
	if textWidth(text, size, bold) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 {
		runes = runes[:len(runes)-1]
		if short := string(runes) + "…"; textWidth(short, size, bold) <= width {
			return short
		}
	}
	return ""
}
