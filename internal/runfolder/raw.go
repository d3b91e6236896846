package runfolder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/toile-sim/toile/internal/format/gltf"
	"github.com/toile-sim/toile/r3"
)

// Frames as they lie in their files, for programs that pass them on as float32, such as the viewer. Reading one
// costs its checksum and no more: nothing is taken apart into float64 and put together again. Every byte is
// checked all the same.

// RawFrame is a frame as it lies in its file.
type RawFrame struct {
	Number int
	Time   float64 // [s]
	Step   int     // steps taken so far
	Hash   string  // of the float64 state, in hex
	Digest string  // SHA-256 of the file, in hex
	Size   int     // of the file [byte]; Bodies keep it in memory
	Bodies []RawBody
}

// RawBody is a body of a RawFrame.
type RawBody struct {
	Name     string
	Kind     Kind
	Pose     r3.Pose  // its positions and normals are appended with it applied
	Vertices int      // those that the body has
	Entries  int      // with repetitions at seams, which follow them; 0 if it cannot be shown
	Fields   []string // names of the quantities at the entries, sorted; such as AttrStretch
	Box      r3.Box   // of a body that moves, as the file says [m]; empty if it does not
	Radius   float64  // of yarns [m]; 0 for others

	position, normal []byte   // 3 float32 each, Y up
	fields           [][]byte // a float32 each, or 3 with Y up
	index            []byte   // 3 uint32 a triangle, 2 a segment of a yarn
}

// RawReader reads raw frames of a folder. Several goroutines may use it.
type RawReader struct {
	folder *Folder

	mu      sync.Mutex
	shapes  *RawFrame         // obstacles.glb, once it was needed
	checked map[int]fileStamp // frames whose bytes were found to be as written, as they were then
}

// RawReader returns a reader of frames as they lie in their files.
func (f *Folder) RawReader() *RawReader { return &RawReader{folder: f} }

// Frame reads frame n. It fails with a *Damage unless every byte is as it was written, and with an error that is
// fs.ErrNotExist if there is no such frame. A file that has not been written since it was last read is not checked
// again.
func (r *RawReader) Frame(n int) (*RawFrame, error) {
	path := r.folder.FramePath(n)
	// bytes are checked unless that was done since they were written
	r.mu.Lock()
	before := r.checked[n]
	r.mu.Unlock()
	frame, doc, stamp, err := readRaw(path, before)
	if err != nil {
		return nil, err
	}
	// checked now
	if stamp != before {
		r.mu.Lock()
		if r.checked == nil {
			r.checked = map[int]fileStamp{}
		}
		r.checked[n] = stamp
		r.mu.Unlock()
	}
	// the file is the one that its name tells
	if frame.Number != n {
		return nil, damaged(path, "it is frame %d under the name of frame %d", frame.Number, n)
	}
	// meshes that are kept apart
	for i := range doc.Nodes {
		e := doc.Nodes[i].Extras
		if e == nil || e.Shape == nil {
			continue
		}
		if err := r.fillIn(&frame.Bodies[i], *e.Shape, doc.Asset.Extras.Toile.Obstacles); err != nil {
			return nil, err
		}
	}
	return frame, nil
}

// fillIn gives a body the mesh that is kept apart under the given number.
func (r *RawReader) fillIn(b *RawBody, shape int, digest string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := r.folder.ObstaclesPath()
	if r.shapes == nil || r.shapes.Digest != digest {
		shapes, _, _, err := readRaw(path, fileStamp{})
		if errors.Is(err, fs.ErrNotExist) {
			return damaged(path, "it is missing; run the same command again to have it made")
		}
		if err != nil {
			return err
		}
		r.shapes = shapes
	}
	if r.shapes.Digest != digest {
		return damaged(path, "it is not the one that this frame was written with")
	}
	if shape < 0 || shape >= len(r.shapes.Bodies) {
		return damaged(path, "it lacks the mesh of %q", b.Name)
	}
	s := &r.shapes.Bodies[shape]
	b.Vertices, b.Entries, b.position, b.normal, b.index = s.Vertices, s.Entries, s.position, s.normal, s.index
	return nil
}

// readRaw reads a file that is laid out as a frame. Its bytes are checked unless it is as it was at the stamp given.
func readRaw(path string, checked fileStamp) (*RawFrame, *frameDoc, fileStamp, error) {
	data, stamp, err := readWhole(path, maxFrame)
	if err != nil {
		return nil, nil, stamp, err
	}
	if stamp != checked {
		if err := checkSeal(path, data); err != nil {
			return nil, nil, stamp, err
		}
	}
	f, doc, err := parseRaw(data)
	if err != nil {
		return nil, nil, stamp, damaged(path, "%v", err)
	}
	return f, doc, stamp, nil
}

// parseRaw finds out where everything is in a file whose bytes are checked.
func parseRaw(data []byte) (*RawFrame, *frameDoc, error) {
	d, err := splitGLB(data)
	if err != nil {
		return nil, nil, err
	}
	facts := d.doc.Asset.Extras.Toile
	if facts == nil {
		return nil, nil, errors.New("it lacks asset.extras.toile")
	}
	f := &RawFrame{
		Number: facts.Frame, Time: facts.Time, Step: facts.Step, Hash: facts.Hash, Digest: facts.Digest,
		Size: len(data), Bodies: make([]RawBody, len(d.doc.Nodes)),
	}
	for i := range d.doc.Nodes {
		if err := d.raw(&d.doc.Nodes[i], &f.Bodies[i]); err != nil {
			return nil, nil, fmt.Errorf("node %d: %w", i, err)
		}
	}
	return f, &d.doc, nil
}

// raw finds the arrays of a node.
func (d *glbData) raw(n *frameNode, b *RawBody) error {
	// name, kind and pose
	head, err := n.head()
	if err != nil {
		return err
	}
	b.Name, b.Kind, b.Pose, b.Box = n.Name, head.Kind, head.Pose, r3.EmptyBox()
	// a mesh that is here, and exists
	if n.Mesh == nil {
		if !b.Kind.Obstacle() && !head.apart {
			return errors.New("it has no mesh")
		}
		return nil
	}
	if *n.Mesh < 0 || *n.Mesh >= len(d.doc.Meshes) {
		return fmt.Errorf("mesh %d does not exist", *n.Mesh)
	}
	// arrays of its triangles, or of the lines of yarns
	g, mode := &d.doc.Meshes[*n.Mesh], gltf.Triangles
	if b.Kind == KindYarn {
		mode = gltf.Lines
	}
	p, err := g.primitive(mode)
	if err != nil {
		return err
	}
	if err := d.rawArrays(p, b); err != nil {
		return err
	}
	if b.Kind == KindYarn {
		return d.rawYarn(n.Extras.Radius, b)
	}
	if len(b.index)%12 != 0 {
		return errors.New("it does not have whole triangles")
	}
	// box of rigid bodies in the world; obstacles have none
	b.Vertices = b.Entries
	switch {
	case b.Kind.Obstacle():
		b.Box = r3.EmptyBox()
	case b.Kind.Rigid():
		own := b.Box
		b.Box = r3.EmptyBox()
		for i := range 8 {
			b.Box = b.Box.With(b.Pose.Apply(own.Corner(i)))
		}
	}
	// vertices, without the copies at seams
	if g.Extras != nil {
		b.Vertices = g.Extras.Vertices
	}
	if b.Vertices < 0 || b.Vertices > b.Entries {
		return fmt.Errorf("mesh %d announces %d of %d vertices", *n.Mesh, b.Vertices, b.Entries)
	}
	return nil
}

// rawArrays finds the arrays of a primitive; all of them have as many entries as there are positions.
func (d *glbData) rawArrays(p *gltf.Primitive, b *RawBody) error {
	at, ok := p.Attributes["POSITION"]
	if !ok {
		return errors.New("it has no positions")
	}
	var err error
	if b.position, err = d.access(at, gltf.Float, "VEC3", 3); err != nil {
		return err
	}
	b.Entries = len(b.position) / 12
	if a := &d.doc.Accessors[at]; len(a.Min) == 3 && len(a.Max) == 3 {
		lo, hi := single(a.Min), single(a.Max) // Y up, as the positions
		b.Box = r3.Box{
			Min: r3.V(lo[0], 0-hi[2], lo[1]),
			Max: r3.V(hi[0], 0-lo[2], hi[1]),
		}
	}
	if at, ok := p.Attributes["NORMAL"]; ok {
		if b.normal, err = d.access(at, gltf.Float, "VEC3", 3); err != nil {
			return err
		}
		if len(b.normal) != len(b.position) {
			return fmt.Errorf("it has %d normals for %d positions", len(b.normal)/12, b.Entries)
		}
	}
	for _, name := range sortedKeys(p.Attributes) {
		if !strings.HasPrefix(name, "_") || name == idAttribute {
			continue
		}
		kind, width := "SCALAR", d.width(p.Attributes[name])
		if width == 3 {
			kind = "VEC3"
		}
		data, err := d.access(p.Attributes[name], gltf.Float, kind, width)
		if err != nil {
			return err
		}
		if len(data) != 4*width*b.Entries {
			return fmt.Errorf("it has %d of %s for %d positions", len(data)/(4*width), name, b.Entries)
		}
		b.Fields, b.fields = append(b.Fields, name), append(b.fields, data)
	}
	b.index, err = d.access(gltf.OrZero(p.Indices), gltf.Uint, "SCALAR", 1)
	return err
}

// single returns the numbers of single precision that a file tells in few digits.
func single(brief []float64) (x [3]float64) {
	for k := range x {
		x[k] = float64(float32(brief[k]))
	}
	return x
}

// rawYarn checks that the lines of a body are those of yarns.
func (d *glbData) rawYarn(radius float64, b *RawBody) error {
	if err := checkRadius(radius); err != nil {
		return err
	}
	_, _, err := curvesOf(b.index, b.Entries)
	b.Vertices, b.Radius = b.Entries, radius
	around := r3.V(radius, radius, radius)
	b.Box.Min, b.Box.Max = b.Box.Min.Sub(around), b.Box.Max.Add(around)
	return err
}

// Triangles returns the number of triangles.
func (b *RawBody) Triangles() int {
	if b.Kind == KindYarn {
		return 0
	}
	return len(b.index) / 12
}

// Segments returns the number of segments of yarns.
func (b *RawBody) Segments() int {
	if b.Kind == KindYarn {
		return len(b.index) / 8
	}
	return 0
}

// Mesh returns positions and normals, three little-endian float32 each, and triangles, three little-endian uint32 each,
// or of yarns segments, two each, as they lie in the file: an obstacle's in its own axes, with Y up. They must not be
// changed.
func (b *RawBody) Mesh() (position, normal, index []byte) { return b.position, b.normal, b.index }

// Field returns a quantity of all entries, little-endian float32, as it lies in the file, or the sizes of its vectors;
// it must not be changed. It is nil if the body does not have it.
func (b *RawBody) Field(name string) []byte {
	data, vectors := b.field(name)
	if !vectors {
		return data
	}
	sizes := make([]byte, 0, len(data)/3)
	for ; len(data) >= 12; data = data[12:] {
		sizes = binary.LittleEndian.AppendUint32(sizes, math.Float32bits(float32(turnedBack(data).Norm())))
	}
	return sizes
}

// Vector returns a quantity of one entry in the scene's axes. It is not ok if the body does not have it as a vector.
func (b *RawBody) Vector(name string, entry int) (v r3.Vec, ok bool) {
	data, vectors := b.field(name)
	if !vectors {
		return r3.Vec{}, false
	}
	return b.Pose.R.Rotate(turnedBack(data[12*entry:])), true
}

// field finds a quantity and whether it is a vector.
func (b *RawBody) field(name string) (data []byte, vectors bool) {
	i, ok := slices.BinarySearch(b.Fields, name)
	if !ok {
		return nil, false
	}
	return b.fields[i], b.Entries > 0 && len(b.fields[i]) == 12*b.Entries
}

// HasNormals reports whether the body has normals.
func (b *RawBody) HasNormals() bool { return len(b.normal) > 0 }

// AppendPositions appends the positions of all entries in the scene's axes [m], three little-endian float32 each.
func (b *RawBody) AppendPositions(dst []byte) []byte {
	return appendTurned(dst, b.position, b.Pose, b.Pose.Apply)
}

// AppendNormals appends the normals of all entries in the scene's axes, three little-endian float32 each.
func (b *RawBody) AppendNormals(dst []byte) []byte {
	return appendTurned(dst, b.normal, b.Pose, b.Pose.R.Rotate)
}

// Entry returns the position [m] and the normal of one entry in the scene's axes; the normal is zero if there is none.
func (b *RawBody) Entry(i int) (position, normal r3.Vec) {
	position = b.Pose.Apply(turnedBack(b.position[12*i:]))
	if b.HasNormals() {
		normal = b.Pose.R.Rotate(turnedBack(b.normal[12*i:]))
	}
	return position, normal
}

func turnedBack(b []byte) r3.Vec {
	return r3.V(float64(floatAt(b, 0)), 0-float64(floatAt(b, 2)), float64(floatAt(b, 1)))
}

// appendTurned appends vectors that have Y up with Z up, moved by move unless the pose is no motion at all.
func appendTurned(dst, vectors []byte, pose r3.Pose, move func(r3.Vec) r3.Vec) []byte {
	dst = slices.Grow(dst, len(vectors))
	le := binary.LittleEndian
	if pose == r3.Still() {
		for ; len(vectors) >= 12; vectors = vectors[12:] {
			dst = le.AppendUint32(dst, le.Uint32(vectors))
			dst = le.AppendUint32(dst, math.Float32bits(0-floatAt(vectors, 2)))
			dst = le.AppendUint32(dst, le.Uint32(vectors[4:]))
		}
		return dst
	}
	for ; len(vectors) >= 12; vectors = vectors[12:] {
		v := move(turnedBack(vectors))
		dst = le.AppendUint32(dst, math.Float32bits(float32(v.X)))
		dst = le.AppendUint32(dst, math.Float32bits(float32(v.Y)))
		dst = le.AppendUint32(dst, math.Float32bits(float32(v.Z)))
	}
	return dst
}
