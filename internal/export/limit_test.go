package export

import (
	"errors"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Films too long or too large for glTF are refused with a way out.
func TestGLBLimits(t *testing.T) {
	for _, c := range []struct {
		frames, vertices int
		fits             bool
	}{
		{2000, 3, true}, {2001, 3, false}, {200, 6561, true}, {800, 50_000, true}, {900, 50_000, false},
	} {
		f := &film.Film{FPS: 30, Frames: make([]int, c.frames), Actors: []film.Actor{
			{Mesh: &meshio.Mesh{Positions: make([]r3.Vec, c.vertices), Normals: make([]r3.Vec, c.vertices)}},
		}}
		err := fitsGLB(f)
		if (err == nil) != c.fits {
			t.Errorf("%d frames of %d vertices: %v", c.frames, c.vertices, err)
		}
		var bad *Usage
		if err != nil && (!errors.As(err, &bad) || !strings.Contains(err.Error(), ".usda, .pc2 or .mdd")) {
			t.Errorf("%v", err)
		}
	}
}
