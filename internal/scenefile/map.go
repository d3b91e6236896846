package scenefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/meshio"
)

// canvas is what maps are laid over: the mesh of a file, which is nil if it has faults, or, without a file, a cloth
// that is made.
type canvas struct {
	File string
	mesh *fileMesh
}

// resolve reads the image of a map, or looks for its attribute. at is the place of its name.
func (m *mapSource) resolve(r *fileReader, s canvas, at place, d *decoder) {
	if m.name == "" {
		return // it has faults of its own
	}
	if isImage(m.name) {
		data, err := r.read(m.name)
		if err == nil {
			m.image, err = readPicture(m.name, data, m.part)
		}
		if err != nil {
			d.faults.add(at, "%v", err)
			return
		}
		if s.File != "" && s.mesh != nil {
			s.checkImage(m.name, at, d)
		}
		return
	}
	if s.File == "" {
		d.faults.add(
			at,
			"map %s is not the name of an image (.png, .jpg), and only meshes from files have attributes",
			shown(m.name),
		)
		return
	}
	if s.mesh == nil {
		return // it has faults of its own
	}
	a := findAttribute(s.mesh.Attributes, m.name)
	if a == nil {
		d.faults.add(at, "unknown map %s%s", shown(m.name), attributeHint(s, m.name))
		return
	}
	if _, err := attributeValues(a, m.part); err != nil {
		d.faults.add(at, "%v", err)
	}
}

// checkImage looks for corners that an image cannot be laid over.
func (s canvas) checkImage(name string, at place, d *decoder) {
	if len(s.mesh.UV) == 0 {
		d.faults.add(at, "map: %s is an image, but %s has no UVs to lay it over", name, s.File)
		return
	}
	for t, c := range s.mesh.CornerUV {
		if slices.Contains(c[:], -1) {
			d.faults.add(at, "map: %s is an image, but triangle %d of %s has no UVs", name, t, s.File)
			return
		}
	}
}

func attributeHint(s canvas, name string) string {
	var names []string
	for _, a := range s.mesh.Attributes {
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return fmt.Sprintf("; %s has no attributes, write the name of an image (.png, .jpg)", s.File)
	}
	return suggestionOnly(name, names) + fmt.Sprintf("; the attributes of %s are %s", s.File, strings.Join(names, ", "))
}

// findAttribute finds an attribute by its name, which may lack the underscore that glTF asks for and be in small
// letters.
func findAttribute(all []meshio.Attribute, name string) *meshio.Attribute {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, want := range []string{name, "_" + name} {
			if i := slices.IndexFunc(all, func(a meshio.Attribute) bool { return same(a.Name, want) }); i >= 0 {
				return &all[i]
			}
		}
	}
	return nil
}

// attributeValues returns one number for each vertex: the attribute itself, or a channel of a colour.
func attributeValues(a *meshio.Attribute, channel string) ([]float64, error) {
	n := len(a.Data) / a.Width
	out := make([]float64, n)
	component := slices.Index([]string{"red", "green", "blue", "alpha"}, channel)
	switch {
	case component >= a.Width:
		return nil, fmt.Errorf("attribute %s has %d numbers for each vertex and no %s", a.Name, a.Width, channel)
	case component < 0 && a.Width == 2:
		return nil, fmt.Errorf(
			"attribute %s has 2 numbers for each vertex; write channel: red or channel: green for one of them",
			a.Name,
		)
	}
	for v := range out {
		c := a.Data[v*a.Width : (v+1)*a.Width]
		switch {
		case component >= 0:
			out[v] = float64(c[component])
		case a.Width == 1:
			out[v] = float64(c[0])
		default:
			out[v] = grey(float64(c[0]), float64(c[1]), float64(c[2]))
		}
	}
	return out, nil
}
