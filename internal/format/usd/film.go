// Package usd writes films as text files of Universal Scene Description (.usda), with the schemas UsdGeom and Xform.
//
//	def Xform "run"            the whole film
//	  def Mesh "sheet"         an actor that deforms: points, normals and extent with time samples
//	  def BasisCurves "knit"   curves: points with time samples, and their thickness
//	  def Xform "ball"         a rigid actor: translate and orient with time samples, if it moves
//	    def Mesh "mesh"
//
// Time codes are the numbers of the frames, and timeCodesPerSecond is the frames a second. The stage says which way
// is up and how long a unit is, so that programs that heed it need not be told. Numbers have the digits of single
// precision. UVs are primvars:st, for each corner with indices where a vertex has several.
//
// The format wants all samples of an attribute together, frames come one after another: samples go to a temporary
// file for each attribute first.
package usd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/format/film"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/scan"
	"github.com/toile-sim/toile/r3"
)

// WriteFilm writes a film as .usda in the axes and unit of a frame. Beside path it needs room for the data once more.
func WriteFilm(path string, f *film.Film, fr model.Frame, shoot film.Shoot) error {
	// whether the film can be written
	if err := f.Validate(); err != nil {
		return err
	}
	for i := range f.Actors {
		if c := f.Actors[i].Curves; c != nil && slices.Contains(c.Closed, !c.Closed[0]) {
			return fmt.Errorf("meshio: film: some curves of %q are closed, and others are not", c.Name)
		}
	}
	// points of curves are like those of meshes
	f = f.WithPoints()
	u := &writer{film: f, frame: fr, actors: make([]actor, len(f.Actors))}
	if err := f.Fits(u.frame); err != nil {
		return err
	}
	// samples of all frames, then the file with them
	return disk.WriteFile(path, func(w io.Writer) error {
		defer u.remove()
		if err := u.open(path); err != nil {
			return err
		}
		if err := u.shots(shoot); err != nil {
			return err
		}
		u.out = bufio.NewWriterSize(w, 1<<18)
		if err := u.stage(); err != nil {
			return err
		}
		return u.out.Flush()
	})
}

// writer writes a film.
type writer struct {
	film   *film.Film
	frame  model.Frame
	actors []actor
	out    *bufio.Writer // errors stay with it until it is flushed
	text   []byte
}

// actor is what the frames tell of an actor.
type actor struct {
	points, normals *film.Spool // samples of an actor that deforms
	extents         []r3.Box    // in the axes of the file
	poses           film.Poses  // of a rigid one
}

func (u *writer) remove() {
	for i := range u.actors {
		for _, s := range []*film.Spool{u.actors[i].points, u.actors[i].normals} {
			if s != nil {
				s.Remove()
			}
		}
	}
}

func (u *writer) open(path string) (err error) {
	for i := range u.actors {
		if u.film.Actors[i].Rigid {
			continue
		}
		if u.actors[i].points, err = film.NewSpool(path, fmt.Sprintf("points%d", i)); err != nil {
			return err
		}
		if len(u.film.Actors[i].Mesh.Normals) == 0 {
			continue
		}
		if u.actors[i].normals, err = film.NewSpool(path, fmt.Sprintf("normals%d", i)); err != nil {
			return err
		}
	}
	return nil
}

// shots collects the samples of all frames.
func (u *writer) shots(shoot film.Shoot) error {
	for i, n := range u.film.Frames {
		// shots that fit the film
		shots, err := shoot(i)
		if err != nil {
			return err
		}
		if err := u.film.Check(i, shots, u.frame); err != nil {
			return err
		}
		for k := range shots {
			a, s := &u.actors[k], &shots[k]
			// poses of rigid actors
			if u.film.Actors[k].Rigid {
				a.poses.Add(s.Pose, u.frame)
				continue
			}
			// positions, with the box around them
			box := r3.EmptyBox()
			u.text = u.sample(n)
			for v, p := range s.Positions {
				u.text = u.vector(u.text, v, u.frame.ToFile(p), allDigits)
				box = box.With(u.frame.ToFile(p))
			}
			if c := u.film.Actors[k].Curves; c != nil { // they have a thickness
				r := r3.V(1, 1, 1).Scale(c.Radius / u.frame.Unit)
				box = r3.Box{Min: box.Min.Sub(r), Max: box.Max.Add(r)}
			}
			a.extents = append(a.extents, box)
			if _, err := a.points.Write(append(u.text, "],\n"...)); err != nil {
				return err
			}
			// normals, if there are any
			if a.normals == nil {
				continue
			}
			u.text = u.sample(n)
			for v, p := range s.Normals {
				u.text = u.vector(u.text, v, u.frame.TurnToFile(model.UnitNormal(p)), normalDigits)
			}
			if _, err := a.normals.Write(append(u.text, "],\n"...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sample begins the array of one frame.
func (u *writer) sample(frame int) []byte {
	return append(strconv.AppendInt(append(u.text[:0], "            "...), int64(frame), 10), ": ["...)
}

// Digits of numbers: as many as single precision takes, and as many as matter of a normal.
const (
	allDigits    = -1
	normalDigits = 5
)

// vector appends element i of an array.
func (u *writer) vector(b []byte, i int, v r3.Vec, digits int) []byte {
	if i > 0 {
		b = append(b, ", "...)
	}
	number := func(b []byte, x float64) []byte { return strconv.AppendFloat(b, float64(float32(x)), 'g', digits, 32) }
	b = number(append(b, '('), v.X)
	b = number(append(b, ", "...), v.Y)
	b = number(append(b, ", "...), v.Z)
	return append(b, ')')
}

func (u *writer) printf(format string, args ...any) { _, _ = fmt.Fprintf(u.out, format, args...) }

// stage writes the whole file.
func (u *writer) stage() error {
	f := u.film
	// axes, unit and times
	up := "Z"
	if u.frame.YUp {
		up = "Y"
	}
	rate := string(scan.AppendNumber(nil, f.FPS))
	u.printf(
		"#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = %s\n    endTimeCode = %d\n"+
			"    framesPerSecond = %s\n    metersPerUnit = %s\n"+
			"    startTimeCode = %d\n    timeCodesPerSecond = %s\n    upAxis = \"%s\"\n)\n\ndef Xform \"run\"\n{\n",
		quoted(f.Name),
		f.Frames[len(f.Frames)-1],
		rate,
		scan.AppendNumber(nil, u.frame.Unit),
		f.Frames[0],
		rate,
		up,
	)
	// actors, each under a name of its own
	names := map[string]bool{}
	for i := range f.Actors {
		name := identifier(f.Actors[i].Mesh.Name, names)
		var err error
		switch {
		case f.Actors[i].Rigid:
			err = u.rigid(i, name)
		case f.Actors[i].Curves != nil:
			err = u.curves(i, name)
		default:
			err = u.mesh(i, name, "    ")
		}
		if err != nil {
			return err
		}
	}
	u.printf("}\n")
	return nil
}

// rigid writes an actor that is moved by poses.
func (u *writer) rigid(i int, name string) error {
	ps := u.actors[i].poses
	u.printf("    def Xform \"%s\"\n    {\n", name)
	if u.film.Actors[i].Mesh.Name != name {
		u.printf("        custom string userProperties:name = %s\n", quoted(u.film.Actors[i].Mesh.Name))
	}
	translate := func(p r3.Pose) string {
		number := func(x float64) []byte { return scan.AppendNumber(nil, x) }
		return fmt.Sprintf("(%s, %s, %s)", number(p.T.X), number(p.T.Y), number(p.T.Z))
	}
	orient := func(p r3.Pose) string {
		q := p.R
		number := func(x float64) []byte { return scan.AppendNumber32(nil, float32(x)) }
		return fmt.Sprintf("(%s, %s, %s, %s)", number(q.W), number(q.X), number(q.Y), number(q.Z))
	}
	u.posed("double3 xformOp:translate", ps, translate)
	u.posed("quatf xformOp:orient", ps, orient)
	u.printf("        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n\n")
	if err := u.mesh(i, "mesh", "        "); err != nil {
		return err
	}
	u.printf("    }\n")
	return nil
}

// posed writes an attribute of a pose, with samples if the pose changes.
func (u *writer) posed(attribute string, ps film.Poses, value func(r3.Pose) string) {
	if ps.Still() {
		u.printf("        %s = %s\n", attribute, value(ps[0]))
		return
	}
	u.printf("        %s.timeSamples = {\n", attribute)
	for i, p := range ps {
		u.printf("            %d: %s,\n", u.film.Frames[i], value(p))
	}
	u.printf("        }\n")
}

// mesh writes the mesh of an actor, in lines that begin with pad.
func (u *writer) mesh(i int, name, pad string) error {
	actor, a := &u.film.Actors[i], &u.actors[i]
	m := actor.Mesh
	u.printf("%[1]sdef Mesh \"%[2]s\"\n%[1]s{\n", pad, name)
	in := pad + "    "
	if !actor.Rigid && m.Name != name {
		u.printf("%scustom string userProperties:name = %s\n", in, quoted(m.Name))
	}
	u.printf("%suniform bool doubleSided = 1\n%sint[] faceVertexCounts = [", in, in)
	for t := range m.Triangles {
		u.separate(t)
		u.printf("3")
	}
	u.printf("]\n%sint[] faceVertexIndices = ", in)
	u.indices(m.Triangles, 0)
	if actor.Rigid {
		u.still(m, in)
	} else if err := u.moving(a, in); err != nil {
		return err
	}
	u.uv(m, in)
	u.printf("%suniform token subdivisionScheme = \"none\"\n%s}\n", in, pad)
	return nil
}

// curves writes curves as Catmull-Rom splines.
func (u *writer) curves(i int, name string) error {
	// prim, and the true name where it cannot be that of the prim
	c := u.film.Actors[i].Curves
	const in = "        "
	u.printf("    def BasisCurves \"%s\"\n    {\n", name)
	if c.Name != name {
		u.printf("%scustom string userProperties:name = %s\n", in, quoted(c.Name))
	}
	// kind of curve, and points of each
	wrap := "pinned"
	if c.Closed[0] {
		wrap = "periodic"
	}
	u.printf("%[1]suniform token basis = \"catmullRom\"\n%[1]sint[] curveVertexCounts = [", in)
	for k, n := range c.Counts {
		u.separate(k)
		u.printf("%d", n)
	}
	u.printf("]\n")
	// points over time
	if err := u.moving(&u.actors[i], in); err != nil {
		return err
	}
	// width of the yarn
	u.printf("%suniform token type = \"cubic\"\n", in)
	if c.Radius > 0 {
		width := scan.AppendNumber32(nil, float32(2*c.Radius/u.frame.Unit))
		u.printf("%[1]sfloat[] widths = [%[2]s] (\n%[1]s    interpolation = \"constant\"\n%[1]s)\n", in, width)
	}
	u.printf("%suniform token wrap = \"%s\"\n    }\n", in, wrap)
	return nil
}

// moving writes the samples of an actor that deforms.
func (u *writer) moving(a *actor, in string) error {
	u.printf("%sfloat3[] extent.timeSamples = {\n", in)
	for k, box := range a.extents {
		u.printf("%s    %d: %s,\n", in, u.film.Frames[k], u.box(box))
	}
	u.printf("%[1]s}\n%[1]spoint3f[] points.timeSamples = {\n", in)
	if err := a.points.CopyTo(u.out); err != nil {
		return err
	}
	u.printf("%s}\n", in)
	if a.normals == nil {
		return nil
	}
	u.printf("%snormal3f[] normals.timeSamples = {\n", in)
	if err := a.normals.CopyTo(u.out); err != nil {
		return err
	}
	u.printf("%s}\n", in)
	return nil
}

// still writes the shape of a rigid actor, in its own axes.
func (u *writer) still(m *model.Mesh, in string) {
	box := r3.EmptyBox()
	for _, p := range m.Positions {
		box = box.With(u.frame.ToFile(p))
	}
	u.printf("%[1]sfloat3[] extent = %[2]s\n%[1]spoint3f[] points = [", in, u.box(box))
	u.text = u.text[:0]
	for v, p := range m.Positions {
		u.text = u.vector(u.text, v, u.frame.ToFile(p), allDigits)
	}
	u.printf("%s]\n", u.text)
	if len(m.Normals) == 0 {
		return
	}
	u.text = u.text[:0]
	for v, p := range m.Normals {
		u.text = u.vector(u.text, v, u.frame.TurnToFile(model.UnitNormal(p)), normalDigits)
	}
	u.printf("%snormal3f[] normals = [%s]\n", in, u.text)
}

// uv writes texture points. A corner without one gets a point at the origin.
func (u *writer) uv(m *model.Mesh, in string) {
	if len(m.UV) == 0 {
		return
	}
	u.printf("%stexCoord2f[] primvars:st = [", in)
	for i, p := range m.UV {
		u.separate(i)
		u.printf("(%s, %s)", scan.AppendNumber32(nil, float32(p.X)), scan.AppendNumber32(nil, float32(p.Y)))
	}
	if len(m.CornerUV) == 0 {
		u.printf("] (\n%[1]s    interpolation = \"vertex\"\n%[1]s)\n", in)
		return
	}
	if model.FirstOutside(m.CornerUV, 0, len(m.UV)) >= 0 {
		u.printf(", (0, 0)")
	}
	u.printf("] (\n%[1]s    interpolation = \"faceVarying\"\n%[1]s)\n%[1]sint[] primvars:st:indices = ", in)
	u.indices(m.CornerUV, int32(len(m.UV)))
}

// indices writes triples as one array, with missing in place of what is negative.
func (u *writer) indices(tri [][3]int32, missing int32) {
	u.text = append(u.text[:0], '[')
	for t, c := range tri {
		for k, v := range c {
			if t+k > 0 {
				u.text = append(u.text, ", "...)
			}
			if v < 0 {
				v = missing
			}
			u.text = strconv.AppendInt(u.text, int64(v), 10)
		}
	}
	u.printf("%s]\n", u.text)
}

func (u *writer) separate(i int) {
	if i > 0 {
		u.printf(", ")
	}
}

func (u *writer) box(b r3.Box) string {
	return string(append(u.vector(u.vector([]byte{'['}, 0, b.Min, allDigits), 1, b.Max, allDigits), ']'))
}

// quoted quotes text.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ':
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// identifier returns a name of letters of ASCII, digits and underscores that is not taken, and takes it.
func identifier(name string, taken map[string]bool) string {
	clean := strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '_'
	}, name)
	if clean == "" || '0' <= clean[0] && clean[0] <= '9' {
		clean = "_" + clean
	}
	free := clean
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s_%d", clean, n)
	}
	taken[free] = true
	return free
}
