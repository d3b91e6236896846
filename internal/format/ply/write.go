package ply

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// sink appends values to a PLY body.
type sink struct {
	b       []byte
	ascii   bool
	order   binary.AppendByteOrder
	precise bool // real numbers are double
	fresh   bool // at the start of a line
}

func (s *sink) space() {
	if !s.fresh {
		s.b = append(s.b, ' ')
	}
	s.fresh = false
}

func (s *sink) real(x float64) {
	switch {
	case s.ascii && s.precise:
		s.space()
		s.b = scan.AppendNumber(s.b, x)
	case s.precise:
		s.b = s.order.AppendUint64(s.b, math.Float64bits(x))
	default:
		s.single(float32(x))
	}
}

func (s *sink) single(x float32) {
	if s.ascii {
		s.space()
		s.b = scan.AppendNumber32(s.b, x)
		return
	}
	s.b = s.order.AppendUint32(s.b, math.Float32bits(x))
}

func (s *sink) byte(x uint8) {
	if s.ascii {
		s.space()
		s.b = strconv.AppendUint(s.b, uint64(x), 10)
		return
	}
	s.b = append(s.b, x)
}

func (s *sink) int(x int32) {
	if s.ascii {
		s.space()
		s.b = strconv.AppendInt(s.b, int64(x), 10)
		return
	}
	s.b = s.order.AppendUint32(s.b, uint32(x))
}

func (s *sink) vec(v r3.Vec) {
	s.real(v.X)
	s.real(v.Y)
	s.real(v.Z)
}

func (s *sink) endLine() {
	if s.ascii {
		s.b = append(s.b, '\n')
		s.fresh = true
	}
}

// Append writes m in one of the PLY formats, with the properties that the package names.
func Append(b []byte, m *model.Mesh, fr model.Frame, encoding Encoding, precise bool) ([]byte, error) {
	// header, and form of the numbers
	header, err := headerOf(m, encoding, precise)
	if err != nil {
		return nil, err
	}
	s := &sink{b: append(b, header...), ascii: encoding == ASCII, precise: precise, fresh: true}
	s.order = binary.LittleEndian
	if encoding == BigEndian {
		s.order = binary.BigEndian
	}
	// what single precision cannot hold
	if !precise {
		if err := model.FitsSingle(m, fr); err != nil {
			return nil, err
		}
	}
	// vertices with normals and UVs
	next := make([]int, len(m.Groups))
	for v, p := range m.Positions {
		s.vec(fr.ToFile(p))
		if len(m.Normals) > 0 {
			s.vec(fr.TurnToFile(m.Normals[v]))
		}
		if len(m.UV) > 0 && len(m.CornerUV) == 0 {
			s.real(m.UV[v].X)
			s.real(m.UV[v].Y)
		}
		// attributes, and membership in groups
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
	// triangles
	s.faces(m)
	return s.b, nil
}

func (s *sink) faces(m *model.Mesh) {
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

func headerOf(m *model.Mesh, encoding Encoding, precise bool) (string, error) {
	// form, name and extras
	var b strings.Builder
	name := [...]string{LittleEndian: "binary_little_endian", BigEndian: "binary_big_endian", ASCII: "ascii"}[encoding]
	fmt.Fprintf(&b, "ply\nformat %s 1.0\n", name)
	if m.Name != "" {
		fmt.Fprintf(&b, "comment toile-name %s\n", scan.Escape(m.Name, ""))
	}
	for _, k := range slices.Sorted(maps.Keys(m.Extra)) {
		fmt.Fprintf(&b, "comment toile %s=%s\n", scan.Escape(k, "="), scan.Escape(m.Extra[k], ""))
	}
	// positions in single or double precision
	real := "float"
	if precise {
		real = "double"
	}
	fmt.Fprintf(&b, "element vertex %d\n", len(m.Positions))
	fmt.Fprintf(&b, "property %[1]s x\nproperty %[1]s y\nproperty %[1]s z\n", real)
	// normals and UVs of vertices
	if len(m.Normals) > 0 {
		fmt.Fprintf(&b, "property %[1]s nx\nproperty %[1]s ny\nproperty %[1]s nz\n", real)
	}
	if len(m.UV) > 0 && len(m.CornerUV) == 0 {
		fmt.Fprintf(&b, "property %[1]s s\nproperty %[1]s t\n", real)
	}
	// attributes and groups
	properties := 8
	for _, a := range m.Attributes {
		for k := 0; k < a.Width; k++ {
			n, err := propertyName(a, k)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "property float %s\n", n)
			properties++
		}
	}
	for _, g := range m.Groups {
		if len(g.Vertices) > 0 {
			fmt.Fprintf(&b, "property uchar %s%s\n", groupPrefix, scan.Escape(g.Name, ""))
			properties++
		}
	}
	// limit that the reader has, too
	if properties > maxProperties {
		return "", fmt.Errorf(
			"meshio: %d attributes and groups are more than a PLY file may have here (%d)",
			properties,
			maxProperties,
		)
	}
	// faces, with UVs of their corners
	fmt.Fprintf(&b, "element face %d\nproperty list uchar int vertex_indices\n", len(m.Triangles))
	if len(m.CornerUV) > 0 {
		fmt.Fprintf(&b, "property list uchar %s texcoord\n", real)
	}
	b.WriteString("end_header\n")
	return b.String(), nil
}

// propertyName returns the property of component k of a.
func propertyName(a model.Attribute, k int) (string, error) {
	if a.Name == model.Colour {
		return colours[k], nil
	}
	_, taken := components[a.Name]
	for _, c := range colours {
		taken = taken || a.Name == c
	}
	if taken {
		return "", fmt.Errorf("meshio: attribute %s: PLY gives this name another meaning; write _%s", a.Name, a.Name)
	}
	name := scan.Escape(a.Name, ".:")
	if a.Width > 1 {
		name += "." + strconv.Itoa(k)
	}
	return name, nil
}
