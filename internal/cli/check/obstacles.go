package check

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/lists"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// obstacleWarnings says what is wrong with the mesh files of obstacles. Cloth is kept on the side that triangles face,
// so that a body that is inside out draws it in, and edges that are not those of a surface have no side.
func obstacleWarnings(path string, s *scenefile.Scene) ([]string, error) {
	var out []string
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		if o.Shape.File == "" {
			continue
		}
		flags := cli.MeshFlags{Unit: fmt.Sprint(o.Shape.Unit), Up: o.Shape.Up, Weld: o.Shape.Weld}
		m, err := flags.Read(filepath.Join(filepath.Dir(path), filepath.FromSlash(o.Shape.File)))
		if err != nil {
			return nil, err
		}
		for _, w := range solidFaults(m) {
			out = append(out, fmt.Sprintf("obstacle %s: %s", o.Name, w))
		}
	}
	return out, nil
}

// obstacleReport is how large an obstacle is in the first frame.
type obstacleReport struct {
	Name string      `json:"name"`
	Size [3]cli.Real `json:"size"` // along x, y and z [m]; null where it has no end
	Min  [3]cli.Real `json:"min"`  // [m]
}

// words says in a line how large an obstacle is, so that a wrong unit or axis is seen.
func (r *obstacleReport) words() string {
	if math.IsInf(float64(r.Size[2]), 0) || math.IsInf(float64(r.Size[0]), 0) {
		return fmt.Sprintf("obstacle %s: without an end", r.Name)
	}
	size := func(k int) string { return words.Length(float64(r.Size[k])) }
	return fmt.Sprintf("obstacle %s: %s x %s x %s (x, y, z), z from %s to %s",
		r.Name, size(0), size(1), size(2), words.Length(float64(r.Min[2])), words.Length(float64(r.Min[2]+r.Size[2])))
}

// obstacleReports says how large obstacles are that have the given boxes, and which of those from files are so odd that
// their unit or the axis that is up may be wrong.
func obstacleReports(s *scenefile.Scene, boxes []r3.Box) (reports []obstacleReport, warnings []string) {
	for i, box := range boxes {
		o := &s.Obstacles[i]
		size := box.Size()
		reports = append(reports, obstacleReport{
			o.Name,
			[3]cli.Real{cli.Real(size.X), cli.Real(size.Y), cli.Real(size.Z)},
			[3]cli.Real{cli.Real(box.Min.X), cli.Real(box.Min.Y), cli.Real(box.Min.Z)},
		})
		if o.Shape.File == "" && o.Shape.Sequence == nil {
			continue // its numbers are in the scene
		}
		if odd, _ := oddSize(box); odd != "" {
			warnings = append(warnings, fmt.Sprintf("obstacle %s: %s", o.Name, odd))
		} else if lies(size) {
			warnings = append(warnings,
				fmt.Sprintf("obstacle %s: it is %s long in y and %s tall, as a person who lies; if it should stand, "+
					"write up: y",
					o.Name, words.Length(size.Y), words.Length(size.Z)))
		}
	}
	return reports, warnings
}

// lies reports whether something has the size of a person on the back, as in a file in which y is up and z was believed
// to be.
func lies(size r3.Vec) bool {
	return size.Y > 1.2 && size.Y < 2.3 && size.Y >= size.X && size.Z > 0.1 && size.Z < 0.4*size.Y
}

// worldObstacles returns the boxes around the obstacles of a world.
func worldObstacles(w *engine.World) []r3.Box {
	boxes := make([]r3.Box, w.Obstacles())
	for i := range boxes {
		id := engine.ObstacleID(i)
		if x := w.ObstaclePositions(id); x != nil {
			boxes[i] = r3.BoxOf(x)
			continue
		}
		boxes[i] = shape.Placed{Shape: w.Obstacle(id).Shape, Pose: w.ObstaclePose(id)}.Bounds()
	}
	return boxes
}

// yarnObstacles returns the boxes around the obstacles of yarns at the start.
func yarnObstacles(built *build.BuiltYarns) ([]r3.Box, error) {
	boxes := make([]r3.Box, len(built.Obstacles))
	for i := range boxes {
		o := &built.Obstacles[i]
		if o.Shape != nil {
			boxes[i] = shape.Placed{Shape: o.Shape, Pose: o.Place}.Bounds()
			continue
		}
		x := slices.Clone(o.Positions)
		if o.Deform != nil {
			if err := o.Deform.At(0, x); err != nil {
				return nil, err
			}
		}
		for k := range x {
			x[k] = o.Place.Apply(x[k])
		}
		boxes[i] = r3.BoxOf(x)
	}
	return boxes, nil
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
		out = append(
			out,
			fmt.Sprintf(
				"%s with more than two triangles; cut the surface there in a modeller", words.Count(crowded, "edge"),
			),
		)
	}
	if turned > 0 {
		out = append(
			out,
			fmt.Sprintf(
				"at %s neighbours face opposite ways; toile check FILE --fix turns them", words.Count(turned, "edge"),
			),
		)
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
		out = append(out,
			fmt.Sprintf("%s inside out: triangles must be counter-clockwise seen from outside; "+
				"turn the faces in a modeller",
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
