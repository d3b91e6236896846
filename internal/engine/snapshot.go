package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// Time returns the simulated time [s].
func (s *Snapshot) Time() float64 { return s.time }

// Steps returns the number of steps taken.
func (s *Snapshot) Steps() int { return s.steps }

// Hash is a fingerprint of a state: equal for equal bits.
type Hash [16]byte

// String returns the hash in hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Hash returns the fingerprint of the state. What programs have set on bodies (Actions) is not in it.
func (s *Snapshot) Hash() Hash {
	sum := sha256.Sum256(s.appendState(nil))
	return Hash(sum[:16])
}

// Snapshot returns a copy of the state.
func (w *World) Snapshot() *Snapshot {
	// time, blocks, and the balance of ties
	s := &Snapshot{
		layout: w.layout(),
		time:   w.time,
		steps:  w.steps,
		pos:    append([]r3.Vec(nil), w.pos...),
		vel:    append([]r3.Vec(nil), w.vel...),
		force:  append([]r3.Vec(nil), w.force...),
		tied:   len(w.joints)+len(w.attachments) > 0,
		ties:   w.tieBalance,
	}
	// handles and obstacles, with where they are on their paths
	for i := range w.handles {
		k := &w.handles[i]
		s.handles = append(s.handles, handleState{
			added: k.added, pose: k.pose, target: k.target, rest: append([]r3.Vec(nil), k.rest...),
			anchors: append([]anchor(nil), k.anchors...), onPath: k.onPath, released: k.released, force: k.force,
		})
	}
	for i := range w.obstacles {
		k := &w.obstacles[i]
		s.obstacles = append(
			s.obstacles,
			obstacleState{pose: k.pose, target: k.target, onPath: k.onPath},
		)
	}
	// other bodies, and what programs have set on them
	for _, i := range w.others {
		s.bodies = append(s.bodies, w.bodies[i].State())
	}
	s.actions = w.actionStates()
	// contacts to start from, friction and meshes
	s.lastStep, s.unsettled, s.contacts = w.last.h, w.last.answer.Unsettled, w.last.state()
	s.friction = w.pairsWithFriction()
	s.meshes = w.meshStates()
	return s
}

// Restore brings the world back to a snapshot. It fails, changing nothing, if the snapshot was taken from a
// world with other cloths, bodies, joints, attachments, handles or obstacles.
func (w *World) Restore(s *Snapshot) error {
	if s.layout != w.layout() {
		return errors.New("snapshot does not fit this world: cloths, bodies, handles or obstacles differ")
	}
	if err := w.restoreMeshes(s); err != nil {
		w.revert()
		return fmt.Errorf("snapshot is damaged: %w", err)
	}
	if err := w.restore(s); err != nil {
		w.revert()
		return err
	}
	w.replaced = nil
	return nil
}

// restore sets the state, for which the world has the blocks already. It fails changing nothing.
func (w *World) restore(s *Snapshot) error {
	// the same numbers of everything that has a state
	if len(s.pos) != len(w.pos) || len(s.handles) != len(w.handles) || len(s.obstacles) != len(w.obstacles) ||
		len(s.bodies) != len(w.others) || len(s.actions) != len(w.others) {
		return errors.New(
			"snapshot is damaged: it has other numbers of vertices, handles, obstacles or bodies than its world",
		)
	}
	// handles have as many vertices, anchors that fit, and paths where they were on some
	for i, h := range s.handles {
		if len(h.rest) != len(w.handles[i].rest) {
			return fmt.Errorf("snapshot is damaged: handle %d has another number of vertices than its world's", i)
		}
		if err := w.fitAnchors(&w.handles[i], h.anchors); err != nil {
			return fmt.Errorf("snapshot is damaged: handle %d: %w", i, err)
		}
		if h.onPath && w.handles[i].path == nil {
			return fmt.Errorf("snapshot does not fit this world: handle %d has no path", i)
		}
	}
	// contacts and friction are of surfaces that exist
	var touched solvedContacts
	if err := touched.restore(s, len(w.pos), len(w.surfaces)); err != nil {
		return fmt.Errorf("snapshot is damaged: %w", err)
	}
	for _, p := range s.friction {
		if int(p.a) >= len(w.surfaces) || int(p.b) >= len(w.surfaces) || !(p.mu >= 0) {
			return fmt.Errorf("snapshot is damaged: friction %g of surfaces %d and %d", p.mu, p.a, p.b)
		}
	}
	// bodies can still refuse, and nothing is changed until then
	if err := w.restoreBodies(s); err != nil {
		return err
	}
	// from here on nothing fails
	w.last, w.tieBalance = touched, s.ties
	w.crossed = unknown
	w.restoreFriction(s.friction)
	w.time, w.steps = s.time, s.steps
	copy(w.pos, s.pos)
	copy(w.vel, s.vel)
	copy(w.force, s.force)
	// handles, and what they hold
	for i, h := range s.handles {
		k := &w.handles[i]
		k.added, k.pose, k.target, k.next = h.added, h.pose, h.target, h.pose
		k.onPath, k.released, k.force = h.onPath, h.released, h.force
		copy(k.rest, h.rest)
		copy(k.anchors, h.anchors)
	}
	w.hold()
	// driven numbers follow from the time
	w.setDriven(w.time, w.last.h)
	return nil
}

// layout is a fingerprint of what a state belongs to: the connectivity of cloths and obstacles, and the blocks and the
// kind of the handles, what they follow, and the tracks.
func (w *World) layout() [sha256.Size]byte {
	if w.print != nil {
		return *w.print
	}
	h := sha256.New()
	put := func(v ...int64) {
		for _, x := range v {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], uint64(x))
			h.Write(b[:])
		}
	}
	adapts := w.adapts()
	putNode := func(node int32) {
		if !adapts {
			put(int64(node))
			return
		}
		put(w.nameOf(node))
	}
	put(int64(len(w.sheets)))
	for _, i := range w.sheets {
		w.bodies[i].sheet.Layout(put)
	}
	put(int64(len(w.handles)))
	for i := range w.handles {
		put(int64(len(w.handles[i].nodes)), int64(bit(w.handles[i].spec.Limit == nil)))
		put(w.handles[i].ids...)
		for _, n := range w.handles[i].nodes {
			if w.handles[i].ids == nil {
				putNode(n)
			}
		}
	}
	put(int64(len(w.obstacles)))
	for i := range w.obstacles {
		k := &w.obstacles[i]
		rides := int64(w.blockOf(k))
		if adapts {
			rides = min(rides, 0)
		}
		put(int64(k.surface), rides, int64(len(k.x)), int64(len(k.spec.Tri)), int64(bit(k.spec.Deform != nil)))
		for _, v := range k.spec.Tri {
			put(int64(v[0]), int64(v[1]), int64(v[2]))
		}
	}
	put(int64(len(w.others)))
	for _, i := range w.others {
		put(int64(w.bodies[i].count), int64(w.bodies[i].surface)) // which tells what was added before it
	}
	w.putLoads(put, putNode)
	w.putFollows(put)
	w.putDrives(put)
	w.putTies(put)
	sum := [sha256.Size]byte(h.Sum(nil))
	w.print = &sum
	return sum
}

// The binary form, little-endian: magic and version; what acts on bodies (snapshot_actions.go); in version 11 how many
// problems in a row had contacts that did not settle, which is 0 in version 10; and the
// state, which is what hashes are of: its form, layout, time, steps, number of blocks, positions, velocities,
// forces, number of handles, and for each its state; then obstacles, bodies, contacts and friction likewise
// (snapshot_contact.go). Whoever stores it adds a checksum. That of a world with a cloth that is remeshed has another
// form, and ends with the meshes (snapshot_mesh.go); that of one with joints or attachments has yet another, and what
// these have taken after its steps. Before version 10 the forms were versions, and there was nothing before them.
const (
	snapshotMagic  = "toile state 11\n"
	settledMagic   = "toile state 10\n"
	plainForm      = "toile state 6\n"
	meshedForm     = "toile state 7\n"
	tiedForm       = "toile state 8\n"
	tiedMeshedForm = "toile state 9\n"
)

// forms are these, by whether there are ties and meshes.
var forms = [2][2]string{{plainForm, meshedForm}, {tiedForm, tiedMeshedForm}}

// anchored is added to the word that says whether a handle is on a path if it has anchors, which then follow its rest.
const anchored = 2

// MarshalBinary returns the snapshot as bytes. Equal states give equal bytes.
func (s *Snapshot) MarshalBinary() ([]byte, error) {
	if s.unsettled == 0 {
		return s.appendState(s.appendActions([]byte(settledMagic))), nil
	}
	return s.appendState(appendInts(s.appendActions([]byte(snapshotMagic)), int(s.unsettled))), nil
}

// appendState appends the state in its form.
func (s *Snapshot) appendState(b []byte) []byte {
	// room for most of it, at once
	size := len(plainForm) + len(s.layout) + 8*6 + 3*24*len(s.pos)
	for _, h := range s.handles {
		size += 8 + 3*56 + 2*8 + 24 + 24*len(h.rest) + 32*len(h.anchors)
	}
	b = slices.Grow(b, size)
	// form, layout and time
	b = append(b, forms[bit(s.tied)][bit(len(s.meshes) > 0)]...)
	b = append(b, s.layout[:]...)
	b = appendFloats(b, s.time)
	b = appendInts(b, s.steps)
	if s.tied {
		b = appendFloats(b, s.ties)
	}
	// blocks
	b = appendInts(b, len(s.pos))
	for _, vs := range [][]r3.Vec{s.pos, s.vel, s.force} {
		b = appendVecs(b, vs...)
	}
	// handles: poses, flags, force, then their vertices and anchors
	b = appendInts(b, len(s.handles))
	for _, h := range s.handles {
		for _, p := range []r3.Pose{h.added, h.pose, h.target} {
			b = appendPose(b, p)
		}
		b = appendInts(b, bit(h.onPath)+anchored*bit(h.anchors != nil), bit(h.released))
		b = appendVecs(b, h.force)
		b = appendInts(b, len(h.rest))
		b = appendVecs(b, h.rest...)
		for _, a := range h.anchors {
			b = appendVecs(appendInts(b, int(a.tri)), a.weight)
		}
	}
	// obstacles, bodies, contacts and friction, then meshes
	return s.appendMeshes(s.appendContacts(b))
}

// UnmarshalBinary reads what MarshalBinary wrote. Anything else gives an error: wrong lengths, values that
// are not finite, flags that are not 0 or 1.
func (s *Snapshot) UnmarshalBinary(data []byte) error {
	// magic and version
	d := decoder{data: data}
	var out Snapshot
	magic := string(d.take(len(snapshotMagic)))
	if magic != snapshotMagic && magic != settledMagic {
		if strings.HasPrefix(magic, "toile state ") {
			return errors.New("a state of another version of Toile, which this one cannot go on from")
		}
		return errors.New("not a state of Toile")
	}
	// what acts on bodies comes before the state
	out.readActions(&d)
	if magic == snapshotMagic {
		out.unsettled = uint8(d.count(math.MaxUint8))
		d.failed = d.failed || out.unsettled == 0 // that has the other version
	}
	// form: with or without ties and meshes
	form := string(d.take(len(plainForm)))
	meshed := form == meshedForm || form == tiedMeshedForm
	out.tied = form == tiedForm || form == tiedMeshedForm
	if form != forms[bit(out.tied)][bit(meshed)] {
		return errors.New("state is cut short or damaged")
	}
	// layout, time and blocks
	copy(out.layout[:], d.take(len(out.layout)))
	out.time = d.float()
	out.steps = d.count(math.MaxInt32)
	if out.tied {
		out.ties = d.float()
	}
	n := d.count(len(d.data) / (3 * 24))
	out.pos, out.vel, out.force = d.vecs(n), d.vecs(n), d.vecs(n)
	// handles
	for range d.count(len(d.data) / (3*56 + 6*8)) {
		h := handleState{added: d.pose(), pose: d.pose(), target: d.pose()}
		lead := d.count(1 + anchored)
		h.onPath, h.released, h.force = lead&1 != 0, d.count(1) == 1, d.vec()
		h.rest = d.vecs(d.count(len(d.data) / 24))
		if lead&anchored != 0 {
			h.anchors = d.anchors(len(h.rest))
		}
		out.handles = append(out.handles, h)
	}
	// obstacles, bodies, contacts and friction, then meshes
	out.readContacts(&d)
	if meshed {
		out.readMeshes(&d)
		d.failed = d.failed || len(out.meshes) == 0
	}
	// nothing may be missing or left
	if !d.failed && len(d.data) > 0 {
		return fmt.Errorf("state is followed by %d bytes that do not belong to it", len(d.data))
	}
	if d.failed {
		return errors.New("state is cut short or damaged")
	}
	*s = out
	return nil
}

// fitAnchors says why anchors of a snapshot cannot be those of a handle.
func (w *World) fitAnchors(k *holder, anchors []anchor) error {
	if len(anchors) != len(k.anchors) {
		return errors.New("it rides on another number of triangles than its world's")
	}
	for _, a := range anchors {
		if int(a.tri) >= len(w.deforming(k).spec.Tri) {
			return fmt.Errorf("it rides on a triangle %d that does not exist", a.tri)
		}
	}
	return nil
}

// anchors reads n of them.
func (d *decoder) anchors(n int) []anchor {
	out := make([]anchor, 0, n)
	for range n {
		out = append(out, anchor{int32(d.count(math.MaxInt32)), d.vec()})
	}
	return out
}

// putFollows adds what handles follow to the fingerprint of a world.
func (w *World) putFollows(put func(...int64)) {
	for i := range w.handles {
		if f := w.handles[i].spec.Follow; f != nil {
			put(int64(i), int64(f.Obstacle))
			if f.Gap != nil {
				put(int64(math.Float64bits(*f.Gap)))
			}
		}
	}
}

// putLoads adds the loads to the fingerprint of a world.
func (w *World) putLoads(put func(...int64), putNode func(int32)) {
	for i := range w.loads {
		put(int64(len(w.loads[i].nodes)))
		for _, node := range w.loads[i].nodes {
			putNode(node)
		}
	}
}

// putDrives adds the tracks to the fingerprint of a world.
func (w *World) putDrives(put func(...int64)) {
	if len(w.drives) > 0 {
		put(int64(len(w.drives)))
	}
	for i := range w.drives {
		d := &w.drives[i]
		put(int64(d.kind), int64(d.a), int64(d.b), int64(d.track.Between), int64(len(d.track.Keys)))
		for _, k := range d.track.Keys {
			put(int64(math.Float64bits(k.At)), int64(math.Float64bits(k.Value)))
		}
	}
}

// putTies adds joints and attachments, with the places that they keep, to the fingerprint of a world.
func (w *World) putTies(put func(...int64)) {
	// how numbers and places on bodies are put
	bits := func(x ...float64) {
		for _, x := range x {
			put(int64(math.Float64bits(x)))
		}
	}
	putSpot := func(p *tieEnd) {
		put(w.nameOfBody(p.on))
		bits(p.own.X, p.own.Y, p.own.Z)
		bits(p.weight...)
		for _, v := range p.vertex {
			put(int64(v))
		}
	}
	// joints: kind, both places, axis and angle
	for i := range w.joints {
		j := &w.joints[i]
		put(int64(j.spec.Kind), int64(bit(j.spec.Touch)))
		putSpot(&j.a)
		putSpot(&j.b)
		bits(j.axis.X, j.axis.Y, j.axis.Z)
		for _, q := range [2]r3.Quat{j.turnA, j.turnB} {
			bits(q.W, q.X, q.Y, q.Z)
		}
	}
	// attachments: each vertex and its place
	w.eachFixture(func(t *fixture, _ int32) {
		putSpot(&t.vertex)
		putSpot(&t.to)
	})
}

// nameOf names a block by what it keeps when meshes change: the place of its sheet among sheets and the id of its
// vertex, or -1 less its place among the bodies that are no sheets, and its place there.
func (w *World) nameOf(node int32) (sheet, id int64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		if !b.has(int(node)) {
			continue
		}
		kind, place := w.nameOfBody(owner(i))
		id := int64(int(node) - b.first)
		if b.remesher != nil {
			id = b.remesher.IDs()[id]
		}
		if kind == asBody {
			return -1 - place, id
		}
		return place, id
	}
	return -1, int64(node)
}

// What bears spots, in the fingerprint of a world.
const (
	asWorld = iota
	asSheet
	asBody
)

// nameOfBody names a body by whether it is a sheet, and its place among those that are or are not.
func (w *World) nameOfBody(b owner) (kind, place int64) {
	if b == theWorld {
		return asWorld, 0
	}
	if k := slices.Index(w.sheets, int(b)); k >= 0 {
		return asSheet, int64(k)
	}
	return asBody, int64(slices.Index(w.others, int(b)))
}
