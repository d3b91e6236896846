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
	width, height := 0, 0
	for _, c := range cells {
		if c != nil {
			width, height = max(width, c.Bounds().Dx()), max(height, c.Bounds().Dy())
		}
	}
	page := NewPage(len(cells), columns, width, height, len(captions) > 0, title)
	for i, c := range cells {
		caption := ""
		if i < len(captions) {
			caption = captions[i]
		}
		page.Put(i, c, caption)
	}
	return page.Image
}

// Page is a sheet whose pictures come one by one, so that only one of them need exist at a time.
type Page struct {
	// Image is the sheet so far.
	Image *image.RGBA

	columns, width, height int // of cells
	gap, under, head       int
	size                   float64 // of text
}

// NewPage returns a sheet for n pictures of width x height pixels, with a title unless it is empty and room
// for captions if there are to be any.
func NewPage(n, columns, width, height int, captions bool, title string) *Page {
	// columns, rows and what is between them
	columns = max(1, min(columns, n))
	rows := (n + columns - 1) / columns
	p := &Page{columns: columns, width: width, height: height, size: min(max(float64(width)/26, 12), 40)}
	p.gap = int(p.size)
	// room for captions and title
	if captions {
		p.under = int(1.9 * p.size)
	}
	if title != "" {
		p.head = int(2.6 * p.size)
	}
	// empty page
	p.Image = image.NewRGBA(
		image.Rect(0, 0, p.gap+columns*(width+p.gap), p.head+p.gap+rows*(height+p.under)+max(rows-1, 0)*p.gap+p.gap),
	)
	draw.Draw(p.Image, p.Image.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	// title
	if title != "" {
		room := float64(p.Image.Bounds().Dx() - 2*p.gap)
		write(
			p.Image,
			shorten(title, room, 1.35*p.size, true),
			float64(p.gap),
			0.6*float64(p.gap)+1.5*p.size,
			1.35*p.size,
			true,
			ink,
		)
	}
	return p
}

// Put draws the picture of cell i, or leaves it blank if the picture is nil, and its caption.
func (p *Page) Put(i int, picture *image.RGBA, caption string) {
	x := p.gap + i%p.columns*(p.width+p.gap)
	y := p.head + p.gap + i/p.columns*(p.height+p.under+p.gap)
	if picture != nil {
		b := picture.Bounds()
		at := image.Pt(x+(p.width-b.Dx())/2, y+(p.height-b.Dy())/2)
		box := image.Rectangle{at, at.Add(b.Size())}
		frame := color.RGBA{0xc9, 0xcf, 0xd8, 0xff}
		draw.Draw(p.Image, box.Inset(-1), image.NewUniform(frame), image.Point{}, draw.Src)
		draw.Draw(p.Image, box, picture, b.Min, draw.Src)
	}
	if caption != "" {
		text := shorten(caption, float64(p.width), p.size, false)
		write(p.Image, text, float64(x), float64(y+p.height)+1.35*p.size, p.size, false, ink)
	}
}
