package meshio

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// plySink appends values to a PLY body.
type plySink struct {
	b       []byte
	ascii   bool
	order   binary.AppendByteOrder
	precise bool // real numbers are double
	fresh   bool // at the start of a line
}

func (s *plySink) space() {
	if !s.fresh {
		s.b = append(s.b, ' ')
	}
	s.fresh = false
}

func (s *plySink) real(x float64) {
	switch {
	case s.ascii && s.precise:
		s.space()
		s.b = appendNumber(s.b, x)
	case s.precise:
		s.b = s.order.AppendUint64(s.b, math.Float64bits(x))
	default:
		s.single(float32(x))
	}
}

func (s *plySink) single(x float32) {
	if s.ascii {
		s.space()
		s.b = appendNumber32(s.b, x)
		return
	}
	s.b = s.order.AppendUint32(s.b, math.Float32bits(x))
}

func (s *plySink) byte(x uint8) {
	if s.ascii {
		s.space()
		s.b = strconv.AppendUint(s.b, uint64(x), 10)
		return
	}
	s.b = append(s.b, x)
}

func (s *plySink) int(x int32) {
	if s.ascii {
		s.space()
		s.b = strconv.AppendInt(s.b, int64(x), 10)
		return
	}
	s.b = s.order.AppendUint32(s.b, uint32(x))
}

func (s *plySink) vec(v r3.Vec) {
	s.real(v.X)
	s.real(v.Y)
	s.real(v.Z)
}

func (s *plySink) endLine() {
	if s.ascii {
		s.b = append(s.b, '\n')
		s.fresh = true
	}
}

// appendPLY writes m in one of the PLY formats, with the properties that readPLYHeader lists.
func appendPLY(b []byte, m *Mesh, fr frame, format Format, precise bool) ([]byte, error) {
	header, err := plyHeaderOf(m, format, precise)
	if err != nil {
		return nil, err
	}
	s := &plySink{b: append(b, header...), ascii: format == PLYASCII, precise: precise, fresh: true}
	s.order = binary.LittleEndian
	if format == PLYBigEndian {
		s.order = binary.BigEndian
	}
	if !precise {
		if err := fitsSingle(m, fr); err != nil {
			return nil, err
		}
	}
	next := make([]int, len(m.Groups))
	for v, p := range m.Positions {
		s.vec(fr.toFile(p))
		if len(m.Normals) > 0 {
			s.vec(fr.turnToFile(m.Normals[v]))
		}
		if len(m.UV) > 0 && len(m.CornerUV) == 0 {
			s.real(m.UV[v].X)
			s.real(m.UV[v].Y)
		}
		for _, a := range m.Attributes {
			for _, x := range a.Data[v*a.Width : (v+1)*a.Width] {
				s.single(x)
			}
		}
		for i, g := range m.Groups {
			member := uint8(0)
			if next[i] < len(g.Vertices) && g.Vertices[next[i]] == int32(v) {
				next[i]++
				member = 1
			}
			if len(g.Vertices) > 0 {
				s.byte(member)
			}
		}
		s.endLine()
	}
	s.faces(m)
	return s.b, nil
}

func (s *plySink) faces(m *Mesh) {
	for i, t := range m.Triangles {
		s.byte(3)
		for _, v := range t {
			s.int(v)
		}
		if len(m.CornerUV) > 0 {
			uv := m.CornerUV[i]
			if min(uv[0], uv[1], uv[2]) < 0 {
				s.byte(0)
			} else {
				s.byte(6)
				for _, k := range uv {
					s.real(m.UV[k].X)
					s.real(m.UV[k].Y)
				}
			}
		}
		s.endLine()
	}
}

func plyHeaderOf(m *Mesh, format Format, precise bool) (string, error) {
	var b strings.Builder
	name := map[Format]string{PLY: "binary_little_endian", PLYBigEndian: "binary_big_endian", PLYASCII: "ascii"}[format]
	fmt.Fprintf(&b, "ply\nformat %s 1.0\n", name)
	if m.Name != "" {
		fmt.Fprintf(&b, "comment toile-name %s\n", escape(m.Name, ""))
	}
	for _, k := range sortedKeys(m.Extra) {
		fmt.Fprintf(&b, "comment toile %s=%s\n", escape(k, "="), escape(m.Extra[k], ""))
	}
	real := "float"
	if precise {
		real = "double"
	}
	fmt.Fprintf(&b, "element vertex %d\n", len(m.Positions))
	fmt.Fprintf(&b, "property %[1]s x\nproperty %[1]s y\nproperty %[1]s z\n", real)
	if len(m.Normals) > 0 {
		fmt.Fprintf(&b, "property %[1]s nx\nproperty %[1]s ny\nproperty %[1]s nz\n", real)
	}
	if len(m.UV) > 0 && len(m.CornerUV) == 0 {
		fmt.Fprintf(&b, "property %[1]s s\nproperty %[1]s t\n", real)
	}
	properties := 8
	for _, a := range m.Attributes {
		for k := 0; k < a.Width; k++ {
			n, err := plyPropertyName(a, k)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "property float %s\n", n)
			properties++
		}
	}
	for _, g := range m.Groups {
		if len(g.Vertices) > 0 {
			fmt.Fprintf(&b, "property uchar %s%s\n", plyGroupPrefix, escape(g.Name, ""))
			properties++
		}
	}
	if properties > plyMaxProperties {
		return "", fmt.Errorf(
			"meshio: %d attributes and groups are more than a PLY file may have here (%d)",
			properties,
			plyMaxProperties,
		)
	}
	fmt.Fprintf(&b, "element face %d\nproperty list uchar int vertex_indices\n", len(m.Triangles))
	if len(m.CornerUV) > 0 {
		fmt.Fprintf(&b, "property list uchar %s texcoord\n", real)
	}
	b.WriteString("end_header\n")
	return b.String(), nil
}

// plyPropertyName returns the property of component k of a.
func plyPropertyName(a Attribute, k int) (string, error) {
	if a.Name == colour {
		return plyColours[k], nil
	}
	_, taken := plyComponents[a.Name]
	for _, c := range plyColours {
		taken = taken || a.Name == c
	}
	if taken {
		return "", fmt.Errorf("meshio: attribute %s: PLY gives this name another meaning; write _%s", a.Name, a.Name)
	}
	name := escape(a.Name, ".:")
	if a.Width > 1 {
		name += "." + strconv.Itoa(k)
	}
	return name, nil
}
