package view

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/r3"
)

// request is what is asked of a frame.
type request struct {
	parts []string
	have  []string // names of topologies and geometries that the page has
}

// pack appends the parts of a frame that are asked for.
func pack(dst []byte, f *shownFrame, ask *request) []byte {
	head := frameHead{
		Frame:  f.Number,
		Time:   f.Time,
		Step:   f.Step,
		Hash:   f.Hash,
		Bodies: make([]bodyHead, len(f.Bodies)),
	}
	var arrays []placed
	for i := range f.Bodies {
		head.Bodies[i] = describe(f, i)
		arrays = append(arrays, choose(f, i, ask, &head.Bodies[i])...)
	}
	// Offsets depend on the size of the head, which depends on their digits: they are counted from the end of the head,
	// and the head is given room for the longest.
	room := aligned(
		layoutStart + len(
			mustJSON(&head),
		) + len(
			arrays,
		)*len(
			`"contactPosition":{"offset":18446744073709551615,"count":18446744073709551615,"components":3,"type":"f32"},`,
		),
	)
	at := room
	for _, a := range arrays {
		head.Bodies[a.body].Arrays[a.name] = arrayHead{at, a.count, a.components, a.kind}
		at = aligned(at + 4*a.count*a.components)
	}
	text := mustJSON(&head)
	le := binary.LittleEndian
	dst = append(dst, layoutMagic...)
	dst = le.AppendUint32(dst, layoutVersion)
	dst = le.AppendUint32(dst, uint32(room-layoutStart))
	dst = le.AppendUint32(dst, 0)
	dst = append(dst, text...)
	for len(dst) < room {
		dst = append(dst, ' ')
	}
	dst = slices.Grow(dst, at-room)
	for _, a := range arrays {
		dst = a.fill(dst)
		for len(dst)%layoutAlign != 0 {
			dst = append(dst, 0)
		}
	}
	return dst
}

func aligned(n int) int { return (n + layoutAlign - 1) / layoutAlign * layoutAlign }

func mustJSON(head *frameHead) []byte {
	text, err := json.Marshal(head)
	if err != nil {
		panic(err) // times of frames come from JSON
	}
	return text
}

func describe(f *shownFrame, i int) bodyHead {
	b := &f.Bodies[i]
	h := bodyHead{
		Name:     b.Name,
		Kind:     kindOf(b),
		Shape:    shapeOf(b),
		Radius:   b.Radius,
		Topology: f.topology[i],
		Geometry: f.geometry[i],
		Arrays:   map[string]arrayHead{},
	}
	return h
}

// shapeOf returns the kind of an obstacle, and nothing for others.
func shapeOf(b *runfolder.RawBody) string {
	if b.Kind.Obstacle() {
		return string(b.Kind)
	}
	return ""
}

// placed is an array that is to be part of an answer.
type placed struct {
	body              int
	name              string
	count, components int
	kind              string
	fill              func(dst []byte) []byte
}

// choose lists the arrays of a body that are asked for and not there yet.
func choose(f *shownFrame, i int, ask *request, head *bodyHead) []placed {
	// a body without vertices has no parts
	b := &f.Bodies[i]
	if b.Entries == 0 {
		return nil
	}
	var out []placed
	// parts that the browser has already
	has := func(id string) bool { return id != "" && slices.Contains(ask.have, id) }
	_, _, index := b.Mesh()
	// parts that it asks for
	for _, part := range ask.parts {
		switch part {
		case partTopology:
			if has(f.topology[i]) {
				continue
			}
			if b.Kind == runfolder.KindYarn {
				out = append(out, placed{i, part, b.Segments(), 2, "u32", copying(index)})
			} else {
				out = append(out, placed{i, part, b.Triangles(), 3, "u32", copying(index)})
			}
		case partPosition:
			if !has(f.geometry[i]) {
				out = append(out, placed{i, part, b.Entries, 3, "f32", b.AppendPositions})
			}
		case partNormal:
			if b.HasNormals() && !has(f.geometry[i]) {
				out = append(out, placed{i, part, b.Entries, 3, "f32", b.AppendNormals})
			}
		case partContacts:
			// arrows, and whether impulses or normals give their direction
			if arrows := contacts(i, b); arrows != nil {
				head.Direction = "normal"
				if _, ok := b.Vector(runfolder.AttrImpulse, 0); ok {
					head.Direction = "recorded"
				}
				out = append(out, arrows...)
			}
		default:
			if data := b.Field(part); data != nil {
				out = append(out, placed{i, part, b.Entries, 1, "f32", copying(data)})
			}
		}
	}
	return out
}

func copying(data []byte) func([]byte) []byte {
	return func(dst []byte) []byte { return append(dst, data...) }
}

// contacts lists the vertices that feel an impulse. Frames of older versions keep its size alone, which is put along
// the normal.
func contacts(i int, b *runfolder.RawBody) []placed {
	// impulses need a direction: their own, or the normal
	data := b.Field(runfolder.AttrImpulse)
	if _, ok := b.Vector(runfolder.AttrImpulse, 0); data == nil || !ok && !b.HasNormals() {
		return nil
	}
	// vertices that feel a contact
	var vertices, position, impulse []byte
	le := binary.LittleEndian
	n := 0
	for v := range b.Vertices {
		size := math.Float32frombits(le.Uint32(data[4*v:]))
		if !(size > 0) {
			continue
		}
		n++
		x, normal := b.Entry(v)
		vertices = le.AppendUint32(vertices, uint32(v))
		position = appendVec(position, x)
		along, ok := b.Vector(runfolder.AttrImpulse, v)
		if !ok {
			along = normal.Scale(float64(size))
		}
		impulse = appendVec(impulse, along)
	}
	// nothing touches
	if n == 0 {
		return nil
	}
	return []placed{
		{i, "contactImpulse", n, 3, "f32", copying(impulse)},
		{i, "contactPosition", n, 3, "f32", copying(position)},
		{i, "contactVertex", n, 1, "u32", copying(vertices)},
	}
}

func appendVec(dst []byte, v r3.Vec) []byte {
	for _, x := range [...]float64{v.X, v.Y, v.Z} {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x)))
	}
	return dst
}
