package check

import (
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// What can be wrong with a mesh, found by counting. Faults keep a mesh from being simulated as
// cloth; warnings do not.
//
// Invariants: findings and examples are in index order and do not depend on map order.

// severity says what a finding means for a simulation.
type severity string

const (
	fault   severity = "fault"
	warning severity = "warning"
)

// finding is one kind of thing wrong with a mesh.
type finding struct {
	Severity severity `json:"severity"`
	Kind     string   `json:"kind"`
	Count    int      `json:"count"`
	Text     string   `json:"text"`
	Of       string   `json:"of,omitempty"`       // what Examples are: vertex or triangle
	Examples []int32  `json:"examples,omitempty"` // the first few, numbered from 0
	Fix      string   `json:"fix,omitempty"`      // what to do about it
}

// meshReport is what check finds out about a mesh.
type meshReport struct {
	Event      string      `json:"event"`
	File       string      `json:"file"`
	Vertices   int         `json:"vertices"`
	Triangles  int         `json:"triangles"`
	Components int         `json:"components"`
	Loops      int         `json:"boundary_loops"`
	Min        [3]cli.Real `json:"min"`
	Max        [3]cli.Real `json:"max"`
	Area       cli.Real    `json:"area"`
	Edges      [3]cli.Real `json:"edges"` // shortest, mean, longest [m]
	UV         string      `json:"uv"`
	Findings   []finding   `json:"findings"`
	Notes      []string    `json:"notes,omitempty"`
	Usable     bool        `json:"usable"` // can be simulated as cloth
}

// flatTriangle is the least height of a usable triangle relative to its longest side, as in package
// mesh.
const flatTriangle = 1e-8

// sliver is the height relative to the longest side below which a triangle makes simulation worse.
const sliver = 1e-2

// coincidence is how near vertices are to each other, relative to the mesh, to be taken for one.
const coincidence = 1e-7

// exampleLimit is how many places a finding names.
const exampleLimit = 5

// inspector collects findings about one mesh.
type inspector struct {
	m        *meshio.Mesh
	topology *topology // of the triangles that are neither flat nor repeated
	report   *meshReport
	box      r3.Box // of all finite positions
}

// inspect finds out what is wrong with a mesh.
func inspect(file string, m *meshio.Mesh) *meshReport {
	in := &inspector{m: m, report: &meshReport{
		Event:     "mesh",
		File:      file,
		Vertices:  len(m.Positions),
		Triangles: len(m.Triangles),
		Notes:     m.Notes,
		Findings:  []finding{},
	}}
	in.finite()
	in.triangles()
	in.connections()
	in.measure()
	in.vertices()
	in.uv()
	in.unit()
	in.report.Usable = !slices.ContainsFunc(in.report.Findings, func(f finding) bool { return f.Severity == fault })
	return in.report
}

// find reports vertices or triangles, if there are any.
func (in *inspector) find(s severity, kind, text, of string, places []int32, fix string) {
	if len(places) == 0 {
		return
	}
	in.report.Findings = append(in.report.Findings, finding{
		Severity: s, Kind: kind, Count: len(places), Text: text, Of: of,
		Examples: slices.Clone(places[:min(len(places), exampleLimit)]), Fix: fix,
	})
}

func (in *inspector) finite() {
	in.box = r3.EmptyBox()
	var bad []int32
	for i, p := range in.m.Positions {
		if p.Finite() {
			in.box = in.box.With(p)
		} else {
			bad = append(bad, int32(i))
		}
	}
	if in.box.Empty() {
		in.box = r3.Box{}
	}
	in.find(fault, "not-finite", "vertices without a finite place", "vertex", bad, "give them numbers")
}

// measure takes sizes and counts pieces.
func (in *inspector) measure() {
	r, box := in.report, in.box
	r.Min = [3]cli.Real{cli.Real(box.Min.X), cli.Real(box.Min.Y), cli.Real(box.Min.Z)}
	r.Max = [3]cli.Real{cli.Real(box.Max.X), cli.Real(box.Max.Y), cli.Real(box.Max.Z)}
	for _, t := range in.m.Triangles {
		if a := in.area(t); a >= 0 && !math.IsInf(a, 1) { // not NaN
			r.Area += cli.Real(a)
		}
	}
	shortest, sum, longest := math.Inf(1), 0.0, 0.0
	for _, e := range in.topology.edges {
		if l := in.m.Positions[e.a].Sub(in.m.Positions[e.b]).Norm(); l >= 0 && !math.IsInf(l, 1) {
			shortest, sum, longest = min(shortest, l), sum+l, max(longest, l)
		}
	}
	if longest > 0 {
		r.Edges = [3]cli.Real{cli.Real(shortest), cli.Real(sum / float64(len(in.topology.edges))), cli.Real(longest)}
	}
	r.Components, r.Loops = in.topology.components(), in.topology.loops()
}

func (in *inspector) area(t [3]int32) float64 {
	x := in.m.Positions
	return x[t[1]].Sub(x[t[0]]).Cross(x[t[2]].Sub(x[t[0]])).Norm() / 2
}

// height returns the least height of a triangle relative to its longest side; 0 for one that repeats
// a vertex.
func height(x []r3.Vec, t [3]int32) float64 {
	a, b, c := x[t[0]], x[t[1]], x[t[2]]
	longest := max(b.Sub(a).Norm(), c.Sub(b).Norm(), a.Sub(c).Norm())
	if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] || longest == 0 {
		return 0
	}
	return b.Sub(a).Cross(c.Sub(a)).Norm() / (longest * longest)
}

// triangles looks at every triangle alone, and finds the connections of those that are good.
func (in *inspector) triangles() {
	// a mesh without any
	if len(in.m.Triangles) == 0 {
		in.report.Findings = append(
			in.report.Findings,
			finding{Severity: fault, Kind: "empty", Count: 1, Text: "the file has no triangles"},
		)
	}
	// triangles without area, and thin ones
	var flat, thin []int32
	for i, t := range in.m.Triangles {
		switch h := height(in.m.Positions, t); {
		case !(h > flatTriangle):
			flat = append(flat, int32(i))
		case h < sliver:
			thin = append(thin, int32(i))
		}
	}
	// triangles that are there twice, and what is told of all these
	repeated := duplicates(in.m.Triangles)
	in.find(fault, "degenerate", "triangles without area", "triangle", flat, "--fix removes them")
	in.find(
		fault,
		"duplicate",
		"triangles with the same vertices as an earlier one",
		"triangle",
		repeated,
		"--fix removes them",
	)
	in.find(
		warning,
		"sliver",
		"triangles more than a hundred times longer than high",
		"triangle",
		thin,
		"remesh them for accuracy",
	)
	// faulty ones do not count as surface
	skip := make([]bool, len(in.m.Triangles))
	for _, t := range slices.Concat(flat, repeated) {
		skip[t] = true
	}
	in.topology = newTopology(in.m, skip)
}

// duplicates returns the triangles that have the same vertices as an earlier one.
func duplicates(triangles [][3]int32) []int32 {
	seen := make(map[[3]int32]bool, len(triangles))
	var out []int32
	for i, t := range triangles {
		slices.Sort(t[:])
		if seen[t] {
			out = append(out, int32(i))
		}
		seen[t] = true
	}
	return out
}

func (in *inspector) connections() {
	// edges with too many triangles, and with neighbours that face opposite ways
	var crowded, turned []int32
	for _, e := range in.topology.edges {
		switch {
		case len(e.sides) > 2:
			crowded = append(crowded, e.sides[2].tri)
		case len(e.sides) == 2 && e.sides[0].forward == e.sides[1].forward:
			turned = append(turned, e.sides[1].tri)
		}
	}
	slices.Sort(crowded)
	slices.Sort(turned)
	// what helps is told with them
	in.find(
		fault,
		"non-manifold",
		"edges with more than two triangles",
		"triangle",
		crowded,
		"cut the surface there in a modeller",
	)
	// turning triangles helps a surface with two sides alone
	fix := "--fix turns them"
	if len(turned) > 0 && !in.topology.orientable() {
		fix = "the surface has only one side; cut it in a modeller"
	}
	in.find(fault, "flipped", "edges where neighbours face opposite ways", "triangle", turned, fix)
	// pieces that hang together in a point
	in.find(
		warning,
		"pinched",
		"vertices where pieces of surface touch in a point",
		"vertex",
		in.topology.pinched(),
		"cut the surface there in a modeller",
	)
}

func (in *inspector) vertices() {
	// vertices without triangles
	used := make([]bool, len(in.m.Positions))
	for _, t := range in.m.Triangles {
		for _, v := range t {
			used[v] = true
		}
	}
	var unused []int32
	for i, u := range used {
		if !u {
			unused = append(unused, int32(i))
		}
	}
	in.find(fault, "unused", "vertices that no triangle uses", "vertex", unused, "--fix removes them")
	// vertices at the same place, as near as the size of the mesh says
	size := in.box.Size().Norm()
	if size == 0 {
		return
	}
	onto := coincident(in.m.Positions, coincidence*size)
	var twins []int32
	for i, j := range onto {
		if int(j) != i {
			twins = append(twins, int32(i))
		}
	}
	in.find(
		warning,
		"coincident",
		"vertices at the place of an earlier one",
		"vertex",
		twins,
		fmt.Sprintf(
			"if the surface should hold together there: --fix --merge %.2gmm, or weld: true in a scene",
			1000*coincidence*size,
		),
	)
}

func (in *inspector) uv() {
	m := in.m
	switch {
	case len(m.UV) == 0:
		in.report.UV = "none"
	case len(m.CornerUV) == 0:
		in.report.UV = "one for each vertex"
	default:
		in.report.UV = "cut along seams"
		var bare []int32
		for i, c := range m.CornerUV {
			if slices.Contains(c[:], -1) {
				bare = append(bare, int32(i))
			}
		}
		in.find(warning, "missing-uv", "triangles without UVs", "triangle", bare, "rest: uv cannot be used in a scene")
	}
}

// unit wonders at sizes that cloth and bodies do not have.
func (in *inspector) unit() {
	text, fix := oddSize(in.box)
	if text == "" {
		return
	}
	in.report.Findings = append(
		in.report.Findings,
		finding{Severity: warning, Kind: "unit", Count: 1, Text: text, Fix: fix},
	)
}

// oddSize says what is odd about the size of a thing, and what to write, or nothing.
func oddSize(box r3.Box) (text, fix string) {
	size := box.Size()
	largest, word := max(size.X, size.Y, size.Z), "across"
	if size.Z == largest {
		word = "tall"
	}
	switch {
	case largest > 20:
		unit := likelyUnit(largest)
		return fmt.Sprintf(
			"it is %s %s; is the unit %s?",
			words.Length(largest),
			word,
			unit,
		), "in a scene write unit: 1 " + unit + ", here --unit " + unit
	case largest > 0 && largest < 5e-3:
		return fmt.Sprintf(
			"it is only %s %s; is the unit right?",
			words.Length(largest),
			word,
		), "in a scene write the length of one unit of the file, such as unit: 10 cm"
	}
	return "", ""
}

// likelyUnit returns the unit in which something of so many units is nearest to a metre.
func likelyUnit(size float64) string {
	if math.Abs(math.Log(size/1000)) < math.Abs(math.Log(size/100)) {
		return "mm"
	}
	return "cm"
}
