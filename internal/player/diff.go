package player

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Difference is the first difference between two runs, A and B. Clocks are not looked at.
type Difference struct {
	Same   bool // no difference in what both have, and both have the same
	Frames int  // looked at and found to show the same

	// The first frame whose state, in double precision, differs; -1 if none does.
	HashFrame    int
	HashA, HashB string

	// The first frame that shows a difference. Quantity is empty if none does.
	Frame    int
	Time     float64        // of that frame in A [s]
	Quantity string         // "position", "_SPEED", "triangles", ..., or "missing" if only one run has the frame
	Kind     runfolder.Kind // of the body where it differs first, if Quantity is about one
	Body     string         // its name
	Vertex   int            // or a triangle, if Quantity is "triangles"; -1 if it is about the whole
	A, B     string         // the values there
	By       float64        // how much they differ there
	Most     float64        // the largest difference of that quantity in that body and frame
	MostAt   int            // and where

	// The first row of the statistics that differs. Column is empty if none does.
	Row          int // from 1, without the header
	Step         int
	Column       string
	StatA, StatB float64

	// Scenes says what differs between the manifests, for people: scenes, inputs, builds.
	Scenes []string
}

// String tells the difference in a few lines.
func (d *Difference) String() string {
	var b strings.Builder
	// whether states and statistics are the same
	switch {
	case d.Same:
		fmt.Fprintf(&b, "the same in all %d frames\n", d.Frames)
	case d.HashFrame < 0 && d.Quantity == "":
		fmt.Fprintf(&b, "the same in all %d frames, but not in the statistics\n", d.Frames)
	case d.HashFrame >= 0:
		fmt.Fprintf(&b, "frame %d: state %s in A, %s in B\n", d.HashFrame, d.HashA, d.HashB)
	}
	// what differs first in what frames show
	switch d.Quantity {
	case "":
		if d.HashFrame >= 0 {
			b.WriteString("what the frames show is the same in single precision\n")
		}
	case "missing":
		fmt.Fprintf(&b, "frame %d: %s in A, %s in B\n", d.Frame, d.A, d.B)
	default:
		d.writePlace(&b)
	}
	// what differs first in the statistics, and in run.json
	if d.Column != "" {
		fmt.Fprintf(&b, "statistics, step %d: %s is %v in A, %v in B\n", d.Step, d.Column, d.StatA, d.StatB)
	}
	for _, s := range d.Scenes {
		fmt.Fprintf(&b, "run.json, %s\n", s)
	}
	return b.String()
}

func (d *Difference) writePlace(b *strings.Builder) {
	fmt.Fprintf(b, "frame %d, t = %.6g s: ", d.Frame, d.Time)
	switch {
	case d.Vertex < 0:
		fmt.Fprintf(b, "%s: %s in A, %s in B\n", d.Quantity, d.A, d.B)
	case d.Quantity == "triangles":
		fmt.Fprintf(b, "%s, triangle %d: %s in A, %s in B\n", d.body(), d.Vertex, d.A, d.B)
	default:
		fmt.Fprintf(b, "%s, vertex %d: %s %s in A, %s in B, apart by %.3g; most at vertex %d, by %.3g\n",
			d.body(), d.Vertex, d.Quantity, d.A, d.B, d.By, d.MostAt, d.Most)
	}
}

// body names what differs.
func (d *Difference) body() string {
	if d.Kind.Obstacle() {
		return fmt.Sprintf("obstacle %q", d.Body)
	}
	return fmt.Sprintf("%s %q", d.Kind, d.Body)
}

// Diff compares the runs in two folders. It looks at hashes first, then at what the frames show, then
// at the statistics, and never at clocks. A damaged file is an error.
func Diff(dirA, dirB string) (*Difference, error) {
	a, err := runfolder.Open(dirA)
	if err != nil {
		return nil, err
	}
	b, err := runfolder.Open(dirB)
	if err != nil {
		return nil, err
	}
	d := &Difference{HashFrame: -1, Vertex: -1, Scenes: a.Manifest.Differences(&b.Manifest, "in A", "in B")}
	if err := d.frames(a, b); err != nil {
		return nil, err
	}
	if err := d.stats(a, b); err != nil {
		return nil, err
	}
	d.Same = d.HashFrame < 0 && d.Quantity == "" && d.Column == ""
	return d, nil
}

func (d *Difference) frames(a, b *runfolder.Folder) error {
	// frames that there are in either
	inA, err := a.Frames()
	if err != nil {
		return err
	}
	inB, err := b.Frames()
	if err != nil {
		return err
	}
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(inA, inB))))
	for _, n := range all {
		// a frame that one of them lacks
		_, hasA := slices.BinarySearch(inA, n)
		_, hasB := slices.BinarySearch(inB, n)
		if !hasA || !hasB {
			d.Frame, d.Quantity = n, "missing"
			d.A, d.B = presence(hasA), presence(hasB)
			return nil
		}
		// both, as they were written
		fa, err := a.Frame(n)
		if err != nil {
			return err
		}
		fb, err := b.Frame(n)
		if err != nil {
			return err
		}
		// first state that differs, and first frame that shows it
		if d.HashFrame < 0 && fa.Hash != fb.Hash {
			d.HashFrame, d.HashA, d.HashB = n, fa.Hash, fb.Hash
		}
		if d.frame(fa, fb) {
			d.Frame, d.Time = n, fa.Time
			return nil
		}
		d.Frames++
	}
	return nil
}

func presence(has bool) string {
	if has {
		return "present"
	}
	return "missing"
}

// frame finds the first difference between what two frames show and reports whether there is one.
func (d *Difference) frame(a, b *runfolder.Frame) bool {
	switch {
	case a.Time != b.Time:
		d.whole("time", a.Time, b.Time)
		return true
	case len(a.Bodies) != len(b.Bodies):
		d.whole("bodies", len(a.Bodies), len(b.Bodies))
		return true
	}
	for i := range a.Bodies {
		if d.differ(&a.Bodies[i], &b.Bodies[i]) {
			d.Kind, d.Body = a.Bodies[i].Kind, a.Bodies[i].Name
			return true
		}
	}
	return false
}

// differ finds the first difference between two bodies.
func (d *Difference) differ(a, b *runfolder.Body) bool {
	switch {
	case a.Name != b.Name:
		d.whole("name of a body", a.Name, b.Name)
		return true
	case a.Kind != b.Kind:
		d.whole("kind of "+a.Name, a.Kind, b.Kind)
		return true
	case a.Pose != b.Pose:
		d.whole("pose of "+a.Name, a.Pose, b.Pose)
		return true
	case (a.Mesh == nil) != (b.Mesh == nil):
		d.whole("mesh of "+a.Name, presence(a.Mesh != nil), presence(b.Mesh != nil))
		return true
	}
	return a.Mesh != nil && d.mesh(a.Mesh, b.Mesh) || a.Curves != nil && d.curves(a.Curves, b.Curves)
}

// curves finds the first difference between the yarns of two bodies.
func (d *Difference) curves(a, b *meshio.Curves) bool {
	switch {
	case !slices.Equal(a.Counts, b.Counts) || !slices.Equal(a.Closed, b.Closed):
		d.whole("yarns of "+a.Name, curveWords(a), curveWords(b))
		return true
	case a.Radius != b.Radius:
		d.whole("radius of "+a.Name, a.Radius, b.Radius)
		return true
	}
	return d.vectors("position", a.Points, b.Points) || d.attributes(a.Name, a.Attributes, b.Attributes)
}

func curveWords(c *meshio.Curves) string {
	return fmt.Sprintf("%s of %s", words.Count(len(c.Counts), "yarn"), words.Count(len(c.Points), "point"))
}

func (d *Difference) whole(quantity string, a, b any) {
	d.Quantity, d.A, d.B = quantity, fmt.Sprint(a), fmt.Sprint(b)
}

func (d *Difference) mesh(a, b *meshio.Mesh) bool {
	// name and sizes
	switch {
	case a.Name != b.Name:
		d.whole("name of a mesh", a.Name, b.Name)
		return true
	case len(a.Positions) != len(b.Positions):
		d.whole("vertices of "+a.Name, len(a.Positions), len(b.Positions))
		return true
	case len(a.Triangles) != len(b.Triangles):
		d.whole("triangles of "+a.Name, len(a.Triangles), len(b.Triangles))
		return true
	}
	// triangles
	for t := range a.Triangles {
		if a.Triangles[t] != b.Triangles[t] {
			d.whole("triangles", a.Triangles[t], b.Triangles[t])
			d.Vertex = t
			return true
		}
	}
	// what vertices have
	if d.vectors("position", a.Positions, b.Positions) || d.attributes(a.Name, a.Attributes, b.Attributes) ||
		d.vectors("normal", a.Normals, b.Normals) {
		return true
	}
	// UVs
	if !slices.Equal(a.UV, b.UV) || !slices.Equal(a.CornerUV, b.CornerUV) {
		d.whole("UVs of "+a.Name, fmt.Sprintf("%d points", len(a.UV)), fmt.Sprintf("%d points", len(b.UV)))
		return true
	}
	return false
}

func (d *Difference) attributes(name string, a, b []meshio.Attribute) bool {
	if len(a) != len(b) {
		d.whole("attributes of "+name, len(a), len(b))
		return true
	}
	for i := range a {
		p, q := &a[i], &b[i]
		if p.Name != q.Name {
			d.whole("attribute", p.Name, q.Name)
			return true
		}
		if d.values(p.Name, len(p.Data), func(v int) (float64, string, string) {
			return math.Abs(float64(p.Data[v]) - float64(q.Data[v])), fmt.Sprint(p.Data[v]), fmt.Sprint(q.Data[v])
		}) {
			return true
		}
	}
	return false
}

func (d *Difference) vectors(quantity string, a, b []r3.Vec) bool {
	if len(a) != len(b) {
		d.whole(quantity+"s", len(a), len(b))
		return true
	}
	return d.values(quantity, len(a), func(v int) (float64, string, string) {
		if a[v] == b[v] {
			return 0, "", ""
		}
		return a[v].Sub(b[v]).Norm(), fmt.Sprintf("%v", a[v]), fmt.Sprintf("%v", b[v])
	})
}

// values finds the first and the largest difference of n values.
func (d *Difference) values(quantity string, n int, at func(v int) (by float64, a, b string)) bool {
	found := false
	for v := range n {
		by, a, b := at(v)
		if by == 0 {
			continue
		}
		if !found {
			found = true
			d.Quantity, d.Vertex, d.A, d.B, d.By = quantity, v, a, b, by
		}
		if by > d.Most {
			d.Most, d.MostAt = by, v
		}
	}
	return found
}

// stats finds the first row and column that differ, clocks apart.
func (d *Difference) stats(a, b *runfolder.Folder) error {
	// statistics of both
	ta, err := a.Stats()
	if err != nil {
		return err
	}
	tb, err := b.Stats()
	if err != nil {
		return err
	}
	// first row with a difference, and its column
	rows := min(ta.Rows(), tb.Rows())
	first := rows
	for c, name := range ta.Columns {
		if runfolder.IsClock(name) {
			continue
		}
		va, vb := ta.Values[c], tb.Column(name)
		for row := range min(first, len(vb)) {
			if !equal(va[row], vb[row]) {
				first, d.Column, d.StatA, d.StatB = row, name, va[row], vb[row]
				break
			}
		}
	}
	// one has more rows
	if d.Column == "" && ta.Rows() != tb.Rows() {
		d.Column, d.StatA, d.StatB = "number of rows", float64(ta.Rows()), float64(tb.Rows())
	}
	// step of that row
	if d.Column != "" {
		d.Row, d.Step = first+1, first+1
		if steps := ta.Column("step"); first < len(steps) {
			d.Step = int(steps[first])
		}
	}
	return nil
}

// equal is ==, and true for two NaNs.
func equal(x, y float64) bool { return x == y || x != x && y != y }
