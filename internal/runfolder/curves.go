package runfolder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/meshio"
)

// Yarns in frames.
//
// Yarns are a mesh of lines (mode 1), from each control point to the next, along one yarn after the other; a line from
// the last point of a yarn to its first closes it. So the lines say which points a yarn has, and nothing else need. The
// centre line is the Catmull-Rom spline through the points; extras.radius of the node is its radius.

// curves adds yarns and returns the number of their mesh.
func (b *builder) curves(c *meshio.Curves) (int, error) {
	// only yarns that can be read back
	if c == nil {
		return 0, errors.New("it has no curves")
	}
	if err := c.Validate(); err != nil {
		return 0, err
	}
	if c.Radius == 0 {
		return 0, errors.New("it has no radius")
	}
	// points and their attributes
	p := gltf.Primitive{Attributes: map[string]int{}, Mode: new(int)}
	*p.Mode = gltf.Lines
	var err error
	if p.Attributes["POSITION"], err = b.vectors(c.Points, nil, true); err != nil {
		return 0, fmt.Errorf("position of %w", err)
	}
	if err := b.attributes(c.Attributes, nil, &p); err != nil {
		return 0, err
	}
	// segments, as pairs of points
	start := len(b.Bin)
	lines := c.Segments()
	for _, s := range lines {
		b.Uint(uint32(s[0]))
		b.Uint(uint32(s[1]))
	}
	indices := b.Accessor(start, 2*len(lines), 1, gltf.Uint, gltf.ElementBuffer)
	p.Indices = &indices
	return b.mesh(meshOf(c.Name, p, nil)), nil
}

// curves reads yarns back.
func (d *glbData) curves(g *frameMesh, radius float64) (*meshio.Curves, error) {
	// lines with positions and a radius
	p, err := g.primitive(gltf.Lines)
	if err != nil {
		return nil, err
	}
	at, ok := p.Attributes["POSITION"]
	if !ok {
		return nil, fmt.Errorf("mesh %q has no positions", g.Name)
	}
	if err := checkRadius(radius); err != nil {
		return nil, err
	}
	// points and their attributes
	c := &meshio.Curves{Name: g.Name, Radius: radius}
	if c.Points, err = d.vectors(at); err != nil {
		return nil, err
	}
	if c.Attributes, err = d.attributes(p); err != nil {
		return nil, err
	}
	// curves that the segments make
	lines, err := d.access(gltf.OrZero(p.Indices), gltf.Uint, "SCALAR", 1)
	if err != nil {
		return nil, err
	}
	if c.Counts, c.Closed, err = curvesOf(lines, len(c.Points)); err != nil {
		return nil, err
	}
	return c, c.Validate()
}

func checkRadius(radius float64) error {
	if !(radius > 0) || math.IsInf(radius, 1) {
		return fmt.Errorf("yarns have a radius of %v", radius)
	}
	return nil
}

// curvesOf tells from lines, two little-endian uint32 each, how many points each curve has and which are closed. It
// accepts nothing but what curves writes.
func curvesOf(lines []byte, points int) (counts []int32, closed []bool, err error) {
	if len(lines)%8 != 0 {
		return nil, nil, errors.New("it does not have whole lines")
	}
	first, last := -1, -1 // of the curve that may still go on; negative if there is none
	end := func(isClosed bool) {
		counts, closed = append(counts, int32(last-first+1)), append(closed, isClosed)
	}
	next := 0 // point that a new curve begins with
	for i := 0; i < len(lines); i += 8 {
		a, b := int64(binary.LittleEndian.Uint32(lines[i:])), int64(binary.LittleEndian.Uint32(lines[i+4:]))
		open := first >= 0
		switch {
		case open && a == int64(last) && b == a+1:
			last++
		case open && a == int64(last) && b == int64(first) && last-first >= 2:
			end(true)
			first = -1
		case a == int64(next) && b == a+1:
			if open {
				end(false)
			}
			first, last = next, next+1
		default:
			return nil, nil, fmt.Errorf("line %d goes from point %d to %d, which is along no curve", i/8, a, b)
		}
		if next = last + 1; next > points {
			return nil, nil, fmt.Errorf("line %d ends at point %d of %d", i/8, last, points)
		}
	}
	if first >= 0 {
		end(false)
	}
	if next != points {
		return nil, nil, fmt.Errorf("%d of %d points are on curves", next, points)
	}
	return counts, closed, nil
}
