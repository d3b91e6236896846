package meshio

import (
	"strconv"

	"github.com/toile-sim/toile/r3"
)

// appendOBJ writes m as OBJ text. Numbers are the shortest that read back exactly, or with short those that do
// so in single precision. Colour is the only attribute that OBJ can hold; the others are left out.
func appendOBJ(b []byte, m *Mesh, fr frame, short bool) ([]byte, error) {
	number := appendNumber
	if short {
		if err := fitsSingle(m, fr); err != nil {
			return nil, err
		}
		number = func(b []byte, x float64) []byte { return appendNumber32(b, float32(x)) }
	}
	vector := func(b []byte, v r3.Vec) []byte {
		b = number(append(b, ' '), v.X)
		b = number(append(b, ' '), v.Y)
		return number(append(b, ' '), v.Z)
	}
	b = append(b, "# Wavefront OBJ\n"...)
	for _, k := range sortedKeys(m.Extra) {
		b = append(b, "# toile "+escape(k, `=\`)+"="+escape(m.Extra[k], `\`)+"\n"...)
	}
	if m.Name != "" {
		b = append(b, "o "+escape(m.Name, `\`)+"\n"...)
	}
	var rgb []float32
	width := 0
	for _, a := range m.Attributes {
		if a.Name == colour {
			rgb, width = a.Data, a.Width
		}
	}
	for i, p := range m.Positions {
		b = vector(append(b, 'v'), fr.toFile(p))
		for k := 0; k < min(3, width); k++ {
			b = appendNumber32(append(b, ' '), rgb[i*width+k])
		}
		b = append(b, '\n')
	}
	for _, p := range m.UV {
		b = number(append(b, "vt "...), p.X)
		b = number(append(b, ' '), p.Y)
		b = append(b, '\n')
	}
	for _, n := range m.Normals {
		b = append(vector(append(b, "vn"...), fr.turnToFile(n)), '\n')
	}
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

// appendGroups writes each group as point elements, because a set of vertices need not be the
// vertices of any set of faces.
func appendGroups(b []byte, groups []Group) []byte {
	const perLine = 16
	for _, g := range groups {
		if len(g.Vertices) == 0 {
			continue
		}
		b = append(b, "g "+escape(g.Name, `\`)+"\n"...)
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
