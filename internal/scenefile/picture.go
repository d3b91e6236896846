package scenefile

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // to read maps
	_ "image/png"
	"math"
	"path"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// Images as maps.
//
// An image of W by H pixels covers the square of UVs from (0, 0), its lower left corner, to (1, 1), its upper right
// one: v runs upwards, rows of pixels downwards. The pixel in column i and row j has its middle at
//
//	u = (i + ½)/W,   v = 1 - (j + ½)/H
//
// and values between middles are bilinear. Outside of the outermost middles the nearest pixels go on, so that UVs
// beyond the square have the value of its border. A value is 0 for black and 1 for white, as stored: a grey of 128 of
// 255 is 0.502, without any gamma.

// picture is one channel of an image.
type picture struct {
	w, h  int
	value []float32 // by row from the top, in 0..1
}

// maxPixels bounds the size of an image.
const maxPixels = 1 << 26

// isImage tells whether the name of a map is that of an image.
func isImage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg":
		return true
	}
	return false
}

// channels are the words for what of a colour is taken.
var channels = map[string]func(color.NRGBA64) float64{
	"luminance": luminance,
	"red":       func(c color.NRGBA64) float64 { return float64(c.R) / math.MaxUint16 },
	"green":     func(c color.NRGBA64) float64 { return float64(c.G) / math.MaxUint16 },
	"blue":      func(c color.NRGBA64) float64 { return float64(c.B) / math.MaxUint16 },
	"alpha":     func(c color.NRGBA64) float64 { return float64(c.A) / math.MaxUint16 },
}

// luminance is that of ITU-R BT.709 of the values as stored; greys keep theirs exactly.
func luminance(c color.NRGBA64) float64 {
	return grey(float64(c.R), float64(c.G), float64(c.B)) / math.MaxUint16
}

func grey(r, g, b float64) float64 {
	if r == g && g == b {
		return r
	}
	return 0.2126*r + 0.7152*g + 0.0722*b
}

// readPicture decodes a channel of an image.
func readPicture(name string, data []byte, channel string) (*picture, error) {
	// size from its head, before memory is taken for it
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("file %s is not an image that can be read: %w", shown(name), err)
	}
	if config.Width < 1 || config.Height < 1 || config.Width > maxPixels/config.Height {
		return nil, fmt.Errorf(
			"image %s has %d by %d pixels; at most %d in all are read",
			shown(name),
			config.Width,
			config.Height,
			maxPixels,
		)
	}
	// pixels
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("file %s is not an image that can be read: %w", shown(name), err)
	}
	b := img.Bounds()
	p := &picture{w: b.Dx(), h: b.Dy(), value: make([]float32, 0, b.Dx()*b.Dy())}
	// value of the channel at each
	of := channels[channel]
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c, _ := color.NRGBA64Model.Convert(img.At(x, y)).(color.NRGBA64)
			p.value = append(p.value, float32(of(c)))
		}
	}
	return p, nil
}

// at returns the value at a point.
func (p *picture) at(uv r3.Vec2) float64 {
	i, s := place1(uv.X*float64(p.w)-0.5, p.w)
	j, t := place1((1-uv.Y)*float64(p.h)-0.5, p.h)
	pixel := func(i, j int) float64 { return float64(p.value[j*p.w+i]) }
	right, down := min(i+1, p.w-1), min(j+1, p.h-1)
	top := (1-s)*pixel(i, j) + s*pixel(right, j)
	bottom := (1-s)*pixel(i, down) + s*pixel(right, down)
	return (1-t)*top + t*bottom
}

// place1 returns the pixel before x and how far x is beyond it, in 0..1, within n pixels.
func place1(x float64, n int) (int, float64) {
	x = min(max(x, 0), float64(n-1))
	i := min(int(x), n-1)
	return i, x - float64(i)
}
