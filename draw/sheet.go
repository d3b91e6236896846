package draw

import (
	"image"
	"image/color"
	"image/draw"
)

// Sheet puts pictures on one page, row by row in the given number of columns, each with its caption
// underneath and all under a title. Cells are as large as the largest picture, smaller ones are
// centred, and a nil picture leaves its cell blank. Captions that do not fit are cut; missing ones
// are blank.
func Sheet(cells []*image.RGBA, captions []string, columns int, title string) *image.RGBA {
	columns = max(1, min(columns, len(cells)))
	rows := (len(cells) + columns - 1) / columns
	width, height := 0, 0
	for _, c := range cells {
		if c != nil {
			width, height = max(width, c.Bounds().Dx()), max(height, c.Bounds().Dy())
		}
	}
	size := min(max(float64(width)/26, 12), 40)
	gap := int(size)
	under, head := 0, 0
	if len(captions) > 0 {
		under = int(1.9 * size)
	}
	if title != "" {
		head = int(2.6 * size)
	}
	page := image.NewRGBA(image.Rect(0, 0, gap+columns*(width+gap), head+gap+rows*(height+under)+max(rows-1, 0)*gap+gap))
	draw.Draw(page, page.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	if title != "" {
		room := float64(page.Bounds().Dx() - 2*gap)
		write(page, shorten(title, room, 1.35*size, true), float64(gap), 0.6*float64(gap)+1.5*size, 1.35*size, true, ink)
	}
	frame := color.RGBA{0xc9, 0xcf, 0xd8, 0xff}
	for i, c := range cells {
		x := gap + i%columns*(width+gap)
		y := head + gap + i/columns*(height+under+gap)
		if c != nil {
			b := c.Bounds()
			at := image.Pt(x+(width-b.Dx())/2, y+(height-b.Dy())/2)
			box := image.Rectangle{at, at.Add(b.Size())}
			draw.Draw(page, box.Inset(-1), image.NewUniform(frame), image.Point{}, draw.Src)
			draw.Draw(page, box, c, b.Min, draw.Src)
		}
		if i < len(captions) {
			text := shorten(captions[i], float64(width), size, false)
			write(page, text, float64(x), float64(y+height)+1.35*size, size, false, ink)
		}
	}
	return page
}
