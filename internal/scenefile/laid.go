package scenefile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/internal/yarn"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Laid returns the yarns of a piece in its own axes. Fabrics are made once.
func (p *YarnPiece) Laid() (*meshio.Curves, error) {
	if p.curves != nil {
		return p.curves, nil
	}
	fabric, err := p.fabric()
	if err != nil {
		return nil, err
	}
	c := &meshio.Curves{Name: p.Name, Points: fabric.Points()}
	for _, y := range fabric.Yarns {
		c.Counts, c.Closed = append(c.Counts, int32(len(y.Points))), append(c.Closed, y.Closed)
	}
	return c, nil
}

// fabric lays out the chart, once.
func (p *YarnPiece) fabric() (*knit.Fabric, error) {
	var err error
	if p.made == nil {
		p.made, err = knit.Make(p.chart, p.options())
	}
	return p.made, err
}

// yarns reads the yarns of a file.
func (r *fileReader) yarns(p *YarnPiece, d *decoder) {
	data, err := r.read(p.File)
	if err == nil {
		p.curves, err = readYarns(p, data)
	}
	if err == nil {
		err = p.checkSpacing()
	}
	if err != nil {
		d.faults.add(p.key("file"), "%v", err)
	}
}

// nearestPoints is how far apart, in radii, the farthest neighbours of a file are at least. Knits have 2.4 to 8, so
// that this tells metres from millimetres, as yarn.LongestSegment does.
const nearestPoints = 0.01

// checkSpacing finds yarns of a file that are in another unit of length than the scene says.
func (p *YarnPiece) checkSpacing() error {
	farthest := 0.0
	for _, s := range p.curves.Segments() {
		farthest = max(farthest, p.curves.Points[s[1]].Sub(p.curves.Points[s[0]]).Norm())
	}
	radii := farthest * p.Place.Scale / p.Yarn.Material().Radius
	if nearestPoints <= radii && radii <= yarn.LongestSegment {
		return nil
	}
	size := r3.BoxOf(p.curves.Points).Size().Scale(p.Place.Scale)
	return fmt.Errorf("its yarns are %.4g m x %.4g m x %.4g m, and their points up to %.3g radii apart; from %g to %d are possible: %s",
		size.X, size.Y, size.Z, radii, nearestPoints, yarn.LongestSegment, p.likelyUnit(radii))
}

// likelyUnit asks for the unit in which points that are so many radii apart would be spaced like those of a knit.
func (p *YarnPiece) likelyUnit(radii float64) string {
	const least, most = 0.5, 30
	for _, name := range []string{"mm", "cm", "m", "in"} {
		for _, u := range dimensionNamed("length").units {
			if n := radii * u.si / p.Unit; u.name == name && n >= least && n <= most {
				if p.given("unit") {
					return fmt.Sprintf("is it unit: 1 %s?", name)
				}
				return fmt.Sprintf("is unit: 1 %s missing?", name)
			}
		}
	}
	return "look at unit, and at the radius of the yarn"
}
