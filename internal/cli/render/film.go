package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/words"
)

// mp4MaxRate is the largest number of pictures a second of an .mp4: more is not seen.
const mp4MaxRate = 60

// maxRate returns the largest number of pictures a second.
func (f *renderFlags) maxRate() float64 {
	if f.kind() == ".gif" {
		return draw.GIFMaxRate
	}
	return mp4MaxRate
}

// schedule returns which of n frames, rate of them a second, the pictures of a film show, pace of them a second. Every
// picture shows the last frame that has begun; a picture that begins with rounding errors before a frame shows it.
func schedule(n int, rate, pace float64) []int {
	var shown []int
	for k := 0; ; k++ {
		i := int(float64(k)/pace*rate + 1e-6)
		if i >= n {
			return shown
		}
		shown = append(shown, i)
	}
}

// filmWriter takes the pictures of a film, each with the time at which it appears [s].
type filmWriter interface {
	Add(img *image.RGBA, time float64) error
	Close(end float64) error
}

// maxPictures is the largest number of pictures of a film.
const maxPictures = 1_000_000

// makeFilm draws the film beside its place and moves it there when it is whole.
func (g *gallery) makeFilm(ctx context.Context) error {
	f := g.flags
	rate := g.fps * f.speed
	pace := f.fps
	if pace == 0 {
		pace = min(rate, f.maxRate())
	}
	if length := float64(len(g.frames)) / rate * pace; length > maxPictures {
		return cli.BadUsage(
			"this makes a film of %.3g pictures; at most %s can be: raise --speed or lower --fps",
			length,
			words.Thousands(maxPictures),
		)
	}
	shown := schedule(len(g.frames), rate, pace)
	samples, err := g.samples(ctx)
	if err != nil {
		return err
	}
	part := f.out + ".part"
	defer func() { _ = os.Remove(part) }() // gone if all went well
	if f.kind() == ".gif" {
		err = g.playGIF(ctx, part, samples, shown, pace)
	} else {
		err = g.playMP4(ctx, part, shown, pace)
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(part)
	if err != nil {
		return err
	}
	if err := os.Rename(part, f.out); err != nil {
		return cli.BadInput(err)
	}
	g.t.Wrote(f.out)
	g.t.Say("Wrote %s, %d x %d pixels, %s, %.3g s at %.4g a second, %s.", f.out, g.opt.Width, g.opt.Height,
		words.Count(len(shown), "picture"), float64(len(shown))/pace, pace, words.Bytes(float64(info.Size())))
	return nil
}

func (g *gallery) playGIF(ctx context.Context, path string, samples []*image.RGBA, shown []int, pace float64) error {
	file, err := os.Create(path)
	if err != nil {
		return cli.BadInput(err)
	}
	film, err := draw.NewGIF(file, g.opt.Width, g.opt.Height, samples)
	if err == nil {
		err = g.play(ctx, film, shown, pace)
	}
	return errors.Join(err, file.Close())
}

func (g *gallery) playMP4(ctx context.Context, path string, shown []int, pace float64) error {
	// ffmpeg would say less clearly that there is no such folder.
	file, err := os.Create(path)
	if err != nil {
		return cli.BadInput(err)
	}
	if err := file.Close(); err != nil {
		return err
	}
	encoding, cancel := context.WithCancel(ctx)
	defer cancel()
	film, err := newMP4(encoding, path, g.opt.Width, g.opt.Height, pace)
	if err != nil {
		return err
	}
	if err = g.play(ctx, film, shown, pace); err != nil {
		cancel()
		_ = film.cmd.Wait() // killed, or ended before
	}
	return err
}

// filmSamples is how many pictures the colours of a .gif are chosen from.
const filmSamples = 6

// samples draws a few pictures of the film at half its size, for a .gif to choose its colours from.
func (g *gallery) samples(ctx context.Context) ([]*image.RGBA, error) {
	if g.flags.kind() != ".gif" {
		return nil, nil
	}
	full := g.opt
	defer func() { g.opt = full }()
	g.opt.Width, g.opt.Height = max(full.Width/2, 1), max(full.Height/2, 1)
	var whole []int
	for _, n := range g.frames {
		if g.lost[n] == nil {
			whole = append(whole, n)
		}
	}
	var out []*image.RGBA
	err := g.each(ctx, evenly(whole, filmSamples), func(_ int, p picture) error {
		if img := g.draw(p); img != nil {
			out = append(out, img)
		}
		return nil
	})
	return out, err
}

// play draws the pictures of the film. shown are places in g.frames and do not fall.
func (g *gallery) play(ctx context.Context, film filmWriter, shown []int, pace float64) error {
	var frames, first, times []int // each frame once, the picture where it appears, and how many show it
	for k, i := range shown {
		if k == 0 || i != shown[k-1] {
			frames, first, times = append(frames, g.frames[i]), append(first, k), append(times, 0)
		}
		times[len(times)-1]++
	}
	work := cli.NewCounter(g.t, "drawing frame", len(frames))
	defer work.Close()
	var last *image.RGBA
	late := 0 // pictures at the start that wait for a frame that is not damaged
	err := g.each(ctx, frames, func(i int, p picture) error {
		work.Next()
		img := g.draw(p)
		if img == nil {
			if img = last; img == nil {
				late += times[i]
				return nil
			}
		} else if g.flags.label {
			draw.Label(img, p.caption)
		}
		last = img
		for k := -late; k < times[i]; k++ {
			if err := film.Add(img, float64(first[i]+k)/pace); err != nil {
				return err
			}
		}
		late = 0
		return nil
	})
	if err != nil {
		return err
	}
	return film.Close(float64(len(shown)) / pace)
}

// findFFmpeg returns where ffmpeg is, or says how to get it.
func findFFmpeg() (string, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return "", cli.BadInput(
			errors.New(
				"an .mp4 needs the program ffmpeg, which is not installed or not in PATH. Install it, or write a " +
					".gif, which needs nothing:\n" +
					"Debian, Ubuntu: apt install ffmpeg\nmacOS: brew install ffmpeg\nWindows: winget install ffmpeg",
			),
		)
	}
	return path, nil
}

// mp4 is a film that ffmpeg encodes: raw pictures go to its standard input.
type mp4 struct {
	cmd    *exec.Cmd
	pixels io.WriteCloser
	log    bytes.Buffer // what ffmpeg complains about
	row    []byte
}

func newMP4(ctx context.Context, path string, width, height int, pace float64) (*mp4, error) {
	program, err := findFFmpeg()
	if err != nil {
		return nil, err
	}
	m := &mp4{}
	m.cmd = exec.CommandContext(
		ctx,
		program,
		"-hide_banner",
		"-loglevel",
		"error",
		"-y",
		"-f",
		"rawvideo",
		"-pixel_format",
		"rgb24",
		"-video_size",
		fmt.Sprintf("%dx%d", width, height),
		"-framerate",
		strconv.FormatFloat(pace, 'f', -1, 64),
		"-i",
		"pipe:0",
		// The colours of screens, and a file that every player opens and that starts before it is loaded.
		"-vf",
		"scale=out_color_matrix=bt709:out_range=tv",
		"-colorspace",
		"bt709",
		"-color_primaries",
		"bt709",
		"-color_trc",
		"bt709",
		"-an",
		"-c:v",
		"libx264",
		"-preset",
		"medium",
		"-crf",
		"18",
		"-pix_fmt",
		"yuv420p",
		"-movflags",
		"+faststart",
		"-f",
		"mp4",
		"file:"+path,
	)
	m.cmd.Stderr = &m.log
	if m.pixels, err = m.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := m.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", program, err)
	}
	return m, nil
}

// Add shows a picture; times are evenly spaced.
func (m *mp4) Add(img *image.RGBA, _ float64) error {
	b := img.Bounds()
	m.row = m.row[:0]
	for y := range b.Dy() {
		row := img.Pix[y*img.Stride : y*img.Stride+4*b.Dx()]
		for x := 0; x < len(row); x += 4 {
			m.row = append(m.row, row[x], row[x+1], row[x+2])
		}
	}
	if _, err := m.pixels.Write(m.row); err != nil {
		return m.explain(errors.Join(err, m.cmd.Wait()))
	}
	return nil
}

// Close waits until the film is whole.
func (m *mp4) Close(float64) error {
	err := m.pixels.Close()
	if err := errors.Join(err, m.cmd.Wait()); err != nil {
		return m.explain(err)
	}
	return nil
}

// explain adds what ffmpeg said to an error.
func (m *mp4) explain(err error) error {
	said := strings.TrimSpace(m.log.String())
	if said == "" {
		said = err.Error()
	}
	return fmt.Errorf("ffmpeg failed: %s", said)
}
