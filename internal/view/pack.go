package view

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/r3"
)

// Frames as the page gets them: a head in JSON that says where the arrays are, and the arrays, which a browser takes as
// they are. Little endian:
//
//	0   "TOIL"
//	4   layout, 1
//	8   size of the head [byte]
//	12  0
//	16  the head, JSON, filled up with spaces to a multiple of 8
//	    arrays, each from a multiple of 8 on
//
// docs/viewer.md describes the head.

const (
	layoutVersion = 1
	layoutMagic   = "TOIL"
	layoutAlign   = 8
	layoutStart   = 16
)

// The parts of a frame that can be asked for beside the quantities at its vertices.
const (
	partTopology = "topology"
	partPosition = "position"
	partNormal   = "normal"
	partContacts = "contacts"
)

const (
	maxParts = 32
	maxHave  = 64
)

type frameHead struct {
	Frame  int        `json:"frame"`
	Time   float64    `json:"time"`
	Step   int        `json:"step"`
	Hash   string     `json:"hash"`
	Bodies []bodyHead `json:"bodies"`
}

type bodyHead struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"` // cloth, yarn, solid, rigid or obstacle
	Shape string `json:"shape,omitempty"`
	// Radius is that of yarns [m].
	Radius   float64 `json:"radius,omitempty"`
	Topology string  `json:"topology"`
	Geometry string  `json:"geometry,omitempty"`
	// Direction says what the directions of contact impulses are.
	Direction string               `json:"contactDirection,omitempty"`
	Arrays    map[string]arrayHead `json:"arrays"`
}

type arrayHead struct {
	Offset     int    `json:"offset"` // from the start of the file [byte]
	Count      int    `json:"count"`  // of pieces
	Components int    `json:"components"`
	Type       string `json:"type"` // f32 or u32
}

// frameNumber reads the number of /api/frames/12; it has no zeros in front.
func frameNumber(path string) (int, bool) {
	text, ok := strings.CutPrefix(path, "/api/frames/")
	if !ok || len(text) > 9 {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}

// request is what is asked of a frame.
type request struct {
	parts []string
	have  []string // names of topologies and geometries that the page has
}

// frame answers with parts of a frame.
func (s *Server) frame(w http.ResponseWriter, r *http.Request, n int) error {
	q, err := query(r, "fields", "have", "run")
	if err != nil {
		return err
	}
	var ask request
	if ask.parts, err = listed(q, "fields", maxParts); err != nil {
		return err
	}
	if ask.have, err = listed(q, "have", maxHave); err != nil {
		return err
	}
	slices.Sort(ask.parts)
	slices.Sort(ask.have)
	for _, p := range ask.parts {
		if p != partTopology && p != partPosition && p != partNormal && p != partContacts && fieldOf(p) == nil {
			return faulty(http.StatusBadRequest, "fields=%s: there is no such thing; write %s.", p, partWords())
		}
	}
	current, f, err := s.find(n, q["run"])
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-cache")
	if q["run"] == current.id {
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	tag := fmt.Sprintf(
		`"%d-%.24s-%s"`,
		layoutVersion,
		f.Digest,
		partID([]byte(strings.Join(ask.parts, ",")), []byte{0}, []byte(strings.Join(ask.have, ","))),
	)
	if fresh(w, r, tag) {
		return nil
	}
	for _, p := range ask.parts {
		if fieldOf(p) != nil {
			s.frames.measure(current.id, p, f)
		}
	}
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	*buf = pack((*buf)[:0], f, &ask)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(*buf)))
	_, _ = w.Write(*buf) // whoever asked is gone
	return nil
}

// buffers are what answers are put together in.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// partWords lists what can be asked of a frame.
func partWords() string {
	words := []string{partTopology, partPosition, partNormal, partContacts}
	for i := range fields {
		words = append(words, fields[i].Name)
	}
	return strings.Join(words, ", ")
}

// find returns frame n of the run with the given id, or of any run if that is empty.
func (s *Server) find(n int, id string) (*run, *shownFrame, error) {
	current, err := s.live.look()
	if err != nil {
		return nil, nil, s.live.absent(err)
	}
	if id != "" && id != current.id {
		return nil, nil, faulty(http.StatusGone, "The folder holds another run now; load the page again.")
	}
	if !current.has(n) {
		return nil, nil, absentFrame(current, n)
	}
	f, err := s.frames.get(current, n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, faulty(
			http.StatusNotFound,
			"Frame %d is not there any more; the run was resumed or its files were removed.",
			n,
		)
	}
	if err != nil {
		return nil, nil, faulty(http.StatusInternalServerError, "Frame %d cannot be shown: %s.", n, s.live.plain(err))
	}
	return current, f, nil
}

func absentFrame(r *run, n int) error {
	if len(r.frames) == 0 {
		return faulty(http.StatusNotFound, "The run has no frame yet.")
	}
	first, last := r.frames[0], r.frames[len(r.frames)-1]
	if n > first && n < last {
		return faulty(http.StatusNotFound, "Frame %d is missing in the folder.", n)
	}
	return faulty(http.StatusNotFound, "There is no frame %d; the run has frames %d to %d so far.", n, first, last)
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

// kindOf tells cloths, yarns, solids and rigid bodies from obstacles, of whatever shape.
func kindOf(b *runfolder.RawBody) string {
	if b.Kind.Obstacle() {
		return "obstacle"
	}
	return string(b.Kind)
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
	b := &f.Bodies[i]
	if b.Entries == 0 {
		return nil
	}
	var out []placed
	has := func(id string) bool { return id != "" && slices.Contains(ask.have, id) }
	_, _, index := b.Mesh()
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
	data := b.Field(runfolder.AttrImpulse)
	if _, ok := b.Vector(runfolder.AttrImpulse, 0); data == nil || !ok && !b.HasNormals() {
		return nil
	}
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
