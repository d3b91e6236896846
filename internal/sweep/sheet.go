package sweep

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

const (
	// mostPictures is how many runs a sheet shows; of more, evenly chosen ones.
	mostPictures = 60
	// Size of a picture [pixel].
	pictureWidth  = 320
	pictureHeight = 220
	// mostColumns is how many pictures are side by side.
	mostColumns = 8
)

// sheet draws the last frames of runs with one camera, each under its values. Without frames it returns nil.
func (s *Sweep) sheet(dir string, rows []Row) (data []byte, text string, err error) {
	var shown []*Row
	for i := range rows {
		if rows[i].Status == Done {
			shown = append(shown, &rows[i])
		}
	}
	if s.keep == runfolder.KeepStats || len(shown) == 0 {
		return nil, "", nil
	}
	all := len(shown)
	if all > mostPictures {
		for i := range mostPictures {
			shown[i] = shown[i*(all-1)/(mostPictures-1)] // the place is never before i
		}
		shown = shown[:mostPictures]
	}
	look := &draw.Look{}
	survey := draw.NewSurvey(look, draw.Viewpoint{}, pictureWidth, pictureHeight)
	shots := make([]*draw.Shot, len(shown))
	for i, r := range shown {
		frame, err := lastFrame(FolderOf(dir, &r.Run))
		if err != nil {
			return nil, "", err
		}
		shots[i] = look.Frame(frame)
		survey.Add(shots[i])
	}
	opt := draw.DefaultOptions()
	opt.Width, opt.Height = pictureWidth, pictureHeight
	page := draw.NewPage(len(shown), s.sheetColumns(len(shown) == all, len(shown)), pictureWidth, pictureHeight, true,
		fmt.Sprintf("%s: %s", s.Name(), strings.Join(s.Axes(), ", ")))
	for i, r := range shown {
		page.Put(i, survey.Render(shots[i], opt), caption(r))
	}
	text = fmt.Sprintf("The last frame of every run, under its %s.", strings.Join(s.Axes(), ", "))
	if all > len(shown) {
		text = fmt.Sprintf("The last frames of %d of %s, under their %s.", len(shown), words.Count(all, "run"), strings.Join(s.Axes(), ", "))
	}
	var b bytes.Buffer
	err = png.Encode(&b, page.Image)
	return b.Bytes(), text, err
}

// caption writes the values of a run in few words.
func caption(r *Row) string {
	parts := make([]string, len(r.Values))
	for i, v := range r.Values {
		parts[i] = v.Text
		if v.Numeric && v.Unit == "" {
			parts[i] = fmt.Sprintf("%.4g", v.Number)
		}
	}
	return strings.Join(parts, ", ")
}

// sheetColumns is how many pictures are side by side: the values of the last axis, if all runs are shown and they fit.
func (s *Sweep) sheetColumns(all bool, pictures int) int {
	if n := len(s.axes); all && n > 0 && s.axes[n-1].count > 1 && s.axes[n-1].count <= mostColumns {
		if last := s.axes[n-1].count; 2*last <= mostColumns {
			return last * (mostColumns / last)
		}
		return s.axes[n-1].count
	}
	return min(mostColumns, max(1, pictures))
}

// lastFrame reads the last frame of a run.
func lastFrame(folder string) (*runfolder.Frame, error) {
	f, err := runfolder.Open(folder)
	if err != nil {
		return nil, err
	}
	frames, err := f.Frames()
	if err != nil {
		return nil, err
	}
	if len(frames) == 0 {
		return nil, fmt.Errorf("%s has no frames", folder)
	}
	return f.Frame(frames[len(frames)-1])
}
