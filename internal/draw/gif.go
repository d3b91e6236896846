// Animated GIF, a frame at a time.
//
// The layout is that of [GIF89a]: a header with one table of 256 colours for all frames, a block that asks for
// endless repetition, and for each frame a control block with its delay, a rectangle and its pixels, compressed
// by LZW. The encoder of the standard library wants all frames at once; this one keeps only the last.
//
// A frame has the rectangle that differs from the one before, and within it the entry "as before" for every
// pixel that is the same: with a camera that stands still most of a picture is, and long runs compress well.

package draw

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
)

// Limits of GIF files.
const (
	// GIFTick is the unit of their delays [s].
	GIFTick = 0.01
	// GIFMaxRate is the largest number of frames a second that programs show: they slow down what has
	// delays of less than two ticks.
	GIFMaxRate = 50

	gifMaxSide  = 1<<16 - 1
	gifMaxDelay = 1<<16 - 1 // [ticks]
	asBefore    = 255       // transparent entry of the palette
)

// GIF writes a film as an animated GIF.
type GIF struct {
	w       *bufio.Writer
	width   int
	height  int
	colors  *quantizer
	shown   []uint8 // the picture as it is after the last frame; nil before the first
	pending []uint8 // the next one, whose delay is not known yet
	from    float64 // when it appears [s]
	ticks   int     // written so far
	err     error
}

// NewGIF begins a film. Its colours are chosen from the samples, pictures of the film or smaller ones like
// them; Add wants pictures of width x height.
func NewGIF(w io.Writer, width, height int, samples []*image.RGBA) (*GIF, error) {
	if min(width, height) < 1 || max(width, height) > gifMaxSide {
		return nil, fmt.Errorf("a GIF of %d x %d pixels; want 1 to %d", width, height, gifMaxSide)
	}
	c := new(census) // large
	for _, s := range samples {
		c.add(s)
	}
	g := &GIF{w: bufio.NewWriter(w), width: width, height: height, colors: newQuantizer(c.palette())}
	g.header()
	return g, nil
}

func (g *GIF) header() {
	g.write([]byte("GIF89a"))
	g.shorts(g.width, g.height)
	g.write([]byte{0xf7, 0, 0}) // 256 colours for all frames; background 0; square pixels
	table := make([]byte, 3*256)
	for i, c := range g.colors.labs {
		rgb := oklab(c[0], c[1], c[2]).rgba()
		table[3*i], table[3*i+1], table[3*i+2] = rgb.R, rgb.G, rgb.B
	}
	g.write(table)
	g.write([]byte("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")) // repeat for ever
}

// Add shows a picture from time on [s]; times rise. The picture may be changed afterwards.
func (g *GIF) Add(img *image.RGBA, time float64) error {
	if got := img.Bounds().Size(); got != image.Pt(g.width, g.height) {
		return fmt.Errorf("a picture of %v pixels in a GIF of %d x %d", got, g.width, g.height)
	}
	if g.pending != nil {
		g.frame(time)
	} else {
		g.pending = make([]uint8, g.width*g.height)
	}
	g.from = time
	for y := range g.height {
		row := img.Pix[y*img.Stride : y*img.Stride+4*g.width]
		for x := range g.width {
			g.pending[y*g.width+x] = g.colors.index(row[4*x], row[4*x+1], row[4*x+2])
		}
	}
	return g.err
}

// Close shows the last picture until end [s] and finishes the file. It does not close the writer.
func (g *GIF) Close(end float64) error {
	if g.pending == nil {
		return errors.New("a GIF without pictures")
	}
	g.frame(end)
	g.write([]byte{0x3b})
	if g.err == nil {
		g.err = g.w.Flush()
	}
	return g.err
}

// frame writes the pending picture, which is shown until the given time. Delays are whole ticks: they are
// rounded so that the film as a whole keeps its pace.
func (g *GIF) frame(until float64) {
	delay := min(max(int(math.Round(until/GIFTick))-g.ticks, 1), gifMaxDelay)
	g.ticks += delay
	box := g.changed()
	g.write([]byte{0x21, 0xf9, 4, 0x05}) // keep what is there; one entry is transparent
	g.shorts(delay)
	g.write([]byte{asBefore, 0, 0x2c})
	g.shorts(box.Min.X, box.Min.Y, box.Dx(), box.Dy())
	g.write([]byte{0, 8})
	blocks := &subBlocks{g: g}
	packer := lzw.NewWriter(blocks, lzw.LSB, 8)
	row := make([]uint8, box.Dx())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		at := y*g.width + box.Min.X
		copy(row, g.pending[at:at+len(row)])
		if g.shown != nil {
			for x := range row {
				if row[x] == g.shown[at+x] {
					row[x] = asBefore
				}
			}
		}
		if _, err := packer.Write(row); err != nil && g.err == nil {
			g.err = err
		}
	}
	if err := packer.Close(); err != nil && g.err == nil {
		g.err = err
	}
	blocks.end()
	if g.shown == nil {
		g.shown = make([]uint8, len(g.pending))
	}
	g.shown, g.pending = g.pending, g.shown
}

// changed returns the rectangle in which the pending picture differs from what is shown; it has at least a pixel.
func (g *GIF) changed() image.Rectangle {
	if g.shown == nil {
		return image.Rect(0, 0, g.width, g.height)
	}
	box := image.Rectangle{Min: image.Pt(g.width, g.height)}
	for y := range g.height {
		a, b := g.pending[y*g.width:(y+1)*g.width], g.shown[y*g.width:(y+1)*g.width]
		for x := range a {
			if a[x] != b[x] {
				box.Min.X, box.Max.X = min(box.Min.X, x), max(box.Max.X, x+1)
				box.Min.Y, box.Max.Y = min(box.Min.Y, y), y+1
			}
		}
	}
	if box.Max.X == 0 {
		return image.Rect(0, 0, 1, 1)
	}
	return box
}

// write appends bytes, and remembers if it could not.
func (g *GIF) write(b []byte) {
	if g.err == nil {
		_, g.err = g.w.Write(b)
	}
}

func (g *GIF) shorts(numbers ...int) {
	for _, n := range numbers {
		g.write(binary.LittleEndian.AppendUint16(nil, uint16(n)))
	}
}

// subBlocks cuts a stream into blocks of at most 255 bytes, each after its length.
type subBlocks struct {
	g   *GIF
	buf [256]byte
	n   int
}

// Write takes bytes of the stream.
func (b *subBlocks) Write(data []byte) (int, error) {
	for _, x := range data {
		b.n++
		b.buf[b.n] = x
		if b.n == 255 {
			b.flush()
		}
	}
	return len(data), b.g.err
}

func (b *subBlocks) flush() {
	if b.n > 0 {
		b.buf[0] = byte(b.n)
		b.g.write(b.buf[:b.n+1])
		b.n = 0
	}
}

// end writes the rest and the block of length 0.
func (b *subBlocks) end() {
	b.flush()
	b.g.write([]byte{0})
}
