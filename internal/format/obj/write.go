package obj

import (
	"maps"
	"slices"
	"strconv"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// Append writes m as OBJ text. Numbers are the shortest that read back exactly, or with short those that do
// so in single precision. Colour is the only attribute that OBJ can hold; the others are left out.
func Append(b []byte, m *model.Mesh, fr model.Frame, short bool) ([]byte, error) {
	// numbers in single or double precision
	number := scan.AppendNumber
	if short {
		if err := model.FitsSingle(m, fr); err != nil {
			return nil, err
		}
		number = func(b []byte, x float64) []byte { return scan.AppendNumber32(b, float32(x)) }
	}
	vector := func(b []byte, v r3.Vec) []byte {
		b = number(append(b, ' '), v.X)
		b = number(append(b, ' '), v.Y)
		return number(append(b, ' '), v.Z)
	}
	// extras and name
	b = append(b, "# Wavefront OBJ\n"...)
	for _, k := range slices.Sorted(maps.Keys(m.Extra)) {
		b = append(b, "# toile "+scan.Escape(k, `=\`)+"="+scan.Escape(m.Extra[k], `\`)+"\n"...)
	}
	if m.Name != "" {
		b = append(b, "o "+scan.Escape(m.Name, `\`)+"\n"...)
	}
	// vertices, with their colour
	var rgb []float32
	width := 0
	for _, a := range m.Attributes {
		if a.Name == model.Colour {
			rgb, width = a.Data, a.Width
		}
	}
	for i, p := range m.Positions {
		b = vector(append(b, 'v'), fr.ToFile(p))
		for k := 0; k < min(3, width); k++ {
			b = scan.AppendNumber32(append(b, ' '), rgb[i*width+k])
		}
		b = append(b, '\n')
	}
	// UVs and normals
	for _, p := range m.UV {
		b = number(append(b, "vt "...), p.X)
		b = number(append(b, ' '), p.Y)
		b = append(b, '\n')
	}
	for _, n := range m.Normals {
		b = append(vector(append(b, "vn"...), fr.TurnToFile(n)), '\n')
	}
	// triangles, with numbers from 1 on
	for i, t := range m.Triangles {
		uv := t
		if len(m.CornerUV) > 0 {
			uv = m.CornerUV[i]
		}
		b = append(b, 'f')
		for k, v := range t {
			b = strconv.AppendInt(append(b, ' '), int64(v)+1, 10)
			hasUV := len(m.UV) > 0 && uv[k] >= 0
			if hasUV {
				b = strconv.AppendInt(append(b, '/'), int64(uv[k])+1, 10)
			}
			if len(m.Normals) > 0 {
				if !hasUV {
					b = append(b, '/')
				}
				b = strconv.AppendInt(append(b, '/'), int64(v)+1, 10)
			}
		}
		b = append(b, '\n')
	}
	return appendGroups(b, m.Groups), nil
}

// AppendCurves writes curves, every segment as a line element: of longer ones some programs, Blender among them, read
// two points and no more. OBJ has neither a radius nor attributes.
func AppendCurves(b []byte, c *model.Curves, fr model.Frame, short bool) ([]byte, error) {
	points := &model.Mesh{Name: c.Name, Positions: c.Points}
	b, err := Append(b, points, fr, short)
	if err != nil {
		return nil, err
	}
	for _, s := range c.Segments() {
		b = strconv.AppendInt(append(b, "l "...), int64(s[0])+1, 10)
		b = strconv.AppendInt(append(b, ' '), int64(s[1])+1, 10)
		b = append(b, '\n')
	}
	return b, nil
}

// appendGroups writes each group as point elements, because a set of vertices need not be the
// vertices of any set of faces.
func appendGroups(b []byte, groups []model.Group) []byte {
	const perLine = 16
	for _, g := range groups {
		if len(g.Vertices) == 0 {
			continue
		}
		b = append(b, "g "+scan.Escape(g.Name, `\`)+"\n"...)
		for i, v := range g.Vertices {
			if i%perLine == 0 {
				b = append(b, 'p')
			}
			b = strconv.AppendInt(append(b, ' '), int64(v)+1, 10)
			if i%perLine == perLine-1 || i == len(g.Vertices)-1 {
				b = append(b, '\n')
			}
		}
	}
	return b
}
