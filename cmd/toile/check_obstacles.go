package main

import (
	"fmt"
	"path/filepath"

	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/scene"
)

// obstacleWarnings says what is wrong with the mesh files of obstacles. Cloth is kept on the side that triangles face, so
// that a body that is inside out draws it in, and edges that are not those of a surface have no side.
func obstacleWarnings(path string, s *scene.Scene) ([]string, error) {
	var out []string
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		if o.Shape.File == "" {
			continue
		}
		flags := meshFlags{unit: fmt.Sprint(o.Shape.Unit), up: o.Shape.Up, weld: o.Shape.Weld}
		m, err := flags.read(filepath.Join(filepath.Dir(path), filepath.FromSlash(o.Shape.File)))
		if err != nil {
			return nil, err
		}
		for _, w := range solidFaults(m) {
			out = append(out, fmt.Sprintf("obstacle %s: %s", o.Name, w))
		}
	}
	return out, nil
}

// solidFaults says what keeps a mesh from being the surface of a body.
func solidFaults(m *meshio.Mesh) []string {
	tp := newTopology(m, nil)
	var out []string
	crowded, turned := 0, 0
	open := make([]bool, tp.verts) // whether there is a boundary at the vertex
	pieces := lists.NewGroups(tp.verts)
	for _, e := range tp.edges {
		pieces.Join(e.a, e.b)
		switch {
		case len(e.sides) == 1:
			open[e.a] = true
		case len(e.sides) > 2:
			crowded++
		case e.sides[0].forward == e.sides[1].forward:
			turned++
		}
	}
	if crowded > 0 {
		out = append(out, fmt.Sprintf("%s with more than two triangles; cut the surface there in a modeller", words.Count(crowded, "edge")))
	}
	if turned > 0 {
		out = append(out, fmt.Sprintf("at %s neighbours face opposite ways; toile check FILE --fix turns them", words.Count(turned, "edge")))
	}
	if crowded+turned > 0 {
		return out // and there is no inside
	}
	inverted := 0
	for _, volume := range closedVolumes(m, tp, pieces, open) {
		if volume < 0 {
			inverted++
		}
	}
	if inverted > 0 {
		out = append(out, fmt.Sprintf("%s inside out: triangles must be counter-clockwise seen from outside; turn the faces in a modeller",
			words.Count(inverted, "closed piece")))
	}
	return out
}

// closedVolumes returns the volumes of pieces without a boundary [m³], negative for those that are inside out.
func closedVolumes(m *meshio.Mesh, tp *topology, pieces lists.Groups, open []bool) []float64 {
	bounded := make([]bool, tp.verts)
	for v := range open {
		if open[v] {
			bounded[pieces.Of(int32(v))] = true
		}
	}
	volume := make([]float64, tp.verts)
	for _, t := range m.Triangles {
		root := pieces.Of(t[0])
		o := m.Positions[root] // a point of the piece, because far from the origin rounding would decide
		a, b, c := m.Positions[t[0]].Sub(o), m.Positions[t[1]].Sub(o), m.Positions[t[2]].Sub(o)
		volume[root] += a.Dot(b.Cross(c)) / 6
	}
	var out []float64
	for v := range volume {
		if pieces.Of(int32(v)) == int32(v) && !bounded[v] {
			out = append(out, volume[v])
		}
	}
	return out
}
