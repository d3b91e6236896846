package ply

import (
	"strings"

	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// target is where a vertex property goes: kind and component.
type target struct {
	kind  targetKind
	index int     // of the attribute or group
	comp  int     // component
	scale float64 // of colours
}

type targetKind uint8

const (
	toNothing targetKind = iota
	toPosition
	toNormal
	toUV
	toAttribute
	toGroup
)

// components are the vertex properties with a fixed meaning.
var components = map[string]target{
	"x": {kind: toPosition}, "y": {kind: toPosition, comp: 1}, "z": {kind: toPosition, comp: 2},
	"nx": {kind: toNormal}, "ny": {kind: toNormal, comp: 1}, "nz": {kind: toNormal, comp: 2},
	"s": {kind: toUV}, "t": {kind: toUV, comp: 1},
	"u": {kind: toUV}, "v": {kind: toUV, comp: 1},
	"texture_u": {kind: toUV}, "texture_v": {kind: toUV, comp: 1},
}

// colours are the components of COLOR_0.
var colours = [4]string{"red", "green", "blue", "alpha"}

const groupPrefix = "group:"

// plan decides where each vertex property goes.
func (r *reader) plan(e *element) ([]target, *model.Error) {
	targets := make([]target, len(e.properties))
	var parts [toGroup][3]int // properties found for each component of position, normal, UV
	byName := map[string]int{}
	groups := map[string]bool{}
	// first property of each component, group and attribute
	for i, p := range e.properties {
		if p.list {
			continue
		}
		if t, ok := components[p.name]; ok {
			if parts[t.kind][t.comp]++; parts[t.kind][t.comp] == 1 {
				targets[i] = t
			}
			continue
		}
		if name, ok := strings.CutPrefix(p.name, groupPrefix); ok && scan.Unescape(name) != "" {
			name = scan.Unescape(name)
			if !groups[name] {
				groups[name] = true
				targets[i] = target{kind: toGroup, index: len(r.m.Groups)}
				r.m.Groups = append(r.m.Groups, model.Group{Name: name})
			}
			continue
		}
		targets[i] = r.attribute(p, byName)
	}
	// positions must be complete
	if parts[toPosition] != [3]int{1, 1, 1} {
		return nil, &model.Error{Line: e.line, Msg: "element vertex must have the scalar properties x, y and z"}
	}
	// normals and UVs count as a whole, or not at all
	for i, t := range targets {
		incomplete := t.kind == toNormal && min(parts[toNormal][0], parts[toNormal][1], parts[toNormal][2]) == 0 ||
			t.kind == toUV && (min(parts[toUV][0], parts[toUV][1]) == 0 || r.uvOf != nil)
		if incomplete {
			targets[i] = target{}
		}
	}
	// room for what has been found
	for _, t := range targets {
		switch t.kind {
		case toNormal:
			r.m.Normals = make([]r3.Vec, 0, e.count)
		case toUV:
			r.m.UV = make([]r3.Vec2, 0, e.count)
		}
	}
	r.fixColour(targets)
	for i := range r.m.Attributes {
		r.m.Attributes[i].Data = make([]float32, r.m.Attributes[i].Width*e.count)
	}
	return targets, nil
}

// attribute finds or makes the attribute of a property.
func (r *reader) attribute(p property, byName map[string]int) target {
	name, comp := p.name, 0
	scale := 1.0
	for c, n := range colours {
		if p.name == n {
			name, comp, scale = model.Colour, c, ranges[p.typ]
		}
	}
	if k := len(name) - 2; k > 0 && name[k] == '.' && name[k+1] >= '0' && name[k+1] <= '3' {
		name, comp = name[:k], int(name[k+1]-'0')
	}
	name = scan.Unescape(name)
	k, ok := byName[name]
	if !ok && comp > 0 || ok && r.m.Attributes[k].Width != comp || name == "" || name == model.IDAttribute {
		return target{} // out of order, double, or not to be had
	}
	if !ok {
		k = len(r.m.Attributes)
		byName[name] = k
		r.m.Attributes = append(r.m.Attributes, model.Attribute{Name: name})
	}
	r.m.Attributes[k].Width++
	return target{kind: toAttribute, index: k, comp: comp, scale: scale}
}

// fixColour leaves out a colour of fewer than three components.
func (r *reader) fixColour(targets []target) {
	for k, a := range r.m.Attributes {
		if a.Name != model.Colour || a.Width >= 3 {
			continue
		}
		r.m.Attributes = append(r.m.Attributes[:k], r.m.Attributes[k+1:]...)
		for i, t := range targets {
			switch {
			case t.kind == toAttribute && t.index == k:
				targets[i] = target{}
			case t.kind == toAttribute && t.index > k:
				targets[i].index--
			}
		}
		return
	}
}
