package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/jpeg"

	"github.com/toile-sim/toile/internal/draw"
	"github.com/toile-sim/toile/internal/runfolder"
)

const (
	defaultPictures = 8
	// Size of a picture [pixel]: as large as it is shown on a wide screen, twice that on a small one.
	pictureWidth  = 480
	pictureHeight = 300
	jpegQuality   = 88
	// keptVertices is how many vertices are kept between the two looks at frames; others are read twice.
	keptVertices = 1_000_000
	// tubeVertices is about how many vertices are drawn for a control point of a yarn.
	tubeVertices = 32
)

// TubesInMemory returns how many vertices of tubes a report of yarns with so many control points keeps between the two
// looks at its frames, and how many a picture of them has.
func TubesInMemory(points int) (kept, each int) {
	if points == 0 {
		return 0, 0
	}
	each = draw.TubeVertices(points)
	return min(defaultPictures, keptVertices/(tubeVertices*points)) * each, each
}

// draw returns pictures of frames evenly spaced from the first to the last, with one camera.
func (v *view) draw(f *runfolder.Folder, frames []int, opt Options) []picture {
	// one look and one camera for all pictures
	look := &draw.Look{}
	survey := draw.NewSurvey(look, draw.Viewpoint{}, pictureWidth, pictureHeight)
	type ready struct {
		shot *draw.Shot
		time float64
	}
	// a frame as it is drawn, with its number of vertices
	read := func(n int) (ready, int, error) {
		frame, err := f.Frame(n)
		if err != nil {
			return ready{}, 0, err
		}
		vertices := 0
		for i := range frame.Bodies {
			switch b := &frame.Bodies[i]; {
			case b.Curves != nil:
				vertices += tubeVertices * len(b.Curves.Points)
			case !b.Kind.Obstacle() && b.Mesh != nil:
				vertices += len(b.Mesh.Positions)
			}
		}
		return ready{look.Frame(frame), frame.Time}, vertices, nil
	}
	// the camera takes in all frames; those that fit into memory are kept
	var whole []int
	kept, room := map[int]ready{}, keptVertices
	for _, n := range evenly(frames, opt.Pictures) {
		shot, vertices, err := read(n)
		if err != nil {
			v.note("Frame %d is left out: %v", n, err)
			continue
		}
		survey.Add(shot.shot)
		whole = append(whole, n)
		if room -= vertices; room >= 0 {
			kept[n] = shot
		}
	}
	// pictures of the frames, read again if they were not kept
	drawing := draw.DefaultOptions()
	drawing.Width, drawing.Height, drawing.Workers = pictureWidth, pictureHeight, opt.Workers
	var out []picture
	for _, n := range whole {
		shot, ok := kept[n]
		if !ok {
			var err error
			if shot, _, err = read(n); err != nil {
				v.note("Frame %d is left out: %v", n, err)
				continue
			}
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, survey.Render(shot.shot, drawing), &jpeg.Options{Quality: jpegQuality}); err != nil {
			v.note("Frame %d is left out: %v", n, err)
			continue
		}
		out = append(out, picture{
			Source:  template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(b.Bytes())),
			Alt:     fmt.Sprintf("The scene at %.3f s, seen from the front, right and above", shot.time),
			Caption: fmt.Sprintf("%.3f s", shot.time), Frame: n,
		})
	}
	return out
}

// evenly returns n of the values, or all if there are fewer, evenly spaced with both ends.
func evenly(values []int, n int) []int {
	n = min(n, len(values))
	if n <= 1 {
		return values[len(values)-n:]
	}
	out := make([]int, n)
	for i := range out {
		out[i] = values[(i*(len(values)-1)+(n-1)/2)/(n-1)]
	}
	return out
}
