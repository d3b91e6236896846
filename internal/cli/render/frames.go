package render

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
)

// plainColor is the word for no colouring by a quantity.
const plainColor = "plain"

// colorNames are the quantities that --color takes.
func colorNames() []string {
	var names []string
	for _, q := range draw.Quantities {
		names = append(names, q.Name)
	}
	return names
}

// colorWords lists the quantities for people.
func colorWords() string {
	return strings.Join(colorNames(), ", ") + " or " + plainColor
}

// boxFrames is how many frames of a run are looked at to find the space it takes.
const boxFrames = 48

// gallery draws frames, one after another. Only two are in memory at a time: one is read while the one before is
// looked at or drawn.
type gallery struct {
	t     *cli.Term
	flags *renderFlags
	look  draw.Look
	title string
	fps   float64 // of the run

	folder *runfolder.Folder // nil for a mesh
	frames []int             // those to draw, in order
	around []int             // those that the camera takes in besides
	mesh   *draw.Shot        // the mesh, if it is one

	survey *draw.Survey
	opt    draw.Options
	lost   map[int]error // by frame, why it cannot be drawn
}

// open finds what is to be drawn.
func (g *gallery) open(path string) error {
	g.lost = map[int]error{}
	if !cli.IsFolder(path) && cli.IsMeshFile(path) {
		return g.openMesh(path)
	}
	folder, err := cli.OpenRun(path)
	if err != nil {
		return err
	}
	g.folder, g.title, g.fps = folder, folder.Manifest.Name, folder.Manifest.Time.FPS
	present, err := folder.Frames()
	if err != nil {
		return cli.BadInput(err)
	}
	if len(present) == 0 {
		return cli.BadInput(fmt.Errorf("%s has no frames yet", path))
	}
	if g.frames, err = g.flags.choose(present); err != nil {
		return err
	}
	if !g.flags.near {
		g.around = evenly(present, boxFrames)
	}
	return nil
}

func (g *gallery) openMesh(path string) error {
	switch {
	case g.flags.frames != "":
		return cli.BadUsage("--frames is for run folders; %s is a mesh", path)
	case g.flags.film():
		return cli.BadUsage("a film is made of a run folder; %s is a mesh. Write -o FILE.png", path)
	}
	m, err := g.flags.mesh.Read(path)
	if err != nil {
		return err
	}
	g.mesh, g.title, g.frames = g.look.Meshes([]*meshio.Mesh{m}), filepath.Base(path), []int{0}
	if q := g.look.Quantity; q != nil && !g.mesh.Colored() {
		return cli.BadInput(fmt.Errorf("%s has no %s; frames of a run have", path, q.Attribute))
	}
	return nil
}

// make draws what was asked for.
func (g *gallery) make(ctx context.Context) error {
	// size of pictures and viewpoint
	f := g.flags
	width, height, err := f.cellSize(len(g.frames))
	if err != nil {
		return err
	}
	from, err := f.viewpoint()
	if err != nil {
		return err
	}
	// camera and colours, the same in all pictures
	g.opt = draw.DefaultOptions()
	g.opt.Width, g.opt.Height, g.opt.Workers, g.opt.Axes = width, height, f.workers, true
	g.survey = draw.NewSurvey(&g.look, from, width, height)
	if g.survey.Range, err = f.colorRange(); err != nil {
		return err
	}
	// all frames are looked at first, so that camera and scale suit them
	if err := g.inspect(ctx); err != nil {
		return err
	}
	// film or sheet
	if f.film() {
		err = g.makeFilm(ctx)
	} else {
		err = g.makeSheet(ctx)
	}
	if err != nil {
		return err
	}
	return g.damage()
}

// inspect shows the survey all frames, and finds those that are damaged.
func (g *gallery) inspect(ctx context.Context) error {
	work := cli.NewCounter(g.t, "looking at frame", len(g.frames))
	defer work.Close()
	named := len(g.look.Hide) == 0
	err := g.each(ctx, g.frames, func(_ int, p picture) error {
		work.Next()
		if p.err != nil {
			g.lost[p.frame] = p.err
			return nil
		}
		if !named {
			named = true
			if err := g.checkHidden(p.obstacles); err != nil {
				return err
			}
		}
		if err := g.checkYarnColor(&p); err != nil {
			return err
		}
		g.survey.Add(p.shot)
		return nil
	})
	if err != nil {
		return err
	}
	if len(g.lost) > 0 && !slices.ContainsFunc(g.frames, func(n int) bool { return g.lost[n] == nil }) {
		return g.damage()
	}
	return g.each(ctx, g.around, func(_ int, p picture) error {
		if p.err == nil { // what is not drawn need not be named
			g.survey.Frame(p.shot)
		}
		return nil
	})
}

// checkHidden checks that what is to be hidden exists.
func (g *gallery) checkHidden(obstacles []string) error {
	for _, name := range g.look.Hide {
		if !slices.Contains(obstacles, name) {
			if len(obstacles) == 0 {
				return cli.BadUsage("--hide %s: the run has no obstacles", name)
			}
			return cli.BadUsage(
				"--hide %s: there is no such obstacle; the run has %s", name, strings.Join(obstacles, ", "),
			)
		}
	}
	return nil
}

// checkYarnColor refuses a colour that yarns do not have.
func (g *gallery) checkYarnColor(p *picture) error {
	if g.look.Quantity == nil || len(p.yarns) == 0 || p.shot.Colored() {
		return nil
	}
	return cli.BadUsage("--color %s: yarns do not have it; write %s or %s",
		g.look.Quantity.Name, strings.Join(yarnColors(p.yarns), ", "), plainColor)
}

// yarnColors are the quantities that some of the yarns have.
func yarnColors(yarns []*meshio.Curves) []string {
	var names []string
	for _, q := range draw.Quantities {
		if slices.ContainsFunc(yarns, func(c *meshio.Curves) bool {
			return slices.ContainsFunc(c.Attributes, func(a meshio.Attribute) bool { return a.Name == q.Attribute })
		}) {
			names = append(names, q.Name)
		}
	}
	return names
}

// picture is a frame made ready for drawing.
type picture struct {
	frame     int
	shot      *draw.Shot
	caption   string
	obstacles []string
	yarns     []*meshio.Curves
	err       error
}

// read reads a frame.
func (g *gallery) read(n int) picture {
	if g.mesh != nil {
		return picture{shot: g.mesh}
	}
	frame, err := g.folder.Frame(n)
	if err != nil {
		return picture{frame: n, err: err}
	}
	p := picture{
		frame:   n,
		shot:    g.look.Frame(frame),
		caption: fmt.Sprintf("frame %d, %.3f s", frame.Number, frame.Time),
	}
	for i := range frame.Bodies {
		if b := &frame.Bodies[i]; b.Kind.Obstacle() {
			p.obstacles = append(p.obstacles, b.Name)
		} else if b.Curves != nil {
			p.yarns = append(p.yarns, b.Curves)
		}
	}
	return p
}

// each calls visit for frames in order, with their places in the list, while the next one is read.
func (g *gallery) each(ctx context.Context, frames []int, visit func(i int, p picture) error) error {
	ctx, cancel := context.WithCancel(ctx)
	pictures := make(chan picture)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, n := range frames {
			select {
			case pictures <- g.read(n):
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel()
		<-done // the folder is read by one at a time
	}()
	for i := range frames {
		select {
		case p := <-pictures:
			if err := visit(i, p); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// draw returns the picture of a frame, nil if it is damaged.
func (g *gallery) draw(p picture) *image.RGBA {
	if p.err != nil {
		g.lost[p.frame] = p.err
		return nil
	}
	return g.survey.Render(p.shot, g.opt)
}

func (g *gallery) makeSheet(ctx context.Context) error {
	f, n := g.flags, len(g.frames)
	work := cli.NewCounter(g.t, "drawing picture", n)
	defer work.Close()
	// several pictures make a page
	var page *draw.Page
	if n > 1 {
		page = draw.NewPage(n, f.columns, g.opt.Width, g.opt.Height, true, g.title)
	}
	// each frame; a damaged one leaves its place empty
	var sheet *image.RGBA
	err := g.each(ctx, g.frames, func(i int, p picture) error {
		work.Next()
		img := g.draw(p)
		if page == nil {
			sheet = img
			return nil
		}
		if img == nil {
			p.caption = fmt.Sprintf("frame %d: damaged", p.frame)
		}
		page.Put(i, img, p.caption)
		sheet = page.Image
		return nil
	})
	if err != nil {
		return err
	}
	if sheet == nil {
		return g.damage()
	}
	// write it
	work.Close()
	if err := writePNG(f.out, sheet); err != nil {
		return err
	}
	size := sheet.Bounds().Size()
	g.t.Wrote(f.out)
	g.t.Say("Wrote %s, %d x %d pixels, %s.", f.out, size.X, size.Y, words.Count(n-g.missing(), "picture"))
	return nil
}

// missing returns how many of the pictures are of damaged frames.
func (g *gallery) missing() int {
	n := 0
	for _, frame := range g.frames {
		if g.lost[frame] != nil {
			n++
		}
	}
	return n
}

// damage returns an error that names the frames that could not be drawn, nil if there are none.
func (g *gallery) damage() error {
	if len(g.lost) == 0 {
		return nil
	}
	const shown = 8
	var lines []string
	seen := map[int]bool{}
	for _, n := range g.frames {
		if err := g.lost[n]; err != nil && !seen[n] {
			seen[n] = true
			lines = append(lines, err.Error())
		}
	}
	if len(lines) > shown {
		lines = append(lines[:shown], fmt.Sprintf("and %s more", words.Thousands(len(lines)-shown)))
	}
	was := fmt.Sprintf(
		"%s of %s could not be drawn:",
		words.Thousands(len(g.lost)),
		words.Count(len(g.frames), "frame"),
	)
	return errors.New(was + "\n" + strings.Join(lines, "\n"))
}
