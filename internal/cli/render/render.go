// Package render has the command toile render, which draws pictures and films of runs and meshes.
package render

import (
	"bytes"
	"cmp"
	"context"
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

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/r3"
)

// renderFlags are the flags of toile render.
type renderFlags struct {
	mesh    cli.MeshFlags
	out     string
	frames  string
	number  int
	columns int
	size    string
	edges   bool
	arrows  bool
	label   bool
	color   string
	scale   string
	from    string
	at      string
	near    bool
	hide    []string
	fps     float64
	speed   float64
	workers int

	given func(flag string) bool // whether a flag is on the command line
}

// Command returns toile render.
func Command(t *cli.Term) *cobra.Command {
	var f renderFlags
	cmd := &cobra.Command{
		Use:   "render DIR|MESH",
		Short: "Draw frames of a run, or a mesh: a .png sheet, a .gif or .mp4 film",
		Long: `Draw frames of a run, or a mesh file (.obj, .ply, .glb), without a browser. What the
name of the output ends in says what is made:
  .png  a picture, or several on one sheet
  .gif  a film that plays anywhere and is best kept short and small
  .mp4  a film; needs the program ffmpeg

The camera and the colour scale are the same in all pictures of a sheet or a film. The
camera looks at the cloth and at what it touches, in all the frames drawn;
--near=false takes in the whole run and all obstacles.

A sheet has --number frames, evenly spaced from the first to the last, or those of
--frames. A film has all frames, or those of --frames, and takes as long as what it shows:
--speed 0.25 is slow motion, --fps drops or repeats frames without changing the pace.

--color state tells what the contacts of the last step do at each vertex; gap [m] and
impulse [N s] are grey where there is no contact. --arrows draws the impulses on the
vertices, friction included.

A frame that is damaged is named and left out: on a sheet its place stays empty, in a
film the frame before stays. The exit code is then 1.`,
		Example: `  toile render scene.run -o sheet.png
  toile render scene.run -o last.png --frames last --edges --from side
  toile render scene.run -o film.gif --size 480x270 --frames 0-60/2
  toile render scene.run -o slow.mp4 --speed 0.25 --color speed --range 0,2
  toile render scene.run -o stretch.png --frames first,30,60-90,last --color stretch
  toile render scene.run -o grip.png --frames last --color state --hide press,plate
  toile render scene.run -o near.png --frames last --from 0.4,-0.8,0.5 --at 0,0,0.1
  toile render shirt.obj -o shirt.png --from 30,20`,
		Args: cli.NeedArgs("DIR or MESH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.given = cmd.Flags().Changed
			return render(cmd.Context(), t, args[0], &f)
		},
	}
	// its own flags, and those that several commands have
	f.add(cmd)
	cli.AddMeshFlags(cmd, &f.mesh)
	cli.AddWorkers(cmd, &f.workers)
	cli.AddJSON(cmd, t)
	return cmd
}

// add gives a command the flags that are of pictures and films alone.
func (f *renderFlags) add(cmd *cobra.Command) {
	// what is drawn, and how large
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "a `file` name that ends in .png, .gif or .mp4 (needed)")
	cmd.Flags().StringVar(
		&f.frames, "frames", "",
		"`frames` to draw: numbers, first, last, ranges such as 10-20 or 0-last/5 (every fifth), with commas",
	)
	cmd.Flags().IntVarP(&f.number, "number", "n", 6, "`how many` frames on a sheet, evenly spaced")
	cmd.Flags().IntVarP(&f.columns, "columns", "c", 0, "`pictures` side by side on a sheet (default: near square)")
	cmd.Flags().StringVar(
		&f.size, "size", "",
		"size of each picture, `WxH` (default 1280x720; 640x360 in a .gif or on a sheet of several)",
	)
	// how it is drawn
	cmd.Flags().BoolVarP(&f.edges, "edges", "e", false, "draw the edges of triangles")
	cmd.Flags().BoolVar(&f.arrows, "arrows", false, "draw arrows for contact impulses")
	cmd.Flags().BoolVar(&f.label, "label", false, "write frame and time into the pictures of a film")
	cmd.Flags().StringVar(&f.color, "color", plainColor, "colour by `quantity`: "+colorWords()+"; plain is by cloth")
	cmd.Flags().StringVar(
		&f.scale, "range", "", "values of the first and the last colour, `LOW,HIGH` (default: those that occur)",
	)
	// where the camera is
	cmd.Flags().StringVar(
		&f.from, "from", "iso",
		"look from a `place`: front, back, left, right, top, bottom, iso, AZIMUTH,ELEVATION in degrees, "+
			"or a point X,Y,Z in metres",
	)
	cmd.Flags().StringVar(&f.at, "at", "", "the `point` X,Y,Z that a camera at a point looks at (default: the middle)")
	cmd.Flags().BoolVar(
		&f.near, "near", true, "bring the camera near to the cloth in the frames drawn and to what it touches",
	)
	cmd.Flags().StringSliceVar(&f.hide, "hide", nil, "`names` of obstacles not to draw, with commas")
	// pace of a film
	cmd.Flags().Float64Var(
		&f.fps, "fps", 0,
		"pictures a second of a `film` (default: that of the run times --speed, at most 50 or 60)",
	)
	cmd.Flags().Float64Var(&f.speed, "speed", 1, "`how fast` a film shows what happened: 0.25 is slow motion")
	// words that a shell completes
	cli.CompleteFlag(cmd, "color", append(colorNames(), plainColor)...)
	cli.CompleteFlag(cmd, "from", "front", "back", "left", "right", "top", "bottom", "iso")
	cli.CompleteFlag(cmd, "frames", "first", "last")
}

// kind returns what is to be made, by the ending of its name: .png, .gif or .mp4.
func (f *renderFlags) kind() string { return strings.ToLower(filepath.Ext(f.out)) }

// film reports whether a film is to be made.
func (f *renderFlags) film() bool { return f.kind() != ".png" }

func render(ctx context.Context, t *cli.Term, path string, f *renderFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	g := &gallery{t: t, flags: f, look: draw.Look{
		Quantity: draw.QuantityNamed(f.color), Edges: f.edges, Arrows: f.arrows, Hide: f.hide,
	}}
	if err := g.open(path); err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupt(ctx, func() {})
	defer stop()
	err := g.make(ctx)
	// ffmpeg may end first and leave another error.
	if err != nil && ctx.Err() != nil {
		return cli.Interrupted(fmt.Errorf("stopped; %s was not written", f.out))
	}
	return err
}

func (f *renderFlags) check() error {
	// values out of range
	switch {
	case f.out == "":
		return cli.BadUsage("-o FILE is missing: a name that ends in .png, .gif or .mp4")
	case f.kind() != ".png" && f.kind() != ".gif" && f.kind() != ".mp4":
		return cli.BadUsage("-o %s: write a name that ends in .png, .gif or .mp4", f.out)
	case f.number < 1:
		return cli.BadUsage("--number %d: write how many frames, at least 1", f.number)
	case f.columns < 0:
		return cli.BadUsage("--columns %d: write how many pictures side by side", f.columns)
	case f.given("fps") && !(f.fps > 0 && f.fps <= f.maxRate()):
		return cli.BadUsage(
			"--fps %g: write pictures a second, more than 0 and at most %g for %s",
			f.fps,
			f.maxRate(),
			f.kind(),
		)
	case !(f.speed >= 1e-3 && f.speed <= 1e3):
		return cli.BadUsage("--speed %g: write a factor from 0.001 to 1000, such as 0.5 for half as fast", f.speed)
	}
	// flags of films alone
	for _, flag := range []string{"fps", "speed", "label"} {
		if !f.film() && f.given(flag) {
			return cli.BadUsage("--%s is for films, .gif and .mp4; %s is a picture", flag, f.out)
		}
	}
	// flags of sheets alone
	for _, flag := range []string{"number", "columns"} {
		if f.film() && f.given(flag) {
			return cli.BadUsage(
				"--%s is for .png sheets; a film takes --frames, such as 0-last/5 for every fifth", flag,
			)
		}
	}
	// colours, and the program that writes .mp4
	if draw.QuantityNamed(f.color) == nil && f.color != plainColor {
		return cli.BadUsage("--color %s: write %s", f.color, colorWords())
	}
	if f.kind() == ".mp4" {
		if _, err := findFFmpeg(); err != nil {
			return err
		}
	}
	return cli.CheckWorkers(f.workers)
}

// cellSize returns the size of each of n pictures, and settles the number of columns.
func (f *renderFlags) cellSize(n int) (width, height int, err error) {
	// columns, near square if they are not given
	if f.columns == 0 {
		f.columns = int(math.Ceil(math.Sqrt(float64(n))))
	}
	f.columns = min(f.columns, n)
	// usual sizes
	if f.size == "" {
		if f.kind() == ".mp4" || f.kind() == ".png" && n == 1 {
			return 1280, 720, nil
		}
		return 640, 360, nil
	}
	// size as given
	w, h, ok := strings.Cut(strings.ToLower(f.size), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || min(width, height) < 16 || max(width, height) > 8192 {
		return 0, 0, cli.BadUsage(
			"--size %s: write WIDTHxHEIGHT in pixels, each from 16 to 8192, such as 1280x720", f.size,
		)
	}
	// films: an .mp4 wants even numbers
	if f.kind() == ".mp4" && (width%2 != 0 || height%2 != 0) {
		return 0, 0, cli.BadUsage(
			"--size %s: an .mp4 needs even numbers, such as %dx%d",
			f.size,
			width+width%2,
			height+height%2,
		)
	}
	if f.film() {
		return width, height, nil
	}
	// the sheet as a whole
	rows := (n + f.columns - 1) / f.columns
	if width*f.columns > maxSheet || height*rows > maxSheet {
		return 0, 0, cli.BadUsage(
			"%d pictures of %s in %d columns make a sheet larger than %d pixels; take fewer or smaller ones",
			n,
			f.size,
			f.columns,
			maxSheet,
		)
	}
	return width, height, nil
}

// maxSheet is the largest side of a sheet [pixel].
const maxSheet = 32_768

// views are the directions with a name, from the scene to the eye.
var views = map[string]r3.Vec{
	"iso":    {},
	"front":  {Y: -1},
	"back":   {Y: 1},
	"left":   {X: -1},
	"right":  {X: 1},
	"side":   {X: 1},
	"top":    {Z: 1},
	"bottom": {Z: -1},
}

// viewpoint returns where the camera is. Azimuth 0 is the front, 90 the right.
func (f *renderFlags) viewpoint() (draw.Viewpoint, error) {
	from := draw.Viewpoint{Whole: !f.near}
	words := "write front, back, left, right, top, bottom, iso, AZIMUTH,ELEVATION in degrees such as 30,20, " +
		"or a point X,Y,Z in metres"
	// a named side, a point, or angles
	dir, named := views[f.from]
	numbers, err := reals(f.from)
	switch {
	case named:
		from.Dir = dir
	case err != nil || len(numbers) < 2 || len(numbers) > 3:
		return from, cli.BadUsage("--from %s: %s", f.from, words)
	case len(numbers) == 3:
		eye := r3.V(numbers[0], numbers[1], numbers[2])
		from.Eye = &eye
	default:
		if !(math.Abs(numbers[0]) <= 360) || !(math.Abs(numbers[1]) <= 90) {
			return from, cli.BadUsage(
				"--from %s: the azimuth is from -360 to 360 and the elevation from -90 to 90 degrees",
				f.from,
			)
		}
		// direction from azimuth and elevation
		sa, ca := math.Sincos(numbers[0] * math.Pi / 180)
		se, ce := math.Sincos(numbers[1] * math.Pi / 180)
		from.Dir = r3.V(sa*ce, -ca*ce, se)
	}
	// what a camera at a point looks at
	if f.at != "" {
		numbers, err := reals(f.at)
		if err != nil || len(numbers) != 3 {
			return from, cli.BadUsage("--at %s: write a point X,Y,Z in metres, such as 0,0,0.5", f.at)
		}
		at := r3.V(numbers[0], numbers[1], numbers[2])
		if from.Eye == nil {
			return from, cli.BadUsage("--at is for a camera at a point: write --from X,Y,Z too")
		}
		if at == *from.Eye {
			return from, cli.BadUsage("--at %s is where the camera is; write another point", f.at)
		}
		from.At = &at
	}
	return from, nil
}

// colorRange returns the values of --range, or nil.
func (f *renderFlags) colorRange() (*[2]float64, error) {
	if f.scale == "" {
		return nil, nil
	}
	q := draw.QuantityNamed(f.color)
	if q == nil || q.Classes != nil {
		return nil, cli.BadUsage("--range is for a --color with values: stretch, speed, gap, impulse or size")
	}
	v, err := reals(f.scale)
	if err != nil || len(v) != 2 || !(v[0] < v[1]) {
		return nil, cli.BadUsage("--range %s: write LOW,HIGH, such as 0,2", f.scale)
	}
	return &[2]float64{v[0], v[1]}, nil
}

// reals reads finite numbers with commas between them.
func reals(text string) ([]float64, error) {
	var out []float64
	for _, word := range strings.Split(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%q is not a number", word)
		}
		out = append(out, x)
	}
	return out, nil
}

// choose returns the frames that the flags ask for.
func (f *renderFlags) choose(present []int) ([]int, error) {
	// without --frames, all of a film or some evenly spaced
	if f.frames == "" {
		if f.film() {
			return present, nil
		}
		return evenly(present, f.number), nil
	}
	first, last := present[0], present[len(present)-1]
	// frames that the user named, in that order
	var chosen []int
	for _, word := range strings.Split(f.frames, ",") {
		from, to, every, err := frameRange(strings.TrimSpace(word), first, last)
		if err != nil {
			return nil, err
		}
		if from < first || to > last {
			return nil, cli.BadUsage("--frames %s: the run has frames %d to %d", word, first, last)
		}
		for n := from; n <= to; n += every {
			if _, ok := slices.BinarySearch(present, n); !ok {
				return nil, cli.BadInput(fmt.Errorf("frame %d is missing", n))
			}
			chosen = append(chosen, n)
		}
	}
	// how many fit on a sheet
	if !f.film() && len(chosen) > maxCells {
		return nil, cli.BadUsage(
			"--frames %s: these are %s; at most %d fit on a sheet",
			f.frames,
			words.Count(len(chosen), "frame"),
			maxCells,
		)
	}
	return chosen, nil
}

// maxCells is the largest number of pictures on a sheet.
const maxCells = 400

// frameRange reads a frame, or a range such as 10-20, first-last or 0-100/5. As toile export does it takes 10:20:2 too.
func frameRange(word string, first, last int) (from, to, every int, err error) {
	// first and last are names of frames
	frame := func(word string) (int, error) {
		switch word {
		case "first":
			return first, nil
		case "last":
			return last, nil
		}
		return strconv.Atoi(word)
	}
	// ranges as in 10-20/5, or as in 10:20:5
	span, step, stepped := strings.Cut(word, "/")
	a, b, isRange := strings.Cut(span, "-")
	if parts := strings.SplitN(word, ":", 3); len(parts) > 1 {
		a, b, isRange = cmp.Or(parts[0], "first"), cmp.Or(parts[1], "last"), true
		if stepped = len(parts) == 3; stepped {
			step = parts[2]
		}
	}
	if !isRange {
		b = a
	}
	// ends and stride
	every = 1
	from, errA := frame(a)
	to, errB := frame(b)
	var errC error
	if stepped {
		every, errC = strconv.Atoi(step)
	}
	// what the user wrote wrongly
	if errA != nil || errB != nil || errC != nil || from > to || every < 1 {
		return 0, 0, 0, cli.BadUsage(
			"--frames %s: write numbers, first, last, ranges such as 10-20 or 0-last/5, with commas",
			word,
		)
	}
	return from, to, every, nil
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
	return cli.BadInput(os.WriteFile(path, b.Bytes(), 0o666))
}
