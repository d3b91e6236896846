package main

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/draw"
	"github.com/toile-sim/toile/r3"
)

// renderFlags are the flags of toile render.
type renderFlags struct {
	mesh    meshFlags
	out     string
	frames  string
	number  int
	columns int
	size    string
	edges   bool
	color   string
	from    string
	near    bool
	hide    []string
	workers int
}

func newRenderCommand(t *term) *cobra.Command {
	var f renderFlags
	cmd := &cobra.Command{
		Use:   "render DIR|MESH",
		Short: "Draw frames of a run, or a mesh, as a .png sheet",
		Long: `Draw frames of a run on one sheet, or a mesh file (.obj, .ply, .glb), without a
browser. The camera and the colour scale are the same in all pictures of a sheet, so
that they can be compared. The camera looks at the cloth and at what it touches;
--near=false takes in the whole run and all obstacles.

Without --frames, --number frames are taken, evenly spaced from the first to the last.

--color state tells what the contacts of the last step do at each vertex; gap [m] and
impulse [N s] are grey where there is no contact.`,
		Example: `  toile render scene.run -o sheet.png
  toile render scene.run -o last.png --frames last --edges --from side
  toile render scene.run -o stretch.png --frames first,30,60-90,last --color stretch
  toile render scene.run -o grip.png --frames last --color state --hide press,plate
  toile render shirt.obj -o shirt.png --from 30,20`,
		Args: needArgs("DIR or MESH"),
		RunE: func(_ *cobra.Command, args []string) error { return render(t, args[0], &f) },
	}
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "the picture: a `file` name that ends in .png (needed)")
	cmd.Flags().StringVar(&f.frames, "frames", "", "`frames` to draw: numbers, ranges such as 10-20, first, last, with commas")
	cmd.Flags().IntVarP(&f.number, "number", "n", 6, "`how many` frames, evenly spaced")
	cmd.Flags().IntVarP(&f.columns, "columns", "c", 0, "`pictures` side by side (default: near square)")
	cmd.Flags().StringVar(&f.size, "size", "", "size of each picture, `WxH` (default 1280x720, or 640x360 if there are several)")
	cmd.Flags().BoolVarP(&f.edges, "edges", "e", false, "draw the edges of triangles")
	cmd.Flags().StringVar(&f.color, "color", plainColor, "colour by `quantity`: "+colorWords()+"; plain is by cloth")
	cmd.Flags().StringVar(&f.from, "from", "iso", "look from a `place`: front, back, left, right, top, iso, or AZIMUTH,ELEVATION in degrees")
	cmd.Flags().BoolVar(&f.near, "near", true, "bring the camera near to the cloth in the frames drawn and to what it touches")
	cmd.Flags().StringSliceVar(&f.hide, "hide", nil, "`names` of obstacles not to draw, with commas")
	completeFlag(cmd, "color", append(slices.Clone(colorNames), plainColor)...)
	completeFlag(cmd, "from", "front", "back", "left", "right", "top", "iso")
	completeFlag(cmd, "frames", "first", "last")
	addMeshFlags(cmd, &f.mesh)
	addWorkers(cmd, &f.workers)
	addJSON(cmd, t)
	return cmd
}

func render(t *term, path string, f *renderFlags) error {
	eye, err := f.direction()
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	var book album
	if isFolder(path) || !isMeshFile(path) {
		err = f.runCells(path, &book)
	} else {
		err = f.meshCells(path, &book)
	}
	if err != nil {
		return err
	}
	cells := book.cells
	width, height, err := f.cellSize(len(cells))
	if err != nil {
		return err
	}
	box := r3.BoxOf(book.points)
	opt := draw.DefaultOptions()
	opt.Width, opt.Height, opt.Workers = width, height, f.workers
	opt.Axes, opt.Scale = true, f.scale(cells)
	camera := draw.FitPoints(book.points, eye, float64(width)/float64(height))
	busy := newSpinner(t, "drawing "+count(len(cells), "picture"))
	pictures, captions := make([]*image.RGBA, len(cells)), make([]string, len(cells))
	for i := range cells {
		surfaces, ground := cells[i].dress(box)
		opt.Ground = ground
		pictures[i], captions[i] = draw.Render(surfaces, camera, opt), cells[i].caption
	}
	busy.close()
	sheet := pictures[0]
	if len(cells) > 1 {
		sheet = draw.Sheet(pictures, captions, f.columns, book.title)
	}
	if err := writePNG(f.out, sheet); err != nil {
		return err
	}
	t.emit(wroteEvent{"wrote", f.out})
	size := sheet.Bounds().Size()
	t.say("Wrote %s, %d x %d pixels, %s.", f.out, size.X, size.Y, count(len(cells), "picture"))
	return nil
}

func (f *renderFlags) check() error {
	switch {
	case f.out == "":
		return badUsage("-o FILE.png is missing")
	case !strings.EqualFold(filepath.Ext(f.out), ".png"):
		return badUsage("-o %s: only .png can be written; write a name that ends in .png", f.out)
	case f.number < 1:
		return badUsage("--number %d: write how many frames, at least 1", f.number)
	case f.columns < 0:
		return badUsage("--columns %d: write how many pictures side by side", f.columns)
	}
	if _, ok := colorings[f.color]; !ok && f.color != plainColor {
		return badUsage("--color %s: write %s", f.color, colorWords())
	}
	return checkWorkers(f.workers)
}

// cellSize returns the size of each of n pictures, and settles the number of columns.
func (f *renderFlags) cellSize(n int) (width, height int, err error) {
	if f.columns == 0 {
		f.columns = int(math.Ceil(math.Sqrt(float64(n))))
	}
	f.columns = min(f.columns, n)
	if f.size == "" {
		if n == 1 {
			return 1280, 720, nil
		}
		return 640, 360, nil
	}
	w, h, ok := strings.Cut(strings.ToLower(f.size), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || min(width, height) < 16 || max(width, height) > 8192 {
		return 0, 0, badUsage("--size %s: write WIDTHxHEIGHT in pixels, each from 16 to 8192, such as 1280x720", f.size)
	}
	rows := (n + f.columns - 1) / f.columns
	if width*f.columns > maxSheet || height*rows > maxSheet {
		return 0, 0, badUsage("%d pictures of %s in %d columns make a sheet larger than %d pixels; take fewer or smaller ones", n, f.size, f.columns, maxSheet)
	}
	return width, height, nil
}

// maxSheet is the largest side of a sheet [pixel].
const maxSheet = 32_768

// views are the directions with a name, from the scene to the eye.
var views = map[string]r3.Vec{
	"iso": {}, "front": {Y: -1}, "back": {Y: 1}, "left": {X: -1}, "right": {X: 1}, "side": {X: 1}, "top": {Z: 1},
}

// direction returns where the camera looks from. Azimuth 0 is the front, 90 the right.
func (f *renderFlags) direction() (r3.Vec, error) {
	if v, ok := views[f.from]; ok {
		return v, nil
	}
	a, e, ok := strings.Cut(f.from, ",")
	azimuth, errA := strconv.ParseFloat(strings.TrimSpace(a), 64)
	elevation, errE := strconv.ParseFloat(strings.TrimSpace(e), 64)
	if !ok || errA != nil || errE != nil || !(math.Abs(azimuth) <= 360) || !(math.Abs(elevation) <= 90) {
		return r3.Vec{}, badUsage("--from %s: write front, back, left, right, top, iso, or AZIMUTH,ELEVATION in degrees, such as 30,20", f.from)
	}
	sa, ca := math.Sincos(azimuth * math.Pi / 180)
	se, ce := math.Sincos(elevation * math.Pi / 180)
	return r3.V(sa*ce, -ca*ce, se), nil
}

// choose returns the frames that the flags ask for.
func (f *renderFlags) choose(present []int) ([]int, error) {
	if f.frames == "" {
		return evenly(present, f.number), nil
	}
	first, last := present[0], present[len(present)-1]
	var chosen []int
	for _, word := range strings.Split(f.frames, ",") {
		from, to, err := frameRange(strings.TrimSpace(word), first, last)
		if err != nil {
			return nil, err
		}
		if from < first || to > last {
			return nil, badUsage("--frames %s: the run has frames %d to %d", word, first, last)
		}
		for n := from; n <= to; n++ {
			if _, ok := slices.BinarySearch(present, n); !ok {
				return nil, badInput(fmt.Errorf("frame %d is missing", n))
			}
			chosen = append(chosen, n)
		}
	}
	if len(chosen) > maxCells {
		return nil, badUsage("--frames %s: these are %s; at most %d fit on a sheet", f.frames, count(len(chosen), "frame"), maxCells)
	}
	return chosen, nil
}

// maxCells is the largest number of pictures on a sheet.
const maxCells = 400

func frameRange(word string, first, last int) (from, to int, err error) {
	switch word {
	case "first":
		return first, first, nil
	case "last":
		return last, last, nil
	}
	a, b, isRange := strings.Cut(word, "-")
	if !isRange {
		b = a
	}
	from, errA := strconv.Atoi(a)
	to, errB := strconv.Atoi(b)
	if errA != nil || errB != nil || from > to {
		return 0, 0, badUsage("--frames %s: write numbers, ranges such as 10-20, first or last, with commas", word)
	}
	return from, to, nil
}

// evenly returns n of the values, or all if there are fewer, evenly spaced with both ends; the last
// for n = 1.
func evenly(values []int, n int) []int {
	n = min(n, len(values))
	if n == 1 {
		return values[len(values)-1:]
	}
	out := make([]int, n)
	for i := range out {
		out[i] = values[(i*(len(values)-1)+(n-1)/2)/(n-1)]
	}
	return out
}

// writePNG writes a picture in one go, so that a failure leaves none that is cut short.
func writePNG(path string, img image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	return badInput(os.WriteFile(path, b.Bytes(), 0o666))
}
