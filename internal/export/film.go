package export

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/internal/format/glb"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/obj"
	"github.com/toile-sim/toile/internal/format/usd"
	"github.com/toile-sim/toile/meshio"
)

// WriteFilm writes a film as glTF, whose axes and unit are fixed, if the path ends with .glb, and else as USD.
func WriteFilm(path string, f *film.Film, opt meshio.WriteOptions, shoot film.Shoot) error {
	if strings.EqualFold(filepath.Ext(path), ".glb") {
		return glb.WriteFilm(path, f, shoot)
	}
	if err := opt.Validate(); err != nil {
		return err
	}
	return usd.WriteFilm(path, f, frameOf(opt), shoot)
}

// frameOf returns the axes and unit of a file that is Z-up unless options say otherwise.
func frameOf(opt meshio.WriteOptions) model.Frame {
	return model.Frame{YUp: opt.Up == meshio.UpY, Unit: opt.Unit}
}

// writeLines writes curves to a Wavefront OBJ file, complete or not at all.
func writeLines(path string, c *meshio.Curves, opt meshio.WriteOptions) error {
	if err := opt.Validate(); err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return err
	}
	b, err := obj.AppendCurves(nil, c, frameOf(opt), opt.Short)
	if err != nil {
		return err
	}
	return disk.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}
